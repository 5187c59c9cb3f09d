"""The part of the `draw` verb that a ruleset provides, and the picture of a position in a text file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from diskwars_cli.console.command import CommandError
from diskwars_protocol.match.scenes import SceneMaker


class Pictures(Struct, frozen=True):
    """The pictures that a ruleset draws of its boards."""

    draw_board: Callable[[Any], str]
    scenes: SceneMaker
    parse_position: Callable[[str], Any]
    """Returns the board that a text describes. Raises ValueError."""
    draw_position: Callable[[Any, str], str] | None = None
    """Draws a position with the name of its file as title; without it, positions are drawn like boards."""


def draw_position_file(pictures: Pictures, file: str) -> str:
    """Draw the position in a text file. Raises CommandError."""
    try:
        board = pictures.parse_position(Path(file).read_text(encoding="utf-8"))
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}") from None
    except ValueError as fault:
        raise CommandError(f"{file}: {fault}") from None
    if pictures.draw_position is None:
        return pictures.draw_board(board)
    return pictures.draw_position(board, Path(file).stem.replace("-0", " ").replace("-", " ").capitalize())
