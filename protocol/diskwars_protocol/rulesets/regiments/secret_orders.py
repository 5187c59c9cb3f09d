"""Secret orders of regiments: the commitment that binds a seat to what it has locked (C-29)."""

from collections.abc import Iterable

from diskwars_protocol.match.ids import MatchId, Seat
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.fairness import secret_commitment
from diskwars_protocol.rulesets.regiments.actions import UnitOrder

_ORDERS_TAG = b"regiments secret orders 1"


def orders_commitment(match: MatchId, step: int, seat: Seat, orders: Iterable[UnitOrder], salt: bytes) -> str:
    """Compute the commitment to locked orders, which are hashed as canonical JSON."""
    text = encode_canonical(list(orders)).decode()
    return secret_commitment(_ORDERS_TAG, match, step, seat, text, salt)
