"""A player opens a match that plays on from a moment of another one, as far as they may see that."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace

from diskwars_engine.ruleset import Dice, Outcome, RandomSource
from diskwars_protocol.match.actions import AnswerOffer
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import BankClock, BranchPoint, MatchOptions, Watchers
from diskwars_protocol.messages.branches import BranchMatch, BranchOpened
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.records.sealed import HIDDEN, count_sealed
from diskwars_server.store.database import Database
from tests.server.counting_ruleset import CountingBoard, CountingRules, HintGiven
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match, play_match

BEGUN = 5
"""The record with which a match of two begins."""


class PlainCounting(CountingRules):
    """The toy ruleset without hints. `seen` are the boards that were completed at random."""

    def __init__(self) -> None:
        self.seen: list[CountingBoard] = []

    def decide(self, board: CountingBoard, seat: int, ask: Any, action: Any, dice: Dice) -> Outcome[Any, Any]:
        outcome = super().decide(board, seat, ask, action, dice)
        events = [event for event in outcome.events if not isinstance(event, HintGiven)]
        return replace(outcome, events=events, board=replace(outcome.board, hints=("", "")))

    def determinize(self, board: CountingBoard, viewer: int, rng: RandomSource) -> CountingBoard:
        self.seen.append(board)
        return super().determinize(board, viewer, rng)


@pytest.fixture
def rules() -> PlainCounting:
    return PlainCounting()


@pytest.fixture
async def server(database: Database, rules: PlainCounting) -> AsyncIterator[InMemoryServer]:
    server = InMemoryServer(database, rulesets={"counting": rules}, repeatable=False)
    yield server
    await server.matches.close()


async def branch(client: InMemoryClient, match: MatchId, seq: int, options: bytes = b"{}") -> BranchOpened:
    answer = await client.request(BranchMatch(client.id(), match, seq, Raw(options)))
    assert isinstance(answer, BranchOpened), answer
    return answer


async def refusal(client: InMemoryClient, match: MatchId, seq: int, options: bytes = b"{}") -> tuple[str, str | None]:
    refused = await client.expect_refused(BranchMatch(client.id(), match, seq, Raw(options)))
    return refused.code, refused.place


async def begin(server: InMemoryServer, match: MatchId) -> tuple[InMemoryClient, InMemoryClient]:
    """Let two guests take the seats of a branch, and get ready."""
    first, second = await server.connect_and_greet(), await server.connect_and_greet()
    for seat, client in enumerate((first, second)):
        await client.watch(match)
        await client.take_seat(match, seat)
    for seat, client in enumerate((first, second)):
        await client.be_ready(match, seat)
    return first, second


async def running_match(
    server: InMemoryServer, options: MatchOptions | None = None
) -> tuple[InMemoryClient, InMemoryClient, MatchId]:
    """Return a match in which seat 0 has chosen a number in secret, and seat 1 is asked for one."""
    first, second = await server.connect_and_greet(), await server.connect_and_greet()
    match = await begin_match(first, second, 3, options or MatchOptions())
    await first.choose_number(match, 0, 5)
    return first, second, match


async def test_branch_of_an_ended_match_has_the_true_position_and_plays_on(server: InMemoryServer) -> None:
    first, second, match = await running_match(server)
    await second.choose_number(match, 1, 2)
    await play_match(first, second, match, 2)
    assert (await server.state(match)).status == "ended"
    opened = await branch(await server.connect_and_greet(), match, BEGUN + 1)
    assert (opened.branch_of, opened.resampled) == (BranchPoint(match, BEGUN + 1), False)
    players = await begin(server, opened.match)
    state = await server.state(opened.match)
    assert state.board is not None
    assert state.board.chosen == (5, None)
    assert [decision.seat for decision in state.decisions] == [1]
    await players[1].choose_number(opened.match, 1, 1)
    await play_match(*players, opened.match, 2)
    assert (await server.state(opened.match)).status == "ended"


@pytest.mark.parametrize("seat", [0, 1, None])
async def test_branch_of_a_running_match_is_made_of_what_its_opener_sees(
    server: InMemoryServer, rules: PlainCounting, seat: int | None
) -> None:
    first, second, match = await running_match(server)
    asker = (first, second)[seat] if seat is not None else await server.connect_and_greet()
    opened = await branch(asker, match, BEGUN + 1)
    assert [board.chosen for board in rules.seen] == [(5 if seat == 0 else HIDDEN, None)]
    assert opened.resampled == (seat != 0)
    watcher = await server.connect_and_greet()
    await watcher.watch(opened.match)
    (record,) = await watcher.catch_up(opened.match)
    assert count_sealed(bytes(record.body)) == 1
    assert not record.openings, "nobody sees a secret of the position before the end"


async def test_each_seat_of_a_branch_sees_its_own_secrets_once_it_has_begun(server: InMemoryServer) -> None:
    _, _, match = await running_match(server)
    opened = await branch(await server.connect_and_greet(), match, BEGUN + 1)
    first, second = await begin(server, opened.match)
    seen = []
    for client in (first, second):
        records = await client.catch_up(opened.match)
        seen.append(sum(opening.path[-2:] == ("chosen", 0) for record in records for opening in record.openings))
    assert seen == [1, 0]


async def test_same_request_opens_one_branch(server: InMemoryServer) -> None:
    first, _, match = await running_match(server)
    request = BranchMatch(first.id(), match, BEGUN)
    answer = await first.request(request)
    assert await first.request(request) == answer
    assert (await first.expect_refused(replace(request, seq=BEGUN + 1))).code == "duplicate_differs"


async def test_moment_that_nobody_can_play_on_from_is_refused(server: InMemoryServer) -> None:
    first, second, match = await running_match(server)
    head = (await server.matches.find(match)).head
    for seq in (-1, 0):
        assert await refusal(first, match, seq) == ("wrong_shape", "$.seq")
    for seq in (BEGUN - 1, head + 1):
        assert await refusal(first, match, seq) == ("bad_branch", "$.seq")
    await second.choose_number(match, 1, 2)
    await play_match(first, second, match, 2)
    head = (await server.matches.find(match)).head
    assert await refusal(first, match, head) == ("bad_branch", "$.seq")
    assert await refusal(first, MatchId("nowhere"), 1) == ("unknown_match", "$.match")


async def test_no_branch_is_rated_and_no_other_request_opens_one(server: InMemoryServer) -> None:
    first, _, match = await running_match(server)
    assert await refusal(first, match, BEGUN, b'{"rated":true}') == ("bad_match_options", "$.match_options.rated")
    named = b'{"branch_of":{"match":"x","seq":1}}'
    assert (await refusal(first, match, BEGUN, named))[1] == "$.match_options.branch_of"
    refused = await first.expect_refused(OpenMatch(first.id(), "counting", 2, match_options=Raw(named)))
    assert (refused.code, refused.place) == ("bad_match_options", "$.match_options.branch_of")


async def test_match_that_may_not_be_watched_is_not_branched(server: InMemoryServer) -> None:
    first, _, match = await running_match(server, MatchOptions(watchers="after_end"))
    stranger = await server.connect_and_greet()
    assert await refusal(stranger, match, BEGUN) == ("not_watchable", "$.match")
    assert (await branch(first, match, BEGUN)).match
    answer = await first.request(OpenMatch(first.id(), "counting", 2, invited_only=True))
    assert isinstance(answer, Opened)
    assert await refusal(stranger, answer.match, 1) == ("locked", "$.match")


async def test_watcher_of_a_round_later_branches_no_later_moment(server: InMemoryServer) -> None:
    _, second, match = await running_match(server, MatchOptions(watchers="round_later"))
    stranger = await server.connect_and_greet()
    assert await refusal(stranger, match, BEGUN) == ("bad_branch", "$.seq")
    await second.choose_number(match, 1, 2)
    assert (await branch(stranger, match, BEGUN)).match
    assert await refusal(stranger, match, BEGUN + 2) == ("bad_branch", "$.seq")


async def test_branch_that_is_watched_a_round_later_shows_its_first_round_when_the_next_begins(
    server: InMemoryServer,
) -> None:
    _, _, match = await running_match(server)
    opened = await branch(await server.connect_and_greet(), match, BEGUN, b'{"watchers":"round_later"}')
    first, second = await begin(server, opened.match)
    stranger = await server.connect_and_greet()
    game = await server.matches.find(opened.match)
    assert game.rights.last_shown(stranger.player) == BEGUN - 1
    await first.choose_number(opened.match, 0, 1)
    await second.choose_number(opened.match, 1, 1)
    assert game.rights.last_shown(stranger.player) == BEGUN + 1


async def test_clock_of_a_branch_begins_with_it_and_a_draw_ends_it(server: InMemoryServer) -> None:
    _, _, match = await running_match(server)
    options = b'{"clock":{"type":"bank","bank_seconds":60},"draws":true}'
    opened = await branch(await server.connect_and_greet(), match, BEGUN + 1, options)
    first, second = await begin(server, opened.match)
    state = await server.state(opened.match)
    assert isinstance(state.match_options.clock, BankClock)
    assert [seat.clock is not None and seat.clock.running_since_ms is not None for seat in state.seats] == [False, True]
    assert len(await server.database.deadlines.claim_due(server.clock.now + 61_000, 1000, 10)) == 1
    await first.expect_accepted(
        first.act_message(opened.match, None, {"type": "make_offer", "offer": {"type": "draw"}})
    )
    offer = (await server.state(opened.match)).offer
    assert offer is not None
    await second.expect_accepted(second.act_message(opened.match, None, AnswerOffer(offer.id, agree=True)))
    result = (await server.state(opened.match)).result
    assert result is not None
    assert result.end_reason == "draw_agreed"


async def test_branch_is_restored_from_its_records(database: Database, server: InMemoryServer) -> None:
    _, _, match = await running_match(server)
    opened = await branch(await server.connect_and_greet(), match, BEGUN + 1)
    other = InMemoryServer(database, rulesets={"counting": PlainCounting()}, seed=8)
    assert await other.state(opened.match) == await server.state(opened.match)
    await begin(server, opened.match)
    records = await database.events.read(opened.match)
    assert b'{"type":"branch_began"' in records[BEGUN - 1].body
    third = InMemoryServer(database, rulesets={"counting": PlainCounting()}, seed=9)
    assert await third.state(opened.match) == await server.state(opened.match)
    for node in (other, third):
        await node.matches.close()


async def test_lists_name_the_match_that_a_branch_plays_on_from(server: InMemoryServer) -> None:
    first, _, match = await running_match(server)
    opened = await branch(first, match, BEGUN)
    listed = await first.request(ListMatches(first.id(), mine=True))
    assert isinstance(listed, MatchList)
    found = {one.match: one.match_options.branch_of for one in listed.matches}
    assert found == {match: None, opened.match: BranchPoint(match, BEGUN)}


async def listed_branches(client: InMemoryClient) -> dict[MatchId, BranchPoint]:
    listed = await client.request(ListMatches(client.id()))
    assert isinstance(listed, MatchList)
    return {one.match: point for one in listed.matches if (point := one.match_options.branch_of) is not None}


@pytest.mark.parametrize(
    ("options", "seq"),
    [
        (MatchOptions(), BEGUN),  # what its seat sees of its own is opened when the branch ends
        (MatchOptions(watchers="round_later"), BEGUN + 1),
        (MatchOptions(watchers="none"), BEGUN),
        (MatchOptions(visibility="link"), BEGUN),
    ],
)
async def test_branch_that_a_player_makes_of_a_match_under_way_is_in_no_list_of_others(
    server: InMemoryServer, options: MatchOptions, seq: int
) -> None:
    first, second, match = await running_match(server, options)
    opened = await branch(first, match, seq)
    stranger = await server.connect_and_greet()
    for other in (second, stranger):
        assert await listed_branches(other) == {}
    assert await listed_branches(first) == {opened.match: BranchPoint(match, seq)}
    await stranger.watch(opened.match)  # as with any match, those may see it who know its id
    await stranger.take_seat(opened.match, 1)


async def test_branch_of_what_everybody_may_see_is_listed(server: InMemoryServer) -> None:
    first, second, match = await running_match(server)
    watched = await branch(await server.connect_and_greet(), match, BEGUN + 1)
    assert await listed_branches(second) == {watched.match: BranchPoint(match, BEGUN + 1)}
    await second.choose_number(match, 1, 2)
    await play_match(first, second, match, 2)
    ended = await branch(first, match, BEGUN + 1)
    assert set(await listed_branches(second)) == {watched.match, ended.match}


@pytest.mark.parametrize("watchers", ["none", "after_end"])
async def test_branch_of_an_ended_match_is_listed_where_everybody_may_watch_that(
    server: InMemoryServer, watchers: Watchers
) -> None:
    first, second, match = await running_match(server, MatchOptions(watchers=watchers))
    await second.choose_number(match, 1, 2)
    await play_match(first, second, match, 2)
    opened = await branch(first, match, BEGUN + 1)
    assert (opened.match in await listed_branches(second)) == (watchers == "after_end")


async def test_request_for_a_branch_is_the_same_after_the_other_match_has_ended(server: InMemoryServer) -> None:
    first, second, match = await running_match(server)
    request = BranchMatch(first.id(), match, BEGUN + 1)
    opened = await first.request(request)
    await second.choose_number(match, 1, 2)
    await play_match(first, second, match, 2)
    again = await first.request(request)
    assert isinstance(opened, BranchOpened)
    assert isinstance(again, BranchOpened)
    assert again.match == opened.match
