"""The search bot: plays every promising answer on in boards that could be the true one, and keeps what ends best.

Flat Monte Carlo over information sets: the answers compared are those that the game proposes; hidden things and dice
are drawn at random, the same for every answer; the game's roll-out policy plays on to its horizon.
"""

import random
from collections.abc import Callable
from typing import Any

from diskwars_bots.search.candidates import Candidate, candidate_answers
from diskwars_bots.search.game import AnyOptions, SearchGame
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.simulation import simulate, winners_of
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import Seat

REFUSED = -1_000_000
"""Value of an answer that the rules refuse: less than that of any position."""


class SearchBot:
    """A chooser of a level. `clock` returns milliseconds; a level without them plays the same again from the same seed.

    It never runs longer than its milliseconds and one step of a simulation.
    """

    def __init__(self, game: SearchGame, level: SearchLevel, clock: Callable[[], int]) -> None:
        self._game, self._level, self._clock = game, level, clock

    def __call__(self, match: Any, decision: Decision[Any], options: AnyOptions, rng: random.Random) -> Any:
        """Choose the answer that ends best, as far as the level looks."""
        game, board = self._game, match.board
        if board is None or not game.is_searched(board, decision.question):
            return game.choose_unsearched(match, decision, options, rng)
        search = Search(game, board, decision.seat, self._level, self._clock, rng)
        candidates = candidate_answers(game, board, decision, options, rng, self._level)
        return search.best_of(candidates) if candidates else game.choose_unweighed(match, decision, options, rng)


class Search:
    """One search: passes over all candidates that are left, half of which go after a third and two thirds of it."""

    def __init__(
        self,
        game: SearchGame,
        board: Any,
        seat: Seat,
        level: SearchLevel,
        clock: Callable[[], int],
        rng: random.Random,
    ) -> None:
        self._game, self._board, self._seat = game, board, seat
        self._level, self._clock, self._rng = level, clock, rng
        self._began, self.simulations = clock(), 0

    def best_of(self, actions: list[Any]) -> Any:
        """Return the best of several answers; the first unless another is better beyond doubt."""
        return self.compare(actions)[0]

    def compare(self, actions: list[Any]) -> tuple[Any, float]:
        """Return the best of several answers, as `best_of` does, and its gain over the first beyond doubt."""
        first, *left = [Candidate(action) for action in actions]
        halvings = [1 / 3, 2 / 3]
        while any(candidate.may_be_better(first) for candidate in left) and self._pass_over([first, *left]):
            if halvings and self._used_share() >= halvings[0]:
                halvings.pop(0)
                left = sorted(left, key=lambda candidate: -sum(candidate.values))[: (len(left) + 1) // 2]
        best = max(left, key=lambda candidate: candidate.gain(first), default=first)
        gain = best.gain(first)
        return (best.action, gain) if gain > 0 else (first.action, 0.0)

    def _pass_over(self, candidates: list[Candidate]) -> bool:
        """Simulate every candidate once, from the same possible board and dice; return whether the budget lasted."""
        if self._has_expired():
            return False
        seed = self._rng.getrandbits(64)
        board = self._game.possible_board(self._board, self._seat, random.Random(seed))
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

    def _value(self, board: Any, action: Any, seed: int) -> int | None:
        """Return the value of the position that one simulation ends in; None if the budget does not last."""
        if self._has_expired():
            return None
        self.simulations += 1
        try:
            end = simulate(self._game, board, self._seat, action, random.Random(seed), self._is_late)
        except Illegal:
            return REFUSED
        return None if end is None else self._game.value(end, self._seat, winners_of(self._game, end))

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
