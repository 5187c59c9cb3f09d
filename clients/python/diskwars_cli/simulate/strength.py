"""Strength of bots: Elo ratings fitted to the results of many pairs, and a sequential test between two bots.

Pure mathematics. A score is what a bot got of the matches it played: 1 for a win, 0.5 for a tie.
"""

import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from diskwars_cli.plugs.odds import Z_95

ELO_PER_NAT = 400 / math.log(10)
"""A difference of 400 Elo is odds of ten to one."""
IMAGINED_TIES = 1
"""Added to each pair that has met, so that the rating of a bot that won or lost every match is finite."""
ZERO_COUNT = 1e-3
"""Stands for a result that has not been seen, so that its probability can be computed; the convention of fishtest."""
MAX_NEWTON_STEPS = 100
MAX_HALVINGS = 60

Matrix: TypeAlias = list[list[float]]
Verdict: TypeAlias = Literal["elo0", "elo1", "open"]


def expected_score(elo: float) -> float:
    """Return the score that a bot is expected to get per match if it is this much stronger than its opponent."""
    return 1 / (1 + math.exp(-elo / ELO_PER_NAT))


# ---------------------------------------------------------------- ratings


class PairScore(Struct, frozen=True):
    """Points of bot `first` in its matches against bot `second`."""

    first: int
    second: int
    score: float
    matches: int


class Rating(Struct, frozen=True):
    """A rating in Elo; its 95 % interval reaches `margin` to either side."""

    elo: float
    margin: float


def fit_ratings(bots: int, pairs: Sequence[PairScore], anchor: int = 0) -> list[Rating | None]:
    """Return the ratings that make the results most likely (Bradley-Terry), with bot `anchor` at 0.

    The interval follows from the curvature of the likelihood (Fisher information), which takes matches as independent.
    A bot that no chain of matches connects with the anchor has no rating.
    """
    met = [pair for pair in pairs if pair.matches]
    rated = sorted(_connected(met, anchor))
    free = [bot for bot in rated if bot != anchor]
    place = {bot: index for index, bot in enumerate(free)}
    within = [pair for pair in met if pair.first in rated]
    strengths = dict.fromkeys(rated, 0.0)
    for _ in range(MAX_NEWTON_STEPS):
        gradient, information = _derivatives(within, strengths, place)
        steps = _solve(information, gradient)
        if not steps or max(map(abs, steps)) < 1e-10:
            break
        strengths = _improved(within, strengths, dict(zip(free, steps, strict=True)))
    _, information = _derivatives(within, strengths, place)
    margins = {bot: Z_95 * math.sqrt(variance) for bot, variance in zip(free, _diagonal(information), strict=True)}
    return [
        Rating(ELO_PER_NAT * strengths[bot], ELO_PER_NAT * margins.get(bot, 0.0)) if bot in strengths else None
        for bot in range(bots)
    ]


def _connected(met: Sequence[PairScore], anchor: int) -> set[int]:
    connected, border = {anchor}, [anchor]
    while border:
        bot = border.pop()
        near = {end for pair in met for end in (pair.first, pair.second) if bot in (pair.first, pair.second)}
        border += near - connected
        connected |= near
    return connected


def _with_ties(pair: PairScore) -> tuple[float, float]:
    return pair.score + IMAGINED_TIES / 2, pair.matches + IMAGINED_TIES


def _derivatives(
    pairs: Sequence[PairScore], strengths: dict[int, float], place: dict[int, int]
) -> tuple[list[float], Matrix]:
    """Return the gradient of the log-likelihood and its negative second derivatives, for the bots in `place`."""
    gradient = [0.0] * len(place)
    information = [[0.0] * len(place) for _ in place]
    for pair in pairs:
        score, matches = _with_ties(pair)
        expected = 1 / (1 + math.exp(strengths[pair.second] - strengths[pair.first]))
        curvature = matches * expected * (1 - expected)
        one, other = place.get(pair.first), place.get(pair.second)
        for index, sign in ((one, 1), (other, -1)):
            if index is not None:
                gradient[index] += sign * (score - matches * expected)
                information[index][index] += curvature
        if one is not None and other is not None:
            information[one][other] -= curvature
            information[other][one] -= curvature
    return gradient, information


