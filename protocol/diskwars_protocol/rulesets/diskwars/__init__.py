"""The vocabulary of Diskwars: figures, actions, events, and the board with its fold. No rules."""
