"""Rules of clubs: what is allowed, and what follows from it. Each returns events, or raises Illegal."""

from collections.abc import Collection, Sequence

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.clubs.events import (
    ClubClosed,
    ClubEdited,
    ClubEvent,
    InvitationMade,
    InvitationRevoked,
    LeavingReason,
    MemberJoined,
    MemberLeft,
    RoleGiven,
    SeasonBegan,
    SeasonEnded,
    SeasonRow,
)
from diskwars_protocol.clubs.options import (
    MAX_INVITATIONS,
    MAX_MEMBERS,
    MAX_OFFICERS,
    MAX_SEASONS,
    ClubOptions,
    ClubRole,
)
from diskwars_protocol.clubs.state import Club, ClubMember, StoredInvitation
from diskwars_protocol.match.ids import PlayerId

_RANKS: tuple[ClubRole, ...] = ("leader", "officer", "member")


def require_officer(state: Club, player: str) -> ClubMember:
    """Return the leader or the officer that a player is."""
    member = state.member(player)
    if member is None or member.role == "member":
        raise Illegal("not_officer", "only the leader and the officers of this club may do that")
    return member


def require_leader(state: Club, player: str) -> None:
    member = state.member(player)
    if member is None or member.role != "leader":
        raise Illegal("not_leader", "only the leader of this club may do that")


def require_open(state: Club) -> None:
    if state.status == "closed":
        raise Illegal("club_closed", "this club is closed")


# ---------------------------------------------------------------- coming and going


def join(state: Club, player: PlayerId) -> list[ClubEvent]:
    """Let a player in who has no invitation."""
    if state.member(player) is not None:
        return []
    if state.options.entry != "open":
        raise Illegal("invitation_needed", "members come into this club by an invitation")
    if state.removed_ms(player) is not None:
        raise Illegal("invitation_needed", "you were removed from this club: only an invitation lets you in again")
    _require_room(state)
    return [MemberJoined(player)]


def accept(state: Club, player: PlayerId, invitation: StoredInvitation) -> list[ClubEvent]:
    """Let a player in by an invitation."""
    if state.member(player) is not None:
        return []
    require_usable(state, player, invitation)
    _require_room(state)
    return [MemberJoined(player, invitation.invitation)]


def require_usable(state: Club, player: str, invitation: StoredInvitation) -> None:
    """Refuse a removed player an invitation from before: it may be the link by which they once came in."""
    removed_ms = state.removed_ms(player)
    # One of the same millisecond may be from before.
    if removed_ms is not None and invitation.created_ms <= removed_ms:
        raise Illegal("invitation_needed", "you were removed from this club: only a new invitation lets you in again")


def leave(state: Club, player: PlayerId, standings: Sequence[SeasonRow] = ()) -> list[ClubEvent]:
    """Leave. `standings` are those of the season under way, which ends with the last member."""
    if state.member(player) is None:
        return []
    return end_memberships(state, [player], "left", standings)


def remove(state: Club, by: PlayerId, player: PlayerId) -> list[ClubEvent]:
    """Remove a member of a lower rank."""
    remover = require_officer(state, by)
    member = state.member(player)
    if member is None:
        return []
    if _RANKS.index(remover.role) >= _RANKS.index(member.role):
        raise Illegal("not_leader", "officers remove members; only the leader removes officers", place="$.act.player")
    return end_memberships(state, [player], "removed")


def end_memberships(
    state: Club, players: Collection[str], reason: LeavingReason, standings: Sequence[SeasonRow] = ()
) -> list[ClubEvent]:
    """End memberships, with what follows: another leads, or the club closes, and with it the season under way."""
    events: list[ClubEvent] = [
        MemberLeft(member.player, reason) for member in state.members if member.player in players
    ]
    left = [member for member in state.members if member.player not in players]
    if not left:
        return [*events, *_closing(state, standings)]
    if all(member.role != "leader" for member in left):
        # The longest-serving officer; without officers the member who has been there for longest.
        heir = min(left, key=lambda member: (_RANKS.index(member.role), member.role_since_ms, member.joined_ms))
        events.append(RoleGiven(heir.player, "leader"))
    return events


def _require_room(state: Club) -> None:
    if len(state.members) >= MAX_MEMBERS:
        text = f"a club has at most {MAX_MEMBERS} members"
        raise Illegal("club_full", text, numbers={"members": MAX_MEMBERS})


# ---------------------------------------------------------------- running a club


