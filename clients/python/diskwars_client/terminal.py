"""Watching and playing a match in a terminal: plain text with events, a map and a prompt.

Reading and writing lines is left to the console that is passed in.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

from diskwars_client.match_handle import ClientError, CommandRefused, DecisionUnavailable, MatchHandle, Update
from diskwars_client.rulesets.diskwars import orders
from diskwars_client.rulesets.diskwars.orders import NumberedOption, OrderError
from diskwars_client.rulesets.diskwars.setup_orders import find_setup_cards, objective_text, scenario_text
from diskwars_protocol.match import Decision, ReadyQuestion, Result, seat_letter
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.events import RoundBegan
from diskwars_protocol.rulesets.diskwars.options import DiskwarsUnavailable
from diskwars_text.narration import narrate
from diskwars_text.phrases import card_text, disk_names, disk_text, outcome_text, question_text, refusal_text, seat_name
from diskwars_text.text_map import disk_letters, draw_text_map

HELP_TEXT = """\
a number             choose that option, or show how it is typed
move DISK 45 x2      two flips in a direction: degrees clockwise from north, or N, NE, E ...
move DISK toward X   straight on until it lies on X; x2 at the end for two flips at most
shoot DISK X         shoot at X; focus DISK X, use DISK X for a focus ability or the card's
bring DISK at 18 4   from the reserve; inches from the lower left corner
pass DISK, end       activate without an action; leave the rest of an activation or a card
place DISK 18 4, ... deploy, every disk with its place; or default
lay CARD own at 12   a deployment card, that side up (own or common), from 12 inches along your edge on
put FACE at 18 12 turn 45   terrain: that face up, its middle there, turned against the clock
why, why DISK        why the last order was refused; why a disk or a card is not offered
show NAME            a disk, a card, a scenario or a piece of terrain
board, cards, help, quit, resign yes: at any time; options: what is asked now
A disk is called by its name, a part of it, its letter on the map, or the number of its option.
A flip of which something follows cuts a move short, and you are asked again; end behind a move ends the activation.
On the map the disks of each seat have a frame of their own, which is shown where they are listed below it."""

NOTHING_UNAVAILABLE_TEXT = "nothing was refused, and no disk or card is left out of the options"
SHOW_USAGE_TEXT = "show what? A disk, a card, a scenario or a piece of terrain, by its name or a part of it"


READ_AHEAD_LIMIT = 1000
"""Lines that are read ahead."""
INFORMATION_ORDERS = ("help", "options", "why", "show", "board", "cards", "quit", "resign yes")
"""Orders that are understood at any time; `resign` asks for the second word."""
IDLE_NOTICE_SECONDS = 1.0
"""Seconds without news before the awaited player is shown."""


class Console(Protocol):
    """Source of typed lines and destination of output."""

    async def read_line(self) -> str | None:
        """Return the next line, whenever it was typed; None at the end of input."""

    def show_prompt(self, text: str) -> None: ...

    def print_line(self, text: str) -> None: ...

    def set_status(self, text: str) -> None:
        """Show whose turn it is, where there is a place for it."""

    def set_completions(self, orders: Sequence[str], names: Sequence[str]) -> None:
        """Offer these orders as first words, and these names behind them."""


class TerminalClosed(ClientError):
    """The player has left the terminal; the match continues."""


# ---------------------------------------------------------------- watching


async def watch_match(
    handle: MatchHandle, print_line: Callable[[str], None], show_board: bool = False
) -> Result | None:
    """Narrate a match until it is over; with `show_board` also the table at the start of each round."""
    async for update in handle:
        for line in _update_lines(update):
            print_line(line)
        if (update.is_snapshot and update.state.board) or (
            show_board and update.state.board and any(isinstance(event, RoundBegan) for event in update.record.events)
        ):
            print_line("\n" + draw_text_map(update.state.board))
    return handle.match.result


# ---------------------------------------------------------------- playing


async def play_match(handle: MatchHandle, console: Console, command: str = "diskwars") -> Result | None:
    """Tell the match and ask for every decision of the own seat. Take a seat first. Raises TerminalClosed.

    `command` is what somebody types to look a rule up.
    """
    player = _TerminalPlayer(handle, console, command)
    try:
        while (update := await player.next_update()) is not None:
            for line in _update_lines(update):
                console.print_line(line)
            if update.seq == handle.head and handle.open_decisions:
                await player.decide(handle.open_decisions[0])
    finally:
        player.close()
    return handle.match.result


class _TerminalPlayer:
    """A person at a terminal. Lines are read at any time; an order counts only for a question that has been shown."""

    def __init__(self, handle: MatchHandle, console: Console, command: str) -> None:
        self._handle, self._console, self._command = handle, console, command
        self._order_error = ""
        self._shown_moment: tuple[int, int, int | None] | None = None
        self._last_refusal: CommandRefused | None = None
        self._unavailable: tuple[DiskwarsUnavailable, ...] = ()
        self._read_task = asyncio.create_task(console.read_line())

    def close(self) -> None:
        self._read_task.cancel()

    # ------------------------------------------------------------ while nothing is asked

    async def next_update(self) -> Update | None:
        """Return the next news; None after the last. Raises TerminalClosed."""
        coming = asyncio.create_task(self._next_handle_update())
        try:
            is_quiet = False
            while not coming.done():
                waited = (coming, self._read_task)
                done, _ = await asyncio.wait(
                    waited, timeout=None if is_quiet else IDLE_NOTICE_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                if self._read_task in done:
                    await self._handle_unprompted_line(self._take_line())
                elif not done:
                    is_quiet = True
                    self._show_waiting_notice()
            return coming.result()
        finally:
            coming.cancel()

    async def _next_handle_update(self) -> Update | None:
        return await anext(self._handle, None)

    def _show_waiting_notice(self) -> None:
        match = self._handle.state
        if match is not None and match.decisions:
            names = dict.fromkeys(seat_name(match, decision.seat) for decision in match.decisions)
            waiting = f"waiting for {' and '.join(names)} …"
            self._console.print_line(waiting)
            self._console.set_status(_status_text(match, waiting))
            self._console.set_completions(INFORMATION_ORDERS, ())

    def _take_line(self) -> str:
        """Return the line that was typed; the next one is waited for already. Raises TerminalClosed."""
        line = self._read_task.result()
        if line is None or line.strip() == "quit":
            raise TerminalClosed("left the terminal")
        self._read_task = asyncio.create_task(self._console.read_line())
        return line.strip()

    async def _handle_unprompted_line(self, line: str) -> None:
        """A line while no question was to be seen: it cannot have been meant for one that comes later."""
        if not line or self._handle_information_order(line, ()):
            return
        if line.split()[0] != "resign":
            self._console.print_line(f"nothing was asked when you typed {line!r}, so it is dropped")
            return
        try:
            await self._resign(line)
        except OrderError as unclear:
            self._console.print_line(str(unclear))
        except (CommandRefused, DecisionUnavailable) as fault:
            self._console.print_line(f"you cannot resign now: {fault}")

    async def _drain_typed_ahead(self) -> None:
        """Lines that were typed before a question was shown."""
        for _ in range(READ_AHEAD_LIMIT):
            await asyncio.sleep(0)
            if not self._read_task.done():
                return
            await self._handle_unprompted_line(self._take_line())

    # ------------------------------------------------------------ a question

    async def decide(self, decision: Decision[a.Question]) -> None:
        """Ask until the decision is taken, or taken away."""
        if isinstance(decision.question, ReadyQuestion):
            await self._handle.ready()
            return
        offered = await self._load_options(decision)
        while offered is not None and decision in self._handle.open_decisions:
            line = await self._wait_line(decision)
            if line is None or await self._handle_line(line, decision, offered):
                break
        self._unavailable = ()

    async def _load_options(self, decision: Decision[a.Question]) -> list[NumberedOption] | None:
        try:
            options = await self._handle.options(decision, include_unavailable=True)
        except CommandRefused:  # it was taken away meanwhile
            return None
        match = self._handle.match
        await self._drain_typed_ahead()
        self._last_refusal, self._order_error, self._unavailable = None, "", options.unavailable
        self._show_table(match, decision)
        offered = orders.numbered_options(match, decision, options)
        self._console.print_line("\n" + question_text(match, decision))
        self._show_options(offered)
        self._console.set_status(_status_text(match, "your turn"))
        verbs = orders.expected_verbs(match, decision.question, offered)
        self._console.set_completions([*verbs, *INFORMATION_ORDERS], _completion_names(match, decision))
        return offered

    def _show_options(self, offered: Sequence[NumberedOption]) -> None:
        for number, choice in enumerate(offered, 1):
            self._console.print_line(f"  {number}. {choice.text}")

    def _show_table(self, match: DiskwarsMatch, decision: Decision[a.Question]) -> None:
        """Once for each card that is played, and whenever a fight has to be chosen."""
        board = match.board
        if board is None or isinstance(decision.question, a.CommandCardQuestion):
            return
        moment = (board.round, match.step, board.active_seat)
        if moment != self._shown_moment:
            self._console.print_line("\n" + draw_text_map(board))
        self._shown_moment = moment

    async def _wait_line(self, decision: Decision[a.Question]) -> str | None:
        """Return the next line; None when the decision is gone before one came. Raises TerminalClosed."""
        self._console.show_prompt("> ")
        while decision in self._handle.open_decisions:
            news = asyncio.create_task(self._handle.wait_after(self._handle.head))
            try:
                await asyncio.wait((self._read_task, news), return_when=asyncio.FIRST_COMPLETED)
            finally:
                news.cancel()
            if self._read_task.done():
                return self._take_line()
        self._console.print_line("that is not asked any more")
        return None

    async def _handle_line(self, line: str, decision: Decision[a.Question], offered: Sequence[NumberedOption]) -> bool:
        """True when the decision is taken."""
        if not line or self._handle_information_order(line, offered):
            return False
        try:
            await self._send_order(decision, line, offered)
        except OrderError as unclear:
            self._last_refusal, self._order_error = None, str(unclear)
            self._console.print_line(self._order_error)
            return False
        except CommandRefused as refused:
            self._last_refusal, self._order_error = refused, ""
            self._console.print_line(f"refused: {self._refusal_text(refused)}")
            return False
        except DecisionUnavailable:  # somebody else was quicker, or the match is over
            return True
        return True

    async def _send_order(self, decision: Decision[a.Question], line: str, offered: Sequence[NumberedOption]) -> None:
        """Raise OrderError, CommandRefused, DecisionUnavailable."""
        if line.split()[0] == "resign":
            await self._resign(line)
            return
        await self._handle.act(decision, orders.parse_order(line, self._handle.match, decision, offered))

    async def _resign(self, line: str) -> None:
        """Raise OrderError, CommandRefused."""
        if line.split() != ["resign", "yes"]:
            raise OrderError("resigning ends the match for you and cannot be taken back: type `resign yes` to do it")
        await self._handle.resign()

    # ------------------------------------------------------------ questions of the player

    def _handle_information_order(self, line: str, offered: Sequence[NumberedOption]) -> bool:
        """Answer what changes nothing; False when it was no such line."""
        verb, _, rest = line.partition(" ")
        board = None if self._handle.state is None else self._handle.state.board
        match verb:
            case "help":
                self._console.print_line(HELP_TEXT)
            case "options" if offered:
                self._show_options(offered)
            case "why":
                self._console.print_line("\n".join(self._why_lines(rest.strip())))
            case "board" if board is not None:
                self._console.print_line(draw_text_map(board))
            case "cards" if board is not None:
                self._console.print_line("\n".join(self._card_lines(board)))
            case "show" if board is not None:
                self._console.print_line("\n".join(self._show_lines(board, rest.strip())))
            case "board" | "cards" | "show":
                self._console.print_line("the table is not laid yet")
            case _:
                return False
        return True

    def _why_lines(self, name: str) -> list[str]:
        """Why the last order was refused; with a name, or where none was, why disks and cards are not offered."""
        if self._last_refusal is not None and not name:
            return [f"{self._last_refusal.code}: {self._reason_text(self._last_refusal)}", self._rules_hint()]
        if self._order_error and not name:
            return [f"the last line was no order that can be sent: {self._order_error}"]
        board = self._handle.match.board
        about = set(range(len(board.disks))) if board and not name else set(_find_disks(board, name) if board else ())
        found = [one for one in self._unavailable if one.disk in about or _matches_card_name(one.card, name)]
        if found:
            return [*(f"  {self._reason_text(one)}" for one in found), self._rules_hint()]
        if not name:
            return [NOTHING_UNAVAILABLE_TEXT]
        if board is None or not [*about, *find_setup_cards(board, name)]:
            return [f"nothing is called {name!r}"]
        return [f"nothing is said against {name!r}: what it can do now is among the options"]

    def _rules_hint(self) -> str:
        return f"a rule is in brackets: `{self._command} rules ID` prints it"

    def _show_lines(self, board: Board, name: str) -> list[str]:
        """Return all that is called so; a single letter is a disk."""
        if not name:
            return [SHOW_USAGE_TEXT]
        others = find_setup_cards(board, name)
        found = [*(disk_text(board, disk) for disk in _find_disks(board, name)), *others]
        more = [f"what a word on them means: `{self._command} rules WORD`"] if others else []
        return [*(f"  {one}" for one in found), *more] or [f"nothing is called {name!r}"]

    def _reason_text(self, why: CommandRefused | DiskwarsUnavailable) -> str:
        return self._refusal_text(why) + (f" ({why.rule})" if why.rule else "")

    def _card_lines(self, board: Board) -> list[str]:
        seat = self._handle.seat
        hand = () if seat is None else board.sides[seat].hand or ()
        lines = [f"  {card_text(board.card(name))}" for name in hand] or ["  no card in hand"]
        scenarios = {one.id: one for one in board.layout.scenarios}
        if board.layout.active_scenario:
            lines.append(f"  scenario {scenario_text(scenarios[board.layout.active_scenario])}")
        objective = "" if seat is None else board.sides[seat].objective
        if isinstance(objective, str) and objective in scenarios:
            lines.append(f"  {objective_text(scenarios[objective])}")
        return lines

    def _refusal_text(self, refused: CommandRefused | DiskwarsUnavailable) -> str:
        return refusal_text(self._handle.match.board, self._handle.seat, refused.code, refused.text)


def _update_lines(update: Update) -> list[str]:
    """What has happened; for a snapshot how the match stands."""
    if not update.is_snapshot:
        return narrate(update.before, update.record)
    match = update.state
    taken = [seat for seat, chair in enumerate(match.seats) if chair.player]
    names = [(f"seat {seat_letter(seat)}", seat_name(match, seat)) for seat in taken]
    lines = [_status_text(match, f"{update.seq} records so far")]
    lines += [f"{seat}: {'taken' if name == seat else name}" for seat, name in names]
    if match.result is not None:
        lines.append(f"The match is over: winner {outcome_text(match, match.result)}")
    return lines


def _status_text(match: DiskwarsMatch, turn: str) -> str:
    board = match.board
    if board is None or not board.round:
        return turn
    return f"round {board.round} of {board.rounds}, {board.phase} phase: {turn}"


def _completion_names(match: DiskwarsMatch, decision: Decision[a.Question]) -> list[str]:
    """Disks and cards that an order may name now."""
    if match.board is None:
        return []
    cards = getattr(decision.question, "cards", ())
    hand = match.board.sides[decision.seat].hand or ()
    return list(dict.fromkeys([*disk_names(match.board), *map(str, cards), *map(str, hand)]))


def _find_disks(board: Board, name: str) -> list[int]:
    """Return the disks that are called so, or have that letter."""
    letters, names = disk_letters(board), disk_names(board)
    return [
        disk.id
        for disk in board.disks
        if name == letters[disk.id] or (len(name) > 1 and name.lower() in names[disk.id].lower())
    ]


def _matches_card_name(card: str, name: str) -> bool:
    return bool(card) and (not name or (len(name) > 1 and name.lower() in card.lower()))
