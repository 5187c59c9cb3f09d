"""One open connection, from its place in the server to the close of its socket: one reader and one writer."""

import asyncio
import contextlib
import logging
from types import TracebackType
from typing import Self

from msgspec import Struct
from websockets.exceptions import ConnectionClosed

from diskwars_protocol.messages.closing import CloseReason
from diskwars_server.broadcast.command_traffic import CommandTraffic
from diskwars_server.broadcast.outbox import Outbox, OutboxClosed
from diskwars_server.connections.frame_meter import is_quick_act
from diskwars_server.connections.game_socket import GameSocket
from diskwars_server.connections.handovers import SocketHandover
from diskwars_server.connections.places import ConnectionPlaces
from diskwars_server.limits.turns import AddressLock
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, describe_fault
from diskwars_server.session.session import Session, Waiting

log = logging.getLogger(__name__)


UNPAUSED_REASONS: frozenset[CloseReason] = frozenset({"going_away", "restarting", "slow"})
"""Reasons for which a connection is closed at once: its place is wanted, the server ends, or nobody reads."""


class ConnectionTimeouts(Struct, frozen=True):
    """The time that a client has for its hello, to answer a close, and to close by itself once it is refused."""

    hello_seconds: float
    close_seconds: float
    refusal_pause_seconds: float = 0


class Connection:
    """One open connection. Use it as `async with connection:`; it has a place in the server meanwhile."""

    def __init__(
        self,
        socket: GameSocket,
        outbox: Outbox,
        session: Session,
        handover: SocketHandover,
        places: ConnectionPlaces,
        timeouts: ConnectionTimeouts,
    ) -> None:
        self._socket, self._outbox, self._session, self._handover = socket, outbox, session, handover
        self._places, self._timeouts = places, timeouts

    async def __aenter__(self) -> Self:
        self._places.take(self._outbox, self._session, self._socket.address)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session.close()
        self._places.give_back(self._outbox)
        self._outbox.measure_lag = _no_lag  # without the circle a closed connection is freed at once
        if self._handover.is_handed_over:
            await self._socket.wait_closed()  # here only
            return
        closing = self._outbox.closing
        pause = self._timeouts.refusal_pause_seconds
        if pause and closing is not None and closing.close_reason not in UNPAUSED_REASONS:
            # Libraries that reconnect at once after each handshake that succeeded do so as often as they are closed.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._socket.wait_closed()
        code, reason = (closing.code, closing.close_reason) if closing else (1000, "")
        await self._socket.close_within(self._timeouts.close_seconds, code, reason)

    async def serve(self, slow_frames: AddressLock, traffic: CommandTraffic) -> None:
        """Handle frames and send what is in the outbox, until that is closed.

        All connections share `slow_frames`, which frames that are no acts hold one at a time, and the `traffic` of
        commands, in whose gaps they are handled.
        """
        socket, state = self._socket, self._socket.handover_state
        socket.start_sending(self._outbox)
        if state is not None and state.user is not None:
            self._session.restore_user(state.user, state.follow)
        reader = asyncio.create_task(self._read_frames(slow_frames, traffic))
        try:
            await self._outbox.wait_closed()
            reader.cancel()
            await socket.finish_sending(self._timeouts.close_seconds)
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)

    async def _read_frames(self, slow_frames: AddressLock, traffic: CommandTraffic) -> None:
        """Handle one frame after another; end by closing the outbox."""
        socket, handover = self._socket, self._handover
        try:
            was_handed_over = socket.handover_state is not None  # with a frame at least
            if was_handed_over and not await self._session.confirm_welcome():
                return
            frame = await (handover.next_frame(self._handle_act) if was_handed_over else self._receive_hello())
            while frame is not None:
                handover.record_frame(frame)
                if await socket.admit_in_turn(frame):
                    waiting = await self._handle_frame(frame, slow_frames, traffic)
                    if waiting is not None:
                        await waiting
                frame = await handover.next_frame(self._handle_act)
        except Exception as fault:
            self._close_after_fault(fault)

    def _handle_act(self, frame: str) -> None:
        try:
            if self._session.receive(frame) is not None:
                raise TypeError("an act is handled at once, there must be nothing to await")
        except Exception as fault:
            self._close_after_fault(fault)

    async def _handle_frame(
        self, frame: str | bytes, slow_frames: AddressLock, traffic: CommandTraffic
    ) -> Waiting | None:
        """Handle a frame, and return what is left to wait for.

        Frames that are read already come without a pause, so all other connections have a turn before each.
        """
        if is_quick_act(frame):
            await asyncio.sleep(0)
            return self._session.receive(frame)
        # One connection at a time: one frame of each of a hundred clients would keep a match waiting for all of them.
        async with slow_frames.turn_of(self._socket.address):
            await asyncio.sleep(0)
            if not self._outbox.is_lost:
                await traffic.wait_for_gap()
            return None if self._outbox.is_lost else self._session.receive(frame)

    async def _receive_hello(self) -> str | bytes | None:
        seconds = self._timeouts.hello_seconds
        try:
            async with asyncio.timeout(seconds):
                return await self._socket.receive_message()
        except TimeoutError:
            self._outbox.close("hello_expected", f"no hello within {seconds} seconds")
            return None

    def _close_after_fault(self, fault: Exception) -> None:
        """Close the outbox of a connection that cannot go on."""
        if isinstance(fault, ConnectionClosed | OutboxClosed):
            self._outbox.abandon()
            return
        log.error("connection failed", extra={"player": self._session.user.player, **describe_fault(fault)})
        text = "the server made a mistake: reconnect and resume"
        self._outbox.close("fault", text, UNAVAILABLE_RETRY_AFTER_MS)


def _no_lag() -> int:
    return 0
