"""How is a match written down so that a player can read it, word for word the same each time?

    == 14  A answers ask_activation
    > {"type":"move_disk","disk":0,"path":[[0,57150]],"end":true}
      DiskFlipped  disk Archaon, x 6, y 4, z 6, gained Archaon>Sky Cutter, lost none
      CardLocked  seat A, card Press On
        B, public: card (hidden)
    everybody sees
      - A Archaon  (6.00, 1.75)  z1
      + A Archaon  (6.00, 4.00)  z6  pins Sky Cutter
    A sees
      + A hand: Feint

    the field
      (a map with its legend: where it begins, at each round, and where it ends)

Every field of every event is there, disks by name and lengths in inches; long hashes are cut. What somebody may not see
stands below the event as he gets it. Views are told by what changed in their notation. Must not know any rule.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from diskwars_engine.rulesets.diskwars import views
from diskwars_protocol.fairness import Draw
from diskwars_protocol.match import PUBLIC, Reason, Seat, Viewer, seat_letter
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.sealed import Sealed
from diskwars_text.lexer import inches, labels
from diskwars_text.notation import write
from diskwars_text.text_map import sketch

Redact = Callable[[Any, Viewer], Any]

NAMED = {"disk", "target", "shooter", "enemy"}
LISTED = {"on", "among", "toward", "poisoned", "attackers", "defenders", "struck"}
PAIRED = {"gained", "lost", "links", "chosen", "targets"}
SEATS = {"seats", "highest", "order", "missing"}
LENGTHS = {"x", "y", "x0", "y0", "x1", "y1"}
SELDOM = {"entered", "left", "ground"}
"""Fields that are told only where there is something in them: most flips come onto no terrain."""
PRINTED = ("work:", "disk ", "card ", "pack ", "die ")
LONGEST = 16
"""Hex texts longer than this are cut to so many digits."""


def told(struct: Struct) -> list[str]:
    """The fields of an event, or of a part of one, that a transcript shows."""
    return [name for name in struct.__struct_fields__ if name not in SELDOM or getattr(struct, name) != ()]


class Words:
    """The names of one board's disks."""

    def __init__(self, board: Board | None) -> None:
        self._labels = labels(board) if board is not None else ()

    def disk(self, number: object) -> str:
        return self._labels[number] if isinstance(number, int) and 0 <= number < len(self._labels) else str(number)

    # ---- events

    def event(self, event: Struct) -> str:
        """One line: the name of the event and all its fields."""
        if isinstance(event, e.MatchStarted):
            return f"MatchStarted  {len(event.disks)} disks, {len(event.cards)} cards, pins {event.settings.pins}"
        fields = [f"{name} {self.value(name, getattr(event, name))}" for name in told(event)]
        return f"{type(event).__name__}  {', '.join(fields)}".rstrip()

    def fields(self, event: Struct, other: Struct) -> str:
        """The fields of an event that differ from those of another one of its kind."""
        names = [name for name in event.__struct_fields__ if getattr(event, name) != getattr(other, name)]
        return ", ".join(f"{name} {self.value(name, getattr(event, name))}" for name in names)

    def value(self, name: str, value: object) -> str:
        """A field as a player reads it."""
        match value:
            case Sealed():
                return "(hidden)"
            case bool() | None:
                return {True: "yes", False: "no", None: "none"}[value]
            case Draw():
                faces = " ".join(map(str, value.faces))
                return f"({faces} of {value.kind} for {value.tag}, step {value.step} from {value.index})"
            case Reason():
                return " ".join([value.rule, *(f"{word} {number}" for word, number in value.numbers.items())])
            case Struct():
                inner = [f"{field} {self.value(field, getattr(value, field))}" for field in told(value)]
                return f"({type(value).__name__} {', '.join(inner)})" if inner else type(value).__name__
            case tuple():
                return self.several(name, value)
            case int():
                return self.number(name, value)
            case _:
                text = str(value)
                is_hash = len(text) > LONGEST and set(text) <= set("0123456789abcdef")
                return f"{text[:LONGEST]}…" if is_hash else text

    def several(self, name: str, values: tuple[Any, ...]) -> str:
        if name == "because":
            return f"[{'; '.join(self.value('', one) for one in values)}]"
        if name in PAIRED:
            shown = [f"{self.disk(top)}>{self.disk(bottom)}" for top, bottom in values]
        elif name in LISTED or (name == "disks" and all(isinstance(one, int) for one in values)):
            shown = [self.disk(one) for one in values]
        elif name in SEATS:
            shown = [seat_letter(one) for one in values]
        elif name == "choices":
            shown = [f"{self.disk(disk)}: {' or '.join(map(self.disk, enemies))}" for disk, enemies in values]
        elif name == "path":
            shown = [f"({inches(dx)}, {inches(dy)})" for dx, dy in values]
        else:
            shown = [self.value("", one) for one in values]
        return f"[{', '.join(shown)}]" if shown else "none"

    def number(self, name: str, value: int) -> str:
        if name in NAMED:
            return self.disk(value)
        if name in LENGTHS:
            return inches(value)
        return seat_letter(value) if name in ("seat", "winner", "playing") else str(value)


