"""Reviews of ended matches: searched elsewhere, one at a time, kept, and refused before the end."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.reviews import MatchReview, ReviewMatch
from diskwars_server.lobby.reviews import DEFAULT_REVIEW_LIMITS, FAILED_MS, MatchReviews, ReviewLimits
from diskwars_server.processes.children import CHILD_NICENESS
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match, play_match
from tests.server.lobby.test_match_access import enter, open_locked

REVIEWER = """
import os, sys, time
log, seat, seconds = sys.argv[1:]
raw = sys.stdin.buffer.read()
with open(log, "a") as file:
    file.write(f"{seat} {os.getpriority(os.PRIO_PROCESS, 0)}\\n")
if os.path.exists(log + ".slow"):
    time.sleep(60)
if os.path.exists(log + ".fault"):
    print('{"fault":"ReplayError"}')
elif os.path.exists(log + ".garbage"):
    print("the hidden card is 7")
else:
    moment = '{"seq":7,"done":{"a":1},"better":{"a":2},"done_wins":400,"better_wins":650,"error":60}'
    print('{"moments":[%s],"play_outs":%d}' % (moment, len(raw.splitlines()) - 1))
"""


class Reviewer:
    """A program that reviews at once; the play-outs that it says are the records that it was given."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "reviewed"
        (folder / "reviewer.py").write_text(REVIEWER)
        self.command = (sys.executable, str(folder / "reviewer.py"), str(self._log))

    def become(self, manner: str) -> None:
        """Be slow, at fault, or write garbage."""
        self._log.with_name(f"reviewed.{manner}").touch()

    def be_well(self) -> None:
        for manner in self._log.parent.glob("reviewed.*"):
            manner.unlink()

    @property
    def started(self) -> list[list[str]]:
        """The seats that it was started for, and its niceness then."""
        return [line.split() for line in self._log.read_text().splitlines()] if self._log.exists() else []


@pytest.fixture
def reviewer(tmp_path: Path) -> Reviewer:
    return Reviewer(tmp_path)


@pytest.fixture
async def server() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        server = InMemoryServer(database)
        yield server
        await server.matches.close()


def use(server: InMemoryServer, command: tuple[str, ...], limits: ReviewLimits = DEFAULT_REVIEW_LIMITS) -> None:
    """Let a server review with a program."""
    reviews = MatchReviews(server.matches, command, server.clock, limits, introduce=server.access.introduce)
    for row in reviews.handlers():
        server.session_context.requests.handlers[row.request] = row


async def ended_match(server: InMemoryServer) -> tuple[InMemoryClient, MatchId]:
    first, second = await server.connect_and_greet(), await server.connect_and_greet()
    match = await begin_match(first, second)
    await play_match(first, second, match)
    return first, match


async def review(client: InMemoryClient, match: MatchId, seat: int = 0) -> MatchReview:
    answer = await client.request(ReviewMatch(client.id(), match, seat))
    assert isinstance(answer, MatchReview), answer
    return answer


async def refusal(client: InMemoryClient, match: MatchId, seat: int = 0) -> str:
    return (await client.expect_refused(ReviewMatch(client.id(), match, seat))).code


async def test_review_of_an_ended_match_names_moments(server: InMemoryServer, reviewer: Reviewer) -> None:
    use(server, reviewer.command)
    client, match = await ended_match(server)
    found = await review(client, match, 1)
    head = (await server.matches.find(match)).head
    assert (found.match, found.seat, found.play_outs) == (match, 1, head), "it is given the whole file"
    (moment,) = found.moments
    assert (moment.seq, bytes(moment.done), bytes(moment.better)) == (7, b'{"a":1}', b'{"a":2}')
    assert (moment.done_wins, moment.better_wins, moment.error) == (400, 650, 60)


async def test_program_goes_behind_the_server_and_runs_once_for_a_seat(
    server: InMemoryServer, reviewer: Reviewer
) -> None:
    use(server, reviewer.command)
    client, match = await ended_match(server)
    stranger, another = await server.connect_and_greet(), await server.connect_and_greet()
    answers = await asyncio.gather(review(client, match), review(stranger, match), review(another, match, 1))
    assert answers[0].moments == answers[1].moments
    assert sorted(seat for seat, _ in reviewer.started) == ["0", "1"]
    assert all(int(niceness) >= CHILD_NICENESS for _, niceness in reviewer.started)
    await review(stranger, match)
    assert len(reviewer.started) == 2


