"""Tables of matches: every record and die of a stream is in them, of every ruleset."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_cli.look_back.record_tables import TABLES, add_match
from diskwars_cli.plugs.record_streams import read_stream
from diskwars_protocol.records.match_file import read_file
from tests.cli.command_runner import CommandRunner
from tests.optional_packages import import_or_skip

parquet = import_or_skip("pyarrow.parquet")

MATCHES = 2


@pytest.mark.parametrize("ruleset", ["diskwars", "pit", "close_quarters", "regiments"])
def test_tables_hold_what_the_stream_holds(diskwars: CommandRunner, tmp_path: Path, ruleset: str) -> None:
    stream, folder = tmp_path / "matches.jsonl", tmp_path / "tables"
    words = ("simulate", "--ruleset", ruleset, "--bots", "random", "--matches", str(MATCHES), "--records", str(stream))
    assert diskwars(*words).code == 0
    assert diskwars("dump", "--tables", str(folder), "--from", str(stream)).code == 0
    tables = {name: parquet.read_table(folder / f"{name}.parquet").to_pylist() for name in TABLES}
    files = [read_file(raw) for raw in read_stream("FILE", str(stream))]
    bodies = {file.header.match: [json.loads(body) for body in file.bodies] for file in files}
    assert [row["match"] for row in tables["matches"]] == list(bodies)
    for row in tables["matches"]:
        records = bodies[row["match"]]
        result = records[-1]["result"]
        assert (row["ruleset"], row["records"], row["players"]) == (ruleset, len(records), ["bot-0", "bot-1"])
        assert (row["winners"], row["end_reason"]) == (result.get("winners", []), result["end_reason"])
    acted = [
        (match, seq) for match, records in bodies.items() for seq, body in enumerate(records, 1) if "action" in body
    ]
    assert [(row["match"], row["seq"]) for row in tables["decisions"]] == acted
    assert all(row["question"] for row in tables["decisions"] if row["decision"])
    dice = sum(json.dumps(records).count('"results": [') for records in bodies.values())
    assert len(tables["rolls"]) == dice > 0


def test_damaged_stream_and_options_that_do_not_fit_are_refused(diskwars: CommandRunner, tmp_path: Path) -> None:
    stream = tmp_path / "bad.jsonl"
    stream.write_text('{"type":"diskwars-match","format":1,"match":"m","ruleset":"pit"}\n{"seq":1}\n')
    refused = diskwars("dump", "--tables", str(tmp_path / "tables"), "--from", str(stream))
    assert (refused.code, "bad.jsonl" in refused.err) == (2, True)
    assert diskwars("dump", "--tables", str(tmp_path)).code == 2
    assert diskwars("dump", "--tables", str(stream), "--from", str(stream)).code == 2


def test_tables_of_an_earlier_run_stay_when_a_stream_is_refused(diskwars: CommandRunner, tmp_path: Path) -> None:
    stream, empty, folder = tmp_path / "matches.jsonl", tmp_path / "empty.jsonl", tmp_path / "tables"
    words = ("simulate", "--ruleset", "pit", "--bots", "random", "--matches", "1", "--records", str(stream))
    assert diskwars(*words).code == 0
    assert diskwars("dump", "--tables", str(folder), "--from", str(stream)).code == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    header = '{"type":"diskwars-match","format":1,"match":"none","ruleset":"pit"}\n'
    empty.write_text(stream.read_text() + header)
    refused = diskwars("dump", "--tables", str(folder), "--from", str(empty))
    assert (refused.code, "empty.jsonl: match 2 (none) has no records" in refused.err) == (2, True), refused.err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_match_without_a_result_has_no_end(diskwars: CommandRunner, tmp_path: Path) -> None:
    stream = tmp_path / "matches.jsonl"
    words = ("simulate", "--ruleset", "pit", "--bots", "random", "--matches", "1", "--records", str(stream))
    assert diskwars(*words).code == 0
    file = read_file(next(iter(read_stream("FILE", str(stream)))))
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    add_match(file, rows)
    add_match(replace(file, bodies=file.bodies[:-1]), rows)
    ended, unfinished = rows["matches"]
    assert ended["ended_ms"] is not None
    assert (unfinished["ended_ms"], unfinished["end_reason"]) == (None, None)
