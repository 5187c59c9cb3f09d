"""The content pack of close quarters: units, weapons and scenarios, as TOML.

Every figure has a basis: `stated` by the source text, `found` in another source, or a `house` figure, which is our own.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from diskwars_content.pack_tables import PackFile, read_entries, read_toml
from diskwars_content.packs import PackError
from diskwars_engine.rulesets.close_quarters.scenario import CloseQuartersContent
from diskwars_protocol.figures import figures_hash
from diskwars_protocol.match import Pack
from diskwars_protocol.rulesets.close_quarters.position import OVERLAP_SQUARED
from diskwars_protocol.rulesets.close_quarters.stats import (
    CloseQuartersScenario,
    MeleeWeapon,
    RangedWeapon,
    UnitProfile,
)

CORE_FOLDER = Path(__file__).parent / "core"


@cache
def core_content() -> CloseQuartersContent:
    """Load the pack that comes with the server."""
    return load_content(CORE_FOLDER)


def load_content(folder: Path) -> CloseQuartersContent:
    """Load a pack. Raises PackError with every fault."""
    header = read_toml(folder / "pack.toml", PackFile)
    ranged = read_entries(folder, "ranged_weapon", RangedWeapon, "weapons.toml")
    melee = read_entries(folder, "melee_weapon", MeleeWeapon, "weapons.toml")
    profiles = read_entries(folder, "unit", UnitProfile, "units.toml")
    scenarios = read_entries(folder, "scenario", CloseQuartersScenario, "scenarios.toml")
    faults = [*_weapon_faults(profiles, ranged, melee), *_squad_faults(scenarios, profiles)]
    if faults:
        raise PackError(folder, tuple(faults))
    figures = {"profiles": profiles, "ranged_weapons": ranged, "melee_weapons": melee, "scenarios": scenarios}
    return CloseQuartersContent(
        Pack(header.id, header.version, figures_hash(figures)),
        profiles,
        ranged,
        melee,
        {scenario.id: scenario for scenario in scenarios},
    )


def _weapon_faults(
    profiles: Sequence[UnitProfile], ranged: Sequence[RangedWeapon], melee: Sequence[MeleeWeapon]
) -> Iterator[str]:
    known, fired = {weapon.id for weapon in melee}, {weapon.id for weapon in ranged}
    for profile in profiles:
        carried = (*profile.weapons, *profile.leader_weapons)
        for id in dict.fromkeys(carried):
            if id not in known:
                yield f'units.toml: "{profile.id}" has an unknown melee weapon "{id}"'
        if profile.ranged_weapon is not None and profile.ranged_weapon not in fired:
            yield f'units.toml: "{profile.id}" has an unknown ranged weapon "{profile.ranged_weapon}"'


def _squad_faults(scenarios: Sequence[CloseQuartersScenario], profiles: Sequence[UnitProfile]) -> Iterator[str]:
    known = {profile.id for profile in profiles}
    for scenario in scenarios:
        points = []
        for squad in scenario.squads:
            if squad.profile not in known:
                yield f'scenarios.toml: "{scenario.id}" has an unknown unit "{squad.profile}"'
            points += [(squad.x + dx, squad.y + dy) for dx, dy in ((0, 0), *squad.formation)]
        points += [(scenario.width - x, scenario.height - y) for x, y in points]
        for place, (x, y) in enumerate(points):
            if not (0 <= x <= scenario.width and 0 <= y <= scenario.height):
                yield f'scenarios.toml: "{scenario.id}" has a model off the table, at {x}, {y}'
            if any((x - other[0]) ** 2 + (y - other[1]) ** 2 < OVERLAP_SQUARED for other in points[:place]):
                yield f'scenarios.toml: "{scenario.id}" has two models whose bases overlap, at {x}, {y}'
