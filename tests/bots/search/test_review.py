"""The review finds what a seat threw away, with no more than the seat knew, within its effort."""

from functools import cache
from typing import Any

from diskwars_bots.rulesets.diskwars.search_game import DiskwarsGame
from diskwars_bots.rulesets.pit.search_game import PIT_GAME, PitGame, QuickPitPolicy
from diskwars_bots.search.review import TRIED_PER_LESSON, ReviewEffort, moments_of, review
from diskwars_client.replays import replay_file
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.replay import Replay
from diskwars_protocol.rulesets.pit.board import PitBoard
from tests.golden.write_files import FOLDER, SUFFIX

EFFORT = ReviewEffort(simulations=20, play_outs=40, decisions=8, seed=3)


@cache
def golden(name: str) -> Replay:
    return replay_file((FOLDER / f"{name}{SUFFIX}").read_bytes())


def test_review_names_at_most_three_moments_and_what_would_have_been_clearly_better() -> None:
    lessons = review(PIT_GAME, golden("pit-counted"), 0, EFFORT)
    assert 1 <= len(lessons) <= 3
    assert [lesson.seq for lesson in lessons] == sorted({lesson.seq for lesson in lessons})
    for lesson in lessons:
        body = golden("pit-counted").body(lesson.seq)
        assert (body.seat, body.action) == (0, lesson.done)
        assert lesson.better != lesson.done
        assert lesson.gain > 2 * lesson.error > 0


def test_same_effort_gives_the_same_review_and_another_seed_other_dice() -> None:
    first, again = (review(PIT_GAME, golden("pit-counted"), 0, EFFORT) for _ in range(2))
    other = review(PIT_GAME, golden("pit-counted"), 0, ReviewEffort(20, 40, 8, seed=4))
    assert first == again
    assert [lesson.better_chance for lesson in first] != [lesson.better_chance for lesson in other]


class CountingGame(PitGame):
    """Counts the simulations: each asks for a policy."""

    def __init__(self) -> None:
        self.count = 0

    def policy(self, board: PitBoard) -> QuickPitPolicy:
        self.count += 1
        return super().policy(board)


def test_review_costs_no_more_than_its_effort() -> None:
    game = CountingGame()
    review(game, golden("pit-counted"), 0, EFFORT)
    searched = EFFORT.decisions * (EFFORT.simulations + max(width.answers for width in game.widths))
    assert 0 < game.count <= searched + 2 * EFFORT.play_outs * TRIED_PER_LESSON * EFFORT.lessons


class WatchingGame(DiskwarsGame):
    """Keeps the boards that it is asked about."""

    def __init__(self) -> None:
        self.boards: list[Any] = []

    def possible_board(self, board: Any, seat: Seat, rng: Any) -> Any:
        self.boards.append(board)
        return super().possible_board(board, seat, rng)


def test_review_sees_no_more_than_the_seat_did() -> None:
    game, whole = WatchingGame(), golden("diskwars-points")
    review(game, whole, 0, ReviewEffort(simulations=2, play_outs=2, decisions=3, lessons=1))
    rules = game.rules()
    states = [whole.state(seq) for seq in range(1, whole.last + 1)]
    views = [rules.view(state.board, 0) for state in states if state.board is not None]
    assert game.boards
    assert all(board in views for board in game.boards)
    assert any(board not in [state.board for state in states] for board in game.boards)


def test_answers_that_the_house_gave_are_not_reviewed() -> None:
    replay = golden("pit-absence")
    houses = {seq for seq in range(1, replay.last + 1) if replay.body(seq).actor == "house"}
    reviewed = {moment.seq for seat in (0, 1) for moment in moments_of(PIT_GAME, replay, seat)}
    assert houses
    assert reviewed
    assert not houses & reviewed
