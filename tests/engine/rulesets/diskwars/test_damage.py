"""Damage, wounds, tokens and removals (R1.3, R13), and elimination (R4.6 to R4.10)."""

from collections.abc import Callable

import pytest

from diskwars_engine.rulesets.diskwars import damage, scoring
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_protocol.match.decisions import Reason, Result
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import keywords
from diskwars_protocol.rulesets.diskwars.board import Disk
from diskwars_protocol.rulesets.diskwars.keywords import AttackKind
from tests.engine.rulesets.diskwars.positions import (
    CRITICAL,
    HIT,
    SCATTER,
    ScriptedFaces,
    ScriptedPosition,
    scripted_position,
)
from tests.rows import each_row

WITCH = "disk Witch: small M5, focus deal_damage {amount} {damage} long\n"
SHOT = "shot 1 dice strength 9 physical to long"


def test_damage_stays_from_activation_into_melee() -> None:
    """R13.6: 3 by magic and 6 in melee are toughness 9."""
    text = "disk Ox: small T9\nB Ox (10, 10)\nA Black Orcs (11, 10)\nA High Mage (14, 10)\nB Sun Dragon (30, 30)"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.focus_action("High Mage", "Ox"))
    assert table.damage("Ox") == (3,)
    assert not table.start_melee().is_fielded("Ox")
    assert scripted_position(text).start_melee().damage("Ox") == (6,)


def test_one_instance_makes_at_most_one_wound_and_what_is_over_is_lost() -> None:
    """R13.4: 20 on toughness 4."""
    text = WITCH.format(amount=20, damage="true") + "disk Ox: small T4 St2\nA Witch (10, 10)\nB Ox (14, 10)"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.focus_action("Witch", "Ox"))
    assert (table.disk("Ox").wounds, table.disk("Ox").damage) == (1, 0)


def test_one_less_than_the_toughness_is_no_wound() -> None:
    """R13.4"""
    text = WITCH.format(amount=3, damage="arcane") + "disk Ox: small T4 St2\nA Witch (10, 10)\nB Ox (14, 10)"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.focus_action("Witch", "Ox"))
    assert (table.disk("Ox").wounds, table.disk("Ox").damage) == (0, 3)


def test_a_disk_with_as_many_wounds_as_stamina_is_removed_and_keeps_nothing() -> None:
    """R13.5"""
    text = WITCH.format(amount=4, damage="arcane") + "disk Ox: small T4 St2\nA Witch (10, 10)\nB Sun Dragon (30, 30)"
    for wounds, place in ((0, "battlefield"), (1, "battlefield"), (2, "casualty")):
        table = scripted_position(text + f"\nB Ox (14, 10) wounds {wounds} activated").with_card_turn(0)
        table = table.answer(table.focus_action("Witch", "Ox"))
        ox = table.disk("Ox")
        assert ox.place == place
        assert ox.wounds == (wounds + 1 if place == "battlefield" else 0)
        assert ox.activated == (place == "battlefield")


def test_a_wound_without_damage_clears_the_damage() -> None:
    """R13.5, R-30, R16.8: Tyrion's roll."""
    table = scripted_position("A Tyrion (10, 10)\nB Sun Dragon (14, 10) damage 5").with_card_turn(0)
    table = table.answer(table.move_action("Tyrion", 0, 0), 5)
    assert (table.disk("Sun Dragon").wounds, table.disk("Sun Dragon").damage) == (1, 0)


@pytest.mark.parametrize(("roll", "wounds"), [(4, 0), (5, 1)])
def test_tyrion_wounds_with_a_good_roll_only(roll: int, wounds: int) -> None:
    """R16.8"""
    table = scripted_position("A Tyrion (10, 10)\nB Sun Dragon (14, 10)").with_card_turn(0)
    table = table.answer(table.move_action("Tyrion", 0, 0), roll)
    assert table.disk("Sun Dragon").wounds == wounds


# ---------------------------------------------------------------- figures in force


