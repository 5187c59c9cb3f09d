"""Pins, what a pinned disk can still do, and engage events (R5.3, R6)."""

from msgspec.structs import replace

from diskwars_engine.rulesets.diskwars.activation import movement
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.rulesets.diskwars.positions import HIT, MISS, scripted_position

STACK = """
A Orc Boyz         (10, 10)
B Militia Archers  (10.5, 10)
A Big Boss         (11, 10)
"""

# All three overlap; below the middle one there is a place where top and bottom share a point that it does not cover.
FAN = """
pins {mode}
B Sun Dragon       (10, 10)
B Militia Archers  (10, 10.6)
A Big Boss         (10, 9.2)
"""


def test_in_a_stack_of_three_the_top_pins_the_middle_and_the_middle_the_bottom() -> None:
    """R6.1"""
    assert scripted_position(STACK).pins == {"Big Boss>Militia Archers", "Militia Archers>Orc Boyz"}


def test_by_strict_a_disk_between_that_overlaps_both_cancels_the_pin() -> None:
    """R6.2, R-04"""
    assert scripted_position(FAN.format(mode="strict")).pins == {
        "Big Boss>Militia Archers",
        "Militia Archers>Sun Dragon",
    }


def test_by_contact_the_top_pins_the_bottom_where_nothing_lies_between() -> None:
    """R6.2, R-04"""
    assert scripted_position(FAN.format(mode="contact")).pins == {
        "Big Boss>Militia Archers",
        "Militia Archers>Sun Dragon",
        "Big Boss>Sun Dragon",
    }


def test_by_contact_a_covered_overlap_is_no_pin() -> None:
    """R6.2, R-04"""
    assert scripted_position("pins contact\n" + STACK).pins == {"Big Boss>Militia Archers", "Militia Archers>Orc Boyz"}


def test_a_landing_is_judged_by_the_option_of_the_match() -> None:
    """R-04: the same flip onto the same stack."""
    found = {}
    for mode in ("strict", "contact"):
        table = scripted_position(FAN.format(mode=mode).replace("(10, 9.2)", "(10, 7.45)")).with_card_turn(0)
        found[mode] = table.answer(table.move_action("Big Boss", 90)).pins - table.pins
    assert found == {
        "strict": {"Big Boss>Militia Archers"},
        "contact": {"Big Boss>Militia Archers", "Big Boss>Sun Dragon"},
    }


def test_touching_disks_do_not_overlap() -> None:
    """R5.3, R-05: small disks 1.75 inches apart; 0.01 mm less and they do."""
    near = "A Big Boss  (10, 10)\nB Militia Archers  ({x}um, 10)"
    assert scripted_position(near.format(x=254000 + 44450)).pins == set()
    assert scripted_position(near.format(x=254000 + 44450 - 9)).pins == set()
    assert scripted_position(near.format(x=254000 + 44450 - 10)).pins == {"Militia Archers>Big Boss"}


def test_a_flip_off_a_disk_lands_beside_the_place_it_left() -> None:
    """R5.2, R5.3: the old and the new place touch, so a disk lying where it lay is not pinned."""
    table = scripted_position("A Orc Boyz  (10, 10)\nA Big Boss  (10, 10)").with_card_turn(0)
    assert table.pins == {"Big Boss>Orc Boyz"}
    table = table.answer(table.move_action("Big Boss", 35))
    assert table.pins == set()


# ---------------------------------------------------------------- what a pinned disk may do


def test_a_pinned_disk_cannot_be_activated_also_when_its_own_side_pins_it() -> None:
    """R6.3"""
    table = scripted_position(
        "A Orc Boyz  (10, 10)\nA Big Boss  (10.5, 10)\nB Militia Archers  (20, 20)"
    ).with_card_turn(0)
    for action in (table.pass_action("Orc Boyz"), table.move_action("Orc Boyz", 180)):
        refusal = table.expect_illegal(action)
        assert (refusal.code, refusal.rule, refusal.place) == ("disk_pinned", "R6.3", "$.action.disk")


