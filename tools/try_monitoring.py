#!/usr/bin/env python3
"""The dashboard and the alerts on a loaded server: Prometheus scrapes it, and every query has to find something.

    python -m tools.try_monitoring [--seconds 20]    needs `prometheus`, as Debian's package brings it

The server keeps its matches in memory. Bots play the pit on it, one player lets the clock run out, commands are
refused, and an address opens more connections than it may: no series stays empty because nothing happened.
"""

import argparse
import asyncio
import contextlib
import json
import math
import random
import shutil
import socket
import sys
import tempfile
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import InvalidStatus

from diskwars_bots.loader import load_chooser
from diskwars_client.bot_runner import play_bot
from diskwars_client.client import connect
from diskwars_client.errors import CommandRefused
from diskwars_client.watch_mode import WatchMode
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.rulesets.pit.actions import PitLoadout
from diskwars_server.app import start_server
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase

ROOT = Path(__file__).parents[1]
ALERTS = ROOT / "deploy/prometheus/alerts.yml"
DASHBOARD = ROOT / "deploy/grafana/diskwars.json"
ADDRESS_CONNECTIONS = 20
PLAYERS = 6
CLOCK_SECONDS = 5
START_SECONDS, QUERY_SECONDS = 15, 5
COUNT_OF_MATCHES = 200
"""More than are played before the load ends."""

CONFIGURATION: dict[str, Any] = {
    "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
    "rule_files": [str(ALERTS)],
}


def queries() -> list[str]:
    """Return every query of the dashboard, and the series of every alert, without the comparison."""
    board = json.loads(DASHBOARD.read_text("utf-8"))
    rules = yaml.safe_load(ALERTS.read_text("utf-8"))
    alerts = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    shown = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    return shown + [side for alert in alerts for side in [alert.rsplit(" == ", 1)[0].rsplit(" > ", 1)[0]]]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextlib.asynccontextmanager
async def running_prometheus(program: str, scraped: int, folder: Path) -> AsyncIterator[str]:
    """Provide the address of a Prometheus that scrapes a port of this machine once a second."""
    targets = [{"job_name": "diskwars", "static_configs": [{"targets": [f"127.0.0.1:{scraped}"]}]}]
    (folder / "prometheus.yml").write_text(yaml.safe_dump(CONFIGURATION | {"scrape_configs": targets}))
    address = f"127.0.0.1:{free_port()}"
    process = await asyncio.create_subprocess_exec(
        *(program, f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}"),
        *(f"--web.listen-address={address}", "--log.level=warn"),
    )
    try:
        yield f"http://{address}"
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def find_values(prometheus: str, query: str) -> list[float]:
    """Return the values that a query has now. Raises OSError where Prometheus does not answer or refuses it."""
    address = f"{prometheus}/api/v1/query?{urllib.parse.urlencode({'query': query})}"

    def read() -> bytes:
        with urllib.request.urlopen(address, timeout=QUERY_SECONDS) as answer:
            return bytes(answer.read())

    found = json.loads(await asyncio.to_thread(read))
    return [float(series["value"][1]) for series in found["data"]["result"]]


async def play_matches(url: str, number: int) -> None:
    """Play matches of one player against themselves on two connections until this is cancelled."""
    async with connect(url) as first, connect(url) as second:
        for played in range(COUNT_OF_MATCHES):
            ours = await first.open_match(ruleset="pit", mode=WatchMode(push_options=True))
            await ours.take_seat(PitLoadout())
            theirs = await second.watch(ours.id, mode=WatchMode(push_options=True))
            await theirs.take_seat(PitLoadout())
            with contextlib.suppress(CommandRefused):
                await first.open_match(ruleset="no-such-game")
            choose = load_chooser("random", "pit")
            seeds = (random.Random(number * COUNT_OF_MATCHES + played), random.Random(played))
            await asyncio.gather(play_bot(ours, choose, seeds[0]), play_bot(theirs, choose, seeds[1]))


async def miss_a_deadline(url: str) -> None:
    """Begin a match with a short clock in which nobody answers."""
    async with connect(url) as first, connect(url) as second:
        options = MatchOptions(clock=PerDecisionClock(CLOCK_SECONDS))
        ours = await first.open_match(ruleset="pit", match_options=options)
        await ours.take_seat(PitLoadout())
        theirs = await second.watch(ours.id)
        await theirs.take_seat(PitLoadout())
        for handle in (ours, theirs):
            await handle.ready()
        await asyncio.Event().wait()


async def knock_too_often(url: str) -> None:
    """Open more connections than an address may have, again and again."""
    while True:
        async with contextlib.AsyncExitStack() as opened:
            with contextlib.suppress(InvalidStatus):
                for _ in range(ADDRESS_CONNECTIONS + 1):
                    await opened.enter_async_context(open_socket(url, proxy=None))
            await asyncio.sleep(0.5)


async def try_queries(program: str, seconds: float) -> Mapping[str, Sequence[float]]:
    """Load a server and return the values of each query afterwards."""
    scraped = free_port()
    settings = ServerSettings(
        port=0, metrics=f"127.0.0.1:{scraped}", address_connections=ADDRESS_CONNECTIONS, address_matches=10_000
    )
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="diskwars-prometheus-")))
        database = await stack.enter_async_context(MemoryDatabase())
        url = (await stack.enter_async_context(start_server(settings, database))).url
        prometheus = await stack.enter_async_context(running_prometheus(program, scraped, folder))
        load = [play_matches(url, number) for number in range(PLAYERS)]
        tasks = [asyncio.create_task(work) for work in (*load, miss_a_deadline(url), knock_too_often(url))]
        try:
            done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                task.result()
            return {query: await find_values(prometheus, query) for query in queries()}
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def is_seen(values: Sequence[float]) -> bool:
    """Return whether a query has found something: a series, and a number in it."""
    return bool(values) and not all(math.isnan(value) for value in values)


def main(arguments: Sequence[str] | None = None) -> int:
    first_line = (__doc__ or "").partition("\n\n")[0]
    parser = argparse.ArgumentParser(prog="python -m tools.try_monitoring", description=first_line)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long the server is loaded (20)")
    program = shutil.which("prometheus")
    options = parser.parse_args(arguments)
    if program is None:
        print("there is no `prometheus`: apt-get install prometheus", file=sys.stderr)
        return 2
    found = asyncio.run(try_queries(program, options.seconds))
    for query, values in found.items():
        print(f"{'' if is_seen(values) else 'EMPTY':5}  {query}  {[round(value, 6) for value in values[:4]]}")
    empty = [query for query, values in found.items() if not is_seen(values)]
    print(f"{len(found)} queries, {len(empty)} empty")
    return 1 if empty else 0


if __name__ == "__main__":
    sys.exit(main())
