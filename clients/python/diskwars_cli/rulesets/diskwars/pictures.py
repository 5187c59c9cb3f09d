"""Pictures of Diskwars: the table of a match, and a position in a text file."""

from pathlib import Path

from diskwars_cli.command import CommandError
from diskwars_text.rulesets.diskwars.lexer import NotationError
from diskwars_text.rulesets.diskwars.parser import parse_position
from diskwars_text.rulesets.diskwars.picture import draw_board


def draw_position(file: str) -> str:
    """Draw the position in a text file: a close-up of all its disks, titled with the name of the file."""
    try:
        board = parse_position(Path(file).read_text(encoding="utf-8"))
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}") from None
    except (NotationError, UnicodeDecodeError) as fault:
        raise CommandError(f"{file}: {fault}") from None
    title = Path(file).stem.replace("-0", " ").replace("-", " ").capitalize()
    return draw_board(board, title, range(len(board.disks)))
