"""Offers of one player to the others, such as a draw or a pause: what each may do with them, and when all agree."""

from typing import Any

from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import AnswerOffer, DrawOffer, Offer, PauseOffer, TakeBack, TakebackOffer
from diskwars_protocol.match.decisions import Decision, Result
from diskwars_protocol.match.events import OfferAnswered, OfferMade, PlayPaused, PlayResumed
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.match_options import absence_ms
from diskwars_protocol.match.state import AnyMatch, opening_record
from diskwars_protocol.match.substitutes import is_taken_over, reaches_missed_limit

_OPTION_OF_OFFER: dict[type[Offer], str] = {
    DrawOffer: "draws",
    TakebackOffer: "takebacks",
    PauseOffer: "pauses",
}
"""The option of the match that allows each kind of offer."""


def make_offer(match: AnyMatch, seat: Seat, offer: Offer, record: int) -> list[Any]:
    """Return the events of an offer that record `record` makes. Raises `Illegal`."""
    _check_running(match)
    _check_option(match, offer)
    if match.paused:
        raise Illegal("paused", "the match is paused: resume it first")
    if match.offer is not None:
        raise Illegal("offer_waiting", f"offer {match.offer.id} is open", numbers={"offer": match.offer.id})
    if match.seats[seat].has_offered:
        raise Illegal("offered_already", "you may make another offer after you have answered a decision")
    return [OfferMade(record, seat, offer)]


def answer_offer(match: AnyMatch, seat: Seat, answer: AnswerOffer) -> list[Any]:
    """Return the events of an answer to the open offer, with what happens if all agree now. Raises `Illegal`.

    A draw has no event: the result follows. Nor has a takeback, which is a record of its own kind.
    """
    offer = match.offer
    if offer is None or offer.id != answer.offer_id:
        raise Illegal("no_offer", f"offer {answer.offer_id} is not open", place="$.action.offer_id")
    if answer.agree and (seat == offer.seat or seat in offer.agreed):
        raise Illegal("already_agreed", "you have agreed already; you may still refuse", place="$.action.agree")
    events: list[Any] = [OfferAnswered(seat, answer.agree)]
    if isinstance(offer.offer, PauseOffer) and completes(match, seat, answer):
        events.append(PlayPaused())
    return events


def completes(match: AnyMatch, seat: Seat, action: object) -> bool:
    """Return whether an action of a seat is the last consent that the open offer waits for."""
    offer = match.offer
    if not isinstance(action, AnswerOffer) or offer is None or offer.id != action.offer_id or not action.agree:
        return False
    agreed = {offer.seat, *offer.agreed}
    return seat not in agreed and all(
        other in agreed or other == seat or state.resigned for other, state in enumerate(match.seats)
    )


def agrees_on_draw(match: AnyMatch, seat: Seat, action: object) -> bool:
    """Return whether an action makes the match a draw."""
    return match.offer is not None and isinstance(match.offer.offer, DrawOffer) and completes(match, seat, action)


def resume_play(match: AnyMatch, seat: Seat, at_ms: int) -> list[Any]:
    """Return the events that end a pause. Raises `Illegal`."""
    if not match.paused:
        raise Illegal("not_paused", "the match is not paused")
    return [PlayResumed(seat, at_ms)]


def must_resign(match: AnyMatch, seat: Seat) -> bool:
    """Return whether the house resigns for a seat whose time is up, because its player has missed too many answers.

    Without a clock it answers for nobody: a time that is up there is one of days.
    """
    if match.match_options.clock is None:
        return absence_ms(match.match_options) is not None
    return reaches_missed_limit(match, seat) and not is_taken_over(match, seat)


def result_of_leaving(match: AnyMatch, owed: Decision[Any] | None, seat: Seat, result: Result) -> Result:
    """Return the result of a match whose last opponents have won because a seat leaves it.

    `match` is the state before. `owed` is the decision for which the house leaves; None where the player does.
    """
    if owed is None or match.match_options.clock is not None:
        return replace(result, end_reason="resignation")
    # It is chance which of two absent seats is found first, so neither wins by it.
    absent = {open_.seat for open_ in match.decisions if opening_record(open_.id) <= opening_record(owed.id)}
    left = [other for other, state in enumerate(match.seats) if other != seat and not state.resigned]
    winners = () if absent.issuperset(left) else result.winners
    return replace(result, end_reason="absence", winners=winners)


def take_seat_back(match: AnyMatch, seat: Seat) -> None:
    """Raise `Illegal` where the house does not play a seat."""
    if not match.seats[seat].substitute:
        raise Illegal("not_taken_over", "the house does not play your seat")


CONSENTS = (TakeBack, AnswerOffer)
"""The only actions that `takeback_target` and `agrees_on_draw` may find something in."""


def takeback_target(match: AnyMatch, seat: Seat, action: object) -> int | None:
    """Return the record that an action takes the match back to, None for an action that takes nothing back."""
    if isinstance(action, TakeBack):
        return action.record
    offer = match.offer
    if offer is not None and isinstance(offer.offer, TakebackOffer) and completes(match, seat, action):
        return offer.offer.record
    return None


def _check_running(match: AnyMatch) -> None:
    if match.board is None:
        raise Illegal("wrong_action", "the match has not begun", place="$.action")


def _check_option(match: AnyMatch, offer: Offer) -> None:
    name = _OPTION_OF_OFFER[type(offer)]
    if not getattr(match.match_options, name):
        raise Illegal("option_off", f"the match was opened without {name}", place="$.action.offer")
