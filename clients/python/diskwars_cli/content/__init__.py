"""Verbs about cards, armies and rules.

- `armies`: the `army` verb: checks armies in a file, prints one as text, lists the starter armies
- `figures`: `rules --play`: lists the worked examples and set pieces of the rules, and lets somebody play one
- `lessons`: `rules --learn`: the boards of a first match, one after the other
- `packs`: the `packs` verb: lists content packs, checks one, and starts a file of the user's own
- `puzzles`: the `puzzle` verb: a position of a played match with a few answers, of which one is far better
- `rules`: the `rules` verb: prints a rule with its reason, the code that implements it and the tests that prove it
"""
