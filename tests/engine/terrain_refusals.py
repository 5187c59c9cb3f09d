"""What is illegal because of the ground: cases for test_refusals.py."""

from collections.abc import Callable

from diskwars_protocol.rulesets.diskwars import actions as a
from tests.engine.positions import Refused, Table, lay

Case = tuple[Callable[[], Table], Callable[[Table], a.Action], Refused]
INCH = 25400

DISKS = """
disk Bows: small, M5 T9, shot 2 dice strength 2 physical to long
disk Mage: small, M5 T9; Magic 2
disk Cart: small, M5 T9; Mobile, shot 1 dice strength 2 physical to long
"""
AT = "at (10, 10) (14, 10) (14, 14) (10, 14)"


def ground(keyword: str, disks: str) -> Callable[[], Table]:
    """A square of ground with a keyword, and disks."""
    return lambda: lay(f"{DISKS}terrain Square {AT}; {keyword}\n{disks}").plays(0)


def stopped() -> Table:
    table = ground("Rough", "A Cart (8.5, 12)\nB Bows (16, 12)")()
    return table.answer(table.moves("Cart", 0, end=False))


def reinforce(x: float, y: float) -> Callable[[Table], a.Action]:
    """At a place in inches."""
    return lambda t: a.Reinforce(t.number("Cart"), round(x * INCH), round(y * INCH))


MILL = "A Bows (12, 12)\nA reserve: Cart\nB Mage (15, 12)"

TERRAIN_CASES: dict[str, Case] = {
    "shooting through a wall": (
        ground("Blocks Sight", "A Bows (7, 12)\nB Mage (17, 12)"),
        lambda t: t.shoots("Bows", "Mage"),
        Refused("no_sight", "R11.1", "$.action.target"),
    ),
    "a focus ability through a wall": (
        ground("Blocks Sight", "A Mage (8.8, 12)\nB Bows (15.2, 12)"),
        lambda t: t.focuses("Mage", "Bows"),
        Refused("no_sight", "R11.1", "$.action.target"),
    ),
    "shooting into a cave from afar": (
        ground("Cave", "A Bows (5, 12)\nB Mage (14, 12)"),
        lambda t: t.shoots("Bows", "Mage"),
        Refused("bad_target", "R-50", "$.action.target"),
    ),
    "flipping on from rough ground": (
        stopped,
        lambda t: t.moves("Cart", 0),
        Refused("wrong_action", "R10.9", "$.action"),
    ),
    "reinforcing beside the windmill": (
        ground("Windmill", MILL.replace("(15, 12)", "(30, 30)")),
        reinforce(17, 12),
        Refused("outside_zone", "R9.1", "$.action"),
    ),
    "reinforcing onto an enemy at the windmill": (
        ground("Windmill", MILL),
        reinforce(14, 12),
        Refused("not_legal", "R-51", "$.action"),
    ),
    "reinforcing onto a windmill at the edge, over the edge": (
        lambda: lay(
            f"{DISKS}terrain Mill at (0, 10) (4, 10) (4, 14) (0, 14); Windmill\n"
            "A Bows (3, 12)\nA reserve: Cart\nB Mage (30, 30)"
        ).plays(0),
        reinforce(0.5, 12),
        Refused("off_field", "R9.6", "$.action"),
    ),
}
