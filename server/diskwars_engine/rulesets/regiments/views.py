"""Views of regiments: what each viewer may know, and boards completed at random (C-29).

Hidden from others are the orders that a seat has locked, and their salt, until all are revealed.
"""

from typing import TypeAlias, assert_never, get_args

from msgspec.structs import replace

from diskwars_engine.ruleset import RandomSource
from diskwars_engine.rulesets.regiments import decisions
from diskwars_protocol.match.ids import ALL, Seat, Viewer
from diskwars_protocol.records.fairness import SALT_BYTES
from diskwars_protocol.records.sealed import HIDDEN, Sealed
from diskwars_protocol.rulesets.regiments import actions, events
from diskwars_protocol.rulesets.regiments.actions import Action, LockOrders, OrderAction, UnitOrder
from diskwars_protocol.rulesets.regiments.board import OrdersLock, RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import OrdersLocked, RegimentsEvent


def view(board: RegimentsBoard, viewer: Viewer) -> RegimentsBoard:
    """Return a board without the orders that other seats have locked."""
    if viewer == ALL or not board.locks:
        return board
    return replace(board, locks=tuple(_view_lock(lock, viewer) for lock in board.locks))


def _view_lock(lock: OrdersLock, viewer: Viewer) -> OrdersLock:
    return lock if lock.seat == viewer else OrdersLock(lock.seat, HIDDEN, HIDDEN)


PublicEvent: TypeAlias = (
    events.RegimentsMatchStarted
    | events.RoundBegan
    | events.PhaseBegan
    | events.SpeedRolled
    | events.TurnOrderSet
    | events.OrdersRevealed
    | events.OrderReplaced
    | events.UnitActed
    | events.UnitMarched
    | events.UnitReformed
    | events.UnitCharged
    | events.FlankTested
    | events.CombatsFixed
    | events.AttacksRolled
    | events.HacksRolled
    | events.ModelsWounded
    | events.UnitDestroyed
    | events.ContactsEnded
    | events.CombatScored
    | events.BreakTested
    | events.FlightBegan
    | events.UnitFled
    | events.UnitRouted
    | events.PursuitRolled
    | events.UnitPursued
    | events.RoutTested
    | events.RallyTested
    | events.UnitRallied
    | events.UnitRedressed
    | events.RoundEnded
    | events.SeatWithdrew
)
"""Event types that everybody may see completely, listed so that a new type needs a decision."""
_PUBLIC_EVENTS = frozenset(get_args(PublicEvent))


def redact(event: RegimentsEvent, viewer: Viewer) -> RegimentsEvent:
    """Replace the parts of an event that a viewer may not see by `HIDDEN`."""
    if type(event) in _PUBLIC_EVENTS:
        return event
    match event:
        case OrdersLocked():
            return event if viewer in (event.seat, ALL) else replace(event, orders=HIDDEN, salt=HIDDEN)
        case _ if isinstance(event, PublicEvent):  # never reached: the set has answered; narrows the type for mypy
            return event
        case _:
            assert_never(event)


def redact_action(action: Action, seat: Seat, viewer: Viewer) -> Action:
    """Hide everything of a lock of orders from other viewers, except that it happened."""
    if viewer in (seat, ALL) or not isinstance(action, LockOrders):
        return action
    return LockOrders(HIDDEN, HIDDEN, HIDDEN)


# ---------------------------------------------------------------- completing a view


def determinize(board: RegimentsBoard, rng: RandomSource) -> RegimentsBoard:
    """Replace hidden orders by random ones that their seats could have locked, and salts by random bytes."""
    if not any(isinstance(lock.orders, Sealed) for lock in board.locks):
        return board
    return replace(board, locks=tuple(_with_random_orders(board, lock, rng) for lock in board.locks))


def _with_random_orders(board: RegimentsBoard, lock: OrdersLock, rng: RandomSource) -> OrdersLock:
    if not isinstance(lock.orders, Sealed):
        return lock
    # A unit whose opponent has resigned since may have had other choices; all that are possible now are plausible.
    units = [board.units[id] for id in board.waiting]
    able = [unit for unit in units if unit.seat == lock.seat and unit.status == "steady"]
    orders = tuple(UnitOrder(unit.id, _random_order(board, unit, rng)) for unit in able)
    salt = "".join(f"{rng.randrange(256):02x}" for _ in range(SALT_BYTES))
    return OrdersLock(lock.seat, orders, salt)


def _random_order(board: RegimentsBoard, unit: Unit, rng: RandomSource) -> OrderAction:
    marches = [actions.March(end.path) for end in decisions.march_ends(board, unit)]
    able: list[OrderAction] = [*decisions.whole_orders(board, unit), *marches]
    return able[rng.randrange(len(able))]
