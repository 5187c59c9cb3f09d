"""Everything illegal on the board is refused with its code, rule and place, and changes nothing.

The last test looks into the ruleset: everything that it can refuse is refused here once.
"""

import re
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from diskwars_content.rule_register import load_register
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board
from tests.engine.rulesets.diskwars.positions import (
    SALT,
    SCATTER,
    ExpectedRefusal,
    ScriptedPosition,
    find_refusals,
    scripted_position,
)
from tests.engine.rulesets.diskwars.rules.keyword_refusals import KEYWORD_CASES
from tests.engine.rulesets.diskwars.rules.terrain_refusals import TERRAIN_CASES
from tests.engine.rulesets.diskwars.setup_positions import SETUP_CASES
from tests.rows import each_row

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


def position_without_disk(table: ScriptedPosition) -> int:
    """Return the first number that no disk has."""
    return len(table.board.disks)


def card_turn_position(card: str = "press-on", left: int = 3) -> ScriptedPosition:
    return scripted_position(FIELD).with_card_turn(0, card, left)


def flip_of(disk: str, *path: tuple[int, int]) -> Callable[[ScriptedPosition], a.Action]:
    return lambda table: a.MoveDisk(table.number(disk), path)


def riding_position() -> ScriptedPosition:
    """The Wolf Riders have flipped once, have two disks in range, and may go on."""
    table = card_turn_position()
    return table.answer(table.move_action("Wolf Riders", 0, end=False))


def deploying_position() -> ScriptedPosition:
    text = "zone A (6, 0) to (30, 6) for 2\nzone B (6, 30) to (30, 36) for 2\n"
    table = scripted_position(
        text + "A reserve: Tyrion, Orc Boyz, Big Boss\nB reserve: High Mage\nA Black Orcs (20, 3)"
    )
    return table.run_tasks(t.DeploymentTask((0, 1)))


def deploy_action(*placings: tuple[str, int, int]) -> Callable[[ScriptedPosition], a.Action]:
    """Disks by name, at places in inches."""
    return lambda t: a.Deploy(tuple(a.Placement(t.number(name), x * 25400, y * 25400) for name, x, y in placings))


def deploy_number(number: int) -> a.Deploy:
    return a.Deploy((a.Placement(number, 254000, 76200), a.Placement(1, 508000, 76200)))


def choosing_position() -> ScriptedPosition:
    return scripted_position(FIELD).with_hand(0, "press-on").with_hand(1, "feint").run_tasks(t.ActivationPhaseTask())


def spent_position() -> ScriptedPosition:
    """Seat 0 has played a card in this round already."""
    table = choosing_position()
    sides = (replace(table.board.sides[0], discards=("fists-of-mork",)), table.board.sides[1])
    return ScriptedPosition(replace(table.board, sides=sides))


def scattering_position() -> ScriptedPosition:
    text = "A Arrer Boyz (10, 10)\nB Sun Dragon (14, 10)\nB Maiden Guard (16.5, 11)\nB Black Orcs (16.5, 9)"
    table = scripted_position(text).with_card_turn(0)
    return table.answer(table.shoot_action("Arrer Boyz", "Sun Dragon"), (SCATTER, SCATTER))


def triggered_position() -> ScriptedPosition:
    table = scripted_position(
        "A Archaon (10, 10)\nA Night Goblins (30, 3)\nB Tyrion (13, 10)\nB Sun Dragon (30, 30)"
    ).with_card_turn(0)
    return table.answer(table.move_action("Archaon", 0))


def fighting_position() -> ScriptedPosition:
    return scripted_position("B Sun Dragon (10, 10)\nB Steam Tank (13.2, 10)\nA Black Orcs (11.6, 10)").start_melee()


def picking_position() -> ScriptedPosition:
    return scripted_position(
        "A Orc Boyz (10, 10)\nB Orc Boyz (10.9, 10)\nA Orc Boyz (20, 10)\nB Orc Boyz (20.9, 10)"
    ).start_melee()


def first_position() -> ScriptedPosition:
    return scripted_position("A Orc Boyz (10, 10)").run_tasks(t.FirstPlayerTask(0))


