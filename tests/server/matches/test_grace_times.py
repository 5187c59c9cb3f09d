"""Players who lose their connection while they decide have time to reconnect, and no more than that."""

from msgspec import Raw

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.ids import HOUSE, MatchId
from diskwars_protocol.match.match_options import BankClock, MatchOptions, PerDecisionClock, grace_ms
from diskwars_protocol.messages.handshake import Hello
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_protocol.messages.watching import Unwatch
from diskwars_server.bus.bus import LocalBus
from diskwars_server.connections.fast_socket import FastGameSocket
from diskwars_server.store.database import Database
from diskwars_server.store.deadlines import MAX_GRACES_PER_SEAT, Deadline
from diskwars_server.upkeep.time_limits import TimeLimits
from tests.rows import each_row
from tests.server.connections.test_game_socket_attacks import open_server, wait_for_connections
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, ManualClock, begin_match
from tests.server.raw_client import RawClient, text
from tests.server.stored_samples import make_append

LIMIT_MS, GRACE_MS, LEASE_MS = 60_000, 30_000, 1000
CLOCK = MatchOptions(clock=PerDecisionClock(60))


async def drop(client: InMemoryClient) -> None:
    """Lose a connection, and wait until the server has done what follows."""
    client.session.close()
    graces = client.node.watching.graces
    await graces.close()


async def house_answers(node: InMemoryServer, match: MatchId) -> int:
    """Let a server keep its deadlines; return how often the house has answered."""
    await TimeLimits(node.matches, node.database.deadlines, node.clock, node.clock).enforce_due()
    await (await node.matches.find(match)).wait_idle()
    return [record.actor for record in await node.database.events.read(match)].count(HOUSE)


async def begun(node: InMemoryServer, options: MatchOptions = CLOCK) -> tuple[InMemoryClient, InMemoryClient, MatchId]:
    """Return a match that waits for the first of the two players."""
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second, options=options)
    await second.choose_number(match, 1, 4)
    return first, second, match


# ---------------------------------------------------------------- the option


@each_row(
    ("options", "grace"),
    [
        (MatchOptions(), 0),
        (MatchOptions(clock=PerDecisionClock(60)), GRACE_MS),
        (MatchOptions(clock=BankClock(3600)), GRACE_MS),
        (MatchOptions(clock=PerDecisionClock(86_400)), 0),
        (MatchOptions(clock=PerDecisionClock(86_400), grace_seconds=60), 60_000),
        (MatchOptions(clock=BankClock(60), grace_seconds=0), 0),
    ],
)
def test_grace_is_an_option_and_off_for_correspondence(options: MatchOptions, grace: int) -> None:
    assert grace_ms(options) == grace


