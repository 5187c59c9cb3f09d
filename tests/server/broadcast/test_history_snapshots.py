"""Joining by snapshot, history by ranges, and options that are pushed."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.messages.decisions import Accepted, GetOptions, OptionsResponse
from diskwars_protocol.messages.handshake import ResumeRequest
from diskwars_protocol.messages.history import MAX_RANGE_RECORDS, GetRecords, RecordRange, Records
from diskwars_protocol.messages.watching import Watch, Watching
from diskwars_protocol.records import records as r
from diskwars_server.broadcast import history as match_history
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.counting_ruleset import CountingRules
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match, play_match

VOCABULARY = CountingRules.vocabulary


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        made = InMemoryServer(database)
        yield made
        await made.matches.close()


async def watch_snapshot(guest: InMemoryClient, match: MatchId, **options: bool) -> Watching:
    answer = await guest.request(Watch(guest.id(), match, snapshot=True, **options))
    assert isinstance(answer, Watching), answer
    return answer


async def get_records(guest: InMemoryClient, match: MatchId, after: int, limit: int = 256) -> RecordRange:
    answer = await guest.request(GetRecords(guest.id(), match, after, limit))
    assert isinstance(answer, RecordRange), answer
    return answer


def hash_after(header: bytes, records: list[r.WireRecord]) -> str:
    found = r.genesis_hash(header)
    for record in records:
        found = r.check_wire_record(record, found)
    return found.hex()


async def test_a_snapshot_is_the_fold_of_the_viewers_records_and_names_their_hash(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    await first.choose_number(match, 0, 3)  # the other seat does not know it
    third = await node.connect_and_greet()
    await third.watch(match)
    for guest in (first, second, third):
        whole = await guest.catch_up(match)
        again = await node.connect_and_greet(guest.token)
        watching = await watch_snapshot(again, match)
        folded = VOCABULARY.fold_log([VOCABULARY.decode_body(r.unsealed_body(record)) for record in whole])
        assert VOCABULARY.decode_match(bytes(watching.snapshot)) == folded
        assert watching.after == watching.head == len(whole)
        assert watching.hash == hash_after(bytes(watching.header), whole)
        assert match not in again.records


async def test_after_a_snapshot_only_later_records_follow(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    third = await node.connect_and_greet()
    head = (await watch_snapshot(third, match)).head
    await play_match(first, second, match)
    assert [record.seq for record in await third.catch_up(match)] == list(range(head + 1, head + 5))


async def test_all_spectators_get_the_same_public_snapshot_which_is_made_once(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    game = await node.matches.find(match)
    views: list[int] = []
    view = game.rules.view

    def counting_view(state: AnyMatch, viewer: int) -> AnyMatch:
        views.append(viewer)
        return view(state, viewer)

    monkeypatch.setattr(game.rules, "view", counting_view)
    guests = [await node.connect_and_greet() for _ in range(3)]
    given = [bytes((await watch_snapshot(guest, match)).snapshot) for guest in guests]
    assert len(set(given)) == 1
    assert len(views) == 1
    await first.choose_number(match, 0, 3)
    late = await node.connect_and_greet()
    assert bytes((await watch_snapshot(late, match)).snapshot) != given[0]
    assert len(views) == 2


async def test_resume_after_a_long_absence_takes_a_snapshot(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    head = (await node.matches.find(match)).head
    again = node.connect()
    await again.greet(second.token, ResumeRequest(match, 0, snapshot=True))
    watching = await again.expect(Watching)
    assert (watching.id, watching.after, watching.seat) == (None, head, 1)
    assert VOCABULARY.decode_match(bytes(watching.snapshot)).status == "running"
    await first.choose_number(match, 0, 3)
    assert (await again.expect(Records)).records[0].seq == head + 1


async def test_a_snapshot_after_a_record_is_refused(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    refused = await second.expect_refused(Watch(second.id(), match, after=2, snapshot=True))
    assert (refused.code, refused.place) == ("bad_resume", "$.after")


async def test_a_snapshot_shows_all_secrets_only_of_an_ended_match(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    wanted = Watch(second.id(), match, reveal_secrets=True, snapshot=True)
    assert (await second.expect_refused(wanted)).code == "not_ended"
    await play_match(first, second, match)
    state = VOCABULARY.decode_match(bytes((await watch_snapshot(second, match, reveal_secrets=True)).snapshot))
    assert [seat.loadout.lucky for seat in state.seats if seat.loadout is not None] == [3, 4]


# ---------------------------------------------------------------- ranges


@pytest.mark.parametrize("kept", [1, 64])
async def test_ranges_give_what_the_stream_gave_to_each_viewer(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    monkeypatch.setattr(match_history, "RECENT_RECORD_LIMIT", kept)
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    await play_match(first, second, match)
    for guest in (first, second):
        whole = await guest.catch_up(match)
        again = await node.connect_and_greet(guest.token)
        header = bytes((await watch_snapshot(again, match)).header)
        for after in range(len(whole) + 1):
            for limit in (1, 3, 256):
                given = await get_records(again, match, after, limit)
                assert list(given.records) == whole[after : after + limit]
                assert given.hash == hash_after(header, whole[:after])


async def test_a_range_beyond_the_head_or_of_a_match_that_is_not_watched_is_refused(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    refused = await first.expect_refused(GetRecords(first.id(), match, 99))
    assert (refused.code, refused.place) == ("bad_resume", "$.after")
    assert refused.numbers == {"requested": 99, "head": (await node.matches.find(match)).head}
    third = await node.connect_and_greet()
    assert (await third.expect_refused(GetRecords(third.id(), match, 0))).code == "not_watching"


@pytest.mark.parametrize("limit", [0, MAX_RANGE_RECORDS + 1])
async def test_a_range_has_a_bound(node: InMemoryServer, limit: int) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    assert (await first.expect_refused(GetRecords(first.id(), match, 0, limit))).code == "wrong_shape"


# ---------------------------------------------------------------- options


async def test_options_are_pushed_after_the_record_that_asks_and_before_the_answer_to_its_author(
    node: InMemoryServer,
) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    watching = await second.request(Watch(second.id(), match, snapshot=True, push_options=True))
    assert isinstance(watching, Watching)
    open_now = await second.expect(OptionsResponse)
    decision = await node.state(match)
    assert open_now.decision == next(open_.id for open_ in decision.decisions if open_.seat == 1)
    await first.choose_number(match, 0, 3)
    assert isinstance(await second.next_message(), Records)
    assert isinstance(await second.next_message(), OptionsResponse)  # the decision is still open
    await second.send_message(second.act_message(match, open_now.decision, {"type": "choose", "number": 2}, "mine"))
    kinds = [type(await second.next_message()) for _ in range(3)]
    assert kinds == [Records, OptionsResponse, Accepted]


async def test_pushed_options_are_those_that_get_options_gives(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    for include in (False, True):
        answer = await second.request(Watch(second.id(), match, 0, push_options=True, include_unavailable=include))
        assert isinstance(answer, Watching)
        pushed = await second.expect(OptionsResponse)
        requested = await second.request(GetOptions(second.id(), match, pushed.decision, include))
        assert isinstance(requested, OptionsResponse)
        assert bytes(requested.options) == bytes(pushed.options)
        assert bool(VOCABULARY.decode_options(bytes(pushed.options)).unavailable) == include


async def test_options_are_pushed_to_nobody_who_did_not_want_them_or_has_no_seat(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    third = await node.connect_and_greet()
    await watch_snapshot(third, match, push_options=True)
    await play_match(first, second, match)
    for guest in (first, second, third):
        await guest.catch_up(match)
        assert not any(isinstance(message, OptionsResponse) for message in guest.messages)


async def test_options_that_cannot_be_made_are_pushed_empty_and_the_match_goes_on(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    await second.request(Watch(second.id(), match, snapshot=True, push_options=True))
    await second.expect(OptionsResponse)

    def fail(*_: object) -> None:
        raise RuntimeError("no options")

    monkeypatch.setattr(CountingRules, "options", fail)
    await first.choose_number(match, 0, 3)
    pushed = await second.expect(OptionsResponse)
    assert not any(msgspec.json.decode(pushed.options).values())
    assert "options not pushed" in caplog.text
    await second.choose_number(match, 1, 3)


async def test_a_resume_goes_on_pushing_where_its_hello_asks_for_it(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    head = (await node.matches.find(match)).head
    back = node.connect()
    await back.greet(second.token, ResumeRequest(match, head, push_options=True))
    await back.expect(Watching)
    assert (await back.expect(OptionsResponse)).id is None


async def test_resume_at_the_head_of_a_match_reads_none_of_its_records(faulty_database: FaultyDatabase) -> None:
    node = InMemoryServer(faulty_database)
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    head = (await node.matches.find(match)).head
    await node.matches.close()
    later = InMemoryServer(faulty_database)
    await later.matches.find(match)  # its last records were read with all others, and are not kept
    before, again = faulty_database.events.read_count, later.connect()
    await again.greet(first.token, ResumeRequest(match, head))
    watching = await again.expect(Watching)
    assert watching.hash == (await faulty_database.beneath.events.read(match))[-1].hash.hex()
    assert faulty_database.events.read_count == before
    await later.matches.close()
