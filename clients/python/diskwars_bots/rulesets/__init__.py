"""Bots of one ruleset each, one folder per ruleset."""
