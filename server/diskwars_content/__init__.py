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

from diskwars_content.pack import Reading
from diskwars_engine.diskwars.roster import Catalogue

CORE = Path(__file__).parent / "diskwars" / "core"


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


@cache
def core() -> Catalogue:
    """The pack that comes with the server."""
    return load(CORE)
