"""Players of one match on two nodes: real sockets, one PostgreSQL, a real NATS server that comes and goes."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable

from diskwars_bots.loader import load_chooser
from diskwars_cli.own_server.server_bots import bot_program
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.match_handle import MatchHandle
from diskwars_client.retry_policy import RetryPolicy
from diskwars_client.verification.verify import verify
from diskwars_protocol.match.events import SeatResigned
from diskwars_protocol.rulesets.pit.actions import PitLoadout
from diskwars_server.app import start_server
from diskwars_server.settings import ServerSettings
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.nats_servers import free_port, nats_server

TEST_SECONDS = 55
QUICK = RetryPolicy(initial_delay_seconds=0.05, max_delay_seconds=0.2)


@contextlib.asynccontextmanager
async def node(database_url: str, nats_port: int, port: int = 0) -> AsyncIterator[str]:
    """Run a server of its own on the shared database; provide its address."""
    settings = ServerSettings(port=port, nats_url=f"nats://127.0.0.1:{nats_port}", bot_workers=1)
    async with (
        PostgresDatabase(database_url) as database,
        start_server(settings, database, bots=bot_program()) as transport,
    ):
        yield transport.url


async def take_seat(client: Client, match: str, seat: int) -> MatchHandle:
    handle = await client.watch(match)
    await handle.take_seat(PitLoadout(), seat)
    return handle


async def play(handle: MatchHandle) -> None:
    await play_bot(handle, load_chooser("random", "pit"), random.Random(handle.seat))


async def wait_for(handle: MatchHandle, is_there: Callable[[], bool]) -> None:
    while not is_there():
        await handle.wait_after(handle.head)


async def test_players_on_two_nodes_play_a_match_and_everybody_sees_the_same(database_url: str) -> None:
    nats_port = free_port()
    async with asyncio.timeout(TEST_SECONDS), contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(nats_server(nats_port))
        here = await stack.enter_async_context(node(database_url, nats_port))
        there = await stack.enter_async_context(node(database_url, nats_port))
        ann, bob, eve, dan = [
            await stack.enter_async_context(connect(url, retry_policy=QUICK)) for url in (here, there, here, there)
        ]
        seen_here = await eve.open_match(ruleset="pit")
        seen_there = await dan.watch(seen_here.id)
        first, second = await take_seat(ann, seen_here.id, 0), await take_seat(bob, seen_here.id, 1)
        while not all(player.is_online for player in await ann.accounts.players(ann.player, bob.player)):
            await asyncio.sleep(0.1)  # opponents see it while they play
        await asyncio.gather(play(first), play(second))
        handles = (first, second, seen_here, seen_there)
        while any(handle.stream.watchers != 2 for handle in handles):
            await asyncio.sleep(0.1)  # one watches on each node
        for handle in (seen_here, seen_there):
            await wait_for(handle, lambda handle=handle: handle.match.status == "ended")  # type: ignore[misc]
        assert seen_here.records == seen_there.records
        assert first.match.result == second.match.result is not None
        assert not any(record.actor == "house" for record in seen_here.records)
        revealed = await dan.watch(seen_here.id, reveal_secrets=True)
        await wait_for(revealed, lambda: revealed.head == seen_here.head)
        assert verify(revealed.file()).is_redecided


async def test_without_nats_the_other_node_asks_the_database(database_url: str) -> None:
    nobody = free_port()
    async with asyncio.timeout(TEST_SECONDS), contextlib.AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(node(database_url, nobody)) for _ in range(2)]
        ann, bob = [await stack.enter_async_context(connect(url)) for url in urls]
        opened = await ann.open_match(ruleset="pit")
        second = await take_seat(bob, opened.id, 1)
        first = await take_seat(ann, opened.id, 0)
        await wait_for(second, lambda: second.match.seats[0].player == ann.player)
        await first.resign()
        await wait_for(second, lambda: second.match.status == "ended")
        assert any(isinstance(event, SeatResigned) for record in second.records for event in record.events)


async def test_a_match_goes_on_while_its_node_is_restarted_and_nats_dies(database_url: str) -> None:
    """The player of the node that goes is back on it without a hand; the other one notices nothing but the pause."""
    nats_port, port = free_port(), free_port()
    async with asyncio.timeout(TEST_SECONDS), contextlib.AsyncExitStack() as stack:
        here = await stack.enter_async_context(node(database_url, nats_port))
        async with nats_server(nats_port), node(database_url, nats_port, port) as there:
            ann, bob = [await stack.enter_async_context(connect(url, retry_policy=QUICK)) for url in (here, there)]
            opened = await ann.open_match(ruleset="pit")
            first, second = await take_seat(ann, opened.id, 0), await take_seat(bob, opened.id, 1)
            bots = asyncio.gather(play(first), play(second))
            await wait_for(opened, lambda: opened.head >= 10)
        # Neither the node nor NATS is there any more; the node is started again, NATS is not.
        head = first.head
        await stack.enter_async_context(node(database_url, nats_port, port))
        await wait_for(first, lambda: first.head >= head + 2 or first.match.status == "ended")
        await wait_for(second, lambda: second.head >= head + 2 or second.match.status == "ended")
        bots.cancel()
        # The file of the one who stayed is a chain of hashes over what both nodes have written.
        assert opened.head >= head
        assert verify(opened.file()).is_redecided is False, "it has not ended"
