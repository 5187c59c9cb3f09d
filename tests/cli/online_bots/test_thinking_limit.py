"""A bot thinks one decision at a time, and pauses for its part of the core before the next."""

import asyncio
from typing import Any

import pytest

from diskwars_bots.loader import BotError
from diskwars_cli.online_bots.thinking_limit import ThinkingLimit


class Clock:
    def __init__(self) -> None:
        self.now, self.pauses = 0.0, list[float]()

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("diskwars_cli.online_bots.thinking_limit.asyncio.sleep", clock.sleep)
    return clock


async def test_quarter_of_a_core_pauses_three_times_as_long_as_it_thinks(clock: Clock) -> None:
    def think(*_: Any) -> str:
        clock.now += 2.0
        return "pass"

    chooser = ThinkingLimit(25, clock).limit(think)
    assert [await chooser(None, None, None, None) for _ in range(3)] == ["pass"] * 3
    assert clock.pauses == [6.0, 6.0], "the first answer is given at once"


async def test_whole_core_pauses_never(clock: Clock) -> None:
    def think(*_: Any) -> None:
        clock.now += 2.0

    chooser = ThinkingLimit(100, clock).limit(think)
    for _ in range(3):
        await chooser(None, None, None, None)
    assert clock.pauses == []


async def test_pause_of_one_match_holds_up_no_other(clock: Clock) -> None:
    def think(*_: Any) -> None:
        clock.now += 1.0

    limit = ThinkingLimit(1, clock)
    for chooser in [limit.limit(think) for _ in range(3)]:
        await chooser(None, None, None, None)
    assert (clock.now, clock.pauses) == (3.0, [])


async def test_matches_think_one_after_another() -> None:
    running, most = 0, 0

    async def think(*_: Any) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1

    limit = ThinkingLimit(100, asyncio.get_running_loop().time)
    await asyncio.gather(*(limit.limit(think)(None, None, None, None) for _ in range(4)))
    assert most == 1


async def test_failed_decision_is_paid_for_too(clock: Clock) -> None:
    def think(*_: Any) -> None:
        clock.now += 1.0
        raise BotError("my_bot.py:3: no")

    chooser = ThinkingLimit(50, clock).limit(think)
    for _ in range(2):
        with pytest.raises(BotError):
            await chooser(None, None, None, None)
    assert clock.pauses == [1.0]
