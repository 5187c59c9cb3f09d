"""Narration of a record of any ruleset: the events of every match as lines, the ruleset's own by its function."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from diskwars_protocol.match.actions import PACKS_CHANGED, Close, Stop
from diskwars_protocol.match.decisions import Reason, Result
from diskwars_protocol.match.events import (
    MATCH_EVENT_TYPES,
    MatchOpened,
    OfferAnswered,
    OfferMade,
    PlayPaused,
    PlayResumed,
    PositionSet,
    SeatReady,
    SeatResigned,
    SeatTaken,
    SeatTakenBack,
    SeatTakenOver,
    SeatVacated,
    TakebackMade,
)
from diskwars_protocol.match.ids import seat_letter
from diskwars_protocol.match.state import Match, RecordBody
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_text.agreement_text import agreement_lines, substitution_text, vacancy_text
from diskwars_text.opening_text import opening_lines, position_text
from diskwars_text.phrases import joined, seat_text


class Narration(Struct, frozen=True):
    """The narration of a ruleset: its vocabulary, and its own sentences."""

    vocabulary: AnyVocabulary
    event_lines: Callable[[Any, Any, Any], list[str]]
    """Takes the board before an event of the ruleset, the board after it, and the event."""
    outcome_text: Callable[[Match[Any, Any], Result], str]


def narrate_record(
    narration: Narration, before: Match[Any, Any] | None, record: RecordBody[Any, Any, Any]
) -> list[str]:
    """Return the lines about a record; `before` is the state before it.

    The rules of an event follow its last line in brackets. The event that starts the game has the board after it twice.
    """
    lines, match = _record_lines(before, record), before
    for event in record.events:
        board = None if match is None else match.board
        match = narration.vocabulary.fold_event(match, event)
        if type(event) in MATCH_EVENT_TYPES:
            lines += _match_event_lines(event)
        elif match.board is not None:
            event_lines = narration.event_lines(board or match.board, match.board, event)
            lines += _with_rules(event_lines, getattr(event, "reasons", ()))
    if record.result is not None and match is not None:
        winner = f"The winner: {narration.outcome_text(match, record.result)}"
        lines += ["", *_with_rules([winner], record.result.reasons)]
    return lines


def closing_text(actor: str | None, action: object) -> str:
    """Return the line of a record that ends a match before it began."""
    if isinstance(action, Close) and action.reason == PACKS_CHANGED:
        return f"The {actor} closed the match, which had not begun: the server no longer has its content packs"
    return f"The {actor} closed the match, which had not begun"


def _record_lines(before: Match[Any, Any] | None, record: RecordBody[Any, Any, Any]) -> list[str]:
    if record.taken_back_to:
        return [f"The match was taken back to record {record.taken_back_to}"]
    if record.actor is not None and record.seat is not None:
        if before is not None and before.seats[record.seat].substitute:
            return [f"The house answers for {seat_text(record.seat)}"]
        if before is not None and before.match_options.clock is None:
            days = before.match_options.abandoned_after_days
            return [f"{seat_text(record.seat)} has not answered for {days} days: the house leaves the match for it"]
        return [f"The time of {seat_text(record.seat)} was up: the house answers"]
    if isinstance(record.action, Close):
        return [closing_text(record.actor, record.action)]
    if isinstance(record.action, Stop):
        return ["The server stopped the match"]
    return []


def _with_rules(lines: list[str], reasons: Iterable[Reason]) -> list[str]:
    rules = joined(dict.fromkeys(reason.rule for reason in reasons))
    return [*lines[:-1], f"{lines[-1]} ({rules})"] if lines and rules else lines


def _match_event_lines(event: Any) -> list[str]:
    match event:
        case MatchOpened():
            return opening_lines(event)
        case SeatTaken():
            return [f"Seat {seat_letter(event.seat)} is taken"]
        case SeatReady():
            return [f"Seat {seat_letter(event.seat)}: ready"]
        case PositionSet():
            return [position_text(event)]
        case SeatResigned():
            return [f"Seat {seat_letter(event.seat)} resigns"]
        case SeatVacated():
            return [vacancy_text(event, seat_text)]
        case SeatTakenOver() | SeatTakenBack():
            return [substitution_text(event, seat_text)]
        case OfferMade() | OfferAnswered() | TakebackMade() | PlayPaused() | PlayResumed():
            return agreement_lines(event, seat_text)
        case _:
            return []  # steps of the dice: every roll names its faces
