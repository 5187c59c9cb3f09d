"""The vocabulary of Diskwars: what its records say, and how its board folds."""

from typing import TypeAlias, get_args

from msgspec.structs import replace

from diskwars_protocol.match.history_facts import HistoryFacts
from diskwars_protocol.match.ids import EndReason
from diskwars_protocol.match.state import RecordBody
from diskwars_protocol.match.vocabulary import Vocabulary
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars import board as b
from diskwars_protocol.rulesets.diskwars.actions import Action, DiskwarsSettings, Loadout, Question, with_secrets
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.catalogue import DiskwarsCatalogue
from diskwars_protocol.rulesets.diskwars.events import (
    ActivationBegan,
    BoardEvent,
    EngagementBegan,
    Event,
    RoundBegan,
)
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions
from diskwars_protocol.rulesets.diskwars.position_bounds import BOUNDS
from diskwars_protocol.rulesets.diskwars.refusals import DISKWARS_REFUSAL_CODES, ArmyFaultCode
from diskwars_protocol.rulesets.diskwars.rolls import rolls

DiskwarsBody: TypeAlias = RecordBody[Action, Question, Event | Sealed]
"""A `Sealed` stands for an event that is hidden as a whole."""


def _fold_board(board: Board | None, event: Event | Sealed) -> Board:
    if not b.is_board_event(event):
        raise TypeError(f"{type(event).__name__} is no event of the board")
    return b.fold(board, event)


def _set_cursor(board: Board, cursor: str) -> Board:
    return replace(board, cursor=cursor)


def _army_ids(board: Board) -> tuple[str | None, ...]:
    return tuple(None if side.army is None else side.army.id for side in board.sides)


END_REASONS: tuple[EndReason, ...] = ("elimination", "everybody_eliminated", "initiative", "victory_points")
"""R4.7, R4.8: one seat is left, or none. R4.13: after the last round points decide or, where equal, initiative."""

DISKWARS: Vocabulary[Action, Question, Board] = Vocabulary(
    "diskwars",
    settings=DiskwarsSettings,
    loadout=Loadout,
    action=Action,
    question=Question,
    event=BoardEvent,
    board=Board,
    catalogue=DiskwarsCatalogue,
    options=DiskwarsOptions,
    end_reasons=END_REASONS,
    last_side_reasons=("elimination",),
    refusal_codes=DISKWARS_REFUSAL_CODES,
    loadout_fault_codes=get_args(ArmyFaultCode),
    fold_board=_fold_board,
    set_cursor=_set_cursor,
    with_secrets=with_secrets,
    tuple_labels={"path": ("dx", "dy"), "corners": ("x", "y"), "faces": ("face_0", "face_1")},
    position_bounds=BOUNDS,
    pack_facts=("field", "battle_die", "cards", "profiles", "zones", "layout"),
    history_facts=HistoryFacts(
        {RoundBegan: "round", ActivationBegan: "activation", EngagementBegan: "melee"}, rolls, _army_ids
    ),
)
