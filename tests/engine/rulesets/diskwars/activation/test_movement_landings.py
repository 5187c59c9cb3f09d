"""Landings, reinforcements and moves at their limits: what follows, what is offered (R6, R8.5, R9, R10, R12.6)."""

import pytest
from msgspec.structs import replace

from diskwars_engine.rulesets.diskwars import damage, rounds
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_engine.rulesets.diskwars.activation import movement, reinforcement_places
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, position, terrain
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.options import Area
from diskwars_protocol.rulesets.diskwars.stats import Amount
from tests.engine.rulesets.diskwars.positions import CHAOS, MISS, ScriptedMatchDice, ScriptedPosition, scripted_position
from tests.engine.rulesets.diskwars.rules.test_abilities import goblin_position
from tests.rows import each_row

INCH = 25400
FIELD = 36 * INCH
FAR = "\nB Sun Dragon (30, 30)\n"
WALL = "disk Wall: small, M4 T9\n"
SQUARE = "at (14, 10) (18, 10) (18, 14) (14, 14)"


def with_options(table: ScriptedPosition, **options: object) -> ScriptedPosition:
    return ScriptedPosition(replace(table.board, settings=replace(table.board.settings, **options)))


# ---------------------------------------------------------------- overlap, distance, pins


@each_row(("dx", "dy"), [(1, 0), (-1, 0), (0, 1), (0, -1), (3, 4), (-3, 4), (3, -4), (-3, -4)])
def test_disks_overlap_by_10_micrometres_in_any_direction(dx: int, dy: int) -> None:
    """R5.3"""
    unit = 5 if dx and dy else 1
    for short, overlaps in ((10, True), (9 if unit == 1 else 5, False)):
        apart = (2000 - short) // unit
        assert geometry.disks_overlap(0, 0, 1000, dx * apart, dy * apart, 1000) is overlaps


@each_row(("x", "y"), [(-1, 50), (101, 50), (50, -1), (50, 101)])
def test_a_disk_overlaps_a_piece_that_it_reaches_10_micrometres_into(x: int, y: int) -> None:
    """R5.3: from any side."""
    square = ((0, 0), (10000, 0), (10000, 10000), (0, 10000))
    away = {-1: -990, 101: 10990}
    place = (away.get(x, 5000), away.get(y, 5000))
    assert geometry.disk_overlaps_polygon(*place, 1000, square)
    beside = tuple(
        coordinate - 1 if coordinate < 0 else coordinate + 1 if coordinate > 10000 else coordinate
        for coordinate in place
    )
    assert not geometry.disk_overlaps_polygon(beside[0], beside[1], 1000, square)


@each_row(("x", "y"), [(13.2, 12), (18.8, 12), (16, 9.2), (16, 14.8)])
def test_a_piece_is_under_a_disk_that_reaches_into_it_from_any_side(x: float, y: float) -> None:
    """R10.10"""
    board = scripted_position(f"terrain Mud {SQUARE}; Rough\n{WALL}A Wall (3, 3)" + FAR).board
    assert terrain.pieces_under(board, 0, round(x * INCH), round(y * INCH)) == (0,)
    assert terrain.pieces_under(board, 0, 8 * INCH, 8 * INCH) == ()


def test_disks_are_within_a_band_up_to_its_length_and_always_within_siege_range() -> None:
    """R5.4, R5.5: the distance is that of the outlines."""
    text = WALL + "A Wall (3, 3)\nB Wall ({}, 3)"
    near, far = (scripted_position(text.format(x)).board for x in (3 + 1.75 + 6, 3 + 1.75 + 6.001))
    assert [position.is_within(near, 0, 1, reach) for reach in ("short", "medium", "long", "siege")] == [
        False,
        True,
        True,
        True,
    ]
    assert not position.is_within(far, 0, 1, "medium")
    assert position.is_within(scripted_position(text.format(34)).board, 0, 1, "siege")


