"""One connected user: who they are, which matches they watch, and the response to every request.

Frames come in by `Session.receive` and go out by the outbox. Sockets, records and rules are left to others.
"""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine, Sequence
from functools import partial
from time import monotonic
from typing import TypeAlias, assert_never

import msgspec
from msgspec import Struct

from diskwars_protocol.connection.connection import ConnectionState, ProtocolError
from diskwars_protocol.match.actions import Kick
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages import Query
from diskwars_protocol.messages.accounts import (
    AccountChanged,
    AccountRequest,
    ChangePassword,
    DeleteAccount,
    GetPlayers,
    ListDevices,
    LogIn,
    LogOut,
    Register,
    Rename,
    RevokeDevice,
)
from diskwars_protocol.messages.branches import BranchMatch, BranchOpened
from diskwars_protocol.messages.catalogues import CheckArmy, GetCatalogue
from diskwars_protocol.messages.chat import (
    ChatMatchRequest,
    ChatRequest,
    GetChat,
    JoinChat,
    ListMutedPlayers,
    MutePlayer,
    SendChat,
)
from diskwars_protocol.messages.decisions import Act, GetOptions, OptionsResponse
from diskwars_protocol.messages.files import FileRequest, FinishImport, ImportPart, StartImport
from diskwars_protocol.messages.handshake import (
    DEFAULT_CLIENT_LIMITS,
    PROTOCOL_VERSION,
    ClientLimits,
    Hello,
    ResumeRequest,
    Welcome,
)
from diskwars_protocol.messages.history import GetRecords
from diskwars_protocol.messages.lists import FollowMatches, ListMatches, SearchMatches, Unfollowed, UnfollowMatches
from diskwars_protocol.messages.lobby import (
    CreateInvite,
    EnterMatch,
    ListInvites,
    LobbyRequest,
    LobbyResponse,
    RevokeInvite,
    UseInvite,
)
from diskwars_protocol.messages.opening import CloseMatch, Opened, OpenMatch
from diskwars_protocol.messages.ratings import GetArmyStatistics, GetLeaderboard, GetPlayerStatistics, RatingRequest
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.rematches import DeclineRematch, OfferRematch, Rematch, RematchRequest
from diskwars_protocol.messages.reports import ReportPlayer
from diskwars_protocol.messages.seats import KickPlayer, SeatBot
from diskwars_protocol.messages.seeks import SeekMatch, StopSeeking
from diskwars_protocol.messages.watching import Unwatch, Unwatched, Watch
from diskwars_protocol.records.fairness import CLOSE_DIGEST
from diskwars_server.bots.seats import BotSeats
from diskwars_server.broadcast.outbox import Outbox, OutboxClosed
from diskwars_server.community.chat import ChatService, ChatUser
from diskwars_server.community.ratings import RatingService
from diskwars_server.community.reports import ReportService
from diskwars_server.limits.address_quotas import AddressQuotas, make_unlimited
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.lobby.branches import Branches
from diskwars_server.lobby.feed import LobbyFeed
from diskwars_server.lobby.history_search import HistorySearch
from diskwars_server.lobby.imports import BUSY_RETRY_AFTER_MS, MatchImports
from diskwars_server.lobby.match_access import MatchEntry
from diskwars_server.lobby.quick_matches import QuickMatches
from diskwars_server.lobby.rematches import Rematches, RematchQuotas
from diskwars_server.matches.game import Game
from diskwars_server.matches.grace_times import GraceTimes
from diskwars_server.matches.inbox import PendingCommand
from diskwars_server.matches.lobby import Lobby
from diskwars_server.matches.ruleset_values import digest_action
from diskwars_server.matches.services import Clock
from diskwars_server.monitoring.metrics import Metrics
from diskwars_server.players.accounts import DEVICE_TOKEN_PREFIX, AccountService, LoggedInDevice
from diskwars_server.players.tokens import TokenError, TokenIssuer
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal, describe_fault
from diskwars_server.session.handover import Mover
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.match_index import Listing

log = logging.getLogger(__name__)

