"""Writer of positions as text, and the grammar of that notation.

    field 36x36in  pins strict
    round 2 of 5  phase activation  order A B  playing B

    A Tyrion  (12.30,  4.00)  z3  damage 2  wounds 1  activated  empowered  pins Swordsmen
    A hand: Charge!, Hold the Line

    B Swordsmen   (12.30,  4.90)  z1
    B Orc Boyz#1  ( 9.25, 17.00)  z2  weakened 1  acting
    B reserve: Orc Boyz x2, Night Goblins
    B hand: 3 hidden
    B locked: hidden

    zone A (0, 0) to (36, 6) for 10
    terrain Gully at (10, 15) (16, 15) (16, 17) (10, 17); Dangerous (physical), Rough
    engagement: Tyrion>Swordsmen; struck Tyrion; fighting

    disk Swordsmen: unit of Empire (Order), small, M5 S4 C3 T4, cost 3; Impact 2

`format_position` leaves nothing out: `parse_position(format_position(board)) == board`, unless it writes only the
field. In a text written by hand nearly everything is optional: see `parse_position`. (0, 0) is the lower left corner of
the field. Lengths are inches unless mm or um follows. Seats are A to D. A disk is referred to by its printed name, with
#1, #2 … in the order of the disks where several share it. Names with unusual characters are quoted; a lone # begins a
comment. Further lines: `A army: Chaos`, `A casualties:`, `A revealed:`, `A discards:`, `A points:`, `A cards: 3` (where
the hand does not say), `pins: A>B`, `numbers 0 2 1` (of the disks as the text names them), `cursor: …` (what the rules
have still to do: one opaque JSON string), `die …`, `card …`, `salts …` (of the cards revealed so far) and in
the head `ruler 3 6 12`, `seats 3`, `out B`, `height 9`, `step 2`. Terrain whose printed outline is elsewhere ends with
`printed` and its corners; `ground 0 2` or `ground none` lists the pieces under a disk if they are not those that it
overlaps. stat_lines.py documents the rest of `disk` and `card` lines. The only rules used are which disks pin which and
what overlaps.
"""

from collections.abc import Iterable

import msgspec

from diskwars_protocol.identifiers import make_id
from diskwars_protocol.match.ids import Seat, seat_letter
from diskwars_protocol.records.sealed import HIDDEN, Sealed, if_known
from diskwars_protocol.rulesets.diskwars.actions import DiskId
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, CASUALTY, RESERVE, WITHDRAWN, Board, Disk, Side
from diskwars_protocol.rulesets.diskwars.events import ArmyIdentity, Engagement, Link, Pin
from diskwars_protocol.rulesets.diskwars.setup_cards import Layout, TerrainPiece, Zone
from diskwars_protocol.suggestions import json_quote
from diskwars_text.rulesets.diskwars import stat_lines
from diskwars_text.rulesets.diskwars.lexer import (
    counted_list,
    disk_labels,
    inches_text,
    quoted_label,
    quoted_name,
    unique_names,
)
from diskwars_text.rulesets.diskwars.parser import (
    COUNTED_STATES,
    DEFAULT_BATTLE_DIE,
    DEFAULT_FIELD,
    MARKED_STATES,
    QUICK_SETTINGS,
    derive_pins,
    link_sides,
    terrain_under,
)

# ---------------------------------------------------------------- writing


def format_position(board: Board, whole: bool = True) -> str:
    """Format a position as text. Unless `whole`, only what lies on the table: no hands, locks, cursor, printed figures.

    Raises ValueError if two different profiles or cards have the same id.
    """
    names = _DiskLabels(board)
    blocks = [_progress_lines(board)]
    numbers_in_text: list[DiskId] = []
    for side in board.sides:
        lines, numbers = _disk_lines(board, side.seat, names)
        blocks.append(lines + _side_lines(board, side, whole))
        numbers_in_text += numbers
    blocks.append(_board_lines(board, names, numbers_in_text))
    if whole:
        if board.revealed_salts:
            blocks.append([f"salts {', '.join(map(json_quote, board.revealed_salts))}"])
        blocks += [_layout_lines(board), _cursor_lines(board), _printed_lines(board)]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"