def test_a_disk_that_becomes_free_may_be_activated_in_the_same_phase() -> None:
    """R6.4"""
    table = scripted_position(
        "A Orc Boyz  (10, 10)\nA Big Boss  (10.5, 10)\nB Militia Archers  (20, 20)"
    ).with_card_turn(0)
    table = table.answer(table.move_action("Big Boss", 0))
    table = table.answer(table.move_action("Orc Boyz", 180))
    assert table.disk("Orc Boyz").activated


def test_a_disk_is_free_when_the_one_on_top_dies() -> None:
    """R6.4"""
    table = scripted_position(
        "A Orc Boyz  (10, 10)\nB High Mage  (10.5, 10)\nA Arrer Boyz  (14, 10)\nB Sun Dragon (33, 33)"
    ).with_card_turn(0)
    assert table.pins == {"High Mage>Orc Boyz"}
    table = table.answer(table.shoot_action("Arrer Boyz", "High Mage"), (HIT, HIT))
    assert not table.is_fielded("High Mage")
    table = table.answer(table.pass_action("Orc Boyz"))
    assert table.disk("Orc Boyz").activated


def test_a_pinned_disk_can_be_shot_at() -> None:
    """R6.3, R12.1"""
    table = scripted_position("B Sun Dragon  (10, 10)\nA Big Boss  (10.5, 10)\nA Arrer Boyz  (14, 10)").with_card_turn(
        0
    )
    table = table.answer(table.shoot_action("Arrer Boyz", "Sun Dragon"), (HIT, MISS))
    assert table.damage("Sun Dragon") == (2,)


def test_a_pinned_disk_fights() -> None:
    """R6.3: an embattled one both ways."""
    table = scripted_position(
        "B Sun Dragon  (10, 10)\nA Black Orcs  (11, 10)\nB Militia Archers  (12.2, 10)"
    ).start_melee()
    struck = {table.name(blow.disk) for step in table.events_of_type(e.BlowsStruck) for blow in step.blows}
    assert struck == {"Militia Archers", "Black Orcs", "Sun Dragon"}


# ---------------------------------------------------------------- engage events

TYRION = "disk Tyrion: hero, small M6 S5 C4 T5 St1, engage roll_wound 4\n"


def test_each_new_enemy_pin_is_an_event_for_the_disk_on_top() -> None:
    """R6.6, R6.7: Tyrion lands on two enemies and rolls for each."""
    table = scripted_position(
        TYRION + "A Tyrion (10, 10)\nB Sun Dragon (10, 13.6)\nB Orc Boyz (11.5, 11.2)"
    ).with_card_turn(0)
    table = table.answer(table.move_action("Tyrion", 90), 3, 4)
    rolled = [
        (table.name(event.trigger.enemy), event.dice.results)
        for event in table.events_of_type(e.TriggerResolved)
        if event.dice
    ]
    assert rolled == [("Sun Dragon", (3,)), ("Orc Boyz", (4,))]
    assert (table.disk("Sun Dragon").wounds, table.is_fielded("Orc Boyz")) == (0, False)


def test_a_new_enemy_pin_is_an_event_for_the_disk_below() -> None:
    """R6.5, R6.6: an enemy lands on Tyrion, and Tyrion rolls."""
    table = scripted_position(TYRION + "A Tyrion (10, 10)\nB Sun Dragon (14, 10)").with_card_turn(1)
    table = table.answer(table.move_action("Sun Dragon", 180), 4)
    assert table.disk("Sun Dragon").wounds == 1


def test_a_pin_of_friends_is_no_event() -> None:
    """R6.5, R6.6"""
    table = scripted_position(
        TYRION + "A Tyrion (10, 10)\nA Orc Boyz (10, 12.5)\nB Sun Dragon (30, 30)"
    ).with_card_turn(0)
    table = table.answer(table.move_action("Tyrion", 90))
    assert table.pins == {"Tyrion>Orc Boyz"}
    assert table.events_of_type(e.TriggerResolved) == []


