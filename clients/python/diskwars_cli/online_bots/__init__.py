"""The `bot` verb: a bot that stays online with an account of its own, and plays by rules of its owner.

- `accept_rules`: which challenges and free seats a bot accepts
- `bot_account`: the account of a bot on one server, kept apart from those of its owner
- `bot_commands`: the acts of the `bot` verb with their options and help texts
- `bot_service`: the loop that keeps a bot online, over restarts of either side
- `bot_template`: the `bot new` act: a repository of a bot in a package, with its entry point, a test and a page
- `thinking_limit`: a limit on the part of one processor core that a bot thinks
"""