class _DiskLabels:
    """The labels of the disks of a board, by disk number."""

    def __init__(self, board: Board) -> None:
        profile_names = unique_names(board.profiles)
        printed_names = [profile_names[disk.profile] for disk in board.disks]
        self.texts = [quoted_label(*pair) for pair in zip(disk_labels(board), printed_names, strict=True)]

    def label(self, disk: DiskId) -> str:
        return self.texts[disk]

    def label_list(self, disks: Iterable[DiskId]) -> str:
        return ", ".join(self.texts[disk] for disk in disks)

    def pin_list(self, pins: Iterable[Pin | Link]) -> str:
        return ", ".join(f"{self.texts[top]}>{self.texts[bottom]}" for top, bottom in pins)


def _progress_lines(board: Board) -> list[str]:
    field, ruler = board.field, (board.field.short, board.field.medium, board.field.long)
    table = [f"field {inches_text(field.width)}x{inches_text(field.height)}in"]
    if ruler != (DEFAULT_FIELD.short, DEFAULT_FIELD.medium, DEFAULT_FIELD.long):
        table.append(f"ruler {' '.join(map(inches_text, ruler))}")
    table.append(f"pins {board.settings.pins}")
    if board.settings.setup == "full" or board.settings.regiments != 1:
        table.append(f"setup {board.settings.setup} {board.settings.regiments}")
    table += _option_clauses(board)
    if len(board.sides) != 2:
        table.append(f"seats {len(board.sides)}")
    course = [f"round {board.round} of {board.rounds}", f"phase {board.phase}"]
    course.append(f"order {' '.join(map(seat_letter, board.order)) or 'none'}")
    if board.active_seat is not None:
        course.append(f"playing {seat_letter(board.active_seat)}")
    out = [seat_letter(side.seat) for side in board.sides if side.eliminated]
    if out:
        course.append(f"out {' '.join(out)}")
    if board.top_z != max((disk.z for disk in board.disks if disk.place == BATTLEFIELD), default=0):
        course.append(f"height {board.top_z}")
    return ["  ".join(table), "  ".join(course)]


HEADER_OPTIONS = ("pins", "setup", "regiments")
"""Settings that have words of their own in the head of a position."""


def _option_clauses(board: Board) -> list[str]:
    """Return a clause for each setting that differs from its default and has no word of its own."""
    values = msgspec.structs.asdict(board.settings)
    defaults = msgspec.structs.asdict(QUICK_SETTINGS)
    return [
        f"option {name} {option_value_text(value)}"
        for name, value in values.items()
        if value != defaults[name] and name not in HEADER_OPTIONS
    ]


def option_value_text(value: object) -> str:
    """Format the value of a setting."""
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def _disk_lines(board: Board, seat: Seat, names: _DiskLabels) -> tuple[list[str], list[DiskId]]:
    """Return the lines of one seat's disks, and the numbers of the disks in the order of the lines."""
    own = [disk for disk in board.disks if disk.seat == seat]
    single = [disk for disk in own if disk.place == BATTLEFIELD or _needs_number(board, disk)]
    width = max((len(names.label(disk.id)) for disk in single), default=0)
    lines = [_disk_line(board, disk, names, width) for disk in single]
    numbers_in_text = [disk.id for disk in single]
    for word, place in (("reserve", RESERVE), ("casualties", CASUALTY), ("gone", WITHDRAWN)):
        pile = [disk for disk in own if disk.place == place and disk not in single]
        if pile:
            bases = unique_names(board.profiles)
            named = counted_list([quoted_name(bases[disk.profile]) for disk in pile])
            lines.append(f"{seat_letter(seat)} {word}: {named}")
            kinds = list(dict.fromkeys(disk.profile for disk in pile))
            numbers_in_text += [disk.id for disk in sorted(pile, key=lambda disk: kinds.index(disk.profile))]
    return lines, numbers_in_text


