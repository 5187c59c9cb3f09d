"""The program that finds the puzzles writes what a seat saw, and the same puzzles again."""

from pathlib import Path

import msgspec
import pytest

from diskwars_bots.search.puzzles import PuzzleEffort
from diskwars_content.puzzles import Puzzle
from diskwars_protocol.records.match_file import read_file
from tests.golden.write_files import FOLDER, SUFFIX
from tools import find_puzzles

EASY = PuzzleEffort(looks=(3,), play_outs=4, least_wins=0.0, least_gain=0.0, errors=0.0)
MATCHES = str(FOLDER / f"pit-counted{SUFFIX}")


def test_file_has_only_what_the_seat_saw() -> None:
    whole = Path(MATCHES).read_bytes()
    seats = {opening.seats for record in read_file(whole).records for opening in record.openings}
    assert (1,) in seats
    shown = read_file(find_puzzles.seen_file(whole, 0, 5).encode())
    assert len(shown.records) == 5
    assert {opening.seats for record in shown.records for opening in record.openings} <= {(), (0,), (0, 1)}


def test_program_numbers_what_it_finds_and_fails_where_that_is_too_few(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        find_puzzles, "PuzzleEffort", lambda play_outs=4: msgspec.structs.replace(EASY, play_outs=play_outs)
    )
    monkeypatch.setitem(find_puzzles.ASKED, "pit", frozenset({"movement"}))
    words = ["pit", MATCHES, "--folder", str(tmp_path), "--play-outs", "4", "--count", "3"]
    assert find_puzzles.main(words) == 1, "one for each side"
    said = capsys.readouterr().out.splitlines()
    whole = Path(MATCHES).read_bytes()
    for line, id in zip(said, ("pit-01", "pit-02"), strict=True):
        puzzle = msgspec.json.decode((tmp_path / f"{id}.json").read_bytes(), type=Puzzle)
        assert puzzle.puzzle == id
        assert line.startswith(f"{id}: {max(choice.wins for choice in puzzle.choices)} [")
        file = read_file(puzzle.file.encode())
        assert len(file.records) < len(read_file(whole).records)
        assert file.head in whole.decode(), "the chain is that of the match"
