"""Is everything illegal on the board refused, with its code, its rule and its place, and does that change nothing?

The last test looks into the ruleset: whatever it can refuse is refused here once.
"""

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_content.rule_register import register
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board
from tests.engine.keyword_refusals import KEYWORD_CASES
from tests.engine.positions import SALT, SCATTER, Refused, Table, lay, refusals_in
from tests.engine.setup_positions import SETUP_CASES
from tests.engine.terrain_refusals import TERRAIN_CASES

FIELD = """
zone A (6, 0) to (30, 6) for 5
zone B (6, 30) to (30, 36) for 5
A Orc Boyz  (4, 10)
A Big Boss  (20, 10)
A Arrer Boyz  (10, 10) activated
A Black Orcs  (26, 10)
B Maiden Guard  (26.5, 10)
A Wolf Riders  (10, 15)
A Stone Fangz Shaman  (10, 20)
B Sun Dragon  (20, 17)
B Ghost  (10, 25)
A reserve: Night Goblins
B reserve: High Mage
disk Ghost: small T5, Immune (ranged)
"""
NEGATIVE = -1


def missing(table: Table) -> int:
    """The first number that no disk has."""
    return len(table.board.disks)


def turn(card: str = "Press On", left: int = 3) -> Table:
    return lay(FIELD).plays(0, card, left)


def flip(disk: str, *path: tuple[int, int]) -> Callable[[Table], a.Action]:
    return lambda table: a.MoveDisk(table.number(disk), path)


def riding() -> Table:
    """The Wolf Riders have flipped once, have two disks in range, and may go on."""
    table = turn()
    return table.answer(table.moves("Wolf Riders", 0, end=False))


def deploying() -> Table:
    text = "zone A (6, 0) to (30, 6) for 2\nzone B (6, 30) to (30, 36) for 2\n"
    table = lay(text + "A reserve: Tyrion, Orc Boyz, Big Boss\nB reserve: High Mage\nA Black Orcs (20, 3)")
    return table.works(e.Deployments((0, 1)))


def deploy(*placings: tuple[str, int, int]) -> Callable[[Table], a.Action]:
    """Disks by name, at places in inches."""
    return lambda t: a.Deploy(tuple(a.Placing(t.number(name), x * 25400, y * 25400) for name, x, y in placings))


def deploy_number(number: int) -> a.Deploy:
    return a.Deploy((a.Placing(number, 254000, 76200), a.Placing(1, 508000, 76200)))


def choosing() -> Table:
    return lay(FIELD).holding(0, "Press On").holding(1, "Feint").works(e.PhaseWork("activation"))


def spent() -> Table:
    """Seat 0 has played a card in this round already."""
    table = choosing()
    sides = (replace(table.board.sides[0], discards=("Fists of Mork",)), table.board.sides[1])
    return Table(replace(table.board, sides=sides))


def scattering() -> Table:
    text = "A Arrer Boyz (10, 10)\nB Sun Dragon (14, 10)\nB Maiden Guard (16.5, 11)\nB Black Orcs (16.5, 9)"
    table = lay(text).plays(0)
    return table.answer(table.shoots("Arrer Boyz", "Sun Dragon"), (SCATTER, SCATTER))


def triggered() -> Table:
    table = lay("A Archaon (10, 10)\nA Night Goblins (30, 3)\nB Tyrion (13, 10)\nB Sun Dragon (30, 30)").plays(0)
    return table.answer(table.moves("Archaon", 0))


def fighting() -> Table:
    return lay("B Sun Dragon (10, 10)\nB Steam Tank (13.2, 10)\nA Black Orcs (11.6, 10)").fights()


def picking() -> Table:
    return lay("A Orc Boyz (10, 10)\nB Orc Boyz (10.9, 10)\nA Orc Boyz (20, 10)\nB Orc Boyz (20.9, 10)").fights()


def first() -> Table:
    return lay("A Orc Boyz (10, 10)").works(e.FirstPlayer(0))


