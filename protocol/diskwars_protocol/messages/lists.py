"""Messages about lists of matches: one page, a list that is followed, and the search of ended matches."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MatchIdText, PlayerIdText
from diskwars_protocol.match.match_options import Pace
from diskwars_protocol.match.ruleset_settings import SettingValue
from diskwars_protocol.match.state import MatchStatus
from diskwars_protocol.messages.match_summary import MatchSummary
from diskwars_protocol.schema_types import OPAQUE_ID_PATTERN, AtLeastOne, AtLeastZero, CommandId, FieldName, RulesetName

MAX_LISTED_MATCHES = 100
"""The most matches on one page of the list."""
MAX_WANTED_SETTINGS = 16
MAX_LIST_PAGE_LENGTH = 256

ListPage: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_LIST_PAGE_LENGTH)]
"""Names a page of the list for the server that gave it. Opaque to clients: servers may sort in another order."""

ArmyId: TypeAlias = Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9/_-]{0,127}$")]
"""The id of an army, in a request."""

EndReasonName: TypeAlias = Annotated[str, Meta(pattern="^[a-z][a-z_]{0,63}$")]
"""The reason why a match ended, in a request."""

PlayerName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
"""The name of an account, as people write it."""
WantedClub: TypeAlias = Annotated[str, Meta(pattern=OPAQUE_ID_PATTERN)]
WantedSettings: TypeAlias = Annotated[dict[FieldName, SettingValue], Meta(max_length=MAX_WANTED_SETTINGS)]


class ListMatches(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="list_matches"):
    """Request one page of the list: the newest matches, or the page that a `MatchList` names as the next.

    What is given narrows the list: matches of a status, of a ruleset, with a player in a seat, that one has opened or
    plays in (`mine`), that have a free seat to take, that have all these settings, or that are played at this pace.
    With `club` those of one club, with `clubs` those of all clubs of the player: only its members see them.
    """

    id: CommandId
    status: MatchStatus | None = None
    page: ListPage | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_LISTED_MATCHES)] = MAX_LISTED_MATCHES
    ruleset: RulesetName | None = None
    player: PlayerIdText | None = None
    mine: bool = False
    has_free_seat: bool = False
    settings: WantedSettings = {}
    pace: Pace | None = None
    club: WantedClub | None = None
    clubs: bool = False


class FollowMatches(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="follow_matches"
):
    """Request the first page of a list, and every change of it from then on: see `MatchesChanged`.

    The fields are those of `ListMatches` without the clubs. A connection follows one list; a second request takes the
    place of the first.
    """

    id: CommandId
    status: MatchStatus | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_LISTED_MATCHES)] = MAX_LISTED_MATCHES
    ruleset: RulesetName | None = None
    player: PlayerIdText | None = None
    mine: bool = False
    has_free_seat: bool = False
    settings: WantedSettings = {}
    pace: Pace | None = None


class UnfollowMatches(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="unfollow_matches"):
    """Stop following a list."""

    id: CommandId


class SearchMatches(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="search_matches"
):
    """Request one page of the matches that have ended and fit everything named here, the newest first.

    `player` took part, or who has the account name `player_name`; `won` says how that player fared. `army` is the id of
    an army that took part. Times are when a match was opened, numbers of records include both ends. A page may hold
    fewer matches than `limit`, also none, and still not be the last.
    """

    id: CommandId
    player: PlayerIdText | None = None
    player_name: PlayerName | None = None
    won: bool | None = None
    army: ArmyId | None = None
    ruleset: RulesetName | None = None
    end_reason: EndReasonName | None = None
    since_ms: AtLeastZero | None = None
    until_ms: AtLeastZero | None = None
    min_records: AtLeastOne | None = None
    max_records: AtLeastOne | None = None
    page: ListPage | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_LISTED_MATCHES)] = MAX_LISTED_MATCHES


class MatchList(Struct, frozen=True, gc=False, omit_defaults=True, tag="match_list"):
    """One page, the newest first. `next_page` is what a request for the page after it names; None on the last."""

    id: CommandId
    matches: tuple[MatchSummary, ...]
    next_page: ListPage | None = None


class Unfollowed(Struct, frozen=True, gc=False, tag="unfollowed"):
    """Answer to `UnfollowMatches`."""

    id: CommandId


class MatchesChanged(Struct, frozen=True, gc=False, omit_defaults=True, tag="matches_changed"):
    """What has changed in the list that this connection follows: matches as they are now, and those no longer in it.

    Changes that come soon after one another come together. With `list_again` there were too many, or this connection
    was too slow for them: what was sent is out of date, and the list has to be requested again.
    """

    matches: tuple[MatchSummary, ...] = ()
    gone: tuple[MatchIdText, ...] = ()
    list_again: bool = False


ListRequest: TypeAlias = ListMatches | FollowMatches | UnfollowMatches | SearchMatches
ListResponse: TypeAlias = MatchList | Unfollowed

REQUESTS: dict[type[Struct], type[Struct]] = {
    ListMatches: MatchList,
    FollowMatches: MatchList,
    UnfollowMatches: Unfollowed,
    SearchMatches: MatchList,
}
"""By request, the response that answers it."""
