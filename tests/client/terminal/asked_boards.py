"""Boards with an open question, as a terminal is asked about them, and matches as it narrates them; any ruleset."""

from typing import Any

import pytest
from msgspec import Struct

from diskwars_client.plugs.terminal_ruleset import NumberedOption, OrderError
from diskwars_client.rulesets.registry import find_terminal
from diskwars_protocol.match.decisions import Result
from tests.rulesets.matches import played


class _OnBoard(Struct):
    """All that the terminal reads of a match."""

    board: Any


class _Asked(Struct):
    """All that the terminal reads of a decision."""

    seat: int
    question: Any


class AskedBoard:
    """A board whose first question is asked in a terminal."""

    def __init__(self, rules: Any, board: Any) -> None:
        self._rules, self._board = rules, board
        self._terminal = find_terminal(rules.vocabulary.name)
        self._match: Any = _OnBoard(board)

    @property
    def _asked(self) -> Any:
        return _Asked(*self._rules.questions(self._board)[0])

    def outcome_text(self, result: Result) -> str:
        return self._terminal.outcome_text(self._match, result)

    @property
    def question_text(self) -> str:
        return self._terminal.question_text(self._match, self._asked)

    @property
    def numbered(self) -> list[NumberedOption]:
        offered = self._rules.options(self._board, self._asked.seat, self._asked.question)
        return self._terminal.numbered_options(self._match, self._asked, offered)

    @property
    def option_texts(self) -> list[str]:
        return [option.text for option in self.numbered]

    @property
    def screen_lines(self) -> list[str]:
        """The options as a screen shows them."""
        return self._terminal.option_lines(self._match, self._asked, self.numbered)

    def understood(self, line: str) -> Any:
        """Return the action that a line means."""
        return self._terminal.parse_order(line, self._match, self._asked, self.numbered)

    def misunderstood(self, line: str) -> str:
        """Return why a line means nothing."""
        with pytest.raises(OrderError) as refused:
            self.understood(line)
        return str(refused.value)

    def unavailable_lines(self, name: str = "") -> list[str]:
        """Return the answer to `why`, or `why NAME`."""
        seat = self._asked.seat
        unavailable = self._rules.unavailable(self._board, seat, self._asked.question)
        return self._terminal.unavailable_lines(self._match, seat, unavailable, name, "diskwars")

    def shown(self, order: str, name: str = "") -> list[str] | None:
        """Return the answer to an order that only shows something."""
        return self._terminal.answer_information_order(order, name, self._match, 0, "diskwars")


def played_boards(ruleset: str, players: int) -> list[Any]:
    """Return every board of a match."""
    return [state.board for state in played(ruleset, players, 1).states if state.board is not None]


def narrated(ruleset: str, players: int, seed: int = 1) -> list[str]:
    """Return the lines about a match."""
    match, terminal = played(ruleset, players, seed), find_terminal(ruleset)
    states_before: list[Any] = [None, *match.states]
    return [line for place, body in enumerate(match.bodies) for line in terminal.narrate(states_before[place], body)]