BOARD_CASES: dict[
    str, tuple[Callable[[], ScriptedPosition], Callable[[ScriptedPosition], a.Action], ExpectedRefusal]
] = {
    "an answer to another question": (
        card_turn_position,
        lambda t: a.ChooseEngagement(0),
        ExpectedRefusal("wrong_action", "", "$.action"),
    ),
    "a choice of scatter where targets are asked for": (
        fighting_position,
        lambda t: a.ChooseScatter(0),
        ExpectedRefusal("wrong_action", "", "$.action"),
    ),
    "a first player who is not there": (
        first_position,
        lambda t: a.ChooseFirstPlayer(2),
        ExpectedRefusal("not_legal", "R3.2", "$.action.seat"),
    ),
    # deployment
    "deploying a disk that is not there": (
        deploying_position,
        lambda t: deploy_number(position_without_disk(t)),
        ExpectedRefusal("unknown_disk", "", "$.action.disks[0]"),
    ),
    "deploying a disk of negative number": (
        deploying_position,
        lambda t: deploy_number(NEGATIVE),
        ExpectedRefusal("unknown_disk", "", "$.action.disks[0]"),
    ),
    "deploying another player's disk": (
        deploying_position,
        deploy_action(("Tyrion", 10, 3), ("High Mage", 14, 3)),
        ExpectedRefusal("not_your_disk", "R3.6", "$.action.disks[1]"),
    ),
    "deploying a disk that is deployed already": (
        deploying_position,
        deploy_action(("Tyrion", 10, 3), ("Black Orcs", 14, 3)),
        ExpectedRefusal("not_in_reserve", "R3.6", "$.action.disks[1]"),
    ),
    "deploying outside the zone": (
        deploying_position,
        deploy_action(("Tyrion", 10, 3), ("Big Boss", 14, 12)),
        ExpectedRefusal("outside_zone", "R3.6", "$.action.disks[1]"),
    ),
    "deploying a disk twice": (
        deploying_position,
        deploy_action(("Tyrion", 10, 3), ("Tyrion", 14, 3)),
        ExpectedRefusal("not_legal", "R3.6", "$.action.disks"),
    ),
    "deploying too few": (
        deploying_position,
        deploy_action(("Tyrion", 10, 3)),
        ExpectedRefusal("wrong_count", "R3.6", "$.action.disks"),
    ),
    "deploying nothing at all": (
        deploying_position,
        deploy_action(),
        ExpectedRefusal("wrong_count", "R3.6", "$.action.disks"),
    ),
    "deploying without the hero": (
        deploying_position,
        deploy_action(("Orc Boyz", 10, 3), ("Big Boss", 14, 3)),
        ExpectedRefusal("not_legal", "R3.6.4", "$.action.disks"),
    ),
    # cards
    "locking a card of the other hand": (
        choosing_position,
        lambda t: a.LockCard("feint", SALT),
        ExpectedRefusal("not_in_hand", "R7.3", "$.action.card"),
    ),
    "locking a card that does not exist": (
        choosing_position,
        lambda t: a.LockCard("Charge!", SALT),
        ExpectedRefusal("not_in_hand", "R7.3", "$.action.card"),
    ),
    "locking with a salt that is too short": (
        choosing_position,
        lambda t: a.LockCard("press-on", SALT[2:]),
        ExpectedRefusal("bad_salt", "", "$.action.salt"),
    ),
    "locking a card that is discarded": (
        spent_position,
        lambda t: a.LockCard("fists-of-mork", SALT),
        ExpectedRefusal("not_in_hand", "R4.3", "$.action.card"),
    ),
    "locking with a salt of zeros": (
        choosing_position,
        lambda t: a.LockCard("press-on", "00" * 16),
        ExpectedRefusal("unsafe_salt", "", "$.action.salt"),
    ),
    "locking with a salt that is not hex": (
        choosing_position,
        lambda t: a.LockCard("press-on", "G" * 32),
        ExpectedRefusal("bad_salt", "", "$.action.salt"),
    ),
    "using an ability that the card does not have": (
        card_turn_position,
        lambda t: t.ability_action("Big Boss", "Sun Dragon"),
        ExpectedRefusal("no_such_ability", "R7.9", "$.action"),
    ),
    "using an ability at nobody": (
        lambda: card_turn_position("fists-of-mork"),
        lambda t: t.ability_action("Stone Fangz Shaman"),
        ExpectedRefusal("bad_target", "R7.9", "$.action.target"),
    ),
    "using an ability by a disk that is not there": (
        lambda: card_turn_position("fists-of-mork"),
        lambda t: a.UseAbility(position_without_disk(t), 0),
        ExpectedRefusal("unknown_disk", "", "$.action.disk"),
    ),
    "using an ability by another player's disk": (
        lambda: card_turn_position("fists-of-mork"),
        lambda t: t.ability_action("Maiden Guard", "Sun Dragon"),
        ExpectedRefusal("not_your_disk", "R7.9", "$.action.disk"),
    ),
    "using an ability by a disk of the reserve": (
        lambda: card_turn_position("fists-of-mork"),
        lambda t: t.ability_action("Night Goblins", "Sun Dragon"),
        ExpectedRefusal("not_on_field", "R7.9", "$.action.disk"),
    ),
    "using an ability by a disk that is not what the card names": (
        lambda: card_turn_position("fists-of-mork"),
        lambda t: t.ability_action("Big Boss", "Sun Dragon"),
        ExpectedRefusal("bad_target", "R7.9", "$.action.disk"),
    ),
    "using an ability at a disk of the reserve": (
        lambda: card_turn_position("fists-of-mork"),
        lambda t: t.ability_action("Stone Fangz Shaman", "High Mage"),
        ExpectedRefusal("bad_target", "R7.9", "$.action.target"),
    ),
    "using an ability that would do nothing": (
        lambda: scripted_position("A Archaon (10, 10)\nB Tyrion (30, 30)").with_card_turn(0, "blood-for-the-blood-god"),
        lambda t: t.ability_action("Archaon"),
        ExpectedRefusal("bad_target", "R7.9", "$.action.disk"),
    ),
    "an activation more than the card has": (
        lambda: card_turn_position("fists-of-mork", left=0),
        lambda t: t.pass_action("Big Boss"),
        ExpectedRefusal("not_legal", "R7.11", "$.action"),
    ),
    "a reinforcement more than the card has": (
        lambda: card_turn_position("fists-of-mork", left=0),
        lambda t: a.Reinforce(t.number("Night Goblins"), 457200, 76200),
        ExpectedRefusal("not_legal", "R7.11", "$.action"),
    ),
    # activating
    "activating a disk that is not there": (
        card_turn_position,
        lambda t: a.PassDisk(position_without_disk(t)),
        ExpectedRefusal("unknown_disk", "", "$.action.disk"),
    ),
    "activating a disk of negative number": (
        card_turn_position,
        lambda t: a.PassDisk(NEGATIVE),
        ExpectedRefusal("unknown_disk", "", "$.action.disk"),
    ),
    "activating another player's disk": (
        card_turn_position,
        lambda t: t.pass_action("Sun Dragon"),
        ExpectedRefusal("not_your_disk", "R7.11", "$.action.disk"),
    ),
    "activating a disk of the reserve": (
        card_turn_position,
        lambda t: t.pass_action("Night Goblins"),
        ExpectedRefusal("not_on_field", "R7.11", "$.action.disk"),
    ),
    "activating a disk again": (
        card_turn_position,
        lambda t: t.pass_action("Arrer Boyz"),
        ExpectedRefusal("disk_activated", "R7.11", "$.action.disk"),
    ),
    "activating a pinned disk": (
        card_turn_position,
        lambda t: t.pass_action("Black Orcs"),
        ExpectedRefusal("disk_pinned", "R6.3", "$.action.disk"),
    ),
    "another disk while one is being activated": (
        riding_position,
        lambda t: t.pass_action("Big Boss"),
        ExpectedRefusal("wrong_action", "R8.1", "$.action.disk"),
    ),
    "a second shot of a mobile disk": (
        lambda: (t := card_turn_position()).answer(t.shoot_action("Wolf Riders", "Stone Fangz Shaman"), (5, 5)),
        lambda t: t.shoot_action("Wolf Riders", "Stone Fangz Shaman"),
        ExpectedRefusal("wrong_action", "R8.2", "$.action"),
    ),
    "a shot after a flip without Mobile": (
        lambda: (t := card_turn_position()).answer(t.move_action("Orc Boyz", 0, end=False)),
        lambda t: t.shoot_action("Orc Boyz", "Sun Dragon"),
        ExpectedRefusal("wrong_action", "R8.1", "$.action"),
    ),
    "a flip on after landing on an enemy": (
        lambda: (t := scripted_position("A Wolf Riders (10, 10)\nB Sun Dragon (14, 10)").with_card_turn(0)).answer(
            t.move_action("Wolf Riders", 0, end=False)
        ),
        lambda t: t.move_action("Wolf Riders", 180),
        ExpectedRefusal("wrong_action", "R8.5.5", "$.action"),
    ),
    "a second flight, though the first met nobody": (
        lambda: (t := scripted_position("A Sky Cutter (10, 10)\nB Sun Dragon (20, 10)").with_card_turn(0)).answer(
            t.move_action("Sky Cutter", 0, end=False)
        ),
        lambda t: t.move_action("Sky Cutter", 180),
        ExpectedRefusal("wrong_action", "R8.7", "$.action"),
    ),
    # moving
    "a path without a flip": (
        card_turn_position,
        flip_of("Big Boss"),
        ExpectedRefusal("illegal_flip", "R8.4", "$.action.path"),
    ),
    "the flip (0, 0)": (
        card_turn_position,
        flip_of("Big Boss", (0, 0)),
        ExpectedRefusal("illegal_flip", "R5.2", "$.action.path[0]"),
    ),
    "a flip that is too long": (
        card_turn_position,
        flip_of("Big Boss", (44450, 0), (44451, 0)),
        ExpectedRefusal("illegal_flip", "R5.2", "$.action.path[1]"),
    ),
    "a flip that is too short": (
        card_turn_position,
        flip_of("Big Boss", (44448, 0)),
        ExpectedRefusal("illegal_flip", "R5.2", "$.action.path[0]"),
    ),
    "a flip of enormous length": (
        card_turn_position,
        flip_of("Big Boss", (2**53, -(2**53))),
        ExpectedRefusal("illegal_flip", "R5.2", "$.action.path[0]"),
    ),
    "more flips than the disk has": (
        card_turn_position,
        flip_of("Big Boss", *[(44450, 0)] * 6),
        ExpectedRefusal("too_many_flips", "R8.4", "$.action.path"),
    ),
    "more flips than are left": (
        riding_position,
        lambda t: t.move_action("Wolf Riders", *[90] * 5),
        ExpectedRefusal("too_many_flips", "R8.4", "$.action.path"),
    ),
    "a landing off the field": (
        card_turn_position,
        flip_of("Orc Boyz", (-44450, 0), (-44450, 0)),
        ExpectedRefusal("off_field", "R8.4", "$.action.path[1]"),
    ),
    # shooting
    "a shot of a disk that has none": (
        card_turn_position,
        lambda t: t.shoot_action("Big Boss", "Sun Dragon"),
        ExpectedRefusal("no_such_shot", "R12.7", "$.action.shot"),
    ),
    "a shot of negative number": (
        card_turn_position,
        lambda t: t.shoot_action("Wolf Riders", "Sun Dragon", -1),
        ExpectedRefusal("no_such_shot", "R12.7", "$.action.shot"),
    ),
    "a shot at itself": (
        card_turn_position,
        lambda t: t.shoot_action("Wolf Riders", "Wolf Riders"),
        ExpectedRefusal("bad_target", "R12.1", "$.action.target"),
    ),
    "a shot at a disk of the reserve": (
        card_turn_position,
        lambda t: t.shoot_action("Wolf Riders", "High Mage"),
        ExpectedRefusal("bad_target", "R12.1", "$.action.target"),
    ),
    "a shot at a disk that is not there": (
        card_turn_position,
        lambda t: a.Shoot(t.number("Wolf Riders"), position_without_disk(t)),
        ExpectedRefusal("bad_target", "R12.1", "$.action.target"),
    ),
    "a shot at a disk of negative number": (
        card_turn_position,
        lambda t: a.Shoot(t.number("Wolf Riders"), NEGATIVE),
        ExpectedRefusal("bad_target", "R12.1", "$.action.target"),
    ),
    "a shot at a disk that is immune": (
        card_turn_position,
        lambda t: t.shoot_action("Wolf Riders", "Ghost"),
        ExpectedRefusal("bad_target", "R12.1", "$.action.target"),
    ),
    "a shot too far": (
        card_turn_position,
        lambda t: t.shoot_action("Wolf Riders", "Sun Dragon"),
        ExpectedRefusal("out_of_range", "R11.4", "$.action.target"),
    ),
    "a shot too near": (
        lambda: scripted_position("A Steam Tank (10, 10)\nB Sun Dragon (14, 10)").with_card_turn(0),
        lambda t: t.shoot_action("Steam Tank", "Sun Dragon", 2),
        ExpectedRefusal("out_of_range", "R12.8", "$.action.target"),
    ),
    "a disk that scatter cannot strike": (
        scattering_position,
        lambda t: a.ChooseScatter(t.number("Sun Dragon")),
        ExpectedRefusal("not_legal", "R12.3.1", "$.action.target"),
    ),
    # focus
    "a focus ability of a disk that has none": (
        card_turn_position,
        lambda t: t.focus_action("Orc Boyz", "Sun Dragon"),
        ExpectedRefusal("no_such_ability", "R8.1.2", "$.action.ability"),
    ),
    "a focus ability of negative number": (
        card_turn_position,
        lambda t: t.focus_action("Stone Fangz Shaman", "Ghost", -1),
        ExpectedRefusal("no_such_ability", "R8.1.2", "$.action.ability"),
    ),
    "magic at an own disk": (
        card_turn_position,
        lambda t: t.focus_action("Stone Fangz Shaman", "Wolf Riders"),
        ExpectedRefusal("bad_target", "R8.3", "$.action.target"),
    ),
    "magic beyond its range": (
        card_turn_position,
        lambda t: t.focus_action("Stone Fangz Shaman", "Maiden Guard"),
        ExpectedRefusal("out_of_range", "R8.3", "$.action.target"),
    ),
    "calling on a disk that is not activated": (
        card_turn_position,
        lambda t: t.focus_action("Big Boss", "Orc Boyz"),
        ExpectedRefusal("out_of_range", "R8.1.2", "$.action.target"),
    ),
    "magic at nobody": (
        card_turn_position,
        lambda t: t.focus_action("Stone Fangz Shaman"),
        ExpectedRefusal("bad_target", "R8.3", "$.action.target"),
    ),
    "magic at a disk that is not there": (
        card_turn_position,
        lambda t: a.Focus(t.number("Stone Fangz Shaman"), position_without_disk(t)),
        ExpectedRefusal("bad_target", "R8.3", "$.action.target"),
    ),
    "a target for a focus ability that takes none": (
        lambda: scripted_position(
            "disk Witch: small, focus deal_damage_near 1 true short\nA Witch (10, 10)\nB Orc Boyz (13, 10)"
        ).with_card_turn(0),
        lambda t: t.focus_action("Witch", "Orc Boyz"),
        ExpectedRefusal("bad_target", "R8.1.2", "$.action.target"),
    ),
    # reinforcing
    "reinforcing with a disk that is not there": (
        card_turn_position,
        lambda t: a.Reinforce(position_without_disk(t), 457200, 76200),
        ExpectedRefusal("unknown_disk", "", "$.action.disk"),
    ),
    "reinforcing with another player's disk": (
        card_turn_position,
        lambda t: a.Reinforce(t.number("High Mage"), 457200, 76200),
        ExpectedRefusal("not_your_disk", "R9.1", "$.action.disk"),
    ),
    "reinforcing with a disk of the battlefield": (
        card_turn_position,
        lambda t: a.Reinforce(t.number("Big Boss"), 457200, 76200),
        ExpectedRefusal("not_in_reserve", "R9.1", "$.action.disk"),
    ),
    "reinforcing in the enemy's zone": (
        card_turn_position,
        lambda t: a.Reinforce(t.number("Night Goblins"), 457200, 838200),
        ExpectedRefusal("outside_zone", "R9.1", "$.action"),
    ),
    # what is chosen in between
    **KEYWORD_CASES,
    **TERRAIN_CASES,
    "an order of triggers that leaves one out": (
        triggered_position,
        lambda t: a.OrderTriggers((0,)),
        ExpectedRefusal("not_legal", "R19.19", "$.action.order"),
    ),
    "an order of triggers that names one twice": (
        triggered_position,
        lambda t: a.OrderTriggers((1, 1)),
        ExpectedRefusal("not_legal", "R19.19", "$.action.order"),
    ),
    "an engagement that is not open": (
        picking_position,
        lambda t: a.ChooseEngagement(2),
        ExpectedRefusal("not_legal", "R15.2", "$.action.engagement"),
    ),
    "targets for other disks": (
        fighting_position,
        lambda t: a.ChooseTargets((a.MeleeTarget(0, 2),)),
        ExpectedRefusal("not_legal", "R15.3.2", "$.action.targets"),
    ),
    "a target that the disk does not pin": (
        fighting_position,
        lambda t: a.ChooseTargets((a.MeleeTarget(2, 2),)),
        ExpectedRefusal("not_legal", "R15.3.2", "$.action.targets"),
    ),
}


