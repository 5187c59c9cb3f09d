"""Tables of a stream of matches as Parquet: matches, decisions and rolls, for data frames and SQL."""

import errno
import os
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import msgspec

from diskwars_cli.console.command import CommandError
from diskwars_cli.console.signals import check_stop
from diskwars_cli.plugs.record_streams import read_stream
from diskwars_protocol.records.match_file import MatchFile, NewerFormat, read_file
from diskwars_protocol.records.records import BadRecord

if TYPE_CHECKING:
    import pyarrow as pa

TABLES = ("matches", "decisions", "rolls")
ROWS_AT_ONCE = 20_000
"""Rows of a table that are in memory before they are written: a row group of the file."""
DRAW_FIELDS = frozenset({"step", "index", "kind", "size", "tag", "results"})
_JSON = msgspec.json.Encoder(order="sorted")

Row = dict[str, Any]


def run_tables(stream: str, folder: str) -> int:
    """Write the tables of a stream into a folder. Raises CommandError."""
    if find_spec("pyarrow") is None:
        raise CommandError("--tables needs the package pyarrow (extra data)")
    directory = Path(folder)
    if directory.exists() and not directory.is_dir():
        raise CommandError(f"--tables: {folder} cannot be written: {os.strerror(errno.ENOTDIR)}")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        # Tables of an earlier run stay until these are whole.
        with TemporaryDirectory(prefix=".tables-", dir=directory) as unfinished:
            counts = _write_tables(stream, Path(unfinished))
            for name in TABLES:
                Path(unfinished, f"{name}.parquet").replace(directory / f"{name}.parquet")
    except OSError as fault:
        raise CommandError(f"--tables: {folder} cannot be written: {fault.strerror}") from None
    print(", ".join(f"{counts[name]:,} {name}" for name in TABLES))
    return 0


def _write_tables(stream: str, directory: Path) -> dict[str, int]:
    from pyarrow import Table
    from pyarrow.parquet import ParquetWriter

    schemas, counts = _schemas(), dict.fromkeys(TABLES, 0)
    rows: dict[str, list[Row]] = {name: [] for name in TABLES}
    with ExitStack() as stack:
        writers = {
            name: stack.enter_context(ParquetWriter(directory / f"{name}.parquet", schemas[name], compression="zstd"))
            for name in TABLES
        }

        def write(name: str) -> None:
            writers[name].write_table(Table.from_pylist(rows[name], schema=schemas[name]))
            counts[name] += len(rows[name])
            rows[name].clear()

        for number, raw in enumerate(read_stream("--from", stream), 1):
            check_stop()
            try:
                file = read_file(raw)
            except (BadRecord, NewerFormat) as fault:
                raise CommandError(f"--from: {stream}: {fault}") from None
            if not file.bodies:
                raise CommandError(f"--from: {stream}: match {number} ({file.header.match}) has no records")
            add_match(file, rows)
            for name in TABLES:
                if len(rows[name]) >= ROWS_AT_ONCE:
                    write(name)
        for name in TABLES:
            write(name)
    return counts


def _schemas() -> "dict[str, pa.Schema]":
    """Return the columns of each table. Values that differ by ruleset are JSON: a column has one type."""
    import pyarrow as pa

    text, small, large = pa.string(), pa.int32(), pa.int64()
    return {
        "matches": pa.schema(
            {
                "match": text,
                "ruleset": text,
                "rules_version": small,
                "seats": small,
                "players": pa.list_(text),
                "settings": text,
                "records": small,
                "began_ms": large,
                "ended_ms": large,
                "end_reason": text,
                "winners": pa.list_(small),
                "scores": pa.list_(large),
            }
        ),
        "decisions": pa.schema(
            {
                "match": text,
                "seq": small,
                "at_ms": large,
                "seat": small,
                "actor": text,
                "decision": text,
                "question": text,
                "action": text,
                "details": text,
            }
        ),
        "rolls": pa.schema(
            {
                "match": text,
                "seq": small,
                "event": text,
                "step": small,
                "index": small,
                "kind": text,
                "size": small,
                "tag": text,
                "results": pa.list_(small),
            }
        ),
    }


def add_match(file: MatchFile, rows: dict[str, list[Row]]) -> None:
    """Add the rows of one match to those of each table."""
    match, players, asked = file.header.match, dict[int, str](), dict[str, str]()
    opened: Row = {}
    body: Row = {}
    for seq, raw in enumerate(file.bodies, 1):
        body = msgspec.json.decode(raw)
        for event in body.get("events", ()):
            if event["type"] == "match_opened":
                opened = event
            if event["type"] == "seat_taken":
                players[event["seat"]] = event["player"]
            rows["rolls"] += ({"match": match, "seq": seq, "event": event["type"], **draw} for draw in _draws(event))
        if "action" in body:
            rows["decisions"].append(_decision_row(match, seq, body, asked))
        asked |= {decision["id"]: decision["question"]["type"] for decision in body.get("decisions", ())}
    result, seats = body.get("result", {}), opened.get("seat_count", 0)
    rows["matches"].append(
        {
            "match": match,
            "ruleset": file.header.ruleset,
            "rules_version": opened.get("rules_version"),
            "seats": seats,
            "players": [players.get(seat) for seat in range(seats)],
            "settings": _JSON.encode(opened.get("settings", {})).decode(),
            "records": len(file.bodies),
            "began_ms": msgspec.json.decode(file.bodies[0])["at_ms"],
            "ended_ms": body["at_ms"] if "result" in body else None,
            "end_reason": result.get("end_reason"),
            "winners": result.get("winners", []),
            "scores": result.get("scores", []),
        }
    )


def _decision_row(match: str, seq: int, body: Row, asked: dict[str, str]) -> Row:
    action = dict(body["action"])
    return {
        "match": match,
        "seq": seq,
        "at_ms": body["at_ms"],
        "seat": body.get("seat"),
        "actor": body.get("actor"),
        "decision": body.get("decision"),
        "question": asked.get(body.get("decision", "")),
        "action": action.pop("type", None),
        "details": _JSON.encode(action).decode(),
    }


def _draws(value: Any) -> Iterator[Row]:
    """Yield every draw within an event, however deep."""
    if isinstance(value, dict):
        if value.keys() >= DRAW_FIELDS:
            yield {name: value[name] for name in DRAW_FIELDS}
        else:
            for part in value.values():
                yield from _draws(part)
    elif isinstance(value, list):
        for part in value:
            yield from _draws(part)
