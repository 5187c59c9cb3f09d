"""Armies as text, to be kept in a file or pasted into a chat: write and read.

    army: Reikland Host
    Karl Franz: Steam Tank, Marienburg Swordsmen x2
    Luthor Huss: Huntsmen
    cards: Press On, Aimed Volley, Feint, Hold Fast, All Together

One line per regiment, its hero first. A semicolon can replace a line break, so an army fits on one line. `army:` is
optional; in a text with several armies one precedes each. Names with unusual characters, and a hero called `army` or
`cards`, are quoted; a lone # begins a comment. Whether the disks and cards exist is left to the caller.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby

from msgspec import Struct

from diskwars_protocol.canonical import JsonPath
from diskwars_protocol.rulesets.diskwars.actions import Loadout, Regiment
from diskwars_protocol.sealed import Sealed
from diskwars_protocol.suggestions import json_quote
from diskwars_text.lexer import LexerToken, LineParser, NotationError, quoted_name

ARMY, CARDS = "army", "cards"
MAX_COPIES = 40
"""More copies of one name are a slip of the pen."""


class ArmyText(Struct, frozen=True, gc=False):
    """An army as a text has it. `places` holds the line and column of each part, counted from 1."""

    entry: Loadout
    places: Mapping[JsonPath, tuple[int, int]]

    def place(self, path: JsonPath) -> tuple[int, int]:
        """Return where something of the entry stands, or else whatever it belongs to."""
        while path not in self.places:
            path = path[:-1]
        return self.places[path]


def format_army(entry: Loadout, in_one_line: bool = False) -> str:
    """The army as text. Raises ValueError for one that is hidden."""
    if isinstance(entry.name, Sealed) or isinstance(entry.regiments, Sealed) or isinstance(entry.hand, Sealed):
        raise ValueError("a hidden army cannot be written")
    clauses = [f"{ARMY}: {quoted_name(entry.name)}"] if entry.name else []
    clauses += [_clause_text(_hero_text(one.hero), one.units) for one in entry.regiments]
    clauses += [_clause_text(CARDS, entry.hand)] if entry.hand else []
    return "; ".join(clauses) if in_one_line else "".join(f"{clause}\n" for clause in clauses)


def _hero_text(name: str) -> str:
    return json_quote(name) if name in (ARMY, CARDS) else quoted_name(name)


def _clause_text(head: str, names: tuple[str, ...]) -> str:
    """Return names with equal neighbours counted, which keeps the order: it is that of the disks in a match."""
    runs = ((quoted_name(name), len(list(run))) for name, run in groupby(names))
    listed = ", ".join(name if copies == 1 else f"{name} x{copies}" for name, copies in runs)
    return f"{head}: {listed}".rstrip()


def parse_army(text: str) -> Loadout:
    """Return the one army of a text. Raises NotationError at the first place that cannot be read."""
    armies, errors = parse_armies(text)
    if errors:
        raise errors[0]
    if len(armies) != 1:
        line, _ = armies[1].place(()) if armies else (1, 1)
        lines = text.split("\n")
        problem = (
            "a second army, where one is wanted"
            if armies
            else "no army here; write a hero, a colon and the hero's units"
        )
        raise NotationError(problem, line, 1, lines[line - 1])
    return armies[0].entry


def parse_armies(text: str) -> tuple[list[ArmyText], list[NotationError]]:
    """Return every army of a text, and every place that cannot be read; its text is left out."""
    reader = _ArmyParser()
    for number, source in enumerate(text.split("\n"), 1):
        try:
            reader.parse_line(LineParser(source, number))
        except NotationError as error:
            reader.errors.append(error)
    reader.finish_army()
    return reader.armies, reader.errors


class _ArmyParser:
    """Clause by clause. An army is finished when the next one begins."""

    def __init__(self) -> None:
        self.armies: list[ArmyText] = []
        self.errors: list[NotationError] = []
        self._begin_army()

    def _begin_army(self) -> None:
        self._name = ""
        self._regiments: list[Regiment] = []
        self._hand: list[str] = []
        self._places: dict[JsonPath, tuple[int, int]] = {}

    def finish_army(self) -> None:
        """The army that is being read is all there."""
        if self._places:
            entry = Loadout("", tuple(self._regiments), tuple(self._hand), self._name)
            self.armies.append(ArmyText(entry, self._places))

    def parse_line(self, line: LineParser) -> None:
        while line.token.kind != "end":
            if line.take(";"):
                continue
            self._parse_clause(line)
            if line.token.kind != "end" and not line.is_next(";"):
                raise line.error(f"expected a comma, a semicolon or the end, not {json_quote(line.token.text)}")

    def _parse_clause(self, line: LineParser) -> None:
        start = line.token
        is_word = start.kind == "word" and line.is_followed_by(":")
        head = line.name(f"a hero, {ARMY} or {CARDS}", ())
        line.expect(":")
        if is_word and head == ARMY:
            self.finish_army()
            self._begin_army()
            self._places[()] = (line.line_number, start.column)
            self._name = line.name("what the army is called", ())
        elif is_word and head == CARDS:
            self._record_place((), line, start)
            self._record_place(("hand",), line, start)
            for name, at in _parse_names(line, "a command card"):
                self._record_place(("hand", len(self._hand)), line, at)
                self._hand.append(name)
        else:
            self._record_place((), line, start)
            self._parse_regiment(head, line, start)

    def _record_place(self, path: JsonPath, line: LineParser, at: LexerToken) -> None:
        self._places.setdefault(path, (line.line_number, at.column))

    def _parse_regiment(self, hero: str, line: LineParser, start: LexerToken) -> None:
        path: JsonPath = ("regiments", len(self._regiments))
        for below in (path[:1], path, (*path, "hero")):
            self._record_place(below, line, start)
        units: list[str] = []
        try:
            for name, at in _parse_names(line, "a unit"):
                self._record_place((*path, "units", len(units)), line, at)
                units.append(name)
        finally:  # what was read before a fault counts
            self._regiments.append(Regiment(hero, tuple(units)))


def _parse_names(line: LineParser, what: str) -> Iterator[tuple[str, LexerToken]]:
    """Names up to the end of the clause, each as often as it says."""
    if line.is_at_end or line.is_next(";"):
        return
    while True:
        start = line.token
        name = line.name(what, ())
        at = line.token
        copies = line.copies()
        if not 1 <= copies <= MAX_COPIES:
            raise line.error(f"expected 1 to {MAX_COPIES} copies, such as x3", at=at)
        yield from [(name, start)] * copies
        if not line.take(","):
            return
