"""The command line: every verb with its options and help texts, a module for each section of the help.

- `command_line`: the command `diskwars`: its verbs in the sections of the help
- `look_back`: verbs of the section `Look back`: matches that are stored, on this machine or on a server
- `look_inside`: verbs of the section `Look inside`: bots, packs, rules, armies and the protocol
- `play`: verbs of the section `Play`: matches and the accounts of players
- `run_a_server`: verbs of the section `Run a server`: what is stored, and the acts of operators
- `schema`: the `schema` verb: prints the protocol for other programs
- `shared_options`: options that verbs of several sections share
"""
