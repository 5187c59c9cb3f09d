"""Raw tables of packs by name, to be merged with others.

The packs must have been found valid.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_content.pack_loader import (
    ARMIES_FILE,
    COMMANDS_FILE,
    DEPLOYMENTS_FILE,
    RESERVED_FILES,
    SCENARIOS_FILE,
    TABLE_FILE,
    TERRAIN_FILE,
)
from diskwars_content.setup_cards import DeploymentsFile
from diskwars_content.toml_reader import Table

LIST_FILES = {
    COMMANDS_FILE: ("cards", "card"),
    ARMIES_FILE: ("armies", "army"),
    SCENARIOS_FILE: ("scenarios", "scenario"),
    DEPLOYMENTS_FILE: ("deployments", "deployment"),
}
"""The file of a kind: how an own file calls it, and how a pack does."""
LIST_KEYS = {"disks": "disk", **dict(LIST_FILES.values())}


class RawTables(Struct, frozen=True):
    """Tables as they are written: `entries` by kind and name, `pieces` of terrain by the name of each face."""

    table: Table
    entries: Mapping[str, Mapping[str, Table]]
    pieces: tuple[Table, ...]

    @property
    def face_names(self) -> list[str]:
        return [name for piece in self.pieces for name in _face_names(piece)]

    @property
    def deployment_settings(self) -> DeploymentsFile:
        """Return the settings common to all deployment cards."""
        return msgspec.convert(
            {"basis": "house", "deployment": (), **_get_table(self.table, "deployment")}, DeploymentsFile
        )

    def find_piece(self, face: str) -> tuple[Table, int] | None:
        """Return the piece that has this face, and on which side."""
        found = [(piece, _face_names(piece).index(face)) for piece in self.pieces if face in _face_names(piece)]
        return found[0] if found else None

    def with_piece(self, face: str, changed: Table) -> "RawTables":
        return replace(self, pieces=tuple(changed if face in _face_names(one) else one for one in self.pieces))

    def with_entries(self, said: Mapping[str, Mapping[str, Table]]) -> "RawTables":
        kinds = [kind for kind in LIST_KEYS if kind in said or kind in self.entries]
        return replace(self, entries={kind: {**self.entries.get(kind, {}), **said.get(kind, {})} for kind in kinds})


def load_raw_tables(*folders: Path) -> RawTables:
    """Return the tables of packs that are used together; the field and ruler are those of the first."""
    entries: dict[str, dict[str, Table]] = {kind: {} for kind in LIST_KEYS}
    pieces: list[Table] = []
    for folder in folders:
        for kind, entry in _iter_entries(folder):
            entries[kind][str(entry["name"])] = entry
        pieces += _get_list(_parse_toml(folder / TERRAIN_FILE), "piece")
    laid = {key: value for key, value in _parse_toml(folders[0] / DEPLOYMENTS_FILE).items() if key != "deployment"}
    return RawTables({**_parse_toml(folders[0] / TABLE_FILE), "deployment": laid}, entries, tuple(pieces))


def _iter_entries(folder: Path) -> Iterator[tuple[str, Table]]:
    for path in sorted(folder.glob("*.toml")):
        tree = _parse_toml(path)
        if path.name in LIST_FILES:
            kind, key = LIST_FILES[path.name]
            yield from ((kind, entry) for entry in (*_get_list(tree, key), *_get_list(tree, "special")))
        elif path.name not in RESERVED_FILES:
            common = {key: value for key, value in tree.items() if key != "disk"}
            yield from (("disks", {**common, **entry}) for entry in _get_list(tree, "disk"))


def _parse_toml(path: Path) -> Table:
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


def _get_list(tree: Table, key: str) -> list[Table]:
    found = tree.get(key, [])
    return found if isinstance(found, list) else []


def _get_table(tree: Table, key: str) -> Table:
    found = tree.get(key, {})
    return found if isinstance(found, dict) else {}


def _face_names(piece: Table) -> list[str]:
    return [str(face["name"]) for face in _get_list(piece, "faces")]