BOARD_CASES: dict[str, tuple[Callable[[], Table], Callable[[Table], a.Action], Refused]] = {
    "an answer to another question": (
        turn,
        lambda t: a.ChooseEngagement(0),
        Refused("wrong_action", "", "$.action"),
    ),
    "a choice of scatter where targets are asked for": (
        fighting,
        lambda t: a.ChooseScatter(0),
        Refused("wrong_action", "", "$.action"),
    ),
    "a first player who is not there": (
        first,
        lambda t: a.ChooseFirst(2),
        Refused("not_legal", "R3.2", "$.action.seat"),
    ),
    # deployment
    "deploying a disk that is not there": (
        deploying,
        lambda t: deploy_number(missing(t)),
        Refused("unknown_disk", "", "$.action.disks[0]"),
    ),
    "deploying a disk of negative number": (
        deploying,
        lambda t: deploy_number(NEGATIVE),
        Refused("unknown_disk", "", "$.action.disks[0]"),
    ),
    "deploying another player's disk": (
        deploying,
        deploy(("Tyrion", 10, 3), ("High Mage", 14, 3)),
        Refused("not_your_disk", "R3.6", "$.action.disks[1]"),
    ),
    "deploying a disk that lies there already": (
        deploying,
        deploy(("Tyrion", 10, 3), ("Black Orcs", 14, 3)),
        Refused("not_in_reserve", "R3.6", "$.action.disks[1]"),
    ),
    "deploying outside the zone": (
        deploying,
        deploy(("Tyrion", 10, 3), ("Big Boss", 14, 12)),
        Refused("outside_zone", "R3.6", "$.action.disks[1]"),
    ),
    "deploying a disk twice": (
        deploying,
        deploy(("Tyrion", 10, 3), ("Tyrion", 14, 3)),
        Refused("not_legal", "R3.6", "$.action.disks"),
    ),
    "deploying too few": (
        deploying,
        deploy(("Tyrion", 10, 3)),
        Refused("wrong_count", "R3.6", "$.action.disks"),
    ),
    "deploying nothing at all": (deploying, deploy(), Refused("wrong_count", "R3.6", "$.action.disks")),
    "deploying without the hero": (
        deploying,
        deploy(("Orc Boyz", 10, 3), ("Big Boss", 14, 3)),
        Refused("not_legal", "R3.6.4", "$.action.disks"),
    ),
    # cards
    "locking a card of the other hand": (
        choosing,
        lambda t: a.LockCard("Feint", SALT),
        Refused("not_in_hand", "R7.3", "$.action.card"),
    ),
    "locking a card that does not exist": (
        choosing,
        lambda t: a.LockCard("Charge!", SALT),
        Refused("not_in_hand", "R7.3", "$.action.card"),
    ),
    "locking with a salt that is too short": (
        choosing,
        lambda t: a.LockCard("Press On", SALT[2:]),
        Refused("bad_salt", "", "$.action.salt"),
    ),
    "locking a card that is discarded": (
        spent,
        lambda t: a.LockCard("Fists of Mork", SALT),
        Refused("not_in_hand", "R4.3", "$.action.card"),
    ),
    "locking with a salt that is not hex": (
        choosing,
        lambda t: a.LockCard("Press On", "G" * 32),
        Refused("bad_salt", "", "$.action.salt"),
    ),
    "using an ability that the card does not have": (
        turn,
        lambda t: t.uses("Big Boss", "Sun Dragon"),
        Refused("no_such_ability", "R7.9", "$.action"),
    ),
    "using an ability at nobody": (
        lambda: turn("Fists of Mork"),
        lambda t: t.uses("Stone Fangz Shaman"),
        Refused("bad_target", "R7.9", "$.action.target"),
    ),
    "using an ability by a disk that is not there": (
        lambda: turn("Fists of Mork"),
        lambda t: a.UseAbility(missing(t), 0),
        Refused("unknown_disk", "", "$.action.disk"),
    ),
    "using an ability by another player's disk": (
        lambda: turn("Fists of Mork"),
        lambda t: t.uses("Maiden Guard", "Sun Dragon"),
        Refused("not_your_disk", "R7.9", "$.action.disk"),
    ),
    "using an ability by a disk of the reserve": (
        lambda: turn("Fists of Mork"),
        lambda t: t.uses("Night Goblins", "Sun Dragon"),
        Refused("not_on_field", "R7.9", "$.action.disk"),
    ),
    "using an ability by a disk that is not what the card names": (
        lambda: turn("Fists of Mork"),
        lambda t: t.uses("Big Boss", "Sun Dragon"),
        Refused("bad_target", "R7.9", "$.action.disk"),
    ),
    "using an ability at a disk of the reserve": (
        lambda: turn("Fists of Mork"),
        lambda t: t.uses("Stone Fangz Shaman", "High Mage"),
        Refused("bad_target", "R7.9", "$.action.target"),
    ),
    "using an ability that would do nothing": (
        lambda: lay("A Archaon (10, 10)\nB Tyrion (30, 30)").plays(0, "Blood for the Blood God"),
        lambda t: t.uses("Archaon"),
        Refused("bad_target", "R7.9", "$.action.disk"),
    ),
    "an activation more than the card has": (
        lambda: turn("Fists of Mork", left=0),
        lambda t: t.passes("Big Boss"),
        Refused("not_legal", "R7.11", "$.action"),
    ),
    "a reinforcement more than the card has": (
        lambda: turn("Fists of Mork", left=0),
        lambda t: a.Reinforce(t.number("Night Goblins"), 457200, 76200),
        Refused("not_legal", "R7.11", "$.action"),
    ),
    # activating
    "activating a disk that is not there": (
        turn,
        lambda t: a.PassDisk(missing(t)),
        Refused("unknown_disk", "", "$.action.disk"),
    ),
    "activating a disk of negative number": (
        turn,
        lambda t: a.PassDisk(NEGATIVE),
        Refused("unknown_disk", "", "$.action.disk"),
    ),
    "activating another player's disk": (
        turn,
        lambda t: t.passes("Sun Dragon"),
        Refused("not_your_disk", "R7.11", "$.action.disk"),
    ),
    "activating a disk of the reserve": (
        turn,
        lambda t: t.passes("Night Goblins"),
        Refused("not_on_field", "R7.11", "$.action.disk"),
    ),
    "activating a disk again": (
        turn,
        lambda t: t.passes("Arrer Boyz"),
        Refused("disk_activated", "R7.11", "$.action.disk"),
    ),
    "activating a pinned disk": (
        turn,
        lambda t: t.passes("Black Orcs"),
        Refused("disk_pinned", "R6.3", "$.action.disk"),
    ),
    "another disk while one is being activated": (
        riding,
        lambda t: t.passes("Big Boss"),
        Refused("wrong_action", "R8.1", "$.action.disk"),
    ),
    "a second shot of a mobile disk": (
        lambda: (t := turn()).answer(t.shoots("Wolf Riders", "Stone Fangz Shaman"), (5, 5)),
        lambda t: t.shoots("Wolf Riders", "Stone Fangz Shaman"),
        Refused("wrong_action", "R8.2", "$.action"),
    ),
    "a shot after a flip without Mobile": (
        lambda: (t := turn()).answer(t.moves("Orc Boyz", 0, end=False)),
        lambda t: t.shoots("Orc Boyz", "Sun Dragon"),
        Refused("wrong_action", "R8.1", "$.action"),
    ),
    "a flip on after landing on an enemy": (
        lambda: (t := lay("A Wolf Riders (10, 10)\nB Sun Dragon (14, 10)").plays(0)).answer(
            t.moves("Wolf Riders", 0, end=False)
        ),
        lambda t: t.moves("Wolf Riders", 180),
        Refused("wrong_action", "R8.5.5", "$.action"),
    ),
    "a second flight, though the first met nobody": (
        lambda: (t := lay("A Sky Cutter (10, 10)\nB Sun Dragon (20, 10)").plays(0)).answer(
            t.moves("Sky Cutter", 0, end=False)
        ),
        lambda t: t.moves("Sky Cutter", 180),
        Refused("wrong_action", "R8.7", "$.action"),
    ),
    # moving
    "a path without a flip": (turn, flip("Big Boss"), Refused("illegal_flip", "R8.4", "$.action.path")),
    "the flip (0, 0)": (turn, flip("Big Boss", (0, 0)), Refused("illegal_flip", "R5.2", "$.action.path[0]")),
    "a flip that is too long": (
        turn,
        flip("Big Boss", (44450, 0), (44451, 0)),
        Refused("illegal_flip", "R5.2", "$.action.path[1]"),
    ),
    "a flip that is too short": (
        turn,
        flip("Big Boss", (44448, 0)),
        Refused("illegal_flip", "R5.2", "$.action.path[0]"),
    ),
    "a flip of enormous length": (
        turn,
        flip("Big Boss", (2**53, -(2**53))),
        Refused("illegal_flip", "R5.2", "$.action.path[0]"),
    ),
    "more flips than the disk has": (
        turn,
        flip("Big Boss", *[(44450, 0)] * 6),
        Refused("too_many_flips", "R8.4", "$.action.path"),
    ),
    "more flips than are left": (
        riding,
        lambda t: t.moves("Wolf Riders", *[90] * 5),
        Refused("too_many_flips", "R8.4", "$.action.path"),
    ),
    "a landing off the field": (
        turn,
        flip("Orc Boyz", (-44450, 0), (-44450, 0)),
        Refused("off_field", "R8.4", "$.action.path[1]"),
    ),
    # shooting
    "a shot of a disk that has none": (
        turn,
        lambda t: t.shoots("Big Boss", "Sun Dragon"),
        Refused("no_such_shot", "R12.7", "$.action.shot"),
    ),
    "a shot of negative number": (
        turn,
        lambda t: t.shoots("Wolf Riders", "Sun Dragon", -1),
        Refused("no_such_shot", "R12.7", "$.action.shot"),
    ),
    "a shot at itself": (
        turn,
        lambda t: t.shoots("Wolf Riders", "Wolf Riders"),
        Refused("bad_target", "R12.1", "$.action.target"),
    ),
    "a shot at a disk of the reserve": (
        turn,
        lambda t: t.shoots("Wolf Riders", "High Mage"),
        Refused("bad_target", "R12.1", "$.action.target"),
    ),
    "a shot at a disk that is not there": (
        turn,
        lambda t: a.Shoot(t.number("Wolf Riders"), missing(t)),
        Refused("bad_target", "R12.1", "$.action.target"),
    ),
    "a shot at a disk of negative number": (
        turn,
        lambda t: a.Shoot(t.number("Wolf Riders"), NEGATIVE),
        Refused("bad_target", "R12.1", "$.action.target"),
    ),
    "a shot at a disk that is immune": (
        turn,
        lambda t: t.shoots("Wolf Riders", "Ghost"),
        Refused("bad_target", "R12.1", "$.action.target"),
    ),
    "a shot too far": (
        turn,
        lambda t: t.shoots("Wolf Riders", "Sun Dragon"),
        Refused("out_of_range", "R11.4", "$.action.target"),
    ),
    "a shot too near": (
        lambda: lay("A Steam Tank (10, 10)\nB Sun Dragon (14, 10)").plays(0),
        lambda t: t.shoots("Steam Tank", "Sun Dragon", 2),
        Refused("out_of_range", "R12.8", "$.action.target"),
    ),
    "a disk that scatter cannot strike": (
        scattering,
        lambda t: a.ChooseScatter(t.number("Sun Dragon")),
        Refused("not_legal", "R12.3.1", "$.action.target"),
    ),
    # focus
    "a focus ability of a disk that has none": (
        turn,
        lambda t: t.focuses("Orc Boyz", "Sun Dragon"),
        Refused("no_such_ability", "R8.1.2", "$.action.ability"),
    ),
    "a focus ability of negative number": (
        turn,
        lambda t: t.focuses("Stone Fangz Shaman", "Ghost", -1),
        Refused("no_such_ability", "R8.1.2", "$.action.ability"),
    ),
    "magic at an own disk": (
        turn,
        lambda t: t.focuses("Stone Fangz Shaman", "Wolf Riders"),
        Refused("bad_target", "R8.3", "$.action.target"),
    ),
    "magic beyond its range": (
        turn,
        lambda t: t.focuses("Stone Fangz Shaman", "Maiden Guard"),
        Refused("out_of_range", "R8.3", "$.action.target"),
    ),
    "calling on a disk that is not activated": (
        turn,
        lambda t: t.focuses("Big Boss", "Orc Boyz"),
        Refused("out_of_range", "R8.1.2", "$.action.target"),
    ),
    "magic at nobody": (
        turn,
        lambda t: t.focuses("Stone Fangz Shaman"),
        Refused("bad_target", "R8.3", "$.action.target"),
    ),
    "magic at a disk that is not there": (
        turn,
        lambda t: a.Focus(t.number("Stone Fangz Shaman"), missing(t)),
        Refused("bad_target", "R8.3", "$.action.target"),
    ),
    "a target for a focus ability that takes none": (
        lambda: lay("disk Witch: small, focus harm_near 1 true short\nA Witch (10, 10)\nB Orc Boyz (13, 10)").plays(0),
        lambda t: t.focuses("Witch", "Orc Boyz"),
        Refused("bad_target", "R8.1.2", "$.action.target"),
    ),
    # reinforcing
    "reinforcing with a disk that is not there": (
        turn,
        lambda t: a.Reinforce(missing(t), 457200, 76200),
        Refused("unknown_disk", "", "$.action.disk"),
    ),
    "reinforcing with another player's disk": (
        turn,
        lambda t: a.Reinforce(t.number("High Mage"), 457200, 76200),
        Refused("not_your_disk", "R9.1", "$.action.disk"),
    ),
    "reinforcing with a disk of the battlefield": (
        turn,
        lambda t: a.Reinforce(t.number("Big Boss"), 457200, 76200),
        Refused("not_in_reserve", "R9.1", "$.action.disk"),
    ),
    "reinforcing in the enemy's zone": (
        turn,
        lambda t: a.Reinforce(t.number("Night Goblins"), 457200, 838200),
        Refused("outside_zone", "R9.1", "$.action"),
    ),
    # what is chosen in between
    **KEYWORD_CASES,
    **TERRAIN_CASES,
    "an order of triggers that leaves one out": (
        triggered,
        lambda t: a.OrderTriggers((0,)),
        Refused("not_legal", "R19.19", "$.action.order"),
    ),
    "an order of triggers that names one twice": (
        triggered,
        lambda t: a.OrderTriggers((1, 1)),
        Refused("not_legal", "R19.19", "$.action.order"),
    ),
    "an engagement that is not open": (
        picking,
        lambda t: a.ChooseEngagement(2),
        Refused("not_legal", "R15.2", "$.action.engagement"),
    ),
    "targets for other disks": (
        fighting,
        lambda t: a.ChooseTargets(((0, 2),)),
        Refused("not_legal", "R15.3.2", "$.action.targets"),
    ),
    "a target that the disk does not pin": (
        fighting,
        lambda t: a.ChooseTargets(((2, 2),)),
        Refused("not_legal", "R15.3.2", "$.action.targets"),
    ),
}


