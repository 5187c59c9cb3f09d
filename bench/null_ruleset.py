"""What does our server cost when the rules cost nothing? A ruleset whose `decide` does nothing.

Two seats; the first is asked for ever, and whatever he answers, nothing happens. Registered by `house` only.
"""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from diskwars_engine.ruleset import Dice, Outcome, Words
from diskwars_protocol.match import (
    MatchEvent,
    Options,
    Pack,
    Ready,
    ReadyQuestion,
    ReplaceChain,
    Resign,
    Result,
    SeatQuestion,
    TakeSeat,
    Unavailable,
)


class Settings(Struct, frozen=True):
    pass


class Entry(Struct, frozen=True):
    pass


class AskTick(Struct, frozen=True, tag="ask_tick"):
    pass


class Tick(Struct, frozen=True, tag="tick"):
    """Does nothing, at any length."""

    n: int
    text: str = ""


class Started(Struct, frozen=True, tag="started"):
    pass


class Left(Struct, frozen=True, tag="left"):
    pass


Action: TypeAlias = TakeSeat[Entry] | Ready | Resign | ReplaceChain | Tick
Question: TypeAlias = SeatQuestion | ReadyQuestion | AskTick
BoardEvent: TypeAlias = Started | Left
Event: TypeAlias = MatchEvent[Settings, Action, Entry, Question] | BoardEvent


class Board(Struct, frozen=True):
    is_left: bool = False


class Nothing:
    """Implements `diskwars_engine.ruleset.Ruleset`."""

    name = "nothing"
    words = Words(Settings, Entry, Action, Event)
    seats: Sequence[int] = (2,)
    packs: Sequence[Pack] = ()

    def enter(self, settings: Settings, entry: Entry) -> Entry:
        return entry

    def start(self, settings: Settings, entries: Sequence[Entry], dice: Dice) -> list[BoardEvent]:
        return [Started()]

    def questions(self, board: Board) -> tuple[tuple[int, Question], ...]:
        return ((0, AskTick()),)

    def options(self, board: Board, seat: int, ask: Question) -> Options[Action]:
        return Options((Tick(0),))

    def why_not(self, board: Board, seat: int, ask: Question) -> tuple[Unavailable, ...]:
        return ()

    def default(self, board: Board, seat: int, ask: Question, dice: Dice) -> Action:
        return Tick(0)

    def decide(self, board: Board, seat: int, ask: Question, action: Action, dice: Dice) -> Outcome[Board, Question]:
        return Outcome([], board, self.questions(board))

    def resign(self, board: Board, seat: int, dice: Dice) -> Outcome[Board, Question]:
        return Outcome([Left()], Board(is_left=True), ())

    def apply(self, board: Board | None, event: BoardEvent) -> Board:
        return Board(isinstance(event, Left))

    def view(self, board: Board, viewer: int) -> Board:
        return board

    def redact(self, event: BoardEvent, viewer: int) -> BoardEvent | None:
        return event

    def redact_entry(self, entry: Entry, seat: int, viewer: int) -> Entry:
        return entry

    def redact_action(self, action: Action, seat: int, viewer: int) -> Action:
        return action

    def result(self, board: Board) -> Result | None:
        return Result(None, "left") if board.is_left else None

    def check(self, board: Board) -> list[str]:
        return []
