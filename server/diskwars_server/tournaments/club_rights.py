"""Rights in tournaments of clubs, by the lists of clubs: who opens one, who enters it, and who sees it."""

from msgspec.structs import replace

from diskwars_protocol.tournaments.options import TournamentOptions
from diskwars_server.refusals import Refusal
from diskwars_server.store.clubs import ClubListing, Clubs

MAX_OWN_CLUBS = 64
"""More than a player may be in."""


class ClubRights:
    """Looks up the clubs of players. Every method may raise StoreUnavailable."""

    def __init__(self, store: Clubs) -> None:
        self._store = store

    async def find_own(self, player: str) -> dict[str, ClubListing]:
        """Return the clubs that a player is in."""
        own = await self._store.list_clubs(player, MAX_OWN_CLUBS, is_own=True)
        return {listing.club: listing for listing in own}

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
            return replace(options, template=replace(template, packs=allowed))
        if not set(template.packs) <= set(allowed):
            raise Refusal("bad_tournament", "the club does not play with these packs", "$.options.template.packs")
        return options

    async def require_member(self, club: str | None, player: str) -> None:
        """Raise Refusal for a player who is not in the club, if there is one."""
        if club is not None and club not in await self.find_own(player):
            raise Refusal("not_member", place="$.tournament")
