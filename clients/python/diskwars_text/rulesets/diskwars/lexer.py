"""The smallest parts of a position as text: tokens, lengths, names of disks, and errors with their places.

The notation, the text map and the picture use it.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct

from diskwars_protocol.identifiers import Identified
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.suggestions import json_quote, suggest


class NotationError(ValueError):
    """A text that is no position. `line` and `column` count from 1; the message points at the place in the line."""

    def __init__(self, problem: str, line: int, column: int, source: str) -> None:
        super().__init__(f"line {line}, column {column}: {problem}\n  {source}\n  {' ' * (column - 1)}^")
        self.problem = problem
        self.line = line
        self.column = column


# ---------------------------------------------------------------- disks


def unique_names(entries: Sequence[Identified]) -> tuple[str, ...]:
    """Return the display name of each entry, or its id if another entry has the same name."""
    copies = Counter(entry.name for entry in entries)
    return tuple(entry.name if copies[entry.name] == 1 else entry.id for entry in entries)


def disk_labels(board: Board) -> tuple[str, ...]:
    """Return a unique name for each disk, by number: the printed name, with #1, #2 … where several share it."""
    profile_names = unique_names(board.profiles)
    names = [profile_names[disk.profile] for disk in board.disks]
    copies = Counter(names)
    numbers: Counter[str] = Counter()
    labels: list[str] = []
    for name in names:
        numbers[name] += 1
        labels.append(f"{name}#{numbers[name]}" if copies[name] > 1 else name)
    return tuple(labels)


def revealed_card_name(board: Board, seat: Seat) -> str:
    card = board.sides[seat].revealed_card
    return board.card_name(card) if card else "a card"


def progress_text(board: Board) -> str:
    """Return how far a match is: `setup`, `round 2 of 5, melee phase`, `after 5 rounds`."""
    if board.phase == "setup":
        return "setup"
    if board.phase == "over":
        return f"after {board.round} round{'s' * (board.round != 1)}"
    return f"round {board.round} of {board.rounds}, {board.phase} phase"


def counted_list(names: Sequence[str]) -> str:
    """Join names in order of first appearance, with equal ones counted: `Orc Boyz x2, Trolls`."""
    return ", ".join(name if copies == 1 else f"{name} x{copies}" for name, copies in Counter(names).items())


_SIDE_OF_EDGE = {"south": "bottom", "north": "top", "west": "left", "east": "right"}


def seat_edges(board: Board) -> dict[str, list[Seat]]:
    """Return the seats at each edge: the one they have drawn, or else the one that all their zones touch."""
    field = board.field
    seats_by_edge: dict[str, list[Seat]] = {}
    if board.layout.edges:
        for seat, drawn in enumerate(board.layout.edges):
            seats_by_edge.setdefault(_SIDE_OF_EDGE[drawn], []).append(seat)
        return seats_by_edge
    for side in board.sides:
        zones = [zone for zone in board.zones if zone.seat == side.seat]
        touched = {
            "bottom": all(zone.y0 == 0 for zone in zones),
            "top": all(zone.y1 == field.height for zone in zones),
            "left": all(zone.x0 == 0 for zone in zones),
            "right": all(zone.x1 == field.width for zone in zones),
        }
        edge = next((edge for edge, is_touched in touched.items() if is_touched), None)
        if zones and edge:
            seats_by_edge.setdefault(edge, []).append(side.seat)
    return seats_by_edge


# ---------------------------------------------------------------- lengths

INCH = 25400
_UNITS = {"": INCH, "in": INCH, "mm": 1000, "um": 1}
_LENGTH = re.compile(r"(-?)(\d+)(?:\.(\d+))?(in|mm|um)?")


def _nearest_integer(number: int, divisor: int) -> int:
    return (2 * number + divisor) // (2 * divisor)


def inches_text(length: int, decimals: int = 0) -> str:
    """Format a length in inches: the shortest decimal, with at least `decimals` places, that rounds back to it.

    Five places are always enough: the fifth is a quarter of a micrometre.
    """
    size, sign = abs(length), "-" if length < 0 else ""
    for places in range(decimals, 6):
        scale: int = 10**places
        scaled = _nearest_integer(size * scale, INCH)
        if _nearest_integer(scaled * INCH, scale) == size:
            whole, part = divmod(scaled, scale)
            return f"{sign}{whole}.{part:0{places}d}" if places else f"{sign}{whole}"
    raise AssertionError(f"{length} micrometres have no five places")


