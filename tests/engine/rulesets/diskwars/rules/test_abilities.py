"""Every named disk does what the packs print on it, and nothing else."""

import pytest
from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import expansion_pack
from diskwars_engine.rulesets.diskwars.activation import rampage
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, position
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.rulesets.diskwars.changed_disks import changed_disks
from tests.engine.rulesets.diskwars.positions import CHAOS, HIT, MISS, SCATTER, ScriptedPosition, scripted_position
from tests.rows import each_row

INCH = 25400
FAR_AWAY = "A Night Goblins (33, 33)\nB Militia Archers (3, 33)\n"
"""Somebody on either side who has nothing to do with it."""


def position_with_spot(name: str, x: int, y: int, table: ScriptedPosition) -> a.Reinforce:
    """Return where a disk is set down, in thousandths of an inch."""
    return a.Reinforce(table.number(name), x * INCH // 1000, y * INCH // 1000)


# ---------------------------------------------------------------- Empire


def test_karl_franz_lets_his_neighbours_strike_back_harder_but_not_himself() -> None:
    """R16.10: +1 counter strength for other disks of his side within medium range."""
    text = "A Karl Franz (10, 10)\nA Marienburg Swordsmen (14, 10)\nA Huntsmen (30, 10)\nB Tyrion (14, 14)\n"
    board = scripted_position(FAR_AWAY + text).board
    counters = {
        board.profile(d.id).name: effective_stats.counter_strength(board, d.id) - board.profile(d.id).counter_strength
        for d in board.disks
    }
    assert counters == {
        "Karl Franz": 0,
        "Marienburg Swordsmen": 1,
        "Huntsmen": 0,
        "Tyrion": 0,
        "Night Goblins": 0,
        "Militia Archers": 0,
    }


def test_bonus_of_karl_franz_counts_in_melee() -> None:
    """R15.3.6: read when it is used."""
    text = "A Karl Franz (10, 10)\nA Marienburg Swordsmen (14, 10)\nB Troll (14.5, 10)\ndisk Troll: small S1 T9"
    table = scripted_position(FAR_AWAY + text).start_melee()
    assert table.damage("Marienburg Swordsmen", "Troll") == (1, 4)


def test_luthor_huss_heals() -> None:
    """R16.10: three damage off an own disk; a disk without damage is not offered."""
    text = "A Luthor Huss (10, 10)\nA Knights Panther (14, 10) damage 4\nA Huntsmen (10, 13) damage 2"
    before = scripted_position(FAR_AWAY + text).with_card_turn(0)
    offered = [action for action in before.options().actions if isinstance(action, a.Focus)]
    assert {before.name(action.target) for action in offered if action.target is not None} == {
        "Knights Panther",
        "Huntsmen",
    }
    table = before.answer(before.focus_action("Luthor Huss", "Knights Panther"))
    assert table.damage("Knights Panther", "Huntsmen") == (1, 2)
    assert [(event.tokens, event.reasons[0].rule) for event in table.events_of_type(e.DiskHealed)] == [(1, "R8.1.2")]
    assert changed_disks(before, table) == {"Luthor Huss", "Knights Panther"}
    huntsmen = scripted_position(FAR_AWAY + text).with_card_turn(0)
    assert huntsmen.answer(huntsmen.focus_action("Luthor Huss", "Huntsmen")).damage("Huntsmen") == (0,)


@each_row(
    ("distance", "shot", "strength"),
    [(2, 1, 2), (2, 0, 3), (5, 0, 3), (8, 2, 4)],
)
def test_the_steam_tank_shoots_with_the_attack_whose_range_is_met(distance: int, shot: int, strength: int) -> None:
    """R12.8"""
    before = scripted_position(
        f"{FAR_AWAY}A Steam Tank (10, 10)\nB Wall ({10 + distance + 2.375}, 10)\ndisk Wall: small T40"
    ).with_card_turn(0)
    dice = before.board.profile(before.number("Steam Tank")).shots[shot].dice
    table = before.answer(before.shoot_action("Steam Tank", "Wall", shot), (HIT, *[MISS] * (dice - 1)))
    assert table.damage("Wall") == (strength,)
    assert changed_disks(before, table) <= {"Steam Tank", "Wall"}


@each_row(("distance", "shot"), [(5, 1), (8, 0), (5, 2), (14, 2)])
def test_the_steam_tank_does_not_shoot_with_an_attack_whose_range_is_not_met(distance: int, shot: int) -> None:
    """R12.8, R12.1"""
    table = scripted_position(
        f"{FAR_AWAY}A Steam Tank (10, 10)\nB Wall ({10 + distance + 2.375}, 10)\ndisk Wall: small T40"
    ).with_card_turn(0)
    assert table.expect_illegal(table.shoot_action("Steam Tank", "Wall", shot)).code == "out_of_range"


# ---------------------------------------------------------------- High Elves


def test_teclis_empowers_by_his_second_focus_ability() -> None:
    """R1.3, R8.3: Magic comes first."""
    text = "A Teclis (10, 10)\nA Maiden Guard (14, 10)\nA High Mage (10, 14) empowered"
    before = scripted_position(FAR_AWAY + text).with_card_turn(0)
    foci = [action for action in before.options().actions if isinstance(action, a.Focus) and action.ability == 1]
    assert {before.name(focus.target or 0) for focus in foci} >= {"Maiden Guard", "Teclis"}
    assert before.number("High Mage") not in [focus.target for focus in foci]
    table = before.answer(before.focus_action("Teclis", "Maiden Guard", 1))
    assert table.disk("Maiden Guard").empowered
    assert changed_disks(before, table) == {"Teclis", "Maiden Guard"}


# ---------------------------------------------------------------- Chaos


def test_kairos_brings_in_a_disk_near_him_with_an_activation_token() -> None:
    """R9.6, R-44"""
    text = f"{FAR_AWAY}A Kairos Fateweaver (10, 10)\nA reserve: Flamers, Bloodcrushers\nB Tyrion (20, 20)"
    before = scripted_position(text).with_card_turn(0)
    choosing = before.answer(before.focus_action("Kairos Fateweaver", ability=1))
    ask = choosing.question(a.ReinforcementQuestion)
    assert ask.source == choosing.number("Kairos Fateweaver")
    assert {choosing.name(disk) for disk in ask.candidates} == {"Flamers", "Bloodcrushers"}
    table = choosing.answer(position_with_spot("Flamers", 13000, 10000, choosing))
    flamers = table.disk("Flamers")
    assert (flamers.place, flamers.activated) == ("battlefield", True)
    assert table.disk("Kairos Fateweaver").activated
    assert changed_disks(before, table) == {"Kairos Fateweaver", "Flamers"}
    assert table.question(a.ActivationQuestion).activations_left == 2


def test_every_place_that_is_offered_for_a_disk_of_kairos_is_accepted_and_he_may_leave_it() -> None:
    """R9.6"""
    text = (
        f"{FAR_AWAY}A Kairos Fateweaver (2, 2)\nA reserve: Flamers, Bloodcrushers\nB Tyrion (5, 2)\nB Sun Dragon (2, 6)"
    )
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.focus_action("Kairos Fateweaver", ability=1))
    plans = table.options().parametric
    assert len(plans) == 2
    for plan in plans:
        assert isinstance(plan.example, a.Reinforce)
        assert plan.disk is not None
        assert table.answer(plan.example).board.disks[plan.disk].place == "battlefield"
    left = table.answer(table.pass_action("Kairos Fateweaver"))
    assert left.disk("Flamers").place == "reserve"
    assert left.disk("Kairos Fateweaver").activated


