"""Scenarios of regiments: which units begin where, and who leads them (C-0)."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.regiments.actions import RegimentsSettings
from diskwars_protocol.rulesets.regiments.events import Facing, RegimentsMatchStarted, Side, StartingUnit
from diskwars_protocol.rulesets.regiments.stats import RegimentsScenario, ScenarioUnit, UnitProfile, Weapon

WIDTH, HEIGHT = 10, 8
ROUNDS = 15
SIDE_COUNT = 2
COLUMNS = (1, 8)
FACINGS: tuple[Facing, Facing] = ("east", "west")


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
    armies = content.scenarios[settings.scenario].armies
    numbers = {profile.id: number for number, profile in enumerate(content.profiles)}
    sides = sides_of(seats)
    units = tuple(
        _place(unit, numbers[unit.profile], side, sides[side])
        for side in range(SIDE_COUNT)
        for unit in armies[side % len(armies)]
    )
    return RegimentsMatchStarted(settings, WIDTH, HEIGHT, ROUNDS, content.profiles, content.weapons, units, sides)


def starting_row(row: int, side: Side) -> int:
    """Return the row of a unit on the field for that of the west side, or the other way round: the east is mirrored."""
    return row if side == 0 else HEIGHT - 1 - row


def _place(unit: ScenarioUnit, profile: int, side: Side, leaders: Sequence[Seat]) -> StartingUnit:
    row = starting_row(unit.row, side)
    seat = leaders[unit.leader % len(leaders)]
    return StartingUnit(seat, profile, COLUMNS[side], row, FACINGS[side], unit.files, unit.models)
