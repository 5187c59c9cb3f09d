"""The `account`, `challenge`, `club` and `tournament` verbs.

- `account`: the `account` verb: an account on a server, its devices, and the token that this machine keeps of it
- `account_commands`: the acts of the `account` verb with their options and help texts
- `challenge_commands`: the acts of the `challenge` verb with their options and help texts
- `challenges`: the `challenge` verb: ask another player for a match, and answer those who ask
- `club_commands`: the acts of the `club` verb with their options and help texts
- `clubs`: the `club` verb: clubs of a server as tables, and what one does in them
- `device_login`: login by a code that is confirmed on the page of the server (RFC 8628)
- `notices`: the `account notices` verbs: the channels of an account, and what is sent by them
- `tournament_commands`: the acts of the `tournament` verb with their options and help texts
- `tournaments`: the `tournament` verb: tournaments as tables, CSV or JSON, and what one does in them
"""
