"""Sentences about what players agree on: offers, their answers, takebacks and pauses."""

from collections.abc import Callable

from diskwars_protocol import match as mt
from diskwars_protocol.match import Seat


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


def agreement_action_text(action: mt.MakeOffer | mt.AnswerOffer | mt.TakeBack | mt.ResumePlay) -> str:
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


def offer_text(offer: mt.Offer) -> str:
    """Return what is offered, as the object of a sentence."""
    match offer:
        case mt.DrawOffer():
            return "a draw"
        case mt.PauseOffer():
            return "a pause"
        case mt.TakebackOffer():
            return f"to go back to record {offer.record}"
