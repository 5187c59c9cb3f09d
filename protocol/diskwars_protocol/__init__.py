"""The language that server and clients share: messages, records, dice and the connection. No I/O, no rules.

- `clubs`: clubs: their options, events and fold, without a server
- `connection`: the conversation of client and server, frame by frame, without I/O
- `flood_guard`: token bucket that limits the frames that a connection may send
- `geometry`: exact integer geometry: flips, overlaps, pins, ranges and lines of sight
- `identifiers`: ids of content: disks, command cards, armies, scenarios, deployment cards, terrain, races, traits
- `match`: a match of any ruleset: its vocabulary, the fold of its records, and what is read off them
- `messages`: messages between client and server, one module a topic
- `records`: records: canonical JSON, sealed values, the hash chain, fair dice, and the match file
- `rulesets`: the vocabulary of each ruleset, one folder per ruleset
- `schema`: documents of everything that is sent: JSON Schema, AsyncAPI, TypeScript, and examples
- `schema_limits`: limits that only the schema states, checked on content and positions
- `schema_types`: types of fields whose range or form only the schema states
- `search_steps`: counts of the steps of a search on a board, so that its caller can end one that takes too many
- `suggestions`: suggestions in error messages: the known word that is nearest to a misspelled one
- `tournaments`: tournaments: their options, events, fold, standings and brackets, without a server
"""
