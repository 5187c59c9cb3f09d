"""Content of the rulesets: packs of TOML files, and the register of the rules."""
