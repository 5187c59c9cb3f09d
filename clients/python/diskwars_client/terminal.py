"""Watching and playing a match in a terminal: plain text with events, a map and a prompt.

Reading and writing lines is left to the console that is passed in.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from diskwars_client.match_handle import ClientError, CommandRefused, DecisionUnavailable, MatchHandle, Update
from diskwars_client.rulesets.registry import find_terminal
from diskwars_client.terminal_ruleset import NumberedOption, OrderError, TerminalRuleset
from diskwars_protocol.match import Decision, Match, ReadyQuestion, Result, seat_letter

READ_AHEAD_LIMIT = 1000
"""Lines that are read ahead."""
IDLE_NOTICE_SECONDS = 1.0
"""Seconds without news before the awaited player is shown."""


class Console(Protocol):
    """Source of typed lines and destination of output."""

    async def read_line(self) -> str | None:
        """Return the next line, also one typed before it was wanted; None at the end of input."""

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
        ruleset = find_terminal(handle.vocabulary.name)
        for line in _update_lines(ruleset, update):
            print_line(line)
        table = ruleset.table_text(update.state)
        if table and (update.is_snapshot or (show_board and ruleset.begins_round(update.record))):
            print_line("\n" + table)
    return handle.match.result


# ---------------------------------------------------------------- playing


async def play_match(handle: MatchHandle, console: Console, command: str = "diskwars") -> Result | None:
    """Tell the match and ask for every decision of the own seat. Take a seat first. Raises TerminalClosed.

    `command` is what somebody types to look a rule up.
    """
    player = _TerminalPlayer(handle, console, command)
    try:
        while (update := await player.next_update()) is not None:
            for line in _update_lines(player.ruleset, update):
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
        self.ruleset: TerminalRuleset = find_terminal(handle.vocabulary.name)
        self._order_error = ""
        self._shown_moment: object = None
        self._last_refusal: CommandRefused | None = None
        self._unavailable: tuple[Any, ...] = ()
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
            names = dict.fromkeys(self.ruleset.seat_name(match, decision.seat) for decision in match.decisions)
            waiting = f"waiting for {' and '.join(names)} …"
            self._console.print_line(waiting)
            self._console.set_status(self.ruleset.status_text(match, waiting))
            self._console.set_completions(self.ruleset.information_orders, ())

    def _take_line(self) -> str:
        """Return the line that was typed and start to read the next one. Raises TerminalClosed."""
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
            self._console.print_line(f"ignored {line!r}: you had not been asked anything yet")
            return
        try:
            await self._resign(line)
        except OrderError as unclear:
            self._console.print_line(str(unclear))
        except (CommandRefused, DecisionUnavailable) as fault:
            self._console.print_line(f"you cannot resign now: {fault}")

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
            await self._handle.ready()
            return
        offered = await self._load_options(decision)
        while offered is not None and decision in self._handle.open_decisions:
            line = await self._wait_line(decision)
            if line is None or await self._handle_line(line, decision, offered):
                break
        self._unavailable = ()

    async def _load_options(self, decision: Decision[Any]) -> list[NumberedOption] | None:
        try:
            options = await self._handle.options(decision, include_unavailable=True)
        except CommandRefused:  # it was taken away meanwhile
            return None
        match = self._handle.match
        await self._drain_typed_ahead()
        self._last_refusal, self._order_error, self._unavailable = None, "", options.unavailable
        self._show_table(match, decision)
        offered = self.ruleset.numbered_options(match, decision, options)
        self._console.print_line("\n" + self.ruleset.question_text(match, decision))
        self._show_options(offered)
        self._console.set_status(self.ruleset.status_text(match, "your turn"))
        verbs, names = self.ruleset.completions(match, decision, offered)
        self._console.set_completions([*verbs, *self.ruleset.information_orders], names)
        return offered

    def _show_options(self, offered: Sequence[NumberedOption]) -> None:
        for number, choice in enumerate(offered, 1):
            self._console.print_line(f"  {number}. {choice.text}")

    def _show_table(self, match: Match[Any, Any], decision: Decision[Any]) -> None:
        """Show the table again when there is something new to see on it."""
        moment = self.ruleset.table_moment(match, decision)
        if moment is not None and moment != self._shown_moment:
            self._console.print_line("\n" + self.ruleset.table_text(match))
            self._shown_moment = moment

    async def _wait_line(self, decision: Decision[Any]) -> str | None:
        """Return the next line; None if the decision is closed before. Raises TerminalClosed."""
        self._console.show_prompt("> ")
        while decision in self._handle.open_decisions:
            news = asyncio.create_task(self._handle.wait_after(self._handle.head))
            try:
                await asyncio.wait((self._read_task, news), return_when=asyncio.FIRST_COMPLETED)
            finally:
                news.cancel()
            if self._read_task.done():
                return self._take_line()
        self._console.print_line("that question is no longer open")
        return None

    async def _handle_line(self, line: str, decision: Decision[Any], offered: Sequence[NumberedOption]) -> bool:
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
            self._console.print_line(
                f"refused: {self.ruleset.refusal_text(self._handle.match, self._handle.seat, refused)}"
            )
            return False
        except DecisionUnavailable:  # somebody else was quicker, or the match is over
            return True
        return True

    async def _send_order(self, decision: Decision[Any], line: str, offered: Sequence[NumberedOption]) -> None:
        """Raise OrderError, CommandRefused, DecisionUnavailable."""
        if line.split()[0] == "resign":
            await self._resign(line)
            return
        await self._handle.act(decision, self.ruleset.parse_order(line, self._handle.match, decision, offered))

    async def _resign(self, line: str) -> None:
        """Raise OrderError, CommandRefused."""
        if line.split() != ["resign", "yes"]:
            raise OrderError("resigning ends the match for you and cannot be taken back: type `resign yes` to do it")
        await self._handle.resign()

    # ------------------------------------------------------------ questions of the player

    def _handle_information_order(self, line: str, offered: Sequence[NumberedOption]) -> bool:
        """Answer what changes nothing; False when it was no such line."""
        verb, _, rest = line.partition(" ")
        match verb:
            case "help" | "?":
                self._console.print_line(self.ruleset.help_text)
            case "options" if offered:
                self._show_options(offered)
            case "rules" | "rule":
                self._console.print_line("\n".join(self.ruleset.rules_hint(self._command)))
            case "why":
                self._console.print_line("\n".join(self._why_lines(rest.strip())))
            case _:
                state, seat = self._handle.state, self._handle.seat
                lines = self.ruleset.answer_information_order(verb, rest.strip(), state, seat, self._command)
                if lines is None:
                    return False
                self._console.print_line("\n".join(lines))
        return True

    def _why_lines(self, name: str) -> list[str]:
        """Why the last order was refused; with a name, or where none was, why disks and cards are not offered."""
        match, seat = self._handle.match, self._handle.seat
        if self._last_refusal is not None and not name:
            reason = self.ruleset.reason_text(match, seat, self._last_refusal)
            return [f"{self._last_refusal.code}: {reason}", *self.ruleset.rules_hint(self._command)]
        if self._order_error and not name:
            return [f"your last line was not a valid order: {self._order_error}"]
        return self.ruleset.unavailable_lines(match, seat, self._unavailable, name, self._command)


def _update_lines(ruleset: TerminalRuleset, update: Update) -> list[str]:
    """Return the lines about an update; for a snapshot, the state of the match."""
    if not update.is_snapshot:
        return ruleset.narrate(update.before, update.record)
    match = update.state
    taken = [seat for seat, seat_state in enumerate(match.seats) if seat_state.player]
    names = [(f"seat {seat_letter(seat)}", ruleset.seat_name(match, seat)) for seat in taken]
    lines = [ruleset.status_text(match, f"{update.seq} records so far")]
    lines += [f"{seat}: {'taken' if name == seat else name}" for seat, name in names]
    if match.result is not None:
        lines.append(f"The match is over: winner {ruleset.outcome_text(match, match.result)}")
    return lines
