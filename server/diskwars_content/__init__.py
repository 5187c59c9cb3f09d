"""Which disks, cards and starter armies are there? Content packs: folders of TOML files, loaded whole or refused.

    pack.toml         the pack's name and version
    table.toml        the field, the ruler, the sizes of disks, the battle die
    commands.toml     command cards, if there are any
    armies.toml       starter armies, if there are any
    scenarios.toml    scenario cards, for a full set-up
    deployments.toml  deployment cards, likewise
    terrain.toml      pieces of terrain, likewise
    anything else     the disks of one race

Must not know any rule beyond what makes a figure possible and an army legal, nor anything of a match.
"""

from functools import cache
from pathlib import Path

from msgspec.structs import replace

from diskwars_content.pack import Reading
from diskwars_engine.diskwars.roster import Catalogue

CORE = Path(__file__).parent / "diskwars" / "core"
EXPANSION = Path(__file__).parent / "diskwars" / "expansion"


TABLE = ("field", "sizes", "battle_die")
NAMED = ("disks", "cards", "armies")


class PackError(Exception):
    """A pack that cannot be used; `faults` holds every one of them, each with its place."""

    def __init__(self, path: Path, faults: tuple[str, ...]) -> None:
        super().__init__(f"{path}: {len(faults)} fault{'s' if len(faults) > 1 else ''}\n" + "\n".join(faults))
        self.path = path
        self.faults = faults


def load(path: Path | str) -> Catalogue:
    """The catalogue of the pack in this folder. Raises PackError with every fault when anything in it is wrong."""
    reading = Reading(Path(path))
    catalogue = reading.catalogue()
    if catalogue is None:
        raise PackError(Path(path), tuple(reading.faults))
    return catalogue


def check(path: Path | str) -> list[str]:
    """Every fault of the pack in this folder, each with its place; empty when it is sound."""
    reading = Reading(Path(path))
    reading.catalogue()
    return reading.faults


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
        first = replace(
            first,
            others=(*first.others, other.pack, *other.others),
            disks={**first.disks, **other.disks},
            copies={**first.copies, **other.copies},
            cards={**first.cards, **other.cards},
            armies={**first.armies, **other.armies},
        )
    return first


@cache
def core() -> Catalogue:
    """The pack that comes with the server."""
    return load(CORE)


@cache
def expansion() -> Catalogue:
    """The disks of the expansions, to be played `together` with the core set."""
    return load(EXPANSION)
