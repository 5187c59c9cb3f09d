"""Link of a client to its service: one socket after another, until the session ends for good."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import TypeAlias

from websockets.asyncio.client import ClientConnection as Socket
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from diskwars_client.errors import ClientError, SessionEnded
from diskwars_client.reconnects import BrokenConnections, may_reconnect
from diskwars_client.request_sender import RequestSender
from diskwars_client.retry_policy import RetryPolicy
from diskwars_client.server_addresses import ServerAddresses
from diskwars_client.server_sockets import ServerBusy, ServerUnreachable, open_socket
from diskwars_protocol.connection.client_connection import ClientConnection, ReceivedMessage
from diskwars_protocol.connection.connection import ProtocolError
from diskwars_protocol.connection.streams import VerifiedRange, VerifiedRecords
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.closing import Closing

log = logging.getLogger(__name__)

MessageHandler: TypeAlias = Callable[[ReceivedMessage, Socket], Awaitable[None]]


class ServerLink:
    """Sockets of a client, opened again after a loss.

    `on_message` gets each message that does not end the socket, `on_loss` is called when a connection that was welcomed
    is lost, `on_end` with the error that ends the session. `list_snapshot_matches` are those that a resume takes from
    a snapshot.
    """

    def __init__(
        self,
        urls: Sequence[str],
        connection: ClientConnection,
        requests: RequestSender,
        rng: random.Random,
        retry_policy: RetryPolicy,
        *,
        list_snapshot_matches: Callable[[], Collection[MatchId]],
        on_message: MessageHandler,
        on_loss: Callable[[], None],
        on_end: Callable[[ClientError], None],
    ) -> None:
        self._addresses = ServerAddresses(urls)
        self._connection, self._requests, self._rng, self._retry_policy = connection, requests, rng, retry_policy
        self._list_snapshot_matches = list_snapshot_matches
        self._on_message, self._on_loss, self._on_end = on_message, on_loss, on_end
        self._is_welcomed = False
        self._server_retry_ms = 0
        self._broken = BrokenConnections()

    @property
    def url(self) -> str:
        """The address that is used now."""
        return self._addresses.current

    def mark_welcomed(self) -> None:
        """Count attempts from the beginning again: the server has welcomed this connection."""
        self._is_welcomed = True

    async def run(self) -> None:
        """Keep a connection until the session has ended or the task is cancelled."""
        clock = asyncio.get_running_loop().time
        attempt, since, was_open = 0, clock(), False
        while self._requests.error is None:
            fault = await self._run_connection()
            has_tried_all = attempt + 1 >= len(self._addresses)
            if self._is_welcomed:
                attempt, since, was_open = 0, clock(), True
            elif self._gives_up(fault, was_open, has_tried_all, clock() - since):
                self._on_end(fault)
            elif isinstance(fault, ServerBusy):  # all that were refused shall not connect again at the same moment
                spread_ms = fault.retry_after_ms * (1 + self._rng.random() / 2)
                self._server_retry_ms = round(spread_ms) if has_tried_all else 0
            self._requests.close()
            self._connection.connection_lost()
            self._addresses.advance()
            if self._requests.error is None:
                if was_open:
                    self._on_loss()
                await asyncio.sleep(self._reconnect_delay(attempt))
                attempt += 1

    def _gives_up(self, fault: ClientError, was_open: bool, has_tried_all: bool, waited_seconds: float) -> bool:
        """Return whether a connection that could not be made was the last attempt."""
        if not was_open and isinstance(fault, ServerBusy):
            until_seconds = waited_seconds + fault.retry_after_ms / 1000
            return has_tried_all and until_seconds > self._retry_policy.max_server_wait_seconds
        # The first connection has to succeed at once; later ones may take their time.
        return (not was_open and has_tried_all) or waited_seconds > self._retry_policy.give_up_seconds

    async def _run_connection(self) -> ClientError:
        """Run one socket from beginning to end and return why it ended. Calls `on_end` when there must be no other."""
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
            self._on_end(ServerUnreachable(f"{self.url} is not the address of a server, like ws://127.0.0.1:8765/ws"))
        except ClientError as final:
            self._on_end(final)
        except Exception as wrong:  # pending requests have to fail
            log.exception("client failed")
            self._on_end(SessionEnded(f"the client failed: {type(wrong).__name__}: {wrong}"))
        return self._requests.error or fault

    def _reconnect_delay(self, attempt: int) -> float:
        server_delay, self._server_retry_ms = self._server_retry_ms / 1000, 0
        return max(server_delay, self._retry_policy.reconnect_delay(attempt, self._rng.random()))

    async def _exchange_frames(self) -> None:
        """Exchange frames on one socket until it ends. Raises SessionEnded when there must be no other."""
        opening = open_socket(self.url, self._retry_policy.ping_seconds, is_local=self._addresses.is_loopback)
        async with opening as socket:
            await socket.send(self._connection.send_hello(self._list_snapshot_matches()), text=True)
            async for frame in socket:
                if not await self._handle_frame(frame, socket):
                    return

    async def _handle_frame(self, frame: str | bytes, socket: Socket) -> bool:
        """Take up one frame. False when it was the last on this socket; raises SessionEnded when there shall be no
        other.
        """
        try:
            message = self._connection.receive(frame)
        except ProtocolError as broken:
            self._requests.pause()  # before the socket is closed, which takes a round trip
            await socket.close(broken.code, broken.close_reason)
            if not self._broken.may_reconnect(broken.close_reason, asyncio.get_running_loop().time()):
                raise SessionEnded(str(broken), broken.close_reason) from None
            return False
        if message is None:
            log.debug("a message of unknown type was ignored")
            return True
        if isinstance(message, Closing):
            self._requests.pause()  # also where this ends the session: the socket takes a round trip to close
            self._handle_closing(message)
            return False
        if isinstance(message, VerifiedRecords | VerifiedRange):
            self._broken.forget()
        await self._on_message(message, socket)
        return True

    def _handle_closing(self, closing: Closing) -> None:
        if not may_reconnect(closing):
            raise SessionEnded(f"{closing.close_reason}: {closing.text}", closing.close_reason)
        self._server_retry_ms = closing.retry_after_ms or 0
        self._addresses.on_closing(closing.close_reason)
