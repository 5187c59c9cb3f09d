"""The map of a position in a terminal: characters with a legend.

The lower left corner is (0, 0). A row is taken to be as high as two columns are wide.
"""

import textwrap
from collections.abc import Iterable, Sequence

from diskwars_protocol.geometry import point_gap_sq
from diskwars_protocol.match.ids import Seat, seat_letter
from diskwars_protocol.rulesets.diskwars import effective_stats
from diskwars_protocol.rulesets.diskwars.actions import DiskId
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, CASUALTY, RESERVE, Board, Disk, Place, Side
from diskwars_protocol.rulesets.diskwars.setup_cards import TerrainPiece
from diskwars_text.rulesets.diskwars.lexer import (
    counted_list,
    disk_labels,
    inches_text,
    progress_text,
    revealed_card_name,
    ruler_step,
    seat_edges,
)
from diskwars_text.rulesets.diskwars.stat_lines import terrain_keyword_text

MIN_WIDTH = 40
_MARGIN = 3

_LETTERS = ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
"""Two seats share each of these: every terminal shows them, and the frame of a disk tells the seats apart."""
_SPARE_LETTERS = "0123456789&@$!ΓΔΘΛΞΠΣΦΨΩБДЖИЛЦЧШЭЮЯαβγδεζηθλμξπρστφχψωбджилцчшэюя"
"""For seats with more disks than letters, those that every terminal shows first."""
_NO_LETTER = "?"
# For each seat: the ends of a disk of one row; of higher disks the upper corners, the lower corners, and the sides.
_FRAMES = (
    ("()", "╭╮", "╰╯", "─│"),
    ("[]", "┏┓", "┗┛", "━┃"),
    ("{}", "╔╗", "╚╝", "═║"),
    ("<>", "┌┐", "└┘", "╌╎"),
)
_ZONE_CHARACTERS = ".:',"
_OPEN_TERRAIN, _WALL = "░▒"
ACTIVATED = "activated"
_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
"""Replaces spaces in names while lines are wrapped, so that names stay whole."""


def disk_letters(board: Board) -> tuple[str, ...]:
    """Return one letter per disk, by number, that stays the same through a match.

    Seats A and C have capitals, B and D small letters; no two disks have the same one. It is a letter of the disk's
    name if one is free, otherwise any; digits and other signs when the letters have run out.
    """
    free = [list(letters) for letters in _LETTERS]
    spare = list(_SPARE_LETTERS)
    assigned: list[str] = []
    for disk in board.disks:
        wanted = _preferred_letters(board.profile(disk.id).name, disk.seat)
        letters = free[disk.seat % len(free)] or spare or [_NO_LETTER]
        letter = next((candidate for candidate in wanted if candidate in letters), letters[0])
        if letter != _NO_LETTER:
            letters.remove(letter)
        assigned.append(letter)
    return tuple(assigned)


def _preferred_letters(name: str, seat: Seat) -> str:
    """Return the letters of a name in the case of the seat, the initials of its words first."""
    wanted = "".join(word[:1] for word in name.split()) + name
    return wanted.upper() if seat % 2 == 0 else wanted.lower()


