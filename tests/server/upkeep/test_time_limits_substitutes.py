"""A match by clock goes on without a player: the default, then a bot, through a restart, until the player is back."""

import asyncio

from msgspec import Raw

from diskwars_protocol.match.actions import TakeSeatBack
from diskwars_protocol.match.ids import HOUSE, MatchId
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.messages.handshake import ResumeRequest
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_protocol.messages.watching import Watching
from diskwars_server.store.database import Database
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.upkeep.time_limits import TimeLimits
from tests.server.bot_nodes import WAIT_SECONDS, odd_program, playing_bots
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match

SECONDS = 30
OPTIONS = MatchOptions(clock=PerDecisionClock(SECONDS), missed_limit=2, on_missed_limit="bot")
AWAKE, ASLEEP = 0, 1


async def begun(node: InMemoryServer, rounds: int = 8) -> tuple[InMemoryClient, InMemoryClient, MatchId]:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    return first, second, await begin_match(first, second, rounds, OPTIONS)


async def enforce(node: InMemoryServer, match: MatchId) -> None:
    await TimeLimits(node.matches, node.database.deadlines, node.clock, node.clock).enforce_due()
    await (await node.matches.find(match)).wait_idle()


async def miss_a_round(node: InMemoryServer, awake: InMemoryClient, match: MatchId) -> None:
    """Let one player choose, and the time of the other pass."""
    await awake.choose_number(match, AWAKE, 2)
    node.clock.now += SECONDS * 1000
    await enforce(node, match)


async def wait_for_substitute(node: InMemoryServer, match: MatchId) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while any(decision.seat == ASLEEP for decision in (await node.state(match)).decisions):
            await asyncio.sleep(0.005)


async def acts_of_the_house(database: Database, match: MatchId) -> list[str]:
    records = await database.events.read(match)
    return [record.command_id.partition(":")[0] for record in records if record.actor == HOUSE]


async def test_seat_that_sleeps_is_played_by_default_then_by_a_bot_until_its_player_is_back(
    database: Database,
) -> None:
    node = InMemoryServer(database, bots=odd_program("first"))
    first, second, match = await begun(node)
    async with playing_bots(node):
        await miss_a_round(node, first, match)
        await miss_a_round(node, first, match)
        assert (await node.state(match)).seats[ASLEEP].substitute
        for _ in range(2):
            await wait_for_substitute(node, match)
            await first.choose_number(match, AWAKE, 2)
        await wait_for_substitute(node, match)
        assert await acts_of_the_house(database, match) == ["timeout"] * 2 + ["bot"] * 3
        await second.expect_accepted(second.act_message(match, None, TakeSeatBack()))
        await first.choose_number(match, AWAKE, 2)
        await second.choose_number(match, ASLEEP, 3)
    assert await acts_of_the_house(database, match) == ["timeout"] * 2 + ["bot"] * 3
    assert (await second.catch_up(match))[-1].seq == (await node.matches.find(match)).head
    await node.matches.close()


async def test_deadline_that_passes_while_the_server_is_down_is_kept_within_a_second_of_its_return(
    database: Database,
) -> None:
    node = InMemoryServer(database)
    first, _, match = await begun(node)
    await first.choose_number(match, AWAKE, 2)
    await node.matches.close()

    returned = InMemoryServer(database, clock=node.clock)
    node.clock.now += SECONDS * 1000 + 60_000
    looks = 0

    async def sleep(seconds: float) -> None:
        nonlocal looks
        looks += 1
        returned.clock.now += int(1000 * seconds)
        await asyncio.sleep(0)
        if looks > 2:
            raise asyncio.CancelledError

    since = returned.clock.now
    limits = asyncio.create_task(
        TimeLimits(returned.matches, database.deadlines, returned.clock, returned.clock).run(sleep)
    )
    await asyncio.wait([limits])
    await (await returned.matches.find(match)).wait_idle()
    last = (await database.events.read(match))[-1]
    assert (last.actor, last.command_id.partition(":")[0]) == (HOUSE, "timeout")
    assert last.at_ms - since <= 1000
    await returned.matches.close()


async def test_substitute_plays_on_after_a_restart_once_somebody_looks_at_the_match() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("first"))
        first, _, match = await begun(node)
        for _ in range(2):
            await miss_a_round(node, first, match)
        await node.matches.close()

        returned = InMemoryServer(database, clock=node.clock, bots=odd_program("first"))
        async with playing_bots(returned):
            back = returned.connect()
            await back.greet(first.token, ResumeRequest(match, 0))
            await back.expect(Watching)
            await wait_for_substitute(returned, match)
        assert await acts_of_the_house(database, match) == ["timeout"] * 2 + ["bot"]
        await returned.matches.close()


async def test_server_without_bots_plays_the_default_when_the_time_is_up() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database)
        first, _, match = await begun(node)
        for _ in range(4):
            await miss_a_round(node, first, match)
        assert await acts_of_the_house(database, match) == ["timeout"] * 4
        assert not any(state.resigned for state in (await node.state(match)).seats)
        await node.matches.close()


async def test_answer_of_a_substitute_that_comes_after_the_player_is_refused() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("first"))
        first, second, match = await begun(node)
        for _ in range(2):
            await miss_a_round(node, first, match)
        # The bot has been given the match, but has not answered: nobody runs it here.
        await second.expect_accepted(second.act_message(match, None, TakeSeatBack()))
        head = (await node.matches.find(match)).head
        async with playing_bots(node):
            await first.choose_number(match, AWAKE, 2)
        await second.choose_number(match, ASLEEP, 3)
        records = await database.events.read(match)
        assert [record.actor for record in records[head:]] == [first.player, second.player]
        await node.matches.close()


async def test_rated_match_has_no_substitutes(node: InMemoryServer) -> None:
    first = await node.connect_and_greet()
    raw = b'{"rated":true,"clock":{"type":"bank","bank_seconds":60},"missed_limit":2,"on_missed_limit":"bot"}'
    request = OpenMatch(first.id(), "counting", 2, Raw(b"{}"), Raw(raw))
    refused = await first.expect_refused(request)
    assert (refused.code, refused.place) == ("bad_match_options", "$.match_options.on_missed_limit")
