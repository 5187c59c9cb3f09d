"""Settings, questions and actions of regiments."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match import Ready, ReadyQuestion, ReplaceChain, Resign, SeatQuestion, TakeSeat
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero
from diskwars_protocol.sealed import always_written

UnitId: TypeAlias = AtLeastZero
Column: TypeAlias = AtLeastZero
Row: TypeAlias = AtLeastZero
FileCount: TypeAlias = AtLeastOne
MarchStep: TypeAlias = Literal["forward", "left", "right"]
"""A cell ahead, or a wheel by a quarter."""
BreakDie: TypeAlias = Literal["d12", "2d6"]
OrderKind: TypeAlias = Literal["hold", "march", "reform", "charge", "fight", "retreat"]

LONGEST_MARCH = 10


class RegimentsSettings(Struct, frozen=True, gc=False, omit_defaults=True):
    """Options of a match. A record holds all of them."""

    scenario: Annotated[
        Literal["field-trial", "barrow-road"],
        Meta(description="which units meet: the same on both sides, or the living and the dead"),
    ] = always_written("field-trial")
    flank_test: Annotated[
        bool, Meta(description="a unit charged in the flank or rear tests its leadership, or flees (C-2)")
    ] = always_written(True)
    break_die: Annotated[
        BreakDie, Meta(description="what a break test is rolled with: all results alike, or two d6 (C-12)")
    ] = always_written("d12")


class RegimentsLoadout(Struct, frozen=True, gc=False):
    """Nothing: the scenario gives each side its units."""


# ---------------------------------------------------------------- questions


class OrderQuestion(Struct, frozen=True, gc=False, tag="order"):
    """What does this unit do now?"""

    unit: UnitId


# ---------------------------------------------------------------- actions


class Hold(Struct, frozen=True, gc=False, tag="hold"):
    """The unit stays where it is."""


class March(Struct, frozen=True, gc=False, tag="march"):
    """The unit moves by cells ahead and quarter wheels, one point each."""

    path: Annotated[tuple[MarchStep, ...], Meta(min_length=1, max_length=LONGEST_MARCH)]


class Reform(Struct, frozen=True, gc=False, tag="reform"):
    """The unit takes another number of files, in its place."""

    files: FileCount


class Charge(Struct, frozen=True, gc=False, tag="charge"):
    """The unit runs into an enemy."""

    target: UnitId


class Fight(Struct, frozen=True, gc=False, tag="fight"):
    """The unit, in melee, stays in it."""


class Retreat(Struct, frozen=True, gc=False, tag="retreat"):
    """The unit, in melee, flees from it."""


OrderAction: TypeAlias = Hold | March | Reform | Charge | Fight | Retreat
Question: TypeAlias = SeatQuestion | ReadyQuestion | OrderQuestion
Action: TypeAlias = TakeSeat[RegimentsLoadout] | Ready | Resign | ReplaceChain | OrderAction
