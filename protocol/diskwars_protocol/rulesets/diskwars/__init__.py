"""The words of Diskwars: figures, actions, events and the board with its fold. Must not know any rule."""
