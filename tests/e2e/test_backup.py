"""Rehearsal: a server that is in use is backed up, the backup is restored elsewhere, and every match verifies."""

import asyncio
import contextlib
import re
from pathlib import Path
from typing import Any

import pytest

from diskwars_client.client import connect
from tests.e2e.servers import ServerProcess, run_command
from tests.e2e.test_nodes import play, take_seat, wait_for

STEP_SECONDS = 80

pytestmark = pytest.mark.timeout(240)  # two servers and four commands begin one after another


async def test_backup_of_a_running_server_is_restored_and_every_match_verifies(
    open_folder: Path, tmp_path: Path
) -> None:
    file, data, other = tmp_path / "a.backup", str(open_folder / "backed-up"), str(open_folder / "restored")
    async with asyncio.timeout(STEP_SECONDS), contextlib.AsyncExitStack() as stack:
        server = await stack.enter_async_context(ServerProcess("--data", data, "--port", "0"))
        ann, bob = [await stack.enter_async_context(connect(server.url)) for _ in range(2)]
        ended, running, busy = [await ann.open_match(ruleset="pit") for _ in range(3)]
        bots = {}
        for match in (ended, running, busy):
            first, second = await take_seat(ann, match.id, 0), await take_seat(bob, match.id, 1)
            bots[match] = asyncio.gather(play(first), play(second))
            if match is ended:
                await bots[match]
            elif match is running:
                await wait_for(running, lambda: running.head >= 8)
                await stop(bots[match])
        seen = running.head
        code, out, said = await run_command("backup", str(file), "--data", data)  # while the third is played
        await stop(bots[busy])
        assert (code, said) == (0, ""), said
        assert out.startswith(f"{file}: 3 matches, ")
        token, head = ann.token, ended.head
    code, out, said = await run_command("restore", str(file), "--data", other)
    assert (code, said, out[:19]) == (0, "", "restored 3 matches,")
    assert f"verify --all --data {other}`\n" in out
    _, out, _ = await run_command("verify", "--all", "--data", other)
    assert re.fullmatch(r"([12]) matches: \1 ruled the same, 0 ruled differently\n", out)
    code, _, said = await run_command("restore", str(file), "--data", other)
    assert code == 2
    assert said.startswith("diskwars: the database: target_not_empty: ")
    # Tokens and seats go along: a player goes on in the match that was under way.
    async with (
        asyncio.timeout(STEP_SECONDS),
        ServerProcess("--data", other, "--port", "0") as server,
        connect(server.url, token=token) as ann,
    ):
        finished = await ann.watch(ended.id)
        await wait_for(finished, lambda: finished.head >= head)
        assert (finished.head, finished.match.status) == (head, "ended")
        handle = await ann.watch(running.id)
        await wait_for(handle, lambda: handle.head >= seen)
        assert handle.seat == 0
        await handle.resign()


async def stop(bots: "asyncio.Future[Any]") -> None:
    bots.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await bots
