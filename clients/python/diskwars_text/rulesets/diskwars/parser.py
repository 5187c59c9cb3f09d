"""The parser of positions as text.

notation.py documents the grammar. The only rules used are which disks pin which and what overlaps.
"""

import re
from collections.abc import Collection, Mapping
from typing import Literal, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from diskwars_protocol import geometry
from diskwars_protocol.identifiers import Identified, NameIndex, NameNotFound, make_id
from diskwars_protocol.match.ids import SEAT_LETTERS, Seat
from diskwars_protocol.records.sealed import HIDDEN
from diskwars_protocol.rulesets.diskwars.actions import DiskId, DiskwarsSettings
from diskwars_protocol.rulesets.diskwars.board import (
    BATTLEFIELD,
    CASUALTY,
    RESERVE,
    WITHDRAWN,
    Board,
    Disk,
    Place,
    Side,
)
from diskwars_protocol.rulesets.diskwars.events import ArmyIdentity, Engagement, Link, Phase, Pin
from diskwars_protocol.rulesets.diskwars.position import to_pins
from diskwars_protocol.rulesets.diskwars.setup_cards import Edge, Layout, Terrain, TerrainPiece, Zone, ZoneAbility
from diskwars_protocol.rulesets.diskwars.stats import CommandCard, Field, Profile, Symbol
from diskwars_protocol.suggestions import json_quote
from diskwars_text.rulesets.diskwars import stat_lines
from diskwars_text.rulesets.diskwars.lexer import INCH, RESERVED_WORDS, LexerToken, LineParser, parse_length

HeaderWord: TypeAlias = Literal[
    "field",
    "ruler",
    "pins",
    "option",
    "seats",
    "round",
    "phase",
    "order",
    "playing",
    "out",
    "height",
    "setup",
    "salts",
]
SeatWord: TypeAlias = Literal[
    "reserve",
    "casualties",
    "gone",
    "army",
    "hand",
    "cards",
    "locked",
    "revealed",
    "discards",
    "points",
    "drawn",
    "objective",
]
HEADER_WORDS: tuple[HeaderWord, ...] = get_args(HeaderWord)
SEAT_WORDS: tuple[SeatWord, ...] = get_args(SeatWord)
PHASES: tuple[Phase, ...] = get_args(Phase)
SYMBOLS: tuple[Symbol, ...] = get_args(Symbol)
PIN_MODES: tuple[geometry.PinMode, ...] = get_args(geometry.PinMode)
DEFAULT_FIELD = Field(36 * INCH, 36 * INCH, 3 * INCH, 6 * INCH, 12 * INCH)
DEFAULT_BATTLE_DIE: tuple[Symbol, ...] = ("hit", "critical", "scatter", "chaos", "miss", "miss")
EDGES: tuple[Edge, ...] = get_args(Edge)
ZONE_ABILITIES: tuple[ZoneAbility, ...] = get_args(ZoneAbility)
QUICK_SETTINGS = DiskwarsSettings(setup="quick", regiments=1)
"""The settings of a position that names none: a quick setup, without cards around the field."""
SETUPS: tuple[Literal["quick", "full"], ...] = ("quick", "full")
PLACE_BY_PILE: dict[str, Place] = {"reserve": RESERVE, "casualties": CASUALTY, "gone": WITHDRAWN}
DEFAULT_ROUNDS = 5
COUNTED_STATES = ("damage", "wounds", "weakened")
MARKED_STATES = ("activated", "empowered", "poisoned")
STATE_WORDS = (*COUNTED_STATES, "wound", *MARKED_STATES, "acting", "ground", "pins")
_LAYOUT_DECODER: msgspec.json.Decoder[Layout] = msgspec.json.Decoder(Layout)
_CURSOR_DECODER: msgspec.json.Decoder[str] = msgspec.json.Decoder(str)
DecodedT = TypeVar("DecodedT")
EntryT = TypeVar("EntryT", bound=Identified)
ENGAGEMENT_WORDS = ("attackers", "defenders", "struck", "done", "fighting")