class Transcript:
    """A match or a part of one, as text in the making."""

    def __init__(self, title: str, seats: Iterable[Seat] = (0, 1)) -> None:
        self.lines = [f"# {title}", ""]
        self._seats = tuple(seats)
        self._views: dict[Viewer, list[str]] = {viewer: [] for viewer in (PUBLIC, *self._seats)}
        self._count = 0

    def __str__(self) -> str:
        return "\n".join(self.lines) + "\n"

    def begin(self, board: Board, text: str) -> None:
        """The position from which it goes on, as it was laid, and what everybody sees of it."""
        self.lines += [*(f"  {line}".rstrip() for line in text.strip().splitlines()), ""]
        self._look(board)
        self.lines.append("")
        self.draw(board)

    def draw(self, board: Board) -> None:
        """The position as everybody sees it, as a map with its legend."""
        drawn = sketch(views.view(board, PUBLIC)).splitlines()
        self.lines += ["the field", *(f"  {line}".rstrip() for line in drawn), ""]

    def append(
        self, heading: str, action: a.Action | None, events: Sequence[Any], board: Board | None, redact: Redact
    ) -> None:
        """One answer with all its consequences; `board` is the position after it."""
        self._count += 1
        words = Words(board)
        self.lines.append(f"== {self._count}  {heading}")
        if action is not None:
            self.lines.append(f"> {msgspec.json.encode(action).decode()}")
        for event in events:
            self.lines.append(f"  {words.event(event)}")
            self.lines += self._hidden(words, event, redact)
        if board is not None:
            self._look(board)
        self.lines.append("")

    def _hidden(self, words: Words, event: Any, redact: Redact) -> list[str]:
        """How an event looks to those who may not see all of it."""
        found: dict[str, list[str]] = {}
        for viewer in (*self._seats, PUBLIC):
            redacted = redact(event, viewer)
            if redacted != event:
                text = "nothing" if redacted is None else words.fields(redacted, event)
                found.setdefault(text, []).append(_viewer_name(viewer))
        return [f"    {', '.join(names)}: {text}" for text, names in found.items()]

    def _look(self, board: Board) -> None:
        """What has changed for everybody, and what one seat sees beyond that."""
        public = _lines(views.view(board, PUBLIC))
        self._tell("everybody sees", PUBLIC, public)
        for seat in self._seats:
            own = [line for line in _lines(views.view(board, seat)) if line not in public]
            self._tell(f"{seat_letter(seat)} sees", seat, own)

    def _tell(self, head: str, viewer: Viewer, now: list[str]) -> None:
        before, self._views[viewer] = self._views[viewer], now
        changes = [f"  - {line}" for line in before if line not in now] if before else []
        changes += [f"  + {line}" for line in now if line not in before]
        if changes:
            self.lines += [head, *changes]


def _viewer_name(viewer: Viewer) -> str:
    return "public" if viewer == PUBLIC else seat_letter(viewer)


def _lines(board: Board) -> list[str]:
    """The notation of a view, without what is printed and the engine's own list of work."""
    return [
        " ".join(line.split()).replace("( ", "(")
        for line in write(board).splitlines()
        if line and not line.startswith(PRINTED)
    ]


def actions_of(text: str) -> list[a.Action]:
    """The actions of a transcript, in order."""
    decoder: msgspec.json.Decoder[a.Action] = msgspec.json.Decoder(a.Action)
    return [decoder.decode(line[2:]) for line in text.splitlines() if line.startswith("> ")]
