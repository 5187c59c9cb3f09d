"""Messages about clubs: open one, list, show and follow them, act in one, and come in by an invitation."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Raw, Struct

from diskwars_protocol.clubs.events import (
    ClubIdText,
    InvitationIdText,
    SeasonNumber,
    SeasonRow,
    StoredClubName,
    StoredSeasonName,
)
from diskwars_protocol.clubs.options import (
    MAX_MEMBERS,
    MAX_SEASONS,
    ClubEntry,
    ClubName,
    ClubOptions,
    ClubRole,
    ClubVisibility,
    SeasonName,
)
from diskwars_protocol.clubs.state import ClubMember, ClubStatus, Season
from diskwars_protocol.match.ids import PlayerIdText
from diskwars_protocol.messages.lists import ListPage
from diskwars_protocol.schema_types import (
    MAX_INTEGER,
    OPAQUE_ID_PATTERN,
    AtLeastOne,
    AtLeastZero,
    CommandId,
    RulesetName,
)

MAX_LISTED_CLUBS = 50
MAX_INVITATION_CODE_LENGTH = 128

RawClubOptions: TypeAlias = Annotated[Raw, Meta(extra={"content": "ClubOptions"})]
ClubId: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
InvitationId: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
ClubPlayer: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
InvitationCode: TypeAlias = Annotated[str, Meta(max_length=MAX_INVITATION_CODE_LENGTH)]
"""What the link of an invitation ends with: `club-`, the id of the club, and a secret."""
EndMs: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_INTEGER)]


# ---------------------------------------------------------------- acts


class JoinClubAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="join"):
    """Become a member of a club that any player may join."""


class LeaveClubAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="leave"):
    """Leave a club. The longest-serving officer, or else member, follows a leader; the last to leave closes it."""


class EditClubAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="edit"):
    """Give the club a name and options, as its leader or an officer."""

    name: ClubName
    options: RawClubOptions


class RemoveMemberAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="remove_member"):
    """Remove a member: officers remove members, the leader anybody else. An open club lets them join no more."""

    player: ClubPlayer


class GiveRoleAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="give_role"):
    """Make a member an officer, a member again, or as the leader give the lead away and stay as an officer."""

    player: ClubPlayer
    role: ClubRole


class RevokeInvitationAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="revoke_invitation"):
    """Let nobody in by an invitation any more, as the leader or an officer."""

    invitation: InvitationId


class BeginSeasonAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="begin_season"):
    """Begin a season, as the leader or an officer. It ends by itself at `ends_ms`, where that is given."""

    name: SeasonName
    ends_ms: EndMs | None = None


class EndSeasonAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="end_season"):
    """End the season under way and keep its standings, as the leader or an officer."""


class CloseClubAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="close"):
    """Close the club for good, as its leader."""


ClubAct: TypeAlias = (
    JoinClubAct
    | LeaveClubAct
    | EditClubAct
    | RemoveMemberAct
    | GiveRoleAct
    | RevokeInvitationAct
    | BeginSeasonAct
    | EndSeasonAct
    | CloseClubAct
)

# ---------------------------------------------------------------- from a client


class OpenClub(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="open_club"):
    """Open a club and lead it. Players with an account can."""

    id: CommandId
    name: ClubName
    options: RawClubOptions


class ListClubs(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="list_clubs"):
    """Request one page of the public clubs and one's own, the newest first; with `mine` of one's own only."""

    id: CommandId
    mine: bool = False
    page: ListPage | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_LISTED_CLUBS)] = MAX_LISTED_CLUBS


class GetClub(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="get_club"):
    """Request a club as it is. To strangers a private one is unknown.

    With `follow` this connection gets one `ClubChanged` at the next change, in the place of that of the club that it
    followed before.
    """

    id: CommandId
    club: ClubId
    follow: bool = False


class ActInClub(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="act_in_club"):
    """Do something in a club. What has been done already is done no second time."""

    id: CommandId
    club: ClubId
    act: ClubAct


class InviteToClub(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="invite_to_club"):
    """Make an invitation, as the leader or an officer. Sent again under the same id, it returns the same code."""

    id: CommandId
    club: ClubId
    expires_ms: EndMs | None = None


class FindClubInvitation(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="find_club_invitation"):
    """Request what an invitation leads to. Wrong codes are limited as wrong passwords are."""

    id: CommandId
    code: InvitationCode


class AcceptClubInvitation(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="accept_club_invitation"):
    """Become a member by an invitation. Members stay what they are."""

    id: CommandId
    code: InvitationCode


class GetClubLadder(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="get_club_ladder"
):
    """Request the ladder of a club: its members' rated matches in the season under way, or else of all time.

    With `season` the final standings of that one, which is over.
    """

    id: CommandId
    club: ClubId
    season: Annotated[int, Meta(ge=1, le=MAX_SEASONS)] | None = None


ClubRequest: TypeAlias = (
    OpenClub
    | ListClubs
    | GetClub
    | GetClubLadder
    | ActInClub
    | InviteToClub
    | FindClubInvitation
    | AcceptClubInvitation
)

# ---------------------------------------------------------------- from the server


class ClubSummary(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a list shows of a club. `role` is the asker's own; others than members have none."""

    club: ClubIdText
    name: StoredClubName
    visibility: ClubVisibility
    entry: ClubEntry
    members: Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": MAX_MEMBERS})]
    created_ms: AtLeastZero
    role: ClubRole | None = None
    season: StoredSeasonName | None = None


