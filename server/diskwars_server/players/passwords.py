"""Hashing of passwords by argon2id, in a few threads with a bounded queue."""

import asyncio
import contextlib
import os
import sys
import threading
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from diskwars_protocol.messages.accounts import MAX_PASSWORD_BYTES, MIN_PASSWORD_BYTES
from diskwars_server.limits.turns import AddressTurns

HASHING_THREADS = 2
"""Hashes at the same time; each takes 19 MiB and some 30 ms of a core."""
HASHING_NICENESS = 10
MAX_WAITING_HASHES = 16
"""Further ones are refused at once: the last in the queue waits about half a second."""

T = TypeVar("T")


class TooManyHashes(Exception):
    """The queue is full."""


class BadPassword(Exception):
    """A text that cannot be a password; the error says why, and never what it was."""


def make_hasher() -> PasswordHasher:
    """Return the hasher of new passwords: argon2id with the least that OWASP recommends."""
    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


class Passwords:
    """Hashes and verifies passwords."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or make_hasher()
        self._threads = ThreadPoolExecutor(HASHING_THREADS, "passwords", _lower_priority)
        self._queued = self._running = 0
        self._waiting = AddressTurns[asyncio.Future[None]]()

    def close(self) -> None:
        """Let go of the threads. Hashes in the queue are not made any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def hash(self, password: str, address: str = "") -> str:
        """Return the hash to store. Raises BadPassword and TooManyHashes. Addresses take turns."""
        text = normalize_password(password)
        return await self._run(lambda: self._hasher.hash(text), address)

    async def verify(self, password_hash: str | None, password: str, address: str = "") -> bool:
        """Return whether this is the password of a hash; of none it takes the same time. Raises TooManyHashes."""
        try:
            text = normalize_password(password)
        except BadPassword:
            text = ""  # no account has it, and saying so sooner would tell nothing
        return await self._run(lambda: self._verify(password_hash, text), address)

    def is_outdated(self, password_hash: str) -> bool:
        """Return whether a hash was made with other parameters than new ones are."""
        return self._hasher.check_needs_rehash(password_hash)

    @cached_property
    def _nobodys_hash(self) -> str:
        """Verified where there is no account, so that an unknown name takes as long as a wrong password.

        Made at the first attempt with any name, which takes twice as long for it; a server starts without.
        """
        return self._hasher.hash("the password of nobody")

    def _verify(self, password_hash: str | None, text: str) -> bool:
        nobodys_hash = self._nobodys_hash  # asked for with known names too, or else the first attempt would tell
        try:
            self._hasher.verify(password_hash or nobodys_hash, text)
        except (VerificationError, InvalidHashError):
            return False
        return password_hash is not None

    async def _run(self, work: Callable[[], T], address: str = "") -> T:
        if self._queued >= HASHING_THREADS + MAX_WAITING_HASHES and not self._make_room(address):
            raise TooManyHashes
        self._queued += 1
        try:
            if self._running >= HASHING_THREADS:
                await self._wait_for_turn(address)
            else:
                self._running += 1
            try:
                return await asyncio.get_running_loop().run_in_executor(self._threads, work)
            finally:
                self._pass_on()
        finally:
            self._queued -= 1

    def _make_room(self, address: str) -> bool:
        """Refuse the latest hash of the address of which most wait, if that leaves it no fewer than this one gets."""
        if not self._waiting or self._waiting.count_of(largest := self._waiting.largest()) <= (
            self._waiting.count_of(address) + 1
        ):
            return False
        dropped = self._waiting.drop_latest(largest)
        if not dropped.done():
            dropped.set_exception(TooManyHashes())
        return True

    async def _wait_for_turn(self, address: str) -> None:
        """Wait for a thread, which is this caller's own from then on."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.add(address, turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._waiting.discard(address, turn)
            elif turn.exception() is None:  # it has been passed on just now
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Give the thread to the next that waits."""
        while self._waiting:
            turn = self._waiting.take()
            if not turn.done():  # cancelled in this round
                turn.set_result(None)
                return
        self._running -= 1


def _lower_priority() -> None:
    """Let matches, which run in another thread, have the processor first. Only Linux has priorities of threads."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # where the system forbids it, hashes are made all the same
            niceness = max(os.getpriority(os.PRIO_PROCESS, 0), HASHING_NICENESS)
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)


def normalize_password(password: str) -> str:
    """Return the text that is hashed, the same from every keyboard. Raises BadPassword."""
    text = unicodedata.normalize("NFC", password)
    length = len(text.encode())
    if not MIN_PASSWORD_BYTES <= length <= MAX_PASSWORD_BYTES:
        problem = f"a password has {MIN_PASSWORD_BYTES} to {MAX_PASSWORD_BYTES} bytes, this one has {length}"
        raise BadPassword(problem)
    return text