MatchRequest: TypeAlias = (
    CloseMatch | SeatBot | KickPlayer | Watch | Unwatch | GetRecords | ChatMatchRequest | ReportPlayer
)
WaitingRequest: TypeAlias = (
    OpenMatch | CloseMatch | SeatBot | KickPlayer | Watch | Unwatch | GetRecords | Query | AccountRequest
)
"""The requests that may have to wait for something."""
MAX_QUERIES_AT_ONCE = 2
"""Lists, searches, ratings, catalogues and checks of armies that are worked on at once; others wait their turn."""
MAX_RESUMED_RECORDS = 64
"""A watch that asks for no more goes on with a match; it waits less for what others at its address were sent."""
Waiting: TypeAlias = Coroutine[None, None, None]


class SessionContext(Struct, frozen=True):
    """What every session of a server uses. `server_name` is what it calls itself in `Welcome`."""

    lobby: Lobby
    lobby_feed: LobbyFeed
    histories: HistorySearch
    entry: MatchEntry
    ratings: RatingService
    chat: ChatService
    reports: ReportService
    rematches: Rematches
    branches: Branches
    quick_matches: QuickMatches
    accounts: AccountService
    tokens: TokenIssuer
    clock: Clock
    limits: ClientLimits = DEFAULT_CLIENT_LIMITS
    server_name: str | None = None
    bot_seats: BotSeats | None = None
    imports: MatchImports | None = None
    graces: GraceTimes | None = None
    quotas: AddressQuotas = msgspec.field(default_factory=make_unlimited)
    metrics: Metrics = msgspec.field(default_factory=Metrics)
    queries: asyncio.Semaphore = msgspec.field(default_factory=lambda: asyncio.Semaphore(MAX_QUERIES_AT_ONCE))


