"""The `replay` verb shows matches of the store, of a server and of a file, and moments of them."""

from pathlib import Path

import pytest

from diskwars_client.replays import replay_file
from diskwars_protocol.records.match_file import BYTE_ORDER_MARK
from tests.cli.command_runner import CommandRunner
from tests.cli.conftest import ENDED_MATCH, UNFINISHED_MATCH
from tests.client.match_files import match_file
from tests.golden.write_files import FOLDER, SUFFIX


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "a.match"
    path.write_bytes(match_file())
    return str(path)


def test_file_is_replayed_without_a_database(diskwars: CommandRunner, file: str) -> None:
    lines = diskwars("replay", "--file", file).lines
    assert lines[0] == "Match seed-1 of diskwars for 2 players"
    assert " won: " in lines[-1]


def test_file_that_a_program_for_texts_has_saved_is_read(diskwars: CommandRunner, tmp_path: Path) -> None:
    saved, command_lines = tmp_path / "saved.jsonl", (("replay", "--file"), ("verify",))
    for words in command_lines:
        saved.write_bytes(match_file())
        as_written = diskwars(*words, str(saved))
        saved.write_bytes(BYTE_ORDER_MARK + match_file().replace(b"\n", b"\r\n"))
        as_saved = diskwars(*words, str(saved))
        assert (as_saved.code, as_saved.out) == (as_written.code, as_written.out), words
        assert as_written.out, words


def test_moments_are_named_by_round_activation_and_melee(diskwars: CommandRunner, file: str) -> None:
    replay = replay_file(match_file())
    for kind in ("round", "activation", "melee"):
        seq = replay.seq_of(kind, 2)
        shown = diskwars("replay", "--file", file, f"--{kind}", "2")
        assert (shown.code, shown.out) == (0, diskwars("replay", "--file", file, "--at", str(seq)).out)
    assert diskwars.error_message("replay", "--file", file, "--round", "50").startswith("there is no round 50: ")
    assert diskwars.error_message("replay", "--file", file, "--round", "1", "--at", "3") == (
        "name one moment: --at, --round, --activation, --melee or MATCH/SEQ"
    )


def test_link_to_a_moment_of_a_stored_match_is_followed(diskwars: CommandRunner, archive_url: str) -> None:
    store = ("--database-url", archive_url)
    shown = diskwars("replay", f"{ENDED_MATCH}/40?as=all", *store)
    assert (shown.code, shown.out) == (0, diskwars("replay", ENDED_MATCH, "--at", "40", *store).out)
    assert diskwars("replay", f"https://example.org/m/{ENDED_MATCH}/40", *store).out == shown.out
    assert diskwars.error_message("replay", f"{ENDED_MATCH}/4000", *store).startswith(
        f"match {ENDED_MATCH} has records"
    )
    assert diskwars.error_message("replay", f"{ENDED_MATCH}/x", *store).startswith(f'"{ENDED_MATCH}/x" is not a moment')


def test_viewpoint_hides_what_others_held(diskwars: CommandRunner, archive_url: str) -> None:
    store = ("--database-url", archive_url)
    assert "locked All Together" in diskwars("replay", ENDED_MATCH, *store).out
    assert "locked All Together" not in diskwars("replay", ENDED_MATCH, "--as", "public", *store).out
    assert diskwars.error_message("replay", UNFINISHED_MATCH, "--as", "a", *store) == (
        "the viewpoint a can be seen once the match has ended with everything opened"
    )
    assert diskwars.error_message("replay", ENDED_MATCH, "--as", "x", *store).startswith('there is no viewpoint "x"')


def test_replay_takes_a_match_or_a_file(diskwars: CommandRunner, file: str, tmp_path: Path) -> None:
    assert diskwars.error_message("replay") == "name either a MATCH or --file FILE"
    assert diskwars.error_message("replay", "m", "--file", file) == "name either a MATCH or --file FILE"
    missing = str(tmp_path / "missing")
    assert diskwars.error_message("replay", "--file", missing) == f"{missing} cannot be read: No such file or directory"
    other = str(FOLDER / f"counting{SUFFIX}")
    assert diskwars.error_message("replay", "--file", other) == f"{other}: the ruleset counting is not installed"
    broken = tmp_path / "broken"
    broken.write_bytes(match_file().replace(b'"seat":0', b'"seat":1', 1))
    assert "its hash does not follow" in diskwars.error_message("replay", "--file", str(broken))
