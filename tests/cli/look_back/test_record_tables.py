"""Tables of matches: every record and die of a stream is in them, of every ruleset."""

import json
from pathlib import Path

import pytest

from diskwars_cli.look_back.record_tables import TABLES
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
