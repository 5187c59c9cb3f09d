"""Ids and names of a match of any ruleset: matches, players, seats, decisions, viewers, and codes."""

from typing import Annotated, NewType, TypeAlias

from msgspec import Meta

from diskwars_protocol.schema_types import OPAQUE_ID_PATTERN, AtLeastZero

MatchId = NewType("MatchId", str)
PlayerId = NewType("PlayerId", str)
DecisionId = NewType("DecisionId", str)
DECISION_ID_PATTERN = "^[1-9][0-9]*[.][0-9]+$"

# Ids in fields with the patterns that the schema states; `schema_types` says why readers do not check them.
MatchIdText: TypeAlias = Annotated[MatchId, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
PlayerIdText: TypeAlias = Annotated[PlayerId, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
DecisionIdText: TypeAlias = Annotated[DecisionId, Meta(extra_json_schema={"pattern": DECISION_ID_PATTERN})]

MAX_SEATS = 4
"""A dice key always takes this many seat nonces."""

EndReason: TypeAlias = Annotated[str, Meta(extra={"content": "EndReason"})]
"""An id from `END_REASONS`, or from those of the ruleset's vocabulary, which refuses others in records and snapshots.

In a list of matches it is not checked: they may be of rulesets that the reader does not know.
"""

RefusalCode: TypeAlias = Annotated[str, Meta(extra={"content": "RefusalCode"})]
"""A key of `REFUSAL_CODES`, or of the refusal codes of the ruleset's vocabulary."""

LoadoutFaultCode: TypeAlias = Annotated[str, Meta(extra={"content": "LoadoutFaultCode"})]
"""One of `loadout_fault_codes` of the ruleset's vocabulary, or a `RefusalCode`."""
Seat: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": MAX_SEATS - 1})]

RulesVersion: TypeAlias = AtLeastZero
"""The version of the rules that decided a record."""
SeatCount: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_SEATS)]
Viewer: TypeAlias = int

PUBLIC: Viewer = -1
"""Somebody without a seat."""

ALL: Viewer = -2
"""Everything, allowed after the end of a match."""

HOUSE = PlayerId("house")
"""The actor that answers for a seat whose time is up. No player has this id."""

Actor: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[a-z][a-z_]{0,31}$"})]
"""The actor, if not the player of a seat: "house", or "opener", who may close a match or kick without a seat in it.

Later versions may know others.
"""
SEAT_LETTERS = "ABCD"


def seat_letter(seat: Seat) -> str:
    """Return what people call a seat."""
    return SEAT_LETTERS[seat]
