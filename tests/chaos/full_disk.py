"""Fill the disk of the database while bots play, and make room again.

`python -m tests.chaos.full_disk FOLDER ROUNDS` prints how long actions stopped once there was room, and whether an
acknowledged action was lost or stored twice; then it exits with 1. It mounts a file system of its own on FOLDER, which
only root may.
"""

import asyncio
import contextlib
import errno
import random
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from tests.chaos.arguments import make_parser, positive
from tests.chaos.kill_processes import (
    ACTIONS_BETWEEN_KILLS,
    MATCHES,
    Acknowledgements,
    compare_with_records,
    play_matches,
)
from tests.e2e.servers import ServerProcess

DISK_MEGABYTES = 256
"""About three times as much as an empty database and its log need."""
OUTAGE_TIMEOUT_SECONDS = 40
BLOCK = b"\0" * 65_536


class MountRefused(Exception):
    """This process may mount nothing."""


class FullDiskReport(Struct, frozen=True):
    """`pauses` are the seconds from each time there was room again to the next acknowledged action."""

    pauses: tuple[float, ...]
    acknowledged: int
    lost: int
    doubled: int
    log: str


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system in memory that holds `DISK_MEGABYTES`, mounted on the folder. Raises MountRefused."""
    folder.mkdir(parents=True)
    options = f"size={DISK_MEGABYTES}m,mode=0755"
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, check=False)
    if made.returncode:
        raise MountRefused(made.stderr.decode(errors="replace").strip())
    try:
        yield folder
    finally:
        # Lazily: PostgreSQL of a test that failed may still end.
        subprocess.run(["umount", "--lazy", folder], check=True)


async def run(folder: Path, rounds: int, seed: int = 0) -> FullDiskReport:
    """Fill the disk `rounds` times; see that actions are refused; make room; compare what was acknowledged."""
    acknowledged, pauses, matches = Acknowledgements(), list[float](), set[str]()
    ballast = folder / "ballast"
    server = ServerProcess("--data", str(folder / "data"), "--port", "0")
    await server.__aenter__()
    log = ""
    try:
        with acknowledged.collect():
            async with asyncio.TaskGroup() as group:
                players = [
                    group.create_task(play_matches(server.url, matches, random.Random(f"{seed}.{number}")))
                    for number in range(MATCHES)
                ]
                await acknowledged.wait_for_more(ACTIONS_BETWEEN_KILLS)
                for _ in range(rounds):
                    await _fill_until_refused(ballast, server)
                    ballast.unlink()
                    began = time.perf_counter()
                    await acknowledged.wait_for_more(1)
                    pauses.append(time.perf_counter() - began)
                    await _wait_for_health(server)
                    await acknowledged.wait_for_more(ACTIONS_BETWEEN_KILLS)
                for player in players:
                    player.cancel()
        lost, doubled = await compare_with_records(server.url, matches, acknowledged.actions)
    finally:
        ballast.unlink(missing_ok=True)
        _, log = await server.terminate()
    return FullDiskReport(tuple(pauses), len(acknowledged.actions), lost, doubled, log)


async def _fill_until_refused(ballast: Path, server: ServerProcess) -> None:
    """Leave no room until the server says that it cannot write. Raises TimeoutError."""
    async with asyncio.timeout(OUTAGE_TIMEOUT_SECONDS):
        while await asyncio.to_thread(_health, server) != 503:
            # Again and again, for PostgreSQL removes files of its own now and then.
            await asyncio.to_thread(_fill, ballast)
            await asyncio.sleep(0.2)


async def _wait_for_health(server: ServerProcess) -> None:
    """Wait until the server says that it can write. Raises TimeoutError."""
    async with asyncio.timeout(OUTAGE_TIMEOUT_SECONDS):
        while await asyncio.to_thread(_health, server) != 200:
            await asyncio.sleep(0.2)


def _fill(ballast: Path) -> None:
    with ballast.open("ab", buffering=0) as file:
        try:
            while file.write(BLOCK) == len(BLOCK):
                pass
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise


def _health(server: ServerProcess) -> int:
    """Return the HTTP status of the health check."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/healthz", timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def main(words: list[str] | None = None) -> int:
    parser = make_parser("tests.chaos.full_disk", __doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("rounds", type=positive, metavar="ROUNDS")
    options = parser.parse_args(words)
    with small_disk(options.folder) as disk:
        report = asyncio.run(run(disk, options.rounds))
    pauses = sorted(report.pauses)
    print(f"filled {len(pauses)} times, {report.acknowledged} actions acknowledged")
    print(f"lost {report.lost}, stored twice {report.doubled}")
    print(f"seconds from room to the next action: median {statistics.median(pauses):.1f}, longest {pauses[-1]:.1f}")
    return 1 if report.lost or report.doubled else 0


if __name__ == "__main__":
    sys.exit(main())
