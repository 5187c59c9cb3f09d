"""Checks of one record that need no rules, for records that are not decided again."""

from typing import Any

import msgspec
from msgspec import Raw, Struct

from diskwars_protocol import match as mt
from diskwars_protocol.canonical import encode_canonical
from diskwars_protocol.fairness import command_digest
from diskwars_protocol.match import AnyBody, Match
from diskwars_protocol.match_fold import check_takeback
from diskwars_protocol.records import BadRecord
from diskwars_protocol.sealed import count_sealed


class _Command(Struct):
    """The command of a record as it is written, fields of a later version included."""

    decision: Raw = Raw(b"null")
    action: Raw = Raw(b"null")


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
        if body.seat is not None or body.action is not None or body.decision is not None or body.digest:
            raise BadRecord(seq, "nobody acts in record 1")
        return
    if body.action is None:
        raise BadRecord(seq, "nobody acts")
    is_open = isinstance(body.digest, str) and not count_sealed(encode_canonical(body.action))
    if is_open and body.digest != digest_of_command(raw):
        raise BadRecord(seq, "the digest is that of another command")
    if is_closing(body) or isinstance(body.action, mt.Close):
        check_closing(seq, match, body)
        return
    if body.seat is None or not 0 <= body.seat < len(match.seats):
        raise BadRecord(seq, "nobody acts")
    if body.actor not in (None, "house"):
        raise BadRecord(seq, f"{body.actor!r} cannot act for a seat")
    is_house_resigning = body.actor == "house" and isinstance(body.action, mt.Resign)
    if isinstance(body.action, mt.UNPROMPTED_ACTIONS) and not is_house_resigning:
        if body.decision is not None:
            raise BadRecord(seq, "this action answers no decision")
        return
    answered = next((decision for decision in match.decisions if decision.id == body.decision), None)
    if answered is None or answered.seat != body.seat:
        raise BadRecord(seq, f"decision {body.decision!r} was not open for the seat that acts")


def is_closing(body: AnyBody) -> bool:
    """Return whether a record closes a match: its opener did it, or the house."""
    return body.result is not None and body.result.end_reason == "closed"


def check_closing(seq: int, match: Match[Any, Any], body: AnyBody) -> None:
    """Check a record that closes a match: opener or house does, and the match has not begun. Raises BadRecord."""
    if not (is_closing(body) and isinstance(body.action, mt.Close)):
        raise BadRecord(seq, "closing a match ends it, and nothing else ends it so")
    if body.seat is not None or body.decision is not None or len(body.events) != 1:
        raise BadRecord(seq, "a match is closed by no seat, and nothing else happens")
    if body.actor not in ("house", "opener"):
        raise BadRecord(seq, "a match is closed by its opener or the house")
    if match.status != "open":
        raise BadRecord(seq, "a match that has begun cannot be closed")


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
