"""The content pack of the pit: fighters, weapons, the improvement deck and scenarios, as TOML.

Every figure has a basis: `stated` by the source text, `found` in another source, or a `house` figure, which is our own.
"""

from functools import cache
from pathlib import Path

from diskwars_content.pack_tables import PackFile, read_entries, read_toml
from diskwars_content.packs import PackError
from diskwars_engine.rulesets.pit.scenario import PitContent
from diskwars_protocol.figures import figures_hash
from diskwars_protocol.match import Pack
from diskwars_protocol.rulesets.pit.stats import FighterProfile, ImprovementCard, PitScenario, Weapon

CORE_FOLDER = Path(__file__).parent / "core"
HAND_SLOTS = 2


@cache
def core_content() -> PitContent:
    """Load the pack that comes with the server."""
    return load_content(CORE_FOLDER)


def load_content(folder: Path) -> PitContent:
    """Load a pack. Raises PackError with every fault."""
    header = read_toml(folder / "pack.toml", PackFile)
    weapons = read_entries(folder, "weapon", Weapon, "weapons.toml")
    profiles = read_entries(folder, "fighter", FighterProfile, "fighters.toml")
    deck = read_entries(folder, "card", ImprovementCard, "deck.toml")
    scenarios = read_entries(folder, "scenario", PitScenario, "scenarios.toml")
    faults = [*_weapon_faults(profiles, weapons), *_band_faults(scenarios, profiles)]
    if faults:
        raise PackError(folder, tuple(faults))
    figures = {"profiles": profiles, "weapons": weapons, "deck": deck, "scenarios": scenarios}
    return PitContent(
        Pack(header.id, header.version, figures_hash(figures)),
        profiles,
        weapons,
        deck,
        {scenario.id: scenario for scenario in scenarios},
    )


def _weapon_faults(profiles: tuple[FighterProfile, ...], weapons: tuple[Weapon, ...]) -> list[str]:
    known = {weapon.id: weapon for weapon in weapons}
    faults = []
    for profile in profiles:
        unknown = [id for id in profile.weapons if id not in known]
        if unknown:
            faults.append(f'fighters.toml: "{profile.id}" has an unknown weapon "{unknown[0]}"')
            continue
        carried = [known[id] for id in profile.weapons]
        slots = sum(weapon.slots for weapon in carried) + (profile.shield is not None)
        if slots > HAND_SLOTS:
            faults.append(f'fighters.toml: the arms of "{profile.id}" take {slots} slots of {HAND_SLOTS}')
        if len(carried) > 1 and any(weapon.single for weapon in carried):
            faults.append(f'fighters.toml: "{profile.id}" has a second weapon beside one that is used alone')
    return faults


def _band_faults(scenarios: tuple[PitScenario, ...], profiles: tuple[FighterProfile, ...]) -> list[str]:
    known = {profile.id for profile in profiles}
    return [
        f'scenarios.toml: "{scenario.id}" has an unknown fighter "{id}"'
        for scenario in scenarios
        for band in scenario.bands
        for id in band
        if id not in known
    ]
