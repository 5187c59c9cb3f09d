"""Takebacks: which records a match may go back to, and what may be taken back without asking."""

from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import TakeBack
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.events import LASTING_EVENT_TYPES, SeatTakenBack
from diskwars_protocol.match.ids import PUBLIC, DecisionId, Seat, Viewer
from diskwars_protocol.match.match_options import PerDecisionClock
from diskwars_protocol.match.state import AnyBody, AnyMatch

MAX_TAKEBACKS_PER_STEP = 20
"""Takebacks of one seat within a step of the dice, so that nobody fills the log by going back and forth."""
MAX_TIMED_TAKEBACKS_PER_STEP = 3
"""The same with a clock for each decision, which a takeback gives its whole time again: nobody stalls by it."""


class History(Protocol):
    """The match kernel, as far as takebacks use it."""

    def fold_log(self, bodies: Sequence[AnyBody]) -> AnyMatch: ...

    def fold_takeback(self, before: AnyMatch, undone: Sequence[AnyBody], body: AnyBody) -> AnyMatch: ...

    def redact_body(self, body: AnyBody, viewer: Viewer) -> AnyBody: ...


def target_state(history: History, match: AnyMatch, seat: Seat, target: int, bodies: Sequence[AnyBody]) -> AnyMatch:
    """Return the match after record `target`, to which it may go back. Raises `Illegal`.

    `bodies` are all records so far.
    """
    if not match.match_options.takebacks:
        raise Illegal("option_off", "the match was opened without takebacks", place="$.action")
    is_timed = isinstance(match.match_options.clock, PerDecisionClock)
    limit = MAX_TIMED_TAKEBACKS_PER_STEP if is_timed else MAX_TAKEBACKS_PER_STEP
    if match.seats[seat].takebacks >= limit:
        raise Illegal("bad_takeback", f"{limit} takebacks in one step of the dice are enough", numbers={"limit": limit})
    numbers = {"record": target, "head": len(bodies)}
    if not 0 < target < len(bodies):
        raise Illegal("bad_takeback", f"record {target} does not lie before record {len(bodies)}", "", _PLACE, numbers)
    if target in _undone_records(bodies):
        raise Illegal("bad_takeback", f"record {target} has been taken back itself", "", _PLACE, numbers)
    before = history.fold_log(bodies[:target])
    if before.board is None or before.paused or not before.decisions:
        raise Illegal("bad_takeback", f"nobody could play on after record {target}", "", _PLACE, numbers)
    if any(now.resigned and not then.resigned for now, then in zip(match.seats, before.seats, strict=True)):
        raise Illegal("bad_takeback", f"a player has resigned since record {target}", "", _PLACE, numbers)
    return before


_PLACE = "$.action.record"


def check_free(
    history: History, match: AnyMatch, before: AnyMatch, seat: Seat, target: int, bodies: Sequence[AnyBody]
) -> None:
    """Check that a seat may take back its answers after record `target` without asking. Raises `Illegal`.

    Nobody else may have acted or may have to decide since, and nothing may have been drawn, opened or hidden: what is
    taken back then tells nobody anything.
    """
    numbers = {"record": target}
    if any(decision.seat != seat for decision in before.decisions):
        raise Illegal("consent_needed", f"after record {target} others had to decide as well", numbers=numbers)
    for seq, body in enumerate(bodies[target:], target + 1):
        why = _why_not_free(history, body, seat)
        if why:
            numbers["blocked_by"] = seq
            raise Illegal("consent_needed", f"record {seq} {why}: offer a takeback instead", numbers=numbers)


def _why_not_free(history: History, body: AnyBody, seat: Seat) -> str:
    if body.seat != seat or body.actor is not None:
        return "is of another player"
    if isinstance(body.action, TakeBack):
        return ""
    if body.decision is None:
        return "answers no decision"
    if any(isinstance(event, SeatTakenBack) for event in body.events):
        return "has taken the seat back"
    if body.draw_index is not None or any(isinstance(event, LASTING_EVENT_TYPES) for event in body.events):
        return "has used the dice"
    if history.redact_body(body, PUBLIC) is not body:
        return "holds a secret"
    if any(decision.seat != seat for decision in body.decisions or ()):
        return "has passed the turn on"
    return ""


def takeback_body(
    history: History, match: AnyMatch, before: AnyMatch, bodies: Sequence[AnyBody], body: AnyBody
) -> tuple[AnyBody, AnyMatch]:
    """Complete the record of a takeback to the state `before`, and return it with the state after it.

    It opens every decision of `before` under an id of its own. Draws never rewind: the record says how far they are,
    unless the fold comes to it anyway.
    """
    seq, undone = len(bodies) + 1, bodies[body.taken_back_to :]
    decisions = tuple(
        Decision(DecisionId(f"{seq}.{slot}"), decision.seat, decision.question)
        for slot, decision in enumerate(before.decisions)
    )
    body = replace(body, decisions=decisions)
    after = history.fold_takeback(before, undone, body)
    if after.draw_index != match.draw_index:
        body = replace(body, draw_index=match.draw_index)
        after = history.fold_takeback(before, undone, body)
    return body, after


def _undone_records(bodies: Sequence[AnyBody]) -> frozenset[int]:
    """Return the records that takebacks have undone. One that was undone itself has still undone others."""
    return frozenset(
        undone
        for seq, body in enumerate(bodies, 1)
        if body.taken_back_to is not None
        for undone in range(body.taken_back_to + 1, seq)
    )
