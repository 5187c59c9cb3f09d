"""A terminal says in words that an order waits while the database of the server is away."""

import asyncio

import msgspec
import pytest

from diskwars_cli.play.play import _retry_notice
from diskwars_client.client import connect
from diskwars_client.errors import CommandRefused
from diskwars_client.retry_policy import RetryPolicy
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages import Request
from diskwars_protocol.messages.accounts import GetPlayers
from diskwars_protocol.messages.decisions import Act
from diskwars_protocol.messages.lists import ListMatches
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Watch
from diskwars_server.app import start_server
from diskwars_server.settings import ServerSettings
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.memory.database import MemoryDatabase
from tests.client.local_server import TEST_TIMEOUT_SECONDS

NOTICE = "the server cannot save anything right now: your order waits, and is sent again by itself"
MATCH = MatchId("m1")


def refused(id: str, code: str = "unavailable") -> CommandRefused:
    return CommandRefused(Refused(id=id, match=MATCH, code=code, text="", retry_after_ms=1000))


def resign(id: str) -> Act:
    return Act(id, MATCH, msgspec.Raw(b'{"type":"resign"}'))


def test_each_order_that_waits_for_the_database_says_so_once() -> None:
    told: list[str] = []
    note = _retry_notice(told.append)
    for id, code in (("a", "unavailable"), ("a", "unavailable"), ("b", "busy"), ("c", "unavailable")):
        note(resign(id), refused(id, code))
    assert told == [NOTICE] * 2


def test_what_the_program_reads_for_itself_is_no_order() -> None:
    told: list[str] = []
    note = _retry_notice(told.append)
    for request in (resign("a"), Watch("b", MATCH), GetPlayers("c", (PlayerId("p1"),)), resign("a")):
        note(request, refused(request.id))
    assert told == [NOTICE], "a spectator gives no order, and what is read meanwhile makes none a new one"


async def test_client_reports_what_it_sends_again_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    retried: list[tuple[Request, str]] = []
    policy = RetryPolicy(on_retry=lambda request, refusal: retried.append((request, refusal.code)))
    settings = ServerSettings(port=0, bot_workers=0)
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        MemoryDatabase() as database,
        start_server(settings, database) as server,
    ):
        index = database.matches
        find = index.list_matches
        faults = [StoreUnavailable("away")]

        async def fail_once(*arguments: object, **options: object) -> object:
            if faults:
                raise faults.pop()
            return await find(*arguments, **options)  # type: ignore[arg-type]

        async with connect(server.url, retry_policy=policy) as client:
            monkeypatch.setattr(index, "list_matches", fail_once)
            assert (await client.lobby.list()) is not None
    assert [(type(request), code) for request, code in retried] == [(ListMatches, "unavailable")]
