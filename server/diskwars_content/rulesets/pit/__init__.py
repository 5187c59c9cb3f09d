"""The content pack of the pit: fighters, weapons, the improvement deck and scenarios, as TOML.

Every figure has a basis: `stated` by the source text, `found` in another source, or a `house` figure, which is our own.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from diskwars_content.pack_tables import by_id, make_pack, read_entries, task_faults, unknown_ids
from diskwars_engine.rulesets.pit.scenario import FACING_ROWS, RING_CELLS, PitContent
from diskwars_protocol.rulesets.pit.stats import FighterProfile, ImprovementCard, PitScenario, Weapon

CORE_FOLDER = Path(__file__).parent / "core"
HAND_SLOTS = 2


@cache
def core_content() -> PitContent:
    """Load the pack that comes with the server."""
    return load_content(CORE_FOLDER)


def load_content(folder: Path) -> PitContent:
    """Load a pack. Raises PackError with every fault."""
    weapons = read_entries(folder, "weapon", Weapon, "weapons.toml")
    profiles = read_entries(folder, "fighter", FighterProfile, "fighters.toml")
    deck = read_entries(folder, "card", ImprovementCard, "deck.toml")
    scenarios = read_entries(folder, "scenario", PitScenario, "scenarios.toml")
    figures = {"profiles": profiles, "weapons": weapons, "deck": deck, "scenarios": scenarios}
    pack = make_pack(folder, figures, [*_weapon_faults(profiles, weapons), *_band_faults(scenarios, profiles)])
    return PitContent(pack, profiles, weapons, deck, by_id(scenarios))


def _weapon_faults(profiles: Sequence[FighterProfile], weapons: Sequence[Weapon]) -> Iterator[str]:
    known = by_id(weapons)
    for profile in profiles:
        yield from unknown_ids(f'fighters.toml: "{profile.id}"', "weapon", profile.weapons, weapons)
        carried = [known[id] for id in profile.weapons if id in known]
        slots = sum(weapon.slots for weapon in carried) + (profile.shield is not None)
        if slots > HAND_SLOTS:
            yield f'fighters.toml: the arms of "{profile.id}" take {slots} slots of {HAND_SLOTS}'
        if len(carried) > 1 and any(weapon.single for weapon in carried):
            yield f'fighters.toml: "{profile.id}" has a second weapon beside one that is used alone'


def _band_faults(scenarios: Sequence[PitScenario], profiles: Sequence[FighterProfile]) -> Iterator[str]:
    for scenario in scenarios:
        fighters = [id for band in scenario.bands for id in band]
        yield from unknown_ids(f'scenarios.toml: "{scenario.id}"', "fighter", fighters, profiles)
        yield from _place_faults(scenario)


def _place_faults(scenario: PitScenario) -> Iterator[str]:
    """Yield what is wrong with where the fighters of a scenario stand, and with its task."""
    place = f'scenarios.toml: "{scenario.id}"'
    if not scenario.places:
        if any(len(band) > len(FACING_ROWS) for band in scenario.bands):
            yield f"{place} has a band of more than {len(FACING_ROWS)} fighters, and no places for them"
        if scenario.walls or scenario.task is not None:
            yield f"{place} has walls or a task, and no places"
        return
    if any(len(band) > len(RING_CELLS) for band in scenario.bands):  # more players than places meet on the open square
        yield f"{place} has a band of more than {len(RING_CELLS)} fighters"
    bands = [scenario.bands[seat % len(scenario.bands)] for seat in range(len(scenario.places))]
    if [len(band) for band in bands] != [len(cells) for cells in scenario.places]:
        yield f"{place} has not as many places as fighters"
    cells = [cell for own in scenario.places for cell in own]
    for x, y in cells:
        if not (x < scenario.width and y < scenario.height):
            yield f"{place} has a fighter off the field, at {x}, {y}"
        if any(wall.contains(x, y) for wall in scenario.walls):
            yield f"{place} has a fighter in a wall, at {x}, {y}"
    if len(set(cells)) < len(cells):
        yield f"{place} has two fighters in one cell"
    if scenario.task is not None:
        yield from task_faults(place, scenario.task, [len(own) for own in scenario.places])
