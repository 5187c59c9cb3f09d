"""The matches of a server: open, list, restore on first access, and unload when idle."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from msgspec import Raw, Struct
from msgspec.structs import replace

from diskwars_engine.branches import BranchStart
from diskwars_engine.match import AnyRules, MatchOpening
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.match_log import LogError, MatchLog, packs_of, ruleset_of
from diskwars_engine.record_codec import RecordMeta, Salts, SealedRecord
from diskwars_engine.ruleset import AnyRuleset, Illegal, RandomSource
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.match.match_options import BranchPoint, MatchOptions, Visibility
from diskwars_protocol.match.ruleset_settings import ruleset_settings
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.messages.catalogues import ArmyChecked, CatalogueResponse, CheckArmy, GetCatalogue
from diskwars_protocol.messages.handshake import RulesetSummary
from diskwars_protocol.messages.lists import FollowMatches, ListMatches, MatchList, SearchMatches
from diskwars_protocol.messages.match_summary import MatchSummary
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.records import Record
from diskwars_protocol.suggestions import json_quote, suggest
from diskwars_server.broadcast.command_traffic import CommandTraffic
from diskwars_server.broadcast.feed import Feed
from diskwars_server.bus.bus import LISTINGS_SUBJECT
from diskwars_server.matches.catalogues import CatalogueCache
from diskwars_server.matches.game import Game
from diskwars_server.matches.list_pages import find_search_place, match_before, search_page
from diskwars_server.matches.listings import make_listing
from diskwars_server.matches.live_matches import LiveMatches
from diskwars_server.matches.pack_choices import NO_VARIANTS, PackChoices, Variants
from diskwars_server.matches.salts import make_salt_source
from diskwars_server.matches.services import Services
from diskwars_server.matches.summaries import filter_of, summary_of
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal, decode_or_refuse, json_decoder
from diskwars_server.store.admissions import OPEN, MatchLock
from diskwars_server.store.errors import DuplicateCommand, OutcomeUnknown, UnknownMatch, WrongVersion
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.match_index import HistoryQuery, Listing, MatchIndex
from diskwars_server.store.match_loading import load_in_pieces

log = logging.getLogger(__name__)

EntropyByPurpose: TypeAlias = Callable[[str], Callable[[int], bytes]]
"""A source of secret bytes for each purpose: `entropy(purpose)(16)` gives 16 of them."""

MAX_LIVE_MATCHES = 1024
"""Matches that are kept ready at once."""
MAX_OPEN_MATCHES_PER_PLAYER = 50
"""Matches that one player may have opened and that have not ended."""
MAX_OPENINGS_AT_ONCE = 2
"""Matches that are opened at the same time. Others wait their turn, so that an action of a match under way waits for a
few of them and not for all that strangers ask for."""
MAX_RESTORATIONS_AT_ONCE = 4
"""Matches that are restored at the same time, likewise."""
SECRET_BYTES = 32
RANDOM_BYTES = 16
NO_BOTS: Mapping[str, tuple[str, ...]] = MappingProxyType({})


class MatchOrigin(Struct, frozen=True):
    """Which match a new one follows: as a rematch, or as a branch that plays on from a moment of it.

    `make_branch` returns the position of a branch; it draws what is hidden with what it is given. A match that
    `is_unlisted` is in nobody's lists but those of its opener and players, whatever its options say.
    """

    rematch_of: MatchId | None = None
    branch_of: BranchPoint | None = None
    make_branch: Callable[[RandomSource], BranchStart] | None = None
    is_unlisted: bool = False


NO_ORIGIN = MatchOrigin()


class _SecretRandom:
    """Random numbers from a source of secret bytes: nobody can foresee what a branch draws."""

    def __init__(self, stream: Callable[[int], bytes]) -> None:
        self._stream = stream

    def randrange(self, stop: int, /) -> int:
        return int.from_bytes(self._stream(RANDOM_BYTES)) % stop  # as even as anybody can tell


Admit: TypeAlias = Callable[[], Refusal | None]
MakeLock: TypeAlias = Callable[[], Awaitable[MatchLock]]


async def leave_open() -> MatchLock:
    """Let everybody enter the match."""
    return OPEN


class Lobby:
    """All matches of a database. Made inside a running event loop; `close` ends it."""

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
        """`repeatable` says that the entropy follows from a seed: the matches say so, for their dice prove nothing.

        `max_open_matches_per_player` limits the unfinished matches that a player has opened; 0 means no limit.
        `bots` are those that the server can seat, by ruleset; `variants` are rulesets with fewer packs.
        """
        self._rules = PackChoices(rulesets, variants)
        self._catalogues = CatalogueCache()
        self._services, self._matches, self._entropy = services, matches, entropy
        self._repeatable, self._max_open_matches_per_player = repeatable, max_open_matches_per_player
        self._live, self._bots = LiveMatches(max_live_matches), bots
        self._openings = asyncio.Semaphore(MAX_OPENINGS_AT_ONCE)
        self._restorations = asyncio.Semaphore(MAX_RESTORATIONS_AT_ONCE)
        self._opened = 0
        self._is_closing = False

    @property
    def traffic(self) -> CommandTraffic:
        """The commands that matches work on now."""
        return self._services.traffic

    @property
    def live_matches(self) -> int:
        """How many matches are in memory."""
        return len(self._live)

    def stop_opening(self) -> None:
        """Open no new match from now on: this server is about to end."""
        self._is_closing = True

    @property
    def rulesets(self) -> tuple[RulesetSummary, ...]:
        return tuple(
            RulesetSummary(
                name,
                tuple(self._rules_of(name).ruleset.seat_counts),
                self._bots.get(name, ()),
                self._rules.optional_packs(name),
                self._rules.pack_names(name),
            )
            for name in self._rules
        )

    def usual_bot(self, ruleset: str) -> str | None:
        """Return the bot that plays in the place of people; None where this server seats no bots."""
        return next(iter(self._bots.get(ruleset, ())), None)

    async def close(self) -> None:
        """Every match answers what it has been asked, and ends. Once is enough."""
        await self._live.close()

    async def list_matches(self, request: ListMatches | FollowMatches, viewer: PlayerId) -> MatchList:
        """Return one page of the matches that a player may see in the list. Raises Refusal and StoreUnavailable."""
        page = request.page if isinstance(request, ListMatches) else None
        before = None if page is None else match_before(page)
        # One more than the page holds tells whether another follows.
        listings = await self._matches.list_matches(
            request.status, request.limit + 1, before, viewer, filter_of(request, viewer)
        )
        shown, is_last = listings[: request.limit], len(listings) <= request.limit
        next_page = None if is_last else f"{shown[-1].created_ms}.{shown[-1].match}"
        return MatchList(request.id, tuple(self._summary_of(listing, viewer) for listing in shown), next_page)

    async def search_matches(self, request: SearchMatches, query: HistoryQuery) -> MatchList:
        """Return one page of the ended matches that a search finds. Raises Refusal and StoreUnavailable."""
        if request.ruleset is not None:
            self._rules_of(request.ruleset)
        before = None if request.page is None else await find_search_place(self._matches, request.page)
        page = await self._matches.search(query, request.limit, before)
        shown = tuple(self._summary_of(listing, query.viewer or "") for listing in page.listings)
        return MatchList(request.id, shown, None if page.next is None else search_page(page.next))

    def _summary_of(self, listing: Listing, viewer: str) -> MatchSummary:
        usual = self._services.usual_settings.get(listing.ruleset, {})
        return summary_of(listing, viewer, self._services.watchers.count(MatchId(listing.match)), usual)

    async def find_listing(self, match: MatchId) -> Listing | None:
        """Return what lists would show of a match; None if there is none. Raises StoreUnavailable."""
        found = await self.find_listings([match])
        return found[0] if found else None

    async def find_listings(self, matches: Sequence[MatchId]) -> list[Listing]:
        """Return what lists would show of these matches, in any order. Raises StoreUnavailable."""
        return await self._matches.find_listings(matches)

    def publish_listing(self, match: MatchId) -> None:
        """Let those who follow lists know that the listing of a match has changed, or is gone."""
        self._services.publish_listing(match)

    def note_ended(self, match: MatchId, head: int) -> None:
        """Another process has ended a match with record `head`, which it told no node: this node looks for itself."""
        game = self._live.get(match)
        if game is not None:
            game.on_remote_append(head)
        self._services.listeners.notify(LISTINGS_SUBJECT, match.encode())

    # ---------------------------------------------------------------- rulesets

    def catalogue(self, request: GetCatalogue) -> CatalogueResponse:
        """What a ruleset is played with here. Raises Refusal."""
        found = self._catalogues.get(self._choose_rules(request.ruleset, request.packs).ruleset)
        if found.hash == request.hash:
            return CatalogueResponse(request.id, request.ruleset, found.hash, unchanged=True)
        return CatalogueResponse(request.id, request.ruleset, found.hash, content=Raw(found.content))

    def check_army(self, request: CheckArmy) -> ArmyChecked:
        """Every fault of a loadout. Raises Refusal for packs, settings or a loadout that cannot be read."""
        rules = self._choose_rules(request.ruleset, request.packs)
        settings = self._read_settings(rules, request.settings)
        vocabulary = rules.vocabulary
        loadout = decode_or_refuse(request.loadout, json_decoder(vocabulary.loadout), "bad_action", "$.loadout")
        try:
            check = rules.ruleset.check_loadout(settings, loadout)
        except Illegal as illegal:
            raise Refusal.from_illegal(illegal) from None
        if check.loadout is None:
            # The default itself: msgspec leaves out a default of this type only if it is the same object.
            return ArmyChecked(request.id, request.ruleset, check.faults)
        return ArmyChecked(request.id, request.ruleset, check.faults, Raw(encode_canonical(check.loadout)))

    def _rules_of(self, ruleset: str) -> AnyRules:
        rules = self._rules.find(ruleset)
        if rules is None:
            problem = f"there is no ruleset {json_quote(ruleset)} here{suggest(ruleset, tuple(self._rules))}"
            raise Refusal("unknown_ruleset", problem, "$.ruleset")
        return rules

    def _choose_rules(self, ruleset: str, packs: Sequence[str] | None) -> AnyRules:
        self._rules_of(ruleset)
        return self._rules.choose(ruleset, packs)

    def packs_again(self, state: AnyMatch) -> tuple[str, ...] | None:
        """Return the packs to open a match like this one with; None is all that the server has."""
        return self._rules.packs_again(state)

    def _read_settings(self, rules: AnyRules, raw: Raw) -> Any:
        kind = rules.vocabulary.settings
        settings = decode_or_refuse(raw, json_decoder(kind), "bad_settings", "$.settings")
        for setting in ruleset_settings(kind):  # readers of records take ids that are not known here
            value = getattr(settings, setting.id)
            if setting.values and value not in setting.values:
                problem = f"Invalid enum value '{value}'{suggest(str(value), [str(known) for known in setting.values])}"
                raise Refusal("bad_settings", problem, f"$.settings.{setting.id}")
        return settings

    # ---------------------------------------------------------------- finding

    def is_live(self, match: MatchId) -> bool:
        """Return whether a match is in memory, or about to be: finding it reads nothing from the store."""
        return match in self._live

    async def find(self, match: MatchId) -> Game:
        """Return the live match, restored once however many ask. Raises Refusal and StoreUnavailable."""
        try:
            return await self._live.load(match, partial(self._restore_for_use, match))
        except UnknownMatch:
            raise Refusal("unknown_match", place="$.match") from None

    def watched(self) -> Iterator[Game]:
        """Iterate over the matches that somebody watches here."""
        return self._live.watched()

    def watched_feeds(self) -> Iterator[Feed]:
        """Iterate over the feeds of the matches that somebody watches here."""
        return (game.feed for game in self._live.watched())

    def count_watchers(self) -> int:
        """Return how many people without a seat watch a match here."""
        return self._services.watchers.count_here()

    # ---------------------------------------------------------------- room in memory

    def _make_room_to_open(self, match: MatchId, opener: PlayerId) -> None:
        """Make room for a new match, if need be at the cost of players who have opened several. Raises Refusal."""
        live = self._live
        if match in live or len(live) < live.limit or live.evict_idle() or live.evict_forsaken():
            return
        if not live.evict_unstarted(opened_by_more_than=live.count_unstarted(opener) + 1):
            raise self._full_refusal()

    async def _restore_for_use(self, match: MatchId) -> Game:
        """Restore a match; its bots go on."""
        game = await self._restore_with_room(match)
        game.call_bots()
        return game

    async def _restore_with_room(self, match: MatchId) -> Game:
        """Restore a match if there is room for it. Raises Refusal.

        What matters more goes first: a match under way is loaded though the server is full, so that strangers who hold
        all places keep nobody from playing on. Beyond twice the number of matches, another one makes room.
        """
        live = self._live
        if len(live) > 2 * live.limit and not (live.evict_idle() or live.evict_forsaken() or live.evict_quietest()):
            raise self._full_refusal()
        async with self._restorations:
            game = await self._restore(match)
        if len(live) <= live.limit or live.evict_idle() or live.evict_forsaken():
            return game
        is_running = game.state.status == "running"
        own = 0 if is_running else live.count_unstarted(game.opener) + 1
        if live.evict_unstarted(opened_by_more_than=own) or is_running:
            return game
        game.retire()
        raise self._full_refusal()

    def _full_refusal(self) -> Refusal:
        text = f"{self._live.limit} matches are being played"
        return Refusal("busy", text, retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)

    # ---------------------------------------------------------------- restoring

    async def _restore(self, match: MatchId) -> Game:
        # Secrets are forgotten after the last record is stored, so they are asked for first.
        kept = await self._services.vault.secrets(match)
        records = await self._services.events.read(match)
        rules = self._rules.find_opened(ruleset_of(records[0]), packs_of(records[0]))
        if rules is None:
            raise LogError(f"match {match}: there is no ruleset {ruleset_of(records[0])}")
        found = await self._load_log(rules, match, records)
        secrets = None
        if found.state.status != "ended":
            if "far_end" not in kept:
                raise LogError(f"match {match}: its secrets are missing")
            secrets = MatchSecrets(kept["far_end"], kept["deal"])
        elif "far_end" in kept:  # published with the last record; a server that died right after it left them lying
            await self._services.vault.forget_secrets(match)
        salts = make_salt_source(self._entropy(f"match {match} after {found.head}"))
        log.info("match restored", extra={"match": match, "head": found.head, "status": found.state.status})
        importer = await self._find_importer(found)
        game = Game(found, secrets, salts, self._services, lock=MatchLock.from_secrets(kept))
        game.feed.importer = importer
        return game

    async def _find_importer(self, log: MatchLog) -> PlayerId | None:
        """Return the importer of an imported match whose `watchers` are "none"; None for every other match."""
        if log.state.status != "ended" or log.state.match_options.watchers != "none":
            return None
        listing = await self.find_listing(log.codec.match)
        return PlayerId(log.opener) if listing is not None and listing.imported else None

    async def _load_log(self, rules: AnyRules, match: MatchId, records: Sequence[Record]) -> MatchLog:
        try:
            return await load_in_pieces(rules, match, records)
        except LogError:
            self._services.metrics.count_verify_failure()
            raise

    # ---------------------------------------------------------------- opening

    async def open(
        self,
        match: MatchId,
        request: OpenMatch,
        opener: PlayerId,
        admit: Admit = lambda: None,
        make_lock: MakeLock = leave_open,
        origin: MatchOrigin = NO_ORIGIN,
    ) -> Game:
        """A new match, or the one that the same command opened before. Raises Refusal and StoreUnavailable.

        `admit` counts a new match for the address that the opener comes from, or returns why it may have no other.
        `make_lock` makes what others need to enter it, once nothing else is wrong. `origin` says which match it
        follows, if any.
        """
        async with self._openings:
            return await self._open(match, request, opener, admit, make_lock, origin)

    async def _open(
        self,
        match: MatchId,
        request: OpenMatch,
        opener: PlayerId,
        admit: Admit,
        make_lock: MakeLock,
        origin: MatchOrigin,
    ) -> Game:
        if self._is_closing:
            text = "the server is about to restart: connect again, and open the match then"
            raise Refusal("unavailable", text, retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)
        rules = self._choose_rules(request.ruleset, request.packs)
        settings = self._read_settings(rules, request.settings)
        options = _read_options(request, origin)
        await self.require_open_match_quota(match, opener, admit)
        self._opened += 1
        stream = self._entropy(f"match {self._opened}")
        secrets, salts = MatchSecrets(stream(SECRET_BYTES), stream(SECRET_BYTES)), make_salt_source(stream)
        try:
            branch = None if origin.make_branch is None else origin.make_branch(_SecretRandom(stream))
        except Illegal as illegal:
            raise Refusal.from_illegal(illegal) from None
        opening = MatchOpening(
            match, settings, request.seat_count, opener, self._services.clock(), self._repeatable, options, branch
        )
        begun, record = _begin(rules, opening, secrets, request.id, salts)

        wanted, lock = begun.state, await make_lock()
        try:
            self._make_room_to_open(match, opener)
            game = await self._live.load(match, partial(self._create, begun, record, secrets, salts, lock))
        except UnknownMatch:
            text = "nobody knows whether the match was opened; ask again"
            raise Refusal("retry", text, retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS) from None
        # Passwords are not compared: that of the first command counts.
        if _opening_identity(game.state, game.lock) != _opening_identity(wanted, lock):
            raise Refusal("duplicate_differs", place="$.id")
        return game

    def check_opening(self, request: OpenMatch, opener: PlayerId) -> AnyMatch:
        """Return a match as this request would open it, and open none. Raises Refusal."""
        rules = self._choose_rules(request.ruleset, request.packs)
        settings, options = self._read_settings(rules, request.settings), _read_options(request, NO_ORIGIN)
        opening = MatchOpening(
            MatchId("checked"), settings, request.seat_count, opener, self._services.clock(), self._repeatable, options
        )
        secrets, salts = MatchSecrets(bytes(SECRET_BYTES), bytes(SECRET_BYTES)), make_salt_source(bytes)
        return _begin(rules, opening, secrets, request.id, salts)[0].state

    async def require_open_match_quota(self, match: MatchId, opener: PlayerId, admit: Admit) -> None:
        """Require that a player may open another match. Raises Refusal and StoreUnavailable.

        A match that is there already may always be asked for again. Of several at once a few more may be let in.
        """
        limit = self._max_open_matches_per_player
        if limit and await self._matches.count_unfinished(opener) >= limit:
            text = f"{limit} matches that you opened have not ended; end one of them first"
            refusal: Refusal | None = Refusal("too_many_open", text)
        else:
            refusal = admit()
        if refusal is not None and match not in await self._services.events.heads([match]):
            raise refusal

    async def _create(
        self, begun: MatchLog, record: SealedRecord, secrets: MatchSecrets, salts: Salts, lock: MatchLock
    ) -> Game:
        match = begun.codec.match
        append = AppendRequest(
            match=match,
            expected=0,
            record=record.record,
            secrets={"far_end": secrets.far_end, "deal": secrets.deal_secret, **lock.to_secrets()},
            listing=make_listing(begun.state, begun.opener, begun.opened_at_ms, begun.opened_at_ms),
        )
        try:
            await self._services.events.append(append)
        except (WrongVersion, DuplicateCommand, OutcomeUnknown):
            return await self._restore(match)  # it was opened before, by the same command, or nobody knows
        self._services.pays_for(begun.opener).add_opening(record.record.size)
        self._services.publish_listing(match)
        log.info("match opened", extra={"match": match, "ruleset": begun.state.ruleset})
        return Game(begun, secrets, salts, self._services, [record], lock)


def _begin(
    rules: AnyRules, opening: MatchOpening, secrets: MatchSecrets, command_id: str, salts: Salts
) -> tuple[MatchLog, SealedRecord]:
    """Return the log of a new match, and its first record. Raises Refusal."""
    try:
        return MatchLog.open(rules, opening, secrets, RecordMeta(opening.opener, command_id), salts)
    except Illegal as illegal:
        raise Refusal.from_illegal(illegal) from None


def _read_options(request: OpenMatch, origin: MatchOrigin) -> MatchOptions:
    """Return the options of a match that is to be opened. Raises Refusal."""
    options: MatchOptions = decode_or_refuse(
        request.match_options, json_decoder(MatchOptions), "bad_match_options", "$.match_options"
    )
    if options.rematch_of is not None:
        text = "the players of a match agree on a rematch by `offer_rematch`"
        raise Refusal("bad_match_options", text, "$.match_options.rematch_of")
    if options.branch_of is not None:
        text = "a match plays on from a moment of another by `branch_match`"
        raise Refusal("bad_match_options", text, "$.match_options.branch_of")
    visibility: Visibility = "link" if origin.is_unlisted else options.visibility
    return replace(options, visibility=visibility, rematch_of=origin.rematch_of, branch_of=origin.branch_of)


def _opening_identity(state: AnyMatch, lock: MatchLock) -> tuple[object, ...]:
    is_protected = bool(lock.password_hash), lock.invited_only
    packs, options = tuple(pack.id for pack in state.packs), state.match_options
    if options.branch_of is not None:
        # The other match may have ended since the first command: then the branch would be listed.
        options = replace(options, visibility="link")
    return state.ruleset, state.settings, len(state.seats), options, packs, is_protected
