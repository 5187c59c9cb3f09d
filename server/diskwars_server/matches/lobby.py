"""The matches of a server under one name: rules on offer, openings, matches in memory, and lists."""

from collections.abc import Iterator, Mapping, Sequence

from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.messages.catalogues import ArmyChecked, CatalogueResponse, CheckArmy, GetCatalogue
from diskwars_protocol.messages.handshake import RulesetSummary
from diskwars_protocol.messages.lists import FollowMatches, ListMatches, MatchList, SearchMatches
from diskwars_protocol.messages.match_summary import MatchSummary
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_server.broadcast.command_traffic import CommandTraffic
from diskwars_server.broadcast.feed import Feed
from diskwars_server.bus.bus import LISTINGS_SUBJECT
from diskwars_server.matches.game import Game
from diskwars_server.matches.list_pages import find_search_place, match_before, search_page
from diskwars_server.matches.openings import (
    MAX_OPEN_MATCHES_PER_PLAYER,
    NO_ORIGIN,
    Admit,
    MakeLock,
    MatchOrigin,
    Openings,
    leave_open,
)
from diskwars_server.matches.pack_choices import NO_VARIANTS, Variants
from diskwars_server.matches.repository import MAX_LIVE_MATCHES, EntropyByPurpose, MatchRepository
from diskwars_server.matches.rules_on_offer import NO_BOTS, RulesOnOffer
from diskwars_server.matches.services import Services
from diskwars_server.matches.summaries import filter_of, summary_of
from diskwars_server.store.match_index import HistoryQuery, Listing, MatchIndex


