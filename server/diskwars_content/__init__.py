"""Which disks, cards and starter armies are there? Content packs: folders of TOML files, loaded whole or refused.

    pack.toml         the pack's name and version
    table.toml        the field, the ruler, the sizes of disks, the battle die
    commands.toml     command cards, if there are any
    armies.toml       starter armies, if there are any
    scenarios.toml    scenario cards, for a full set-up
    deployments.toml  deployment cards, likewise
    terrain.toml      pieces of terrain, likewise
    anything else     the disks of one race

Besides there are files of players: one TOML file that says otherwise what the packs say (own.py).

Must not know any rule beyond what makes a figure possible and an army legal, nor anything of a match.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from diskwars_content.override_loader import Own, OwnReading
from diskwars_content.pack_loader import Reading
from diskwars_content.raw_tables import tables_of
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue

CORE = Path(__file__).parent / "diskwars" / "core"
EXPANSION = Path(__file__).parent / "diskwars" / "expansion"
BUILT_IN = {"core": CORE, "expansion": EXPANSION}
"""Packs that come with the server, by the word that names them."""

TABLE = ("field", "sizes", "battle_die")
NAMED = ("disks", "cards", "armies", "scenarios", "deployments", "terrain")


class PackError(Exception):
    """A pack that cannot be used; `faults` holds every one of them, each with its place."""

    def __init__(self, path: Path, faults: tuple[str, ...]) -> None:
        super().__init__(f"{path}: {len(faults)} fault{'s' if len(faults) > 1 else ''}\n" + "\n".join(faults))
        self.path = path
        self.faults = faults


def load(path: Path | str) -> Catalogue:
    """The catalogue of the pack in this folder. Raises PackError with every fault when anything in it is wrong."""
    reading = _reading(path)
    catalogue = reading.catalogue()
    if catalogue is None:
        raise PackError(Path(path), tuple(reading.faults))
    return catalogue


def check(path: Path | str, beneath: Sequence[Path | str] = ()) -> list[str]:
    """Every fault of a pack, each with its place; empty when it is sound.

    A folder is asked by itself; a file is merged over the core set and the packs `beneath`. Raises PackError when
    those are not sound.
    """
    if Path(path).is_dir() or not Path(path).exists():
        reading = _reading(path)
        reading.catalogue()
        return reading.faults
    own = _own_reading(Path(path), played_with(*beneath))
    own.own()
    return own.faults


def _reading(path: Path | str) -> Reading:
    return Reading(Path(path), {"diskwars/core": core})


def together(first: Catalogue, *more: Catalogue) -> Catalogue:
    """What several packs offer, to be played with at once. Raises PackError where they contradict each other.

    The table is the first one's, and the others have to be made for it: the same lengths, sizes and die.
    """
    for other in more:
        faults = [f'the packs differ in "{name}"' for name in TABLE if getattr(first, name) != getattr(other, name)]
        for name in NAMED:
            twice = sorted(set(getattr(first, name)) & set(getattr(other, name)))
            faults += [f'"{one}" is in {first.pack.name} too' for one in twice]
        if faults:
            raise PackError(Path(other.pack.name), tuple(faults))
        joined = {name: {**getattr(first, name), **getattr(other, name)} for name in ("copies", "special", *NAMED)}
        first = replace(first, others=(*first.others, other.pack, *other.others), **joined)
    return first


# ---------------------------------------------------------------- several packs, and files over them


def played_with(*packs: Path | str) -> Own:
    """The core set with these packs: words of `BUILT_IN`, folders of packs, and files of players, which come last.

    Raises PackError with every fault of the first that is wrong.
    """
    places = [BUILT_IN.get(str(pack), Path(pack)) for pack in packs]
    folders = list(dict.fromkeys([CORE, *(place for place in places if place.is_dir())]))
    catalogue = together(core(), *(_whole(folder) for folder in folders[1:]))
    found = Own(catalogue, tables_of(*folders), {}, {})
    for place in dict.fromkeys(place for place in places if place not in folders):
        reading = _own_reading(place, found)
        own = reading.own()
        if own is None:
            raise PackError(place, tuple(reading.faults))
        found = replace(own, dropped={**found.dropped, **own.dropped})
    return found


def _own_reading(path: Path, beneath: Own) -> OwnReading:
    missing = (
        {} if expansion().pack in beneath.catalogue.others else dict.fromkeys(expansion().disks, expansion().pack.name)
    )
    return OwnReading(path, beneath.catalogue, beneath.tables, missing)


def _whole(folder: Path) -> Catalogue:
    return expansion() if folder == EXPANSION else load(folder)


@cache
def core() -> Catalogue:
    """The pack that comes with the server."""
    return load(CORE)


@cache
def expansion() -> Catalogue:
    """The disks of the expansions, to be played `together` with the core set."""
    return load(EXPANSION)
