"""The content pack of the pit: fighters, weapons, the improvement deck and scenarios, as TOML.

Every figure has a basis: `stated` by the source text, `found` in another source, or a `house` figure, which is our own.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from diskwars_content.pack_tables import by_id, make_pack, read_entries, unknown_ids
from diskwars_engine.rulesets.pit.scenario import PitContent
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