STACK = (
    WALL + "A Wall (10.8, 10) z3\nB Wall (10.4, 10) z2\nA Wall (10, 10) z1\nB Wall (25, 10) z5\nA Wall (25.5, 10) z4"
)


def test_the_disks_that_pin_a_disk_are_those_on_top_of_it() -> None:
    """R6.1"""
    board = scripted_position(STACK).board
    assert [position.pinning_disks(board, disk) for disk in range(5)] == [[], [0], [1], [], [3]]


def test_when_a_pinned_disk_leaves_the_one_above_pins_the_one_below_and_other_pins_stay() -> None:
    """R6.3, R6.4, R6.1: a disk with something on it is always pinned by something."""
    table = scripted_position(STACK)
    resolution = Resolution(table.board, ScriptedMatchDice((), 1))
    damage.remove(resolution, [1], (Reason("R13.5"),))
    assert {tuple(pin) for pin in resolution.board.pins} == {(0, 2), (3, 4)}
    moved = Resolution(table.board, ScriptedMatchDice((), 1))
    landing = movement.flip(moved, 1, (0, 44450))
    assert {tuple(pin) for pin in moved.board.pins} == {(0, 2), (3, 4)}
    assert not landing.on_enemy
    assert position.is_pinned(moved.board, 2)


# ---------------------------------------------------------------- landings


def continue_after(text: str, *degrees: int) -> ScriptedPosition:
    table = scripted_position(text).with_card_turn(0)
    return table.answer(table.move_action("Mover", *degrees, end=False))


MOVER = "disk Mover: small, M4 T9\n" + WALL


def test_a_landing_on_own_and_enemy_disks_together_ends_the_move() -> None:
    """R8.5, R8.5.5"""
    table = continue_after(MOVER + "A Mover (10, 10)\nA Wall (11.75, 11.2)\nB Wall (11.75, 8.8)" + FAR, 0, 90)
    assert len(table.pins) == 2
    assert len(table.events_of_type(e.DiskFlipped)) == 1
    assert [event.activated for event in table.events_of_type(e.ActivationEnded)] == [True]


def test_a_path_ends_at_the_first_landing_on_an_enemy() -> None:
    """R8.5, R8.5.5: even where nothing is rolled."""
    table = continue_after(MOVER + "A Mover (10, 10)\nB Wall (11.75, 10.5)" + FAR, 0, 90)
    assert len(table.events_of_type(e.DiskFlipped)) == 1


def test_a_path_over_own_disks_ends_on_an_enemy_all_the_same() -> None:
    """R8.5, R8.5.5, R-76"""
    table = scripted_position(MOVER + "A Mover (10, 10)\nB Wall (11.75, 10.5)" + FAR).with_card_turn(0)
    action = replace(table.move_action("Mover", 0, 90, end=False), over_own_disks=True)
    assert len(table.answer(action).events_of_type(e.DiskFlipped)) == 1


def test_rough_ground_ends_a_move_though_it_is_dangerous_too() -> None:
    """R8.5, R10.9, R10.5"""
    text = f"terrain Bog {SQUARE}; Dangerous (physical), Rough\n{MOVER}A Mover (12, 12)" + FAR
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.move_action("Mover", 0, end=False), 2)
    (rolled,) = table.events_of_type(e.DangerRolled)
    assert (rolled.amount, rolled.damage_type, rolled.dice.size) == (2, "physical", 6)
    assert table.damage("Mover") == (2,)
    assert [event.activated for event in table.events_of_type(e.ActivationEnded)] == [True]


def test_a_flip_names_the_pieces_that_it_enters_and_leaves() -> None:
    """R8.5, R8.5.4"""
    table = scripted_position(f"terrain Hill {SQUARE}; High Ground\n{MOVER}A Mover (12.5, 12)" + FAR).with_card_turn(0)
    table = table.answer(table.move_action("Mover", 0, 180, end=False))
    flips = table.events_of_type(e.DiskFlipped)
    assert [(flip.terrain_entered, flip.terrain_left) for flip in flips] == [((0,), ()), ((), (0,))]


