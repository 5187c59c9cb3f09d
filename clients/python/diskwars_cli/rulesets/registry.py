"""The registry of what the command has of its own for each ruleset; every entry is optional."""

from collections.abc import Callable, Sequence
from functools import partial

from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs.army_tools import ArmyTools
from diskwars_cli.plugs.figures import Figures, PlayedLesson
from diskwars_cli.plugs.match_setup import MatchSetup, check_ruleset
from diskwars_cli.plugs.pack_tools import CountedPacks, PackTools
from diskwars_cli.plugs.pictures import Pictures
from diskwars_cli.plugs.simulation import Simulation
from diskwars_cli.rulesets.diskwars.armies import DISKWARS_ARMIES
from diskwars_cli.rulesets.diskwars.lesson_boards import open_lessons
from diskwars_cli.rulesets.diskwars.match_setup import DiskwarsSetup
from diskwars_cli.rulesets.diskwars.options import DISKWARS_OPTIONS
from diskwars_cli.rulesets.diskwars.packs import DiskwarsPacks
from diskwars_cli.rulesets.diskwars.pictures import draw_position
from diskwars_cli.rulesets.diskwars.simulation import DiskwarsSimulation
from diskwars_cli.rulesets.diskwars.worked_figures import list_figures, open_figure
from diskwars_cli.rulesets.option_registry import find_options
from diskwars_cli.rulesets.small_lessons import SMALL_LESSONS, open_small_lessons
from diskwars_content.rulesets import close_quarters, pit, regiments
from diskwars_text.rulesets.close_quarters.notation import parse_position as parse_close_quarters
from diskwars_text.rulesets.close_quarters.picture import draw_board as draw_close_quarters
from diskwars_text.rulesets.close_quarters.scene import SCENES as CLOSE_QUARTERS_SCENES
from diskwars_text.rulesets.diskwars.parser import parse_position as parse_diskwars
from diskwars_text.rulesets.diskwars.picture import draw_board as draw_diskwars
from diskwars_text.rulesets.diskwars.scene import SCENES as DISKWARS_SCENES
from diskwars_text.rulesets.pit.notation import parse_position as parse_pit
from diskwars_text.rulesets.pit.picture import draw_board as draw_pit
from diskwars_text.rulesets.pit.scene import SCENES as PIT_SCENES
from diskwars_text.rulesets.regiments.notation import parse_position as parse_regiments
from diskwars_text.rulesets.regiments.picture import draw_board as draw_regiments
from diskwars_text.rulesets.regiments.scene import SCENES as REGIMENTS_SCENES

SETUPS: dict[str, MatchSetup] = {"diskwars": DiskwarsSetup("diskwars", DISKWARS_OPTIONS)}
"""By ruleset: what players bring, and the settings of a match. Without an entry: the defaults of both."""

SIMULATIONS: dict[str, Simulation] = {"diskwars": DiskwarsSimulation(SETUPS["diskwars"])}
"""By ruleset: which matches bots play, and what is counted in them. Without an entry: what every match has."""

ARMIES: dict[str, ArmyTools] = {"diskwars": DISKWARS_ARMIES}
"""By ruleset: how its armies are checked and shown. Without an entry, `army` says that it has none."""

PACKS: dict[str, PackTools] = {
    "diskwars": DiskwarsPacks("diskwars"),
    "pit": CountedPacks(
        "pit",
        pit.core_content,
        {"fighters": "profiles", "weapons": "weapons", "improvement cards": "deck", "scenarios": "scenarios"},
    ),
    "close_quarters": CountedPacks(
        "close_quarters",
        close_quarters.core_content,
        {
            "units": "profiles",
            "ranged weapons": "ranged_weapons",
            "melee weapons": "melee_weapons",
            "scenarios": "scenarios",
        },
    ),
    "regiments": CountedPacks(
        "regiments",
        regiments.core_content,
        {"units": "profiles", "weapons": "weapons", "scenarios": "scenarios"},
    ),
}
"""By ruleset: its packs. Without an entry: the names of those it is always played with."""

PICTURES: dict[str, Pictures] = {
    "diskwars": Pictures(draw_diskwars, DISKWARS_SCENES, parse_diskwars, draw_position),
    "pit": Pictures(draw_pit, PIT_SCENES, parse_pit),
    "close_quarters": Pictures(draw_close_quarters, CLOSE_QUARTERS_SCENES, parse_close_quarters),
    "regiments": Pictures(draw_regiments, REGIMENTS_SCENES, parse_regiments),
}
"""By ruleset: its pictures. Without an entry, `draw` says that there are none."""

FIGURES: dict[str, Figures] = {"diskwars": Figures(list_figures, open_figure)}
"""By ruleset: the figures of its rules that can be played. Without an entry it has none."""

LESSONS: dict[str, Callable[[], Sequence[PlayedLesson]]] = {
    "diskwars": open_lessons,
    **{name: partial(open_small_lessons, name) for name in SMALL_LESSONS},
}
"""By ruleset: the boards of a first match, in their order. Raises OSError where their files are missing."""


def find_setup(ruleset: str) -> MatchSetup:
    """Return how matches of a ruleset are opened. Raises CommandError with a suggestion."""
    check_ruleset(ruleset)
    return SETUPS.get(ruleset) or MatchSetup(ruleset, find_options(ruleset))


def find_simulation(ruleset: str) -> Simulation:
    """Return how a ruleset is simulated. Raises CommandError with a suggestion."""
    return SIMULATIONS.get(ruleset) or Simulation(find_setup(ruleset))


def find_armies(ruleset: str) -> ArmyTools:
    """Return how the armies of a ruleset are checked and shown. Raises CommandError if it has none."""
    check_ruleset(ruleset)
    if ruleset not in ARMIES:
        raise CommandError(f"{ruleset} has no armies to choose from")
    return ARMIES[ruleset]


def find_packs(ruleset: str) -> PackTools:
    """Return how the packs of a ruleset are listed and checked. Raises CommandError with a suggestion."""
    check_ruleset(ruleset)
    return PACKS.get(ruleset) or PackTools(ruleset)


def find_pictures(ruleset: str) -> Pictures:
    """Return how a ruleset is drawn. Raises CommandError if it has no pictures."""
    if ruleset not in PICTURES:
        raise CommandError(f"there are no pictures of {ruleset}")
    return PICTURES[ruleset]
