"""The worked examples F1 to F10 and FAQ1 come out as in docs/rules.md, with every number and variant.

Each position is a text in `figures/`, the same that the pictures of docs/rules.md are drawn from.
"""

from random import Random

import pytest

from diskwars_engine.rulesets.diskwars import damage, engagements, rounds
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_engine.rulesets.diskwars.damage import DiskHit
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.stats import DamageType
from tests.engine.rulesets.diskwars.positions import (
    CRITICAL,
    HIT,
    MISS,
    SALT,
    ScriptedMatchDice,
    ScriptedPosition,
    figure_position,
)
from tests.rows import each_row

NEXT_ROUND = (t.EndPhaseTask(), t.RoundTask(2))


# ---------------------------------------------------------------- F1


def strikers(question: a.MeleeTargetsQuestion) -> list[int]:
    """Return the disks that a question is about."""
    return [choice.disk for choice in question.choices]


def test_figure_1_surplus_damage_is_lost() -> None:
    """F1, R13.4, R8.5.2: 4 and the 6 of Impact are at least 5: one wound, no damage left, 5 are lost."""
    table = figure_position("figure-01").with_card_turn(1)
    table = table.answer(table.move_action("Bloodcrushers", 180), 6)
    karl = table.disk("Karl Franz")
    assert (karl.place, karl.damage, karl.wounds) == ("battlefield", 0, 1)
    assert [(hit.dealt, hit.taken, hit.tokens) for hit in table.events_of_type(e.DamageDealt)] == [(6, 6, 10)]
    assert len(table.events_of_type(e.DiskWounded)) == 1


def test_figure_1_without_stamina_karl_franz_is_removed() -> None:
    """F1, R13.5"""
    table = figure_position("figure-01", (" St1", "")).with_card_turn(1)
    table = table.answer(table.move_action("Bloodcrushers", 180), 6)
    assert table.disk("Karl Franz").place == "casualty"
    assert table.events_of_type(e.DiskWounded) == []


# ---------------------------------------------------------------- F2


def test_figure_2_shot_and_impact_are_two_instances_and_one_wound() -> None:
    """F2, R13.2, R8.2: hits of 3 and 3 wound the troll; the Impact of 3 that follows does not wound it again."""
    table = figure_position("figure-02").with_card_turn(0)
    table = table.answer(table.shoot_action("Steam Tank", "River Troll"), (HIT, HIT, MISS))
    assert [(hit.dealt, hit.tokens) for hit in table.events_of_type(e.DamageDealt)] == [(6, 6)]
    assert (table.disk("River Troll").wounds, table.disk("River Troll").damage) == (1, 0)
    assert table.question(a.ContinuationQuestion) == a.ContinuationQuestion(table.number("Steam Tank"), 2, ("move",))
    table = table.answer(table.move_action("Steam Tank", 0, 0))
    troll = table.disk("River Troll")
    assert (troll.place, troll.wounds, troll.damage) == ("battlefield", 1, 3)
    assert table.pins == {"Steam Tank>River Troll"}


def test_figure_2_the_range_of_the_shot_is_medium() -> None:
    """F2, R5.5"""
    table = figure_position("figure-02").with_card_turn(0)
    table = table.answer(table.shoot_action("Steam Tank", "River Troll"), (HIT, HIT, MISS))
    assert [(shot.attack.reach, shot.attack.strength) for shot in table.events_of_type(e.ShotFired)] == [("medium", 3)]


def test_figure_2_moving_first_and_shooting_afterwards_is_legal_too() -> None:
    """F2, R8.2: the Impact's 3 and the shot's 6 then make one wound."""
    table = figure_position("figure-02").with_card_turn(0)
    table = table.answer(table.move_action("Steam Tank", 0, 0, end=False))
    assert table.damage("River Troll") == (3,)
    assert table.question(a.ContinuationQuestion).allowed == ("shoot",)
    table = table.answer(table.shoot_action("Steam Tank", "River Troll"), (HIT, HIT, MISS))
    assert (table.disk("River Troll").wounds, table.disk("River Troll").damage) == (1, 0)
    assert table.disk("Steam Tank").activated