def parse_position(
    text: str, profiles: Mapping[str, Profile] | None = None, cards: Mapping[str, CommandCard] | None = None
) -> Board:
    """Parse a position. Raises NotationError, which names line and column.

    `profiles` and `cards` are what the text may name without a `disk` or `card` line of its own; the board holds those
    that it names. Defaults: field 36x36in, ruler 3 6 12, pins strict, two seats, round 1 of 5, phase activation, order
    by seat, the standard battle die, empty hands, no tokens on disks, no acting disk, no zones, engagements and cursor.
    A disk without z lies above all disks of the lines before it. If no pins are given anywhere, they follow from the
    positions of the disks; `pins: none` says that there are none.
    """
    parser = _PositionParser(profiles or {}, cards or {})
    lines = [LineParser(source, number) for number, source in enumerate(text.split("\n"), 1)]
    for line in [line for line in lines if not line.is_at_end and not parser.parse_printed(line)]:
        parser.parse_line(line)
    return parser.build_board()


class _ParsedDisk(Struct):
    """A disk as the text names it. `number` is that of its label; `pins_line` is its line, stopped before its pins."""

    disk: Disk
    profile: Profile
    number: int = 0
    pins_line: LineParser | None = None


class _PositionParser:
    """A parser that builds a board.

    Disks and profiles are numbered as the text names them; references to disks are resolved at the end.
    """

    def __init__(self, profiles: Mapping[str, Profile], cards: Mapping[str, CommandCard]) -> None:
        self._profiles = NameIndex("disk", profiles.values())
        self._cards = NameIndex("command card", cards.values())
        self._given_words: set[str] = set()
        self._parsed_disks: list[_ParsedDisk] = []
        self._acting: int | None = None
        self._ground: dict[int, tuple[int, ...]] = {}
        self._deferred_lines: dict[str, list[LineParser]] = {"pins": [], "engagement": [], "numbers": []}
        self._board = Board(
            settings=QUICK_SETTINGS,
            field=DEFAULT_FIELD,
            battle_die=DEFAULT_BATTLE_DIE,
            profiles=(),
            cards=(),
            zones=(),
            rounds=DEFAULT_ROUNDS,
            disks=(),
            sides=(Side(0, ()), Side(1, ())),
            layout=Layout(),
            round=1,
            phase="activation",
        )

    # ---- printed disks, cards and dice

    def parse_printed(self, line: LineParser) -> bool:
        """Parse a line about a printed disk, card or die; return False if it is another line."""
        start = line.token
        if line.take("disk"):
            profile = stat_lines.parse_disk(line)
            if any(profile.id == known.id for known in self._board.profiles):
                raise line.error(f"a second line for the disk {json_quote(profile.name)}", at=start)
            self._add_profile(profile)
        elif line.take("card"):
            card = stat_lines.parse_card(line)
            if any(card.id == known.id for known in self._board.cards):
                raise line.error(f"a second line for the card {json_quote(card.name)}", at=start)
            self._add_card(card)
        elif line.take("die"):
            self._change_board(battle_die=())
            while not line.is_at_end:
                side = line.choose("side of a battle die", SYMBOLS)
                self._change_board(battle_die=(*self._board.battle_die, side))
        else:
            return False
        line.expect_end()
        return True

    def _add_profile(self, profile: Profile) -> int:
        """Add a profile to the board if it is new; return its number."""
        self._profiles.add(profile)
        if profile not in self._board.profiles:
            self._change_board(profiles=(*self._board.profiles, profile))
        return self._board.profiles.index(profile)

    def _add_card(self, card: CommandCard) -> None:
        self._cards.add(card)
        if card not in self._board.cards:
            self._change_board(cards=(*self._board.cards, card))

    # ---- the head

    def parse_line(self, line: LineParser) -> None:
        """Parse any other line; defer it if it refers to disks."""
        first = line.token.text
        if line.is_next(*SEAT_LETTERS):
            self._parse_seat_line(line)
        elif line.is_next(*self._deferred_lines) and not any(map(line.is_followed_by, PIN_MODES)):
            self._deferred_lines[first].append(line)
        elif line.take("zone"):
            self._parse_zone(line)
        elif line.take("terrain"):
            self._parse_terrain(line)
        elif line.take("layout"):
            self._parse_layout(line)
        elif line.take("cursor"):
            self._parse_cursor(line)
        else:
            while not line.is_at_end:
                self._parse_clause(line)

    def _parse_clause(self, line: LineParser) -> None:
        """Parse one word of the head and its value."""
        word = line.choose("word of a position", HEADER_WORDS)
        self._given_words.add(word)
        match word:
            case "field":
                self._parse_field(line)
            case "ruler":
                short, medium, long = (line.length(f"the mark {reach}") for reach in ("short", "medium", "long"))
                self._change_board(field=replace(self._board.field, short=short, medium=medium, long=long))
            case "pins":
                self._change_board(
                    settings=replace(self._board.settings, pins=line.choose("way of pinning", PIN_MODES))
                )
            case "option":
                self._parse_option(line)
            case "round":
                self._change_board(round=line.parse_number("the round"))
                if line.take("of"):
                    self._change_board(rounds=line.parse_number("the rounds of the game"))
            case "phase":
                self._change_board(phase=line.choose("phase", PHASES))
            case "order":
                order = () if line.take("none") else self._parse_seats(line)
                self._change_board(order=order)
            case "playing":
                self._change_board(active_seat=self._parse_seat(line))
            case "out":
                for seat in self._parse_seats(line):
                    self._change_side(seat, eliminated=True)
            case "salts":
                self._change_board(revealed_salts=line.separated(lambda: line.next_token().text))
            case "height":
                self._change_board(top_z=line.parse_number("the greatest height so far"))
            case "setup":
                setup = line.choose("way of setting up", SETUPS)
                regiments = line.parse_number("how many regiments each army has")
                self._change_board(settings=replace(self._board.settings, setup=setup, regiments=regiments))
            case "seats":
                self._change_board(sides=tuple(Side(seat, ()) for seat in range(line.parse_number("how many seats"))))

    def _parse_option(self, line: LineParser) -> None:
        """Parse `option impact_own no`: a field of the settings and its value."""
        name = line.word("option of a match", [field.name for field in fields(DiskwarsSettings)])
        value_token = line.token
        words: dict[str, object] = {"yes": True, "no": False}
        value = (
            int(value_token.text)
            if re.fullmatch(r"[0-9]{1,6}", value_token.text)
            else words.get(value_token.text, value_token.text)
        )
        line.next_token()
        settings = {**msgspec.to_builtins(self._board.settings), name: value}
        try:
            self._change_board(settings=msgspec.convert(settings, DiskwarsSettings, strict=False))
        except msgspec.ValidationError:
            raise line.error(
                f"{json_quote(value_token.text)} is no value of the option {name}", at=value_token
            ) from None

    def _change_board(self, **changes: object) -> None:
        self._board = replace(self._board, **changes)

    def _change_side(self, seat: Seat, **changes: object) -> None:
        sides = list(self._board.sides)
        sides[seat] = replace(sides[seat], **changes)
        self._change_board(sides=tuple(sides))

    def _parse_seat(self, line: LineParser) -> Seat:
        """Return the seat that a letter names; add missing seats to the board."""
        seat = SEAT_LETTERS.index(line.word("seat", SEAT_LETTERS))
        missing = range(len(self._board.sides), seat + 1)
        self._change_board(sides=(*self._board.sides, *map(Side, missing)))
        return seat

    def _parse_seats(self, line: LineParser) -> tuple[Seat, ...]:
        seats = [self._parse_seat(line)]
        while line.is_next(*SEAT_LETTERS):
            seats.append(self._parse_seat(line))
        return tuple(seats)

    def _parse_field(self, line: LineParser) -> None:
        token = line.token
        width, _, height = line.word("the size of the field").partition("x")
        sides = parse_length(width, height.lstrip("0123456789.")), parse_length(height)
        if None in sides:
            raise line.error("expected the size of the field, such as 36x36in", at=token)
        self._change_board(field=replace(self._board.field, width=sides[0], height=sides[1]))

    def _parse_zone(self, line: LineParser) -> None:
        seat = self._parse_seat(line)
        x0, y0 = self._parse_point(line)
        line.expect("to")
        x1, y1 = self._parse_point(line)
        line.expect("for")
        zone = Zone(seat, x0, y0, x1, y1, line.parse_number("how many disks are deployed there"))
        if line.take("at"):
            zone = replace(zone, edge=line.choose("edge", EDGES))
        if line.take("with"):
            zone = replace(zone, abilities=line.separated(lambda: line.choose("ability of a zone", ZONE_ABILITIES)))
        line.expect_end()
        self._change_board(zones=(*self._board.zones, zone))

    def _parse_terrain(self, line: LineParser) -> None:
        name = line.name("a piece of terrain", (*RESERVED_WORDS, "at"))
        line.expect("at")
        corners = self._parse_corners(line)
        face = Terrain(make_id(name), name, corners)
        while line.take(";"):
            if line.take("id"):
                face = replace(face, id=line.next_token().text)
            elif line.take("short"):
                face = replace(face, short_name=line.name("a short name"))
            elif line.take("printed"):
                face = replace(face, corners=self._parse_corners(line))
            else:
                face = replace(face, keywords=line.separated(lambda: stat_lines.parse_terrain_keyword(line)))
        line.expect_end()
        self._change_board(terrain=(*self._board.terrain, TerrainPiece(face, corners)))

    def _parse_corners(self, line: LineParser) -> tuple[tuple[int, int], ...]:
        corners = [self._parse_point(line)]
        while line.is_next("("):
            corners.append(self._parse_point(line))
        if len(corners) < 3:
            raise line.error("expected at least three corners")
        return tuple(corners)

    def _parse_layout(self, line: LineParser) -> None:
        self._change_board(layout=_decode_rest(line, _LAYOUT_DECODER, "no layout"))

    def _parse_point(self, line: LineParser) -> tuple[int, int]:
        line.expect("(")
        x = line.length("x")
        line.expect(",")
        y = line.length("y")
        line.expect(")")
        return x, y

    def _parse_cursor(self, line: LineParser) -> None:
        self._change_board(cursor=_decode_rest(line, _CURSOR_DECODER, "no cursor"))

    # ---- disks and cards

    def _parse_seat_line(self, line: LineParser) -> None:
        seat = self._parse_seat(line)
        if not line.is_followed_by(":"):
            self._parse_disk(line, seat)
            return
        word = line.choose("thing of a player", SEAT_WORDS)
        line.expect(":")
        match word:
            case "army":
                name = line.name("the name of the army", (*RESERVED_WORDS, "id"))
                id = line.next_token().text if line.take("id") else None
                self._change_side(seat, army=ArmyIdentity(name, id))
            case "reserve" | "casualties" | "gone":
                self._parse_pile(line, seat, PLACE_BY_PILE[word])
            case "drawn":
                drawn = HIDDEN if line.take("hidden") else line.separated(lambda: make_id(line.name("a scenario card")))
                self._change_side(seat, drawn_scenarios=drawn)
            case "objective":
                shown_to_all = line.take("shown")
                objective = HIDDEN if line.take("hidden") else make_id(line.name("a scenario card"))
                self._change_side(seat, objective=objective, objective_revealed=shown_to_all)
            case "hand":
                self._parse_hand(line, seat)
            case "cards":
                self._change_side(seat, card_count=line.parse_number("how many cards"))
            case "locked":
                is_hidden = line.take("hidden")
                card = HIDDEN if is_hidden else self._parse_card(line)
                salt = line.next_token().text if line.take(",") and line.take("salt") else HIDDEN if is_hidden else None
                self._change_side(seat, has_locked=True, locked_card=card, locked_salt=salt)
            case "revealed":
                self._change_side(seat, revealed_card=self._parse_card(line))
            case "discards":
                self._change_side(seat, discards=line.separated(lambda: self._parse_card(line)))
            case "points":
                self._change_side(seat, points=line.parse_number("victory points"))
        line.expect_end()

    def _parse_hand(self, line: LineParser, seat: Seat) -> None:
        if line.is_followed_by("hidden"):
            self._change_side(seat, hand=HIDDEN, card_count=line.parse_number("how many cards"))
            line.next_token()
        elif line.take("none"):
            self._change_side(seat, hand=None)
        else:
            hand = line.separated(lambda: self._parse_card(line))
            self._change_side(seat, hand=hand, card_count=len(hand))

    def _parse_card(self, line: LineParser) -> str:
        start = line.token
        card = _find(line, self._cards, line.name("a command card"), start)
        self._add_card(card)
        return card.id

    def _parse_pile(self, line: LineParser, seat: Seat, place: Place) -> None:
        for parsed, copies in line.separated(lambda: (self._parse_named_disk(line, seat, place), line.copies())):
            self._parsed_disks += [parsed] * copies

    def _parse_named_disk(self, line: LineParser, seat: Seat, place: Place) -> _ParsedDisk:
        """Return a disk of the name that comes next."""
        start = line.token
        name, number = line.label("a disk")
        profile = _find(line, self._profiles, name, start)
        if number and any((parsed.profile.id, parsed.number) == (profile.id, number) for parsed in self._parsed_disks):
            raise line.error(f"a second {name}#{number}", at=start)
        return _ParsedDisk(Disk(0, seat, self._add_profile(profile), place), profile, number)

    def _parse_disk(self, line: LineParser, seat: Seat) -> None:
        parsed = self._parse_named_disk(line, seat, BATTLEFIELD)
        above = max((other.disk.z for other in self._parsed_disks), default=0) + 1
        changes: dict[str, object] = {"z": above}
        if line.is_next("("):
            changes["x"], changes["y"] = self._parse_point(line)
            line.take("in")
        else:
            places = (RESERVE, CASUALTY, WITHDRAWN)
            changes = {"place": line.choose('place (coordinates, "reserve", "casualty" or "gone")', places)}
        while not (line.is_at_end or line.is_next("pins")):
            if line.take("ground"):
                self._ground[len(self._parsed_disks)] = self._parse_numbers(line)
            else:
                self._parse_state(line, changes)
        disk = replace(parsed.disk, **changes)
        pins = line if line.take("pins") else None
        self._parsed_disks.append(_ParsedDisk(disk, parsed.profile, parsed.number, pins))

    def _parse_state(self, line: LineParser, changes: dict[str, object]) -> None:
        """Parse one more word about a disk into `changes`."""
        start = line.token
        if re.fullmatch(r"z\d{1,9}", start.text) and "z" in changes:
            changes["z"] = int(line.next_token().text[1:])
            if any(parsed.disk.place == BATTLEFIELD and parsed.disk.z == changes["z"] for parsed in self._parsed_disks):
                raise line.error(f"a second disk at the height {start.text}", at=start)
            return
        word = line.choose("word about a disk", STATE_WORDS)
        if word == "acting":
            self._acting = len(self._parsed_disks)
        elif word in MARKED_STATES:
            changes[word] = True
        else:
            changes["wounds" if word == "wound" else word] = line.parse_number(f"how much {word}")

    # ---- references to disks

    def build_board(self) -> Board:
        """Return the board after all lines have been parsed."""
        order = self._disk_order()
        self._parsed_disks = [self._parsed_disks[place] for place in order]
        acting = None if self._acting is None else order.index(self._acting)
        disks = tuple(replace(parsed.disk, id=number) for number, parsed in enumerate(self._parsed_disks))
        self._change_board(disks=disks, active_disk=acting)
        given_terrain = {order.index(place): pieces for place, pieces in self._ground.items()}
        terrain = [given_terrain.get(disk.id, terrain_under(self._board, disk)) for disk in disks]
        disks = tuple(replace(disk, terrain=pieces) for disk, pieces in zip(disks, terrain, strict=True))
        self._change_board(disks=disks)
        if "order" not in self._given_words:
            self._change_board(order=tuple(range(len(self._board.sides))))
        if "height" not in self._given_words:
            self._change_board(top_z=max((disk.z for disk in disks if disk.place == BATTLEFIELD), default=0))
        self._change_board(pins=self._build_pins())
        for line in self._deferred_lines["engagement"]:
            self._parse_engagement(line)
        return self._board

    def _disk_order(self) -> list[int]:
        """Return, for each disk number, the index of its entry in the text."""
        count = len(self._parsed_disks)
        for line in self._deferred_lines["numbers"]:
            start = line.next_token()
            numbers: list[int] = []
            while not line.is_at_end:
                numbers += self._parse_range(line)
            if sorted(numbers) != list(range(count)):
                raise line.error(f"expected each number from 0 to {count - 1} once", at=start)
            return sorted(range(count), key=numbers.__getitem__)
        return list(range(count))

    def _parse_numbers(self, line: LineParser) -> tuple[int, ...]:
        """Parse numbers of terrain pieces, or `none`."""
        numbers: list[int] = []
        if not line.take("none"):
            numbers.append(line.parse_number("a piece of terrain"))
            while line.token.kind == "word" and line.token.text.isdecimal():
                numbers.append(line.parse_number("a piece of terrain"))
        return tuple(numbers)

    def _parse_range(self, line: LineParser) -> range:
        """Parse `7` or `4-6`."""
        run = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", line.token.text)
        if run is None:
            raise line.error("expected the number of a disk, or several such as 4-6")
        line.next_token()
        return range(int(run[1]), int(run[2] or run[1]) + 1)

    def _build_pins(self) -> tuple[Pin, ...]:
        """Return the pins given in the text, or those that follow from the positions if it gives none."""
        pins: set[Pin] = set()
        for line in self._deferred_lines["pins"]:
            line.next_token()
            line.expect(":")
            pins.update(() if line.take("none") else self._parse_links(line))
            line.expect_end()
        for top, parsed in enumerate(self._parsed_disks):
            if parsed.pins_line is not None:
                pins.update(Pin(top, bottom) for bottom in self._parse_references(parsed.pins_line))
                parsed.pins_line.expect_end()
        if pins or self._deferred_lines["pins"]:
            return tuple(sorted(pins))
        return derive_pins(self._board)

    def _parse_links(self, line: LineParser) -> tuple[Pin, ...]:
        return line.separated(lambda: self._parse_link(line))

    def _parse_link(self, line: LineParser) -> Pin:
        top = self._parse_reference(line)
        line.expect(">")
        return Pin(top, self._parse_reference(line))

    def _parse_references(self, line: LineParser) -> tuple[DiskId, ...]:
        return line.separated(lambda: self._parse_reference(line))

    def _parse_reference(self, line: LineParser) -> DiskId:
        """Return the number of the disk that the next label names."""
        start = line.token
        name, number = line.label("a disk")
        index = NameIndex("disk", {parsed.profile.id: parsed.profile for parsed in self._parsed_disks}.values())
        profile = _find(line, index, name, start, "no disk here")
        named = [place for place, parsed in enumerate(self._parsed_disks) if parsed.profile.id == profile.id]
        own = [place for place in named if self._parsed_disks[place].number == number]
        if number and own:
            return own[0]
        if number > len(named) or (not number and len(named) > 1):
            raise line.error(
                f"{len(named)} disks are called {json_quote(name)}: {name}#1 … {name}#{len(named)}", at=start
            )
        return named[max(number, 1) - 1]

    def _parse_engagement(self, line: LineParser) -> None:
        line.next_token()
        line.expect(":")
        links = () if line.take("none") else tuple(Link(*pin) for pin in self._parse_links(line))
        attackers, defenders = link_sides(links)
        engagement = Engagement(attackers, defenders, links)
        while line.take(";"):
            word = line.choose("word about an engagement", ENGAGEMENT_WORDS)
            if word == "done":
                engagement = replace(engagement, resolved=True)
            elif word == "fighting":
                self._change_board(active_engagement=len(self._board.engagements))
            else:
                disks = () if line.is_at_end or line.is_next(";") else self._parse_references(line)
                engagement = replace(engagement, **{"strikers" if word == "struck" else word: disks})
        line.expect_end()
        self._change_board(engagements=(*self._board.engagements, engagement))


