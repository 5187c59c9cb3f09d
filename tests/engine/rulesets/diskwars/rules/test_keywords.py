"""Every keyword of a disk does what docs/rules.md says, and leaves all other disks alone.

Disks of the tests are printed in their texts: `Mover` has the keyword, the others have none.
"""

import re
from pathlib import Path

import pytest

from diskwars_content.rule_register import find_rule_ids, load_register
from diskwars_content.rulesets.diskwars import EXPANSION_FOLDER, core_pack, load_pack
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_engine.rulesets.diskwars.activation import command_cards
from diskwars_protocol import geometry
from diskwars_protocol.identifiers import id_title
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import areas, keywords, terrain
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.keyword_forms import KEYWORDS
from diskwars_protocol.rulesets.diskwars.stats import Profile
from tests.engine.rulesets.diskwars.changed_disks import changed_disks
from tests.engine.rulesets.diskwars.positions import CRITICAL, HIT, MISS, SCATTER, ScriptedPosition, scripted_position
from tests.rows import each_row

ROOT = Path(__file__).parents[5]
FAR = "A Idle A (30, 30)\nB Idle B (34, 30)\ndisk Idle A: small\ndisk Idle B: small\n"
"""Two who have nothing to do with it, so that no side is wiped out either."""
INCH = 25400


def position_with_mover(words: str, rest: str) -> ScriptedPosition:
    """`Mover` at (10, 10) with these keywords, to be activated by seat A."""
    return scripted_position(f"{FAR}A Mover (10, 10)\n{rest}\ndisk Mover: {words}").with_card_turn(0)


# ---------------------------------------------------------------- the registry


def test_every_keyword_has_its_entry_its_paragraph_and_a_test_of_its_name() -> None:
    rules = (ROOT / "docs" / "rules.md").read_text("utf-8")
    tests = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "tests" / "engine").rglob("test_*.py")))
    named = " ".join(re.findall(r"def (test_\w+)", tests))
    for id, form in KEYWORDS.items():
        keyword, rule = id_title(id), form.rule
        paragraph = re.search(rf"^\*\*{re.escape(rule)}\*\* (.*?)\n\n", rules, re.MULTILINE | re.DOTALL)
        assert paragraph is not None, f"{rule} is not in docs/rules.md"
        assert keyword in paragraph[1], f"{rule} says nothing of {keyword}"
        assert keyword.lower() in named, f"no test of {keyword}"


# ---------------------------------------------------------------- Flying

ROW = "B Near (11.75, 10)\nB Far (16, 10)\ndisk Near: small T9\ndisk Far: small T9"


def test_a_flying_disk_touches_only_those_whom_it_lands_on_last() -> None:
    """R8.7, R-09: over Near, onto Far, in one go; Impact strikes Far alone."""
    before = position_with_mover("small M4, Flying, Impact 2", ROW)
    table = before.answer(before.move_action("Mover", 0, 0, 0))
    assert table.pins == {"Mover>Far"}
    assert table.damage("Near", "Far") == (0, 2)
    assert len(table.events_of_type(e.DiskFlipped)) == 3
    assert changed_disks(before, table) == {"Mover", "Far"}


def test_a_disk_that_does_not_fly_is_stopped_by_the_first_whom_it_lands_on() -> None:
    """R8.5.5, R19.13: the rest of the path is dropped."""
    before = position_with_mover("small M4, Impact 2", ROW)
    table = before.answer(before.move_action("Mover", 0, 0, 0))
    assert table.pins == {"Mover>Near"}
    assert table.damage("Near", "Far") == (2, 0)
    assert table.disk("Mover").activated


def test_a_flying_disk_has_to_keep_over_the_field() -> None:
    """R8.7: landings on the way are checked against the field."""
    table = position_with_mover("small M4, Flying", "").with_disk("Mover", x=2 * INCH)
    refusal = table.expect_illegal(table.move_action("Mover", 180, 0))
    assert (refusal.code, refusal.place) == ("off_field", "$.action.path[0]")


