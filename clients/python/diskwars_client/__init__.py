"""The guest: plays, watches and checks matches from Python."""