def test_an_empowered_disk_that_lands_beside_plaguebearers_is_so_no_longer() -> None:
    """R8.5, R16.7"""
    table = scripted_position(MOVER + "A Mover (10, 10) empowered\nB Plaguebearers (15, 10)" + FAR).with_card_turn(0)
    table = table.answer(table.move_action("Mover", 0, end=False))
    assert not table.disk("Mover").empowered


def test_impact_that_spares_own_disks_is_not_rolled_for_a_landing_on_them_alone() -> None:
    """R-10, R-19, R-42"""
    text = "disk Mover: small, M4 T9, Impact d6\n" + WALL + "A Mover (10, 10)\nA Wall (11.75, 10.5)" + FAR
    table = with_options(scripted_position(text), impact_own=False).with_card_turn(0)
    table = table.answer(table.move_action("Mover", 0))
    assert table.pins == {"Mover>Wall"}
    assert table.events_of_type(e.ImpactRolled) == []


def test_guard_rolls_nothing_against_an_enemy_that_has_left() -> None:
    """R-42, R16.2"""
    table = scripted_position("disk Guard: small, T9, Guard d6\nA Guard (10, 10)\nB reserve: Wall\n" + WALL + FAR)
    after = table.run_tasks(t.GuardTask(table.number("Guard"), table.number("Wall")))
    assert after.events_of_type(e.GuardRolled) == []
    table = scripted_position("disk Guard: small, T9, Guard d6\nA Guard (10, 10)\nB Wall (20, 10)\n" + WALL)
    after = table.run_tasks(t.GuardTask(0, 1), dice=[4])
    assert after.damage("Wall") == (4,)


@pytest.mark.parametrize(("kind", "damage_type"), [("physical", "physical"), ("arcane", "arcane")])
def test_dangerous_ground_deals_the_type_printed_on_its_piece(kind: str, damage_type: str) -> None:
    """R10.11, R10.5: Immune (arcane) tells them apart."""
    text = f"terrain Bog {SQUARE}; Dangerous ({kind}), Cover\ndisk Mover: small, M4 T9, Immune (arcane)\n"
    table = scripted_position(text + "A Mover (12, 12)" + FAR).with_card_turn(0)
    table = table.answer(table.move_action("Mover", 0), 3)
    (rolled,) = table.events_of_type(e.DangerRolled)
    assert rolled.damage_type == damage_type
    assert table.damage("Mover") == ({"physical": 3, "arcane": 0}[kind],)


@each_row(
    ("amount", "faces", "total"),
    [
        (Amount(flat=3), (), 3),
        (Amount(flat=-2), (), 0),
        (Amount(flat=0), (), 0),
        (Amount(d6=2, flat=-1), (3, 4), 6),
        (Amount(d6=1, flat=-4), (2,), 0),
        (Amount(d6=1, flat=-2), (2,), 0),
        (Amount(d6=1, flat=2), (6,), 8),
    ],
)
def test_an_amount_is_its_dice_and_its_fixed_part_and_never_below_zero(
    amount: Amount, faces: tuple[int, ...], total: int
) -> None:
    """R19.1: the server rolls d6."""
    chance = ScriptedMatchDice([faces] if faces else [], 1)
    resolution = Resolution(scripted_position("A Orc Boyz (3, 3)" + FAR).board, chance)
    rolled, draw = resolution.roll_amount(amount, "test")
    chance.finish()
    assert rolled == total
    assert (draw and (draw.results, draw.size)) == ((faces, 6) if faces else None)


