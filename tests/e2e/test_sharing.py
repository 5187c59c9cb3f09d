"""A server that shares the database of another process survives the end of that process."""

import asyncio
import contextlib
import re
from pathlib import Path

import pytest

from diskwars_client.client import connect
from diskwars_client.retry_policy import RetryPolicy
from tests.client.patrols import PATROLS
from tests.e2e.servers import ServerProcess
from tests.e2e.test_kill import read_until_record, run_bot

QUICK = RetryPolicy(initial_delay_seconds=0.05, max_delay_seconds=0.2)


@pytest.mark.parametrize("is_killed", [False, True], ids=["ended", "killed"])
async def test_a_match_goes_on_when_the_process_is_gone_whose_database_its_server_shares(
    open_folder: Path, is_killed: bool
) -> None:
    options = ("--data", str(open_folder / "shared"), "--port", "0")
    async with contextlib.AsyncExitStack() as stack:
        owner = await stack.enter_async_context(ServerProcess(*options))
        sharer = await stack.enter_async_context(ServerProcess(*options))
        ann, bob, eve = [await stack.enter_async_context(connect(sharer.url, retry_policy=QUICK)) for _ in range(3)]
        watched = await eve.open_match(PATROLS)
        players = await stack.enter_async_context(asyncio.TaskGroup())
        bots = [
            players.create_task(run_bot(ann, watched.id, 0, "empire-patrol")),
            players.create_task(run_bot(bob, watched.id, 1, "chaos-patrol")),
        ]
        await read_until_record(watched, 20)
        await (owner.kill() if is_killed else owner.terminate())
        seen, deal = watched.head, watched.match.deal_commitment
        # The client stops with an error if a record that it has received is lost or changed.
        await read_until_record(watched, seen + 20)
        late = await (await stack.enter_async_context(connect(sharer.url))).watch(watched.id)
        await read_until_record(late, seen + 20)
        assert late.match.deal_commitment == deal
        assert late.records[:seen] == watched.records[:seen]
        for task in bots:
            task.cancel()
        _, said = await sharer.terminate()
    assert re.search(rf"sharing the database of process {owner.process.pid}\b", said)
    assert said.index("database lost") < said.index("database back")
