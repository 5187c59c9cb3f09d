"""Verification of match files, with the engine and without a server.

- `published_dice`: the dice that a match file has published: steps, links, keys
- `record_checks`: checks of one record that need no rules, for records that are not decided again
- `rules_comparison`: comparison of a match with these rules: the first record that they decide in another way than
  it was decided
- `rules_verifier`: verification of the rules: decide the recorded actions again with the recorded content and dice
- `verify`: verification of a match file, with the engine and without a server
"""
