"""The log of one match as far as it is known: state, head of the chain, receipts of commands.

Pure: salts, secrets and times are handed in. Deciding changes nothing; a proposal becomes the state by `commit`, once
it is stored. The state of a match that nobody uses can be packed; it is unpacked when it is used again.
"""

import zlib
from collections.abc import Generator, Sequence
from functools import cached_property
from struct import Struct as Layout
from typing import Any

import msgspec
from msgspec import Struct

from diskwars_engine.match import AnyRules, Command, MatchOpening, MatchOutcome
from diskwars_engine.match_dice import NO_KNOWN_DICE, KnownDice, MatchSecrets
from diskwars_engine.record_codec import RecordCodec, RecordMeta, Salts, SealedRecord
from diskwars_protocol.match.actions import Kick
from diskwars_protocol.match.decisions import Decision, Pack
from diskwars_protocol.match.events import MATCH_EVENT_TYPES, BranchBegan, MatchOpened
from diskwars_protocol.match.ids import HOUSE, MatchId
from diskwars_protocol.match.match_fold import without_takebacks
from diskwars_protocol.match.state import AnyBody, AnyMatch
from diskwars_protocol.records import records as r
from diskwars_protocol.records.records import Record

PIECE_RECORDS = 32
"""Records that are read, or folded, in one step of loading a match."""
PACKING_LEVEL = 6
"""Of zlib: 5.6 KiB for the state of a match of Diskwars with 60 records, 6.6 at level 1; 0.1 ms longer."""
KEY_BYTES, DIGEST_BYTES = 8, 32
_JSON = msgspec.json.Encoder()
_ZEROS = bytes(DIGEST_BYTES)
_pack_key = Layout("<q").pack


class LogError(Exception):
    """A log that cannot be what was written."""


class BrokenChain(LogError):
    """A stored record does not follow from the one before it."""

    def __init__(self, match: str, seq: int, why: str) -> None:
        super().__init__(f"match {match}: record {seq} {why}")
        self.match, self.seq = match, seq


class Proposal(Struct, frozen=True):
    """The next record of a match, sealed and ready to be stored, what it says, and state and dice after it."""

    record: SealedRecord
    body: AnyBody
    after: AnyMatch
    dice: KnownDice

    @property
    def seq(self) -> int:
        return self.record.seq


class CommandReceipt(Struct, frozen=True):
    """The record that a command has made. `digest` tells another command under the same id from it."""

    digest: str
    seq: int


class CommandReceipts:
    """The receipts of the commands of all records, by actor and command id; the last of several counts.

    Each takes 40 bytes. A long match has hundreds, and keeps all of them: a client may send a command again whose
    answer it has lost. As strings in a dict they took more memory than the state.
    """

    def __init__(self) -> None:
        # Of the record with this place, beginning with the first.
        self._keys, self._digests = bytearray(), bytearray()
        self._last_command, self._last_key = ("", ""), b""
        """The command that was looked up last: mostly it is the next that is added."""

    def __contains__(self, command: tuple[str, str]) -> bool:
        return self.find(*command) is not None

    def add(self, actor: str, command_id: str, digest: str) -> None:
        """Add the receipt of the next record. `digest` is 64 hex digits; zeros are kept for anything else."""
        if self._last_command != (actor, command_id):
            self._last_command = actor, command_id
            self._last_key = _pack_key(hash((actor, command_id)))
        self._keys += self._last_key
        try:
            # As long as the others, whatever it is: each has its place.
            self._digests += (bytes.fromhex(digest) + _ZEROS)[:DIGEST_BYTES]
        except ValueError:
            self._digests += _ZEROS

    def find(self, actor: str, command_id: str) -> CommandReceipt | None:
        """Return the receipt of a command of an actor."""
        # Python's own hash has a secret of the process: nobody can choose two ids with one key. By chance two of a
        # thousand have the same once in 10^13 matches.
        self._last_command = actor, command_id
        self._last_key = key = _pack_key(hash(self._last_command))
        keys = self._keys
        if key not in keys:  # nearly always
            return None
        at = keys.rfind(key)
        while at > 0 and at % KEY_BYTES:  # across the end of one key and the beginning of the next
            at = keys.rfind(key, 0, at + KEY_BYTES - 1)
        if at < 0:
            return None
        place = at // KEY_BYTES
        digest = self._digests[place * DIGEST_BYTES : (place + 1) * DIGEST_BYTES]
        return CommandReceipt(digest.hex(), place + 1)


class _Opening(Struct, tag_field="type", tag="match_opened"):
    ruleset: str
    seat_count: int
    packs: tuple[Pack, ...] = ()


