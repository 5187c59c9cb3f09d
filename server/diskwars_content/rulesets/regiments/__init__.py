"""The content pack of regiments: units, weapons and scenarios, as TOML.

Every figure has a basis: `stated` by the source text, `found` in another source, or a `house` figure, which is our own.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from diskwars_content.pack_tables import by_id, make_pack, read_entries, task_faults, unknown_ids
from diskwars_engine.rulesets.regiments.scenario import SIDE_COUNT, RegimentsContent, on_side
from diskwars_protocol.rulesets.regiments.stats import RegimentsScenario, UnitProfile, Weapon

CORE_FOLDER = Path(__file__).parent / "core"


@cache
def core_content() -> RegimentsContent:
    """Load the pack that comes with the server."""
    return load_content(CORE_FOLDER)


def load_content(folder: Path) -> RegimentsContent:
    """Load a pack. Raises PackError with every fault."""
    weapons = read_entries(folder, "weapon", Weapon, "weapons.toml")
    profiles = read_entries(folder, "unit", UnitProfile, "units.toml")
    scenarios = read_entries(folder, "scenario", RegimentsScenario, "scenarios.toml")
    figures = {"profiles": profiles, "weapons": weapons, "scenarios": scenarios}
    pack = make_pack(folder, figures, [*_weapon_faults(profiles, weapons), *_army_faults(scenarios, profiles)])
    return RegimentsContent(pack, profiles, weapons, by_id(scenarios))


def _weapon_faults(profiles: Sequence[UnitProfile], weapons: Sequence[Weapon]) -> Iterator[str]:
    for profile in profiles:
        yield from unknown_ids(f'units.toml: "{profile.id}"', "weapon", [profile.weapon], weapons)


def _army_faults(scenarios: Sequence[RegimentsScenario], profiles: Sequence[UnitProfile]) -> Iterator[str]:
    """Find units that do not exist, and two that begin in one cell."""
    for scenario in scenarios:
        units = [unit.profile for army in scenario.armies for unit in army]
        yield from unknown_ids(f'scenarios.toml: "{scenario.id}"', "unit", units, profiles)
        yield from _place_faults(scenario)


def _place_faults(scenario: RegimentsScenario) -> Iterator[str]:
    """Yield what is wrong with where the units of a scenario stand, and with its task."""
    place = f'scenarios.toml: "{scenario.id}"'
    armies = [scenario.armies[side % len(scenario.armies)] for side in range(SIDE_COUNT)]
    cells = [
        (on_side(scenario.width, unit.column, side), on_side(scenario.height, unit.row, side))
        for side, army in enumerate(armies)
        for unit in army
    ]
    if len(set(cells)) < len(cells):
        yield f'scenarios.toml: two units of "{scenario.id}" begin in one cell'
    for x, y in cells:
        if not (0 <= x < scenario.width and 0 <= y < scenario.height):
            yield f"{place} has a unit off the field, at {x}, {y}"
        if any(obstacle.contains(x, y) for obstacle in scenario.obstacles):
            yield f"{place} has a unit on an obstacle, at {x}, {y}"
    if scenario.task is not None:
        yield from task_faults(place, scenario.task, [len(army) for army in armies])
