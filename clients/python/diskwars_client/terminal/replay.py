"""A replay in a terminal: step through a match, jump to its marks, change the viewpoint."""

import asyncio
import math
from collections.abc import Callable

from diskwars_client.rulesets.registry import find_terminal
from diskwars_client.terminal.console import Console
from diskwars_client.terminal_pages import MORE_TEXT, Pages, Screen
from diskwars_protocol.match.history_facts import MarkKind
from diskwars_protocol.match.moments import VIEWPOINTS, BadMoment, parse_viewpoint, viewer_of, viewpoint_of
from diskwars_protocol.match.replay import Direction, Mark, Replay, ReplayError

REPLAY_HELP = f"""\
next, back           one record on or back; an empty line is `next`
next round           or activation, melee: to the next mark; also `previous round`
round N              or activation N, melee N: to the record in which it begins
N, to N              to record N
map, marks, link     the table; all marks; this moment as text
as VIEWPOINT         see it as {", ".join(VIEWPOINTS)}
play [SECONDS]       go on by itself; any line stops it
help, quit"""
DEFAULT_PACE_SECONDS = 2.0
MIN_PACE_SECONDS, MAX_PACE_SECONDS = 0.05, 60.0
PROMPT = "replay> "

ORDERS = (
    "next", "previous", "round", "activation", "melee", "to", "as", "play", "map", "marks", "link", "help", "quit"
)  # fmt: skip

_KINDS: dict[str, MarkKind] = {"round": "round", "activation": "activation", "melee": "melee"}
_DIRECTIONS: dict[str, Direction] = {"": "next", "n": "next", "next": "next", "p": "previous", "previous": "previous"}
_DIRECTIONS |= {"b": "previous", "back": "previous"}


def narration(replay: Replay) -> list[str]:
    """Return the lines that tell a whole match."""
    return [line for seq in range(1, replay.last + 1) for line in record_lines(replay, seq)]


def record_lines(replay: Replay, seq: int) -> list[str]:
    """Return the lines that tell one record."""
    before = replay.state(seq - 1) if seq > 1 else None
    return find_terminal(replay.state(seq).ruleset).narrate(before, replay.body(seq))


def table_lines(replay: Replay, seq: int, screen: Screen | None = None) -> list[str]:
    """Return the table after a record, as small as a screen needs it, and the questions that are open then."""
    state = replay.state(seq)
    terminal = find_terminal(state.ruleset)
    table = [] if state.board is None else [terminal.table_text(state, screen)]
    return [*table, *(terminal.question_text(state, decision) for decision in state.decisions)]


