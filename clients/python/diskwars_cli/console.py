"""Plain console: lines from standard input to standard output."""

import asyncio
import codecs
import contextlib
import os
import sys
import threading
from collections.abc import Iterator, Sequence

from diskwars_cli.output import print_line
from diskwars_client.terminal import Console

READ_AHEAD_LIMIT = 1000
"""Lines that are read before anything asks for them."""
STDIN = 0


@contextlib.contextmanager
def open_console() -> Iterator[Console]:
    """Provide the console that suits standard input and output."""
    if sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        try:
            import prompt_toolkit  # noqa: F401  an extra: a client without it still plays
        except ModuleNotFoundError:
            yield LineConsole()
            return
        from prompt_toolkit.patch_stdout import patch_stdout

        from diskwars_cli.prompt import PromptConsole

        with patch_stdout(raw=True):
            yield PromptConsole()
    else:
        yield LineConsole()


class LineConsole:
    """Lines from standard input to standard output, as pipes and plain terminals have them."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._read_ahead_slots = threading.Semaphore(READ_AHEAD_LIMIT)
        self._has_prompt = False
        threading.Thread(target=self._read_stdin, daemon=True).start()

    def _read_stdin(self) -> None:
        # The descriptor and not sys.stdin: at the end the interpreter would wait for the lock of its buffer, which this
        # thread holds while it waits for a line.
        decoder = codecs.getincrementaldecoder(sys.stdin.encoding or "utf-8")("replace")
        rest = ""
        while chunk := os.read(STDIN, 65536):
            *lines, rest = (rest + decoder.decode(chunk)).split("\n")
            for line in lines:
                self._read_ahead_slots.acquire()
                self._enqueue(line)
        if rest:
            self._enqueue(rest)
        self._enqueue(None)

    def _enqueue(self, line: str | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nothing reads any more
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)

    async def read_line(self) -> str | None:
        line = await self._lines.get()
        self._read_ahead_slots.release()
        if not sys.stdin.isatty():  # it was not echoed when it was typed
            print(line or "", flush=True)
        self._has_prompt = False
        return line

    def show_prompt(self, text: str) -> None:
        print(text, end="", flush=True)
        self._has_prompt = True

    def print_line(self, text: str) -> None:
        """Print on a line of its own, also when a prompt is open."""
        print_line("\n" * self._has_prompt + text)
        self._has_prompt = False

    def set_status(self, text: str) -> None:
        """There is no place for a status line among plain lines."""

    def set_completions(self, orders: Sequence[str], names: Sequence[str]) -> None:
        """Nothing is completed in plain lines."""
