"""The odds of attacks that the terminal shows are those of tests/vectors/small_odds.json, as on the page."""

import json
from fractions import Fraction
from pathlib import Path

import msgspec

from diskwars_protocol.rulesets.regiments import actions
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard
from diskwars_text.phrases import percent_text
from diskwars_text.rulesets.regiments import phrases

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "small_odds.json").read_text("utf-8"))["regiments"]


def test_attacks_of_a_charge_wound_as_often_as_the_engine_rolls_it() -> None:
    """The enemy strikes back without a charge. Fights and hacks show the same chances of units that touch."""
    board = msgspec.convert(VECTORS["board"], RegimentsBoard)
    shown = set()
    for unit, target, is_charging, _, *chance in VECTORS["rows"]:
        if is_charging:
            text = phrases.odds_text(board, actions.OrderQuestion(unit), actions.Charge(target))
            own = percent_text(Fraction(*chance))
            assert text.startswith(f"attacks that wound: {own} of yours, "), (unit, target)
            shown.add(own)
    assert len(shown) > 5
