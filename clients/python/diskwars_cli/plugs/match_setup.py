"""Setup of the matches that the command opens, for one ruleset.

The base class suits every ruleset whose loadouts and settings have defaults; one with armies to choose extends it.
"""

import shlex
from functools import cache
from typing import Any

from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs.match_options import MatchFlags
from diskwars_cli.plugs.ruleset_options import RulesetOptions
from diskwars_cli.plugs.setting_texts import parse_settings
from diskwars_content.packs import PackError
from diskwars_content.rulesets.registry import PACK_SETS, RULESETS
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.suggestions import suggest


def check_ruleset(name: str) -> None:
    """Raise CommandError with a suggestion if there is no such ruleset."""
    if name not in RULESETS:
        raise CommandError(f"--ruleset: there is no ruleset {name!r}{suggest(name, RULESETS)}")


@cache
def load_ruleset(name: str, packs: tuple[str, ...]) -> AnyRuleset:
    """Load a ruleset with these packs besides its own. Raises CommandError with every fault of a pack."""
    check_ruleset(name)
    try:
        return RULESETS[name](packs)
    except PackError as fault:
        raise CommandError(str(fault)) from None


def load_ruleset_to_play(name: str, packs: tuple[str, ...]) -> AnyRuleset:
    """Load the ruleset of new matches. Raises CommandError for packs, too, where it is played with its own only."""
    check_ruleset(name)
    if packs and name not in PACK_SETS:
        able = ", ".join(PACK_SETS)
        raise CommandError(f"--pack: {name} is played with its own content only; packs are for {able}")
    return load_ruleset(name, packs)


class MatchSetup:
    """Matches in which every seat brings the same default, with the settings that `--option` names.

    `join_options` are those that a second player may want to add to the command that joins the match.
    """

    join_options = ""

    def __init__(self, ruleset: str, options: RulesetOptions) -> None:
        self.ruleset, self._options = ruleset, options

    def loadouts(self, options: MatchFlags, settings: Any = None) -> tuple[Any, tuple[Any, ...]]:
        """Return what a player brings, and what the bots do, one after another and then from the first again.

        `settings` are those of a match that is there; None for one that is opened. Raises CommandError.
        """
        new_loadout = load_ruleset_to_play(self.ruleset, options.data.packs).vocabulary.loadout
        return new_loadout(), (new_loadout(),)

    def settings(self, options: MatchFlags, loadout: Any) -> Any:
        """Return the settings of a match that a player with this loadout opens. Raises CommandError."""
        kind = load_ruleset_to_play(self.ruleset, options.data.packs).vocabulary.settings
        return kind(**parse_settings(self._options.free_settings(kind), options.house_rules))

    def repeated_options(self, verb: str, options: MatchFlags) -> list[str]:
        """Return the options of the ruleset that were given to a verb, the way they are typed."""
        flags = {str(option.name): option for option in self._options.by_verb.get(verb, ())}
        return [
            flags[name].opts[0] if flags[name].is_flag else f"{flags[name].opts[0]} {shlex.quote(str(value))}"
            for name, value in options.ruleset_values.items()
        ]
