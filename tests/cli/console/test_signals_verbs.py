"""A stop signal ends a verb at any moment: while it starts, waits, works or ends."""

import asyncio
import contextlib
import os
import secrets
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from diskwars_cli import __main__ as command
from diskwars_cli.console.signals import EXIT_INTERRUPTED, Interrupted
from diskwars_server.processes.embedded_postgres import database_dirs
from tests.cli.play.test_play import read_until, start_play
from tests.client.local_server import TEST_TIMEOUT_SECONDS, WHOLE_TEST_SECONDS, running_server
from tests.golden.write_files import FOLDER, SUFFIX

BOTH = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
COLD = pytest.mark.usefixtures("cold_starts")
"""The import of the modules is a part of what is stopped."""
DELAYS = pytest.mark.parametrize(
    ("delay", "number"),
    [(delay, (signal.SIGINT, signal.SIGTERM)[n % 2]) for n, delay in enumerate((0.0, 0.03, 0.1, 0.2, 0.4, 0.7, 1.0))],
)
"""Seconds after the start, and the signal that comes then; on a slow machine the verb is still starting at all of them.

The signals take turns: one handler serves both.
"""


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with asyncio.timeout(WHOLE_TEST_SECONDS), running_server() as address:
        yield address


async def stop(
    process: asyncio.subprocess.Process,
    number: signal.Signals,
    *,
    may_be_importing: bool = False,
    codes: tuple[int, ...] = (130,),
) -> str:
    """Send a signal to a process and return its output; it has to end with code 130, or one of `codes`.

    A process that has printed nothing `may_be_importing`: before the first line of `main`, Python itself ends by the
    signal or with code 1, or loses it in one of its import locks.
    """
    with contextlib.suppress(ProcessLookupError):  # it has ended by itself; its code says how
        process.send_signal(number)
    try:
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            output, errors = await process.communicate()
    finally:
        if process.returncode is None:  # the signal was lost: fail, but leave nothing behind that works on
            process.kill()
    # Our handlers raise `Interrupted`; a plain KeyboardInterrupt comes from Python's, before ours are installed.
    has_begun = b"Interrupted" in errors
    is_importing = (
        may_be_importing and not has_begun and (process.returncode in (1, -number) or b"KeyboardInterrupt" in errors)
    )
    if not is_importing:
        assert process.returncode in codes, errors.decode()
        assert b"Traceback" not in errors, errors.decode()
    return output.decode()


@COLD
@DELAYS
async def test_play_stops_while_it_starts(url: str, delay: float, number: signal.Signals) -> None:
    process = await start_play("play", "--url", url, "--bot", "greedy")
    await asyncio.sleep(delay)
    await stop(process, number, may_be_importing=True)


@BOTH
async def test_play_stops_while_it_waits_for_an_opponent(url: str, number: signal.Signals) -> None:
    process = await start_play("play", "--url", url)
    await read_until(process, "waiting for an opponent")
    await stop(process, number)


@BOTH
@pytest.mark.parametrize("delay", [0.0, 0.01, 0.05])
async def test_play_stops_while_bots_act(url: str, delay: float, number: signal.Signals) -> None:
    process = await start_play("play", "--url", url, "--bot", "greedy")
    assert process.stdin is not None
    await read_until(process, "\n> ")
    process.stdin.write(b"1\n")
    await asyncio.sleep(delay)
    assert "return with: " in await stop(process, number)


@BOTH
async def test_play_ends_when_it_is_stopped_while_ending(url: str, number: signal.Signals) -> None:
    process = await start_play("play", "--url", url, "--bot", "greedy")
    assert process.stdin is not None
    await read_until(process, "\n> ")
    process.stdin.write(b"quit\n")
    await read_until(process, "return with: ")
    process.send_signal(number)
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        _, errors = await process.communicate()
    assert process.returncode in (0, 130, -number)  # ended before, ended by the signal, or was in Python's own exit
    assert "Traceback" not in errors.decode()


