"""Checks of one record that need no rules, for records that are not decided again."""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec
from msgspec import Raw, Struct

from diskwars_engine.branches import position_faults
from diskwars_engine.ruleset import AnyRuleset, PositionTerms
from diskwars_protocol.match.actions import UNPROMPTED_ACTIONS, Close, Kick, LeaveSeat, Resign, Stop, TakeSeatBack
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.events import (
    BranchBegan,
    MatchOpened,
    Position,
    PositionSet,
    SeatTakenBack,
    SeatTakenOver,
    SeatVacated,
)
from diskwars_protocol.match.ids import Seat, seat_letter
from diskwars_protocol.match.match_fold import check_takeback
from diskwars_protocol.match.position_bounds import PositionBounds, position_faults_of
from diskwars_protocol.match.state import AnyBody, Match, SeatState, chain_head
from diskwars_protocol.match.substitutes import is_taken_over, reaches_missed_limit, substitution_of
from diskwars_protocol.records import fairness
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.fairness import command_digest
from diskwars_protocol.records.records import BadRecord
from diskwars_protocol.records.sealed import HIDDEN, count_sealed


class _Command(Struct):
    """The command of a record as it is written, fields of a later version included."""

    decision: Raw = Raw(b"null")
    action: Raw = Raw(b"null")


class ImpossiblePosition(BadRecord):
    """Error for a branch that plays on from a position to which no match can have come; `place` is in the record."""

    code = "impossible_position"

    def __init__(self, seq: int, fault: str) -> None:
        """`fault` begins with its place, in the record or in its position."""
        place, _, text = fault.partition(": ")
        self.place = place if place.startswith("$.events") else place.replace("$", "$.events[1].position", 1)
        super().__init__(seq, f"position_set: no match can have come to this position, {self.place}: {text}")


RecordCheck: TypeAlias = Callable[[int, Match[Any, Any], AnyBody], None]
"""Checks record number `seq`, by the state before it. Raises BadRecord."""

_COMMAND_DECODER = msgspec.json.Decoder(_Command)


def digest_of_command(raw: bytes) -> str:
    """Compute the digest of the command in a body: over its bytes, because a field may be unknown here."""
    command = _COMMAND_DECODER.decode(raw)
    return command_digest(b"[%b,%b]" % (command.decision, command.action))


def check_action(seq: int, match: Match[Any, Any] | None, body: AnyBody, raw: bytes) -> None:
    """Check who acts, by which decision, and the digest of it. Raises BadRecord.

    `match` is the state before, `raw` the body as it is written.
    """
    if seq == 1 or match is None:
        _check_nobody_acts(seq, body)
        return
    _check_digest(seq, body, raw)
    for is_of_kind, check in _CHECKS_WITHOUT_DECISION:
        if is_of_kind(body):
            check(seq, match, body)
            return
    _check_seat_acts(seq, match, body)


def _check_nobody_acts(seq: int, body: AnyBody) -> None:
    if body.seat is not None or body.action is not None or body.decision is not None or body.digest:
        raise BadRecord(seq, "nobody acts in record 1")


def _check_digest(seq: int, body: AnyBody, raw: bytes) -> None:
    """Check that a record has an action, and the digest of it unless either is hidden."""
    if body.action is None:
        raise BadRecord(seq, "nobody acts")
    is_open = isinstance(body.digest, str) and not count_sealed(encode_canonical(body.action))
    if is_open and body.digest != digest_of_command(raw):
        raise BadRecord(seq, "the digest is that of another command")


def _check_seat_acts(seq: int, match: Match[Any, Any], body: AnyBody) -> None:
    """Check a record in which a seat acts: by a decision that was open for it, or unprompted by none."""
    if body.seat is None or not 0 <= body.seat < len(match.seats):
        raise BadRecord(seq, "nobody acts")
    if body.actor not in (None, "house"):
        raise BadRecord(seq, f"{body.actor!r} cannot act for a seat")
    check_substitution(seq, match, body, body.seat)
    if isinstance(body.action, UNPROMPTED_ACTIONS) and not _is_house_resigning(body):
        if body.decision is not None:
            raise BadRecord(seq, "this action answers no decision")
        return
    answered = next((decision for decision in match.decisions if decision.id == body.decision), None)
    if answered is None or answered.seat != body.seat:
        raise BadRecord(seq, f"decision {body.decision!r} was not open for the seat that acts")


