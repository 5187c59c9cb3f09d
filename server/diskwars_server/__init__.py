"""The house in which matches are played: sockets, storage, clocks. Knows no rule of any game."""
