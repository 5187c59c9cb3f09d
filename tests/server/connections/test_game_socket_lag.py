"""The lag of a connection, measured by the server, on its way into the record of an answer."""

import asyncio

import msgspec
from websockets.frames import Opcode

from diskwars_engine.lag_credit import MAX_LAG_CREDIT_MS
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import BankClock, MatchOptions, PerDecisionClock
from diskwars_server.connections.fast_socket import FastGameSocket
from diskwars_server.upkeep.time_limits import TimeLimits
from tests.server.connections.test_game_socket_attacks import greet, open_server
from tests.server.in_memory_server import InMemoryServer, begin_match
from tests.server.raw_client import RawClient, masked

BANK = MatchOptions(clock=BankClock(60))
PONG_SECONDS = 0.05


async def lag_in_last_record(node: InMemoryServer, match: MatchId) -> int:
    body = msgspec.json.decode((await node.database.events.read(match))[-1].body)
    credited: int = body.get("lag_ms", 0)
    return credited


async def test_answer_is_recorded_with_the_lag_of_its_connection(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second, options=BANK)
    first.outbox.measure_lag = lambda: 180
    second.outbox.measure_lag = lambda: 10 * MAX_LAG_CREDIT_MS
    node.clock.now += 5_000
    await first.choose_number(match, 0, 4)
    assert await lag_in_last_record(node, match) == 180
    clock = (await node.state(match)).seats[0].clock
    assert clock is not None
    assert clock.remaining_ms == 60_000 - 5_000 + 180
    node.clock.now += 1_000
    await second.choose_number(match, 1, 4)
    assert await lag_in_last_record(node, match) == MAX_LAG_CREDIT_MS


async def test_deadline_leaves_time_for_an_answer_that_is_on_its_way(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second, options=MatchOptions(clock=PerDecisionClock(30)))
    lateness: list[int] = []
    limits = TimeLimits(
        node.matches, node.database.deadlines, node.clock, node.clock, lateness.append, allowance_ms=500
    )
    game = await node.matches.find(match)
    node.clock.now += 30_499
    await limits.enforce_due()
    await game.wait_idle()
    await first.choose_number(match, 0, 4)
    head = game.head
    node.clock.now += 1
    await limits.enforce_due()
    await game.wait_idle()
    assert (game.head, lateness) == (head + 1, [0])


async def test_lag_is_the_round_trip_of_a_ping_of_the_server() -> None:
    async with (
        open_server(FastGameSocket) as (_, transport),
        await RawClient.connect(transport.url) as client,
    ):
        await greet(client)
        (outbox,), (listening,) = transport._places.outboxes(), transport._servers
        assert outbox.lag_ms == 0
        answered = await next(iter(listening.connections)).ping()
        while (frame := await client.read_frame())[0] is not Opcode.PING:
            pass
        await asyncio.sleep(PONG_SECONDS)
        client.write(masked(Opcode.PONG, frame[1]))
        await answered
        assert outbox.lag_ms >= 1000 * PONG_SECONDS
