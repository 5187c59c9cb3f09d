"""The contract of page parts, over every database: those of the last two builds that a server started with are kept."""

import asyncio

from diskwars_server.store.database import Database
from diskwars_server.store.page_parts import name_build
from tests.server.conftest import MakeDatabase

FIRST = {"/assets/main-1111.js": b"one", "/assets/same-0000.css": b"same"}
SECOND = {"/assets/main-2222.js": b"two", "/assets/same-0000.css": b"same"}
THIRD = {"/assets/main-3333.js": b"three"}


async def test_parts_of_two_builds_are_found(database: Database) -> None:
    await database.page_parts.keep(FIRST, 1)
    await database.page_parts.keep(SECOND, 2)
    assert await database.page_parts.list_paths() == {*FIRST, *SECOND}
    for path, body in (FIRST | SECOND).items():
        assert await database.page_parts.find(path) == body
    assert await database.page_parts.find("/assets/main-3333.js") is None


async def test_parts_of_a_third_build_take_the_place_of_those_of_the_first(database: Database) -> None:
    for at_ms, parts in enumerate((FIRST, SECOND, THIRD)):
        await database.page_parts.keep(parts, at_ms)
    assert await database.page_parts.list_paths() == {*SECOND, *THIRD}
    assert await database.page_parts.find("/assets/same-0000.css") == b"same"


async def test_build_that_a_server_starts_with_again_is_the_last_one(database: Database) -> None:
    """Also where the clock of its node is behind."""
    for at_ms, parts in ((10, FIRST), (20, SECOND), (5, FIRST), (6, THIRD)):
        await database.page_parts.keep(parts, at_ms)
    assert await database.page_parts.list_paths() == {*FIRST, *THIRD}


async def test_nodes_that_start_at_once_keep_all_parts(make_database: MakeDatabase) -> None:
    one, other = make_database(), make_database()
    async with one, other:
        starts = [node.page_parts.keep(parts, 1) for node in (one, other) for parts in (FIRST, SECOND)]
        await asyncio.gather(*starts)
        assert await one.page_parts.list_paths() == {*FIRST, *SECOND}


def test_name_of_a_build_says_its_parts_and_not_their_order() -> None:
    assert name_build(["a", "b"]) == name_build(["b", "a"])
    assert name_build(["a"]) != name_build(["b"])