def _is_house_resigning(body: AnyBody) -> bool:
    """Return whether the house resigns for a seat, which answers the decision whose time was up."""
    return body.actor == "house" and isinstance(body.action, Resign)


def check_position(seq: int, match: Match[Any, Any] | None, body: AnyBody) -> None:
    """Check that a branch, and no other match, has a position and begins with it. Raises BadRecord."""
    opened = body.events[0] if match is None and body.events else None
    is_branch = isinstance(opened, MatchOpened) and opened.match_options.branch_of is not None
    if [isinstance(event, PositionSet) for event in body.events].count(True) != int(is_branch):
        raise BadRecord(seq, "position_set follows on match_opened in a branch, and only there")
    begins = [event for event in body.events if isinstance(event, BranchBegan)]
    if begins and (len(begins) > 1 or match is None or match.position is None):
        raise BadRecord(seq, "branch_began comes once, in a branch that has not begun")


def check_bounds(seq: int, raw: bytes, bounds: PositionBounds) -> None:
    """Check that the position of a branch is within the bounds of boards. Raises ImpossiblePosition."""
    fault = next(position_faults_of(raw, bounds), None)
    if fault is not None:
        raise ImpossiblePosition(seq, fault)


def check_reachable(seq: int, body: AnyBody, ruleset: AnyRuleset, *, has_known_figures: bool) -> None:
    """Check that a match can have come to the position of a branch. Raises ImpossiblePosition."""
    opened, position = body.events[0], _open_position(body)
    if position is None or not isinstance(opened, MatchOpened):
        return
    terms = PositionTerms(opened.settings, opened.seat_count, has_known_figures)
    faults = position_faults(ruleset, position, terms)
    if faults:
        raise ImpossiblePosition(seq, faults[0])


def _open_position(body: AnyBody) -> Position[Any] | None:
    """Return the position of a record; None if it has none, or a part of it is still sealed."""
    position = next((event.position for event in body.events if isinstance(event, PositionSet)), None)
    return None if position is None or count_sealed(encode_canonical(position)) else position


def check_substitution(seq: int, match: Match[Any, Any], body: AnyBody, seat: Seat) -> None:
    """Check that a seat is taken over or back where it has to be, and nowhere else. Raises BadRecord."""
    recorded = tuple(event for event in body.events if isinstance(event, SeatTakenOver | SeatTakenBack))
    right = substitution_of(match, body)
    if recorded != right or body.events[: len(right)] != right:
        raise BadRecord(seq, "a seat is taken over or back where it is not, or not where it has to be")
    if isinstance(body.action, TakeSeatBack) and not right:
        raise BadRecord(seq, "a seat is taken back that the house does not play")
    is_limited = match.match_options.on_missed_limit == "bot"
    if not is_limited or not _is_house_resigning(body):
        return
    if not reaches_missed_limit(match, seat) or is_taken_over(match, seat):
        raise BadRecord(seq, "the house resigns for a seat that it has to play, or that may still miss answers")


def is_closing(body: AnyBody) -> bool:
    """Return whether a record closes a match: its opener did it, or the house."""
    return body.result is not None and body.result.end_reason == "closed"


def check_closing(seq: int, match: Match[Any, Any], body: AnyBody) -> None:
    """Check a record that closes a match: opener or house does, and the match has not begun. Raises BadRecord."""
    if not (is_closing(body) and isinstance(body.action, Close)):
        raise BadRecord(seq, "closing a match ends it, and nothing else ends it so")
    if body.seat is not None or body.decision is not None or len(body.events) != 1:
        raise BadRecord(seq, "a match is closed by no seat, and nothing else happens")
    if body.actor not in ("house", "opener"):
        raise BadRecord(seq, "a match is closed by its opener or the house")
    if match.status != "open":
        raise BadRecord(seq, "a match that has begun cannot be closed")


def is_stopping(body: AnyBody) -> bool:
    """Return whether a record ends a match that has begun for an operator of the server."""
    return body.result is not None and body.result.end_reason == "stopped"


def check_stopping(seq: int, match: Match[Any, Any], body: AnyBody) -> None:
    """Check a record by which the house ends a match that has begun, without a winner. Raises BadRecord."""
    if not (is_stopping(body) and isinstance(body.action, Stop)):
        raise BadRecord(seq, "stopping a match ends it, and nothing else ends it so")
    if body.seat is not None or body.decision is not None or len(body.events) != 1:
        raise BadRecord(seq, "a match is stopped by no seat, and nothing else happens")
    if body.actor != "house":
        raise BadRecord(seq, "a match is stopped by the house")
    if match.status != "running" or body.result != Result("stopped"):
        raise BadRecord(seq, "only a match that has begun is stopped, and nobody wins it")