def test_figure_2_a_shot_between_two_flips_is_refused() -> None:
    """F2, R8.2: with the shot after the first flip the activation is over; a second flip would be a second one."""
    table = figure_position("figure-02").with_card_turn(0)
    table = table.answer(table.move_action("Steam Tank", 0, end=False))
    assert table.question(a.ContinuationQuestion).allowed == ("move", "shoot")
    table = table.answer(table.shoot_action("Steam Tank", "River Troll"), (HIT, HIT, MISS))
    assert table.disk("Steam Tank").activated
    assert table.open_questions == ()


def test_figure_2_a_second_shot_after_shot_and_flip_is_refused() -> None:
    """F2, R8.2: one of the two, once."""
    table = figure_position("figure-02").with_card_turn(0)
    table = table.answer(table.shoot_action("Steam Tank", "River Troll"), (HIT, HIT, MISS))
    table = table.answer(table.move_action("Steam Tank", 0, end=False))
    refusal = table.expect_illegal(table.shoot_action("Steam Tank", "River Troll"))
    assert (refusal.code, refusal.rule) == ("wrong_action", "R8.2")


# ---------------------------------------------------------------- F3


@each_row(
    ("target", "hits", "taken"),
    [
        ("Luthor", [(5, "physical")], 3),
        ("Luthor", [(2, "physical"), (3, "physical")], 3),
        ("Luthor", [(4, "physical")], 2),
        ("Luthor", [(1, "physical")], 1),
        ("Luthor", [(5, "arcane")], 5),
        ("Luthor", [(5, "untyped")], 5),
        ("Luthor", [(5, "true")], 5),
        ("Luthor", [(5, "physical"), (3, "arcane")], 6),
        ("Steam Tank", [(5, "physical")], 0),
        ("Steam Tank", [(5, "arcane")], 5),
        ("Steam Tank", [(5, "untyped")], 5),
        ("Steam Tank", [(5, "true")], 5),
        ("Steam Tank", [(5, "physical"), (3, "arcane")], 3),
    ],
)
def test_figure_3_damage_types_meet_resistant_and_immune(
    target: str, hits: list[tuple[int, DamageType]], taken: int
) -> None:
    """F3, R13.1, R13.3: Luthor is Resistant (physical), the Steam Tank Immune (physical), both of toughness 10."""
    table = figure_position("figure-03")
    resolution = Resolution(table.board, ScriptedMatchDice((), 1))
    damage.strike(resolution, [DiskHit(table.number(target), amount, damage_type) for amount, damage_type in hits], ())
    assert resolution.board.disks[table.number(target)].damage == taken


def test_figure_3_a_critical_marks_also_where_its_physical_damage_is_prevented() -> None:
    """F3, R12.5, R12.4.2"""
    table = figure_position("figure-03").with_card_turn(1)
    table = table.answer(table.shoot_action("Hellcannon", "Steam Tank"), (CRITICAL,))
    assert [(hit.dealt, hit.taken) for hit in table.events_of_type(e.DamageDealt)] == [(5, 0)]
    assert table.disk("Steam Tank").activated


def test_figure_3_the_flamers_critical_marks_teclis_and_does_no_damage() -> None:
    """F3, R13.3.2: Immune (arcane) may be targeted."""
    table = figure_position("figure-03").with_card_turn(1)
    table = table.answer(table.shoot_action("Flamers", "Teclis"), (CRITICAL, MISS, MISS))
    assert table.damage("Teclis") == (0,)
    assert table.disk("Teclis").activated


def test_figure_3_a_disk_immune_to_ranged_attacks_cannot_be_the_target() -> None:
    """F3, R12.1"""
    table = figure_position("figure-03").with_card_turn(1)
    refusal = table.expect_illegal(table.shoot_action("Hellcannon", "Sun Dragon"))
    assert (refusal.code, refusal.rule) == ("bad_target", "R12.1")


# ---------------------------------------------------------------- F4

ENEMIES = ("Militia Spearmen", "Sky Cutter", "Maiden Guard", "Sun Dragon")


def archaon_landed(*changes: tuple[str, str]) -> ScriptedPosition:
    table = figure_position("figure-04", *changes).with_card_turn(0)
    return table.answer(table.move_action("Archaon", 90))


def dragon_landed(*changes: tuple[str, str]) -> ScriptedPosition:
    table = archaon_landed(*changes).with_card_turn(1)
    return table.answer(table.move_action("Sun Dragon", 180, 180))


