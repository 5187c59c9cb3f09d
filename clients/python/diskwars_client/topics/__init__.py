"""Requests of a client by topic: each topic is an object that sends its requests through the client.

- `accounts`: register, log in and out, devices, password and name, and the names of players
- `catalogues`: content of a ruleset, and checks of armies
- `challenges`: challenges: ask another player for a match, by name, and answer those who ask
- `chat`: chat of a match, muted players and reports
- `clubs`: clubs: open, list, show and follow them, act in one, and come in by an invitation
- `files`: upload of match files
- `list_changes`: changes of a list of matches that is followed
- `lobby`: matches seen from outside: lists, locks, invites, bots and branches
- `notices`: channels and preferences of the notices that an account gets
- `own_data`: the own data in one value: what the answers to a fixed list of requests say of an account
- `ratings`: leaderboard and statistics
- `seeks`: quick matches and rematches
- `tournaments`: tournaments: open, list, show and follow them, and act in one
"""