def test_the_flight_of_a_flying_disk_is_one_path_and_then_its_move_is_over() -> None:
    """R19.13: the whole path at once; a Mobile one may still shoot."""
    before = position_with_mover(
        "small M4, Flying, Mobile, shot 1 dice strength 2 physical to long", "B Target (20, 10)\ndisk Target:"
    )
    table = before.answer(before.move_action("Mover", 0, end=False))
    assert table.question(a.ContinuationQuestion) == a.ContinuationQuestion(table.number("Mover"), 0, ("shoot",))
    table = table.answer(table.shoot_action("Mover", "Target"), (HIT,))
    assert table.damage("Target") == (2,)


def test_a_flying_disk_leaves_those_free_whom_it_pinned() -> None:
    """R6.4, R6.8: lifted at the first flip."""
    before = position_with_mover("small M4, Flying", "B Below (10.5, 10) z0\ndisk Below: small")
    assert before.pins == {"Mover>Below"}
    table = before.answer(before.move_action("Mover", 90, 90))
    assert table.pins == set()
    assert [flip.pins_lost for flip in table.events_of_type(e.DiskFlipped)] == [before.board.pins, ()]


# ---------------------------------------------------------------- Relentless

THREE = "B One (11.75, 10)\nB Two (13.5, 10)\nB Three (16, 10)\ndisk One:\ndisk Two:\ndisk Three:"
THREE = THREE.replace(":", ": small T9")


def test_a_relentless_disk_goes_on_from_the_first_enemy_and_is_stopped_by_the_second() -> None:
    """R8.6: it is asked again after the first landing, with the flips that are left."""
    before = position_with_mover("small M4, Relentless, Impact 1", THREE)
    table = before.answer(before.move_action("Mover", 0, 0, 0))
    assert table.pins == {"Mover>One"}
    assert table.question(a.ContinuationQuestion) == a.ContinuationQuestion(table.number("Mover"), 3, ("move",))
    table = table.answer(table.move_action("Mover", 0, 0))
    assert table.pins == {"Mover>Two"}
    assert table.damage("One", "Two", "Three") == (1, 1, 0)
    assert table.disk("Mover").activated
    assert changed_disks(before, table) == {"Mover", "One", "Two"}


def test_a_relentless_disk_may_stay_where_it_is() -> None:
    """R8.6: it does not have to go on."""
    table = position_with_mover("small M4, Relentless", THREE)
    table = table.answer(table.move_action("Mover", 0, end=False))
    table = table.answer(table.pass_action("Mover"))
    assert table.pins == {"Mover>One"}
    assert table.disk("Mover").activated


# ---------------------------------------------------------------- Flank

FLANKING = """
zone A (6, 0) to (30, 6) for 5
zone B (6, 30) to (30, 36) for 5
A Big Boss (20, 10)
B Maiden Guard (26, 20)
A reserve: Mover, Plain
disk Mover: small, Flank, Impact 3
disk Plain: small
"""


