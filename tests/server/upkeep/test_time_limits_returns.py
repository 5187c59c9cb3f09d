"""Deadlines across the return of a server, and those of several seats that choose at the same time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.match.actions import Ready, TakeSeat
from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.ids import HOUSE, MatchId
from diskwars_protocol.match.match_options import BankClock, MatchClock, MatchOptions, PerDecisionClock
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.rulesets.diskwars.actions import CommandCardQuestion, Loadout
from diskwars_server.bus.bus import LocalBus
from diskwars_server.store.database import Database
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.upkeep.time_limits import POLL_SECONDS, TimeLimits
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS, InMemoryClient, InMemoryServer, ManualClock, begin_match

SECONDS = 30
ARMIES = ("chaos-patrol", "empire-patrol", "greenskin-patrol")
MAX_ROUNDS_OF_SETUP = 60


class NoMoreLooks(Exception):
    """Ends the loop that keeps deadlines where it would wait."""


async def look_once(node: InMemoryServer) -> float:
    """Run the loop of a server from its start until it waits; return for how long it would."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        raise NoMoreLooks

    with pytest.raises(NoMoreLooks):
        await TimeLimits(node.matches, node.database.deadlines, node.clock, node.clock).run(sleep)
    return waits[0]


async def begin_and_stop(
    database: Database, clock: ManualClock, bus: LocalBus, options: MatchOptions
) -> tuple[MatchId, str]:
    """Return a match that waits for seat 0 on a server that has stopped, and the decision."""
    before = InMemoryServer(database, clock=clock, bus=bus)
    first, second = await before.connect_and_greet(), await before.connect_and_greet()
    match = await begin_match(first, second, options=options)
    await second.choose_number(match, 1, 4)
    decision = await first.decision(match, 0)
    await before.matches.close()
    return match, decision


@pytest.mark.parametrize("clock_kind", [PerDecisionClock(SECONDS), BankClock(SECONDS, 5)], ids=["per decision", "bank"])
async def test_deadline_that_passed_while_no_server_ran_is_kept_at_the_first_look_of_any(
    database: Database, clock_kind: MatchClock
) -> None:
    """The first look comes before any wait, and no look is later than half a second: within a second of the return."""
    clock, bus = ManualClock(), LocalBus()
    match, decision = await begin_and_stop(database, clock, bus, MatchOptions(clock=clock_kind))
    clock.now += 10 * SECONDS * 1000
    nodes = [InMemoryServer(database, clock=clock, bus=bus) for _ in range(2)]
    assert await look_once(nodes[1]) == POLL_SECONDS <= 0.5
    await (await nodes[1].matches.find(match)).wait_idle()
    record = next(record for record in await database.events.read(match) if record.actor == HOUSE)
    assert (record.command_id, record.at_ms) == (f"timeout:{decision}", clock.now)
    assert await look_once(nodes[0]) == POLL_SECONDS, "another node finds nothing that is left to do"
    assert [record.actor for record in await database.events.read(match)].count(HOUSE) == 1
    for node in nodes:
        await node.matches.close()


async def test_deadline_that_has_not_passed_yet_is_not_kept_at_the_return(database: Database) -> None:
    clock, bus = ManualClock(), LocalBus()
    match, _ = await begin_and_stop(database, clock, bus, MatchOptions(clock=PerDecisionClock(SECONDS)))
    clock.now += SECONDS * 1000 - 1
    node = InMemoryServer(database, clock=clock, bus=bus)
    await look_once(node)
    assert HOUSE not in [record.actor for record in await database.events.read(match)]
    await node.matches.close()


# ---------------------------------------------------------------- three seats that choose at the same time


@asynccontextmanager
async def three_players(options: MatchOptions) -> AsyncIterator[tuple[InMemoryServer, MatchId, list[InMemoryClient]]]:
    """Provide a match of three players of Diskwars who have to lock a card, all at the same time."""
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, rulesets={"diskwars": Diskwars(core_pack())})
        clients = [await node.connect_and_greet() for _ in ARMIES]
        opening = OpenMatch(
            clients[0].id(),
            "diskwars",
            len(ARMIES),
            msgspec.Raw(b'{"setup":"quick","regiments":1}'),
            msgspec.Raw(msgspec.json.encode(options)),
        )
        opened = await clients[0].request(opening)
        assert isinstance(opened, Opened)
        match = opened.match
        for client in clients:
            await client.watch(match)
        for seat, (client, army) in enumerate(zip(clients, ARMIES, strict=True)):
            action = TakeSeat("00" * 16, Loadout(army))
            await client.expect_accepted(client.act_message(match, await client.decision(match, seat), action))
        for seat, client in enumerate(clients):
            await client.expect_accepted(client.act_message(match, await client.decision(match, seat), Ready()))
        await play_setup(node, match)
        yield node, match, clients
        await node.matches.close()


