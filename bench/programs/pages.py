"""Benchmark of the page: how HTTP is answered beside the WebSocket, and what a player waits for in the browser.

Of the two ways to answer HTTP, `websockets` alone and Starlette on uvicorn, both serve one page of 8 KiB and echo
frames. What counts is the CPU time of the server. The browser opens a long match and draws frames of a full table.
"""

import asyncio
import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.load.raw_websocket import RawWebSocket
from bench.measuring import processes
from bench.measuring.page_times import page_tables
from bench.measuring.processes import ROOT, ChildProcess, available_cores, cpu_seconds
from bench.measuring.tables import BenchEffort, ResultTable, median_with_range
from bench.rivals import external_packages
from bench.rivals.external_packages import PackageUnavailable

PACKAGES = ("starlette==1.10.0", "uvicorn[standard]==0.54.0")
TIMEOUT_SECONDS = 120
OURS, ASGI = "`websockets` with a hook, as ours", "Starlette on uvicorn"
PAGES, FRAMES = 500, 5_000
"""Requests and frames of one run."""


def tables(effort: BenchEffort) -> Iterator[ResultTable]:
    yield _http_table(effort)
    yield from page_tables(effort)


def _http_table(effort: BenchEffort) -> ResultTable:
    servers: dict[str, tuple[str, ...]] = {OURS: ()}
    notes = [f"CPU time of the server for {PAGES} requests, each on a new connection, and {FRAMES:,} frames on one."]
    if effort.full:
        try:
            servers[ASGI] = (str(install_libraries()), str(ROOT / "bench" / "servers" / "asgi_program.py"))
        except PackageUnavailable as missing:
            notes.append(f"Starlette was not measured: {missing}")
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in servers}
    for _ in range(effort.runs):
        for name, program in servers.items():
            # The other Python has packages of its own.
            path = "" if program else os.pathsep.join(sys.path)
            with ChildProcess(
                "servers.page_server", core=available_cores()[0], program=program, PYTHONPATH=path
            ) as child:
                runs[name].append(asyncio.run(_measure(child, effort.full)))
    rows = tuple(
        (name, median_with_range(run[0] for run in measured), median_with_range(run[1] for run in measured))
        for name, measured in runs.items()
    )
    return ResultTable("Pages beside the WebSocket", ("server", "µs a page", "µs a frame"), rows, (), tuple(notes))


def install_libraries() -> Path:
    """Return the Python in which they are installed. Raises PackageUnavailable."""
    folder = external_packages.CACHE_FOLDER / "asgi"
    python, ready = folder / "bin" / "python", folder / PACKAGES[0]
    if not ready.exists():
        external_packages.install_python(folder, PACKAGES, TIMEOUT_SECONDS)
        ready.touch()
    return python


async def _measure(child: ChildProcess, is_full: bool) -> tuple[float, float]:
    """Return the microseconds of CPU time for a page and for a frame."""
    port, share = int(child.lines), 1 if is_full else 10
    before = cpu_seconds(child.pid)
    for _ in range(PAGES // share):
        await _get_page(port)
    between = cpu_seconds(child.pid)
    await _echo(port, FRAMES // share)
    after = cpu_seconds(child.pid)
    return (between - before) / (PAGES // share) * 1e6, (after - between) / (FRAMES // share) * 1e6


async def _get_page(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    with contextlib.closing(writer):
        writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        async with asyncio.timeout(processes.TIMEOUT_SECONDS):
            answer = await reader.read()
    assert answer.startswith(b"HTTP/1.1 200"), answer[:80]
    assert answer.endswith(b"p" * 8_192)


async def _echo(port: int, frames: int) -> None:
    """Send the next frame when the last one is echoed."""
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: RawWebSocket("127.0.0.1", "/ws"), "127.0.0.1", port)
    await socket.handshake_done
    arrived = asyncio.Event()
    socket.on_text = lambda _: arrived.set()
    async with asyncio.timeout(processes.TIMEOUT_SECONDS):
        for _ in range(frames):
            arrived.clear()
            socket.send_text(b"x" * 200)
            await arrived.wait()
    assert socket.transport is not None
    socket.transport.close()
