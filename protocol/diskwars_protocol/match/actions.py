"""Questions that every ruleset asks, and actions that every ruleset takes."""

from typing import Annotated, Generic, TypeAlias, TypeVar

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.sealed import Sealed, always_written
from diskwars_protocol.schema_types import AtLeastOne, Hex32, OptionalHex32, values_of_this_version

N = TypeVar("N")


class SeatQuestion(Struct, frozen=True, gc=False, tag="seat"):
    """Take this seat. Every player without a seat in the match may answer."""


class ReadyQuestion(Struct, frozen=True, gc=False, tag="ready"):
    """Open your first chain link."""


class TakeSeat(Struct, Generic[N], frozen=True, gc=False, tag="take_seat"):
    """Take a seat.

    `chain_head` is the head of the player's own hash chain, 32 hex digits, made after the server's anchor was seen.
    """

    chain_head: Hex32
    loadout: N


class Ready(Struct, frozen=True, gc=False, omit_defaults=True, tag="ready"):
    """`seat_nonce` is the first link of the player's chain, 32 hex digits; an empty one counts as zeros."""

    seat_nonce: OptionalHex32 | Sealed = always_written("")


class Resign(Struct, frozen=True, gc=False, tag="resign"):
    """Leave the match. Answers no decision."""


class ReplaceChain(Struct, frozen=True, gc=False, tag="replace_chain"):
    """A new chain head for a player who lost the old chain; valid from the next step but one. Answers no decision."""

    chain_head: Hex32


class DrawOffer(Struct, frozen=True, gc=False, tag="draw"):
    """End the match without a winner."""


class TakebackOffer(Struct, frozen=True, gc=False, tag="takeback"):
    """Go back to the state after record `record`."""

    record: AtLeastOne


class PauseOffer(Struct, frozen=True, gc=False, tag="pause"):
    """Stop the clocks and take no answers until a player resumes play."""


Offer: TypeAlias = DrawOffer | TakebackOffer | PauseOffer
"""Proposals that come into force once every player who has not resigned agrees."""


class MakeOffer(Struct, frozen=True, gc=False, tag="make_offer"):
    """Offer something to the other players. Answers no decision.

    One offer is open at a time. A seat makes one, and the next after it has answered a decision.
    """

    offer: Offer


class AnswerOffer(Struct, frozen=True, gc=False, tag="answer_offer"):
    """Agree to the open offer, or refuse it; the player who made it withdraws it. Answers no decision."""

    offer_id: AtLeastOne
    agree: bool


class TakeBack(Struct, frozen=True, gc=False, tag="take_back"):
    """Take back the own answers after record `record`, without asking. Answers no decision.

    It is allowed while only this seat has acted since, nothing was drawn or hidden, and nobody else has to decide.
    """

    record: AtLeastOne


class ResumePlay(Struct, frozen=True, gc=False, tag="resume_play"):
    """Go on after a pause. Every player may do that, and answers no decision."""


class LeaveSeat(Struct, frozen=True, gc=False, tag="leave_seat"):
    """Give up the own seat before the match begins: others may take it. Answers no decision."""


class TakeSeatBack(Struct, frozen=True, gc=False, tag="take_seat_back"):
    """Play on in the own seat, which the house plays since too many answers were missed. Answers no decision."""


UnpromptedAction: TypeAlias = (
    Resign | ReplaceChain | MakeOffer | AnswerOffer | TakeBack | ResumePlay | LeaveSeat | TakeSeatBack
)

UNPROMPTED_ACTIONS = (Resign, ReplaceChain, MakeOffer, AnswerOffer, TakeBack, ResumePlay, LeaveSeat, TakeSeatBack)
"""Actions that a player may take at any time: they answer no decision."""


PACKS_CHANGED = "packs_changed"
"""Why the house closes a match: this server has other content packs than the match was opened with."""


class Close(Struct, frozen=True, gc=False, omit_defaults=True, tag="close_match"):
    """End a match that has not begun. Only in records: a client sends the message of that name.

    `reason` says why the house did it; none where nobody came in time, or an operator wished it.
    """

    reason: Annotated[str, Meta(extra_json_schema=values_of_this_version(PACKS_CHANGED))] | None = None


class Stop(Struct, frozen=True, gc=False, tag="stop_match"):
    """End a match that has begun, without a winner. Only in records: the house does it for an operator."""


class Kick(Struct, frozen=True, gc=False, tag="kick_player"):
    """Remove the player of a seat before the match begins. Only in records: the opener sends `KickPlayer`."""

    seat: Seat
