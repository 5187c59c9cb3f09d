"""Kill the database, or server and database together, again and again while bots play.

`python -m tests.chaos.kill_processes FOLDER database|both ROUNDS` prints how long actions stopped after each kill,
and whether an acknowledged action was lost or stored twice. It exits with 1 if one was, or if a stop took too long.
FOLDER must be one that the account of PostgreSQL can enter.
"""

import asyncio
import contextlib
import os
import random
import signal
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from msgspec import Struct

from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import Client, connect
from diskwars_client.errors import CommandRefused
from diskwars_client.match_handle import MatchHandle
from diskwars_client.retry_policy import RetryPolicy
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from tests.chaos.arguments import make_parser, positive
from tests.e2e.servers import ServerProcess

STALE_SECONDS = 10.0
"""For which a server may know of less than another one has stored; it looks once a second."""
QUICK = RetryPolicy(initial_delay_seconds=0.05, max_delay_seconds=0.2, max_attempts=300)
"""Tries again for as long as a recovery may take."""
MATCHES = 2
ACTIONS_BETWEEN_KILLS = 5
RECOVERY_TIMEOUT_SECONDS = 45
MAX_PAUSE_SECONDS = 10.0
"""A promise of the server on a machine that is not overloaded: acting again after a kill, without help."""
RETRIED_CODES = frozenset({"unavailable", "retry", "busy"})


class AcknowledgedAction(Struct, frozen=True):
    """An action that a client knows to be stored."""

    match: str
    seq: int
    decision: str
    seat: int | None = None


class KillReport(Struct, frozen=True):
    """`pauses` are the seconds from each kill to the next acknowledged action."""

    pauses: tuple[float, ...]
    acknowledged: int
    lost: int
    doubled: int


class Acknowledgements:
    """Every action that was acknowledged to one of our clients."""

    def __init__(self) -> None:
        self.actions: list[AcknowledgedAction] = []
        self._new = asyncio.Event()

    def note(self, action: AcknowledgedAction) -> None:
        self.actions.append(action)
        self._new.set()

    @contextlib.contextmanager
    def collect(self) -> Iterator[None]:
        act = MatchHandle.act

        async def recorded_act(handle: MatchHandle, decision: Any, action: Any) -> Any:
            accepted = await act(handle, decision, action)
            named = "" if decision is None else decision.id
            self.note(AcknowledgedAction(handle.id, accepted.seq, named, handle.seat))
            return accepted

        with mock.patch.object(MatchHandle, "act", recorded_act):
            yield

    async def wait_for_more(self, count: int) -> None:
        """Wait for this many new ones. Raises TimeoutError."""
        wanted = len(self.actions) + count
        async with asyncio.timeout(RECOVERY_TIMEOUT_SECONDS):
            while len(self.actions) < wanted:
                self._new.clear()
                await self._new.wait()


async def run(folder: Path, rounds: int, *, with_server: bool, seed: int = 0) -> KillReport:
    """Kill `rounds` times, with the server or without it, and compare what is stored with what was acknowledged."""
    acknowledged, pauses = Acknowledgements(), list[float]()
    server = ServerProcess("--data", str(folder), "--port", "0")
    await server.__aenter__()
    port, matches = server.port, set[str]()
    try:
        with acknowledged.collect():
            async with asyncio.TaskGroup() as group:
                players = [
                    group.create_task(play_matches(server.url, matches, random.Random(f"{seed}.{number}")))
                    for number in range(MATCHES)
                ]
                await acknowledged.wait_for_more(ACTIONS_BETWEEN_KILLS)
                for _ in range(rounds):
                    began = time.perf_counter()
                    killed = postmaster_pid(folder)
                    os.kill(killed, signal.SIGKILL)
                    if with_server:
                        await server.kill()
                        server = ServerProcess("--data", str(folder), "--port", str(port))
                        await server.__aenter__()
                    # Its backends may still store some actions; they do not count as being back.
                    await wait_for_new_postmaster(folder, killed)
                    await acknowledged.wait_for_more(1)
                    pauses.append(time.perf_counter() - began)
                    await acknowledged.wait_for_more(ACTIONS_BETWEEN_KILLS)
                for player in players:
                    player.cancel()
        lost, doubled = await compare_with_records(server.url, matches, acknowledged.actions)
    finally:
        await server.terminate()
    return KillReport(tuple(pauses), len(acknowledged.actions), lost, doubled)


