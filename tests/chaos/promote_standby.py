"""Break one of two PostgreSQL servers again and again while bots play: the primary, or its synchronous standby.

`python -m tests.chaos.promote_standby FOLDER supervisor|database|standby ROUNDS` sets up what docs/operating.md
describes under "A standby", on this machine. With `supervisor` the supervisor of the primary is killed (`kill -9`)
together with its PostgreSQL, as a machine that is lost; the standby is promoted, and the dead node is the
standby of the next round. With `database` only PostgreSQL is killed. With `standby` the standby stands still, as a
machine that hangs, until an action is acknowledged without it. It prints how long actions stopped each time, how often
another node was the primary then, and whether an acknowledged action was lost or stored twice; then it exits with 1.
FOLDER must be one that the account of PostgreSQL can enter. Needs
`apt-get install pg-auto-failover-cli postgresql-15-auto-failover`.
"""

import argparse
import asyncio
import contextlib
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from tests.chaos.arguments import make_parser, positive
from tests.chaos.kill_processes import (
    ACTIONS_BETWEEN_KILLS,
    MATCHES,
    Acknowledgements,
    compare_with_records,
    play_matches,
)
from tests.chaos.standby_cluster import NODES, PAGE_SETTINGS, StandbyCluster
from tests.e2e.servers import ServerProcess

Trouble: TypeAlias = Literal["supervisor", "database", "standby"]
RECOVERY_TIMEOUT_SECONDS = 120
MAX_PAUSE_SECONDS: dict[Trouble, float] = {"supervisor": 40.0, "database": 10.0, "standby": 40.0}
"""Promises on a machine that is not overloaded, with the page's settings of the monitor."""
ORPHAN_SECONDS = 0.5
"""In which what a killed postmaster has left behind may still store actions."""


class PromotionReport(Struct, frozen=True):
    """`pauses` are the seconds from each kill to the next acknowledged action that the killed one did not store.

    `promotions` are the kills after which the other node was the primary.
    """

    pauses: tuple[float, ...]
    promotions: int
    acknowledged: int
    lost: int
    doubled: int


async def run(
    folder: Path, rounds: int, trouble: Trouble, *, settings: dict[str, str] | None = None, seed: int = 0
) -> PromotionReport:
    """Break a node `rounds` times, and compare what is stored with what was acknowledged.

    `settings` are those of the monitor that are other than usual.
    """
    acknowledged, pauses, promotions = Acknowledgements(), list[float](), 0
    matches = set[str]()
    async with (
        StandbyCluster(folder, settings) as cluster,
        ServerProcess("--database-url", cluster.url, "--port", "0") as server,
    ):
        with acknowledged.collect():
            async with asyncio.TaskGroup() as group:
                players = [
                    group.create_task(play_matches(server.url, matches, random.Random(f"{seed}.{number}")))
                    for number in range(MATCHES)
                ]
                await wait_for_more(acknowledged, ACTIONS_BETWEEN_KILLS)
                for _ in range(rounds):
                    primary = await cluster.wait_replicated()
                    pauses.append(await break_node(cluster, primary, acknowledged, trouble))
                    await wait_for_more(acknowledged, ACTIONS_BETWEEN_KILLS)
                    if trouble == "supervisor":
                        cluster.start(primary)
                    promotions += await cluster.wait_replicated() != primary
                for player in players:
                    player.cancel()
        lost, doubled = await compare_with_records(server.url, matches, acknowledged.actions)
    return PromotionReport(tuple(pauses), promotions, len(acknowledged.actions), lost, doubled)


async def break_node(cluster: StandbyCluster, primary: str, acknowledged: Acknowledgements, trouble: Trouble) -> float:
    """Break a node; return the seconds until an action was acknowledged that was stored without it."""
    began = time.perf_counter()
    match trouble:
        case "supervisor":
            cluster.kill_supervisor(primary)
            await asyncio.sleep(ORPHAN_SECONDS)
            await wait_for_more(acknowledged, 1)
        case "database":
            killed = cluster.postmaster_pid(primary)
            cluster.kill_database(primary)
            await wait_for_other_postmaster(cluster, primary, killed)
            await wait_for_more(acknowledged, 1)
        case "standby":
            standby = next(name for name in NODES if name != primary)
            with cluster.frozen(standby):
                await asyncio.sleep(ORPHAN_SECONDS)
                await wait_for_more(acknowledged, 1)
    return time.perf_counter() - began


async def wait_for_other_postmaster(cluster: StandbyCluster, name: str, killed: int) -> None:
    """Wait until a node has another postmaster. Raises TimeoutError."""
    async with asyncio.timeout(RECOVERY_TIMEOUT_SECONDS):
        while True:
            # The file is missing, empty or unfinished for a moment.
            with contextlib.suppress(FileNotFoundError, ValueError):
                if cluster.postmaster_pid(name) != killed:
                    return
            await asyncio.sleep(0.01)


async def wait_for_more(acknowledged: Acknowledgements, count: int) -> None:
    """Wait for this many new acknowledgements. Raises TimeoutError."""
    wanted = len(acknowledged.actions) + count
    async with asyncio.timeout(RECOVERY_TIMEOUT_SECONDS):
        while len(acknowledged.actions) < wanted:
            with contextlib.suppress(TimeoutError):
                await acknowledged.wait_for_more(wanted - len(acknowledged.actions))


def breaches(report: PromotionReport, max_pause_seconds: float) -> list[str]:
    """Return what of a report breaks a promise."""
    faults = [f"lost {report.lost}"] if report.lost else []
    faults += [f"stored twice {report.doubled}"] if report.doubled else []
    longest = max(report.pauses, default=0.0)
    faults += [f"{longest:.1f} s until the next action"] if longest > max_pause_seconds else []
    return faults


def read_options(words: list[str] | None) -> argparse.Namespace:
    parser = make_parser("tests.chaos.promote_standby", __doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("trouble", choices=get_args(Trouble))
    parser.add_argument("rounds", type=positive, metavar="ROUNDS")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    options = read_options(words)
    report = asyncio.run(run(options.folder, options.rounds, options.trouble, settings=PAGE_SETTINGS))
    pauses, bound = sorted(report.pauses), MAX_PAUSE_SECONDS[options.trouble]
    print(f"{options.trouble} broken {len(pauses)} times, another node promoted {report.promotions} times")
    print(f"{report.acknowledged} actions acknowledged, lost {report.lost}, stored twice {report.doubled}")
    print(f"seconds until the next action: median {statistics.median(pauses):.1f}, longest {pauses[-1]:.1f}")
    broken = breaches(report, bound)
    for breach in broken:
        print(f"broken: {breach}; allowed are {bound:.0f} s and nothing lost or doubled", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
