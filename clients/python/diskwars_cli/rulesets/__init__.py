"""What the command knows of each ruleset, one folder per ruleset."""
