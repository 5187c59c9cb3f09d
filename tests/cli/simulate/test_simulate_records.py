"""`simulate --records`: all records of all matches in one file, whatever the number of processes."""

from pathlib import Path

import pytest

from diskwars_cli.plugs.record_streams import read_stream
from diskwars_protocol.records.match_file import read_file
from tests.cli.command_runner import CommandRunner

PIT = ("simulate", "--ruleset", "pit", "--bots", "random", "--matches")


def test_records_do_not_depend_on_the_number_of_processes(diskwars: CommandRunner, tmp_path: Path) -> None:
    written = []
    for jobs in ("1", "2"):
        file = tmp_path / f"{jobs}.jsonl.zst"
        result = diskwars(*PIT, "20", "--jobs", jobs, "--records", str(file))
        assert result.code == 0
        written.append(file.read_bytes())
    assert written[0] == written[1]
    files = [read_file(raw) for raw in read_stream("--check", str(tmp_path / "1.jsonl.zst"))]
    assert [file.header.match for file in files] == [f"seed-{seed}" for seed in range(1, 21)]
    assert {file.unfinished_at for file in files} == {None}


def test_output_is_the_same_with_records_and_without(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    assert diskwars(*PIT, "2", "--records", str(file)).out == diskwars(*PIT, "2").out


@pytest.mark.parametrize("file", ["all.csv", "/nowhere/all.jsonl"])
def test_file_that_cannot_be_written_is_refused_before_a_match(diskwars: CommandRunner, file: str) -> None:
    assert diskwars.error_message(*PIT, "2", "--records", file).startswith(f"--records: {file} ")
