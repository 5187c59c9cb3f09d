"""Servers as processes of their own, which tests can stop or kill."""

import asyncio
import contextlib
import os
import signal
import sys
from types import TracebackType
from typing import Self

STARTUP_TIMEOUT_SECONDS = 45


async def start_server(*options: str, module: str = "diskwars_cli") -> asyncio.subprocess.Process:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("DISKWARS", "DATABASE"))}
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        "serve",
        *options,
        # Most servers of tests are for programs, and building the page takes long.
        env={**environment, "DISKWARS_PAGE": "off", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def run_command(*words: str) -> tuple[int | None, str, str]:
    """Run the command in a process of its own; return its exit code, its output and its messages."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "diskwars_cli",
        *words,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(STARTUP_TIMEOUT_SECONDS):
        out, said = await process.communicate()
    return process.returncode, out.decode(), said.decode()


async def server_error(*options: str) -> str:
    """Return the output of a server that does not start."""
    process = await start_server(*options)
    async with asyncio.timeout(STARTUP_TIMEOUT_SECONDS):
        out, said = await process.communicate()
    assert (process.returncode, out) == (2, b"")
    return said.decode()


class ServerProcess:
    """`diskwars serve` with these options. Use it as `async with ServerProcess(...) as server:`."""

    def __init__(self, *options: str, module: str = "diskwars_cli") -> None:
        """`module` is the program that is run."""
        self._options, self._module = options, module
        self._process: asyncio.subprocess.Process | None = None
        self.url = ""

    @property
    def process(self) -> asyncio.subprocess.Process:
        assert self._process is not None
        return self._process

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2].partition("/")[0])

    async def __aenter__(self) -> Self:
        self._process = await start_server(*self._options, module=self._module)
        assert self._process.stdout is not None
        async with asyncio.timeout(STARTUP_TIMEOUT_SECONDS):
            line = (await self._process.stdout.readline()).decode()
        if not line.startswith("listening on "):
            with contextlib.suppress(ProcessLookupError):  # it has ended by itself
                self._process.kill()
            _, said = await self._process.communicate()
            raise AssertionError(f"the server did not begin: {line}{said.decode()}")
        self.url = line.split()[-1]
        return self

    async def kill(self) -> None:
        self.process.kill()
        await self.process.communicate()

    async def terminate(self) -> tuple[int | None, str]:
        """Told to end: the exit code, and all that was logged."""
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(STARTUP_TIMEOUT_SECONDS):
            _, said = await self.process.communicate()
        return self.process.returncode, said.decode()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.returncode is None:
            await self.terminate()
