"""Clubs: their options, events and fold, without a server.

- `events`: what has happened in a club
- `fold`: the fold of a club's records
- `options`: what a club decides about itself
- `state`: a club as its records fold to
"""
