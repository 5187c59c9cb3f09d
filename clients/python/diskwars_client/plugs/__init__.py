"""Parts of a ruleset for the terminal and for verification: the classes that its folder fills in.

- `board_terminal`: a terminal for rulesets with a map and orders by name: a ruleset gives its texts and its orders
  as tables
- `file_checks`: what verification of match files needs of one ruleset: its rules, and checks of its own events
- `record_difference`: sentences on what differs between a recorded body and the one that the rules decide
- `terminal_ruleset`: what a terminal shows and understands of one ruleset
"""
