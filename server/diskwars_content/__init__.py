"""Content packs: folders of TOML files with disks, cards and starter armies, loaded completely or refused.

    pack.toml         the pack's name and version
    table.toml        the field, the ruler, the sizes of disks, the battle die
    commands.toml     command cards (optional)
    armies.toml       starter armies (optional)
    scenarios.toml    scenario cards, for a full setup (optional)
    deployments.toml  deployment cards, likewise
    terrain.toml      pieces of terrain, likewise
    anything else     the disks of one race

Players can lay TOML files of their own over the packs.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from diskwars_content.override_loader import OverriddenPacks, OverrideLoader
from diskwars_content.pack_loader import PackLoader
from diskwars_content.raw_tables import load_raw_tables
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue

CORE_FOLDER = Path(__file__).parent / "diskwars" / "core"
EXPANSION_FOLDER = Path(__file__).parent / "diskwars" / "expansion"
BUILT_IN_PACKS = {"core": CORE_FOLDER, "expansion": EXPANSION_FOLDER}
"""Packs that come with the server, by the word that names them."""

TABLE_PARTS = ("field", "sizes", "battle_die")
ENTRY_KINDS = ("disks", "cards", "armies", "scenarios", "deployments", "terrain")


class PackError(Exception):
    """A pack that cannot be used; `faults` lists every fault with its place."""

    def __init__(self, path: Path, faults: tuple[str, ...]) -> None:
        super().__init__(f"{path}: {len(faults)} fault{'s' if len(faults) > 1 else ''}\n" + "\n".join(faults))
        self.path = path
        self.faults = faults


def load_pack(path: Path | str) -> Catalogue:
    """The catalogue of the pack in this folder. Raises PackError with every fault when anything in it is wrong."""
    reading = _pack_loader(path)
    catalogue = reading.load()
    if catalogue is None:
        raise PackError(Path(path), tuple(reading.faults))
    return catalogue


def check_pack(path: Path | str, base_packs: Sequence[Path | str] = ()) -> list[str]:
    """Return every fault of a pack, each with its place; empty if it is valid.

    A folder is checked by itself; a file is merged over the core set and the packs in `base_packs`. Raises PackError
    when those are not sound.
    """
    if Path(path).is_dir() or not Path(path).exists():
        reading = _pack_loader(path)
        reading.load()
        return reading.faults
    own = _override_loader(Path(path), load_packs(*base_packs))
    own.load()
    return own.faults


def _pack_loader(path: Path | str) -> PackLoader:
    return PackLoader(Path(path), {"diskwars/core": core_pack})


def combine_packs(first: Catalogue, *more: Catalogue) -> Catalogue:
    """Return what several packs offer, to be played with at once. Raises PackError where they contradict each other.

    The table is the first one's, and the others have to be made for it: the same lengths, sizes and die.
    """
    for other in more:
        faults = [
            f'the packs differ in "{name}"' for name in TABLE_PARTS if getattr(first, name) != getattr(other, name)
        ]
        for name in ENTRY_KINDS:
            twice = sorted(set(getattr(first, name)) & set(getattr(other, name)))
            faults += [f'"{one}" is in {first.pack.name} too' for one in twice]
        if faults:
            raise PackError(Path(other.pack.name), tuple(faults))
        joined: dict[str, object] = {
            name: {**getattr(first, name), **getattr(other, name)}
            for name in ("copies", "special_scenarios", *ENTRY_KINDS)
        }
        joined["races"] = tuple(sorted({*first.races, *other.races}))
        joined["traits"] = tuple(sorted({*first.traits, *other.traits}))
        joined["sources"] = {**first.sources, **other.sources, **_sources(other)}
        first = replace(first, other_packs=(*first.other_packs, other.pack, *other.other_packs), **joined)
    return first


def _sources(pack: Catalogue) -> dict[tuple[str, str], str]:
    """Every entry of a pack as its own."""
    return {(kind, id): pack.pack.name for kind in (*ENTRY_KINDS, "special_scenarios") for id in getattr(pack, kind)}


# ---------------------------------------------------------------- several packs, and files over them


def load_packs(*packs: Path | str) -> OverriddenPacks:
    """The core set with these packs: words of `BUILT_IN_PACKS`, folders of packs, and files of players, which come
    last.

    Raises PackError with every fault of the first that is wrong.
    """
    places = [BUILT_IN_PACKS.get(str(pack), Path(pack)) for pack in packs]
    folders = list(dict.fromkeys([CORE_FOLDER, *(place for place in places if place.is_dir())]))
    catalogue = combine_packs(core_pack(), *(_load_folder(folder) for folder in folders[1:]))
    found = OverriddenPacks(catalogue, load_raw_tables(*folders), {}, {})
    for place in dict.fromkeys(place for place in places if place not in folders):
        reading = _override_loader(place, found)
        own = reading.load()
        if own is None:
            raise PackError(place, tuple(reading.faults))
        found = replace(own, dropped_armies={**found.dropped_armies, **own.dropped_armies})
    return found


def _override_loader(path: Path, base: OverriddenPacks) -> OverrideLoader:
    missing = (
        {}
        if expansion_pack().pack in base.catalogue.other_packs
        else dict.fromkeys(expansion_pack().disks, expansion_pack().pack.name)
    )
    return OverrideLoader(path, base.catalogue, base.tables, missing)


def _load_folder(folder: Path) -> Catalogue:
    return expansion_pack() if folder == EXPANSION_FOLDER else load_pack(folder)


@cache
def core_pack() -> Catalogue:
    """Return the pack that comes with the server."""
    return load_pack(CORE_FOLDER)


@cache
def expansion_pack() -> Catalogue:
    """Return the disks of the expansions, to be played `together` with the core set."""
    return load_pack(EXPANSION_FOLDER)