def test_a_pin_that_goes_on_is_no_event() -> None:
    """R6.8: another disk lands on the same enemy; Tyrion does not roll again."""
    table = scripted_position(TYRION + "B Sun Dragon (10, 10)\nA Tyrion (11, 10)\nA Orc Boyz (7, 10)").with_card_turn(0)
    table = table.answer(table.move_action("Orc Boyz", 0))
    assert table.pins == {"Tyrion>Sun Dragon", "Orc Boyz>Sun Dragon"}
    assert table.events_of_type(e.TriggerResolved) == []


def test_flip_that_lands_on_the_same_enemy_engages_it_again() -> None:
    """R6.8: all pins of the lifted disk end, those of its landing are new."""
    table = scripted_position(TYRION + "B Sun Dragon (10, 10)\nA Tyrion (11, 10)").with_card_turn(0)
    table = table.answer(table.move_action("Tyrion", 180), 6)
    (flip,) = table.events_of_type(e.DiskFlipped)
    assert flip.pins_gained == flip.pins_lost == (e.Pin(table.number("Tyrion"), table.number("Sun Dragon")),)
    assert table.disk("Sun Dragon").wounds == 1


def test_the_removal_of_a_disk_between_engages_those_it_kept_apart() -> None:
    """R6.6, R-32: the shot kills the mage between; Tyrion's roll and its wound come before the next choice."""
    text = "B Sun Dragon (10, 10)\nB High Mage (10.5, 10)\nA Tyrion (11, 10)\nA Arrer Boyz (14.5, 10)"
    table = scripted_position(TYRION + text).with_card_turn(0)
    assert table.pins == {"Tyrion>High Mage", "High Mage>Sun Dragon"}
    table = table.answer(table.shoot_action("Arrer Boyz", "High Mage"), (HIT, HIT), 5)
    assert table.pins == {"Tyrion>Sun Dragon"}
    assert table.disk("Sun Dragon").wounds == 1
    kinds = table.event_names()
    assert kinds[kinds.index("DisksRemoved") :] == ["DisksRemoved", "TriggerResolved", "DiskWounded", "ActivationEnded"]
    assert isinstance(table.open_questions[0][1], a.ActivationQuestion)


def test_triggers_of_two_abilities_are_ordered_by_the_player_whose_turn_it_is() -> None:
    """R19.19: Archaon lands on Tyrion; the order decides whether Tyrion's roll comes before Archaon's damage."""
    archaon = "disk Archaon: hero, medium M4 S6 C4 T5, engage deal_damage_near 1 untyped short\n"
    weak = TYRION.replace("T5 St1", "T1")
    table = scripted_position(
        archaon + weak + "A Archaon (10, 10)\nA Night Goblins (30, 3)\nB Tyrion (13, 10)\nB Sun Dragon (30, 30)"
    )
    table = table.with_card_turn(0).answer(table.move_action("Archaon", 0))
    ask = table.question(a.TriggerOrderQuestion)
    assert table.open_questions[0][0] == 0
    names = [table.name(trigger.disk) for trigger in ask.triggers]
    assert sorted(names) == ["Archaon", "Tyrion"]
    first = table.answer(a.OrderTriggers((names.index("Archaon"), names.index("Tyrion"))))
    assert (first.is_fielded("Archaon"), first.is_fielded("Tyrion")) == (True, False)
    other = table.answer(a.OrderTriggers((names.index("Tyrion"), names.index("Archaon"))), 6)
    assert (other.is_fielded("Archaon"), other.is_fielded("Tyrion")) == (False, True)


def test_player_of_the_card_orders_triggers_even_if_not_first_player() -> None:
    """R19.19: and in melee, where no card is played, the first player does."""
    archaon = "disk Archaon: hero, medium M4 S6 C4 T5, engage deal_damage_near 1 untyped short\n"
    text = "order B A\nA Archaon (10, 10)\nB Tyrion (13, 10)\nB Sun Dragon (30, 30)\nA Night Goblins (30, 3)"
    table = scripted_position(archaon + TYRION + text).with_card_turn(0)
    assert table.answer(table.move_action("Archaon", 0)).open_questions[0][0] == 0
    stack = "order B A\nB Tyrion (10, 10)\nB Egg (10.5, 10)\nA Archaon (11, 10)\ndisk Egg: small C0 T1\n"
    table = scripted_position(archaon + TYRION + stack).start_melee()
    assert (table.open_questions[0][0], type(table.open_questions[0][1])) == (1, a.TriggerOrderQuestion)