class ClubList(Struct, frozen=True, gc=False, omit_defaults=True, tag="club_list"):
    """One page, the newest first. `next_page` is what a request for the page after it names; None on the last."""

    id: CommandId
    clubs: tuple[ClubSummary, ...]
    next_page: ListPage | None = None


class ClubInvitation(Struct, frozen=True, gc=False, omit_defaults=True):
    """An invitation as the leader and officers see it. Nobody sees its code again."""

    invitation: InvitationIdText
    by: PlayerIdText
    created_ms: AtLeastZero
    expires_ms: AtLeastZero | None = None


class ClubView(Struct, frozen=True, gc=False, omit_defaults=True, tag="club_view"):
    """A club as the player may see it.

    Of the standings of `seasons` it has the first rows only. `role` is one's own. Only members see `present`, the
    members who are here and show it, and only the leader and officers see `invitations`.
    """

    id: CommandId
    club: ClubIdText
    name: StoredClubName
    options: ClubOptions
    created_ms: AtLeastZero
    status: ClubStatus
    members: tuple[ClubMember, ...]
    seasons: tuple[Season, ...]
    seq: AtLeastOne
    role: ClubRole | None = None
    present: tuple[PlayerIdText, ...] = ()
    invitations: tuple[ClubInvitation, ...] = ()


class ClubLadder(Struct, frozen=True, gc=False, omit_defaults=True, tag="club_ladder"):
    """The ladder of a club as it is, the best first: by rating, members without one at the end.

    `season` is the one from which the matches are: that under way, or the one that was requested.
    """

    id: CommandId
    club: ClubIdText
    ruleset: RulesetName
    rows: tuple[SeasonRow, ...]
    season: SeasonNumber | None = None


class ClubInvited(Struct, frozen=True, gc=False, tag="club_invited"):
    """Answer to `InviteToClub`. The code is sent here only; the server keeps no more than its hash."""

    id: CommandId
    invitation: InvitationIdText
    code: InvitationCode


class ClubInvitationFound(Struct, frozen=True, gc=False, tag="club_invitation_found"):
    """Answer to `FindClubInvitation`: the club that an invitation leads to."""

    id: CommandId
    club: ClubSummary


class ClubChanged(Struct, frozen=True, gc=False, tag="club_changed"):
    """A club that a connection follows has a new record. The next one comes after it was requested again."""

    club: ClubIdText
    seq: AtLeastOne


ClubResponse: TypeAlias = ClubList | ClubView | ClubLadder | ClubInvited | ClubInvitationFound

REQUESTS: dict[type[Struct], type[Struct]] = {
    OpenClub: ClubView,
    ListClubs: ClubList,
    GetClub: ClubView,
    GetClubLadder: ClubLadder,
    ActInClub: ClubView,
    InviteToClub: ClubInvited,
    FindClubInvitation: ClubInvitationFound,
    AcceptClubInvitation: ClubView,
}
"""By request, the response that answers it."""