@each_row(("empowered", "weakened", "left"), [(False, 0, 4), (False, 1, 3), (True, 3, 2), (False, 6, 0)])
def test_toughness_is_lowered_by_each_effect_down_to_nothing(empowered: bool, weakened: int, left: int) -> None:
    """R-71"""
    table = scripted_position("disk Wall: small, T4\nA Wall (3, 3)" + FAR)
    board = table.with_disk("Wall", empowered=empowered, weakened=weakened).board
    assert effective_stats.toughness(board, 0) == left


def test_an_aura_adds_to_the_toughness_of_those_it_names_and_a_card_to_what_it_says() -> None:
    """R-45, R-71, R16.10"""
    table = goblin_position("A Marienburg Swordsmen (10, 14)\n").with_card_turn(0, "double-time")
    names = ("Night Goblins", "Marienburg Swordsmen")
    printed = [table.board.profile(table.number(name)).toughness for name in names]
    assert [effective_stats.toughness(table.board, table.number(name)) for name in names] == [
        printed[0] + 1,
        printed[1],
    ]
    moves = [effective_stats.movement(table.board, table.number(name)) for name in names]
    assert moves == [table.board.profile(table.number(name)).movement + 1 for name in names]
    weakened = table.with_disk("Night Goblins", weakened=1).board
    assert effective_stats.toughness(weakened, table.number("Night Goblins")) == printed[0]


# ---------------------------------------------------------------- moves and flips that are offered


def test_a_move_is_offered_anywhere_on_the_field_and_a_scout_move_on_no_enemy() -> None:
    """R8.4, R8.9"""
    text = "phase setup\ndisk Runner: small, M3 T4, Scout\nA Runner (10, 3)" + FAR
    (option,) = scripted_position(text).with_card_turn(0).options().parametric
    assert (option.areas, option.flips) == ((Area(0, 0, FIELD, FIELD),), 3)
    (option,) = scripted_position(text).run_tasks(t.ScoutTask(0, (0,))).options().parametric
    assert (option.areas, option.flips) == ((Area(0, 0, FIELD, FIELD, enemies="not_overlapped"),), 3)


def rampaging(where: str) -> ScriptedPosition:
    table = scripted_position(f"A Hellcannon (18, 18)\n{where}\nB High Mage (18, 34)").with_card_turn(0)
    return table.answer(table.shoot_action("Hellcannon", "High Mage"), 3, (CHAOS, MISS, MISS))


def test_the_flip_of_the_hellcannon_is_one_that_overlaps_one_of_the_nearest() -> None:
    """R12.6"""
    table = rampaging("B Tyrion (22.2, 18)")
    (option,) = table.options().parametric
    assert (option.areas, option.flips) == ((Area(0, 0, FIELD, FIELD, onto=(table.number("Tyrion"),)),), 1)
    assert option.example in table.options().actions


def test_its_controller_picks_among_two_flips_and_is_not_asked_about_one() -> None:
    """R19.18, R12.6"""
    table = rampaging("B Tyrion (26, 18)\nB Teclis (10, 18)")
    assert table.question(a.RampageQuestion).targets == (table.number("Tyrion"), table.number("Teclis"))
    assert len(table.options().actions) == 2
    table = rampaging("B Tyrion (26, 18)")
    assert [event.must_overlap for event in table.events_of_type(e.Rampaged)] == [False]
    assert not any(isinstance(question, a.RampageQuestion) for _, question in table.open_questions)
    assert (table.disk("Hellcannon").x, table.disk("Hellcannon").y) == (21 * INCH, 18 * INCH)


# ---------------------------------------------------------------- reinforcing


ZONE = "zone A (6, 0) to (12, 6) for 1 at south with rendezvous\n"
MILL = "terrain Mill at (15, 15) (19, 15) (19, 19) (15, 19); Windmill\n"


def reinforce(table: ScriptedPosition, name: str, x: float, y: float) -> a.Reinforce:
    return a.Reinforce(table.number(name), round(x * INCH), round(y * INCH))