def test_triggers_of_one_ability_need_no_order() -> None:
    """R19.25: nothing depends on it, so no question is asked."""
    table = scripted_position(
        TYRION + "A Tyrion (10, 10)\nB Sun Dragon (10, 13.6)\nB Orc Boyz (11.5, 11.2)"
    ).with_card_turn(0)
    table = table.answer(table.move_action("Tyrion", 90), 1, 1)
    assert table.open_questions == ()


def test_triggers_of_a_landing_come_before_those_of_the_pins_that_its_impact_uncovers() -> None:
    """R-19: what a landing triggers does not depend on the order in which wounds happen."""
    text = "disk Chaff: small T2\ndisk Ox: large T9\nA Archaon (10, 10)\nB Ox (14.2, 10)\nB Chaff (12.9, 10)"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.move_action("Archaon", 0))
    assert table.pins == {"Archaon>Ox"}
    assert [table.name(event.trigger.enemy) for event in table.events_of_type(e.TriggerResolved)] == ["Chaff", "Ox"]
    assert table.damage("Ox") == (2,)


def test_no_order_is_asked_for_when_only_one_of_the_abilities_can_still_go_off() -> None:
    """R19.25: Impact has killed Tyrion, whose roll would have been the other."""
    weak = TYRION.replace("T5 St1", "T2")
    table = scripted_position(
        weak + "A Archaon (10, 10)\nA Night Goblins (30, 3)\nB Tyrion (13, 10)\nB Sun Dragon (30, 30)"
    ).with_card_turn(0)
    table = table.answer(table.move_action("Archaon", 0))
    assert not table.is_fielded("Tyrion")
    assert [table.name(event.trigger.disk) for event in table.events_of_type(e.TriggerResolved)] == ["Archaon"]


# ---------------------------------------------------------------- what is lifted


def test_disk_lifted_from_between_two_leaves_the_upper_on_the_lower() -> None:
    """R6.8: no rule moves a pinned disk today; one that does would get pins computed again."""
    board = scripted_position(STACK).board
    bottom, middle, top = board.disks
    beside = replace(middle, x=2 * middle.x, z=board.top_z + 1)
    gained, lost = movement._pin_changes(board, beside)
    placed = [(d.id, d.x, d.y, board.profiles[d.profile].radius, d.z) for d in (bottom, beside, top)]
    assert geometry.find_pins(placed) == ((top.id, bottom.id),)
    assert (gained, lost) == ((e.Pin(top.id, bottom.id),), board.pins)


LAYERS = """
A Bottom (10, 10) z1
B Middle (10.5, 10) z2
A Top (11.9, 10) z3
A Beside (7.2, 10) z4
A Far (30, 30) z5
B Above (30.5, 30) z6
disk Bottom: large
disk Middle: small
disk Top: small
disk Beside: small
disk Far:
disk Above:
"""


def test_disk_lifted_from_between_two_ends_its_own_pins_and_no_others() -> None:
    """R6.8: it lands on Bottom again and on Beside as well; the pins of others stay."""
    table = scripted_position(LAYERS)
    board, middle = table.board, table.disk("Middle")
    bottom, top, beside = (table.number(name) for name in ("Bottom", "Top", "Beside"))
    gained, lost = movement._pin_changes(board, replace(middle, x=middle.x - 50800, z=board.top_z + 1))
    assert set(lost) == {e.Pin(middle.id, bottom), e.Pin(top, middle.id)}
    assert set(gained) == {e.Pin(middle.id, bottom), e.Pin(middle.id, beside), e.Pin(top, bottom)}
