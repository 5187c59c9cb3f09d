"""Codec between the events of a match and its records, and the records that each viewer receives."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from diskwars_engine.match import Command, MatchRules, MatchSecrets
from diskwars_protocol import records as r
from diskwars_protocol.canonical import JsonPath, encode_canonical, encode_canonical_each
from diskwars_protocol.match import ALL, PUBLIC, Acted, Match, MatchId, MatchOpened, Pack, PlayerId, Viewer
from diskwars_protocol.records import MatchHeader, Record, WireRecord
from diskwars_protocol.sealed import Opening, RedactionError, count_sealed, hidden_paths, seal, unseal, unseal_trusted

AnyRules: TypeAlias = MatchRules[Any, Any, Any, Any, Any, Any]
AnyMatch: TypeAlias = Match[Any, Any, Any, Any]
Salts: TypeAlias = Callable[[], bytes]
"""16 fresh secret bytes at each call."""


_ENCODER = msgspec.json.Encoder()


class LogError(Exception):
    """A log that cannot be what was written."""


class BrokenChain(LogError):
    """A stored record does not follow from the one before it."""

    def __init__(self, match: str, seq: int, why: str) -> None:
        super().__init__(f"match {match}: record {seq} {why}")
        self.match, self.seq = match, seq


class RecordMeta(Struct, frozen=True):
    """What a record says beside its body: who made it by which command, by which rules, and when (milliseconds)."""

    actor: PlayerId
    command_id: str
    rules: str
    at: int


class SealedEvent(Struct, frozen=True, gc=False):
    """A record with its event, its secrets, and what is hidden in it from whom; None hides the whole record.

    `hidden` is empty when everybody may see everything; otherwise it names every viewer.
    """

    record: Record
    event: Any
    openings: tuple[Opening, ...]
    hidden: Mapping[Viewer, tuple[JsonPath, ...] | None]

    def as_seen_by(self, viewer: Viewer) -> WireRecord:
        """Return the record as a viewer gets it. `ALL` may be asked for after the end of the match only."""
        if not self.hidden or viewer == ALL:
            return r.to_wire(self.record, self.openings)
        paths = self.hidden[viewer]
        return (
            r.to_shell(self.record)
            if paths is None
            else r.to_wire(self.record, r.openings_except(self.openings, paths))
        )


Append: TypeAlias = tuple[SealedEvent, ...]
"""One append, or the tail of one."""


class RecordCodec:
    """Seals and opens the records of one match of `seats` seats."""

    def __init__(self, rules: AnyRules, match: MatchId, seats: int) -> None:
        self.rules = rules
        self.match = match
        self.header = encode_canonical(MatchHeader(match=match, ruleset=rules.ruleset.name))
        self.genesis = r.genesis_hash(self.header)
        self._seats = range(seats)

    def seal(self, events: Sequence[Any], head: int, previous: bytes, stamp: RecordMeta, salts: Salts) -> Append:
        """One append after record `head`, whose hash is `previous`. Every field is sealed that is hidden from anybody.

        Raises `RedactionError` when a redaction changes more than it hides, or an event comes sealed already.
        """
        page = []
        actor, command, rules, at = stamp.actor, stamp.command_id, stamp.rules, stamp.at
        for part, (event, full) in enumerate(
            zip(events, encode_canonical_each(events, self.rules.is_canonical), strict=True)
        ):
            kind = _kind(event)
            if count_sealed(full):
                raise RedactionError(f"{kind}: the event already holds a sealed field")
            hidden = self._hidden_paths(event, full)
            body, openings = seal(full, _all_paths(hidden), salts) if hidden else (full, ())
            # canonical as they are: paths of the body, hexadecimal digits, and values that were canonical in it
            secret = _ENCODER.encode(openings) if openings else None
            salt = salts()
            previous = r.next_hash(previous, r.leaf_hash(salt, body))
            seq = head + 1 + part
            record = Record(seq, kind, actor, command, part, body, secret, salt, previous, rules, at)
            page.append(SealedEvent(record, event, openings, hidden))
        return tuple(page)

    def open_events(self, records: Sequence[Record]) -> list[Any]:
        """Return the events of stored records, with their secrets."""
        decode = self.rules.decoder.decode
        return [
            decode(record.body if record.secret is None else unseal_trusted(record.body, r.openings_of(record)))
            for record in records
        ]

    def open_record(self, record: Record) -> SealedEvent:
        """Return a stored record, ready to be shown to anybody."""
        openings = r.openings_of(record)
        full = unseal(record.body, openings)
        event = self.rules.decoder.decode(full)
        return SealedEvent(record, event, openings, self._hidden_paths(event, full))

    def as_seen_by(self, record: Record, viewer: Viewer) -> WireRecord:
        """Return a stored record as a viewer gets it. `ALL` may be asked for after the end of the match only."""
        return self.open_record(record).as_seen_by(viewer)

    def _hidden_paths(self, event: Any, full: bytes) -> dict[Viewer, tuple[JsonPath, ...] | None]:
        public = self.rules.redact(event, PUBLIC)
        if public is event:  # nobody sees less than who has no seat
            return {}
        hidden: dict[Viewer, tuple[JsonPath, ...] | None] = {}
        seen: list[tuple[Any, tuple[JsonPath, ...] | None]] = []
        for viewer in (*self._seats, PUBLIC):
            redacted = public if viewer == PUBLIC else self.rules.redact(event, viewer)
            if redacted is event:
                hidden[viewer] = ()
                continue
            # most others see the same: what is hidden from all of these is found out once
            alike = next((place for place, (other, _) in enumerate(seen) if other == redacted), len(seen))
            if alike == len(seen):
                seen.append((redacted, _redacted_paths(full, redacted)))
            hidden[viewer] = seen[alike][1]
        return hidden if any(hidden.values()) or None in hidden.values() else {}


def _redacted_paths(full: bytes, redacted: Any) -> tuple[JsonPath, ...] | None:
    """Return the parts of an event that its redaction hides; None if it is hidden as a whole."""
    # what is canonical but for what it hides needs no look at its spelling
    return None if redacted is None else hidden_paths(full, _ENCODER.encode(redacted))


def _kind(event: Any) -> str:
    return str(type(event).__struct_config__.tag)


def _all_paths(hidden: Mapping[Viewer, tuple[JsonPath, ...] | None]) -> tuple[JsonPath, ...]:
    """Return each place once, in an order that follows from the event alone."""
    return tuple(dict.fromkeys(path for paths in hidden.values() for path in paths or ()))


def group_appends(lines: Iterable[SealedEvent]) -> list[Append]:
    """Lines in order, grouped by append; the first group may be the tail of one, the last its beginning."""
    found: list[list[SealedEvent]] = []
    for line in lines:
        if line.record.part == 0 or not found:
            found.append([])
        found[-1].append(line)
    return [tuple(page) for page in found]


class CommandReceipt(Struct, frozen=True):
    """What a command has made: records `first` to `last`. `digest` tells another command under the same id from it."""

    digest: str
    first: int
    last: int


class _MatchHeader(Struct):
    ruleset: str
    seats: int
    packs: tuple[Pack, ...] = ()


def ruleset_of(first: Record) -> str:
    """Return the ruleset that a match is played by, from its first record. Raises `LogError`."""
    return _read_match_header(first).ruleset


def packs_of(first: Record) -> tuple[Pack, ...]:
    """Return the content packs that a match was opened with, from its first record. Raises `LogError`."""
    return _read_match_header(first).packs


def _read_match_header(first: Record) -> _MatchHeader:
    try:
        return msgspec.json.decode(first.body, type=_MatchHeader)
    except msgspec.DecodeError as fault:
        raise LogError(f"record {first.seq} does not open a match: {fault}") from None


class MatchLog:
    """One match as far as its log is known. Grows by whole appends and never shrinks.

    `state` is the whole state, `head` the seq of the last record, `hash` the chain's hash there; `opened_at` in
    milliseconds.
    """

    def __init__(self, ledger: RecordCodec, records: Sequence[Record], events: Sequence[Any]) -> None:
        """Return a match from its whole log, whose chain has been checked."""
        self.codec = ledger
        self.state: AnyMatch = ledger.rules.fold_all(events)
        self.opened_at = records[0].at
        self.head = 0
        self.hash = ledger.genesis
        self._decided: tuple[Append, AnyMatch] = (), self.state
        self._commands: dict[str, dict[str, CommandReceipt]] = {}
        self._note_receipts(records, events)

    @classmethod
    def open(cls, rules: AnyRules, events: Sequence[Any], stamp: RecordMeta, salts: Salts) -> tuple["MatchLog", Append]:
        """Return a new match, and its first append, sealed and ready to be stored."""
        opened = events[0]
        if not isinstance(opened, MatchOpened):
            raise LogError(f"a match begins with match_opened, not with {_kind(opened)}")
        ledger = RecordCodec(rules, opened.match, opened.seats)
        page = ledger.seal(events, 0, ledger.genesis, stamp, salts)
        return cls(ledger, [line.record for line in page], events), page

    @classmethod
    def load(cls, rules: AnyRules, match: MatchId, records: Sequence[Record]) -> "MatchLog":
        """Return a match from its stored log. Raises `BrokenChain` for a log that is not what was written."""
        ledger = RecordCodec(rules, match, _read_match_header(records[0]).seats)
        _check_chain(match, 0, ledger.genesis, records)
        return cls(ledger, records, ledger.open_events(records))

    def decide(self, command: Command[Any], command_id: str, secrets: MatchSecrets, rules: str, salts: Salts) -> Append:
        """Return the append that a command makes, sealed and ready to be stored. Raises `Illegal`; changes nothing."""
        unfolded = self.codec.rules.decide(self.state, self.head, command, secrets)
        stamp = RecordMeta(command.player, command_id, rules, command.at)
        page = self.codec.seal(unfolded.events, self.head, self.hash, stamp, salts)
        self._decided = page, unfolded.match
        return page

    def read(self, records: Sequence[Record]) -> list[Append]:
        """Stored records after the head, as the appends they are. Raises `BrokenChain`; changes nothing."""
        _check_chain(self.codec.match, self.head, self.hash, records)
        return group_appends(self.codec.open_record(record) for record in records)

    def fold(self, page: Append) -> AnyMatch:
        """Return the state after one more append. Raises `RefoldRequired` for a takeback; changes nothing.

        That of the append decided last is known already.
        """
        known, after = self._decided
        return after if page is known else self.codec.rules.apply_all(self.state, [line.event for line in page])

    def commit(self, page: Append, state: AnyMatch) -> None:
        """The append is stored: this is the state now."""
        self.state, self._decided = state, ((), state)
        self._note_receipt(page[0].record, page[0].event, page[-1].record)

    def receipt(self, actor: PlayerId, command: str) -> CommandReceipt | None:
        """Return what this player's command has made, if it was accepted."""
        return self._commands.get(command, {}).get(actor)

    def is_command_known(self, command: str) -> bool:
        """Return whether a command of this id has been accepted, of any player."""
        return command in self._commands

    def _note_receipts(self, records: Sequence[Record], events: Sequence[Any]) -> None:
        """By which commands these appends were made."""
        starts = [place for place, record in enumerate(records) if record.part == 0]
        for start, end in pairwise((*starts, len(records))):
            self._note_receipt(records[start], events[start], records[end - 1])

    def _note_receipt(self, first: Record, event: Any, last: Record) -> None:
        """By which command this append was made, and that it is the last; `event` is that of its first record."""
        digest = str(event.digest) if isinstance(event, Acted) else ""
        self._commands.setdefault(first.command_id, {})[first.actor] = CommandReceipt(digest, first.seq, last.seq)
        self.head, self.hash = last.seq, last.hash


def _check_chain(match: MatchId, head: int, previous: bytes, records: Sequence[Record]) -> None:
    """Check each record against the one before it: a store returns what was written."""
    for seq, (record, hash) in enumerate(zip(records, r.chain_hashes(previous, records), strict=True), head + 1):
        if record.seq != seq:
            raise BrokenChain(match, seq, f"is missing; in its place stands {record.seq}")
        if record.hash != hash:
            raise BrokenChain(match, seq, "does not follow from the record before it")
