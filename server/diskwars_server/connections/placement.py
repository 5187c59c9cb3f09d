"""Homes of matches among the nodes of one machine, and the handing over of sockets to them (SCM_RIGHTS).

A hand-over is agreed on in two steps, so that at no time two nodes read from one socket: the home takes the socket
and answers `READY`, and begins when it gets `GO`, after which the sender does nothing with it any more. A node that
dies in between leaves a closed connection, whose client resumes as after any loss.
"""

import asyncio
import contextlib
import hashlib
import logging
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from diskwars_protocol.match.ids import MatchId

log = logging.getLogger(__name__)

MAX_STATE_BYTES = 1024 * 1024
"""Size of what comes with a socket: the state of its session, and the frames that were read and not handled."""
HANDOVER_SECONDS = 1.0
"""A home that takes longer does without the connection, which stays where it is."""
MAX_HANDOVERS_AT_ONCE = 64
BACKLOG = 128
SIZE_BYTES = 4
READY, REFUSED, GO = b"r", b"n", b"g"


class HandoverReceiver(Protocol):
    """A receiver of connections from other nodes."""

    def admits(self, state: bytes) -> bool:
        """Return whether there is room for a connection in this state."""

    async def take_over(self, client: socket.socket, state: bytes) -> None:
        """Go on with a connection. The socket is the receiver's from now on."""


class Placement:
    """One node's view of all nodes. Their sockets are in a folder that only they can enter."""

    def __init__(self, folder: Path, number: int, count: int) -> None:
        """`number` is this node, counted from 0, of `count`."""
        self._folder, self._number, self._count = folder, number, count
        self._task: asyncio.Task[None] | None = None
        self._arrivals: set[asyncio.Task[None]] = set()

    def is_home(self, match: MatchId) -> bool:
        """Return whether this node is the home of a match while all nodes live."""
        return home_order(match, self._count)[0] == self._number

    # ---------------------------------------------------------------- sending

    async def hand_over(self, match: MatchId, fileno: int, state: bytes, may_go: Callable[[], bool]) -> bool:
        """Hand a socket over to the home of a match, or to the next node where that one is dead.

        `may_go` is asked at the last moment. False: it was not taken, and stays here.
        """
        for node in home_order(match, self._count):
            if node == self._number:
                return False
            try:
                return await self._offer(self._path_of(node), fileno, state, may_go)
            except (ConnectionRefusedError, FileNotFoundError):
                continue  # it is dead, and is about to be started again
            except (OSError, TimeoutError) as fault:
                log.warning("connection not handed over", extra={"to": node, "why": type(fault).__name__})
                return False
        return False

    async def _offer(self, path: str, fileno: int, state: bytes, may_go: Callable[[], bool]) -> bool:
        loop = asyncio.get_running_loop()
        with _unix_socket() as home:
            async with asyncio.timeout(HANDOVER_SECONDS):
                await loop.sock_connect(home, path)
                socket.send_fds(home, [len(state).to_bytes(SIZE_BYTES, "big")], [fileno])
                await loop.sock_sendall(home, state)
                if await loop.sock_recv(home, 1) != READY or not may_go():
                    return False
                # At once, and not by the loop: what `may_go` has seen is still so.
                home.send(GO)
                return True

    # ---------------------------------------------------------------- receiving

    def listen(self, receiver: HandoverReceiver) -> None:
        """Take connections over until `close`."""
        path = self._path_of(self._number)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.setblocking(False)
        try:
            Path(path).unlink(missing_ok=True)  # of this node before it died
            listener.bind(path)
            listener.listen(BACKLOG)
        except OSError as fault:  # for one, a path of more than about 100 bytes
            log.error("no connections are handed over to this worker", extra={"why": str(fault)})
            listener.close()
            return
        self._task = asyncio.create_task(self._accept(listener, receiver), name="hand-overs")

    async def close(self) -> None:
        """Take no more connections over."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task, *self._arrivals])

    def _path_of(self, node: int) -> str:
        return str(self._folder / str(node))

    async def _accept(self, listener: socket.socket, receiver: HandoverReceiver) -> None:
        loop = asyncio.get_running_loop()
        with listener:
            while True:
                if len(self._arrivals) >= MAX_HANDOVERS_AT_ONCE:
                    await asyncio.wait(self._arrivals, return_when=asyncio.FIRST_COMPLETED)
                try:
                    sender, _ = await loop.sock_accept(listener)
                except OSError as fault:  # too many open files, for one
                    log.warning("no hand-over accepted", extra={"why": type(fault).__name__})
                    await asyncio.sleep(HANDOVER_SECONDS)
                    continue
                arrival = asyncio.create_task(self._receive(sender, receiver), name="hand-over")
                self._arrivals.add(arrival)
                arrival.add_done_callback(self._arrivals.discard)

    async def _receive(self, sender: socket.socket, receiver: HandoverReceiver) -> None:
        # The client's socket is closed where it is not taken over; its sender has another one to go on with.
        with contextlib.ExitStack() as stack:
            try:
                async with asyncio.timeout(HANDOVER_SECONDS):
                    with sender:
                        client, state = await _receive_socket(sender, stack)
                        is_admitted = receiver.admits(state)
                        sender.send(READY if is_admitted else REFUSED)
                        if not is_admitted or await asyncio.get_running_loop().sock_recv(sender, 1) != GO:
                            return
            except (OSError, TimeoutError, ValueError):
                return  # it stays with its sender
            stack.pop_all()
            await receiver.take_over(client, state)


async def _receive_socket(sender: socket.socket, stack: contextlib.ExitStack) -> tuple[socket.socket, bytes]:
    """Return a socket, which the stack closes, and the state that comes with it. Raises OSError and ValueError."""
    await _wait_readable(sender)
    header, numbers, _, _ = socket.recv_fds(sender, SIZE_BYTES, 1)
    received = [stack.enter_context(socket.socket(fileno=number)) for number in numbers]
    size = int.from_bytes(header, "big")
    if len(received) != 1 or len(header) != SIZE_BYTES or size > MAX_STATE_BYTES:
        raise ValueError("not a hand-over")
    received[0].setblocking(False)
    state = b""
    while len(state) < size:
        more = await asyncio.get_running_loop().sock_recv(sender, size - len(state))
        if not more:
            raise ValueError("cut off")
        state += more
    return received[0], state


async def _wait_readable(connection: socket.socket) -> None:
    """Wait until there is something to read: the loop itself cannot receive file descriptors."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(connection.fileno(), readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(connection.fileno())


@contextlib.contextmanager
def _unix_socket() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.setblocking(False)
        yield connection


def home_order(match: str, count: int) -> list[int]:
    """Return all nodes, the home of a match first and then those that take its place (rendezvous hashing).

    Where a node is dead only its own matches have another home, and each node finds the same one.
    """
    weights = [hashlib.blake2b(f"{node} {match}".encode(), digest_size=8).digest() for node in range(count)]
    return sorted(range(count), key=lambda node: weights[node], reverse=True)