def test_a_reinforcement_is_an_activation_with_its_way_in_as_the_reason() -> None:
    """R9.1, R9.4, R3.4.5: at a rendezvous without a token."""
    table = scripted_position(ZONE + WALL + "A Wall (20, 20)\nA reserve: Orc Boyz" + FAR).with_card_turn(0)
    table = table.answer(reinforce(table, "Orc Boyz", 9, 3))
    disk = table.number("Orc Boyz")
    assert table.events_of_type(e.ActivationBegan) == [e.ActivationBegan(0, disk)]
    (placed,) = table.events_of_type(e.DiskReinforced)
    assert (placed.reasons[0].rule, placed.reasons[0].numbers) == ("R9.1", {"zone": 0})
    (ended,) = table.events_of_type(e.ActivationEnded)
    assert (ended.activated, [reason.rule for reason in ended.reasons]) == (False, ["R3.4.5"])


def test_a_disk_that_comes_in_by_a_windmill_in_a_full_zone_gets_nothing_from_the_zone() -> None:
    """R9.1, R9.6, R3.4.5, R-12"""
    text = "zone A (6, 10) to (24, 24) for 1 with rendezvous\n" + MILL + WALL + "A Wall (17, 17)\nA reserve: Orc Boyz"
    table = with_options(scripted_position(text + FAR), reinforce_limit=True).with_card_turn(0)
    assert table.expect_illegal(reinforce(table, "Orc Boyz", 9, 12)).rule == "R-12"
    table = table.answer(reinforce(table, "Orc Boyz", 17, 14.5))
    (placed,) = table.events_of_type(e.DiskReinforced)
    assert placed.reasons[0].rule == "R9.6"
    assert table.disk("Orc Boyz").activated


def test_a_disk_comes_in_by_a_windmill_outside_of_all_zones_under_the_option_too() -> None:
    """R9.1, R9.4, R3.4.5, R9.6"""
    text = ZONE + MILL + WALL + "A Wall (17, 17)\nA reserve: Orc Boyz" + FAR
    table = with_options(scripted_position(text), reinforce_limit=True).with_card_turn(0)
    table = table.answer(reinforce(table, "Orc Boyz", 17, 14.5))
    assert table.events_of_type(e.DiskReinforced)[0].reasons[0].rule == "R9.6"


def test_a_zone_is_full_by_the_own_disks_inside_it_alone() -> None:
    """R-12: neither enemies in it nor own disks elsewhere count."""
    text = ZONE + WALL + "A Wall (20, 20)\nA Wall (24, 20)\nB Wall (9, 3)\nA reserve: Orc Boyz" + FAR
    table = with_options(scripted_position(text), reinforce_limit=True).with_card_turn(0)
    assert table.answer(reinforce(table, "Orc Boyz", 7, 1)).is_fielded("Orc Boyz")


def test_of_a_full_zone_and_one_of_enemies_the_first_place_that_was_tried_is_explained() -> None:
    """R-12, R-11"""
    text = "zone A (6, 0) to (12, 6) for 1\nzone A (20, 0) to (23, 3) for 1\n" + WALL + "A Wall (9, 3)\n"
    text += "disk Giant: large, T9\nB Giant (21.5, 1.5)\nA reserve: Orc Boyz" + FAR
    table = with_options(scripted_position(text), reinforce_limit=True, reinforce_onto_enemy=False).with_card_turn(0)
    refused = reinforcement_places.reinforcement_refusal(table.board, 0, table.number("Orc Boyz"), WorkBudget())
    assert refused is not None
    assert (refused.code, refused.rule) == ("not_legal", "R-11")


