"""Messages that open a match, and end one that has not begun."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MAX_SEATS, MatchIdText, Seat, SeatCount
from diskwars_protocol.messages.accounts import Password
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.seats import BotName
from diskwars_protocol.schema_types import (
    ABSENT,
    NO_FIELDS,
    CommandId,
    OpenedPacks,
    RawLoadout,
    RawMatchOptions,
    RawSettings,
    RulesetName,
)


class OpenedBot(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A bot of the server that takes a seat of a match as soon as that is opened, with this loadout."""

    bot: BotName
    seat: Seat
    loadout: RawLoadout = NO_FIELDS


OpenedBots: TypeAlias = Annotated[tuple[OpenedBot, ...], Meta(max_length=MAX_SEATS - 1)]
"""The bots of a match that is opened with them: one seat at least is for a person."""


class OpenMatch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="open_match"):
    """Open a match. `settings` are the ruleset's own, `match_options` those of every match.

    The opener watches it: `Opened`, then a `Watching` without id.
    `push_options`, `include_unavailable` and `push_openings` are those of that watch.
    With a `password`, or `invited_only`, the match is locked: others watch it and take seats after they have entered.
    `packs` are the content packs that it is played with besides the ruleset's own; None: all that the server has.
    `bots` take their seats at once; `loadout` is what the opener is going to bring to the first of the other seats.
    Both are checked before: a request that is refused has opened nothing.
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
    loadout: RawLoadout = ABSENT
    bots: OpenedBots = ()


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