def test_figure_4_two_engage_triggers_add_up_with_impact() -> None:
    """F4, R6.6, R6.7, R8.5.3, R-20: Impact 2 and twice 1 on each that he lands on, twice 1 on each within short."""
    table = archaon_landed()
    assert table.pins == {"Archaon>Militia Spearmen", "Archaon>Sky Cutter"}
    assert len(table.events_of_type(e.TriggerResolved)) == 2
    assert table.damage(*ENEMIES) == (4, 4, 2, 0)


def test_figure_4_an_enemy_landing_on_archaon_triggers_him_once_more() -> None:
    """F4, R6.6: engaging is mutual."""
    table = dragon_landed()
    assert "Sun Dragon>Archaon" in table.pins
    assert len(table.events_of_type(e.TriggerResolved)) == 1
    assert table.damage(*ENEMIES) == (5, 5, 3, 1)


def test_figure_4_archaon_is_then_embattled_and_cannot_be_activated() -> None:
    """F4, R6.3, R15.6"""
    bystander = "A Archaon ", "A Kurgan Marauders  (1.20, 6.40)\nA Archaon "
    table = dragon_landed(bystander).with_disk("Archaon", activated=False).with_card_turn(0)
    refusal = table.expect_illegal(table.pass_action("Archaon"))
    assert (refusal.code, refusal.rule) == ("disk_pinned", "R6.3")
    parted = engagements.partition(table.board.pins)
    archaon = table.number("Archaon")
    assert any(archaon in engagement.attackers for engagement in parted)
    assert any(archaon in engagement.defenders for engagement in parted)


# ---------------------------------------------------------------- F5


def test_figure_5_all_that_hangs_together_is_one_engagement() -> None:
    """F5, R15.1.2"""
    table = figure_position("figure-05")
    parted = engagements.partition(table.board.pins)
    assert [[table.name(n) for n in (*engagement.attackers, *engagement.defenders)] for engagement in parted] == [
        ["O1", "O2", "O3", "H1", "H2", "H3"]
    ]
    assert not set(parted[0].attackers) & set(parted[0].defenders)


def test_figure_5_without_one_link_there_are_two_engagements() -> None:
    """F5: O1 and H1 lie further off, so O1 no longer lies on H2."""
    moved = ("O1  (3.20, 3.50)", "O1  (2.40, 3.50)"), ("H1  (2.00, 2.50)", "H1  (1.20, 2.50)")
    table = figure_position("figure-05", *moved).start_melee()
    assert table.pins == {"O1>H1", "O2>H2", "O2>H3", "O3>H3"}
    assert table.engagements == {"O1 | H1", "O2, O3 | H2, H3"}


# ---------------------------------------------------------------- F6

ENGAGEMENT_A = "Boar Boyz, Grom, Hellstriders, Wolf Riders | Flamers, Hellblaster, Knights Panther"
ENGAGEMENT_B = "Luthor | Wolf Riders"
ENGAGEMENT_C = "Valkia | Grom"
ENGAGEMENT_D = "Greatswords, Knights Panther, Swordsmen | Hellstriders"


def scrum() -> ScriptedPosition:
    """The melee phase of figure 6 has begun; the first player is the Orcs'."""
    return figure_position("figure-06").start_melee()


def legal_engagements(table: ScriptedPosition) -> set[str]:
    return {table.members(number) for number in table.question(a.EngagementQuestion).engagements}


def answer_all(table: ScriptedPosition, *attackers: str) -> ScriptedPosition:
    """The engagement is picked, and every choice of targets in it answered by the first that is offered."""
    table = table.answer(table.engagement_action(*attackers))
    while table.open_questions and isinstance(table.open_questions[0][1], a.MeleeTargetsQuestion):
        table = table.answer(table.options().actions[0])
    return table


def test_figure_6_parts_into_four_engagements_with_four_embattled_disks() -> None:
    """F6, R15.1.2, R15.6"""
    table = scrum()
    assert table.engagements == {ENGAGEMENT_A, ENGAGEMENT_B, ENGAGEMENT_C, ENGAGEMENT_D}
    attacking = {n for engagement in table.board.engagements for n in engagement.attackers}
    defending = {n for engagement in table.board.engagements for n in engagement.defenders}
    embattled = {table.name(n) for n in attacking & defending}
    assert embattled == {"Wolf Riders", "Grom", "Knights Panther", "Hellstriders"}


