"""Messages between client and server, one module a topic.

- `accounts`: messages about players: accounts, the devices they are logged in on, and the names that others see
- `bot_tasks`: messages between a server and the processes in which its bots think: one decision, and the answer to
  it
- `branches`: messages about branches: matches that play on from a moment of another match
- `catalogues`: messages about what a ruleset is played with, and whether an army of it is legal
- `chat`: messages of the chat of a match, which is no part of its records: nothing of it is hashed, and all can be
  erased
- `decisions`: messages about the decisions of a match: answers to them, and their options
- `file_verdicts`: what a process that verifies match files tells the server that started it
- `files`: messages about match files: uploading one in parts, so that its match can be looked back on here
- `lobby`: messages of the lobby: entering matches that are locked, and invites
- `match_summary`: what lists show of matches: nothing in it that a reader does not know may hide the rest of the
  list
- `messages`: messages between client and server: two tagged unions, the codes of refusals, and the close codes
- `ratings`: messages about ratings and statistics: the leaderboard, one player's figures, and those of armies
- `refusal_codes`: the codes of refusals that any match can give, with what they mean
- `rematches`: messages about playing again: the players of a match that has ended agree on another one, with their
  seats turned
- `reports`: messages about reports: a player tells the operators of a server what another one has done, and where
  in a match
- `seats`: messages about the seats of a match that has not begun
- `seeks`: messages of quick matches: players who seek the same are paired, and their match is opened
- `topic_messages`: the requests and responses of topics with modules of their own, gathered for the unions of
  `messages.py`
- `watchers`: the message that says how many people watch a match
"""
