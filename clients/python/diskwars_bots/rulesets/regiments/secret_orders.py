"""Secret orders of bots: each unit gets the order that it would get without secrets."""

from collections.abc import Callable

from diskwars_protocol.match.decisions import Options
from diskwars_protocol.rulesets.regiments.actions import LockOrders, OrderAction, UnitId, UnitOrder
from diskwars_protocol.rulesets.regiments.options import RegimentsOptions


def choose_secret_orders(
    options: RegimentsOptions, choose: Callable[[UnitId, RegimentsOptions], OrderAction]
) -> LockOrders:
    """Return an order for each unit; `choose` gets the unit and its own options."""
    orders = []
    for limits in options.parametric:
        own: RegimentsOptions = Options(limits.orders, (limits,) if limits.ends else ())
        orders.append(UnitOrder(limits.unit, choose(limits.unit, own)))
    return LockOrders(tuple(orders))
