"""Short cuts past the public API of `websockets`: acts are handled as they are read, frames are written at once.

Optional. They save a task switch and the library's parser for each act, a task switch for each frame sent, and the
encoding of a frame that many clients get. They use internals of the library, so they are taken only with versions they
were tested with; with any other version `choose_socket_class` falls back to `GameSocket`.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from importlib.metadata import version as installed_version
from typing import Any

from websockets.protocol import State

from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.connections.frame_meter import is_quick_act
from diskwars_server.connections.game_socket import ActHandler, GameSocket, SocketOptions
from diskwars_server.connections.parse_queue import ParseQueue

try:
    from websockets.speedups import apply_mask
except ImportError:  # a build without compiled parts
    from websockets.utils import apply_mask

log = logging.getLogger(__name__)

TESTED_VERSIONS = ("17.4",)
"""Versions of `websockets` with which the transport tests run over `FastGameSocket`: the locked one."""

UNFRAGMENTED_TEXT = 0x81
MASKED = 0x80
LENGTH_IN_TWO_BYTES = 126
LENGTH_IN_EIGHT_BYTES = 127


def choose_socket_class(version: str = "") -> type[GameSocket]:
    """Return the fast socket if it is known to work with this version of `websockets`, else the public one."""
    version = version or installed_version("websockets")
    chosen = FastGameSocket if version in TESTED_VERSIONS else GameSocket
    if chosen is GameSocket:
        log.warning("slower sockets: this version of websockets was not tried", extra={"websockets": version})
    return chosen


class FrameEncoder:
    """Encodes text frames for the wire.

    Subscribers of a match get the same text one after another, so the last one is kept encoded.
    """

    def __init__(self) -> None:
        self._last_text: bytes | None = None
        self._last_frame = b""

    def encode_text(self, text: bytes) -> bytes:
        # compares by identity; comparing the bytes would take longer than encoding them
        if text is not self._last_text:
            self._last_text, self._last_frame = text, _frame_header(len(text)) + text
        return self._last_frame


def _frame_header(size: int) -> bytes:
    """Return the header of an unfragmented, unmasked text frame (RFC 6455, section 5.2)."""
    if size < 126:
        return bytes((UNFRAGMENTED_TEXT, size))
    if size < 1 << 16:
        return bytes((UNFRAGMENTED_TEXT, 126)) + size.to_bytes(2, "big")
    return bytes((UNFRAGMENTED_TEXT, 127)) + size.to_bytes(8, "big")


class FastGameSocket(GameSocket):
    """A game socket without a task switch between the network and a match."""

    __slots__ = ("_encoder", "_handle_act")  # as in the socket below

    def __init__(self, *arguments: Any, encoder: FrameEncoder, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._encoder = encoder
        self._handle_act: ActHandler | None = None

    @classmethod
    def make_factory(cls, options: SocketOptions) -> "Callable[..., GameSocket]":
        return partial(cls, game_options=options, parse_queue=ParseQueue(), encoder=FrameEncoder())

    # ---------------------------------------------------------------- what comes in

    async def next_frame(self, handle_act: ActHandler) -> str | bytes:
        # Only while the reader waits here is nothing queued before an act, and only then may it be handled at once.
        self._handle_act = handle_act
        try:
            return await super().next_frame(handle_act)
        finally:
            self._handle_act = None

    def parse_admitted(self, data: bytes, begins_frame: bool) -> None:
        if (handle_act := self._handle_act) is not None:
            is_free = begins_frame and self._is_between_messages() and not self.frame_wait_ms()
            if is_free and (act := decode_lone_act(data)) is not None:
                self._meter.take_message()
                if self.admit_values(act):
                    handle_act(act)
                return
            self._handle_act = None  # this chunk is for the reader, so the next ones have to be as well
        super().parse_admitted(data, begins_frame)

    def _is_between_messages(self) -> bool:
        """Whether the library waits for the first fragment of a message.

        Where frames begin, the meter knows: a library that waits for the payload behind a header does not show it.
        """
        return self.protocol.state is State.OPEN and self.protocol.current_size is None

    # ---------------------------------------------------------------- what goes out

    def start_sending(self, outbox: Outbox) -> None:
        self._outbox = outbox
        outbox.attach_writer(self._write_frame)

    async def finish_sending(self, seconds: float) -> None:
        if self._outbox is not None:
            self._outbox.attach_writer(None)
            self._sender = asyncio.create_task(self._send_queued(self._outbox))
        await super().finish_sending(seconds)

    def _write_frame(self, text: bytes) -> bool:
        if self.paused or self.protocol.state is not State.OPEN:
            return False
        self.transport.write(self._encoder.encode_text(text))
        return True

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._outbox is not None:
            self._outbox.flush()

    # ---------------------------------------------------------------- the end

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # Their tracebacks hold the frames in which they were raised, those the connection, and that the faults. Without
        # these circles a closed connection is freed at once; where strangers kept connecting, each search for garbage
        # took up to 9 ms.
        for fault in (self.protocol.parser_exc, self.connection_exc):
            if fault is not None:
                fault.__traceback__ = None


def decode_lone_act(data: bytes) -> str | None:
    """Return the text of a quick act if `data` is one unfragmented masked frame with it alone (RFC 6455, 5.2)."""
    if len(data) < 8 or data[0] != UNFRAGMENTED_TEXT:
        return None
    size, header_size = data[1] - MASKED, 6
    if size == LENGTH_IN_TWO_BYTES:
        size, header_size = int.from_bytes(data[2:4], "big"), 8
    # Frames that are not masked have a size below 0. Those with a length in eight bytes are left to the library: taken
    # for 127 bytes, the meter would count what follows as their payload.
    if size == LENGTH_IN_EIGHT_BYTES or size != len(data) - header_size:
        return None
    text = apply_mask(data[header_size:], data[header_size - 4 : header_size])
    if not is_quick_act(text):
        return None
    try:
        return text.decode()
    except UnicodeDecodeError:
        return None
