"""Scenarios of close quarters: which units start where."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.close_quarters.actions import CloseQuartersSettings
from diskwars_protocol.rulesets.close_quarters.events import CloseQuartersMatchStarted, StartingModel, StartingUnit
from diskwars_protocol.rulesets.close_quarters.stats import (
    CloseQuartersScenario,
    MeleeWeapon,
    RangedWeapon,
    Squad,
    UnitProfile,
)

SIDE_COUNT = 2


class CloseQuartersContent(Struct, frozen=True):
    """The content pack of close quarters."""

    pack: Pack
    profiles: tuple[UnitProfile, ...]
    ranged_weapons: tuple[RangedWeapon, ...]
    melee_weapons: tuple[MeleeWeapon, ...]
    scenarios: Mapping[str, CloseQuartersScenario]


def starting_event(
    content: CloseQuartersContent, settings: CloseQuartersSettings, seats: int
) -> CloseQuartersMatchStarted:
    """Return the event that puts every model in its place (B-0)."""
    scenario = content.scenarios[settings.scenario]
    numbers = {profile.id: number for number, profile in enumerate(content.profiles)}
    sides = tuple(tuple(range(side, seats, SIDE_COUNT)) for side in range(SIDE_COUNT))
    units, models = list[StartingUnit](), list[StartingModel]()
    for side in range(SIDE_COUNT):
        is_turned = bool(side) and not scenario.opposing
        for place, squad in enumerate(scenario.opposing or scenario.squads if side else scenario.squads):
            seat: Seat = sides[side][place % len(sides[side])]
            models += _models(scenario, squad, is_turned, len(units))
            units.append(StartingUnit(side, seat, numbers[squad.profile]))
    return CloseQuartersMatchStarted(
        settings,
        scenario.width,
        scenario.height,
        scenario.turns,
        content.profiles,
        content.ranged_weapons,
        content.melee_weapons,
        sides,
        tuple(units),
        tuple(models),
        scenario.barricade if settings.barricade else None,
        scenario.high_ground if settings.high_ground else (),
        scenario.task,
        scenario.slow_start,
    )


def _models(scenario: CloseQuartersScenario, squad: Squad, is_turned: bool, unit: int) -> Iterator[StartingModel]:
    """Yield the models of a unit, its leader first; those of a side that stands like the other one are turned."""
    for number, (dx, dy) in enumerate(((0, 0), *squad.formation)):
        x, y = squad.x + dx, squad.y + dy
        if is_turned:
            x, y = scenario.width - x, scenario.height - y
        yield StartingModel(unit, x, y, is_leader=number == 0)
