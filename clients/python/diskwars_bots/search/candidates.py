"""The answers that a search compares: which they are, and what their simulations have come to."""

import random
from math import sqrt
from typing import Any

from diskwars_bots.search.game import AnyOptions, SearchGame
from diskwars_bots.search.level import SearchLevel
from diskwars_protocol.match.decisions import Decision

CONFIDENCE = 1.0
"""Standard errors that are taken from the mean gain of an answer over the greedy bot's: luck must not choose."""
HOPE, MIN_PASSES = 2.0, 4
"""A search ends early if after this many passes no mean gain with this many standard errors added is above nothing."""


def candidate_answers(
    game: SearchGame, board: Any, decision: Decision[Any], options: AnyOptions, rng: random.Random, level: SearchLevel
) -> list[Any]:
    """List the answers that are worth comparing, the greedy bot's first; none if the game has no opinion."""
    width = level.width(game)
    weighed = game.proposals(board, decision, options, rng, width.per_piece)
    weighed = weighed or [(0, action) for action in options.actions]
    if level.noise:
        weighed = [pair for pair in weighed if not game.is_passing(pair[1])] or weighed
        weighed = [(value + rng.randrange(level.noise), action) for value, action in weighed]
    found: list[Any] = []
    for _, action in sorted(weighed, key=lambda pair: -pair[0]):
        if action not in found:
            found.append(action)
        if len(found) == width.answers:
            break
    return found


class Candidate:
    """An answer and the values of its simulations, in the order of the simulations."""

    def __init__(self, action: Any) -> None:
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