def spoken_numbers(text: str) -> set[int]:
    """Return the numbers of which a sentence speaks, but for those inside a word and counts of nothing."""
    assert text
    return {int(number) for number in re.findall(r"(?<![\w.])-?\d+", text)}


@each_row(("name", "rule"), [(name, expected.rule) for name, (*_, expected) in {**BOARD_CASES, **SETUP_CASES}.items()])
def test_on_the_board_this_is_refused_by_its_rule_and_changes_nothing(name: str, rule: str) -> None:
    lay_out, act, expected = {**BOARD_CASES, **SETUP_CASES}[name]
    table = lay_out()
    board: Board = table.board
    before = msgspec.json.encode(board)
    refusal = table.expect_illegal(act(table), seat=table.open_questions[0][0])
    assert refusal.rule == rule
    assert ExpectedRefusal(refusal.code, refusal.rule, refusal.place) == expected
    assert spoken_numbers(refusal.text) <= set(refusal.numbers.values()), (refusal.text, refusal.numbers)
    assert table.board is board
    assert msgspec.json.encode(board) == before


def test_every_refusal_of_the_ruleset_is_tested_here() -> None:
    cases = [*BOARD_CASES.values(), *SETUP_CASES.values()]
    tested = {(case[2].code, case[2].rule) for case in cases}
    tested.add(("not_legal", "R18.5"))  # resigning answers no question: test_three_and_four.py
    # before there is a board: test_match_refusals.py
    entering = find_refusals("rulesets/diskwars/__init__.py", "rulesets/diskwars/setup/loadout.py")
    assert find_refusals("rulesets/diskwars", "salts.py") - entering - tested == set()


def test_only_refusals_outside_the_rules_cite_no_rule() -> None:
    """A number of nothing, an answer to another question, the form of a salt, a name."""
    without = {code for code, rule in find_refusals("rulesets/diskwars", "salts.py") if not rule}
    without -= {code for code, rule in find_refusals("rulesets/diskwars/setup/loadout.py") if not rule}
    assert without == {"unknown_disk", "wrong_action", "bad_salt", "unsafe_salt"}
    named = {rule for _, rule in find_refusals("rulesets/diskwars", "match.py") if rule}
    assert named <= set(load_register().rules)
