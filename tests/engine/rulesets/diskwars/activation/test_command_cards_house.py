"""Every command card of our own does what it says, to the disks it names, for as long as it is revealed.

Also Blood for the Blood God, and the options of a match about cards.
"""

from itertools import product

import pytest

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.stats import (
    Effect,
    IncreaseMovement,
    IncreaseRange,
    IncreaseShotStrength,
    IncreaseToughness,
)
from tests.engine.rulesets.diskwars.changed_disks import changed_disks
from tests.engine.rulesets.diskwars.positions import (
    CHAOS,
    HIT,
    MISS,
    ScriptedPosition,
    figure_position,
    scripted_position,
)
from tests.rows import each_row

ALL = """
A Karl Franz (4, 4)
A Marienburg Swordsmen (8, 4)
A Hochland Pistoliers (12, 4)
A Ellyrian Reavers (16, 4)
A Maiden Guard (20, 4)
A Bloodcrushers (4, 12)
A Kurgan Marauders (8, 12)
A Boar Boyz (12, 12)
A Orc Boyz (16, 12)
A Night Goblins (20, 12)
B Bloodthirster (30, 30)
B Knights Panther (26, 30)
"""
EMPIRE = {"Karl Franz", "Marienburg Swordsmen", "Hochland Pistoliers"}
ELVES = {"Ellyrian Reavers", "Maiden Guard"}
EVERYBODY = EMPIRE | ELVES | {"Bloodcrushers", "Kurgan Marauders", "Boar Boyz", "Orc Boyz", "Night Goblins"}
CAVALRY = {"Karl Franz", "Hochland Pistoliers", "Ellyrian Reavers", "Bloodcrushers", "Boar Boyz"}
INFANTRY = {"Marienburg Swordsmen", "Maiden Guard", "Kurgan Marauders", "Orc Boyz", "Night Goblins"}

PASSIVE: dict[str, tuple[dict[str, int], set[str]]] = {
    "ride-them-down": ({"movement": 2}, CAVALRY),
    "wait-for-it": ({"toughness": 1}, EVERYBODY),
    "ranks-closed": ({"toughness": 1}, INFANTRY),
    "powder-and-shot": ({"shots": 1}, EMPIRE),
    "grace-of-the-asur": ({"movement": 1}, ELVES),
    "get-stuck-in": ({"movement": 1}, {"Boar Boyz", "Orc Boyz"}),
    "double-time": ({"movement": 1}, EVERYBODY),
    "aimed-volley": ({"shots": 1}, EVERYBODY),
}
FIGURES = {
    "strength": effective_stats.strength,
    "counter_strength": effective_stats.counter_strength,
    "toughness": effective_stats.toughness,
    "movement": effective_stats.movement,
    "shots": effective_stats.shot_bonus,
}


def stats_of(table: ScriptedPosition) -> dict[tuple[str, str], int]:
    names = [table.name(disk.id) for disk in table.board.disks]
    return {(name, word): ask(table.board, table.number(name)) for name in names for word, ask in FIGURES.items()}


# ---------------------------------------------------------------- passive abilities


def test_every_passive_card_is_tested_here() -> None:
    lasting: tuple[type[Effect], ...] = (IncreaseMovement, IncreaseShotStrength, IncreaseToughness)
    cards = {
        card.id
        for card in core_pack().cards.values()
        for ability in card.abilities
        if isinstance(ability.effect, lasting)
    }
    assert cards == set(PASSIVE)
    others = {
        card.id for card in core_pack().cards.values() for ability in card.abilities if ability.timing == "passive"
    } - cards
    assert others == {"winds-of-morai-heg"}


@each_row("card", PASSIVE)
def test_a_passive_card_changes_the_figures_it_names_of_the_disks_it_names_and_no_others(card: str) -> None:
    """R7.8, R16.10: and those of the enemy never."""
    more, names = PASSIVE[card]
    before, after = stats_of(scripted_position(ALL)), stats_of(scripted_position(ALL).with_card_turn(0, card))
    changed = {key: after[key] - before[key] for key in before if before[key] != after[key]}
    assert changed == {(name, word): figure for name in names for word, figure in more.items()}


def test_the_winds_carry_the_shots_of_all() -> None:
    """R7.8"""
    (ability,) = core_pack().cards["winds-of-morai-heg"].abilities
    assert ability.effect == IncreaseRange(1)
    table = scripted_position(ALL).with_card_turn(0, "winds-of-morai-heg")
    assert effective_stats.shot_reach(table.board, table.number("Hochland Pistoliers"), "medium") == "long"
    assert effective_stats.shot_reach(table.board, table.number("Bloodthirster"), "medium") == "medium"


