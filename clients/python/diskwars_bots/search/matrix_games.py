"""Zero-sum games of two players who choose at once: the mixed strategies that no reply beats, from a table of payoffs.

The simplex method of linear programming, with Bland's rule against cycles: exact but for rounding, and the same for the
same table. A table of eight rows and five columns takes less than a millisecond.
"""

from collections.abc import Sequence

from msgspec import Struct

Payoffs = Sequence[Sequence[float]]
"""What the first player gets, by row (their choice) and column (the other's)."""
EPSILON = 1e-9
"""What is taken for rounding, in a table whose payoffs differ by 1 at most."""
MAX_PIVOTS = 1000
"""Tables of 60 rows and columns took 443 at most: more are a cycle, which only rounding makes."""


class UnsolvedGame(ArithmeticError):
    """Rounding has kept the method from an end."""


class MixedStrategies(Struct, frozen=True):
    """How often each row and each column is chosen, and what the first player gets on average."""

    rows: tuple[float, ...]
    columns: tuple[float, ...]
    value: float


def solve(payoffs: Payoffs, max_pivots: int = MAX_PIVOTS) -> MixedStrategies:
    """Return strategies of both players from which neither gains by another. The table has a row and a column.

    Raises UnsolvedGame.
    """
    lowest = min(map(min, payoffs))
    spread = (max(map(max, payoffs)) - lowest) or 1.0
    # With all payoffs above 0 the value is too.
    table = _Tableau([[(payoff - lowest) / spread + 1 for payoff in row] for row in payoffs])
    for _ in range(max_pivots):
        if (entering := table.entering_column()) is None:
            break
        table.pivot(entering)
    else:
        raise UnsolvedGame(f"no solution after {max_pivots} steps")
    columns, rows = table.solution()
    total = sum(columns)
    return MixedStrategies(
        tuple(share / sum(rows) for share in rows),
        tuple(share / total for share in columns),
        (1 / total - 1) * spread + lowest,
    )


class _Tableau:
    """The largest sum of column shares whose payoffs are at most 1 in each row; the shares of rows are its prices."""

    def __init__(self, payoffs: Payoffs) -> None:
        rows, columns = len(payoffs), len(payoffs[0])
        self._columns = columns
        self._lines = [
            [*row, *(float(number == place) for place in range(rows)), 1.0] for number, row in enumerate(payoffs)
        ]
        self._goal = [-1.0] * columns + [0.0] * (rows + 1)
        self._basis = [columns + number for number in range(rows)]

    def entering_column(self) -> int | None:
        """Return the first column that raises the sum; None at the largest one."""
        return next((place for place, gain in enumerate(self._goal[:-1]) if gain < -EPSILON), None)

    def pivot(self, entering: int) -> None:
        """Bring a column in for that of the line which bounds it most; of equal ones for the first (Bland)."""
        bounds = [
            (line[-1] / line[entering], self._basis[number], number)
            for number, line in enumerate(self._lines)
            if line[entering] > EPSILON
        ]
        if not bounds:
            raise UnsolvedGame("no row bounds a column")
        leaving = min(bounds)[2]
        divisor = self._lines[leaving][entering]
        pivot = [entry / divisor for entry in self._lines[leaving]]
        self._lines = [
            pivot if number == leaving else _without(line, pivot, entering) for number, line in enumerate(self._lines)
        ]
        self._goal = _without(self._goal, pivot, entering)
        self._basis[leaving] = entering

    def solution(self) -> tuple[list[float], list[float]]:
        """Return the shares of columns and of rows, before they are made to add up to 1."""
        shares = [0.0] * self._columns
        for place, line in zip(self._basis, self._lines, strict=True):
            if place < self._columns:
                shares[place] = line[-1]
        return shares, [max(0.0, price) for price in self._goal[self._columns : -1]]


def _without(line: Sequence[float], pivot: Sequence[float], column: int) -> list[float]:
    factor = line[column]
    return [entry - factor * other for entry, other in zip(line, pivot, strict=True)]
