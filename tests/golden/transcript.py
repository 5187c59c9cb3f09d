"""Transcript of a match for readers, the same word for word each time.

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

Every field of every event is there, disks by name and lengths in inches; long hashes are cut. Values that a viewer may
not see are below the event as that viewer receives them. Views are shown as changes of their notation.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from diskwars_engine.rulesets.diskwars import views
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import PUBLIC, Seat, Viewer, seat_letter
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody
from diskwars_text.rulesets.diskwars.lexer import disk_labels, inches_text
from diskwars_text.rulesets.diskwars.notation import format_position
from diskwars_text.rulesets.diskwars.text_map import draw_text_map

Redact = Callable[[Any, Viewer], Any]

DISK_FIELDS = {"disk", "target", "shooter", "enemy", "active_disk"}
DISK_LIST_FIELDS = {"targets", "candidates", "still_poisoned", "attackers", "defenders", "strikers"}
DISK_PAIR_FIELDS = {"pins_gained", "pins_lost", "links", "targets"}
SEAT_LIST_FIELDS = {"seats", "highest", "order", "missing"}
LENGTH_FIELDS = {"x", "y", "x0", "y0", "x1", "y1"}
FIELDS_SHOWN_IF_SET = {"terrain_entered", "terrain_left", "terrain"}
"""Fields that are shown only if they are not empty: most flips enter no terrain."""
OMITTED_LINE_STARTS = ("cursor:", "disk ", "card ", "pack ", "die ")
MAX_HEX_DIGITS = 16
"""Longer hex texts are cut to this many digits."""


def shown_fields(struct: Struct) -> list[str]:
    """Return the fields of an event, or of a part of one, that a transcript shows."""
    return [name for name in struct.__struct_fields__ if name not in FIELDS_SHOWN_IF_SET or getattr(struct, name) != ()]


class EventFormatter:
    """The names of one board's disks."""

    def __init__(self, board: Board | None) -> None:
        self._labels = disk_labels(board) if board is not None else ()

    def format_disk(self, number: object) -> str:
        return self._labels[number] if isinstance(number, int) and 0 <= number < len(self._labels) else str(number)

    # ---- events

    def format_event(self, event: Struct) -> str:
        """Return one line: the name of the event and all its fields."""
        if isinstance(event, e.MatchStarted):
            return f"MatchStarted  {len(event.disks)} disks, {len(event.cards)} cards, pins {event.settings.pins}"
        fields = [f"{name} {self.format_value(name, getattr(event, name))}" for name in shown_fields(event)]
        return f"{type(event).__name__}  {', '.join(fields)}".rstrip()

    def format_changed_fields(self, event: Struct, other: Struct) -> str:
        """Return the fields of an event that differ from those of another one of its kind."""
        names = [name for name in event.__struct_fields__ if getattr(event, name) != getattr(other, name)]
        return ", ".join(f"{name} {self.format_value(name, getattr(event, name))}" for name in names)

    def format_value(self, name: str, value: object) -> str:
        """Return a field as a player reads it."""
        match value:
            case Sealed():
                return "(hidden)"
            case bool() | None:
                return {True: "yes", False: "no", None: "none"}[value]
            case Draw():
                faces = " ".join(map(str, value.results))
                return f"({faces} of {value.kind} for {value.tag}, step {value.step} from {value.index})"
            case Reason():
                return " ".join([value.rule, *(f"{word} {number}" for word, number in value.numbers.items())])
            case Struct():
                inner = [f"{field} {self.format_value(field, getattr(value, field))}" for field in shown_fields(value)]
                return f"({type(value).__name__} {', '.join(inner)})" if inner else type(value).__name__
            case tuple():
                return self.format_tuple(name, value)
            case int():
                return self.format_number(name, value)
            case _:
                text = str(value)
                is_hash = len(text) > MAX_HEX_DIGITS and set(text) <= set("0123456789abcdef")
                return f"{text[:MAX_HEX_DIGITS]}…" if is_hash else text

    def format_tuple(self, name: str, values: tuple[Any, ...]) -> str:
        if name == "reasons":
            return f"[{'; '.join(self.format_value('', value) for value in values)}]"
        if name in DISK_PAIR_FIELDS and values and isinstance(values[0], Struct):  # `targets` may be a list or pairs
            pairs = [astuple(value) for value in values]
            shown = [f"{self.format_disk(first)}>{self.format_disk(second)}" for first, second in pairs]
        elif name in DISK_LIST_FIELDS or (name == "disks" and all(isinstance(value, int) for value in values)):
            shown = [self.format_disk(value) for value in values]
        elif name in SEAT_LIST_FIELDS:
            shown = [seat_letter(value) for value in values]
        elif name == "choices":
            shown = [
                f"{self.format_disk(value.disk)}: {' or '.join(map(self.format_disk, value.targets))}"
                for value in values
            ]
        elif name == "path":
            shown = [f"({inches_text(dx)}, {inches_text(dy)})" for dx, dy in values]
        else:
            shown = [self.format_value("", value) for value in values]
        return f"[{', '.join(shown)}]" if shown else "none"

    def format_number(self, name: str, value: int) -> str:
        if name in DISK_FIELDS:
            return self.format_disk(value)
        if name in LENGTH_FIELDS:
            return inches_text(value)
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
        self._add_view_changes(board)
        self.lines.append("")
        self.draw_field(board)

    def draw_field(self, board: Board) -> None:
        """The position as everybody sees it, as a map with its legend."""
        drawn = draw_text_map(views.view(board, PUBLIC)).splitlines()
        self.lines += ["the field", *(f"  {line}".rstrip() for line in drawn), ""]

    def append(
        self, heading: str, action: a.Action | None, events: Sequence[Any], board: Board | None, redact: Redact
    ) -> None:
        """One answer with all its consequences; `board` is the position after it."""
        self._count += 1
        words = EventFormatter(board)
        self.lines.append(f"== {self._count}  {heading}")
        if action is not None:
            self.lines.append(f"> {msgspec.json.encode(action).decode()}")
        for event in events:
            self.lines.append(f"  {words.format_event(event)}")
            self.lines += self._redacted_lines(words, event, redact)
        if board is not None:
            self._add_view_changes(board)
        self.lines.append("")

    def close(self, body: DiskwarsBody, redact: Redact) -> None:
        """Add the rest of the record beside its events, and its action as others see it."""
        words = EventFormatter(None)
        said = [*(body.decisions or ()), *([body.result] if body.result else [])]
        self.lines[-1:] = [*(f"  {words.format_event(each)}" for each in said)]
        for viewer in (*self._seats, PUBLIC):
            seen = redact(body, viewer)
            if seen.action != body.action:
                digest = words.format_value("", seen.digest)
                self.lines.append(f"    {_viewer_name(viewer)}: {words.format_event(seen.action)}, digest {digest}")
        self.lines.append("")

    def _redacted_lines(self, words: EventFormatter, event: Any, redact: Redact) -> list[str]:
        """Return how an event looks to viewers who may not see everything in it."""
        found: dict[str, list[str]] = {}
        for viewer in (*self._seats, PUBLIC):
            redacted = redact(event, viewer)
            if redacted != event:
                text = "nothing" if isinstance(redacted, Sealed) else words.format_changed_fields(redacted, event)
                found.setdefault(text, []).append(_viewer_name(viewer))
        return [f"    {', '.join(names)}: {text}" for text, names in found.items()]

    def _add_view_changes(self, board: Board) -> None:
        """Return the changes for everybody, and those that one seat sees beyond them."""
        public = _notation_lines(views.view(board, PUBLIC))
        self._add_changes("everybody sees", PUBLIC, public)
        for seat in self._seats:
            own = [line for line in _notation_lines(views.view(board, seat)) if line not in public]
            self._add_changes(f"{seat_letter(seat)} sees", seat, own)

    def _add_changes(self, head: str, viewer: Viewer, now: list[str]) -> None:
        before, self._views[viewer] = self._views[viewer], now
        changes = [f"  - {line}" for line in before if line not in now] if before else []
        changes += [f"  + {line}" for line in now if line not in before]
        if changes:
            self.lines += [head, *changes]


def _viewer_name(viewer: Viewer) -> str:
    return "public" if viewer == PUBLIC else seat_letter(viewer)


def _notation_lines(board: Board) -> list[str]:
    """Return the notation of a view, without what is printed and the engine's own list of work."""
    return [
        " ".join(line.split()).replace("( ", "(")
        for line in format_position(board).splitlines()
        if line and not line.startswith(OMITTED_LINE_STARTS)
    ]


def parse_actions(text: str) -> list[a.Action]:
    """Return the actions of a transcript, in order."""
    decoder: msgspec.json.Decoder[a.Action] = msgspec.json.Decoder(a.Action)
    return [decoder.decode(line[2:]) for line in text.splitlines() if line.startswith("> ")]
