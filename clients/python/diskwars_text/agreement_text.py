"""Sentences about what players agree on, such as offers, takebacks and pauses, and about seats that are left."""

from collections.abc import Callable

from diskwars_protocol.match.actions import (
    AnswerOffer,
    DrawOffer,
    LeaveSeat,
    MakeOffer,
    Offer,
    PauseOffer,
    ResumePlay,
    TakeBack,
    TakebackOffer,
    TakeSeatBack,
)
from diskwars_protocol.match.events import (
    OfferAnswered,
    OfferMade,
    PlayPaused,
    PlayResumed,
    SeatTakenBack,
    SeatTakenOver,
    SeatVacated,
    TakebackMade,
)
from diskwars_protocol.match.ids import Seat


def agreement_lines(
    event: OfferMade | OfferAnswered | TakebackMade | PlayPaused | PlayResumed,
    seat_text: Callable[[Seat], str],
) -> list[str]:
    """Return the lines about one event; `seat_text` names a seat."""
    match event:
        case OfferMade():
            return [f"{seat_text(event.seat)} offers {offer_text(event.offer)}"]
        case OfferAnswered():
            return [f"{seat_text(event.seat)} {'agrees' if event.agree else 'does not agree'}"]
        case TakebackMade():
            return []  # the record says to where the match goes back
        case PlayPaused():
            return ["All agree: the match is paused"]
        case PlayResumed():
            return [f"{seat_text(event.seat)} resumes the match"]


def vacancy_text(event: SeatVacated, seat_text: Callable[[Seat], str]) -> str:
    """Return the line about a seat that is free again; `seat_text` names a seat."""
    seat = seat_text(event.seat)
    if event.kicked:
        return f"The opener removed the player of {seat}: the seat is free"
    return f"The player of {seat} left: the seat is free"


def substitution_text(event: SeatTakenOver | SeatTakenBack, seat_text: Callable[[Seat], str]) -> str:
    """Return the line about a seat that is played by the house now, or by its player again."""
    if isinstance(event, SeatTakenOver):
        return f"{seat_text(event.seat)} has missed too many answers: a bot plays on"
    return f"{seat_text(event.seat)} is back and plays on"


def agreement_action_text(
    action: MakeOffer | AnswerOffer | TakeBack | ResumePlay | LeaveSeat | TakeSeatBack,
) -> str:
    """Describe an action in a few words."""
    match action:
        case MakeOffer():
            return f"offer {offer_text(action.offer)}"
        case AnswerOffer():
            return "agree to the offer" if action.agree else "refuse the offer"
        case TakeBack():
            return f"take back everything after record {action.record}"
        case ResumePlay():
            return "resume the match"
        case LeaveSeat():
            return "leave the seat"
        case TakeSeatBack():
            return "take the seat back"


def offer_text(offer: Offer) -> str:
    """Return what is offered, as the object of a sentence."""
    match offer:
        case DrawOffer():
            return "a draw"
        case PauseOffer():
            return "a pause"
        case TakebackOffer():
            return f"to go back to record {offer.record}"
