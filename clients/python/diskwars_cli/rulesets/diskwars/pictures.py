"""Pictures of Diskwars: a position in a text file."""

from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_text.rulesets.diskwars.picture import draw_board


def draw_position(board: Board, title: str) -> str:
    """Draw a close-up of all disks of a position."""
    return draw_board(board, title, range(len(board.disks)))