@each_row(("x", "y"), [(875, 20000), (35125, 8000), (2000, 35125), (875, 875)])
def test_a_flank_disk_may_be_reinforced_at_any_edge(x: int, y: int) -> None:
    """R9.5: its centre is one radius away from the edge; it gets its token (R9.1)."""
    before = scripted_position(FLANKING).with_card_turn(0)
    table = before.answer(a.Reinforce(before.number("Mover"), x * INCH // 1000, y * INCH // 1000))
    now = table.disk("Mover")
    assert (now.place, now.activated) == ("battlefield", True)
    assert changed_disks(before, table) == {"Mover"}


def test_a_flank_disk_is_at_the_edge_and_nowhere_near_it() -> None:
    """R9.5: touching the edge, exactly."""
    table = scripted_position(FLANKING).with_card_turn(0)
    refusal = table.expect_illegal(a.Reinforce(table.number("Mover"), 22226, 20 * INCH))
    assert (refusal.code, refusal.rule) == ("outside_zone", "R9.1")


def test_a_flank_disk_keeps_out_of_enemy_zones_with_its_whole_rim() -> None:
    """R-73: beside the zone it may touch it, and reach 10 micrometres less than an overlap into it."""
    table = scripted_position(FLANKING).with_card_turn(0)
    number, y = table.number("Mover"), 36 * INCH - 22225
    for x, rule in (
        (6 * INCH - 22225, ""),
        (6 * INCH - 22225 + geometry.OVERLAP_TOLERANCE_UM, "R9.5"),
        (6 * INCH, "R9.5"),
    ):
        action = a.Reinforce(number, x, y)
        if rule:
            assert table.expect_illegal(action).rule == rule
        else:
            assert table.answer(action).is_fielded("Mover")


def test_places_offered_to_a_flank_disk_leave_enemy_zones_out_and_are_accepted() -> None:
    """R9.5: a disk is accepted wherever it meets the conditions of an area."""
    table = scripted_position(FLANKING.replace("zone A", "zone B")).with_card_turn(0)
    plans = {plan.disk: plan for plan in table.options().parametric if isinstance(plan.example, a.Reinforce)}
    assert set(plans) == {table.number("Mover")}
    plan = plans[table.number("Mover")]
    radius = table.board.profile(table.number("Mover")).radius
    for area in plan.areas:
        for x, y in ((area.x0 + radius, area.y0 + radius), (area.x1 - radius, area.y1 - radius)):
            assert plan.disk is not None
            assert areas.is_disk_in_area(table.board, plan.disk, x, y, area)
            table.answer(a.Reinforce(plan.disk, x, y))
    assert table.answer(plan.example).disk("Mover").place == "battlefield"


# ---------------------------------------------------------------- Scout


def scouting_position(words: str) -> ScriptedPosition:
    """Return the time of scout moves: the Mover may make one."""
    table = position_with_mover(f"small M4, {words}", ROW)
    return table.run_tasks(t.ScoutTask(0, (table.number("Mover"),)))


def test_a_scout_moves_before_round_1_and_gets_no_token() -> None:
    """R8.9"""
    before = scouting_position("Scout")
    table = before.answer(before.move_action("Mover", 90, 90))
    assert not table.disk("Mover").activated
    assert len(table.events_of_type(e.DiskFlipped)) == 2
    assert changed_disks(before, table) == {"Mover"}


@pytest.mark.parametrize(("words", "degrees", "place"), [("Scout", (0, 90), 0), ("Scout, Flying", (0, 0, 0), 2)])
def test_a_scout_may_not_land_on_an_enemy(words: str, degrees: tuple[int, ...], place: int) -> None:
    """R8.9, R-46"""
    table = scouting_position(words)
    refusal = table.expect_illegal(table.move_action("Mover", *degrees))
    assert (refusal.code, refusal.rule) == ("overlaps_enemy", "R8.9")
    assert refusal.place == f"$.action.path[{place}]"


def test_a_flying_scout_passes_over_enemies() -> None:
    """R8.9, R8.7"""
    before = scouting_position("Scout, Flying")
    table = before.answer(before.move_action("Mover", 0, 90))
    assert table.pins == set()
    assert changed_disks(before, table) == {"Mover"}


# ---------------------------------------------------------------- Strider, Emplace


def test_strider_is_what_terrain_is_asked_about() -> None:
    """R8.8: slices of a move that terrain would stop or hurt ask the keyword."""
    table = position_with_mover("small, Strider", "A Other (20, 20)\ndisk Other: small")
    assert keywords.ignores_terrain(table.board.profile(table.number("Mover")))
    assert not keywords.ignores_terrain(table.board.profile(table.number("Other")))


def test_an_emplaced_disk_never_moves_whatever_adds_to_its_movement() -> None:
    """R16.5, R-48: Emplace, with a card that gives a flip more to all."""
    table = scripted_position(f"{FAR}A Mover (10, 10)\ndisk Mover: M3, Emplace").with_card_turn(0, "double-time", 2)
    refusal = table.expect_illegal(table.move_action("Mover", 0))
    assert (refusal.code, refusal.rule) == ("too_many_flips", "R8.4")
    (idle,) = table.options().parametric
    assert idle.disk == table.number("Idle A")
    assert idle.flips == table.board.profile(idle.disk or 0).movement + 1


# ---------------------------------------------------------------- Stalwart

PINNED_POSITION = "B Above (10.5, 10)\nB Away (15, 10)\ndisk Above: small T9\ndisk Away: small T9"
SHOOTER = "small, shot 2 dice strength 2 physical to medium, Magic 2"


def test_a_pinned_stalwart_disk_may_shoot() -> None:
    """R16.3"""
    before = position_with_mover(f"{SHOOTER}, Stalwart", PINNED_POSITION)
    offered = [action for action in before.options().actions if getattr(action, "disk", None) == before.number("Mover")]
    assert before.shoot_action("Mover", "Away") in offered
    assert before.pass_action("Mover") not in offered
    table = before.answer(before.shoot_action("Mover", "Away"), (HIT, HIT))
    assert table.damage("Above", "Away") == (0, 4)
    assert table.disk("Mover").activated
    assert changed_disks(before, table) == {"Mover", "Away"}


def test_a_pinned_stalwart_disk_may_use_its_focus_ability() -> None:
    """R16.3"""
    table = position_with_mover(f"{SHOOTER}, Stalwart", PINNED_POSITION)
    table = table.answer(table.focus_action("Mover", "Above"))
    assert table.damage("Above", "Away") == (2, 0)


def test_a_pinned_stalwart_disk_does_not_move_and_a_pinned_one_without_it_does_not_shoot() -> None:
    """R16.3, R6.3"""
    stalwart, plain = (
        position_with_mover(f"{SHOOTER}, Stalwart", PINNED_POSITION),
        position_with_mover(SHOOTER, PINNED_POSITION),
    )
    assert stalwart.expect_illegal(stalwart.move_action("Mover", 180)).code == "disk_pinned"
    assert plain.expect_illegal(plain.shoot_action("Mover", "Away")).code == "disk_pinned"


def test_a_pinned_stalwart_disk_does_not_keep_the_phase_going() -> None:
    """R7.1, R-43: all others are activated."""
    table = position_with_mover(f"{SHOOTER}, Stalwart", PINNED_POSITION).with_hand(0, "press-on").with_hand(1, "feint")
    for name in ("Idle A", "Idle B", "Above", "Away"):
        assert not command_cards.is_phase_over(table.board)
        table = table.with_disk(name, activated=True)
    assert command_cards.is_phase_over(table.board)


# ---------------------------------------------------------------- Guard

GUARDED_POSITION = "B Guards (11.75, 10)\nB Beside (10, 14)\ndisk Guards: small T9, Guard 2\ndisk Beside: small"


def test_guard_strikes_the_enemy_that_lands_on_the_disk_after_its_impact() -> None:
    """R16.2, R-42: physical damage, after Impact."""
    before = position_with_mover("small T9, Impact 1", GUARDED_POSITION)
    table = before.answer(before.move_action("Mover", 0))
    assert table.damage("Mover", "Guards") == (2, 1)
    kinds = [kind for kind in table.event_names() if kind in ("ImpactRolled", "GuardRolled", "DamageDealt")]
    assert kinds == ["ImpactRolled", "DamageDealt", "GuardRolled", "DamageDealt"]
    assert [(hit.damage_type, hit.reasons[0].rule) for hit in table.events_of_type(e.DamageDealt)][1] == (
        "physical",
        "R16.2",
    )
    assert changed_disks(before, table) == {"Mover", "Guards"}


def test_guard_strikes_also_when_impact_has_killed_the_disk_and_may_kill_in_turn() -> None:
    """R-42: fixed at the landing."""
    before = position_with_mover("small T2, Impact 9", GUARDED_POSITION)
    table = before.answer(before.move_action("Mover", 0))
    assert not table.is_fielded("Guards")
    assert not table.is_fielded("Mover")
    assert changed_disks(before, table) == {"Mover", "Guards"}


def test_guard_comes_before_the_engage_abilities_of_a_pin_that_impact_lays_bare() -> None:
    """R-42, R-19: what a landing brings comes before what its Impact brings in its turn."""
    enemies = "B Tyrion (13.2, 10.5)\nB Fodder (13, 10.9)\nB Guards (13, 8.4)\ndisk Fodder: small T1"
    before = position_with_mover("large T9, Impact 1", f"{enemies}\ndisk Guards: small T9, Guard 2")
    table = before.answer(before.move_action("Mover", 0), 1)
    assert "Mover>Tyrion" in table.pins - before.pins
    assert [kind for kind in table.event_names() if kind in ("DisksRemoved", "GuardRolled", "TriggerResolved")] == [
        "DisksRemoved",
        "GuardRolled",
        "TriggerResolved",
    ]


def test_guard_does_nothing_to_a_friend_nor_to_one_that_is_reinforced() -> None:
    """R16.2: enemies, after a flip."""
    friend = position_with_mover("small T9", GUARDED_POSITION.replace("B Guards", "A Guards"))
    friend = friend.answer(friend.move_action("Mover", 0))
    assert friend.pins == {"Mover>Guards"}
    assert friend.damage("Mover") == (0,)
    text = f"{FAR}{GUARDED_POSITION}\nzone A (6, 6) to (18, 18) for 3\nA reserve: Comer\ndisk Comer: small T9"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(a.Reinforce(table.number("Comer"), 12 * INCH, 10 * INCH))
    assert table.pins == {"Comer>Guards"}
    assert table.damage("Comer") == (0,)


# ---------------------------------------------------------------- Poison

POISONED_POSITION = "B Victim (13, 10)\nB Other (16, 10)\ndisk Victim: small T9 St1\ndisk Other: small T9"
ARCHER = "small, Poison, shot 2 dice strength 2 physical to medium"


def poisoned_position() -> ScriptedPosition:
    table = position_with_mover(ARCHER, POISONED_POSITION)
    return table.answer(table.shoot_action("Mover", "Victim"), (HIT, MISS))


def test_poison_comes_with_the_damage_of_a_shot() -> None:
    """R16.4"""
    table = poisoned_position()
    assert (table.disk("Victim").damage, table.disk("Victim").poisoned) == (2, True)
    assert changed_disks(position_with_mover(ARCHER, POISONED_POSITION), table) == {"Mover", "Victim"}


def test_a_poisoned_disk_is_not_poisoned_again_nor_one_that_the_same_damage_wounds() -> None:
    """R16.4, R13.4: the wound comes with the damage that reaches the toughness, and before the poison."""
    table = poisoned_position().with_disk("Mover", activated=False).with_card_turn(0)
    again = table.answer(table.shoot_action("Mover", "Victim"), (HIT, MISS))
    assert again.damage("Victim") == (4,)
    assert again.events_of_type(e.DiskPoisoned) == []
    wounded = table.with_disk("Victim", damage=7, poisoned=False)
    wounded = wounded.answer(wounded.shoot_action("Mover", "Victim"), (HIT, MISS))
    assert wounded.disk("Victim").wounds == 1
    assert wounded.events_of_type(e.DiskPoisoned) == []


def test_poison_does_not_come_where_no_damage_is_taken() -> None:
    """R16.4: a critical on an immune disk marks it and poisons nobody."""
    table = position_with_mover(
        ARCHER, POISONED_POSITION.replace("disk Victim: small", "disk Victim: small, Immune (physical), T9")
    )
    table = table.answer(table.shoot_action("Mover", "Victim"), (CRITICAL, MISS))
    victim = table.disk("Victim")
    assert (victim.activated, victim.damage, victim.poisoned) == (True, 0, False)


def test_poison_comes_in_melee_and_keeps_the_damage_in_the_end_phase() -> None:
    """R16.4, R4.2: the poisoned keeps its damage, every other loses it; all other tokens go."""
    text = f"{FAR}B Victim (11, 10) activated\nA Mover (10, 10)\nB Hurt (20, 20) damage 2\n"
    table = scripted_position(text + "disk Victim: small T9 C1\ndisk Mover: small S3 T9, Poison\ndisk Hurt: small T9")
    before = table.start_melee()
    assert before.disk("Victim").poisoned
    assert not before.disk("Mover").poisoned
    table = before.run_tasks(t.EndPhaseTask())
    assert table.damage("Victim", "Hurt", "Mover") == (3, 0, 0)
    assert (table.disk("Victim").poisoned, table.disk("Victim").activated) == (True, False)
    assert changed_disks(before, table) == {"Victim", "Hurt", "Mover"}


def test_a_wound_takes_the_poison_away() -> None:
    """R-40"""
    table = poisoned_position().with_disk("Victim", damage=8).with_disk("Mover", activated=False)
    table = table.with_card_turn(0).answer(table.shoot_action("Mover", "Victim"), (HIT, MISS))
    victim = table.disk("Victim")
    assert (victim.wounds, victim.damage, victim.poisoned) == (1, 0, False)


def test_healing_a_poisoned_disk_takes_off_one_and_with_the_last_the_poison() -> None:
    """R-40"""
    heal = "small, focus heal 5 medium"
    healers = f"B Healer (13, 13)\nB Second (13, 7)\ndisk Healer: {heal}\ndisk Second: {heal}"
    table = position_with_mover(ARCHER, f"{POISONED_POSITION}\n{healers}")
    table = table.answer(table.shoot_action("Mover", "Victim"), (HIT, MISS)).with_card_turn(1)
    table = table.answer(table.focus_action("Healer", "Victim"))
    assert (table.disk("Victim").damage, table.disk("Victim").poisoned) == (1, True)
    table = table.answer(table.focus_action("Second", "Victim"))
    assert (table.disk("Victim").damage, table.disk("Victim").poisoned) == (0, False)


# ---------------------------------------------------------------- Immune, Resistant


@each_row(
    ("words", "damage", "expected"),
    [
        ("Immune (physical)", "physical", 0),
        ("Immune (physical)", "arcane", 5),
        ("Immune (arcane)", "arcane", 0),
        ("Immune (arcane)", "untyped", 5),
        ("Resistant (physical)", "physical", 3),
        ("Resistant (arcane)", "arcane", 3),
        ("Resistant (arcane)", "physical", 5),
        ("Immune (physical), Immune (arcane)", "true", 5),
    ],
)
def test_immune_and_resistant_disks_take_what_their_words_leave(words: str, damage: str, expected: int) -> None:
    """R13.3.1, R13.3.2, R13.1"""
    table = scripted_position(
        "A Shooter (10, 10)\nB Target (14, 10)\n"
        f"disk Target: T9, {words}\ndisk Shooter: focus deal_damage 5 {damage} medium"
    )
    table = table.with_card_turn(0)
    table = table.answer(table.focus_action("Shooter", "Target"))
    assert table.damage("Target") == (expected,)


@each_row(("dealt", "taken"), [(1, 1), (2, 1), (3, 2), (4, 2), (6, 3)])
def test_resistant_disks_take_half_of_even_damage_and_more_than_half_of_odd(dealt: int, taken: int) -> None:
    """R13.3.1: halved, rounded up."""
    table = scripted_position(
        "A Shooter (10, 10)\nB Target (14, 10)\n"
        f"disk Target: T9, Resistant (physical)\ndisk Shooter: focus deal_damage {dealt} physical medium"
    )
    table = table.with_card_turn(0)
    table = table.answer(table.focus_action("Shooter", "Target"))
    assert table.damage("Target") == (taken,)


def test_a_disk_immune_to_ranged_attacks_is_no_target_of_one() -> None:
    """R12.1"""
    table = position_with_mover(ARCHER, "B Ghost (13, 10)\ndisk Ghost: Immune (ranged)")
    assert table.expect_illegal(table.shoot_action("Mover", "Ghost")).code == "bad_target"


@each_row(
    ("words", "taken"),
    [
        ("Immune (impact)", 0),
        ("Resistant (impact)", 3),
        ("Resistant (impact), Resistant (physical)", 3),
        ("Resistant (impact), Immune (physical)", 0),
        ("Immune (guard), Immune (ranged), Resistant (guard), Resistant (ranged)", 5),
    ],
)
def test_immune_and_resistant_disks_take_what_their_words_leave_of_impact(words: str, taken: int) -> None:
    """R13.3.1, R13.3.2, R-75: damage that is covered twice is halved once, and Immune comes first."""
    table = position_with_mover("small, Impact 5", f"B Target (11.75, 10)\ndisk Target: small T9, {words}")
    table = table.answer(table.move_action("Mover", 0))
    assert table.pins == {"Mover>Target"}
    assert table.damage("Target") == (taken,)
    rules = [hit.reasons[-1].rule for hit in table.events_of_type(e.DamageDealt)]
    assert rules == [{0: "R13.3.2", 3: "R13.3.1", 5: "R8.5.2"}[taken]]


@each_row(
    ("words", "taken"),
    [("Immune (guard)", 0), ("Resistant (guard)", 2), ("Immune (impact), Resistant (impact), Immune (ranged)", 3)],
)
def test_immune_and_resistant_disks_take_what_their_words_leave_of_guard(words: str, taken: int) -> None:
    """R13.3.1, R13.3.2, R-75"""
    table = position_with_mover(f"small T9, {words}", "B Guards (11.75, 10)\ndisk Guards: small, Guard 3")
    table = table.answer(table.move_action("Mover", 0))
    assert table.damage("Mover") == (taken,)


@each_row(
    ("damage", "words", "taken"),
    [
        ("physical", "Resistant (ranged)", 3),
        ("untyped", "Resistant (ranged)", 3),
        ("untyped", "Resistant (physical)", 5),
        ("true", "Resistant (ranged)", 5),
        ("arcane", "Resistant (ranged), Resistant (arcane)", 3),
        ("physical", "Resistant (impact), Immune (impact), Immune (guard)", 5),
    ],
)
def test_resistant_disks_take_what_their_words_leave_of_a_ranged_attack(damage: str, words: str, taken: int) -> None:
    """R13.1, R13.3.1, R-75: whatever the type of the attack; true damage passes."""
    shot = f"small, shot 1 dice strength 5 {damage} to long"
    table = position_with_mover(shot, f"B Target (16, 10)\ndisk Target: small T9, {words}")
    table = table.answer(table.shoot_action("Mover", "Target"), (HIT,))
    assert table.damage("Target") == (taken,)


def test_a_disk_resistant_to_ranged_attacks_takes_half_of_scatter_and_splash() -> None:
    """R-75, R13.3.3: 3 physical by scatter and 5 arcane by the splash are halved each by itself."""
    shot = "small, shot 2 dice strength 3 physical to long, passive damage_around 5 arcane short"
    others = "B Ox (15, 10)\nB Near (17.5, 10)\ndisk Ox: small T20\ndisk Near: small T20, Resistant (ranged)"
    table = position_with_mover(shot, others)
    table = table.answer(table.shoot_action("Mover", "Ox"), (HIT, SCATTER), (HIT,))
    assert table.damage("Ox", "Near") == (3, 2 + 3)


def test_words_about_ranged_attacks_and_impact_help_against_no_blow() -> None:
    """R-75: melee is none of them."""
    words = "Immune (ranged), Immune (impact), Immune (guard), Resistant (ranged), Resistant (impact)"
    text = f"A Mover (10, 10)\nB Below (10.5, 10) z0\ndisk Mover: small S5 T9\ndisk Below: small T9, {words}\n"
    assert scripted_position(FAR + text).start_melee().damage("Below") == (5,)


# ---------------------------------------------------------------- Mobile, Magic, Impact


def test_a_mobile_disk_may_shoot_after_its_move_but_not_between_two_flips() -> None:
    """R8.2"""
    table = position_with_mover(
        "small M4, Mobile, shot 1 dice strength 2 physical to long", "B Target (20, 10)\ndisk Target: T9"
    )
    between = table.answer(table.move_action("Mover", 0, end=False))
    between = between.answer(between.shoot_action("Mover", "Target"), (HIT,))
    assert between.expect_illegal(between.move_action("Mover", 0)).code in ("wrong_action", "disk_activated")
    assert between.damage("Target") == (2,)


def test_magic_deals_arcane_damage_without_dice() -> None:
    """R8.3"""
    before = position_with_mover("small, Magic 3", "B Target (14, 10)\ndisk Target: T9")
    table = before.answer(before.focus_action("Mover", "Target"))
    assert [(hit.damage_type, hit.taken) for hit in table.events_of_type(e.DamageDealt)] == [("arcane", 3)]
    assert changed_disks(before, table) == {"Mover", "Target"}


def test_impact_strikes_own_disks_too_unless_the_match_says_otherwise() -> None:
    """R8.5.2, R-10"""
    rest = "A Friend (11.75, 10.5)\nB Enemy (11.75, 9.5)\ndisk Friend: small T9\ndisk Enemy: small T9\n"
    rest = rest.replace("Friend (11.75, 10.5)", "Friend (11.5, 11)").replace("Enemy (11.75, 9.5)", "Enemy (11.5, 9)")
    for option, expected in (("yes", (2, 2)), ("no", (0, 2))):
        table = position_with_mover("small, Impact 2", f"{rest}option impact_own {option}")
        table = table.answer(table.move_action("Mover", 0))
        assert table.pins == {"Mover>Friend", "Mover>Enemy"}
        assert table.damage("Friend", "Enemy") == expected


# ---------------------------------------------------------------- Swift, Slow, Frenzy


def profile_with(words: str) -> Profile:
    return scripted_position(f"A One (10, 10)\ndisk One: {words}").board.profiles[0]


@each_row(
    ("words", "strength", "counter"),
    [
        ("small", "normal", "normal"),
        ("Swift (strength)", "swift", "normal"),
        ("Swift (counter)", "normal", "swift"),
        ("Swift (both)", "swift", "swift"),
        ("Slow (both)", "slow", "slow"),
        ("Slow (strength), Swift (both)", "normal", "swift"),
    ],
)
def test_swift_and_slow_are_for_one_kind_of_attack_or_both_and_cancel(words: str, strength: str, counter: str) -> None:
    """R14.1 to R14.3"""
    assert keywords.speed(profile_with(words), "strength") == strength
    assert keywords.speed(profile_with(words), "counter") == counter


def test_a_frenzied_disk_strikes_everybody_it_pins_in_full() -> None:
    """R14.4"""
    text = f"{FAR}B One (9, 10)\nB Two (11, 10)\nA Mover (10, 10)\nB Three (20, 10)\n"
    before = scripted_position(
        text + "disk One: small T9 C1\ndisk Two: small T9 C1\ndisk Three: small\ndisk Mover: S3 T9, Frenzy"
    )
    table = before.start_melee()
    assert table.damage("One", "Two", "Three", "Mover") == (3, 3, 0, 2)
    assert changed_disks(before, table) == {"Mover", "One", "Two"}


# ---------------------------------------------------------------- the index


def test_the_index_of_keywords_names_the_rule_that_the_code_obeys() -> None:
    """R16.1: every keyword of disks and of terrain, but the four of the expansions, which have rules below it."""
    clauses = re.split(r"[,.] |: ", load_register().rules["R16.1"].text)
    forms = {id_title(id): form.rule for id, form in KEYWORDS.items()}
    forms |= {id_title(id): form.rule for id, form in terrain.TERRAIN_KEYWORDS.items()}
    below = {id: rule.text for id, rule in load_register().rules.items() if id in ("R16.2", "R16.3", "R16.4", "R16.5")}
    for keyword, rule in forms.items():
        if rule in below:
            assert below[rule].startswith(keyword)
        else:
            assert any(keyword.lower() in clause.lower() and rule in find_rule_ids(clause) for clause in clauses), (
                keyword
            )


def test_the_abilities_that_stand_elsewhere_are_on_the_disks_and_cards_that_are_named() -> None:
    """R16.9, R16.8: each bearer has the effect whose rule is given there."""
    disks = {**core_pack().disks, **load_pack(EXPANSION_FOLDER).disks}
    borne = {name: {type(ability.effect) for ability in disks[name].abilities} for name in disks}
    assert len(disks["steam-tank"].shots) == 3
    assert f.Rampage in borne["hellcannon"]
    assert f.ReinforceNear in borne["kairos-fateweaver"]
    assert f.DamageAround in borne["flame-cannon"]
    assert f.RollWound in borne["tyrion"]
    cards = {name: {type(ability.effect) for ability in card.abilities} for name, card in core_pack().cards.items()}
    assert f.ReduceToughness in cards["nurgles-rot"]
    assert f.FightEngagement in cards["blood-for-the-blood-god"]


def test_a_poisoned_disk_whose_toughness_falls_with_the_tokens_is_wounded_when_they_are_gone() -> None:
    """R-67: 4 damage on toughness 4 and an empowerment, which leaves in the end phase; without poison both leave."""
    for poisoned, wounds in ((True, 1), (False, 0)):
        text = f"{FAR}B Victim (10, 10) damage 4{' poisoned' * poisoned} empowered\ndisk Victim: small T4 St1"
        table = scripted_position(text).run_tasks(t.EndPhaseTask())
        victim = table.disk("Victim")
        assert (victim.wounds, victim.damage, victim.poisoned, victim.empowered) == (wounds, 0, False, False)
        kinds = table.event_names()
        assert not poisoned or kinds.index("TokensCleared") < kinds.index("DiskWounded")
