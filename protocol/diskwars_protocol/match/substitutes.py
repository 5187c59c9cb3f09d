"""Seats that the house plays because their players have missed too many answers: when it may, and what records show.

Server and verifiers ask here.
"""

from diskwars_protocol.match.actions import Resign, TakeSeatBack
from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.events import SeatTakenBack, SeatTakenOver
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.state import AnyBody, AnyMatch, SeatState


def reaches_missed_limit(match: AnyMatch, seat: Seat) -> bool:
    """Return whether the answer that a seat misses now is the last one that its player may miss."""
    limit = match.match_options.missed_limit
    state = match.seats[seat]
    return limit is not None and not state.substitute and state.missed + 1 >= limit


def is_taken_over(match: AnyMatch, seat: Seat) -> bool:
    """Return whether the house plays a seat from the answer on that it misses now.

    Otherwise the house resigns for it, also where nobody would be left who plays: bots need not play to the end.
    """
    is_wanted = match.match_options.on_missed_limit == "bot" and reaches_missed_limit(match, seat)
    return is_wanted and any(other != seat and _is_played(state) for other, state in enumerate(match.seats))


def _is_played(state: SeatState) -> bool:
    """Return whether a person plays a seat."""
    return state.player is not None and not (state.resigned or state.substitute or bot_name(state.player))


def substitution_of(match: AnyMatch, body: AnyBody) -> tuple[object, ...]:
    """Return the events of substitution that a record on a state has: they come first."""
    seat = body.seat
    if seat is None or match.board is None or not 0 <= seat < len(match.seats):
        return ()
    if body.actor == "house":
        is_over = not isinstance(body.action, Resign) and body.decision is not None and is_taken_over(match, seat)
        return (SeatTakenOver(seat),) if is_over else ()
    is_back = body.decision is not None or isinstance(body.action, TakeSeatBack)
    return (SeatTakenBack(seat),) if is_back and match.seats[seat].substitute else ()
