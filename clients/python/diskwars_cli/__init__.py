"""The `diskwars` command.

- `__main__`: the `diskwars` command: runs a verb, and reports failures with one sentence and an exit code
- `account`: the `account` verb
- `admin`: the `admin` verb: what operators do about players, chat, matches and reports
- `commands`: the command line: every verb with its options and help texts
- `completion`: shell completion: install or print the script of a shell, and complete bots, armies and house rules
- `console`: input, output, errors and stop signals of all verbs
- `content`: verbs about cards, armies and rules
- `look_back`: matches that are stored, here or on a server: list, replay, draw, export, import, verify, compare
- `online_bots`: the `bot` verb: a bot that stays online with an account of its own
- `options`: options that several verbs share, and what they mean
- `own_server`: the server as the command runs it: `serve`, its processes, its page, and backups
- `play`: playing and watching: `play`, `watch`, `demo`, `invites`
- `plugs`: what rulesets give to the verbs, and what the verbs of simulation share with it
- `rulesets`: parts of the command that belong to one ruleset, one folder per ruleset
- `simulate`: many matches in memory: `simulate` and `league`
"""
