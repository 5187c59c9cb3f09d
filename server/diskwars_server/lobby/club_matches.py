"""Matches of clubs: which members open, whose lists show them, and who enters them."""

from collections.abc import Callable, Collection

from msgspec.structs import replace

from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_server.matches.ruleset_values import decode_or_refuse, json_decoder
from diskwars_server.refusals import Refusal
from diskwars_server.store.clubs import Clubs

MAX_OWN_CLUBS = 64
"""More than a player may be in."""
CLUB_FIELD = b'"club"'


class ClubMatches:
    """Looks up the clubs of players. Every method that waits may raise StoreUnavailable."""

    def __init__(self, store: Clubs, packs_of: Callable[[str], Collection[str]]) -> None:
        """`packs_of` returns the content packs that this server has for a ruleset, beside its own."""
        self._store, self._packs_of = store, packs_of

    async def find_own(self, player: str, club: str | None = None) -> tuple[str, ...]:
        """Return the open clubs that a player is in, or only this one of them."""
        own = [listing.club for listing in await self._store.list_clubs(player, MAX_OWN_CLUBS, is_own=True)]
        return tuple(known for known in own if club in (None, known))

    async def complete(self, request: OpenMatch, player: str) -> OpenMatch | None:
        """Return a request that opens a match of a club, with the packs of this club; None for a match of no club.

        Raises Refusal.
        """
        if CLUB_FIELD not in bytes(request.match_options):  # most matches: their options are not decoded twice
            return None
        options: MatchOptions = decode_or_refuse(
            request.match_options, json_decoder(MatchOptions), "bad_match_options", "$.match_options"
        )
        if options.club is None:
            return None
        own = await self._store.list_clubs(player, MAX_OWN_CLUBS, is_own=True)
        listing = next((listing for listing in own if listing.club == options.club), None)
        if listing is None:
            raise Refusal("not_member", place="$.match_options.club")
        if request.password is not None:
            raise Refusal("bad_match_options", "members of the club need no password", "$.password")
        if listing.packs is None:
            return request
        if request.packs is None:
            # A club names packs of several games; a match knows those of its own only.
            known = self._packs_of(request.ruleset)
            return replace(request, packs=tuple(pack for pack in listing.packs if pack in known))
        if not set(request.packs) <= set(listing.packs):
            raise Refusal("bad_match_options", "the club does not play with these packs", "$.packs")
        return request