def test_when_wait_for_it_is_discarded_those_whom_it_kept_alive_take_their_wounds() -> None:
    """R-45, R13.4: four damage on toughness four."""
    text = "A Marienburg Swordsmen (10, 10) damage 4\nA Huntsmen (14, 10) damage 2\nA Karl Franz (18, 10) damage 5\n"
    before = scripted_position(text + "B Tyrion (30, 30)").with_card_turn(0, "wait-for-it", 1)
    table = before.answer(a.EndCard())
    assert not table.is_fielded("Marienburg Swordsmen")
    assert (table.disk("Karl Franz").wounds, table.disk("Karl Franz").damage) == (1, 0)
    assert changed_disks(before, table) == {"Marienburg Swordsmen", "Karl Franz"}
    assert len(table.events_of_type(e.DisksRemoved)) == 1


# ---------------------------------------------------------------- battle abilities


def test_catch_your_breath_is_used_by_a_hero_and_heals_a_d6() -> None:
    """R7.9: a kind names its user."""
    text = "A Karl Franz (10, 10) damage 4\nA Huntsmen (13, 10) damage 2\nB Tyrion (30, 30)"
    before = scripted_position(text).with_card_turn(0, "catch-your-breath")
    users = {action.disk for action in before.options().actions if isinstance(action, a.UseAbility)}
    assert users == {before.number("Karl Franz")}
    table = before.answer(before.ability_action("Karl Franz", "Karl Franz"), 3)
    assert table.damage("Karl Franz", "Huntsmen") == (1, 2)
    assert changed_disks(before, table) == {"Karl Franz"}


HEALED_POSITION = """
A Night Goblins (10, 10) damage 1
A Orc Boyz ({far}, 10) damage 3
A Huntsmen (10, 13) damage 2
B Tyrion (30, 30)
"""


def usable_abilities(table: ScriptedPosition) -> list[a.UseAbility]:
    return [action for action in table.options().actions if isinstance(action, a.UseAbility)]


def test_shoulder_to_shoulder_heals_two_of_anybody_near() -> None:
    """R7.9: the Orc Boyz stand further off than short."""
    before = scripted_position(HEALED_POSITION.format(far=15)).with_card_turn(0, "shoulder-to-shoulder")
    assert before.ability_action("Night Goblins", "Orc Boyz") not in usable_abilities(before)
    table = before.answer(before.ability_action("Night Goblins", "Huntsmen"))
    assert table.damage("Night Goblins", "Orc Boyz", "Huntsmen") == (1, 3, 0)


def test_green_tide_heals_two_of_a_greenskin_by_a_greenskin() -> None:
    """R7.9: not the Huntsmen, who are as near."""
    before = scripted_position(HEALED_POSITION.format(far=15)).with_card_turn(0, "green-tide")
    near = scripted_position(HEALED_POSITION.format(far=13)).with_card_turn(0, "green-tide")
    pairs = product(("Night Goblins", "Orc Boyz"), repeat=2)
    assert usable_abilities(near) == [near.ability_action(user, target) for user, target in pairs]
    table = before.answer(before.ability_action("Night Goblins", "Orc Boyz"))
    assert table.damage("Night Goblins", "Orc Boyz", "Huntsmen") == (1, 1, 2)


def test_for_the_empire_empowers_a_disk_of_the_empire() -> None:
    """R7.9"""
    before = scripted_position("A Huntsmen (10, 10)\nA Maiden Guard (12, 10)\nB Tyrion (30, 30)").with_card_turn(
        0, "for-the-empire"
    )
    assert usable_abilities(before) == [before.ability_action("Huntsmen", "Huntsmen")]
    assert before.answer(before.ability_action("Huntsmen", "Huntsmen")).disk("Huntsmen").empowered


def test_ruin_and_slaughter_strikes_an_enemy_near_a_disk_of_chaos() -> None:
    """R7.9"""
    text = "A Flamers (10, 10)\nA Orc Boyz (20, 10)\nB Tyrion (13, 10)\nB Sun Dragon (20, 13)"
    before = scripted_position(text).with_card_turn(0, "ruin-and-slaughter")
    assert usable_abilities(before) == [before.ability_action("Flamers", "Tyrion")]
    table = before.answer(before.ability_action("Flamers", "Tyrion"), 5)
    assert table.damage("Tyrion", "Sun Dragon") == (3, 0)


@pytest.mark.parametrize(("card", "far"), [("keep-them-busy", 2), ("dark-omens", 5)])
def test_an_enemy_within_reach_gets_an_activation_token(card: str, far: int) -> None:
    """R16.10: one that has a token, or stands further off, is not offered."""
    text = f"A Flamers (10, 10)\nB Huntsmen ({11.75 + far}, 10)\nB Tyrion (10, {11.75 + far}) activated\n"
    before = scripted_position(text + f"B Knights Panther ({12 + far + 3.5}, 10)").with_card_turn(0, card)
    uses = [action for action in before.options().actions if isinstance(action, a.UseAbility)]
    assert uses == [before.ability_action("Flamers", "Huntsmen")]
    table = before.answer(uses[0])
    assert table.disk("Huntsmen").activated
    assert changed_disks(before, table) == {"Huntsmen"}


