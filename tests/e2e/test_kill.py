"""A match survives the death of its server."""

import asyncio
import contextlib
import random
from pathlib import Path

from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.match_handle import MatchHandle
from diskwars_client.retry_policy import RetryPolicy
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from tests.client.patrols import PATROLS
from tests.e2e.servers import ServerProcess

QUICK = RetryPolicy(initial_delay_seconds=0.05, max_delay_seconds=0.2)
WAIT_SECONDS = 45


async def run_bot(client: Client, match: str, seat: int, army: str) -> None:
    handle = await client.watch(match)
    await handle.take_seat(Loadout(army), seat)
    await play_bot(handle, BOTS["random"], random.Random(seat))


async def read_until_record(handle: MatchHandle, head: int) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        async for update in handle:
            if update.seq >= head:
                return


async def test_a_match_goes_on_after_its_server_was_killed(open_folder: Path) -> None:
    data = str(open_folder / "killed")
    async with contextlib.AsyncExitStack() as stack:
        first = await stack.enter_async_context(ServerProcess("--data", data, "--port", "0"))
        ann, bob, eve = [await stack.enter_async_context(connect(first.url, retry_policy=QUICK)) for _ in range(3)]
        watched = await eve.open_match(PATROLS)
        players = await stack.enter_async_context(asyncio.TaskGroup())
        bots = [
            players.create_task(run_bot(ann, watched.id, 0, "empire-patrol")),
            players.create_task(run_bot(bob, watched.id, 1, "chaos-patrol")),
        ]
        await read_until_record(watched, 20)
        await first.kill()
        seen = watched.head
        second = await stack.enter_async_context(ServerProcess("--data", data, "--port", str(first.port)))
        # The client takes up its stream by itself, and stops if one record of before has been lost or changed.
        await read_until_record(watched, seen + 20)
        late = await (await stack.enter_async_context(connect(second.url))).watch(watched.id)
        await read_until_record(late, watched.head)
        assert late.match.deal_commitment == watched.match.deal_commitment
        assert late.head >= seen + 20
        for task in bots:
            task.cancel()
