"""Seats that are given up before a match begins: by their players, or because the opener removes a player."""

from typing import Any

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.events import SeatVacated, SpentNonce
from diskwars_protocol.match.ids import PlayerId, Seat, seat_letter
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.records.sealed import if_known

MAX_KICKED_PLAYERS = 16
"""Players whom the opener may remove from one match: its state lists them."""


def leave_seat(match: AnyMatch, seat: Seat, record: int) -> list[Any]:
    """Return the events of a player who gives up a seat in record `record`. Raises `Illegal`."""
    _require_open(match)
    return [_vacate(match, seat, record, kicked=False)]


def kick(match: AnyMatch, opener: PlayerId, seat: Seat, record: int) -> list[Any]:
    """Return the events of a player whom the opener removes in record `record`. Raises `Illegal`."""
    _require_open(match)
    # Below 0 as well: it would name a seat from the end, and the record could not be folded.
    if not 0 <= seat < len(match.seats):
        raise Illegal("empty_seat", f"the match has {len(match.seats)} seats", place="$.seat")
    player = match.seats[seat].player
    if player is None:
        raise Illegal("empty_seat", f"nobody sits on seat {seat_letter(seat)}", place="$.seat")
    if player == opener:
        raise Illegal("own_seat", "this is your own seat: leave it instead", place="$.seat")
    if len(match.kicked) >= MAX_KICKED_PLAYERS:
        text = f"{MAX_KICKED_PLAYERS} players were removed from this match; close it instead"
        raise Illegal("too_many_kicks", text, numbers={"limit": MAX_KICKED_PLAYERS})
    return [_vacate(match, seat, record, kicked=True)]


def require_welcome(match: AnyMatch, player: PlayerId) -> None:
    """Raise `Illegal` for a person whom the opener has removed. A bot may be seated again: it never comes by itself."""
    if player in match.kicked and bot_name(player) is None:
        raise Illegal("kicked", "the opener has removed you from this match")


def _vacate(match: AnyMatch, seat: Seat, record: int, *, kicked: bool) -> SeatVacated:
    # The nonce of the leaver goes with their chain. The server knows those of the others by now, and the next player
    # could have a chain made that suits them: so they are published, and the next link is asked for.
    given = [(number, if_known(state.seat_nonce)) for number, state in enumerate(match.seats) if number != seat]
    nonces = tuple(SpentNonce(number, nonce) for number, nonce in given if nonce)
    player = match.seats[seat].player or PlayerId("")
    return SeatVacated(seat, player, record, nonces, kicked)


def _require_open(match: AnyMatch) -> None:
    if match.status == "ended":
        raise Illegal("match_ended", "the match is over")
    if match.status != "open":
        raise Illegal("has_begun", "the match has begun: seats can only be resigned")