def _needs_number(board: Board, disk: Disk) -> bool:
    """Return whether a disk off the field needs a line of its own, because its kind and place do not describe it."""
    is_plain = disk == Disk(disk.id, disk.seat, disk.profile, disk.place)
    return not is_plain or board.active_disk == disk.id or any(disk.id in pin for pin in board.pins)


def _disk_line(board: Board, disk: Disk, names: _DiskLabels, width: int) -> str:
    words: list[str] = [disk.place]
    if disk.place == BATTLEFIELD:
        words = [f"({inches_text(disk.x, 2):>5}, {inches_text(disk.y, 2):>5})", f"z{disk.z}"]
    counts = ((word, getattr(disk, word)) for word in COUNTED_STATES)
    words += [f"{word} {count}" for word, count in counts if count]
    words += [word for word in MARKED_STATES if getattr(disk, word)]
    if board.active_disk == disk.id:
        words.append("acting")
    if disk.terrain != terrain_under(board, disk):
        words.append(f"ground {' '.join(map(str, disk.terrain)) or 'none'}")
    pinned = [bottom for top, bottom in board.pins if top == disk.id]
    if pinned:
        words.append(f"pins {names.label_list(pinned)}")
    return f"{seat_letter(disk.seat)} {names.label(disk.id):<{width}}  {'  '.join(words)}"


def _side_lines(board: Board, side: Side, whole: bool) -> list[str]:
    seat = seat_letter(side.seat)
    lines = [f"{seat} army: {_army_text(side.army)}"] if whole and side.army and side.army.name else []
    hand = side.hand if whole or side.hand is None else HIDDEN
    if isinstance(hand, Sealed):
        lines.append(f"{seat} hand: {side.card_count} hidden")
    elif hand is None:
        lines.append(f"{seat} hand: none")
    elif hand:
        lines.append(f"{seat} hand: {', '.join(_card_name(board, card) for card in hand)}")
    if not isinstance(hand, Sealed) and side.card_count != len(hand or ()):
        lines.append(f"{seat} cards: {side.card_count}")
    if side.has_locked:
        lines.append(f"{seat} locked: {_lock_text(board, side) if whole else 'hidden'}")
    if side.revealed_card:
        lines.append(f"{seat} revealed: {_card_name(board, side.revealed_card)}")
    if side.discards:
        lines.append(f"{seat} discards: {', '.join(_card_name(board, card) for card in side.discards)}")
    if side.points:
        lines.append(f"{seat} points: {side.points}")
    if side.drawn_scenarios is not None and whole:
        drawn = if_known(side.drawn_scenarios)
        lines.append(f"{seat} drawn: {'hidden' if drawn is None else ', '.join(map(quoted_name, drawn))}")
    if side.objective is not None and (whole or side.objective_revealed):
        objective = if_known(side.objective)
        text = "hidden" if objective is None else quoted_name(objective)
        lines.append(f"{seat} objective: {'shown ' if side.objective_revealed else ''}{text}")
    return lines


def _card_name(board: Board, id: str) -> str:
    """Return a command card's name as the text writes it."""
    names = dict(zip((card.id for card in board.cards), unique_names(board.cards), strict=True))
    return quoted_name(names.get(id, id))


def _lock_text(board: Board, side: Side) -> str:
    card, salt = if_known(side.locked_card), if_known(side.locked_salt)
    if card is None:
        return "hidden"
    name = _card_name(board, card)
    return name if salt is None else f"{name}, salt {json_quote(salt)}"


