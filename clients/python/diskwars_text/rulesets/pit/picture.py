"""Picture of a board of the pit as SVG: the grid, the fighters with their state, and contacts between enemies."""

from diskwars_protocol.match import seat_letter
from diskwars_protocol.rulesets.pit import position
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_text.rulesets.pit.phrases import attacks_text, fighter_names
from diskwars_text.rulesets.pit.text_map import fighter_marks
from diskwars_text.svg_text import PALE_INK, escape_text, text_svg

CELL = 6000
MARGIN = 3000
TITLE_SIZE, MARK_SIZE, LABEL_SIZE = 2000, 1900, 1100
SEAT_COLOURS = ("#a3262a", "#1f4e8c", "#2c6e3f", "#7a5a12")
STATUS_COLOURS = {"ok": "none", "staggered": "#e3c21b", "dazed": "#e07b1a", "stunned": "#d0021b"}
COMBAT_TINTS = ("#f6e3d0", "#e0ecf8", "#e5f2dd", "#f1e2f2")
GRID_COLOUR = "#d5d2ca"


def draw_board(board: PitBoard, title: str = "") -> str:
    """Return the picture of a board."""
    width, height = board.width * CELL + 2 * MARGIN, board.height * CELL + 3 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="Arial, Helvetica, sans-serif">',
        f"<title>{escape_text(title or _heading(board))}</title>",
        f'<rect width="{width}" height="{height}" fill="#fbfaf7"/>',
        text_svg(MARGIN, MARGIN // 2, TITLE_SIZE, title or _heading(board), bold=True),
        *_tints(board),
        *_grid(board),
        *_contacts(board),
        *(_token(board, fighter) for fighter in position.fielded(board)),
        text_svg(MARGIN, height - MARGIN, LABEL_SIZE + 300, _foot(board), ink=PALE_INK),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _heading(board: PitBoard) -> str:
    turn = f", turn of seat {seat_letter(board.seat)}" if board.order else ""
    return f"Round {board.round} of {board.rounds}{turn}, {board.phase}"


def _foot(board: PitBoard) -> str:
    lost = ", ".join(f"{seat_letter(n)} {side.lost} of {side.rout_losses}" for n, side in enumerate(board.sides))
    text = f"Losses until a rout check: {lost}. Cards in the deck: {sum(board.deck)}."
    combat = board.combat
    if combat is None or combat.fighter is None or not combat.declared:
        return text
    return f"{text} {fighter_names(board)[combat.fighter]} attacks {attacks_text(board, combat.declared)}."


def _corner(board: PitBoard, x: int, y: int) -> tuple[int, int]:
    """Return the upper left corner of a cell; row 0 is at the bottom."""
    return MARGIN + x * CELL, MARGIN + (board.height - 1 - y) * CELL


def _middle(board: PitBoard, fighter: Fighter) -> tuple[int, int]:
    left, top = _corner(board, fighter.x, fighter.y)
    return left + CELL // 2, top + CELL // 2


def _tints(board: PitBoard) -> list[str]:
    """Return the cells of each combat in its tint."""
    tinted = []
    for number, group in enumerate(position.combats(board)):
        for id in group:
            left, top = _corner(board, board.fighters[id].x, board.fighters[id].y)
            tint = COMBAT_TINTS[number % len(COMBAT_TINTS)]
            tinted.append(f'<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="{tint}"/>')
    return tinted


def _grid(board: PitBoard) -> list[str]:
    right, bottom = MARGIN + board.width * CELL, MARGIN + board.height * CELL
    across = "".join(f"M{MARGIN} {MARGIN + n * CELL}H{right}" for n in range(board.height + 1))
    down = "".join(f"M{MARGIN + n * CELL} {MARGIN}V{bottom}" for n in range(board.width + 1))
    lines = f'<path d="{across}{down}" stroke="{GRID_COLOUR}" stroke-width="120" fill="none"/>'
    columns = [
        text_svg(MARGIN + n * CELL + CELL // 2, bottom + 900, LABEL_SIZE, str(n), "middle", ink=PALE_INK)
        for n in range(board.width)
    ]
    rows = [
        text_svg(MARGIN - 600, bottom - n * CELL - CELL // 2, LABEL_SIZE, str(n), "end", ink=PALE_INK)
        for n in range(board.height)
    ]
    return [lines, *columns, *rows]


def _contacts(board: PitBoard) -> list[str]:
    """Return a line between every two enemies that touch."""
    lines = []
    for fighter in position.fielded(board):
        for enemy in position.touched_enemies(board, fighter):
            if enemy.id > fighter.id:
                (x0, y0), (x1, y1) = _middle(board, fighter), _middle(board, enemy)
                lines.append(f'<path d="M{x0} {y0}L{x1} {y1}" stroke="#8a6d3b" stroke-width="500"/>')
    return lines


def _token(board: PitBoard, fighter: Fighter) -> str:
    x, y = _middle(board, fighter)
    lying = f' transform="rotate(90 {x} {y})"' if fighter.status == "stunned" else ""
    ring = STATUS_COLOURS.get(fighter.status, "none")
    pips = "".join(
        f'<circle cx="{x + (2 * n - fighter.wounds + 1) * 450}" cy="{y + 1700}" r="330" fill="#ffffff"/>'
        for n in range(fighter.wounds)
    )
    chevron = (
        f'<path d="M{x - 900} {y - 1900}l900 -700l900 700" stroke="{SEAT_COLOURS[fighter.seat]}" stroke-width="350"'
        ' fill="none"/>'
        if fighter.engaged
        else ""
    )
    return (
        f"<g><title>{escape_text(fighter_names(board)[fighter.id])}, {fighter.status}</title>"
        f'<circle cx="{x}" cy="{y}" r="2400" fill="{SEAT_COLOURS[fighter.seat]}" stroke="{ring}" stroke-width="600"/>'
        f"<g{lying}>{text_svg(x, y - 200, MARK_SIZE, fighter_marks(board)[fighter.id], 'middle', True, '#ffffff')}</g>"
        f"{pips}{chevron}</g>"
    )
