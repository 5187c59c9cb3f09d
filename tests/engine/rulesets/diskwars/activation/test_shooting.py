"""Battle dice against the target and the disk that scatter strikes (R12)."""

import pytest

from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.rulesets.diskwars.positions import CHAOS, CRITICAL, HIT, MISS, SCATTER, scripted_position
from tests.rows import each_row

BOWS_POSITION = "disk Bows: small, shot 3 dice strength 2 physical to long\n"
SHOT = BOWS_POSITION + "A Bows (4, 4)\nB Sun Dragon (10, 4)"
ALONE = SHOT + "\nB Plaguebearers (30, 30)"


@each_row(
    ("faces", "damage", "is_marked"),
    [
        ((HIT, HIT, MISS), 4, False),
        ((CRITICAL, HIT, MISS), 4, True),
        ((CRITICAL, CRITICAL, CRITICAL), 6, True),
        ((MISS, MISS, 6), 0, False),
        ((CHAOS, CHAOS, HIT), 2, False),
    ],
)
def test_hits_and_criticals_do_the_strength_and_a_critical_marks(
    faces: tuple[int, ...], damage: int, is_marked: bool
) -> None:
    """R12.4.1 to R12.4.4, R12.9"""
    table = scripted_position(ALONE).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), faces)
    assert table.damage("Sun Dragon") == (damage,)
    assert table.disk("Sun Dragon").activated == is_marked


def test_all_damage_of_one_attack_is_one_instance_and_one_wound() -> None:
    """R12.5, R13.2: 9 on toughness 4 with stamina 3."""
    text = (
        "disk Bows: small, shot 3 dice strength 3 physical to long\ndisk Ox: small T4 St3\nA Bows (4, 4)\nB Ox (9, 4)"
    )
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Ox"), (HIT, HIT, HIT))
    assert (table.disk("Ox").wounds, table.disk("Ox").damage) == (1, 0)


def test_a_target_that_has_its_token_does_not_get_another() -> None:
    """R12.4.2"""
    table = scripted_position(ALONE.replace("(10, 4)", "(10, 4) activated")).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (CRITICAL, MISS, MISS))
    assert table.events_of_type(e.ActivationTokenChanged) == []


def test_a_target_killed_by_a_critical_is_not_marked() -> None:
    """R12.4.2: there is nothing left to mark."""
    table = scripted_position(
        BOWS_POSITION + "A Bows (4, 4)\nB Night Goblins (10, 4)\nB Sun Dragon (30, 30)"
    ).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Night Goblins"), (CRITICAL, HIT, MISS))
    assert not table.is_fielded("Night Goblins")
    assert table.events_of_type(e.ActivationTokenChanged) == []


def test_at_siege_range_a_hit_does_nothing_and_a_critical_all() -> None:
    """R12.4.1, R12.4.2, R5.5"""
    text = "disk Bows: small, shot 3 dice strength 2 physical to siege\nA Bows (4, 4)\nB Sun Dragon ({x}um, 4)"
    long = 101600 + 22225 + 38100 + 304800
    for x, damage in ((long, 6), (long + 1, 2)):
        table = scripted_position(text.format(x=x)).with_card_turn(0)
        table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (HIT, HIT, CRITICAL))
        assert table.damage("Sun Dragon") == (damage,)


def test_strength_that_is_rolled_holds_for_all_hits_of_the_attack() -> None:
    """R12.2: one d6."""
    table = scripted_position("A Rock Lobber (4, 4)\nB Sun Dragon (13, 4)").with_card_turn(0)
    table = table.answer(table.shoot_action("Rock Lobber", "Sun Dragon"), 3, (HIT, CRITICAL, MISS))
    (shot,) = table.events_of_type(e.ShotFired)
    assert shot.attack.strength == 3
    assert shot.strength_dice is not None
    assert (shot.strength_dice.kind, shot.strength_dice.size, shot.strength_dice.results) == ("number_dice", 6, (3,))
    assert (shot.strength_dice.index, shot.dice.index) == (0, 1), "in the order of the fields"
    assert table.damage("Sun Dragon") == (6,)


def test_the_player_of_the_steam_tank_chooses_one_of_its_attacks_whose_range_is_met() -> None:
    """R12.8: medium range has the first, short range the second too, and only what is beyond medium the third."""
    for x, able in ((7, [0, 1]), (11, [0]), (14, [2])):
        table = scripted_position(f"A Steam Tank (4, 4)\nB Sun Dragon ({x}, 4)").with_card_turn(0)
        shots = [action.shot for action in table.options().actions if isinstance(action, a.Shoot)]
        assert shots == able
        for shot in {0, 1, 2} - set(able):
            refusal = table.expect_illegal(table.shoot_action("Steam Tank", "Sun Dragon", shot))
            assert (refusal.code, refusal.place) == ("out_of_range", "$.action.target")
            assert refusal.rule == ("R12.8" if shot == 2 else "R11.4")


