"""The content pack of close quarters: units, weapons and scenarios, as TOML.

Every figure has a basis: `stated` by the source text, `found` in another source, or a `house` figure, which is our own.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from diskwars_content.pack_tables import by_id, make_pack, read_entries, task_faults, unknown_ids
from diskwars_engine.rulesets.close_quarters.scenario import CloseQuartersContent
from diskwars_protocol.rulesets.close_quarters import barricade
from diskwars_protocol.rulesets.close_quarters.position import OVERLAP_SQUARED
from diskwars_protocol.rulesets.close_quarters.stats import (
    CloseQuartersScenario,
    MeleeWeapon,
    RangedWeapon,
    Squad,
    UnitProfile,
)

CORE_FOLDER = Path(__file__).parent / "core"


@cache
def core_content() -> CloseQuartersContent:
    """Load the pack that comes with the server."""
    return load_content(CORE_FOLDER)


def load_content(folder: Path) -> CloseQuartersContent:
    """Load a pack. Raises PackError with every fault."""
    ranged = read_entries(folder, "ranged_weapon", RangedWeapon, "weapons.toml")
    melee = read_entries(folder, "melee_weapon", MeleeWeapon, "weapons.toml")
    profiles = read_entries(folder, "unit", UnitProfile, "units.toml")
    scenarios = read_entries(folder, "scenario", CloseQuartersScenario, "scenarios.toml")
    figures = {"profiles": profiles, "ranged_weapons": ranged, "melee_weapons": melee, "scenarios": scenarios}
    pack = make_pack(folder, figures, [*_weapon_faults(profiles, ranged, melee), *_squad_faults(scenarios, profiles)])
    return CloseQuartersContent(pack, profiles, ranged, melee, by_id(scenarios))


def _weapon_faults(
    profiles: Sequence[UnitProfile], ranged: Sequence[RangedWeapon], melee: Sequence[MeleeWeapon]
) -> Iterator[str]:
    for profile in profiles:
        place = f'units.toml: "{profile.id}"'
        fired = [] if profile.ranged_weapon is None else [profile.ranged_weapon]
        yield from unknown_ids(place, "melee weapon", (*profile.weapons, *profile.leader_weapons), melee)
        yield from unknown_ids(place, "ranged weapon", fired, ranged)


def _squad_faults(scenarios: Sequence[CloseQuartersScenario], profiles: Sequence[UnitProfile]) -> Iterator[str]:
    for scenario in scenarios:
        units = [squad.profile for squad in (*scenario.squads, *scenario.opposing)]
        yield from unknown_ids(f'scenarios.toml: "{scenario.id}"', "unit", units, profiles)
        points, opposing = _points(scenario.squads), _points(scenario.opposing)
        opposing = opposing or [(scenario.width - x, scenario.height - y) for x, y in points]
        if scenario.task is not None:
            yield from task_faults(f'scenarios.toml: "{scenario.id}"', scenario.task, [len(points), len(opposing)])
        points += opposing
        yield from _barricade_faults(scenario, points)
        for place, (x, y) in enumerate(points):
            if not (0 <= x <= scenario.width and 0 <= y <= scenario.height):
                yield f'scenarios.toml: "{scenario.id}" has a model off the table, at {x}, {y}'
            if any((x - other[0]) ** 2 + (y - other[1]) ** 2 < OVERLAP_SQUARED for other in points[:place]):
                yield f'scenarios.toml: "{scenario.id}" has two models whose bases overlap, at {x}, {y}'


def _points(squads: Sequence[Squad]) -> list[tuple[int, int]]:
    """List where the models of some squads stand."""
    return [(squad.x + dx, squad.y + dy) for squad in squads for dx, dy in ((0, 0), *squad.formation)]


def _barricade_faults(scenario: CloseQuartersScenario, points: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield why a barricade is not fair to both sides, or is in the way of a model."""
    line = scenario.barricade
    if line is None:
        return
    ends = {(line.x0, line.y0), (line.x1, line.y1)}
    if len(ends) < 2 or ends != {(scenario.width - x, scenario.height - y) for x, y in ends}:
        yield f'scenarios.toml: "{scenario.id}" has a barricade that is another one when the table is turned by 180°'
        return
    for x, y in points:
        if barricade.lies_on(line, (x, y)):
            yield f'scenarios.toml: "{scenario.id}" has a model on its barricade, at {x}, {y}'
