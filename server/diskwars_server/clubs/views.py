"""Clubs as a player may see them: strangers of a private one nothing, members who is here, officers the invitations."""

from collections.abc import Collection

from msgspec.structs import replace

from diskwars_protocol.clubs.state import Club
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.clubs import ClubInvitation, ClubSummary, ClubView
from diskwars_server.clubs.rules import is_valid
from diskwars_server.store.clubs import ClubListing, list_club

FIRST_ROWS = 3
"""Of the standings of each season: those of many would be more than a message holds."""


def view_of(id: str, state: Club, viewer: PlayerId, present: Collection[str], now_ms: int) -> ClubView:
    """Return a club as a player sees it who may. `present` are the members who are here and show it."""
    own = state.member(viewer)
    is_officer = own is not None and own.role != "member"
    invitations = tuple(
        ClubInvitation(known.invitation, known.by, known.created_ms, known.expires_ms)
        for known in state.invitations
        if is_officer and is_valid(known, now_ms)
    )
    return ClubView(
        id,
        state.club,
        state.name,
        state.options,
        state.created_ms,
        state.status,
        state.members,
        tuple(replace(season, standings=season.standings[:FIRST_ROWS]) for season in state.seasons),
        state.seq,
        None if own is None else own.role,
        () if own is None else tuple(member.player for member in state.members if member.player in present),
        invitations,
    )


def summary_of_club(state: Club, viewer: str) -> ClubSummary:
    return summary_of_listing(list_club(state), viewer)


def summary_of_listing(listing: ClubListing, viewer: str) -> ClubSummary:
    return ClubSummary(
        listing.club,
        listing.name,
        "public" if listing.is_public else "private",
        listing.entry,
        len(listing.members),
        listing.created_ms,
        listing.members.get(viewer),
        listing.season,
    )