def test_kairos_without_a_reserve_has_nobody_to_bring_in() -> None:
    """R9.6"""
    table = scripted_position(f"{FAR_AWAY}A Kairos Fateweaver (10, 10)\nB Tyrion (30, 30)").with_card_turn(0)
    foci = [action.ability for action in table.options().actions if isinstance(action, a.Focus)]
    assert 1 not in foci


@pytest.mark.parametrize("use", [True, False])
def test_valkia_may_empower_a_disk_when_she_engages(use: bool) -> None:
    """R19.20: her player is asked, also when there is but one to choose."""
    text = f"{FAR_AWAY}A Valkia the Bloody (10, 10)\nA Flamers (10, 12)\nA Hellstriders (30, 10)\nB Dummy (11.75, 10)\n"
    before = scripted_position(text + "disk Dummy: small T9").with_card_turn(0)
    choosing = before.answer(before.move_action("Valkia the Bloody", 0))
    ask = choosing.question(a.EngageAbilityQuestion)
    assert ask.optional
    assert {choosing.name(disk) for disk in ask.candidates} == {"Valkia the Bloody", "Flamers"}
    table = choosing.answer(a.UseEngageAbility(choosing.number("Flamers")) if use else a.UseEngageAbility(use=False))
    assert table.disk("Flamers").empowered is use
    assert changed_disks(before, table) == {"Valkia the Bloody"} | ({"Flamers"} if use else set())


