"""The `account` verb.

- `account`: the `account` verb: an account on a server, its devices, and the token that this machine keeps of it
- `account_commands`: the acts of the `account` verb with their options and help texts
- `notices`: the `account notices` verbs: the channels of an account, and what is sent by them
"""
