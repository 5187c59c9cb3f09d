"""What fights are expected to bring: charges on one board are worth the same by the side that they hit."""

from msgspec.structs import replace

from diskwars_bots.rulesets.regiments.expectations import ChargeValues, charge_value
from diskwars_protocol.rulesets.regiments import position
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from tests.engine.rulesets.regiments.regiments_positions import lay_out, unit


def moved(board: RegimentsBoard, there: Unit) -> RegimentsBoard:
    return replace(board, units=tuple(there if other.id == there.id else other for other in board.units))


def test_kept_value_of_a_charge_is_that_of_every_place_in_the_same_arc() -> None:
    """A charge ends beside the target (C-26), so that of the place before it only the arc bears on the fight."""
    board = lay_out(
        unit("foot", 0, 1, 1, "east"), unit("foot", 1, 5, 5, "west", files=4), unit("horse", 1, 9, 1, "west")
    )
    known, arcs = ChargeValues(board), set()
    for x in range(1, 10):
        for y in range(1, 10):
            there = replace(board.units[0], x=x, y=y)
            for enemy in board.units[1:]:
                if there.cell != enemy.cell:
                    arcs.add((enemy.id, position.charge_arc(there, enemy)))
                    assert known.value(there, enemy) == charge_value(moved(board, there), there, enemy.id)
    assert {arc for id, arc in arcs if id == 1} == {"front", "left", "right", "rear"}
    assert len({known.value(replace(board.units[0], x=x, y=5), board.units[1]) for x in (3, 7)}) == 2