def test_an_empowered_disk_has_one_more_strength_counter_and_toughness() -> None:
    """R1.3: 4 damage do not wound toughness 4 then, and its blows are 5 and 4."""
    text = (
        WITCH.format(amount=4, damage="arcane") + "disk Ox: small S4 C3 T4\nA Witch (20, 10)\nB Ox (14, 10) empowered"
    )
    table = scripted_position(text).with_card_turn(0)
    assert table.answer(table.focus_action("Witch", "Ox")).damage("Ox") == (4,)
    attacking = scripted_position(
        "disk Ox: small S4 C3 T4\nA Sun Dragon (10, 10)\nB Ox (11, 10) empowered"
    ).start_melee()
    assert attacking.damage("Sun Dragon") == (5,)
    defending = scripted_position(
        "disk Ox: small S4 C3 T9\nB Ox (11, 10) empowered\nA Sun Dragon (10, 10)"
    ).start_melee()
    assert defending.damage("Sun Dragon") == (4,)


def test_toughness_that_falls_is_tested_at_once() -> None:
    """R13.4, R-33: Nurgle's Rot on a disk whose damage is the new toughness."""
    text = "A Archaon (10, 10)\nB Orc Boyz (14, 10) damage {damage}\nB Sun Dragon (30, 30)"
    for tokens, is_alive in ((2, True), (3, False)):
        table = scripted_position(text.format(damage=tokens)).with_card_turn(0, "nurgles-rot")
        table = table.answer(table.ability_action("Archaon", "Orc Boyz"))
        assert table.is_fielded("Orc Boyz") == is_alive


def test_toughness_may_fall_more_than_once_and_never_below_nothing() -> None:
    """R1.3, R13.4, R-71: at 0 a disk without damage lives, and can be weakened no further."""
    text = "A Archaon (10, 10)\nB Orc Boyz (14, 10) weakened {weakened}\nB Sun Dragon (30, 30)"
    table = scripted_position(text.format(weakened=3)).with_card_turn(0, "nurgles-rot")
    table = table.answer(table.ability_action("Archaon", "Orc Boyz"))
    assert table.is_fielded("Orc Boyz")
    assert table.disk("Orc Boyz").weakened == 4
    table = scripted_position(text.format(weakened=4)).with_card_turn(0, "nurgles-rot")
    refusal = table.expect_illegal(table.ability_action("Archaon", "Orc Boyz"))
    assert (refusal.code, refusal.rule) == ("bad_target", "R16.10")


# ---------------------------------------------------------------- removals


def test_disks_that_die_together_are_removed_together() -> None:
    """R13.7: 3 on each of three by one blast; one record, then the pins that follow."""
    text = "A Stone Fangz Shaman (10, 10)\nB High Mage (14, 10)\nB Night Goblins (16, 10)\nB Sun Dragon (30, 30)"
    table = scripted_position(text).with_card_turn(0, "fists-of-mork")
    table = table.answer(table.ability_action("Stone Fangz Shaman", "High Mage"), 5)
    assert [gone.disks for gone in table.events_of_type(e.DisksRemoved)] == [(1, 2)]


def test_disks_above_a_removed_one_stay_where_they_are() -> None:
    """R13.8: and pin what lies below it now."""
    text = "B Sun Dragon (10, 10)\nB High Mage (10.5, 10)\nA Big Boss (11, 10)\nA Arrer Boyz (14.5, 10)"
    table = scripted_position(text).with_card_turn(0)
    before = table.disk("Big Boss")
    table = table.answer(table.shoot_action("Arrer Boyz", "High Mage"), (HIT, HIT))
    assert table.disk("Big Boss") == before
    (gone,) = table.events_of_type(e.DisksRemoved)
    boss, mage, dragon = map(table.number, ("Big Boss", "High Mage", "Sun Dragon"))
    assert gone.pins_gained == (e.Pin(boss, dragon),)
    assert set(gone.pins_lost) == {e.Pin(boss, mage), e.Pin(mage, dragon)}


# ---------------------------------------------------------------- elimination


def test_player_without_a_disk_on_the_battlefield_is_out_even_with_a_reserve() -> None:
    """R4.6, R4.7: with two players the other has won."""
    table = scripted_position(
        "A Bows (10, 10)\nB High Mage (14, 10)\nB reserve: Sun Dragon\ndisk Bows: small, " + SHOT
    ).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "High Mage"), (CRITICAL,))
    assert [event.seat for event in table.events_of_type(e.SeatEliminated)] == [1]
    assert scoring.result(table.board) == Result("elimination", (0,), reasons=(Reason("R4.7"),))
    assert table.open_questions == ()


