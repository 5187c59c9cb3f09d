"""Content of the rulesets: packs of TOML files, the register of the rules, puzzles."""
