"""Confidence intervals of shares, and the likelihood of dice results."""

import math
from collections.abc import Sequence

Z_95 = 1.959963984540054
"""95 % of a normal distribution lie within this many standard deviations."""


def wilson_interval(hits: int, of: int) -> tuple[float, float]:
    """The 95 % score interval of Wilson for a share: it holds for shares near 0 and 1 too. Of nothing, all is open."""
    if not of:
        return 0.0, 1.0
    share, slack = hits / of, Z_95 * Z_95 / of
    middle = share + slack / 2
    spread = math.sqrt(share * (1 - share) * slack + slack * slack / 4)
    return max(0.0, (middle - spread) / (1 + slack)), min(1.0, (middle + spread) / (1 + slack))


def chi_square(counts: Sequence[int]) -> float:
    """How far counts are from being all alike: 0 when they are, about their number when chance alone is at work."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected if expected else 0.0


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the probability that chance alone gives a chi-square of these degrees of freedom at least as large."""
    half = statistic / 2
    if half <= 0:
        return 1.0
    # Q(a + 1, x) = Q(a, x) + x^a e^-x / Γ(a + 1) leads every whole and half a back to one that is known
    at, found = (1.0, math.exp(-half)) if freedom % 2 == 0 else (0.5, math.erfc(math.sqrt(half)))
    while at < freedom / 2:
        found += math.exp(at * math.log(half) - half - math.lgamma(at + 1))
        at += 1
    return min(1.0, found)
