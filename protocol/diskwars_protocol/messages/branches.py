"""Messages about branches: matches that play on from a moment of another match."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Raw, Struct

from diskwars_protocol.match.ids import MatchIdText
from diskwars_protocol.match.match_options import BranchPoint
from diskwars_protocol.messages.accounts import Password
from diskwars_protocol.schema_types import NO_FIELDS, AtLeastOne, CommandId

BranchOptions: TypeAlias = Annotated[Raw, Meta(extra={"content": "MatchOptions"})]


class BranchMatch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="branch_match"):
    """Open a match that plays on from the state of another one after its record `seq`, as far as one may see that.

    While the other match goes on, everything in it that one may not see is drawn at random. `match_options`,
    `password` and `invited_only` are those of `OpenMatch`. All seats are free, and bots may be seated in them.
    """

    id: CommandId
    match: MatchIdText
    seq: AtLeastOne
    match_options: BranchOptions = NO_FIELDS
    password: Password | None = None
    invited_only: bool = False


class BranchOpened(Struct, frozen=True, gc=False, omit_defaults=True, tag="branch_opened"):
    """Answer to `BranchMatch`: the match that was opened. Watch it, and take a seat in it.

    `resampled`: something in the position was drawn at random, because it was not for the opener to see.
    """

    id: CommandId
    match: MatchIdText
    branch_of: BranchPoint
    resampled: bool = False


REQUESTS: dict[type[Struct], type[Struct]] = {BranchMatch: BranchOpened}
"""By request, the response that answers it."""