def ruler_step(length: int) -> int:
    """Return the distance between marks along a drawn field: six inches, or one on a small field."""
    return 6 * INCH if length > 18 * INCH else INCH


def parse_length(word: str, unit: str = "") -> int | None:
    """Parse a length in inches, or with the unit `in`, `mm` or `um`; return None if it is not a length."""
    match = _LENGTH.fullmatch(word)
    if match is None:
        return None
    sign, whole, part, own = match.groups(default="")
    size = _nearest_integer(int(whole + part) * _UNITS[own or unit], 10 ** len(part))
    return -size if sign else size


# ---------------------------------------------------------------- words of a line

_TOKEN_PATTERN = re.compile(
    r'\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<mark>[(),:;>|])|(?P<word>[^\s(),:;>|"]+)|(?P<bad>\S))'
)
_PLAIN_NAME = re.compile(r'[^\s(),:;>|"#]+(?: [^\s(),:;>|"#]+)*')
_COPIES_PATTERN = re.compile(r"x\d{1,4}")
RESERVED_WORDS = frozenset({"reserve", "casualty", "gone", "none", "hidden", "by", "unstable", "may"})
"""Words that end a name; a name that contains one is written in quotes."""


def quoted_name(name: str) -> str:
    """Return a name as the notation writes it: bare if that can be read back, otherwise in quotes."""
    words = name.split(" ")
    bare = (
        _PLAIN_NAME.fullmatch(name)
        and RESERVED_WORDS.isdisjoint(words)
        and not any(map(_COPIES_PATTERN.fullmatch, words[1:]))
    )
    return name if bare else json_quote(name)


def quoted_label(label: str, name: str) -> str:
    """Return a label of `disk_labels` as the notation writes it; `name` is the printed name at its beginning."""
    return quoted_name(name) + label[len(name) :]


WordT = TypeVar("WordT", bound=str)
ItemT = TypeVar("ItemT")


class LexerToken(Struct, frozen=True, gc=False):
    """A token. `kind` is word, quoted, mark or end; `is_joined` says that no space precedes it."""

    kind: str
    text: str
    column: int
    is_joined: bool = False


