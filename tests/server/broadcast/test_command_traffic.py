"""Less urgent work waits for a gap between commands, and not for long."""

import asyncio

import pytest

from diskwars_server.broadcast import command_traffic
from diskwars_server.broadcast.command_traffic import CommandTraffic
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS


async def test_nothing_waits_where_no_command_is_under_way() -> None:
    traffic = CommandTraffic()
    with traffic.carry():
        pass
    waiting = asyncio.ensure_future(traffic.wait_for_gap())
    await asyncio.sleep(0)
    assert waiting.done()


async def test_gap_comes_when_the_last_command_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_traffic, "LONGEST_WAIT_SECONDS", TEST_TIMEOUT_SECONDS)
    traffic = CommandTraffic()
    with traffic.carry():
        with traffic.carry():
            waiting = asyncio.ensure_future(traffic.wait_for_gap())
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.01)
        assert not waiting.done()
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS / 2):
        await waiting


async def test_wait_ends_though_commands_never_do() -> None:
    traffic = CommandTraffic()
    with traffic.carry():
        waiting = asyncio.ensure_future(traffic.wait_for_gap())
        done, _ = await asyncio.wait([waiting], timeout=TEST_TIMEOUT_SECONDS)
        assert done


async def test_after_a_wait_in_vain_nothing_waits_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or all requests of all players would share a few hundred a second as long as commands never end."""
    monkeypatch.setattr(command_traffic, "SHARE_SECONDS", TEST_TIMEOUT_SECONDS)
    traffic = CommandTraffic()
    with traffic.carry():
        await traffic.wait_for_gap()
        waiting = [asyncio.ensure_future(traffic.wait_for_gap()) for _ in range(3)]
        await asyncio.sleep(0)
        assert all(one.done() for one in waiting)
    monkeypatch.setattr(command_traffic, "SHARE_SECONDS", 0)
    traffic = CommandTraffic()
    with traffic.carry():
        await traffic.wait_for_gap()
        next_wait = asyncio.ensure_future(traffic.wait_for_gap())
        await asyncio.sleep(0)
        assert not next_wait.done()
        await next_wait
