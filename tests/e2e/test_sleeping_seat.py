"""A match by clock whose server is killed: a seat that sleeps is played on, and no deadline is lost."""

import asyncio
import contextlib
import itertools
import random
import time
from collections.abc import Callable

from diskwars_bots.loader import load_chooser
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.match_handle import MatchHandle
from diskwars_client.retry_policy import RetryPolicy
from diskwars_client.verification.verify import verify
from diskwars_protocol.match.ids import HOUSE, Seat
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.match.state import AnyBody
from diskwars_protocol.rulesets.pit.actions import PitLoadout
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.e2e.servers import ServerProcess

TEST_SECONDS = 110
SECONDS = 5
"""A player has for a decision: the least that a clock may give."""
OPTIONS = MatchOptions(
    clock=PerDecisionClock(SECONDS), grace_seconds=0, missed_limit=2, on_missed_limit="bot", watchers="live"
)
RETURN_MS = 3_000
"""Within which a deadline is kept after the return. The promise is a second; the rest is for a busy machine."""
QUICK = RetryPolicy(initial_delay_seconds=0.05, max_delay_seconds=0.2)
AWAKE: Seat = 0
ASLEEP: Seat = 1


async def take_seat(client: Client, match: str, seat: Seat) -> MatchHandle:
    handle = await client.watch(match)
    await handle.take_seat(PitLoadout(), seat)
    return handle


async def play(handle: MatchHandle) -> None:
    await play_bot(handle, load_chooser("random", "pit"), random.Random(5))


async def wait_for(handle: MatchHandle, is_there: Callable[[], bool]) -> None:
    while not is_there():
        await handle.wait_after(handle.head)


def acts_of_the_house(handle: MatchHandle) -> list[AnyBody]:
    return [record for record in handle.records if record.actor == HOUSE]


def has_only_the_sleeper_to_answer(handle: MatchHandle) -> bool:
    return {decision.seat for decision in handle.match.decisions} == {ASLEEP}


async def test_sleeping_seat_is_played_by_default_then_by_a_bot_though_the_server_is_down_across_a_deadline(
    database_url: str,
) -> None:
    options = ("--database-url", database_url, "--bot-workers", "1")
    async with asyncio.timeout(TEST_SECONDS), contextlib.AsyncExitStack() as stack:
        first = await stack.enter_async_context(ServerProcess(*options, "--port", "0"))
        ann, bob, eve = [await stack.enter_async_context(connect(first.url, retry_policy=QUICK)) for _ in range(3)]
        seen = await eve.open_match(ruleset="pit", match_options=OPTIONS)
        awake, asleep = await take_seat(ann, seen.id, AWAKE), await take_seat(bob, seen.id, ASLEEP)
        players = await stack.enter_async_context(asyncio.TaskGroup())
        players.create_task(play(awake))
        await asleep.ready()

        await wait_for(seen, lambda: len(acts_of_the_house(seen)) == 1)
        assert seen.match.seats[ASLEEP].substitute is False, "the default of the rules, and nothing else yet"

        await wait_for(seen, lambda: has_only_the_sleeper_to_answer(seen))
        due_ms = seen.records[-1].at_ms + 1000 * SECONDS
        await first.kill()
        await asyncio.sleep(max(0, due_ms / 1000 - time.time()) + 1)
        second = await stack.enter_async_context(ServerProcess(*options, "--port", str(first.port)))
        returned_ms = time.time() * 1000
        assert second.url == first.url
        await wait_for(seen, lambda: len(acts_of_the_house(seen)) == 2)
        late = acts_of_the_house(seen)[1]
        assert due_ms <= late.at_ms <= returned_ms + RETURN_MS

        assert seen.match.seats[ASLEEP].substitute
        await wait_for(seen, lambda: seen.match.status == "ended")
        async with PostgresDatabase(database_url) as database:
            records = await database.events.read(seen.id)
        kinds = [record.command_id.partition(":")[0] for record in records if record.actor == HOUSE]
        assert kinds[:2] == ["timeout", "timeout"]
        assert "bot" in kinds[2:], "the bot plays the seat to the end"
        # On a busy machine a bot, or the player who is awake, may need longer than the clock gives.
        for before, record in itertools.pairwise(record for record in records if record.at_ms > late.at_ms):
            if record.actor == HOUSE and not record.command_id.startswith("bot:"):
                assert record.at_ms >= before.at_ms + 1000 * SECONDS
        late_viewer = await stack.enter_async_context(connect(second.url))
        revealed = await late_viewer.watch(seen.id, reveal_secrets=True)
        await wait_for(revealed, lambda: revealed.head == seen.head)
        assert verify(revealed.file()).is_redecided
