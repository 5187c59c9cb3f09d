"""A trial of notices to players who are on the page of their match: of none of their acts one may come.

`python -m tests.server.notices.presence_trial --seed 1 --acts 10000` plays matches with days for a decision on a server
in memory, with times of seconds to an hour between two acts. Docs/reliability.md has the figures of that command.
"""

import argparse
import asyncio
import random

from msgspec import Struct

from diskwars_protocol.messages.notices import LookAt, WebhookTarget
from diskwars_protocol.messages.watching import Unwatch
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.store.notices import PRESENCE_MS
from tests.server.in_memory_server import InMemoryServer, begin_match
from tests.server.notices.club import THREE_DAYS, Club, add, go_away, open_club

ROUNDS = 20
MAX_PAUSE_SECONDS = 3600
QUIET_SECONDS = PRESENCE_MS // 1000
POLL_SECONDS = 5


class TrialCounts(Struct):
    """What was counted: `received` about the match whose page both players were on, `received_away` once they had left.

    `received_later` are of a match that had ended when they went on to the page of the next.
    """

    acts: int = 0
    matches: int = 0
    received: int = 0
    received_later: int = 0
    received_away: int = 0


async def run_trial(club: Club, seed: int, acts: int) -> TrialCounts:
    """Play whole matches until the acts are enough, and then leave one, as a control."""
    chance, counts = random.Random(seed), TrialCounts()
    members = [await club.join(name) for name in ("Ann of Nuln", "Ben of Ulm")]
    for member in members:
        await add(member, WebhookTarget(f"{club.web.url}/{member.player}"))
    while counts.acts < acts:
        match = await begin_match(members[0], members[1], ROUNDS, THREE_DAYS)
        for member in members:
            await member.request(LookAt(member.id(), match))
        counts.matches += 1
        for number in range(ROUNDS):
            seats = [0, 1]
            chance.shuffle(seats)
            for seat in seats:
                await club.pass_time(chance.choice((0, QUIET_SECONDS, chance.randint(1, MAX_PAUSE_SECONDS))))
                await members[seat].choose_number(match, seat, 1 + (number + seat) % 6)
                counts.acts += 1
        for _ in range(QUIET_SECONDS // POLL_SECONDS + 1):
            await club.pass_time(POLL_SECONDS)
        for member in members:
            await member.request(Unwatch(member.id(), match))
        about_it = sum(match.encode() in request.body for request in club.web.requests)
        counts.received += about_it
        counts.received_later += len(club.web.requests) - about_it
        club.web.requests.clear()
    match = await begin_match(members[0], members[1], ROUNDS, THREE_DAYS)
    go_away(*members)
    await club.pass_time(QUIET_SECONDS)
    counts.received_away = sum(match.encode() in request.body for request in club.web.requests)
    return counts


async def main(seed: int, acts: int) -> TrialCounts:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, sends_notices=True)
        try:
            async with open_club(node) as club:
                return await run_trial(club, seed, acts)
        finally:
            await node.matches.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--acts", type=int, default=10_000)
    given = parser.parse_args()
    print(asyncio.run(main(given.seed, given.acts)))