async def test_grace_without_a_clock_is_refused(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    raw = b'{"grace_seconds":5}'
    opening = OpenMatch("open", "counting", 2, match_options=Raw(raw))
    refused = await guest.expect_refused(opening)
    assert (refused.code, refused.place) == ("bad_match_options", "$.match_options.grace_seconds")


# ---------------------------------------------------------------- the port, over every database


async def test_deadline_is_extended_once_and_by_no_more_than_the_grace(database: Database) -> None:
    await database.events.append(make_append("m", deadlines=(Deadline("m", "1.0", 1000),)))
    assert await database.deadlines.extend("m", "1.0", 0, 400, 500) is None, "there is time enough"
    assert await database.deadlines.extend("m", "1.0", 0, 900, 500) == 1400
    assert await database.deadlines.extend("m", "1.0", 0, 1300, 500) is None
    assert await database.deadlines.extend("m", "9.9", 0, 900, 500) is None
    assert await database.deadlines.claim_due(1399, 9, LEASE_MS) == []
    assert await database.deadlines.claim_due(1400, 9, LEASE_MS) == [Deadline("m", "1.0", 1400)]


async def test_deadline_that_is_past_moves_by_the_grace_and_is_claimed_again(database: Database) -> None:
    await database.events.append(make_append("m", deadlines=(Deadline("m", "1.0", 1000),)))
    await database.deadlines.claim_due(1000, 9, 10**6)
    assert await database.deadlines.extend("m", "1.0", 0, 1200, 500) == 1500
    assert await database.deadlines.claim_due(1500, 9, LEASE_MS) == [Deadline("m", "1.0", 1500)]


async def test_seat_is_given_grace_a_few_times_in_a_match(database: Database) -> None:
    deadlines = tuple(Deadline("m", f"1.{slot}", 1000) for slot in range(MAX_GRACES_PER_SEAT + 2))
    await database.events.append(make_append("m", deadlines=deadlines))
    given = [await database.deadlines.extend("m", one.decision, 0, 900, 500) for one in deadlines[:-1]]
    assert given == [1400] * MAX_GRACES_PER_SEAT + [None]
    assert await database.deadlines.extend("m", deadlines[-1].decision, 1, 900, 500) == 1400, "another seat"


# ---------------------------------------------------------------- matches


async def test_player_who_loses_the_connection_may_reconnect_and_answer(node: InMemoryServer) -> None:
    first, second, match = await begun(node)
    node.clock.now += LIMIT_MS - 1000
    await drop(first)
    node.clock.now += GRACE_MS - 1
    assert await house_answers(node, match) == 0
    again = await node.connect_and_greet(first.token)
    await again.watch(match)
    await again.choose_number(match, 0, 4)
    assert await house_answers(node, match) == 0
    await second.catch_up(match)


async def test_player_who_stays_away_is_answered_for_after_the_grace(node: InMemoryServer) -> None:
    first, _, match = await begun(node, MatchOptions(clock=BankClock(60)))
    node.clock.now += LIMIT_MS - 1000
    await drop(first)
    node.clock.now += GRACE_MS
    assert await house_answers(node, match) == 1


async def test_loss_long_before_the_deadline_moves_nothing(node: InMemoryServer) -> None:
    first, _, match = await begun(node)
    await drop(first)
    node.clock.now += LIMIT_MS
    assert await house_answers(node, match) == 1


async def test_player_with_another_connection_gets_no_grace(node: InMemoryServer) -> None:
    first, _, match = await begun(node)
    other = await node.connect_and_greet(first.token)
    await other.watch(match)
    node.clock.now += LIMIT_MS - 1000
    await drop(first)
    node.clock.now += 1000
    assert await house_answers(node, match) == 1


async def test_players_who_owe_nothing_and_spectators_get_no_grace(node: InMemoryServer) -> None:
    _, second, match = await begun(node)
    spectator = await node.connect_and_greet()
    await spectator.watch(match)
    node.clock.now += LIMIT_MS - 1000
    await drop(second)
    await drop(spectator)
    node.clock.now += 1000
    assert await house_answers(node, match) == 1


async def test_leaving_the_match_without_losing_the_connection_gives_no_grace(node: InMemoryServer) -> None:
    first, _, match = await begun(node)
    node.clock.now += LIMIT_MS - 1000
    await first.request(Unwatch(first.id(), match))
    await drop(first)
    node.clock.now += 1000
    assert await house_answers(node, match) == 1


async def test_grace_holds_after_a_restart_and_on_another_node(database: Database) -> None:
    clock, bus = ManualClock(), LocalBus()
    before = InMemoryServer(database, clock=clock, bus=bus)
    first, _, match = await begun(before)
    clock.now += LIMIT_MS - 1000
    await drop(first)
    await before.matches.close()
    after = InMemoryServer(database, clock=clock, bus=bus)
    clock.now += GRACE_MS - 1
    assert await house_answers(after, match) == 0
    clock.now += 1
    assert await house_answers(after, match) == 1
    await after.matches.close()


async def test_socket_that_is_cut_gives_grace() -> None:
    async with open_server(FastGameSocket) as (server, transport):
        first, _, match = await begun(server)
        await drop(first)
        async with await RawClient.connect(transport.url) as client:
            client.write(text(encode(Hello((1,), token=first.token))))
            assert (await client.read_message())["type"] == "welcome"
            client.write(text(f'{{"type":"watch","id":"w","match":"{match}"}}'))
            assert (await client.read_message())["type"] == "watching"
            while (await client.read_message())["type"] != "records":
                pass
            server.clock.now += LIMIT_MS - 1000
        await wait_for_connections(transport, 0)
        graces = server.watching.graces
        await graces.close()
        server.clock.now += GRACE_MS - 1
        assert await house_answers(server, match) == 0
        server.clock.now += 1
        assert await house_answers(server, match) == 1