@pytest.mark.parametrize(("face", "own"), [(CHAOS, 5), (MISS, 0)])
def test_wild_magic_may_strike_its_user(face: int, own: int) -> None:
    """R7.15"""
    text = "A Bright Wizard (10, 10)\nA Huntsmen (10, 13)\nB Sun Dragon (18, 10)\ndisk Bright Wizard: T9, trait Caster"
    before = scripted_position(text).with_card_turn(0, "wild-magic")
    table = before.answer(before.ability_action("Bright Wizard", "Sun Dragon"), 4, face)
    assert table.damage("Bright Wizard", "Sun Dragon", "Huntsmen") == (own, 5, 0)


def test_healing_light_reaches_far() -> None:
    """R7.9"""
    before = scripted_position(
        "A High Mage (10, 10)\nA Sun Dragon (22, 10) damage 6\nB Archaon (30, 30)"
    ).with_card_turn(0, "healing-light")
    table = before.answer(before.ability_action("High Mage", "Sun Dragon"))
    assert table.damage("Sun Dragon") == (2,)
    assert changed_disks(before, table) == {"Sun Dragon"}


def test_dread_tread_shakes_each_enemy_near_a_monster() -> None:
    """R7.9, R11.1"""
    text = "A River Troll (10, 10)\nA Orc Boyz (10, 13)\nB Huntsmen (13, 10)\nB Tyrion (7, 10)\n"
    before = scripted_position(text + "B Knights Panther (20, 10)").with_card_turn(0, "dread-tread")
    table = before.answer(before.ability_action("River Troll"))
    assert table.damage("Orc Boyz", "Huntsmen", "Tyrion", "Knights Panther") == (0, 2, 2, 0)
    assert changed_disks(before, table) == {"Huntsmen", "Tyrion"}


# ---------------------------------------------------------------- Blood for the Blood God

CARD = "blood-for-the-blood-god"


def test_figure_6_blood_for_the_blood_god_may_take_a_c_or_d_and_never_b() -> None:
    """F6, R15.5: Valkia is in C, the Flamers in A, the Hellstriders in A and D; B has no disk of Chaos."""
    before = figure_position("figure-06").with_card_turn(2, CARD)
    uses = {before.name(action.disk) for action in before.options().actions if isinstance(action, a.UseAbility)}
    assert uses == {"Valkia", "Flamers", "Hellstriders"}
    choosing = before.answer(before.ability_action("Hellstriders"))
    assert [seat for seat, _ in choosing.open_questions] == [2]
    assert {choosing.members(number) for number in choosing.question(a.EngagementQuestion).engagements} == {
        "Boar Boyz, Grom, Hellstriders, Wolf Riders | Flamers, Hellblaster, Knights Panther",
        "Greatswords, Knights Panther, Swordsmen | Hellstriders",
    }
    alone = before.answer(before.ability_action("Valkia"))
    assert {blow.disk for event in alone.events_of_type(e.BlowsStruck) for blow in event.blows} == {
        alone.number("Valkia"),
        alone.number("Grom"),
    }
    assert changed_disks(before, alone) == {"Valkia", "Grom"}


def test_blood_for_the_blood_god_is_fought_by_an_engaged_chaos_disk() -> None:
    """R15.5: of each disk that is engaged, and of no other."""
    text = "B Dummy (11, 10)\nA Kurgan Marauders (10, 10)\nA Orc Boyz (20, 20)\nB Other (21, 20)\nA Flamers (4, 4)\n"
    before = scripted_position(text + "disk Dummy: small T9 C1\ndisk Other: small T9").with_card_turn(0, CARD)
    uses = [action for action in before.options().actions if isinstance(action, a.UseAbility)]
    assert uses == [before.ability_action("Kurgan Marauders")]
    table = before.answer(uses[0])
    assert table.damage("Kurgan Marauders", "Dummy", "Orc Boyz", "Other") == (1, 5, 0, 0)
    assert changed_disks(before, table) == {"Kurgan Marauders", "Dummy"}
    assert table.board.engagements == ()
    assert table.board.phase == "activation"


def test_disks_that_fought_for_the_blood_god_fight_again_in_the_melee_phase() -> None:
    """R15.5: nothing marks an engagement as done."""
    text = "B Dummy (11, 10)\nA Kurgan Marauders (10, 10) activated\nB Away (30, 30)\n"
    before = scripted_position(text + "disk Dummy: small T11 C1\ndisk Away: small")
    table = before.with_card_turn(0, CARD, left=1, then=(t.MeleePhaseTask(),))
    table = table.answer(table.ability_action("Kurgan Marauders"))
    assert table.damage("Kurgan Marauders", "Dummy") == (2, 10)
    assert len(table.events_of_type(e.BlowsStruck)) == 2


