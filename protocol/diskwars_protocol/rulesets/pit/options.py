"""Options of the pit: what a fighter may do, as cells, targets and weapons."""

from typing import TypeAlias

from msgspec import Struct

from diskwars_protocol.identifiers import IdText
from diskwars_protocol.match.decisions import Options, ParametricOption, Unavailable
from diskwars_protocol.rulesets.pit.actions import Action, Column, FighterId, Row
from diskwars_protocol.schema_types import AtLeastOne


class Cell(Struct, frozen=True, gc=False, order=True):
    """A cell of the field."""

    x: Column
    y: Row


class PitLimits(ParametricOption[Action], frozen=True, gc=False, omit_defaults=True):
    """What one fighter may answer.

    To engage or move: one of `cells`. To declare: `attacks` attacks, each on one of `targets`, with `weapons` that are
    all used at least once.
    """

    fighter: FighterId
    cells: tuple[Cell, ...] = ()
    attacks: AtLeastOne | None = None
    targets: tuple[FighterId, ...] = ()
    weapons: tuple[IdText, ...] = ()


class PitUnavailable(Unavailable, frozen=True, gc=False, omit_defaults=True):
    """Why this fighter cannot do it, or is no target."""

    fighter: FighterId


PitOptions: TypeAlias = Options[Action, PitLimits, PitUnavailable]
