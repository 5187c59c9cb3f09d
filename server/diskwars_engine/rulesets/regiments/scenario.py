"""Scenarios of regiments: which units begin where, who leads them (C-0), on which ground, and with which task."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.regiments.actions import RegimentsSettings
from diskwars_protocol.rulesets.regiments.events import Facing, RegimentsMatchStarted, Side, StartingUnit
from diskwars_protocol.rulesets.regiments.stats import RegimentsScenario, ScenarioUnit, UnitProfile, Weapon

SIDE_COUNT = 2
FACINGS: tuple[Facing, Facing] = ("east", "west")
OPPOSITE: dict[Facing, Facing] = {"east": "west", "west": "east", "north": "south", "south": "north"}


class RegimentsContent(Struct, frozen=True):
    """The content pack of regiments."""

    pack: Pack
    profiles: tuple[UnitProfile, ...]
    weapons: tuple[Weapon, ...]
    scenarios: Mapping[str, RegimentsScenario]


def sides_of(seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats of each side: they alternate, so that two of four share one (C-0)."""
    return tuple(tuple(range(side, seats, SIDE_COUNT)) for side in range(SIDE_COUNT))


def starting_event(content: RegimentsContent, settings: RegimentsSettings, seats: int) -> RegimentsMatchStarted:
    """Return the event that puts every unit in its place."""
    scenario = content.scenarios[settings.scenario]
    numbers = {profile.id: number for number, profile in enumerate(content.profiles)}
    sides = sides_of(seats)
    units = tuple(
        _place(scenario, unit, numbers[unit.profile], side, sides[side])
        for side in range(SIDE_COUNT)
        for unit in scenario.armies[side % len(scenario.armies)]
    )
    return RegimentsMatchStarted(
        settings,
        scenario.width,
        scenario.height,
        scenario.rounds,
        content.profiles,
        content.weapons,
        units,
        sides,
        scenario.obstacles,
        scenario.task,
    )


def on_side(length: int, place: int, side: Side) -> int:
    """Return a row or column on the field for that of the west side, or the other way round: the east is mirrored."""
    return place if side == 0 else length - 1 - place


def facing_on_side(facing: Facing | None, side: Side) -> Facing:
    """Return where a unit faces: towards the enemy's edge, or as its scenario says, mirrored for the east side."""
    if facing is None:
        return FACINGS[side]
    return facing if side == 0 else OPPOSITE[facing]


def _place(
    scenario: RegimentsScenario, unit: ScenarioUnit, profile: int, side: Side, leaders: Sequence[Seat]
) -> StartingUnit:
    x, y = on_side(scenario.width, unit.column, side), on_side(scenario.height, unit.row, side)
    seat = leaders[unit.leader % len(leaders)]
    return StartingUnit(seat, profile, x, y, facing_on_side(unit.facing, side), unit.files, unit.models)