class ReplayBrowser:
    """A place in a replay, and the orders that change it."""

    def __init__(self, replay: Replay, seq: int = 1, screen: Callable[[], Screen | None] = lambda: None) -> None:
        """`screen` gives the size of the screen, for the map. Raises `ReplayError` for a record that does not exist."""
        self.replay, self._screen = replay, screen
        self.seq = replay.moment(seq).seq
        self.pace: float | None = None
        """Seconds until the next record follows by itself; None while it waits for orders."""

    def follow(self, line: str) -> list[str]:
        """Carry out an order, and return what to print: also for one that cannot be understood."""
        self.pace = None
        try:
            return self._follow(line.strip().lower().split())
        except (BadMoment, ReplayError) as fault:
            return [str(fault)]

    def step(self) -> list[str]:
        """Go on to the next record by itself; playing stops at the last one."""
        lines = self._move(min(self.seq + 1, self.replay.last))
        if self.seq == self.replay.last:
            self.pace = None
        return lines

    def place_text(self) -> str:
        """Return where the replay is."""
        passed = [mark for mark in self.replay.marks if mark.seq <= self.seq and not mark.taken_back]
        last: dict[str, Mark] = {mark.kind: mark for mark in passed}
        marks = [f"{kind} {last[kind].number}" for kind in _KINDS if kind in last]
        viewpoint = viewpoint_of(self.replay.viewer)
        return ", ".join([f"record {self.seq} of {self.replay.last}", *marks, f"seen as {viewpoint}"])

    def _follow(self, words: list[str]) -> list[str]:
        match words:
            case [number] if number.isdecimal():
                return self._jump(self.replay.moment(_number(number)).seq)
            case [] | [("n" | "next" | "p" | "previous" | "b" | "back")]:
                return self._move(self.replay.beside(self.seq, None, _DIRECTIONS[words[0] if words else ""]))
            case [("n" | "next" | "p" | "previous") as way, kind] if kind in _KINDS:
                return self._jump(self.replay.beside(self.seq, _KINDS[kind], _DIRECTIONS[way]))
            case [kind, number] if kind in _KINDS:
                return self._jump(self.replay.seq_of(_KINDS[kind], _number(number)))
            case ["to", number]:
                return self._jump(self.replay.moment(_number(number)).seq)
            case ["as", viewpoint]:
                self.replay = self.replay.seen_by(viewer_of(parse_viewpoint(viewpoint)))
                return self._jump(self.seq)
            case ["play"]:
                return self._play(DEFAULT_PACE_SECONDS)
            case ["play", seconds]:
                return self._play(_seconds(seconds))
            case ["help"]:
                return [REPLAY_HELP]
            case [("map" | "marks" | "link") as what]:
                return self._show(what)
            case _:
                raise ReplayError(f'"{" ".join(words)[:80]}" is not an order; `help` lists them')

    def _show(self, what: str) -> list[str]:
        if what == "map":
            return table_lines(self.replay, self.seq, self._screen())
        if what == "link":
            return [str(self.replay.moment(self.seq))]
        return [
            f"  {mark.seq:>6}  {mark.kind} {mark.number}" + (", taken back" if mark.taken_back else "")
            for mark in self.replay.marks
        ]

    def _play(self, seconds: float) -> list[str]:
        self.pace = seconds
        return self.step()

    def _move(self, seq: int) -> list[str]:
        self.seq = seq
        return [self.place_text(), *record_lines(self.replay, seq)]

    def _jump(self, seq: int) -> list[str]:
        return [*self._move(seq), *table_lines(self.replay, seq, self._screen())]


def _number(word: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) < 10):
        raise ReplayError(f'"{word[:20]}" is not a number')
    return int(word)


def _seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = math.nan
    if not MIN_PACE_SECONDS <= seconds <= MAX_PACE_SECONDS:
        raise ReplayError(f"a pause has {MIN_PACE_SECONDS:g} to {MAX_PACE_SECONDS:g} seconds, not {word[:20]}")
    return seconds


async def browse_replay(replay: Replay, console: Console, seq: int = 1) -> None:
    """Let somebody step through a replay until they quit or their input ends. Raises ReplayError."""
    browser, pages = ReplayBrowser(replay, seq, console.screen), Pages(console.print_line, console.screen)
    console.set_completions(
        [*_DIRECTIONS, *_KINDS, "to", "as", "play", "map", "marks", "link", "help", "quit"], [*_KINDS]
    )
    pages.print_block("\n".join(browser.follow(f"to {browser.seq}")))
    console.show_prompt(_prompt(pages))
    reading = asyncio.create_task(console.read_line())
    try:
        while True:
            await asyncio.wait({reading}, timeout=browser.pace)
            if not reading.done():
                pages.begin_page()
                pages.print_block("\n".join(browser.step()))
            else:
                line = reading.result()
                if line is None or line.strip().lower() in ("quit", "q"):
                    return
                _follow_line(line, browser, pages)
                reading = asyncio.create_task(console.read_line())
            console.show_prompt(_prompt(pages))
    finally:
        reading.cancel()


def _follow_line(line: str, browser: ReplayBrowser, pages: Pages) -> None:
    """Show the next page where there is one and nothing else was typed; otherwise carry the order out."""
    if not line.strip() and pages.has_more:
        pages.print_more()
        return
    pages.drop_waiting()  # what somebody has left unread is behind them
    pages.begin_page()
    pages.print_block("\n".join(browser.follow(line)))


def _prompt(pages: Pages) -> str:
    return f"{MORE_TEXT} " if pages.has_more else PROMPT


async def read_pages(text: str, console: Console) -> None:
    """Print a text page by page; `q` leaves the rest. Where there is no screen, it is printed at once."""
    pages = Pages(console.print_line, console.screen)
    pages.print_block(text)
    while pages.has_more:
        console.show_prompt(f"{MORE_TEXT[:-3]}, q to stop -- ")
        line = await console.read_line()
        if line is None or line.strip().lower() in ("quit", "q"):
            return
        pages.print_more()
