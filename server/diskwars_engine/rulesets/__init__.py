"""The rules of each ruleset, one folder per ruleset."""
