"""The replay of one match: its state after any record, the marks to jump to, and the viewpoints to see it from.

It works on records as a viewer receives them, so a match file, a stored match and a followed one are replayed alike.
"""

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_protocol.match.history_facts import MarkKind
from diskwars_protocol.match.ids import ALL, PUBLIC, MatchId, Viewer, seat_letter
from diskwars_protocol.match.match_fold import CountingRecords, check_takeback, lasting_part
from diskwars_protocol.match.moments import Moment, viewpoint_of
from diskwars_protocol.match.position_bounds import position_faults_of
from diskwars_protocol.match.state import AnyBody, AnyMatch, is_revealed
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.records.records import WireRecord
from diskwars_protocol.records.sealed import Opening, count_sealed, unseal_trusted

MAX_SNAPSHOTS = 512
"""States that a replay keeps, evenly spaced over the match."""
MIN_SNAPSHOT_DISTANCE = 8
MAX_UNDONE_PER_RECORD = 50
"""The bound on all that takebacks undo, in parts of records for each record of the match. A made-up file may undo
the same records again and again, each time further back."""
MAX_RECENT_STATES = 64
"""States around the last ones asked for, so that a step back costs no more than a step forward."""

Direction: TypeAlias = Literal["next", "previous"]


class ReplayError(ValueError):
    """Error for a moment or a viewpoint that this replay does not have."""


class Mark(Struct, frozen=True, gc=False, omit_defaults=True):
    """A place to jump to: in record `seq` begins the `number`th round, activation or melee, counted from 1.

    What was taken back later keeps its mark, with the number that it had; a jump by number leaves it out.
    """

    kind: MarkKind
    number: int
    seq: int
    taken_back: bool = False


