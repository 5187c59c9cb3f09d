"""Several servers that write to one match, and stores that do not say what they have done."""

import asyncio
import time
from typing import Any

import pytest

from diskwars_protocol.match.actions import TakeSeat
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.history import Records
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Unwatched, Watch
from diskwars_protocol.records import records as r
from diskwars_server.broadcast import history as match_history
from diskwars_server.bus.bus import LocalBus, encode_head, head_subject
from diskwars_server.limits.usage import ConnectionUsage
from diskwars_server.matches.game import Game
from diskwars_server.matches.inbox import MAX_INBOX_ITEMS, READ_PAUSE_SECONDS, PendingCommand, TimeOut
from diskwars_server.refusals import Refusal
from diskwars_server.store.database import Database
from diskwars_server.store.deadlines import DecisionLimit
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.postgres.database import PostgresDatabase
from diskwars_server.upkeep.head_polling import HeadPolling
from tests.server.counting_ruleset import ChooseNumber, CountingLoadout
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import HEAD, InMemoryClient, InMemoryServer, begin_match


async def two(node: InMemoryServer) -> tuple[InMemoryClient, InMemoryClient]:
    return await node.connect_and_greet(), await node.connect_and_greet()


def restarted(node: InMemoryServer) -> InMemoryServer:
    """Another process over the same store."""
    return InMemoryServer(node.database, clock=node.clock)


# ---------------------------------------------------------------- more than one writer


async def test_two_writers_on_one_match_lose_nothing_and_repeat_nothing(faulty_database: FaultyDatabase) -> None:
    nodes = [InMemoryServer(faulty_database), InMemoryServer(faulty_database)]
    first, second = await two(nodes[0])
    match = await begin_match(first, second, rounds=20)
    second = await nodes[1].connect_and_greet(second.token)
    await second.watch(match)
    for _ in range(20):
        acts = [
            guest.act_message(match, await first.decision(match, seat), ChooseNumber(1 + seat))
            for seat, guest in enumerate((first, second))
        ]
        await asyncio.gather(*(guest.expect_accepted(act) for guest, act in zip((first, second), acts, strict=True)))
        # The server notified first does not know what the other did: its next command finds out.
        await asyncio.gather(*(guest.expect_accepted(act) for guest, act in zip((first, second), acts, strict=True)))
        for each in nodes:
            found = await each.matches.find(match)
            found.on_remote_append((await faulty_database.events.heads([match]))[match])
        for guest in (first, second):
            while (await guest.node.matches.find(match)).head < (await faulty_database.events.heads([match]))[match]:
                await guest.expect(Records)
    records = await faulty_database.events.read(match)
    for guest in (first, second):
        wire = await guest.catch_up(match)
        assert [record.seq for record in wire] == list(range(1, len(records) + 1))
    states = [await each.state(match) for each in nodes]
    assert states[0] == states[1]
    assert states[0].status == "ended"
    for each in nodes:
        await each.matches.close()


async def test_a_writer_who_comes_late_reads_tells_and_decides_again(faulty_database: FaultyDatabase) -> None:
    here, there = InMemoryServer(faulty_database), InMemoryServer(faulty_database)
    first, second = await two(here)
    match = await begin_match(first, second)
    abroad = await there.connect_and_greet(second.token)
    await abroad.watch(match)
    await first.choose_number(match, 0, 5)
    accepted = await abroad.expect_accepted(abroad.act_message(match, await abroad.decision(match, 1), ChooseNumber(6)))
    wire = abroad.records[match]
    assert [record.seq for record in wire] == list(range(1, accepted.seq + 1))
    assert b'"revealed"' in (r.unsealed_body(wire[accepted.seq - 1]) or b"")
    await asyncio.gather(here.matches.close(), there.matches.close())


async def test_of_two_who_take_one_seat_on_two_servers_one_gets_it(faulty_database: FaultyDatabase) -> None:
    here, there = InMemoryServer(faulty_database), InMemoryServer(faulty_database)
    first, second = await here.connect_and_greet(), await there.connect_and_greet()
    match = await first.open_match()
    await second.watch(match)
    takes = [
        g.act_message(match, await g.decision(match, 0), TakeSeat(HEAD, CountingLoadout("me"))) for g in (first, second)
    ]
    answers = await asyncio.gather(first.request(takes[0]), second.request(takes[1]))
    assert sorted(type(answer).__name__ for answer in answers) == ["Accepted", "Refused"]
    assert [answer.code for answer in answers if isinstance(answer, Refused)] == ["seat_taken"]
    await asyncio.gather(here.matches.close(), there.matches.close())