@BOTH
async def test_verb_ends_when_it_is_stopped_in_the_exit_of_python(number: signal.Signals) -> None:
    exit_slowly = (
        "import atexit, sys, time\n"
        "from diskwars_cli.__main__ import main\n"
        "atexit.register(lambda: (print('leaving', flush=True), time.sleep(60)))\n"
        "sys.exit(main())"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        exit_slowly,
        "--version",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    await read_until(process, "leaving\n")
    assert await stop(process, number, codes=(-number,)) == ""


@BOTH
async def test_watch_stops_while_nothing_happens(url: str, number: signal.Signals) -> None:
    player = await start_play("play", "--url", url)
    line = await read_until(player, "--army NAME")
    match = line.split("--match ")[-1].split()[0]
    watcher = await start_play("watch", match, "--url", url)
    await read_until(watcher, "\n")
    await stop(watcher, number)
    await stop(player, number)


@COLD
@DELAYS
async def test_simulate_stops_while_it_starts_and_works(delay: float, number: signal.Signals) -> None:
    jobs = "1" if number == signal.SIGINT else "2"
    process = await start_play("simulate", "--matches", "5000", "--jobs", jobs, "--setup", "quick")
    await asyncio.sleep(delay)
    await stop(process, number, may_be_importing=True)


@COLD
@DELAYS
async def test_league_stops_while_it_starts_and_works(delay: float, number: signal.Signals) -> None:
    process = await start_play("league", "--matches", "5000", "--workers", "2", "--setup", "quick")
    await asyncio.sleep(delay)
    await stop(process, number, may_be_importing=True)


@BOTH
async def test_replay_stops_at_its_prompt(number: signal.Signals) -> None:
    process = await start_play("replay", "--file", str(FOLDER / f"pit-counted{SUFFIX}"), "--step")
    await read_until(process, "replay> ")
    await stop(process, number)


@pytest.fixture
def data(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder for an embedded database that no setting of this machine replaces."""
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("DISKWARS_PAGE", "off")
    return open_folder / f"stop-{secrets.token_hex(4)}"


async def wait_for_file(process: asyncio.subprocess.Process, data: Path, name: str) -> None:
    """Wait until the database of this folder has a file: its start has then come this far."""
    names = (name, "pgdata") if name == "pgdata.new" else (name,)  # the new folder is there for a moment only
    try:
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            while not any((place / name).exists() for place in database_dirs(data) for name in names):
                await asyncio.sleep(0.005)
    except TimeoutError:
        process.kill()
        raise


def assert_database_ended(data: Path) -> None:
    """PostgreSQL removes this file at its end, and a server that was left behind still has it."""
    assert not [place for place in database_dirs(data) if (place / "pgdata" / "postmaster.pid").exists()]


PLACES = ("", "pgdata.new", "pgdata/PG_VERSION", "pgdata/postmaster.pid")
"""Moments of a start, by the file that is there: at once, while the database is made, before and while it starts."""


@COLD
@BOTH
@pytest.mark.parametrize("file", PLACES)
async def test_serve_stops_while_it_starts(data: Path, file: str, number: signal.Signals) -> None:
    process = await start_play("serve", "--data", str(data), "--port", "0")
    if file:
        await wait_for_file(process, data, file)
    await stop(process, number, may_be_importing=not file, codes=(0, 130))
    assert_database_ended(data)


@pytest.mark.parametrize(("delay", "number"), [(0.0, signal.SIGINT), (0.05, signal.SIGTERM)])
async def test_serve_stops_once_it_listens(data: Path, delay: float, number: signal.Signals) -> None:
    process = await start_play("serve", "--data", str(data), "--port", "0")
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        await read_until(process, "listening on ")
    await asyncio.sleep(delay)
    await stop(process, number, codes=(0,))
    assert_database_ended(data)


@COLD
@pytest.mark.parametrize(("file", "number"), list(zip(PLACES, 2 * (signal.SIGTERM, signal.SIGINT), strict=True)))
async def test_demo_stops_while_it_starts(data: Path, file: str, number: signal.Signals) -> None:
    process = await start_play("demo", "--data", str(data))
    if file:
        await wait_for_file(process, data, file)
    await stop(process, number, may_be_importing=not file)
    assert_database_ended(data)


@BOTH
async def test_demo_stops_while_its_bots_play(data: Path, number: signal.Signals) -> None:
    process = await start_play("demo", "--data", str(data), "--pace", "0.2")
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        await read_until(process, "\n")
    await stop(process, number)
    assert_database_ended(data)


@BOTH
async def test_simulate_counts_the_matches_it_has_printed(number: signal.Signals) -> None:
    process = await start_play("simulate", "--matches", "5000", "--jobs", "2", "--setup", "quick")
    first = await read_until(process, "\n")
    output = first + await stop(process, number)
    played = sum(line.startswith("seed ") for line in output.splitlines())
    assert f"matches {played}" in output.splitlines()


def test_signal_while_a_class_is_being_made_is_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupting:
        def __set_name__(self, owner: type, name: str) -> None:
            raise Interrupted

    def run(words: list[str]) -> int:
        type("Half", (), {"field": Interrupting()})
        return 0

    monkeypatch.setattr(command, "run", run)
    assert command.main(["simulate"]) == EXIT_INTERRUPTED
