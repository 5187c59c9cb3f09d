"""The house answers decisions whose time is up, on any server, after any restart."""

import asyncio
from collections.abc import Callable

import msgspec
import pytest
import uvloop

from diskwars_engine.match_log import LogError
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.ids import HOUSE, MatchId
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_server.matches.game import Game
from diskwars_server.matches.inbox import TimeOut
from diskwars_server.store.deadlines import Deadline, DecisionLimit
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.upkeep.time_limits import LEASE_MS, TimeLimits
from tests.server.counting_ruleset import ChooseNumber, CountingBoard, CountingRules
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match

SECONDS = 30
CLOCK = MatchOptions(clock=PerDecisionClock(SECONDS))


async def enforce(node: InMemoryServer, match: MatchId) -> None:
    """Let the server keep its deadlines, and wait until the match has done what follows."""
    await TimeLimits(node.matches, node.database.deadlines, node.clock, node.clock).enforce_due()
    game = await node.matches.find(match)
    await game.wait_idle()


async def round_of(node: InMemoryServer, match: MatchId) -> int:
    board: CountingBoard | None = (await node.state(match)).board
    assert board is not None
    return board.round


async def begun(node: InMemoryServer, options: MatchOptions = CLOCK) -> tuple[InMemoryClient, InMemoryClient, MatchId]:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    return first, second, await begin_match(first, second, options=options)


async def test_house_answers_a_decision_whose_time_is_up(
    node: InMemoryServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "diskwars_server.matches.server_actions")
    first, second, match = await begun(node)
    decision = await first.decision(match, 0)
    await second.choose_number(match, 1, 4)
    head = (await node.matches.find(match)).head
    node.clock.now += SECONDS * 1000 - 1
    await enforce(node, match)
    assert (await node.matches.find(match)).head == head

    node.clock.now += 1
    await enforce(node, match)
    record = (await node.database.events.read(match))[-1]
    assert (record.seq, record.actor, record.command_id) == (head + 1, HOUSE, f"timeout:{decision}")
    body = msgspec.json.decode(record.body)
    assert (body["seat"], body["actor"], body["decision"]) == (0, "house", decision)
    assert await round_of(node, match) == 2
    assert (await first.catch_up(match))[-1].seq == head + 1
    line = next(line for line in caplog.records if line.getMessage() == "time is up")
    assert {name: vars(line)[name] for name in ("match", "seat", "decision")} == {
        "match": match,
        "seat": 0,
        "decision": decision,
    }


@pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
@pytest.mark.parametrize(("later_seat", "order"), [(None, [0, 1]), (0, [1, 0]), (1, [0, 1])])
def test_deadlines_within_a_millisecond_are_kept_by_time_and_then_by_seat_on_every_loop(
    new_loop: Callable[[], asyncio.AbstractEventLoop], later_seat: int | None, order: list[int]
) -> None:
    """They are ordered by their store: no timer of a loop is set for a deadline, and none decides."""

    async def run() -> list[int]:
        node = InMemoryServer(FaultyDatabase(MemoryDatabase()))
        async with node.database:
            first, second, match = await begun(node)
            if later_seat is not None:
                decision = await (first, second)[later_seat].decision(match, later_seat)
                grace_ms = SECONDS * 1000 + 1
                await node.database.deadlines.extend(match, decision, later_seat, node.clock.now, grace_ms)
            node.clock.now += SECONDS * 1000 + 1
            head = (await node.matches.find(match)).head
            await enforce(node, match)
            bodies = [msgspec.json.decode(record.body) for record in await node.database.events.read(match)]
            await node.matches.close()
            return [body["seat"] for body in bodies[head : head + 2]]

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(run()) == order


async def test_answered_decision_has_no_deadline(node: InMemoryServer) -> None:
    first, _, match = await begun(node)
    await first.choose_number(match, 0, 4)
    node.clock.now += SECONDS * 1000
    await enforce(node, match)
    assert [record.actor for record in await node.database.events.read(match)].count(HOUSE) == 1
    assert await round_of(node, match) == 2


