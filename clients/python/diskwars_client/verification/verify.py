"""Verification of a match file, with the engine and without a server.

It checks the chain and the sealed values; the links of server and seats against their chains; every die against the
key of its step; and, once nothing is sealed any more, that the rules give the same events for the same actions. All of
that is the same for every ruleset. What a ruleset adds, such as commitments and content packs, is checked by the
`FileChecks` that its registry names. The report names the first wrong record."""

import hashlib
from collections.abc import Iterator, Sequence
from pkgutil import resolve_name
from typing import Any

import msgspec
from msgspec import Raw, Struct

from diskwars_client.plugs.file_checks import FileChecks, events_of
from diskwars_client.plugs.record_difference import difference, event_kind
from diskwars_client.replays import UnknownRuleset
from diskwars_client.rulesets.registry import FILE_CHECKS
from diskwars_client.verification.published_dice import dice_keys, dice_steps
from diskwars_client.verification.record_checks import (
    check_action,
    check_bounds,
    check_decisions,
    check_position,
    check_reachable,
    check_takeback_decisions,
    is_closing,
    is_stopping,
    opens_chain,
)
from diskwars_client.verification.rules_verifier import rules_verifier_for
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.connection.known_fields import UnknownField, check_known_fields
from diskwars_protocol.match.actions import AnswerOffer, Kick, Resign, TakeBack
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.events import MatchEnded, MatchOpened, SeatNonceOpened, StepBegan, TakebackMade
from diskwars_protocol.match.ids import MatchId, seat_letter
from diskwars_protocol.match.match_fold import CountingRecords, check_takeback
from diskwars_protocol.match.match_options import BranchPoint
from diskwars_protocol.match.state import AnyBody, Match, due_ms, opening_record
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.records import fairness
from diskwars_protocol.records.canonical import JsonPath, encode_canonical, format_path
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.records.match_file import MatchFile, MatchFileError, read_file
from diskwars_protocol.records.records import BadRecord, RecordError
from diskwars_protocol.records.sealed import Sealed, count_sealed, if_known, sealed_paths
from diskwars_protocol.rulesets.registry import RULESETS
from diskwars_protocol.schema_types import MAX_INTEGER

HEADER_PREFIX = b'{"type":"diskwars-match","format":'
KNOWN_ACTORS = (None, "house", "opener")
"""Values of `RecordBody.actor`, None for the player of a seat. Later versions of the rules may know others."""


class IncompatibleRules(MatchFileError):
    """The match was decided by another version of the rules, and these cannot even read what it holds."""

    def __init__(self, seq: int, theirs: int, ours: int, why: str) -> None:
        super().__init__(f"record {seq}: {why}; decided by version {theirs} of the rules, these are version {ours}")


class HeadNotFound(MatchFileError):
    """No record of the file has the hash that the reader knows the match by."""


class RulesStretch(Struct, frozen=True):
    """Records from `first` to `last`, which were decided by version `rules` of the rules."""

    first: int
    last: int
    rules: int


class VerificationResult(Struct, frozen=True):
    """A file in which nothing is wrong.

    `head_seq` is the record whose hash the reader gave. `unproven_draws` are dice whose key has not been published yet.
    `missing_openings` are the places of the values that are still sealed: the number of the record, and the path.
    `other_rules` are the records that another version of the rules decided than `local_rules`, which is the one known
    here: those are not decided again. `unknown_fields` are the records with a field that a later version has added, and
    the first such field of each: those are not decided again either. `packs` are those that the match was played with;
    `has_unknown_figures` says that not all of them are known here, so that its figures could not be compared.
    `branch_of` is the moment of another match from which this one plays on: its position, with the figures in it, is
    taken as it is recorded, for only the file of that match could confirm it.
    """

    match: MatchId
    records: int
    head: str
    unfinished_at: int | None
    missing_openings: tuple[tuple[int, JsonPath], ...]
    unproven_draws: int
    is_redecided: bool
    is_repeatable: bool
    head_seq: int | None = None
    local_rules: int = 0
    other_rules: tuple[RulesStretch, ...] = ()
    unknown_fields: tuple[tuple[int, str], ...] = ()
    has_unknown_figures: bool = False
    packs: tuple[Pack, ...] = ()
    branch_of: BranchPoint | None = None

    @property
    def sealed_values(self) -> int:
        """The number of values that are still sealed."""
        return len(self.missing_openings)


