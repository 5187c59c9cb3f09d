"""One connected user, from the hello to the end: admission of requests, their answers and refusals.

Frames come in by `Session.receive` and go out by the outbox. What a request means is left to its service, by the table
of requests; sockets, records and rules are left to others.
"""

import asyncio
import contextlib
from collections.abc import Coroutine, Sequence
from functools import partial
from time import monotonic
from typing import TypeAlias

import msgspec
from msgspec import Struct

from diskwars_protocol.connection.connection import ConnectionState, ProtocolError
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages import Request, ServerMessage
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS, ClientLimits, Hello
from diskwars_protocol.messages.lists import FollowMatches
from diskwars_protocol.messages.refusals import Refused
from diskwars_server.broadcast.outbox import Outbox, OutboxClosed
from diskwars_server.limits.address_quotas import AddressQuotas, make_unlimited
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.matches.match_users import MatchUser
from diskwars_server.matches.openings import Openings
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.monitoring.metrics import Metrics
from diskwars_server.players.handlers import Handler
from diskwars_server.players.tokens import TokenError
from diskwars_server.players.users import LoggedInDevice
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS
from diskwars_server.session.handover import ConnectionHandover
from diskwars_server.session.handshake import Handshake
from diskwars_server.session.requests import RequestTable
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.match_index import Listing

MAX_QUERIES_AT_ONCE = 2
"""Lists, searches, ratings, catalogues and checks of armies that are worked on at once; others wait their turn."""
UNCHECKED_TOKENS_TEXT = "tokens cannot be checked now: reconnect in a moment"
Waiting: TypeAlias = Coroutine[None, None, None]


class SessionContext(Struct, frozen=True):
    """The parts of a server that every session uses."""

    matches: MatchRepository
    openings: Openings
    requests: RequestTable
    handshake: Handshake
    limits: ClientLimits = DEFAULT_CLIENT_LIMITS
    quotas: AddressQuotas = msgspec.field(default_factory=make_unlimited)
    metrics: Metrics = msgspec.field(default_factory=Metrics)
    queries: asyncio.Semaphore = msgspec.field(default_factory=lambda: asyncio.Semaphore(MAX_QUERIES_AT_ONCE))


