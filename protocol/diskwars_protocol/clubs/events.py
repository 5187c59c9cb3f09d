"""Events of a club, and the record that holds those of one act.

An event says what happened, with all that followed: who leads after a leader has gone, how a season ended.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.clubs.options import (
    MAX_CLUB_NAME_LENGTH,
    MAX_SEASON_NAME_LENGTH,
    MAX_SEASONS,
    ClubOptions,
    ClubRole,
)
from diskwars_protocol.match.ids import PlayerIdText
from diskwars_protocol.schema_types import OPAQUE_ID_PATTERN, AtLeastOne, AtLeastZero, Hex64, RulesetName, WholeNumber

ClubIdText: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
InvitationIdText: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
SeasonNumber: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": MAX_SEASONS})]
"""The number of a season of a club, from 1."""
StoredClubName: TypeAlias = Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_CLUB_NAME_LENGTH})]
StoredSeasonName: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_SEASON_NAME_LENGTH})
]
LeavingReason: TypeAlias = Literal["left", "removed", "account_deleted"]


class ClubOpened(Struct, frozen=True, gc=False, tag="club_opened"):
    """The first event. The player who opens a club leads it."""

    name: StoredClubName
    options: ClubOptions
    leader: PlayerIdText


class ClubEdited(Struct, frozen=True, gc=False, tag="club_edited"):
    name: StoredClubName
    options: ClubOptions


class MemberJoined(Struct, frozen=True, gc=False, omit_defaults=True, tag="member_joined"):
    """A player has become a member, by an invitation if one is named."""

    player: PlayerIdText
    invitation: InvitationIdText | None = None


class MemberLeft(Struct, frozen=True, gc=False, omit_defaults=True, tag="member_left"):
    player: PlayerIdText
    reason: LeavingReason = "left"


class RoleGiven(Struct, frozen=True, gc=False, tag="role_given"):
    """A member is from now on leader, officer or neither."""

    player: PlayerIdText
    role: ClubRole


class InvitationMade(Struct, frozen=True, gc=False, omit_defaults=True, tag="invitation_made"):
    """A link lets players in until `expires_ms`, or until it is revoked. `code_hash` is the SHA-256 of its secret."""

    invitation: InvitationIdText
    code_hash: Hex64
    by: PlayerIdText
    expires_ms: AtLeastZero | None = None


class InvitationRevoked(Struct, frozen=True, gc=False, tag="invitation_revoked"):
    invitation: InvitationIdText


class SeasonBegan(Struct, frozen=True, gc=False, omit_defaults=True, tag="season_began"):
    """A season has begun. It ends by itself at `ends_ms`, or when an officer ends it.

    `ruleset` is the game of its ladder, whatever the options of the club say later.
    """

    season: SeasonNumber
    name: StoredSeasonName
    ends_ms: AtLeastZero | None = None
    ruleset: RulesetName | None = None


class SeasonRow(Struct, frozen=True, gc=False, omit_defaults=True):
    """The row of a member in a ladder: the rating then, and the rated matches in the season."""

    player: PlayerIdText
    rating: WholeNumber | None = None
    wins: AtLeastZero = 0
    draws: AtLeastZero = 0
    losses: AtLeastZero = 0


class SeasonEnded(Struct, frozen=True, gc=False, tag="season_ended"):
    """A season is over. `standings` are its final ones, the best first."""

    season: SeasonNumber
    standings: tuple[SeasonRow, ...]


class ClubClosed(Struct, frozen=True, gc=False, omit_defaults=True, tag="club_closed"):
    """The club is closed for good: its leader or an operator has closed it, or the last member has gone.

    With `erases_texts` nobody is shown its name, house rules and names of seasons any more.
    """

    erases_texts: bool = False


ClubEvent: TypeAlias = (
    ClubOpened
    | ClubEdited
    | MemberJoined
    | MemberLeft
    | RoleGiven
    | InvitationMade
    | InvitationRevoked
    | SeasonBegan
    | SeasonEnded
    | ClubClosed
)


class ClubRecord(Struct, frozen=True, gc=False):
    """One act with all that followed from it. `actor` is a player, or "house" for the server."""

    seq: AtLeastOne
    at_ms: AtLeastZero
    actor: PlayerIdText
    events: tuple[ClubEvent, ...]
