"""Matches that nobody uses are packed a few at a time; those in use are not."""

import asyncio

from diskwars_server.upkeep.quiet_matches import PACKED_AT_ONCE, QuietMatches
from tests.server.in_memory_server import InMemoryServer, begin_match


async def test_unused_matches_are_packed_and_used_ones_are_not(node: InMemoryServer) -> None:
    first, second = [await node.connect_and_greet() for _ in range(2)]
    quiet, busy = [await begin_match(first, second) for _ in range(2)]
    games = {match: await node.matches.find(match) for match in (quiet, busy)}
    loop = QuietMatches(node.matches)
    await loop.pack_unused()
    await first.choose_number(busy, 0, 6)
    await loop.pack_unused()
    assert not games[quiet].rest()  # it rests
    assert games[busy].rest()  # it did not until now


class Resting:
    """As much of a game as is looked at here."""

    def __init__(self) -> None:
        self.rested_in_pass = -1

    def rest(self) -> bool:
        self.rested_in_pass = Resting.passes
        return True

    passes = 0


async def test_event_loop_goes_on_between_a_few_matches() -> None:
    games = [Resting() for _ in range(3 * PACKED_AT_ONCE)]

    async def count_passes() -> None:
        while True:
            Resting.passes += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count_passes())
    await QuietMatches(games).pack_unused()  # type: ignore[arg-type]
    counting.cancel()
    passes = [game.rested_in_pass for game in games]
    assert all(passes.count(one) == PACKED_AT_ONCE for one in set(passes)), passes
