"""The client's part of each ruleset, one folder per ruleset."""