def test_the_player_picks_one_of_the_two_engagements_of_an_embattled_disk() -> None:
    """R15.5, R19.22, R1.4: the order of scrums (R15.2) does not bind, as the card says otherwise."""
    text = "B Bottom (10, 11)\nA Kurgan Marauders (10, 10)\nB Top (10, 9)\nA Flamers (30, 4)\n"
    disks = "disk Top: small S1 T9\ndisk Bottom: small T9 C1"
    before = scripted_position(text + disks).with_card_turn(0, CARD)
    assert before.pins == {"Top>Kurgan Marauders", "Kurgan Marauders>Bottom"}
    choosing = before.answer(before.ability_action("Kurgan Marauders"))
    assert len(choosing.question(a.EngagementQuestion).engagements) == 2
    lower = choosing.answer(choosing.engagement_action("Kurgan Marauders"))
    assert lower.damage("Top", "Kurgan Marauders", "Bottom") == (0, 1, 5)
    upper = choosing.answer(choosing.engagement_action("Top"))
    assert upper.damage("Top", "Kurgan Marauders", "Bottom") == (2, 1, 0)
    for table in (lower, upper):
        assert table.board.engagements == ()
        assert not table.question(a.ActivationQuestion).ability_available


def test_melee_targets_are_chosen_in_a_fight_for_the_blood_god() -> None:
    """R15.5: it is resolved by R15.3."""
    text = "B One (9, 10)\nB Two (11, 10)\nA Kurgan Marauders (10, 10)\n"
    table = scripted_position(text + "disk One: small T9 C1\ndisk Two: small T9 C1").with_card_turn(0, CARD)
    table = table.answer(table.ability_action("Kurgan Marauders"))
    table = table.answer(table.targets_action(Kurgan_Marauders="Two"))
    assert table.damage("One", "Two") == (0, 5)


# ---------------------------------------------------------------- options


def test_a_battle_ability_between_two_activations_ends_them_where_the_match_says_so() -> None:
    """R-13, R7.10"""
    text = "A Huntsmen (10, 10)\nA Karl Franz (14, 10)\nB Tyrion (30, 30)\n"
    for timing, left in (("any_time", 2), ("first_or_last", 0)):
        table = scripted_position(f"{text}option battle_ability_timing {timing}").with_card_turn(0, "hold-fast", 3)
        table = table.answer(table.pass_action("Huntsmen"))
        table = table.answer(table.ability_action("Huntsmen", "Huntsmen"))
        assert table.disk("Huntsmen").empowered
        asks = [ask.activations_left for _, ask in table.open_questions if isinstance(ask, a.ActivationQuestion)]
        assert asks == ([left] if left else [])


def test_a_battle_ability_before_the_first_activation_is_free_in_any_match() -> None:
    """R-13"""
    table = scripted_position(
        "A Huntsmen (10, 10)\nB Tyrion (30, 30)\noption battle_ability_timing first_or_last"
    ).with_card_turn(0, "hold-fast", 3)
    table = table.answer(table.ability_action("Huntsmen", "Huntsmen"))
    assert table.question(a.ActivationQuestion).activations_left == 3


@pytest.mark.parametrize(("option", "wounds"), [("at_toughness", 1), ("above_toughness", 0)])
def test_nurgles_rot_wounds_at_the_new_toughness_or_above_it(option: str, wounds: int) -> None:
    """R-33, R13.4: three damage, toughness four and then three."""
    text = f"A Archaon (10, 10)\nB Victim (14, 10) damage 3\ndisk Victim: T4 St1\noption weakened_wounds {option}"
    before = scripted_position(text).with_card_turn(0, "nurgles-rot")
    table = before.answer(before.ability_action("Archaon", "Victim"))
    assert table.disk("Victim").wounds == wounds
    assert changed_disks(before, table) == {"Victim"}


def test_a_weakened_disk_that_was_spared_is_wounded_by_its_next_damage() -> None:
    """R-33: only the lowering itself is more lenient."""
    text = "A Archaon (10, 10)\nA Flamers (10, 14)\nB Victim (14, 10) damage 3\nB Tyrion (30, 30)\n"
    table = scripted_position(
        text + "disk Victim: small T4 St1\noption weakened_wounds above_toughness"
    ).with_card_turn(0, "nurgles-rot")
    table = table.answer(table.ability_action("Archaon", "Victim"))
    table = table.answer(table.shoot_action("Flamers", "Victim"), (HIT, MISS))
    assert (table.disk("Victim").wounds, table.disk("Victim").damage) == (1, 0)
