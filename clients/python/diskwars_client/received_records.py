"""Records of one match as a client has received them."""

import msgspec

from diskwars_client.errors import MatchUnavailable
from diskwars_client.match_requests import MatchRequests
from diskwars_protocol.connection.streams import Head, VerifiedRecords
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.state import AnyBody, AnyMatch
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.messages.history import MAX_RANGE_RECORDS, RecordOpenings
from diskwars_protocol.records.match_file import write_received
from diskwars_protocol.records.records import WireRecord, genesis_hash, unsealed_body
from diskwars_protocol.records.sealed import count_sealed


class ReceivedRecords:
    """The records of a match from its first one, or from a snapshot on: read, as they came, and their hashes."""

    def __init__(self, match: MatchId) -> None:
        self._match = match
        self._bodies: list[AnyBody] = []
        self._wire: list[WireRecord] = []
        self._hashes: list[str] = []
        self._header = b""
        self.genesis = Head(0, "")
        self.is_opened = False
        """Whether every secret of the records has been opened after the end."""
        self.snapshot: tuple[Head, AnyMatch] | None = None
        """The head and the state that the records go on from; None where they begin with record 1."""

    @property
    def bodies(self) -> tuple[AnyBody, ...]:
        """All records, the last at the end. The first is record 1, or the one after the snapshot."""
        return tuple(self._bodies)

    @property
    def wire(self) -> tuple[WireRecord, ...]:
        """The same records as they were received, with the openings that this player may see."""
        return tuple(self._wire)

    @property
    def has_history(self) -> bool:
        """Whether the records begin with record 1."""
        return self.snapshot is None

    def body_at(self, seq: int, head: int) -> AnyBody | None:
        """Return record `seq` where `head` is the last one; None if it has not arrived."""
        place = seq - head + len(self._bodies) - 1
        return self._bodies[place] if 0 <= place < len(self._bodies) else None

    def file(self) -> bytes:
        """Return the match file of the records, as `diskwars verify` reads it.

        It holds the secrets that have been opened for this player: all of them after the end with
        `WatchMode.push_openings` or `WatchMode.reveal_secrets`. Raises MatchUnavailable without the history.
        """
        if not self.has_history:
            raise MatchUnavailable(f"match {self._match}: a file begins with record 1: call fetch_history() first")
        return write_received(self._header, self._wire, self._hashes)

    # ------------------------------------------------------------ adding

    def set_header(self, header: bytes) -> None:
        self._header = header
        self.genesis = Head(0, genesis_hash(header).hex())

    def begin_again(self, snapshot: tuple[Head, AnyMatch] | None) -> None:
        """Forget all records; what comes next follows the snapshot, or begins with record 1."""
        self._bodies.clear()
        self._wire.clear()
        self._hashes.clear()
        self.is_opened = False
        self.snapshot = snapshot

    def fold(self, vocabulary: AnyVocabulary, before: AnyMatch | None, body: AnyBody) -> AnyMatch:
        """Add a record and return the match after it. Raises RefoldRequired for a takeback to before the snapshot."""
        self._bodies.append(body)
        if self.snapshot is None:
            return vocabulary.fold_record(before, body, self._bodies)
        return vocabulary.fold(before, body)

    def add_received(self, received: WireRecord, hash: str) -> None:
        """Add the last record as it was received."""
        self._wire.append(received)
        self._hashes.append(hash)

    def prepend(self, parts: list[VerifiedRecords], vocabulary: AnyVocabulary) -> None:
        """Add the records before the snapshot. Raises MatchUnavailable where they do not fold to it."""
        if self.snapshot is None:
            return
        head, state = self.snapshot
        bodies = [vocabulary.decode_body(raw) for part in parts for raw in part.bodies]
        if vocabulary.fold_log(bodies) != state:
            raise MatchUnavailable(f"match {self._match}: its records do not fold to the snapshot at record {head.seq}")
        self._bodies[:0] = bodies
        self._wire[:0] = [record for part in parts for record in part.received]
        self._hashes[:0] = [after.hash for part in parts for after in part.heads]
        self.snapshot = None

    # ------------------------------------------------------------ opening

    def open_record(self, opened: RecordOpenings, vocabulary: AnyVocabulary) -> None:
        """Put opened secrets into a record. Raises BadRecord, LookupError, msgspec.ValidationError."""
        index = opened.seq - 1
        record = msgspec.structs.replace(self._wire[index], openings=opened.openings)
        self._bodies[index] = vocabulary.decode_body(unsealed_body(record))
        self._wire[index] = record

    def finish_openings(self, vocabulary: AnyVocabulary) -> AnyMatch:
        """Return the match with everything in the open. Raises MatchUnavailable where a value is still sealed."""
        sealed = sum(count_sealed(unsealed_body(record)) for record in self._wire)
        if sealed:
            raise MatchUnavailable(f"match {self._match}: {sealed} values are still sealed after its end")
        state = vocabulary.fold_log(self._bodies)
        self.is_opened = True
        return state


async def fetch_records(requests: MatchRequests, match: MatchId, head: Head, last: Head) -> list[VerifiedRecords]:
    """Return the records after one head up to another. Raises CommandRefused, MatchUnavailable."""
    parts: list[VerifiedRecords] = []
    while head.seq < last.seq:
        limit = min(MAX_RANGE_RECORDS, last.seq - head.seq)
        part = await requests.records(match, head.seq, limit)
        if part.before != head or not part.records.bodies:
            raise MatchUnavailable(f"match {match}: it was rewritten before record {head.seq}")
        parts.append(part.records)
        head = part.last
    if head != last:
        raise MatchUnavailable(f"match {match}: the snapshot at record {last.seq} is of another match")
    return parts
