"""What is illegal where keywords, abilities and options have a say: cases for test_refusals.py."""

from collections.abc import Callable

from msgspec.structs import replace

from diskwars_protocol.rulesets.diskwars import actions as a
from tests.engine.positions import CHAOS, MISS, Refused, Table, lay

Case = tuple[Callable[[], Table], Callable[[Table], a.Action], Refused]
INCH = 25400

FLANKING = """
zone A (6, 0) to (30, 6) for 2
zone B (6, 30) to (30, 36) for 5
A Orc Boyz (10, 3)
A Big Boss (14, 3)
B Maiden Guard (20, 3)
B Sun Dragon (1.5, 10)
A reserve: Hellstriders, Night Goblins
"""


def flanking(**options: object) -> Table:
    table = lay(FLANKING)
    return Table(replace(table.board, settings=replace(table.board.settings, **options))).plays(0)


def reinforce(name: str, x: int, y: int) -> Callable[[Table], a.Action]:
    """At a place in thousandths of an inch."""
    return lambda t: a.Reinforce(t.number(name), x * INCH // 1000, y * INCH // 1000)


def calling() -> Table:
    text = "A Kairos Fateweaver (2, 18)\nA reserve: Flamers, Kurgan Marauders\nB Tyrion (6, 18)\nB High Mage (30, 30)"
    table = lay(text).plays(0)
    return table.answer(table.focuses("Kairos Fateweaver", ability=1))


def raising() -> Table:
    text = (
        "A Raiser (10, 10)\nA reserve: Bones, Flesh\nB Tyrion (30, 30)\ndisk Bones: trait Undead\ndisk Flesh: small\n"
    )
    table = lay(text + "disk Raiser: small, focus reinforce_by short Undead").plays(0)
    return table.answer(table.focuses("Raiser"))


def raging(where: str = "(14.2, 10)") -> Table:
    text = f"A Hellcannon (10, 10)\nB Tyrion {where}\nB High Mage (30, 10)\nB Sun Dragon (30, 30)"
    table = lay(text).plays(0)
    return table.answer(table.shoots("Hellcannon", "High Mage"), 3, (CHAOS, MISS, MISS))


def crossroads() -> Table:
    """Two disks are nearest, none can be overlapped."""
    text = "A Hellcannon (18, 18)\nB Tyrion (26, 18)\nB Teclis (10, 18)\nB High Mage (18, 34)"
    table = lay(text).plays(0)
    return table.answer(table.shoots("Hellcannon", "High Mage"), 3, (CHAOS, MISS, MISS))


def blessing() -> Table:
    """The Saint has landed on somebody, and two of its side can be empowered."""
    text = "A Saint (10, 10)\nA Orc Boyz (10, 13)\nB Teclis (13, 10)\nB Tyrion (30, 30)\n"
    table = lay(text + "disk Saint: small, engage empower medium").plays(0)
    return table.answer(table.moves("Saint", 0))


def flip(name: str, *degrees: int) -> Callable[[Table], a.Action]:
    return lambda t: t.moves(name, *degrees)


def choose(name: str) -> Callable[[Table], a.Action]:
    return lambda t: a.ChooseUse(t.number(name))


KEYWORD_CASES: dict[str, Case] = {
    "flanking into an enemy zone": (
        flanking,
        reinforce("Hellstriders", 5000, 34875),
        Refused("not_legal", "R9.5", "$.action"),
    ),
    "flanking onto an enemy": (
        flanking,
        reinforce("Hellstriders", 1125, 11000),
        Refused("not_legal", "R9.5", "$.action"),
    ),
    "flanking without the keyword": (
        flanking,
        reinforce("Night Goblins", 875, 20000),
        Refused("outside_zone", "R9.1", "$.action"),
    ),
    "reinforcing onto an enemy where the match forbids it": (
        lambda: flanking(reinforce_onto_enemy=False),
        reinforce("Night Goblins", 20500, 3000),
        Refused("not_legal", "R-11", "$.action"),
    ),
    "reinforcing into a full zone where its value limits it": (
        lambda: flanking(reinforce_limit=True),
        reinforce("Night Goblins", 25000, 3000),
        Refused("not_legal", "R-12", "$.action"),
    ),
    "passing another disk than the one that brings in": (
        calling,
        lambda t: t.passes("Flamers"),
        Refused("wrong_action", "R9.6", "$.action.disk"),
    ),
    "bringing in a disk beyond reach": (
        calling,
        reinforce("Flamers", 10000, 18000),
        Refused("out_of_range", "R9.6", "$.action"),
    ),
    "bringing in a disk off the field": (
        calling,
        reinforce("Flamers", 500, 18000),
        Refused("off_field", "R9.6", "$.action"),
    ),
    "bringing in a disk onto an enemy": (
        calling,
        reinforce("Flamers", 5500, 18000),
        Refused("not_legal", "R9.6", "$.action"),
    ),
    "bringing in a disk of another kind": (
        raising,
        reinforce("Flesh", 12000, 10000),
        Refused("not_legal", "R9.6", "$.action.disk"),
    ),
    "a forced flip that overlaps nobody": (
        raging,
        flip("Hellcannon", 90),
        Refused("illegal_flip", "R12.6", "$.action.path[0]"),
    ),
    "two flips where one is forced": (
        raging,
        flip("Hellcannon", 0, 0),
        Refused("not_legal", "R12.6", "$.action.path"),
    ),
    "a forced flip past the two disks that are nearest": (
        crossroads,
        flip("Hellcannon", 45),
        Refused("illegal_flip", "R12.6", "$.action.path[0]"),
    ),
    "leaving an ability that has to be used": (
        blessing,
        lambda t: a.ChooseUse(use=False),
        Refused("not_legal", "R19.20", "$.action.use"),
    ),
    "an ability aimed at an enemy whom it cannot help": (
        blessing,
        choose("Teclis"),
        Refused("bad_target", "R19.20", "$.action.target"),
    ),
}
