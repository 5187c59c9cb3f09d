"""Messages of the lobby: entering matches that are locked, and invites."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MatchIdText
from diskwars_protocol.messages.accounts import Password
from diskwars_protocol.schema_types import OPAQUE_ID_PATTERN, AtLeastZero, CommandId

MAX_INVITE_USES = 100
MAX_ARMY_TEXT_LENGTH = 4000

InviteId: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
"""Names an invite of a match. It lets nobody in: that is what its code does."""
InviteCode: TypeAlias = Annotated[str, Meta(max_length=64)]
"""An invite that lets a player into a match: `invite-` and an opaque id."""
ArmyText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_ARMY_TEXT_LENGTH)]
"""An army as people exchange it. The server neither reads nor checks it: the player who takes a seat does."""


# ---------------------------------------------------------------- from a client


class EnterMatch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="enter_match"):
    """Prove by its password that one may watch a locked match and take a seat in it. It holds from then on."""

    id: CommandId
    match: MatchIdText
    password: Password


class UseInvite(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="use_invite"):
    """Enter the match that an invite is for. A player who has entered it uses nothing up."""

    id: CommandId
    code: InviteCode


class CreateInvite(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="create_invite"):
    """Make an invite for a match. Only its opener may do that.

    `army` is shown to those who use it; `uses` is how many players may, None for as many as the match admits.
    """

    id: CommandId
    match: MatchIdText
    army: ArmyText | None = None
    uses: Annotated[int, Meta(ge=1, le=MAX_INVITE_USES)] | None = None


class ListInvites(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="list_invites"):
    """Request the invites of a match. Only its opener may do that."""

    id: CommandId
    match: MatchIdText


class RevokeInvite(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="revoke_invite"):
    """Revoke an invite: its code lets nobody in any more. Players who have entered by it stay.

    Only the opener may do that.
    """

    id: CommandId
    match: MatchIdText
    invite: InviteId


LobbyRequest: TypeAlias = EnterMatch | UseInvite | CreateInvite | ListInvites | RevokeInvite

# ---------------------------------------------------------------- from the server


class Entered(Struct, frozen=True, gc=False, omit_defaults=True, tag="entered"):
    """Answer to `EnterMatch` and `UseInvite`: the match may be watched. `army` is that of the invite."""

    id: CommandId
    match: MatchIdText
    army: ArmyText | None = None


class InviteCreated(Struct, frozen=True, gc=False, tag="invite_created"):
    """Answer to `CreateInvite`. The code is sent here only; the server keeps no more than its hash."""

    id: CommandId
    invite: InviteId
    code: InviteCode


class Invite(Struct, frozen=True, gc=False, omit_defaults=True):
    """An invite that has not been revoked. `uses_left` is None where it is not limited."""

    invite: InviteId
    created_ms: AtLeastZero
    army: ArmyText | None = None
    uses_left: AtLeastZero | None = None


class InviteList(Struct, frozen=True, gc=False, tag="invite_list"):
    """Answer to `ListInvites` and `RevokeInvite`: the invites of the match, the newest first."""

    id: CommandId
    invites: tuple[Invite, ...]


LobbyResponse: TypeAlias = Entered | InviteCreated | InviteList

REQUESTS: dict[type[Struct], type[Struct]] = {
    EnterMatch: Entered,
    UseInvite: Entered,
    CreateInvite: InviteCreated,
    ListInvites: InviteList,
    RevokeInvite: InviteList,
}
"""By request, the response that answers it."""