def test_with_three_players_the_others_play_on() -> None:
    """R4.6, R18.5: the card of the one who is out is not resolved."""
    text = "A Bows (10, 10)\nB High Mage (14, 10)\nC Sun Dragon (30, 30)\ndisk Bows: small, " + SHOT
    table = scripted_position(text).with_card_turn(
        0, left=1, then=(t.CommandCardTask(1, "feint", 3, False), t.CommandCardTask(2, "feint", 3, False))
    )
    table = table.answer(table.shoot_action("Bows", "High Mage"), (CRITICAL,))
    assert scoring.result(table.board) is None
    assert [event.seat for event in table.events_of_type(e.CardBegan)] == [2]
    assert table.open_questions[0][0] == 2


def test_when_the_last_disks_of_all_go_at_the_same_moment_nobody_wins() -> None:
    """R4.8: a melee in which both kill each other in one step."""
    table = scripted_position("disk Bomb: small S9 C9 T1\nA Bomb (10, 10)\nB Bomb (10.5, 10)").start_melee()
    assert [event.seat for event in table.events_of_type(e.SeatEliminated)] == [0, 1]
    assert scoring.result(table.board) == Result("everybody_eliminated", reasons=(Reason("R4.8"),))


def test_when_one_dies_a_step_before_the_other_the_other_wins() -> None:
    """R4.9: elimination is tested after every set of removals, not at the end of the phase."""
    table = scripted_position(
        "disk Bomb: small S9 C9 T1\ndisk Fast: small S9 C9 T1, Swift (both)\nA Bomb (10, 10)\nB Fast (10.5, 10)"
    )
    table = table.start_melee()
    assert scoring.result(table.board) == Result("elimination", (1,), reasons=(Reason("R4.7"),))


def test_before_round_1_nobody_can_be_eliminated() -> None:
    """R4.9: both armies are in reserve while they are being deployed."""
    table = scripted_position("round 0 of 5\nA reserve: Orc Boyz\nB reserve: Orc Boyz").run_tasks(t.RoundTask(1))
    # with round 1 it is tested: two empty sides
    assert [event.seat for event in table.events_of_type(e.SeatEliminated)] == [0, 1]
    kinds = table.event_names()
    assert kinds.index("RoundBegan") < kinds.index("SeatEliminated")


def test_wound_is_due_from_one_damage_on_and_never_without() -> None:
    """R13.4, R-71"""
    table = scripted_position("A Rag (10, 10)\nB Rag (30, 30)\ndisk Rag: small T1 St1")
    assert damage.is_wound_due(table.with_disk("Rag#1", damage=1).board, 0)
    assert not damage.is_wound_due(table.with_disk("Rag#1", weakened=1).board, 0)
    assert not damage.is_wound_due(table.with_disk("Rag#1", damage=1, empowered=True).board, 0)


def test_engage_abilities_follow_the_removal_that_lays_their_pin_bare() -> None:
    """R13.7, R13.8: the disk above stays, pins the next, and its ability goes off before the next choice."""
    text = "A Mage (20, 10)\nB Giant (10, 10)\nB Rag (10.5, 10)\nA Tyrion (10.5, 10)\nB Orc Boyz (30, 30)\n"
    text += "disk Mage: small, focus deal_damage 9 physical long\ndisk Giant: large T9 St1\ndisk Rag: small T1"
    before = scripted_position(text).with_card_turn(0)
    assert before.pins == {"Tyrion>Rag", "Rag>Giant"}
    table = before.answer(before.focus_action("Mage", "Rag"), 1)
    assert table.pins == {"Tyrion>Giant"}
    assert (table.disk("Tyrion").x, table.disk("Tyrion").z) == (before.disk("Tyrion").x, before.disk("Tyrion").z)
    kinds = table.event_names()
    assert kinds.index("DisksRemoved") < kinds.index("TriggerResolved")


def test_consequences_after_the_end_are_left_out() -> None:
    """R4.7: no further question, and the work list is empty."""
    text = "A Bows (10, 10)\nB High Mage (14, 10)\ndisk Bows: small, " + SHOT
    table = scripted_position(text).with_card_turn(0, then=(t.MeleePhaseTask(), t.EndPhaseTask(), t.RoundTask(2)))
    table = table.answer(table.shoot_action("Bows", "High Mage"), (HIT,))
    assert table.tasks == ()
    assert table.events_of_type(e.PhaseBegan) == []


# ---------------------------------------------------------------- speeds


