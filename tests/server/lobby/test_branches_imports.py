"""Matches that came as files are branched like others, and the file of a branch is imported like others."""

from collections.abc import AsyncIterator

import pytest

from diskwars_protocol.match.ids import PUBLIC
from diskwars_protocol.match.match_options import BranchPoint
from diskwars_protocol.messages.branches import BranchMatch, BranchOpened
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import InMemoryServer
from tests.server.lobby.test_imports import golden, imported, make_node


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        server = make_node(database)
        yield server
        await server.matches.close()


@pytest.mark.parametrize("name", ["pit-counted", "close-quarters-branch", "regiments-secret"])
async def test_match_that_was_imported_is_branched_at_its_true_position(node: InMemoryServer, name: str) -> None:
    client = await node.connect_and_greet()
    found = await imported(client, golden(name))
    game = await node.matches.find(found.match)
    seq = found.records // 2
    opened = await client.request(BranchMatch(client.id(), found.match, seq))
    assert isinstance(opened, BranchOpened), opened
    assert (opened.branch_of, opened.resampled) == (BranchPoint(found.match, seq), False)
    records = await node.database.events.read(found.match, 0, seq)
    state = game.rules.fold_log([game.rules.vocabulary.decode_body(record.body) for record in records])
    branch = await node.state(opened.match)
    assert branch.position is not None
    assert state.board is not None
    assert game.rules.ruleset.view(branch.position.board, PUBLIC) == state.board
    assert branch.packs == game.state.packs