def test_valkia_is_asked_also_when_an_enemy_lands_on_her() -> None:
    """R6.6, R19.20: the controller of the disk, not whose turn it is."""
    text = f"{FAR_AWAY}A Valkia the Bloody (10, 10)\nB Maiden Guard (12.5, 10)"
    table = scripted_position(text).with_card_turn(1)
    table = table.answer(table.move_action("Maiden Guard", 180))
    assert [(seat, type(ask)) for seat, ask in table.open_questions] == [(0, a.EngageAbilityQuestion)]


# ---------------------------------------------------------------- Plaguebearers

PLAGUE = f"{FAR_AWAY}B Plaguebearers (14, 13)\nA Friend (10, 13) empowered\ndisk Friend: small T9\n"


def passing_position(words: str) -> ScriptedPosition:
    return scripted_position(f"{PLAGUE}A Mover (10, 10) empowered\ndisk Mover: small M5 T4, {words}").with_card_turn(0)


@pytest.mark.parametrize("words", ["Frenzy", "Flying"])
def test_plaguebearers_strip_disks_that_land_near_them_even_in_passing(words: str) -> None:
    """R16.7: the second and third landings are near, the last is not; who stands near and does not move keeps it."""
    before = passing_position(words)
    table = before.answer(before.move_action("Mover", 0, 0, 0, 270, 270))
    assert not table.disk("Mover").empowered
    assert table.disk("Friend").empowered
    assert not position.is_within(table.board, table.number("Mover"), table.number("Plaguebearers"), "short")
    (stripped,) = table.events_of_type(e.DiskEmpowered)
    assert stripped.reasons[0].rule == "R16.7"
    assert stripped.cause == e.Cause(
        "passive_ability", before.number("Plaguebearers"), table.events.index(stripped) - 1
    )
    assert len(table.events_of_type(e.DiskFlipped)) == 5
    assert changed_disks(before, table) == {"Mover"}


def test_plaguebearers_leave_alone_who_keeps_away() -> None:
    """R16.7"""
    before = passing_position("Flying")
    table = before.answer(before.move_action("Mover", 180, 180))
    assert table.disk("Mover").empowered


def test_plaguebearers_strip_a_friend_too_and_never_themselves() -> None:
    """R16.7: any empowered disk."""
    text = f"{FAR_AWAY}A Plaguebearers (10, 10) empowered\nA Friend (10, 14) empowered\ndisk Friend: small"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.move_action("Plaguebearers", 180))
    assert table.disk("Plaguebearers").empowered
    table = table.answer(table.move_action("Friend", 180))
    assert not table.disk("Friend").empowered


@pytest.mark.parametrize(("words", "flips"), [("Frenzy", 1), ("Flying", 1)])
def test_a_disk_may_die_of_losing_its_empowerment_on_the_way(words: str, flips: int) -> None:
    """R13.4, R16.7: four damage, toughness 5 with the token and 4 without; the rest of the path is dropped."""
    before = passing_position(words).with_disk("Mover", damage=4).with_card_turn(0)
    table = before.answer(before.move_action("Mover", 0, 0, 0, 270, 270))
    assert not table.is_fielded("Mover")
    assert len(table.events_of_type(e.DiskFlipped)) == flips
    assert changed_disks(before, table) == {"Mover"}


# ---------------------------------------------------------------- Hellcannon


