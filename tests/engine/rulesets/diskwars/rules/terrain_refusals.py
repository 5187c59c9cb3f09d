"""Cases for test_refusals.py: actions that terrain makes illegal."""

from collections.abc import Callable

from diskwars_protocol.rulesets.diskwars import actions as a
from tests.engine.rulesets.diskwars.positions import ExpectedRefusal, ScriptedPosition, scripted_position

TerrainRefusalCase = tuple[Callable[[], ScriptedPosition], Callable[[ScriptedPosition], a.Action], ExpectedRefusal]
INCH = 25400

DISKS = """
disk Bows: small, M5 T9, shot 2 dice strength 2 physical to long
disk Mage: small, M5 T9; Magic 2
disk Cart: small, M5 T9; Mobile, shot 1 dice strength 2 physical to long
"""
PIECE_CENTRE = "at (10, 10) (14, 10) (14, 14) (10, 14)"


def position_on_terrain(keyword: str, disks: str) -> Callable[[], ScriptedPosition]:
    """Return a square of ground with a keyword, and disks."""
    return lambda: scripted_position(f"{DISKS}terrain Square {PIECE_CENTRE}; {keyword}\n{disks}").with_card_turn(0)


def position_with_stopped_disk() -> ScriptedPosition:
    table = position_on_terrain("Rough", "A Cart (8.5, 12)\nB Bows (16, 12)")()
    return table.answer(table.move_action("Cart", 0, end=False))


def reinforce(x: float, y: float) -> Callable[[ScriptedPosition], a.Action]:
    """At a place in inches."""
    return lambda t: a.Reinforce(t.number("Cart"), round(x * INCH), round(y * INCH))


WINDMILL_POSITION = "A Bows (12, 12)\nA reserve: Cart\nB Mage (15, 12)"

TERRAIN_CASES: dict[str, TerrainRefusalCase] = {
    "shooting through a wall": (
        position_on_terrain("Blocks Sight", "A Bows (7, 12)\nB Mage (17, 12)"),
        lambda t: t.shoot_action("Bows", "Mage"),
        ExpectedRefusal("no_sight", "R11.1", "$.action.target"),
    ),
    "a focus ability through a wall": (
        position_on_terrain("Blocks Sight", "A Mage (8.8, 12)\nB Bows (15.2, 12)"),
        lambda t: t.focus_action("Mage", "Bows"),
        ExpectedRefusal("no_sight", "R11.1", "$.action.target"),
    ),
    "shooting into a cave from afar": (
        position_on_terrain("Cave", "A Bows (5, 12)\nB Mage (14, 12)"),
        lambda t: t.shoot_action("Bows", "Mage"),
        ExpectedRefusal("bad_target", "R-50", "$.action.target"),
    ),
    "flipping on from rough ground": (
        position_with_stopped_disk,
        lambda t: t.move_action("Cart", 0),
        ExpectedRefusal("wrong_action", "R10.9", "$.action"),
    ),
    "reinforcing beside the windmill": (
        position_on_terrain("Windmill", WINDMILL_POSITION.replace("(15, 12)", "(30, 30)")),
        reinforce(17, 12),
        ExpectedRefusal("outside_zone", "R9.1", "$.action"),
    ),
    "reinforcing onto an enemy at the windmill": (
        position_on_terrain("Windmill", WINDMILL_POSITION),
        reinforce(14, 12),
        ExpectedRefusal("not_legal", "R-51", "$.action"),
    ),
    "reinforcing onto a windmill at the edge, over the edge": (
        lambda: scripted_position(
            f"{DISKS}terrain Mill at (0, 10) (4, 10) (4, 14) (0, 14); Windmill\n"
            "A Bows (3, 12)\nA reserve: Cart\nB Mage (30, 30)"
        ).with_card_turn(0),
        reinforce(0.5, 12),
        ExpectedRefusal("off_field", "R9.6", "$.action"),
    ),
}
