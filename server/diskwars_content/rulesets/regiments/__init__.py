"""The content pack of regiments: units, weapons and scenarios, as TOML.

Every figure has a basis: `stated` by the source text, `found` in another source, or a `house` figure, which is our own.
"""

from functools import cache
from pathlib import Path

from diskwars_content.pack_tables import PackFile, read_entries, read_toml
from diskwars_content.packs import PackError
from diskwars_engine.rulesets.regiments.scenario import RegimentsContent
from diskwars_protocol.figures import figures_hash
from diskwars_protocol.match import Pack
from diskwars_protocol.rulesets.regiments.stats import RegimentsScenario, UnitProfile, Weapon

CORE_FOLDER = Path(__file__).parent / "core"


@cache
def core_content() -> RegimentsContent:
    """Load the pack that comes with the server."""
    return load_content(CORE_FOLDER)


def load_content(folder: Path) -> RegimentsContent:
    """Load a pack. Raises PackError with every fault."""
    header = read_toml(folder / "pack.toml", PackFile)
    weapons = read_entries(folder, "weapon", Weapon, "weapons.toml")
    profiles = read_entries(folder, "unit", UnitProfile, "units.toml")
    scenarios = read_entries(folder, "scenario", RegimentsScenario, "scenarios.toml")
    faults = [*_weapon_faults(profiles, weapons), *_army_faults(scenarios, profiles)]
    if faults:
        raise PackError(folder, tuple(faults))
    figures = {"profiles": profiles, "weapons": weapons, "scenarios": scenarios}
    pack = Pack(header.id, header.version, figures_hash(figures))
    return RegimentsContent(pack, profiles, weapons, {scenario.id: scenario for scenario in scenarios})


def _weapon_faults(profiles: tuple[UnitProfile, ...], weapons: tuple[Weapon, ...]) -> list[str]:
    known = {weapon.id for weapon in weapons}
    return [
        f'units.toml: "{profile.id}" has an unknown weapon "{profile.weapon}"'
        for profile in profiles
        if profile.weapon not in known
    ]


def _army_faults(scenarios: tuple[RegimentsScenario, ...], profiles: tuple[UnitProfile, ...]) -> list[str]:
    """Find units that do not exist, and two that begin in one cell."""
    known, faults = {profile.id for profile in profiles}, []
    for scenario in scenarios:
        for army in scenario.armies:
            rows = [unit.row for unit in army]
            faults += [
                f'scenarios.toml: "{scenario.id}" has an unknown unit "{unit.profile}"'
                for unit in army
                if unit.profile not in known
            ]
            if len(set(rows)) < len(rows):
                faults.append(f'scenarios.toml: two units of "{scenario.id}" begin in one cell')
    return faults
