"""The record of a takeback, for tests: no rule makes one yet."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId


def reopened(decisions: Sequence[Decision[Any]], seq: int) -> tuple[Decision[Any], ...]:
    """Return the same questions as decisions that record `seq` opens."""
    return tuple(replace(decision, id=DecisionId(f"{seq}.{slot}")) for slot, decision in enumerate(decisions))