@each_row(
    ("corners", "box"),
    [
        ((15, 15, 19, 20), (13.25, 13.25, 20.75, 21.75)),
        ((1, 1, 5, 5), (0, 0, 6.75, 6.75)),
        ((31, 30, 35, 35), (29.25, 28.25, 36, 36)),
    ],
)
def test_the_area_of_a_windmill_is_as_wide_as_a_disk_beyond_it_and_ends_at_the_edges(
    corners: tuple[int, ...], box: tuple[float, ...]
) -> None:
    """R-51, R9.6"""
    x0, y0, x1, y1 = corners
    mill = f"terrain Mill at ({x0}, {y0}) ({x1}, {y0}) ({x1}, {y1}) ({x0}, {y1}); Windmill\n"
    own = f"A Wall ({(x0 + x1) / 2}, {(y0 + y1) / 2})\nA reserve: Orc Boyz\nB Sun Dragon (30, 3)"
    table = scripted_position(mill + WALL + own)
    (area,) = reinforcement_places.areas(table.board, table.number("Orc Boyz"))
    west, south, east, north = (round(side * INCH) for side in box)
    assert area == Area(west, south, east, north, piece=0, enemies="not_pinned")


def test_a_flanking_disk_may_touch_each_of_the_four_edges_from_end_to_end() -> None:
    """R-73, R9.5"""
    text = "disk Rider: small, Flank\n" + WALL + "A Wall (17, 17)\nA reserve: Rider" + FAR
    table = scripted_position(text)
    deep = round(1.75 * INCH)
    strips = [
        (0, 0, FIELD, deep),
        (0, FIELD - deep, FIELD, FIELD),
        (0, 0, deep, FIELD),
        (FIELD - deep, 0, FIELD, FIELD),
    ]
    expected = [Area(*strip, enemies="not_pinned", outside_enemy_zones=True) for strip in strips]
    assert reinforcement_places.areas(table.board, table.number("Rider")) == expected


KAIROS = "A Kairos Fateweaver (15, 18)\nA reserve: Flamers, {}\nB Tyrion (6, 18)\nB High Mage (30, 30)\n"


def test_an_ability_brings_in_a_disk_of_the_own_reserve_only_and_it_lands_as_usual() -> None:
    """R9.6, R-44, R10.5"""
    text = KAIROS.format("Kurgan Marauders") + "A Orc Boyz (30, 3)\nB reserve: Teclis\n"
    text += f"terrain Bog {SQUARE.replace('10)', '13.5)')}; Dangerous (physical)\n"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.focus_action("Kairos Fateweaver", ability=1))
    table.question(a.ReinforcementQuestion)
    assert table.expect_illegal(reinforce(table, "Orc Boyz", 18, 21)).code == "not_in_reserve"
    assert table.expect_illegal(reinforce(table, "Teclis", 18, 21)).code == "not_your_disk"
    assert table.expect_illegal(a.Reinforce(40, 457200, 457200)).code == "unknown_disk"
    table = table.answer(reinforce(table, "Flamers", 17.2, 13.2), 1)
    assert [event.disk for event in table.events_of_type(e.DangerRolled)] == [table.number("Flamers")]
    assert table.disk("Flamers").activated


def test_a_disk_that_an_ability_does_not_name_is_explained() -> None:
    """R9.6, R19.16: the others are not; without a candidate no question is asked."""
    text = "A Raiser (10, 10)\nA reserve: {}\nB Tyrion (30, 30)\ndisk Bones: trait Undead\ndisk Flesh: small\n"
    text += "disk Raiser: small, focus reinforce_near short Undead\n"
    table = scripted_position(text.format("Bones, Flesh")).with_card_turn(0)
    table = table.answer(table.focus_action("Raiser"))
    assert table.question(a.ReinforcementQuestion).candidates == (table.number("Bones"),)
    seat, question = table.open_questions[0]
    (entry,) = rounds.unavailable(table.board, seat, question)
    assert (entry.disk, entry.code, entry.rule) == (table.number("Flesh"), "not_legal", "R9.6")
    none = scripted_position(text.format("Flesh")).run_tasks(t.ReinforcementTask(0, "short", "undead"))
    assert none.open_questions == ()
