"""Memory of this machine between two runs: seats and accounts, by server.

- `account_memory`: memory of the accounts that this user is logged in with: one private file per server, in the
  user's data folder
- `account_seats`: seats of an account in matches that have not ended, as its server lists them, where nothing is
  kept of them here
- `seat_keeper`: the seat of one run of `play`, kept in the memory of seats while it is played
- `seat_memory`: memory of the seats in which this user plays: one private file per seat, in the user's data folder
- `server_places`: the server that a remembered seat or account belongs to, so that its token is given to no other
"""
