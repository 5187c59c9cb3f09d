"""One match in memory, of any ruleset: without sockets, store or clock.

Simulation, tests, benchmarks and offline play drive it. Secrets, time and choosers are handed in, so that a seed plays
the same match again, byte for byte.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Generic, TypeAlias, TypeVar

from diskwars_engine.match import Command, MatchOpening, MatchOutcome, MatchRules
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import Ready, ReadyQuestion, SeatQuestion, TakeSeat
from diskwars_protocol.match.decisions import Decision, Options
from diskwars_protocol.match.ids import DecisionId, PlayerId, Seat
from diskwars_protocol.match.state import Match, RecordBody, chain_head
from diskwars_protocol.records.fairness import SALT_BYTES, SEAT_CHAIN_LENGTH, SEAT_LINK_BYTES, Entropy, SeatChain

A = TypeVar("A")
Q = TypeVar("Q")
B = TypeVar("B")

LocalChooser: TypeAlias = Callable[[Match[Q, B], Decision[Q], Options[A, Any, Any]], A]
"""Chooses from the match as its seat may know it. A secret answer is returned without salt and nonce."""


class LocalSeat:
    """The player of one seat with their secrets: a hash chain and salts."""

    def __init__(self, player: PlayerId, loadout: Any, entropy: Entropy) -> None:
        self.player, self.loadout, self._entropy = player, loadout, entropy
        chain = SeatChain(entropy(SEAT_LINK_BYTES))
        nonces = [chain.link(number).hex() for number in range(SEAT_CHAIN_LENGTH + 1)]
        self.head = nonces[0]
        self._next_nonces = dict(pairwise(nonces))

    def salt(self) -> str:
        """Draw a fresh salt."""
        return self._entropy(SALT_BYTES).hex()

    def next_nonce(self, opened: str) -> str:
        """Return the nonce that opens after `opened`, the one before it or the head; empty at the end of the chain."""
        return self._next_nonces.get(opened, "")


class IllegalAnswer(Exception):
    """A chooser has answered what the rules refuse."""

    def __init__(self, decision: Decision[Any], action: Any, illegal: Illegal) -> None:
        super().__init__(f"seat {decision.seat} answered {type(action).__name__}, which is refused: {illegal}")
        self.decision, self.action, self.illegal = decision, action, illegal


class LocalMatch(Generic[A, Q, B]):
    """A match under way between seats in this process. `records` holds every record so far, `match` the whole state."""

    def __init__(
        self,
        rules: MatchRules[A, Q, B],
        opening: MatchOpening,
        secrets: MatchSecrets,
        seats: Sequence[LocalSeat],
        clock: Callable[[], int] = lambda: 0,
    ) -> None:
        self.rules, self.secrets, self.seats = rules, secrets, seats
        self.clock = clock
        self.lag_ms = 0
        """The lag that a server would measure on the connection of the next player who answers."""
        opened = rules.open(opening, secrets)
        self.records: list[RecordBody[A, Q, Any]] = [opened.body]
        self.match: Match[Q, B] = opened.match
        self._dice = opened.dice

    @property
    def events(self) -> list[Any]:
        """The events of all records so far."""
        return [event for body in self.records for event in body.events]

    @property
    def is_over(self) -> bool:
        return self.match.status == "ended"

    def decide(self, player: PlayerId, decision: DecisionId | None, action: A) -> MatchOutcome[A, Q, B]:
        """Return the record that a command would make and the match after it; changes nothing. Raises `Illegal`."""
        command = Command(player, decision, action, self.clock(), lag_ms=self.lag_ms)
        return self.rules.decide(self.match, len(self.records), command, self.secrets, self._dice, self.records)

    def commit(self, outcome: MatchOutcome[A, Q, B]) -> RecordBody[A, Q, Any]:
        """Go on with what was decided."""
        self.match, self._dice = outcome.match, outcome.dice
        self.records.append(outcome.body)
        return outcome.body

    def answer(self, decision: Decision[Q], action: A) -> RecordBody[A, Q, Any]:
        """Answer a decision for its seat, with the seat's own salt and nonce where they belong. Raises `Illegal`."""
        player = self.seats[decision.seat].player
        return self.commit(self.decide(player, decision.id, self.with_secrets(decision.seat, action)))

    def with_secrets(self, seat: Seat, action: A) -> A:
        """Return the action as the seat would send it."""
        completed: A = self.rules.vocabulary.with_secrets(action, self.seats[seat].salt, lambda: self.next_nonce(seat))
        return completed

    def next_nonce(self, seat: Seat) -> str:
        """Return the nonce that the seat opens next."""
        return self.seats[seat].next_nonce(chain_head(self.match.seats[seat]))

    def begin(self) -> Iterator[RecordBody[A, Q, Any]]:
        """All take their seats and are ready: the first question of the board is open."""
        while self.match.status == "open":
            decision = self.match.decisions[0]
            yield self.answer(decision, self._opening_answer(decision))

    def _opening_answer(self, decision: Decision[Q]) -> Any:
        match decision.question:
            case SeatQuestion():
                return TakeSeat(self.seats[decision.seat].head, self.seats[decision.seat].loadout)
            case ReadyQuestion():
                return Ready(self.next_nonce(decision.seat))
            case _:
                raise TypeError(f"{type(decision.question).__name__} is no question before a match begins")

    def play(self, choosers: Sequence[LocalChooser[Q, B, A]]) -> Iterator[RecordBody[A, Q, Any]]:
        """Play on to the end, the choosers answering for their seats: the record of each action in turn.

        Raises IllegalAnswer when a chooser answers what is refused.
        """
        yield from self.begin()
        while not self.is_over:
            decision = self.match.decisions[0]
            view, options = self.rules.view(self.match, decision.seat), self.rules.options(self.match, decision)
            action = choosers[decision.seat](view, decision, options)
            try:
                yield self.answer(decision, action)
            except Illegal as illegal:
                raise IllegalAnswer(decision, action, illegal) from illegal

    def broken_invariants(self) -> list[str]:
        """Return the invariants of the ruleset that do not hold now, in words."""
        return [] if self.match.board is None else self.rules.ruleset.check(self.match.board)