def _find(line: LineParser, index: NameIndex[EntryT], name: str, at: LexerToken, what: str = "") -> EntryT:
    """Return the entry of this name or id. Raises NotationError with a suggestion."""
    try:
        return index.find(name)
    except NameNotFound as error:
        if error.candidates:
            raise line.error(error.problem, at=at) from None
        raise line.unknown_name_error(what or f"no {index.kind}", name, index.names(), at) from None


def _decode_rest(line: LineParser, decoder: msgspec.json.Decoder[DecodedT], problem: str) -> DecodedT:
    """Decode the rest of a line as JSON."""
    line.expect(":")
    start = line.token
    try:
        return decoder.decode(line.rest())
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise line.error(f"{problem}: {error}", at=start) from None


def link_sides(links: Collection[Link]) -> tuple[tuple[DiskId, ...], tuple[DiskId, ...]]:
    """Return the attackers and the defenders of links, sorted by number."""
    return tuple(sorted({link.attacker for link in links})), tuple(sorted({link.defender for link in links}))


def terrain_under(board: Board, disk: Disk) -> tuple[int, ...]:
    """Return the numbers of the terrain pieces that a disk overlaps."""
    if disk.place != BATTLEFIELD:
        return ()
    radius = board.profiles[disk.profile].radius
    return tuple(
        number
        for number, piece in enumerate(board.terrain)
        if geometry.disk_overlaps_polygon(disk.x, disk.y, radius, piece.corners)
    )


def derive_pins(board: Board) -> tuple[Pin, ...]:
    """Return the pins that follow from the positions of the disks and the board's pin setting."""
    fielded = [disk for disk in board.disks if disk.place == BATTLEFIELD]
    placed = [(disk.id, disk.x, disk.y, board.profile(disk.id).radius, disk.z) for disk in fielded]
    return to_pins(geometry.find_pins(placed, board.settings.pins))
