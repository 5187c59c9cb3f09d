"""Watching and playing a match in a terminal: plain text with events, a map and a prompt.

Reading and writing lines is left to the console that is passed in.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from diskwars_client.errors import ClientError, CommandRefused, DecisionUnavailable
from diskwars_client.match_handle import MatchHandle
from diskwars_client.plugs.terminal_ruleset import NumberedOption, OrderError
from diskwars_client.rulesets.registry import find_terminal
from diskwars_client.terminal.agreements import (
    CONTROL_HINT,
    follow_agreement_order,
)
from diskwars_client.terminal.chat import CHAT_HELP, TerminalChat
from diskwars_client.terminal.console import Console
from diskwars_client.terminal.display import Display, update_lines
from diskwars_client.terminal.orders import QuestionOrders
from diskwars_client.terminal.presence import PRESENCE_SECONDS, FindPlayers, Presence
from diskwars_client.terminal.reports import REPORT_HELP, TerminalReports
from diskwars_client.updates import Update
from diskwars_protocol.match.actions import ReadyQuestion
from diskwars_protocol.match.decisions import Decision, Result
from diskwars_protocol.match.ids import Seat

READ_AHEAD_LIMIT = 1000
"""Lines that are read ahead."""
IDLE_NOTICE_SECONDS = 1.0
"""Seconds without news before the awaited player is shown."""


class TerminalClosed(ClientError):
    """The player has left the terminal; the match continues."""


# ---------------------------------------------------------------- watching


async def watch_match(
    handle: MatchHandle, print_line: Callable[[str], None], show_board: bool = False
) -> Result | None:
    """Narrate a match until it is over; with `show_board` also the table at the start of each round."""
    is_told = False
    async for update in handle:
        if not is_told and (handle.stream.is_delayed or _will_be_delayed(handle, update)):
            print_line("you see each round once it is over")
            is_told = True
        ruleset = find_terminal(handle.vocabulary.name)
        for line in update_lines(ruleset, update):
            print_line(line)
        table = ruleset.table_text(update.state)
        if table and (update.is_snapshot or (show_board and ruleset.begins_round(update.record))):
            print_line("\n" + table)
    return handle.match.result


def _will_be_delayed(handle: MatchHandle, update: Update) -> bool:
    """Return whether a match that has not begun will be shown later: its next records come a whole round after that."""
    is_newest = handle.stream.is_caught_up and update.seq == handle.head
    is_open = update.state.status == "open" and handle.seat is None
    return is_newest and is_open and update.state.match_options.watchers == "round_later"


# ---------------------------------------------------------------- playing


async def play_match(
    handle: MatchHandle,
    console: Console,
    command: str = "diskwars",
    players: Mapping[Seat, str] | None = None,
    find_players: FindPlayers | None = None,
    chat: TerminalChat | None = None,
    reports: TerminalReports | None = None,
) -> Result | None:
    """Tell the match and ask for every decision of the own seat. Take a seat first. Raises TerminalClosed.

    `command` is what somebody types to look a rule up. `players` names the players of some seats, such as bots that the
    caller runs; bots of the server are named without it. `find_players` asks the server who is connected, so that the
    terminal can say who has left. With `chat` the players can write to each other, with `reports` to the operators of
    the server about each other.
    """
    player = _TerminalPlayer(handle, console, command, players or {}, find_players, chat, reports)
    try:
        while (update := await player.next_update()) is not None:
            player.display.show_update(update)
            player.display.show_agreements()
            if handle.seat is None:
                player.display.print_block("you have no seat in this match any more")
                break
            if handle.match.paused:
                continue
            if update.seq == handle.head and handle.open_decisions:
                await player.decide(handle.open_decisions[0])
        player.display.show_rest()
    finally:
        player.close()
    return handle.match.result


class _TerminalPlayer:
    """A person at a terminal. Lines are read at any time; an order counts only for a question that has been shown."""

    def __init__(
        self,
        handle: MatchHandle,
        console: Console,
        command: str,
        players: Mapping[Seat, str],
        find_players: FindPlayers | None,
        chat: TerminalChat | None,
        reports: TerminalReports | None,
    ) -> None:
        own = () if handle.seat is None else (handle.seat,)
        presence = None if find_players is None else Presence(find_players, (*own, *players))
        self._handle, self._console, self._chat, self._reports = handle, console, chat, reports
        self.display = Display(handle, console, players, presence)
        message_help = [*([CHAT_HELP] if chat else []), *([REPORT_HELP] if reports else [])]
        self._orders = QuestionOrders(handle, self.display, command, message_help)
        self._read_task = asyncio.create_task(self._read_line())
        self._tasks: list[asyncio.Task[None]] = []
        self._coming: asyncio.Task[Update | None] | None = None
        if chat is not None:
            self._tasks.append(asyncio.create_task(chat.follow(self.display.print_block)))
        if presence is not None:
            self._tasks.append(asyncio.create_task(self._follow_presence(presence)))

    def close(self) -> None:
        for task in (self._read_task, *self._tasks, *([] if self._coming is None else [self._coming])):
            task.cancel()

    async def _follow_presence(self, presence: Presence) -> None:
        """Print which players disconnect and reconnect, until cancelled."""
        while True:
            match = self._handle.state
            for seat, news in [] if match is None else await presence.look(match):
                self.display.print_block(f"{self.display.ruleset.seat_name(self._handle.match, seat)} {news}")
            await asyncio.sleep(PRESENCE_SECONDS)

    # ------------------------------------------------------------ while nothing is asked

    async def next_update(self) -> Update | None:
        """Return the next news; None after the last. Raises TerminalClosed."""
        coming = self._coming_update()
        quiet = 0  # times that nothing came
        while not coming.done():
            done, _ = await asyncio.wait(
                (coming, self._read_task), timeout=IDLE_NOTICE_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if self._read_task in done:
                await self._handle_unprompted_line(self._take_line())
                if self.display.has_screen:  # somebody who keeps typing is never quiet, and sees it too
                    self.display.show_waiting_notice(quiet, IDLE_NOTICE_SECONDS)
            elif not done:
                quiet += 1
                self.display.show_waiting_notice(quiet, IDLE_NOTICE_SECONDS)
        self._coming = None
        return coming.result()

    def _coming_update(self) -> asyncio.Task[Update | None]:
        """Return the task that waits for the next news: one at a time, or an update would be lost with it."""
        if self._coming is None:
            self._coming = asyncio.create_task(self._next_handle_update())
        return self._coming

    async def _next_handle_update(self) -> Update | None:
        return await anext(self._handle, None)

    def _take_line(self) -> str:
        """Return the line that was typed and start to read the next one. Raises TerminalClosed."""
        line = self._read_task.result()
        if line is None or line.strip() == "quit":
            raise TerminalClosed("left the terminal")
        self._read_task = asyncio.create_task(self._read_line())
        return line.strip()

    async def _read_line(self) -> str | None:
        """Read a line. A page begins as it is typed: what is printed before the line is followed belongs to it."""
        line = await self._console.read_line()
        self.display.pages.begin_page()
        return line

    async def _handle_unprompted_line(self, line: str) -> None:
        """A line while no question was to be seen: it cannot have been meant for one that comes later."""
        if self._handle_page_order(line) or self._handle_information_order(line, None, ()):
            return
        if await self._handle_agreement_order(line):
            return
        if line.split()[0] != "resign":
            self.display.print_reply(f"ignored {line!r}: you had not been asked anything yet")
            return
        try:
            await self._resign(line)
        except OrderError as unclear:
            self.display.print_reply(str(unclear))
        except (CommandRefused, DecisionUnavailable) as fault:
            self.display.print_reply(f"you cannot resign now: {fault}")

    async def _drain_typed_ahead(self) -> None:
        """Drop the lines that were typed before a question was shown."""
        for _ in range(READ_AHEAD_LIMIT):
            await asyncio.sleep(0)
            if not self._read_task.done():
                return
            await self._handle_unprompted_line(self._take_line())

    # ------------------------------------------------------------ a question

    async def decide(self, decision: Decision[Any]) -> None:
        """Ask until the decision is taken, or taken away."""
        if isinstance(decision.question, ReadyQuestion):
            if self._handle.own_seat.is_in_control:
                await self._handle.ready()
            return
        offered = await self._load_options(decision)
        while offered is not None and decision in self._handle.open_decisions:
            line = await self._wait_line(decision)
            if line is None or await self._handle_line(line, decision, offered):
                break
        self._orders.end_question()
        if not self._handle.open_decisions and self._handle.match.decisions:
            self.display.show_waiting_notice(0, IDLE_NOTICE_SECONDS)

    async def _answer_forced(self, decision: Decision[Any], offered: Sequence[NumberedOption]) -> bool:
        """Give the answer that needs no player; False if there is none, or it was refused and the player is asked."""
        action = self.display.ruleset.forced_action(decision, offered)
        if action is None or not self._handle.own_seat.is_in_control:
            return False
        try:
            await self._handle.act(decision, action)
        except CommandRefused as refused:
            self.display.print_block(self._orders.record_refusal(refused))
            return False
        except DecisionUnavailable:  # another device of the player was quicker, or the match is over
            return True
        self.display.print_block(f"locked your last card: {offered[0].text}")
        return True

    async def _load_options(self, decision: Decision[Any]) -> list[NumberedOption] | None:
        """Show the question and return its options; None if it was taken away meanwhile, or needs no player."""
        try:
            options = await self._handle.options(decision, include_unavailable=True)
        except CommandRefused:
            return None
        match = self._handle.match
        await self._drain_typed_ahead()
        self._orders.begin_question(options.unavailable)
        offered = self.display.ruleset.numbered_options(match, decision, options)
        if await self._answer_forced(decision, offered):
            return None
        self.display.show_question(match, decision, offered)
        return offered

    async def _wait_line(self, decision: Decision[Any]) -> str | None:
        """Return the next line; None if the decision is closed before. Raises TerminalClosed.

        News that leave the question open, such as the answer to an offer, are shown at once.
        """
        while decision in self._handle.open_decisions:
            self.display.show_prompt()
            coming = self._coming_update()
            self.display.is_asking = True
            try:
                await asyncio.wait((self._read_task, coming), return_when=asyncio.FIRST_COMPLETED)
            finally:
                self.display.is_asking = False
            if self._read_task.done():
                return self._take_line()
            if decision not in self._handle.open_decisions or self._handle.is_over:
                break  # `next_update` shows them
            self._coming, update = None, coming.result()
            if update is not None:
                self.display.show_update(update)
            self.display.show_agreements()
        if not self._is_taken_back():
            self.display.print_block("that question is no longer open")
        return None

    def _is_taken_back(self) -> bool:
        """Return whether the newest record takes answers back: its own line says that the question is gone."""
        coming = self._coming.result() if self._coming is not None and self._coming.done() else None
        records = [*self._handle.records[-1:], *([] if coming is None else [coming.record])]
        return any(record.taken_back_to is not None for record in records)

    async def _handle_line(self, line: str, decision: Decision[Any], offered: Sequence[NumberedOption]) -> bool:
        """True when the decision is taken."""
        has_unread = self.display.pages.has_more
        if self._handle_page_order(line) or self._handle_information_order(line, decision, offered):
            if has_unread:  # what was typed before this page came is no answer to what is on it
                await self._drain_typed_ahead()
            return False
        if has_unread:  # the question may be among it
            self.display.print_reply(f"not done yet, read this first: {line!r}")
            self.display.pages.read_on()
            self.display.show_prompt()
            return False
        if await self._handle_agreement_order(line):
            return False
        try:
            await self._send_order(decision, line, offered)
        except OrderError as unclear:
            self.display.print_block(self._orders.record_error(unclear))
            return False
        except CommandRefused as refused:
            self.display.print_block(self._orders.record_refusal(refused))
            return False
        except DecisionUnavailable:  # somebody else was quicker, or the match is over
            return True
        return True

    async def _handle_agreement_order(self, line: str) -> bool:
        """Follow an order that concerns the players and not the board; False when it is something else."""
        try:
            shown = await self._follow_message_order(line)
            if shown is None:
                shown = await follow_agreement_order(self._handle, line)
        except OrderError as unclear:
            shown = str(unclear)
        except CommandRefused as refused:
            shown = f"refused: {self.display.ruleset.refusal_text(self._handle.match, self._handle.seat, refused)}"
        except DecisionUnavailable as fault:
            shown = str(fault)
        if shown is None:
            return False
        self._orders.forget_doubt()  # a `yes` that follows is not meant for an order before this one
        if shown:
            self.display.print_reply(shown)
        return True

    async def _follow_message_order(self, line: str) -> str | None:
        """Write to the other players or to the operators; return what to show then, None for another order."""
        shown = None
        if self._reports is not None:
            shown = await self._reports.follow_order(line, self._name_seat)
        if shown is None and self._chat is not None:
            shown = await self._chat.follow_order(line)
        return shown

    def _name_seat(self, seat: Seat) -> str:
        return self.display.seat_label(self._handle.match, seat)

    def _handle_page_order(self, line: str) -> bool:
        """Show the next page on an empty line; False when the line is something else."""
        if line and not (line == "more" and self.display.pages.has_more):
            return False
        self.display.show_page()
        return True

    async def _send_order(self, decision: Decision[Any], line: str, offered: Sequence[NumberedOption]) -> None:
        """Raise OrderError, CommandRefused, DecisionUnavailable."""
        if line.split()[0] == "resign":
            await self._resign(line)
            return
        action = self._orders.confirmed_action(line, decision, offered)
        try:
            await self._handle.act(decision, action)
        except CommandRefused as refused:
            if refused.code != "not_in_control":
                raise
            raise OrderError(CONTROL_HINT) from None

    async def _resign(self, line: str) -> None:
        """Raise OrderError, CommandRefused."""
        if line.split() != ["resign", "yes"]:
            raise OrderError("resigning ends the match for you and cannot be taken back: type `resign yes` to do it")
        await self._handle.resign()

    def _handle_information_order(
        self, line: str, decision: Decision[Any] | None, offered: Sequence[NumberedOption]
    ) -> bool:
        """Answer what changes nothing; False when it was no such line."""
        verb, _, rest = line.partition(" ")
        lines = self._orders.information_lines(verb, rest.strip(), decision, offered)
        if lines is None:
            return False
        self.display.print_reply("\n".join(lines))
        return True
