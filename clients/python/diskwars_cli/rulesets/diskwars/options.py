"""Options of Diskwars on the command line: setup, armies and packs."""

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

from diskwars_cli.plugs.ruleset_options import RulesetOptions, complete_names_or_files


def _army_names() -> Iterable[str]:
    """Return the names of the starter armies."""
    from diskwars_content.rulesets.diskwars import core_pack

    return (army.name for army in core_pack().armies.values())


def _complete_armies(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return complete_names_or_files(incomplete, _army_names())


def _army_option(flag: str, metavar: str, text: str) -> click.Option:
    return click.Option([flag], metavar=metavar, help=text, shell_complete=_complete_armies)


_SETUP = click.Option(
    ["--setup"],
    type=click.Choice(["quick", "full"]),
    help="quick leaves out scenarios, deployment cards and terrain (default: full)",
)
_BOT_MATCH_OPTIONS = (
    _SETUP,
    _army_option("--armies", "A,B", "Army of each seat: starter army, by name or its beginning, or file"),
    click.Option(
        ["--regiments"],
        type=click.IntRange(1, 3),
        metavar="N",
        help="Regiments per army, when no army is named (default: 2)",
    ),
)
_PAIRINGS = click.Option(
    ["--pairings"], is_flag=True, default=None, help="Play every pair of starter armies in turn, on either seat"
)
_ARMY = _army_option("--army", "NAME", "Your army: starter army, by name or its beginning, or file (default: reikland)")
_BOT_ARMY = _army_option(
    "--bot-army", "NAME", "Army of each bot (default: everchosen, or another with as many regiments as yours)"
)
_ALL_FIGURES = click.Option(
    ["--all", "all_figures"], is_flag=True, default=None, help="new: list every house figure, commented out"
)
_CHECKED_REGIMENTS = click.Option(
    ["--regiments"], type=click.IntRange(1, 3), metavar="N", help="check: number of regiments each army must have"
)
_ONE_LINE = click.Option(["--line", "in_one_line"], is_flag=True, default=None, help="show: in one line")

DISKWARS_OPTIONS = RulesetOptions(
    by_verb={
        "demo": _BOT_MATCH_OPTIONS,
        "play": (_SETUP, _ARMY, _BOT_ARMY),
        "simulate": (*_BOT_MATCH_OPTIONS, _PAIRINGS),
        "league": (*_BOT_MATCH_OPTIONS, _PAIRINGS),
        "packs": (_ALL_FIGURES,),
        "army": (_CHECKED_REGIMENTS, _ONE_LINE),
    },
    derived_settings=("setup", "regiments"),
    army_names=_army_names,
)
"""The number of regiments follows from the armies; the setup has an option of its own."""