def verify(raw: bytes, head: str = "", rulesets: Sequence[AnyRuleset] = ()) -> VerificationResult:
    """Check a file; `head` is the hash that the reader saw after some record, 64 hex digits.

    `rulesets` are those of the reader, each with some packs: figures are compared with the packs that the match names,
    where one of these has them. Raises BadRecord for the first record that is wrong, NewerFormat, UnknownRuleset,
    IncompatibleRules, or HeadNotFound.
    """
    if b"\n" not in raw and (raw.startswith(HEADER_PREFIX) or HEADER_PREFIX.startswith(raw)):
        return _is_cut_in_header(head)
    file = read_file(raw)
    vocabulary, checks_class = find_ruleset(file.header.ruleset)
    bodies = decode_bodies(file, vocabulary, checks_class.rules_version)
    checks = checks_class(MatchId(file.header.match), bodies, rulesets)
    is_open = file.unfinished_at is None and not file.sealed
    audit = _FileVerifier(file, bodies, is_open, vocabulary=vocabulary, checks=checks)
    audit.run()
    return VerificationResult(
        match=MatchId(file.header.match),
        records=len(file.records),
        head=file.head,
        unfinished_at=file.unfinished_at,
        missing_openings=_missing_openings(file),
        unproven_draws=audit.unproven_draws,
        is_redecided=is_open and not audit.other_rules and not audit.unknown_fields,
        is_repeatable=audit.match is not None and audit.match.repeatable,
        head_seq=_record_with_head(file, head) if head else None,
        local_rules=checks.rules_version,
        other_rules=tuple(audit.other_rules),
        unknown_fields=tuple(audit.unknown_fields),
        has_unknown_figures=checks.has_unknown_figures,
        packs=checks.packs,
        branch_of=None if audit.match is None else audit.match.match_options.branch_of,
    )


def find_ruleset(name: str) -> tuple[AnyVocabulary, type[FileChecks]]:
    """Return what the registries have for a ruleset. Raises UnknownRuleset."""
    vocabulary, path = RULESETS.get(name), FILE_CHECKS.get(name)
    if vocabulary is None or path is None:
        known = ", ".join(known for known in FILE_CHECKS if known in RULESETS)
        raise UnknownRuleset(f"header: verify knows {known}, not {name}")
    checks: type[FileChecks] = resolve_name(path)
    return vocabulary, checks


def _is_cut_in_header(head: str) -> VerificationResult:
    """Nothing is left of the match, not even its name."""
    if head:
        raise HeadNotFound("the file is cut in its first line: no record is left of it")
    return VerificationResult(MatchId(""), 0, "", 0, (), 0, is_redecided=False, is_repeatable=False)


def _missing_openings(file: MatchFile) -> tuple[tuple[int, JsonPath], ...]:
    """Return the place of every value that is still sealed."""
    return tuple(
        (seq, path) for seq, body in enumerate(file.bodies, 1) if count_sealed(body) for path in sealed_paths(body)
    )


def _record_with_head(file: MatchFile, head: str) -> int:
    for record in reversed(file.records):
        if record.hash == head:
            return record.seq
    raise HeadNotFound(f"no record has the hash {head}: this is another match, or its chain was rewritten")


class _RulesField(Struct):
    """The rules that a record, or `match_opened`, names, whatever else is in it."""

    rules_version: int | None = None
    events: tuple[Raw, ...] = ()


_RULES_DECODER = msgspec.json.Decoder(_RulesField)


def decode_bodies(file: MatchFile, vocabulary: AnyVocabulary, ours: int) -> list[AnyBody]:
    """Return what the records of a file say. Raises BadRecord, IncompatibleRules."""
    bodies: list[AnyBody] = []
    theirs = ours
    for seq, raw in enumerate(file.bodies, 1):
        try:
            body = vocabulary.decode_body(raw)
        except msgspec.ValidationError as fault:
            why = f"not a record that is known here, {fault}"
            theirs = _changed_rules(seq, raw) or theirs
            if theirs != ours:
                raise IncompatibleRules(seq, theirs, ours, why) from None
            raise BadRecord(seq, why) from None
        opened = _opening([body])
        theirs = body.rules_version or (theirs if opened is None else opened.rules_version)
        bodies.append(body)
    return bodies


