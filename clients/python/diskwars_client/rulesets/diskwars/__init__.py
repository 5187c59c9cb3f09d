"""Orders and set-up questions of Diskwars at a terminal."""
