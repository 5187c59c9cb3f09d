"""Bots of the server play through crashes, hangs, illegal answers, restarts and floods, from their seat's view."""

import asyncio
import json
import logging
from itertools import count, pairwise
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from diskwars_protocol.match.actions import DrawOffer, MakeOffer, PauseOffer, ResumePlay, TakebackOffer
from diskwars_protocol.match.events import OfferAnswered, PlayPaused, TakebackMade
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.match.state import AnyBody, AnyMatch
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.records.fairness import ZERO_NONCE_TEXT
from diskwars_server.bots.bot_players import MAX_ATTEMPTS, BotPlayers, BotTurn, find_turns, thinking_milliseconds
from diskwars_server.bus.bus import LocalBus
from diskwars_server.limits.address_quotas import AddressQuotas, QuotaLimits
from diskwars_server.matches.game import Game
from diskwars_server.store.database import Database
from diskwars_server.store.event_log import AppendRequest, OnOutcome
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.upkeep.time_limits import TimeLimits
from tests.server.bot_nodes import (
    WAIT_SECONDS,
    begin_against_bot,
    odd_program,
    play_against_bot,
    playing_bots,
    seat_message,
    wait_for_bot,
    wait_until,
)
from tests.server.conftest import MakeDatabase
from tests.server.counting_ruleset import CountingRules
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryServer

DEFAULT_PLAYED = "bot plays the default of the rules"


