"""Fields of messages far outside their bounds, against a real PostgreSQL: refused, and the node stays healthy."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from msgspec import Struct
from msgspec import inspect as mi
from sqlalchemy import text

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.chat import MutePlayer
from diskwars_protocol.messages.handshake import Hello
from diskwars_protocol.schema.examples import find_example
from diskwars_server.monitoring.health import HealthCheck
from diskwars_server.store.errors import StatementRefused
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.protocol.connection.test_field_bounds import CLIENT_MESSAGES
from tests.server.conftest import TRUNCATE_SQL, run_sql
from tests.server.in_memory_server import InMemoryServer, begin_match
from tests.server.players.test_accounts import registered

FRAME_LONG = "".join(random.Random(1).choices("0123456789abcdef", k=14_000))
"""Fills a frame, and does not shrink below what an index takes: an index entry holds 2.7 kB, compressed."""
KINDS = [kind for kind in CLIENT_MESSAGES if kind is not Hello]


@pytest.fixture
async def postgres(migrated_url: str) -> AsyncIterator[PostgresDatabase]:
    await run_sql(migrated_url, TRUNCATE_SQL)
    async with PostgresDatabase(migrated_url) as database:
        yield database


def odd_values(info: mi.Type) -> Iterator[Any]:
    """Yield texts that fill a frame, and numbers at the end of every range that a database has."""
    match info:
        case mi.Metadata():
            yield from odd_values(info.type)
        case mi.StrType():
            yield from (FRAME_LONG, "\0", "", "é" * 3_000)
        case mi.IntType():
            yield from (-1, 0, 2**31, 2**53 - 1, 1 - 2**53, 10**30)
        case mi.UnionType():
            for member in info.types:
                yield from odd_values(member)
        case mi.VarTupleType():
            yield from ([value] for value in odd_values(info.item_type))
        case mi.DictType():
            yield from ({FRAME_LONG: 1}, {"rounds": FRAME_LONG}, {"rounds": 2**53 - 1})
        case _:
            return


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
async def test_no_field_of_a_message_makes_the_node_unhealthy(
    postgres: PostgresDatabase, caplog: pytest.LogCaptureFixture, kind: type[Struct]
) -> None:
    node = InMemoryServer(postgres)
    client, _ = await registered(node)
    match = await begin_match(client, await node.connect_and_greet())
    example: Any = find_example(kind)
    plain = json.loads(encode(example))
    info = mi.type_info(kind)
    assert isinstance(info, mi.StructType)
    health = HealthCheck(postgres, "n1", "1", seconds_between_writes=0)
    for field in info.fields:
        for value in odd_values(field.type):
            if client.outbox.is_closed:  # an id that cannot be read closes
                client = await node.connect_and_greet()
            given = {"match": match} if "match" in plain else {}
            frame = json.dumps({**plain, "id": client.id(), **given, field.encode_name: value}, ensure_ascii=False)
            await client.send_frame(frame)
    await asyncio.sleep(0)
    assert not postgres.is_failing
    assert (await health.report()).status == "ok"
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
    await health.close()
    await node.lobby_feed.close()
    await node.matches.close()


async def test_frame_long_id_is_refused_and_not_muted(postgres: PostgresDatabase) -> None:
    node = InMemoryServer(postgres)
    for client in ((await registered(node))[0], await node.connect_and_greet()):
        refused = await client.expect_refused(MutePlayer("mute", PlayerId(FRAME_LONG)))
        assert (refused.code, refused.place) == ("wrong_shape", "$.player")
    async with postgres._connection() as connection:
        assert (await connection.execute(text("select count(*) from muted_players"))).scalar_one() == 0


async def test_statement_that_is_refused_for_its_values_is_no_outage(
    postgres: PostgresDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    health = HealthCheck(postgres, "n1", "1", seconds_between_writes=0)
    with pytest.raises(StatementRefused, match="index row"):
        await postgres.chat.mute("ann", FRAME_LONG, 200)
    with pytest.raises(StatementRefused):
        await postgres.chat.list_muted("\0")
    assert not postgres.is_failing
    assert caplog.messages == []
    assert (await health.report()).status == "ok"
    await health.close()


async def test_health_table_that_is_missing_is_an_outage(postgres: PostgresDatabase, migrated_url: str) -> None:
    health = HealthCheck(postgres, "n1", "1", seconds_between_writes=0)
    await run_sql(migrated_url, "alter table health rename to health_away")
    try:
        assert (await health.report()).status == "unavailable"
    finally:
        await run_sql(migrated_url, "alter table health_away rename to health")
    assert (await health.report()).status == "ok"
    await health.close()
