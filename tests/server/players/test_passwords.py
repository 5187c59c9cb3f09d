"""Passwords are hashed with bounded effort, and an unknown name costs what a wrong password costs."""

import asyncio
import os
import sys
import threading
from collections.abc import Iterator
from typing import Literal

import pytest
from argon2 import PasswordHasher

from diskwars_server.players.passwords import (
    HASHING_NICENESS,
    HASHING_THREADS,
    MAX_WAITING_HASHES,
    BadPassword,
    Passwords,
    TooManyHashes,
    make_hasher,
    normalize_password,
)
from tests.rows import each_row
from tests.server.in_memory_server import QUICK_HASHER, TEST_TIMEOUT_SECONDS


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    made = Passwords(QUICK_HASHER)
    yield made
    made.close()


class GatedHasher(PasswordHasher):
    """Waits for a gate before it verifies, and counts; hashes are counted too."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.gate = threading.Event()
        self.running = self.most_running = self.verified = self.hashed = 0
        self.lock = threading.Lock()

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self.hashed += 1
        return super().hash(password, salt=salt)

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
        with self.lock:
            self.running += 1
            self.most_running = max(self.most_running, self.running)
        self.gate.wait(TEST_TIMEOUT_SECONDS)
        with self.lock:
            self.running -= 1
            self.verified += 1
        return super().verify(hash, password)


async def test_right_password_is_verified_and_no_other(passwords: Passwords) -> None:
    stored = await passwords.hash("correct horse")
    assert stored.startswith("$argon2id$")
    assert "correct" not in stored
    assert await passwords.verify(stored, "correct horse")
    assert not await passwords.verify(stored, "Correct horse")
    assert not await passwords.verify(None, "correct horse")
    assert not await passwords.verify("no hash at all", "correct horse")
    assert await passwords.hash("correct horse") != stored, "each hash has a salt of its own"


async def test_one_password_is_the_same_from_every_keyboard(passwords: Passwords) -> None:
    assert await passwords.verify(await passwords.hash("Zoe\u0308 is here"), "Zo\u00eb is here")


@pytest.mark.parametrize("password", ["", "seven77", "x" * 1025, "é" * 513])
async def test_password_out_of_bounds_is_refused_without_quoting_it(passwords: Passwords, password: str) -> None:
    with pytest.raises(BadPassword) as fault:
        await passwords.hash(password)
    assert not password or password not in str(fault.value)
    assert not await passwords.verify(await passwords.hash("correct horse"), password)


@each_row("password", ["x" * 8, "x" * 1024, "é" * 4, "é" * 512])
def test_password_within_bounds_is_taken(password: str) -> None:
    assert normalize_password(password) == password


async def test_hash_with_other_parameters_is_outdated(passwords: Passwords) -> None:
    assert not passwords.is_outdated(await passwords.hash("correct horse"))
    assert passwords.is_outdated(make_hasher().hash("correct horse"))


def test_hashes_are_made_with_no_less_than_is_recommended() -> None:
    hasher = make_hasher()
    assert (hasher.type.name, hasher.memory_cost >= 19 * 1024, hasher.time_cost >= 2) == ("ID", True, True)


async def test_flood_of_passwords_is_refused_beyond_the_queue() -> None:
    hasher = GatedHasher()
    passwords = Passwords(hasher)
    stored = hasher.hash("correct horse")
    capacity = HASHING_THREADS + MAX_WAITING_HASHES
    attempts = [asyncio.create_task(passwords.verify(stored, "correct horse")) for _ in range(capacity)]
    await asyncio.sleep(0.01)
    with pytest.raises(TooManyHashes):
        await passwords.verify(None, "anything at all")
    hasher.gate.set()
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        assert all(await asyncio.gather(*attempts))
    assert hasher.most_running == HASHING_THREADS
    assert await passwords.verify(stored, "correct horse"), "the queue is free again"
    passwords.close()


async def test_address_with_one_password_waits_behind_one_of_each_other_address_and_is_not_refused() -> None:
    hasher = GatedHasher()
    passwords = Passwords(hasher)
    stored = hasher.hash("correct horse")
    ended: list[str] = []

    async def verify(address: str) -> None:
        try:
            await passwords.verify(stored, "correct horse", address)
            ended.append(address)
        except TooManyHashes:
            ended.append(f"{address} refused")

    crowd = [asyncio.create_task(verify("crowd")) for _ in range(HASHING_THREADS + MAX_WAITING_HASHES)]
    await asyncio.sleep(0)
    lone = asyncio.create_task(verify("lone"))
    cancelled = asyncio.create_task(verify("gone"))
    await asyncio.sleep(0)
    cancelled.cancel()
    hasher.gate.set()
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        await asyncio.gather(*crowd, lone)
    refused = ended.count("crowd refused")
    assert refused == 2, "the latest of the crowd made room"
    assert [who for who in ended if "refused" not in who].index("lone") <= HASHING_THREADS + 2
    assert await passwords.verify(stored, "correct horse"), "every thread is free again"
    assert (passwords._queued, passwords._running, len(passwords._waiting)) == (0, 0, 0)
    passwords.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")
async def test_matches_have_the_processor_before_passwords() -> None:
    passwords = Passwords(QUICK_HASHER)
    here = os.getpriority(os.PRIO_PROCESS, 0)
    try:
        hashing = await passwords._run(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
    finally:
        passwords.close()
    assert hashing == max(here, HASHING_NICENESS)
    assert os.getpriority(os.PRIO_PROCESS, 0) == here


async def test_unknown_name_is_verified_like_a_known_one() -> None:
    hasher = GatedHasher()
    hasher.gate.set()
    passwords = Passwords(hasher)
    await passwords.verify(None, "correct horse")
    await passwords.verify(None, "short")
    assert hasher.verified == 2
    passwords.close()


@pytest.mark.parametrize("is_known", [True, False])
async def test_server_starts_without_a_hash_and_the_first_name_makes_one_known_or_not(is_known: bool) -> None:
    hasher = GatedHasher()
    hasher.gate.set()
    stored = QUICK_HASHER.hash("correct horse") if is_known else None
    passwords = Passwords(hasher)
    assert hasher.hashed == 0
    assert await passwords.verify(stored, "correct horse") is is_known
    assert hasher.hashed == 1
    assert not await passwords.verify(None, "correct horse")
    assert hasher.hashed == 1
    passwords.close()
