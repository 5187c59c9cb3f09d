"""One connected user: who they are, which matches they watch, and the response to every request.

Frames come in by `Session.receive` and go out by the outbox. Sockets, records and rules are left to others.
"""

import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import TypeAlias, assert_never

import msgspec
from msgspec import Struct

from diskwars_protocol import account_messages as am
from diskwars_protocol import lobby_messages as lm
from diskwars_protocol import messages as m
from diskwars_protocol.connection import ProtocolError
from diskwars_protocol.fairness import CLOSE_DIGEST
from diskwars_protocol.match import MatchId, PlayerId
from diskwars_protocol.messages import DEFAULT_CLIENT_LIMITS, ClientLimits
from diskwars_server.account_service import DEVICE_TOKEN_PREFIX, AccountService, LoggedInDevice
from diskwars_server.address_quotas import UNKNOWN, AddressQuotas, QuotaLimits
from diskwars_server.bot_seats import BotSeats
from diskwars_server.game import Clock, Game, PendingCommand
from diskwars_server.history_search import HistorySearch
from diskwars_server.lobby import Lobby
from diskwars_server.lobby_feed import LobbyFeed
from diskwars_server.match_entry import MatchEntry
from diskwars_server.outbox import Outbox, OutboxClosed
from diskwars_server.refusals import (
    UNAVAILABLE_RETRY_AFTER_MS,
    Refusal,
    decode_or_refuse,
    describe_fault,
    digest_action,
)
from diskwars_server.store_errors import StoreUnavailable
from diskwars_server.tokens import TokenError, TokenExpired, TokenIssuer

log = logging.getLogger(__name__)

MatchRequest: TypeAlias = m.CloseMatch | m.SeatBot | m.Watch | m.Unwatch | m.GetRecords
WaitingRequest: TypeAlias = (
    m.OpenMatch | m.CloseMatch | m.SeatBot | m.Watch | m.Unwatch | m.GetRecords | m.Query | am.AccountRequest
)
"""The requests that may have to wait for something."""
MAX_RESUMED_RECORDS = 64
"""A watch that asks for no more goes on with a match; it waits less for what others at its address were sent."""
Waiting: TypeAlias = Coroutine[None, None, None]


async def accept_expired(player: PlayerId) -> bool:
    """Let an expired token still prove its player: without accounts nothing else could give the seats back."""
    return True


class SessionContext(Struct, frozen=True):
    """What every session of a server uses. `server_name` is what it calls itself in `Welcome`.

    `accepts_expired` is where accounts decide whether a genuine token that has expired still proves its player.
    """

    lobby: Lobby
    lobby_feed: LobbyFeed
    histories: HistorySearch
    entry: MatchEntry
    accounts: AccountService
    tokens: TokenIssuer
    clock: Clock
    limits: ClientLimits = DEFAULT_CLIENT_LIMITS
    server_name: str | None = None
    accepts_expired: Callable[[PlayerId], Awaitable[bool]] = accept_expired
    bot_seats: BotSeats | None = None
    quotas: AddressQuotas = msgspec.field(default_factory=lambda: AddressQuotas(QuotaLimits(), lambda: 0))