def _improved(pairs: Sequence[PairScore], strengths: dict[int, float], steps: dict[int, float]) -> dict[int, float]:
    """Return the strengths after a step of Newton's method, halved until the results are not less likely."""
    before, scale = _log_likelihood(pairs, strengths), 1.0
    for _ in range(MAX_HALVINGS):
        moved = {bot: value + scale * steps.get(bot, 0.0) for bot, value in strengths.items()}
        if _log_likelihood(pairs, moved) >= before:
            return moved
        scale /= 2
    return strengths


def _log_likelihood(pairs: Sequence[PairScore], strengths: dict[int, float]) -> float:
    total = 0.0
    for pair in pairs:
        score, matches = _with_ties(pair)
        difference = strengths[pair.first] - strengths[pair.second]
        total -= score * _softplus(-difference) + (matches - score) * _softplus(difference)
    return total


def _softplus(x: float) -> float:
    """Return log(1 + e^x), without overflow."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _solve(matrix: Matrix, right: Sequence[float]) -> list[float]:
    """Solve a system of linear equations by elimination; the matrix is positive definite, so pivots are not zero."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for n, pivot in enumerate(rows):
        pivot[:] = [value / pivot[n] for value in pivot]
        for m, row in enumerate(rows):
            if m != n:
                row[:] = [value - row[n] * above for value, above in zip(row, pivot, strict=True)]
    return [row[-1] for row in rows]


def _diagonal(matrix: Matrix) -> list[float]:
    """Return the diagonal of the inverse."""
    return [_solve(matrix, [float(n == m) for m in range(len(matrix))])[n] for n in range(len(matrix))]


# ---------------------------------------------------------------- sequential test


class SequentialTest(Struct, frozen=True):
    """Test of whether the first of two bots is stronger by `elo0` or by `elo1`, where one of the two is to be rejected.

    `alpha` is the accepted chance to decide for `elo1` if `elo0` is true, `beta` that of the opposite mistake.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def limits(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test ends (Wald): for `elo0`, for `elo1`."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[float]) -> float:
        """Return the log-likelihood ratio of `elo1` over `elo0`, generalized over the spread of results (GSPRT).

        `counts` are the numbers of results from the worst to the best in equal steps: three for single matches (lost,
        tied, won), five for mirrored pairs of matches. Pairs are right where the two matches depend on each other.
        """
        total = sum(counts)
        if not total:
            return 0.0
        filled = [count or ZERO_COUNT for count in counts]
        shares = [count / sum(filled) for count in filled]
        fits = [_shares_with_mean(shares, expected_score(elo)) for elo in (self.elo0, self.elo1)]
        gain = sum(share * math.log(fit / zero) for share, zero, fit in zip(shares, fits[0], fits[1], strict=True))
        return total * gain

    def verdict(self, ratio: float) -> Verdict:
        low, high = self.limits
        return "elo0" if ratio <= low else "elo1" if ratio >= high else "open"


def _shares_with_mean(shares: Sequence[float], mean: float) -> list[float]:
    """Return the probabilities of results with this mean score under which the observed shares are most likely.

    They are p / (1 + x (a - mean)) for results a with shares p, where x makes the mean right; the sum below falls in x.
    """
    offsets = [place / (len(shares) - 1) - mean for place in range(len(shares))]
    low, high = -1 / offsets[-1], -1 / offsets[0]
    for _ in range(60):  # as many halvings as a double has digits
        middle = (low + high) / 2
        if sum(share * offset / (1 + middle * offset) for share, offset in zip(shares, offsets, strict=True)) > 0:
            low = middle
        else:
            high = middle
    return [share / (1 + low * offset) for share, offset in zip(shares, offsets, strict=True)]
