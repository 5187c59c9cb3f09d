"""Attempts at passwords: wrong ones, right ones, and those that could not be made."""

import asyncio

import pytest

from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import MAX_REMEMBERED_KEYS, MS_PER_MINUTE, RateLimit
from diskwars_server.players.attempts import (
    DEFAULT_ATTEMPT_LIMITS,
    MAX_HASHES_PER_ADDRESS,
    AttemptLimiter,
    AttemptLimits,
)
from diskwars_server.players.passwords import Passwords
from diskwars_server.refusals import Refusal
from diskwars_server.store.errors import StoreUnavailable
from tests.server.in_memory_server import QUICK_HASHER, ManualClock

HOME, ELSEWHERE = "203.0.113.1", "198.51.100.7"
PASSWORD = "the griffon flies"


def limiter(limits: AttemptLimits = DEFAULT_ATTEMPT_LIMITS, clock: ManualClock | None = None) -> AttemptLimiter:
    return AttemptLimiter(Passwords(QUICK_HASHER), limits, clock or ManualClock())


def attempt(attempts: AttemptLimiter, address: str, is_right: bool, target: str | None = "ann") -> str:
    try:
        with attempts.admit(target, address) as tried:
            tried.is_right = is_right
    except Refusal as refused:
        return refused.code if refused.retry_after_ms else "without a time to wait"
    return "right" if is_right else "wrong"


def test_right_passwords_cost_an_address_as_well() -> None:
    clock = ManualClock()
    attempts = limiter(clock=clock)
    assert [attempt(attempts, HOME, True) for _ in range(61)] == ["right"] * 60 + ["too_many_attempts"]
    assert attempt(attempts, ELSEWHERE, True) == "right"
    clock.now += 10 * MS_PER_MINUTE
    assert attempt(attempts, HOME, True) == "right"


def test_right_password_gives_back_what_its_attempt_took_of_the_wrong_ones() -> None:
    attempts = limiter()
    tried = [attempt(attempts, HOME, is_right) for is_right in (False, True) * 4]
    assert tried == ["wrong", "right"] * 4
    assert attempt(attempts, HOME, False) == "wrong"
    assert attempt(attempts, HOME, False) == "too_many_attempts"


@pytest.mark.parametrize("target", [None, "ann"])
def test_attempts_of_an_address_are_limited_whatever_they_are_at(target: str | None) -> None:
    roomy = RateLimit(1000, MS_PER_MINUTE)
    attempts = limiter(AttemptLimits(target_and_address=roomy, target=roomy))
    assert [attempt(attempts, HOME, False, target) for _ in range(31)] == ["wrong"] * 30 + ["too_many_attempts"]
    assert attempt(attempts, UNKNOWN, False, target) == "wrong"


@pytest.mark.parametrize("fault", [Refusal("busy"), StoreUnavailable()])
def test_attempt_that_could_not_be_made_costs_nothing(fault: Exception) -> None:
    attempts = limiter()
    for _ in range(40):
        with pytest.raises(type(fault)), attempts.admit("ann", HOME):
            raise fault
    assert attempt(attempts, HOME, False) == "wrong"


def test_other_refusals_of_an_attempt_leave_it_counted() -> None:
    attempts = limiter()
    for _ in range(5):
        with pytest.raises(Refusal, match="wrong_password"), attempts.admit("ann", HOME):
            raise Refusal("wrong_password")
    assert attempt(attempts, HOME, True) == "too_many_attempts"


async def test_address_has_few_passwords_hashed_at_once_and_leaves_room_for_others() -> None:
    attempts, gate, under_way = limiter(), asyncio.Event(), 0

    async def hold(*_: object) -> bool:
        nonlocal under_way
        under_way += 1
        await gate.wait()
        return True

    attempts.passwords.verify = hold  # type: ignore[method-assign, assignment]
    attempts.passwords.hash = hold  # type: ignore[method-assign, assignment]
    tasks = [asyncio.create_task(attempts.verify(HOME, None, PASSWORD)) for _ in range(MAX_HASHES_PER_ADDRESS)]
    tasks += [asyncio.create_task(attempts.verify(UNKNOWN, None, PASSWORD)) for _ in range(MAX_HASHES_PER_ADDRESS + 1)]
    tasks.append(asyncio.create_task(attempts.verify(ELSEWHERE, None, PASSWORD)))
    await asyncio.sleep(0)
    assert under_way == len(tasks)
    for work in (attempts.verify(HOME, None, PASSWORD), attempts.hash(HOME, PASSWORD)):
        with pytest.raises(Refusal, match="busy") as refused:
            await work
        assert refused.value.retry_after_ms
    gate.set()
    assert all(await asyncio.gather(*tasks))
    assert await attempts.verify(HOME, None, PASSWORD)
    assert not attempts._hashing


# ---------------------------------------------------------------- strangers do not keep the owner out


def guess_from_many_addresses(attempts: AttemptLimiter) -> None:
    """Use up what strangers may try at a name, wherever they are."""
    tried = [attempt(attempts, f"192.0.2.{number}", False) for number in range(101)]
    assert tried == ["wrong"] * 100 + ["too_many_attempts"]


def test_two_addresses_that_guess_for_hours_keep_the_owner_out_nowhere() -> None:
    clock = ManualClock()
    attempts = limiter(clock=clock)
    assert attempt(attempts, HOME, True) == "right"
    for _ in range(8 * 60):
        clock.now += MS_PER_MINUTE
        for stranger in ("192.0.2.1", "192.0.2.2"):
            attempt(attempts, stranger, False)
    assert attempt(attempts, ELSEWHERE, True) == "too_many_attempts", "for strangers the limit holds"
    assert attempt(attempts, HOME, True) == "right"


def test_known_address_still_has_few_attempts_of_its_own() -> None:
    attempts = limiter()
    assert attempt(attempts, HOME, True) == "right"
    guess_from_many_addresses(attempts)
    tried = [attempt(attempts, HOME, False) for _ in range(6)]
    assert tried == ["wrong"] * 5 + ["too_many_attempts"]


def test_address_is_known_for_the_name_that_was_let_in_there() -> None:
    attempts = limiter()
    assert attempt(attempts, HOME, True, "ben") == "right"
    guess_from_many_addresses(attempts)
    assert attempt(attempts, HOME, True) == "too_many_attempts"


def test_device_that_is_logged_in_is_counted_for_itself() -> None:
    attempts = limiter(AttemptLimits(target=RateLimit(3, MS_PER_MINUTE)))
    for stranger in range(3):
        attempt(attempts, f"192.0.2.{stranger}", False)
    assert attempt(attempts, HOME, False) == "too_many_attempts"
    outcomes = []
    for number in range(4):
        try:
            with attempts.admit("ann", f"198.51.100.{number}", "phone"):
                outcomes.append("tried")
        except Refusal as refused:
            outcomes.append(refused.code)
    assert outcomes == ["tried"] * 3 + ["too_many_attempts"]


def test_addresses_that_are_known_are_bounded_and_an_unknown_one_is_none() -> None:
    attempts = limiter()
    attempts.record_known("ann", UNKNOWN)
    assert not attempts._known
    for number in range(MAX_REMEMBERED_KEYS + 5):
        attempts.record_known("ann", str(number))
        attempts.record_known("ann", "0")
    assert len(attempts._known) == MAX_REMEMBERED_KEYS
    assert ("ann", "0") in attempts._known
    assert ("ann", "1") not in attempts._known