async def test_bus_notifies_a_spectator_on_another_server_at_once(faulty_database: FaultyDatabase) -> None:
    bus = LocalBus()
    here, there = InMemoryServer(faulty_database, bus=bus), InMemoryServer(faulty_database, bus=bus)
    first, second = await two(here)
    match = await begin_match(first, second)
    watcher = await there.connect_and_greet()
    await watcher.watch(match)
    await watcher.catch_up(match)
    accepted = await first.choose_number(match, 0, 5)
    assert (await watcher.expect(Records)).records[-1].seq == accepted.seq
    third = bus.join()
    third.publish(head_subject(match), encode_head(3))
    third.publish(head_subject(MatchId("elsewhere")), encode_head(3))
    third.publish(head_subject(match), b"not a number")
    accepted = await second.choose_number(match, 1, 5)
    assert (await watcher.expect(Records)).records[-1].seq == accepted.seq
    await asyncio.gather(here.matches.close(), there.matches.close())


async def test_client_that_has_seen_more_on_another_server_is_not_refused(faulty_database: FaultyDatabase) -> None:
    here, there = InMemoryServer(faulty_database), InMemoryServer(faulty_database)
    first, second = await two(here)
    match = await begin_match(first, second)
    watcher = await there.connect_and_greet()
    await watcher.watch(match)
    accepted = await first.choose_number(match, 0, 5)
    moved = await there.connect_and_greet(first.token)
    assert (await moved.watch(match, accepted.seq)).head == accepted.seq
    refused = await moved.expect_refused(Watch("beyond", match, accepted.seq + 1))
    assert refused.code == "bad_resume"
    await asyncio.gather(here.matches.close(), there.matches.close())


async def test_who_watches_while_others_write_elsewhere_gets_every_record_once(faulty_database: FaultyDatabase) -> None:
    here, there = InMemoryServer(faulty_database), InMemoryServer(faulty_database)
    first, second = await two(here)
    match = await begin_match(first, second)
    behind = await there.matches.find(match)
    await first.choose_number(match, 0, 5)
    await second.choose_number(match, 1, 5)
    await first.choose_number(match, 0, 5)
    watcher = await there.connect_and_greet()
    watching = await watcher.watch(match)
    assert watching.head == behind.head == len(await watcher.catch_up(match))
    accepted = await second.choose_number(match, 1, 5)
    behind.on_remote_append(accepted.seq)
    while (await watcher.expect(Records)).records[-1].seq < accepted.seq:
        pass
    assert [record.seq for record in watcher.records[match]] == list(range(1, accepted.seq + 1))
    await asyncio.gather(here.matches.close(), there.matches.close())


async def test_a_burst_of_messages_from_other_nodes_leaves_room_for_commands(node: InMemoryServer) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    live = await node.matches.find(match)
    for head in range(live.head + 1, live.head + 2 * MAX_INBOX_ITEMS):
        live.on_remote_append(head)
    await first.choose_number(match, 0, 5)
    await live.wait_idle()
    board = live.state.board
    assert board is not None
    assert board.chosen[0] == 5


async def test_watching_beyond_the_head_costs_few_reads_and_no_room_of_players(
    node: InMemoryServer, faulty_database: FaultyDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second, rounds=20)
    strangers = [await node.connect_and_greet() for _ in range(2 * MAX_INBOX_ITEMS)]
    reads, read = [], faulty_database.events.read

    async def count_read(*asked: Any) -> Any:
        reads.append(asked)
        return await read(*asked)

    monkeypatch.setattr(faulty_database.events, "read", count_read)
    began = time.monotonic()
    for _ in range(3):
        waiting = [stranger.request(Watch("w", match, 10**9)) for stranger in strangers]
        *answers, accepted = await asyncio.gather(*waiting, first.choose_number(match, 0, 1))
        assert {answer.code for answer in answers if isinstance(answer, Refused)} == {"bad_resume"}
        assert isinstance(accepted, Accepted)
        await second.choose_number(match, 1, 1)
    # One for each pause, however long the machine takes.
    assert 1 <= len(reads) <= 4 + (time.monotonic() - began) / READ_PAUSE_SECONDS


