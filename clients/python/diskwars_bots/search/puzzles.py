"""Puzzles in a played match: decisions of a seat at which one answer wins far more often than all others.

Answers that do the same with the same pieces count as one, the first that the game proposes. Each is played out to the
end of the match, by the roll-out policy of the game for every seat, from the same possible boards and with the same
dice; the last, longest look has dice of its own.
"""

import random
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any

import msgspec
from msgspec import Struct

from diskwars_bots.search.candidates import candidate_answers
from diskwars_bots.search.game import SearchGame
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.review import ReviewedDecision, moments_of
from diskwars_bots.search.simulation import play_out
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.replay import Replay

PLACES = frozenset({"x", "y", "path", "moves", "disks", "salt", "seat_nonce", "at", "end_activation", "over_own_disks"})
"""Fields of answers that say where something ends, and how it gets there."""


class PuzzleEffort(Struct, frozen=True):
    """What finding a puzzle may cost, and how clear it has to be.

    Each of the `looks`, a number of play-outs of each answer, has to find one ahead; the first leaves the best
    `choices`. Then come `play_outs` of each, with other dice, which are what is shown: the best has to win at least
    `least_wins` of them, and `least_gain` more than the second, which is at least `errors` standard errors.
    """

    looks: tuple[int, ...] = (6, 24, 100)
    play_outs: int = 1000
    answers: int = 10
    choices: int = 4
    least_choices: int = 3
    least_wins: float = 0.35
    least_gain: float = 0.15
    errors: float = 4.0
    seed: int = 1


class FoundPuzzle(Struct, frozen=True):
    """A decision with the answers to choose from, best first, and the parts of all play-outs that each won.

    `error` is the standard error of the gain of the first over the second.
    """

    seq: int
    decision: Decision[Any]
    answers: tuple[Any, ...]
    chances: tuple[float, ...]
    error: float


def find_puzzles(
    game: SearchGame, replay: Replay, seat: Seat, asked: frozenset[str], effort: PuzzleEffort | None = None
) -> Iterator[FoundPuzzle]:
    """Yield the puzzles of a match for a seat, in its order, from the questions of the types that are `asked`.

    Raises `ReplayError` where the match cannot be seen so.
    """
    effort = effort or PuzzleEffort()
    for moment in moments_of(game, replay.seen_by(seat), seat):
        is_asked = msgspec.to_builtins(moment.decision.question)["type"] in asked
        found = _find_puzzle(game, moment, effort) if is_asked else None
        if found is not None:
            yield found


class _Look(Struct, frozen=True):
    """Answers, best first, and what they won."""

    answers: list[Any]
    chances: list[float]
    gain: float
    error: float
    has_led: bool
    """Whether the best was the first before."""


def _find_puzzle(game: SearchGame, moment: ReviewedDecision, effort: PuzzleEffort) -> FoundPuzzle | None:
    answers = _different_answers(game, moment, effort)
    for count in effort.looks:
        look = _look(game, moment, effort, answers, count)
        if look is None:
            return None
        answers = look.answers
    look = _look(game, moment, effort, answers, effort.play_outs)
    if look is None or not look.has_led or look.gain < effort.errors * look.error:
        return None  # the looks before were lucky
    return FoundPuzzle(moment.seq, moment.decision, tuple(look.answers), tuple(look.chances), look.error)


def _look(
    game: SearchGame, moment: ReviewedDecision, effort: PuzzleEffort, answers: Sequence[Any], count: int
) -> _Look | None:
    """Play the answers out, and return the best of them; None where none is far enough ahead."""
    if len(answers) < effort.least_choices:
        return None
    wins = play_outs_of(game, moment, answers, count, f"{effort.seed}/{moment.seq}/{count}")
    if wins is None:
        return None
    chances = [sum(own) / count for own in wins]
    order = sorted(range(len(answers)), key=lambda place: (-chances[place], place))[: effort.choices]
    gain, error = _gain(wins[order[0]], wins[order[1]])
    if chances[order[0]] < effort.least_wins or gain < effort.least_gain:
        return None
    return _Look([answers[place] for place in order], [chances[place] for place in order], gain, error, order[0] == 0)


def _different_answers(game: SearchGame, moment: ReviewedDecision, effort: PuzzleEffort) -> list[Any]:
    """Return what the search would compare, the first of those that do the same with the same pieces."""
    rng = random.Random(f"{effort.seed}/{moment.seq}/puzzle")
    board, seat = moment.match.board, moment.decision.seat
    possible = game.possible_board(board, seat, rng)
    if possible is None:
        return []
    options = game.rules().options(possible, seat, moment.decision.question)
    level = SearchLevel(simulations=100 * effort.answers)
    found: dict[str, Any] = {}
    for action in candidate_answers(game, board, moment.decision, options, rng, level):
        found.setdefault(deed_of(action), action)
    return list(found.values())[: effort.answers]


def deed_of(action: Any) -> str:
    """Return what an answer does with which pieces, wherever that is: the same text for the same deed."""
    deed = {name: value for name, value in msgspec.to_builtins(action).items() if name not in PLACES}
    return msgspec.json.encode(deed, order="sorted").decode()


def play_outs_of(
    game: SearchGame, moment: ReviewedDecision, answers: Sequence[Any], count: int, seed: str
) -> list[list[float]] | None:
    """Return what each answer won in a number of play-outs; None if the rules refuse one, or no board is possible."""
    board, seat = moment.match.board, moment.decision.seat
    wins: list[list[float]] = [[] for _ in answers]
    for number in range(count):
        dice = f"{seed}/{number}"
        possible = game.possible_board(board, seat, random.Random(dice))
        if possible is None:
            return None
        for own, action in zip(wins, answers, strict=True):
            won = play_out(game, possible, seat, action, random.Random(dice))
            if won is None:
                return None
            own.append(won)
    return wins


def _gain(best: list[float], second: list[float]) -> tuple[float, float]:
    """Return the mean gain of one answer over another in the same play-outs, and its standard error."""
    gains = [one - other for one, other in zip(best, second, strict=True)]
    mean = sum(gains) / len(gains)
    spread = sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1)
    return mean, sqrt(spread / len(gains))
