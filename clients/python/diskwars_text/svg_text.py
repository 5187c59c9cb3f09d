"""Text in pictures: its width, its line breaks, and its SVG.

Fonts differ between machines, so widths are generous estimates for a bold sans serif. Lengths are micrometres.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import combinations, pairwise

FONTS = "Arial, Helvetica, 'Liberation Sans', sans-serif"
INK = "#1d1d1f"
PALE_INK = "#55555c"

# Characters by width, which `_character_width` gives in thousandths of the text size.
_NARROW_CHARACTERS = frozenset("iljI.,:;!'|()[]·` ")
_SLIM_CHARACTERS = frozenset('frt-"/*J')
_BROAD_CHARACTERS = frozenset("mwMWQO%@…→&")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Browsers cap font sizes at 10000, so text is set at a tenth of its size and scaled up by ten.
_WIDTH_SCALE = 10


def text_width(text: str, size: int) -> int:
    """Estimate the width of a line."""
    return sum(map(_character_width, text)) * size // 1000


def _character_width(character: str) -> int:
    if character in _NARROW_CHARACTERS:
        return 320
    if character in _SLIM_CHARACTERS:
        return 420
    if character in _BROAD_CHARACTERS:
        return 900
    return 740 if character.isupper() else 600 if character.isascii() else 800


def wrap_text(text: str, size: int, width: int) -> list[str]:
    """Break a text into lines of at most that width; a word that is too long gets a line of its own."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def break_text(text: str, count: int) -> list[str]:
    """Break a text into `count` lines, the longest as short as possible; fewer lines if it has fewer words."""
    words = text.split()
    cuts = combinations(range(1, len(words)), min(count, len(words)) - 1)
    return min(
        (_split_words(words, places) for places in cuts),
        key=lambda lines: max(text_width(line, 1000) for line in lines),
    )


def _split_words(words: Sequence[str], places: Iterable[int]) -> list[str]:
    ends = [0, *places, len(words)]
    return [" ".join(words[start:end]) for start, end in pairwise(ends)]


def escape_text(text: str) -> str:
    """Escape a text for SVG, attribute values included."""
    return escape(_NOT_XML.sub("\ufffd", text))


def text_svg(x: int, y: int, size: int, text: str, anchor: str = "start", bold: bool = False, ink: str = INK) -> str:
    """Return one line of text, vertically centred on y."""
    weight = ' font-weight="bold"' if bold else ""
    where = (
        f'transform="translate({x} {y + size * 35 // 100}) scale({_WIDTH_SCALE})" font-size="{size // _WIDTH_SCALE}"'
    )
    return f'<text {where} text-anchor="{anchor}"{weight} fill="{ink}">{escape_text(text)}</text>'
