"""Writer and parser of armies as text, to be kept in a file or pasted into a chat.

    army: Reikland Host
    Karl Franz: Steam Tank, Marienburg Swordsmen x2
    Luthor Huss: Huntsmen
    cards: Press On, Aimed Volley, Feint, Hold Fast, All Together

One line per regiment, its hero first. A semicolon can replace a line break, so an army fits on one line. `army:` is
optional for a single army; in a text with several it begins each of them. Names with unusual characters, and a hero
called `army` or `cards`, are quoted; a lone # begins a comment. Whether disks and cards exist is left to the caller.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby

from msgspec import Struct

from diskwars_protocol.records.canonical import JsonPath
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars.actions import Loadout, Regiment
from diskwars_protocol.suggestions import json_quote
from diskwars_text.rulesets.diskwars.lexer import LexerToken, LineParser, NotationError, quoted_name

ARMY, CARDS = "army", "cards"
MAX_COPIES = 40
"""The greatest number of copies of one name; more are taken for a typing error."""


class ArmyText(Struct, frozen=True, gc=False):
    """An army parsed from text. `places` holds the line and column of each part, counted from 1.

    `name` is what the text calls it, empty where it does not: matches know no names of players' own armies.
    """

    name: str
    loadout: Loadout
    places: Mapping[JsonPath, tuple[int, int]]

    def place(self, path: JsonPath) -> tuple[int, int]:
        """Return the line and column of a part of the loadout, or of the nearest part around it."""
        while path not in self.places:
            path = path[:-1]
        return self.places[path]


def format_army(loadout: Loadout, name: str = "", in_one_line: bool = False) -> str:
    """Format an army as text, under a name if it has one. Raises ValueError if any of it is sealed."""
    if isinstance(loadout.regiments, Sealed) or isinstance(loadout.hand, Sealed):
        raise ValueError("a hidden army cannot be written")
    clauses = [f"{ARMY}: {quoted_name(name)}"] if name else []
    clauses += [_clause_text(_hero_text(regiment.hero), regiment.units) for regiment in loadout.regiments]
    clauses += [_clause_text(CARDS, loadout.hand)] if loadout.hand else []
    return "; ".join(clauses) if in_one_line else "".join(f"{clause}\n" for clause in clauses)


def _hero_text(name: str) -> str:
    return json_quote(name) if name in (ARMY, CARDS) else quoted_name(name)


def _clause_text(head: str, names: tuple[str, ...]) -> str:
    """Join names, with equal neighbours counted; their order, which is that of the disks in a match, is kept."""
    runs = ((quoted_name(name), len(list(run))) for name, run in groupby(names))
    listed = ", ".join(name if copies == 1 else f"{name} x{copies}" for name, copies in runs)
    return f"{head}: {listed}".rstrip()


def parse_army(text: str) -> ArmyText:
    """Parse a text that holds one army. Raises NotationError at the first fault."""
    armies, errors = parse_armies(text)
    if errors:
        raise errors[0]
    if len(armies) != 1:
        line, _ = armies[1].place(()) if armies else (1, 1)
        lines = text.split("\n")
        problem = (
            "a second army, where one is expected"
            if armies
            else "no army here; write a hero, a colon and the hero's units"
        )
        raise NotationError(problem, line, 1, lines[line - 1])
    return armies[0]


def parse_armies(text: str) -> tuple[list[ArmyText], list[NotationError]]:
    """Parse every army of a text. Return the armies and all errors; what cannot be read is left out."""
    reader = _ArmyParser()
    for number, source in enumerate(text.split("\n"), 1):
        try:
            reader.parse_line(LineParser(source, number))
        except NotationError as error:
            reader.errors.append(error)
    reader.finish_army()
    return reader.armies, reader.errors


class _ArmyParser:
    """A parser of armies, clause by clause. An army is finished when the next one begins."""

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
        """Add the army parsed so far to `armies`, if there is one."""
        if self._places:
            loadout = Loadout("", tuple(self._regiments), tuple(self._hand))
            self.armies.append(ArmyText(self._name, loadout, self._places))

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
            self._name = line.name("the name of the army", ())
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
        finally:  # keep the units before a fault
            self._regiments.append(Regiment(hero, tuple(units)))


def _parse_names(line: LineParser, what: str) -> Iterator[tuple[str, LexerToken]]:
    """Yield the names up to the end of the clause, each as often as its number of copies, with its token."""
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
