"""Map of the pit as text: a grid with a mark for each fighter, and a legend."""

from diskwars_protocol.match import seat_letter
from diskwars_protocol.rulesets.pit import position
from diskwars_protocol.rulesets.pit.board import PitBoard
from diskwars_text.rulesets.pit.phrases import fighter_text, seats_text

CELL_WIDTH = 3


def fighter_marks(board: PitBoard) -> tuple[str, ...]:
    """Return the mark of each fighter on the map: its seat, and its number in the band from 1."""
    counts = [0] * len(board.sides)
    marks = []
    for fighter in board.fighters:
        counts[fighter.seat] += 1
        marks.append(f"{seat_letter(fighter.seat)}{counts[fighter.seat]}")
    return tuple(marks)


def draw_text_map(board: PitBoard) -> str:
    """Return the grid with row 0 at the bottom, and a line for each fighter on the field."""
    marks = fighter_marks(board)
    at = {(one.x, one.y): marks[one.id] for one in position.fielded(board)}
    rows = [
        f"{y:>2} " + "".join(f"{at.get((x, y), '.'):>{CELL_WIDTH}}" for x in range(board.width))
        for y in reversed(range(board.height))
    ]
    columns = "   " + "".join(f"{x:>{CELL_WIDTH}}" for x in range(board.width))
    legend = [f"{marks[one.id]} {fighter_text(board, one)}" for one in position.fielded(board)]
    losses = [
        f"seat {seat_letter(seat)} has lost {side.losses}; a rout check from {side.rout_losses} on"
        for seat, side in enumerate(board.sides)
        if not side.withdrawn
    ]
    gone = [seat for seat, side in enumerate(board.sides) if side.withdrawn]
    return "\n".join([*rows, columns, *legend, *losses, *([f"{seats_text(gone)}: out of the game"] if gone else [])])
