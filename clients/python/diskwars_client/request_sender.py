"""Requests under way: sent within the limits of the server, and again after a lost connection."""

import asyncio
import contextlib
import random

from websockets.asyncio.client import ClientConnection as Socket
from websockets.exceptions import ConnectionClosed

from diskwars_client.errors import ClientError, CommandRefused, InvalidRequest, SessionEnded
from diskwars_client.requester import Response, ResponseT
from diskwars_client.retry_policy import RetryPolicy
from diskwars_protocol.connection.client_connection import ClientConnection
from diskwars_protocol.connection.connection import LocalProtocolError
from diskwars_protocol.flood_guard import FloodGuard
from diskwars_protocol.messages import Request
from diskwars_protocol.messages.files import ImportPart
from diskwars_protocol.messages.handshake import ClientLimits

BYTES_PER_COST_UNIT = 1024


class RequestSender:
    """Sender of a client's requests. It outlives the sockets: `open` and `close` say when there is one.

    `resumes` are the tasks that watch matches again. `reading_wanted` is set when a request begins to wait, because
    its response may be behind records that nobody takes.
    """

    def __init__(
        self,
        connection: ClientConnection,
        rng: random.Random,
        retry_policy: RetryPolicy,
        *,
        resumes: set[asyncio.Task[None]],
        reading_wanted: asyncio.Event,
    ) -> None:
        self._connection, self._rng, self._retry_policy = connection, rng, retry_policy
        self._resumes, self._reading_wanted = resumes, reading_wanted
        self._pending: dict[str, asyncio.Future[Response]] = {}
        self._answered = asyncio.Event()
        self._opened = asyncio.Event()
        self._socket: Socket | None = None
        self._flood_guard = _flood_guard_for(connection.limits)
        self.error: ClientError | None = None
        """The error that ended the session for good."""

    # ------------------------------------------------------------ requests

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
        if refused.code == "not_watching" and self._resumes and not is_last:
            # The server has unloaded the match, and this client is resuming it: the command belongs after that.
            await asyncio.wait(self._resumes, timeout=self._retry_policy.ping_seconds)
            return
        is_patient = (refused.retry_after_ms or 0) <= 1000 * self._retry_policy.max_server_wait_seconds
        if refused.retry_after_ms is None or is_last or not is_patient:
            raise refused
        self._retry_policy.on_retry(request, refused)
        # spread at random, so that not all clients of a busy server try again at the same moment
        await asyncio.sleep(refused.retry_after_ms / 1000 * (1 + self._rng.random()))

    async def _request_once(self, request: Request, kind: type[ResponseT]) -> ResponseT:
        future: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._pending[request.id] = future
        self._reading_wanted.set()
        try:
            await self._send(request)
            response = await future
        finally:
            self._pending.pop(request.id, None)
            if future.done() and not future.cancelled():
                future.exception()  # marks it as retrieved where the session ended before the request was sent
        if not isinstance(response, kind):
            raise SessionEnded(f"{type(response).__name__} is no answer to {type(request).__name__}")
        return response

    async def _send(self, request: Request) -> None:
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
            await self.wait_open()
            if len(self._connection.unanswered) >= self._connection.limits.commands_in_flight:
                self._answered.clear()
                await self._answered.wait()
            elif self._flood_guard.admit(_monotonic_ms(), cost):
                return
            else:
                await asyncio.sleep(self._flood_guard.wait_ms() / 1000)

    # ------------------------------------------------------------ responses

    @property
    def is_awaited(self) -> bool:
        """Whether a task waits for a response that has not arrived."""
        # A response that has arrived counts no more, though its task has not run yet: that task may take updates next.
        return any(not future.done() for future in self._pending.values())

    def resolve(self, id: str | None, response: Response) -> None:
        """Give a response to the task that waits for it, if one does."""
        self._answered.set()
        future = None if id is None else self._pending.get(id)
        if future is not None and not future.done():
            future.set_result(response)

    def refuse(self, id: str | None, fault: CommandRefused) -> bool:
        """Give a refusal to the task that waits for the response. Return whether one does."""
        self._answered.set()
        future = None if id is None else self._pending.get(id)
        if future is None or future.done():
            return False
        future.set_exception(fault)
        return True

    # ------------------------------------------------------------ sockets

    async def wait_open(self) -> None:
        """Wait until requests can be sent. Raises the error that ended the session."""
        # A task that waits runs one round of the loop after `open`. A frame that came together with the welcome may
        # have broken the connection in between, so what counts is the event now, not that the wait is over.
        while not self._opened.is_set():
            await self._opened.wait()
        if self.error is not None:
            raise self.error

    async def open(self, socket: Socket) -> None:
        """Send the unanswered requests again on a new socket, then send others on it."""
        self._flood_guard = _flood_guard_for(self._connection.limits)
        self._socket = socket
        for frame in self._connection.resend_unanswered():
            self._flood_guard.admit(_monotonic_ms())
            await socket.send(frame, text=True)
        self._opened.set()

    def pause(self) -> None:
        """Let requests wait for the next socket: this one takes none while it closes."""
        self._opened.clear()

    def close(self) -> None:
        """Let go of the socket, which has ended."""
        self._socket = None
        if self.error is None:
            self._opened.clear()

    def end(self, fault: ClientError) -> ClientError:
        """End for good: all pending requests fail with the first error. Return that."""
        self.error = self.error or fault
        self._answered.set()
        for future in self._pending.values():
            if not future.done():
                future.set_exception(self.error)
        self._opened.set()
        return self.error


def cost_of(request: Request) -> int:
    """Return what a request costs of the frames that a client may send: large ones count for several."""
    return 2 + len(request.data) // BYTES_PER_COST_UNIT if isinstance(request, ImportPart) else 1


def _flood_guard_for(limits: ClientLimits) -> FloodGuard:
    """Return a little less than the server allows: frames that were spaced may arrive together."""
    return FloodGuard(max(1, limits.frames_per_second * 9 // 10), max(1, limits.frame_burst * 9 // 10))


def _monotonic_ms() -> int:
    return int(asyncio.get_running_loop().time() * 1000)
