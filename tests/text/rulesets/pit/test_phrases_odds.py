"""The odds of attacks that the terminal shows are those of tests/vectors/small_odds.json, as on the page."""

import json
from fractions import Fraction
from pathlib import Path

import msgspec

from diskwars_protocol.rulesets.pit.actions import Attack
from diskwars_protocol.rulesets.pit.board import PitBoard
from diskwars_text.phrases import percent_text
from diskwars_text.rulesets.pit import phrases

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "small_odds.json").read_text("utf-8"))["pit"]


def test_attacks_take_out_as_often_as_the_engine_rolls_it() -> None:
    """Hits and saves are shown as what a die needs, without a chance."""
    board = msgspec.convert(VECTORS["board"], PitBoard)
    shown = set()
    for row in VECTORS["rows"]:
        attacks = msgspec.convert(row["attacks"], list[Attack])
        text = phrases.odds_text(board, board.fighters[row["fighter"]], attacks)
        chance = percent_text(Fraction(*row["out"]))
        assert text.endswith(f", {chance} to take it out"), row
        shown.add(chance)
    assert len(shown) > 10
