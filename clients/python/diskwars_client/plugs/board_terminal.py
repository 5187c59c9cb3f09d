"""A terminal for rulesets with a map and orders by name: a ruleset gives its texts and its orders as tables."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from diskwars_client.plugs.terminal_ruleset import NumberedOption, OrderError, TerminalRuleset, numbers_text
from diskwars_client.terminal_pages import Screen
from diskwars_protocol.match.decisions import Decision, Options, Result
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.state import Match, RecordBody
from diskwars_text.narration import Narration, narrate_record
from diskwars_text.phrases import joined, tag_text

FULL_MAP_ROWS = 60
"""Rows of a screen from which on the large map and the options fit."""


class NamedPieces(Struct, frozen=True):
    """Names that an order may use: the ids of the pieces in play, and the marks and names of all pieces by id."""

    noun: str
    ids: Sequence[int]
    marks: Sequence[str]
    names: Sequence[str]

    def find_all(self, name: str) -> list[int]:
        """Return the pieces with this mark or name; a part of a name is enough."""
        wanted = name.strip().lower()
        exact = [id for id in self.ids if wanted in (self.marks[id].lower(), self.names[id].lower())]
        return exact or [id for id in self.ids if len(wanted) > 1 and wanted in self.names[id].lower()]

    def find_one(self, name: str) -> int:
        """Return the one piece that is called this. Raises OrderError."""
        ids = self.find_all(name)
        if len(ids) == 1:
            return ids[0]
        if not ids:
            raise OrderError(f"no {self.noun} on the map is called {name.strip()!r}; `board` shows marks and names")
        raise OrderError(
            f"{name.strip()!r} may be {joined(self.names[id] for id in ids)}; say more, or the mark on the map"
        )


class BoardTexts(Struct, frozen=True):
    """The texts of a ruleset about its boards. Every function takes a board first."""

    narration: Narration
    draw_map: Callable[[Any], str]
    names: Callable[[Any], Sequence[str]]
    """The names that orders may use, for completion."""
    pieces: Callable[[Any], NamedPieces]
    """The pieces on the map, by their marks and names."""
    piece_text: Callable[[Any, int], str]
    """A piece with its figures and its state."""
    question_text: Callable[[Any, Any], str]
    action_text: Callable[[Any, Any], str]
    odds_text: Callable[[Any, Any, Any], str]
    """The need of the dice of an action, and how likely it is, by the question too; empty where none are rolled."""
    limits_text: Callable[[Any, Any], str]
    """An option with limits: its example, and all that may be chosen instead."""
    subject_text: Callable[[Any, Any], str]
    """The piece or act that is not offered."""
    is_about: Callable[[Any, Any, str], bool]
    """Whether a name refers to what is not offered."""
    round_events: tuple[type[Any], ...]
    """Events after which a spectator is shown the map."""
    draw_small_map: Callable[[Any, int], str] | None = None
    """The map for a screen of few rows and this many columns; None where the usual one is small enough."""
    short_limits_text: Callable[[Any, Any], str] | None = None
    """The limits in one line, for a screen, on which the whole text is shown on request."""


class Order(Struct, frozen=True):
    """A typed order: what follows its verb, and what it answers."""

    board: Any
    question: Any
    rest: str
    offered: Sequence[NumberedOption]


OrderParsers = Mapping[str, Callable[[Order], Any]]
"""By verb: how the action of an order is found. They raise OrderError."""


class BoardTerminal(TerminalRuleset):
    """The texts and orders of a ruleset that has a map. Orders are found by their first word."""

    texts: BoardTexts
    orders: ClassVar[OrderParsers]
    information_orders: tuple[str, ...] = (
        "help",
        "options",
        "more",
        "why",
        "show",
        "preview",
        "board",
        "settings",
        "quit",
        "resign yes",
    )
    refusal_hint = "`more` lists all that may be chosen"

    def narrate(self, before: Match[Any, Any] | None, record: RecordBody[Any, Any, Any]) -> list[str]:
        return narrate_record(self.texts.narration, before, record)

    def begins_round(self, record: RecordBody[Any, Any, Any]) -> bool:
        return any(isinstance(event, self.texts.round_events) for event in record.events)

    def table_text(self, match: Match[Any, Any], screen: Screen | None = None) -> str:
        if match.board is None:
            return ""
        if screen is not None and screen.rows < FULL_MAP_ROWS and self.texts.draw_small_map is not None:
            return self.texts.draw_small_map(match.board, screen.columns)
        return self.texts.draw_map(match.board)

    def outcome_text(self, match: Match[Any, Any], result: Result) -> str:
        return self.texts.narration.outcome_text(match, result)

    def question_text(self, match: Match[Any, Any], decision: Decision[Any]) -> str:
        question = decision.question
        text = tag_text(question) if match.board is None else self.texts.question_text(match.board, question)
        return f"{self.seat_name(match, decision.seat)}: {text}"

    def numbered_options(
        self, match: Match[Any, Any], decision: Decision[Any], options: Options[Any, Any, Any]
    ) -> list[NumberedOption]:
        board = match.board
        if board is None:
            return super().numbered_options(match, decision, options)
        listed = [NumberedOption(self._option_text(board, decision, action), action) for action in options.actions]
        return listed + [
            NumberedOption(self.texts.limits_text(board, limits), limits.example, limits)
            for limits in options.parametric
        ]

    def option_lines(
        self, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> list[str]:
        board, short_text = match.board, self.texts.short_limits_text
        if board is None or short_text is None:
            return super().option_lines(match, decision, offered)
        short = [
            option if option.plan is None else replace(option, text=short_text(board, option.plan))
            for option in offered
        ]
        is_shortened = any(brief.text != other.text for brief, other in zip(short, offered, strict=True))
        return super().option_lines(match, decision, short) + ["  all that may be chosen: `more`"] * is_shortened

    def _option_text(self, board: Any, decision: Decision[Any], action: Any) -> str:
        text, odds = self.texts.action_text(board, action), self.texts.odds_text(board, decision.question, action)
        return f"{text} ({odds})" if odds else text

    def parse_order(
        self, line: str, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> Any:
        verb, _, rest = line.strip().partition(" ")
        parse = self.orders.get(verb.lower())
        if match.board is None or (parse is None and verb.isdecimal()):
            return super().parse_order(line, match, decision, offered)
        if parse is None:
            verbs = [word for word in self.orders if any(option.text.startswith(word) for option in offered)]
            words = f", or one of {joined(f'`{word}`' for word in verbs)}" if verbs else ""
            raise OrderError(f"{verb!r} is no order here: type {numbers_text(offered)}{words}; `help` explains")
        return parse(Order(match.board, decision.question, rest.strip(), offered))

    def preview_lines(
        self, line: str, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> list[str]:
        if not line or match.board is None:
            return super().preview_lines(line, match, decision, offered)
        action = self.parse_order(line, match, decision, offered)
        return [f"  {self._option_text(match.board, decision, action)}"]

    def completions(
        self, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> tuple[list[str], list[str]]:
        verbs = [option.text.partition(" ")[0].rstrip(":") for option in offered]
        return list(dict.fromkeys(verbs)), [] if match.board is None else list(self.texts.names(match.board))

    def answer_information_order(
        self, verb: str, rest: str, match: Match[Any, Any] | None, seat: Seat | None, command: str
    ) -> list[str] | None:
        if verb != "show":
            return None
        if match is None or match.board is None:
            return ["the match has not begun yet"]
        pieces = self.texts.pieces(match.board)
        ids = pieces.find_all(rest) if rest else pieces.ids
        lines = [f"  {pieces.marks[id]} {self.texts.piece_text(match.board, id)}" for id in ids]
        return lines or [f"nothing on the map is called {rest!r}; `board` shows marks and names"]

    def rules_hint(self, command: str) -> list[str]:
        return [f"rules are in brackets: `{command} rules ID`, in another terminal, prints one"]

    def unavailable_lines(
        self,
        match: Match[Any, Any],
        seat: Seat | None,
        unavailable: Sequence[Any],
        name: str,
        command: str,
        offered: Sequence[NumberedOption] = (),
    ) -> list[str]:
        """Return what is not offered, with the reasons."""
        board = match.board
        if board is None or not unavailable:
            return super().unavailable_lines(match, seat, unavailable, name, command, offered)
        lines = [
            f"  {self.texts.subject_text(board, entry)}: {self.reason_text(match, seat, entry)}"
            for entry in unavailable
            if not name or self.texts.is_about(board, entry, name)
        ]
        if not lines:
            return [f"{name!r} is not left out of the options, which `more` lists"]
        return [*lines, *self.rules_hint(command)]


def offered_limits(order: Order, kind: type[Any]) -> Any:
    """Return the limits of this type among the options; None if there are none."""
    return next((option.plan for option in order.offered if isinstance(option.plan, kind)), None)
