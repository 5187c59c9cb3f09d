"""Messages about reviews: where a search would have done something else than a seat, in a match that has ended."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MatchIdText, Seat
from diskwars_protocol.messages.decisions import RawAction
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, CommandId

MAX_MOMENTS = 3
PER_MILLE = 1000

PerMille: TypeAlias = Annotated[int, Meta(ge=0, le=PER_MILLE)]


class ReviewMatch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="review_match"):
    """Request the moments of an ended match at which a search would have done something else than a seat.

    The server searches while it has nothing else to do, one match after another: the answer may take minutes.
    """

    id: CommandId
    match: MatchIdText
    seat: Seat


class ReviewedMoment(Struct, frozen=True, gc=False):
    """A moment: record `seq` says what the seat did, and the search would have done `better`.

    The position is that after the record before, and the search knew no more of it than the seat did. `done_wins` and
    `better_wins` are the parts of all play-outs, per mille, that the seat won with either; `error` is the standard
    error of their difference.
    """

    seq: AtLeastOne
    done: RawAction
    better: RawAction
    done_wins: PerMille
    better_wins: PerMille
    error: PerMille


class MatchReview(Struct, frozen=True, gc=False, tag="match_review"):
    """Answer to `ReviewMatch`: up to three moments in the order of the match, none if the search found nothing better.

    `play_outs` is how often each answer was played out to the end of the match.
    """

    id: CommandId
    match: MatchIdText
    seat: Seat
    moments: tuple[ReviewedMoment, ...]
    play_outs: AtLeastZero


REQUESTS: dict[type[Struct], type[Struct]] = {ReviewMatch: MatchReview}
"""By request, the response that answers it."""
