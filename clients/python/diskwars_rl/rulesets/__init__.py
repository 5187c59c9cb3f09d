"""Arrays and deeds of each ruleset, one folder per ruleset."""
