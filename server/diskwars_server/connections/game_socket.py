"""A server's end of one WebSocket: incoming frames are metered, a client that takes nothing is closed.

Everything here is public API: asyncio's protocol callbacks and the documented methods of `websockets`. The short cuts
past that library are in `fast_socket.py`.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from websockets.asyncio.server import Server, ServerConnection
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from diskwars_protocol.flood_guard import FloodGuard
from diskwars_protocol.messages.handshake import ClientLimits
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.connections.frame_meter import FrameMeter, size_units, value_units
from diskwars_server.connections.parse_queue import ParseQueue
from diskwars_server.connections.request_head import RequestHeadProtocol
from diskwars_server.limits.address_quotas import AddressQuotas
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.entry_refusals import (
    SERVER_FULL,
    TOO_MANY_CONNECTIONS,
    EntryRefusal,
    EntryRefusalCode,
    encode_refusal,
)
from diskwars_server.refusals import describe_fault
from diskwars_server.session.handover import HandoverState

log = logging.getLogger(__name__)

ActHandler: TypeAlias = Callable[[str], None]
Frame: TypeAlias = str | bytes
ReadState: TypeAlias = Literal["parse", "read", "wait", "full"]

HANDED_OVER_PATH = "/ws"
"""The path of the request of a handed-over connection; its headers stay with the node that has read them."""
FLOOD_REST_SECONDS = 0.02
"""Between two reads of what a client goes on sending after it was closed for flooding."""
PIECE_BYTES = 1024
"""Parsed in one turn of what has come at once: up to 170 frames, which takes 3 ms, but some 20 of usual ones."""
MAX_WAITING_FRAMES = 32
MAX_WAITING_BYTES = 16 * 1024
"""Nothing more is parsed or read while as many messages, or two with as many bytes, wait to be taken by the reader of a
connection. Then pongs wait as well, and the keepalive ends the connection of a client whose requests take longer than
it permits; so those that a client may have under way have to be fewer."""


class SocketOptions(Struct, frozen=True):
    """Limits of one socket: of what a client sends, of unsent bytes, and of the time in which it takes none.

    Its request has to arrive within `request_seconds`. `count_refused` gets why a connection was not taken.
    """

    client_limits: ClientLimits
    max_unsent_bytes: int
    stall_seconds: float
    quotas: AddressQuotas
    request_seconds: float = 10
    count_refused: Callable[[EntryRefusalCode], None] = lambda code: None


class GameSocket(ServerConnection):
    """A WebSocket that feeds a session and is fed by an outbox."""

    # The library's attributes fit into the keys that all sockets share (30 in CPython 3.11). With ours beside them each
    # socket would hold a dictionary of its own, of 1.5 KiB.
    __slots__ = (
        "_is_address_counted",
        "_is_flooded",
        "_is_held",
        "_is_queued",
        "_is_refused",
        "_is_socket_counted",
        "_is_taking",
        "_meter",
        "_options",
        "_outbox",
        "_parse_queue",
        "_request_timer",
        "_sender",
        "_stall_timer",
        "_unparsed",
        "address",
        "frame_burst",
        "handover_state",
    )

    def __init__(
        self,
        protocol: ServerProtocol,
        server: Server,
        *,
        game_options: SocketOptions,
        parse_queue: ParseQueue,
        handover: HandoverState | None = None,
        **options: Any,
    ) -> None:
        """`handover` comes with a socket that another node has opened; the state of its protocol is `OPEN`."""
        # What may wait unread is bounded here: the library parses a whole chunk before it looks how much waits.
        super().__init__(protocol, server, max_queue=None, **options)
        limits = game_options.client_limits
        self.handover_state = handover
        self._meter = FrameMeter(FloodGuard(limits.frames_per_second, limits.frame_burst), has_request=not handover)
        self.frame_burst = limits.frame_burst
        """The number of frames that this connection may send at once, as `welcome` says."""
        self._options = game_options
        self._parse_queue = parse_queue
        self._unparsed = b""
        self._is_queued = self._is_taking = self._is_held = False
        self._is_flooded = False
        self._stall_timer: asyncio.TimerHandle | None = None
        self._request_timer: asyncio.TimerHandle | None = None
        self._outbox: Outbox | None = None
        self._sender: asyncio.Task[None] | None = None
        self.address = UNKNOWN
        self._is_socket_counted = self._is_address_counted = self._is_refused = False

    @classmethod
    def make_factory(cls, options: SocketOptions) -> "Callable[..., GameSocket]":
        """Return what makes the sockets of one server, from their protocols."""
        return partial(cls, game_options=options, parse_queue=ParseQueue())

    # ---------------------------------------------------------------- for the transport

    async def handshake(self, *arguments: Any, **options: Any) -> None:
        """Perform the opening handshake, unless another node has done so."""
        if self.handover_state is None:
            await super().handshake(*arguments, **options)
            # Nobody reads them again, and an open connection, which may be idle for days, would hold 3.5 KiB of them.
            if self.request and self.response:
                self.request.headers, self.response.headers = Headers(), Headers()

    def start_sending(self, outbox: Outbox) -> None:
        """Send what is put into the outbox; close it when the client floods or takes nothing."""
        self._outbox = outbox
        self._sender = asyncio.create_task(self._send_queued(outbox))

    async def finish_sending(self, seconds: float) -> None:
        """Send what is left in the closed outbox, if the client takes it in time."""
        if self._sender is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._sender

    async def _send_queued(self, outbox: Outbox) -> None:
        try:
            while (frame := await outbox.get()) is not None:
                await self.send(frame, text=True)
        except ConnectionClosed:
            outbox.abandon()

    async def next_frame(self, handle_act: ActHandler) -> str | bytes:
        """Wait for the next message. A faster socket may give acts to `handle_act` meanwhile."""
        return await self.receive_message()

    async def receive_message(self) -> Frame:
        """Wait for the next message. Raises ConnectionClosed."""
        self._is_taking = True  # a message may have more fragments than may wait
        self._update_reading()
        try:
            message = await self.recv()
        finally:
            self._is_taking = False
        self._meter.take_message()
        self._update_reading()
        return message

    def hold_reading(self) -> None:
        """Read nothing from here on, until `release_reading`; what has been read is still parsed."""
        self._is_held = True
        self._update_reading()

    def release_reading(self) -> None:
        self._is_held = False
        self._update_reading()

    async def read_ahead(self) -> list[Frame]:
        """Return the messages that have come and wait to be taken, if the last one is whole; does not wait."""
        if not self.is_between_messages:
            return []
        return [await self.receive_message() for _ in range(self._meter.messages)]

    @property
    def is_between_messages(self) -> bool:
        """Whether no message has come in part."""
        return not self._unparsed and self._meter.is_between_messages

    def frame_units_left(self) -> int:
        """Return what the flood limit has left."""
        return self._meter.guard.units_left(int(self.loop.time() * 1000))

    def measured_lag_ms(self) -> int:
        """Return the round trip of the last ping that the client has answered; 0 before the first."""
        return round(1000 * self.latency)

    async def close_within(self, seconds: float, code: int, reason: str) -> None:
        """Close with this code; cut off a client that does not answer in time."""
        # What still comes in is read and thrown away: closed over unread frames, a socket forgets what it has sent.
        rest = asyncio.create_task(self._discard_frames())
        try:
            async with asyncio.timeout(seconds):
                await self.close(code, reason)
        except TimeoutError:
            self.transport.abort()
        finally:
            rest.cancel()
            await asyncio.gather(rest, return_exceptions=True)

    async def _discard_frames(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self.receive_message()

    # ---------------------------------------------------------------- quotas

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        quotas = self._options.quotas
        self._is_socket_counted = quotas.admit_socket()
        if self.handover_state is not None:
            # Before anything is read: frames may wait in the socket already, and the library takes the first event of
            # a connection without a request for one.
            self.request = Request(HANDED_OVER_PATH, Headers())
            super().connection_made(transport)
            self._admit_handed_over(self.handover_state)
            return
        # Before the handshake: thousands of connections that never end it would take the places of those that do.
        if not self._is_socket_counted:
            self._refuse(transport, SERVER_FULL)
        elif not self.count_address(quotas.clients.of_peer(transport.get_extra_info("peername"))):
            self._refuse(transport, TOO_MANY_CONNECTIONS)
        else:
            super().connection_made(transport)
            self._request_timer = self.loop.call_later(self._options.request_seconds, self._require_request)

    def _refuse(self, transport: asyncio.BaseTransport, refusal: EntryRefusal) -> None:
        """Answer before there is a request, and close.

        The library is not told: it would begin a task, which costs more than all the rest. Waiting for the request
        would let strangers hold what they were refused.
        """
        self._is_refused = True
        self._options.count_refused(refusal.code)
        # That of uvloop has a class of its own.
        transport.write(encode_refusal(refusal))  # type: ignore[attr-defined]
        transport.close()

    def _admit_handed_over(self, handover: HandoverState) -> None:
        self.address = handover.address
        self._is_address_counted = self._is_socket_counted and self._options.quotas.admit_connection(self.address)
        self._lower_burst(handover.frame_units)
        if not self._is_address_counted:
            self.transport.abort()

    def _require_request(self) -> None:
        """Cut off a client that has not sent its whole request in time."""
        if self.request is None:
            self.transport.abort()

    def count_address(self, address: str) -> bool:
        """Count this connection for its client's address; return False where the address has or begins too many."""
        self._release_address()
        quotas = self._options.quotas
        self._is_address_counted = quotas.admit_handshake(address) and quotas.admit_connection(address)
        self.address = address
        if self._is_address_counted:
            self._lower_burst(quotas.grant_burst(address, self._options.client_limits))
        return self._is_address_counted

    def _lower_burst(self, units: int) -> None:
        self._meter.guard.lower_to(units)
        # Those that grow back later are not announced: clients keep the rate until they connect again.
        self.frame_burst = min(self._options.client_limits.frame_burst, max(1, units))

    def _release_address(self) -> None:
        if self._is_address_counted:
            self._options.quotas.release_connection(self.address)
            self._is_address_counted = False

    # ---------------------------------------------------------------- what comes in

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        # Counted here and not message by message: the library answers pings itself, and parses and keeps a whole chunk
        # of empty frames before anybody is asked. 2 MB of empty pings took it 3.5 s.
        if self._is_flooded:
            self._rest_reading()  # what was read is thrown away, so that the client gets to read why
        elif self._unparsed or not self._meter.is_within_a_frame(data):
            self._unparsed += data
            self._update_reading()
        else:
            self._parse(data)
            self._update_reading()

    def parse_piece(self) -> None:
        """Parse a little of what has come, in the turn of this connection."""
        self._is_queued = False
        if self._is_flooded or self.transport.is_closing():
            return
        try:
            self._parse_unparsed()
        except Exception as fault:  # as the event loop does where data are parsed as they come
            log.error("frames not parsed", extra=describe_fault(fault))
            self.transport.abort()
        self._update_reading()

    def _parse_unparsed(self) -> None:
        piece, self._unparsed = self._unparsed[:PIECE_BYTES], self._unparsed[PIECE_BYTES:]
        self._parse(piece)

    def _update_reading(self) -> None:
        """Parse what has come in turn and then read on, unless enough waits to be taken."""
        if self._is_flooded or self.transport.is_closing():
            return
        state = self._read_state()
        if state == "parse" and not self._is_queued:
            self._is_queued = True
            self._parse_queue.add(self)
        elif state == "full" and self._is_taking:
            # A message is taken in this round. If it is no text, the library closes, and waits for the other end.
            self.loop.call_soon(self._update_reading)
        if (state == "read") is not self.transport.is_reading():
            if state == "read":
                self.transport.resume_reading()
            else:
                self.transport.pause_reading()

    def _read_state(self) -> ReadState:
        """Return whether to parse what has come, to read more, or to wait; `full`: until a message is taken."""
        # While the reader waits, the library gives it each fragment; meanwhile they add up.
        waiting = len(self._meter.message_sizes) + (0 if self._is_taking else self._meter.fragments)
        has_many_bytes = waiting > 1 and self._meter.waiting_bytes >= MAX_WAITING_BYTES
        connection_state = self.protocol.state
        # Once one end closes, frames that still come are thrown away, and not taken.
        if connection_state is State.OPEN and (waiting >= MAX_WAITING_FRAMES or has_many_bytes):
            return "full"
        # Frames before the handshake is done are an error of which the library makes one of its own.
        if connection_state is State.CONNECTING and self.request is not None and self.response is None:
            return "wait"
        if self._unparsed:
            return "parse"
        return "wait" if self._is_held else "read"

    def on_response(self) -> None:
        """Parse what has come behind the request once the response, which is returned now, has been sent."""
        self.loop.call_soon(self._update_reading)

    def _parse(self, data: bytes) -> None:
        if length := self._meter.request_length(data):
            data, self._unparsed = data[:length], data[length:] + self._unparsed
        begins_frame = self._meter.is_between_frames
        admitted = self._meter.admitted_bytes(data, int(self.loop.time() * 1000))
        self.parse_admitted(data if admitted == len(data) else data[:admitted], begins_frame)
        if self.response is None and isinstance(self.protocol, RequestHeadProtocol):
            self._meter.expect_body(self.protocol.take_missing_bytes())
        if admitted < len(data):
            self._is_flooded = True
            self._close_flooded()
        elif self.transport.get_write_buffer_size() > self._options.max_unsent_bytes:
            self._close_slow()  # pongs are written at once, past the outbox

    def _rest_reading(self) -> None:
        """Read no more for a moment: an event loop may read megabytes of a flood at once, which took it 7 ms."""
        self.transport.pause_reading()
        self.loop.call_later(FLOOD_REST_SECONDS, self._end_rest)

    def _end_rest(self) -> None:
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def frame_wait_ms(self) -> int:
        """Return how long the next message has to wait for what other connections of its address have sent."""
        return self._options.quotas.frame_wait_ms(self.address)

    async def admit_in_turn(self, text: str | bytes) -> bool:
        """Admit the values of a message once it is its turn among those of its address.

        What comes meanwhile waits in the queue of the library, and then in the client's own buffers.
        """
        wait_ms = self.frame_wait_ms()
        is_admitted = self.admit_values(text)
        if is_admitted and wait_ms:
            await asyncio.sleep(wait_ms / 1000)
        return is_admitted

    def admit_values(self, text: str | bytes) -> bool:
        """Charge a message for the values that it holds, before it is decoded; close the client that sends too many.

        The address is charged for its size as well.
        """
        units = value_units(text)
        self._options.quotas.charge_frame(self.address, units + size_units(len(text)))
        if units and not self._is_flooded and not self._meter.guard.admit(int(self.loop.time() * 1000), units):
            self._is_flooded = True
            self._close_flooded()
        return not self._is_flooded

    def eof_received(self) -> None:
        # With TLS the end is reported together with what came before it, for which no turn is left: the last acts of a
        # client that leaves are parsed now, and what is longer than a piece is lost.
        if self._unparsed and self.protocol.state is State.OPEN and not self._is_flooded:
            self._parse_unparsed()
        if not self._is_refused:
            super().eof_received()

    def parse_admitted(self, data: bytes, begins_frame: bool) -> None:
        """Parse what the meter has let through. A faster socket may do so itself.

        `begins_frame` says that the first byte of `data` is the first of a frame.
        """
        super().data_received(data)

    def _close_flooded(self) -> None:
        self._unparsed = b""
        self._end_rest()
        if self._outbox is None:  # before the handshake is done
            self.transport.abort()
        else:
            self._outbox.close("flood", "too many or too large frames: slow down", self._meter.guard.wait_ms())

    # ---------------------------------------------------------------- what goes out

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_for_stall()

    def resume_writing(self) -> None:
        self._stop_watching_for_stall()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_watching_for_stall()
        if self._outbox is not None:
            self._outbox.is_lost = True
        if self._request_timer is not None:
            self._request_timer.cancel()
        if isinstance(self.protocol, RequestHeadProtocol):
            self.protocol.release_body()
        self._release_address()
        if self._is_socket_counted:
            self._options.quotas.release_socket()
            self._is_socket_counted = False
        if not self._is_refused:
            super().connection_lost(exc)

    def _watch_for_stall(self) -> None:
        """Look again in `stall_seconds` whether the client has taken anything.

        The library's keepalive does not notice: its ping waits for room in the write buffer before its time-out begins.
        """
        unsent = self.transport.get_write_buffer_size()
        self._stall_timer = self.loop.call_later(self._options.stall_seconds, self._check_stall, unsent)

    def _check_stall(self, unsent_before: int) -> None:
        if self.transport.get_write_buffer_size() < unsent_before:
            self._watch_for_stall()
        else:
            self._close_slow()

    def _stop_watching_for_stall(self) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None

    def _close_slow(self) -> None:
        if self._outbox is None:
            self.transport.abort()
        else:
            self._outbox.close_slow()