class Replay:
    """One match to look back on.

    `records` begin with record 1 and have been checked; `received_as` is the viewer who received them. Opening a replay
    folds the whole match once, for the marks and for snapshots. After that a state costs at most as many records as
    lie between two snapshots.
    """

    def __init__(
        self,
        vocabulary: AnyVocabulary,
        records: Sequence[WireRecord],
        *,
        received_as: Viewer = ALL,
        viewer: Viewer | None = None,
    ) -> None:
        """Raise `ReplayError` without records, and where `viewer` is nobody whose view can be rebuilt."""
        if not records:
            raise ReplayError("a match has at least one record")
        self.vocabulary, self._records, self._received_as = vocabulary, records, received_as
        self.viewer = received_as if viewer is None else viewer
        self._distance = max(MIN_SNAPSHOT_DISTANCE, -(-len(records) // MAX_SNAPSHOTS))
        self._snapshots: dict[int, AnyMatch] = {}
        self._recent: OrderedDict[int, AnyMatch] = OrderedDict()
        # The states after takebacks are kept, so that no other state has to be folded through one.
        self._after_takebacks: dict[int, AnyMatch] = {}
        self._takeback_seqs: list[int] = []
        self.marks = self._fold_all()
        """Every mark, in the order of the match."""
        self._require_viewer()

    @property
    def match(self) -> MatchId:
        return self.state(self.last).match

    @property
    def last(self) -> int:
        """The number of the last record."""
        return len(self._records)

    def moment(self, seq: int) -> Moment:
        """Return the moment after a record, as it is seen here, for a link."""
        return Moment(self.match, self._require(seq), viewpoint_of(self.viewer))

    def seen_by(self, viewer: Viewer) -> "Replay":
        """Return the replay of the same records from another viewpoint. Raises ReplayError."""
        if viewer == self.viewer:
            return self
        return Replay(self.vocabulary, self._records, received_as=self._received_as, viewer=viewer)

    # ------------------------------------------------------------ states

    def body(self, seq: int) -> AnyBody:
        """Return what a record says, as far as the viewer may know it. Raises ReplayError."""
        return self.vocabulary.decode_body(self._raw_body(seq))

    def _raw_body(self, seq: int) -> bytes:
        record = self._records[self._require(seq) - 1]
        shown = tuple(opening for opening in record.openings if self._is_shown(opening))
        return unseal_trusted(bytes(record.body), shown) if shown else bytes(record.body)

    def state(self, seq: int) -> AnyMatch:
        """Return the match after a record. Raises ReplayError."""
        known_state = self._known_state(self._require(seq))
        if known_state is not None:
            return known_state
        start = self._snapshot_before(seq)
        place = bisect_left(self._takeback_seqs, seq)
        near = [number for number in (*self._recent, *self._takeback_seqs[max(0, place - 1) : place]) if number < seq]
        first = max(start, *near) if near else start
        state = self._known_state(first)
        for number in range(first + 1, seq + 1):  # none of them takes anything back
            state = self.vocabulary.fold(state, self.body(number))
            self._remember(number, state)
        assert state is not None  # a record was folded, because no state of `seq` was known
        return state

    def _known_state(self, seq: int) -> AnyMatch | None:
        if seq in self._recent:
            self._recent.move_to_end(seq)
            return self._recent[seq]
        return self._snapshots.get(seq) or self._after_takebacks.get(seq)

    def _snapshot_before(self, seq: int) -> int:
        """Return the number of the last snapshot before a record; 0 for the time before the first."""
        return (seq - 1) // self._distance * self._distance

    def _remember(self, seq: int, state: AnyMatch) -> None:
        self._recent[seq] = state
        if len(self._recent) > MAX_RECENT_STATES:
            self._recent.popitem(last=False)

    def _fold_all(self) -> tuple[Mark, ...]:
        """Fold the whole match for its snapshots, and return its marks. Raises ReplayError for a wrong takeback."""
        marks, undone = _MarkCounter(self.vocabulary), _UndoneParts(self)
        state: AnyMatch | None = None
        for seq in range(1, self.last + 1):
            body = self._bounded_body(seq)
            if body.taken_back_to is None:
                state = self._fold(seq, state, body)
            else:
                marks.take_back(body.taken_back_to, seq)
                check_takeback(seq, body)
                state = self._fold(seq, undone.fold(body.taken_back_to, seq), replace(body, taken_back_to=None))
                self._after_takebacks[seq] = state
                self._takeback_seqs.append(seq)
            undone.parts.append(lasting_part(body))
            marks.add(seq, body)
            self._remember(seq, state)
            if seq % self._distance == 0:
                self._snapshots[seq] = state
        return marks.marks

    def _bounded_body(self, seq: int) -> AnyBody:
        """Return what a record says. Raises ReplayError for what is none, or states a position out of bounds."""
        raw = self._raw_body(seq)
        try:
            body = self.vocabulary.decode_body(raw)
        except msgspec.DecodeError as fault:
            raise ReplayError(f"record {seq} is none that is known here, {fault}") from fault
        out_of_bounds = next(position_faults_of(raw, self.vocabulary.position_bounds), None)
        if out_of_bounds is not None:
            raise ReplayError(f"record {seq}: no match can have come to this position, {out_of_bounds}")
        return body

    def _fold(self, seq: int, state: AnyMatch | None, body: AnyBody) -> AnyMatch:
        try:
            return self.vocabulary.fold(state, body)
        except (LookupError, ValueError, TypeError, AttributeError, AssertionError) as fault:
            # A made-up event may refer to anything.
            raise ReplayError(f"record {seq} contradicts those before it, {type(fault).__name__}: {fault}") from fault

    # ------------------------------------------------------------ marks

    def seq_of(self, kind: MarkKind, number: int) -> int:
        """Return the record in which the `number`th round, activation or melee begins. Raises ReplayError."""
        numbers = [mark for mark in self.marks if mark.kind == kind and not mark.taken_back]
        if 1 <= number <= len(numbers):
            return numbers[number - 1].seq
        kinds = {"round": "rounds", "activation": "activations", "melee": "melees"}[kind]
        counted = f"1 {kind}" if len(numbers) == 1 else f"{len(numbers)} {kinds}"
        raise ReplayError(f"there is no {kind} {number}: the match has {counted}")

    def beside(self, seq: int, kind: MarkKind | None, direction: Direction) -> int:
        """Return the record of the next or previous mark, or of the next or previous record without a kind.

        At either end of the match it is the first or the last record.
        """
        numbers = range(1, self.last + 1) if kind is None else [mark.seq for mark in self.marks if mark.kind == kind]
        if direction == "next":
            place = bisect_right(numbers, seq)
            return numbers[place] if place < len(numbers) else self.last
        place = bisect_left(numbers, seq)
        return numbers[place - 1] if place else 1

    # ------------------------------------------------------------ checks

    def _require(self, seq: int) -> int:
        if not 1 <= seq <= self.last:
            raise ReplayError(f"match {self.match} has records 1 to {self.last}")
        return seq

    def _is_shown(self, opening: Opening) -> bool:
        return self.viewer in (ALL, self._received_as) or self.viewer in opening.seats

    def _require_viewer(self) -> None:
        """Refuse a viewpoint that cannot be rebuilt: only after the end do openings name the seats that could see."""
        if self.viewer in (PUBLIC, self._received_as):
            return
        end = self.state(self.last)
        if self.viewer >= len(end.seats):
            raise ReplayError(f"the match has no seat {seat_letter(self.viewer).lower()}")
        if self._received_as != ALL or not is_revealed(end) or self._has_sealed():
            name = viewpoint_of(self.viewer)
            raise ReplayError(f"the viewpoint {name} can be seen once the match has ended with everything opened")

    def _has_sealed(self) -> bool:
        return any(count_sealed(bytes(record.body)) > len(record.openings) for record in self._records)


class _UndoneParts:
    """Return what lasts of the records that takebacks undo. `parts` are those of all records so far, in their order."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self.parts: list[AnyBody] = []
        self._budget = MAX_UNDONE_PER_RECORD * replay.last
        self._folded: dict[int, tuple[int, AnyMatch]] = {}

    def fold(self, to: int, seq: int) -> AnyMatch:
        """Return the match after record `to`, and of the records from there to `seq` what lasts. Raises ReplayError.

        It goes on from where an earlier takeback to the same record came.
        """
        until, state = self._folded.get(to) or (to, self._replay.state(to))
        self._budget -= seq - 1 - until
        if self._budget < 0:
            raise ReplayError(f"record {seq}: the takebacks of this match undo too many records")
        state = self._replay.vocabulary.fold_many(state, self.parts[until : seq - 1])
        self._folded[to] = seq - 1, state
        return state


class _MarkCounter:
    """Counts the marks of a match record by record."""

    def __init__(self, vocabulary: AnyVocabulary) -> None:
        self._kinds = vocabulary.history_facts.mark_kinds
        self._marks: list[Mark] = []
        self._counts: dict[MarkKind, int] = {}
        self._counting = CountingRecords()
        self._counting_marks: list[int] = []

    @property
    def marks(self) -> tuple[Mark, ...]:
        return tuple(self._marks)

    def add(self, seq: int, body: AnyBody) -> None:
        """Mark what begins in a record; of several activations in one record each has its mark."""
        self._counting.add(seq)
        for event in body.events:
            kind = self._kinds.get(type(event))
            if kind is not None:
                self._counts[kind] = self._counts.get(kind, 0) + 1
                self._counting_marks.append(len(self._marks))
                self._marks.append(Mark(kind, self._counts[kind], seq))

    def take_back(self, to: int, seq: int) -> None:
        """Take back the marks after record `to`. Raises ReplayError for a record that does not count any more."""
        try:
            self._counting.take_back(seq, to)
        except ValueError as fault:
            raise ReplayError(str(fault)) from None
        while self._counting_marks and (mark := self._marks[self._counting_marks[-1]]).seq > to:
            self._marks[self._counting_marks.pop()] = replace(mark, taken_back=True)
            self._counts[mark.kind] -= 1