def draw_text_map(board: Board, width: int = 72) -> str:
    """Draw the board in lines of at most `width` characters (at least 40): progress, map, legend."""
    width = max(width, MIN_WIDTH)
    letters = disk_letters(board)
    chart = _TextMap(board, width - _MARGIN - 2)
    hidden = [disk.id for disk in _disks_by_height(board) if not chart.draw_letter(disk, letters[disk.id])]
    for disk in _disks_by_height(board):
        chart.draw_name(disk, board.profile(disk.id).name)
    lines = [*textwrap.wrap(_progress_text(board), width), *chart.lines(), *_terrain_lines(board, width)]
    for side in board.sides:
        lines += ["", *_legend_lines(board, side, letters, hidden, width)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


SMALL_COLUMNS = 27
"""Columns of the small map: its 16 lines and the options fit a terminal of 24 rows."""


def draw_small_map(board: Board, width: int = 80) -> str:
    """Draw the board for a screen of few rows: a map of 16 lines, with the legend to its right."""
    letters = disk_letters(board)
    chart = _TextMap(board, SMALL_COLUMNS, has_disks=False)
    for disk in _disks_by_height(board):
        chart.draw_letter_alone(disk, letters[disk.id])
    field = chart.lines()[:-1]
    left = SMALL_COLUMNS + _MARGIN + 2
    room = max(MIN_WIDTH // 2, width - left - 2)
    pieces = " · ".join(
        f"{_terrain_character(piece)}{number % 10} {piece.terrain.name}".replace(" ", _NO_BREAK_SPACE)
        for number, piece in enumerate(board.terrain, 1)
    )
    legend = [line.replace(_NO_BREAK_SPACE, " ") for line in _wrap(pieces, room, "")] if pieces else []
    for side in board.sides:
        legend += _legend_lines(board, side, letters, [], room, is_short=True)
    rows = max(len(field), len(legend))
    field += [""] * (rows - len(field))
    legend += [""] * (rows - len(legend))
    return "\n".join(f"{row:<{left}} {text}".rstrip() for row, text in zip(field, legend, strict=True))


def _progress_text(board: Board) -> str:
    parts = [progress_text(board)]
    if board.order:
        parts.append(f"order {' '.join(map(seat_letter, board.order))}")
    if board.active_seat is not None:
        parts.append(f"{seat_letter(board.active_seat)} plays {revealed_card_name(board, board.active_seat)}")
    if board.active_disk is not None:
        parts.append(f"{disk_labels(board)[board.active_disk]} acts")
    return " · ".join(parts)


def _disks_by_height(board: Board) -> list[Disk]:
    """Return the disks on the battlefield, the lowest first."""
    return sorted((disk for disk in board.disks if disk.place == BATTLEFIELD), key=lambda disk: disk.z)


# ---------------------------------------------------------------- the map


class _TextMap:
    """The field in cells, row 0 at the top, with the disks drawn from lowest to highest."""

    def __init__(self, board: Board, columns: int, *, has_disks: bool = True) -> None:
        """Draw the field; with `has_disks` their frames, to which letters are added."""
        field = board.field
        self.board = board
        self.columns = columns
        self.rows = max(4, (columns * field.height + field.width) // (2 * field.width))
        self.cells = [[" "] * columns for _ in range(self.rows)]
        self.owners: list[list[DiskId | None]] = [[None] * columns for _ in range(self.rows)]
        self._draw_zones()
        self._draw_terrain()
        for disk in _disks_by_height(board) if has_disks else ():
            self._draw_disk(disk)
        self._draw_numbers()

    def _draw_zones(self) -> None:
        for zone in self.board.zones:
            left, right = self._column_at(zone.x0), self._column_at(zone.x1)
            for row in range(self._row_at(zone.y1), self._row_at(zone.y0)):
                for column in range(left + (row + left) % 2, right, 2):
                    self.cells[row][column] = _ZONE_CHARACTERS[zone.seat]

    def _draw_terrain(self) -> None:
        """Fill the cells whose centres are inside a piece, at least one."""
        for piece in self.board.terrain:
            for row, column in self._cells_of(piece):
                self.cells[row][column] = _terrain_character(piece)

    def _draw_numbers(self) -> None:
        """Draw the number of each piece near the middle of its visible part."""
        for number, piece in enumerate(self.board.terrain, 1):
            shown = [cell for cell in self._cells_of(piece) if self.owners[cell[0]][cell[1]] is None]
            if shown:
                row = shown[len(shown) // 2][0]
                columns = [column for cell_row, column in shown if cell_row == row]
                self.cells[row][columns[len(columns) // 2]] = str(number % 10)

    def _cells_of(self, piece: TerrainPiece) -> list[tuple[int, int]]:
        field = self.board.field
        xs = [(2 * column + 1) * field.width // (2 * self.columns) for column in range(self.columns)]
        ys = [(2 * (self.rows - row) - 1) * field.height // (2 * self.rows) for row in range(self.rows)]
        # Only those in the box around the piece: to ask the polygon about every cell took most of a demo's time.
        left, right = min(x for x, _ in piece.corners), max(x for x, _ in piece.corners)
        bottom, top = min(y for _, y in piece.corners), max(y for _, y in piece.corners)
        cells = [
            (row, column)
            for row, y in enumerate(ys)
            if bottom <= y <= top
            for column, x in enumerate(xs)
            if left <= x <= right and not point_gap_sq(x, y, piece.corners)
        ]
        # A narrow piece may lie between the centres of all cells, and would be missing from a small map.
        middle = (left + right) // 2, (bottom + top) // 2
        return cells or [(self._index_of(middle[1], ys), self._index_of(middle[0], xs))]

    @staticmethod
    def _index_of(place: int, centres: Sequence[int]) -> int:
        """Return the number of the row or column whose centre is nearest to a place."""
        return min(range(len(centres)), key=lambda number: abs(centres[number] - place))

    def _column_at(self, x: int) -> int:
        """Return the border between columns that is nearest to a place on the field."""
        width = self.board.field.width
        return min(self.columns, max(0, (2 * x * self.columns + width) // (2 * width)))

    def _row_at(self, y: int) -> int:
        height = self.board.field.height
        return min(self.rows, max(0, (2 * (height - y) * self.rows + height) // (2 * height)))

    def _disk_box(self, disk: Disk) -> tuple[int, int, int, int]:
        """Return left column, upper row, width and height of a disk; touching disks do not overlap sideways."""
        field, across = self.board.field, 2 * self.board.profile(disk.id).radius
        width = max(3, across * self.columns // field.width)
        height = max(1, (4 * across * self.rows + field.height) // (4 * field.height))
        left = (2 * disk.x * self.columns // field.width - width + 1) // 2
        top = (2 * (field.height - disk.y) * self.rows // field.height - height + 1) // 2
        return max(0, min(left, self.columns - width)), max(0, min(top, self.rows - height)), width, height

    def _draw_disk(self, disk: Disk) -> None:
        left, top, width, height = self._disk_box(disk)
        for row, text in enumerate(_disk_frame(disk.seat, width, height), top):
            self.cells[row][left : left + width] = text
            self.owners[row][left : left + width] = [disk.id] * width

    def draw_letter(self, disk: Disk, letter: str) -> bool:
        """Draw a letter on the visible part of a disk, as near to its centre as possible; False if it is covered."""
        left, top, width, height = self._disk_box(disk)
        middle, centre = top + (height - 1) // 2, left + (width - 1) // 2
        visible = [
            (abs(column - centre) + 2 * abs(row - middle), row, column)
            for row in range(top, top + height)
            for column in range(left, left + width)
            if self.owners[row][column] == disk.id
        ]
        if visible:
            _, row, column = min(visible)
            self.cells[row][column] = letter
        return bool(visible)

    def draw_letter_alone(self, disk: Disk, letter: str) -> None:
        """Draw a letter without a frame at the centre of a disk, or in the nearest cell that no other letter has."""
        field = self.board.field
        free = [
            (
                # twice the distance to the centre of the cell, in columns; a row is as high as two columns
                (2 * column + 1 - 2 * disk.x * self.columns / field.width) ** 2
                + 4 * (2 * row + 1 - 2 * (field.height - disk.y) * self.rows / field.height) ** 2,
                row,
                column,
            )
            for row in range(self.rows)
            for column in range(self.columns)
            if self.owners[row][column] is None
        ]
        if free:
            _, row, column = min(free)
            self.cells[row][column], self.owners[row][column] = letter, disk.id

    def draw_name(self, disk: Disk, name: str) -> None:
        """Draw the name below the letter if the disk is large enough."""
        left, top, width, height = self._disk_box(disk)
        row = top + height // 2 + 1
        start = left + (width - len(name)) // 2
        if height >= 5 and len(name) <= width - 2 and set(self.owners[row][start : start + len(name)]) == {disk.id}:
            self.cells[row][start : start + len(name)] = name

    def lines(self) -> list[str]:
        """Return the map with its frame: inches to the left and below, the seats at their edges."""
        names = {edge: " ".join(map(seat_letter, seats)) for edge, seats in seat_edges(self.board).items()}
        field = self.board.field
        lines = [" " * _MARGIN + f"┌{_heading_rule(self.columns, names.get('top', ''))}┐"]
        ticks = {self._row_at(y): inches_text(y) for y in range(0, field.height + 1, ruler_step(field.height))}
        for row, cells in enumerate(self.cells):
            left, right = (names.get(edge) if row == self.rows // 2 else None for edge in ("left", "right"))
            tick = ticks.get(row, "")
            lines.append(f"{tick:>{_MARGIN - 1}} {left or '│'}{''.join(cells)}{right or '│'}")
        lines.append(f"{0:>{_MARGIN - 1}} └{_heading_rule(self.columns, names.get('bottom', ''))}┘")
        return [*lines, self._footer_lines()]

    def _footer_lines(self) -> str:
        foot = [" "] * (self.columns + 4)
        for x in range(0, self.board.field.width + 1, ruler_step(self.board.field.width)):
            text = inches_text(x)
            start = self._column_at(x) + 1 - len(text) // 2
            foot[start : start + len(text)] = text
        return " " * _MARGIN + "".join(foot)


def _disk_frame(seat: Seat, width: int, height: int) -> list[str]:
    """Return the frame of a disk of this many cells."""
    single, upper, lower, (level, upright) = (tuple(pair) for pair in _FRAMES[seat])
    if height == 1:
        return [single[0] + " " * (width - 2) + single[1]]
    middle = upright + " " * (width - 2) + upright
    first, last = (left + level * (width - 2) + right for left, right in (upper, lower))
    return [first, *[middle] * (height - 2), last]


def _heading_rule(width: int, name: str) -> str:
    return f" {name} ".center(width, "─") if name else "─" * width


# ---------------------------------------------------------------- the legend


def _terrain_character(piece: TerrainPiece) -> str:
    """Return the fill character of a piece; pieces that block sight have their own."""
    return _WALL if any(keyword.id == "blocks_sight" for keyword in piece.terrain.keywords) else _OPEN_TERRAIN


def _terrain_lines(board: Board, width: int) -> list[str]:
    lines: list[str] = []
    for number, piece in enumerate(board.terrain, 1):
        keywords = ", ".join(map(terrain_keyword_text, piece.terrain.keywords))
        text = f"   {_terrain_character(piece)}{number % 10} {piece.terrain.name}" + (
            f": {keywords}" if keywords else ""
        )
        lines += _wrap(text, width, "     ")
    return ["", *lines] if lines else []


def _legend_lines(
    board: Board, side: Side, letters: Sequence[str], hidden: list[DiskId], width: int, *, is_short: bool = False
) -> list[str]:
    """Return the lines about an army; a short legend has one list of the disks that are activated and nothing else."""
    names = disk_labels(board)
    own = [disk for disk in board.disks if disk.seat == side.seat]
    fielded = [disk for disk in own if disk.place == BATTLEFIELD]
    states = {disk.id: _disk_state(board, disk, letters, hidden) for disk in fielded}
    lines = _wrap(_side_heading(board, side), width, "   ")
    listed = ("", ACTIVATED) if is_short else ("",)
    column = max((len(names[number]) for number, state in states.items() if state not in listed), default=0)
    for number, state in states.items():
        if state not in listed:
            start = f"   {letters[number]} {names[number]:<{0 if is_short else column}}  "
            lines += _wrap(start + state, width, "     " if is_short else " " * min(len(start), width // 2))
    plain, done = (
        [
            f"{letters[number]} {names[number]}"
            for number, state in states.items()
            if state == wanted and state in listed
        ]
        for wanted in ("", ACTIVATED)
    )
    for word, texts in (
        ("", plain),
        (f"{ACTIVATED}: ", done),
        ("reserve: ", _off_field_text(board, own, RESERVE)),
        ("casualties: ", _off_field_text(board, own, CASUALTY)),
    ):
        if texts:
            whole = " · ".join(text.replace(" ", _NO_BREAK_SPACE) for text in texts)
            lines += [line.replace(_NO_BREAK_SPACE, " ") for line in _wrap(f"   {word}{whole}", width, "     ")]
    return lines


def _frame_sample(board: Board, seat: Seat) -> str:
    """Return how disks of a seat are framed: `()`, and with more than two seats `╭─╮│` for higher disks too."""
    ends, upper, _, sides = _FRAMES[seat]
    return ends if len(board.sides) <= len(_LETTERS) else f"{ends} {upper[0]}{sides[0]}{upper[1]}{sides[1]}"


def _side_heading(board: Board, side: Side) -> str:
    parts = [f"{seat_letter(side.seat)} {_frame_sample(board, side.seat)} {board.army_name(side.seat)}".rstrip()]
    parts += [f"{side.points} point{'s' * (side.points != 1)}"] * bool(side.points) + ["out"] * side.eliminated
    parts += [f"{side.card_count} card{'s' * (side.card_count != 1)} in hand"] * bool(side.card_count)
    parts += ["card chosen"] * side.has_locked
    parts += [f"card {board.card_name(side.revealed_card)}"] if side.revealed_card else []
    parts += [f"discards {counted_list([board.card_name(card) for card in side.discards])}"] * bool(side.discards)
    return " · ".join(parts)


def _disk_state(board: Board, disk: Disk, letters: Sequence[str], hidden: list[DiskId]) -> str:
    profile = board.profile(disk.id)
    parts = [
        f"damage {disk.damage}/{effective_stats.toughness(board, disk.id)}" if disk.damage else "",
        f"wounds {disk.wounds}/{profile.stamina}" if disk.wounds else "",
        f"toughness -{disk.weakened}" if disk.weakened else "",
        ACTIVATED if disk.activated else "",
        "empowered" if disk.empowered else "",
        "poisoned" if disk.poisoned else "",
        "acting" if board.active_disk == disk.id else "",
        _links_text("pins", (bottom for top, bottom in board.pins if top == disk.id), letters),
        _links_text("pinned by", (top for top, bottom in board.pins if bottom == disk.id), letters),
        "covered" if disk.id in hidden else "",
    ]
    return ", ".join(part for part in parts if part)


def _links_text(word: str, disks: Iterable[DiskId], letters: Sequence[str]) -> str:
    named = " ".join(letters[disk] for disk in disks)
    return f"{word} {named}" if named else ""


def _off_field_text(board: Board, own: list[Disk], place: Place) -> list[str]:
    names = [board.profile(disk.id).name for disk in own if disk.place == place]
    return counted_list(names).split(", ") if names else []


def _wrap(text: str, width: int, indent: str) -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False, drop_whitespace=True) or [""]