def test_figure_6_the_partition_does_not_depend_on_where_one_starts() -> None:
    """F6, R15.1, R15.1.2"""
    links = list(figure_position("figure-06").board.pins)
    expected = engagements.partition(links)
    for seed in range(50):
        Random(seed).shuffle(links)
        assert engagements.partition(links) == expected


def test_figure_6_first_b_or_c_may_be_picked() -> None:
    """F6, R15.2.1, R15.2.2: B and C precede A; A and D precede each other and wait (R-17)."""
    assert legal_engagements(scrum()) == {ENGAGEMENT_B, ENGAGEMENT_C}


def test_figure_6_a_and_d_wait_for_b_and_c_although_they_precede_each_other() -> None:
    """F6, R15.2.1"""
    table = scrum()
    ((seat, question),) = table.open_questions
    assert isinstance(question, a.EngagementQuestion)
    able = set(question.engagements)
    waiting = list(rounds.unavailable(table.board, seat, question))
    assert len(waiting) == 2
    for one in waiting:
        assert {value for name, value in one.numbers.items() if name.startswith("after")} == able
        assert one.text.endswith(f"comes after {', '.join(str(number) for number in sorted(able))}")


@pytest.mark.parametrize("first", ["Luthor", "Valkia"])
def test_figure_6_after_b_and_c_the_circle_of_a_and_d_is_open(first: str) -> None:
    """F6, R15.2.3: the second of B and C is the only one then, so it is not asked for; A and D have free attackers."""
    table = answer_all(scrum(), first)
    assert [table.members(event.engagement) for event in table.events_of_type(e.EngagementEnded)] in (
        [ENGAGEMENT_B, ENGAGEMENT_C],
        [ENGAGEMENT_C, ENGAGEMENT_B],
    )
    assert legal_engagements(table) == {ENGAGEMENT_A, ENGAGEMENT_D}
    assert table.open_questions[0][0] == 0


@pytest.mark.parametrize(
    ("attackers", "last"),
    [
        (("Wolf Riders", "Boar Boyz", "Grom", "Hellstriders"), ENGAGEMENT_D),
        (("Knights Panther", "Swordsmen", "Greatswords"), ENGAGEMENT_A),
    ],
)
def test_figure_6_the_one_of_the_circle_that_is_left_comes_last_without_a_question(
    attackers: tuple[str, ...], last: str
) -> None:
    """F6, R15.2.3, R19.25"""
    table = answer_all(answer_all(scrum(), "Luthor"), *attackers)
    assert table.open_questions == ()
    assert table.events_of_type(e.EngagementEnded) != []
    assert all(engagement.resolved for engagement in table.board.engagements)
    assert table.members(table.events_of_type(e.EngagementEnded)[-1].engagement) == last


def test_figure_6_luthor_kills_the_wolf_riders_so_they_are_missing_in_a() -> None:
    """F6, R15.3.4"""
    table = answer_all(scrum(), "Luthor")
    assert not table.is_fielded("Wolf Riders")
    table = table.answer(table.engagement_action("Wolf Riders", "Boar Boyz", "Grom", "Hellstriders"))
    wolves, blows = table.number("Wolf Riders"), []
    while table.open_questions:
        table = table.answer(table.options().actions[0])
        blows += [blow for step in table.events_of_type(e.BlowsStruck) for blow in step.blows]
    assert blows
    assert all(wolves not in (blow.disk, blow.target) for blow in blows)


def test_figure_6_a_chaos_disk_fights_in_a_c_and_d_but_not_in_b() -> None:
    """F6, R15.5: so Blood for the Blood God may take A, C or D, never B."""
    table = scrum()
    chaos = {disk.id for disk in table.board.disks if disk.seat == 2}
    theirs = {
        n
        for n, engagement in enumerate(table.board.engagements)
        if chaos & {*engagement.attackers, *engagement.defenders}
    }
    assert {table.members(n) for n in theirs} == {ENGAGEMENT_A, ENGAGEMENT_C, ENGAGEMENT_D}


# ---------------------------------------------------------------- F7


def azhag_defends() -> ScriptedPosition:
    return figure_position("figure-07").start_melee()


def azhag_attacks() -> ScriptedPosition:
    table = azhag_defends()
    return table.answer(table.targets_action(Azhag="Kurgan"))