class Session:
    """The user of one connection."""

    def __init__(
        self, context: SessionContext, outbox: Outbox, address: str = UNKNOWN, mover: Mover | None = None
    ) -> None:
        """`address` is where the user comes from, as quotas count it; `mover` moves the connection between workers."""
        self._address, self._mover = address, mover
        self._context, self._outbox, self._connection = context, outbox, outbox.connection
        self._games: dict[MatchId, Game] = {}
        self._user = LoggedInDevice(PlayerId(""))
        self._import: asyncio.Task[None] | None = None
        self.last_message_at = monotonic()
        outbox.usage = context.quotas.usage_of(address)

    @property
    def player(self) -> PlayerId:
        """Who this is; empty before the welcome."""
        return self._user.player

    @property
    def is_playing(self) -> bool:
        """Whether the user has a seat in an unfinished match that is watched here."""
        unfinished = (game.state for game in self._games.values() if game.state.status != "ended")
        return any(seat.player == self.player for state in unfinished for seat in state.seats)

    def go_on(self, user: LoggedInDevice, follow: FollowMatches | None) -> None:
        """Go on with a user whom another worker has welcomed, and with the list that they follow."""
        self._user = user
        self._note_connection()
        if follow is not None:
            self._context.lobby_feed.go_on(self._outbox, user.player, follow)

    async def confirm_welcome(self) -> bool:
        """Return whether a connection goes on; close it if its user was banned or logged out on the way here.

        Each worker closes the connections it knows: on its way this one was nobody's, and since `go_on` it is ours.
        """
        if not self.player:
            return True  # hello is yet to come, and asks
        try:
            await self._context.accounts.require_logged_in(self._user)
        except TokenError as fault:
            self._outbox.close(fault.close_reason, str(fault))
            return False
        except StoreUnavailable:
            text = "tokens cannot be checked now: reconnect in a moment"
            self._outbox.close("going_away", text, UNAVAILABLE_RETRY_AFTER_MS)
            return False
        return True

    def receive(self, frame: str | bytes) -> Waiting | None:
        """Handle one frame. Await what this returns before the next one; None: it is done.

        Acts never wait: they are on their way to their match when this returns. Raises OutboxClosed.
        """
        if self._connection.state is ConnectionState.CLOSED:
            return None  # sent before the client knew: not an error (RFC 6455, section 1.4)
        self.last_message_at = monotonic()
        try:
            message = self._connection.receive(frame)
        except ProtocolError as fault:
            self._outbox.close_with(fault.to_message())
            return None
        match message:
            case Refused():
                self._outbox.send(message)
            case Act() | GetOptions():
                self._handle_now(message)
            case Hello():
                return self._handle_hello(message)
            case _:
                return self._handle_waiting_request(message)
        return None

    def close(self) -> None:
        """Detach from every match; commands in flight are still executed."""
        for game in self._games.values():
            was_watching = self._outbox in game.feed
            game.feed.unsubscribe(self._outbox)
            if was_watching and self._context.graces is not None:
                self._context.graces.on_connection_lost(game, self.player)
        self._games.clear()
        if self._import is not None:
            self._import.cancel()
        if self._context.imports is not None:
            self._context.imports.abandon(self._outbox)
        self._context.lobby_feed.unfollow(self._outbox)
        self._context.chat.leave(self._outbox)
        self._context.accounts.connected.remove(self.player, self._outbox)

    # ---------------------------------------------------------------- hello

    async def _handle_hello(self, hello: Hello) -> None:
        connected = self._context.accounts.connected
        try:
            revocations = -1
            while revocations != connected.revocations:  # what was read may be out of date by now
                revocations = connected.revocations
                self._user = await self._identify(hello.token or "")
                if await self._move_to_home(*(resume.match for resume in hello.resume)):
                    return
        except TokenError as fault:
            self._outbox.close(fault.close_reason, str(fault))
            return
        except StoreUnavailable:
            # Nobody is logged out by an outage: the client reconnects with the token that it has.
            text = "tokens cannot be checked now: reconnect in a moment"
            self._outbox.close("going_away", text, UNAVAILABLE_RETRY_AFTER_MS)
            return
        if self._outbox.is_closed:
            return
        self._note_connection()
        self._outbox.send(
            Welcome(
                version=PROTOCOL_VERSION,
                player=self.player,
                # A device keeps its token, which is stored; that of a guest says when it was made.
                token=hello.token if hello.token and self._user.device else self._context.tokens.issue(self.player),
                server_time_ms=self._context.clock(),
                rulesets=self._context.lobby.rulesets,
                limits=self._connection.limits,
                server=self._context.server_name,
                account=self._user.account,
            )
        )
        for resume in hello.resume:
            await self._resume(resume)

    def _note_connection(self) -> None:
        self._context.accounts.connected.add(self.player, self._user.device, self._outbox)
        if self._user.device:
            self._outbox.usage.writer = self.player
        self._context.quotas.note_writer(self.player, self._outbox.usage.writer, self._address)

    async def _identify(self, token: str) -> LoggedInDevice:
        """Return whose token this is, a new guest without one. Raises TokenError and StoreUnavailable."""
        accounts = self._context.accounts
        if not token:
            return LoggedInDevice(self._context.tokens.make_guest())
        if token.startswith(DEVICE_TOKEN_PREFIX):
            return await accounts.find_device(token, self._address)
        player = self._context.tokens.verify(token)
        await accounts.require_guest(player)
        return LoggedInDevice(player)

    async def _resume(self, resume: ResumeRequest) -> None:
        try:
            if resume.match in self._connection.watched:
                raise Refusal("bad_resume", "the match is taken up already")
            self._context.metrics.count_resume()
            await self._watch(
                Watch(
                    "",
                    resume.match,
                    resume.after,
                    resume.reveal_secrets,
                    resume.snapshot,
                    push_options=resume.push_options,
                    include_unavailable=resume.include_unavailable,
                    push_openings=resume.push_openings,
                )
            )
        except Exception as fault:
            self._refuse(None, fault, resume.match)

    # ---------------------------------------------------------------- requests that may wait

    async def _handle_waiting_request(self, request: WaitingRequest) -> None:
        match_id = request.match if isinstance(request, MatchRequest) else None
        try:
            await self._execute_waiting_request(request)
        except Exception as fault:
            self._refuse(request.id, fault, match_id)

    async def _execute_waiting_request(self, request: WaitingRequest) -> None:
        match request:
            case Watch():
                # Looking for the home reads the store. Without a query left the match has to be in memory here anyway.
                if self._context.quotas.query_wait_ms(self._address) or not await self._move_to_home(request.match):
                    await self._watch(request)
            case GetRecords():
                self._require_history_budget(is_resume=False)
                await self._watched_game(request.match).feed.send_range(self._outbox, request)
            case Unwatch():
                await self._unwatch(request)
            case OpenMatch():
                await self._open_match(request)
            case CloseMatch():
                game = await self._find_match(request.match)
                game.submit(PendingCommand(request.id, self.player, None, request, CLOSE_DIGEST, self._outbox))
            case SeatBot():
                await self._seat_bot(request)
            case KickPlayer():
                game, action = await self._find_match(request.match), Kick(request.seat)
                digest = digest_action(None, action, are_plain=True)
                game.submit(PendingCommand(request.id, self.player, None, action, digest, self._outbox))
            case ListMatches() | FollowMatches() | SearchMatches() | GetCatalogue() | CheckArmy():
                await self._answer_query(request)
            case GetLeaderboard() | GetPlayerStatistics() | GetArmyStatistics():
                await self._answer_query(request)
            case UnfollowMatches():
                self._context.lobby_feed.unfollow(self._outbox)
                self._outbox.send(Unfollowed(request.id))
            case JoinChat() | SendChat() | GetChat() | MutePlayer() | ListMutedPlayers() | ReportPlayer():
                await self._execute_chat_request(request)
            case (
                EnterMatch()
                | UseInvite()
                | CreateInvite()
                | ListInvites()
                | RevokeInvite()
                | OfferRematch()
                | DeclineRematch()
                | BranchMatch()
            ):
                self._outbox.send(await self._execute_lobby_request(request))
            case SeekMatch() | StopSeeking():
                await self._execute_seek_request(request)
            case StartImport() | ImportPart() | FinishImport():
                self._execute_file_request(request)
            case _:
                await self._execute_account_request(request)

    async def _execute_lobby_request(
        self, request: LobbyRequest | RematchRequest | BranchMatch
    ) -> LobbyResponse | Rematch | BranchOpened:
        self._count_query()
        entry = self._context.entry
        match request:
            case EnterMatch():
                return await entry.enter(self.player, self._address, request)
            case UseInvite():
                return await entry.use_invite(self.player, self._address, request)
            case CreateInvite():
                return await entry.create_invite(self.player, self._address, request)
            case ListInvites():
                self._require_history_budget(is_resume=True)
                return await entry.list_invites(self.player, request.match, request.id)
            case RevokeInvite():
                self._require_history_budget(is_resume=True)
                return await entry.revoke_invite(self.player, request)
            case OfferRematch():
                admit_bot = partial(self._context.quotas.admit_bot, self._address)
                quotas = RematchQuotas(self._admit_opening, admit_bot, lambda: self._outbox.usage)
                return await self._context.rematches.offer(self.player, request, quotas)
            case DeclineRematch():
                return await self._context.rematches.decline(self.player, request)
            case BranchMatch():
                make_lock = partial(entry.make_lock, request.password, request.invited_only, self._address)
                branches, usage = self._context.branches, self._outbox.usage
                return await branches.open(self.player, request, self._admit_opening, make_lock, usage)
            case _:
                assert_never(request)

    async def _execute_seek_request(self, request: SeekMatch | StopSeeking) -> None:
        self._count_query()
        quick_matches = self._context.quick_matches
        if isinstance(request, StopSeeking):
            self._outbox.send(await quick_matches.stop(self.player, request.id))
        else:
            self._outbox.send(await quick_matches.seek(self.player, request, self._admit_opening))

    async def _execute_chat_request(self, request: ChatRequest | ReportPlayer) -> None:
        self._count_query()
        if isinstance(request, JoinChat | GetChat):
            self._require_history_budget(is_resume=True)
        user = ChatUser(self.player, bool(self._user.device), self._address, self._outbox)
        if isinstance(request, MutePlayer | ListMutedPlayers):
            self._outbox.send(await self._context.chat.mute(user, request))
        elif isinstance(request, ReportPlayer):
            game = self._watched_game(request.match)
            self._outbox.send(await self._context.reports.report(user, game, request))
        else:
            self._outbox.send(await self._context.chat.answer(user, self._watched_game(request.match), request))

    def _execute_file_request(self, request: FileRequest) -> None:
        imports = self._context.imports
        if imports is None:
            raise Refusal("import_off")
        if self._import is not None and not self._import.done():
            text = "a file of yours is being verified"
            raise Refusal("too_many_imports", text, retry_after_ms=BUSY_RETRY_AFTER_MS)
        match request:
            case StartImport():
                self._outbox.send(imports.start(self._outbox, self._address, self._outbox.usage, request))
            case ImportPart():
                self._outbox.send(imports.add_part(self._outbox, request))
            case FinishImport():
                # Verifying takes seconds, and what else comes on this connection need not wait for it.
                self._import = asyncio.create_task(self._finish_import(imports, request), name="import")
            case _:
                assert_never(request)

    async def _finish_import(self, imports: MatchImports, request: FinishImport) -> None:
        outbox = self._outbox
        with contextlib.suppress(OutboxClosed):
            try:
                outbox.send(await imports.finish(outbox, self.player, self._address, outbox.usage, request))
            except Exception as fault:
                self._refuse(request.id, fault, None)

    async def _execute_account_request(self, request: AccountRequest) -> None:
        accounts, user = self._context.accounts, self._user
        match request:
            case Register():
                await self._register(request)
            case LogIn():
                self._outbox.send(await accounts.log_in(self._address, request))
            case LogOut():
                await accounts.log_out(user)
                self._outbox.send(AccountChanged(request.id))
                accounts.connected.close_device(self.player, user.device)
            case ListDevices():
                self._count_query()
                self._outbox.send(await accounts.list_devices(user, request.id))
            case RevokeDevice():
                await self._revoke_device(request)
            case ChangePassword():
                account = await accounts.change_password(user, self._address, request)
                self._outbox.send(AccountChanged(request.id, account))
            case Rename():
                self._count_query()
                self._outbox.send(AccountChanged(request.id, await accounts.rename(user, request)))
            case DeleteAccount():
                await accounts.delete(user, self._address, request)
                self._outbox.send(AccountChanged(request.id))
                accounts.connected.close_others(self.player)
            case GetPlayers():
                await self._answer_query(request)
            case _:
                assert_never(request)

    async def _answer_query(
        self,
        request: (ListMatches | FollowMatches | SearchMatches | GetCatalogue | CheckArmy | GetPlayers | RatingRequest),
    ) -> None:
        """Answer a request that anybody may send and that takes a while, once it is its turn."""
        self._count_query()
        self._require_history_budget(is_resume=True)
        lobby = self._context.lobby
        async with self._context.queries:
            if self._outbox.is_lost:
                return  # the client left while this waited
            match request:
                case ListMatches():
                    found = await lobby.list_matches(request, self.player)
                    self._outbox.send(await self._context.rematches.link(found) if request.mine else found)
                case FollowMatches():
                    await self._follow_matches(request)
                case SearchMatches():
                    self._outbox.send(await self._context.histories.search(self.player, self._address, request))
                case GetCatalogue():
                    self._outbox.send(lobby.catalogue(request))
                case CheckArmy():
                    self._outbox.send(lobby.check_army(request))
                case GetPlayers():
                    self._outbox.send(await self._context.accounts.get_players(request.id, request.players))
                case _:
                    self._outbox.send(await self._context.ratings.answer(self.player, self._address, request))

    def _count_query(self) -> None:
        """Count a request that reads a store. Raises Refusal for one too many."""
        if wait_ms := self._context.quotas.admit_query(self._address):
            raise _too_many_requests(wait_ms)

    async def _find_match(self, match: MatchId) -> Game:
        """Return a match. One that has to be read counts as a query, except a player's own match under way.

        Nobody is kept from going on with such a match after a restart, whatever their neighbours load.
        """
        if self._context.lobby.is_live(match):
            return await self._context.lobby.find(match)
        if wait_ms := self._context.quotas.query_wait_ms(self._address):
            raise _too_many_requests(wait_ms)
        is_own = False
        try:
            game = await self._context.lobby.find(match)
            state = game.state
            is_own = state.status != "ended" and (
                self.player == game.opener or game.rules.seat_of(state, self.player) is not None
            )
            return game
        finally:
            if not is_own:
                self._context.quotas.admit_query(self._address)

    async def _follow_matches(self, request: FollowMatches) -> None:
        feed = self._context.lobby_feed
        feed.follow(self._outbox, self.player, request)  # before the list is read, so that no change is missed
        try:
            found = await self._context.lobby.list_matches(request, self.player)
            self._outbox.send(found)
        except BaseException:
            feed.unfollow(self._outbox)
            raise
        feed.start(self._outbox, (shown.match for shown in found.matches))

    async def _revoke_device(self, request: RevokeDevice) -> None:
        accounts = self._context.accounts
        self._count_query()
        await accounts.revoke_device(self._user, request.device)
        try:
            self._outbox.send(await accounts.list_devices(self._user, request.id))
        finally:  # after the answer, as the device may be this one
            accounts.connected.close_device(self.player, request.device)

    async def _register(self, request: Register) -> None:
        accounts = self._context.accounts
        self._count_query()  # names that are taken are looked up, and count as no account
        signed_in = await accounts.register(self.player, self._address, request)
        self._user = LoggedInDevice(self.player, signed_in.account.name, signed_in.account.device)
        self._outbox.send(signed_in)
        if not self._outbox.is_closed:
            self._note_connection()
        # Other connections of this player proved it by the former token, which ended here.
        accounts.connected.close_others(self.player, self._user.device)

    async def _open_match(self, request: OpenMatch) -> None:
        self._require_watch_capacity()
        match = MatchId(self._context.tokens.derive_match_id(self.player, request.id))
        if await self._move_to_home(match, is_new=True):
            return
        make_lock = partial(self._context.entry.make_lock, request.password, request.invited_only, self._address)
        await self._context.lobby.open(match, request, self.player, self._admit_opening, make_lock)
        self._outbox.send(Opened(request.id, match))
        # The match exists now. A watch that fails is refused without an id, as `opened` has answered the request.
        try:
            await self._watch(
                Watch(
                    "",
                    match,
                    push_options=request.push_options,
                    include_unavailable=request.include_unavailable,
                    push_openings=request.push_openings,
                )
            )
        except Exception as fault:
            self._refuse(None, fault, match)

    def _admit_opening(self) -> Refusal | None:
        """Count a new match, or return why there may be none."""
        if wait_ms := self._outbox.usage.write_wait_ms(is_under_way=False):
            return Refusal("too_much_written", retry_after_ms=wait_ms)
        quotas = self._context.quotas
        if not quotas.admit_opening(self._address):
            text = "too many matches were opened from your address: one more may be opened after a while"
            return Refusal("too_many_open", text, retry_after_ms=quotas.opening_wait_ms(self._address))
        return None

    async def _seat_bot(self, request: SeatBot) -> None:
        """Hand over the command of the bot that takes a seat; the answer comes to this outbox."""
        if self._context.bot_seats is None:
            raise Refusal("unknown_bot", "this server seats no bots", "$.bot")
        await self._find_match(request.match)
        admit = partial(self._context.quotas.admit_bot, self._address)
        game, command = await self._context.bot_seats.prepare(request, self.player, admit)
        digest = digest_action(command.decision, command.action, game.rules.vocabulary.is_canonical)
        game.submit(PendingCommand(request.id, command.player, command.decision, command.action, digest, self._outbox))

    async def _watch(self, request: Watch) -> None:
        """Watch a match. On return it is followed live: everything sent later follows its backlog."""
        match = request.match
        if match not in self._connection.watched:
            self._require_watch_capacity()
        # A response must not come before its records, nor the records of one watch within those of the next.
        await self._outbox.wait_idle(allowed=1 if request.id else 0)
        game = await self._find_match(match)
        await self._context.entry.introduce(game, self.player)
        is_resume = not request.snapshot and game.rights.last_shown(self.player) - request.after <= MAX_RESUMED_RECORDS
        self._require_history_budget(is_resume)
        if request.after and request.id:
            self._context.metrics.count_resume()
        await game.watch(self._outbox, self.player, request)
        self._games[match] = game

    def _require_history_budget(self, is_resume: bool) -> None:
        if wait_ms := self._outbox.usage.history_wait_ms(is_resume):
            raise Refusal("too_much_history", retry_after_ms=wait_ms)

    def _require_watch_capacity(self) -> None:
        watched, limit = self._connection.watched, self._context.limits.watched_matches
        self._games = {match: game for match, game in self._games.items() if match in watched}
        if len(watched) >= limit:
            raise Refusal("too_many_watched", f"{limit} matches are watched on this connection already")

    async def _unwatch(self, request: Unwatch) -> None:
        game = self._watched_game(request.match)
        await self._outbox.wait_idle(allowed=1)
        game.feed.unsubscribe(self._outbox)
        # Otherwise the chat room pins the match in memory until disconnect.
        self._context.chat.leave_match(self._outbox, request.match)
        self._games.pop(request.match, None)
        self._outbox.send(Unwatched(request.match, request.id))

    # ---------------------------------------------------------------- several workers

    async def _move_to_home(self, *matches: MatchId, is_new: bool = False) -> bool:
        """Let the home of the first match in which the player may act go on with this request. False: it stays here.

        A connection that watches a match already, or uploads a file, stays where that is.
        """
        mover, imports = self._mover, self._context.imports
        is_free = not self._connection.watched and len(self._connection.in_flight) <= 1
        if mover is None or not is_free or not any(map(mover.can_move, matches)):
            return False
        if (self._import and not self._import.done()) or (imports is not None and imports.is_uploading(self._outbox)):
            return False
        match = matches[0] if is_new else await self._find_own_match(matches)
        # Only the first: with several, two workers would send the connection back and forth.
        if match is None or not mover.can_move(match):
            return False
        user = self._user if self._connection.state is ConnectionState.OPEN else None
        return await mover.move(match, user, self._context.lobby_feed.followed_by(self._outbox))

    async def _find_own_match(self, matches: Sequence[MatchId]) -> MatchId | None:
        """Return the first match in which the player has a seat, or may take one."""
        try:
            found = {listing.match: listing for listing in await self._context.lobby.find_listings(matches)}
        except StoreUnavailable:
            return None  # the request itself is refused for it
        listings = ((match, found.get(match)) for match in matches)
        return next((match for match, listing in listings if listing and self._may_act_in(listing)), None)

    def _may_act_in(self, listing: Listing) -> bool:
        return listing.status == "open" or (listing.status == "running" and self.player in listing.seats)

    # ---------------------------------------------------------------- requests that are handled at once

    def _handle_now(self, request: Act | GetOptions) -> None:
        try:
            if isinstance(request, Act):
                self._submit(request)
            else:
                game = self._watched_game(request.match)
                options = game.get_options(self.player, request.decision, request.include_unavailable)
                if options.is_repeated:  # the first time is free, so that no player waits for what they need to act
                    self._require_history_budget(is_resume=True)
                    self._outbox.usage.add_history(len(options.json))
                response = OptionsResponse(request.match, request.decision, msgspec.Raw(options.json), request.id)
                self._outbox.send(response)
        except Exception as fault:
            self._refuse(request.id, fault, request.match)

    def _submit(self, act: Act) -> None:
        self._watched_game(act.match).submit_act(act, self.player, self._outbox)

    def _watched_game(self, match: MatchId) -> Game:
        game = self._games.get(match)
        if game is None or match not in self._connection.watched:
            raise Refusal("not_watching", place="$.match")
        return game

    # ---------------------------------------------------------------- refusals

    def _refuse(self, id: str | None, fault: Exception, about: MatchId | None) -> None:
        """Send the refusal that a fault leads to. What nobody foresaw is logged, and is the server's fault."""
        match fault:
            case OutboxClosed():
                raise fault
            case Refusal():
                refusal = fault
            case StoreUnavailable():
                refusal = Refusal("unavailable", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)
            case _:
                where = {"player": self.player, "match": about, "command": id}
                log.error("request not answered", extra={**where, **describe_fault(fault)})
                refusal = Refusal("fault", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)
        game = self._games.get(about) if about is not None and about in self._connection.watched else None
        self._outbox.send(
            refusal.to_message(id, about, b"[]" if game is None else game.encode_open_decisions(self.player))
        )


def _too_many_requests(wait_ms: int) -> Refusal:
    return Refusal("busy", "too many requests came from your address", retry_after_ms=wait_ms)