async def test_time_of_a_decision_runs_from_its_own_record(node: InMemoryServer) -> None:
    first, second, match = await begun(node)
    node.clock.now += 20_000
    await first.choose_number(match, 0, 4)
    await second.choose_number(match, 1, 4)
    node.clock.now += 20_000
    await enforce(node, match)
    assert await round_of(node, match) == 2
    node.clock.now += 10_000
    await enforce(node, match)
    assert (await node.state(match)).status == "ended"


async def test_match_without_a_clock_waits_for_ever_where_that_was_agreed(node: InMemoryServer) -> None:
    _, _, match = await begun(node, MatchOptions(abandoned_after_days=0))
    head = (await node.matches.find(match)).head
    node.clock.now += 10**12
    await enforce(node, match)
    assert (await node.matches.find(match)).head == head


async def test_nobody_is_pressed_before_the_match_begins(node: InMemoryServer) -> None:
    first = await node.connect_and_greet()
    match = await first.open_match(options=CLOCK)
    await first.take_seat(match, 0)
    node.clock.now += 10**12
    assert await node.database.deadlines.claim_due(node.clock.now, 10, LEASE_MS) == []


async def test_two_sleepers_are_played_to_the_end_and_leave_no_deadline(node: InMemoryServer) -> None:
    _, _, match = await begun(node)
    for _ in range(2):
        node.clock.now += SECONDS * 1000
        await enforce(node, match)
    assert (await node.state(match)).status == "ended"
    assert await node.database.deadlines.claim_due(node.clock.now + 10**12, 10, LEASE_MS) == []


async def test_match_that_no_server_has_in_memory_times_out(node: InMemoryServer) -> None:
    _, _, match = await begun(node)
    await node.matches.close()
    node.clock.now += SECONDS * 1000
    later = InMemoryServer(node.database, clock=node.clock)
    await enforce(later, match)
    assert [record.actor for record in await node.database.events.read(match)][-2:] == [HOUSE, HOUSE]
    await later.matches.close()


async def test_command_id_of_a_client_cannot_block_the_house(node: InMemoryServer) -> None:
    first, second, match = await begun(node)
    decision = await second.decision(match, 1)
    own = await first.decision(match, 0)
    await first.expect_accepted(first.act_message(match, own, ChooseNumber(3), id=f"timeout:{decision}"))
    node.clock.now += SECONDS * 1000
    await enforce(node, match)
    record = (await node.database.events.read(match))[-1]
    assert (record.actor, record.command_id) == (HOUSE, f"timeout:{decision}")


async def test_late_answer_is_refused_once_the_house_has_answered(node: InMemoryServer) -> None:
    first, _, match = await begun(node)
    decision = await first.decision(match, 0)
    node.clock.now += SECONDS * 1000
    await enforce(node, match)
    refused = await first.expect_refused(first.act_message(match, decision, ChooseNumber(3)))
    assert refused.code == "stale_decision"


@pytest.mark.parametrize("fault", ["unavailable", "wrong", "lost before", "lost after"])
async def test_deadline_is_kept_although_an_append_fails(node: InMemoryServer, fault: str) -> None:
    _, second, match = await begun(node)
    await second.choose_number(match, 1, 4)
    assert isinstance(node.database, FaultyDatabase)
    node.clock.now += SECONDS * 1000
    node.database.events.faults.append(fault)
    await enforce(node, match)
    node.clock.now += LEASE_MS
    await enforce(node, match)
    actors = [record.actor for record in await node.database.events.read(match)]
    assert actors.count(HOUSE) == 1
    assert await round_of(node, match) == 2


async def test_server_that_knows_too_little_finds_the_answer_in_the_log(node: InMemoryServer) -> None:
    first, second, match = await begun(node)
    other = InMemoryServer(node.database, clock=node.clock)
    await other.matches.find(match)  # restored before the answers, of which no bus tells it
    for player, seat in ((first, 0), (second, 1)):
        await player.choose_number(match, seat, 4)
    game = await other.matches.find(match)
    stale = [decision.id for decision in game.state.decisions]
    for decision in stale:
        game.submit_own(TimeOut(DecisionLimit(decision)))
    await game.wait_idle()
    assert HOUSE not in [record.actor for record in await node.database.events.read(match)]
    await other.matches.close()


