"""Moves of one connection to the node that holds its match: at the frame in which it takes up that match.

Both players of a match that is split over two nodes work, but each record is then read and folded a second time.
"""

from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.lists import FollowMatches
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.connections.game_socket import ActHandler, Frame, GameSocket
from diskwars_server.connections.placement import MAX_STATE_BYTES, Placement
from diskwars_server.monitoring.metrics import Metrics
from diskwars_server.players.users import LoggedInDevice
from diskwars_server.session.handover import HandoverState

MAX_MOVES = 16
"""A connection that was handed over this often stays: a client that changes its match all the time costs no more."""


class SocketHandover:
    """The frames of one connection, and its way to another node. Without placement it stays."""

    def __init__(self, placement: Placement | None, socket: GameSocket, outbox: Outbox, metrics: Metrics) -> None:
        self._placement, self._socket, self._outbox, self._metrics = placement, socket, outbox, metrics
        handover = socket.handover_state
        self._moves = handover.moves if handover else 0
        # A list: most connections have none, and an empty deque takes 0.7 KiB.
        self._waiting: list[Frame] = list(handover.frames) if handover else []
        self._current: Frame = ""
        self.is_handed_over = False

    # ---------------------------------------------------------------- frames

    @property
    def has_waiting_frames(self) -> bool:
        """Whether frames were read and not handled yet, here or by another node."""
        return bool(self._waiting)

    async def next_frame(self, handle_act: ActHandler) -> Frame:
        """Return the next frame, first those that were read already. Raises ConnectionClosed."""
        # Drop the last one now: it may be large, and a client may be silent for hours.
        self._current = ""
        self._current = self._waiting.pop(0) if self._waiting else await self._socket.next_frame(handle_act)
        return self._current

    def record_frame(self, frame: Frame) -> None:
        """Remember the frame that is about to be handled, where `next_frame` did not return it."""
        self._current = frame

    # ---------------------------------------------------------------- moving

    def can_hand_over(self, match: MatchId) -> bool:
        """Return whether another node is the home of this match, and the connection may still be handed over."""
        return self._placement is not None and self._moves < MAX_MOVES and not self._placement.is_home(match)

    async def hand_over(self, match: MatchId, user: LoggedInDevice | None, follow: FollowMatches | None) -> bool:
        """Move the connection with the frame that is being handled. False: it stays, and the frame is handled here."""
        transport = self._socket.transport
        # What is still in the socket from here on moves with it.
        self._socket.hold_reading()
        try:
            self._waiting.extend(await self._socket.read_ahead())
            self.is_handed_over = await self._offer(match, user, follow)
        except ConnectionClosed:
            return False  # the reader finds out by itself
        finally:
            if self.is_handed_over:
                # Nothing is closed for the client: the other node holds the same socket.
                transport.abort()
                self._outbox.abandon()
                self._metrics.count_move()
            else:
                self._socket.release_reading()
        return self.is_handed_over

    async def _offer(self, match: MatchId, user: LoggedInDevice | None, follow: FollowMatches | None) -> bool:
        frames = tuple(frame for frame in (self._current, *self._waiting) if isinstance(frame, str))
        has_binary = len(frames) < 1 + len(self._waiting)  # it is refused here as well as there
        if self._placement is None or has_binary or not self._is_quiet():
            return False
        handover = HandoverState(
            self._socket.address,
            frames,
            self._socket.frame_units_left(),
            self._moves + 1,
            user,
            follow,
        )
        state = handover.encode()
        if len(state) > MAX_STATE_BYTES:
            return False
        number = self._socket.transport.get_extra_info("socket").fileno()
        return await self._placement.hand_over(match, number, state, self._is_quiet)

    def _is_quiet(self) -> bool:
        """Whether all that was sent has left this process, and no frame has come in part."""
        return (
            self._socket.state is State.OPEN
            and self._socket.is_between_messages
            and not (self._outbox.is_closed or self._outbox.is_lost or self._outbox.backlog)
            and self._socket.transport.get_write_buffer_size() == 0
            and self._socket.transport.get_extra_info("sslcontext") is None  # its keys stay in this process
        )