@each_row(
    ("printed", "strength", "counter"),
    [
        ("", "normal", "normal"),
        ("Swift (strength)", "swift", "normal"),
        ("Swift (counter)", "normal", "swift"),
        ("Swift (both)", "swift", "swift"),
        ("Slow (strength)", "slow", "normal"),
        ("Slow (counter)", "normal", "slow"),
        ("Slow (both)", "slow", "slow"),
        ("Swift (strength), Slow (strength)", "normal", "normal"),
        ("Swift (both), Slow (both)", "normal", "normal"),
        ("Swift (both), Slow (strength)", "normal", "swift"),
        ("Swift (counter), Slow (both)", "slow", "normal"),
    ],
)
def test_swift_and_slow_on_the_same_kind_of_attack_cancel(printed: str, strength: str, counter: str) -> None:
    """R14.1 to R14.3"""
    table = scripted_position(f"A Ox (10, 10)\ndisk Ox: small{', ' if printed else ''}{printed}")
    kinds: tuple[AttackKind, AttackKind] = ("strength", "counter")
    assert [keywords.speed(table.board.profile(0), kind) for kind in kinds] == [strength, counter]


def test_every_outcome_carries_the_rule_that_made_it() -> None:
    """R12.2, R12.4, R12.4.2, R13.5, R7.13: the shot, its damage and the token of its critical."""
    table = scripted_position("A Bows (10, 10)\nB Sun Dragon (14, 10)\ndisk Bows: small, " + SHOT).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Sun Dragon"), (CRITICAL,))
    rules = {type(event).__name__: event.reasons[0].rule for event in table.events if hasattr(event, "reasons")}
    assert rules == {
        "ShotFired": "R12.2",
        "DamageDealt": "R12.4",
        "DiskWounded": "R13.5",
        "ActivationTokenChanged": "R12.4.2",
        "ActivationEnded": "R7.13",
    }


@each_row(
    ("keyword", "rules"),
    [
        ("", ["R8.5.2"]),
        (", Resistant (physical)", ["R8.5.2", "R13.3.1"]),
        (", Immune (physical)", ["R8.5.2", "R13.3.2"]),
    ],
)
def test_damage_that_is_lessened_says_by_which_rule(keyword: str, rules: list[str]) -> None:
    """R13.3"""
    table = scripted_position(
        f"disk Ox: large T9{keyword}\nA Knights Panther (10, 10)\nB Ox (13.5, 10)"
    ).with_card_turn(0)
    table = table.answer(table.move_action("Knights Panther", 0))
    assert [[reason.rule for reason in hit.reasons] for hit in table.events_of_type(e.DamageDealt)] == [rules]


def test_a_lowered_toughness_says_by_how_much() -> None:
    """R-33"""
    table = scripted_position("A Archaon (10, 10)\nB Sun Dragon (14, 10)").with_card_turn(0, "nurgles-rot")
    table = table.answer(table.ability_action("Archaon", "Sun Dragon"))
    assert [event.reasons[-1].rule for event in table.events_of_type(e.DiskWeakened)] == ["R-33"]
    assert table.disk("Sun Dragon").weakened == 1


BURNER = "disk Burner: small, shot 2 dice strength 3 physical to long, passive damage_around 5 arcane short\n"


@each_row(("keywords", "taken"), [("Resistant (physical)", 2 + 5), ("Immune (arcane)", 3),
    ("Resistant (physical), Resistant (arcane)", 2 + 3)])  # fmt: skip
def test_in_an_instance_of_two_types_each_is_lessened_by_itself(keywords: str, taken: int) -> None:
    """R13.3.3: 3 physical by scatter and 5 arcane by the splash; halved together both would be 4."""
    text = f"A Burner (4, 4)\nB Ox (9, 4)\nB Near (11.5, 4)\ndisk Ox: small, T20\ndisk Near: small, T20, {keywords}\n"
    table = scripted_position(BURNER + text).with_card_turn(0)
    table = table.answer(table.shoot_action("Burner", "Ox"), (HIT, SCATTER), (HIT,))
    assert table.damage("Ox", "Near") == (3, taken)


