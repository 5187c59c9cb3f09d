"""Playing, watching and looking back in a terminal.

- `agreements`: orders in a terminal that concern the players and not the board: offers, leaving a seat, playing it
  here
- `chat`: the chat of a match in a terminal: what the others write, and the order `say`
- `presence`: whether the other people of a match are connected; bots have no presence
- `replay`: a replay in a terminal: step through a match, jump to its marks, change the viewpoint
- `reports`: the order `report` in a terminal: a report to the operators of the server about another player
- `terminal`: watching and playing a match in a terminal: plain text with events, a map and a prompt
"""
