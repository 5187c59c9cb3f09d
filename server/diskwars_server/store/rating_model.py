"""The model of ratings: Bradley and Terry between sides, in the form of Weng and Lin (2011).

Every two sides of a match are compared. Sides that share the first place are not: a shared win says nothing about which
of them is stronger, and so no winner loses by it. In a draw of all, every two are compared as equal.
"""

import math
from collections.abc import Sequence
from itertools import permutations

from msgspec import Struct

MODEL_VERSION = 7
"""Raised with every change of what a match does to ratings, or of which matches do; stored ratings follow by a rebuild.

1 was the model of Plackett and Luce, with every player of a match against every other. 7 rates as 6 does, and keeps
what each match made of a rating.
"""
START_MU = 25.0
START_SIGMA = START_MU / 3
MIN_SIGMA = 1.0
"""Ratings go on following a player whose strength changes, and no deviation grows, so a win lowers no shown rating."""
LUCK = START_SIGMA
"""The deviation of one player in one match. With half of it, three wins and then two losses end below the opponent."""


class Skill(Struct, frozen=True):
    """The strength of a player: a mean and its deviation."""

    mu: float = START_MU
    sigma: float = START_SIGMA


NEW_SKILL = Skill()


def rate(sides: Sequence[Sequence[Skill]], places: Sequence[int]) -> list[list[Skill]]:
    """Return the skills after a match. `places` are those of the sides: equal ones are shared, and 1 is the first.

    A side is as strong as its players are on average: those who share a side share its pieces. A match of four says as
    much of a player as one of two: the comparisons of a match are not independent, so each counts for its part.
    """
    part = 1 / (len(sides) - 1)
    gains, certainties = [0.0] * len(sides), [0.0] * len(sides)
    is_draw = len(set(places)) == 1
    for side, other in permutations(range(len(sides)), 2):
        if places[side] == places[other] == 1 and not is_draw:
            continue
        spread = math.sqrt(_variance(sides[side]) + _variance(sides[other]) + 2 * LUCK**2)
        expected = 1 / (1 + math.exp((_mean(sides[other]) - _mean(sides[side])) / spread))
        gains[side] += part * (_score(places[side], places[other]) - expected) / spread
        certainties[side] += part * math.sqrt(_variance(sides[side])) / spread**3 * expected * (1 - expected)
    return [
        [_moved(skill, len(side), gain, certainty) for skill in side]
        for side, gain, certainty in zip(sides, gains, certainties, strict=True)
    ]


def _mean(side: Sequence[Skill]) -> float:
    return sum(skill.mu for skill in side) / len(side)


def _variance(side: Sequence[Skill]) -> float:
    """Return the variance of the mean of a side."""
    return sum(skill.sigma**2 for skill in side) / len(side) ** 2


def _score(place: int, other: int) -> float:
    if place == other:
        return 0.5
    return 1.0 if place < other else 0.0


def _moved(skill: Skill, players: int, gain: float, certainty: float) -> Skill:
    shrunk = skill.sigma * math.sqrt(max(0.0, 1 - (skill.sigma / players) ** 2 * certainty))
    return Skill(skill.mu + skill.sigma**2 / players * gain, max(MIN_SIGMA, shrunk))