def test_figure_7_as_a_defender_azhag_has_to_choose_one() -> None:
    """F7, R14.4, R15.2.1: {Kurgan, Plaguebearers | Azhag} comes first, without a question which."""
    table = azhag_defends()
    assert table.engagements == {"Kurgan, Plaguebearers | Azhag", "Azhag, Black Orcs | Archaon, Bloodcrushers"}
    ask = table.question(a.MeleeTargetsQuestion)
    assert (ask.role, ask.speed) == ("defender", "normal")
    assert [table.name(disk) for disk in strikers(ask)] == ["Azhag"]
    assert {table.name(n) for choice in ask.choices for n in choice.targets} == {"Kurgan", "Plaguebearers"}


def test_figure_7_azhag_kills_the_kurgan_and_bears_eight() -> None:
    """F7: the Kurgan's 4 in the normal step and the Plaguebearers' 4 in the slow one; 8 are fewer than 9."""
    table = azhag_attacks()
    assert not table.is_fielded("Kurgan")
    assert table.is_fielded("Azhag")
    assert [(blow.speed, len(blow.blows)) for blow in table.events_of_type(e.BlowsStruck)] == [
        ("normal", 2),
        ("slow", 1),
    ]
    assert table.damage("Azhag", "Plaguebearers") == (8, 0)


def test_figure_7_as_an_attacker_azhag_strikes_both_and_only_the_black_orcs_choose() -> None:
    """F7, R14.4"""
    table = azhag_attacks()
    ask = table.question(a.MeleeTargetsQuestion)
    assert (table.open_questions[0][0], ask.role) == (0, "attacker")
    assert [table.name(disk) for disk in strikers(ask)] == ["Black Orcs"]


def test_figure_7_twelve_on_archaon_in_one_step_are_one_wound() -> None:
    """F7, R15.3.5: 6 on the Bloodcrushers, 6 and 6 on Archaon."""
    table = azhag_attacks()
    table = table.answer(table.targets_action(Black_Orcs="Archaon"))
    assert {table.name(disk) for disk in strikers(table.question(a.MeleeTargetsQuestion))} == {
        "Archaon",
        "Bloodcrushers",
    }
    table = table.answer(table.targets_action(Archaon="Black Orcs", Bloodcrushers="Black Orcs"))
    assert table.damage("Bloodcrushers") == (6,)
    archaon = table.disk("Archaon")
    assert (archaon.place, archaon.wounds, archaon.damage) == ("battlefield", 1, 0)
    assert [hit.dealt for hit in table.events_of_type(e.DamageDealt) if hit.disk == archaon.id] == [12]


# ---------------------------------------------------------------- F8


def test_figure_8_a_wound_in_the_swift_step_and_another_in_the_normal_one_kill() -> None:
    """F8, R15.3.5: meanwhile the Bloodthirster strikes Grimgor for 5, by its choice."""
    table = figure_position("figure-08").start_melee()
    thirster = table.disk("Bloodthirster")
    assert (thirster.wounds, thirster.damage) == (1, 0)
    assert {table.name(n) for choice in table.question(a.MeleeTargetsQuestion).choices for n in choice.targets} == {
        "Grimgor",
        "Black Orcs",
    }
    table = table.answer(table.targets_action(Bloodthirster="Grimgor"))
    assert not table.is_fielded("Bloodthirster")
    assert table.damage("Grimgor", "Black Orcs") == (5, 0)
    assert [len(step.blows) for step in table.events_of_type(e.BlowsStruck)] == [2]


def test_figure_8_without_swift_twelve_in_one_step_are_one_wound_and_it_lives() -> None:
    """F8, R13.4"""
    table = figure_position("figure-08", (", Swift (strength)", "")).start_melee()
    table = table.answer(table.targets_action(Bloodthirster="Grimgor"))
    thirster = table.disk("Bloodthirster")
    assert (thirster.place, thirster.wounds, thirster.damage) == ("battlefield", 1, 0)


# ---------------------------------------------------------------- F9


def test_figure_9_has_three_engagements_in_one_order_only() -> None:
    """F9, R15.2.1: no seat is asked which comes next; the first question is Grimgor's target in the last."""
    table = figure_position("figure-09").start_melee()
    assert [table.members(event.engagement) for event in table.events_of_type(e.EngagementBegan)] == [
        "Shaman | Plaguebearers",
        "Plaguebearers | Grimgor",
        "Grimgor | Militia Spearmen, Swordmasters",
    ]
    assert table.question(a.MeleeTargetsQuestion).speed == "swift"


