"""The dump of all public matches that have ended, and the check of its hashes."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_cli.look_back.public_dump import is_in_dump
from diskwars_cli.plugs.record_streams import read_stream
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_server.store.match_index import Listing
from tests.cli.command_runner import CommandRunner
from tests.cli.conftest import UNFINISHED_MATCH
from tests.client.match_files import greedy_records, match_file

LISTING = Listing("m", "pit", "ended", ("one", "two"), "one", 0, 0, Result("last_side", (0,)))


@pytest.mark.parametrize(
    ("changes", "is_in"),
    [
        ({}, True),
        ({"match_options": MatchOptions(watchers="after_end")}, True),
        ({"match_options": MatchOptions(watchers="none")}, False),
        ({"match_options": MatchOptions(visibility="link")}, False),
        ({"imported": True}, False),
        ({"result": Result("abandoned")}, False),
        ({"result": Result("closed")}, False),
        ({"result": Result("resignation", (1,))}, True),
    ],
)
def test_match_is_in_the_dump_if_everybody_may_see_it_whole(changes: dict[str, Any], is_in: bool) -> None:
    assert is_in_dump(replace(LISTING, **changes)) == is_in


def test_ended_matches_are_written_and_their_hashes_follow(
    diskwars: CommandRunner, archive_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "all.jsonl.zst"
    written = diskwars("dump", "--public", "--output", str(file), "--database-url", archive_url)
    count = len(greedy_records())
    assert (written.code, written.out) == (0, f"1 matches, {count} records\n")
    assert list(read_stream("--check", str(file))) == [match_file()]
    assert UNFINISHED_MATCH.encode() not in b"".join(read_stream("--check", str(file)))
    checked = diskwars("dump", "--check", str(file))
    assert (checked.code, checked.out) == (0, f"1 matches, {count} records, faults 0\n")


def test_changed_record_and_cut_match_are_found(diskwars: CommandRunner, tmp_path: Path) -> None:
    file, whole = tmp_path / "all.jsonl", match_file()
    lines = whole.splitlines(keepends=True)
    changed = whole.replace(b'"seq":7,', b'"seq":8,', 1)
    file.write_bytes(whole + changed + b"".join(lines[:-1]))
    checked = diskwars("dump", "--check", str(file))
    assert checked.code == 1
    assert checked.lines[0] == f"2 matches, {2 * len(lines) - 3} records, faults 2"
    assert "match 2 of the file: record 7" in checked.lines[1]
    assert f"match 3 of the file: seed-1 ends at record {len(lines) - 2}" in checked.lines[2]


@pytest.mark.parametrize(
    "words",
    [(), ("--public",), ("--output", "a.jsonl"), ("--check", "a.jsonl", "--public"), ("--check", "a", "-o", "b")],
)
def test_options_that_do_not_go_together_are_refused(diskwars: CommandRunner, words: tuple[str, ...]) -> None:
    assert "dump takes either --public with --output, or --check" in diskwars.error_message("dump", *words)


def test_file_of_another_kind_is_refused_before_anything_is_read(diskwars: CommandRunner) -> None:
    message = diskwars.error_message("dump", "--public", "-o", "all.csv", "--data", "/nowhere")
    assert message == "--output: all.csv ends neither in .jsonl nor in .jsonl.zst"
