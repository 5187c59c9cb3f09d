"""The random bot of regiments: any order, any end of a march, so that over many matches everything happens."""

import random
from typing import Any

from diskwars_bots.rulesets.regiments.secret_orders import choose_secret_orders
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.regiments.actions import (
    Action,
    Charge,
    March,
    OrderAction,
    Question,
    SecretOrdersQuestion,
)
from diskwars_protocol.rulesets.regiments.options import OrderLimits, RegimentsOptions

CHARGES_TAKEN = 2
"""One chance to charge in this many is taken at once; otherwise units would seldom meet."""


def choose_random(match: Any, decision: Decision[Question], options: RegimentsOptions, rng: random.Random) -> Action:
    """Choose any legal action."""
    if isinstance(decision.question, SecretOrdersQuestion):
        return choose_secret_orders(options, lambda unit, own: _choose_order(own, rng))
    return _choose_order(options, rng)


def _choose_order(options: RegimentsOptions, rng: random.Random) -> OrderAction:
    orders = [action for action in options.actions if isinstance(action, OrderAction)]
    charges = [order for order in orders if isinstance(order, Charge)]
    if charges and not rng.randrange(CHARGES_TAKEN):
        return rng.choice(charges)
    # A march is as likely as all other orders together: a unit has many ways to reform, and one to march.
    picked: OrderAction | OrderLimits = rng.choice(
        [*orders, *(limits for limits in options.parametric for _ in options.actions)]
    )
    return March(rng.choice(picked.ends).path) if isinstance(picked, OrderLimits) else picked
