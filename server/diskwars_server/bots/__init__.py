"""Bots of the server: their seats, their secrets, and the players that answer for them.

- `bot_players`: the players of the server's bots: they answer the decisions of their seats, as any player does
- `seats`: seats for bots of the server: checks of the requests for them, and the limits
- `secrets`: secrets of the seats that bots of this server hold, derived from the server's key: nothing is stored
"""
