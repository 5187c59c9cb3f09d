"""In which words does a guest read a match? The decoders of each ruleset and its fold, put together for a client.

`RULESETS` is the one place where a ruleset is made known to the client. Must not know sockets, nor how anything is
shown.
"""

from collections.abc import Sequence
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from diskwars_protocol import match as m
from diskwars_protocol.match import BoardFold, Decision, Match, Options
from diskwars_protocol.rulesets.diskwars import board as b
from diskwars_protocol.rulesets.diskwars.actions import Action, Entry, Question, Settings
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import BoardEvent, Event

S = TypeVar("S")
N = TypeVar("N")
A = TypeVar("A")
Q = TypeVar("Q")
E = TypeVar("E")
B = TypeVar("B")


class Words(Generic[S, N, A, Q, E, B]):
    """What one ruleset says, and what it means for a match."""

    def __init__(
        self,
        ruleset: str,
        events: msgspec.json.Decoder[E],
        options: msgspec.json.Decoder[Options[A]],
        decisions: msgspec.json.Decoder[tuple[Decision[Q], ...]],
        fold_board: BoardFold[B, E],
    ) -> None:
        self.ruleset = ruleset
        self._events, self._options, self._decisions = events, options, decisions
        self._fold_board = fold_board

    def read_event(self, body: bytes) -> E:
        """The event of a record. Raises msgspec.ValidationError for one that this version does not know."""
        return self._events.decode(body)

    def read_options(self, raw: bytes) -> Options[A]:
        return self._options.decode(raw)

    def read_decisions(self, raw: bytes) -> tuple[Decision[Q], ...]:
        return self._decisions.decode(raw)

    def fold(self, match: Match[S, N, Q, B] | None, event: E) -> Match[S, N, Q, B]:
        """The match after one more event. Raises `Rewind` on a takeback."""
        return m.fold(match, event, self._fold_board)

    def fold_all(self, events: Sequence[E | None]) -> Match[S, N, Q, B]:
        """The match after a whole log, takebacks and all; None stands for an event that may not be seen."""
        return self._begun(self._on(None, m.without_takebacks(events)))

    def after(
        self, match: Match[S, N, Q, B] | None, events: Sequence[E | None], log: Sequence[E | None]
    ) -> Match[S, N, Q, B]:
        """The match after some more events; `log` is all of it, these included."""
        try:
            return self._begun(self._on(match, events))
        except m.RefoldRequired:
            return self.fold_all(log)

    def _on(self, match: Match[S, N, Q, B] | None, events: Sequence[E | None]) -> Match[S, N, Q, B] | None:
        return m.fold_many(match, [event for event in events if event is not None], self._fold_board)

    def _begun(self, match: Match[S, N, Q, B] | None) -> Match[S, N, Q, B]:
        if match is None:
            raise ValueError("a match has at least one record")
        return match


def _fold_board(board: Board | None, event: Event) -> Board:
    if not isinstance(event, BoardEvent):
        raise TypeError(f"{type(event).__name__} is no event of the board")
    return b.fold(board, event)


DISKWARS: Words[Settings, Entry, Action, Question, Event, Board] = Words(
    "diskwars",
    msgspec.json.Decoder(Event),
    msgspec.json.Decoder(Options[Action]),
    msgspec.json.Decoder(tuple[Decision[Question], ...]),
    _fold_board,
)

AnyWords: TypeAlias = Words[Any, Any, Any, Any, Any, Any]
RULESETS: dict[str, AnyWords] = {known.ruleset: known for known in (DISKWARS,)}
"""Every ruleset that this client can read, by the name that a match gives."""
