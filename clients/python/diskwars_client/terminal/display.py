"""Everything that a player sees in a terminal: news, the table, questions, and for whom the match waits."""

from collections.abc import Mapping, Sequence
from typing import Any

from diskwars_client.match_handle import MatchHandle
from diskwars_client.plugs.terminal_ruleset import NumberedOption, TerminalRuleset, with_numbers
from diskwars_client.rulesets.registry import find_terminal
from diskwars_client.terminal.agreements import AGREEMENT_ORDERS, agreement_hint, control_hint
from diskwars_client.terminal.chat import CHAT_ORDERS
from diskwars_client.terminal.console import Console
from diskwars_client.terminal.presence import Presence
from diskwars_client.terminal.reports import REPORT_ORDERS
from diskwars_client.terminal_pages import MORE_TEXT, Pages
from diskwars_client.updates import Update
from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.events import MatchOpened
from diskwars_protocol.match.ids import Seat, seat_letter
from diskwars_protocol.match.state import Match
from diskwars_text.opening_text import short_opening_lines

PLAYER_ORDERS = (*AGREEMENT_ORDERS, *CHAT_ORDERS, *REPORT_ORDERS)
"""Orders that concern the other players and not the board."""


class Display:
    """Prints on a console, page by page where it has a screen, and remembers what has been shown.

    `players` names the players of some seats, `presence` those of the others who are connected.
    """

    def __init__(
        self, handle: MatchHandle, console: Console, players: Mapping[Seat, str], presence: Presence | None
    ) -> None:
        self._handle, self._console, self._players, self._presence = handle, console, players, presence
        self.pages = Pages(console.print_line, console.screen)
        self.ruleset: TerminalRuleset = find_terminal(handle.vocabulary.name)
        self.is_asking = False
        """A question waits for a line, so that news take the place of its prompt."""
        self._shown_moment: object = None
        self._shown_hint = ""
        self._is_introduced = False

    @property
    def has_screen(self) -> bool:
        return self._console.screen() is not None

    def show_update(self, update: Update) -> None:
        """Tell what has happened; on a screen the settings that are usual are left out, and a return shows the map."""
        is_on_screen = self.has_screen
        for line in update_lines(self.ruleset, update, self._handle.seat, is_short=is_on_screen):
            self.print_block(line)
        if update.is_snapshot and is_on_screen and update.state.board is not None:
            own = [decision for decision in update.state.decisions if decision.seat == self._handle.seat]
            self._shown_moment = self.ruleset.table_moment(update.state, own[0]) if own else None
            self.print_block(self.ruleset.table_text(update.state, self._console.screen()))

    def show_rest(self) -> None:
        """Print what is left to read when the match is over: nothing is asked after it."""
        self.pages.print_rest()

    def print_block(self, text: str) -> None:
        """Print a text on this page if there is room, otherwise on a later one."""
        self.pages.print_block(text)
        # On a screen the prompt says whether there is more; elsewhere news have just taken its place.
        if self.has_screen or self.is_asking:
            self.show_prompt()

    def print_reply(self, text: str) -> None:
        """Print the answer to what was just typed: at once, also where news wait to be read."""
        self.pages.print_reply(text)
        if self.has_screen:
            self.show_prompt()

    def show_agreements(self) -> None:
        """Say once what is offered to the player, that the match is paused, and that it is played elsewhere."""
        hints = (control_hint(self._handle), agreement_hint(self._handle.match, self._handle.seat))
        hint = "\n".join(filter(None, hints))
        if hint and hint != self._shown_hint:
            self.print_block(hint)
        self._shown_hint = hint

    def show_prompt(self) -> None:
        self._console.show_prompt(f"{MORE_TEXT} " if self.pages.has_more else "> ")

    def show_page(self) -> None:
        """Print the next page, and the prompt that follows it."""
        self.pages.fill_page()
        if self.has_screen:
            self.show_prompt()

    def show_question(self, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]) -> None:
        """Print the table if it has changed, the question and its options, and ring the bell."""
        self._introduce_seats(match, decision.seat)
        table = self._new_table(match, decision)
        if table:
            self.print_block(table if self.has_screen else f"\n{table}")
        question = [self.ruleset.question_text(match, decision), *self.option_lines(match, decision, offered)]
        self.print_block("\n".join(question if table and self.has_screen else ["", *question]))
        self._console.set_status(self.ruleset.status_text(match, "your turn"))
        verbs, names = self.ruleset.completions(match, decision, offered)
        self._console.set_completions([*verbs, *self.ruleset.information_orders, *PLAYER_ORDERS], names)
        self._console.ring_bell()

    def _introduce_seats(self, match: Match[Any, Any], own: Seat) -> None:
        """Say once, before the first question, which side is the player's and who plays the others."""
        if self._is_introduced or match.board is None:
            return
        self._is_introduced = True
        others = [
            self.seat_label(match, seat) for seat, state in enumerate(match.seats) if seat != own and state.player
        ]
        name, letter = self.ruleset.seat_name(match, own), f"seat {seat_letter(own)}"
        side = letter if name == letter else f"{name}, {letter},"
        self.print_block(f"You play {side} against {' and '.join(others)}")

    def option_lines(
        self, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> list[str]:
        """Return the options: all of them one by one, or on a screen the main ones, grouped to save its rows."""
        if not self.has_screen:
            return [f"  {number}. {choice.text}" for number, choice in with_numbers(offered)]
        return self.ruleset.option_lines(match, decision, offered)

    def _new_table(self, match: Match[Any, Any], decision: Decision[Any]) -> str:
        """Return the table when there is something new to see on it; otherwise nothing."""
        moment = self.ruleset.table_moment(match, decision)
        if moment is None or moment == self._shown_moment:
            return ""
        self._shown_moment = moment
        return self.ruleset.table_text(match, self._console.screen())

    def board_lines(self, rest: str) -> list[str]:
        """Return the table; `board full` is the large one, whatever the size of the screen."""
        match = self._handle.state
        text = "" if match is None else self.ruleset.table_text(match, None if rest else self._console.screen())
        return [text or "the match has not begun yet"]

    def show_waiting_notice(self, quiet: int, seconds: float) -> None:
        """Say for whom the match waits: on a screen in its lowest line, with the seconds, elsewhere once.

        `quiet` counts how often nothing has come, each time within `seconds`.
        """
        match = self._handle.state
        if match is None or not match.decisions:
            return
        names = dict.fromkeys(self.seat_label(match, decision.seat) for decision in match.decisions)
        waiting = f"waiting for {' and '.join(names)} …"
        if not self.has_screen and quiet == 1:
            self.print_block(waiting)
        waited = f" {round(quiet * seconds)} s" if quiet > 1 else ""
        watchers = f" · {self._handle.watchers} watching" if self._handle.watchers else ""
        self._console.set_status(self.ruleset.status_text(match, waiting + waited + watchers))
        self._console.set_completions([*self.ruleset.information_orders, *PLAYER_ORDERS], ())

    def seat_label(self, match: Match[Any, Any], seat: Seat) -> str:
        """Return the side of a seat with the player or the bot that plays it, where either is known."""
        name, player_id = self.ruleset.seat_name(match, seat), match.seats[seat].player
        bot = bot_name(player_id)
        player = self._players.get(seat, "") if bot is None else f"{bot} bot"
        if not player and player_id and self._presence is not None:
            player = self._presence.player_text(player_id)
        return f"{name} ({player})" if player else name


def update_lines(
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
