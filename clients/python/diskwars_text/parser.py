"""How is a text read as a position?

The grammar stands in notation.py. Must not know any rule but which disks pin which and what overlaps (plane.py).
"""

import re
from collections.abc import Collection, Mapping
from typing import Literal, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

from diskwars_protocol import geometry
from diskwars_protocol.match import SEAT_LETTERS, Pack, Seat
from diskwars_protocol.rulesets.diskwars.actions import DiskId, Settings
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, CASUALTY, GONE, RESERVE, Board, Disk, Side
from diskwars_protocol.rulesets.diskwars.events import Engagement, Phase, Pin, Work, Zone
from diskwars_protocol.rulesets.diskwars.setup_cards import Edge, Layout, Piece, Terrain, ZoneAbility
from diskwars_protocol.rulesets.diskwars.stats import CommandCard, Field, Profile, Symbol
from diskwars_protocol.suggestions import json_quote
from diskwars_text import stat_lines
from diskwars_text.lexer import INCH, RESERVED, Line, micrometres

Head: TypeAlias = Literal[
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
]
Thing: TypeAlias = Literal[
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
HEADS: tuple[Head, ...] = get_args(Head)
THINGS: tuple[Thing, ...] = get_args(Thing)
PHASES: tuple[Phase, ...] = get_args(Phase)
SYMBOLS: tuple[Symbol, ...] = get_args(Symbol)
MODES: tuple[geometry.PinMode, ...] = get_args(geometry.PinMode)
FIELD = Field(36 * INCH, 36 * INCH, 3 * INCH, 6 * INCH, 12 * INCH)
BATTLE_DIE: tuple[Symbol, ...] = ("hit", "critical", "scatter", "chaos", "miss", "miss")
EDGES: tuple[Edge, ...] = get_args(Edge)
ZONE_ABILITIES: tuple[ZoneAbility, ...] = get_args(ZoneAbility)
PLAIN = Settings(setup="quick")
"""The options of a position that names none: it has no cards around it."""
SETUPS: tuple[Literal["quick", "full"], ...] = ("quick", "full")
HEAPS = {"reserve": RESERVE, "casualties": CASUALTY, "gone": GONE}
ROUNDS = 5
COUNTS = ("damage", "wounds", "weakened")
MARKS = ("activated", "empowered", "poisoned")
STATES = (*COUNTS, "wound", *MARKS, "acting", "ground", "pins")
_LAYOUT: msgspec.json.Decoder[Layout] = msgspec.json.Decoder(Layout)
_WORK: msgspec.json.Decoder[Work] = msgspec.json.Decoder(Work)
T = TypeVar("T")
ENGAGED = ("attackers", "defenders", "struck", "done", "fighting")


def read(
    text: str, profiles: Mapping[str, Profile] | None = None, cards: Mapping[str, CommandCard] | None = None
) -> Board:
    """The position that a text describes. Raises NotationError, which names line and column.

    `profiles` and `cards` are what the text may name without a `disk` or `card` line of its own; the board holds those
    that it names. What a text leaves out: field 36x36in, ruler 3 6 12, pins strict, two seats, round 1 of 5, phase
    activation, order by seat, the usual battle die, empty hands, nothing on a disk, nobody acting, no zones,
    engagements and work. A disk without z lies above all disks of the lines before it. If no pins are given anywhere,
    they are those of the disks as they lie; `pins: none` says that there are none.
    """
    reader = _Reader(profiles or {}, cards or {})
    lines = [Line(source, number) for number, source in enumerate(text.split("\n"), 1)]
    for line in [line for line in lines if not line.is_over and not reader.printed(line)]:
        reader.line(line)
    return reader.board()


class _Entry(Struct):
    """A disk as the text names it. `number` is that of its label; `pins` is its line, waiting where its pins begin."""

    disk: Disk
    name: str
    number: int = 0
    pins: Line | None = None


class _Reader:
    """A board in the making. Disks and profiles are numbered as the text names them; references wait for the end."""

    def __init__(self, profiles: Mapping[str, Profile], cards: Mapping[str, CommandCard]) -> None:
        self._profiles = dict(profiles)
        self._cards = dict(cards)
        self._given: set[str] = set()
        self._entries: list[_Entry] = []
        self._acting: int | None = None
        self._ground: dict[int, tuple[int, ...]] = {}
        self._later: dict[str, list[Line]] = {"pins": [], "engagement": [], "numbers": []}
        self._board = Board(
            settings=PLAIN,
            field=FIELD,
            battle_die=BATTLE_DIE,
            profiles=(),
            cards=(),
            zones=(),
            packs=(),
            rounds=ROUNDS,
            disks=(),
            sides=(Side(0, ()), Side(1, ())),
            round=1,
            phase="activation",
        )

    # ---- what is printed

    def printed(self, line: Line) -> bool:
        """Read the line if it says what is printed on a disk, a card or a die, or what pack it is from."""
        start = line.token
        if line.take("disk"):
            profile = stat_lines.read_disk(line)
            if any(profile.name == known.name for known in self._board.profiles):
                raise line.wrong(f"a second line for the disk {json_quote(profile.name)}", at=start)
            self._use_profile(profile)
        elif line.take("card"):
            card = stat_lines.read_card(line)
            if any(card.name == known.name for known in self._board.cards):
                raise line.wrong(f"a second line for the card {json_quote(card.name)}", at=start)
            self._use_card(card)
        elif line.take("pack"):
            pack = Pack(*(line.step().text for _ in range(3)))
            self._change(packs=(*self._board.packs, pack))
        elif line.take("die"):
            self._change(battle_die=())
            while not line.is_over:
                side = line.choice("side of a battle die", SYMBOLS)
                self._change(battle_die=(*self._board.battle_die, side))
        else:
            return False
        line.done()
        return True

    def _use_profile(self, profile: Profile) -> int:
        """The number of a profile on the board, which holds it from now on."""
        self._profiles[profile.name] = profile
        if profile not in self._board.profiles:
            self._change(profiles=(*self._board.profiles, profile))
        return self._board.profiles.index(profile)

    def _use_card(self, card: CommandCard) -> None:
        self._cards[card.name] = card
        if card not in self._board.cards:
            self._change(cards=(*self._board.cards, card))

    # ---- the head

    def line(self, line: Line) -> None:
        """Read any other line, or lay it aside if it refers to disks."""
        first = line.token.text
        if line.is_next(*SEAT_LETTERS):
            self._seat_line(line)
        elif line.is_next(*self._later) and not any(map(line.is_followed_by, MODES)):
            self._later[first].append(line)
        elif line.take("zone"):
            self._zone(line)
        elif line.take("terrain"):
            self._terrain(line)
        elif line.take("layout"):
            self._layout(line)
        elif line.take("work"):
            self._work(line)
        else:
            while not line.is_over:
                self._clause(line)

    def _clause(self, line: Line) -> None:
        """One word of the head and what it says."""
        word = line.choice("word of a position", HEADS)
        self._given.add(word)
        match word:
            case "field":
                self._field(line)
            case "ruler":
                short, medium, long = (line.length(f"the mark {reach}") for reach in ("short", "medium", "long"))
                self._change(field=replace(self._board.field, short=short, medium=medium, long=long))
            case "pins":
                self._change(settings=replace(self._board.settings, pins=line.choice("way of pinning", MODES)))
            case "option":
                self._option(line)
            case "round":
                self._change(round=line.number_of("the round"))
                if line.take("of"):
                    self._change(rounds=line.number_of("the rounds of the game"))
            case "phase":
                self._change(phase=line.choice("phase", PHASES))
            case "order":
                order = () if line.take("none") else self._seats(line)
                self._change(order=order)
            case "playing":
                self._change(playing=self._seat(line))
            case "out":
                for seat in self._seats(line):
                    self._change_side(seat, out=True)
            case "height":
                self._change(height=line.number_of("the greatest height so far"))
            case "setup":
                setup = line.choice("way of setting up", SETUPS)
                regiments = line.number_of("how many regiments each army has")
                self._change(settings=replace(self._board.settings, setup=setup, regiments=regiments))
            case "seats":
                self._change(sides=tuple(Side(seat, ()) for seat in range(line.number_of("how many seats"))))

    def _option(self, line: Line) -> None:
        """`option impact_own no`: a field of the settings, as `pins` is, and its value."""
        name = line.word("option of a match", [field.name for field in fields(Settings)])
        at = line.token
        words: dict[str, object] = {"yes": True, "no": False}
        value = int(at.text) if re.fullmatch(r"[0-9]{1,6}", at.text) else words.get(at.text, at.text)
        line.step()
        given = {**msgspec.to_builtins(self._board.settings), name: value}
        try:
            self._change(settings=msgspec.convert(given, Settings, strict=False))
        except msgspec.ValidationError:
            raise line.wrong(f"{json_quote(at.text)} is no value of the option {name}", at=at) from None

    def _change(self, **changes: object) -> None:
        self._board = replace(self._board, **changes)

    def _change_side(self, seat: Seat, **changes: object) -> None:
        sides = list(self._board.sides)
        sides[seat] = replace(sides[seat], **changes)
        self._change(sides=tuple(sides))

    def _seat(self, line: Line) -> Seat:
        """The seat that a letter names; there are as many seats as the text names, but at least two."""
        seat = SEAT_LETTERS.index(line.word("seat", SEAT_LETTERS))
        missing = range(len(self._board.sides), seat + 1)
        self._change(sides=(*self._board.sides, *map(Side, missing)))
        return seat

    def _seats(self, line: Line) -> tuple[Seat, ...]:
        found = [self._seat(line)]
        while line.is_next(*SEAT_LETTERS):
            found.append(self._seat(line))
        return tuple(found)

    def _field(self, line: Line) -> None:
        token = line.token
        width, _, height = line.word("the size of the field").partition("x")
        sides = micrometres(width, height.lstrip("0123456789.")), micrometres(height)
        if None in sides:
            raise line.wrong("expected the size of the field, such as 36x36in", at=token)
        self._change(field=replace(self._board.field, width=sides[0], height=sides[1]))

    def _zone(self, line: Line) -> None:
        seat = self._seat(line)
        x0, y0 = self._point(line)
        line.expect("to")
        x1, y1 = self._point(line)
        line.expect("for")
        zone = Zone(seat, x0, y0, x1, y1, line.number_of("how many disks are deployed there"))
        if line.take("at"):
            zone = replace(zone, edge=line.choice("edge", EDGES))
        if line.take("with"):
            zone = replace(zone, abilities=line.each(lambda: line.choice("ability of a zone", ZONE_ABILITIES)))
        line.done()
        self._change(zones=(*self._board.zones, zone))

    def _terrain(self, line: Line) -> None:
        name = line.name("a piece of terrain", (*RESERVED, "at"))
        line.expect("at")
        corners = self._corners(line)
        face = Terrain(name, corners)
        while line.take(";"):
            if line.take("printed"):
                face = replace(face, corners=self._corners(line))
            else:
                face = replace(face, keywords=line.each(lambda: stat_lines.read_keyword(line)))
        line.done()
        self._change(terrain=(*self._board.terrain, Piece(face, corners)))

    def _corners(self, line: Line) -> tuple[tuple[int, int], ...]:
        found = [self._point(line)]
        while line.is_next("("):
            found.append(self._point(line))
        if len(found) < 3:
            raise line.wrong("expected at least three corners")
        return tuple(found)

    def _layout(self, line: Line) -> None:
        self._change(layout=_decoded(line, _LAYOUT, "no layout"))

    def _point(self, line: Line) -> tuple[int, int]:
        line.expect("(")
        x = line.length("x")
        line.expect(",")
        y = line.length("y")
        line.expect(")")
        return x, y

    def _work(self, line: Line) -> None:
        self._change(work=(*self._board.work, _decoded(line, _WORK, "no task of the work list")))

    # ---- disks and cards

    def _seat_line(self, line: Line) -> None:
        seat = self._seat(line)
        if not line.is_followed_by(":"):
            self._disk(line, seat)
            return
        word = line.choice("thing of a player", THINGS)
        line.expect(":")
        match word:
            case "army":
                self._change_side(seat, army=line.name("what the army is called"))
            case "reserve" | "casualties" | "gone":
                self._heap(line, seat, HEAPS[word])
            case "drawn":
                self._change_side(seat, drawn=line.each(lambda: line.name("a scenario card")))
            case "objective":
                shown_to_all = line.take("shown")
                self._change_side(seat, objective=line.name("a scenario card"), shown=shown_to_all)
            case "hand":
                self._hand(line, seat)
            case "cards":
                self._change_side(seat, cards=line.number_of("how many cards"))
            case "locked":
                card = None if line.take("hidden") else self._card(line)
                salt = line.step().text if line.take(",") and line.take("salt") else None
                self._change_side(seat, has_locked=True, locked=card, salt=salt)
            case "revealed":
                self._change_side(seat, revealed=self._card(line))
            case "discards":
                self._change_side(seat, discards=line.each(lambda: self._card(line)))
            case "points":
                self._change_side(seat, points=line.number_of("victory points"))
        line.done()

    def _hand(self, line: Line, seat: Seat) -> None:
        if line.is_followed_by("hidden"):
            self._change_side(seat, hand=None, cards=line.number_of("how many cards"))
            line.step()
        else:
            hand = line.each(lambda: self._card(line))
            self._change_side(seat, hand=hand, cards=len(hand))

    def _card(self, line: Line) -> str:
        start = line.token
        name = line.name("a command card")
        if name not in self._cards:
            raise line.unknown("no command card", name, self._cards, start)
        self._use_card(self._cards[name])
        return name

    def _heap(self, line: Line, seat: Seat, place: str) -> None:
        for entry, copies in line.each(lambda: (self._named(line, seat, place), line.copies())):
            self._entries += [entry] * copies

    def _named(self, line: Line, seat: Seat, place: str) -> _Entry:
        """A disk of the name that comes next."""
        start = line.token
        name, number = line.label("a disk")
        if name not in self._profiles:
            raise line.unknown("no disk", name, self._profiles, start)
        if number and any((entry.name, entry.number) == (name, number) for entry in self._entries):
            raise line.wrong(f"a second {name}#{number}", at=start)
        return _Entry(Disk(0, seat, self._use_profile(self._profiles[name]), place), name, number)

    def _disk(self, line: Line, seat: Seat) -> None:
        entry = self._named(line, seat, BATTLEFIELD)
        above = max((one.disk.z for one in self._entries), default=0) + 1
        changes: dict[str, object] = {"z": above}
        if line.is_next("("):
            changes["x"], changes["y"] = self._point(line)
            line.take("in")
        else:
            changes = {"place": line.choice('place (coordinates, "reserve" or "casualty")', (RESERVE, CASUALTY))}
        while not (line.is_over or line.is_next("pins")):
            if line.take("ground"):
                self._ground[len(self._entries)] = self._numbers(line)
            else:
                self._state(line, changes)
        disk = replace(entry.disk, **changes)
        pins = line if line.take("pins") else None
        self._entries.append(_Entry(disk, entry.name, entry.number, pins))

    def _state(self, line: Line, changes: dict[str, object]) -> None:
        """One more word about a disk."""
        start = line.token
        if re.fullmatch(r"z\d{1,9}", start.text) and "z" in changes:
            changes["z"] = int(line.step().text[1:])
            if any(entry.disk.place == BATTLEFIELD and entry.disk.z == changes["z"] for entry in self._entries):
                raise line.wrong(f"a second disk at the height {start.text}", at=start)
            return
        word = line.choice("word about a disk", STATES)
        if word == "acting":
            self._acting = len(self._entries)
        elif word in MARKS:
            changes[word] = True
        else:
            changes["wounds" if word == "wound" else word] = line.number_of(f"how much {word}")

    # ---- what refers to disks

    def board(self) -> Board:
        """The board, when all lines have been read."""
        order = self._order()
        self._entries = [self._entries[place] for place in order]
        acting = None if self._acting is None else order.index(self._acting)
        disks = tuple(replace(entry.disk, id=number) for number, entry in enumerate(self._entries))
        self._change(disks=disks, active=acting)
        told = {order.index(place): pieces for place, pieces in self._ground.items()}
        on = [told.get(disk.id, ground_of(self._board, disk)) for disk in disks]
        disks = tuple(replace(disk, ground=pieces) for disk, pieces in zip(disks, on, strict=True))
        self._change(disks=disks)
        if "order" not in self._given:
            self._change(order=tuple(range(len(self._board.sides))))
        if "height" not in self._given:
            self._change(height=max((disk.z for disk in disks if disk.place == BATTLEFIELD), default=0))
        self._change(pins=self._pins())
        for line in self._later["engagement"]:
            self._engagement(line)
        return self._board

    def _order(self) -> list[int]:
        """For each number of a disk the place in the text of the entry that bears it."""
        count = len(self._entries)
        for line in self._later["numbers"]:
            start = line.step()
            numbers: list[int] = []
            while not line.is_over:
                numbers += self._run(line)
            if sorted(numbers) != list(range(count)):
                raise line.wrong(f"expected each number from 0 to {count - 1} once", at=start)
            return sorted(range(count), key=numbers.__getitem__)
        return list(range(count))

    def _numbers(self, line: Line) -> tuple[int, ...]:
        """Numbers of pieces of terrain, or `none`."""
        found: list[int] = []
        if not line.take("none"):
            found.append(line.number_of("a piece of terrain"))
            while line.token.kind == "word" and line.token.text.isdecimal():
                found.append(line.number_of("a piece of terrain"))
        return tuple(found)

    def _run(self, line: Line) -> range:
        """`7`, or `4-6`."""
        run = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", line.token.text)
        if run is None:
            raise line.wrong("expected the number of a disk, or several such as 4-6")
        line.step()
        return range(int(run[1]), int(run[2] or run[1]) + 1)

    def _pins(self) -> tuple[Pin, ...]:
        """The pins of the text, or those of the disks as they lie if the text gives none."""
        found: set[Pin] = set()
        for line in self._later["pins"]:
            line.step()
            line.expect(":")
            found.update(() if line.take("none") else self._links(line))
            line.done()
        for top, entry in enumerate(self._entries):
            if entry.pins is not None:
                found.update((top, bottom) for bottom in self._references(entry.pins))
                entry.pins.done()
        if found or self._later["pins"]:
            return tuple(sorted(found))
        return pins_as_they_lie(self._board)

    def _links(self, line: Line) -> tuple[Pin, ...]:
        return line.each(lambda: self._link(line))

    def _link(self, line: Line) -> Pin:
        top = self._reference(line)
        line.expect(">")
        return top, self._reference(line)

    def _references(self, line: Line) -> tuple[DiskId, ...]:
        return line.each(lambda: self._reference(line))

    def _reference(self, line: Line) -> DiskId:
        """The number of the disk that the next words call by name."""
        start = line.token
        name, number = line.label("a disk")
        named = [place for place, entry in enumerate(self._entries) if entry.name == name]
        if not named:
            raise line.unknown("no disk here", name, {entry.name for entry in self._entries}, start)
        own = [place for place in named if self._entries[place].number == number]
        if number and own:
            return own[0]
        if number > len(named) or (not number and len(named) > 1):
            raise line.wrong(
                f"{len(named)} disks are called {json_quote(name)}: {name}#1 … {name}#{len(named)}", at=start
            )
        return named[max(number, 1) - 1]

    def _engagement(self, line: Line) -> None:
        line.step()
        line.expect(":")
        links = () if line.take("none") else self._links(line)
        attackers, defenders = ends(links)
        found = Engagement(attackers, defenders, links)
        while line.take(";"):
            word = line.choice("word about an engagement", ENGAGED)
            if word == "done":
                found = replace(found, done=True)
            elif word == "fighting":
                self._change(fighting=len(self._board.engagements))
            else:
                disks = () if line.is_over or line.is_next(";") else self._references(line)
                found = replace(found, **{word: disks})
        line.done()
        self._change(engagements=(*self._board.engagements, found))


def _decoded(line: Line, decoder: msgspec.json.Decoder[T], complaint: str) -> T:
    """What the rest of a line says as JSON."""
    line.expect(":")
    start = line.token
    try:
        return decoder.decode(line.rest())
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise line.wrong(f"{complaint}: {error}", at=start) from None


def ends(links: Collection[Pin]) -> tuple[tuple[DiskId, ...], tuple[DiskId, ...]]:
    """The attackers and the defenders of links, by number."""
    return tuple(sorted({top for top, _ in links})), tuple(sorted({bottom for _, bottom in links}))


def ground_of(board: Board, disk: Disk) -> tuple[int, ...]:
    """The pieces of terrain that a disk overlaps as it lies."""
    if disk.place != BATTLEFIELD:
        return ()
    radius = board.profiles[disk.profile].radius
    return tuple(
        number
        for number, piece in enumerate(board.terrain)
        if geometry.disk_overlaps_polygon(disk.x, disk.y, radius, piece.corners)
    )


def pins_as_they_lie(board: Board) -> tuple[Pin, ...]:
    """The pins that follow from where the disks of a board lie, by its setting."""
    there = [disk for disk in board.disks if disk.place == BATTLEFIELD]
    placed = [(disk.id, disk.x, disk.y, board.profile(disk.id).radius, disk.z) for disk in there]
    return geometry.find_pins(placed, board.settings.pins)
