"""The review of a match: the moments at which a search would have done something else, and how much better that is.

A search looks at each decision of the seat, as it stood and with no more than the seat knew. Where it prefers another
answer, both are played out to the end of the match many times, by the roll-out policy of the game for every seat and
with the same dice. The play-outs are other ones than those of the search, so that an answer it found by luck falls out.
"""

import random
from collections.abc import Iterator
from math import sqrt
from typing import Any

from msgspec import Struct

from diskwars_bots.search.candidates import candidate_answers
from diskwars_bots.search.game import SearchGame
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.search import Search
from diskwars_bots.search.simulation import play_out
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.match_fold import CountingRecords
from diskwars_protocol.match.replay import Replay
from diskwars_protocol.match.state import AnyMatch

BEYOND_CHANCE = 2.0
"""Standard errors by which the play-outs have to prefer another answer."""
TRIED_PER_LESSON = 2
"""How many moments are played out for each that may be shown: the search is wrong about some."""


class ReviewEffort(Struct, frozen=True):
    """What a review may cost: `decisions` of the seat with `simulations` each, then `play_outs` of two answers each.

    Of more decisions as many are looked at, evenly spread. The same effort, seed and match give the same review.
    """

    simulations: int = 60
    play_outs: int = 100
    decisions: int = 60
    lessons: int = 3
    seed: int = 1


class Lesson(Struct, frozen=True):
    """A moment: record `seq` says what the seat did, and the search would have done `better`.

    The position is that after the record before. `chance` and `better_chance` are the parts of all play-outs that the
    seat won with either; `error` is the standard error of their difference.
    """

    seq: int
    decision: Decision[Any]
    done: Any
    better: Any
    chance: float
    better_chance: float
    error: float

    @property
    def gain(self) -> float:
        return self.better_chance - self.chance


class ReviewedDecision(Struct, frozen=True):
    """A decision of the seat, with what it saw and what it did."""

    seq: int
    match: AnyMatch
    decision: Decision[Any]
    done: Any


def review(game: SearchGame, replay: Replay, seat: Seat, effort: ReviewEffort | None = None) -> tuple[Lesson, ...]:
    """Return the moments at which the search would have done clearly better, in the order of the match.

    Raises `ReplayError` where the match cannot be seen as the seat saw it.
    """
    effort = effort or ReviewEffort()
    moments = list(moments_of(game, replay.seen_by(seat), seat))
    found = []
    for moment in _spread(moments, effort.decisions):
        better, gain = _search(game, moment, effort)
        if gain > 0:
            found.append((gain, moment, better))
    found.sort(key=lambda entry: (-entry[0], entry[1].seq))
    tried = [
        _played_out(game, moment, better, effort) for _, moment, better in found[: TRIED_PER_LESSON * effort.lessons]
    ]
    clear = sorted(
        (lesson for lesson in tried if lesson.gain > BEYOND_CHANCE * lesson.error), key=lambda lesson: -lesson.gain
    )
    return tuple(sorted(clear[: effort.lessons], key=lambda lesson: lesson.seq))


def moments_of(game: SearchGame, replay: Replay, seat: Seat) -> Iterator[ReviewedDecision]:
    """Yield the decisions that the seat itself made and that are worth a search; what was taken back is left out."""
    undone = _undone(replay)
    for seq in range(2, replay.last + 1):
        body = replay.body(seq)
        if body.seat != seat or body.actor is not None or body.decision is None or seq in undone:
            continue
        before = replay.state(seq - 1)
        decision = next((one for one in before.decisions if one.id == body.decision), None)
        if decision is None or before.board is None or not game.is_reviewed(before.board, decision.question):
            continue
        yield ReviewedDecision(seq, before, decision, body.action)


def _undone(replay: Replay) -> set[int]:
    """Return the records that were taken back."""
    counting, undone = CountingRecords(), set[int]()
    for seq in range(1, replay.last + 1):
        back = replay.body(seq).taken_back_to
        if back is not None:
            undone.update(counting.take_back(seq, back))
        counting.add(seq)
    return undone


def _spread(moments: list[ReviewedDecision], count: int) -> list[ReviewedDecision]:
    """Return a number of the moments at most, evenly spread."""
    if len(moments) <= count:
        return moments
    return [moments[place * len(moments) // count] for place in range(count)]


def _search(game: SearchGame, moment: ReviewedDecision, effort: ReviewEffort) -> tuple[Any, float]:
    """Return what the search would do instead, and its gain; what was done and 0 where that is as good."""
    rng = random.Random(f"{effort.seed}/{moment.seq}/search")
    board, seat = moment.match.board, moment.decision.seat
    possible = game.possible_board(board, seat, rng)
    if possible is None:
        return moment.done, 0.0
    level = SearchLevel(simulations=effort.simulations)
    options = game.rules().options(possible, seat, moment.decision.question)
    others = [
        action
        for action in candidate_answers(game, board, moment.decision, options, rng, level)
        if _without_secrets(game, action) != _without_secrets(game, moment.done)
    ]
    return Search(game, board, seat, level, lambda: 0, rng).compare([moment.done, *others])


def _played_out(game: SearchGame, moment: ReviewedDecision, better: Any, effort: ReviewEffort) -> Lesson:
    """Play both answers out from the same possible boards with the same dice; without any, the error is 1."""
    board, seat = moment.match.board, moment.decision.seat
    pairs: list[tuple[float, float]] = []
    for number in range(effort.play_outs):
        seed = f"{effort.seed}/{moment.seq}/{number}"
        possible = game.possible_board(board, seat, random.Random(seed))
        if possible is None:
            break
        done, other = (play_out(game, possible, seat, action, random.Random(seed)) for action in (moment.done, better))
        if done is None or other is None:
            break
        pairs.append((done, other))
    count = max(1, len(pairs))
    chance, better_chance = (sum(pair[which] for pair in pairs) / count for which in (0, 1))
    gain = better_chance - chance
    spread = sum((other - done - gain) ** 2 for done, other in pairs) / max(1, len(pairs) - 1)
    error = sqrt(spread / count) if len(pairs) > 1 else 1.0
    return Lesson(moment.seq, moment.decision, moment.done, better, chance, better_chance, error)


def _without_secrets(game: SearchGame, action: Any) -> Any:
    """Return an answer with a salt and a nonce that are the same for all."""
    return game.rules().vocabulary.with_secrets(action, lambda: "", lambda: "")
