"""Picture of a board of the pit as SVG: the grid, the fighters with their state, and contacts between enemies.

During a combat it shows who still attacks, and the declared attacks as arrows with what their dice need.
"""

from collections import Counter
from math import isqrt

from diskwars_protocol.match.ids import seat_letter
from diskwars_protocol.match.tasks import ScenarioArea
from diskwars_protocol.rulesets.pit import position
from diskwars_protocol.rulesets.pit.actions import Attack
from diskwars_protocol.rulesets.pit.board import CombatState, Fighter, PitBoard
from diskwars_text.rulesets.pit.phrases import fighter_names, needs_text, weapon_text
from diskwars_text.rulesets.pit.text_map import fighter_marks
from diskwars_text.svg_text import INK, PALE_INK, escape_text, text_svg
from diskwars_text.task_text import ZoneKind, zone_svg

CELL = 6000
MARGIN = 3000
TITLE_SIZE, MARK_SIZE, FOOT_SIZE, LABEL_SIZE = 2000, 1900, 1400, 1100
SEAT_COLOURS = ("#a3262a", "#1f4e8c", "#2c6e3f", "#7a5a12")
STATUS_COLOURS = {"ok": "none", "staggered": "#e3c21b", "dazed": "#e07b1a", "stunned": "#d0021b"}
COMBAT_TINTS = ("#f6e3d0", "#e0ecf8", "#e5f2dd", "#f1e2f2")
GRID_COLOUR = "#d5d2ca"
ARROW_STYLE = f'stroke="{INK}" stroke-width="350" fill="none"'
DONE_STYLE = ' fill-opacity="0.35"'
REACH = 1900
"""The distance of both ends of an arrow from the middle of a token."""
LINE_HEIGHT = 2000
STRIP_HEIGHT = 3000
"""Of the order of the combat under the grid."""


