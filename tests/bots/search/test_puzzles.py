"""Puzzles in a played match: the answers are different deeds, and one is clearly better."""

from functools import cache

from msgspec.structs import replace

from diskwars_bots.rulesets.pit.search_game import PIT_GAME
from diskwars_bots.search.puzzles import FoundPuzzle, PuzzleEffort, deed_of, find_puzzles
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.pit.actions import EndPhase, Engage, Move, MoveQuestion
from tests.bots.search.test_review import golden

EASY = PuzzleEffort(looks=(3,), play_outs=5, least_wins=0.0, least_gain=0.0, errors=0.0)
"""Nearly every decision is a puzzle."""
ASKED = frozenset({"movement"})


@cache
def find(seat: Seat, effort: PuzzleEffort = EASY, asked: frozenset[str] = ASKED) -> list[FoundPuzzle]:
    return _find(seat, effort, asked)


def _find(seat: Seat, effort: PuzzleEffort, asked: frozenset[str]) -> list[FoundPuzzle]:
    return list(find_puzzles(PIT_GAME, golden("pit-counted"), seat, asked, effort))


def test_puzzle_names_a_decision_of_the_seat_and_different_deeds_best_first() -> None:
    found = find(0)
    assert found
    for puzzle in found:
        assert golden("pit-counted").body(puzzle.seq).decision == puzzle.decision.id
        assert puzzle.decision.seat == 0
        assert EASY.least_choices <= len(puzzle.answers) <= EASY.choices
        assert len({deed_of(answer) for answer in puzzle.answers}) == len(puzzle.answers)
        assert list(puzzle.chances) == sorted(puzzle.chances, reverse=True)


def test_only_the_questions_that_are_asked_for_make_puzzles() -> None:
    assert find(0, asked=frozenset()) == []
    assert {type(puzzle.decision.question) for puzzle in find(0)} == {MoveQuestion}


def test_puzzle_that_is_not_clear_is_left_out() -> None:
    clear = find(0, replace(EASY, least_gain=0.25))
    assert len(clear) < len(find(0))
    assert all(puzzle.chances[0] - puzzle.chances[1] >= 0.25 for puzzle in clear)
    assert find(0, replace(EASY, least_wins=1.01)) == []
    assert find(0, replace(EASY, errors=1000.0, least_gain=0.01)) == []


def test_same_effort_finds_the_same_puzzles() -> None:
    assert find(0) == _find(0, EASY, ASKED)


def test_answers_that_end_elsewhere_are_one_deed() -> None:
    assert deed_of(Move(3, 4, 5)) == deed_of(Move(3, 9, 9))
    assert len({deed_of(one) for one in (Move(3, 4, 5), Move(2, 4, 5), Engage(3, 4, 5), EndPhase())}) == 4
