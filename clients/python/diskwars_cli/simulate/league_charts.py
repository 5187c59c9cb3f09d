"""Charts of a league as SVG: a row for each bot, with its 95 % interval.

Each has a background of its own, dark where the reader prefers that, so that it can be read on any page.
"""

import math
from collections.abc import Callable, Sequence
from html import escape

from msgspec import Struct

WIDTH, NAME_WIDTH, RIGHT_MARGIN = 640, 170, 84
ROW_HEIGHT, TOP, BOTTOM = 28, 34, 26
MAX_NAME = 24
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1f2328}.t{font-weight:600}.s{fill:#59636e}"
    ".g{stroke:#d1d9e0}.m{stroke:#59636e;stroke-dasharray:3 3}.b{fill:#7aa7dc}.w{stroke:#0b3d7a;stroke-width:2}"
    ".d{fill:#0b3d7a}.p{fill:#fff}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.s{fill:#9198a1}.g{stroke:#3d444d}"
    ".m{stroke:#9198a1}.b{fill:#2f5f97}.w{stroke:#a8cdf9}.d{fill:#a8cdf9}.p{fill:#0d1117}}"
)


class ChartRow(Struct, frozen=True):
    """A bot with a value and its interval, and the value as a text."""

    name: str
    value: float
    low: float
    high: float
    text: str


def rate_chart(rows: Sequence[ChartRow]) -> str:
    """Draw win rates in percent as bars."""
    return _chart("Win rate, with 95 % interval", rows, (0, 100), 25, 50, has_bars=True)


def rating_chart(rows: Sequence[ChartRow]) -> str:
    """Draw ratings in Elo as points."""
    low, high = min((row.low for row in rows), default=0), max((row.high for row in rows), default=0)
    step = _step(max(high - low, 100))
    ends = step * math.floor(min(low, 0) / step), step * math.ceil(max(high, 1) / step)
    return _chart("Elo, with 95 % interval", rows, ends, step, 0, has_bars=False)


def _step(span: float) -> int:
    """Return the distance of grid lines, of which there are about five."""
    rough = span / 5
    power = 10 ** math.floor(math.log10(rough))
    return int(next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough))


def _chart(
    title: str, rows: Sequence[ChartRow], ends: tuple[float, float], step: int, marked: float, *, has_bars: bool
) -> str:
    height = TOP + ROW_HEIGHT * len(rows) + BOTTOM
    width = WIDTH - NAME_WIDTH - RIGHT_MARGIN

    def x(value: float) -> float:
        return NAME_WIDTH + width * (value - ends[0]) / (ends[1] - ends[0])

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
        f"<title>{title}</title><style>{STYLE}</style>",
        f'<rect class="p" width="{WIDTH}" height="{height}" rx="6"/>',
        f'<text class="t" x="{NAME_WIDTH}" y="18">{title}</text>',
    ]
    for place in range(round((ends[1] - ends[0]) / step) + 1):
        value = ends[0] + place * step
        kind = "m" if value == marked else "g"
        lines.append(f'<path class="{kind}" d="M{x(value):.1f} {TOP - 6}V{height - BOTTOM + 2}"/>')
        lines.append(f'<text class="s" x="{x(value):.1f}" y="{height - 8}" text-anchor="middle">{value:g}</text>')
    for place, row in enumerate(rows):
        lines += _row(row, TOP + ROW_HEIGHT * place + ROW_HEIGHT / 2, x, x(ends[0]) if has_bars else None)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _row(row: ChartRow, y: float, x: Callable[[float], float], bar_from: float | None) -> list[str]:
    name = row.name if len(row.name) <= MAX_NAME else "…" + row.name[1 - MAX_NAME :]
    lines = [f'<text x="{NAME_WIDTH - 10}" y="{y + 4:g}" text-anchor="end">{escape(name)}</text>']
    if bar_from is None:
        lines.append(f'<circle class="d" cx="{x(row.value):.1f}" cy="{y:g}" r="4"/>')
    else:
        length = x(row.value) - bar_from
        lines.append(f'<rect class="b" x="{bar_from:.1f}" y="{y - 8:g}" width="{length:.1f}" height="16"/>')
    low, high = x(row.low), x(row.high)
    lines.append(
        f'<path class="w" fill="none" d="M{low:.1f} {y:g}H{high:.1f}M{low:.1f} {y - 4:g}v8M{high:.1f} {y - 4:g}v8"/>'
    )
    lines.append(f'<text x="{WIDTH - RIGHT_MARGIN + 12}" y="{y + 4:g}">{escape(row.text)}</text>')
    return lines
