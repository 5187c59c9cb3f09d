"""What stands in packs before anything is made of it: their tables by name, to be merged with others.

Reads packs that have been found sound. Must not know what any figure means.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_content.pack_loader import ARMIES, COMMANDS, DEPLOYMENTS, NAMED, SCENARIOS, TABLE, TERRAIN
from diskwars_content.setup_cards import PrintedDeployments
from diskwars_content.toml_reader import Table

LISTS = {
    COMMANDS: ("cards", "card"),
    ARMIES: ("armies", "army"),
    SCENARIOS: ("scenarios", "scenario"),
    DEPLOYMENTS: ("deployments", "deployment"),
}
"""The file of a kind: how an own file calls it, and how a pack does."""
LIST = {"disks": "disk", **dict(LISTS.values())}


class Tables(Struct, frozen=True):
    """Tables as they are written: `entries` by kind and name, `pieces` of terrain by the name of each face."""

    table: Table
    entries: Mapping[str, Mapping[str, Table]]
    pieces: tuple[Table, ...]

    @property
    def faces(self) -> list[str]:
        return [name for piece in self.pieces for name in _titles(piece)]

    @property
    def deployment_cards(self) -> PrintedDeployments:
        """What all deployment cards have in common."""
        return msgspec.convert(
            {"basis": "house", "deployment": (), **_table(self.table, "deployment")}, PrintedDeployments
        )

    def piece_of(self, face: str) -> tuple[Table, int] | None:
        """The piece that has this face, and on which side."""
        found = [(piece, _titles(piece).index(face)) for piece in self.pieces if face in _titles(piece)]
        return found[0] if found else None

    def with_piece(self, face: str, changed: Table) -> "Tables":
        return replace(self, pieces=tuple(changed if face in _titles(one) else one for one in self.pieces))

    def with_entries(self, said: Mapping[str, Mapping[str, Table]]) -> "Tables":
        kinds = [kind for kind in LIST if kind in said or kind in self.entries]
        return replace(self, entries={kind: {**self.entries.get(kind, {}), **said.get(kind, {})} for kind in kinds})


def tables_of(*folders: Path) -> Tables:
    """The tables of packs that are played together: the first one's table is the one that is played on."""
    entries: dict[str, dict[str, Table]] = {kind: {} for kind in LIST}
    pieces: list[Table] = []
    for folder in folders:
        for kind, entry in _entries(folder):
            entries[kind][str(entry["name"])] = entry
        pieces += _list(_parsed(folder / TERRAIN), "piece")
    laid = {key: value for key, value in _parsed(folders[0] / DEPLOYMENTS).items() if key != "deployment"}
    return Tables({**_parsed(folders[0] / TABLE), "deployment": laid}, entries, tuple(pieces))


def _entries(folder: Path) -> Iterator[tuple[str, Table]]:
    for path in sorted(folder.glob("*.toml")):
        tree = _parsed(path)
        if path.name in LISTS:
            kind, key = LISTS[path.name]
            yield from ((kind, entry) for entry in (*_list(tree, key), *_list(tree, "special")))
        elif path.name not in NAMED:
            common = {key: value for key, value in tree.items() if key != "disk"}
            yield from (("disks", {**common, **entry}) for entry in _list(tree, "disk"))


def _parsed(path: Path) -> Table:
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


def _list(tree: Table, key: str) -> list[Table]:
    found = tree.get(key, [])
    return found if isinstance(found, list) else []


def _table(tree: Table, key: str) -> Table:
    found = tree.get(key, {})
    return found if isinstance(found, dict) else {}


def _titles(piece: Table) -> list[str]:
    return [str(face["name"]) for face in _list(piece, "faces")]