def fire_hellcannon(*lines: str, dice: tuple[int, ...] = (CHAOS, MISS, MISS)) -> ScriptedPosition:
    """Return the cannon at (10, 10) has shot at Mark, far away, and struck nothing."""
    idle = "A Night Goblins (33, 34)"
    text = "\n".join(("A Hellcannon (10, 10)", idle, "B Mark (32, 10)", *lines, "disk Mark: small T40"))
    table = scripted_position(text).with_card_turn(0)
    return table.answer(table.shoot_action("Hellcannon", "Mark"), 3, dice)


def test_the_hellcannon_without_chaos_stays_where_it_is() -> None:
    """R12.6"""
    table = fire_hellcannon("B Tyrion (15, 10)", dice=(MISS, MISS, MISS))
    assert table.events_of_type(e.Rampaged) == []
    assert table.question(a.ActivationQuestion).activations_left == 2


def test_the_hellcannon_has_to_flip_onto_the_nearest_disk_if_it_can_and_its_player_says_how() -> None:
    """R12.6, R19.18, R-41: every flip that overlaps Teclis is allowed, and no other."""
    choosing = fire_hellcannon("B Teclis (14, 10)", "B Sun Dragon (14, 20)")
    ask = choosing.question(a.RampageQuestion)
    assert ask == a.RampageQuestion(choosing.number("Hellcannon"), (choosing.number("Teclis"),), True)
    moves = choosing.options().actions
    assert len(moves) > 5
    for move in (*moves, *(plan.example for plan in choosing.options().parametric)):
        assert "Hellcannon>Teclis" in choosing.answer(move).pins
    allowed = 0
    for step in range(len(geometry.DIRECTIONS)):
        move = choosing.move_action("Hellcannon", step * 5)
        x, y = (10 * INCH + move.path[0][0], 10 * INCH + move.path[0][1])
        overlaps = geometry.disks_overlap(x, y, 38100, 14 * INCH, 10 * INCH, 22225)
        allowed += overlaps
        if overlaps:
            assert "Hellcannon>Teclis" in choosing.answer(move).pins
        else:
            assert choosing.expect_illegal(move).rule == "R12.6"
    assert allowed > 3


def test_the_flip_of_the_hellcannon_lands_like_any_flip_and_then_it_is_activated() -> None:
    """R12.6, R8.5: engage abilities go off; no more flips follow."""
    choosing = fire_hellcannon("B Tyrion (14, 10)", "B Sun Dragon (14, 20)")
    table = choosing.answer(choosing.move_action("Hellcannon", 0), 1)
    assert [event.trigger.disk for event in table.events_of_type(e.TriggerResolved)] == [table.number("Tyrion")]
    assert table.disk("Hellcannon").activated
    assert changed_disks(choosing, table) == {"Hellcannon"}


def test_the_hellcannon_goes_straight_toward_a_disk_that_it_cannot_reach_unasked() -> None:
    """R12.6, R19.25: one flip is allowed, so no question is asked."""
    table = fire_hellcannon("B Tyrion (10, 20)")
    flips = table.events_of_type(e.DiskFlipped)
    assert [(flip.x, flip.y) for flip in flips] == [(10 * INCH, 13 * INCH)]
    assert table.pins == set()


def test_the_hellcannon_chooses_between_two_that_are_equally_near() -> None:
    """R-41: straight toward one of them."""
    choosing = fire_hellcannon("B Tyrion (10, 20)", "A Grimgor Ironhide (20, 10)")
    ask = choosing.question(a.RampageQuestion)
    assert {choosing.name(disk) for disk in ask.targets} == {"Tyrion", "Grimgor Ironhide"}
    assert not ask.must_overlap
    assert set(choosing.options().actions) == {
        choosing.move_action("Hellcannon", 0),
        choosing.move_action("Hellcannon", 90),
    }
    assert choosing.answer(choosing.move_action("Hellcannon", 0)).disk("Hellcannon").x == 13 * INCH


