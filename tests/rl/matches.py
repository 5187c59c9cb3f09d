"""Matches of environments, played at random for tests."""

import random
from collections.abc import Iterator
from typing import Any

from diskwars_protocol.match.ids import Seat
from diskwars_rl.environment_match import EnvironmentMatch

VARIANTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("pit", {}),
    ("close_quarters", {}),
    ("regiments", {}),
    ("regiments", {"secret_orders": True}),
    ("diskwars", {}),
    ("diskwars", {"setup": "full", "regiments": 2}),
)
"""Every ruleset, with the settings that bring secrets or questions of their own."""


def play_at_random(match: EnvironmentMatch, seed: int, decisions: int = 10_000) -> Iterator[Seat]:
    """Begin a match and yield the seat that is asked, before it answers; at the end once more, its first seat."""
    match.reset(seed)
    rng = random.Random(seed)
    for _ in range(decisions):
        if match.is_over:
            yield 0
            return
        seat = next(iter(match.questions))
        yield seat
        match.answer(seat, rng.choice(match.deeds(seat)).action)
