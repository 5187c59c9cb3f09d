"""Map of close quarters as text: half an inch across and an inch down for each character, and a legend."""

from collections.abc import Iterator

from diskwars_protocol.match.tasks import ScenarioArea
from diskwars_protocol.rulesets.close_quarters import position
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model
from diskwars_text.rulesets.close_quarters.phrases import (
    MARKS,
    barricade_text,
    side_text,
    state_text,
    task_text,
    unit_name,
    unit_text,
)
from diskwars_text.task_text import ZONE_MARK
from diskwars_text.text_grid import with_legend

ACROSS, DOWN = position.INCH // 2, position.INCH
LABEL_EVERY = 4
BARRICADE_MARK = "#"
HILL_MARK = "^"
LEADER_TEXT = "a capital is a leader"

Cell = tuple[int, int]


def unit_mark(model: Model) -> str:
    """Return the letter of the model's unit: a capital for the leader."""
    letter = MARKS[model.unit % len(MARKS)]
    return letter if model.is_leader else letter.lower()


def draw_text_map(board: CloseQuartersBoard) -> str:
    """Return the table with row 0 at the bottom, and a line for each unit on it."""
    legend = [f"{MARKS[unit.id % len(MARKS)]} {unit_text(board, unit)}" for unit in position.fielded(board)]
    return "\n".join([*_grid(board), *legend, *_state_lines(board)])


def draw_small_map(board: CloseQuartersBoard, columns: int) -> str:
    """Return the table with the sizes and states of the units to its right, for a screen of few rows."""
    legend = [
        f"{MARKS[unit.id % len(MARKS)]} {unit_name(board, unit.id)}, {state_text(board, unit)}"
        for unit in position.fielded(board)
    ]
    return "\n".join(with_legend(_grid(board), [*legend, LEADER_TEXT, *_state_lines(board)], columns))


def _grid(board: CloseQuartersBoard) -> list[str]:
    columns, rows = board.width // ACROSS + 1, board.height // DOWN + 1
    marks: dict[Cell, str] = {}
    for model in position.standing(board):
        marks[_free_cell(marks, model.x // ACROSS, model.y // DOWN)] = unit_mark(model)
    for cell in _barricade_cells(board):
        marks.setdefault(cell, BARRICADE_MARK)
    for mark, zone in _zones(board):
        for x in range(zone.x0 // ACROSS, zone.x1 // ACROSS + 1):
            for y in range(zone.y0 // DOWN, zone.y1 // DOWN + 1):
                marks.setdefault((x, y), mark)
    lines = [
        f"{y:>3} " + "".join(marks.get((x, y), ".") for x in range(columns)).rstrip() for y in reversed(range(rows))
    ]
    scale = "".join(f"{x:<{2 * LABEL_EVERY}}" for x in range(0, board.width // position.INCH + 1, LABEL_EVERY))
    return [*lines, f"    {scale}".rstrip()]


def _free_cell(marks: dict[Cell, str], x: int, y: int) -> Cell:
    """Return the cell of a model, or the next free one to the right: two bases may share a cell."""
    while (x, y) in marks:
        x += 1
    return x, y


def _zones(board: CloseQuartersBoard) -> Iterator[tuple[str, ScenarioArea]]:
    """Yield the place of the task and the hills, each with its mark."""
    if board.task is not None and board.task.zone is not None:
        yield ZONE_MARK, board.task.zone
    yield from ((HILL_MARK, hill) for hill in board.high_ground)


def _barricade_cells(board: CloseQuartersBoard) -> Iterator[Cell]:
    """Yield the cells that the barricade runs through, closely enough for a map."""
    line = board.barricade
    if line is None:
        return
    steps = max(abs(line.x1 - line.x0) // ACROSS, abs(line.y1 - line.y0) // DOWN, 1)
    for step in range(steps + 1):
        x, y = line.x0 + (line.x1 - line.x0) * step // steps, line.y0 + (line.y1 - line.y0) * step // steps
        yield x // ACROSS, y // DOWN


def _state_lines(board: CloseQuartersBoard) -> list[str]:
    points = ", ".join(f"{side_text(board, side)} {position.points(board, side)}" for side in range(len(board.sides)))
    lines = [f"model points: {points}"]
    if board.task is not None:
        lines.insert(0, f"{ZONE_MARK} {task_text(board)}")
    if board.high_ground:
        lines.insert(0, f"{HILL_MARK} high ground")
    if board.barricade is not None:
        lines.insert(0, f"{BARRICADE_MARK} {barricade_text(board.barricade)}")
    combat = board.combat
    if combat is not None:
        units = ", ".join(
            f"{unit_name(board, unit)} ({'attacks' if board.units[unit].side == combat.attacker else 'defends'})"
            for unit in combat.units
        )
        cycle = f"cycle {combat.cycle}" if combat.cycle else "before the first cycle"
        lines.append(f"close combat, {cycle}: {units}")
        if combat.loss is not None:
            lines.append(f"casualties: {combat.loss.casualties} of {unit_name(board, combat.loss.unit)}")
    return lines
