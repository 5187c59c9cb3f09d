"""Picture of a board of regiments as SVG: the grid, each unit as ranks of dots, and contacts with their sides."""

from diskwars_protocol.match.tasks import ScenarioArea
from diskwars_protocol.rulesets.regiments import position
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Facing
from diskwars_text.phrases import joined
from diskwars_text.rulesets.regiments.phrases import state_text, unit_names
from diskwars_text.rulesets.regiments.text_map import unit_marks
from diskwars_text.svg_text import PALE_INK, escape_text, text_svg
from diskwars_text.task_text import ZoneKind, zone_svg

CELL = 9000
MARGIN = 3000
TITLE_SIZE, MARK_SIZE, LABEL_SIZE = 2000, 1300, 1100
BLOCK_WIDTH, BLOCK_DEPTH = 7000, 4600
SEAT_COLOURS = ("#a3262a", "#1f4e8c", "#c0632b", "#2d7a8c")
STATE_COLOURS = {"steady": "#1d1d1f", "fleeing": "#e3a21b", "in melee": "#d0021b"}
TURNS: dict[Facing, int] = {"north": 0, "east": 90, "south": 180, "west": 270}
GRID_COLOUR, CONTACT_COLOUR = "#d5d2ca", "#8a6d3b"


def draw_board(board: RegimentsBoard, title: str = "") -> str:
    """Return the picture of a board."""
    width, height = board.width * CELL + 2 * MARGIN, board.height * CELL + 3 * MARGIN
    heading = title or f"Round {board.round} of {board.rounds}, {board.phase}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="Arial, Helvetica, sans-serif">',
        f"<title>{escape_text(heading)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fbfaf7"/>',
        text_svg(MARGIN, MARGIN // 2, TITLE_SIZE, heading, bold=True),
        *_ground(board),
        *_grid(board),
        *_contacts(board),
        *(_block(board, unit) for unit in position.fielded(board)),
        text_svg(MARGIN, height - MARGIN, LABEL_SIZE + 300, _foot(board), ink=PALE_INK),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _foot(board: RegimentsBoard) -> str:
    marks = unit_marks(board)
    order = " ".join(marks[id] for id in board.waiting if board.units[id].is_fielded) or "nobody"
    gone = joined(f"{marks[unit.id]} {unit.status}" for unit in board.units if not unit.is_fielded) or "nobody"
    return f"Still to act: {order}. Gone: {gone}."


def _corner(board: RegimentsBoard, x: int, y: int) -> tuple[int, int]:
    """Return the upper left corner of a cell; row 0 is at the bottom."""
    return MARGIN + x * CELL, MARGIN + (board.height - 1 - y) * CELL


def _middle(board: RegimentsBoard, unit: Unit) -> tuple[int, int]:
    left, top = _corner(board, unit.x, unit.y)
    return left + CELL // 2, top + CELL // 2


def _ground(board: RegimentsBoard) -> list[str]:
    """Return the place of the task and the obstacles (C-31, C-32)."""
    zones: list[tuple[ZoneKind, ScenarioArea]] = [("wall", obstacle) for obstacle in board.obstacles]
    if board.task is not None and board.task.zone is not None:
        zones.insert(0, ("task", board.task.zone))
    return [
        zone_svg(
            _corner(board, zone.x0, zone.y1),
            ((zone.x1 - zone.x0 + 1) * CELL, (zone.y1 - zone.y0 + 1) * CELL),
            kind,
        )
        for kind, zone in zones
    ]


def _grid(board: RegimentsBoard) -> list[str]:
    right, bottom = MARGIN + board.width * CELL, MARGIN + board.height * CELL
    across = "".join(f"M{MARGIN} {MARGIN + n * CELL}H{right}" for n in range(board.height + 1))
    down = "".join(f"M{MARGIN + n * CELL} {MARGIN}V{bottom}" for n in range(board.width + 1))
    columns = [
        text_svg(MARGIN + n * CELL + CELL // 2, bottom + 900, LABEL_SIZE, str(n), "middle", ink=PALE_INK)
        for n in range(board.width)
    ]
    rows = [
        text_svg(MARGIN - 600, bottom - n * CELL - CELL // 2, LABEL_SIZE, str(n), "end", ink=PALE_INK)
        for n in range(board.height)
    ]
    lines = f'<path d="{across}{down}" stroke="{GRID_COLOUR}" stroke-width="120" fill="none"/>'
    return [lines, *columns, *rows]


def _contacts(board: RegimentsBoard) -> list[str]:
    """Return a thick line on the side where two units touch, with its name if it is a flank or the rear."""
    lines = []
    for contact in board.contacts:
        charger, target = board.units[contact.charger], board.units[contact.target]
        (x0, y0), (x1, y1) = _middle(board, charger), _middle(board, target)
        x, y = (x0 + x1) // 2, (y0 + y1) // 2
        across = (0, CELL * 2 // 5) if y0 == y1 else (CELL * 2 // 5, 0)
        lines.append(
            f'<path d="M{x - across[0]} {y - across[1]}L{x + across[0]} {y + across[1]}" '
            f'stroke="{CONTACT_COLOUR}" stroke-width="600"/>'
        )
        arc = position.arc_of(target, charger.cell)
        if arc != "front":
            label = "rear" if arc == "rear" else "flank"
            lines.append(text_svg(x, y - CELL * 2 // 5 - 500, LABEL_SIZE, label, "middle", ink=CONTACT_COLOUR))
    return lines


def _block(board: RegimentsBoard, unit: Unit) -> str:
    """Return a unit as a block that faces its front: an edge with an arrow, and a dot for each model that is alive."""
    x, y = _middle(board, unit)
    state = "in melee" if position.is_in_melee(board, unit) else unit.status
    colour = SEAT_COLOURS[unit.seat]
    left, top = -BLOCK_WIDTH // 2, -BLOCK_DEPTH // 2
    fill = "#fff3d6" if unit.status == "fleeing" else "#ffffff"
    parts = [
        f'<rect x="{left}" y="{top}" width="{BLOCK_WIDTH}" height="{BLOCK_DEPTH}" fill="{fill}" '
        f'stroke="{STATE_COLOURS[state]}" stroke-width="200"/>',
        f'<path d="M{left} {top}H{-left}M-700 {top - 300}L0 {top - 1300}L700 {top - 300}" stroke="{colour}" '
        f'stroke-width="500" fill="none"/>',
        *_dots(unit, colour),
    ]
    name = escape_text(f"{unit_names(board)[unit.id]}, {unit.size} of {unit.started}, {state_text(board, unit)}")
    turned = f'<g transform="translate({x} {y}) rotate({TURNS[unit.facing]})">{"".join(parts)}</g>'
    mark = text_svg(
        x - CELL // 2 + 300, y + CELL // 2 - 1000, MARK_SIZE, unit_marks(board)[unit.id], bold=True, ink=colour
    )
    return f"<g><title>{name}</title>{turned}{mark}</g>"


def _dots(unit: Unit, colour: str) -> list[str]:
    """Return a dot for each model that is alive, in its rank and file, the first rank in front."""
    ranks = max(1, -(-len(unit.models) // unit.files))
    across, deep = BLOCK_WIDTH // unit.files, BLOCK_DEPTH // ranks
    radius = min(across, deep, 1400) * 2 // 5
    return [
        f'<circle cx="{-BLOCK_WIDTH // 2 + across * (index % unit.files) + across // 2}" '
        f'cy="{-BLOCK_DEPTH // 2 + deep * (index // unit.files) + deep // 2}" r="{radius}" fill="{colour}"/>'
        for index, wounds in enumerate(unit.models)
        if wounds
    ]
