"""Rights in tournaments of clubs, by the lists of clubs: who opens one, organises it, enters it, and sees its club."""

from collections.abc import Callable, Collection, Iterable

from msgspec.structs import replace

from diskwars_protocol.tournaments.options import TournamentOptions
from diskwars_protocol.tournaments.state import Tournament
from diskwars_server.refusals import Refusal
from diskwars_server.store.clubs import ClubListing, Clubs, may_see_club

MAX_OWN_CLUBS = 64
"""More than a player may be in."""


class ClubRights:
    """Looks up the clubs of players. Every method that waits may raise StoreUnavailable."""

    def __init__(self, store: Clubs, packs_of: Callable[[str], Collection[str]]) -> None:
        """`packs_of` returns the content packs that this server has for a ruleset, beside its own."""
        self._store, self._packs_of = store, packs_of

    async def find_own(self, player: str) -> dict[str, ClubListing]:
        """Return the clubs that a player is in."""
        own = await self._store.list_clubs(player, MAX_OWN_CLUBS, is_own=True)
        return {listing.club: listing for listing in own}

    async def find(self, club: str | None) -> ClubListing | None:
        """Return a club as lists show it, also a closed one."""
        found = [] if club is None else await self._store.find_listings([club])
        return found[0] if found else None

    async def find_seen(self, clubs: Iterable[str], viewer: str) -> set[str]:
        """Return those clubs of which a player learns that they are there."""
        wanted = sorted({*clubs})
        found = await self._store.find_listings(wanted) if wanted else []
        return {listing.club for listing in found if may_see_club(listing, viewer)}

    async def complete(self, options: TournamentOptions, player: str) -> TournamentOptions:
        """Return the options with which a player may open a tournament, with the packs of its club. Raises Refusal."""
        if options.club is None:
            return options
        listing = (await self.find_own(player)).get(options.club)
        if listing is None:
            raise Refusal("unknown_club", place="$.options.club")
        if listing.members[player] == "member":
            raise Refusal("not_officer", place="$.options.club")
        if not listing.is_public and options.visibility == "public":
            text = "a tournament of a private club is by link: lists would show the club"
            raise Refusal("bad_tournament", text, "$.options.visibility")
        allowed, template = listing.packs, options.template
        if allowed is None:
            return options
        if template.packs is None:
            # A club names packs of several games; a match knows those of its own only.
            known = self._packs_of(template.ruleset)
            return replace(options, template=replace(template, packs=tuple(pack for pack in allowed if pack in known)))
        if not set(template.packs) <= set(allowed):
            raise Refusal("bad_tournament", "the club does not play with these packs", "$.options.template.packs")
        return options

    async def require_member(self, club: str | None, player: str, place: str = "$.tournament") -> None:
        """Raise Refusal for a player who is not in the club, if there is one."""
        if club is not None and club not in await self.find_own(player):
            raise Refusal("not_member", place=place)


def organisers_of(state: Tournament, club: ClubListing | None) -> Collection[str]:
    """Return the organisers of a tournament: in a club its leader and officers, and those who are still members."""
    # One that closed after its last member had gone has nobody else.
    if club is None or not club.members:
        return state.organisers
    return {player for player, role in club.members.items() if role != "member" or player in state.organisers}
