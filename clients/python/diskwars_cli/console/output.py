"""Output of all verbs: tables, colour, and text that any terminal can show.

Colour is used only on a terminal; NO_COLOR and TERM=dumb turn it off.
"""

import codecs
import os
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

import click

from diskwars_cli.console.command import program_name
from diskwars_client.terminal_pages import wrap_lines

FALLBACK_ERRORS = "diskwars_plain"
UNSAFE_MARK = "\N{REPLACEMENT CHARACTER}"
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that turn the direction of what follows."""
_FALLBACKS = {
    **dict.fromkeys("╭╮╰╯┌┐└┘", "+"),
    **dict.fromkeys("┏┓┗┛", "#"),
    **dict.fromkeys("╔╗╚╝", "%"),
    **dict.fromkeys("─━╌", "-"),
    "╎": ":",
    "═": "=",
    **dict.fromkeys("│┃║", "|"),
    "░": ".",
    "▒": "#",
    "…": "...",
    **dict.fromkeys("–—", "-"),
    "×": "x",
    "→": "->",
    "·": ".",
    "µ": "u",
    "°": " deg",
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’", "'"),
}


def make_printable(*streams: TextIO) -> None:
    """Make streams replace characters that their encoding lacks by plain ones instead of failing."""
    codecs.register_error(FALLBACK_ERRORS, _replace_unencodable)
    for stream in streams:
        reconfigure = getattr(stream, "reconfigure", None)
        # In the C locale Python opens streams with "surrogateescape", which fails for such characters like "strict".
        if reconfigure is not None and stream.errors in ("strict", "surrogateescape"):
            reconfigure(errors=FALLBACK_ERRORS)


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(plain_character, error.object[error.start : error.end])), error.end


def make_encodable(text: str, encoding: str) -> str:
    """Return the text as a terminal of this encoding can show it."""
    codecs.register_error(FALLBACK_ERRORS, _replace_unencodable)
    return text.encode(encoding, FALLBACK_ERRORS).decode(encoding)


def plain_character(character: str) -> str:
    """Return an ASCII replacement: from the table, otherwise the letter without accents, otherwise a question mark."""
    if character in _FALLBACKS:
        return _FALLBACKS[character]
    bare = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return bare or "?"


def make_visible(text: str) -> str:
    """Return a text whose control characters are marked, line ends and tabs excepted.

    Names and texts of others may come from any server and any file: in a terminal they would change its title, move
    what follows or colour it.
    """
    return _UNSAFE.sub(UNSAFE_MARK, text)


def has_colour(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


# ---------------------------------------------------------------- lines and tables

MIN_CELL_COLUMNS = 16
"""Width below which the last column of a table is not wrapped: a terminal as narrow as that shows no table anyway."""

_HEADINGS: tuple[tuple[str, dict[str, Any]], ...] = (("== ", {"bold": True}), ("-- ", {"fg": "cyan"}))
_RULES = re.compile(r"  \[(?:R|F)[^\]]*\]$")
"""The rule ids at the end of a line of narration."""


def print_line(text: str = "") -> None:
    """Print text and flush; on a terminal break its lines between words, and colour it if the terminal can."""
    text = fit_to(sys.stdout, make_visible(text))
    print(style_lines(text) if has_colour(sys.stdout) else text, flush=True)


def fit_to(stream: TextIO, text: str) -> str:
    """Return a text with its lines broken between words where a terminal would break them anywhere.

    A line that is a command stays whole: a terminal copies it as it was printed.
    """
    if not stream.isatty():
        return text
    columns, command = shutil.get_terminal_size().columns, f"{program_name()} "
    lines = text.split("\n")
    return "\n".join(line if line.startswith(command) else "\n".join(wrap_lines(line, columns)) for line in lines)


def style_lines(text: str) -> str:
    return "\n".join(map(_style_line, text.split("\n")))


def _style_line(line: str) -> str:
    for start, style in _HEADINGS:
        if line.startswith(start):
            return click.style(line, **style)
    rules = _RULES.search(line)
    return line[: rules.start()] + click.style(rules[0], dim=True) if rules else line


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows under headings; align columns of numbers to the right.

    On a terminal the text of the last column goes on below itself where a row is too long.
    """
    cells = [list(row) for row in rows]
    texts = [[_cell_text(cell) for cell in row] for row in cells]
    widths = [max(map(len, column)) for column in zip(columns, *texts, strict=True)]
    is_number = [bool(cells) and all(isinstance(row[n], int) for row in cells) for n in range(len(columns))]

    def line(row: Sequence[str]) -> str:
        padded = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, is_number, strict=True)
        ]
        return "  ".join(padded).rstrip()

    heading = line(columns)
    print(click.style(heading, bold=True) if has_colour(sys.stdout) else heading)
    for row in texts:
        print("\n".join(_wrap_last_cell(line(row), widths)))


def _wrap_last_cell(row: str, widths: Sequence[int]) -> list[str]:
    """Return the rows of a terminal that a row of a table takes."""
    columns, start = shutil.get_terminal_size().columns, sum(widths[:-1]) + 2 * len(widths[:-1])
    if not sys.stdout.isatty() or len(row) <= columns or columns - start < MIN_CELL_COLUMNS:
        return [row]
    cell = textwrap.wrap(row[start:], columns - start, break_on_hyphens=False)
    return [row[:start] + cell[0], *(" " * start + line for line in cell[1:])]


def _cell_text(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, int) else " ".join(make_visible(str(cell)).split("\n"))
