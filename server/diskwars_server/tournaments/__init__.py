"""Tournaments: who plays whom in which match, and what their results make of the table.

- `arranged_matches`: matches opened from a template, with seats kept for the entrants, and what became of them
- `club_rights`: rights in tournaments of clubs, by the lists of clubs
- `pairing_messages`: messages to entrants about the matches for which they were paired
- `parts`: the parts of a server that are about tournaments
- `removals`: cancelling of a tournament for an operator, directly in the store
- `rules`: what is allowed in a tournament, and what follows from it: pure, and no part of a server
- `runner`: the loop that starts tournaments, opens matches, takes their results and pairs rounds
- `streams`: the records of tournaments: read and folded, appended, and announced to every node
- `tournament_requests`: requests about tournaments
"""
