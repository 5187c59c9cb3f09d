"""Secret orders: locked by every seat for all its units, revealed together, and carried out in turn (C-29, C-30)."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from diskwars_engine.ruleset import Dice, Illegal
from diskwars_engine.rulesets.regiments import decisions, rounds
from diskwars_engine.rulesets.regiments.resolution import Resolution, because
from diskwars_engine.salts import check_salt, hidden_salt
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.sealed import Sealed, if_known
from diskwars_protocol.rulesets.regiments import actions, events, position
from diskwars_protocol.rulesets.regiments.actions import LockOrders, OrderAction, SecretOrdersQuestion, UnitOrder
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.options import OrderLimits, RegimentsOptions, RegimentsUnavailable
from diskwars_protocol.rulesets.regiments.secret_orders import orders_commitment

ORDERS_PLACE = "$.action.orders"

# ---------------------------------------------------------------- options


def options(board: RegimentsBoard, question: SecretOrdersQuestion) -> RegimentsOptions:
    """Return the default orders of all units, and for each unit what it can be given instead. Raises `WorkExceeded`."""
    work = WorkBudget(decisions.MAX_SEARCH_STEPS)
    limits = tuple(_limits(board, question, board.units[id], work) for id in question.units)
    return Options((LockOrders(default_orders(board, question.units)),), limits)


def default_orders(board: RegimentsBoard, units: Sequence[int]) -> tuple[UnitOrder, ...]:
    return tuple(UnitOrder(id, decisions.default_order(board, board.units[id])) for id in units)


def _limits(board: RegimentsBoard, question: SecretOrdersQuestion, unit: Unit, work: WorkBudget) -> OrderLimits:
    """Return the orders of one unit, with an example in which all others have their default."""
    orders = tuple(decisions.whole_orders(board, unit, work.spend))
    ends = decisions.march_ends(board, unit, work.spend)
    work.spend(len(question.units))
    example = actions.March(ends[0].path) if ends else orders[-1]
    others = default_orders(board, question.units)
    given = tuple(UnitOrder(unit.id, example) if unit_order.unit == unit.id else unit_order for unit_order in others)
    points = position.march_points(board, unit) if ends else 0
    return OrderLimits(LockOrders(given), unit.id, points, ends, orders)


def unavailable(board: RegimentsBoard, question: SecretOrdersQuestion) -> Iterator[RegimentsUnavailable]:
    """Explain what each unit cannot do. Raises `WorkExceeded`."""
    work = WorkBudget(decisions.MAX_SEARCH_STEPS)
    for id in question.units:
        for refused in decisions.refused_orders(board, board.units[id], work.spend):
            yield replace(refused, unit=id)


def default(board: RegimentsBoard, seat: Seat, question: SecretOrdersQuestion, dice: Dice) -> LockOrders:
    """Return the default orders with a hidden salt, for a seat whose time has run out."""
    salt = hidden_salt(dice, f"default orders {dice.step + 1} {seat}")
    return LockOrders(default_orders(board, question.units), salt)


# ---------------------------------------------------------------- locking


def lock(resolution: Resolution, seat: Seat, question: SecretOrdersQuestion, action: Any) -> None:
    """Commit a seat to the orders of its units, and reveal all once the last seat has locked (C-29). Raises `Illegal`.

    Orders have to be possible as the field is now, as in a match without secrets.
    """
    if not isinstance(action, LockOrders):
        raise Illegal("wrong_action", "the orders of all units are asked for", "C-29", "$.action")
    orders = _checked_orders(resolution.board, question, action)
    salt = str(action.salt)
    check_salt(salt, resolution.board.revealed_salts)
    resolution.emit_shared(resolution.dice.open_seat_nonce(seat, str(action.seat_nonce)))
    # The commitment names the step that the reveal begins, so it cannot be used again for another round.
    step = resolution.dice.step + 1
    commitment = orders_commitment(resolution.dice.match, step, seat, orders, bytes.fromhex(salt))
    resolution.emit(events.OrdersLocked(seat, step, commitment, orders, salt))
    reveal_if_complete(resolution)
    rounds.play_on(resolution)


def _checked_orders(board: RegimentsBoard, question: SecretOrdersQuestion, action: LockOrders) -> tuple[UnitOrder, ...]:
    """Return the orders, one for each unit of the question. Raises `Illegal`."""
    orders = if_known(action.orders)
    if orders is None or sorted(unit_order.unit for unit_order in orders) != sorted(question.units):
        numbers = {"units": len(question.units), "orders": len(orders or ())}
        raise Illegal("not_legal", "each unit that is asked for gets one order", "C-29", ORDERS_PLACE, numbers)
    for place, unit_order in enumerate(orders):
        try:
            decisions.check_order(board, board.units[unit_order.unit], unit_order.order)
        except Illegal as illegal:
            there = illegal.place.replace("$.action", f"{ORDERS_PLACE}[{place}].order")
            raise Illegal(illegal.code, illegal.text, illegal.rule, there, illegal.numbers) from None
    return orders


# ---------------------------------------------------------------- revealing


def reveal_if_complete(resolution: Resolution) -> None:
    """Reveal all locked orders when no seat has still to lock, and carry them out one after another (C-29)."""
    board = resolution.board
    if not board.locks or rounds.questions(board) or not rounds.has_both_sides(board):
        return
    # Each lock has opened a nonce of its seat, so the dice from here on depend on every player who gave orders.
    resolution.emit_shared(resolution.dice.begin_step())
    revealed = tuple(
        events.RevealedOrders(lock.seat, _known(lock.orders), str(lock.salt))
        for lock in sorted(board.locks, key=lambda lock: lock.seat)
    )
    resolution.emit(events.OrdersRevealed(resolution.dice.step, revealed, because("C-29", seats=len(revealed))))
    orders = {unit_order.unit: unit_order.order for seat in revealed for unit_order in seat.orders}
    while resolution.board.waiting and rounds.has_both_sides(resolution.board):
        unit = resolution.unit(resolution.board.waiting[0])
        if unit.status == "steady":
            _carry_out(resolution, unit, orders[unit.id])
        else:
            rounds.act_without_order(resolution)


def _known(orders: tuple[UnitOrder, ...] | Sealed) -> tuple[UnitOrder, ...]:
    return if_known(orders) or ()


def _carry_out(resolution: Resolution, unit: Unit, locked: OrderAction) -> None:
    order = order_now(resolution.board, unit, locked)
    if order != locked:
        resolution.emit(events.OrderReplaced(unit.id, locked, order, because("C-30")))
    decisions.carry_out(resolution, unit, order)


def order_now(board: RegimentsBoard, unit: Unit, locked: OrderAction) -> OrderAction:
    """Return what becomes of a locked order when the turn of the unit comes (C-30)."""
    if position.is_in_melee(board, unit):
        # charged meanwhile, or still in the melee in which the order was locked
        return locked if isinstance(locked, actions.Fight | actions.Retreat) else actions.Fight()
    match locked:
        case actions.Fight() | actions.Retreat():
            return actions.Hold()
        case actions.March(path=path):
            return _march_as_far_as_free(board, unit, path)
        case actions.Charge(target=target) if decisions.charge_refusal(board, unit, target) is not None:
            return _march_towards(board, unit, target)
        case _:
            return locked


def _march_as_far_as_free(board: RegimentsBoard, unit: Unit, path: tuple[actions.MarchStep, ...]) -> OrderAction:
    """C-30: the march ends before the first step that is not possible."""
    pose: position.Pose = (unit.x, unit.y, unit.facing)
    for place, step in enumerate(path):
        pose = position.after_step(pose, step)
        if decisions.step_refusal(board, unit, pose, place) is not None:
            return actions.March(path[:place]) if place else actions.Hold()
    return actions.March(path)


def _march_towards(board: RegimentsBoard, unit: Unit, target: int) -> OrderAction:
    """C-30: a charge that is not possible becomes a march to the place nearest to its target, best with it in front."""
    enemy = board.units[target]
    if not enemy.is_fielded:
        return actions.Hold()
    start: position.Pose = (unit.x, unit.y, unit.facing)
    paths = {start: (), **position.marches(board, unit)}

    def rank(pose: position.Pose) -> tuple[int, bool, int]:
        there = replace(unit, x=pose[0], y=pose[1], facing=pose[2])
        is_aside = position.arc_of(there, enemy.cell) != "front"
        return position.distance(there.cell, enemy.cell), is_aside, len(paths[pose])

    # of equal ones the first found: a step ahead before a wheel to the left, and that before one to the right
    path = paths[min(paths, key=rank)]
    return actions.March(path) if path else actions.Hold()
