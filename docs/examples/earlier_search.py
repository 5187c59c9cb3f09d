"""The search bot of Diskwars of before, kept as a measure: its roll-outs weigh every place of every disk again.

`./dev league docs/examples/timed_search.py:search_500 docs/examples/earlier_search.py:earlier_500` plays the search bot
of today against it, both with 500 ms of CPU time.
"""

import random
import time
from collections.abc import Callable
from math import sqrt
from typing import Any

from diskwars_bots.rulesets.diskwars.evaluation import value_of_standing
from diskwars_bots.rulesets.diskwars.greedy_bot import best_action, choose_greedy, weigh_answers
from diskwars_bots.rulesets.diskwars.random_bot import choose_random
from diskwars_bots.rulesets.diskwars.simulation import diskwars_rules, possible_board, winners_of
from diskwars_bots.rulesets.diskwars.situation import QUICK_EFFORT, FightingDisk, SeenDisk, Situation
from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.ruleset import Illegal, Outcome
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import SALT_BYTES
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions

WIDTHS = ((150, 4, 1), (600, 8, 2), (2000, 16, 3))
"""Up to a budget in milliseconds: how many answers are compared, and how many moves of one disk."""
REFUSED = -1_000_000
CONFIDENCE, HOPE, MIN_PASSES = 1.0, 2.0, 4
MAX_STEPS = 400
WON, ELIMINATED, RESERVE_SHARE, STANDING_SHARE = 800, 1500, 70, 50


def _thread_milliseconds() -> int:
    return time.thread_time_ns() // 1_000_000


class Candidate:
    """An answer and the values of its simulations."""

    def __init__(self, action: a.Action) -> None:
        self.action = action
        self.values: list[int] = []

    def gain(self, other: "Candidate") -> float:
        """Return the mean gain over another candidate, less its standard error."""
        mean, error = self._gain_and_error(other)
        return mean - CONFIDENCE * error

    def may_be_better(self, other: "Candidate") -> bool:
        """Return whether it may still turn out better than another candidate."""
        mean, error = self._gain_and_error(other)
        return len(self.values) < MIN_PASSES or mean + HOPE * error > 0

    def _gain_and_error(self, other: "Candidate") -> tuple[float, float]:
        differences = [value - theirs for value, theirs in zip(self.values, other.values, strict=False)]
        count = len(differences)
        if count < 2:
            return 0.0, 0.0
        mean = sum(differences) / count
        variance = sum((difference - mean) ** 2 for difference in differences) / (count - 1)
        return mean, sqrt(variance / count)


