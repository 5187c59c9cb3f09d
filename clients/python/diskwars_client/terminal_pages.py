"""Output in pages: what does not fit the screen waits until the player asks for more.

Where there is no screen, as in a pipe, everything is printed at once.
"""

import textwrap
from collections.abc import Callable
from typing import NamedTuple

MORE_TEXT = "-- more: Enter --"
KEPT_ROWS = 2
"""Rows of a screen that a page leaves free, for the prompt and the status line."""
MIN_PAGE_ROWS = 4
MAX_WAITING_LINES = 1000
"""Lines that wait to be asked for; beyond that the oldest are left out."""


class Screen(NamedTuple):
    """The size of a screen in characters."""

    columns: int
    rows: int


class Pages:
    """Prints blocks of lines page by page.

    A block stays whole if it fits a page; a longer one begins where at least half a page is left.
    """

    def __init__(self, print_line: Callable[[str], None], screen: Callable[[], Screen | None]) -> None:
        self._print_line, self._screen = print_line, screen
        self._used = 0
        self._waiting: list[list[str]] = []

    @property
    def has_more(self) -> bool:
        return bool(self._waiting)

    def print_block(self, text: str) -> None:
        """Print a text, or keep it for the next page. Blank lines around it count as part of it."""
        screen = self._screen()
        if screen is None:
            self._print_line(text)
            return
        self._waiting.append(wrap_lines(text, screen.columns))
        if len(self._waiting) == 1:
            self._fill_page(screen)
        self._drop_oldest()

    def print_reply(self, text: str) -> None:
        """Print the answer to what was just typed before all that waits, which stays for the next page.

        Where news have filled the page since it was typed, the answer comes first on the next one.
        """
        screen = self._screen()
        if screen is None or not self._waiting:
            self.print_block(text)
            return
        lines = wrap_lines(text, screen.columns)
        room = max(0, _page_rows(screen) - self._used)
        if room:
            self._print_line("\n".join(lines[:room]))
            self._used += len(lines[:room])
        if lines[room:]:
            self._waiting.insert(0, lines[room:])

    def begin_page(self) -> None:
        """Begin a page because the player has typed something: rows above it no longer count."""
        self._used = 0

    def print_more(self) -> None:
        """Print the next page of what waits."""
        self.begin_page()
        self.fill_page()

    def fill_page(self) -> None:
        """Print of what waits as much as fits below what has been printed since the player typed something."""
        screen = self._screen()
        if screen is not None:
            self._fill_page(screen)

    def read_on(self) -> None:
        """Print of what waits as much as fits here, and some of it in any case.

        `fill_page` leaves a block whole for the next page. The answer to anything but Enter, which is to read first,
        takes a row of each page, so a block as high as a page would never come.
        """
        screen = self._screen()
        if screen is None or not self._waiting:
            return
        first = self._waiting[0]
        self._fill_page(screen)
        room = _page_rows(screen) - self._used
        if self._waiting and self._waiting[0] is first and room > 0:
            self._print_line("\n".join(first[:room]))
            self._used += room
            self._waiting[0] = first[room:]

    def print_rest(self) -> None:
        """Print all that waits at once, without asking."""
        for block in self._waiting:
            self._print_line("\n".join(block))
        self._waiting.clear()

    def drop_waiting(self) -> None:
        """Leave out all that waits."""
        self._waiting.clear()

    def _fill_page(self, screen: Screen) -> None:
        page_rows = _page_rows(screen)
        while self._waiting:
            block = self._waiting[0]
            room = page_rows - self._used
            is_better_on_next = len(block) <= page_rows or 2 * room < page_rows
            if len(block) > room and self._used and is_better_on_next:
                return
            shown, rest = block[:room], block[room:]
            if shown:
                self._print_line("\n".join(shown))
                self._used += len(shown)
            if rest:
                self._waiting[0] = rest
                return
            del self._waiting[0]

    def _drop_oldest(self) -> None:
        while len(self._waiting) > 1 and sum(map(len, self._waiting)) > MAX_WAITING_LINES:
            del self._waiting[0]


def _page_rows(screen: Screen) -> int:
    return max(MIN_PAGE_ROWS, screen.rows - KEPT_ROWS)


def wrap_lines(text: str, columns: int) -> list[str]:
    """Return the lines of a text, those that are too long broken between words and indented like their beginning."""
    wrapped: list[str] = []
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip()) + 2
        wrapped += (
            textwrap.wrap(line, columns, subsequent_indent=" " * min(indent, columns // 2), break_on_hyphens=False)
            if len(line) > columns
            else [line]
        )
    return wrapped
