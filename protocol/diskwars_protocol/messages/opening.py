"""Messages that open a match, and end one that has not begun."""

from typing import TypeAlias

from msgspec import Struct

from diskwars_protocol.match.ids import MatchIdText, SeatCount
from diskwars_protocol.messages.accounts import Password
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.schema_types import NO_FIELDS, CommandId, OpenedPacks, RawMatchOptions, RawSettings, RulesetName


class OpenMatch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="open_match"):
    """Open a match. `settings` are the ruleset's own, `match_options` those of every match.

    The opener watches it: `Opened`, then a `Watching` without id.
    `push_options`, `include_unavailable` and `push_openings` are those of that watch.
    With a `password`, or `invited_only`, the match is locked: others watch it and take seats after they have entered.
    `packs` are the content packs that it is played with besides the ruleset's own; None: all that the server has.
    """

    id: CommandId
    ruleset: RulesetName
    seat_count: SeatCount
    settings: RawSettings = NO_FIELDS
    match_options: RawMatchOptions = NO_FIELDS
    push_options: bool = False
    include_unavailable: bool = False
    push_openings: bool = False
    password: Password | None = None
    invited_only: bool = False
    packs: OpenedPacks | None = None


class CloseMatch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="close_match"):
    """End a match that has not begun. Only its opener may do that. It need not be watched."""

    id: CommandId
    match: MatchIdText


class Opened(Struct, frozen=True, gc=False, tag="opened"):
    id: CommandId
    match: MatchIdText


OpeningRequest: TypeAlias = OpenMatch | CloseMatch

REQUESTS: dict[type[Struct], type[Struct]] = {OpenMatch: Opened, CloseMatch: Accepted}
"""By request, the response that answers it."""
