"""One search: every promising answer played on in boards that could be the true one, within a budget.

Flat Monte Carlo over information sets: hidden things and dice are drawn at random, the same for every answer; the
game's roll-out policy plays on to its horizon.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

from diskwars_bots.search.candidates import Candidate
from diskwars_bots.search.game import SearchGame
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.simulation import simulate, winners_of
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.ids import Seat

REFUSED = -1_000_000
"""Value of an answer that the rules refuse: less than that of any position."""


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
        self.game, self.seat, self._board = game, seat, board
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
        drawn = self.draw_board()
        values = None if drawn is None else self.values(drawn[0], [one.action for one in candidates], drawn[1])
        if values is None:
            return False
        for candidate, value in zip(candidates, values, strict=True):
            candidate.values.append(value)
        return True

    def draw_board(self) -> tuple[Any, int] | None:
        """Return a possible board and the seed of its dice; None if there is none, or the budget is spent."""
        if self._has_expired():
            return None
        seed = self._rng.getrandbits(64)
        board = self.game.possible_board(self._board, self.seat, random.Random(seed))
        return None if board is None else (board, seed)

    def values(self, board: Any, actions: Sequence[Any], seed: int) -> list[int] | None:
        """Return what all of several answers end in with the same dice; None if the budget does not last."""
        values: list[int] = []
        for action in actions:
            value = self._value(board, action, seed)
            if value is None:
                return None  # a pass that is not complete would favour the first answers
            values.append(value)
        return values

    def _value(self, board: Any, action: Any, seed: int) -> int | None:
        """Return the value of the position that one simulation ends in; None if the budget does not last."""
        if self._has_expired():
            return None
        self.simulations += 1
        try:
            end = simulate(self.game, board, self.seat, action, random.Random(seed), self._is_late)
        except Illegal:
            return REFUSED
        return None if end is None else self.game.value(end, self.seat, winners_of(self.game, end))

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
