"""Messages about playing again: the players of a match that has ended agree on another one, with their seats turned."""

from typing import TypeAlias

from msgspec import Struct

from diskwars_protocol.match.ids import MatchIdText, Seat
from diskwars_protocol.schema_types import CommandId


def turned_seat(seat: Seat, seats: int) -> Seat:
    """Return where the player of a seat sits in the match that follows, of as many seats."""
    return (seat + 1) % seats


class OfferRematch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="offer_rematch"):
    """Agree to another match with the same options and the seats turned, as a player of a match that has ended.

    When all people of the match have agreed, it is opened. Sent again, it answers how far that is.
    """

    id: CommandId
    match: MatchIdText


class DeclineRematch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="decline_rematch"):
    """Let there be no other match, as a player of a match that has ended: nobody can agree to it any more."""

    id: CommandId
    match: MatchIdText


class Rematch(Struct, frozen=True, gc=False, omit_defaults=True, tag="rematch"):
    """Answer to `OfferRematch` and `DeclineRematch`: the seats of the ended match whose players have agreed.

    Once all have, `next_match` is the match that was opened, and `seat` the one that is meant for this player. Only the
    players who agreed may enter it. With somebody in `declined` there will be none.
    """

    id: CommandId
    match: MatchIdText
    agreed: tuple[Seat, ...]
    seat: Seat
    next_match: MatchIdText | None = None
    declined: tuple[Seat, ...] = ()


class RematchChanged(Struct, frozen=True, gc=False, omit_defaults=True, tag="rematch_changed"):
    """Sent to the other players of an ended match when one agrees to another match, or declines it.

    The fields are those of `Rematch`; `seat` is that of the player to whom this is sent. It may get lost:
    `OfferRematch` answers how far that is.
    """

    match: MatchIdText
    agreed: tuple[Seat, ...]
    seat: Seat
    next_match: MatchIdText | None = None
    declined: tuple[Seat, ...] = ()


RematchRequest: TypeAlias = OfferRematch | DeclineRematch

REQUESTS: dict[type[Struct], type[Struct]] = {OfferRematch: Rematch, DeclineRematch: Rematch}
"""By request, the response that answers it."""
