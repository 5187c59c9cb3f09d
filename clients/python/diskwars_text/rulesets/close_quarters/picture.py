"""Picture of a board of close quarters as SVG: models with their units, reach of the acting side, contacts, markers."""

from collections.abc import Iterable, Sequence

from diskwars_protocol.match.tasks import ScenarioArea
from diskwars_protocol.rulesets.close_quarters import position
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model, Unit
from diskwars_protocol.rulesets.close_quarters.position import BASE, COMBAT_RANGE, INCH
from diskwars_text.phrases import counted
from diskwars_text.rulesets.close_quarters.phrases import model_marks, side_text, unit_name, unit_names
from diskwars_text.svg_text import PALE_INK, escape_text, text_svg, text_width
from diskwars_text.task_text import ZoneKind, zone_svg

SCALE = 30
"""Units of the picture for a hundredth of an inch."""
MARGIN = 3000
TITLE_SIZE, LABEL_SIZE, MARK_SIZE = 2000, 1400, 1200
UNIT_COLOURS = ("#a3262a", "#c4702f", "#8c3a6b", "#1f4e8c", "#2c7f8c", "#3d3f8f", "#2c6e3f", "#7a5a12")
ATTACKER_TINT, DEFENDER_TINT, FALLEN_BACK_COLOUR = "#f6d9c8", "#d5e3f5", "#9a9a9a"
HALO_COLOUR, CONTACT_COLOUR, TABLE_COLOUR = "#f1ead2", "#8a6d3b", "#fbfaf7"
BARRICADE_COLOUR = "#5b4a33"

Point = tuple[int, int]