@each_row(("toughness", "wounds", "left"), [(8, 1, 0), (9, 0, 8), (3, 1, 0)])
def test_an_instance_of_two_types_makes_one_wound_at_most(toughness: int, wounds: int, left: int) -> None:
    """R13.3.3, R13.4: 3 physical and 5 arcane are tested together."""
    text = f"A Burner (4, 4)\nB Ox (9, 4)\nB Near (11.5, 4)\ndisk Ox: small, T20\ndisk Near: small, T{toughness} St3\n"
    table = scripted_position(BURNER + text).with_card_turn(0)
    table = table.answer(table.shoot_action("Burner", "Ox"), (HIT, SCATTER), (HIT,))
    assert (table.disk("Near").wounds, table.disk("Near").damage) == (wounds, left)


def test_a_destroyed_disk_lies_with_its_owners_casualties_and_is_no_reserve() -> None:
    """R1.6: regardless of who killed it; it cannot be brought in again, and a reserve can."""
    text = "zone A (6, 0) to (30, 6) for 5\nA Arrer Boyz (10, 10)\nA Night Goblins (14, 10)\nB Sun Dragon (30, 30)\n"
    table = scripted_position(text + "A reserve: Orc Boyz").with_card_turn(0)
    table = table.answer(table.shoot_action("Arrer Boyz", "Night Goblins"), (HIT, HIT))
    for name, place in (("Orc Boyz", "reserve"), ("Night Goblins", "casualty")):
        assert (table.disk(name).place, table.disk(name).seat) == (place, 0)
    refusal = table.expect_illegal(a.Reinforce(table.number("Night Goblins"), 457200, 76200))
    assert (refusal.code, refusal.rule) == ("not_in_reserve", "R9.1")
    table = table.answer(a.Reinforce(table.number("Orc Boyz"), 457200, 76200))
    assert table.is_fielded("Orc Boyz")


# ---------------------------------------------------------------- what a disk is, and what its state is

TOKENS = """
zone A (6, 0) to (30, 6) for 5
A Archaon (10, 10)
A Arrer Boyz (10, 15)
A reserve: Night Goblins
B Ox (14, 10)
B Sun Dragon (30, 30)
disk Ox: medium, T9 St1
"""


def changed_fields(before: Disk, after: Disk) -> set[str]:
    return {name for name in Disk.__struct_fields__ if getattr(before, name) != getattr(after, name)}


@each_row(
    ("card", "name", "act", "dice", "changed"),
    [
        ("press-on", "Archaon", lambda t: t.pass_action("Archaon"), (), {"activated"}),
        ("press-on", "Arrer Boyz", lambda t: t.move_action("Arrer Boyz", 90), (), {"y", "z", "activated"}),
        ("press-on", "Ox", lambda t: t.shoot_action("Arrer Boyz", "Ox"), ((HIT, HIT),), {"damage"}),
        ("press-on", "Ox", lambda t: t.shoot_action("Arrer Boyz", "Ox"), ((CRITICAL, HIT),), {"damage", "activated"}),
        ("nurgles-rot", "Ox", lambda t: t.ability_action("Archaon", "Ox"), (), {"weakened"}),
        ("hold-fast", "Archaon", lambda t: t.ability_action("Archaon", "Archaon"), (), {"empowered"}),
        (
            "press-on",
            "Night Goblins",
            lambda t: a.Reinforce(t.number("Night Goblins"), 18 * 25400, 3 * 25400),
            (),
            {"place", "x", "y", "z", "activated"},
        ),
    ],
)
def test_event_of_a_disk_changes_that_disk_and_no_other(
    card: str,
    name: str,
    act: Callable[[ScriptedPosition], a.Action],
    dice: tuple[ScriptedFaces, ...],
    changed: set[str],
) -> None:
    """R1.2, R1.1: and nothing that is printed on it; a flip shows no other face."""
    table = scripted_position(TOKENS).with_card_turn(0, card)
    after = table.answer(act(table), *dice)
    assert changed_fields(table.disk(name), after.disk(name)) == changed
    assert after.board.profiles == table.board.profiles


def test_a_disk_on_which_no_stamina_is_printed_has_none() -> None:
    """R1.1, R13.5: its first wound removes it."""
    for stamina, lives in (("", False), (" St0", False), (" St1", True)):
        text = f"disk Ox: medium, T2{stamina}\nA Arrer Boyz (10, 10)\nB Ox (14, 10)\nB Sun Dragon (30, 30)"
        table = scripted_position(text).with_card_turn(0)
        assert table.answer(table.shoot_action("Arrer Boyz", "Ox"), (HIT, HIT)).is_fielded("Ox") == lives
