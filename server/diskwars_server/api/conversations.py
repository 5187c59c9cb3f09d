"""Conversations with a session that has no socket: a request over HTTP goes the way of a frame."""

import asyncio
from collections.abc import AsyncGenerator

import msgspec
from msgspec import Struct

from diskwars_protocol.connection.connection import ConnectionState, ServerConnection, encode
from diskwars_protocol.messages import Request
from diskwars_protocol.messages.refusals import Refused
from diskwars_server.api.problems import refusal_of
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.matches.match_users import MatchUser
from diskwars_server.players.users import LoggedInDevice
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal
from diskwars_server.session.session import Session, SessionContext

ANSWER_SECONDS = 20
"""For which a request waits for its answer."""
HEARTBEAT_SECONDS = 10.0
"""Between two lines of a stream; an empty one comes where there is nothing, so that both ends notice a lost line."""


class _Head(Struct):
    """What tells the answer to a request from other messages."""

    type: str
    id: str | None = None


_HEADS = msgspec.json.Decoder(_Head)
_REFUSED = msgspec.json.Decoder(Refused)


class Conversation:
    """One session. Use it as `async with conversation:`."""

    def __init__(self, context: SessionContext, address: str, device: LoggedInDevice) -> None:
        self._outbox = Outbox(ServerConnection(context.limits, ConnectionState.OPEN))
        self._session = Session(context, self._outbox, address)
        self._session.user.device = device
        self._accounts = context.handshake.accounts
        self._working: asyncio.Task[None] | None = None

    @property
    def user(self) -> MatchUser:
        return self._session.user

    async def __aenter__(self) -> "Conversation":
        self._accounts.connect(self.user)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._working is not None:
            self._working.cancel()
            await asyncio.wait([self._working])
        self._session.close()
        self._outbox.abandon()

    async def ask(self, request: Request, seconds: float = ANSWER_SECONDS) -> bytes:
        """Return the answer to a request as JSON. Raises Refusal."""
        self._send(request)
        try:
            async with asyncio.timeout(seconds):
                while (frame := await self._outbox.get()) is not None:
                    if _HEADS.decode(frame).id == request.id:
                        return _require_accepted(frame)
        except TimeoutError:
            pass  # what became of it is found out by sending it again under the same id
        raise Refusal("unavailable", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)

    async def follow(self, request: Request, seconds: float) -> AsyncGenerator[bytes, None]:
        """Yield the messages that follow a request, a line each, for a time. Raises Refusal before the first."""
        self._send(request)
        loop, is_first = asyncio.get_running_loop(), True
        ends_at = loop.time() + seconds
        while (left := ends_at - loop.time()) > 0:
            try:
                # Not around the yield: it would cancel the task that sends the line.
                async with asyncio.timeout(min(HEARTBEAT_SECONDS, left)):
                    frame = await self._outbox.get()
            except TimeoutError:
                yield b"\n"
                continue
            if frame is None:
                return
            yield (_require_accepted(frame) if is_first else frame) + b"\n"
            is_first = False

    def _send(self, request: Request) -> None:
        waiting = self._session.receive(encode(request).decode())
        if waiting is not None:
            # Beside the reader: what it sends waits for room in the outbox.
            self._working = asyncio.ensure_future(waiting)


def _require_accepted(frame: bytes) -> bytes:
    """Return a message unless it is a refusal. Raises Refusal."""
    if _HEADS.decode(frame).type != "refused":
        return frame
    raise refusal_of(_REFUSED.decode(frame))