def draw_board(board: CloseQuartersBoard, title: str = "") -> str:
    """Return the picture of a board."""
    width, height = board.width * SCALE + 2 * MARGIN, board.height * SCALE + 3 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="Arial, Helvetica, sans-serif">',
        f"<title>{escape_text(title or _heading(board))}</title>",
        f'<rect width="{width}" height="{height}" fill="#e9e5da"/>',
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{board.width * SCALE}" height="{board.height * SCALE}" '
        f'fill="{TABLE_COLOUR}"/>',
        text_svg(MARGIN, MARGIN // 2, TITLE_SIZE, title or _heading(board), bold=True),
        '<clipPath id="table">'
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{board.width * SCALE}" height="{board.height * SCALE}"/></clipPath>',
        '<g clip-path="url(#table)">',
        *_halos(board),
        "</g>",
        *_ground(board),
        *_ruler(board),
        *(hull for unit in position.fielded(board) for hull in _hull(board, unit)),
        *_barricade(board),
        *_contacts(board),
        *(_token(board, model) for model in position.standing(board)),
        *(_label(board, unit) for unit in position.fielded(board)),
        text_svg(MARGIN, height - MARGIN, LABEL_SIZE, _foot(board), ink=PALE_INK),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _heading(board: CloseQuartersBoard) -> str:
    turn = (
        f"Turn {board.turn} of {board.turns * len(board.order)}, {side_text(board, board.side)}" if board.turn else ""
    )
    combat = board.combat
    phase = board.phase.replace("_", " ")
    if combat is not None and combat.cycle:
        phase = f"cycle {combat.cycle}" if board.phase == "cycle" else f"{phase}, cycle {combat.cycle}"
    return f"{turn}, {phase}"


def _foot(board: CloseQuartersBoard) -> str:
    points = ", ".join(f"{side_text(board, side)} {position.points(board, side)}" for side in range(len(board.sides)))
    text = f"Model points: {points}."
    combat = board.combat
    if combat is None:
        return text
    if combat.loss is not None:
        return f"{text} {unit_name(board, combat.loss.unit)} loses {combat.loss.casualties}."
    names = unit_names(board)
    return f"{text} In combat: {', '.join(names[unit] for unit in combat.units)}."


def _place(board: CloseQuartersBoard, x: int, y: int) -> Point:
    """Return a point of the picture; y 0 of the table is at the bottom."""
    return MARGIN + x * SCALE, MARGIN + (board.height - y) * SCALE


def _halos(board: CloseQuartersBoard) -> Iterable[str]:
    """Yield how far 6 inches reach around the models of the side that attacks, or whose turn it is."""
    if not board.order:
        return
    side = board.side if board.combat is None else board.combat.attacker
    radius = (COMBAT_RANGE * INCH + BASE // 2) * SCALE
    for model in position.standing(board):
        if position.side_of(board, model) == side and not board.units[model.unit].has_fallen_back:
            x, y = _place(board, model.x, model.y)
            yield f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{HALO_COLOUR}" fill-opacity="0.35"/>'


def _ruler(board: CloseQuartersBoard) -> Iterable[str]:
    """Yield a line every 4 inches, with its number."""
    (left, bottom), (right, top) = _place(board, 0, 0), _place(board, board.width, board.height)
    across = "".join(f"M{left} {_place(board, 0, y)[1]}H{right}" for y in range(0, board.height + 1, 4 * INCH))
    down = "".join(f"M{_place(board, x, 0)[0]} {top}V{bottom}" for x in range(0, board.width + 1, 4 * INCH))
    yield f'<path d="{across}{down}" stroke="#d5d2ca" stroke-width="100" fill="none"/>'
    for x in range(0, board.width + 1, 4 * INCH):
        yield text_svg(_place(board, x, 0)[0], bottom + 1000, MARK_SIZE, str(x // INCH), "middle", ink=PALE_INK)
    for y in range(0, board.height + 1, 4 * INCH):
        yield text_svg(left - 600, _place(board, 0, y)[1], MARK_SIZE, str(y // INCH), "end", ink=PALE_INK)


def _colour(unit: Unit) -> str:
    return FALLEN_BACK_COLOUR if unit.has_fallen_back else UNIT_COLOURS[unit.id % len(UNIT_COLOURS)]


def _hull(board: CloseQuartersBoard, unit: Unit) -> Iterable[str]:
    """Yield the outline of a unit, tinted while it attacks or defends in the combat."""
    corners = _convex_hull([_place(board, model.x, model.y) for model in position.models_of(board, unit.id)])
    path = "M" + "L".join(f"{x} {y}" for x, y in corners) + "Z"
    combat = board.combat
    tint = "none"
    if combat is not None and unit.id in combat.units:
        tint = ATTACKER_TINT if unit.side == combat.attacker else DEFENDER_TINT
    stroke = f'stroke="{_colour(unit)}" stroke-width="{BASE * SCALE + 900}" stroke-opacity="0.18"'
    yield f'<path d="{path}" fill="{tint}" {stroke} stroke-linejoin="round" class="hull"/>'


def _convex_hull(points: Sequence[Point]) -> list[Point]:
    """Return the corners of the smallest convex outline around some points."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def half(given: Iterable[Point]) -> list[Point]:
        kept: list[Point] = []
        for point in given:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], point) <= 0:
                kept.pop()
            kept.append(point)
        return kept[:-1]

    return [*half(ordered), *half(reversed(ordered))]


def _turn(one: Point, two: Point, three: Point) -> int:
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0])


def _ground(board: CloseQuartersBoard) -> Iterable[str]:
    """Yield the hills and the place of the task (B-28, B-29)."""
    zones: list[tuple[ZoneKind, ScenarioArea]] = [("hill", hill) for hill in board.high_ground]
    if board.task is not None and board.task.zone is not None:
        zones.append(("task", board.task.zone))
    for kind, zone in zones:
        yield zone_svg(
            _place(board, zone.x0, zone.y1), ((zone.x1 - zone.x0) * SCALE, (zone.y1 - zone.y0) * SCALE), kind
        )


def _barricade(board: CloseQuartersBoard) -> Iterable[str]:
    if board.barricade is not None:
        (x0, y0) = _place(board, board.barricade.x0, board.barricade.y0)
        (x1, y1) = _place(board, board.barricade.x1, board.barricade.y1)
        yield f'<path d="M{x0} {y0}L{x1} {y1}" stroke="{BARRICADE_COLOUR}" stroke-width="400" class="barricade"/>'


def _contacts(board: CloseQuartersBoard) -> Iterable[str]:
    """Yield a line between every two enemies in base contact, or engaged across the barricade."""
    for model in position.standing(board):
        for enemy in position.enemies(board, position.side_of(board, model)):
            if enemy.id > model.id and position.is_in_contact(board, model, enemy):
                (x0, y0), (x1, y1) = _place(board, model.x, model.y), _place(board, enemy.x, enemy.y)
                yield f'<path d="M{x0} {y0}L{x1} {y1}" stroke="{CONTACT_COLOUR}" stroke-width="500" class="contact"/>'


def _token(board: CloseQuartersBoard, model: Model) -> str:
    """Return a model, its leader with a star."""
    x, y = _place(board, model.x, model.y)
    unit, mark = board.units[model.unit], model_marks(board)[model.id]
    star = _star(x, y - 800) if model.is_leader else ""
    mark_y = y + 400 if model.is_leader else y
    return (
        f"<g><title>{escape_text(unit_names(board)[unit.id])} {mark}</title>"
        f'<circle cx="{x}" cy="{y}" r="{BASE * SCALE // 2 - 60}" fill="{_colour(unit)}"/>'
        f"{text_svg(x, mark_y, MARK_SIZE, mark, 'middle', True, '#ffffff')}{star}</g>"
    )


STAR = ((0, -500), (150, -150), (500, -150), (220, 80), (320, 450), (0, 230), (-320, 450), (-220, 80), (-500, -150))


def _star(x: int, y: int) -> str:
    corners = " ".join(f"{x + dx},{y + dy}" for dx, dy in (*STAR, (-150, -150)))
    return f'<polygon points="{corners}" fill="#ffe08a"/>'


def _label(board: CloseQuartersBoard, unit: Unit) -> str:
    """Return the name of a unit with its state, its markers and its hit counter, inside the table."""
    points = [_place(board, model.x, model.y) for model in position.models_of(board, unit.id)]
    x = sum(point[0] for point in points) // len(points)
    y = min(point[1] for point in points) - BASE * SCALE // 2 - LABEL_SIZE
    state = ", fell back" if unit.has_fallen_back else ", doubled" if unit.is_doubled else ""
    if unit.markers or unit.hit_counter:
        state += f", {counted(unit.markers, 'marker')}, hits {unit.hit_counter} of 6"
    text = f"{unit_name(board, unit.id)}{state}"
    half = text_width(text, LABEL_SIZE) // 2
    x = min(max(x, MARGIN + half), MARGIN + board.width * SCALE - half)
    return text_svg(x, max(y, MARGIN + LABEL_SIZE), LABEL_SIZE, text, "middle", ink=_colour(unit))