async def test_loop_enforces_until_cancelled(node: InMemoryServer) -> None:
    _, _, match = await begun(node)
    node.clock.now += SECONDS * 1000
    passes: list[float] = []

    class Stopped(Exception):
        pass

    async def sleep(seconds: float) -> None:
        passes.append(seconds)
        if len(passes) == 2:
            raise Stopped

    with pytest.raises(Stopped):
        await TimeLimits(node.matches, node.database.deadlines, node.clock, node.clock).run(sleep)
    await (await node.matches.find(match)).wait_idle()
    assert await round_of(node, match) == 2


async def test_fault_of_the_rules_keeps_the_match_and_its_watchers_and_is_logged_once(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first, _, match = await begun(node)
    game = await node.matches.find(match)

    def fail(*_: object) -> None:
        raise Illegal("unreadable_cursor", "written by newer rules")

    with monkeypatch.context() as patched:
        patched.setattr(CountingRules, "default", fail)
        for _ in range(3):
            node.clock.now += SECONDS * 1000 + LEASE_MS
            await enforce(node, match)
    assert not game.is_retired
    assert await node.matches.find(match) is game
    assert sum("deadline not kept" in message for message in caplog.messages) == 2, "once for each decision"

    node.clock.now += LEASE_MS
    await enforce(node, match)
    assert await round_of(node, match) == 2
    assert (await first.catch_up(match))[-1].seq == game.head


async def test_loop_outlives_every_fault_of_the_database_and_leaves_outages_to_its_log(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    faults: list[Exception] = [RuntimeError("a table is missing"), ValueError("an odd row"), StoreUnavailable("gone")]
    pauses = 0

    async def claim_due(now: int, limit: int, lease_ms: int) -> list[Deadline]:
        if faults:
            raise faults.pop()
        return []

    async def pause(seconds: float) -> None:
        nonlocal pauses
        pauses += 1
        if pauses == 4:
            raise asyncio.CancelledError

    monkeypatch.setattr(node.database.deadlines, "claim_due", claim_due)
    with pytest.raises(asyncio.CancelledError):
        await TimeLimits(node.matches, node.database.deadlines, node.clock, node.clock).run(pause)
    assert not faults
    assert len(caplog.messages) == 1, "the odd row; an outage is logged by the database, and the next fault is the same"


async def test_fault_after_the_house_has_stored_its_answer_retires_the_match(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, match = await begun(node)
    await second.choose_number(match, 1, 4)
    game, seen = await node.matches.find(match), len(await first.catch_up(match))

    def fail(*_: object) -> None:
        raise RuntimeError("not published")

    with monkeypatch.context() as patched:
        patched.setattr(game.feed, "publish", fail)
        node.clock.now += SECONDS * 1000
        await enforce(node, match)
    assert game.is_retired
    assert [record.actor for record in await node.database.events.read(match)].count(HOUSE) == 1
    assert await round_of(node, match) == 2
    await first.watch(match, seen)
    assert len(await first.catch_up(match)) == (await node.matches.find(match)).head


async def test_match_that_cannot_be_read_is_logged_once_and_tried_ever_less_often(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _, second, match = await begun(node)
    await second.choose_number(match, 1, 4)
    limits = TimeLimits(node.matches, node.database.deadlines, node.clock, node.clock)
    attempts = 0

    async def fail(_: MatchId) -> Game:
        nonlocal attempts
        attempts += 1
        raise LogError("a record is missing")

    node.clock.now += SECONDS * 1000
    with monkeypatch.context() as patched:
        patched.setattr(node.matches, "find", fail)
        for _ in range(100):
            await limits.enforce_due()
            node.clock.now += LEASE_MS
    assert attempts == 6
    assert caplog.messages.count("deadline not kept") == 1

    node.clock.now += 3_600_000
    await limits.enforce_due()
    await (await node.matches.find(match)).wait_idle()
    assert await round_of(node, match) == 2
    assert not limits._failures


async def test_failed_deadlines_that_are_remembered_are_bounded(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("diskwars_server.upkeep.time_limits.MAX_FAILED_DEADLINES", 3)
    limits = TimeLimits(node.matches, node.database.deadlines, node.clock, node.clock)
    for number in range(5):
        await limits._enforce(Deadline(f"gone {number}", "1.0", 0), asyncio.Semaphore(1))
    assert [deadline.match for deadline in limits._failures] == ["gone 2", "gone 3", "gone 4"]