def draw_board(board: PitBoard, title: str = "") -> str:
    """Return the picture of a board."""
    width, height = board.width * CELL + 2 * MARGIN, board.height * CELL + 3 * MARGIN + _combat_height(board)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="Arial, Helvetica, sans-serif">',
        f"<title>{escape_text(title or _heading(board))}</title>",
        f'<rect width="{width}" height="{height}" fill="#fbfaf7"/>',
        text_svg(MARGIN, MARGIN // 2, TITLE_SIZE, title or _heading(board), bold=True),
        *_ground(board),
        *_tints(board),
        *_grid(board),
        *_contacts(board),
        *(_token(board, fighter) for fighter in position.fielded(board)),
        *(_combat(board, board.combat) if board.combat is not None else ()),
        text_svg(MARGIN, height - MARGIN, FOOT_SIZE, _foot(board), ink=PALE_INK),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _heading(board: PitBoard) -> str:
    turn = "" if board.active_seat is None else f", turn of seat {seat_letter(board.active_seat)}"
    return f"Round {board.round} of {board.rounds}{turn}, {board.phase}"


def _foot(board: PitBoard) -> str:
    lost = ", ".join(f"{seat_letter(n)} {state.losses} of {state.rout_losses}" for n, state in enumerate(board.seats))
    return f"Losses until a rout check: {lost}. Cards in the deck: {sum(board.cards_left)}."


def _combat(board: PitBoard, combat: CombatState) -> list[str]:
    """Return the order of the combat, and an arrow for each target of the attacker; a line below says with what."""
    parts = _order_strip(board, combat)
    if combat.fighter is None:
        return parts
    fighter, marks = board.fighters[combat.fighter], fighter_marks(board)
    for number, (target, attacks) in enumerate(_attacks_by_target(combat).items(), 1):
        parts += _arrow(_middle(board, fighter), _middle(board, board.fighters[target]), number)
        with_what = "; ".join(
            f"{weapon_text(board, fighter, attack.weapon)}{f' ×{count}' if count > 1 else ''} "
            f"{needs_text(board, fighter, attack)}"
            for attack, count in attacks.items()
        )
        y = _strip_top(board) + STRIP_HEIGHT + number * LINE_HEIGHT - LINE_HEIGHT // 2
        text = f"{marks[fighter.id]} attacks {marks[target]}: {with_what}"
        parts += [*_badge(MARGIN + 700, y, number), text_svg(MARGIN + 2000, y, FOOT_SIZE, text)]
    return parts


def _attacks_by_target(combat: CombatState | None) -> dict[int, Counter[Attack]]:
    """Return how often each attack that is not yet rolled is made, by target."""
    by_target: dict[int, Counter[Attack]] = {}
    for attack in combat.declared if combat is not None else ():
        by_target.setdefault(attack.target, Counter())[attack] += 1
    return by_target


def _combat_height(board: PitBoard) -> int:
    """Return the height that the combat takes under the grid."""
    return STRIP_HEIGHT + len(_attacks_by_target(board.combat)) * LINE_HEIGHT if board.combat is not None else 0


def _strip_top(board: PitBoard) -> int:
    return MARGIN + board.height * CELL + 2000


def _order_strip(board: PitBoard, combat: CombatState) -> list[str]:
    """Return the fighters of a combat in order: the attacker, those still to attack, those without attacks left."""
    marks = fighter_marks(board)
    done = [id for id in board.combats[combat.id] if id not in combat.waiting and id != combat.fighter]
    current = [] if combat.fighter is None else [combat.fighter]
    y = _strip_top(board) + STRIP_HEIGHT // 2
    parts = [text_svg(MARGIN, y, FOOT_SIZE, "Order:", ink=PALE_INK)]
    for number, id in enumerate([*current, *combat.waiting, *done]):
        x = MARGIN + 7000 + number * 3600
        is_done = id in done
        ring = INK if id in current else "none"
        parts += [
            f'<rect x="{x - 1500}" y="{y - 1200}" width="3000" height="2400" rx="500" stroke="{ring}" '
            f'stroke-width="400" fill="{SEAT_COLOURS[board.fighters[id].seat]}"{DONE_STYLE if is_done else ""}/>',
            text_svg(x, y, FOOT_SIZE, marks[id], "middle", True, "#ffffff"),
        ]
        if is_done:
            parts.append(f'<path d="M{x - 1500} {y + 1200}L{x + 1500} {y - 1200}" stroke="{INK}" stroke-width="300"/>')
    return parts


def _arrow(start: tuple[int, int], end: tuple[int, int], number: int) -> list[str]:
    """Return an arrow between two tokens, with its number at the middle."""
    (x0, y0), (x1, y1) = start, end
    length = max(1, isqrt((x1 - x0) ** 2 + (y1 - y0) ** 2))
    across, down = (x1 - x0) * REACH // length, (y1 - y0) * REACH // length
    tip_x, tip_y = x1 - across, y1 - down
    wing_x, wing_y = across // 2, down // 2
    head = (
        f"M{tip_x - wing_x - wing_y} {tip_y - wing_y + wing_x}L{tip_x} {tip_y}"
        f"L{tip_x - wing_x + wing_y} {tip_y - wing_y - wing_x}"
    )
    arrow = f'<path d="M{x0 + across} {y0 + down}L{tip_x} {tip_y}{head}" {ARROW_STYLE}/>'
    return [arrow, *_badge((x0 + x1) // 2, (y0 + y1) // 2, number)]


def _badge(x: int, y: int, number: int) -> list[str]:
    """Return the number of an arrow in a circle."""
    return [
        f'<circle cx="{x}" cy="{y}" r="800" fill="#ffffff" stroke="{INK}" stroke-width="150"/>',
        text_svg(x, y, LABEL_SIZE, str(number), "middle", True),
    ]


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


def _ground(board: PitBoard) -> list[str]:
    """Return the place of the task and the walls (A-24, A-25)."""
    zones: list[tuple[ZoneKind, ScenarioArea]] = [("wall", wall) for wall in board.walls]
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
        if fighter.has_engaged
        else ""
    )
    return (
        f"<g><title>{escape_text(fighter_names(board)[fighter.id])}, {fighter.status}</title>"
        f'<circle cx="{x}" cy="{y}" r="2400" fill="{SEAT_COLOURS[fighter.seat]}" stroke="{ring}" stroke-width="600"/>'
        f"<g{lying}>{text_svg(x, y - 200, MARK_SIZE, fighter_marks(board)[fighter.id], 'middle', True, '#ffffff')}</g>"
        f"{pips}{chevron}</g>"
    )
