"""The null ruleset: `decide` does nothing, so that only the server is measured.

It has two seats. The first has an open question forever, and its answer changes nothing. Only the measured server
registers it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from diskwars_engine.ruleset import Dice, LoadoutCheck, OpenInformation, Outcome, PositionTerms
from diskwars_protocol.match.actions import Ready, ReadyQuestion, SeatQuestion, TakeSeat, UnpromptedAction
from diskwars_protocol.match.catalogue import CatalogueHead
from diskwars_protocol.match.decisions import Options, Pack, Result, Unavailable
from diskwars_protocol.match.vocabulary import AnyVocabulary, Vocabulary


class NullSettings(Struct, frozen=True):
    pass


class NullLoadout(Struct, frozen=True):
    pass


class TickQuestion(Struct, frozen=True, tag="ask_tick"):
    pass


class Tick(Struct, frozen=True, omit_defaults=True, tag="tick"):
    """An action of any length that does nothing."""

    n: int
    text: str = ""


class NullStarted(Struct, frozen=True, tag="started"):
    pass


class NullSeatLeft(Struct, frozen=True, tag="left"):
    pass


NullAction: TypeAlias = TakeSeat[NullLoadout] | Ready | UnpromptedAction | Tick
NullQuestion: TypeAlias = SeatQuestion | ReadyQuestion | TickQuestion
NullBoardEvent: TypeAlias = NullStarted | NullSeatLeft


class NullBoard(Struct, frozen=True):
    is_over: bool = False


def _fold(board: NullBoard | None, event: NullBoardEvent) -> NullBoard:
    return NullBoard(isinstance(event, NullSeatLeft))


class NullRuleset(OpenInformation):
    """The null ruleset; implements `diskwars_engine.ruleset.Ruleset`."""

    vocabulary: AnyVocabulary = Vocabulary(
        "nothing",
        settings=NullSettings,
        loadout=NullLoadout,
        action=NullAction,
        question=NullQuestion,
        event=NullBoardEvent,
        board=NullBoard,
        catalogue=CatalogueHead,
        end_reasons=("left",),
        last_side_reasons=("left",),
        fold_board=_fold,
    )
    seat_counts: Sequence[int] = (2,)
    rules_version = 1
    packs: Sequence[Pack] = ()
    pack_names: Mapping[str, str] = {}

    def complete_loadout(self, settings: NullSettings, loadout: NullLoadout) -> NullLoadout:
        return loadout

    def catalogue(self) -> CatalogueHead:
        return CatalogueHead((), ())

    def check_loadout(self, settings: NullSettings, loadout: NullLoadout) -> LoadoutCheck:
        return LoadoutCheck(loadout)

    def start(
        self, settings: NullSettings, entries: Sequence[NullLoadout], dice: Dice
    ) -> Outcome[NullBoard, NullQuestion]:
        return Outcome([NullStarted()], NullBoard(), self.questions(NullBoard()))

    def questions(self, board: NullBoard) -> tuple[tuple[int, NullQuestion], ...]:
        return ((0, TickQuestion()),)

    def options(self, board: NullBoard, seat: int, question: NullQuestion) -> Options[NullAction, Any, Any]:
        return Options((Tick(0),))

    def unavailable(self, board: NullBoard, seat: int, question: NullQuestion) -> tuple[Unavailable, ...]:
        return ()

    def default(self, board: NullBoard, seat: int, question: NullQuestion, dice: Dice) -> NullAction:
        return Tick(0)

    def decide(
        self, board: NullBoard, seat: int, question: NullQuestion, action: NullAction, dice: Dice
    ) -> Outcome[NullBoard, NullQuestion]:
        return Outcome([], board, self.questions(board))

    def resign(self, board: NullBoard, seat: int, dice: Dice) -> Outcome[NullBoard, NullQuestion]:
        return Outcome([NullSeatLeft()], NullBoard(is_over=True), ())

    def result(self, board: NullBoard) -> Result | None:
        return Result("left") if board.is_over else None

    def check(self, board: NullBoard) -> list[str]:
        return []

    def check_position(self, board: NullBoard, terms: PositionTerms) -> list[str]:
        return []
