"""Plain console: lines on standard input and output."""

import asyncio
import codecs
import contextlib
import os
import sys
import threading
from collections.abc import Iterator, Sequence

from diskwars_cli.console.output import print_line
from diskwars_client.terminal.console import Console
from diskwars_client.terminal_pages import Screen

READ_AHEAD_LIMIT = 1000
"""The number of lines that may be read ahead of `read_line`."""
STDIN = 0


@contextlib.contextmanager
def open_console(*, bell: bool = True) -> Iterator[Console]:
    """Provide the interactive console on a terminal, with a bell if wanted, otherwise the plain one."""
    if sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        try:
            import prompt_toolkit  # noqa: F401  an extra: a client without it still plays
        except ModuleNotFoundError:
            yield LineConsole()
            return
        from prompt_toolkit.patch_stdout import patch_stdout

        from diskwars_cli.console.prompt import PromptConsole

        with patch_stdout(raw=True):
            yield PromptConsole(bell=bell)
    else:
        yield LineConsole()


class LineConsole:
    """A console of plain lines, for pipes and dumb terminals."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._read_ahead_slots = threading.Semaphore(READ_AHEAD_LIMIT)
        self._has_prompt = False
        threading.Thread(target=self._read_stdin, daemon=True).start()

    def _read_stdin(self) -> None:
        # Read the descriptor, not sys.stdin: this thread would hold the lock of its buffer while it waits for a line,
        # and the interpreter would wait for that lock on exit.
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
        with contextlib.suppress(RuntimeError):  # the loop is closed: no line is read any more
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)

    async def read_line(self) -> str | None:
        line = await self._lines.get()
        self._read_ahead_slots.release()
        if not sys.stdin.isatty():  # a pipe does not echo its lines
            print(line or "", flush=True)
        self._has_prompt = False
        return line

    def show_prompt(self, text: str) -> None:
        """Print a prompt, unless one is open."""
        if not self._has_prompt:
            print(text, end="", flush=True)
        self._has_prompt = True

    def print_line(self, text: str) -> None:
        """Print a text on a new line, even if a prompt is open. That is gone then."""
        print_line("\n" * self._has_prompt + text)
        self._has_prompt = False

    def screen(self) -> Screen | None:
        """Return None: lines go to a pipe, or to a terminal whose size is not known."""
        return None

    def ring_bell(self) -> None:
        """Do nothing: a bell would be one more character in a pipe."""

    def set_status(self, text: str) -> None:
        """Do nothing: a plain console has no status line."""

    def set_completions(self, orders: Sequence[str], names: Sequence[str]) -> None:
        """Do nothing: a plain console has no completion."""
