"""Messages of quick matches: players who seek the same are paired, and their match is opened."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Raw, Struct

from diskwars_protocol.match.ids import MatchIdText, PlayerIdText, Seat, SeatCount
from diskwars_protocol.schema_types import NO_FIELDS, AtLeastOne, AtLeastZero, CommandId, RulesetName


class SeekMatch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="seek_match"):
    """Seek players for a match with this ruleset, these seats, settings and match options: all have to be the same.

    A player seeks one match at a time; another `id` takes the place of what was sought before. The search goes on as
    long as the same request, under the same id, comes again within the time that the answer names.
    """

    id: CommandId
    ruleset: RulesetName
    seat_count: SeatCount
    settings: Annotated[Raw, Meta(extra={"content": "Settings"})] = NO_FIELDS
    match_options: Annotated[Raw, Meta(extra={"content": "MatchOptions"})] = NO_FIELDS


class StopSeeking(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="stop_seeking"):
    """Seek no more."""

    id: CommandId


class MatchFound(Struct, frozen=True, gc=False, tag="match_found"):
    """A match was opened for the players who sought it: watch it and take the seat that is meant for this player.

    Nobody else may enter it. It is sent to every connection of the player, and is part of later answers.
    """

    match: MatchIdText
    ruleset: RulesetName
    seat: Seat
    players: tuple[PlayerIdText, ...]


class Seeking(Struct, frozen=True, gc=False, omit_defaults=True, tag="seeking"):
    """Answer to `SeekMatch` and `StopSeeking`. Once there is a match, it is `found`.

    While this player seeks, `until_ms` is when the search ends, and the request has to come again after `renew_ms`
    milliseconds, or the player counts as gone soon after. Without `until_ms` they seek nothing.
    """

    id: CommandId
    until_ms: AtLeastZero | None = None
    renew_ms: AtLeastOne | None = None
    found: MatchFound | None = None


SeekRequest: TypeAlias = SeekMatch | StopSeeking

REQUESTS: dict[type[Struct], type[Struct]] = {SeekMatch: Seeking, StopSeeking: Seeking}
"""By request, the response that answers it."""
