"""Codec between what a record says and the sealed row that is stored.

Pure: salts are arguments. Each opening names the seats that may see it, so showing a stored record to a viewer needs
no decoding.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_engine.match import AnyRules
from diskwars_protocol.match.ids import ALL, PUBLIC, MatchId, PlayerId, Viewer
from diskwars_protocol.match.state import AnyBody
from diskwars_protocol.records import records as r
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.records import FORMAT, MatchHeader, Record, WireRecord
from diskwars_protocol.records.sealed import Opening, Part, RedactionError, count_sealed, seal_parts, unseal_trusted

Salts: TypeAlias = Callable[[], bytes]
"""16 fresh secret bytes at each call."""

_ENCODER = msgspec.json.Encoder()


class RecordMeta(Struct, frozen=True):
    """The facts of a row beside its body: its actor and command."""

    actor: PlayerId
    command_id: str


class SealedRecord(Struct, frozen=True, gc=False):
    """A record with its openings, each of which names the seats that may see it."""

    record: Record
    openings: tuple[Opening, ...] = ()

    @classmethod
    def of(cls, record: Record) -> "SealedRecord":
        """Return a stored record, ready to be shown to anybody."""
        return cls(record, r.openings_of(record))

    @property
    def seq(self) -> int:
        return self.record.seq

    def shown_to(self, viewer: Viewer) -> WireRecord:
        """Return the record as a viewer gets it. `ALL` is for the time after the end of the match only."""
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
        """Seal record `seq`, which follows on the hash `previous`: every value that is hidden from anybody.

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
        hash = r.record_hash(previous, salt, stored)
        rules = self.rules.ruleset.rules_version
        record = Record(seq, body.at_ms, meta.actor, meta.command_id, rules, stored, secret, salt, hash)
        return SealedRecord(record, openings)

    def body(self, record: Record) -> AnyBody:
        """Return the body of a stored record, with its secrets."""
        stored = record.body if record.secret is None else unseal_trusted(record.body, r.openings_of(record))
        return self.rules.vocabulary.decode_body(stored)

    def bodies(self, records: Sequence[Record]) -> list[AnyBody]:
        return [self.body(record) for record in records]

    def _seal_parts(self, body: AnyBody, public: AnyBody, salts: Salts) -> tuple[bytes, tuple[Opening, ...]]:
        """Seal the parts of a body that are hidden from the public: an action, the command's digest, or events.

        Only they are decoded and compared: the record that starts a match is 30 KB of facts beside a few secrets.
        """
        by_seat = self.rules.redact_for_seats(body, self._seats)
        # In the order of the fields, so that openings and their salts are in document order.
        parts = [
            Part(("action",), body.action, public.action, [shown.action for shown in by_seat]),
            Part(("digest",), body.digest, public.digest, [shown.digest for shown in by_seat]),
        ]
        for index, event in enumerate(body.events):
            seen = [shown.events[index] for shown in by_seat]
            parts.append(Part(("events", index), event, public.events[index], seen))
        (action, digest, *events), openings = seal_parts(parts, salts)
        return _ENCODER.encode(replace(body, action=action, digest=digest, events=tuple(events))), openings