def test_an_own_disk_can_be_the_target() -> None:
    """R12.1"""
    table = scripted_position(ALONE + "\nA Orc Boyz (4, 8)").with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Orc Boyz"), (HIT, MISS, MISS))
    assert table.damage("Orc Boyz") == (2,)


def test_a_disk_that_the_shooter_pins_can_be_the_target() -> None:
    """R12.1"""
    table = scripted_position(BOWS_POSITION + "B Sun Dragon (5, 4)\nA Bows (4, 4)").with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (HIT, MISS, MISS))
    assert table.damage("Sun Dragon") == (2,)


def test_the_shooter_itself_is_never_a_target() -> None:
    """R12.1"""
    table = scripted_position(ALONE).with_card_turn(0)
    refusal = table.expect_illegal(table.shoot_action("Bows", "Bows"))
    assert (refusal.code, refusal.rule) == ("bad_target", "R12.1")


# ---------------------------------------------------------------- scatter


def test_scatter_strikes_the_disk_nearest_to_the_target() -> None:
    """R12.3, R12.4.5: both dice are rolled again against it; the hit is an instance of its own, the critical marks."""
    near = "\nB Black Orcs (13, 4)\nB Orc Boyz (10, 7.8)"
    table = scripted_position(SHOT + near).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (HIT, SCATTER, SCATTER), (CRITICAL, MISS))
    assert table.damage("Sun Dragon", "Black Orcs", "Orc Boyz") == (2, 2, 0)
    assert table.disk("Black Orcs").activated
    assert not table.disk("Sun Dragon").activated


def test_a_scatter_rolled_again_as_scatter_is_ignored() -> None:
    """R12.3"""
    table = scripted_position(SHOT + "\nB Black Orcs (13, 4)").with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (SCATTER, MISS, MISS), (SCATTER,))
    assert len(table.events_of_type(e.ShotScattered)) == 1
    assert table.damage("Sun Dragon", "Black Orcs") == (0, 0)


def test_scatter_without_a_disk_within_short_range_of_the_target_does_nothing() -> None:
    """R12.3: no die is rolled; a micrometre decides."""
    text = SHOT + "\nB Black Orcs ({x}um, 4)"
    edge = 254000 + 38100 + 22225 + 76200
    table = scripted_position(text.format(x=edge + 1)).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (SCATTER, MISS, MISS))
    assert [(event.disk, event.dice) for event in table.events_of_type(e.ShotScattered)] == [(None, None)]
    table = scripted_position(text.format(x=edge)).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (SCATTER, MISS, MISS), (HIT,))
    assert table.damage("Black Orcs") == (2,)


def test_scatter_may_strike_an_own_disk_but_never_the_shooter() -> None:
    """R12.3.1, R-21: the shooter, nearest by far, is passed over."""
    text = BOWS_POSITION + "A Bows (7.5, 4)\nB Sun Dragon (10, 4)\nA Orc Boyz (14, 4)"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (SCATTER, MISS, MISS), (HIT,))
    assert table.damage("Bows", "Orc Boyz") == (0, 2)


def test_scatter_with_only_the_shooter_near_does_nothing() -> None:
    """R12.3.1"""
    table = scripted_position(
        BOWS_POSITION + "A Bows (7.5, 4)\nB Sun Dragon (10, 4)\nA Orc Boyz (30, 30)"
    ).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (SCATTER, MISS, MISS))
    assert [event.disk for event in table.events_of_type(e.ShotScattered)] == [None]


def test_the_shooters_player_picks_among_equally_near_disks() -> None:
    """R12.3.1, R-21, R19.17: all that the target overlaps are at distance 0."""
    text = SHOT + "\nB Maiden Guard (10.5, 4)\nB Black Orcs (11.9, 5)\nA Orc Boyz (13.5, 4)"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (SCATTER, SCATTER, HIT))
    assert table.open_questions[0][0] == 0
    ask = table.question(a.ScatterQuestion)
    assert {table.name(disk) for disk in ask.candidates} == {"Maiden Guard", "Black Orcs"}
    refusal = table.expect_illegal(a.ChooseScatter(table.number("Orc Boyz")))
    assert (refusal.code, refusal.rule, refusal.place) == ("not_legal", "R12.3.1", "$.action.target")
    table = table.answer(a.ChooseScatter(table.number("Black Orcs")), (HIT, HIT))
    assert table.damage("Sun Dragon", "Maiden Guard", "Black Orcs") == (2, 0, 4)
    assert table.disk("Bows").activated


def test_the_nearest_disk_may_be_immune_to_ranged_attacks_and_then_nothing_happens_to_it() -> None:
    """R12.3.1: it still is the one that scatter goes to."""
    text = SHOT + "\nB Ghost (13, 4)\nB Orc Boyz (10, 7.8)\ndisk Ghost: small T5, Immune (ranged)"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (SCATTER, MISS, MISS), (CRITICAL,))
    assert [event.disk for event in table.events_of_type(e.ShotScattered)] == [table.number("Ghost")]
    assert table.damage("Ghost", "Orc Boyz") == (0, 0)
    assert not table.disk("Ghost").activated


