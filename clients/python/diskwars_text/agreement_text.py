"""Sentences about what players agree on, such as offers, takebacks and pauses, and about seats that are left."""

from collections.abc import Callable

from diskwars_protocol.match import match as mt
from diskwars_protocol.match.match import Seat


def agreement_lines(
    event: mt.OfferMade | mt.OfferAnswered | mt.TakebackMade | mt.PlayPaused | mt.PlayResumed,
    seat_text: Callable[[Seat], str],
) -> list[str]:
    """Return the lines about one event; `seat_text` names a seat."""
    match event:
        case mt.OfferMade():
            return [f"{seat_text(event.seat)} offers {offer_text(event.offer)}"]
        case mt.OfferAnswered():
            return [f"{seat_text(event.seat)} {'agrees' if event.agree else 'does not agree'}"]
        case mt.TakebackMade():
            return []  # the record says to where the match goes back
        case mt.PlayPaused():
            return ["All agree: the match is paused"]
        case mt.PlayResumed():
            return [f"{seat_text(event.seat)} resumes the match"]


def vacancy_text(event: mt.SeatVacated, seat_text: Callable[[Seat], str]) -> str:
    """Return the line about a seat that is free again; `seat_text` names a seat."""
    seat = seat_text(event.seat)
    if event.kicked:
        return f"The opener removed the player of {seat}: the seat is free"
    return f"The player of {seat} left: the seat is free"


def substitution_text(event: mt.SeatTakenOver | mt.SeatTakenBack, seat_text: Callable[[Seat], str]) -> str:
    """Return the line about a seat that is played by the house now, or by its player again."""
    if isinstance(event, mt.SeatTakenOver):
        return f"{seat_text(event.seat)} has missed too many answers: a bot plays on"
    return f"{seat_text(event.seat)} is back and plays on"


def agreement_action_text(
    action: mt.MakeOffer | mt.AnswerOffer | mt.TakeBack | mt.ResumePlay | mt.LeaveSeat | mt.TakeSeatBack,
) -> str:
    """Describe an action in a few words."""
    match action:
        case mt.MakeOffer():
            return f"offer {offer_text(action.offer)}"
        case mt.AnswerOffer():
            return "agree to the offer" if action.agree else "refuse the offer"
        case mt.TakeBack():
            return f"take back everything after record {action.record}"
        case mt.ResumePlay():
            return "resume the match"
        case mt.LeaveSeat():
            return "leave the seat"
        case mt.TakeSeatBack():
            return "take the seat back"


def offer_text(offer: mt.Offer) -> str:
    """Return what is offered, as the object of a sentence."""
    match offer:
        case mt.DrawOffer():
            return "a draw"
        case mt.PauseOffer():
            return "a pause"
        case mt.TakebackOffer():
            return f"to go back to record {offer.record}"
