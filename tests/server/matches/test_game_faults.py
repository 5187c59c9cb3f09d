"""Failing rules, slow clients and overload; and a takeback, which no ruleset makes yet."""

import asyncio
import logging
from typing import Any

import msgspec
import pytest

from diskwars_engine.match_log import MatchLog
from diskwars_engine.record_codec import RecordMeta, SealedRecord
from diskwars_protocol.connection.connection import SharedFrame
from diskwars_protocol.match.actions import Resign
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.match.state import RecordBody
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.decisions import Accepted, GetOptions, OptionsResponse
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS, ResumeRequest
from diskwars_protocol.messages.history import Records
from diskwars_protocol.messages.lists import ListMatches
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Unwatched, Watch, Watching
from diskwars_protocol.records.fairness import ChainExhausted, ServerChain, seeded_entropy
from diskwars_server.broadcast import history as match_history
from diskwars_server.store.changes import Change
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.memory.event_log import MemoryEventLog
from tests.protocol.takebacks import reopened
from tests.server.counting_ruleset import ChooseNumber
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match, play_match


async def two(node: InMemoryServer) -> tuple[InMemoryClient, InMemoryClient]:
    return await node.connect_and_greet(), await node.connect_and_greet()


def restarted(node: InMemoryServer) -> InMemoryServer:
    """Another process over the same store."""
    return InMemoryServer(node.database, clock=node.clock)


# ---------------------------------------------------------------- the rules fail