def test_the_disk_that_scatter_strikes_counts_as_standing_at_the_targets_range() -> None:
    """R12.3: beyond the maximum range of the attack it is struck all the same."""
    text = "disk Bows: small, shot 3 dice strength 2 physical to short\nA Bows (4, 4)\nB Sun Dragon (9, 4)"
    table = scripted_position(text + "\nB Black Orcs (13, 4)").with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (SCATTER, MISS, MISS), (HIT,))
    assert table.damage("Black Orcs") == (2,)


def test_at_siege_range_a_scattered_hit_does_nothing_even_to_a_disk_at_long_range() -> None:
    """R12.3, R12.4.1"""
    text = "disk Bows: small, shot 3 dice strength 2 physical to siege\nA Bows (4, 4)\nB Sun Dragon (19, 4)"
    table = scripted_position(text + "\nB Black Orcs (16, 4)").with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (SCATTER, SCATTER, MISS), (HIT, CRITICAL))
    assert table.damage("Black Orcs") == (2,)


def test_target_and_scattered_disk_that_die_of_one_attack_are_removed_together() -> None:
    """R13.7"""
    text = BOWS_POSITION + "A Bows (4, 4)\nB Night Goblins (10, 4)\nB High Mage (12, 4)\nB Sun Dragon (30, 30)"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Night Goblins"), (HIT, HIT, SCATTER), (MISS,))
    assert len(table.events_of_type(e.DisksRemoved)) == 1
    table = scripted_position(text.replace("3 dice strength 2", "3 dice strength 3")).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Night Goblins"), (HIT, MISS, SCATTER), (HIT,))
    assert [len(event.disks) for event in table.events_of_type(e.DisksRemoved)] == [2]


def test_shot_event_holds_range_strength_and_faces() -> None:
    """R12.2"""
    table = scripted_position(ALONE).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (HIT, MISS, CHAOS))
    (shot,) = table.events_of_type(e.ShotFired)
    assert (shot.attack.reach, shot.attack.strength, shot.dice.results) == ("medium", 2, (HIT, MISS, CHAOS))
    assert (shot.dice.kind, shot.dice.size, shot.strength_dice) == ("symbol_dice", 6, None)
    assert [reason.rule for reason in shot.reasons] == ["R12.2"]


def test_disk_without_a_ranged_attack_or_pinned_or_activated_does_not_shoot() -> None:
    """R12.7"""
    text = BOWS_POSITION + "A Bows (10, 10)\nA Orc Boyz (20, 20)\nB Sun Dragon (15, 10)"
    table = scripted_position(text).with_card_turn(0)
    refusal = table.expect_illegal(table.shoot_action("Orc Boyz", "Sun Dragon"))
    assert (refusal.code, refusal.rule) == ("no_such_shot", "R12.7")
    pinned = scripted_position(text + "\nA Big Boss (10.5, 10)").with_card_turn(0)
    assert pinned.expect_illegal(pinned.shoot_action("Bows", "Sun Dragon")).rule == "R6.3"
    activated = scripted_position(text.replace("(10, 10)", "(10, 10) activated")).with_card_turn(0)
    assert activated.expect_illegal(activated.shoot_action("Bows", "Sun Dragon")).rule == "R7.11"
    assert table.answer(table.shoot_action("Bows", "Sun Dragon"), (MISS, MISS, MISS)).disk("Bows").activated


@pytest.mark.parametrize(("dice", "strength", "damage"), [(1, 4, "arcane"), (3, 2, "physical")])
def test_an_attack_has_the_dice_the_strength_the_type_and_the_range_that_are_printed(
    dice: int, strength: int, damage: str
) -> None:
    """R12.7, R12.2, R11.4"""
    bows = f"disk Bows: small, shot {dice} dice strength {strength} {damage} to medium\ndisk Ox: small, T9\n"
    table = scripted_position(bows + "A Bows (10, 10)\nB Ox (15, 10)\nB Sun Dragon (22, 10)").with_card_turn(0)
    assert table.expect_illegal(table.shoot_action("Bows", "Sun Dragon")).rule == "R11.4"
    table = table.answer(table.shoot_action("Bows", "Ox"), (HIT,) + (MISS,) * (dice - 1))
    (shot,) = table.events_of_type(e.ShotFired)
    assert (len(shot.dice.results), shot.attack.strength, shot.attack.damage_type) == (dice, strength, damage)
    assert table.damage("Ox") == (strength,)


def test_an_empowered_disk_shoots_no_harder() -> None:
    """R-68, R1.3: the attack has a strength of its own."""
    table = scripted_position(ALONE.replace("(4, 4)", "(4, 4) empowered")).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (HIT, MISS, MISS))
    assert table.damage("Sun Dragon") == (2,)
