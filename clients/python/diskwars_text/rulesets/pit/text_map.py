"""Map of the pit as text: a grid with a mark for each fighter, and a legend."""

from collections.abc import Sequence

from diskwars_protocol.rulesets.pit import position
from diskwars_protocol.rulesets.pit.board import PitBoard
from diskwars_text.phrases import counted, seat_text, seats_text
from diskwars_text.rulesets.pit.phrases import fighter_names, fighter_text, task_text
from diskwars_text.task_text import ZONE_MARK, ground_marks
from diskwars_text.text_grid import grid_lines, seat_marks, with_legend

CELL_WIDTH = 3


def fighter_marks(board: PitBoard) -> tuple[str, ...]:
    return seat_marks(fighter.seat for fighter in board.fighters)


def draw_text_map(board: PitBoard) -> str:
    """Return the grid with row 0 at the bottom, and a line for each fighter on the field."""
    marks = fighter_marks(board)
    legend = [f"{marks[fighter.id]} {fighter_text(board, fighter)}" for fighter in position.fielded(board)]
    return "\n".join([*_grid(board, marks), *legend, *_loss_lines(board)])


def draw_small_map(board: PitBoard, columns: int) -> str:
    """Return the grid with the names and states of the fighters to its right, for a screen of few rows."""
    marks, names = fighter_marks(board), fighter_names(board)
    legend = [
        f"{marks[fighter.id]} {names[fighter.id]}, {fighter.status}, {counted(fighter.wounds, 'wound')}"
        for fighter in position.fielded(board)
    ]
    return "\n".join(with_legend(_grid(board, marks), [*legend, *_loss_lines(board)], columns))


def _grid(board: PitBoard, marks: Sequence[str]) -> list[str]:
    at = ground_marks(board.walls, board.task)
    at |= {(fighter.x, fighter.y): marks[fighter.id] for fighter in position.fielded(board)}
    return grid_lines(board.width, board.height, at, CELL_WIDTH)


def _loss_lines(board: PitBoard) -> list[str]:
    """Return the task, how many fighters each seat has lost, and from how many on it checks whether it flees."""
    losses = [
        f"{seat_text(seat)} has lost {state.losses}; a rout check from {state.rout_losses} on"
        for seat, state in enumerate(board.seats)
        if not state.withdrawn
    ]
    gone = [seat for seat, state in enumerate(board.seats) if state.withdrawn]
    task = [f"{ZONE_MARK} {task_text(board)}"] if board.task is not None else []
    return [*task, *losses, *([f"{seats_text(gone)}: out of the game"] if gone else [])]
