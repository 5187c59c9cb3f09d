"""Handles at the end of a match: the secrets are pushed, and the file is complete."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

import msgspec
import pytest

from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.errors import MatchUnavailable
from diskwars_client.match_handle import MatchHandle
from diskwars_client.verification.verify import verify
from diskwars_client.watch_mode import WatchMode
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.messages.history import Openings, RecordOpenings
from diskwars_protocol.records.match_file import read_file
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout
from tests.client.local_server import QUICK_RETRY, TEST_TIMEOUT_SECONDS, LossyRelay, running_server
from tests.client.test_client_resume import cut_after, end

OPENED = WatchMode(push_openings=True)


@contextlib.asynccontextmanager
async def three_clients() -> AsyncIterator[tuple[Client, Client, Client]]:
    """Provide three clients of one server."""
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        connect(url) as near,
        connect(url) as far,
        connect(url) as third,
    ):
        yield near, far, third


async def play(near: Client, far: Client, mode: WatchMode = OPENED) -> tuple[MatchHandle, MatchHandle]:
    """Return the handles of two bots that have played a whole match."""
    first = await near.open_match(DiskwarsSettings(setup="quick", regiments=1), mode=mode)
    second = await far.watch(first.id, mode=mode)
    await first.take_seat(Loadout("empire-patrol"), 0)
    await second.take_seat(Loadout("chaos-patrol"), 1)
    await asyncio.gather(
        play_bot(first, BOTS["random"], random.Random(1)), play_bot(second, BOTS["random"], random.Random(2))
    )
    return first, second


async def test_file_of_a_match_is_complete_at_its_end_without_another_request() -> None:
    async with three_clients() as (near, far, third):
        first, second = await play(near, far)
        await end(first)
        await end(second)
        whole = await end(await third.watch(first.id, reveal_secrets=True))
        verdict = verify(first.file(), first.stream.hash, [Diskwars(core_pack())])
        assert (verdict.sealed_values, verdict.is_redecided, verdict.records) == (0, True, first.head)
        assert first.file() == second.file() == whole.file()
        assert first.records == second.records == whole.records
        assert first.state == whole.state


async def test_openings_arrive_over_connections_that_are_cut_at_every_frame() -> None:
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        LossyRelay(url, cut_after(3, "cut")).run() as relay,
        connect(relay.url, retry_policy=QUICK_RETRY) as near,
        connect(url) as far,
    ):
        first, second = await play(near, far)
        await end(first)
        await end(second)
        assert first.file() == second.file()
        assert verify(first.file(), second.stream.hash, [Diskwars(core_pack())]).sealed_values == 0
        assert relay.connections > 20


async def test_without_openings_the_file_keeps_what_is_sealed() -> None:
    async with three_clients() as (near, far, _):
        first, _ = await play(near, far, WatchMode())
        await end(first)
        assert verify(first.file(), first.stream.hash).sealed_values > 0


async def test_file_needs_the_history() -> None:
    async with three_clients() as (near, far, third):
        first, _ = await play(near, far)
        late = await third.watch(first.id, history=False)
        with pytest.raises(MatchUnavailable):
            late.file()
        await late.stream.fetch_history()
        assert late.file().count(b"\n") == late.head + 1


async def test_forged_openings_stop_the_handle() -> None:
    async with three_clients() as (near, far, third):
        first, second = await play(near, far, WatchMode())
        await end(second)
        whole = await end(await third.watch(first.id, reveal_secrets=True))
        lines = read_file(whole.file()).records
        opened = next(record for record in lines if record.openings)
        forged = msgspec.structs.replace(opened.openings[0], value=msgspec.Raw(b'"another"'))
        second.stream._on_openings(Openings(second.id, (RecordOpenings(opened.seq, (forged,)),), complete=True))
        with pytest.raises(MatchUnavailable, match="openings are wrong"):
            await anext(second)


async def test_openings_that_are_not_all_stop_the_handle() -> None:
    async with three_clients() as (near, far, _):
        _, second = await play(near, far, WatchMode())
        await end(second)
        second.stream._on_openings(Openings(second.id, complete=True))
        with pytest.raises(MatchUnavailable, match="still sealed"):
            await anext(second)
