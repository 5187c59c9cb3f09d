"""Does one live match keep its promises: commit, apply, tell; one stream for all; nothing lost, nothing done twice?"""

from collections.abc import AsyncIterator

import pytest

from diskwars_server.store import MemoryStore
from tests.server.guests import Node, begun, played


@pytest.fixture
async def store() -> AsyncIterator[MemoryStore]:
    async with MemoryStore() as opened:
        yield opened


@pytest.fixture
async def node(store: MemoryStore) -> AsyncIterator[Node]:
    made = Node(store)
    yield made
    await made.lobby.close()


async def test_two_guests_play_a_whole_match_and_a_third_watches(node: Node) -> None:
    first, second, third = [await node.welcomed() for _ in range(3)]
    match = await begun(first, second)
    await third.watch(match)
    await played(first, second, match)
    state = await node.state(match)
    assert state.status == "ended"
    for guest in (first, second, third):
        wire = await guest.catch_up(match)
        assert [record.seq for record in wire] == list(range(1, len(wire) + 1))