def postmaster_pid(folder: Path) -> int:
    return int((folder / "pgdata" / "postmaster.pid").read_text().split("\n")[0])


async def wait_for_new_postmaster(folder: Path, killed: int) -> None:
    """Wait until another postmaster is there. Raises TimeoutError."""
    async with asyncio.timeout(RECOVERY_TIMEOUT_SECONDS):
        while True:
            # The file is missing, empty or unfinished for a moment.
            with contextlib.suppress(FileNotFoundError, ValueError):
                if postmaster_pid(folder) != killed:
                    return
            await asyncio.sleep(0.01)


async def play_matches(url: str, matches: set[str], rng: random.Random) -> None:
    """Play one match after another, until cancelled."""
    async with connect(url, retry_policy=QUICK) as first, connect(url, retry_policy=QUICK) as second:
        while True:
            opened = await repeat(first.open_match)
            matches.add(opened.id)
            seats = [opened, await repeat(lambda id=opened.id: second.watch(id))]
            async with asyncio.TaskGroup() as group:
                for seat, handle in enumerate(seats):
                    group.create_task(play_seat(handle, seat, random.Random(rng.random())))
            for handle in seats:
                await handle.leave()


async def play_seat(handle: MatchHandle, seat: int, rng: random.Random) -> None:
    await repeat(lambda: handle.take_seat(Loadout(("reikland-host", "everchosen-host")[seat]), seat))
    await repeat(lambda: play_bot(handle, BOTS["random"], rng))


async def repeat(act: Any) -> Any:
    """Do it until the server can; what it refuses for another reason is our fault."""
    while True:
        try:
            return await act()
        except CommandRefused as refused:
            if refused.code not in RETRIED_CODES:
                raise
            await asyncio.sleep(0.1)


async def compare_with_records(url: str, matches: set[str], acknowledged: list[AcknowledgedAction]) -> tuple[int, int]:
    """Return how many acknowledged actions are not in the records, and how many decisions were answered twice."""
    stored: dict[str, tuple[Any, ...]] = {}
    last = dict.fromkeys(matches, 0)
    for action in acknowledged:
        last[action.match] = max(last[action.match], action.seq)
    async with connect(url, retry_policy=QUICK) as client:
        for match in matches:
            stored[match] = await _records(client, match, last[match])
    lost = sum(
        action.seq > len(stored[action.match]) or stored[action.match][action.seq - 1].decision != action.decision
        for action in acknowledged
    )
    answered = Counter((match, body.decision) for match, bodies in stored.items() for body in bodies if body.decision)
    return lost, sum(count - 1 for count in answered.values())


async def _records(client: Client, match: str, last: int) -> tuple[Any, ...]:
    """Return the records that a server has, up to `last` at least if they come in time.

    A server that missed a message about a new record on another one finds it when it looks the next time.
    """
    handle = await client.watch(match)
    await handle.wait_caught_up()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(STALE_SECONDS):
            while handle.head < last:
                await handle.wait_after(handle.head)
    await handle.leave()
    return handle.records


def breaches(report: KillReport, max_pause_seconds: float) -> list[str]:
    """Return what of a report breaks a promise."""
    faults = [f"lost {report.lost}"] if report.lost else []
    faults += [f"stored twice {report.doubled}"] if report.doubled else []
    longest = max(report.pauses, default=0.0)
    faults += [f"{longest:.1f} s until the next action"] if longest > max_pause_seconds else []
    return faults


def main(words: list[str] | None = None) -> int:
    parser = make_parser("tests.chaos.kill_processes", __doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("kind", choices=("database", "both"))
    parser.add_argument("rounds", type=positive, metavar="ROUNDS")
    options = parser.parse_args(words)
    report = asyncio.run(run(options.folder, options.rounds, with_server=options.kind == "both"))
    pauses = sorted(report.pauses)
    print(f"killed {len(pauses)} times ({options.kind}), {report.acknowledged} actions acknowledged")
    print(f"lost {report.lost}, stored twice {report.doubled}")
    print(f"seconds until the next action: median {statistics.median(pauses):.1f}, longest {pauses[-1]:.1f}")
    broken = breaches(report, MAX_PAUSE_SECONDS)
    for breach in broken:
        print(f"broken: {breach}; allowed are {MAX_PAUSE_SECONDS:.0f} s and nothing lost or doubled", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