def test_figure_9_the_shaman_and_the_plaguebearers_die_in_their_steps() -> None:
    """F9, R15.3: 2 on the Plaguebearers, 5 kill the Shaman; Grimgor's 4 make 6 before their slow attack."""
    table = figure_position("figure-09").start_melee()
    recorded = [
        (step.speed, *((table.name(b.disk), b.strength) for b in step.blows))
        for step in table.events_of_type(e.BlowsStruck)
    ]
    assert recorded == [
        ("normal", ("Shaman", 2)),
        ("slow", ("Plaguebearers", 5)),
        ("normal", ("Grimgor", 4)),
    ]
    assert not table.is_fielded("Shaman")
    assert not table.is_fielded("Plaguebearers")
    tokens = [(table.name(hit.disk), hit.tokens) for hit in table.events_of_type(e.DamageDealt)]
    assert tokens == [("Plaguebearers", 2), ("Shaman", 5), ("Plaguebearers", 6)]


def test_figure_9_grimgor_kills_the_swordmasters_and_nobody_is_left_to_act_in_the_normal_step() -> None:
    """F9: the Spearmen's swift counter gives him 3; the Swordmasters' own would have been normal."""
    table = figure_position("figure-09").start_melee()
    table = table.answer(table.targets_action(Grimgor="Swordmasters"))
    assert not table.is_fielded("Swordmasters")
    assert table.damage("Grimgor", "Militia Spearmen") == (3, 0)
    assert [step.speed for step in table.events_of_type(e.BlowsStruck)] == ["swift"]


# ---------------------------------------------------------------- F10

SUCCESS_FACES = 4


def test_figure_10_the_swordsmen_cover_all_that_tyrion_and_the_tank_share() -> None:
    """F10, R6.2: strict and contact agree."""
    for mode in ("strict", "contact"):
        table = figure_position("figure-10", ("phase melee", f"phase melee  pins {mode}"))
        assert table.pins == {"Tyrion>Swordsmen", "Swordsmen>Steam Tank", "Steam Tank>Reavers"}


def test_figure_10_with_the_swordsmen_aside_tyrion_pins_the_tank() -> None:
    """F10, R6.2: they overlap both still, so by `strict` they cancel the pin, and by `contact` they do not."""
    aside = ("Swordsmen   (6.30, 3.50)", "Swordsmen   (6.30, 1.90)")
    contact = figure_position("figure-10", aside, ("phase melee", "phase melee  pins contact"))
    assert "Tyrion>Steam Tank" in contact.pins


def new_pin() -> ScriptedPosition:
    """Return figure 10 in its melee phase, with all later tasks queued."""
    return figure_position("figure-10").with_hand(0, "press-on").with_hand(1, "press-on").start_melee(then=NEXT_ROUND)


def test_figure_10_both_orders_are_legal() -> None:
    """F10, R15.2.4: no disk is embattled. The pin of friends is no link (R15.1.5)."""
    table = new_pin()
    assert legal_engagements(table) == {"Tyrion | Swordsmen", "Steam Tank | Reavers"}
    assert table.engagements == legal_engagements(table)


def test_figure_10_a_new_pin_triggers_at_once_but_is_not_fought() -> None:
    """F10, R15.4, R15.4.1: Tyrion's roll wounds the tank; the tank still strikes the Reavers and takes 3."""
    table = new_pin()
    table = table.answer(table.engagement_action("Tyrion"), SUCCESS_FACES)
    swordsmen, tank, reavers, tyrion = map(table.number, ("Swordsmen", "Steam Tank", "Reavers", "Tyrion"))
    assert [(event.trigger.disk, event.trigger.enemy) for event in table.events_of_type(e.TriggerResolved)] == [
        (tyrion, tank)
    ]
    assert [(wound.disk, wound.wounds) for wound in table.events_of_type(e.DiskWounded)] == [(tank, 1)]
    assert [gone.disks for gone in table.events_of_type(e.DisksRemoved)] == [(swordsmen,), (reavers,)]
    recorded = [{(b.disk, b.target): b.strength for b in step.blows} for step in table.events_of_type(e.BlowsStruck)]
    assert recorded == [{(tyrion, swordsmen): 5, (swordsmen, tyrion): 3}, {(tank, reavers): 5, (reavers, tank): 3}]
    assert [(hit.disk, hit.tokens) for hit in table.events_of_type(e.DamageDealt)] == [
        (swordsmen, 5),
        (tyrion, 3),
        (reavers, 5),
        (tank, 3),
    ]
    assert table.is_fielded("Steam Tank")


