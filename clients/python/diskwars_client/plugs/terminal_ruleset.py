"""Texts and orders of one ruleset in a terminal.

The base class suits every ruleset: options are numbered, and everything is shown as `tag field=value`. A ruleset with a
map, orders and sentences of its own extends it.
"""

import re
from collections.abc import Sequence
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from diskwars_client.terminal_pages import Screen
from diskwars_protocol.match.decisions import Decision, Options, Result
from diskwars_protocol.match.events import MatchOpened
from diskwars_protocol.match.ids import Seat, seat_letter
from diskwars_protocol.match.state import Match, RecordBody
from diskwars_protocol.records.sealed import HIDDEN, Sealed
from diskwars_text.opening_text import opening_lines

GENERIC_HELP_TEXT = """\
a number             choose that option
options, more        what is asked now; every option, one by one
preview ORDER        what an order would do
why                  why the last order was refused, and what is not offered
board, settings, help, quit, resign yes: at any time"""
NOTHING_UNAVAILABLE_TEXT = "nothing was refused, and nothing is left out of the options"
MAX_LISTED_OPTIONS = 10
"""Options that are listed on a screen; `more` shows the others."""
INFORMATION_ORDERS = ("help", "options", "more", "why", "preview", "board", "settings", "quit", "resign yes")
"""Orders that are understood at any time; `resign` asks for the second word."""


MAX_ORDER_LETTERS = 2_000
MAX_ORDER_WORDS = 200
"""More than it takes to deploy the largest army by hand. Names are looked for among all words, which takes long."""
MAX_NUMBER_DIGITS = 9
_LONG_NUMBER = re.compile(rf"[0-9]{{{MAX_NUMBER_DIGITS + 1}}}")


class OrderError(Exception):
    """A line that cannot be understood; the text says what is missing or can be typed instead."""


def check_order_size(line: str) -> None:
    """Check the bounds of a line, its words and its numbers, which the page has too. Raises OrderError."""
    if len(line) > MAX_ORDER_LETTERS or len(line.split()) > MAX_ORDER_WORDS:
        raise OrderError(f"an order has at most {MAX_ORDER_WORDS} words and {MAX_ORDER_LETTERS} letters")
    if _LONG_NUMBER.search(line):
        raise OrderError(f"a number has at most {MAX_NUMBER_DIGITS} digits")


class NumberedOption(Struct, frozen=True):
    """A numbered option: what it says, what it does, and the ruleset's limits that it is an example of, if any.

    `is_minor` marks one that is rarely wanted: a screen shows it on request only. `number` is what a player types for
    it, where that is not its place in the list: a card keeps its number though others have been played.
    """

    text: str
    action: Any
    plan: Any = None
    is_minor: bool = False
    number: int = 0


def with_numbers(offered: Sequence[NumberedOption]) -> list[tuple[int, NumberedOption]]:
    """Return the options, each with the number that a player types for it."""
    return [(option.number or place, option) for place, option in enumerate(offered, 1)]


def find_option(offered: Sequence[NumberedOption], number: int) -> NumberedOption | None:
    """Return the option of a number; a single one also as 1, because nothing else can be meant."""
    choice = dict(with_numbers(offered)).get(number)
    return offered[0] if choice is None and number == 1 and len(offered) == 1 else choice


def numbers_text(offered: Sequence[NumberedOption]) -> str:
    """Return the numbers that may be typed: `a number from 1 to 4`, `1, 3 or 4`, `2`."""
    *others, last = sorted(number for number, _ in with_numbers(offered))
    if others and [*others, last] == list(range(others[0], last + 1)):
        return f"a number from {others[0]} to {last}"
    return f"{', '.join(map(str, others))} or {last}" if others else str(last)


