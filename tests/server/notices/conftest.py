"""The club of the tests of notices."""

from collections.abc import AsyncIterator

import pytest

from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryServer
from tests.server.notices.club import Club, open_club


@pytest.fixture
async def node(faulty_database: FaultyDatabase) -> AsyncIterator[InMemoryServer]:
    """A server that plans notices."""
    server = InMemoryServer(faulty_database, sends_notices=True)
    yield server
    await server.matches.close()


@pytest.fixture
async def club(node: InMemoryServer) -> AsyncIterator[Club]:
    async with open_club(node) as club:
        yield club
