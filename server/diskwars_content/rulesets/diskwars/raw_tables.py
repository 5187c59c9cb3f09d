"""Raw tables of packs by id, to be merged with override files.

The packs must have been checked before.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_content.rulesets.diskwars.pack_loader import (
    ARMIES_FILE,
    COMMANDS_FILE,
    DEPLOYMENTS_FILE,
    RESERVED_FILES,
    SCENARIOS_FILE,
    TABLE_FILE,
    TERRAIN_FILE,
)
from diskwars_content.rulesets.diskwars.setup_cards import DeploymentsFile
from diskwars_content.rulesets.diskwars.toml_reader import Table

LIST_FILES = {
    COMMANDS_FILE: ("cards", "card"),
    ARMIES_FILE: ("armies", "army"),
    SCENARIOS_FILE: ("scenarios", "scenario"),
    DEPLOYMENTS_FILE: ("deployments", "deployment"),
}
"""The kind of entry in each file: its key in an override file, and its key in the pack's file."""
LIST_KEYS = {"disks": "disk", **dict(LIST_FILES.values())}


class RawTables(Struct, frozen=True):
    """The tables of packs as they are written: `entries` by kind and id, `pieces` of terrain in file order."""

    table: Table
    entries: Mapping[str, Mapping[str, Table]]
    pieces: tuple[Table, ...]

    @property
    def face_names(self) -> list[str]:
        return [str(face["name"]) for piece in self.pieces for face in _get_list(piece, "faces")]

    @property
    def deployment_settings(self) -> DeploymentsFile:
        """The settings common to all deployment cards."""
        return msgspec.convert(
            {"basis": "house", "deployment": (), **_get_table(self.table, "deployment")}, DeploymentsFile
        )

    def find_id(self, kind: str, key: str) -> str | None:
        """Return the id of the entry with this id or display name; None if there is none."""
        entries = self.entries.get(kind, {})
        if key in entries:
            return key
        return next((id for id, entry in entries.items() if entry.get("name") == key), None)

    def names(self, kind: str) -> list[str]:
        """Return all ids and display names of a kind, for suggestions."""
        entries = self.entries.get(kind, {})
        return [*entries, *(str(entry.get("name")) for entry in entries.values())]

    def find_piece(self, face: str) -> tuple[Table, int] | None:
        """Return the piece that has a face with this id or name, and the number of that side; None if there is none."""
        for piece in self.pieces:
            for side, entry in enumerate(_get_list(piece, "faces")):
                if face in (entry["id"], entry["name"]):
                    return piece, side
        return None

    def with_piece(self, changed: Table) -> "RawTables":
        return replace(self, pieces=tuple(changed if changed["id"] == piece["id"] else piece for piece in self.pieces))

    def with_entries(self, changed: Mapping[str, Mapping[str, Table]]) -> "RawTables":
        kinds = [kind for kind in LIST_KEYS if kind in changed or kind in self.entries]
        return replace(self, entries={kind: {**self.entries.get(kind, {}), **changed.get(kind, {})} for kind in kinds})


def load_raw_tables(*folders: Path) -> RawTables:
    """Load the tables of packs that are used together; the field, ruler, sizes and die are those of the first."""
    entries: dict[str, dict[str, Table]] = {kind: {} for kind in LIST_KEYS}
    pieces: list[Table] = []
    for folder in folders:
        for kind, entry in _iter_entries(folder):
            entries[kind][str(entry["id"])] = entry
        pieces += _get_list(_parse_toml(folder / TERRAIN_FILE), "piece")
    deployment_settings = {
        key: value for key, value in _parse_toml(folders[0] / DEPLOYMENTS_FILE).items() if key != "deployment"
    }
    return RawTables(
        {**_parse_toml(folders[0] / TABLE_FILE), "deployment": deployment_settings}, entries, tuple(pieces)
    )


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
    items = tree.get(key, [])
    return items if isinstance(items, list) else []


def _get_table(tree: Table, key: str) -> Table:
    table = tree.get(key, {})
    return table if isinstance(table, dict) else {}
