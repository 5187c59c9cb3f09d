"""How is text set in a picture: how wide is it, how is it broken into lines, how does it stand in SVG?

Fonts differ from machine to machine, so widths are those of a bold sans serif, rather too wide than too narrow.
Lengths are micrometres. Must not know boards.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import combinations, pairwise

FONTS = "Arial, Helvetica, 'Liberation Sans', sans-serif"
INK = "#1d1d1f"
PALE_INK = "#55555c"

# Widths in thousandths of the size.
_NARROW = frozenset("iljI.,:;!'|()[]·` ")
_SLIM = frozenset('frt-"/*J')
_BROAD = frozenset("mwMWQO%@…→&")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Browsers cap font sizes at 10000, so text is set at a tenth of its size and drawn ten times as large.
_SCALE = 10


def width_of(text: str, size: int) -> int:
    """About how wide a line is."""
    return sum(map(_share, text)) * size // 1000


def _share(sign: str) -> int:
    if sign in _NARROW:
        return 320
    if sign in _SLIM:
        return 420
    if sign in _BROAD:
        return 900
    return 740 if sign.isupper() else 600 if sign.isascii() else 800


def wrapped(text: str, size: int, width: int) -> list[str]:
    """A text in as few lines of at most that width as it needs; a longer word stands alone."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def broken(text: str, count: int) -> list[str]:
    """A text in so many lines, the longest as short as can be; fewer lines if it has fewer words."""
    words = text.split()
    cuts = combinations(range(1, len(words)), min(count, len(words)) - 1)
    return min((_cut(words, places) for places in cuts), key=lambda lines: max(width_of(line, 1000) for line in lines))


def _cut(words: Sequence[str], places: Iterable[int]) -> list[str]:
    ends = [0, *places, len(words)]
    return [" ".join(words[start:end]) for start, end in pairwise(ends)]


def plain(text: str) -> str:
    """A text as it may stand in SVG, also between quotation marks."""
    return escape(_NO_XML.sub("\ufffd", text))


def line_of_text(
    x: int, y: int, size: int, text: str, anchor: str = "start", bold: bool = False, ink: str = INK
) -> str:
    """One line whose middle, in height, is at y."""
    weight = ' font-weight="bold"' if bold else ""
    where = f'transform="translate({x} {y + size * 35 // 100}) scale({_SCALE})" font-size="{size // _SCALE}"'
    return f'<text {where} text-anchor="{anchor}"{weight} fill="{ink}">{plain(text)}</text>'
