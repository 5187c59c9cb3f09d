"""Three and four players play a complete match over real sockets while one is cut off and another leaves.

It uses a server process of its own with a PostgreSQL, a spectator, and the match file at the end.
"""

import asyncio
import contextlib
import random
from pathlib import Path

import pytest

from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_cli.__main__ import main
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.match_handle import MatchHandle
from diskwars_client.retry_policy import RetryPolicy
from diskwars_client.verification.verify import verify
from diskwars_protocol.match.events import SeatResigned
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.actions import DeploymentQuestion, DiskwarsSettings, Loadout
from tests.client.local_server import LossyRelay
from tests.e2e.servers import ServerProcess

QUICK = RetryPolicy(initial_delay_seconds=0.05, max_delay_seconds=0.2)
WAIT_SECONDS = 50
ARMIES = ("empire-patrol", "chaos-patrol", "high-elf-patrol", "greenskin-patrol")
FULL = DiskwarsSettings(setup="full", regiments=1)


class ConnectionCutter:
    """Cuts every connection of a relay once, at the next frame after it is triggered."""

    def __init__(self) -> None:
        self.are_open = False

    def frame_fate(self, connection: int, frame: int, is_servers: bool) -> str:
        cuts, self.are_open = self.are_open, False
        return "cut" if cuts else "pass"


async def cut_off_while_deploying(handle: MatchHandle, scissors: ConnectionCutter) -> None:
    """The player's connection breaks after the deployment question, so that the answer is lost on the way."""
    async for update in handle:
        if any(
            isinstance(decision.question, DeploymentQuestion) and decision.seat == handle.seat
            for decision in update.state.decisions
        ):
            scissors.are_open = True
            return


async def leave_in_the_first_round(handle: MatchHandle) -> None:
    async for update in handle:
        if update.state.board is not None and update.state.board.round == 1:
            await handle.resign()
            return


async def play_to_end(handle: MatchHandle) -> MatchHandle:
    async for _ in handle:
        pass
    return handle


async def seat_clients(clients: list[Client]) -> list[MatchHandle]:
    opened = await clients[0].open_match(FULL, len(clients))
    handles = [opened, *[await client.watch(opened.id) for client in clients[1:]]]
    for seat, handle in enumerate(handles):
        await handle.take_seat(Loadout(ARMIES[seat]), seat)
    return handles


async def export(database_url: str, match: str, file: Path) -> bytes:
    """Export the match in another thread, because the verb runs an event loop of its own."""
    code = await asyncio.to_thread(main, ("export", match, "-o", str(file), "--database-url", database_url))
    assert code == 0
    return file.read_bytes()


@pytest.mark.parametrize("players", [3, 4])
async def test_a_player_who_is_cut_off_while_deploying_goes_on_and_the_match_is_kept_whole(
    database_url: str, tmp_path: Path, players: int
) -> None:
    """With four one of them leaves in round 1, and the others play on."""
    scissors = ConnectionCutter()
    async with contextlib.AsyncExitStack() as stack, asyncio.timeout(WAIT_SECONDS):
        server = await stack.enter_async_context(ServerProcess("--database-url", database_url, "--port", "0"))
        relay = await stack.enter_async_context(LossyRelay(server.url, scissors.frame_fate).run())
        urls = [server.url, relay.url, *[server.url] * (players - 2)]
        clients = [await stack.enter_async_context(connect(url, retry_policy=QUICK)) for url in urls]
        handles = await seat_clients(clients)
        tokens = [clients[1].token, clients[-1].token]
        beside = [await stack.enter_async_context(connect(server.url, token=token)) for token in tokens]
        watcher = await (await stack.enter_async_context(connect(server.url))).watch(handles[0].id)
        async with asyncio.TaskGroup() as group:
            for seat, handle in enumerate(handles):
                group.create_task(play_bot(handle, BOTS["greedy"], random.Random(seat)))
            group.create_task(cut_off_while_deploying(await beside[0].watch(watcher.id), scissors))
            if players == 4:
                group.create_task(leave_in_the_first_round(await beside[1].watch(watcher.id)))
            group.create_task(play_to_end(watcher))
        again = await play_to_end(await beside[0].watch(watcher.id))
    assert relay.connections == 2
    assert again.records == handles[1].records
    assert {handle.stream.hash for handle in handles} == {watcher.hash}
    verdict = verify(await export(database_url, watcher.id, tmp_path / "match"), watcher.stream.hash)
    assert (verdict.unfinished_at, verdict.sealed_values, verdict.is_redecided) == (None, 0, True)
    assert verdict.records == watcher.head
    events = [event for body in watcher.records for event in body.events]
    left = [n for n, event in enumerate(events) if isinstance(event, SeatResigned)]
    assert len(left) == (players == 4)
    played_on = [event for event in events[left[-1] :] if isinstance(event, e.CardsRevealed)] if left else []
    assert all(3 not in {shown.seat for shown in event.cards} for event in played_on)
    assert bool(played_on) == (players == 4)
