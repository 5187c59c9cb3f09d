"""Orders that a seat has locked in secret, and checks of what the server publishes about them."""

from typing import Any

from diskwars_client.seat_secrets import BrokenPromise
from diskwars_protocol.match.ids import MatchId, Seat
from diskwars_protocol.records.sealed import if_known
from diskwars_protocol.rulesets.regiments.actions import LockOrders
from diskwars_protocol.rulesets.regiments.events import OrdersLocked, OrdersRevealed, RevealedOrders
from diskwars_protocol.rulesets.regiments.secret_orders import orders_commitment


class OrderPromises:
    """The commitments of the orders that one seat has sent, by step."""

    def __init__(self, match: MatchId) -> None:
        self._match = match
        self.commitments: dict[int, set[str]] = {}

    def record(self, seat: Seat, step: int, action: Any) -> None:
        """Remember a lock that is about to be sent. One that is refused binds nobody, so others may follow."""
        if isinstance(action, LockOrders):
            orders, salt = if_known(action.orders) or (), bytes.fromhex(str(action.salt))
            commitment = orders_commitment(self._match, step, seat, orders, salt)
            self.commitments.setdefault(step, set()).add(commitment)

    def forget(self, step: int) -> None:
        self.commitments.pop(step, None)

    def check(self, seat: Seat, event: Any) -> None:
        """Compare an event with what the seat has locked. Raises BrokenPromise."""
        match event:
            case OrdersLocked() if event.seat == seat and event.step in self.commitments:
                if event.commitment not in self.commitments[event.step]:
                    raise BrokenPromise(
                        f"step {event.step}: the server has published another commitment than this seat made; "
                        "its orders may have been swapped"
                    )
            case OrdersRevealed() if event.step in self.commitments:
                for shown in event.locks:
                    if shown.seat == seat:
                        self._check_orders(event.step, shown)
            case _:
                pass  # nothing in it was this seat's to promise

    def _check_orders(self, step: int, shown: RevealedOrders) -> None:
        salt = bytes.fromhex(shown.salt)
        if orders_commitment(self._match, step, shown.seat, shown.orders, salt) not in self.commitments[step]:
            raise BrokenPromise(f"step {step}: the server has revealed orders that this seat did not lock")
