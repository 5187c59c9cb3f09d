"""What the terminal forecasts of moves, reinforcements, shots and fights is what the engine decides."""

import json

from tests.client.rulesets.diskwars.forecast_comparison import COMPARISONS, FILE, compared, random_groups
from tests.effort import count_of
from tests.rows import each_row

FRESH_SEED = 4000


@each_row("kind", sorted(COMPARISONS))
def test_forecasts_are_what_the_engine_decides(kind: str) -> None:
    tally = compared(kind, json.loads(FILE.read_text("utf-8"))[kind])
    assert tally.disagreements == []
    assert tally.rows > tally.open


@each_row("kind", sorted(COMPARISONS))
def test_forecasts_of_fresh_positions_are_what_the_engine_decides(kind: str) -> None:
    assert compared(kind, random_groups(kind, count_of(100, 25), FRESH_SEED)).disagreements == []