def _changed_rules(seq: int, raw: bytes) -> int | None:
    """Return the version of the rules that a record names, of which nothing else need be known."""
    try:
        record = _RULES_DECODER.decode(raw)
        if seq == 1 and record.events:  # later options of a match, such as another clock, make its opening unreadable
            record = _RULES_DECODER.decode(record.events[0])
        return record.rules_version
    except msgspec.ValidationError:
        return None


def _opening(bodies: Sequence[AnyBody]) -> MatchOpened[Any] | None:
    first = next(iter(bodies[0].events), None) if bodies else None
    return first if isinstance(first, MatchOpened) else None


# ---------------------------------------------------------------- one record after another


class _FileVerifier:
    """Checks a file in one pass; every fault is raised as BadRecord at its record."""

    def __init__(
        self,
        file: MatchFile,
        bodies: Sequence[AnyBody],
        is_open: bool,
        *,
        vocabulary: AnyVocabulary,
        checks: FileChecks,
    ) -> None:
        events = events_of(bodies)
        self.match: Match[Any, Any] | None = None
        self.unproven_draws = 0
        self.other_rules: list[RulesStretch] = []
        self.unknown_fields: list[tuple[int, str]] = []
        self._file, self._bodies = file, bodies
        self._vocabulary, self._checks = vocabulary, checks
        self._is_open = is_open
        self._steps = dice_steps(events)
        opened = _opening(bodies)
        self._keys = dice_keys(opened.anchor, self._steps) if opened else {}
        # a wrong deal secret is reported where it was published, not at the draws that do not follow from it
        is_judged = is_open and _is_deal_secret_right(events)
        self._rules_verifier = rules_verifier_for(bodies, self._steps, checks) if is_judged else None
        self._index = 0
        self._rules = checks.rules_version
        self._counting = CountingRecords()
        # the states that a takeback leads back to
        self._targets: dict[int, Match[Any, Any] | None] = dict.fromkeys(
            body.taken_back_to for body in bodies if body.taken_back_to is not None
        )

    def run(self) -> None:
        for seq, body in enumerate(self._bodies, 1):
            self._rules = self._rules_of(body)
            if self._rules != self._checks.rules_version:
                self._record_other_rules(seq)
            self._record_unknown_field(seq, body)
            if body.actor not in KNOWN_ACTORS:
                raise self._unreadable_record(seq, f"{body.actor!r} is no actor that is known here")
            self._check_record(seq, body)
            self._counting.add(seq)
            if seq in self._targets:
                self._targets[seq] = self.match
        is_ours = self.other_rules != [RulesStretch(1, len(self._bodies), self._rules)]
        is_judged = self._is_open and is_ours and not self.unknown_fields
        if is_judged and self._rules_verifier is None:
            raise BadRecord(1, "from what the match records of itself it cannot be decided again")

    def _check_record(self, seq: int, body: AnyBody) -> None:
        try:
            self._check_and_fold(seq, body, self._redecide(seq, body))
        except (LookupError, ValueError, TypeError, OverflowError) as fault:
            # A stranger's file may name any seat, slot or offer. The checks name what they foresee in better words.
            raise self._unreadable_record(seq, f"it contradicts itself, {type(fault).__name__}: {fault}") from None

    def _rules_of(self, body: AnyBody) -> int:
        """Return the version of the rules that decided a record."""
        opened = _opening([body])
        if opened is not None and self.match is None:
            return opened.rules_version
        return self._rules if body.rules_version is None else body.rules_version

    def _record_other_rules(self, seq: int) -> None:
        last = self.other_rules[-1] if self.other_rules else None
        if last is not None and (last.last, last.rules) == (seq - 1, self._rules):
            self.other_rules[-1] = RulesStretch(last.first, seq, self._rules)
        else:
            self.other_rules.append(RulesStretch(seq, seq, self._rules))

    def _record_unknown_field(self, seq: int, body: AnyBody) -> None:
        """Look for a field that a later version has added. A default that is written out is none."""
        raw = self._file.bodies[seq - 1]
        if encode_canonical(body, self._vocabulary.is_canonical) != raw:
            try:
                check_known_fields(raw, body)
            except UnknownField as unknown:
                self.unknown_fields.append((seq, f"${unknown.place}"))

    def _redecide(self, seq: int, body: AnyBody) -> AnyBody | None:
        """Return what the rules say that this record is; None where that cannot be said.

        Only the same version of the rules can judge: another one may well decide otherwise. Nor can anybody judge a
        record of which not everything is known here.
        """
        if self._rules_verifier is None or self._is_key_missing() or self._rules != self._checks.rules_version:
            return None
        if self.unknown_fields and self.unknown_fields[-1][0] == seq:
            return None
        return self._rules_verifier.redecide(seq, self.match, body)

    def _unreadable_record(self, seq: int, why: str) -> RecordError:
        """Return a record that the rules known here cannot make sense of."""
        if self._rules == self._checks.rules_version:
            return BadRecord(seq, why)
        return IncompatibleRules(seq, self._rules, self._checks.rules_version, why)

    def _is_key_missing(self) -> bool:
        """Return whether a link of these dice is wrong; such a link is reported where it was published."""
        next_step = self.match.step + 1 if self.match else 0
        return len(self._keys) < len(self._steps) and next_step > len(self._keys)

    def _check_and_fold(self, seq: int, body: AnyBody, right: AnyBody | None) -> None:
        """Check one record by itself and against what the rules say, as far as either is known, and fold it."""
        before = self.match
        if before is not None and body.at_ms < before.at_ms:
            raise BadRecord(
                seq, f"it was done at {body.at_ms}, before {before.at_ms}, the time of the record before it"
            )
        if not 0 <= body.at_ms <= MAX_INTEGER:
            raise BadRecord(seq, f"it was done at {body.at_ms}, which is no time from 0 to {MAX_INTEGER}")
        if before is not None and body.rules_version == before.rules_version:
            raise BadRecord(
                seq, f"it names version {body.rules_version} of the rules, which decided the record before it"
            )
        if body.actor is not None and not (is_closing(body) or is_stopping(body) or isinstance(body.action, Kick)):
            self._check_time_limit(seq, body)
        if body.taken_back_to is not None:
            self._check_takeback(seq, body, right)
            return
        if (_opening([body]) is not None) != (seq == 1):
            raise BadRecord(seq, "a match begins with match_opened, and only there")
        check_position(seq, before, body)
        self._check_reachable(seq, body)
        if right is None:
            check_action(seq, before, body, self._file.bodies[seq - 1])
        for event in body.events:
            if not isinstance(event, Sealed):
                self._check_event(seq, event)
                self._fold(seq, event)
        self._close(seq, body)
        if right is None:
            self._check_without_rules(seq, before, body)
        elif self._file.bodies[seq - 1] != encode_canonical(right):
            raise BadRecord(seq, difference(body, right))
        else:
            self._check_seats(seq, right)

    def _check_reachable(self, seq: int, body: AnyBody) -> None:
        """Check that a match can have come to the position of a branch.

        By the rules that decided it, where they are known here and nothing of it is sealed; in any case that it is
        within the bounds of boards.
        """
        if seq == 1 and self._rules == self._checks.rules_version:
            self._check_by_rules(seq, body)
        check_bounds(seq, self._file.bodies[seq - 1], self._vocabulary.position_bounds)

    def _check_by_rules(self, seq: int, body: AnyBody) -> None:
        ruleset = self._checks.local_ruleset
        if ruleset is not None:
            return check_reachable(seq, body, ruleset, has_known_figures=True)
        try:
            ruleset = self._checks.ruleset()
        except (LookupError, ValueError):
            return  # the file does not hold what the rules need, which is reported at its end
        check_reachable(seq, body, ruleset, has_known_figures=False)

    def _check_takeback(self, seq: int, body: AnyBody, right: AnyBody | None) -> None:
        """Check a record that goes back to an earlier one, and fold what lasts of the records that it takes back."""
        check_takeback_decisions(seq, body)
        if not isinstance(body.action, TakeBack | AnswerOffer):
            raise self._unreadable_record(seq, "no rule takes anything back")
        if right is None:
            check_action(seq, self.match, body, self._file.bodies[seq - 1])
        to = body.taken_back_to or 0
        try:
            self._counting.take_back(seq, to)
            check_takeback(seq, body)
        except ValueError as fault:
            raise BadRecord(seq, str(fault)) from None
        target = self._targets[to]
        assert target is not None  # it counts, so it was folded
        self.match = self._vocabulary.fold_takeback(target, self._bodies[to : seq - 1], body)
        if self.match.draw_index != self._index:
            raise BadRecord(seq, f"{self._index} draws were made in this step, not {self.match.draw_index}")
        questions = [(decision.seat, decision.question) for decision in target.decisions]
        if body.events != (TakebackMade(body.seat or 0),) or questions != [
            (decision.seat, decision.question) for decision in self.match.decisions
        ]:
            raise BadRecord(seq, f"it does not lead back to record {body.taken_back_to}")
        if right is not None and self._file.bodies[seq - 1] != encode_canonical(right):
            raise BadRecord(seq, difference(body, right))

    def _check_without_rules(self, seq: int, before: Match[Any, Any] | None, body: AnyBody) -> None:
        """Check what a record says beside its events, where the rules do not decide it again."""
        if self.match is None:
            return
        check_decisions(seq, before, self.match)
        if body.result is not None:
            try:
                self._checks.check_result(seq, self.match, body.result)
            except (LookupError, ValueError, TypeError) as fault:  # a stranger's file may say anything
                raise self._unreadable_record(seq, f"the result contradicts itself, {fault}") from None

    def _check_seats(self, seq: int, right: AnyBody) -> None:
        """Check which seats a finished match says could see each secret: that is not part of the chain of hashes."""
        openings = self._file.records[seq - 1].openings
        if self._rules_verifier is None or not openings:
            return
        seats = self._rules_verifier.seats_that_see(seq, right)
        for opening in openings:
            if opening.seats != seats.get(opening.path, ()):
                where = format_path(opening.path)
                raise BadRecord(seq, f"{where} could be seen by seats {seats.get(opening.path, ())}")

    def _check_time_limit(self, seq: int, body: AnyBody) -> None:
        """The house answers only for a seat whose time is up."""
        if self.match is None:
            raise self._unreadable_record(seq, "the house has answered in no match")
        if self.match.match_options.clock is None and not isinstance(body.action, Resign):
            raise self._unreadable_record(
                seq, "the house has answered in a match without a clock, where it only leaves"
            )
        answered = next((decision for decision in self.match.decisions if decision.id == body.decision), None)
        if answered is None:
            why = f"the house has answered {body.decision!r}, which is no open decision"
            raise self._unreadable_record(seq, why)
        if self.match.seats[answered.seat].substitute:
            return
        opened = opening_record(answered.id)
        due = due_ms(self.match, answered, self._bodies[opened - 1].at_ms)
        if due is None or body.at_ms < due:
            raise BadRecord(seq, "the house has answered before the time of the seat was up")

    def _check_event(self, seq: int, event: Any) -> None:
        for drawn in sorted(_find_draws(event), key=lambda drawn: drawn.index):
            self._check_draw(seq, drawn)
        match event:
            case MatchOpened():
                self._check_opening(seq, event)
            case SeatNonceOpened():
                self._check_nonce(seq, event)
            case StepBegan():
                self._check_step(seq, event)
            case MatchEnded():
                self._check_end(seq, event)
            case _:
                self._check_own_event(seq, event)

    def _check_own_event(self, seq: int, event: Any) -> None:
        """Check an event of the ruleset."""
        try:
            self._checks.check_event(seq, self.match, event)
        except (LookupError, ValueError, TypeError) as fault:  # a stranger's file may say anything
            raise self._unreadable_record(seq, f"{event_kind(event)} contradicts itself, {fault}") from None

    def _fold(self, seq: int, event: Any) -> None:
        try:
            self.match = self._vocabulary.fold_event(self.match, event)
        except (LookupError, ValueError, TypeError) as fault:  # a stranger's file may say anything
            raise self._unreadable_record(seq, f"{event_kind(event)} does not fit what was before, {fault}") from None

    def _close(self, seq: int, body: AnyBody) -> None:
        """Fold the parts of a record beside its events."""
        if self.match is None:
            return
        try:
            self.match = self._vocabulary.close_record(self.match, body)
        except ValueError as fault:
            raise self._unreadable_record(seq, f"its cursor is none, {fault}") from None
        if self.match.draw_index != self._index:
            raise BadRecord(seq, f"{self._index} draws were made in this step, not {self.match.draw_index}")

    def _check_opening(self, seq: int, event: MatchOpened[Any]) -> None:
        header = self._file.header
        if (event.match, event.ruleset) != (header.match, header.ruleset):
            raise BadRecord(seq, f"it opens match {event.match} of {event.ruleset}, which the header does not name")

    # ------------------------------------------------------------ chains and dice

    def _check_nonce(self, seq: int, event: SeatNonceOpened) -> None:
        if not 0 <= event.seat < len(self.match.seats if self.match else ()):
            raise BadRecord(seq, f"it opens a nonce of seat {event.seat}, which the match does not have")
        if (
            not isinstance(event.seat_nonce, Sealed)
            and event.seat_nonce
            and not self._is_preimage(event.seat, event.seat_nonce)
        ):
            raise BadRecord(seq, f"the nonce does not open the chain of seat {seat_letter(event.seat)}")

    def _is_preimage(self, seat: int, nonce: str) -> bool:
        seat_states = self.match.seats if self.match else ()
        return 0 <= seat < len(seat_states) and opens_chain(seat_states[seat], nonce)

    def _check_step(self, seq: int, event: StepBegan) -> None:
        match = self.match
        if match is None or event.step != match.step + 1 or len(event.seat_nonces) not in (0, len(match.seats)):
            raise BadRecord(seq, f"step {event.step} for {len(event.seat_nonces)} seats does not come now")
        self._check_server_link(seq, event.server_link, match.server_link, is_anchor=event.step == 1)
        if not event.seat_nonces:
            self._check_unasked_step(seq, match, event)
            return
        for seat, (nonce, seat_state) in enumerate(zip(event.seat_nonces, match.seats, strict=True)):
            given = if_known(seat_state.seat_nonce)
            if seat in event.missing and (nonce != fairness.ZERO_NONCE_TEXT or given):
                raise BadRecord(seq, f"seat {seat_letter(seat)} should have given nothing, but gave a nonce")
            if seat not in event.missing and not self._is_preimage(seat, nonce):
                raise BadRecord(seq, f"what seat {seat_letter(seat)} gave to the dice does not open its chain")
            if seat not in event.missing and given not in (None, nonce):
                raise BadRecord(seq, f"seat {seat_letter(seat)} gave another nonce to the dice")
        self._index = 0

    def _check_unasked_step(self, seq: int, match: Match[Any, Any], event: StepBegan) -> None:
        """Check a step to which no seat gives a nonce: never the first, and never in a match that asks for them."""
        if event.step == 1 or self._vocabulary.asks_for_nonces(match.settings) or event.missing:
            raise BadRecord(seq, f"step {event.step} lacks the seats' nonces")
        self._index = 0

    def _check_server_link(self, seq: int, link: str, anchor: str, *, is_anchor: bool) -> None:
        """Each link is the one whose hash was published before; the first is the anchor itself."""
        try:
            raw = bytes.fromhex(link)
        except ValueError:
            raw = b""
        leads = link if is_anchor else hashlib.sha256(raw).hexdigest()
        if len(raw) != fairness.SERVER_LINK_BYTES or leads != anchor:
            raise BadRecord(seq, "the server's link does not lead to the one before it")

    def _check_end(self, seq: int, event: MatchEnded) -> None:
        match = self.match
        if match is None:
            return
        self._check_server_link(seq, event.server_link, match.server_link, is_anchor=match.step == 0)
        try:
            opened = fairness.deal_commitment(bytes.fromhex(event.deal_secret))
        except ValueError:
            opened = ""
        if opened != match.deal_commitment:
            raise BadRecord(seq, "the deal secret is not the one that was promised in record 1")

    def _check_draw(self, seq: int, drawn: Draw) -> None:
        step = self.match.step if self.match else 0
        if drawn.step != step or drawn.index != self._index:
            raise BadRecord(
                seq, f"dice {drawn.index} of step {drawn.step} stand where {self._index} of step {step} belong"
            )
        self._index = fairness.next_index(drawn)
        key = self._keys.get(step)
        if key is None:
            self.unproven_draws += 1
        elif not fairness.check_draw(drawn, key):
            raise BadRecord(seq, f"dice {drawn.index} of step {step} ({drawn.tag}) do not follow from the step's key")


def _is_deal_secret_right(events: Sequence[Any]) -> bool:
    """Return whether the deal secret opens its commitment; True while either is missing."""
    opened, ended = (events[0], events[-1]) if events else (None, None)
    if not isinstance(opened, MatchOpened) or not isinstance(ended, MatchEnded):
        return True
    secret = ended.deal_secret
    is_hex = fairness.is_hex(secret, fairness.SERVER_LINK_BYTES)
    return is_hex and fairness.deal_commitment(bytes.fromhex(secret)) == opened.deal_commitment


def _find_draws(value: object) -> Iterator[Draw]:
    """Yield every draw in an event."""
    if isinstance(value, Draw):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _find_draws(item)
    elif isinstance(value, Struct):
        for field in value.__struct_fields__:
            yield from _find_draws(getattr(value, field))
