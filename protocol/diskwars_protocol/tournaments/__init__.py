"""Tournaments: their options, events, fold, standings and brackets, without a server.

- `brackets`: the tree of an elimination, and who meets whom next
- `events`: what has happened in a tournament
- `fold`: the fold of a tournament's records
- `options`: what the organiser chooses when a tournament is opened
- `standings`: the table of a tournament with its tie-breaks
- `state`: a tournament as its records fold to
"""
