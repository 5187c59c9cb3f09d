"""The client: connect to a server, open and find matches, and reconnect when the connection breaks.

    async with connect("ws://127.0.0.1:8765/ws") as client:
        match = await client.watch(match_id)
        async for update in match: ...

One task per client reads; each request waits for the answer to its id. After a broken connection, watched matches
continue where they stopped, and unanswered commands are sent again under their own ids, so nothing is done twice.
"""

import asyncio
import contextlib
import logging
import random
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection as Socket
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from diskwars_client.errors import ClientError, CommandRefused, InvalidRequest, MatchUnavailable, SessionEnded
from diskwars_client.former_names import FormerClientNames
from diskwars_client.match_handle import MatchHandle
from diskwars_client.reconnects import RECONNECT_CLOSE_REASONS, may_reconnect
from diskwars_client.requester import Response, ResponseT, new_command_id
from diskwars_client.server_addresses import ServerAddresses
from diskwars_client.server_sockets import ServerBusy, ServerUnreachable, open_socket
from diskwars_client.topics.accounts import AccountTopic
from diskwars_client.topics.catalogues import CatalogueTopic
from diskwars_client.topics.chat import ChatTopic
from diskwars_client.topics.files import FileTopic
from diskwars_client.topics.lobby import LobbyTopic
from diskwars_client.topics.ratings import RatingTopic
from diskwars_client.topics.seeks import SeekTopic
from diskwars_client.watch_mode import DEFAULT_WATCH_MODE, WatchMode
from diskwars_protocol.connection.client_connection import ClientConnection, ReceivedMessage
from diskwars_protocol.connection.connection import LocalProtocolError, ProtocolError
from diskwars_protocol.connection.streams import Head, VerifiedRange, VerifiedRecords
from diskwars_protocol.flood_guard import FloodGuard
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, DEFAULT_RULESET, MatchOptions
from diskwars_protocol.messages import Request
from diskwars_protocol.messages.chat import ChatPosted
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.decisions import Accepted, Act, GetOptions, OptionsResponse
from diskwars_protocol.messages.files import ImportPart
from diskwars_protocol.messages.handshake import ClientLimits, RulesetSummary, Welcome
from diskwars_protocol.messages.history import GetRecords, Openings
from diskwars_protocol.messages.lists import MatchesChanged
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.rematches import RematchChanged
from diskwars_protocol.messages.seeks import MatchFound
from diskwars_protocol.messages.watching import Unwatch, Unwatched, WatchersChanged, Watching
from diskwars_protocol.records.fairness import Entropy

log = logging.getLogger(__name__)


class RetryPolicy(Struct, frozen=True):
    """When to try again.

    The pause before a new attempt doubles from `initial_delay_seconds` to `max_delay_seconds`, half of it at random.

    After `give_up_seconds` without a connection the client gives up. A socket that answers no ping for `ping_seconds`
    is dead. `max_attempts` is how often a command is sent that the server could not carry out just then; one that it
    wants to have after more than `max_server_wait_seconds` is not sent again. As long the first connection waits for a
    server that has no place now. `on_retry` gets each request that waits to be sent again, with its refusal.
    """

    initial_delay_seconds: float = 0.1
    max_delay_seconds: float = 10.0
    give_up_seconds: float = 120.0
    ping_seconds: float = 15.0
    max_attempts: int = 8
    max_server_wait_seconds: float = 30.0
    on_retry: Callable[[Request, CommandRefused], None] = lambda request, refused: None


DEFAULT_RETRY_POLICY = RetryPolicy()

ConnectionListener: TypeAlias = Callable[[bool], None]
"""Called with False when the connection is lost, with True when it is back."""


