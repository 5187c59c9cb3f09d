"""Scenarios of regiments: which units begin where, and who leads them (C-0)."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from diskwars_protocol.match import Pack, Seat
from diskwars_protocol.rulesets.regiments.actions import RegimentsSettings
from diskwars_protocol.rulesets.regiments.events import Facing, RegimentsMatchStarted, Side, StartingUnit
from diskwars_protocol.rulesets.regiments.stats import UnitProfile, Weapon

WIDTH, HEIGHT = 10, 8
ROUNDS = 15
COLUMNS = (1, 8)
FACINGS: tuple[Facing, Facing] = ("east", "west")


class UnitEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A unit of a scenario: its profile by id, how its models stand, and its row on the west side.

    `leader` is who leads it where two players share a side: the first of them or the second.
    """

    profile: str
    models: Annotated[int, Meta(ge=1, le=40)]
    files: Annotated[int, Meta(ge=1, le=10)]
    row: Annotated[int, Meta(ge=0, le=7)]
    leader: Annotated[int, Meta(ge=0, le=1)] = 0


class RegimentsScenario(Struct, frozen=True):
    """`armies` are the units of the two sides; with one entry, both sides have the same."""

    id: str
    armies: Annotated[tuple[tuple[UnitEntry, ...], ...], Meta(min_length=1, max_length=2)]


class RegimentsContent(Struct, frozen=True):
    """The content pack of regiments."""

    pack: Pack
    profiles: tuple[UnitProfile, ...]
    weapons: tuple[Weapon, ...]
    scenarios: Mapping[str, RegimentsScenario]


def sides_of(seats: int) -> tuple[Side, ...]:
    """Return the side of each seat: they alternate, so that two of four share one (C-0)."""
    return tuple(seat % 2 for seat in range(seats))


def starting_event(content: RegimentsContent, settings: RegimentsSettings, seats: int) -> RegimentsMatchStarted:
    """Return the event that puts every unit in its place."""
    armies = content.scenarios[settings.scenario].armies
    numbers = {profile.id: number for number, profile in enumerate(content.profiles)}
    sides = sides_of(seats)
    units = tuple(
        _place(entry, numbers[entry.profile], side, sides) for side in range(2) for entry in armies[side % len(armies)]
    )
    return RegimentsMatchStarted(settings, WIDTH, HEIGHT, ROUNDS, content.profiles, content.weapons, units, sides)


def starting_row(row: int, side: Side) -> int:
    """Return the row of a unit on the field for that of the west side, or the other way round: the east is mirrored."""
    return row if side == 0 else HEIGHT - 1 - row


def _place(entry: UnitEntry, profile: int, side: Side, sides: Sequence[Side]) -> StartingUnit:
    leaders: list[Seat] = [seat for seat, own in enumerate(sides) if own == side]
    row = starting_row(entry.row, side)
    seat = leaders[entry.leader % len(leaders)]
    return StartingUnit(seat, profile, COLUMNS[side], row, FACINGS[side], entry.files, entry.models)
