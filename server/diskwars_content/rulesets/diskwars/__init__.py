"""Packs of Diskwars: folders of TOML files with disks, cards and starter armies, loaded completely or refused.

    pack.toml         the pack's id and version
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

from diskwars_content.packs import PackError
from diskwars_content.rulesets.diskwars.override_loader import OverriddenPacks, OverrideLoader
from diskwars_content.rulesets.diskwars.pack_loader import PackLoader
from diskwars_content.rulesets.diskwars.raw_tables import load_raw_tables
from diskwars_content.rulesets.diskwars.selector_words import combined_word_faults
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue

CORE_FOLDER = Path(__file__).parent / "core"
EXPANSION_FOLDER = Path(__file__).parent / "expansion"
BUILT_IN_PACKS = {"core": CORE_FOLDER, "expansion": EXPANSION_FOLDER}
"""Packs that come with the server, by the word that names them."""

TABLE_PARTS = ("field", "sizes", "battle_die")
MAX_DUPLICATES_LISTED = 5
"""With more ids in two packs, their number is given instead: one pack is then a copy of the other."""
ENTRY_KINDS = ("disks", "cards", "armies", "scenarios", "deployments", "terrain")


def load_pack(path: Path | str) -> Catalogue:
    """Load the pack in a folder. Raises PackError with every fault."""
    loader = _pack_loader(path)
    catalogue = loader.load()
    if catalogue is None:
        raise PackError(Path(path), tuple(loader.faults))
    return catalogue


def check_pack(path: Path | str, base_packs: Sequence[Path | str] = ()) -> list[str]:
    """Return every fault of a pack with its place; empty if the pack is valid.

    A folder is checked by itself; a file is merged over the core set and `base_packs`. Raises PackError when one of
    those has faults.
    """
    if Path(path).is_dir() or not Path(path).exists():
        loader = _pack_loader(path)
        loader.load()
        return loader.faults
    override_loader = _override_loader(Path(path), load_packs(*base_packs))
    override_loader.load()
    return override_loader.faults


def _pack_loader(path: Path | str) -> PackLoader:
    return PackLoader(Path(path), {"diskwars/core": core_pack})


def combine_packs(first: Catalogue, *more: Catalogue) -> Catalogue:
    """Combine packs so that they can be played together. Raises PackError if they contradict each other.

    The table (field, ruler, sizes, die) is that of the first pack; the others must have the same one. No id may be in
    two packs.
    """
    for other in more:
        faults = [
            f'the packs differ in "{name}"' for name in TABLE_PARTS if getattr(first, name) != getattr(other, name)
        ]
        common = [set(getattr(first, name)) & set(getattr(other, name)) for name in ENTRY_KINDS]
        duplicates = [id for ids in common for id in sorted(ids)]
        if len(duplicates) > MAX_DUPLICATES_LISTED:
            faults.append(
                f'{len(duplicates)} ids are in {first.pack.id} too, "{duplicates[0]}" as the first: a copy cannot be '
                "played beside its original; keep only what is new, or change figures in an override file "
                "(`diskwars packs new`)"
            )
        else:
            faults += [f'"{id}" is in {first.pack.id} too' for id in duplicates]
        faults += combined_word_faults(first, other)
        if faults:
            raise PackError(Path(other.pack.id), tuple(faults))
        joined: dict[str, object] = {
            name: {**getattr(first, name), **getattr(other, name)}
            for name in ("copies", "special_scenarios", "pack_names", *ENTRY_KINDS)
        }
        joined["races"] = tuple(sorted({*first.races, *other.races}))
        joined["traits"] = tuple(sorted({*first.traits, *other.traits}))
        joined["sources"] = {**first.sources, **other.sources, **_sources(other)}
        first = replace(first, other_packs=(*first.other_packs, other.pack, *other.other_packs), **joined)
    return first


def _sources(pack: Catalogue) -> dict[tuple[str, str], str]:
    """Map every entry of a pack, by kind and id, to the name of the pack."""
    return {(kind, id): pack.pack.id for kind in (*ENTRY_KINDS, "special_scenarios") for id in getattr(pack, kind)}


# ---------------------------------------------------------------- several packs, and files over them


def load_packs(*packs: Path | str) -> OverriddenPacks:
    """Load the core set with more packs, given as names in `BUILT_IN_PACKS`, folders, or override files.

    Override files are applied last, in the order given. Raises PackError with every fault of the first pack that has
    any.
    """
    places = [BUILT_IN_PACKS.get(str(pack), Path(pack)) for pack in packs]
    folders = list(dict.fromkeys([CORE_FOLDER, *(place for place in places if place.is_dir())]))
    catalogue = combine_packs(core_pack(), *(_load_folder(folder) for folder in folders[1:]))
    loaded = OverriddenPacks(catalogue, load_raw_tables(*folders), {}, {})
    for place in dict.fromkeys(place for place in places if place not in folders):
        loader = _override_loader(place, loaded)
        overridden = loader.load()
        if overridden is None:
            raise PackError(place, tuple(loader.faults))
        loaded = replace(overridden, dropped_armies={**loaded.dropped_armies, **overridden.dropped_armies})
    return loaded


def _override_loader(path: Path, base: OverriddenPacks) -> OverrideLoader:
    missing = (
        {}
        if expansion_pack().pack in base.catalogue.other_packs
        else dict.fromkeys(expansion_pack().disks, expansion_pack().pack.id)
    )
    return OverrideLoader(path, base.catalogue, base.tables, missing)


def _load_folder(folder: Path) -> Catalogue:
    return expansion_pack() if folder == EXPANSION_FOLDER else load_pack(folder)


@cache
def core_pack() -> Catalogue:
    """Load the core set, which comes with the server."""
    return load_pack(CORE_FOLDER)


@cache
def expansion_pack() -> Catalogue:
    """Load the disks of the expansions, which are played together with the core set."""
    return load_pack(EXPANSION_FOLDER)