class EarlierSearch:
    """A chooser with a budget in milliseconds of CPU time."""

    def __init__(self, milliseconds: int, clock: Callable[[], int] = _thread_milliseconds) -> None:
        self._milliseconds, self._clock = milliseconds, clock
        self.simulations = 0

    def __call__(
        self, match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions, rng: random.Random
    ) -> a.Action:
        board = match.board
        if board is None or board.phase == "setup":
            return choose_greedy(match, decision, options, rng)
        self._began = self._clock()
        actions = self._candidates(board, decision, options, rng)
        if not actions:
            return choose_random(match, decision, options, rng)
        first, *left = [Candidate(action) for action in actions]
        halvings = [1 / 3, 2 / 3]
        while any(one.may_be_better(first) for one in left) and self._pass(board, decision.seat, [first, *left], rng):
            if halvings and self._used_share() >= halvings[0]:
                halvings.pop(0)
                left = sorted(left, key=lambda one: -sum(one.values))[: (len(left) + 1) // 2]
        best = max(left, key=lambda one: one.gain(first), default=first)
        return best.action if best.gain(first) > 0 else first.action

    def _candidates(
        self, board: Board, decision: Decision[a.Question], options: DiskwarsOptions, rng: random.Random
    ) -> list[a.Action]:
        _, answers, per_disk = next((width for width in WIDTHS if self._milliseconds <= width[0]), WIDTHS[-1])
        scored = weigh_answers(Situation(board, decision.seat), decision.question, options, rng, per_disk)
        scored = scored or [(0, action) for action in options.actions]
        found: list[a.Action] = []
        for _, action in sorted(scored, key=lambda pair: -pair[0]):
            if action not in found:
                found.append(action)
        return found[:answers]

    def _pass(self, board: Board, seat: Seat, candidates: list[Candidate], rng: random.Random) -> bool:
        if self._used_share() >= 1:
            return False
        seed = rng.getrandbits(64)
        possible = possible_board(board, seat, random.Random(seed))
        if possible is None:
            return False
        values: list[int] = []
        for candidate in candidates:
            value = self._value(possible, seat, candidate.action, seed)
            if value is None:
                return False
            values.append(value)
        for candidate, value in zip(candidates, values, strict=True):
            candidate.values.append(value)
        return True

    def _value(self, board: Board, seat: Seat, action: a.Action, seed: int) -> int | None:
        if self._used_share() >= 1:
            return None
        self.simulations += 1
        try:
            end = earlier_simulation(board, seat, action, random.Random(seed), lambda: self._used_share() >= 1)
        except Illegal:
            return REFUSED
        return None if end is None else earlier_value(end, seat)

    def _used_share(self) -> float:
        return (self._clock() - self._began) / self._milliseconds


def earlier_simulation(
    board: Board, seat: Seat, action: a.Action, rng: random.Random, has_expired: Callable[[], bool]
) -> Board | None:
    """Return the board when the round after an answer is over, or the match; None if time runs out before."""
    rules, dice = diskwars_rules(), QuickDice(rng, len(board.sides))
    seen: list[dict[int, SeenDisk]] = [{} for _ in board.sides]
    question = next(question for asked, question in rules.questions(board) if asked == seat)
    outcome: Outcome[Any, Any] = rules.decide(board, seat, question, _with_salt(action, rng), dice)
    for _ in range(MAX_STEPS):
        if not outcome.questions or outcome.board.round > board.round:
            break
        if has_expired():
            return None
        now, (asked, question) = outcome.board, outcome.questions[0]
        answer = _quick_answer(now, asked, question, rng, seen[asked])
        if answer is None:
            answer = rules.default(now, asked, question, dice)
        try:
            outcome = rules.decide(now, asked, question, _with_salt(answer, rng), dice)
        except Illegal:
            outcome = rules.decide(now, asked, question, rules.default(now, asked, question, dice), dice)
    end: Board = outcome.board
    return end


def _quick_answer(
    board: Board, seat: Seat, question: a.Question, rng: random.Random, seen: dict[int, SeenDisk]
) -> a.Action | None:
    options = diskwars_rules().options(board, seat, question)
    if len(options.actions) == 1 and not options.parametric:
        action: a.Action = options.actions[0]
        return action
    scored = weigh_answers(Situation(board, seat, QUICK_EFFORT, seen), question, options, rng)
    return best_action(scored) if scored else None


def _with_salt(action: a.Action, rng: random.Random) -> Any:
    return diskwars_rules().vocabulary.with_secrets(action, lambda: rng.randbytes(SALT_BYTES).hex(), lambda: "")


def earlier_value(board: Board, seat: Seat) -> int:
    """Return the value of a position in hundredths of a victory point."""
    winners = winners_of(board)
    if winners is not None:
        if board.phase != "over":
            return ELIMINATED if seat in winners else -ELIMINATED
        rivals = [side.points for side in board.sides if side.seat != seat]
        return 100 * (board.sides[seat].points - max(rivals)) + (WON if seat in winners else -WON)
    others = [side.seat for side in board.sides if side.seat != seat and not side.eliminated]
    own = Situation(board, seat)
    value = _worth(own.own) + _standing(own) - _worth(own.enemies) // max(1, len(others))
    for other in others:
        value -= _standing(Situation(board, other)) // len(others)
        value -= _reserve(own, other) // len(others)
    return value + _reserve(own, seat)


def _worth(fighters: list[FightingDisk]) -> int:
    return sum(fighter.worth * (fighter.lives + 1) // (fighter.profile.stamina + 2) for fighter in fighters)


def _standing(situation: Situation) -> int:
    return sum(value_of_standing(situation, fighter) for fighter in situation.own) * STANDING_SHARE // 100


def _reserve(situation: Situation, seat: Seat) -> int:
    waiting = [situation.board.profile(disk.id) for disk in position.reserve_disks(situation.board, seat)]
    return sum(situation.worth(profile, seat == situation.seat) for profile in waiting) * RESERVE_SHARE // 100


earlier_100, earlier_250, earlier_500 = (EarlierSearch(budget) for budget in (100, 250, 500))