def test_the_hellcannon_goes_for_friends_too_and_not_for_whom_it_pins() -> None:
    """R12.6: the nearest disk that it does not pin."""
    choosing = fire_hellcannon("A Flamers (14, 10)", "B Tyrion (10, 20)")
    assert choosing.question(a.RampageQuestion).targets == (choosing.number("Flamers"),)
    text = "B Tyrion (10.5, 10)\nA Hellcannon (10, 10)\nB Mark (32, 10)\nB Teclis (10, 20)\ndisk Mark: small T40"
    table = scripted_position(text).with_card_turn(0)
    assert table.pins == {"Hellcannon>Tyrion"}
    table = table.answer(table.shoot_action("Hellcannon", "Mark"), 3, (CHAOS, MISS, MISS))
    assert [event.targets for event in table.events_of_type(e.Rampaged)] == [(table.number("Teclis"),)]


def test_the_hellcannon_without_a_disk_that_it_does_not_pin_does_nothing() -> None:
    """R12.6: the only other one is dead of the shot."""
    text = "A Hellcannon (10, 10)\nB Mark (32, 10)\nB Below (10, 10.5) z0\ndisk Mark: small T1\ndisk Below: small T9"
    before = scripted_position(text).with_card_turn(0)
    table = before.answer(before.shoot_action("Hellcannon", "Mark"), 3, (CHAOS, 2, MISS))
    assert [(event.targets, event.must_overlap) for event in table.events_of_type(e.Rampaged)] == [((), False)]
    assert table.events_of_type(e.DiskFlipped) == []
    assert table.disk("Hellcannon").activated


def test_the_hellcannon_does_nothing_where_straight_ahead_it_would_leave_the_field() -> None:
    """R12.6, R8.4: a small disk exactly at the edge, a large one that cannot follow it."""
    table = scripted_position(
        "A Hellcannon (1.5, 10)\nB Mark (32, 10)\nB Tyrion (0.875, 22)\ndisk Mark: small T40"
    ).with_card_turn(0)
    table = table.answer(table.shoot_action("Hellcannon", "Mark"), 3, (CHAOS, MISS, MISS))
    assert [event.targets for event in table.events_of_type(e.Rampaged)] == [()]
    assert table.events_of_type(e.DiskFlipped) == []


def test_the_hellcannon_finds_its_way_along_the_edge_where_straight_ahead_is_off_the_field() -> None:
    """R-41: it can overlap, so it must, though not straight."""
    before = scripted_position(
        "A Hellcannon (1.5, 10)\nB Mark (32, 10)\nB Tyrion (0.875, 13.2)\ndisk Mark: small T40"
    ).with_card_turn(0)
    choosing = before.answer(before.shoot_action("Hellcannon", "Mark"), 3, (CHAOS, MISS, MISS))
    assert choosing.question(a.RampageQuestion).must_overlap
    for move in choosing.options().actions:
        table = choosing.answer(move, 1)
        assert "Hellcannon>Tyrion" in table.pins


def test_of_several_chaos_results_one_makes_the_hellcannon_flip_unless_the_match_says_each() -> None:
    """R-26"""
    one = fire_hellcannon("B Tyrion (10, 30)", dice=(CHAOS, CHAOS, MISS))
    text = "A Hellcannon (10, 10)\nB Mark (32, 10)\nB Tyrion (10, 30)\ndisk Mark: small T40"
    each = scripted_position(f"option rampage_flips per_chaos\n{text}").with_card_turn(0)
    each = each.answer(each.shoot_action("Hellcannon", "Mark"), 3, (CHAOS, CHAOS, MISS))
    assert [table.disk("Hellcannon").y for table in (one, each)] == [13 * INCH, 16 * INCH]


def test_chaos_among_the_scatter_dice_counts_and_the_flip_comes_after_the_damage() -> None:
    """R12.6: second rolls too."""
    text = "A Hellcannon (10, 10)\nB Mark (30, 10)\nB Near (32, 10)\nB Tyrion (10, 20)\n"
    text += "disk Mark: small T9\ndisk Near: small T9"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.shoot_action("Hellcannon", "Mark"), 3, (SCATTER, 2, MISS), (CHAOS,))
    kinds = [
        kind for kind in table.event_names() if kind in ("ShotScattered", "DamageDealt", "Rampaged", "DiskFlipped")
    ]
    assert kinds == ["ShotScattered", "DamageDealt", "Rampaged", "DiskFlipped"]