async def test_a_crash_in_the_rules_retires_that_match_only(
    node: InMemoryServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    first, second = await two(node)
    match, other = await begin_match(first, second), await begin_match(first, second)
    before = await node.matches.find(match)
    crash = first.act_message(match, await first.decision(match, 0), ChooseNumber(4, note="crash"), "crashing")
    assert (await first.expect_refused(crash)).code == "fault"
    for guest in (first, second):
        assert (await guest.expect(Unwatched)).match == match
    assert before.is_retired
    assert not (await node.matches.find(other)).is_retired
    await first.choose_number(other, 0, 2)
    await first.watch(match, len(first.records[match]))
    await first.choose_number(match, 0, 4)
    assert await node.matches.find(match) is not before
    (entry,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    logged = {name: vars(entry)[name] for name in ("match", "seat", "command", "why")}
    assert logged == {"match": match, "seat": 0, "command": "crashing", "why": "RuntimeError"}
    assert "counting_ruleset.py" in vars(entry)["where"]
    assert "the secret is 4" not in caplog.text + str([vars(record) for record in caplog.records])


async def test_a_match_that_was_let_go_by_the_server_does_not_count_as_watched(faulty_database: FaultyDatabase) -> None:
    node = InMemoryServer(faulty_database, limits=msgspec.structs.replace(DEFAULT_CLIENT_LIMITS, watched_matches=1))
    first, second = await two(node)
    match = await begin_match(first, second)
    await first.expect_refused(first.act_message(match, await first.decision(match, 0), ChooseNumber(4, note="crash")))
    await first.expect(Unwatched)
    assert await first.open_match() != match
    await node.matches.close()


async def test_commands_behind_a_crash_are_answered_too(node: InMemoryServer, faulty_database: FaultyDatabase) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    acts = [
        first.act_message(match, await first.decision(match, 0), ChooseNumber(4, note=note))
        for note in ("crash", "", "")
    ]
    for act in acts:
        await first.send_message(act)
    assert [(await first.expect(Refused)).id for _ in acts] == [act.id for act in acts]
    assert (await faulty_database.events.heads([match]))[match] == first.records[match][-1].seq


async def test_a_crash_while_options_are_made_retires_the_match_only(node: InMemoryServer) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    await first.choose_number(match, 0, 4, note="crash options")
    await second.choose_number(match, 1, 4)
    decision = await first.decision(match, 0)
    assert (await first.expect_refused(GetOptions("o", match, decision))).code == "fault"
    assert (await second.expect(Unwatched)).match == match
    await second.watch(match, 0)
    options = await second.request(GetOptions("p", match, await second.decision(match, 1)))
    assert isinstance(options, OptionsResponse)
    assert len(msgspec.json.decode(options.options)["actions"]) == 6


async def test_watch_that_fails_in_a_match_that_is_retired_meanwhile_ends_once(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second `unwatched` would be a fault of the connection, and close it."""
    first, second = await two(node)
    match = await begin_match(first, second)
    game, watcher = await node.matches.find(match), await node.connect_and_greet()

    async def retire_and_fail(*_: object) -> tuple[SharedFrame, int]:
        game.retire()
        game.feed.close_all()
        raise StoreUnavailable("told to")

    monkeypatch.setattr(game.feed._history, "frame_after", retire_and_fail)
    await watcher.watch(match)
    assert (await watcher.expect(Unwatched)).match == match
    assert (await watcher.request(ListMatches("l"))) == watcher.messages[-1]
    assert [message for message in watcher.messages if isinstance(message, Unwatched)] == [Unwatched(match)]
    assert len(await watcher.catch_up((await watcher.watch(match)).match)) == game.head


@pytest.mark.parametrize("is_watched_before", [False, True])
async def test_watch_that_fails_before_its_answer_is_refused(
    is_watched_before: bool, node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    game, watcher = await node.matches.find(match), await node.connect_and_greet()
    if is_watched_before:
        await watcher.watch(match)

    async def fail(*_: object) -> bytes:
        raise RuntimeError("unforeseen")

    monkeypatch.setattr(game.feed._history, "hash_at", fail)
    if is_watched_before:
        await watcher.send_message(Watch("w", match))
        assert (await watcher.expect(Unwatched)).match == match
        assert (await watcher.expect(Refused)).code == "fault"
    else:
        assert (await watcher.expect_refused(Watch("w", match))).code == "fault"
        resumed = node.connect()
        await resumed.greet("", ResumeRequest(match, 0))
        assert (await resumed.expect(Watching)).match == match, "the match was read again"
    assert not watcher.outbox.is_closed


async def test_a_log_that_was_changed_is_not_played_on(node: InMemoryServer, faulty_database: FaultyDatabase) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    beneath = faulty_database.beneath.archived_events.stored
    assert isinstance(beneath, MemoryEventLog)
    kept = beneath._records[match]
    changed = kept[1].body.replace(b"player 0", b"player 9")
    assert changed != kept[1].body
    kept[1] = msgspec.structs.replace(kept[1], body=changed)
    later = restarted(node)
    guest = await later.connect_and_greet()
    assert (await guest.expect_refused(Watch("a", match))).code == "fault"
    await later.matches.close()


# ---------------------------------------------------------------- limits


async def test_a_watcher_who_is_too_slow_is_closed_and_nobody_else_notices(node: InMemoryServer) -> None:
    first, second = await two(node)
    match = await begin_match(first, second, rounds=4)
    slow, quick = [await node.connect_and_greet(frames=4) for _ in range(2)]
    for guest in (slow, quick):
        await guest.watch(match, (await node.matches.find(match)).head)
    for number in range(4):
        for seat, guest in enumerate((first, second)):
            await guest.choose_number(match, seat, 1 + number)
            await quick.catch_up(match)
    assert not (quick.outbox.is_closed)
    assert not (first.outbox.is_closed)
    assert not (second.outbox.is_closed)
    closing = await slow.expect(Closing)
    assert (closing.close_reason, closing.code) == ("slow", 4007)
    assert slow.outbox not in (await node.matches.find(match)).feed
    assert await slow.next_message() is None
    again = await node.connect_and_greet(slow.token)
    await again.watch(match, slow.records[match][-1].seq if match in slow.records else 0)
    assert (await again.catch_up(match))[-1].seq == (await node.matches.find(match)).head


async def test_a_long_backlog_waits_for_its_reader(node: InMemoryServer, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = await two(node)
    match = await begin_match(first, second, rounds=30)
    await play_match(first, second, match, rounds=30)
    monkeypatch.setattr(match_history, "BLOCK_RECORDS", 10)
    reader = await node.connect_and_greet(frames=16)
    watch = asyncio.create_task(reader.send_message(Watch("w", match)))
    wire = await reader.catch_up(match)
    await watch
    assert len(wire) == (await node.matches.find(match)).head
    assert not reader.outbox.is_closed


@pytest.mark.parametrize(("backlog", "frames"), [(4, 4), (2, 8), (1, 16), (1, 2)])
async def test_record_appended_while_a_backlog_is_sent_follows_it(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch, backlog: int, frames: int
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second, rounds=30)
    await play_match(first, second, match, rounds=20)
    monkeypatch.setattr(match_history, "BLOCK_RECORDS", backlog)
    reader = await node.connect_and_greet(frames=frames)
    watch = asyncio.create_task(reader.send_message(Watch("w", match)))
    await reader.expect(Records)
    assert not watch.done()
    for _ in range(10):
        await play_match(first, second, match, rounds=1)
        await reader.expect(Records)
    wire = await reader.catch_up(match)
    await watch
    assert [record.seq for record in wire] == list(range(1, (await node.matches.find(match)).head + 1))


async def test_a_full_inbox_is_answered_with_busy(node: InMemoryServer, faulty_database: FaultyDatabase) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    guests = [await node.connect_and_greet(first.token) for _ in range(6)]
    for guest in guests:
        await guest.watch(match, 5)
    decision = await first.decision(match, 0)
    faulty_database.events.gate.clear()
    await first.send_message(first.act_message(match, decision, ChooseNumber(1)))
    await faulty_database.events.waiting.wait()
    for guest in guests[:5]:  # 64 places, and 16 for those who sit
        for _ in range(16):
            await guest.send_message(guest.act_message(match, decision, ChooseNumber(1)))
    refused = await guests[5].expect_refused(guests[5].act_message(match, decision, ChooseNumber(1)))
    assert (refused.code, refused.retry_after_ms is not None) == ("busy", True)
    faulty_database.events.gate.set()
    await first.expect(Accepted)
    for guest in guests[:5]:
        assert {(await guest.expect(Refused)).code for _ in range(16)} == {"not_your_turn"}


async def test_sixteen_unanswered_commands_are_allowed_and_no_more(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    decision = await first.decision(match, 0)
    faulty_database.events.gate.clear()
    for number in range(16):
        await first.send_message(first.act_message(match, decision, ChooseNumber(1), f"c{number}"))
    refused = await first.expect_refused(first.act_message(match, decision, ChooseNumber(1), "c16"))
    assert (refused.code, refused.retry_after_ms is not None) == ("busy", True)
    faulty_database.events.gate.set()
    answers = [await first.answer_to(f"c{number}") for number in range(16)]
    assert isinstance(answers[0], Accepted)
    assert (await first.expect_refused(first.act_message(match, decision, ChooseNumber(1), "c16"))).code != "busy"


# ---------------------------------------------------------------- takebacks


async def test_takeback_in_the_log_is_folded_live_and_on_restore(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    before, to = await node.state(match), (await node.matches.find(match)).head
    await first.choose_number(match, 0, 5)
    found = MatchLog.load((await node.matches.find(match)).rules, match, await faulty_database.events.read(match))
    body: RecordBody[Any, Any, Any] = RecordBody(
        at_ms=found.state.at_ms,
        decisions=reopened(before.decisions, found.head + 1),
        draw_index=before.draw_index,
        taken_back_to=to,
    )
    stream = seeded_entropy(1, "salts")
    meta = RecordMeta(PlayerId("house"), "takeback")
    back = found.codec.seal(body, found.head + 1, found.hash, meta, lambda: stream(16)).record
    await faulty_database.events.append(AppendRequest(match, found.head, back))
    (await node.matches.find(match)).on_remote_append(back.seq)
    while (await second.expect(Records)).records[-1].seq < back.seq:
        pass
    now = await node.state(match)
    assert now.board == before.board
    assert now.decisions == body.decisions
    later = restarted(node)
    assert await later.state(match) == now
    await first.choose_number(match, 0, 2)
    assert [record.seq for record in await second.catch_up(match)] == list(
        range(1, len(await faulty_database.events.read(match)) + 1)
    )
    await later.matches.close()


async def test_records_behind_a_takeback_are_published_each_with_the_state_after_it(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    assert isinstance(await second.request(Watch(second.id(), match, 0, push_options=True)), Watching)
    before, to = await node.state(match), (await node.matches.find(match)).head
    await first.choose_number(match, 0, 5)
    rules = (await node.matches.find(match)).rules
    log = MatchLog.load(rules, match, await faulty_database.events.read(match))
    body: RecordBody[Any, Any, Any] = RecordBody(
        at_ms=log.state.at_ms,
        decisions=reopened(before.decisions, log.head + 1),
        draw_index=before.draw_index,
        taken_back_to=to,
    )
    stream = seeded_entropy(1, "salts")
    meta = RecordMeta(PlayerId("house"), "takeback")
    back = log.codec.seal(body, log.head + 1, log.hash, meta, lambda: stream(16)).record
    await faulty_database.events.append(AppendRequest(match, log.head, back))
    other = InMemoryServer(faulty_database, clock=node.clock)  # its bus reaches no other node
    elsewhere = await other.connect_and_greet(second.token)
    await elsewhere.watch(match)
    later = await elsewhere.choose_number(match, 1, 4)
    game, published = await node.matches.find(match), []
    publish = game.feed.publish

    def record_publish(record: SealedRecord, change: Change, round_start: int) -> bool:
        published.append((record.seq, [decision.seat for decision in change.after.decisions]))
        return publish(record, change, round_start)

    game.feed.publish = record_publish  # type: ignore[method-assign]
    game.on_remote_append(later.seq)
    await game.wait_idle()
    assert published == [(back.seq, [0, 1]), (later.seq, [0])]
    assert game.state == await other.state(match)
    await other.matches.close()


class ShortChain(ServerChain):
    """A chain of one step."""

    def link(self, k: int) -> bytes:
        if k > 1:
            raise ChainExhausted(f"no link {k}")
        return super().link(k)


async def test_action_beyond_the_last_step_of_the_dice_is_refused_and_resigning_ends_the_match(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("diskwars_engine.match.SERVER_CHAIN_LENGTH", 1)
    first, second = await two(node)
    match = await begin_match(first, second)
    game = await node.matches.find(match)
    assert game._writer.secrets is not None
    game._writer.secrets.chain = ShortChain(game._writer.secrets.far_end)
    await first.choose_number(match, 0, 4)
    last = second.act_message(match, await second.decision(match, 1), ChooseNumber(4))
    assert (await second.expect_refused(last)).code == "dice_exhausted"
    assert not game.is_retired
    await second.expect_accepted(second.act_message(match, None, Resign()))
    assert (await node.state(match)).status == "ended"
