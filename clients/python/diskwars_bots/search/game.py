"""The interface between the search and a game: what is worth a look, how roll-outs answer, and what an end is worth."""

import random
from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

from msgspec import Struct

from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.decisions import Decision, Options
from diskwars_protocol.match.ids import Seat

AnyOptions: TypeAlias = Options[Any, Any, Any]
WeighedAnswer: TypeAlias = tuple[int, Any]
"""The value that a game gives an answer without a search, and the answer."""


class Width(Struct, frozen=True):
    """How many answers a search compares at most, and how many of them for one piece, up to a budget.

    A small budget is spent on few answers: each has to be simulated several times before it stands out from luck.
    """

    up_to_ms: int
    answers: int
    per_piece: int


class RollOutPolicy(Protocol):
    """Answers for every seat in one simulation."""

    def choose(self, board: Any, seat: Seat, question: Any, rng: random.Random) -> Any:
        """Return an answer; None for the default of the rules."""


class SecretChoices(Protocol):
    """The choices of a game that seats make at once, none of them knowing another's. Boards here hide nothing."""

    def is_secret(self, question: Any) -> bool:
        """Return whether a question asks for such a choice."""

    def answers(self, board: Any, seat: Seat) -> Sequence[Any]:
        """Return what a seat may choose, or may have chosen; none if there is nothing to choose now."""

    def with_answer(self, board: Any, seat: Seat, answer: Any) -> Any:
        """Return the board on which a seat has chosen an answer, in place of what it may have chosen."""


class SearchGame(Protocol):
    """A game as the search sees it. Nothing here may look at what the seat does not know.

    `widths` are ordered by budget, the last for any larger one; `unsearched` is used without a search, where noise
    picks. `simulation_ms` is the mean duration of a simulation, for budgets that count simulations. `secret_choices`
    is None where seats choose one after another.
    """

    @property
    def widths(self) -> Sequence[Width]: ...

    @property
    def unsearched(self) -> Width: ...

    @property
    def simulation_ms(self) -> float: ...

    @property
    def secret_choices(self) -> SecretChoices | None: ...

    def rules(self) -> AnyRuleset:
        """Return the rules that simulations follow."""

    def is_searched(self, board: Any, question: Any) -> bool:
        """Return whether a decision is worth a search; the others are left to `choose_unsearched`."""

    def is_reviewed(self, board: Any, question: Any) -> bool:
        """Return whether a searched decision is looked at again after a match, which takes many play-outs of it."""

    def choose_unsearched(self, match: Any, decision: Decision[Any], options: AnyOptions, rng: random.Random) -> Any:
        """Return the greedy bot's answer."""

    def choose_unweighed(self, match: Any, decision: Decision[Any], options: AnyOptions, rng: random.Random) -> Any:
        """Return an answer to a decision for which there are no proposals."""

    def is_passing(self, action: Any) -> bool:
        """Return whether an answer leaves a piece idle that could act: a bot for beginners never takes it."""

    def possible_board(self, board: Any, seat: Seat, rng: random.Random) -> Any:
        """Return a board that could be the true one, from what a seat sees; None if none can be made."""

    def proposals(
        self, board: Any, decision: Decision[Any], options: AnyOptions, rng: random.Random, per_piece: int
    ) -> list[WeighedAnswer]:
        """Return the answers worth a look with their values; the greedy bot's has the highest."""

    def seat_count(self, board: Any) -> int:
        """Return how many seats play."""

    def policy(self, board: Any) -> RollOutPolicy:
        """Return who answers in one simulation, which begins at a board."""

    def is_past_horizon(self, first: Any, board: Any) -> bool:
        """Return whether a simulation that began at `first` is far enough at `board`."""

    def value(self, board: Any, seat: Seat, winners: tuple[Seat, ...] | None) -> int:
        """Return the value of a position for a seat; `winners` is None while the match goes on."""