def test_figure_10_in_the_other_order_the_wound_takes_the_reavers_three_with_it() -> None:
    """F10, R13.5: a wound without damage clears the tokens."""
    table = new_pin()
    table = table.answer(table.engagement_action("Steam Tank"), SUCCESS_FACES)
    order = [table.members(event.engagement) for event in table.events_of_type(e.EngagementBegan)]
    assert order == ["Steam Tank | Reavers", "Tyrion | Swordsmen"]
    kinds = table.event_names()
    assert kinds.index("TriggerResolved") < kinds.index("DiskWounded") < kinds.index("TokensCleared")
    cleared = {table.name(n) for event in table.events_of_type(e.TokensCleared) for n in event.disks}
    assert cleared == {"Tyrion"}
    assert table.disk("Steam Tank").wounds == 1


def test_figure_10_without_success_the_tank_is_not_wounded() -> None:
    """F10, R16.8"""
    table = new_pin()
    table = table.answer(table.engagement_action("Tyrion"), SUCCESS_FACES - 1)
    assert table.events_of_type(e.DiskWounded) == []
    assert table.disk("Steam Tank").wounds == 0


def test_figure_10_in_the_next_round_the_new_pin_is_an_engagement() -> None:
    """F10, R15.4.1"""
    table = new_pin()
    table = table.answer(table.engagement_action("Tyrion"), SUCCESS_FACES)
    assert table.board.round == 2
    assert table.pins == {"Tyrion>Steam Tank"}
    for seat in (0, 1):
        table = table.answer(a.LockCard("press-on", SALT), seat=seat)
    table = table.answer(a.EndCard())
    assert len(table.events_of_type(e.EngagementsFrozen)) == 1
    assert table.engagements == {"Tyrion | Steam Tank"}


# ---------------------------------------------------------------- FAQ1


def faq_scrum() -> ScriptedPosition:
    return figure_position("faq-scrum").start_melee()


def test_faq_scrum_the_spearmen_come_first_and_give_the_troll_three() -> None:
    """FAQ1, R15.2.1"""
    table = faq_scrum()
    assert [table.members(event.engagement) for event in table.events_of_type(e.EngagementBegan)] == [
        "Militia Spearmen | River Troll",
        "River Troll, Wolf Riders | High Mage, Teclis",
    ]
    assert table.damage("River Troll") == (3,)


def test_faq_scrum_only_the_riders_and_then_teclis_choose() -> None:
    """FAQ1, R15.3.2: attackers before defenders; the troll and the High Mage have one target each."""
    table = faq_scrum()
    ask = table.question(a.MeleeTargetsQuestion)
    assert (table.open_questions[0][0], ask.role) == (1, "attacker")
    assert [table.name(disk) for disk in strikers(ask)] == ["Wolf Riders"]
    table = table.answer(table.targets_action(Wolf_Riders="High Mage"))
    ask = table.question(a.MeleeTargetsQuestion)
    assert (table.open_questions[0][0], ask.role) == (0, "defender")
    assert [table.name(disk) for disk in strikers(ask)] == ["Teclis"]


def test_faq_scrum_riders_and_high_mage_fall_and_teclis_and_the_troll_take_a_wound_each() -> None:
    """FAQ1, R15.3.3: all at once; the troll's 3 and 3 are its toughness."""
    table = faq_scrum()
    table = table.answer(table.targets_action(Wolf_Riders="High Mage"))
    table = table.answer(table.targets_action(Teclis="River Troll"))
    dealt = {table.name(hit.disk): hit.dealt for hit in table.events_of_type(e.DamageDealt)}
    assert dealt == {"High Mage": 3, "Teclis": 5, "River Troll": 3, "Wolf Riders": 3}
    assert not table.is_fielded("Wolf Riders")
    assert not table.is_fielded("High Mage")
    for name in ("Teclis", "River Troll"):
        assert (table.disk(name).place, table.disk(name).wounds, table.disk(name).damage) == ("battlefield", 1, 0)