def check_vacancy(seq: int, match: Match[Any, Any], body: AnyBody) -> None:
    """Check a record by which a player leaves a seat, or is removed from it by the opener. Raises BadRecord.

    The match has not begun, somebody sits there, and what the others gave to the dice is published.
    """
    event = body.events[0] if len(body.events) == 1 else None
    if not isinstance(event, SeatVacated) or not isinstance(body.action, Kick | LeaveSeat):
        raise BadRecord(seq, "a seat is left by one action, and nothing else happens")
    is_kick = isinstance(body.action, Kick)
    acts = (None, "opener", body.action.seat) if isinstance(body.action, Kick) else (body.seat, None, body.seat)
    if (body.seat, body.actor, event.seat) != acts or body.decision is not None or event.kicked != is_kick:
        raise BadRecord(seq, "a seat is left by its player, or its player is removed by the opener")
    if match.status != "open" or body.result is not None:
        raise BadRecord(seq, "no seat of a match that has begun can be left")
    if not 0 <= event.seat < len(match.seats) or not event.player:
        raise BadRecord(seq, "nobody sits there")
    if match.seats[event.seat].player != event.player:
        raise BadRecord(seq, "another player sits there")
    if event.record != seq:
        raise BadRecord(seq, "the seat is not left in this record")
    _check_spent_nonces(seq, match, event)


def _check_spent_nonces(seq: int, match: Match[Any, Any], event: SeatVacated) -> None:
    """Check that what the other seats had given to the dice is published, and opens their chains. Raises BadRecord."""
    seats = [nonce.seat for nonce in event.spent_nonces]
    if seats != sorted(set(seats)) or not set(seats) <= set(range(len(match.seats))):
        raise BadRecord(seq, "the nonces are not in the order of seats")
    spent = {nonce.seat: nonce.seat_nonce for nonce in event.spent_nonces}
    for seat, state in enumerate(match.seats):
        nonce, given = spent.get(seat), None if seat == event.seat else state.seat_nonce
        # What is sealed may also be that the seat gave nothing.
        is_right = given == HIDDEN or (given or None) == nonce
        if not is_right or (nonce is not None and not opens_chain(state, nonce)):
            raise BadRecord(seq, f"seat {seat_letter(seat)} gave something else to the dice")


_CHECKS_WITHOUT_DECISION: tuple[tuple[Callable[[AnyBody], bool], RecordCheck], ...] = (
    (lambda body: is_closing(body) or isinstance(body.action, Close), check_closing),
    (lambda body: is_stopping(body) or isinstance(body.action, Stop), check_stopping),
    (lambda body: isinstance(body.action, Kick | LeaveSeat) or _vacates_seat(body), check_vacancy),
)
"""Each kind of record that answers no decision, told by its action or by what it did, and its check.

Either is enough: an action without its effect, or the effect without the action, fails the check.
"""


def _vacates_seat(body: AnyBody) -> bool:
    return any(isinstance(event, SeatVacated) for event in body.events)


def opens_chain(seat: SeatState, nonce: str) -> bool:
    """Return whether a nonce is the next of the chain of a seat."""
    head = chain_head(seat)
    is_hex = fairness.is_seat_nonce(nonce) and fairness.is_seat_nonce(head)
    return is_hex and fairness.is_next_nonce(bytes.fromhex(head), bytes.fromhex(nonce))


def check_decisions(seq: int, before: Match[Any, Any] | None, after: Match[Any, Any]) -> None:
    """Check the ids of the decisions that a record opens. Raises BadRecord."""
    known = set() if before is None else {decision.id for decision in before.decisions}
    for slot, decision in enumerate(after.decisions):
        if decision.id not in known and decision.id != f"{seq}.{slot}":
            raise BadRecord(seq, f"decision {decision.id} is not named after this record and its place in it")


def check_takeback_decisions(seq: int, body: AnyBody) -> None:
    """Check that a takeback opens the decisions that are open after it. Raises BadRecord."""
    try:
        check_takeback(seq, body)
    except ValueError:
        raise BadRecord(seq, "a takeback has to open every decision under an id of its own") from None
