"""The content pack of the pit: fighters, weapons, the improvement deck and scenarios, as TOML.

Every figure has a basis: `stated` by the source text, `found` in another source, or a `house` figure, which is our own.
"""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from diskwars_content.packs import PackError, PackText
from diskwars_engine.rulesets.pit.scenario import PitContent, PitScenario
from diskwars_protocol.canonical import encode_canonical
from diskwars_protocol.match import Pack
from diskwars_protocol.rulesets.pit.stats import FighterProfile, ImprovementCard, Weapon

CORE_FOLDER = Path(__file__).parent / "core"
HAND_SLOTS = 2

T = TypeVar("T", bound=Struct)


@cache
def core_content() -> PitContent:
    """Load the pack that comes with the server."""
    return load_content(CORE_FOLDER)


def load_content(folder: Path) -> PitContent:
    """Load a pack. Raises PackError with every fault."""
    header = _read(folder / "pack.toml", PackFile)
    weapons = _entries(folder, "weapon", Weapon, "weapons.toml")
    profiles = _entries(folder, "fighter", FighterProfile, "fighters.toml")
    deck = _entries(folder, "card", ImprovementCard, "deck.toml")
    scenarios = _entries(folder, "scenario", PitScenario, "scenarios.toml")
    faults = [*_weapon_faults(profiles, weapons), *_band_faults(scenarios, profiles)]
    if faults:
        raise PackError(folder, tuple(faults))
    digest = hashlib.sha256(encode_canonical((header, weapons, profiles, deck, scenarios))).hexdigest()
    return PitContent(
        Pack(header.name, header.version, digest),
        profiles,
        weapons,
        deck,
        {scenario.id: scenario for scenario in scenarios},
    )


class PackFile(Struct, frozen=True, forbid_unknown_fields=True):
    """pack.toml"""

    name: PackText
    version: PackText


def _read(path: Path, kind: type[Any]) -> Any:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError) as fault:
        raise PackError(path.parent, (f"{path.name}: {fault}",)) from None


Basis = Literal["stated", "found", "house"]


def _entries(folder: Path, key: str, kind: type[T], name: str) -> tuple[T, ...]:
    """Read the tables of one kind, each of which says what its figures are based on."""
    entries: list[T] = []
    faults: list[str] = []
    for number, table in enumerate(_read(folder / name, dict[str, list[dict[str, Any]]]).get(key, ())):
        place = f"{name}: {key} {number + 1}"
        try:
            basis = msgspec.convert(table.pop("basis", {}), dict[str, Basis])
            entries.append(msgspec.convert(table, kind))
        except msgspec.ValidationError as fault:
            faults.append(f"{place}: {fault}")
            continue
        fields = set(msgspec.structs.asdict(entries[-1]))
        faults += [f'{place}: there is no "{name}"' for name in sorted({*table, *basis} - fields)]
    ids = [entry.id for entry in entries]  # type: ignore[attr-defined]
    faults += [f'{name}: there are two {key} "{id}"' for id in sorted({id for id in ids if ids.count(id) > 1})]
    if faults:
        raise PackError(folder, tuple(faults))
    return tuple(entries)


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
