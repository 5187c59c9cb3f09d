"""Parts of the command that belong to one ruleset, one folder per ruleset."""
