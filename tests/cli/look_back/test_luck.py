"""The `luck` verb prints what was rolled and what was to be expected."""

from tests.cli.command_runner import CommandRunner
from tests.cli.conftest import ENDED_MATCH
from tests.golden.write_files import FOLDER, SUFFIX


def test_report_of_a_file_names_each_seat_once(diskwars: CommandRunner) -> None:
    result = diskwars("luck", "--file", str(FOLDER / f"regiments-counted{SUFFIX}"))
    heading, *rows, note = result.lines
    assert (result.code, heading.split()) == (0, ["seat", "player", "roll", "rolls", "expected", "rolled", "luck"])
    assert [row.split()[0] for row in rows] == ["A"] * 7 + ["B"] * 6
    assert rows[0].split()[3:] == ["all", "tests", "65", "33.6", "37", "80%"]
    assert note.startswith("luck: how often chance alone does worse")


def test_report_of_a_stored_match(diskwars: CommandRunner, archive_url: str) -> None:
    result = diskwars("luck", ENDED_MATCH, "--database-url", archive_url)
    assert result.code == 0
    assert any("initiative" in line for line in result.lines)


def test_match_without_a_roll_has_no_report(diskwars: CommandRunner) -> None:
    file = str(FOLDER / f"diskwars-closed{SUFFIX}")
    assert diskwars.error_message("luck", "--file", file) == "nothing was rolled in this match yet"
    assert diskwars.error_message("luck") == "name either a MATCH or --file FILE"
