"""Cases for test_refusals.py: actions that keywords, abilities and options make illegal."""

from collections.abc import Callable

from msgspec.structs import replace

from diskwars_protocol.rulesets.diskwars import actions as a
from tests.engine.rulesets.diskwars.positions import CHAOS, MISS, ExpectedRefusal, ScriptedPosition, scripted_position

RefusalCase = tuple[Callable[[], ScriptedPosition], Callable[[ScriptedPosition], a.Action], ExpectedRefusal]
INCH = 25400

FLANKING_POSITION = """
zone A (6, 0) to (30, 6) for 2
zone B (6, 30) to (30, 36) for 5
A Orc Boyz (10, 3)
A Big Boss (14, 3)
B Maiden Guard (20, 3)
B Sun Dragon (1.5, 10)
A reserve: Hellstriders, Night Goblins
"""


def flanking_position(**options: object) -> ScriptedPosition:
    table = scripted_position(FLANKING_POSITION)
    return ScriptedPosition(replace(table.board, settings=replace(table.board.settings, **options))).with_card_turn(0)


def reinforce(name: str, x: int, y: int) -> Callable[[ScriptedPosition], a.Action]:
    """At a place in thousandths of an inch."""
    return lambda t: a.Reinforce(t.number(name), x * INCH // 1000, y * INCH // 1000)


def calling_position() -> ScriptedPosition:
    text = "A Kairos Fateweaver (2, 18)\nA reserve: Flamers, Kurgan Marauders\nB Tyrion (6, 18)\nB High Mage (30, 30)"
    table = scripted_position(text).with_card_turn(0)
    return table.answer(table.focus_action("Kairos Fateweaver", ability=1))


def raising_position() -> ScriptedPosition:
    text = (
        "A Raiser (10, 10)\nA reserve: Bones, Flesh\nB Tyrion (30, 30)\ndisk Bones: trait Undead\ndisk Flesh: small\n"
    )
    table = scripted_position(text + "disk Raiser: small, focus reinforce_near short Undead").with_card_turn(0)
    return table.answer(table.focus_action("Raiser"))


def raging_position(where: str = "(14.2, 10)") -> ScriptedPosition:
    text = f"A Hellcannon (10, 10)\nB Tyrion {where}\nB High Mage (30, 10)\nB Sun Dragon (30, 30)"
    table = scripted_position(text).with_card_turn(0)
    return table.answer(table.shoot_action("Hellcannon", "High Mage"), 3, (CHAOS, MISS, MISS))


def crossroads() -> ScriptedPosition:
    """Two disks are nearest, none can be overlapped."""
    text = "A Hellcannon (18, 18)\nB Tyrion (26, 18)\nB Teclis (10, 18)\nB High Mage (18, 34)"
    table = scripted_position(text).with_card_turn(0)
    return table.answer(table.shoot_action("Hellcannon", "High Mage"), 3, (CHAOS, MISS, MISS))


def blessing_position() -> ScriptedPosition:
    """The Saint has landed on somebody, and two of its side can be empowered."""
    text = "A Saint (10, 10)\nA Orc Boyz (10, 13)\nB Teclis (13, 10)\nB Tyrion (30, 30)\n"
    table = scripted_position(text + "disk Saint: small, engage empower medium").with_card_turn(0)
    return table.answer(table.move_action("Saint", 0))


def flip_of(name: str, *degrees: int) -> Callable[[ScriptedPosition], a.Action]:
    return lambda t: t.move_action(name, *degrees)


def choose_disk(name: str) -> Callable[[ScriptedPosition], a.Action]:
    return lambda t: a.UseEngageAbility(t.number(name))


KEYWORD_CASES: dict[str, RefusalCase] = {
    "flanking into an enemy zone": (
        flanking_position,
        reinforce("Hellstriders", 5000, 34875),
        ExpectedRefusal("not_legal", "R9.5", "$.action"),
    ),
    "flanking onto an enemy": (
        flanking_position,
        reinforce("Hellstriders", 1125, 11000),
        ExpectedRefusal("not_legal", "R9.5", "$.action"),
    ),
    "flanking without the keyword": (
        flanking_position,
        reinforce("Night Goblins", 875, 20000),
        ExpectedRefusal("outside_zone", "R9.1", "$.action"),
    ),
    "reinforcing onto an enemy where the match forbids it": (
        lambda: flanking_position(reinforce_onto_enemy=False),
        reinforce("Night Goblins", 20500, 3000),
        ExpectedRefusal("not_legal", "R-11", "$.action"),
    ),
    "reinforcing into a full zone where its value limits it": (
        lambda: flanking_position(reinforce_limit=True),
        reinforce("Night Goblins", 25000, 3000),
        ExpectedRefusal("not_legal", "R-12", "$.action"),
    ),
    "passing another disk than the one that brings in": (
        calling_position,
        lambda t: t.pass_action("Flamers"),
        ExpectedRefusal("wrong_action", "R9.6", "$.action.disk"),
    ),
    "bringing in a disk beyond reach": (
        calling_position,
        reinforce("Flamers", 10000, 18000),
        ExpectedRefusal("out_of_range", "R9.6", "$.action"),
    ),
    "bringing in a disk off the field": (
        calling_position,
        reinforce("Flamers", 500, 18000),
        ExpectedRefusal("off_field", "R9.6", "$.action"),
    ),
    "bringing in a disk onto an enemy": (
        calling_position,
        reinforce("Flamers", 5500, 18000),
        ExpectedRefusal("not_legal", "R9.6", "$.action"),
    ),
    "bringing in a disk of another kind": (
        raising_position,
        reinforce("Flesh", 12000, 10000),
        ExpectedRefusal("not_legal", "R9.6", "$.action.disk"),
    ),
    "a forced flip that overlaps nobody": (
        raging_position,
        flip_of("Hellcannon", 90),
        ExpectedRefusal("illegal_flip", "R12.6", "$.action.path[0]"),
    ),
    "two flips where one is forced": (
        raging_position,
        flip_of("Hellcannon", 0, 0),
        ExpectedRefusal("not_legal", "R12.6", "$.action.path"),
    ),
    "a forced flip past the two disks that are nearest": (
        crossroads,
        flip_of("Hellcannon", 45),
        ExpectedRefusal("illegal_flip", "R12.6", "$.action.path[0]"),
    ),
    "leaving an ability that has to be used": (
        blessing_position,
        lambda t: a.UseEngageAbility(use=False),
        ExpectedRefusal("not_legal", "R19.20", "$.action.use"),
    ),
    "an ability aimed at an enemy whom it cannot help": (
        blessing_position,
        choose_disk("Teclis"),
        ExpectedRefusal("bad_target", "R19.20", "$.action.target"),
    ),
}