class LineParser:
    """A parser of one line of text, token by token from the left."""

    def __init__(self, source: str, number: int) -> None:
        self.source = source
        self.line_number = number
        self._tokens = self._tokenize()
        self._position = 0

    def _tokenize(self) -> list[LexerToken]:
        tokens: list[LexerToken] = []
        end = 0
        while match := _TOKEN_PATTERN.match(self.source, end):
            kind = match.lastgroup or "bad"
            start = match.start(kind)
            text = match[kind]
            if kind == "bad":
                raise NotationError("a quotation mark without its end", self.line_number, start + 1, self.source)
            if kind == "word" and text == "#":
                return [*tokens, LexerToken("end", "", start + 1)]
            if kind == "quoted":
                text = self._unquote(text, start + 1)
            tokens.append(LexerToken(kind, text, start + 1, start == end))
            end = match.end()
        tokens.append(LexerToken("end", "", len(self.source.rstrip()) + 1))
        return tokens

    def _unquote(self, text: str, column: int) -> str:
        try:
            return msgspec.json.decode(text, type=str)
        except msgspec.DecodeError:
            raise NotationError("a quoted text is written as in JSON", self.line_number, column, self.source) from None

    @property
    def token(self) -> LexerToken:
        """The next token, not yet consumed."""
        return self._tokens[self._position]

    @property
    def is_at_end(self) -> bool:
        return self.token.kind == "end"

    def error(
        self, problem: str, known: Collection[str] = (), at: LexerToken | None = None, given: str = ""
    ) -> NotationError:
        """Return an error at a token, by default the next one, with a suggestion from the `known` words."""
        place = at or self.token
        hint = suggest(given or place.text, known)
        return NotationError(problem + hint, self.line_number, place.column, self.source)

    def next_token(self) -> LexerToken:
        """Consume and return the next token; the end token is never consumed."""
        token = self.token
        if token.kind != "end":
            self._position += 1
        return token

    def is_followed_by(self, text: str) -> bool:
        """Return whether the token after the next one is this word or mark."""
        after = self._tokens[self._position + 1 : self._position + 2]
        return bool(after) and after[0].kind in ("word", "mark") and after[0].text == text

    def is_next(self, *texts: str) -> bool:
        """Return whether the next token is one of these words or marks, unquoted."""
        return self.token.kind in ("word", "mark") and self.token.text in texts

    def take(self, text: str) -> bool:
        """Consume the next token if it is this one; return whether it was."""
        if not self.is_next(text):
            return False
        self.next_token()
        return True

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise self.error(f"expected {json_quote(text)}")

    def word(self, what: str, known: Collection[str] = ()) -> str:
        """Consume and return the next word, which must be in `known` if that is given."""
        token = self.token
        if token.kind != "word":
            raise self.error(f"expected {what}", known)
        if known and token.text not in known:
            raise self.error(f"{json_quote(token.text)} is no {what}", known)
        return self.next_token().text

    def unknown_name_error(self, what: str, name: str, known: Collection[str], at: LexerToken) -> NotationError:
        """Return the error for an unknown disk or card."""
        return self.error(f"{what} is called {json_quote(name)}" + "; none is known" * (not known), known, at, name)

    def choose(self, what: str, options: Sequence[WordT]) -> WordT:
        """Consume the next word, which must be one of these."""
        word = self.word(what, options)
        return next(option for option in options if option == word)

    def parse_number(self, what: str) -> int:
        token = self.token
        if token.kind != "word" or re.fullmatch(r"-?\d{1,15}", token.text) is None:
            raise self.error(f"expected a number: {what}")
        return int(self.next_token().text)

    def copies(self) -> int:
        """Consume a number of copies, such as `x3`; return 1 if there is none."""
        return (
            int(self.next_token().text[1:])
            if self.token.kind == "word" and _COPIES_PATTERN.fullmatch(self.token.text)
            else 1
        )

    def length(self, what: str) -> int:
        length = parse_length(self.token.text) if self.token.kind == "word" else None
        if length is None:
            raise self.error(f"expected a length in inches, or with mm or um: {what}")
        self.next_token()
        return length

    def name(self, what: str, stops: Collection[str] = RESERVED_WORDS) -> str:
        """Consume a quoted text, or words up to the next mark, stop word or number of copies."""
        if self.token.kind == "quoted":
            return self.next_token().text
        words: list[str] = []
        while self.token.kind == "word" and self.token.text not in stops:
            if words and _COPIES_PATTERN.fullmatch(self.token.text):
                break
            words.append(self.next_token().text)
        if not words:
            raise self.error(f"expected {what}")
        return " ".join(words)

    def label(self, what: str) -> tuple[str, int]:
        """Consume a name and its number: ("Orc Boyz", 2) for `Orc Boyz#2`, number 0 if there is none."""
        was_quoted = self.token.kind == "quoted"
        name = self.name(what)
        if was_quoted:
            suffix = self.token if self.token.is_joined and self.token.text.startswith("#") else None
            number = self.next_token().text[1:] if suffix else ""
        else:
            name, _, number = name.partition("#")
        if number and not number.isdecimal():
            raise self.error(f"{json_quote(number)} is no number of a disk", at=self._tokens[self._position - 1])
        return name, int(number or 0)

    def separated(self, item: Callable[[], ItemT], mark: str = ",") -> tuple[ItemT, ...]:
        """Parse items separated by a mark; `item` parses one."""
        items = [item()]
        while self.take(mark):
            items.append(item())
        return tuple(items)

    def rest(self) -> str:
        """Consume and return the rest of the text unchanged."""
        start, end = self.token.column - 1, self._tokens[-1].column - 1
        self._position = len(self._tokens) - 1
        return self.source[start:end]

    def expect_end(self) -> None:
        if not self.is_at_end:
            raise self.error(f"unexpected {json_quote(self.token.text)}")