async def play_setup(node: InMemoryServer, match: MatchId) -> None:
    """Answer by default until all have to lock a card; no time passes."""
    for _ in range(MAX_ROUNDS_OF_SETUP):
        game = await node.matches.find(match)
        decisions = game.state.decisions
        if len(decisions) == len(ARMIES):
            assert all(isinstance(decision.question, CommandCardQuestion) for decision in decisions)
            return
        for decision in decisions:
            player = game.state.seats[decision.seat].player
            assert player is not None
            assert bot_name(player) is None
            client = await node.connect_and_greet(node.tokens.issue(player))
            await client.watch(match)
            action = msgspec.to_builtins(game.default_action(decision))
            await client.expect_accepted(client.act_message(match, decision.id, action))
    raise AssertionError("nobody has to lock a card")


async def house_records(node: InMemoryServer, match: MatchId) -> list[tuple[int, str, int]]:
    """Return seat, decision and time of what the house has answered."""
    answers = []
    for record in await node.database.events.read(match):
        body = msgspec.json.decode(record.body)
        if body.get("actor") == "house":
            answers.append((body["seat"], body["decision"], record.at_ms))
    return answers


async def wait_until_past(node: InMemoryServer, match: MatchId, decisions: set[str]) -> None:
    """Let the server look, and wait until none of these decisions is open."""
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        while True:
            await look_once(node)
            game = await node.matches.find(match)
            await game.wait_idle()
            if not decisions & {decision.id for decision in game.state.decisions}:
                return


@pytest.mark.parametrize("clock_kind", [PerDecisionClock(SECONDS), BankClock(SECONDS)], ids=["per decision", "bank"])
async def test_three_players_who_all_sleep_are_answered_for_at_the_same_moment(clock_kind: MatchClock) -> None:
    async with three_players(MatchOptions(clock=clock_kind)) as (node, match, _):
        asked = {decision.id: decision.seat for decision in (await node.state(match)).decisions}
        node.clock.now += SECONDS * 1000 - 1
        await look_once(node)
        assert await house_records(node, match) == []
        node.clock.now += 1
        due = node.clock.now
        await wait_until_past(node, match, set(asked))
        answered = (await house_records(node, match))[: len(ARMIES)]
        assert sorted(answered) == sorted((seat, decision, due) for decision, seat in asked.items())
        assert len((await node.state(match)).seat_nonces) > 1, "the cards were revealed: the step has begun"


async def test_player_who_has_chosen_is_not_answered_for_with_those_who_sleep() -> None:
    """With a bank only the clocks of those run who still owe a choice."""
    async with three_players(MatchOptions(clock=BankClock(SECONDS))) as (node, match, clients):
        state = await node.state(match)
        asked = {decision.id: decision.seat for decision in state.decisions}
        began = node.clock.now
        node.clock.now += 10_000
        game = await node.matches.find(match)
        own = next(decision for decision in state.decisions if decision.seat == 1)
        action = msgspec.to_builtins(game.default_action(own))
        await clients[1].expect_accepted(clients[1].act_message(match, own.id, action))
        clocks = [seat.clock for seat in (await node.state(match)).seats]
        assert [clock is not None and clock.running_since_ms is not None for clock in clocks] == [True, False, True]
        assert clocks[1] is not None
        assert clocks[1].remaining_ms == SECONDS * 1000 - 10_000
        node.clock.now = began + SECONDS * 1000
        await wait_until_past(node, match, set(asked))
        answered = (await house_records(node, match))[: len(ARMIES) - 1]
        assert sorted(seat for seat, _, _ in answered) == [0, 2]
        assert {decision for _, decision, _ in answered} == set(asked) - {own.id}
