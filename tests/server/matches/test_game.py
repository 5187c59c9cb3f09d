"""One live match: commit, apply, publish; one stream for all; nothing done twice."""

import asyncio

import msgspec
import pytest

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.history import Records
from diskwars_protocol.messages.watching import Watch, Watching
from diskwars_protocol.records import records as r
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.sealed import count_sealed
from diskwars_server.broadcast import history as match_history
from diskwars_server.matches.game import Game
from diskwars_server.matches.inbox import PendingCommand
from tests.server.counting_ruleset import ChooseNumber, CountingBoard, CountingRules, NumberQuestion, Question
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match, play_match


@pytest.fixture(
    autouse=True,
    params=[match_history.RECENT_RECORD_LIMIT, 0],
    ids=["recent appends are kept", "everything is read again, and every state is packed"],
)
def kept(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Number of recent records that a match keeps, and whether its state rests after each; clients cannot notice."""
    monkeypatch.setattr(match_history, "RECENT_RECORD_LIMIT", request.param)
    if not request.param:
        submit = Game.submit

        def submit_to_rested(game: Game, pending: PendingCommand) -> None:
            game.rest()
            game.rest()
            submit(game, pending)

        monkeypatch.setattr(Game, "submit", submit_to_rested)
    return int(request.param)


async def two(node: InMemoryServer) -> tuple[InMemoryClient, InMemoryClient]:
    return await node.connect_and_greet(), await node.connect_and_greet()


def restarted(node: InMemoryServer) -> InMemoryServer:
    """Another process over the same store."""
    return InMemoryServer(node.database, clock=node.clock)


class SecondQuestionRules(CountingRules):
    """The first seat has a second question open all the time."""

    def questions(self, board: CountingBoard) -> tuple[tuple[int, Question], ...]:
        asked = super().questions(board)
        return (*asked, (0, NumberQuestion(100))) if asked else ()


async def test_decisions_of_a_seat_keep_their_ids_while_others_answer(faulty_database: FaultyDatabase) -> None:
    node = InMemoryServer(faulty_database, rulesets={"counting": SecondQuestionRules()})
    first, second = await two(node)
    match = await begin_match(first, second)
    before = (await node.state(match)).decisions
    assert [(one.seat, one.question.round) for one in before] == [(0, 1), (1, 1), (0, 100)]
    await second.choose_number(match, 1, 4)
    assert (await node.state(match)).decisions == (before[0], before[2])
    await node.matches.close()


# ---------------------------------------------------------------- one stream


async def test_a_whole_match_reaches_players_and_spectators_without_a_gap(node: InMemoryServer) -> None:
    first, second = await two(node)
    third = await node.connect_and_greet()
    match = await begin_match(first, second)
    await third.watch(match)
    await play_match(first, second, match)
    assert (await node.state(match)).status == "ended"
    stored = await node.database.events.read(match)
    for guest in (first, second, third):
        wire = await guest.catch_up(match)
        assert [record.seq for record in wire] == list(range(1, len(stored) + 1))
        hash = r.genesis_hash(encode_canonical(r.MatchHeader(format=r.FORMAT, match=match, ruleset="counting")))
        for sent, kept in zip(wire, stored, strict=True):
            hash = r.check_wire_record(sent, hash)
            assert hash == kept.hash


async def test_each_viewer_gets_their_own_secrets_and_sealed_values_of_others(node: InMemoryServer) -> None:
    first, second = await two(node)
    third = await node.connect_and_greet()
    match = await begin_match(first, second)
    await third.watch(match)
    accepted = await first.choose_number(match, 0, 6)
    sent = {}
    for name, guest in (("first", first), ("second", second), ("third", third)):
        wire = (await guest.catch_up(match))[accepted.seq - 1 : accepted.seq]
        (sent[name],) = [r.unsealed_body(record) for record in wire]
    assert sent["first"].count(b'"number":6') == 2
    assert b"well chosen" in sent["first"]
    assert sent["third"] == sent["second"]
    assert b'"number":6' not in sent["second"]
    assert b"well chosen" not in sent["second"]
    assert b'"decisions":' in sent["second"]


async def test_resuming_at_every_record_gives_what_an_uninterrupted_stream_gave(node: InMemoryServer) -> None:
    first, second = await two(node)
    third = await node.connect_and_greet()
    match = await begin_match(first, second)
    await third.watch(match)
    await play_match(first, second, match)
    for guest in (first, second, third):
        whole = await guest.catch_up(match)
        for after in range(len(whole) + 1):
            again = await node.connect_and_greet(guest.token)
            watching = await again.watch(match, after)
            before = r.genesis_hash(bytes(watching.header))
            for record in whole[:after]:
                before = r.check_wire_record(record, before)
            assert (watching.after, watching.head, watching.hash) == (after, len(whole), before.hex())
            assert watching.seat == {first: 0, second: 1, third: None}[guest]
            if after < len(whole):
                await again.catch_up(match)
            assert again.records.get(match, []) == whole[after:]
            again.session.close()


async def test_a_new_record_comes_alone_and_those_before_it_in_frames_of_many(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    monkeypatch.setattr(match_history, "BLOCK_RECORDS", 4)
    third = await node.connect_and_greet()
    await third.watch(match)
    await third.catch_up(match)
    await play_match(first, second, match)
    live = [await third.expect(Records) for _ in range(4)]
    assert [len(frame.records) for frame in live] == [1] * 4
    for after in (0, 3, 7):
        guest = await node.connect_and_greet()
        await guest.watch(match, after)
        frames = []
        while not guest.records or guest.records[match][-1].seq < 9:
            frames.append([record.seq for record in (await guest.expect(Records)).records])
        assert frames == [
            [seq for seq in block if seq > after] for block in ([1, 2, 3, 4], [5, 6, 7, 8], [9]) if block[-1] > after
        ]


async def test_quick_reconnect_is_served_without_the_store(
    node: InMemoryServer, faulty_database: FaultyDatabase, kept: int
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    head = (await first.choose_number(match, 0, 4)).seq
    again, whole = await node.connect_and_greet(), await node.connect_and_greet()
    before = faulty_database.events.read_count
    await again.watch(match, head - 3)
    missed = await again.catch_up(match)
    assert (faulty_database.events.read_count == before) == bool(kept)
    await whole.watch(match)
    assert missed == (await whole.catch_up(match))[head - 3 :]


async def test_the_answer_comes_after_its_records(node: InMemoryServer) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    accepted = await first.choose_number(match, 0, 4)
    assert first.records[match][-1].seq == accepted.seq


async def test_watching_again_waits_for_the_answers_so_that_none_overtakes_its_records(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    await first.catch_up(match)
    act = first.act_message(match, await first.decision(match, 0), ChooseNumber(2))
    faulty_database.events.gate.clear()
    await first.send_message(act)
    rewatch = asyncio.create_task(first.send_message(Watch("again", match, 3)))
    await faulty_database.events.waiting.wait()
    faulty_database.events.gate.set()
    await rewatch
    accepted = await first.expect(Accepted)
    assert first.records[match][-1].seq == accepted.seq
    first.records.clear()
    assert (await first.expect(Watching)).after == 3
    assert [record.seq for record in await first.catch_up(match)] == list(range(4, accepted.seq + 1))


async def test_player_sees_as_their_seat_from_the_append_that_takes_it(node: InMemoryServer) -> None:
    first, second = await two(node)
    match = await first.open_match()
    await second.watch(match)
    taken = await first.take_seat(match, 0, lucky=5)
    own, other = [(await guest.catch_up(match))[taken.seq - 1 : taken.seq] for guest in (first, second)]
    assert b'"lucky":5' in r.unsealed_body(own[0])
    assert b'"lucky":{"#"' in r.unsealed_body(other[0])


async def test_every_secret_is_shown_on_request_after_the_end_and_not_before(node: InMemoryServer) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    third = await node.connect_and_greet()
    assert (await third.expect_refused(Watch("a", match, 0, reveal_secrets=True))).code == "not_ended"
    await play_match(first, second, match)
    watching = await third.watch(match, 0, all=True)
    assert watching.reveal_secrets
    bodies = [r.unsealed_body(record) for record in await third.catch_up(match)]
    assert not any(count_sealed(body) for body in bodies)
    assert len(await first.catch_up(match)) == len(bodies)


# ---------------------------------------------------------------- commands


async def test_a_refused_action_changes_nothing(node: InMemoryServer, faulty_database: FaultyDatabase) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    before, stored = await node.state(match), await faulty_database.events.read(match)
    decision = await first.decision(match, 0)
    refused = await first.expect_refused(first.act_message(match, decision, ChooseNumber(7)))
    assert (refused.code, refused.rule, refused.place) == ("not_legal", "N1", "$.action.number")
    assert msgspec.json.decode(refused.open_decisions) == list(msgspec.to_builtins(before.decisions))
    assert await node.state(match) == before
    assert await faulty_database.events.read(match) == stored
    assert (await first.expect_accepted(first.act_message(match, decision, ChooseNumber(6)))).seq == len(stored) + 1


async def test_the_same_command_gets_the_same_answer_also_after_a_restart(node: InMemoryServer) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    act = first.act_message(match, await first.decision(match, 0), ChooseNumber(3), "mine")
    answer = await first.expect_accepted(act)
    assert await first.expect_accepted(act) == answer
    await second.choose_number(match, 1, 5)
    assert await first.expect_accepted(act) == answer
    later = restarted(node)
    again = await later.connect_and_greet(first.token)
    await again.watch(match)
    head = len(await again.catch_up(match))
    assert await again.expect_accepted(act) == answer
    assert (await later.matches.find(match)).head == head
    await later.matches.close()


async def test_an_id_is_for_one_command_of_one_player(node: InMemoryServer) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    decision = await first.decision(match, 0)
    await first.expect_accepted(first.act_message(match, decision, ChooseNumber(3), "mine"))
    assert (
        await first.expect_refused(first.act_message(match, decision, ChooseNumber(4), "mine"))
    ).code == "duplicate_differs"
    other = second.act_message(match, await second.decision(match, 1), ChooseNumber(5), "mine")
    accepted = await second.expect_accepted(other)
    assert accepted.seq == (await node.matches.find(match)).head
    assert await second.expect_accepted(other) == accepted


async def test_refused_command_is_decided_again_under_the_same_id(node: InMemoryServer) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    decision = await first.decision(match, 0)
    assert (await first.expect_refused(first.act_message(match, decision, ChooseNumber(0), "mine"))).code == "not_legal"
    accepted = await first.expect_accepted(first.act_message(match, decision, ChooseNumber(1), "mine"))
    assert accepted.seq == (await node.matches.find(match)).head


async def test_the_same_command_sent_twice_at_once_is_done_once(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    again = await node.connect_and_greet(first.token)
    await again.watch(match)
    act = first.act_message(match, await first.decision(match, 0), ChooseNumber(3), "mine")
    faulty_database.events.gate.clear()
    await first.send_message(act)
    await again.send_message(act)
    faulty_database.events.gate.set()
    assert await first.expect(Accepted) == await again.expect(Accepted)
    assert sum(record.command_id == "mine" for record in await faulty_database.events.read(match)) == 1


async def test_a_dropped_connection_cancels_nothing(node: InMemoryServer, faulty_database: FaultyDatabase) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    head = (await node.matches.find(match)).head
    faulty_database.events.gate.clear()
    await first.send_message(first.act_message(match, await first.decision(match, 0), ChooseNumber(3), "mine"))
    await faulty_database.events.waiting.wait()
    first.session.close()
    first.outbox.abandon()
    faulty_database.events.gate.set()
    while len(await second.catch_up(match)) == head:
        await second.expect(Records)
    assert (await faulty_database.events.read(match))[head].command_id == "mine"


async def test_time_never_goes_back_within_a_match(node: InMemoryServer) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    node.clock.now += 5000
    await first.choose_number(match, 0, 1)
    node.clock.now -= 9000
    await second.choose_number(match, 1, 1)
    times = [record.at_ms for record in await node.database.events.read(match)]
    assert times == sorted(times)
    assert times[-1] == node.clock.now + 9000


async def test_the_lobby_is_written_only_when_it_shows_something_else(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    await play_match(first, second, match)
    listed = [append.listing for append in faulty_database.events.appended]
    shown = [(entry.status, entry.seats, entry.result) for entry in listed if entry]
    one, two_ = first.player, second.player
    ended = (await node.state(match)).result
    assert ended is not None
    assert shown == [
        ("open", (None, None), None),
        ("open", (one, None), None),
        ("open", (one, two_), None),
        ("running", (one, two_), None),
        ("ended", (one, two_), Result("points", ended.winners, ended.scores)),
    ]
    assert [bool(entry) for entry in listed] == [True, True, True, False, True, False, False, False, True]


async def test_secrets_are_forgotten_when_the_last_record_has_published_them(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    assert set(await faulty_database.vault.secrets(match)) == {"far_end", "deal"}
    await play_match(first, second, match)
    await node.matches.close()
    assert await faulty_database.vault.secrets(match) == {}
    later = restarted(node)
    guest = await later.connect_and_greet(first.token)
    await guest.watch(match)
    assert (await guest.expect_refused(guest.act_message(match, "9.0", ChooseNumber(1)))).code == "match_ended"


async def test_act_is_decided_in_the_step_in_which_it_comes_and_the_match_has_no_task(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    """While the store has the record, nothing of the match waits but the outcome."""
    first, second = await two(node)
    match = await begin_match(first, second)
    game = await node.matches.find(match)
    faulty_database.events.gate.clear()
    head = game.head
    acting = asyncio.create_task(first.choose_number(match, 0, 1))
    await faulty_database.events.waiting.wait()
    assert f"match {match}" not in {task.get_name() for task in asyncio.all_tasks()}
    assert game.head == head
    faulty_database.events.gate.set()
    assert isinstance(await acting, Accepted)
    assert game.head == head + 1


# ---------------------------------------------------------------- rest


async def test_match_rests_once_nobody_has_used_it_between_two_calls(node: InMemoryServer) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    game = await node.matches.find(match)
    assert not game.rest()
    assert game.rest()
    assert not game.rest()  # it does already
    await first.choose_number(match, 0, 6)
    assert not game.rest()
    await second.choose_number(match, 1, 6)
    assert not game.rest()
    assert game.rest()


async def test_watchers_of_a_match_that_rests_are_served_as_before(node: InMemoryServer) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    game = await node.matches.find(match)
    decisions = game.state.decisions
    for _ in range(2):
        game.rest()
    third = await node.connect_and_greet()
    assert (await third.watch(match)).head == game.head
    options = game.get_options(first.player, decisions[0].id, include_unavailable=False)
    assert not options.is_repeated
    await play_match(first, second, match)
    stored = await node.database.events.read(match)
    for guest in (first, second, third):
        assert [record.seq for record in await guest.catch_up(match)] == list(range(1, len(stored) + 1))


async def test_command_from_before_a_rest_gets_the_same_answer(node: InMemoryServer) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    accepted = await first.choose_number(match, 0, 6)
    game = await node.matches.find(match)
    for _ in range(2):
        game.rest()
    assert game.accepted_digest(first.player, accepted.id) is not None
    assert game.accepted_digest(second.player, accepted.id) is None


async def test_those_who_look_at_all_matches_unpack_none(node: InMemoryServer) -> None:
    first, second = await two(node)
    match = await begin_match(first, second)
    game = await node.matches.find(match)
    facts = game.rights.facts
    for _ in range(2):
        game.rest()
    assert game.rights.facts == facts
    assert (facts.status, facts.players) == ("running", (first.player, second.player))
    assert not game.is_abandoned
    assert not game.rest()  # it still rests
    await first.choose_number(match, 0, 6)
    assert not game.rest()
    assert game.rest()
