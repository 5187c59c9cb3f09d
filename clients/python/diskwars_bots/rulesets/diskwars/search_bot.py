"""The search bot: plays every promising answer on in boards that could be the true one, and keeps what ends best.

Flat Monte Carlo over information sets: the answers compared are those that the greedy bot thinks best; hidden things
and dice are drawn at random, the same for every answer; the greedy bot plays on to the end of the round.
"""

import random
from collections.abc import Callable
from math import sqrt

from msgspec import Struct

from diskwars_bots.rulesets.diskwars.greedy_bot import choose_greedy, weigh_answers
from diskwars_bots.rulesets.diskwars.position_value import position_value
from diskwars_bots.rulesets.diskwars.random_bot import choose_random
from diskwars_bots.rulesets.diskwars.simulation import possible_board, simulate, winners_of
from diskwars_bots.rulesets.diskwars.situation import Situation
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions

WIDTHS = ((150, 4, 1), (600, 8, 2))
"""Budgets in milliseconds, each with how many answers are compared up to it, and how many moves of one disk among them.

A small budget is spent on few answers: each has to be simulated several times before it stands out from luck.
"""
MAX_CANDIDATES, MOVES_PER_DISK = 16, 3
"""The same for larger budgets."""
UNSEARCHED_WIDTH = 10, 2
"""The same without a search: noise picks among these."""
MILLISECONDS_PER_SIMULATION = 16
"""The mean duration of a simulation on one core, for budgets that count simulations."""
REFUSED = -1_000_000
"""Value of an answer that the rules refuse: less than that of any position."""
CONFIDENCE = 1.0
"""Standard errors that are taken from the mean gain of an answer over the greedy bot's: luck must not choose."""
HOPE, MIN_PASSES = 2.0, 4
"""A search ends early if after this many passes no mean gain with this many standard errors added is above nothing."""


class SearchLevel(Struct, frozen=True):
    """The effort of a bot: simulations and milliseconds for each decision, each 0 for no limit, both 0 for no search.

    `noise` is added at random to the values of answers before the best of them are picked, up to as many hundredths of
    a victory point: without a search it makes a bot that overlooks things.
    """

    simulations: int = 0
    milliseconds: int = 0
    noise: int = 0

    @property
    def width(self) -> tuple[int, int]:
        """Return how many answers are compared at most, and how many moves of one disk among them."""
        budget = max(self.milliseconds, self.simulations * MILLISECONDS_PER_SIMULATION)
        if not budget:
            return UNSEARCHED_WIDTH
        return next(
            ((most, moves) for limit, most, moves in WIDTHS if budget <= limit), (MAX_CANDIDATES, MOVES_PER_DISK)
        )


class SearchBot:
    """A chooser of a level. `clock` returns milliseconds; a level without them plays the same again from the same seed.

    It never runs longer than its milliseconds and one step of a simulation.
    """

    def __init__(self, level: SearchLevel, clock: Callable[[], int]) -> None:
        self._level, self._clock = level, clock

    def __call__(
        self, match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions, rng: random.Random
    ) -> a.Action:
        """Choose the answer that ends best, as far as the level looks. The setup is left to the greedy bot."""
        board = match.board
        if board is None or board.phase == "setup":
            return choose_greedy(match, decision, options, rng)
        search = Search(board, decision.seat, self._level, self._clock, rng)
        candidates = candidate_answers(board, decision, options, rng, self._level)
        return search.best_of(candidates) if candidates else choose_random(match, decision, options, rng)


def candidate_answers(
    board: Board, decision: Decision[a.Question], options: DiskwarsOptions, rng: random.Random, level: SearchLevel
) -> list[a.Action]:
    """List the answers that are worth comparing, the greedy bot's first; none if the greedy bot has no opinion."""
    most, moves_per_disk = level.width
    scored = weigh_answers(Situation(board, decision.seat), decision.question, options, rng, moves_per_disk)
    scored = scored or [(0, action) for action in options.actions]
    if level.noise:
        scored = [(value + rng.randrange(level.noise), action) for value, action in scored]
    best_first = sorted(scored, key=lambda pair: -pair[0])
    return [action for _, action in best_first[:most]]


class Candidate:
    """An answer and the values of its simulations, in the order of the simulations."""

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
        """Return the mean gain over another candidate and its standard error, 0 before the second simulation."""
        differences = [value - theirs for value, theirs in zip(self.values, other.values, strict=False)]
        count = len(differences)
        if count < 2:
            return 0.0, 0.0
        mean = sum(differences) / count
        variance = sum((difference - mean) ** 2 for difference in differences) / (count - 1)
        return mean, sqrt(variance / count)


class Search:
    """One search: passes over all candidates that are left, half of which go after a third and two thirds of it."""

    def __init__(
        self, board: Board, seat: Seat, level: SearchLevel, clock: Callable[[], int], rng: random.Random
    ) -> None:
        self._board, self._seat, self._level, self._clock, self._rng = board, seat, level, clock, rng
        self._began, self.simulations = clock(), 0

    def best_of(self, actions: list[a.Action]) -> a.Action:
        """Return the best of several answers; the first unless another is better beyond doubt."""
        first, *left = [Candidate(action) for action in actions]
        halvings = [1 / 3, 2 / 3]
        while any(candidate.may_be_better(first) for candidate in left) and self._pass_over([first, *left]):
            if halvings and self._used_share() >= halvings[0]:
                halvings.pop(0)
                left = sorted(left, key=lambda candidate: -sum(candidate.values))[: (len(left) + 1) // 2]
        best = max(left, key=lambda candidate: candidate.gain(first), default=first)
        return best.action if best.gain(first) > 0 else first.action

    def _pass_over(self, candidates: list[Candidate]) -> bool:
        """Simulate every candidate once, from the same possible board and dice; return whether the budget lasted."""
        if self._has_expired():
            return False
        seed = self._rng.getrandbits(64)
        board = possible_board(self._board, self._seat, random.Random(seed))
        if board is None:
            return False
        values: list[int] = []
        for candidate in candidates:
            value = self._value(board, candidate.action, seed)
            if value is None:
                return False  # a pass that is not complete would favour the first candidates
            values.append(value)
        for candidate, value in zip(candidates, values, strict=True):
            candidate.values.append(value)
        return True

    def _value(self, board: Board, action: a.Action, seed: int) -> int | None:
        """Return the value of the position that one simulation ends in; None if the budget does not last."""
        if self._has_expired():
            return None
        self.simulations += 1
        try:
            end = simulate(board, self._seat, action, random.Random(seed), self._is_late)
        except Illegal:
            return REFUSED
        return None if end is None else position_value(end, self._seat, winners_of(end))

    def _used_share(self) -> float:
        level, share = self._level, 0.0
        if not level.simulations and not level.milliseconds:
            return 1.0
        if level.simulations:
            share = self.simulations / level.simulations
        if level.milliseconds:
            share = max(share, (self._clock() - self._began) / level.milliseconds)
        return share

    def _has_expired(self) -> bool:
        return self._used_share() >= 1

    def _is_late(self) -> bool:
        """Return whether a simulation has to break off: a number of simulations counts whole ones."""
        return bool(self._level.milliseconds) and self._has_expired()