def reasons(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return why bots have played the default."""
    return [vars(record)["why"] for record in caplog.records if record.message == DEFAULT_PLAYED]


def has_bot_to_decide(state: AnyMatch) -> bool:
    return any(decision.seat == 1 for decision in state.decisions)


async def wait_until_running(node: InMemoryServer, match: MatchId) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        while (await node.state(match)).status == "open":
            await asyncio.sleep(0.005)


async def play_whole_match(node: InMemoryServer, rounds: int = 2) -> MatchId:
    """Return a match that a player has played to its end against a bot."""
    player = await node.connect_and_greet()
    match = await begin_against_bot(player, rounds)
    await play_against_bot(player, match, rounds)
    assert (await node.state(match)).status == "ended"
    return match


async def test_player_and_bot_play_a_whole_match(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    node = InMemoryServer(database, bots=odd_program("first"))
    async with playing_bots(node):
        match = await play_whole_match(node)
    state = await node.state(match)
    assert len(state.seat_nonces) == 3
    records = await database.events.read(match)
    by_bot = [record.command_id for record in records if record.actor == "bot-steady-b"]
    assert len(by_bot) == 4, "its seat, that it is ready, and two numbers"
    assert all(command.startswith("bot:") for command in by_bot[1:])
    assert all(nonces[1] != ZERO_NONCE_TEXT for nonces in state.seat_nonces), "it gives a nonce to every step"
    assert reasons(caplog) == []
    await node.matches.close()


async def test_opener_pays_for_the_records_of_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("first"))
        quotas = AddressQuotas(QuotaLimits(guest_bytes=1), node.clock)
        charges = list[tuple[str, int]]()
        monkeypatch.setattr(quotas.bytes, "charge_written", lambda *charge: charges.append(charge))
        monkeypatch.setattr(quotas.bytes, "write_wait_ms", lambda writer, address: 0)
        node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
        player = await node.connect_and_greet(address="203.0.113.9")
        async with playing_bots(node):
            match = await begin_against_bot(player)
            await play_against_bot(player, match)
        records = await database.events.read(match)
        assert any(record.actor == "bot-steady-b" for record in records)
        assert [writer for writer, _ in charges] == ["203.0.113.9"] * len(records)
        await node.matches.close()


@pytest.mark.parametrize(
    ("mode", "why"),
    [
        ("illegal", "not_legal"),
        ("unknown", "bad_action"),
        ("sealed", "bad_action"),
        ("crash", "its process failed: IncompleteReadError"),
        ("garbage", "its process failed: DecodeError"),
        ("fault", "ValueError at my_bot.py:7"),
        ("hang", "it thought longer than 1 s"),
        ("exit", "its process does not start"),
    ],
)
async def test_bot_that_fails_plays_the_default_and_the_log_says_why(
    mode: str, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program(mode))
        async with playing_bots(node, seconds=1):
            match = await play_whole_match(node)
        assert reasons(caplog) == [why, why]
        logged = [vars(record) for record in caplog.records if record.message == DEFAULT_PLAYED]
        assert [(line["match"], line["seat"], line["bot"]) for line in logged] == [(match, 1, "steady")] * 2
        assert (await node.state(match)).seats[1].player == "bot-steady-b"
        actors = {json.loads(record.body).get("actor") for record in await database.events.read(match)}
        assert actors == {None}, "the bot itself plays the default: nobody's time was up"
        await node.matches.close()


async def test_bot_whose_process_pauses_plays_its_own_answer_afterwards(caplog: pytest.LogCaptureFixture) -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("first"))
        async with playing_bots(node) as [process]:
            process._retry_at = monotonic() + 1.0  # as after a start that failed
            await play_whole_match(node)
        await node.matches.close()
    assert reasons(caplog) == []


async def test_fault_of_the_rules_on_a_bots_answer_makes_it_play_the_default(caplog: pytest.LogCaptureFixture) -> None:
    """The fault retires the match, which is read again; it does not happen for ever."""
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("faulty"))
        player = await node.connect_and_greet()
        async with playing_bots(node):
            match = await begin_against_bot(player)
            for _ in range(2):
                await wait_for_bot(node, match)
                await player.watch(match)
                await player.choose_number(match, 0, 2)
        assert (await node.state(match)).status == "ended"
        assert len([record for record in caplog.records if record.message == "match retired after a fault"]) == 2
        await node.matches.close()


async def test_decision_that_was_given_up_hides_no_other() -> None:
    """The rules fail on one bot again and again; the other bot of the match is asked all the same."""
    async with MemoryDatabase() as database:
        rules = CountingRules()
        rules.seat_counts = (3,)
        node = InMemoryServer(database, bots=odd_program("first"), rulesets={"counting": rules})
        client = await node.connect_and_greet()
        opened = await client.request(OpenMatch(client.id(), "counting", 3, Raw(b'{"rounds":2}')))
        assert isinstance(opened, Opened)
        match = opened.match
        for seat in (1, 2):
            await client.expect_accepted(seat_message(client, match, seat))
        await client.take_seat(match, 0)
        players = BotPlayers(node.matches, node.rules, database.matches, node.services.bot_turns, node.bot_secrets, 10)
        game = await node.matches.find(match)
        first, second = find_turns(game)
        for _ in range(MAX_ATTEMPTS):
            players._count_fault(game, first)
        assert await players._play(match, None) == 0
        assert [decision.id for decision in game.state.decisions if decision.seat] == [first.decision.id]
        assert second.decision.seat == 2
        assert await players._play(match, None) == 0
        assert first.decision in game.state.decisions, "it is left to its clock"
        await node.matches.close()


async def test_bot_plays_on_after_a_restart_without_anybody_watching(make_database: MakeDatabase) -> None:
    async with make_database() as database:
        first = InMemoryServer(database, bots=odd_program("first"))
        player = await first.connect_and_greet()
        async with playing_bots(first):
            match = await begin_against_bot(player, rounds=3)
            await play_against_bot(player, match, rounds=1)
            await wait_for_bot(first, match)
        # The bots of this server are gone: it leaves a decision of the bot open.
        await player.choose_number(match, 0, 2)
        assert has_bot_to_decide(await first.state(match))
        await first.matches.close()
    async with make_database() as database:
        second = InMemoryServer(database, bots=odd_program("first"))
        before = len(await database.events.read(match))
        async with playing_bots(second):
            async with asyncio.timeout(WAIT_SECONDS):
                while len(await database.events.read(match)) == before:
                    await asyncio.sleep(0.01)
            back = await second.connect_and_greet(player.token)
            await back.watch(match)
            await play_against_bot(back, match, rounds=1)
        state = await second.state(match)
        assert state.status == "ended"
        assert all(nonces[1] != ZERO_NONCE_TEXT for nonces in state.seat_nonces), "its chain goes on"
        await second.matches.close()


async def test_all_pages_of_matches_with_bots_are_looked_at_and_one_that_cannot_be_read_holds_up_none(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("diskwars_server.bots.bot_players.BATCH_MATCHES", 2)
    async with MemoryDatabase() as database:
        first = InMemoryServer(database, bots=odd_program("first"))
        player = await first.connect_and_greet()
        matches = sorted([await begin_against_bot(player) for _ in range(5)])
        await first.matches.close()
        await database.vault.forget_secrets(matches[1])
        second = InMemoryServer(database, bots=odd_program("first"))
        turns = second.services.bot_turns
        players = BotPlayers(second.matches, second.rules, database.matches, turns, second.bot_secrets, 10)
        looking = asyncio.create_task(players.resume_matches())
        await wait_until(lambda: len(turns) == 4)
        looking.cancel()
        assert [record.message for record in caplog.records if record.levelno >= logging.ERROR] == [
            "match with a bot not read"
        ]
        await second.matches.close()


async def test_two_nodes_that_answer_the_same_decision_give_the_same_answer() -> None:
    async with MemoryDatabase() as database:
        bus = LocalBus()
        nodes = [InMemoryServer(database, bus=bus, seed=seed, bots=odd_program("first")) for seed in (1, 2)]
        player = await nodes[0].connect_and_greet()
        match = await begin_against_bot(player)
        watcher = await nodes[1].connect_and_greet()
        await watcher.watch(match)
        async with playing_bots(nodes[0]), playing_bots(nodes[1]):
            await play_against_bot(player, match)
        commands = [record.command_id for record in await database.events.read(match)]
        assert len([command for command in commands if command.startswith("bot:")]) == 3
        for node in nodes:
            await node.matches.close()


async def test_decision_that_waits_too_long_for_a_process_is_answered_by_default(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("hang"))
        async with playing_bots(node, seconds=1, count=0):
            await play_whole_match(node)
        assert reasons(caplog) == ["it waited 1 s for a process"] * 2
        await node.matches.close()


async def test_clock_answers_for_a_bot_that_does_not_play() -> None:
    """A bot has a clock like everybody, so its match ends even where no bot is served."""
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("first"))
        player = await node.connect_and_greet()
        match = await player.open_match(2, MatchOptions(clock=PerDecisionClock(5)))
        await player.expect_accepted(seat_message(player, match, 1))
        await player.take_seat(match, 0)
        await player.be_ready(match, 0)
        async with playing_bots(node):
            await wait_until_running(node, match)
            await wait_for_bot(node, match)
        await player.choose_number(match, 0, 2)
        await player.choose_number(match, 0, 2)
        assert has_bot_to_decide(await node.state(match)), "its second number is missing"
        node.clock.now += 6000
        await TimeLimits(node.matches, database.deadlines, node.clock, node.clock).enforce_due()
        await (await node.matches.find(match)).wait_idle()
        assert (await node.state(match)).status == "ended"
        actors = [json.loads(record.body).get("actor") for record in await database.events.read(match)]
        assert "house" in actors
        await node.matches.close()


async def test_bot_waits_until_the_database_is_back(faulty_database: FaultyDatabase) -> None:
    node = InMemoryServer(faulty_database, bots=odd_program("first"))
    player = await node.connect_and_greet()
    match = await begin_against_bot(player)
    faulty_database.events.faults.extend(["unavailable"])
    async with playing_bots(node):
        await play_against_bot(player, match)
    assert (await node.state(match)).status == "ended"
    await node.matches.close()


async def test_bot_whose_match_is_let_go_while_it_thinks_plays_its_own_answer(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("slow", str(tmp_path / "notes")))
        player = await node.connect_and_greet()
        match = await begin_against_bot(player)
        async with playing_bots(node):
            await wait_until((tmp_path / "notes").exists)
            (await node.matches.find(match)).retire()
            await wait_for_bot(node, match)
        assert reasons(caplog) == []
        board = (await node.state(match)).board
        assert board is not None
        assert board.chosen == (None, 1), "the first of its options"
        await node.matches.close()


async def test_bot_whose_decision_was_answered_while_it_thought_gives_no_default(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rules may have no default for a decision that is not open any more, which is no fault."""
    submit, play_default = BotPlayers._submit, BotPlayers._play_default
    defaults: list[str] = []

    async def submit_late(bots: BotPlayers, game: Game, turn: BotTurn, action: Any) -> Refused | None:
        await submit(bots, game, turn, action)  # as the player of a seat that a bot plays meanwhile
        return Refused("stale_decision", "the decision is no longer open")

    async def record_default(bots: BotPlayers, game: Game, turn: BotTurn) -> int:
        defaults.append(turn.decision.id)
        return await play_default(bots, game, turn)

    monkeypatch.setattr(BotPlayers, "_submit", submit_late)
    monkeypatch.setattr(BotPlayers, "_play_default", record_default)
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("first"))
        async with playing_bots(node):
            await play_whole_match(node)
        assert (reasons(caplog), defaults) == ([], [])
        await node.matches.close()


