"""The bus between nodes on several machines, over NATS.

While NATS cannot be reached, nothing is sent: messages are hints, and `head_polling` finds what they would have said.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.errors import StaleConnectionError, UnexpectedEOF

from diskwars_server.bus.bus import MAX_MESSAGE_BYTES, Bus, BusState, Listener, Listeners

log = logging.getLogger(__name__)

MAX_WAITING_MESSAGES = 4096
"""Messages that wait to be sent; of more the oldest are dropped."""
CONNECT_TIMEOUT_SECONDS = 2
RECONNECT_PAUSE_SECONDS = 0.5
PING_SECONDS = 10
"""After two pings without an answer the connection counts as lost."""
CLOSE_SECONDS = 2.0
CANCEL_SECONDS = 0.5
CONNECTION_FAULTS = (UnexpectedEOF, StaleConnectionError, OSError, TimeoutError)
"""Errors that end a connection: the client reports them right before it says that it is disconnected."""


class NatsBus(Bus):
    """One node's end of the bus. Use it as `async with bus:`; it connects in the background, again and again."""

    def __init__(self, url: str, prefix: str) -> None:
        """`url` names one server, or several of one cluster, separated by commas: a lost one is left for another.

        `prefix` begins every subject, so that servers of other databases may use the same NATS.
        """
        self._servers, self._prefix = split_servers(url), prefix
        self._listeners = Listeners()
        self._waiting: deque[tuple[str, bytes]] = deque(maxlen=MAX_WAITING_MESSAGES)
        self._work = asyncio.Event()
        self._is_connected = asyncio.Event()
        self._is_out = self._is_closing = False
        self._has_erred = False
        """Whether an error of this connection was logged; later ones of it are not."""
        self._subscriptions: dict[str, Subscription] = {}
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run(), name="bus")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._is_closing = True
            # More than once: in Python 3.11 `asyncio.wait_for`, with which the client connects, swallows a cancellation
            # that comes at the moment at which an attempt fails.
            while not self._task.done():
                self._task.cancel()
                await asyncio.wait([self._task], timeout=CANCEL_SECONDS)

    @property
    def state(self) -> BusState:
        return "ok" if self._is_connected.is_set() else "unavailable"

    async def wait_connected(self) -> None:
        await self._is_connected.wait()

    def publish(self, subject: str, message: bytes) -> None:
        if self._is_connected.is_set() and len(message) <= MAX_MESSAGE_BYTES:
            self._waiting.append((subject, message))
            self._work.set()

    def subscribe(self, subject: str, listener: Listener) -> Callable[[], None]:
        remove = self._listeners.add(subject, listener)
        self._work.set()

        def stop() -> None:
            remove()
            self._work.set()

        return stop

    # ---------------------------------------------------------------- the connection

    async def _run(self) -> None:
        while True:
            client = Client()
            try:
                await self._connect(client)
                self._on_connected()
                while not client.is_closed:
                    await self._work.wait()
                    self._work.clear()
                    await self._update_subscriptions(client)
                    await self._send_waiting(client)
            except (NatsError, OSError, TimeoutError) as fault:
                self._on_lost(fault)
            finally:
                self._subscriptions.clear()
                await _close_quietly(client)
            await asyncio.sleep(RECONNECT_PAUSE_SECONDS)

    async def _connect(self, client: Client) -> None:
        """Connect, however long it takes; the client restores a lost connection and its subscriptions."""
        await client.connect(
            self._servers,
            error_cb=self._on_error,
            disconnected_cb=self._on_disconnected,
            reconnected_cb=self._on_reconnected,
            closed_cb=self._on_closed,
            connect_timeout=CONNECT_TIMEOUT_SECONDS,
            reconnect_time_wait=RECONNECT_PAUSE_SECONDS,  # type: ignore[arg-type]  # it is passed to asyncio.sleep
            max_reconnect_attempts=-1,
            ping_interval=PING_SECONDS,
            no_echo=True,
            # Nothing waits for a new connection: what it said would be old.
            pending_size=0,
        )

    async def _update_subscriptions(self, client: Client) -> None:
        wanted = self._listeners.subjects
        for subject in wanted - self._subscriptions.keys():
            listen = self._make_callback(subject)
            self._subscriptions[subject] = await client.subscribe(f"{self._prefix}.{subject}", cb=listen)
        for subject in self._subscriptions.keys() - wanted:
            await self._subscriptions.pop(subject).unsubscribe()

    def _make_callback(self, subject: str) -> Callable[[Msg], Coroutine[Any, Any, None]]:
        async def listen(message: Msg) -> None:
            self._listeners.notify(subject, message.data)

        return listen

    async def _send_waiting(self, client: Client) -> None:
        while self._waiting:
            subject, message = self._waiting.popleft()
            with contextlib.suppress(nats.errors.OutboundBufferLimitError):  # it is connecting again
                await client.publish(f"{self._prefix}.{subject}", message)

    # ---------------------------------------------------------------- outages, logged once each

    async def _on_error(self, fault: Exception) -> None:
        """Note an attempt to connect that failed; an error of a connection that goes on costs a message at most.

        The client reports a connection that is lost to `_on_disconnected`, and nothing when it goes on after an error.
        """
        if not self._is_connected.is_set():
            self._on_lost(fault)
        elif not self._has_erred and not isinstance(fault, CONNECTION_FAULTS):
            self._has_erred = True
            log.error("bus error", extra={"why": type(fault).__name__})

    async def _on_disconnected(self) -> None:
        self._on_lost(ConnectionResetError())

    async def _on_reconnected(self) -> None:
        self._on_connected()

    async def _on_closed(self) -> None:
        self._work.set()

    def _on_connected(self) -> None:
        self._is_connected.set()
        self._work.set()
        if self._is_out:
            log.warning("bus available again")
        self._is_out = self._has_erred = False

    def _on_lost(self, fault: Exception) -> None:
        """The address is not logged, for it may hold a password; nor is the text, which may hold the address."""
        self._is_connected.clear()
        self._waiting.clear()
        if not self._is_out and not self._is_closing:
            log.error("bus unavailable", extra={"why": type(fault).__name__})
        self._is_out = True


def split_servers(url: str) -> list[str]:
    """Return the addresses of the servers of a cluster; the client takes no text with several."""
    return [server.strip() for server in url.split(",") if server.strip()]


async def _close_quietly(client: Client) -> None:
    # AssertionError is what a client raises that has not begun to connect.
    with contextlib.suppress(NatsError, OSError, TimeoutError, AssertionError):
        async with asyncio.timeout(CLOSE_SECONDS):
            await client.close()
