"""Interactive console: a prompt with history, completion and a status line, on prompt_toolkit."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from diskwars_cli.console.output import make_encodable, print_line
from diskwars_client.terminal_pages import Screen


class PromptConsole:
    """A prompt with history, completion and a status line; output is printed above it."""

    def __init__(self, *, bell: bool = False) -> None:
        self._has_bell = bell
        self._status = ""
        self._prompt = ""
        self._orders: Sequence[str] = ()
        self._names: Sequence[str] = ()
        self._session: PromptSession[str] = PromptSession(
            message=lambda: _shown(self._prompt),
            history=_history(),
            completer=OrderCompleter(lambda: (self._orders, self._names)),
            complete_while_typing=False,
            bottom_toolbar=lambda: _shown(self._status) or None,
            reserve_space_for_menu=6,
        )

    async def read_line(self) -> str | None:
        try:
            # prompt_toolkit's own SIGINT handler would replace the one that all verbs share.
            line: str = await self._session.prompt_async(handle_sigint=False)
            return line
        except EOFError:
            return None
        except KeyboardInterrupt:  # Ctrl-C as a key: in raw mode the terminal sends no signal
            signal.raise_signal(signal.SIGINT)
            await asyncio.Event().wait()  # wait to be cancelled
            return None

    def show_prompt(self, text: str) -> None:
        self._prompt = text
        self._session.app.invalidate()

    def print_line(self, text: str) -> None:
        print_line(text)

    def screen(self) -> Screen | None:
        size = self._session.output.get_size()
        return Screen(size.columns, size.rows)

    def ring_bell(self) -> None:
        if self._has_bell:
            self._session.output.bell()

    def set_status(self, text: str) -> None:
        self._status = text
        self._session.app.invalidate()

    def set_completions(self, orders: Sequence[str], names: Sequence[str]) -> None:
        self._orders, self._names = orders, names


def _shown(text: str) -> str:
    """Return the text with plain characters for those that prompt_toolkit would write as question marks."""
    return make_encodable(text, sys.stdout.encoding or "ascii")


class OrderCompleter(Completer):
    """A completer of orders for the first word, and of names, which may hold spaces, for the words after it."""

    def __init__(self, candidates: Callable[[], tuple[Sequence[str], Sequence[str]]]) -> None:
        self._candidates = candidates

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        orders, names = self._candidates()
        text = document.text_before_cursor.lstrip()
        if " " not in text:
            yield from (Completion(order, -len(text)) for order in orders if order.startswith(text.lower()))
            return
        # Complete the longest suffix that begins a name, so that `move orc b` completes `Orc Boyz`.
        _, *words = text.split(" ")
        for first in range(len(words)):
            start = " ".join(words[first:])
            completed = [name for name in names if name.lower().startswith(start.lower())]
            if completed:
                yield from (Completion(name, -len(start)) for name in completed)
                return


def _history() -> History:
    """Return the history of orders, kept in the user's state folder, or in memory if that is not writable."""
    folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "diskwars"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "history"
        file.touch(mode=0o600)
    except (OSError, RuntimeError):  # no home, or a read-only one
        return InMemoryHistory()
    return FileHistory(str(file))
