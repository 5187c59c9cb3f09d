"""Matches that came as files are branched like others, and the file of a branch is imported like others."""

from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from diskwars_protocol.match.events import PositionSet
from diskwars_protocol.match.ids import ALL, PUBLIC
from diskwars_protocol.match.match_options import BranchPoint
from diskwars_protocol.messages.branches import BranchMatch, BranchOpened
from diskwars_protocol.messages.refusals import Refused
from diskwars_server.store.memory.database import MemoryDatabase
from tests.golden.write_files import write_match
from tests.rulesets.matches import played
from tests.rulesets.test_branches import BRANCH, opened, places, play_to_the_end, start_of
from tests.server.in_memory_server import InMemoryServer
from tests.server.lobby.test_imports import golden, imported, make_node, upload


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        server = make_node(database)
        yield server
        await server.matches.close()


@pytest.mark.parametrize("name", ["pit-counted", "close-quarters-counted", "regiments-secret"])
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


async def test_branch_that_was_imported_is_not_branched_without_its_parent(node: InMemoryServer) -> None:
    client = await node.connect_and_greet()
    found = await imported(client, golden("close-quarters-branch"))
    refused = await client.expect_refused(BranchMatch(client.id(), found.match, found.records // 2))
    assert (refused.code, refused.place) == ("bad_branch", "$.match")


def forged_branch() -> bytes:
    """Return the file of a branch of the pit that begins on a field a million cells wide."""
    parent = played("pit", 2, 1)
    n = places(parent)[-1]
    bodies, _ = play_to_the_end(opened(parent, n, start_of(parent, n, ALL)))
    opening, first = bodies[0].events
    board = replace(first.position.board, width=1_000_000)
    forged = replace(bodies[0], events=(opening, PositionSet(replace(first.position, board=board))))
    return write_match(parent.local.rules, BRANCH, 2, [forged, *bodies[1:]])


async def test_file_of_a_branch_that_begins_where_no_rules_lead_is_refused(node: InMemoryServer) -> None:
    client = await node.connect_and_greet()
    answer = await upload(client, forged_branch())
    assert isinstance(answer, Refused), answer
    assert (answer.code, answer.place) == ("import_changed", "$[1]")
    assert "$.events[1].position.board.width" in answer.text
