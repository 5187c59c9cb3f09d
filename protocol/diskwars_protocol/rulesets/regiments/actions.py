"""Settings, questions and actions of regiments."""

from collections.abc import Callable
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.actions import Ready, ReadyQuestion, SeatQuestion, TakeSeat, UnpromptedAction
from diskwars_protocol.records.sealed import Sealed, always_written
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, OptionalHex32, values_of_this_version

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
        str,
        Meta(
            description="which units meet, on which ground, and what decides (C-0, C-32)",
            extra_json_schema=values_of_this_version(
                "field-trial", "barrow-road", "the-farm", "the-fords", "the-relief", "the-pass", "the-road", "the-plain"
            ),
        ),
    ] = always_written("field-trial")
    flank_test: Annotated[
        bool, Meta(description="a unit charged in the flank or rear tests its leadership, or flees (C-2)")
    ] = always_written(True)
    break_die: Annotated[
        BreakDie, Meta(description="what a break test is rolled with: all results alike, or two d6 (C-12)")
    ] = always_written("d12")
    secret_orders: Annotated[
        bool, Meta(description="all orders of a round are locked in secret and revealed together (C-29)")
    ] = always_written(False)


class RegimentsLoadout(Struct, frozen=True, gc=False):
    """Nothing: the scenario gives each side its units."""


# ---------------------------------------------------------------- questions


class OrderQuestion(Struct, frozen=True, gc=False, tag="order"):
    """What does this unit do now?"""

    unit: UnitId


class SecretOrdersQuestion(Struct, frozen=True, gc=False, tag="secret_orders"):
    """C-29: lock an order for each of these units in secret. The lock is made for the step after the match's own."""

    units: tuple[UnitId, ...]


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


class UnitOrder(Struct, frozen=True, gc=False):
    """The order of one unit."""

    unit: UnitId
    order: OrderAction


class LockOrders(Struct, frozen=True, gc=False, omit_defaults=True, tag="lock_orders"):
    """An order for each unit, the salt of their commitment (32 hex digits), and the seat's next nonce or nothing.

    Each lock needs 16 fresh random bytes as its salt: a client that knows the salt finds the orders by trying all
    possible ones. Options name the orders only.
    """

    orders: tuple[UnitOrder, ...] | Sealed
    salt: OptionalHex32 | Sealed = always_written("")
    seat_nonce: OptionalHex32 | Sealed = always_written("")


RegimentsQuestion: TypeAlias = OrderQuestion | SecretOrdersQuestion
RegimentsAction: TypeAlias = OrderAction | LockOrders
Question: TypeAlias = SeatQuestion | ReadyQuestion | RegimentsQuestion
Action: TypeAlias = TakeSeat[RegimentsLoadout] | Ready | UnpromptedAction | RegimentsAction


def with_secrets(action: Action, salt: Callable[[], str], seat_nonce: Callable[[], str]) -> Action:
    """Put a fresh salt and the seat's next nonce into a lock of orders; nothing else carries them."""
    return LockOrders(action.orders, salt(), seat_nonce()) if isinstance(action, LockOrders) else action