class Lobby:
    """All matches of a database. Made inside a running event loop; `close` ends it.

    `rules`, `openings` and `matches` are its parts; most methods pass their request on to one of them.
    """

    def __init__(
        self,
        rulesets: Mapping[str, AnyRuleset],
        services: Services,
        matches: MatchIndex,
        entropy: EntropyByPurpose,
        *,
        repeatable: bool = False,
        max_live_matches: int = MAX_LIVE_MATCHES,
        max_open_matches_per_player: int = MAX_OPEN_MATCHES_PER_PLAYER,
        bots: Mapping[str, tuple[str, ...]] = NO_BOTS,
        variants: Variants = NO_VARIANTS,
    ) -> None:
        self._services, self._index = services, matches
        self.rules = RulesOnOffer(rulesets, bots, variants)
        self.matches = MatchRepository(self.rules, services, matches, entropy, max_live_matches)
        self.openings = Openings(
            self.rules,
            self.matches,
            services,
            matches,
            entropy,
            repeatable=repeatable,
            max_open_matches_per_player=max_open_matches_per_player,
        )

    @property
    def traffic(self) -> CommandTraffic:
        """The commands that matches work on now."""
        return self._services.traffic

    async def close(self) -> None:
        """End every match once it has answered what it has been asked. Once is enough."""
        await self.matches.close()

    # ---------------------------------------------------------------- lists

    async def list_matches(self, request: ListMatches | FollowMatches, viewer: PlayerId) -> MatchList:
        """Return one page of the matches that a player may see in the list. Raises Refusal and StoreUnavailable."""
        page = request.page if isinstance(request, ListMatches) else None
        before = None if page is None else match_before(page)
        # One more than the page holds tells whether another follows.
        listings = await self._index.list_matches(
            request.status, request.limit + 1, before, viewer, filter_of(request, viewer)
        )
        shown, is_last = listings[: request.limit], len(listings) <= request.limit
        next_page = None if is_last else f"{shown[-1].created_ms}.{shown[-1].match}"
        return MatchList(request.id, tuple(self._summary_of(listing, viewer) for listing in shown), next_page)

    async def search_matches(self, request: SearchMatches, query: HistoryQuery) -> MatchList:
        """Return one page of the ended matches that a search finds. Raises Refusal and StoreUnavailable."""
        if request.ruleset is not None:
            self.rules.require(request.ruleset)
        before = None if request.page is None else await find_search_place(self._index, request.page)
        page = await self._index.search(query, request.limit, before)
        shown = tuple(self._summary_of(listing, query.viewer or "") for listing in page.listings)
        return MatchList(request.id, shown, None if page.next is None else search_page(page.next))

    def _summary_of(self, listing: Listing, viewer: str) -> MatchSummary:
        usual = self._services.usual_settings.get(listing.ruleset, {})
        return summary_of(listing, viewer, self._services.watchers.count(MatchId(listing.match)), usual)

    async def find_listing(self, match: MatchId) -> Listing | None:
        """Return what lists would show of a match; None if there is none. Raises StoreUnavailable."""
        listings = await self.find_listings([match])
        return listings[0] if listings else None

    async def find_listings(self, matches: Sequence[MatchId]) -> list[Listing]:
        """Return what lists would show of these matches, in any order. Raises StoreUnavailable."""
        return await self._index.find_listings(matches)

    def publish_listing(self, match: MatchId) -> None:
        """Let those who follow lists know that the listing of a match has changed, or is gone."""
        self._services.publish_listing(match)

    def note_ended(self, match: MatchId, head: int) -> None:
        """Another process has ended a match with record `head`, which it told no node: this node looks for itself."""
        self.matches.on_remote_end(match, head)
        self._services.listeners.notify(LISTINGS_SUBJECT, match.encode())

    # ---------------------------------------------------------------- rules on offer

    @property
    def rulesets(self) -> tuple[RulesetSummary, ...]:
        return self.rules.summaries

    def usual_bot(self, ruleset: str) -> str | None:
        """Return the bot that plays in the place of people; None where this server seats no bots."""
        return self.rules.usual_bot(ruleset)

    def catalogue(self, request: GetCatalogue) -> CatalogueResponse:
        """Return the catalogue of a ruleset, or that the client has it. Raises Refusal."""
        return self.rules.catalogue(request)

    def check_army(self, request: CheckArmy) -> ArmyChecked:
        """Return every fault of a loadout. Raises Refusal for packs, settings or a loadout that cannot be read."""
        return self.rules.check_army(request)

    def packs_again(self, state: AnyMatch) -> tuple[str, ...] | None:
        """Return the packs to open a match like this one with; None is all that the server has."""
        return self.rules.packs_again(state)

    # ---------------------------------------------------------------- matches in memory

    @property
    def live_matches(self) -> int:
        """How many matches are in memory."""
        return len(self.matches)

    def is_live(self, match: MatchId) -> bool:
        """Return whether a match is in memory, or about to be: finding it reads nothing from the store."""
        return self.matches.is_live(match)

    async def find(self, match: MatchId) -> Game:
        """Return the live match, restored once however many ask. Raises Refusal and StoreUnavailable."""
        return await self.matches.find(match)

    def watched(self) -> Iterator[Game]:
        """Iterate over the matches that somebody watches here."""
        return self.matches.watched()

    def watched_feeds(self) -> Iterator[Feed]:
        """Iterate over the feeds of the matches that somebody watches here."""
        return self.matches.watched_feeds()

    def count_watchers(self) -> int:
        """Return how many people without a seat watch a match here."""
        return self._services.watchers.count_here()

    # ---------------------------------------------------------------- opening

    def stop_opening(self) -> None:
        """Open no new match from now on: this server is about to end."""
        self.openings.stop()

    async def open(
        self,
        match: MatchId,
        request: OpenMatch,
        opener: PlayerId,
        admit: Admit = lambda: None,
        make_lock: MakeLock = leave_open,
        origin: MatchOrigin = NO_ORIGIN,
    ) -> Game:
        """Return a new match, or the one that the same command opened before. Raises Refusal and StoreUnavailable."""
        return await self.openings.open(match, request, opener, admit, make_lock, origin)

    def check_opening(self, request: OpenMatch, opener: PlayerId) -> AnyMatch:
        """Return a match as this request would open it, and open none. Raises Refusal."""
        return self.openings.check_opening(request, opener)

    async def require_open_match_quota(self, match: MatchId, opener: PlayerId, admit: Admit) -> None:
        """Require that a player may open another match. Raises Refusal and StoreUnavailable."""
        await self.openings.require_open_match_quota(match, opener, admit)