class Session:
    """The user of one connection."""

    def __init__(self, context: SessionContext, outbox: Outbox, address: str = UNKNOWN) -> None:
        """`address` is where the user comes from, as quotas count it."""
        self._address = address
        self._context, self._outbox, self._connection = context, outbox, outbox.connection
        self._games: dict[MatchId, Game] = {}
        self._user = LoggedInDevice(PlayerId(""))
        outbox.usage = context.quotas.usage_of(address)

    @property
    def player(self) -> PlayerId:
        """Who this is; empty before the welcome."""
        return self._user.player

    def receive(self, frame: str | bytes) -> Waiting | None:
        """Handle one frame. Await what this returns before the next one; None: it is done.

        Acts never wait: they are on their way to their match when this returns. Raises OutboxClosed.
        """
        if self._outbox.is_closed:
            return None  # sent before the client knew: not an error (RFC 6455, section 1.4)
        try:
            message = self._connection.receive(frame)
        except ProtocolError as fault:
            self._outbox.close_with(fault.to_message())
            return None
        match message:
            case m.Refused():
                self._outbox.send(message)
            case m.Act() | m.GetOptions():
                self._handle_now(message)
            case m.Hello():
                return self._handle_hello(message)
            case _:
                return self._handle_waiting_request(message)
        return None

    def close(self) -> None:
        """Detach from every match; commands in flight are still executed."""
        for game in self._games.values():
            game.feed.unsubscribe(self._outbox)
        self._games.clear()
        self._context.lobby_feed.unfollow(self._outbox)
        self._context.accounts.connected.remove(self.player, self._outbox)

    # ---------------------------------------------------------------- hello

    async def _handle_hello(self, hello: m.Hello) -> None:
        connected = self._context.accounts.connected
        try:
            revocations = -1
            while revocations != connected.revocations:  # what was read may be out of date by now
                revocations = connected.revocations
                self._user = await self._identify(hello.token or "")
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
            m.Welcome(
                version=m.PROTOCOL_VERSION,
                player=self.player,
                # A device keeps its token, which is stored; that of a guest says when it was made.
                token=hello.token if hello.token and self._user.device else self._context.tokens.issue(self.player),
                server_time_ms=self._context.clock(),
                rulesets=self._context.lobby.rulesets,
                limits=self._context.limits,
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

    async def _identify(self, token: str) -> LoggedInDevice:
        """Return whose token this is, a new guest without one. Raises TokenError and StoreUnavailable."""
        accounts = self._context.accounts
        if not token:
            return LoggedInDevice(self._context.tokens.make_guest())
        if token.startswith(DEVICE_TOKEN_PREFIX):
            return await accounts.find_device(token)
        verified = self._context.tokens.verify(token)
        await accounts.require_guest(verified.player)
        if verified.is_expired and not await self._context.accepts_expired(verified.player):
            raise TokenExpired("the token has expired: sign in again, or send hello without one")
        return LoggedInDevice(verified.player)

    async def _resume(self, resume: m.ResumeRequest) -> None:
        try:
            if resume.match in self._connection.watched:
                raise Refusal("bad_resume", "the match is taken up already")
            await self._watch(
                m.Watch(
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
            case m.Watch():
                await self._watch(request)
            case m.GetRecords():
                self._require_history_budget(is_resume=False)
                await self._watched_game(request.match).feed.send_range(self._outbox, request)
            case m.Unwatch():
                await self._unwatch(request)
            case m.OpenMatch():
                await self._open_match(request)
            case m.CloseMatch():
                game = await self._context.lobby.find(request.match)
                game.submit(PendingCommand(request.id, self.player, None, request, CLOSE_DIGEST, self._outbox))
            case m.SeatBot():
                await self._seat_bot(request)
            case m.ListMatches():
                self._outbox.send(await self._context.lobby.list_matches(request, self.player))
            case m.FollowMatches():
                await self._follow_matches(request)
            case m.UnfollowMatches():
                self._context.lobby_feed.unfollow(self._outbox)
                self._outbox.send(m.Unfollowed(request.id))
            case m.SearchMatches():
                self._outbox.send(await self._context.histories.search(self.player, self._address, request))
            case m.GetCatalogue():
                self._outbox.send(self._context.lobby.catalogue(request))
            case m.CheckArmy():
                self._outbox.send(self._context.lobby.check_army(request))
            case lm.EnterMatch() | lm.UseInvite() | lm.CreateInvite() | lm.ListInvites() | lm.RevokeInvite():
                self._outbox.send(await self._execute_lobby_request(request))
            case _:
                await self._execute_account_request(request)

    async def _execute_lobby_request(self, request: lm.LobbyRequest) -> lm.LobbyResponse:
        entry = self._context.entry
        match request:
            case lm.EnterMatch():
                return await entry.enter(self.player, self._address, request)
            case lm.UseInvite():
                return await entry.use_invite(self.player, self._address, request)
            case lm.CreateInvite():
                return await entry.create_invite(self.player, request)
            case lm.ListInvites():
                return await entry.list_invites(self.player, request.match, request.id)
            case lm.RevokeInvite():
                return await entry.revoke_invite(self.player, request)
            case _:
                assert_never(request)

    async def _execute_account_request(self, request: am.AccountRequest) -> None:
        accounts, user = self._context.accounts, self._user
        match request:
            case am.Register():
                await self._register(request)
            case am.LogIn():
                self._outbox.send(await accounts.log_in(self._address, request))
            case am.LogOut():
                await accounts.log_out(user)
                self._outbox.send(am.AccountChanged(request.id))
                accounts.connected.close_device(self.player, user.device)
            case am.ListDevices():
                self._outbox.send(await accounts.list_devices(user, request.id))
            case am.RevokeDevice():
                await self._revoke_device(request)
            case am.ChangePassword():
                account = await accounts.change_password(user, self._address, request)
                self._outbox.send(am.AccountChanged(request.id, account))
            case am.Rename():
                self._outbox.send(am.AccountChanged(request.id, await accounts.rename(user, request)))
            case am.DeleteAccount():
                await accounts.delete(user, self._address, request)
                self._outbox.send(am.AccountChanged(request.id))
                accounts.connected.close_others(self.player)
            case am.GetPlayers():
                self._outbox.send(await accounts.get_players(request.id, request.players))
            case _:
                assert_never(request)

    async def _follow_matches(self, request: m.FollowMatches) -> None:
        feed = self._context.lobby_feed
        feed.follow(self._outbox, self.player, request)  # before the list is read, so that no change is missed
        try:
            self._outbox.send(await self._context.lobby.list_matches(request, self.player))
        except BaseException:
            feed.unfollow(self._outbox)
            raise
        feed.start(self._outbox)

    async def _revoke_device(self, request: am.RevokeDevice) -> None:
        accounts = self._context.accounts
        await accounts.revoke_device(self._user, request.device)
        try:
            self._outbox.send(await accounts.list_devices(self._user, request.id))
        finally:  # after the answer, as the device may be this one
            accounts.connected.close_device(self.player, request.device)

    async def _register(self, request: am.Register) -> None:
        accounts = self._context.accounts
        signed_in = await accounts.register(self.player, self._address, request)
        self._user = LoggedInDevice(self.player, signed_in.account.name, signed_in.account.device)
        self._outbox.send(signed_in)
        if not self._outbox.is_closed:
            self._note_connection()
        # Other connections of this player proved it by the former token, which ended here.
        accounts.connected.close_others(self.player, self._user.device)

    async def _open_match(self, request: m.OpenMatch) -> None:
        self._require_watch_capacity()
        match = MatchId(self._context.tokens.derive_match_id(self.player, request.id))
        make_lock = partial(self._context.entry.make_lock, request.password, request.invited_only, self._address)
        await self._context.lobby.open(match, request, self.player, self._admit_opening, make_lock)
        self._outbox.usage.add_opening()
        self._outbox.send(m.Opened(request.id, match))
        # The match exists now. A watch that fails is refused without an id, as `opened` has answered the request.
        try:
            await self._watch(
                m.Watch(
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
            text = "too many matches were opened from your address within the last hour"
            return Refusal("too_many_open", text, retry_after_ms=quotas.opening_wait_ms(self._address))
        return None

    async def _seat_bot(self, request: m.SeatBot) -> None:
        """Hand over the command of the bot that takes a seat; the answer comes to this outbox."""
        if self._context.bot_seats is None:
            raise Refusal("unknown_bot", "this server seats no bots", "$.bot")
        admit = partial(self._context.quotas.admit_bot, self._address)
        game, command = await self._context.bot_seats.prepare(request, self.player, admit)
        digest = digest_action(command.decision, command.action, game.rules.vocabulary.is_canonical)
        game.submit(PendingCommand(request.id, command.player, command.decision, command.action, digest, self._outbox))

    async def _watch(self, request: m.Watch) -> None:
        """Watch a match. On return it is followed live: everything sent later follows its backlog."""
        match = request.match
        if match not in self._connection.watched:
            self._require_watch_capacity()
        # A response must not come before its records, nor the records of one watch within those of the next.
        await self._outbox.wait_idle(allowed=1 if request.id else 0)
        game = await self._context.lobby.find(match)
        await self._context.entry.introduce(game, self.player)
        is_resume = not request.snapshot and game.head - request.after <= MAX_RESUMED_RECORDS
        self._require_history_budget(is_resume)
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

    async def _unwatch(self, request: m.Unwatch) -> None:
        game = self._watched_game(request.match)
        await self._outbox.wait_idle(allowed=1)
        game.feed.unsubscribe(self._outbox)
        self._games.pop(request.match, None)
        self._outbox.send(m.Unwatched(request.match, request.id))

    # ---------------------------------------------------------------- requests that are handled at once

    def _handle_now(self, request: m.Act | m.GetOptions) -> None:
        try:
            if isinstance(request, m.Act):
                self._submit(request)
            else:
                game = self._watched_game(request.match)
                options = game.get_options(self.player, request.decision, request.include_unavailable)
                response = m.OptionsResponse(request.match, request.decision, msgspec.Raw(options), request.id)
                self._outbox.send(response)
        except Exception as fault:
            self._refuse(request.id, fault, request.match)

    def _submit(self, act: m.Act) -> None:
        game = self._watched_game(act.match)
        action = decode_or_refuse(act.action, game.actions, "bad_action", "$.action")
        digest = digest_action(act.decision, action, game.rules.vocabulary.is_canonical)
        game.submit(PendingCommand(act.id, self.player, act.decision, action, digest, self._outbox))

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
        self._outbox.send(refusal.to_message(id, about, b"[]" if game is None else game.encode_open_decisions()))