class RefusalReason(Protocol):
    """A reason why something was refused or is not offered."""

    @property
    def code(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def rule(self) -> str | None: ...


class TerminalRuleset:
    """The texts and orders of one ruleset in a terminal."""

    help_text = GENERIC_HELP_TEXT
    information_orders: tuple[str, ...] = INFORMATION_ORDERS
    why_hint = "`why` and a name says why that is not offered"
    refusal_hint = ""
    """A line of help after a refused order."""

    def forced_action(self, decision: Decision[Any], offered: Sequence[NumberedOption]) -> Any:
        """Return the action that answers a question without asking the player; None to ask."""
        return None

    # ------------------------------------------------------------ what has happened

    def narrate(self, before: Match[Any, Any] | None, record: RecordBody[Any, Any, Any]) -> list[str]:
        """Return the lines that tell a record."""
        lines = [line for event in record.events for line in _event_lines(event)]
        if record.result is not None and before is not None:
            lines.append(f"The winner: {self.outcome_text(before, record.result)}")
        return lines

    def begins_round(self, record: RecordBody[Any, Any, Any]) -> bool:
        """Return whether a spectator is shown the map after this record."""
        return False

    def table_text(self, match: Match[Any, Any], screen: Screen | None = None) -> str:
        """Return the table as text, as small as a screen needs it; empty before there is one."""
        return "" if match.board is None else struct_text(match.board)

    def table_moment(self, match: Match[Any, Any], decision: Decision[Any]) -> object:
        """Return what changes when a player needs the table again; None when they do not need it."""
        return match.board

    def seat_name(self, match: Match[Any, Any], seat: Seat) -> str:
        return f"seat {seat_letter(seat)}"

    def status_text(self, match: Match[Any, Any], turn: str) -> str:
        """Return where the match stands and whose turn it is."""
        return turn

    def outcome_text(self, match: Match[Any, Any], result: Result) -> str:
        """Return the winner and the scores."""
        winners = " and ".join(self.seat_name(match, seat) for seat in result.winners) or "nobody"
        return f"{winners} ({result.end_reason}; points {' '.join(map(str, result.scores)) or '-'})"

    def score_text(self, score: int) -> str:
        """Return the score of a seat as players count it, for lists of matches, in which there is no board."""
        return str(score)

    # ------------------------------------------------------------ a question

    def question_text(self, match: Match[Any, Any], decision: Decision[Any]) -> str:
        return f"{self.seat_name(match, decision.seat)}: {struct_text(decision.question)}"

    def numbered_options(
        self, match: Match[Any, Any], decision: Decision[Any], options: Options[Any, Any, Any]
    ) -> list[NumberedOption]:
        """Return the options in the order of their numbers, which begin with 1."""
        listed = [NumberedOption(struct_text(action), action) for action in options.actions]
        return listed + [
            NumberedOption(f"{struct_text(option.example)} (an example)", option.example, option)
            for option in options.parametric
        ]

    def option_lines(
        self, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> list[str]:
        """Return the options as a screen shows them, in few rows; they keep their numbers."""
        main = [(number, choice) for number, choice in with_numbers(offered) if not choice.is_minor]
        shown = main[:MAX_LISTED_OPTIONS] if len(main) > MAX_LISTED_OPTIONS + 1 else main
        lines = [f"  {number}. {choice.text}" for number, choice in shown]
        return lines + more_line(len(offered) - len(shown))

    def doubt_text(
        self, line: str, match: Match[Any, Any], decision: Decision[Any], action: Any, offered: Sequence[NumberedOption]
    ) -> str:
        """Return what would be done and why it is probably not meant; empty for an order that is done at once."""
        return ""

    def preview_lines(
        self, line: str, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> list[str]:
        """Return what an order would do, without doing it. Raises OrderError."""
        if not line:
            raise OrderError("preview what? An order, or the number of an option: `preview 1`")
        action = self.parse_order(line, match, decision, offered)
        texts = [choice.text for choice in offered if choice.action == action]
        return [f"  {texts[0] if texts else struct_text(action)}"]

    def parse_order(
        self, line: str, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> Any:
        """Return the action that a line means. Raises OrderError."""
        option = find_option(offered, int(line)) if line.isdecimal() else None
        if option is None:
            raise OrderError(f"type {numbers_text(offered)}; `help` says more")
        return option.action

    def completions(
        self, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> tuple[list[str], list[str]]:
        """Return the first words of orders that can answer a question, and names that may follow them."""
        return [], []

    # ------------------------------------------------------------ questions of the player

    def answer_information_order(
        self, verb: str, rest: str, match: Match[Any, Any] | None, seat: Seat | None, command: str
    ) -> list[str] | None:
        """Return the answer to an order that only shows something; None for any other order."""
        return None

    def refusal_text(self, match: Match[Any, Any], seat: Seat | None, refusal: RefusalReason) -> str:
        return refusal.text

    def reason_text(self, match: Match[Any, Any], seat: Seat | None, refusal: RefusalReason) -> str:
        """Return the reason of a refusal, with its rule in brackets."""
        return self.refusal_text(match, seat, refusal) + (f" ({refusal.rule})" if refusal.rule else "")

    def rules_hint(self, command: str) -> list[str]:
        """Return the lines that explain how to look up a rule in brackets; empty if there are no rules to show."""
        return []

    def unavailable_lines(
        self,
        match: Match[Any, Any],
        seat: Seat | None,
        unavailable: Sequence[Any],
        name: str,
        command: str,
        offered: Sequence[NumberedOption] = (),
    ) -> list[str]:
        """Return the lines about what is not offered, with reasons; with a name, only what has that name."""
        lines = [f"  {self.reason_text(match, seat, entry)}" for entry in unavailable]
        return [*lines, *self.rules_hint(command)] if lines else [NOTHING_UNAVAILABLE_TEXT]


def more_line(count: int) -> list[str]:
    """Return the line that names how many options are not shown; none if all are."""
    return [f"  {count} more: `more`"] if count else []


def _event_lines(event: Struct) -> list[str]:
    match event:
        case MatchOpened():
            return opening_lines(event)
        case Sealed():
            return ["something hidden"]
        case _:
            return [struct_text(event)]


def struct_text(value: Struct) -> str:
    """Format a struct as `tag field=value ...`; empty fields are left out."""
    shown = [(name, getattr(value, name)) for name in value.__struct_fields__]
    tag = str(value.__struct_config__.tag or type(value).__name__)
    return " ".join([tag, *(f"{name}={_value_text(field)}" for name, field in shown if field not in ("", None))])


def _value_text(value: object) -> str:
    if isinstance(value, Sealed) or value == HIDDEN:
        return "hidden"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
