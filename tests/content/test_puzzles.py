"""The puzzles that are shipped: each is a position of a match with answers of which one is far better."""

from datetime import date, timedelta

import pytest

from diskwars_bots.rulesets.registry import find_bots
from diskwars_bots.search.puzzles import PuzzleEffort, deed_of, play_outs_of
from diskwars_bots.search.review import ReviewedDecision
from diskwars_cli.content.puzzles import PosedPuzzle
from diskwars_content.puzzles import FIRST_DAY, UnknownPuzzle, load_puzzle, puzzle_ids, puzzle_of_day
from diskwars_protocol.messages.reviews import PER_MILLE
from diskwars_protocol.records.match_file import read_file
from diskwars_protocol.rulesets.registry import RULESETS

GAMES = ("close-quarters", "diskwars", "pit", "regiments")
EFFORT = PuzzleEffort()
PLAY_OUTS = 40
"""Of each answer of the puzzle of each game that is played out again; those that are shown have 1,000."""


@pytest.mark.parametrize("id", puzzle_ids())
def test_puzzle_is_open_for_its_seat_and_its_answers_are_different_deeds(id: str) -> None:
    puzzle = load_puzzle(id)
    posed = PosedPuzzle(puzzle)
    assert (puzzle.puzzle, puzzle.ruleset in RULESETS) == (id, True)
    assert posed.decision.seat == puzzle.seat
    assert len({deed_of(action) for action in posed.actions}) == len(set(posed.answers)) == len(puzzle.choices) >= 3


@pytest.mark.parametrize("id", puzzle_ids())
def test_best_answer_is_far_better_than_the_others(id: str) -> None:
    puzzle = load_puzzle(id)
    best, second = sorted((choice.wins for choice in puzzle.choices), reverse=True)[:2]
    assert puzzle.play_outs >= EFFORT.play_outs
    assert best >= PER_MILLE * EFFORT.least_wins
    # Each of the three figures was rounded.
    assert best - second >= PER_MILLE * EFFORT.least_gain - 1
    assert best - second >= EFFORT.errors * (puzzle.error - 0.5) - 1


@pytest.mark.parametrize("id", puzzle_ids())
def test_file_of_a_puzzle_has_nothing_that_its_seat_could_not_see(id: str) -> None:
    puzzle = load_puzzle(id)
    file = read_file(puzzle.file.encode())
    openings = [opening for record in file.records for opening in record.openings]
    assert all(not opening.seats or puzzle.seat in opening.seats for opening in openings)
    assert file.unfinished_at == len(file.records)


@pytest.mark.parametrize("game", GAMES)
def test_answer_is_still_the_best_with_other_dice(game: str) -> None:
    """The rules or the policies may have changed since: then the puzzles have to be found again."""
    puzzle = load_puzzle(next(id for id in puzzle_ids() if id.startswith(game)))
    posed, search = PosedPuzzle(puzzle), find_bots(puzzle.ruleset).game
    assert search is not None
    moment = ReviewedDecision(posed.replay.last + 1, posed.match, posed.decision, None)
    wins = play_outs_of(search, moment, posed.actions, PLAY_OUTS, "again")
    assert wins is not None
    assert max(range(len(wins)), key=lambda place: sum(wins[place])) == puzzle.best


def test_every_game_has_puzzles_and_they_take_turns() -> None:
    games = [id.rpartition("-")[0] for id in puzzle_ids()]
    assert set(games) == set(GAMES)
    assert sorted(games[: len(GAMES)]) == sorted(GAMES)


def test_each_day_has_its_puzzle_and_the_first_comes_after_the_last() -> None:
    ids = puzzle_ids()
    days = [puzzle_of_day(FIRST_DAY + timedelta(days=number)) for number in range(len(ids) + 1)]
    assert days == [*ids, ids[0]]
    assert puzzle_of_day(date(2025, 12, 31)) == ids[-1]
    assert puzzle_of_day() in ids


@pytest.mark.parametrize("id", ["chess-01", "", "../puzzles", "pit-1"])
def test_unknown_puzzle_is_refused(id: str) -> None:
    with pytest.raises(UnknownPuzzle):
        load_puzzle(id)
