"""Pictures of regiments: a position in a text file."""

from pathlib import Path

from diskwars_cli.command import CommandError
from diskwars_text.rulesets.regiments.notation import parse_position
from diskwars_text.rulesets.regiments.picture import draw_board
from diskwars_text.struct_lines import PositionError


def draw_position(file: str) -> str:
    """Draw the position in a text file. Raises CommandError."""
    try:
        return draw_board(parse_position(Path(file).read_text(encoding="utf-8")))
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}") from None
    except (PositionError, UnicodeDecodeError) as fault:
        raise CommandError(f"{file}: {fault}") from None
