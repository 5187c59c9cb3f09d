"""The registry of the options that each ruleset adds to the command; every entry is optional.

It is apart from `registry`, because help and completion read it and need no rules.
"""

from diskwars_cli.plugs.ruleset_options import RulesetOptions
from diskwars_cli.rulesets.diskwars.options import DISKWARS_OPTIONS

OPTIONS: dict[str, RulesetOptions] = {"diskwars": DISKWARS_OPTIONS}
"""By ruleset: its options. Without an entry: none of its own, and `--option` sets every field of its settings."""


def find_options(ruleset: str) -> RulesetOptions:
    """Return what a ruleset adds to the command line."""
    return OPTIONS.get(ruleset) or RulesetOptions()
