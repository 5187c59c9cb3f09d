"""Three nodes are restarted one after another while players of one match are on them: each goes on elsewhere."""

import asyncio
import contextlib

import pytest

from diskwars_client.client import Client, connect
from diskwars_client.match_handle import MatchHandle
from diskwars_client.server_sockets import ServerUnreachable
from diskwars_client.verification.verify import verify
from tests.e2e.test_nodes import QUICK, node, play, take_seat, wait_for
from tests.nats_servers import free_port, nats_server

TEST_SECONDS = 55
NODES = 3


class Player:
    """A client with the addresses of all nodes, the nearest first, that notes when it was cut off and back."""

    def __init__(self, urls: list[str]) -> None:
        self.addresses: list[str] = []
        self.changes: list[bool] = []
        self.manager = connect(urls, retry_policy=QUICK, on_connection_change=self.changes.append)

    async def begin(self, stack: contextlib.AsyncExitStack) -> Client:
        self.client = await stack.enter_async_context(self.manager)
        return self.client


async def test_every_player_goes_on_while_three_nodes_are_restarted_in_turn(database_url: str) -> None:
    nats_port, ports = free_port(), [free_port() for _ in range(NODES)]
    urls = [f"ws://127.0.0.1:{port}/ws" for port in ports]
    async with asyncio.timeout(TEST_SECONDS), contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(nats_server(nats_port))
        nodes = [contextlib.AsyncExitStack() for _ in ports]
        for port, running in zip(ports, nodes, strict=True):
            await stack.enter_async_context(running)
            await running.enter_async_context(node(database_url, nats_port, port))
        players = [Player([*urls[nearest:], *urls[:nearest]]) for nearest in range(NODES)]
        ann, bob, eve = [await player.begin(stack) for player in players]
        opened = await eve.open_match(ruleset="pit")
        first, second = await take_seat(ann, opened.id, 0), await take_seat(bob, opened.id, 1)
        bots = asyncio.gather(play(first), play(second))
        for place in range(NODES):
            affected = [player for player in players if player.client.url == urls[place]]
            await nodes[place].aclose()
            for player in affected:
                await wait_until_moved(player, urls[place])
            await nodes[place].enter_async_context(node(database_url, nats_port, ports[place]))
        assert all(player.changes[-2:] == [False, True] for player in players), "each was on a node that went"
        await bots
        for handle in (first, second, opened):
            await wait_for(handle, lambda handle=handle: handle.match.status == "ended")  # type: ignore[misc]
        assert_same_stream(first, second, opened)
        dan = await stack.enter_async_context(connect(urls, retry_policy=QUICK))
        revealed = await dan.watch(opened.id, reveal_secrets=True)
        await wait_for(revealed, lambda: revealed.head == opened.head)
        assert verify(revealed.file()).is_redecided


async def wait_until_moved(player: Player, url: str) -> None:
    while player.client.url == url or player.changes[-1:] != [True]:
        await asyncio.sleep(0.01)


def assert_same_stream(*handles: MatchHandle) -> None:
    """Each client has checked the hash chain of all that it got, so equal heads are equal streams without gaps."""
    assert len({handle.stream.known_head for handle in handles}) == 1


async def test_client_goes_on_at_the_next_address_where_no_server_is(database_url: str) -> None:
    nobody = free_port()
    async with asyncio.timeout(TEST_SECONDS), contextlib.AsyncExitStack() as stack:
        url = await stack.enter_async_context(node(database_url, nobody))
        client = await stack.enter_async_context(connect([f"ws://127.0.0.1:{nobody}/ws", url], retry_policy=QUICK))
        assert client.url == url
        with pytest.raises(ServerUnreachable):
            async with connect([f"ws://127.0.0.1:{nobody}/ws"] * 2, retry_policy=QUICK):
                pass
