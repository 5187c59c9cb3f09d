"""A command in a terminal of 80 x 24 characters, and what is on its screen; what is typed goes through a real pty."""

import asyncio
import fcntl
import os
import struct
import sys
import termios
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import pyte

COLUMNS, ROWS = 80, 24


class AnsweringScreen(pyte.HistoryScreen):
    """A screen that answers where its cursor is, which prompt_toolkit asks before each prompt."""

    def __init__(self, answer: Callable[[str], None]) -> None:
        super().__init__(COLUMNS, ROWS, history=2000)
        self._answer = answer

    def write_process_input(self, data: str) -> None:
        self._answer(data)


class TerminalSession:
    """A running command, its screen, and the keyboard."""

    def __init__(self, process: asyncio.subprocess.Process, master: int) -> None:
        self.process, self._master = process, master
        self._screen = AnsweringScreen(self.write)
        self._stream = pyte.ByteStream(self._screen)
        self._changed = asyncio.Event()
        asyncio.get_running_loop().add_reader(master, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the other side is closed
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._master)
        self._stream.feed(data)
        self._changed.set()

    def write(self, text: str) -> None:
        with suppress(OSError):  # the program is gone
            os.write(self._master, text.encode())

    @property
    def lines(self) -> list[str]:
        """The rows of the screen from the top."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """Everything that was shown, with what has left the screen at its top."""
        above = ["".join(row[column].data for column in range(COLUMNS)) for row in self._screen.history.top]
        return "\n".join([*(line.rstrip() for line in above), *self.lines])

    @property
    def prompt(self) -> str:
        """The line of the cursor."""
        return self.lines[self._screen.cursor.y]

    @property
    def status(self) -> str:
        """The lowest line, where the state of the match is."""
        return self.lines[-1]

    async def wait_change(self) -> None:
        await self._changed.wait()
        self._changed.clear()

    async def wait_until(self, is_reached: Callable[[], bool]) -> None:
        while not is_reached():
            await self.wait_change()

    async def wait_text(self, text: str) -> None:
        await self.wait_until(lambda: text in self.text)

    async def type_line(self, line: str) -> None:
        """Type a line at an empty prompt."""
        await self.wait_until(lambda: self.prompt == ">" or self.prompt.endswith(":"))
        self.write(line)
        await self.wait_until(lambda: self.prompt.endswith(line))
        self.write("\r")


@asynccontextmanager
async def terminal_session(*words: str) -> AsyncIterator[TerminalSession]:
    """Run a command in a terminal of its own, and kill it in the end if it still runs."""
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "diskwars_cli",
        *words,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TERM": "xterm-256color"}
        | {"DISKWARS_CALLED": "diskwars", "LINES": str(ROWS), "COLUMNS": str(COLUMNS)},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    )
    os.close(slave)
    try:
        yield TerminalSession(process, master)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        asyncio.get_running_loop().remove_reader(master)
        os.close(master)
