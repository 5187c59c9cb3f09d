"""A match of any ruleset: its vocabulary, the fold of its records, and what is read off them.

- `actions`: questions that every ruleset asks, and actions that every ruleset takes
- `bot_identity`: player ids of the bots that a server seats: everybody can tell them from people, in lists and in
  records
- `catalogue`: what the catalogues of all rulesets have in common
- `decisions`: decisions of a match, what could be answered, and how a match ends; generic over a ruleset's types
- `events`: events that every ruleset records
- `history_facts`: what histories read off the events of a ruleset: where something begins, and what was rolled with
  which chances
- `ids`: ids and names of a match of any ruleset: matches, players, seats, decisions, viewers, and codes
- `luck`: the luck report of a match: what was rolled, what was to be expected, and how rarely chance alone does
  worse
- `match_fold`: the fold of the records of a match of any ruleset to one public state
- `match_options`: options of a match of any ruleset: visibility, spectators, rating, clock
- `moments`: moments of a match as text: match, record and viewpoint
- `position_bounds`: bounds of positions that come from a file: what every reader can check without rules and packs
- `replay`: the replay of one match: its state after any record, the marks to jump to, and the viewpoints to see it
  from
- `replay_scenes`: the course of a match in scenes: the table after each activation and each melee
- `ruleset_settings`: the settings of a ruleset: their defaults, ranges and closed sets, read off the settings
  struct itself
- `scenes`: scenes: what a small picture of a board shows, in one form for every ruleset
- `state`: the record of an action, and the state of a match that its records fold to
- `substitutes`: seats that the house plays because their players have missed too many answers: when it may, and
  what records show
- `tasks`: tasks and ground of scenarios: what decides a match beside the fight, in the games on cells and on open
  tables
- `vocabulary`: the vocabulary of one ruleset: its types, its fold and its decoders, as client and server share them
"""