async def test_match_of_a_person_waits_for_one_decision_of_a_stranger_with_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The stranger's matches are all in the queue first, and each decision takes 50 ms of the only process.

    What counts is the order in which records are stored, and the queue's clock goes on by a millisecond whenever it is
    read: both are the same on a slow machine. Beside the decision that is thought about, one more may be on its way to
    the store.
    """
    async with MemoryDatabase() as database:
        submit, stored = database.events.submit, list[AppendRequest]()

        def submit_and_note(request: AppendRequest, on_outcome: OnOutcome) -> None:
            submit(request, on_outcome)
            stored.append(request)

        monkeypatch.setattr(database.events, "submit", submit_and_note)
        node = InMemoryServer(database, bots=odd_program("slow"), bots_each=0)
        ticks = count()
        monkeypatch.setattr(node.services.bot_turns, "_clock", lambda: next(ticks) / 1000)
        stranger, person = [await node.connect_and_greet() for _ in range(2)]
        floods = [await begin_against_bot(stranger, rounds=5) for _ in range(10)]
        own = await begin_against_bot(person)
        async with playing_bots(node):
            await wait_until_running(node, own)
            await play_against_bot(person, own)
            for match in floods:
                await wait_for_bot(node, match)
        await node.matches.close()
    own_places = [place for place, request in enumerate(stored) if request.match == own]
    waits = [
        sum(map(is_choice_of_a_bot, stored[asked + 1 : answered]))
        for asked, answered in pairwise(own_places)
        if is_choice_of_a_bot(stored[answered])
    ]
    assert len(waits) == 2
    assert max(waits) <= 2
    first = next(place for place in own_places if is_choice_of_a_bot(stored[place]))
    assert sum(map(is_choice_of_a_bot, stored[first + 1 :])) >= 7, "most of the stranger's bots had to wait"


def is_choice_of_a_bot(request: AppendRequest) -> bool:
    action = json.loads(request.record.body).get("action") or {}
    return request.record.actor == "bot-steady-b" and action.get("type") == "choose"


async def test_bots_that_wait_for_one_process_get_less_time_each(tmp_path: Path) -> None:
    """Eight matches wait for one process: the more wait, the less each of their bots may search."""
    notes = tmp_path / "notes"
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("first", str(notes)), bots_each=0)
        person = await node.connect_and_greet()
        matches = [await begin_against_bot(person) for _ in range(8)]
        async with playing_bots(node, seconds=60):
            for match in matches:
                await wait_until_running(node, match)
                await wait_for_bot(node, match)
        await node.matches.close()
    given = [json.loads(line)["milliseconds"] for line in notes.read_text().splitlines()]
    assert len(given) == 8
    assert set(given) <= {thinking_milliseconds(60, 1 / number, 1) for number in range(1, 9)}


@pytest.mark.parametrize("processes", [1, 3])
def test_time_of_a_search_leaves_half_of_the_wait_to_all_that_wait(processes: int) -> None:
    for matches in range(1, 200):
        each = thinking_milliseconds(10, 1 / matches, processes)
        assert 0 < each * matches <= 5000 * processes
    assert thinking_milliseconds(10, 1, 1) == 5000
    assert thinking_milliseconds(10, 1 / 5, 1) == 1000
    assert thinking_milliseconds(1, 1 / 5000, 1) == 1, "0 would be a search without a limit"


async def test_other_commands_are_answered_while_a_bot_thinks() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("hang"))
        player = await node.connect_and_greet()
        async with playing_bots(node, seconds=60):
            match = await begin_against_bot(player)
            await wait_until_running(node, match)
            await player.choose_number(match, 0, 2)
            await player.expect_accepted(player.act_message(match, None, {"type": "resign"}))
        assert (await node.state(match)).status == "ended"
        await node.matches.close()


# ---------------------------------------------------------------- what a bot may see


async def noted_tasks(notes: Path, lucky: int, number: int) -> str:
    """Return what the process of a bot is sent in a match whose person has this secret and locks this number first."""
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, bots=odd_program("first", str(notes)))
        player = await node.connect_and_greet(node.tokens.issue(PlayerId("person")))
        opened = await player.request(OpenMatch("open", "counting", 2))
        assert isinstance(opened, Opened)
        match = opened.match
        await player.expect_accepted(seat_message(player, match, 1, id="bot"))
        await player.take_seat(match, 0, lucky=lucky)
        await player.be_ready(match, 0)
        async with playing_bots(node):
            await wait_until_running(node, match)
            await wait_for_bot(node, match)
        await player.choose_number(match, 0, 2)
        await player.choose_number(match, 0, number)
        secrets = await database.vault.secrets(match)
        async with playing_bots(node):
            await wait_until(lambda: notes.read_text().count("\n") == 2)
        await node.matches.close()
    text = notes.read_text()
    assert not any(secret.hex() in text for secret in secrets.values())
    return text


async def test_process_gets_the_view_of_its_seat_and_no_more(tmp_path: Path) -> None:
    """In two matches that differ only in what the person hides, the bot's process is sent the same bytes."""
    first = await noted_tasks(tmp_path / "first", 1, 1)
    second = await noted_tasks(tmp_path / "second", 6, 5)
    assert first == second
    tasks = [json.loads(line) for line in first.splitlines()]
    assert [task["match"]["board"]["round"] for task in tasks] == [1, 2]
    for task in tasks:
        assert set(task) == {"ruleset", "bot", "seed", "seconds", "milliseconds", "match", "decisions", "options"}
        assert {decision["seat"] for decision in task["decisions"]} == {1}
        assert task["match"]["seats"][1]["loadout"] == {"name": "bot", "lucky": 5}, "its own secret"


