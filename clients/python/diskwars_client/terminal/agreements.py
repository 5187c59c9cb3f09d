"""Orders in a terminal that concern the players and not the board: offers, leaving a seat, playing it here."""

from diskwars_client.errors import CommandRefused
from diskwars_client.match_handle import MatchHandle
from diskwars_client.plugs.terminal_ruleset import OrderError
from diskwars_protocol.match.actions import DrawOffer, Offer, PauseOffer, Ready, TakebackOffer, TakeSeat
from diskwars_protocol.match.ids import SEAT_LETTERS, Seat
from diskwars_protocol.match.state import AnyMatch
from diskwars_text.agreement_text import offer_text

AGREEMENT_ORDERS = ("undo", "offer draw", "pause", "resume", "agree", "refuse", "leave", "kick", "back", "here")
AGREEMENT_HELP = """\
undo                 take back your last answer, if need be with consent
offer draw, pause    done when all agree; resume ends a pause
agree, refuse        answer what is offered, or withdraw it
back                 play on yourself after a bot has played for you
here                 play on here what you play on another device
leave, kick SEAT     before the match: give up your seat, remove a player"""
OFFER_HINT = "type `agree` or `refuse`"
CONTROL_HINT = "you play this match on another device: `here` plays on at this terminal"


async def follow_agreement_order(handle: MatchHandle, line: str) -> str | None:
    """Do what an order says; return what to show then, None for another order.

    Raises OrderError, CommandRefused, DecisionUnavailable.
    """
    match " ".join(line.split()):
        case "undo":
            return await _undo(handle)
        case "offer draw":
            return await _make_offer(handle, DrawOffer())
        case "pause":
            return await _make_offer(handle, PauseOffer())
        case "resume":
            await handle.resume_play()
            return ""
        case "agree" | "refuse" as answer:
            if handle.match.offer is None:
                raise OrderError("nothing has been offered")
            await handle.answer_offer(agree=answer == "agree")
            return ""
        case "back":
            await handle.take_seat_back()
            return ""
        case "here":
            await handle.own_seat.take_control()
            return ""
        case "leave":
            await handle.leave_seat()
            return ""
        case order if order.split(" ")[0] == "kick":
            await _kick(handle, order)
            return ""
        case _:
            return None


async def _kick(handle: MatchHandle, order: str) -> None:
    letters = SEAT_LETTERS[: len(handle.match.seats)]
    named = order.removeprefix("kick").strip().upper()
    if len(named) != 1 or named not in letters:
        raise OrderError(f"type `kick` and a seat, such as `kick {letters[-1]}`")
    await handle.kick_player(letters.index(named))


def agreement_hint(match: AnyMatch, seat: Seat | None) -> str:
    """Return what a player may type about a pause or the open offer; empty where nothing waits for them."""
    if match.paused:
        return "the match is paused: `resume` goes on"
    offer = match.offer
    if offer is None or seat is None or seat == offer.seat or seat in offer.agreed:
        return ""
    return f"{offer_text(offer.offer)} is offered to you: {OFFER_HINT}"


def control_hint(handle: MatchHandle) -> str:
    """Return what a player may type whose seat is played on another device; empty where it is played here."""
    return CONTROL_HINT if handle.own_seat.needs_control and not handle.own_seat.is_in_control else ""


async def _make_offer(handle: MatchHandle, offer: Offer) -> str:
    await handle.offer(offer)
    return "the others have to agree; `refuse` withdraws it" if handle.match.offer is not None else ""


async def _undo(handle: MatchHandle) -> str:
    """Take back the own last answer, at once if it has revealed nothing, otherwise by consent."""
    target = find_own_answer(handle)
    if target is None:
        raise OrderError("you have answered nothing that could be taken back")
    try:
        await handle.take_back(target)
    except CommandRefused as refused:
        if refused.code != "consent_needed":
            raise
        return await _make_offer(handle, TakebackOffer(target))
    return ""


def find_own_answer(handle: MatchHandle) -> int | None:
    """Return the record before the own last answer that still counts; None if there is none among those received."""
    bodies = handle.records
    first = handle.head - len(bodies) + 1
    seq = handle.head
    while seq >= first:
        body = bodies[seq - first]
        if body.taken_back_to is not None:
            seq = body.taken_back_to
            continue
        is_answer = body.decision is not None and body.actor is None and handle.match.status == "running"
        if is_answer and body.seat == handle.seat and not isinstance(body.action, TakeSeat | Ready):
            return seq - 1
        seq -= 1
    return None
