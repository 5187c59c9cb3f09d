"""Confidence intervals of shares, and the likelihood of dice results."""

import math
from collections.abc import Sequence

Z_95 = 1.959963984540054
"""The number of standard deviations around the mean that hold 95 % of a normal distribution."""


def wilson_interval(hits: float, of: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a share, which is valid near 0 and 1 too; 0 to 1 if `of` is 0.

    `hits` may count a tie as half a hit: the interval is then wider than it has to be.
    """
    if not of:
        return 0.0, 1.0
    share, slack = hits / of, Z_95 * Z_95 / of
    middle = share + slack / 2
    spread = math.sqrt(share * (1 - share) * slack + slack * slack / 4)
    return max(0.0, (middle - spread) / (1 + slack)), min(1.0, (middle + spread) / (1 + slack))


def chi_square(counts: Sequence[int]) -> float:
    """Return the chi-square statistic of counts that should all be equal: 0 if they are."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected if expected else 0.0


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the probability that chance alone gives a chi-square at least this large."""
    half = statistic / 2
    if half <= 0:
        return 1.0
    # Q(a + 1, x) = Q(a, x) + x^a e^-x / Γ(a + 1) reduces every whole or half a to 1 or 1/2, whose Q is known.
    a, tail = (1.0, math.exp(-half)) if freedom % 2 == 0 else (0.5, math.erfc(math.sqrt(half)))
    while a < freedom / 2:
        tail += math.exp(a * math.log(half) - half - math.lgamma(a + 1))
        a += 1
    return min(1.0, tail)
