"""Map of the pit as text: a grid with a mark for each fighter, and a legend."""

from diskwars_protocol.rulesets.pit import position
from diskwars_protocol.rulesets.pit.board import PitBoard
from diskwars_text.phrases import seat_text, seats_text
from diskwars_text.rulesets.pit.phrases import fighter_text
from diskwars_text.text_grid import grid_lines, seat_marks

CELL_WIDTH = 3


def fighter_marks(board: PitBoard) -> tuple[str, ...]:
    return seat_marks(fighter.seat for fighter in board.fighters)


def draw_text_map(board: PitBoard) -> str:
    """Return the grid with row 0 at the bottom, and a line for each fighter on the field."""
    marks = fighter_marks(board)
    at = {(one.x, one.y): marks[one.id] for one in position.fielded(board)}
    legend = [f"{marks[one.id]} {fighter_text(board, one)}" for one in position.fielded(board)]
    losses = [
        f"{seat_text(seat)} has lost {state.losses}; a rout check from {state.rout_losses} on"
        for seat, state in enumerate(board.seats)
        if not state.withdrawn
    ]
    gone = [seat for seat, state in enumerate(board.seats) if state.withdrawn]
    lines = [*grid_lines(board.width, board.height, at, CELL_WIDTH), *legend, *losses]
    return "\n".join([*lines, *([f"{seats_text(gone)}: out of the game"] if gone else [])])
