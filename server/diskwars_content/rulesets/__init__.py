"""Content of each ruleset, and the registry of the rulesets that can be played here."""