async def test_bot_agrees_to_takebacks_and_pauses_and_refuses_draws(database: Database) -> None:
    node = InMemoryServer(database, bots=odd_program("first"))
    options = MatchOptions(draws=True, takebacks=True, pauses=True)
    async with playing_bots(node):
        player = await node.connect_and_greet()
        match = await begin_against_bot(player, 9, options)
        await wait_until_running(node, match)
        await wait_for_bot(node, match)
        target = (await node.matches.find(match)).head
        await player.choose_number(match, 0, 2)
        for offer, events in (
            (DrawOffer(), [OfferAnswered(1, agree=False)]),
            (TakebackOffer(target), [TakebackMade(1)]),
            (TakebackOffer(1), [OfferAnswered(1, agree=False)]),  # the match had not begun
            (PauseOffer(), [OfferAnswered(1, agree=True), PlayPaused()]),
        ):
            await player.expect_accepted(player.act_message(match, None, MakeOffer(offer)))
            answered = await wait_for_answer(node, match)
            assert [*answered.events] == events
            if not (await node.state(match)).paused:
                await player.choose_number(match, 0, 2)
        await player.expect_accepted(player.act_message(match, None, ResumePlay()))
        await wait_for_bot(node, match)
    await node.matches.close()


async def wait_for_answer(node: InMemoryServer, match: MatchId) -> AnyBody:
    """Return the record in which the bot has answered the open offer."""
    game = await node.matches.find(match)
    async with asyncio.timeout(WAIT_SECONDS):
        while game.state.offer is not None:
            await asyncio.sleep(0.005)
    records = await node.database.events.read(match)
    by_bot = [record for record in records if record.command_id.startswith("bot:offer:")]
    return game.rules.vocabulary.decode_body(by_bot[-1].body)