class Client(FormerClientNames):
    """One player or spectator. Use it as `async with connect(...) as client:`.

    Requests lie in topics, such as `client.lobby.list()`. `request` sends one that has no method.
    """

    def __init__(
        self,
        urls: Sequence[str],
        connection: ClientConnection,
        entropy: Entropy,
        rng: random.Random,
        retry_policy: RetryPolicy,
        on_connection_change: ConnectionListener | None = None,
    ) -> None:
        self.accounts = AccountTopic(self)
        self.catalogues = CatalogueTopic(self)
        self.chat = ChatTopic(self)
        self.files = FileTopic(self)
        self.lobby = LobbyTopic(self)
        self.ratings = RatingTopic(self)
        self.seeks = SeekTopic(self)
        self._addresses = ServerAddresses(urls)
        self.rulesets: tuple[RulesetSummary, ...] = ()
        self._on_connection_change = on_connection_change or _ignore_connection_change
        self._is_lost = False
        self._is_welcomed = False
        self._connection, self._entropy, self._rng, self._retry_policy = connection, entropy, rng, retry_policy
        self._handles: dict[MatchId, MatchHandle] = {}
        self._opening_modes: dict[str, WatchMode] = {}
        self._pending_responses: dict[str, asyncio.Future[Response]] = {}
        self._resume_tasks: set[asyncio.Task[None]] = set()
        self._answered = asyncio.Event()
        self._connected = asyncio.Event()
        self._reading_wanted = asyncio.Event()
        self._socket: Socket | None = None
        self._error: ClientError | None = None
        self._server_retry_ms = 0
        self._flood_guard = _flood_guard_for(connection.limits)
        self._task: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """The address that is used now."""
        return self._addresses.current

    @property
    def player(self) -> PlayerId:
        """Who this is to the server."""
        return self._connection.player

    @property
    def token(self) -> str:
        """What proves next time that it is the same player."""
        return self._connection.token or ""

    # ------------------------------------------------------------ asking

    async def open_match(
        self,
        settings: Struct | None = None,
        seat_count: int = 2,
        ruleset: str = DEFAULT_RULESET,
        match_options: MatchOptions = DEFAULT_MATCH_OPTIONS,
        *,
        mode: WatchMode = DEFAULT_WATCH_MODE,
        password: str | None = None,
        invited_only: bool = False,
        packs: Sequence[str] | None = None,
    ) -> MatchHandle:
        """Open a match and watch it. `settings` are those of the ruleset. Raises CommandRefused.

        Others enter it by the password, if there is one, or by an invite; with `invited_only` they have to. `packs` are
        ids of content packs besides the ruleset's own; None: all that the server has.
        """
        raw = msgspec.Raw(b"{}" if settings is None else msgspec.json.encode(settings))
        raw_options = msgspec.Raw(msgspec.json.encode(match_options))
        await self._make_room()
        id = new_command_id()
        self._opening_modes[id] = mode
        try:
            request = OpenMatch(
                *(id, ruleset, seat_count, raw, raw_options),
                *(mode.push_options, mode.include_unavailable, mode.push_openings),
                *(password, invited_only, None if packs is None else tuple(packs)),
            )
            opened = await self.request(request, Opened)
        finally:
            self._opening_modes.pop(id, None)
        return self._handle_for(opened.match)

    async def watch(
        self, match: str, *, history: bool = True, reveal_secrets: bool = False, mode: WatchMode | None = None
    ) -> MatchHandle:
        """Follow a match; with `reveal_secrets` an ended one with every secret.

        Raises CommandRefused, and MatchUnavailable where it is not the match that this client knew.

        With `history` from its first record; without it from a snapshot of what it is now, which costs the server and
        the wire far less. `MatchHandle.fetch_history` gets the records before that. After a lost connection the match
        comes from a new snapshot, as one update; the records missed are only checked to lead there.

        A match that is followed already keeps its handle, and its mode if none is named. Where `reveal_secrets`
        changes, the handle starts over and yields its updates again, with the secrets.
        """
        known = self._handles.get(MatchId(match))
        if known is not None and not known.is_stopped:
            wanted = known.mode if mode is None else mode
            await self._change_mode(known, _with_secrets(wanted, reveal_secrets), history)
            return known
        await self._make_room()
        self._handles.pop(MatchId(match), None)
        mode = _with_secrets(mode or DEFAULT_WATCH_MODE, reveal_secrets)
        handle = self._handle_for(MatchId(match), mode)
        head = self._connection.head(handle.id)
        try:
            await self.request(mode.request(new_command_id(), handle.id, snapshot=not history), Watching)
            if head is not None:
                await handle.check_contains(head)
        except ClientError:
            self._handles.pop(handle.id, None)
            raise
        return handle

    async def _change_mode(self, handle: MatchHandle, mode: WatchMode, history: bool) -> None:
        """Watch a match in another mode. Only other secrets need its records once more. Raises CommandRefused."""
        if mode == handle.mode:
            return
        is_restarted = mode.reveal_secrets != handle.mode.reveal_secrets
        after, snapshot = (0, not history) if is_restarted else (handle.head, False)
        await self.request(mode.request(new_command_id(), handle.id, after, snapshot), Watching)
        handle.mode = mode

    async def _make_room(self) -> None:
        """Leave the oldest finished matches where no more may be watched."""
        finished = [handle for handle in self._handles.values() if handle.is_finished]
        excess = len(self._handles) - self._connection.limits.watched_matches + 1
        for handle in finished[: max(0, excess)]:
            if handle.id in self._connection.watched:
                await self.unwatch(handle.id)
            self._handles.pop(handle.id, None)

    # ------------------------------------------------------------ for handles

    async def act(
        self, match: MatchId, decision: DecisionId | None, action: bytes, chain_head: str | None = None
    ) -> Accepted:
        request = Act(new_command_id(), match, msgspec.Raw(action), decision, chain_head)
        return await self.request(request, Accepted)

    async def options(self, match: MatchId, decision: DecisionId, include_unavailable: bool) -> bytes:
        request = GetOptions(new_command_id(), match, decision, include_unavailable)
        return bytes((await self.request(request, OptionsResponse)).options)

    async def records(self, match: MatchId, after: int, limit: int) -> VerifiedRange:
        return await self.request(GetRecords(new_command_id(), match, after, limit), VerifiedRange)

    def schedule_refresh(self, match: MatchId) -> None:
        handle = self._handles.get(match)
        if handle is not None:
            self._start_resume(self._resume(handle, 0, snapshot=True))

    async def unwatch(self, match: MatchId) -> None:
        await self.request(Unwatch(new_command_id(), match), Unwatched)
        self._handles.pop(match, None)

    def resume_reading(self) -> None:
        self._reading_wanted.set()

    def _handle_for(self, match: MatchId, mode: WatchMode = DEFAULT_WATCH_MODE) -> MatchHandle:
        if match not in self._handles:
            self._handles[match] = MatchHandle(match, self, self._entropy, mode)
        return self._handles[match]

    # ------------------------------------------------------------ requests and responses

    async def request(self, request: Request, kind: type[ResponseT]) -> ResponseT:
        """Send a request and return its response; send it again under its id if the server asks to retry.

        Raises CommandRefused, SessionEnded, InvalidRequest.
        """
        for attempt in range(1, self._retry_policy.max_attempts + 1):
            try:
                return await self._request_once(request, kind)
            except CommandRefused as refused:
                await self._wait_before_retry(request, refused, is_last=attempt == self._retry_policy.max_attempts)
        raise InvalidRequest("the retry policy allows no attempt: max_attempts is less than 1")

    async def _wait_before_retry(self, request: Request, refused: CommandRefused, *, is_last: bool) -> None:
        """Wait as long as the server says. Raises the refusal again if a retry cannot help."""
        if refused.code == "not_watching" and self._resume_tasks and not is_last:
            # The server has unloaded the match, and this client is resuming it: the command belongs after that.
            await asyncio.wait(self._resume_tasks, timeout=self._retry_policy.ping_seconds)
            return
        is_patient = (refused.retry_after_ms or 0) <= 1000 * self._retry_policy.max_server_wait_seconds
        if refused.retry_after_ms is None or is_last or not is_patient:
            raise refused
        self._retry_policy.on_retry(request, refused)
        # spread at random, so that not all clients of a busy server try again at the same moment
        await asyncio.sleep(refused.retry_after_ms / 1000 * (1 + self._rng.random()))

    async def _request_once(self, request: Request, kind: type[ResponseT]) -> ResponseT:
        answer: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._pending_responses[request.id] = answer
        self.resume_reading()
        try:
            await self._send_request(request)
            found = await answer
        finally:
            self._pending_responses.pop(request.id, None)
        if not isinstance(found, kind):
            raise SessionEnded(f"{type(found).__name__} is no answer to {type(request).__name__}")
        return found

    async def _send_request(self, request: Request) -> None:
        """Send a request on the open socket, or on the next one."""
        await self._wait_to_send(cost_of(request))
        try:
            frame = self._connection.send(request)
        except LocalProtocolError as misuse:
            raise InvalidRequest(str(misuse)) from None
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):  # `resend_unanswered` sends it on the next socket
                await self._socket.send(frame, text=True)

    async def _wait_to_send(self, cost: int = 1) -> None:
        """Wait until the socket is open and another frame stays within the server's limits."""
        while True:
            await self._connected.wait()
            if self._error is not None:
                raise self._error
            if len(self._connection.unanswered) >= self._connection.limits.commands_in_flight:
                self._answered.clear()
                await self._answered.wait()
            elif self._flood_guard.admit(_monotonic_ms(), cost):
                return
            else:
                await asyncio.sleep(self._flood_guard.wait_ms() / 1000)

    # ------------------------------------------------------------ the task: one socket after another

    async def __aenter__(self) -> "Client":
        self._task = asyncio.create_task(self._run(), name="diskwars client")
        try:
            await self._connected.wait()
            if self._error is not None:
                raise self._error
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection. Pending requests raise SessionEnded."""
        for task in (self._task, *self._resume_tasks):
            if task is not None:
                task.cancel()
        waited = [task for task in (self._task, *self._resume_tasks) if task is not None]
        await asyncio.gather(*waited, return_exceptions=True)
        self._terminate(SessionEnded("the client was closed"))

    async def _run(self) -> None:
        """Keep a connection until `_error` is set or the task is cancelled."""
        clock = asyncio.get_running_loop().time
        attempt, since, was_open = 0, clock(), False
        while self._error is None:
            fault = await self._run_connection()
            has_tried_all = attempt + 1 >= len(self._addresses)
            if self._is_welcomed:
                attempt, since, was_open = 0, clock(), True
            elif self._gives_up(fault, was_open, has_tried_all, clock() - since):
                self._terminate(fault)
            elif isinstance(fault, ServerBusy):  # all that were refused shall not connect again at the same moment
                spread_ms = fault.retry_after_ms * (1 + self._rng.random() / 2)
                self._server_retry_ms = round(spread_ms) if has_tried_all else 0
            self._mark_disconnected()
            self._addresses.advance()
            if self._error is None:
                self._notify_connection_lost(was_open)
                await asyncio.sleep(self._reconnect_delay(attempt))
                attempt += 1

    def _gives_up(self, fault: ClientError, was_open: bool, has_tried_all: bool, waited_seconds: float) -> bool:
        """Return whether a connection that could not be made was the last attempt."""
        if not was_open and isinstance(fault, ServerBusy):
            until_seconds = waited_seconds + fault.retry_after_ms / 1000
            return has_tried_all and until_seconds > self._retry_policy.max_server_wait_seconds
        # The first connection has to succeed at once; later ones may take their time.
        return (not was_open and has_tried_all) or waited_seconds > self._retry_policy.give_up_seconds

    def _notify_connection_lost(self, was_open: bool) -> None:
        """Report the loss of a connection once."""
        if was_open and not self._is_lost:
            self._is_lost = True
            self._on_connection_change(False)

    async def _run_connection(self) -> ClientError:
        """Run one socket from beginning to end and return why it ended. Sets `_error` when there must be no other."""
        self._is_welcomed = False
        fault: ClientError = ServerUnreachable(f"the server at {self.url} hung up")
        try:
            await self._exchange_frames()
        except ServerBusy as busy:
            fault = busy
        except ConnectionRefusedError:
            fault = ServerUnreachable(
                f"no server at {self.url}: nothing is listening there; start a server, or name another address"
            )
        except (OSError, InvalidHandshake, ConnectionClosed, TimeoutError) as lost:
            why = f"{type(lost).__name__}: {lost}" if str(lost) else type(lost).__name__
            fault = ServerUnreachable(f"no server at {self.url}: {why}")
        except InvalidURI:
            self._terminate(
                ServerUnreachable(f"{self.url} is not the address of a server, like ws://127.0.0.1:8765/ws")
            )
        except ClientError as final:
            self._terminate(final)
        except Exception as wrong:  # pending requests have to fail
            log.exception("client failed")
            self._terminate(SessionEnded(f"the client failed: {type(wrong).__name__}: {wrong}"))
        return self._error or fault

    def _mark_disconnected(self) -> None:
        self._socket = None
        self._connection.connection_lost()
        if self._error is None:
            self._connected.clear()

    def _reconnect_delay(self, attempt: int) -> float:
        longest = min(
            self._retry_policy.max_delay_seconds, self._retry_policy.initial_delay_seconds * 2.0 ** min(attempt, 30)
        )
        server_delay, self._server_retry_ms = self._server_retry_ms / 1000, 0
        return max(server_delay, longest * (1 + self._rng.random()) / 2)

    async def _exchange_frames(self) -> None:
        """Exchange frames on one socket until it ends. Raises SessionEnded when there must be no other."""
        opening = open_socket(self.url, self._retry_policy.ping_seconds, is_local=self._addresses.is_loopback)
        async with opening as socket:
            self._socket = socket
            await socket.send(self._connection.send_hello(self._matches_without_history()), text=True)
            async for frame in socket:
                if not await self._handle_frame(frame, socket):
                    return

    def _matches_without_history(self) -> list[MatchId]:
        """Return the matches that a resume takes from a snapshot, as they were watched before."""
        return [handle.id for handle in self._handles.values() if handle.known_head and not handle.has_history]

    async def _handle_frame(self, frame: str | bytes, socket: Socket) -> bool:
        """Take up one frame. False when it was the last on this socket; raises SessionEnded when there shall be no
        other.
        """
        try:
            message = self._connection.receive(frame)
        except ProtocolError as broken:
            await socket.close(broken.code, broken.close_reason)
            if broken.close_reason not in RECONNECT_CLOSE_REASONS:
                raise SessionEnded(str(broken), broken.close_reason) from None
            self._connected.clear()
            return False
        if message is None:
            log.debug("a message of unknown type was ignored")
            return True
        if isinstance(message, Closing):
            self._handle_closing(message)
            self._connected.clear()  # requests wait for the next socket: this one takes none while it closes
            return False
        await self._handle_message(message, socket)
        return True

    def _handle_closing(self, closing: Closing) -> None:
        if not may_reconnect(closing):
            raise SessionEnded(f"{closing.close_reason}: {closing.text}", closing.close_reason)
        self._server_retry_ms = closing.retry_after_ms or 0
        self._addresses.note_closing(closing.close_reason)

    # ------------------------------------------------------------ receiving

    async def _handle_message(self, message: ReceivedMessage, socket: Socket) -> None:
        match message:
            case Welcome():
                await self._handle_welcome(message, socket)
            case VerifiedRecords():
                await self._handle_records(message)
            case Watching():
                self._handle_watching(message)
            case Unwatched():
                self._handle_unwatched(message)
            case Refused():
                self._handle_refused(message)
            case Opened():
                self._handle_for(message.match, self._opening_modes.get(message.id, DEFAULT_WATCH_MODE))
                self._resolve_response(message.id, message)
            case OptionsResponse() if message.id is None:
                if message.match in self._handles:
                    self._handles[message.match].handle_options(message.decision, bytes(message.options))
            case Openings():
                if message.match in self._handles:
                    self._handles[message.match].handle_openings(message)
            case WatchersChanged():
                if message.match in self._handles:
                    self._handles[message.match].watchers = message.watchers
            case ChatPosted():
                self.chat._on_posted(message)
            case MatchFound() | RematchChanged():
                self.seeks._on_notice(message)
            case MatchesChanged():
                self.lobby._on_changes(message)
            case Closing():
                pass  # ended the connection already
            case _:  # every other message answers a request: one without an id does not type-check here
                self._resolve_response(message.id, message)

    def _handle_watching(self, watching: Watching) -> None:
        handle = self._handle_for(watching.match)
        known = handle.known_head
        handle.handle_watching(watching)
        self.chat._on_watching(watching.match)
        self._resolve_response(watching.id, watching)
        if known is not None and watching.snapshot:
            self._start_resume(self._check_continuation(handle, known))

    async def _check_continuation(self, handle: MatchHandle, known: Head) -> None:
        """Check that a new snapshot stands for a log that goes on from what this handle knew. It is shown meanwhile."""
        try:
            await handle.check_contains(known)
        except ClientError as fault:
            handle.stop(MatchUnavailable(str(fault)))

    async def _handle_welcome(self, welcome: Welcome, socket: Socket) -> None:
        self.rulesets = welcome.rulesets
        self.accounts._on_welcome(welcome.account)
        self._flood_guard = _flood_guard_for(welcome.limits)
        for frame in self._connection.resend_unanswered():
            self._flood_guard.admit(_monotonic_ms())
            await socket.send(frame, text=True)
        self._is_welcomed = True
        self._connected.set()
        if self._is_lost:
            self._is_lost = False
            self.lobby._on_reconnect()
            self._on_connection_change(True)

    async def _handle_records(self, facts: VerifiedRecords) -> None:
        """Give records to their handle; read no further while that is full and nobody waits for what comes next."""
        handle = self._handles.get(facts.match)
        if handle is None or handle.known_vocabulary is None:  # of a watch before this handle's, on its way still
            return
        handle.handle_records(facts)
        while handle.is_full and not self._is_awaited():
            self._reading_wanted.clear()
            await self._reading_wanted.wait()

    def _is_awaited(self) -> bool:
        """Whether somebody waits for a response, or for news of any match: all come on the one socket."""
        # A response that has arrived counts no more, though its task has not run yet: that task may take updates next.
        return any(not response.done() for response in self._pending_responses.values()) or any(
            handle.is_awaited for handle in self._handles.values()
        )

    def _resolve_response(self, id: str | None, answer: Response) -> None:
        self._answered.set()
        future = None if id is None else self._pending_responses.get(id)
        if future is not None and not future.done():
            future.set_result(answer)

    def _handle_refused(self, refused: Refused) -> None:
        self._answered.set()
        handle = None if refused.match is None else self._handles.get(refused.match)
        fault = CommandRefused(refused, None if handle is None else handle.known_vocabulary)
        future = None if refused.id is None else self._pending_responses.get(refused.id)
        if future is not None and not future.done():
            future.set_exception(fault)
        elif refused.id is None and handle is not None:
            self._schedule_resume(handle, fault)

    def _handle_unwatched(self, unwatched: Unwatched) -> None:
        self._resolve_response(unwatched.id, unwatched)
        if unwatched.id is None and unwatched.match in self._handles:
            self._schedule_resume(self._handles[unwatched.match], None)

    def _schedule_resume(self, handle: MatchHandle, fault: CommandRefused | None) -> None:
        """The server has let go of a match; unless it said for good, the handle goes on where it stopped."""
        if handle.is_over:
            return
        if fault is not None and fault.retry_after_ms is None:
            handle.stop(MatchUnavailable(str(fault)))
            return
        self._start_resume(self._resume(handle, (fault.retry_after_ms or 0) / 1000 if fault else 0))

    def _start_resume(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._resume_tasks.add(task)
        task.add_done_callback(self._resume_tasks.discard)

    async def _resume(self, handle: MatchHandle, pause: float, snapshot: bool = False) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + self._retry_policy.give_up_seconds  # an outage of its database is one of the server
        while True:
            await asyncio.sleep(pause)
            is_whole = snapshot or not handle.has_history
            request = handle.mode.request(new_command_id(), handle.id, 0 if is_whole else handle.head, is_whole)
            try:
                await self.request(request, Watching)
                return
            except ClientError as fault:
                wait_ms = fault.retry_after_ms if isinstance(fault, CommandRefused) else None
                if wait_ms is None or loop.time() > until:
                    return handle.stop(MatchUnavailable(str(fault)))
                pause = wait_ms / 1000

    def _terminate(self, fault: ClientError) -> None:
        """Close for good: all pending requests fail."""
        self._error = self._error or fault
        self._answered.set()
        for future in self._pending_responses.values():
            if not future.done():
                future.set_exception(self._error)
        for handle in self._handles.values():
            handle.stop(self._error)
        self.lobby._on_end(self._error)
        self._connected.set()
        self._reading_wanted.set()


BYTES_PER_COST_UNIT = 1024


def cost_of(request: Request) -> int:
    """Return what a request costs of the frames that a client may send: large ones count for several."""
    return 2 + len(request.data) // BYTES_PER_COST_UNIT if isinstance(request, ImportPart) else 1


def connect(
    url: str | Sequence[str],
    *,
    token: str | None = None,
    name: str = "diskwars-python",
    entropy: Entropy = secrets.token_bytes,
    rng: random.Random | None = None,
    retry_policy: RetryPolicy = DEFAULT_RETRY_POLICY,
    heads: Mapping[MatchId, Head] | None = None,
    on_connection_change: ConnectionListener | None = None,
) -> contextlib.AbstractAsyncContextManager[Client]:
    """Return a client of the server at `url`, for `async with`. Raises ServerUnreachable or SessionEnded on entering.

    Several addresses are those of nodes of one service: where one restarts or dies, the client goes on at the next.

    `token` is that of an earlier connection; without one the server makes a guest. `heads` are those that an earlier
    client of this player kept; the matches have to contain them. `entropy` makes the secrets of seats, `rng` spreads
    new attempts. `on_connection_change` is called with False when the connection is lost, with True when it is back.
    """
    connection = ClientConnection(name, token or None, heads)
    urls = [url] if isinstance(url, str) else list(url)
    if not urls:
        raise InvalidRequest("connect needs the address of a server")
    return _open_client(Client(urls, connection, entropy, rng or random.Random(), retry_policy, on_connection_change))


@contextlib.asynccontextmanager
async def _open_client(client: Client) -> AsyncIterator[Client]:
    async with client:
        yield client


def _with_secrets(mode: WatchMode, reveal_secrets: bool) -> WatchMode:
    return msgspec.structs.replace(mode, reveal_secrets=reveal_secrets or mode.reveal_secrets)


def _flood_guard_for(limits: ClientLimits) -> FloodGuard:
    """Return a little less than the server allows: frames that were spaced may arrive together."""
    return FloodGuard(max(1, limits.frames_per_second * 9 // 10), max(1, limits.frame_burst * 9 // 10))


def _ignore_connection_change(is_back: bool) -> None:
    pass


def _monotonic_ms() -> int:
    return int(asyncio.get_running_loop().time() * 1000)
