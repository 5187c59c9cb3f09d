"""The table of requests: a row for every request of the protocol, and the admission that the rows ask for."""

from diskwars_protocol.messages import REQUESTS
from diskwars_protocol.messages.decisions import Act, GetOptions
from diskwars_server.matches.commands import IMMEDIATE_HANDLERS
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import InMemoryServer

FREE_REQUESTS = {
    "ChangePassword",
    "CloseMatch",
    "DeleteAccount",
    "FinishImport",
    "GetRecords",
    "ImportPart",
    "KickPlayer",
    "LogIn",
    "LogOut",
    "LookAt",
    "MakeRecoveryCodes",
    "OpenMatch",
    "RecoverAccount",
    "SeatBot",
    "StartImport",
    "UnfollowMatches",
    "Unwatch",
    "Watch",
}
"""Requests that are no query of their address: quotas of their own limit most of them."""


async def test_every_request_of_the_protocol_has_one_row() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database)
        table = node.session_context.requests
        offered = [row.request for row in table.services.handlers()] + [row.request for row in IMMEDIATE_HANDLERS]
        assert len(offered) == len(set(offered))
        assert table.handlers.keys() | table.immediate.keys() == REQUESTS.keys()
        assert table.immediate.keys() == {Act, GetOptions}
        await node.matches.close()


async def test_requests_count_as_queries_unless_listed() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database)
        handlers = node.session_context.requests.handlers.values()
        assert {row.request.__name__ for row in handlers if not row.counts_query} == FREE_REQUESTS
        await node.matches.close()
