"""Playing, watching and looking back in a terminal.

- `agreements`: orders in a terminal that concern the players and not the board: offers, leaving a seat, playing it
  here
- `chat`: the chat of a match in a terminal: what the others write, and the order `say`
- `console`: the console of a terminal, as the program that has one provides it
- `display`: everything that a player sees in a terminal: news, the table, questions, and for whom the match waits
- `orders`: orders about a question: the action of a line, the reason of a refusal, and questions that change nothing
- `presence`: presence of the other people of a match: they are connected or not; bots have none
- `replay`: a replay in a terminal: step through a match, jump to its marks, change the viewpoint
- `reports`: the order `report` in a terminal: a report to the operators of the server about another player
- `terminal`: watching and playing a match in a terminal: plain text with events, a map and a prompt
"""
