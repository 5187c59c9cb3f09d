"""The vocabulary of each ruleset, one folder per ruleset."""