@pytest.mark.parametrize("name", [*BOARD_CASES, *SETUP_CASES])
def test_on_the_board_this_is_refused_and_changes_nothing(name: str) -> None:
    lay_out, act, expected = {**BOARD_CASES, **SETUP_CASES}[name]
    table = lay_out()
    board: Board = table.board
    before = msgspec.json.encode(board)
    refusal = table.refuse(act(table), seat=table.asks[0][0])
    assert Refused(refusal.code, refusal.rule, refusal.place) == expected
    assert refusal.text
    assert table.board is board
    assert msgspec.json.encode(board) == before


def test_every_refusal_that_stands_in_the_ruleset_is_tested_here() -> None:
    cases = [*BOARD_CASES.values(), *SETUP_CASES.values()]
    tested = {(case[2].code, case[2].rule) for case in cases}
    tested.add(("not_legal", "R18.5"))  # resigning answers no question: test_three_and_four.py
    # before there is a board: test_match_refusals.py
    entering = refusals_in("rulesets/diskwars/__init__.py", "rulesets/diskwars/entering.py")
    assert refusals_in("rulesets/diskwars") - entering - tested == set()


def test_only_what_no_rule_of_the_game_speaks_of_is_refused_without_one() -> None:
    """A number of nothing, an answer to another question, the form of a salt, a name."""
    without = {code for code, rule in refusals_in("rulesets/diskwars") if not rule}
    without -= {code for code, rule in refusals_in("rulesets/diskwars/entering.py") if not rule}
    assert without == {"unknown_disk", "wrong_action", "bad_salt"}
    named = {rule for _, rule in refusals_in("rulesets/diskwars", "match.py") if rule}
    assert named <= set(register().rules)
