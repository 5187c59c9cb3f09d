"""A club as its records fold to. What strangers and members may not see of it is left out by the server's view."""

from typing import Literal, TypeAlias

from msgspec import Struct

from diskwars_protocol.clubs.events import (
    ClubIdText,
    InvitationIdText,
    SeasonNumber,
    SeasonRow,
    StoredClubName,
    StoredSeasonName,
)
from diskwars_protocol.clubs.options import ClubOptions, ClubRole
from diskwars_protocol.match.ids import PlayerIdText
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, Hex64, RulesetName

ClubStatus: TypeAlias = Literal["open", "closed"]


class ClubMember(Struct, frozen=True, gc=False, omit_defaults=True):
    """A member. `role_since_ms` is when the role was given: the longest-serving officer follows a leader."""

    player: PlayerIdText
    joined_ms: AtLeastZero
    role: ClubRole = "member"
    role_since_ms: AtLeastZero = 0


class StoredInvitation(Struct, frozen=True, gc=False, omit_defaults=True):
    """A link that has not been revoked."""

    invitation: InvitationIdText
    code_hash: Hex64
    by: PlayerIdText
    created_ms: AtLeastZero
    expires_ms: AtLeastZero | None = None


class Season(Struct, frozen=True, gc=False, omit_defaults=True):
    """A season: under way while `ended_ms` is absent. `standings` are the final ones, the best first.

    `ruleset` is the game of its ladder.
    """

    number: SeasonNumber
    name: StoredSeasonName
    began_ms: AtLeastZero
    ends_ms: AtLeastZero | None = None
    ended_ms: AtLeastZero | None = None
    standings: tuple[SeasonRow, ...] = ()
    ruleset: RulesetName | None = None


class RemovedMember(Struct, frozen=True, gc=False):
    """A player who was removed, and when: invitations from before let them in no more."""

    player: PlayerIdText
    removed_ms: AtLeastZero


class Club(Struct, frozen=True, gc=False, omit_defaults=True):
    """A club. `members` are in the order in which they joined, `removed` in that in which they were removed."""

    club: ClubIdText
    name: StoredClubName
    options: ClubOptions
    created_ms: AtLeastZero
    members: tuple[ClubMember, ...]
    status: ClubStatus = "open"
    invitations: tuple[StoredInvitation, ...] = ()
    removed: tuple[RemovedMember, ...] = ()
    seasons: tuple[Season, ...] = ()
    seq: AtLeastOne = 1
    at_ms: AtLeastZero = 0

    def member(self, player: str) -> ClubMember | None:
        return next((member for member in self.members if member.player == player), None)

    def removed_ms(self, player: str) -> int | None:
        """Return when a player was removed who has not come in again; None for any other."""
        return next((removed.removed_ms for removed in self.removed if removed.player == player), None)

    @property
    def leader(self) -> ClubMember | None:
        """The member who leads; None once the club is closed and empty."""
        return next((member for member in self.members if member.role == "leader"), None)

    @property
    def season(self) -> Season | None:
        """The season that is under way."""
        return self.seasons[-1] if self.seasons and self.seasons[-1].ended_ms is None else None
