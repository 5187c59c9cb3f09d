"""Options of a match: who finds it, who watches it, and what is refused."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from msgspec import Raw

from diskwars_protocol.connection.connection import SharedFrame
from diskwars_protocol.match.ids import MatchId, Viewer
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock, Watchers
from diskwars_protocol.messages.handshake import ResumeRequest
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.match_summary import ClockSummary, MatchOptionsSummary
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Unwatched, Watch
from diskwars_server.broadcast.history import MatchHistory
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match, play_match


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        server = InMemoryServer(database)
        yield server
        await server.matches.close()


async def three(node: InMemoryServer) -> tuple[InMemoryClient, InMemoryClient, InMemoryClient]:
    return await node.connect_and_greet(), await node.connect_and_greet(), await node.connect_and_greet()


async def listed(client: InMemoryClient) -> list[MatchId]:
    answer = await client.request(ListMatches(client.id()))
    assert isinstance(answer, MatchList)
    return [summary.match for summary in answer.matches]


async def test_options_are_in_the_first_record_the_state_and_the_list(node: InMemoryServer) -> None:
    player = await node.connect_and_greet()
    options = MatchOptions(visibility="link", watchers="after_end", clock=PerDecisionClock(60))
    match = await player.open_match(options=options)
    first = (await node.database.events.read(match))[0]
    recorded = b'"match_options":{"visibility":"link","watchers":"after_end","rated":false,'
    assert recorded + b'"clock":{"type":"per_decision","decision_seconds":60}}' in first.body
    assert (await node.state(match)).match_options == options
    answer = await player.request(ListMatches(player.id()))
    assert isinstance(answer, MatchList)
    shown = MatchOptionsSummary("link", "after_end", clock=ClockSummary("per_decision", 60))
    assert [summary.match_options for summary in answer.matches] == [shown]


async def test_default_options_are_all_in_the_record(node: InMemoryServer) -> None:
    player = await node.connect_and_greet()
    match = await player.open_match()
    written = b'"match_options":{"visibility":"public","watchers":"live","rated":false},'
    assert written in (await node.database.events.read(match))[0].body


@pytest.mark.parametrize(
    ("options", "place"),
    [
        (b'{"visible":"link"}', "$.match_options.visible"),
        (b'{"visibility":"secret"}', "$.match_options.visibility"),
        (b'{"watchers":true}', "$.match_options.watchers"),
        (b'{"clock":{"type":"per_decision","decision_seconds":4}}', "$.match_options.clock.decision_seconds"),
        (b'{"clock":{"type":"per_decision","decision_seconds":1209601}}', "$.match_options.clock.decision_seconds"),
        (
            b'{"clock":{"type":"per_decision","decision_seconds":60,"bank_seconds":5}}',
            "$.match_options.clock.bank_seconds",
        ),
        (b'{"clock":{}}', "$.match_options.clock.type"),
        (b'{"rated":true}', "$.match_options.rated"),  # the dice of this server follow from a seed
        (b"[]", "$.match_options"),
    ],
)
async def test_bad_options_are_refused_with_their_place(node: InMemoryServer, options: bytes, place: str) -> None:
    player = await node.connect_and_greet()
    refused = await player.expect_refused(OpenMatch(player.id(), "counting", 2, match_options=Raw(options)))
    assert (refused.code, refused.place) == ("bad_match_options", place)
    assert await listed(player) == []


async def test_same_command_with_other_options_is_another_command(node: InMemoryServer) -> None:
    player = await node.connect_and_greet()
    await player.request(OpenMatch("mine", "counting", 2))
    again = OpenMatch("mine", "counting", 2, match_options=Raw(b'{"visibility":"link"}'))
    assert (await player.expect_refused(again)).code == "duplicate_differs"


async def test_match_by_link_is_listed_for_its_opener_and_players_only(node: InMemoryServer) -> None:
    opener, friend, stranger = await three(node)
    match = await opener.open_match(options=MatchOptions(visibility="link"))
    assert (await listed(opener), await listed(friend), await listed(stranger)) == ([match], [], [])
    await friend.watch(match)
    await friend.take_seat(match, 1)
    assert (await listed(opener), await listed(friend), await listed(stranger)) == ([match], [match], [])


@pytest.mark.parametrize("watchers", ["after_end", "none"])
async def test_spectators_leave_when_a_closed_match_begins(node: InMemoryServer, watchers: str) -> None:
    first, second, spectator = await three(node)
    options = MatchOptions(watchers="none" if watchers == "none" else "after_end")
    match = await first.open_match(options=options)
    await second.watch(match)
    await spectator.watch(match)
    for seat, player in enumerate((first, second)):
        await player.take_seat(match, seat)
    for seat, player in enumerate((first, second)):
        await player.be_ready(match, seat)
    assert (await spectator.expect(Unwatched)).match == match
    begun = (await node.matches.find(match)).head
    assert spectator.records[match][-1].seq < begun
    refused = await spectator.expect_refused(Watch(spectator.id(), match))
    assert (refused.code, refused.place) == ("not_watchable", "$.match")

    await play_match(first, second, match)
    assert (await node.state(match)).status == "ended"
    if watchers == "none":
        assert (await spectator.expect_refused(Watch(spectator.id(), match))).code == "not_watchable"
    else:
        await spectator.watch(match)
        assert (await spectator.catch_up(match))[0].seq == 1


async def test_resume_of_a_closed_match_is_refused(node: InMemoryServer) -> None:
    first, second, spectator = await three(node)
    match = await begin_match(first, second, options=MatchOptions(watchers="none"))
    back = node.connect()
    await back.greet(spectator.token, ResumeRequest(match, 0))
    assert (await back.expect(Refused)).code == "not_watchable"


async def test_players_may_always_watch_their_match(node: InMemoryServer) -> None:
    first, second, _ = await three(node)
    match = await begin_match(first, second, options=MatchOptions(watchers="none"))
    again = node.connect()
    await again.greet(first.token)
    assert (await again.watch(match)).seat == 0


@pytest.mark.parametrize("snapshot", [True, False], ids=["snapshot", "history"])
@pytest.mark.parametrize("watchers", ["none", "after_end"])
async def test_spectator_whose_watch_waits_gets_nothing_of_a_closed_match_that_begins_meanwhile(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch, watchers: Watchers, snapshot: bool
) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await first.open_match(2, MatchOptions(watchers=watchers))
    await second.watch(match)
    spectator = await node.connect_and_greet()
    go_on = asyncio.Event()
    wait_for_hash, wait_for_frame = MatchHistory.hash_at, MatchHistory.frame_after

    async def late_hash(history: MatchHistory, seq: int) -> bytes:
        if snapshot:
            await go_on.wait()
        return await wait_for_hash(history, seq)

    async def late_frame(
        history: MatchHistory, after: int, viewer: Viewer, vacated_in: int, last: int | None
    ) -> tuple[SharedFrame, int]:
        await go_on.wait()
        return await wait_for_frame(history, after, viewer, vacated_in, last)

    monkeypatch.setattr(MatchHistory, "hash_at", late_hash)
    monkeypatch.setattr(MatchHistory, "frame_after", late_frame)
    watch = asyncio.create_task(spectator.send_message(Watch("w", match, snapshot=snapshot)))
    for seat, player in enumerate((first, second)):
        await player.take_seat(match, seat)
    for seat, player in enumerate((first, second)):
        await player.be_ready(match, seat)
    go_on.set()
    await watch
    end = await spectator.expect(Refused if snapshot else Unwatched)
    assert not isinstance(end, Refused) or end.code == "not_watchable"
    assert match not in spectator.records
