"""Orders and setup questions of Diskwars at a terminal."""
