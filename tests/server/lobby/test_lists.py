"""Lists of matches come page by page."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.refusals import Refused
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryServer
from tests.server.stored_samples import make_append, make_listing


@pytest.fixture
async def database() -> AsyncIterator[FaultyDatabase]:
    async with FaultyDatabase(MemoryDatabase()) as opened:
        yield opened


@pytest.fixture
async def node(database: FaultyDatabase) -> AsyncIterator[InMemoryServer]:
    made = InMemoryServer(database, live=3)
    yield made
    await made.matches.close()


async def test_list_is_requested_page_by_page(node: InMemoryServer, database: FaultyDatabase) -> None:
    guest = await node.connect_and_greet()
    for match in range(7):
        await database.events.append(make_append(f"m{match}", listing=make_listing(f"m{match}", match)))
    next_page: str | None = None
    pages = list[list[str]]()
    while len(pages) < 4:
        answer = await guest.request(ListMatches(guest.id(), page=next_page, limit=3))
        assert isinstance(answer, MatchList)
        pages.append([shown.match for shown in answer.matches])
        next_page = answer.next_page
        if next_page is None:
            break
    assert pages == [["m6", "m5", "m4"], ["m3", "m2", "m1"], ["m0"]]
    whole = await guest.request(ListMatches(guest.id(), limit=7))
    assert isinstance(whole, MatchList)
    assert (len(whole.matches), whole.next_page) == (7, None)


@pytest.mark.parametrize(
    ("field", "value"), [("limit", 0), ("limit", 101), ("page", ""), ("page", "1" * 257), ("page", 1), ("pace", "fast")]
)
async def test_list_request_of_another_form_is_refused(node: InMemoryServer, field: str, value: object) -> None:
    guest = await node.connect_and_greet()
    await guest.send_frame(msgspec.json.encode({"type": "list_matches", "id": "l", field: value}).decode())
    refused = await guest.expect(Refused)
    assert (refused.code, refused.place) == ("wrong_shape", f"$.{field}")


@pytest.mark.parametrize("page", ["m3", "1.", ".m3", f"{10**16}.m", "1." + "m" * 65, "-1.m", "1.m\n"])
async def test_page_that_no_server_has_given_is_refused(node: InMemoryServer, page: str) -> None:
    guest = await node.connect_and_greet()
    refused = await guest.expect_refused(ListMatches(guest.id(), page=page))
    assert (refused.code, refused.place) == ("bad_page", "$.page")