def _board_lines(board: Board, names: _DiskLabels, numbers_in_text: list[DiskId]) -> list[str]:
    lines = [*map(_zone_line, board.zones), *map(_terrain_line, board.terrain)]
    if not board.pins and derive_pins(board):
        lines.append("pins: none")
    lines += [
        _engagement_line(engagement, names, number == board.active_engagement)
        for number, engagement in enumerate(board.engagements)
    ]
    if numbers_in_text != sorted(numbers_in_text):
        lines.append(f"numbers {' '.join(_number_ranges(numbers_in_text))}")
    return lines


def _number_ranges(numbers: list[int]) -> list[str]:
    """Join consecutive numbers: `0-3 7 4-6`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]


def _zone_line(zone: Zone) -> str:
    low, high = (f"({inches_text(x)}, {inches_text(y)})" for x, y in ((zone.x0, zone.y0), (zone.x1, zone.y1)))
    edge = f" at {zone.edge}" if zone.edge else ""
    abilities = f" with {', '.join(zone.abilities)}" if zone.abilities else ""
    return f"zone {seat_letter(zone.seat)} {low} to {high} for {zone.value}{edge}{abilities}"


def _terrain_line(piece: TerrainPiece) -> str:
    name = piece.terrain.name
    parts = [
        f"terrain {json_quote(name) if 'at' in name.split() else quoted_name(name)} at {_corners_text(piece.corners)}"
    ]
    keywords = ", ".join(map(stat_lines.terrain_keyword_text, piece.terrain.keywords))
    if keywords:
        parts.append(keywords)
    if piece.terrain.id != make_id(name):
        parts.append(f"id {piece.terrain.id}")
    if piece.terrain.short_name:
        parts.append(f"short {quoted_name(piece.terrain.short_name)}")
    if piece.terrain.corners != piece.corners:
        parts.append(f"printed {_corners_text(piece.terrain.corners)}")
    return "; ".join(parts)


def _corners_text(corners: Iterable[tuple[int, int]]) -> str:
    return " ".join(f"({inches_text(x)}, {inches_text(y)})" for x, y in corners)


def _layout_lines(board: Board) -> list[str]:
    """Return the line of the setup cards; none for a quick setup."""
    if board.layout == Layout():
        return []
    return [f"layout: {msgspec.json.encode(board.layout).decode()}"]


def _engagement_line(engagement: Engagement, names: _DiskLabels, is_fought: bool) -> str:
    parts = [names.pin_list(engagement.links) or "none"]
    attackers, defenders = link_sides(engagement.links)
    if (attackers, defenders) != (engagement.attackers, engagement.defenders):
        parts.append(f"attackers {names.label_list(engagement.attackers)}")
        parts.append(f"defenders {names.label_list(engagement.defenders)}")
    if engagement.strikers:
        parts.append(f"struck {names.label_list(engagement.strikers)}")
    parts += [word for word, is_so in (("done", engagement.resolved), ("fighting", is_fought)) if is_so]
    return f"engagement: {'; '.join(part.strip() for part in parts)}"


def _army_text(army: ArmyIdentity) -> str:
    plain = army.name or ""
    name = json_quote(plain) if "id" in plain.split() else quoted_name(plain)
    return name + (f" id {army.id}" if army.id else "")


def _cursor_lines(board: Board) -> list[str]:
    return [f"cursor: {msgspec.json.encode(board.cursor).decode()}"] if board.cursor else []


def _printed_lines(board: Board) -> list[str]:
    for noun, entries in (("disks", board.profiles), ("cards", board.cards)):
        if len({entry.id for entry in entries}) < len(entries):
            raise ValueError(f"two {noun} with the same id cannot be distinguished in a text")
    lines = [] if board.battle_die == DEFAULT_BATTLE_DIE else [" ".join(("die", *board.battle_die))]
    lines += [stat_lines.format_disk(profile) for profile in board.profiles]
    return lines + [stat_lines.format_card(card) for card in board.cards]
