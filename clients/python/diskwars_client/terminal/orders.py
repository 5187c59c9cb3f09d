"""Orders about a question: the action of a line, the reason of a refusal, and questions that change nothing."""

from collections.abc import Sequence
from typing import Any

from diskwars_client.errors import CommandRefused
from diskwars_client.match_handle import MatchHandle
from diskwars_client.plugs.terminal_ruleset import NumberedOption, OrderError, check_order_size, with_numbers
from diskwars_client.terminal.agreements import AGREEMENT_HELP
from diskwars_client.terminal.display import Display
from diskwars_protocol.match.decisions import Decision
from diskwars_text.opening_text import settings_lines


class QuestionOrders:
    """Reads the lines that a player types about the open question, and remembers which were in doubt or refused.

    `command` looks a rule up; `message_help` describes the orders that write to other people.
    """

    def __init__(self, handle: MatchHandle, display: Display, command: str, message_help: Sequence[str]) -> None:
        self._handle, self._display, self._ruleset = handle, display, display.ruleset
        self._command, self._message_help = command, message_help
        self._last_refusal: CommandRefused | None = None
        self._order_error = ""
        self._unavailable: tuple[Any, ...] = ()
        self._doubted: dict[str, Any] = {}
        self._last_doubted: Any = None

    def begin_question(self, unavailable: tuple[Any, ...]) -> None:
        """Forget the orders of the last question; `unavailable` is what this one does not offer."""
        self._last_refusal, self._order_error, self._unavailable = None, "", unavailable
        self._doubted.clear()
        self._last_doubted = None

    def end_question(self) -> None:
        self._unavailable = ()

    def forget_doubt(self) -> None:
        """Let a `yes` that follows not be meant for an order before this one."""
        self._last_doubted = None

    def record_error(self, error: OrderError) -> str:
        """Remember a line that was no valid order for `why`; return its text."""
        self._last_refusal, self._order_error = None, str(error)
        return self._order_error

    def record_refusal(self, refused: CommandRefused) -> str:
        """Remember an order that the server refused for `why`; return its text."""
        self._last_refusal, self._order_error = refused, ""
        text = self._ruleset.refusal_text(self._handle.match, self._handle.seat, refused)
        return "\n".join(filter(None, (f"refused: {text}", self._ruleset.refusal_hint)))

    def confirmed_action(self, line: str, decision: Decision[Any], offered: Sequence[NumberedOption]) -> Any:
        """Return the action of an order; one in doubt only when it was typed again or confirmed. Raises OrderError."""
        last, self._last_doubted = self._last_doubted, None
        check_order_size(line)
        if last is not None and line.lower() in ("yes", "y"):
            return last
        if line.lower() in ("yes", "y"):
            raise OrderError("there is nothing to confirm")
        if line.lower() in self._doubted:  # asked once for each question
            return self._doubted[line.lower()]
        match = self._handle.match
        action = self._ruleset.parse_order(line, match, decision, offered)
        doubt = self._ruleset.doubt_text(line, match, decision, action, offered)
        if doubt:
            self._doubted[line.lower()] = self._last_doubted = action
            raise OrderError(f"{doubt}; `yes` does it")
        return action

    def information_lines(
        self, verb: str, rest: str, decision: Decision[Any] | None, offered: Sequence[NumberedOption]
    ) -> list[str] | None:
        """Return the answer to a line that changes nothing; None for any other."""
        state, seat = self._handle.state, self._handle.seat
        try:
            check_order_size(rest)
        except OrderError as unclear:
            # Any other verb writes to somebody, or is an order.
            return [str(unclear)] if verb in ("why", "preview", "board") else None
        match verb:
            case "help" | "?":
                return [self._ruleset.help_text, AGREEMENT_HELP, *self._message_help]
            case "options" if offered and decision is not None:
                return self._display.option_lines(self._handle.match, decision, offered)
            case "more" if offered:
                return [f"  {number}. {choice.text}" for number, choice in with_numbers(offered)]
            case "rules" | "rule":
                return list(self._ruleset.rules_hint(self._command))
            case "why":
                return self._why_lines(rest, offered)
            case "preview" if decision is not None:
                try:
                    return self._ruleset.preview_lines(rest, self._handle.match, decision, offered)
                except OrderError as unclear:
                    return [str(unclear)]
            case "board":
                return self._display.board_lines(rest)
            case "settings":
                return settings_lines(self._handle.match)
            case _:
                return self._ruleset.answer_information_order(verb, rest, state, seat, self._command)

    def _why_lines(self, name: str, offered: Sequence[NumberedOption]) -> list[str]:
        """Return why the last order was refused; with a name, or if none was, why disks and cards are not offered."""
        match, seat = self._handle.match, self._handle.seat
        if self._last_refusal is not None and not name:
            reason = self._ruleset.reason_text(match, seat, self._last_refusal)
            return [f"{self._last_refusal.code}: {reason}", *self._ruleset.rules_hint(self._command)]
        if self._order_error and not name:
            return [f"your last line was not a valid order: {self._order_error}", self._ruleset.why_hint]
        return self._ruleset.unavailable_lines(match, seat, self._unavailable, name, self._command, offered)
