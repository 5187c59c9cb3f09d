"""Codec between what a record says and the sealed row that is stored.

Pure: salts are arguments. Each opening names the seats that may see it, so showing a stored record to a viewer needs
no decoding.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_engine.match import AnyRules
from diskwars_protocol.match.ids import ALL, PUBLIC, MatchId, PlayerId, Seat, Viewer
from diskwars_protocol.match.state import AnyBody
from diskwars_protocol.records import records as r
from diskwars_protocol.records.canonical import JsonPath, encode_canonical
from diskwars_protocol.records.records import FORMAT, MatchHeader, Record, WireRecord
from diskwars_protocol.records.sealed import (
    HIDDEN,
    Opening,
    RedactionError,
    count_sealed,
    hidden_fields,
    hidden_paths,
    seal,
    seal_fields,
    seal_value,
    unseal_trusted,
)

Salts: TypeAlias = Callable[[], bytes]
"""16 fresh secret bytes at each call."""

_ENCODER = msgspec.json.Encoder()


class RecordMeta(Struct, frozen=True):
    """What a row says beside its body: who made it by which command."""

    actor: PlayerId
    command_id: str


class SealedRecord(Struct, frozen=True, gc=False):
    """A record with its openings, each of which names the seats that may see it."""

    record: Record
    openings: tuple[Opening, ...] = ()

    @classmethod
    def of(cls, record: Record) -> "SealedRecord":
        """A stored record, ready to be shown to anybody."""
        return cls(record, r.openings_of(record))

    @property
    def seq(self) -> int:
        return self.record.seq

    def shown_to(self, viewer: Viewer) -> WireRecord:
        """The record as a viewer gets it. `ALL` may be asked for after the end of the match only."""
        if viewer == ALL or not self.openings:
            return r.to_wire(self.record, self.openings)
        # Before the end nobody learns which other seats see a secret.
        visible = tuple(replace(opening, seats=()) for opening in self.openings if viewer in opening.seats)
        return r.to_wire(self.record, visible)


class RecordCodec:
    """Seals and opens the records of one match of `seats` seats."""

    def __init__(self, rules: AnyRules, match: MatchId, seats: int) -> None:
        self.rules = rules
        self.match = match
        self.header = encode_canonical(MatchHeader(format=FORMAT, match=match, ruleset=rules.name))
        self.genesis = r.genesis_hash(self.header)
        self._seats = range(seats)

    def seal(self, body: AnyBody, seq: int, previous: bytes, meta: RecordMeta, salts: Salts) -> SealedRecord:
        """Record `seq`, which follows on the hash `previous`. Every value is sealed that is hidden from anybody.

        Raises `RedactionError` when a redaction changes more than it hides, or an event comes sealed already.
        """
        full = encode_canonical(body, self.rules.vocabulary.is_canonical)
        if count_sealed(full):
            raise RedactionError(f"record {seq}: it already holds a sealed value")
        public = self.rules.redact_body(body, PUBLIC)
        stored, openings = (full, ()) if public is body else self._seal_parts(body, public, salts)
        # canonical as they are: paths of the body, hexadecimal digits, and values that were canonical in it
        secret = _ENCODER.encode(openings) if openings else None
        salt = salts()
        hash = r.next_hash(previous, r.leaf_hash(salt, stored))
        rules = self.rules.ruleset.rules_version
        record = Record(seq, body.at_ms, meta.actor, meta.command_id, rules, stored, secret, salt, hash)
        return SealedRecord(record, openings)

    def body(self, record: Record) -> AnyBody:
        """What a stored record says, with its secrets."""
        stored = record.body if record.secret is None else unseal_trusted(record.body, r.openings_of(record))
        return self.rules.vocabulary.decode_body(stored)

    def bodies(self, records: Sequence[Record]) -> list[AnyBody]:
        return [self.body(record) for record in records]

    def _seal_parts(self, body: AnyBody, public: AnyBody, salts: Salts) -> tuple[bytes, tuple[Opening, ...]]:
        """Seal the parts of a body that are hidden from the public: an action, the command's digest, or events.

        Only they are decoded and compared: the record that starts a match is 30 KB of facts beside a few secrets.
        """
        redacted = [self.rules.redact_body(body, seat) for seat in self._seats]
        openings: list[Opening] = []

        def sealed(path: JsonPath, full: Any, shown: Any, by_seat: Sequence[Any]) -> Any:
            if shown is full:
                return full
            part, part_openings = _seal_part(path, full, shown, by_seat, salts)
            openings.extend(part_openings)
            return msgspec.Raw(part)

        # in the order of the fields, so that openings and their salts are in document order
        action = sealed(("action",), body.action, public.action, [each.action for each in redacted])
        digest = sealed(("digest",), body.digest, public.digest, [each.digest for each in redacted])
        events = tuple(
            sealed(("events", index), full, public.events[index], [each.events[index] for each in redacted])
            for index, full in enumerate(body.events)
        )
        return _ENCODER.encode(replace(body, action=action, digest=digest, events=events)), tuple(openings)


def _seal_part(
    path: JsonPath, full: Any, public: Any, by_seat: Sequence[Any], salts: Salts
) -> tuple[bytes, tuple[Opening, ...]]:
    """Seal what is hidden in one part of a body. Each opening names the seats that see its value."""
    seats = _seats_that_see(full, public, by_seat)
    if seats is not None and public is HIDDEN:
        placeholder, opening = seal_value(path, _ENCODER.encode(full), salts(), seats)
        return _ENCODER.encode(placeholder), (opening,)
    if seats is not None and isinstance(full, Struct) and (names := hidden_fields(full, public)) is not None:
        return seal_fields(path, full, names, salts, seats)
    return _seal_paths(path, full, public, by_seat, salts)


def _seats_that_see(full: Any, public: Any, by_seat: Sequence[Any]) -> tuple[Seat, ...] | None:
    """Return the seats that see a part as it is, if all others see what the public sees; otherwise None."""
    seats = []
    for seat, redacted in enumerate(by_seat):
        if redacted is full:
            seats.append(seat)
        elif redacted is not public and redacted != public:
            return None
    return tuple(seats)


def _seal_paths(
    path: JsonPath, full: Any, public: Any, by_seat: Sequence[Any], salts: Salts
) -> tuple[bytes, tuple[Opening, ...]]:
    """Seal what is hidden anywhere in a part, by comparing its documents. Nearly all parts need no such search."""
    raw = _as_array(full)
    paths = hidden_paths(raw, _as_array(public))
    hidden = [_hidden_from(redacted, full, public, raw, paths) for redacted in by_seat]
    stored, openings = seal(raw, paths, salts)
    return stored[1:-1], tuple(
        replace(
            opening,
            path=(*path, *opening.path[1:]),
            seats=tuple(seat for seat, places in enumerate(hidden) if opening.path not in places),
        )
        for opening in openings
    )


def _hidden_from(redacted: Any, full: Any, public: Any, raw: bytes, paths: Sequence[JsonPath]) -> frozenset[JsonPath]:
    """Return what is hidden from one seat, which is never anything that the public sees."""
    if redacted is full:
        return frozenset()
    if redacted == public:
        return frozenset(paths)
    hidden = frozenset(hidden_paths(raw, _as_array(redacted)))
    if not hidden.issubset(paths):
        raise RedactionError("a seat sees less than the public, or a part of what is hidden as a whole")
    return hidden


def _as_array(part: Any) -> bytes:
    # inside an array, so that a part that is hidden as a whole has a path too;
    # what is canonical but for what it hides needs no look at its spelling
    return _ENCODER.encode((part,))
