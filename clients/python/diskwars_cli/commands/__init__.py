"""The command line: every verb with its options and help texts.

- `commands`: the command line: every verb with its options and help texts
- `schema`: the `schema` verb: prints the protocol for other programs
"""
