"""Players: accounts, devices, tokens and names, and which of them are connected.

- `accounts`: accounts as players use them: register, log in and out, devices, password, name, and who somebody is
- `api_tokens`: tokens for the HTTP interface, made by their players
- `attempts`: limits of attempts at passwords and codes: at a target from one address or from anywhere, and of an
  address
- `connected`: the connections of this process by player, for presence and for devices that are logged out
- `device_logins`: logins of programs without a browser (RFC 8628)
- `devices`: devices of accounts as clients name them, and their tokens and passwords: checks, and what is stored of
  them
- `followed`: players whom a player follows: a private list, with the presence of those who show it
- `guest_names`: names that guests call themselves, and what everybody sees of players with and without an account
- `handlers`: rows of the table of requests: the answer to one kind of request, and its admission
- `known_bots`: which players have the accounts of bots, for lists of matches
- `lesson_progress`: progress of players in the first match, on whichever device: what they add to it, and what they
  are answered
- `logouts`: logouts on other nodes: every node closes the connections that it has of a device that was logged out
  on one of them
- `lookups`: lookups of many players at once, each in one query with those that come while another query is under way
- `name_search`: search of an account by its name, as somebody typed it
- `names`: names of players: what one may look like, which ones look alike, and the name of a guest
- `own_data`: the data of an account for its player, as far as no other request shows them
- `passwords`: hashing of passwords by argon2id, in a few threads with a bounded queue
- `presence`: presence of players on all nodes: each node publishes its own, and forgets those of a
  silent one
- `pushed_messages`: messages to players on all their connections, whichever nodes they are connected to
- `recovery`: recovery of accounts whose password is lost: by a code that its player has kept, or by a link of an
  operator
- `shown_presence`: the one rule that decides which players see whether another one is connected
- `tokens`: tokens that prove who a guest is, signed with a key that only the server's store holds
- `users`: one connected user: the player, the device, the connection, and what their address may still cause
"""
