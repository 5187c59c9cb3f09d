"""Options that one ruleset adds to the verbs of the command.

Help and shell completion read them, so a module that makes them imports click and the vocabulary only.
"""

from collections.abc import Callable, Iterable, Mapping

import click
from click.shell_completion import CompletionItem
from msgspec import Struct, field

from diskwars_protocol.match.match_options import DEFAULT_RULESET
from diskwars_protocol.match.ruleset_settings import RulesetSetting, ruleset_settings

RULESET_KEY = "diskwars_cli.ruleset"
"""The key in the context of click under which a verb that is parsed notes its ruleset."""


def chosen_ruleset(ctx: click.Context) -> str:
    """Return the ruleset that the command line names, or the default one."""
    return str(ctx.meta.get(RULESET_KEY, DEFAULT_RULESET))


def _no_armies() -> Iterable[str]:
    return ()


class RulesetOptions(Struct, frozen=True):
    """Options that a ruleset adds to the command line, by verb, each with the default None.

    `derived_settings` are settings of the ruleset that these options or the armies decide, so `--option` does not.
    `army_names` returns the names that completion offers for an army.
    """

    by_verb: Mapping[str, tuple[click.Option, ...]] = field(default_factory=dict)
    derived_settings: tuple[str, ...] = ()
    army_names: Callable[[], Iterable[str]] = _no_armies

    def free_settings(self, settings: type[Struct]) -> list[RulesetSetting]:
        """Return the settings that `--option` names: those that no other option decides."""
        return [option for option in ruleset_settings(settings) if option.id not in self.derived_settings]


def complete_names(incomplete: str, names: Iterable[str]) -> list[CompletionItem]:
    """Complete the last name of a comma-separated list."""
    before, comma, last = incomplete.rpartition(",")
    return [CompletionItem(f"{before}{comma}{name}") for name in names if name.lower().startswith(last.lower())]


def complete_names_or_files(incomplete: str, names: Iterable[str]) -> list[CompletionItem]:
    """Complete names; offer files if none matches, because a file may be named instead."""
    return complete_names(incomplete, names) or [CompletionItem(incomplete, type="file")]