class Answers:
    """Takes the answers to commands."""

    def __init__(self, usage: ConnectionUsage) -> None:
        self.usage, self.lag_ms, self.taken = usage, 0, list[Accepted | Refused]()

    def send(self, message: Accepted | Refused) -> bool:
        self.taken.append(message)
        return True


async def test_strangers_leave_room_for_players_and_for_the_house(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    live = await node.matches.find(match)
    decision = await first.decision(match, 0)

    answers = Answers(first.outbox.usage)

    def submit(id: str, player: str | None) -> None:
        live.submit(PendingCommand(id, PlayerId(player or ""), decision, ChooseNumber(1), id, answers))

    player = live.state.seats[0].player
    faulty_database.events.gate.clear()
    submit("first", player)
    for number in range(MAX_INBOX_ITEMS):
        submit(f"s{number}", "a stranger")
    with pytest.raises(Refusal) as busy:
        submit("one more", "a stranger")
    assert busy.value.code == "busy"
    submit("own", player)
    live.submit_own(TimeOut(DecisionLimit(decision)))
    faulty_database.events.gate.set()
    await live.wait_idle()
    assert [answer.id for answer in answers.taken if isinstance(answer, Accepted)] == ["first"]
    refused = {answer.id: answer.code for answer in answers.taken if isinstance(answer, Refused)}
    assert refused["own"] == "not_your_turn"
    assert len(refused) == MAX_INBOX_ITEMS + 1


async def test_request_that_cannot_be_read_now_is_refused_with_retry(faulty_database: FaultyDatabase) -> None:
    here, there = InMemoryServer(faulty_database), InMemoryServer(faulty_database)
    first, second = await two(here)
    match = await begin_match(first, second)
    await there.matches.find(match)
    accepted = await first.choose_number(match, 0, 5)
    moved = await there.connect_and_greet(first.token)
    faulty_database.events.reads.append("unavailable")
    refused = await moved.expect_refused(Watch("w", match, accepted.seq))
    assert (refused.code, refused.retry_after_ms is not None) == ("unavailable", True)
    await moved.watch(match, accepted.seq)
    await asyncio.gather(here.matches.close(), there.matches.close())


async def test_somebody_else_being_quicker_twice_is_answered_with_retry(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    head = (await node.matches.find(match)).head
    faulty_database.events.faults.extend(["wrong", "wrong"])
    act = first.act_message(match, await first.decision(match, 0), ChooseNumber(3))
    refused = await first.expect_refused(act)
    assert (refused.code, refused.retry_after_ms is not None) == ("retry", True)
    assert (await node.matches.find(match)).head == head
    await first.expect_accepted(act)


async def test_a_conflict_in_a_batch_fails_only_its_own_append(database_url: str) -> None:
    async with PostgresDatabase(database_url) as database:
        await conflicting_batch(database)


async def conflicting_batch(database: Database) -> None:
    here, there = InMemoryServer(database), InMemoryServer(database)
    first, second = await two(here)
    matches = [await begin_match(first, second) for _ in range(6)]
    abroad = await there.connect_and_greet(second.token)
    for match in matches:
        await abroad.watch(match)
    acts = [(first, first.act_message(match, await first.decision(match, 0), ChooseNumber(2))) for match in matches]
    acts += [
        (abroad, abroad.act_message(match, await abroad.decision(match, 1), ChooseNumber(5))) for match in matches[:3]
    ]
    for guest, act in acts:
        await guest.send_message(act)
    for guest in (first, abroad):
        wanted = {act.id for asker, act in acts if asker is guest}
        while wanted:
            answer = await guest.expect(Accepted)
            wanted.discard(answer.id)
    for match in matches:
        kept = [record for record in await database.events.read(match) if b'"chosen"' in record.body]
        assert len(kept) == (2 if match in matches[:3] else 1)
    await asyncio.gather(here.matches.close(), there.matches.close())


# ---------------------------------------------------------------- the store fails


@pytest.mark.parametrize("fault", ["lost after", "lost before"])
async def test_a_commit_whose_outcome_is_lost_is_looked_up_and_done_once(
    node: InMemoryServer, faulty_database: FaultyDatabase, fault: str
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    head = (await node.matches.find(match)).head
    act = first.act_message(match, await first.decision(match, 0), ChooseNumber(3), "mine")
    faulty_database.events.faults.append(fault)
    accepted = await first.expect_accepted(act)
    assert accepted.seq == head + 1
    assert [record.seq for record in await faulty_database.events.read(match) if record.command_id == "mine"] == [
        accepted.seq
    ]
    assert first.records[match][-1].seq == accepted.seq
    assert [record.seq for record in await second.catch_up(match)] == list(range(1, accepted.seq + 1))
    assert await first.expect_accepted(act) == accepted


async def test_an_append_that_lands_late_is_found_by_the_one_that_follows(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    act = first.act_message(match, await first.decision(match, 0), ChooseNumber(3), "mine")
    faulty_database.events.faults.extend(["lost before", "lost after"])
    accepted = await first.expect_accepted(act)
    assert (await faulty_database.events.heads([match]))[match] == accepted.seq


async def test_when_the_outcome_cannot_be_looked_up_the_match_is_read_again(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    act = first.act_message(match, await first.decision(match, 0), ChooseNumber(3), "mine")
    faulty_database.events.faults.append("lost after")
    faulty_database.events.reads.append("unavailable")
    refused = await first.expect_refused(act)
    assert (refused.code, refused.retry_after_ms is not None) == ("unavailable", True)
    for guest in (first, second):
        assert (await guest.expect(Unwatched)).match == match
    assert (await first.expect_refused(act)).code == "not_watching"
    await first.watch(match, first.records[match][-1].seq)
    accepted = await first.expect_accepted(act)
    assert first.records[match][-1].seq == accepted.seq
    assert [record.seq for record in first.records[match]] == list(range(1, accepted.seq + 1))


async def test_unreachable_store_is_reported_and_changes_nothing(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    before = await node.state(match)
    act = first.act_message(match, await first.decision(match, 0), ChooseNumber(3))
    faulty_database.events.faults.append("unavailable")
    refused = await first.expect_refused(act)
    assert (refused.code, refused.retry_after_ms is not None) == ("unavailable", True)
    assert await node.state(match) is before
    await first.expect_accepted(act)


async def test_a_watch_whose_backlog_cannot_be_read_is_ended(
    node: InMemoryServer, faulty_database: FaultyDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_history, "RECENT_RECORD_LIMIT", 0)
    first, second = await two(node)
    match = await begin_match(first, second)
    third = await node.connect_and_greet()
    faulty_database.events.reads.append("unavailable")
    await third.watch(match)
    assert (await third.expect(Unwatched)).id is None
    faulty_database.events.reads.append("unavailable")
    assert (await third.expect_refused(Watch("b", match, 3))).code == "unavailable"
    await third.watch(match, 3)
    assert (await third.catch_up(match))[0].seq == 4


# ---------------------------------------------------------------- a bus that loses everything


async def test_polling_finds_the_records_that_the_bus_lost(faulty_database: FaultyDatabase) -> None:
    here, there = InMemoryServer(faulty_database), InMemoryServer(faulty_database)
    first, second = await two(here)
    match = await begin_match(first, second)
    watcher = await there.connect_and_greet()
    await watcher.watch(match)
    unwatched = await begin_match(*await two(there))
    await first.choose_number(match, 0, 5)
    await second.choose_number(match, 1, 6)
    head = (await faulty_database.events.heads([match]))[match]
    assert [game.id for game in there.matches.watched()] == [match, unwatched]
    await HeadPolling(there.matches.watched, faulty_database.events).poll()
    while not watcher.records.get(match) or watcher.records[match][-1].seq < head:
        await watcher.expect(Records)
    assert [record.seq for record in watcher.records[match]] == list(range(1, head + 1))
    await asyncio.gather(here.matches.close(), there.matches.close())


async def test_polling_goes_on_after_an_outage(
    faulty_database: FaultyDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    naps = asyncio.Queue[None]()
    polled: list[str] = []

    def watched() -> list[Game]:
        polled.append("watched")
        if len(polled) == 1:
            raise StoreUnavailable("away")
        if len(polled) == 2:
            raise KeyError("a fault")
        return []

    async def nap(seconds: float) -> None:
        await naps.get()

    polling = asyncio.create_task(HeadPolling(watched, faulty_database.events, nap).run())
    for _ in range(4):
        naps.put_nowait(None)
    while len(polled) < 4:
        await asyncio.sleep(0)
    polling.cancel()
    assert [record.message for record in caplog.records] == ["heads of matches not read"]