class Session:
    """The conversation with the user of one connection."""

    def __init__(
        self,
        context: SessionContext,
        outbox: Outbox,
        address: str = UNKNOWN,
        handover: ConnectionHandover | None = None,
    ) -> None:
        """`address` is where the user comes from, as quotas count it; `handover` moves it to other nodes."""
        self.user = MatchUser(outbox, address, context.quotas)
        self._context, self._outbox, self._connection, self._handover = context, outbox, outbox.connection, handover
        self._handlers, self._immediate = context.requests.handlers, context.requests.immediate
        self._background: set[asyncio.Future[ServerMessage | None]] = set()
        self.last_message_at = monotonic()

    def restore_user(self, device: LoggedInDevice, follow: FollowMatches | None) -> None:
        """Take over a user whom another node has welcomed, and the list that they follow."""
        self.user.device = device
        self._context.handshake.accounts.connect(self.user)
        if follow is not None:
            self._context.requests.services.lists.feed.restore(self._outbox, device.player, follow)

    async def confirm_welcome(self) -> bool:
        """Return whether a connection goes on; close it if its user was banned or logged out on the way here.

        Each node closes the connections it knows. On its way no node knew this one; since `restore_user` this one does.
        """
        if not self.user.player:
            return True  # hello is yet to come, and asks
        try:
            await self._context.handshake.accounts.require_logged_in(self.user.device)
        except TokenError as fault:
            self._outbox.close(fault.close_reason, str(fault))
            return False
        except StoreUnavailable:
            self._outbox.close("going_away", UNCHECKED_TOKENS_TEXT, UNAVAILABLE_RETRY_AFTER_MS)
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
            case Hello():
                return self._handle_hello(message)
            case _:
                return self._handle_request(message)
        return None

    def close(self) -> None:
        """Detach from everything; commands in flight are still executed."""
        for task in self._background:
            task.cancel()
        self._context.requests.services.leave(self.user)

    # ---------------------------------------------------------------- hello

    async def _handle_hello(self, hello: Hello) -> None:
        handshake, user = self._context.handshake, self.user
        connected = handshake.accounts.connected
        try:
            revocations = -1
            while revocations != connected.revocations:  # what was read may be out of date by now
                revocations = connected.revocations
                user.device = await handshake.identify(hello.token or "", user.address)
                if await self._hand_over_to_home(*(resume.match for resume in hello.resume)):
                    return
        except TokenError as fault:
            self._outbox.close(fault.close_reason, str(fault))
            return
        except StoreUnavailable:
            # An outage logs no player out: the client reconnects with the token that it has.
            self._outbox.close("going_away", UNCHECKED_TOKENS_TEXT, UNAVAILABLE_RETRY_AFTER_MS)
            return
        if self._outbox.is_closed:
            return
        handshake.accounts.connect(user)
        self._outbox.send(handshake.make_welcome(user, hello))
        for resume in hello.resume:
            try:
                await self._context.requests.services.watching.resume(user, resume)
            except Exception as fault:
                user.refuse(None, fault, resume.match)

    # ---------------------------------------------------------------- requests

    def _handle_request(self, request: Request) -> Waiting | None:
        handler = self._immediate.get(request.__class__)
        if handler is None:
            return self._answer(self._handlers[request.__class__], request)
        try:
            handler.answer(self.user, request)
        except Exception as fault:
            self.user.refuse(request.id, fault, handler.refused_match(request), is_act=True)
        return None

    async def _answer(self, handler: Handler[MatchUser], request: Request) -> None:
        """Answer a request that may have to wait, after the checks that its row names."""
        try:
            if handler.counts_query:
                self.user.count_query()
            if handler.history != "unused":
                self.user.require_history_budget(is_resume=handler.history == "lenient")
            if await self._is_handed_over(handler, request):
                return
            if handler.waits_turn:
                await self._answer_in_turn(handler, request)
                return
            answer = handler.answer(self.user, request)
            if handler.in_background:
                task = asyncio.ensure_future(answer)
                self._background.add(task)
                task.add_done_callback(partial(self._send_background, handler, request))
            else:
                self._send(await answer)
        except Exception as fault:
            self._refuse(handler, request, fault)

    async def _answer_in_turn(self, handler: Handler[MatchUser], request: Request) -> None:
        async with self._context.queries:
            if not self._outbox.is_lost:  # the client may have left while this waited
                self._send(await handler.answer(self.user, request))

    def _send_background(
        self, handler: Handler[MatchUser], request: Request, task: asyncio.Future[ServerMessage | None]
    ) -> None:
        self._background.discard(task)
        with contextlib.suppress(OutboxClosed, asyncio.CancelledError):
            try:
                self._send(task.result())
            except Exception as fault:
                self._refuse(handler, request, fault)

    def _send(self, response: ServerMessage | None) -> None:
        if response is not None:
            self._outbox.send(response)

    def _refuse(self, handler: Handler[MatchUser], request: Request, fault: Exception) -> None:
        match_id = None if handler.refused_match is None else handler.refused_match(request)
        self.user.refuse(request.id, fault, match_id)

    # ---------------------------------------------------------------- several nodes

    async def _is_handed_over(self, handler: Handler[MatchUser], request: Request) -> bool:
        """Let the home of the match that a request takes up go on with it. False: it stays here."""
        if handler.opened_match is not None:
            return await self._hand_over_to_home(handler.opened_match(self.user, request), is_new=True)
        # Looking for the home reads the store. Without a query left the match has to be in memory here anyway.
        if handler.watched_match is None or self.user.quotas.query_wait_ms(self.user.address):
            return False
        return await self._hand_over_to_home(handler.watched_match(request))

    async def _hand_over_to_home(self, *matches: MatchId, is_new: bool = False) -> bool:
        """Let the home of the first match in which the player may act go on with this request. False: it stays here.

        A connection that watches a match already, or uploads a file, stays where that is.
        """
        handover, services = self._handover, self._context.requests.services
        is_free = not self._connection.watched and len(self._connection.in_flight) <= 1
        if (
            handover is None
            or not is_free
            or not any(map(handover.can_hand_over, matches))
            or services.imports.is_busy(self.user)
        ):
            return False
        match = matches[0] if is_new else await self._find_own_match(matches)
        # Only the first: with several, two nodes would send the connection back and forth.
        if match is None or not handover.can_hand_over(match):
            return False
        device = self.user.device if self._connection.state is ConnectionState.OPEN else None
        return await handover.hand_over(match, device, services.lists.feed.followed_by(self._outbox))

    async def _find_own_match(self, matches: Sequence[MatchId]) -> MatchId | None:
        """Return the first match in which the player has a seat, or may take one."""
        try:
            by_match = {listing.match: listing for listing in await self._context.matches.find_listings(matches)}
        except StoreUnavailable:
            return None  # the request itself is refused for it
        listings = ((match, by_match.get(match)) for match in matches)
        return next((match for match, listing in listings if listing and self._may_act_in(listing)), None)

    def _may_act_in(self, listing: Listing) -> bool:
        return listing.status == "open" or (listing.status == "running" and self.user.player in listing.seats)
