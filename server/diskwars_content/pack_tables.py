"""Reader of packs made of plain tables, each with the basis of its figures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from diskwars_content.packs import PackError, PackText
from diskwars_protocol.connection.known_fields import UnknownField, check_known_fields
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.tasks import BattleTask
from diskwars_protocol.records.figures import figures_hash
from diskwars_protocol.schema_limits import limit_faults

T = TypeVar("T", bound=Struct)
FileT = TypeVar("FileT")

Basis = Literal["stated", "found", "house"]
"""Stated by the source text, found in another source, or a figure of our own."""


class PackFile(Struct, frozen=True, forbid_unknown_fields=True):
    """pack.toml"""

    id: PackText
    version: PackText


def read_toml(path: Path, kind: type[FileT]) -> FileT:
    """Read a file of a pack. Raises PackError."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError) as fault:
        raise PackError(path.parent, (f"{path.name}: {fault}",)) from None


def read_entries(folder: Path, key: str, kind: type[T], name: str) -> tuple[T, ...]:
    """Read the tables of one kind, each with an id, and with what its figures are based on. Raises PackError."""
    entries: list[T] = []
    faults: list[str] = []
    for number, table in enumerate(read_toml(folder / name, dict[str, list[dict[str, Any]]]).get(key, ())):
        place = f"{name}: {key} {number + 1}"
        try:
            basis = msgspec.convert(table.pop("basis", {}), dict[str, Basis])
            entries.append(msgspec.convert(table, kind))
        except msgspec.ValidationError as fault:
            faults.append(f"{place}: {fault}")
            continue
        faults += [f"{place}: {fault}" for fault in limit_faults(entries[-1])]
        faults += [f"{place}: {fault}" for fault in _unknown_field(table, entries[-1])]
        fields = set(msgspec.structs.asdict(entries[-1]))
        faults += [f'{place}: basis: there is no "{name}"' for name in sorted({*basis} - fields)]
    ids = [entry.id for entry in entries]  # type: ignore[attr-defined]
    faults += [f'{name}: there are two {key} "{id}"' for id in sorted({id for id in ids if ids.count(id) > 1})]
    if faults:
        raise PackError(folder, tuple(faults))
    return tuple(entries)


def _unknown_field(table: dict[str, Any], entry: Struct) -> Iterator[str]:
    """Yield the first field that an entry does not have, at any depth."""
    try:
        check_known_fields(msgspec.json.encode(table), entry)
    except UnknownField as fault:
        yield f"{fault.place[1:]}: {fault}"


def unknown_ids(place: str, noun: str, ids: Iterable[str], known: Iterable[Any]) -> Iterator[str]:
    """Yield a fault for each id that no known entry has; `place` says who names it."""
    known_ids = {entry.id for entry in known}
    for id in dict.fromkeys(ids):
        if id not in known_ids:
            yield f'{place} has an unknown {noun} "{id}"'


def task_faults(place: str, task: BattleTask, sizes: Sequence[int]) -> Iterator[str]:
    """Yield what keeps the sides of a scenario, of these numbers of pieces, from having a task."""
    if len(sizes) != 2 or task.side not in (0, 1):
        yield f"{place} has a task, which needs two sides"
        return
    if (task.zone is None) != (task.kind == "last_stand"):
        yield f"{place} has a task with a zone too many, or without one"
    if (task.piece is None) != (task.kind != "rescue"):
        yield f"{place} has a task with a piece too many, or without one"
    if task.count > sizes[task.side] or (task.piece or 0) >= sizes[task.side]:
        yield f"{place} has a task for more pieces than there are"


def make_pack(folder: Path, figures: Mapping[str, Any], faults: Iterable[str]) -> Pack:
    """Return the id, the version and the hash of a pack. Raises PackError with every fault."""
    header = read_toml(folder / "pack.toml", PackFile)
    if pack_faults := tuple(faults):
        raise PackError(folder, pack_faults)
    return Pack(header.id, header.version, figures_hash(figures))


def by_id(entries: Iterable[T]) -> dict[str, T]:
    return {entry.id: entry for entry in entries}  # type: ignore[attr-defined]
