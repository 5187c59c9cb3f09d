"""The fold of a club's records. It knows no rules: an event says all that follows from it."""

from collections.abc import Iterable

from msgspec.structs import replace

from diskwars_protocol.clubs.events import (
    ClubClosed,
    ClubEdited,
    ClubEvent,
    ClubOpened,
    ClubRecord,
    InvitationMade,
    InvitationRevoked,
    MemberJoined,
    MemberLeft,
    RoleGiven,
    SeasonBegan,
    SeasonEnded,
)
from diskwars_protocol.clubs.options import MAX_REMOVED
from diskwars_protocol.clubs.state import Club, ClubMember, RemovedMember, Season, StoredInvitation


class ClubFoldError(Exception):
    """Records that are not those of one club, from its first on."""


def fold_club(club: str, records: Iterable[ClubRecord], state: Club | None = None) -> Club:
    """Return the state after records, which follow on `state`, or are all of them. Raises ClubFoldError."""
    for record in records:
        state = _fold_record(club, state, record)
    if state is None:
        raise ClubFoldError("a club has at least one record")
    return state


def _fold_record(club: str, state: Club | None, record: ClubRecord) -> Club:
    expected = 1 if state is None else state.seq + 1
    if record.seq != expected:
        raise ClubFoldError(f"record {record.seq} in place of {expected}")
    for event in record.events:
        state = _open(club, event, record.at_ms) if state is None else _fold_event(state, event, record.at_ms)
    if state is None:
        raise ClubFoldError("the first record has no event")
    return replace(state, seq=record.seq, at_ms=record.at_ms)


def _open(club: str, event: ClubEvent, at_ms: int) -> Club:
    if not isinstance(event, ClubOpened):
        raise ClubFoldError("the first event opens no club")
    return Club(club, event.name, event.options, at_ms, (ClubMember(event.leader, at_ms, "leader", at_ms),))


def _fold_event(state: Club, event: ClubEvent, at_ms: int) -> Club:
    match event:
        case ClubOpened():
            raise ClubFoldError("a club is opened once")
        case ClubEdited():
            return replace(state, name=event.name, options=event.options)
        case MemberJoined():
            removed = tuple(known for known in state.removed if known.player != event.player)
            joined = ClubMember(event.player, at_ms, role_since_ms=at_ms)
            return replace(state, members=(*state.members, joined), removed=removed)
        case MemberLeft():
            return _leave(state, event, at_ms)
        case RoleGiven():
            members = tuple(
                replace(member, role=event.role, role_since_ms=at_ms) if member.player == event.player else member
                for member in state.members
            )
            return replace(state, members=members)
        case InvitationMade():
            made = StoredInvitation(event.invitation, event.code_hash, event.by, at_ms, event.expires_ms)
            return replace(state, invitations=(*state.invitations, made))
        case InvitationRevoked():
            kept = tuple(known for known in state.invitations if known.invitation != event.invitation)
            return replace(state, invitations=kept)
        case SeasonBegan():
            if event.season != len(state.seasons) + 1:
                raise ClubFoldError(f"season {event.season} comes after {len(state.seasons)}")
            # The first records of seasons name no game: theirs was that of the options at the time.
            ruleset = event.ruleset or state.options.ruleset
            began = Season(event.season, event.name, at_ms, event.ends_ms, ruleset=ruleset)
            return replace(state, seasons=(*state.seasons, began))
        case SeasonEnded():
            ended = replace(state.seasons[event.season - 1], ended_ms=at_ms, standings=event.standings)
            return replace(state, seasons=(*state.seasons[: event.season - 1], ended, *state.seasons[event.season :]))
        case ClubClosed():
            closed = replace(state, status="closed", invitations=())
            return without_texts(closed) if event.erases_texts else closed


def without_texts(state: Club) -> Club:
    """Return a club without what people have written: called after its id, and its seasons by their numbers."""
    seasons = tuple(replace(season, name=str(season.number)) for season in state.seasons)
    options = replace(state.options, house_rules=None)
    return replace(state, name=f"Club {state.club[:4]}", options=options, seasons=seasons)


def _leave(state: Club, event: MemberLeft, at_ms: int) -> Club:
    members = tuple(member for member in state.members if member.player != event.player)
    if event.reason != "removed":
        return replace(state, members=members)
    removed = (*state.removed, RemovedMember(event.player, at_ms))
    return replace(state, members=members, removed=removed[-MAX_REMOVED:])
