"""Flame graphs as SVG: the width of a function is its share of the samples, its callers lie below it.

Each has a background of its own, dark where the reader prefers that, so that it can be read on any page.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import TypeAlias

from msgspec import Struct

WIDTH, ROW_HEIGHT, TOP, MARGIN = 1200, 16, 30, 8
LEAST_SHARE = 0.002
"""Of all samples: what is narrower is left out."""
LETTER_WIDTH = 6.2
STYLE = (
    "text{font:11px system-ui,sans-serif;fill:#1f2328}.t{font-weight:600}.p{fill:#fff}rect{stroke:#fff;stroke-width:.5}"
    ".o{fill:#f0b37e}.l{fill:#c5cdd6}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.p{fill:#0d1117}"
    "rect{stroke:#0d1117}.o{fill:#8a4b12}.l{fill:#3d444d}}"
)
Stack: TypeAlias = tuple[Sequence[str], int]
"""Functions, the outermost first, and how often they were seen."""


class FlameFrame(Struct, frozen=True):
    """A function in the place of a graph: its depth, where it begins and how wide it is, in samples."""

    name: str
    depth: int
    start: int
    width: int


def lay_out(stacks: Iterable[Stack]) -> list[FlameFrame]:
    """Return the frames of a graph, equal ones beside each other joined."""
    ordered = sorted((tuple(names), count) for names, count in stacks)
    frames: list[FlameFrame] = []
    open_frames: list[tuple[str, int]] = []
    at = 0
    for names, count in [*ordered, ((), 0)]:
        same = 0
        while same < min(len(names), len(open_frames)) and names[same] == open_frames[same][0]:
            same += 1
        while len(open_frames) > same:
            name, start = open_frames.pop()
            frames.append(FlameFrame(name, len(open_frames), start, at - start))
        open_frames += [(name, at) for name in names[same:]]
        at += count
    return frames


def flame_graph(title: str, stacks: Iterable[Stack], own: Sequence[str] = ()) -> str:
    """Draw a graph; functions whose names begin with one of `own` are coloured."""
    frames = lay_out(stacks)
    total = max((frame.start + frame.width for frame in frames), default=1)
    shown = [frame for frame in frames if frame.width >= LEAST_SHARE * total]
    height = TOP + ROW_HEIGHT * (1 + max((frame.depth for frame in shown), default=0)) + MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<rect class="p" width="{WIDTH}" height="{height}" rx="6"/>',
        f'<text class="t" x="{MARGIN}" y="19">{escape(title)}, {total:,} samples</text>',
    ]
    for frame in shown:
        lines += _draw(frame, total, height, frame.name.startswith(tuple(own)))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _draw(frame: FlameFrame, total: int, height: int, is_own: bool) -> list[str]:
    scale = (WIDTH - 2 * MARGIN) / total
    x, width = MARGIN + frame.start * scale, frame.width * scale
    y = height - MARGIN - ROW_HEIGHT * (frame.depth + 1)
    fits = int(width / LETTER_WIDTH)
    text = frame.name if len(frame.name) <= fits else f"{frame.name[: fits - 1]}…"
    label = f'<text x="{x + 2:.1f}" y="{y + 12}">{escape(text)}</text>' if fits > 3 else ""
    share = 100 * frame.width / total
    return [
        f'<g><title>{escape(frame.name)}: {share:.1f} %</title><rect class="{"o" if is_own else "l"}" '
        f'x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW_HEIGHT}"/>{label}</g>'
    ]
