"""Clubs: members and roles, invitations, ladders, and what a season leaves behind.

- `club_requests`: requests about clubs
- `invitations`: codes of invitations: made, and found again by what is stored of them
- `ladders`: ladders of clubs: the rated matches of members in a season
- `parts`: the parts of a server that are about clubs
- `removals`: closing of a club for an operator, directly in the store
- `rules`: what is allowed in a club, and what follows from it: pure, and no part of a server
- `seasons`: the loop that ends seasons in time
- `streams`: the records of clubs: read and folded, appended, and announced to every node
- `views`: clubs as a player may see them
"""
