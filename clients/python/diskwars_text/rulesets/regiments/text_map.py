"""Map of regiments as text: a grid with a mark for each unit and the way it faces, and a legend."""

from collections.abc import Sequence

from diskwars_protocol.rulesets.regiments import position
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Facing
from diskwars_text.phrases import joined
from diskwars_text.rulesets.regiments.phrases import state_text, task_text, unit_names, unit_text
from diskwars_text.task_text import ZONE_MARK, ground_marks
from diskwars_text.text_grid import grid_lines, seat_marks, with_legend

CELL_WIDTH, NARROW_CELL_WIDTH = 5, 4
WIDE_FIELD = 14
"""Columns beyond which cells are narrow, so that a field fits a screen of 80 columns."""
ARROWS: dict[Facing, str] = {"north": "^", "east": ">", "south": "v", "west": "<"}
FLEEING_MARK = "!"


def unit_marks(board: RegimentsBoard) -> tuple[str, ...]:
    return seat_marks(unit.seat for unit in board.units)


def draw_text_map(board: RegimentsBoard) -> str:
    """Return the grid with row 0 at the bottom, a line for each unit on the field, and the order of those to act."""
    marks = unit_marks(board)
    legend = [f"{marks[unit.id]} {unit_text(board, unit)}" for unit in position.fielded(board)]
    return "\n".join([*_grid(board, marks), *legend, *_state_lines(board, marks)])


def draw_small_map(board: RegimentsBoard, columns: int) -> str:
    """Return the grid with the sizes and states of the units to its right, for a screen of few rows."""
    marks, names = unit_marks(board), unit_names(board)
    legend = [
        f"{marks[unit.id]} {names[unit.id]} {unit.size}/{unit.started}, {state_text(board, unit)}"
        for unit in position.fielded(board)
    ]
    return "\n".join(with_legend(_grid(board, marks), [*legend, *_state_lines(board, marks)], columns))


def _grid(board: RegimentsBoard, marks: Sequence[str]) -> list[str]:
    at = ground_marks(board.obstacles, board.task)
    at |= {unit.cell: _cell_text(marks[unit.id], unit) for unit in position.fielded(board)}
    return grid_lines(board.width, board.height, at, CELL_WIDTH if board.width <= WIDE_FIELD else NARROW_CELL_WIDTH)


def _state_lines(board: RegimentsBoard, marks: Sequence[str]) -> list[str]:
    """Return the task, which units are gone, and which have still to act."""
    gone = [f"{marks[unit.id]} {unit.status}" for unit in board.units if not unit.is_fielded]
    order = [marks[id] for id in board.waiting if board.units[id].is_fielded]
    lines = [f"{ZONE_MARK} {task_text(board)}"] if board.task is not None else []
    lines += [f"gone: {joined(gone)}"] if gone else []
    return [*lines, *([f"still to act: {' '.join(order)}"] if order else [])]


def _cell_text(mark: str, unit: Unit) -> str:
    """Return a mark with the way the unit faces, `A1>`, and an exclamation mark if it flees."""
    return f"{mark}{ARROWS[unit.facing]}{FLEEING_MARK if unit.status == 'fleeing' else ''}"