def edit(state: Club, by: PlayerId, name: str, options: ClubOptions) -> list[ClubEvent]:
    require_officer(state, by)
    if (name, options) == (state.name, state.options):
        return []
    return [ClubEdited(name, options)]


def give_role(state: Club, by: PlayerId, player: PlayerId, role: ClubRole) -> list[ClubEvent]:
    """Give a member a role. A leader who gives the lead away stays as an officer."""
    member = state.member(player)
    # A leader that has handed the lead over may ask again without being refused.
    if member is not None and member.role == role and by in {player, *_players_of(state, "leader", "officer")}:
        return []
    require_leader(state, by)
    if member is None:
        raise Illegal("unknown_member", "this club has no such member", place="$.act.player")
    if role == "leader":
        if member.role == "member":
            _require_officer_place(state)
        return [RoleGiven(by, "officer"), RoleGiven(player, "leader")]
    if member.role == "leader":
        raise Illegal("not_leader", "a club always has a leader: give the lead to another member", place="$.act.role")
    if role == "officer":
        _require_officer_place(state)
    return [RoleGiven(player, role)]


def _require_officer_place(state: Club) -> None:
    if len(_players_of(state, "officer")) >= MAX_OFFICERS:
        text = f"a club has at most {MAX_OFFICERS} officers"
        raise Illegal("too_many_officers", text, numbers={"officers": MAX_OFFICERS})


def _players_of(state: Club, *roles: ClubRole) -> set[str]:
    return {member.player for member in state.members if member.role in roles}


def close(state: Club, by: PlayerId, standings: Sequence[SeasonRow] = ()) -> list[ClubEvent]:
    """Close a club. `standings` are those of the season under way, which ends with it."""
    require_leader(state, by)
    return _closing(state, standings)


def _closing(state: Club, standings: Sequence[SeasonRow]) -> list[ClubEvent]:
    return [*([] if state.season is None else end_season(state, standings)), ClubClosed()]


# ---------------------------------------------------------------- invitations


def invite(
    state: Club, by: PlayerId, invitation: str, code_hash: str, expires_ms: int | None, now_ms: int
) -> list[ClubEvent]:
    """Make an invitation, and forget those that are too old."""
    require_officer(state, by)
    if any(known.invitation == invitation for known in state.invitations):
        return []
    if expires_ms is not None and expires_ms <= now_ms:
        raise Illegal("bad_club", "the invitation would be too old already", place="$.expires_ms")
    old = [known for known in state.invitations if not is_valid(known, now_ms)]
    if len(state.invitations) - len(old) >= MAX_INVITATIONS:
        text = f"a club has at most {MAX_INVITATIONS} invitations; revoke one first"
        raise Illegal("too_many_invitations", text, numbers={"invitations": MAX_INVITATIONS})
    revoked: list[ClubEvent] = [InvitationRevoked(known.invitation) for known in old]
    return [*revoked, InvitationMade(invitation, code_hash, by, expires_ms)]


def revoke(state: Club, by: PlayerId, invitation: str) -> list[ClubEvent]:
    require_officer(state, by)
    if all(known.invitation != invitation for known in state.invitations):
        raise Illegal("unknown_invitation", "this club has no such invitation", place="$.act.invitation")
    return [InvitationRevoked(invitation)]


def is_valid(invitation: StoredInvitation, now_ms: int) -> bool:
    return invitation.expires_ms is None or now_ms < invitation.expires_ms


# ---------------------------------------------------------------- seasons


def begin_season(state: Club, by: PlayerId, name: str, ends_ms: int | None, now_ms: int) -> list[ClubEvent]:
    require_officer(state, by)
    if state.season is not None:
        raise Illegal("season_under_way", "a season is under way; end it first")
    if len(state.seasons) >= MAX_SEASONS:
        text = f"a club has at most {MAX_SEASONS} seasons"
        raise Illegal("too_many_seasons", text, numbers={"seasons": MAX_SEASONS})
    if ends_ms is not None and ends_ms <= now_ms:
        raise Illegal("bad_club", "the season would be over already", place="$.act.ends_ms")
    return [SeasonBegan(len(state.seasons) + 1, name, ends_ms, state.options.ruleset)]


def end_season(state: Club, standings: Sequence[SeasonRow]) -> list[ClubEvent]:
    """End the season under way with its final standings."""
    if state.season is None:
        raise Illegal("no_season", "no season is under way")
    return [SeasonEnded(state.season.number, tuple(standings))]
