"""What the client knows of each ruleset, one folder per ruleset."""
