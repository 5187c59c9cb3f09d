"""Repository of the matches in memory: finds them, restores them on first access, and unloads them when idle."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from diskwars_engine.branches import position_faults, position_terms
from diskwars_engine.match import AnyRules
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.match_log import LogError, MatchLog, packs_of, ruleset_of
from diskwars_protocol.match.events import PositionSet
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.records.records import Record
from diskwars_server.broadcast.command_traffic import CommandTraffic
from diskwars_server.broadcast.feed import Feed
from diskwars_server.bus.bus import LISTINGS_SUBJECT
from diskwars_server.matches.game import Game
from diskwars_server.matches.live_matches import LiveMatches, LoadGame
from diskwars_server.matches.rules_on_offer import RulesOnOffer
from diskwars_server.matches.salts import make_salt_source
from diskwars_server.matches.services import Services
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal
from diskwars_server.store.admissions import MatchLock
from diskwars_server.store.errors import RecordsElsewhere, StoreUnavailable, UnknownMatch
from diskwars_server.store.match_index import Listing, MatchIndex
from diskwars_server.store.match_loading import load_in_pieces

log = logging.getLogger(__name__)

EntropyByPurpose: TypeAlias = Callable[[str], Callable[[int], bytes]]
"""A source of secret bytes for each purpose: `entropy(purpose)(16)` gives 16 of them."""

MAX_LIVE_MATCHES = 1024
"""Matches that are kept ready at once."""
MAX_RESTORATIONS_AT_ONCE = 4
"""Matches that are restored at the same time. Others wait their turn, so that an action of a match under way waits for
a few of them."""

MAX_FETCHES = 3
"""Of the records of one match: what was fetched may be gone again when its turn comes."""


class MatchRepository:
    """The matches of a database, as live games. Made inside a running event loop; `close` ends it."""

    def __init__(
        self,
        rules: RulesOnOffer,
        services: Services,
        index: MatchIndex,
        entropy: EntropyByPurpose,
        max_live_matches: int = MAX_LIVE_MATCHES,
    ) -> None:
        self._rules, self._services, self._index, self._entropy = rules, services, index, entropy
        self._live = LiveMatches(max_live_matches)
        self._restorations = asyncio.Semaphore(MAX_RESTORATIONS_AT_ONCE)

    def __len__(self) -> int:
        """Return how many matches are in memory."""
        return len(self._live)

    async def close(self) -> None:
        """End every match once it has answered what it has been asked. Once is enough."""
        await self._live.close()

    def is_live(self, match: MatchId) -> bool:
        """Return whether a match is in memory, or about to be: finding it reads nothing from the store."""
        return match in self._live

    def on_remote_end(self, match: MatchId, head: int) -> None:
        """Read a match up to record `head`, with which another process has ended it without notice to any node."""
        game = self._live.get(match)
        if game is not None:
            game.on_remote_append(head)
        self._services.listeners.notify(LISTINGS_SUBJECT, match.encode())

    def __iter__(self) -> Iterator[Game]:
        """Iterate over the matches that are ready in memory."""
        return iter(self._live)

    def watched(self) -> Iterator[Game]:
        """Iterate over the matches that somebody watches here."""
        return self._live.watched()

    def watched_feeds(self) -> Iterator[Feed]:
        """Iterate over the feeds of the matches that somebody watches here."""
        return (game.feed for game in self._live.watched())

    def count_watchers(self) -> int:
        """Return how many people without a seat watch a match here."""
        return self._services.watchers.count_here()

    @property
    def traffic(self) -> CommandTraffic:
        """The commands that matches work on now."""
        return self._services.traffic

    async def find_listing(self, match: MatchId) -> Listing | None:
        """Return the listing of a match; None if there is none. Raises StoreUnavailable."""
        listings = await self.find_listings([match])
        return listings[0] if listings else None

    async def find_listings(self, matches: Sequence[MatchId]) -> list[Listing]:
        """Return the listings of these matches, in any order. Raises StoreUnavailable."""
        return await self._index.find_listings(matches)

    async def find(self, match: MatchId) -> Game:
        """Return the live match, restored once however many ask. Raises Refusal and StoreUnavailable."""
        try:
            return await self._live.load(match, partial(self._restore_for_use, match))
        except UnknownMatch:
            raise Refusal("unknown_match", place="$.match") from None

    async def load_new(self, match: MatchId, opener: PlayerId, create: LoadGame) -> Game:
        """Return the match if it is live, otherwise make room for it and create it. Raises Refusal.

        Raises what `create` raises, too.
        """
        self._make_room_to_open(match, opener)
        return await self._live.load(match, create)

    # ---------------------------------------------------------------- room in memory

    def _make_room_to_open(self, match: MatchId, opener: PlayerId) -> None:
        """Make room for a new match, if need be at the cost of players who have opened several. Raises Refusal."""
        live = self._live
        if match in live or len(live) < live.limit or live.evict_idle() or live.evict_abandoned():
            return
        if not live.evict_unstarted(opened_by_more_than=live.count_unstarted(opener) + 1):
            raise self._full_refusal()

    async def _restore_for_use(self, match: MatchId) -> Game:
        """Restore a match; its bots go on."""
        game = await self._restore_with_room(match)
        game.enqueue_bot_turn()
        return game

    async def _restore_with_room(self, match: MatchId) -> Game:
        """Restore a match if there is room for it. Raises Refusal.

        What matters more goes first: a match under way is loaded though the server is full, so that strangers who hold
        all places keep nobody from playing on. Beyond twice the number of matches, another one makes room.
        """
        live = self._live
        if len(live) > 2 * live.limit and not (live.evict_idle() or live.evict_abandoned() or live.evict_quietest()):
            raise self._full_refusal()
        game = await self._restore_in_turn(match)
        if len(live) <= live.limit or live.evict_idle() or live.evict_abandoned():
            return game
        is_running = game.state.status == "running"
        own = 0 if is_running else live.count_unstarted(game.opener) + 1
        if live.evict_unstarted(opened_by_more_than=own) or is_running:
            return game
        game.retire()
        raise self._full_refusal()

    async def _restore_in_turn(self, match: MatchId) -> Game:
        """Restore a match while few others are; what is in the archive is fetched before, without holding them up."""
        for _ in range(MAX_FETCHES):
            async with self._restorations:
                with contextlib.suppress(RecordsElsewhere):
                    return await self.restore(match)
            await self._services.events.fetch(match)
        raise StoreUnavailable("the archive is busy: other matches are read before this one is used")

    def _full_refusal(self) -> Refusal:
        text = f"{self._live.limit} matches are being played"
        return Refusal("busy", text, retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)

    # ---------------------------------------------------------------- restoring

    async def restore(self, match: MatchId) -> Game:
        """Build a match from the store. Raises UnknownMatch, LogError, RecordsElsewhere and StoreUnavailable."""
        # Secrets are forgotten after the last record is stored, so they are asked for first.
        kept = await self._services.vault.secrets(match)
        records = await self._services.events.read_near(match)
        rules = self._rules.find_opened(ruleset_of(records[0]), packs_of(records[0]))
        if rules is None:
            raise LogError(f"match {match}: there is no ruleset {ruleset_of(records[0])}")
        stored = await self._load_log(rules, match, records)
        secrets = None
        if stored.state.status != "ended":
            if "far_end" not in kept:
                raise LogError(f"match {match}: its secrets are missing")
            secrets = MatchSecrets(kept["far_end"], kept["deal"])
        elif "far_end" in kept:  # published with the last record; a server that died right after it left them lying
            await self._services.vault.forget_secrets(match)
        salts = make_salt_source(self._entropy(f"match {match} after {stored.head}"))
        log.info("match restored", extra={"match": match, "head": stored.head, "status": stored.state.status})
        importer = await self._find_importer(stored)
        game = Game(stored, secrets, salts, self._services, lock=MatchLock.from_secrets(kept))
        game.rights.importer = importer
        if secrets is not None and (fault := _position_fault(stored, records[0])):
            game.stop_overloaded(f"its position is none to which a match can have come, {fault}")
            await game.wait_idle()  # nothing else is done in it before
        return game

    async def _load_log(self, rules: AnyRules, match: MatchId, records: Sequence[Record]) -> MatchLog:
        try:
            return await load_in_pieces(rules, match, records)
        except LogError:
            self._services.metrics.count_verify_failure()
            raise

    async def _find_importer(self, stored: MatchLog) -> PlayerId | None:
        """Return the importer of an imported match whose `watchers` are "none"; None for every other match."""
        if stored.state.status != "ended" or stored.state.match_options.watchers != "none":
            return None
        listing = await self.find_listing(stored.codec.match)
        return PlayerId(stored.opener) if listing is not None and listing.imported else None


def _position_fault(stored: MatchLog, first: Record) -> str:
    """Return what is wrong with the position of a branch: an earlier version may have stored any. Empty if nothing."""
    state, rules = stored.state, stored.codec.rules
    if state.match_options.branch_of is None or state.rules_version != rules.ruleset.rules_version:
        return ""
    position = next(
        (event.position for event in stored.codec.body(first).events if isinstance(event, PositionSet)), None
    )
    if position is None:
        return ""
    terms = position_terms(rules.ruleset, state.settings, len(state.seats), state.packs)
    return next(iter(position_faults(rules.ruleset, position, terms)), "")