async def test_locked_match_that_was_restored_is_reviewed_for_whom_it_has_let_in(reviewer: Reviewer) -> None:
    async with MemoryDatabase() as database:
        server, restarted = InMemoryServer(database), InMemoryServer(database)
        first, second, guest = [await server.connect_and_greet() for _ in range(3)]
        match = await open_locked(first)
        for player in (second, guest):
            await enter(player, match)
        await first.watch(match)
        await second.watch(match)
        for seat, player in enumerate((first, second)):
            await player.take_seat(match, seat, lucky=3 + seat)
        for seat, player in enumerate((first, second)):
            await player.be_ready(match, seat)
        await play_match(first, second, match)
        use(restarted, reviewer.command)
        back, stranger = await restarted.connect_and_greet(guest.token), await restarted.connect_and_greet()
        assert (await review(back, match)).match == match
        assert await refusal(stranger, match) == "locked"
        await server.matches.close()
        await restarted.matches.close()


async def test_match_under_way_and_unknown_seats_are_refused(server: InMemoryServer, reviewer: Reviewer) -> None:
    use(server, reviewer.command)
    first, second = await server.connect_and_greet(), await server.connect_and_greet()
    match = await begin_match(first, second)
    assert await refusal(first, match) == "not_ended"
    await play_match(first, second, match)
    assert await refusal(first, match, 2) == "empty_seat"
    assert await refusal(first, match, -1) == "wrong_shape"
    assert reviewer.started == []


async def test_server_may_review_nothing(server: InMemoryServer, reviewer: Reviewer) -> None:
    client, match = await ended_match(server)
    assert await refusal(client, match) == "review_off"
    use(server, reviewer.command, ReviewLimits(seconds=0))
    assert await refusal(client, match) == "review_off"


async def test_few_reviews_wait_and_few_are_made_for_one_address(server: InMemoryServer, reviewer: Reviewer) -> None:
    client, match = await ended_match(server)
    stranger, other = await ended_match(server)
    use(server, reviewer.command, ReviewLimits(waiting=1))
    waiting, refused = await asyncio.gather(review(client, match), refusal(stranger, other))
    assert (waiting.match, refused) == (match, "too_many_reviews")
    use(server, reviewer.command, ReviewLimits(per_hour=1))
    await review(client, match)
    assert await refusal(client, other) == "too_many_reviews"
    await review(client, match)  # it is kept


@pytest.mark.parametrize("manner", ["slow", "fault", "garbage"])
async def test_review_that_comes_to_nothing_is_refused_and_tried_again_later(
    server: InMemoryServer, reviewer: Reviewer, manner: str, caplog: pytest.LogCaptureFixture
) -> None:
    use(server, reviewer.command, ReviewLimits(seconds=1))
    client, match = await ended_match(server)
    reviewer.become(manner)
    refused = await client.expect_refused(ReviewMatch(client.id(), match, 0))
    assert refused.code == "review_failed"
    assert "hidden" not in f"{refused.text}{caplog.text}{[record.__dict__ for record in caplog.records]}"
    reviewer.be_well()
    started = len(reviewer.started)
    again = await client.expect_refused(ReviewMatch(client.id(), match, 0))
    assert (again.code, again.retry_after_ms, len(reviewer.started)) == ("review_failed", FAILED_MS, started)
    server.clock.now += FAILED_MS
    assert (await review(client, match)).moments


async def test_nobody_has_more_than_half_of_the_places(server: InMemoryServer, reviewer: Reviewer) -> None:
    matches = [await ended_match(server) for _ in range(3)]
    tabs = [await server.connect_and_greet(matches[0][0].token) for _ in matches]
    use(server, reviewer.command, ReviewLimits(waiting=4))
    last = matches[2][1]
    own = asyncio.gather(*[review(tab, match) for tab, (_, match) in zip(tabs[:2], matches, strict=False)])
    refused = asyncio.create_task(refusal(tabs[2], last))
    other = asyncio.create_task(review(matches[1][0], last))
    assert await refused == "too_many_reviews"
    assert [answer.match for answer in (*await own, await other)] == [match for _, match in matches]