class _First(Struct):
    events: tuple[msgspec.Raw, ...]


def ruleset_of(first: Record) -> str:
    """Return the ruleset that a match is played by, from its first record. Raises `LogError`."""
    return _opening(first).ruleset


def packs_of(first: Record) -> tuple[Pack, ...]:
    """Return the content packs that a match was opened with, from its first record. Raises `LogError`."""
    return _opening(first).packs


def _opening(first: Record) -> _Opening:
    try:
        events = msgspec.json.decode(first.body, type=_First).events
        if not events:
            raise LogError(f"record {first.seq} does not open a match: it has no events")
        return msgspec.json.decode(events[0], type=_Opening)
    except msgspec.DecodeError as fault:
        raise LogError(f"record {first.seq} does not open a match: {fault}") from None


class MatchLog:
    """One match as far as its log is known. Grows by whole records and never shrinks.

    `state` is the whole state, `dice` how far the dice are known, `head` the seq of the last record, `hash` the chain's
    hash there; `opener` is who opened it, `opened_at_ms` when. `round_start` is the record with which the round under
    way begins, or the play as such; 0 before. It is kept up where spectators see the match a round later. A takeback
    does not move it: what they have seen they have seen. `receipts` are those of accepted commands.
    """

    def __init__(
        self, codec: RecordCodec, records: Sequence[Record], bodies: Sequence[AnyBody], state: AnyMatch
    ) -> None:
        """A match from its whole log, which has been held against its chain, and the state that it folds to."""
        self.codec = codec
        self.state = state
        self._packed, self.unpacked_count = b"", 0
        self.opener, self.opened_at_ms = records[0].actor, records[0].at_ms
        self.dice = NO_KNOWN_DICE
        self.head = 0
        self.hash = codec.genesis
        self.round_start = 0
        self.receipts = CommandReceipts()
        for record, body in zip(records, bodies, strict=True):
            self._record(record, body)

    @cached_property
    def state(self) -> AnyMatch:
        """The state after the last record. One that was packed is unpacked here, once it is used again."""
        vocabulary = self.codec.rules.vocabulary
        state = vocabulary.share_facts(vocabulary.decode_match(zlib.decompress(self._packed)))
        self._packed = b""
        self.unpacked_count += 1
        return state

    @property
    def is_packed(self) -> bool:
        return bool(self._packed)

    def pack(self) -> None:
        """Keep the state as a few KiB until it is used again, which then takes a fraction of a millisecond."""
        if not self._packed:
            self._packed = zlib.compress(_JSON.encode(self.state), PACKING_LEVEL)
            del self.state

    @classmethod
    def open(
        cls, rules: AnyRules, opening: MatchOpening, secrets: MatchSecrets, meta: RecordMeta, salts: Salts
    ) -> tuple["MatchLog", SealedRecord]:
        """Begin a new match. Return it and its first record, sealed and ready to be stored. Raises `Illegal`."""
        body = rules.open(opening, secrets).body
        return cls.begin(rules, body, meta, salts)

    @classmethod
    def begin(cls, rules: AnyRules, body: AnyBody, meta: RecordMeta, salts: Salts) -> tuple["MatchLog", SealedRecord]:
        """Begin a match like `open`, from the body of its first record."""
        opened = body.events[0] if body.events else None
        if not isinstance(opened, MatchOpened):
            raise LogError("a match begins with match_opened")
        codec = RecordCodec(rules, opened.match, opened.seat_count)
        sealed = codec.seal(body, 1, codec.genesis, meta, salts)
        return cls(codec, [sealed.record], [body], rules.fold_log([body])), sealed

    @classmethod
    def load(cls, rules: AnyRules, match: MatchId, records: Sequence[Record]) -> "MatchLog":
        """Load a match from its stored log. Raises `BrokenChain` for a log that is not what was written."""
        pieces = cls.load_in_pieces(rules, match, records)
        while True:
            try:
                next(pieces)
            except StopIteration as done:
                loaded: MatchLog = done.value
                return loaded

    @classmethod
    def load_in_pieces(
        cls, rules: AnyRules, match: MatchId, records: Sequence[Record]
    ) -> Generator[None, None, "MatchLog"]:
        """Load like `load`, in steps of a few milliseconds: a long match would hold up the whole process."""
        codec = RecordCodec(rules, match, _opening(records[0]).seat_count)
        previous, bodies = codec.genesis, list[AnyBody]()
        for start in range(0, len(records), PIECE_RECORDS):
            piece = records[start : start + PIECE_RECORDS]
            _check_chain(match, start, previous, piece)
            previous = piece[-1].hash
            bodies += codec.bodies(piece)
            yield
        standing, state = without_takebacks(bodies), None
        for start in range(0, len(standing), PIECE_RECORDS):
            state = rules.vocabulary.fold_many(state, standing[start : start + PIECE_RECORDS])
            yield
        assert state is not None  # a match has at least one record
        return cls(codec, records, bodies, rules.vocabulary.share_facts(state))

    def decide(
        self,
        command: Command[Any],
        command_id: str,
        secrets: MatchSecrets,
        salts: Salts,
        bodies: Sequence[AnyBody] | None = None,
    ) -> Proposal:
        """Return the record that a command makes. Raises `Illegal`; changes nothing.

        `bodies` are all records, for a command that takes back some of them.
        """
        outcome = self.codec.rules.decide(self.state, self.head, command, secrets, self.dice, bodies)
        return self._propose(outcome, RecordMeta(command.player, command_id), salts)

    def close(
        self, meta: RecordMeta, at: int, secrets: MatchSecrets, salts: Salts, *, reason: str | None = None
    ) -> Proposal:
        """Return the record that ends a match that has not begun, for its opener or the house. Raises `Illegal`."""
        outcome = self.codec.rules.close(self.state, at, secrets, "house" if meta.actor == HOUSE else "opener", reason)
        return self._propose(outcome, meta, salts)

    def stop(self, meta: RecordMeta, at: int, secrets: MatchSecrets, salts: Salts) -> Proposal:
        """Return the record by which the house ends a match that has begun. Raises `Illegal`."""
        return self._propose(self.codec.rules.stop(self.state, at, secrets), meta, salts)

    def kick(self, action: Kick, meta: RecordMeta, at: int, salts: Salts) -> Proposal:
        """Return the record by which the opener removes a player. Raises `Illegal`."""
        return self._propose(self.codec.rules.kick(self.state, self.head, at, meta.actor, action), meta, salts)

    def _propose(self, outcome: MatchOutcome[Any, Any, Any], meta: RecordMeta, salts: Salts) -> Proposal:
        sealed = self.codec.seal(outcome.body, self.head + 1, self.hash, meta, salts)
        return Proposal(sealed, outcome.body, outcome.match, outcome.dice)

    def default(self, decision: Decision[Any], secrets: MatchSecrets) -> Any:
        """Return the action that the rules choose for a seat without a player's own answer. Raises `Illegal`."""
        return self.codec.rules.default(self.state, decision, secrets, self.dice)

    def house_action(self, decision: Decision[Any], secrets: MatchSecrets) -> Any:
        """Return the answer of `HOUSE` for a seat that does not answer. Raises `Illegal`."""
        return self.codec.rules.house_action(self.state, decision, secrets, self.dice)

    def read(self, record: Record) -> Proposal:
        """Return a stored record after the head. Raises `BrokenChain`, and `RefoldRequired` for a takeback."""
        _check_chain(self.codec.match, self.head, self.hash, [record])
        body, rules = self.codec.body(record), self.codec.rules
        after = rules.fold(self.state, body)
        if self.state.board is None:  # perhaps the record that brings the facts of the packs
            after = rules.vocabulary.share_facts(after)
        return Proposal(SealedRecord.of(record), body, after, self.dice)

    def commit(self, proposal: Proposal) -> None:
        """Take the state after a stored record as the state."""
        self.state, self.dice = proposal.after, proposal.dice
        self._record(proposal.record.record, proposal.body)

    def _record(self, record: Record, body: AnyBody) -> None:
        """Keep the receipt of the command that made the record, which is the last from now on."""
        self.receipts.add(record.actor, record.command_id, str(body.digest))
        self.head, self.hash = record.seq, record.hash
        if self.state.match_options.watchers == "round_later" and self._begins_round(body):
            self.round_start = record.seq

    def _begins_round(self, body: AnyBody) -> bool:
        kinds = self.codec.rules.vocabulary.history_facts.mark_kinds
        if any(kinds.get(type(event)) == "round" for event in body.events):
            return True
        types = set(map(type, body.events))
        return not self.round_start and (BranchBegan in types or not types <= MATCH_EVENT_TYPES)


def _check_chain(match: MatchId, head: int, previous: bytes, records: Sequence[Record]) -> None:
    """Check each record against the one before it: a store returns what was written."""
    for seq, (record, hash) in enumerate(zip(records, r.chain_hashes(previous, records), strict=True), head + 1):
        if record.seq != seq:
            raise BrokenChain(match, seq, f"is missing; in its place stands {record.seq}")
        if record.hash != hash:
            raise BrokenChain(match, seq, "does not follow from the record before it")
