"""The server: sockets, storage, clocks. No rules of any game."""