@each_row(("x", "y"), [(1500, 1500), (1500, 18000), (18000, 18000), (34500, 3000)])
def test_an_overlap_is_found_whenever_there_is_one(x: int, y: int) -> None:
    """R-41: against a close search round the circle, in the middle of the field, at edges and in corners."""
    table = scripted_position(f"A Cannon ({x / 1000}, {y / 1000})\nB Aim (18, 30) z0\n{CANNON_POSITION}")
    found = set()
    for dx in range(-6000, 6001, 750):
        for dy in range(-6000, 6001, 750):
            if all(875 <= coordinate <= 36000 - 875 for coordinate in (x + dx, y + dy)):
                there = table.with_disk("Aim", x=(x + dx) * INCH // 1000, y=(y + dy) * INCH // 1000)
                if not there.pins:
                    _, overlap = rampage.find_targets(there.board, 0)
                    assert overlap == _is_any_overlap(there), (x, y, dx, dy)
                    found.add(overlap)
    assert found == {False, True}


CANNON_POSITION = "disk Cannon: large\ndisk Aim: small"


def _is_any_overlap(table: ScriptedPosition) -> bool:
    cannon, aim = table.disk("Cannon"), table.disk("Aim")
    for step in range(len(geometry.DIRECTIONS) * 4):
        one, other = geometry.DIRECTIONS[step // 4], geometry.DIRECTIONS[(step // 4 + 1) % len(geometry.DIRECTIONS)]
        part = step % 4
        between = (one[0] * (4 - part) + other[0] * part, one[1] * (4 - part) + other[1] * part)
        dx, dy = geometry.flip_toward(*between, 76200)
        x, y = cannon.x + dx, cannon.y + dy
        if position.is_on_field(table.board, 0, x, y) and geometry.disks_overlap(x, y, 38100, aim.x, aim.y, 22225):
            return True
    return False


# ---------------------------------------------------------------- Orcs and Goblins


def test_grimgor_makes_orcs_near_him_strike_back_harder_and_nobody_else() -> None:
    """R16.10: of a trait, within short range, not himself; their strength stays as figures 8 and 9 have it."""
    text = "A Grimgor Ironhide (10, 10)\nA Orc Boyz (12, 10)\nA Wolf Riders (10, 13)\nA Black Orcs (20, 10)"
    board = scripted_position(FAR_AWAY + text).board
    more = {
        board.profile(d.id).name
        for d in board.disks
        if effective_stats.counter_strength(board, d.id) > board.profile(d.id).counter_strength
    }
    assert more == {"Orc Boyz"}
    assert all(effective_stats.strength(board, d.id) == board.profile(d.id).strength for d in board.disks)


def test_azhag_tires_the_enemy_that_he_engages() -> None:
    """R16.10: an activation token for each, and none for who has one."""
    text = f"{FAR_AWAY}A Azhag the Slaughterer (10, 10)\nB One (14, 11)\nB Two (14, 9)\nB Three (16, 10)\n"
    before = scripted_position(text + "disk One: small T9\ndisk Two: small T9\ndisk Three: small T9").with_card_turn(0)
    table = before.answer(before.move_action("Azhag the Slaughterer", 0))
    assert table.pins == {"Azhag the Slaughterer>One", "Azhag the Slaughterer>Two"}
    assert [table.disk(name).activated for name in ("One", "Two", "Three")] == [True, True, False]
    assert changed_disks(before, table) == {"Azhag the Slaughterer", "One", "Two"}


def goblin_position(rest: str = "") -> ScriptedPosition:
    text = "A Grom the Paunch (10, 10)\nA Night Goblins (14, 10) damage 3\nA Boss (14, 14) damage 3\n"
    text += "A Orc Boyz (30, 30)\n"
    return scripted_position(f"{text}B Tyrion (20, 20)\n{rest}disk Boss: small T3 St1, trait Goblin")


def test_grom_makes_goblins_tougher_as_long_as_they_are_near() -> None:
    """R-45: three damage on toughness 3 and 1; when he moves away they take their wounds at once, all together."""
    before = goblin_position().with_card_turn(0)
    assert [effective_stats.toughness(before.board, before.number(name)) for name in ("Night Goblins", "Boss")] == [
        4,
        4,
    ]
    table = before.answer(before.move_action("Grom the Paunch", 180, 180))
    assert not table.is_fielded("Night Goblins")
    assert (table.disk("Boss").wounds, table.disk("Boss").damage) == (1, 0)
    assert changed_disks(before, table) == {"Grom the Paunch", "Night Goblins", "Boss"}


def test_goblins_that_walk_away_from_grom_lose_their_toughness() -> None:
    """R-45"""
    before = goblin_position().with_card_turn(0)
    table = before.answer(before.move_action("Boss", 0, 0, 0))
    assert table.disk("Boss").wounds == 1
    assert table.is_fielded("Night Goblins")


def test_when_grom_dies_his_goblins_go_with_him() -> None:
    """R-45, R13.7"""
    caster = "B Mage (14, 6)\ndisk Mage: small, focus deal_damage 20 arcane medium\n"
    before = goblin_position(caster).with_disk("Grom the Paunch", wounds=1).with_card_turn(1)
    table = before.answer(before.focus_action("Mage", "Grom the Paunch"))
    assert not table.is_fielded("Grom the Paunch")
    assert not table.is_fielded("Night Goblins")
    assert table.disk("Boss").wounds == 1


def test_grom_and_big_boss_take_activation_tokens_off_those_they_name() -> None:
    """R16.6"""
    text = "A Grom the Paunch (10, 10)\nA Big Boss (10, 14)\nA Arrer Boyz (14, 10) activated\n"
    text += "A Forest Goblins (14, 14) activated\ndisk Forest Goblins: small"
    before = scripted_position(FAR_AWAY + text).with_card_turn(0)
    table = before.answer(before.focus_action("Big Boss", "Arrer Boyz"))
    assert not table.disk("Arrer Boyz").activated
    assert changed_disks(before, table) == {"Big Boss", "Arrer Boyz"}
    table = table.answer(table.focus_action("Grom the Paunch", "Forest Goblins"))
    assert not table.disk("Forest Goblins").activated


# ---------------------------------------------------------------- the order of abilities


def test_the_active_player_orders_abilities_and_each_controller_uses_his_own() -> None:
    """R19.19, R19.20"""
    text = f"{FAR_AWAY}A Valkia the Bloody (10, 10)\nB Saint (11.75, 10)\nB Friend (14, 10)\n"
    saint = "disk Saint: small T9, engage empower medium\ndisk Friend: small"
    table = scripted_position(text + saint).with_card_turn(0)
    table = table.answer(table.move_action("Valkia the Bloody", 0))
    ask = table.question(a.TriggerOrderQuestion)
    assert [table.name(trigger.disk) for trigger in ask.triggers] == ["Valkia the Bloody", "Saint"]
    assert table.open_questions[0][0] == 0
    table = table.answer(a.OrderTriggers((1, 0)))
    assert (table.open_questions[0][0], table.question(a.EngageAbilityQuestion).optional) == (1, False)
    table = table.answer(a.UseEngageAbility(table.number("Friend")))
    assert (table.open_questions[0][0], table.question(a.EngageAbilityQuestion).optional) == (0, True)
    table = table.answer(a.UseEngageAbility(use=False))
    assert table.disk("Friend").empowered
    assert not table.disk("Valkia the Bloody").empowered


def test_an_ability_with_one_possible_target_is_not_asked_about() -> None:
    """R19.25"""
    disks = "disk Saint: small T9, engage empower short\ndisk Dummy: small"
    text = f"{FAR_AWAY}A Saint (10, 10)\nB Dummy (11.75, 10)\n{disks}"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.move_action("Saint", 0))
    assert table.disk("Saint").empowered
    assert [event.target for event in table.events_of_type(e.TriggerResolved)] == [table.number("Saint")]


# ---------------------------------------------------------------- expansions


def expansion_position(text: str) -> ScriptedPosition:
    return scripted_position(FAR_AWAY + text, expansion_pack().disks.values())


def test_flame_cannon_splashes_disks_near_its_target() -> None:
    """R-47: friends too; the shooter never."""
    text = "A Flame Cannon (10, 10)\nB Mark (15, 10)\nB Near (15, 13)\nA Own (15, 7)\nB Off (15, 17)\n"
    disks = "".join(f"disk {name}: small T9\n" for name in ("Mark", "Near", "Own", "Off"))
    before = expansion_position(text + disks).with_card_turn(0)
    table = before.answer(before.shoot_action("Flame Cannon", "Mark"), (HIT, MISS))
    assert table.damage("Mark", "Near", "Own", "Off", "Flame Cannon") == (6, 2, 2, 0, 0)
    assert changed_disks(before, table) == {"Flame Cannon", "Mark", "Near", "Own"}
    missed = before.answer(before.shoot_action("Flame Cannon", "Mark"), (MISS, MISS))
    assert changed_disks(before, missed) == {"Flame Cannon"}


def test_heinrich_kemmler_brings_in_up_to_three_skeletons_and_nobody_else() -> None:
    """R9.6"""
    text = "A Heinrich Kemmler (10, 10)\nA reserve: Skeleton x4, Banshee\nB Tyrion (20, 20)"
    table = expansion_position(text).with_card_turn(0)
    table = table.answer(table.focus_action("Heinrich Kemmler", ability=1))
    for n in range(3):
        ask = table.question(a.ReinforcementQuestion)
        assert len(ask.candidates) == 4 - n
        assert all(table.name(disk).startswith("Skeleton") for disk in ask.candidates)
        table = table.answer(table.options().parametric[0].example)
    assert table.question(a.ActivationQuestion).activations_left == 2
    assert sum(table.is_fielded(f"Skeleton#{n}") for n in range(1, 5)) == 3
    assert table.disk("Banshee").place == "reserve"


def test_declining_one_skeleton_declines_the_rest() -> None:
    """R9.6, R-44: the player may leave it."""
    table = expansion_position("A Heinrich Kemmler (10, 10)\nA reserve: Skeleton x4\nB Tyrion (20, 20)").with_card_turn(
        0
    )
    table = table.answer(table.focus_action("Heinrich Kemmler", ability=1))
    table = table.answer(table.options().parametric[0].example)
    table = table.answer(table.pass_action("Heinrich Kemmler"))
    assert table.question(a.ActivationQuestion).activations_left == 2
    assert sum(table.is_fielded(f"Skeleton#{n}") for n in range(1, 5)) == 1


def test_hammerers_answer_disks_that_land_on_them() -> None:
    """R16.2: Guard 1, as the preview has it."""
    before = expansion_position(
        "A Karaz-a-Karak Hammerers (11.75, 10)\nB Bull (10, 10)\ndisk Bull: small T9"
    ).with_card_turn(1)
    table = before.answer(before.move_action("Bull", 0))
    assert table.damage("Bull", "Karaz-a-Karak Hammerers") == (1, 0)


# ---------------------------------------------------------------- figures in force


def test_auras_of_several_disks_and_of_the_card_add_up() -> None:
    """R16.10"""
    text = "A Karl Franz (10, 10)\nA Volkmar (14, 12)\nA Marienburg Swordsmen (14, 10)\nB Tyrion (30, 10)"
    table = expansion_position(text).with_card_turn(0, "ranks-closed")
    swordsmen = table.number("Marienburg Swordsmen")
    assert effective_stats.toughness(table.board, swordsmen) == 4 + 1 + 1
    assert effective_stats.counter_strength(table.board, swordsmen) == 3 + 1
    reserve = replace(table.board.disks[swordsmen], place="reserve")
    disks = tuple(reserve if disk.id == swordsmen else disk for disk in table.board.disks)
    assert effective_stats.toughness(replace(table.board, disks=disks), swordsmen) == 5


def test_plaguebearers_strip_the_hellcannon_that_has_to_flip_to_them() -> None:
    """R-70, R16.7: it is no move of its own, but it lands there."""
    text = "A Hellcannon (10, 10) empowered\nB Mark (32, 10)\nB Plaguebearers (14, 10)\ndisk Mark: small T40\n"
    before = scripted_position(text).with_card_turn(0)
    choosing = before.answer(before.shoot_action("Hellcannon", "Mark"), 3, (CHAOS, MISS, MISS))
    assert choosing.disk("Hellcannon").empowered
    table = choosing.answer(choosing.move_action("Hellcannon", 0))
    assert not table.disk("Hellcannon").empowered
