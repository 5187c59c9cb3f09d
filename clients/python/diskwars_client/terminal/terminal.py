"""Watching and playing a match in a terminal: plain text with events, a map and a prompt.

Reading and writing lines is left to the console that is passed in.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from diskwars_client.errors import ClientError, CommandRefused, DecisionUnavailable
from diskwars_client.match_handle import MatchHandle
from diskwars_client.plugs.terminal_ruleset import NumberedOption, OrderError, TerminalRuleset, with_numbers
from diskwars_client.rulesets.registry import find_terminal
from diskwars_client.terminal.agreements import (
    AGREEMENT_HELP,
    AGREEMENT_ORDERS,
    CONTROL_HINT,
    agreement_hint,
    control_hint,
    follow_agreement_order,
)
from diskwars_client.terminal.chat import CHAT_HELP, CHAT_ORDERS, TerminalChat
from diskwars_client.terminal.presence import PRESENCE_SECONDS, FindPlayers, Presence
from diskwars_client.terminal.reports import REPORT_HELP, REPORT_ORDERS, TerminalReports
from diskwars_client.terminal_pages import MORE_TEXT, Pages, Screen
from diskwars_client.updates import Update
from diskwars_protocol.match.actions import ReadyQuestion
from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.decisions import Decision, Result
from diskwars_protocol.match.events import MatchOpened
from diskwars_protocol.match.ids import Seat, seat_letter
from diskwars_protocol.match.state import Match
from diskwars_text.opening_text import settings_lines, short_opening_lines

READ_AHEAD_LIMIT = 1000
"""Lines that are read ahead."""
PLAYER_ORDERS = (*AGREEMENT_ORDERS, *CHAT_ORDERS, *REPORT_ORDERS)
"""Orders that concern the other players and not the board."""
IDLE_NOTICE_SECONDS = 1.0
"""Seconds without news before the awaited player is shown."""


class Console(Protocol):
    """Source of typed lines and destination of output."""

    async def read_line(self) -> str | None:
        """Return the next line, also one typed before it was wanted; None at the end of input."""

    def show_prompt(self, text: str) -> None: ...

    def print_line(self, text: str) -> None: ...

    def screen(self) -> Screen | None:
        """Return the size of the screen; None where there is none, and everything is printed at once."""

    def ring_bell(self) -> None:
        """Call the player, where a bell is wanted."""

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
    is_told = False
    async for update in handle:
        if not is_told and (handle.stream.is_delayed or _will_be_delayed(handle, update)):
            print_line("you see each round once it is over")
            is_told = True
        ruleset = find_terminal(handle.vocabulary.name)
        for line in _update_lines(ruleset, update):
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
            player.show_update(update)
            player.show_agreements()
            if handle.seat is None:
                player.print_block("you have no seat in this match any more")
                break
            if handle.match.paused:
                continue
            if update.seq == handle.head and handle.open_decisions:
                await player.decide(handle.open_decisions[0])
        player.show_rest()
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
        self._handle, self._console, self._command, self._players = handle, console, command, players
        self._pages = Pages(console.print_line, console.screen)
        self.ruleset: TerminalRuleset = find_terminal(handle.vocabulary.name)
        self._order_error = ""
        self._shown_moment: object = None
        self._shown_hint = ""
        self._is_introduced = False
        self._last_refusal: CommandRefused | None = None
        self._unavailable: tuple[Any, ...] = ()
        self._doubted: dict[str, Any] = {}
        self._last_doubted: Any = None
        self._read_task = asyncio.create_task(self._read_line())
        self._presence: Presence | None = None
        self._is_asking = False
        self._tasks: list[asyncio.Task[None]] = []
        self._coming: asyncio.Task[Update | None] | None = None
        self._chat, self._reports = chat, reports
        if chat is not None:
            self._tasks.append(asyncio.create_task(chat.follow(self.print_block)))
        if find_players is not None:
            own = () if handle.seat is None else (handle.seat,)
            self._presence = Presence(find_players, (*own, *players))
            self._tasks.append(asyncio.create_task(self._follow_presence(self._presence)))

    def close(self) -> None:
        for task in (self._read_task, *self._tasks, *([] if self._coming is None else [self._coming])):
            task.cancel()

    async def _follow_presence(self, presence: Presence) -> None:
        """Print which players disconnect and reconnect, until cancelled."""
        while True:
            match = self._handle.state
            for seat, news in [] if match is None else await presence.look(match):
                self.print_block(f"{self.ruleset.seat_name(self._handle.match, seat)} {news}")
            await asyncio.sleep(PRESENCE_SECONDS)

    def show_update(self, update: Update) -> None:
        """Tell what has happened; on a screen the settings that are usual are left out, and a return shows the map."""
        is_on_screen = self._console.screen() is not None
        for line in _update_lines(self.ruleset, update, self._handle.seat, is_short=is_on_screen):
            self.print_block(line)
        if update.is_snapshot and is_on_screen and update.state.board is not None:
            own = [one for one in update.state.decisions if one.seat == self._handle.seat]
            self._shown_moment = self.ruleset.table_moment(update.state, own[0]) if own else None
            self.print_block(self.ruleset.table_text(update.state, self._console.screen()))

    def show_rest(self) -> None:
        """Print what is left to read when the match is over: nothing is asked after it."""
        self._pages.print_rest()

    def print_block(self, text: str) -> None:
        """Print a text on this page if there is room, otherwise on a later one."""
        self._pages.print_block(text)
        # On a screen the prompt says whether there is more; elsewhere news have just taken its place.
        if self._console.screen() is not None or self._is_asking:
            self._show_prompt()

    def _print_reply(self, text: str) -> None:
        """Print the answer to what was just typed: at once, also where news wait to be read."""
        self._pages.print_reply(text)
        if self._console.screen() is not None:
            self._show_prompt()

    def show_agreements(self) -> None:
        """Say once what is offered to the player, that the match is paused, and that it is played elsewhere."""
        hints = (control_hint(self._handle), agreement_hint(self._handle.match, self._handle.seat))
        hint = "\n".join(filter(None, hints))
        if hint and hint != self._shown_hint:
            self.print_block(hint)
        self._shown_hint = hint

    def _show_prompt(self) -> None:
        self._console.show_prompt(f"{MORE_TEXT} " if self._pages.has_more else "> ")

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
                if self._console.screen() is not None:  # somebody who keeps typing is never quiet, and sees it too
                    self._show_waiting_notice(quiet)
            elif not done:
                quiet += 1
                self._show_waiting_notice(quiet)
        self._coming = None
        return coming.result()

    def _coming_update(self) -> asyncio.Task[Update | None]:
        """Return the task that waits for the next news: one at a time, or an update would be lost with it."""
        if self._coming is None:
            self._coming = asyncio.create_task(self._next_handle_update())
        return self._coming

    async def _next_handle_update(self) -> Update | None:
        return await anext(self._handle, None)

    def _show_waiting_notice(self, quiet: int) -> None:
        """Say for whom the match waits: on a screen in its lowest line, with the seconds, elsewhere once."""
        match = self._handle.state
        if match is None or not match.decisions:
            return
        names = dict.fromkeys(self._seat_label(match, decision.seat) for decision in match.decisions)
        waiting = f"waiting for {' and '.join(names)} …"
        if self._console.screen() is None and quiet == 1:
            self.print_block(waiting)
        seconds = f" {round(quiet * IDLE_NOTICE_SECONDS)} s" if quiet > 1 else ""
        watchers = self._handle.stream.watchers
        watching = f" · {watchers} watching" if watchers else ""
        self._console.set_status(self.ruleset.status_text(match, waiting + seconds + watching))
        self._console.set_completions([*self.ruleset.information_orders, *PLAYER_ORDERS], ())

    def _seat_label(self, match: Match[Any, Any], seat: Seat) -> str:
        name, player_id = self.ruleset.seat_name(match, seat), match.seats[seat].player
        bot = bot_name(player_id)
        player = self._players.get(seat, "") if bot is None else f"{bot} bot"
        if not player and player_id and self._presence is not None:
            player = self._presence.player_text(player_id)
        return f"{name} ({player})" if player else name

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
        self._pages.begin_page()
        return line

    async def _handle_unprompted_line(self, line: str) -> None:
        """A line while no question was to be seen: it cannot have been meant for one that comes later."""
        if self._handle_page_order(line) or self._handle_information_order(line, None, ()):
            return
        if await self._handle_agreement_order(line):
            return
        if line.split()[0] != "resign":
            self._print_reply(f"ignored {line!r}: you had not been asked anything yet")
            return
        try:
            await self._resign(line)
        except OrderError as unclear:
            self._print_reply(str(unclear))
        except (CommandRefused, DecisionUnavailable) as fault:
            self._print_reply(f"you cannot resign now: {fault}")

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
        self._unavailable = ()
        if not self._handle.open_decisions and self._handle.match.decisions:
            self._show_waiting_notice(0)

    async def _load_options(self, decision: Decision[Any]) -> list[NumberedOption] | None:
        try:
            options = await self._handle.options(decision, include_unavailable=True)
        except CommandRefused:  # it was taken away meanwhile
            return None
        match = self._handle.match
        await self._drain_typed_ahead()
        self._last_refusal, self._order_error, self._unavailable = None, "", options.unavailable
        self._doubted.clear()
        self._last_doubted = None
        offered = self.ruleset.numbered_options(match, decision, options)
        is_on_screen = self._console.screen() is not None
        self._introduce_seats(match, decision.seat)
        table = self._new_table(match, decision)
        if table:
            self.print_block(table if is_on_screen else f"\n{table}")
        question = [self.ruleset.question_text(match, decision), *self._option_lines(match, decision, offered)]
        self.print_block("\n".join(question if table and is_on_screen else ["", *question]))
        self._console.set_status(self.ruleset.status_text(match, "your turn"))
        verbs, names = self.ruleset.completions(match, decision, offered)
        self._console.set_completions([*verbs, *self.ruleset.information_orders, *PLAYER_ORDERS], names)
        self._console.ring_bell()
        return offered

    def _introduce_seats(self, match: Match[Any, Any], own: Seat) -> None:
        """Say once, before the first question, which side is the player's and who plays the others."""
        if self._is_introduced or match.board is None:
            return
        self._is_introduced = True
        others = [
            self._seat_label(match, seat) for seat, state in enumerate(match.seats) if seat != own and state.player
        ]
        name, letter = self.ruleset.seat_name(match, own), f"seat {seat_letter(own)}"
        side = letter if name == letter else f"{name}, {letter},"
        self.print_block(f"You play {side} against {' and '.join(others)}")

    def _option_lines(
        self, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> list[str]:
        """Return the options: all of them one by one, or on a screen the main ones, grouped to save its rows."""
        if self._console.screen() is None:
            return [f"  {number}. {choice.text}" for number, choice in with_numbers(offered)]
        return self.ruleset.option_lines(match, decision, offered)

    def _new_table(self, match: Match[Any, Any], decision: Decision[Any]) -> str:
        """Return the table when there is something new to see on it; otherwise nothing."""
        moment = self.ruleset.table_moment(match, decision)
        if moment is None or moment == self._shown_moment:
            return ""
        self._shown_moment = moment
        return self.ruleset.table_text(match, self._console.screen())

    async def _wait_line(self, decision: Decision[Any]) -> str | None:
        """Return the next line; None if the decision is closed before. Raises TerminalClosed.

        News that leave the question open, such as the answer to an offer, are shown at once.
        """
        while decision in self._handle.open_decisions:
            self._show_prompt()
            coming = self._coming_update()
            self._is_asking = True
            try:
                await asyncio.wait((self._read_task, coming), return_when=asyncio.FIRST_COMPLETED)
            finally:
                self._is_asking = False
            if self._read_task.done():
                return self._take_line()
            if decision not in self._handle.open_decisions or self._handle.is_over:
                break  # `next_update` shows them
            self._coming, update = None, coming.result()
            if update is not None:
                self.show_update(update)
            self.show_agreements()
        if not self._is_taken_back():
            self.print_block("that question is no longer open")
        return None

    def _is_taken_back(self) -> bool:
        """Return whether the newest record takes answers back: its own line says that the question is gone."""
        coming = self._coming.result() if self._coming is not None and self._coming.done() else None
        records = [*self._handle.records[-1:], *([] if coming is None else [coming.record])]
        return any(record.taken_back_to is not None for record in records)

    async def _handle_line(self, line: str, decision: Decision[Any], offered: Sequence[NumberedOption]) -> bool:
        """True when the decision is taken."""
        has_unread = self._pages.has_more
        if self._handle_page_order(line) or self._handle_information_order(line, decision, offered):
            if has_unread:  # what was typed before this page came is no answer to what is on it
                await self._drain_typed_ahead()
            return False
        if has_unread:  # the question may be among it
            self._print_reply(f"not done yet, read this first: {line!r}")
            self._pages.fill_page()
            self._show_prompt()
            return False
        if await self._handle_agreement_order(line):
            return False
        try:
            await self._send_order(decision, line, offered)
        except OrderError as unclear:
            self._last_refusal, self._order_error = None, str(unclear)
            self.print_block(self._order_error)
            return False
        except CommandRefused as refused:
            self._last_refusal, self._order_error = refused, ""
            text = self.ruleset.refusal_text(self._handle.match, self._handle.seat, refused)
            self.print_block("\n".join(filter(None, (f"refused: {text}", self.ruleset.refusal_hint))))
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
            shown = f"refused: {self.ruleset.refusal_text(self._handle.match, self._handle.seat, refused)}"
        except DecisionUnavailable as fault:
            shown = str(fault)
        if shown is None:
            return False
        self._last_doubted = None  # a `yes` that follows is not meant for an order before this one
        if shown:
            self._print_reply(shown)
        return True

    async def _follow_message_order(self, line: str) -> str | None:
        """Write to the other players or to the operators; return what to show then, None for another order."""
        shown = None
        if self._reports is not None:
            shown = await self._reports.follow_order(line, lambda seat: self._seat_label(self._handle.match, seat))
        if shown is None and self._chat is not None:
            shown = await self._chat.follow_order(line)
        return shown

    def _handle_page_order(self, line: str) -> bool:
        """Show the next page on an empty line; False when the line is something else."""
        if line and not (line == "more" and self._pages.has_more):
            return False
        self._pages.fill_page()
        if self._console.screen() is not None:
            self._show_prompt()
        return True

    async def _send_order(self, decision: Decision[Any], line: str, offered: Sequence[NumberedOption]) -> None:
        """Raise OrderError, CommandRefused, DecisionUnavailable."""
        if line.split()[0] == "resign":
            await self._resign(line)
            return
        action = self._confirmed_action(line, decision, offered)
        try:
            await self._handle.act(decision, action)
        except CommandRefused as refused:
            if refused.code != "not_in_control":
                raise
            raise OrderError(CONTROL_HINT) from None

    def _confirmed_action(self, line: str, decision: Decision[Any], offered: Sequence[NumberedOption]) -> Any:
        """Return the action of an order; one in doubt only when it was typed again or confirmed. Raises OrderError."""
        last, self._last_doubted = self._last_doubted, None
        if last is not None and line.lower() in ("yes", "y"):
            return last
        if line.lower() in ("yes", "y"):
            raise OrderError("there is nothing to confirm")
        if line.lower() in self._doubted:  # asked once for each question
            return self._doubted[line.lower()]
        match = self._handle.match
        action = self.ruleset.parse_order(line, match, decision, offered)
        doubt = self.ruleset.doubt_text(line, match, decision, action, offered)
        if doubt:
            self._doubted[line.lower()] = self._last_doubted = action
            raise OrderError(f"{doubt}; `yes` does it")
        return action

    async def _resign(self, line: str) -> None:
        """Raise OrderError, CommandRefused."""
        if line.split() != ["resign", "yes"]:
            raise OrderError("resigning ends the match for you and cannot be taken back: type `resign yes` to do it")
        await self._handle.resign()

    # ------------------------------------------------------------ questions of the player

    def _handle_information_order(
        self, line: str, decision: Decision[Any] | None, offered: Sequence[NumberedOption]
    ) -> bool:
        """Answer what changes nothing; False when it was no such line."""
        verb, _, rest = line.partition(" ")
        lines = self._information_lines(verb, rest.strip(), decision, offered)
        if lines is None:
            return False
        self._print_reply("\n".join(lines))
        return True

    def _information_lines(
        self, verb: str, rest: str, decision: Decision[Any] | None, offered: Sequence[NumberedOption]
    ) -> list[str] | None:
        state, seat = self._handle.state, self._handle.seat
        match verb:
            case "help" | "?":
                messages = [*([CHAT_HELP] if self._chat else []), *([REPORT_HELP] if self._reports else [])]
                return [self.ruleset.help_text, AGREEMENT_HELP, *messages]
            case "options" if offered and decision is not None:
                return self._option_lines(self._handle.match, decision, offered)
            case "more" if offered:
                return [f"  {number}. {choice.text}" for number, choice in with_numbers(offered)]
            case "rules" | "rule":
                return list(self.ruleset.rules_hint(self._command))
            case "why":
                return self._why_lines(rest, offered)
            case "preview" if decision is not None:
                try:
                    return self.ruleset.preview_lines(rest, self._handle.match, decision, offered)
                except OrderError as unclear:
                    return [str(unclear)]
            case "board":
                return self._board_lines(rest)
            case "settings":
                return settings_lines(self._handle.match)
            case _:
                return self.ruleset.answer_information_order(verb, rest, state, seat, self._command)

    def _board_lines(self, rest: str) -> list[str]:
        """Return the table; `board full` is the large one, whatever the size of the screen."""
        match = self._handle.state
        text = "" if match is None else self.ruleset.table_text(match, None if rest else self._console.screen())
        return [text or "the match has not begun yet"]

    def _why_lines(self, name: str, offered: Sequence[NumberedOption]) -> list[str]:
        """Why the last order was refused; with a name, or where none was, why disks and cards are not offered."""
        match, seat = self._handle.match, self._handle.seat
        if self._last_refusal is not None and not name:
            reason = self.ruleset.reason_text(match, seat, self._last_refusal)
            return [f"{self._last_refusal.code}: {reason}", *self.ruleset.rules_hint(self._command)]
        if self._order_error and not name:
            return [f"your last line was not a valid order: {self._order_error}", self.ruleset.why_hint]
        return self.ruleset.unavailable_lines(match, seat, self._unavailable, name, self._command, offered)


def _update_lines(
    ruleset: TerminalRuleset, update: Update, own: Seat | None = None, *, is_short: bool = False
) -> list[str]:
    """Return the lines about an update; for a snapshot, the state of the match. A short opening has no usual option."""
    if not update.is_snapshot:
        opened = [event for event in update.record.events if isinstance(event, MatchOpened)]
        return short_opening_lines(opened[0]) if opened and is_short else ruleset.narrate(update.before, update.record)
    match = update.state
    if update.record.taken_back_to is not None:  # to before what this client knows: the server has sent the match again
        return [f"The match was taken back to record {update.record.taken_back_to}, as all agreed"]
    lines = [ruleset.status_text(match, f"{update.seq} records so far")]
    lines += [_seat_line(ruleset, match, seat, own) for seat, state in enumerate(match.seats) if state.player]
    if match.result is not None:
        lines.append(f"The match is over: winner {ruleset.outcome_text(match, match.result)}")
    return lines


def _seat_line(ruleset: TerminalRuleset, match: Match[Any, Any], seat: Seat, own: Seat | None) -> str:
    mark, name = f"seat {seat_letter(seat)}", ruleset.seat_name(match, seat)
    return f"{mark}{' (you)' * (seat == own)}: {'taken' if name == mark else name}"
