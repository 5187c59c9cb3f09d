"""Plots of figures over time, as SVG: panels below each other over one axis of time.

Each has a background of its own, dark where the reader prefers that, so that it can be read on any page.
"""

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import TypeAlias

from msgspec import Struct

WIDTH, PANEL_HEIGHT, LEFT, RIGHT, TOP, GAP, BOTTOM = 720, 110, 62, 16, 32, 30, 40
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1f2328}.t{font-weight:600}.s{fill:#59636e}"
    ".g{stroke:#d1d9e0}.m{stroke:#59636e;stroke-dasharray:3 3}.b{stroke:#b35900;stroke-dasharray:6 3}"
    ".l{stroke:#0b3d7a;stroke-width:1.5;fill:none}.p{fill:#fff}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.s{fill:#9198a1}.g{stroke:#3d444d}"
    ".m{stroke:#9198a1}.b{stroke:#f0a050}.l{stroke:#a8cdf9}.p{fill:#0d1117}}"
)
Series: TypeAlias = list[tuple[float, float]]
"""Points: a time and a value."""


class Panel(Struct, frozen=True):
    """A line of values, and the bound that is drawn with it."""

    title: str
    points: Series
    bound: float | None = None


def nice_step(span: float) -> float:
    """Return the distance of about four grid lines: 1, 2 or 5 times a power of ten."""
    rough = max(span, 1e-9) / 4
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)


def plot(title: str, axis: str, panels: Sequence[Panel], marks: Sequence[tuple[float, str]] = ()) -> str:
    """Draw panels over one axis of time, with named moments."""
    times = [at for panel in panels for at, _ in panel.points] or [0.0]
    first, last = min(times), max(*times, min(times) + 1e-9)
    height = TOP + len(panels) * (PANEL_HEIGHT + GAP) + BOTTOM - GAP

    def x(at: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (at - first) / (last - first)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<rect class="p" width="{WIDTH}" height="{height}" rx="6"/>',
    ]
    step = nice_step(last - first)
    ticks = [place * step for place in range(math.ceil(first / step), math.floor(last / step) + 1)]
    for number, panel in enumerate(panels):
        lines += _draw_panel(panel, TOP + number * (PANEL_HEIGHT + GAP), [x(tick) for tick in ticks], x)
    bottom = height - BOTTOM
    lines += [f'<text class="s" x="{x(t):.1f}" y="{bottom + 16}" text-anchor="middle">{t:g}</text>' for t in ticks]
    lines.append(f'<text class="s" x="{WIDTH - RIGHT}" y="{height - 8}" text-anchor="end">{escape(axis)}</text>')
    for at, text in marks:
        lines.append(f'<path class="m" d="M{x(at):.1f} {TOP}V{bottom}"/>')
        lines.append(f'<text class="s" x="{x(at):.1f}" y="{TOP - 18}" text-anchor="middle">{escape(text)}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _draw_panel(panel: Panel, top: float, ticks: Sequence[float], x: Callable[[float], float]) -> list[str]:
    """Draw one panel: its title, grid, bound and line."""
    values = [value for _, value in panel.points] + ([panel.bound] if panel.bound is not None else [])
    step = nice_step(max(values, default=1.0))
    highest = max(step, step * math.ceil(max(values, default=1.0) / step))

    def y(value: float) -> float:
        return top + PANEL_HEIGHT * (1 - value / highest)

    lines = [f'<text class="t" x="{LEFT}" y="{top - 5:g}">{escape(panel.title)}</text>']
    for place in range(round(highest / step) + 1):
        at = y(place * step)
        lines.append(f'<path class="g" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>')
        lines.append(f'<text class="s" x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{place * step:,g}</text>')
    lines += [f'<path class="g" d="M{tick:.1f} {top}v{PANEL_HEIGHT}"/>' for tick in ticks]
    if panel.bound is not None:
        lines.append(f'<path class="b" d="M{LEFT} {y(panel.bound):.1f}H{WIDTH - RIGHT}"/>')
    line = "L".join(f"{x(at):.1f} {y(value):.1f}" for at, value in panel.points)
    return [*lines, *([f'<path class="l" d="M{line}"/>'] if line else [])]
