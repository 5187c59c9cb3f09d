"""Effects of terrain on disks that land on it, are on it, are shot at or fight on it (R10)."""

import pytest

from diskwars_content.rule_register import load_register
from diskwars_content.rulesets.diskwars.keyword_text import parse_terrain_keyword
from diskwars_engine.rulesets.diskwars import scoring
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_protocol.identifiers import id_title
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, terrain
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.rulesets.diskwars.positions import CRITICAL, HIT, MISS, SCATTER, ScriptedPosition, scripted_position
from tests.rows import each_row

FIELD = "(10, 10) (14, 10) (14, 14) (10, 14)"
SQUARE = f"terrain Square at {FIELD}; "
DISKS = """
disk Runner: small, M5 S3 C3 T9
disk Ox: large, M4 S4 C3 T9 St1; Impact 2
disk Bird: small, M5 T9; Flying
disk Goat: small, M5 T9; Strider
disk Bows: small, M5 T9, shot 2 dice strength 2 physical to long
disk Cart: small, M5 T9; Mobile, shot 1 dice strength 2 physical to long
"""
STEP = 44450
"""A flip of a small disk: 1.75 inches."""


def position_on_terrain(keywords: str, *disks: str, seat: int = 0, extra: str = "") -> ScriptedPosition:
    """Return a square of ground with those keywords, and disks."""
    text = DISKS + extra + SQUARE + keywords + "\n" + "\n".join(disks)
    return scripted_position(text).with_card_turn(seat)


def flip_stops(table: ScriptedPosition) -> list[str]:
    return [table.board.terrain[event.piece].terrain.name for event in table.events_of_type(e.MoveStopped)]


def damage_amounts(table: ScriptedPosition) -> list[tuple[int, str]]:
    return [(event.taken, event.damage_type) for event in table.events_of_type(e.DamageDealt)]


# ---------------------------------------------------------------- where a disk lies


def test_every_keyword_of_terrain_has_a_rule_and_a_way_to_be_printed() -> None:
    """R10.1"""
    for id, form in terrain.TERRAIN_KEYWORDS.items():
        printed = f"{id_title(id)} ({form.damage_types[0]})" if form.damage_types else id_title(id)
        assert parse_terrain_keyword(printed).id == id
        assert form.rule in load_register().rules


def test_a_disk_lies_on_a_piece_that_it_overlaps_and_the_records_say_when_it_comes_and_goes() -> None:
    """R10.10: 0.01 mm of overlap counts, less is touching (R-05)."""
    edge = 10 * 25400 - STEP // 2
    table = position_on_terrain("Cover", f"A Runner ({edge + 9}um, 12)", "B Ox (30, 30)")
    assert table.disk("Runner").terrain == ()
    assert position_on_terrain("Cover", f"A Runner ({edge + 10}um, 12)", "B Ox (30, 30)").disk("Runner").terrain == (0,)
    table = table.answer(table.move_action("Runner", 0, 0, 0, 0))
    assert [(event.terrain_entered, event.terrain_left) for event in table.events_of_type(e.DiskFlipped)] == [
        ((0,), ()), ((), ()), ((), ()), ((), (0,)),
    ]  # fmt: skip
    assert table.disk("Runner").terrain == ()


def test_terrain_under_a_lower_disk_does_not_matter() -> None:
    """R10.10: the upper disk reaches over the ground that the lower one lies on."""
    table = position_on_terrain("Dangerous (physical)", "A Runner (6, 12)", "B Ox (9, 12)")
    assert table.disk("Ox").terrain == (0,)
    table = table.answer(table.move_action("Runner", 0))
    assert table.pins == {"Runner>Ox"}
    assert table.events_of_type(e.DangerRolled) == []


def test_a_disk_that_leaves_the_field_lies_nowhere() -> None:
    table = position_on_terrain("Dangerous (physical)", "A Runner (8.5, 12) damage 8", "A Ox (3, 3)", "B Ox (30, 30)")
    table = table.answer(table.move_action("Runner", 0), 6)
    assert not table.is_fielded("Runner")
    assert table.disk("Runner").terrain == ()


# ---------------------------------------------------------------- control


@each_row(
    ("disks", "holder"),
    [
        (["A Runner (12, 12)", "B Runner (20, 20)"], 0),
        (["A Runner (20, 20)", "B Runner (9.5, 12)"], 1),
        (["A Runner (12, 12)", "B Runner (14.5, 12)"], None),
        (["A Runner (20, 20)", "B Runner (25, 12)"], None),
        (["A Runner (12, 12)", "A Ox (12, 12)", "B Runner (20, 20)"], 0),
    ],
)
def test_player_controls_a_piece_if_no_other_players_disk_is_on_it(disks: list[str], holder: int | None) -> None:
    """R10.2"""
    assert terrain.controller(position_on_terrain("Cover", *disks).board, 0) == holder


# ---------------------------------------------------------------- dangerous


@pytest.mark.parametrize("kind", ["physical", "arcane"])
def test_dangerous_ground_deals_a_d6_of_its_type_after_every_flip_that_leaves_a_disk_on_it(kind: str) -> None:
    """R10.5: three flips on the piece, three dice, and the move goes on."""
    table = position_on_terrain(f"Dangerous ({kind})", "A Runner (8.5, 12)", "B Ox (30, 30)")
    table = table.answer(table.move_action("Runner", 0, 0), 2)
    assert damage_amounts(table) == [(2, kind)]
    assert table.question(a.ContinuationQuestion) == a.ContinuationQuestion(0, 4, ("move",))
    table = table.answer(table.move_action("Runner", 0, end=False), 1)
    table = table.answer(table.move_action("Runner", 0, end=False), 3)
    assert table.damage("Runner") == (6,)
    table = table.answer(table.move_action("Runner", 0))
    assert table.events_of_type(e.DangerRolled) == []


def test_dangerous_damage_is_damage_of_its_type_like_any_other() -> None:
    """R10.5, R13.3: halved by Resistant, nothing against Immune."""
    for word, taken in (("Resistant", 3), ("Immune", 0)):
        extra = f"disk Knight: small, M5 T9; {word} (arcane)\n"
        table = position_on_terrain("Dangerous (arcane)", "A Knight (8.5, 12)", "B Ox (30, 30)", extra=extra)
        table = table.answer(table.move_action("Knight", 0), 5)
        assert damage_amounts(table) == [(taken, "arcane")]


def test_a_strider_does_not_feel_the_ground_in_its_movement() -> None:
    """R8.8"""
    table = position_on_terrain("Dangerous (physical), Rough", "A Goat (8.5, 12)", "B Ox (30, 30)")
    table = table.answer(table.move_action("Goat", 0, 0, 0))
    flips = ["DiskFlipped"] * 3
    assert table.event_names(e.CardsDiscarded) == ["ActivationBegan", *flips, "ActivationEnded"]


def test_of_a_flight_only_the_last_landing_feels_the_ground() -> None:
    """R8.7"""
    over = position_on_terrain("Dangerous (physical), Rough", "A Bird (8.5, 12)", "B Ox (30, 30)")
    over = over.answer(over.move_action("Bird", 0, 0, 0, 0))
    assert over.events_of_type(e.DangerRolled) == []
    assert over.disk("Bird").terrain == ()
    into = position_on_terrain("Dangerous (physical), Rough", "A Bird (8.5, 12)", "B Ox (30, 30)")
    into = into.answer(into.move_action("Bird", 0, 0), 4)
    assert damage_amounts(into) == [(4, "physical")]
    assert into.disk("Bird").terrain == (0,)


def test_flight_that_begins_and_ends_on_a_piece_enters_it_again() -> None:
    table = position_on_terrain("Dangerous (physical)", "A Bird (12, 12)", "B Ox (30, 30)")
    table = table.answer(table.move_action("Bird", 0, 180), 1)
    assert [(event.terrain_entered, event.terrain_left) for event in table.events_of_type(e.DiskFlipped)] == [
        ((), (0,)),
        ((0,), ()),
    ]


def test_the_ground_works_after_the_pins_have_done_their_work() -> None:
    """R8.5, R8.5.4: Impact, then triggers, then terrain."""
    extra = "disk Thorn: small, T9, engage deal_damage_near 1 physical short\n"
    table = position_on_terrain("Dangerous (physical), Rough", "A Ox (7, 12)", "B Thorn (10.5, 12)", extra=extra)
    table = table.answer(table.move_action("Ox", 0), 3)
    assert table.event_names(e.DamageDealt, e.CardsDiscarded) == [
        "ActivationBegan", "DiskFlipped", "ImpactRolled", "TriggerResolved", "DangerRolled", "MoveStopped",
        "ActivationEnded",
    ]  # fmt: skip
    assert table.damage("Ox", "Thorn") == (4, 2)


def test_a_disk_that_died_of_its_landing_rolls_no_danger() -> None:
    extra = "disk Thorn: small, T9, engage deal_damage_near 9 physical short\n"
    table = position_on_terrain(
        "Dangerous (physical), Rough", "A Runner (8.5, 12)", "A Ox (3, 3)", "B Thorn (11, 12)", extra=extra
    )
    table = table.answer(table.move_action("Runner", 0))
    assert not table.is_fielded("Runner")
    assert table.events_of_type(e.DangerRolled) == []
    assert flip_stops(table) == []


def test_reinforcing_onto_dangerous_ground_rolls_for_a_strider_too() -> None:
    """R9.4, R-52: to be placed is no movement; rough ground does not matter, as there is no move to end."""
    zones = "zone A (8, 8) to (20, 20) for 3\nA reserve: Goat"
    table = position_on_terrain("Dangerous (physical), Rough", "A Runner (3, 3)", "B Ox (30, 30)", zones)
    table = table.answer(a.Reinforce(table.number("Goat"), 12 * 25400, 12 * 25400), 4)
    assert table.damage("Goat") == (4,)
    assert table.disk("Goat").terrain == (0,)
    assert flip_stops(table) == []


def test_a_disk_is_deployed_on_dangerous_ground_unharmed() -> None:
    """R10.5, R3.6.6: not at deployment."""
    text = DISKS + SQUARE + "Dangerous (physical)\nphase setup\nA reserve: Runner\nB Ox (30, 30)\n"
    text += "zone A (8, 8) to (20, 20) for 1"
    table = scripted_position(text).run_tasks(t.DeploymentTask((0,)))
    table = table.answer(a.Deploy((a.Placement(table.number("Runner"), 12 * 25400, 12 * 25400),)))
    assert table.disk("Runner").terrain == (0,)
    assert table.events_of_type(e.DangerRolled) == []


def test_of_two_dangerous_pieces_under_a_landing_each_rolls() -> None:
    """R-53: two instances."""
    other = "terrain Bog at (14, 11) (18, 11) (18, 14) (14, 14); Dangerous (arcane)"
    table = position_on_terrain("Dangerous (physical)", "A Ox (17, 9)", "B Runner (30, 30)", other)
    table = table.answer(table.move_action("Ox", 135), 1, 2)
    assert damage_amounts(table) == [(1, "physical"), (2, "arcane")]


# ---------------------------------------------------------------- rough


def test_rough_ground_ends_the_move_of_a_disk_that_comes_onto_it() -> None:
    """R10.9"""
    table = position_on_terrain("Rough", "A Runner (8.5, 12)", "B Ox (30, 30)")
    table = table.answer(table.move_action("Runner", 0, 0, 0))
    assert len(table.events_of_type(e.DiskFlipped)) == 1
    assert flip_stops(table) == ["Square"]
    assert table.disk("Runner").activated


def test_rough_ground_does_not_stop_a_disk_that_was_on_the_same_piece() -> None:
    """R10.9: but another piece does."""
    other = "terrain Bog at (15, 10) (19, 10) (19, 14) (15, 14); Rough"
    table = position_on_terrain("Rough", "A Runner (11, 12)", "B Ox (30, 30)", other)
    table = table.answer(table.move_action("Runner", 0, 0, 0, 0))
    assert len(table.events_of_type(e.DiskFlipped)) == 2
    assert flip_stops(table) == ["Bog"]


def test_a_mobile_disk_on_rough_ground_may_shoot_still_but_not_flip_on() -> None:
    """R10.9, R8.2"""
    table = position_on_terrain("Rough", "A Cart (8.5, 12)", "B Ox (16, 12)")
    table = table.answer(table.move_action("Cart", 0, end=False))
    assert table.question(a.ContinuationQuestion) == a.ContinuationQuestion(0, 0, ("shoot", "focus")[:1])
    assert table.expect_illegal(table.move_action("Cart", 0)).rule == "R10.9"


# ---------------------------------------------------------------- who is shot at, landed on, fought with


@each_row(("printed", "rolled"), [(3, 2), (2, 1), (1, 1)])
def test_cover_takes_one_die_but_not_the_last(printed: int, rolled: int) -> None:
    """R10.4"""
    extra = f"disk Guns: small, shot {printed} dice strength 2 physical to long\n"
    table = position_on_terrain("Cover", "A Guns (5, 12)", "B Ox (12, 12)", extra=extra)
    table = table.answer(table.shoot_action("Guns", "Ox"), (HIT,) * rolled)
    (shot,) = table.events_of_type(e.ShotFired)
    assert [reason.rule for reason in shot.reasons] == ["R12.2", "R10.4"][: 1 + (printed > rolled)]


def test_scatter_dice_rolled_again_are_not_fewer_for_cover() -> None:
    """R10.4: the disk they strike is in cover, and all of them are rolled."""
    table = position_on_terrain("Cover", "A Bows (5, 9)", "B Runner (11, 8)", "B Ox (12, 12)")
    table = table.answer(table.shoot_action("Bows", "Runner"), (SCATTER, SCATTER), (HIT, CRITICAL))
    assert table.damage("Ox") == (4,)


def test_fortified_ground_keeps_impact_off_but_no_other_damage() -> None:
    """R10.7: the friend beside the ground is struck all the same."""
    table = position_on_terrain("Fortified", "A Ox (6.6, 12)", "B Runner (9.6, 11)", "B Bird (8.6, 13.4)")
    assert table.disk("Runner").terrain == (0,)
    table = table.answer(table.move_action("Ox", 0))
    assert table.damage("Runner", "Bird") == (0, 2)
    dealt = {
        table.name(event.disk): [reason.rule for reason in event.reasons]
        for event in table.events_of_type(e.DamageDealt)
    }
    assert dealt == {"Runner": ["R8.5.2", "R10.7"], "Bird": ["R8.5.2"]}


@each_row(("option", "struck"), [("counter", 0), ("strength", 3), ("both", 0)])
def test_a_defender_on_defensive_ground_strikes_first(option: str, struck: int) -> None:
    """R10.6, R-24: the wolf dies before its own blow, unless the ground gives Swift for the strength only."""
    wolf = "disk Wolf: small, S3 C3 T3\n"
    lies = f"option defensive_swift {option}\nB Ox (11.2, 12)\nA Wolf (9, 12)\nA Bird (3, 3)"
    table = scripted_position(DISKS + wolf + SQUARE + f"Defensive\n{lies}")
    assert (table.disk("Ox").terrain, table.disk("Wolf").terrain) == ((0,), ())
    table = table.start_melee()
    assert not table.is_fielded("Wolf")
    assert table.damage("Ox") == (struck,)


@each_row(("option", "struck"), [("counter", 3), ("strength", 0), ("both", 0)])
def test_an_attacker_on_defensive_ground_strikes_first_only_by_option(option: str, struck: int) -> None:
    """R-24"""
    wolf = "disk Wolf: small, S3 C3 T3\n"
    lies = f"option defensive_swift {option}\nB Wolf (9, 12)\nA Ox (11.2, 12)\nB Bird (30, 3)"
    table = scripted_position(DISKS + wolf + SQUARE + f"Defensive\n{lies}").start_melee()
    assert not table.is_fielded("Wolf")
    assert table.damage("Ox") == (struck,)


def test_swift_of_defensive_ground_and_slow_cancel() -> None:
    """R14.3, R10.6"""
    extra = "disk Slug: small, S3 C3 T3; Slow (counter)\n"
    table = position_on_terrain("Defensive", "B Slug (12, 12)", "A Ox (30, 30)", extra=extra)
    assert effective_stats.speed(table.board, table.number("Slug"), "counter") == "normal"
    assert effective_stats.speed(table.board, table.number("Slug"), "strength") == "normal"


# ---------------------------------------------------------------- cave and windmill


def test_a_disk_in_a_cave_is_shot_at_from_the_same_cave_or_from_short_range_only() -> None:
    """R10.11, R-50"""
    far = position_on_terrain("Cave", "A Bows (5, 12)", "B Ox (15, 12)")
    assert far.expect_illegal(far.shoot_action("Bows", "Ox")).rule == "R-50"
    assert far.options().actions.count(far.shoot_action("Bows", "Ox")) == 0
    near = position_on_terrain("Cave", "A Bows (9.7, 12)", "B Ox (15, 12)")
    assert near.answer(near.shoot_action("Bows", "Ox"), (HIT, MISS)).damage("Ox") == (2,)
    other = "terrain Hole at (4, 10) (6, 10) (6, 14) (4, 14); Cave"
    apart = position_on_terrain("Cave", "A Bows (5, 12)", "B Ox (15, 12)", other)
    assert apart.expect_illegal(apart.shoot_action("Bows", "Ox")).code == "bad_target"
    wide = scripted_position(
        DISKS + "terrain Tunnel at (4, 10) (16, 10) (16, 14) (4, 14); Cave\nA Bows (5, 12)\nB Ox (15, 12)"
    )
    within = wide.with_card_turn(0)
    assert within.answer(within.shoot_action("Bows", "Ox"), (HIT, HIT)).damage("Ox") == (4,)


def test_scatter_reaches_into_a_cave() -> None:
    """R10.11, R-50: though the target is not on it."""
    table = position_on_terrain("Cave", "A Bows (5, 9)", "B Runner (11, 8)", "B Ox (12, 12)")
    table = table.answer(table.shoot_action("Bows", "Runner"), (SCATTER, MISS), (HIT,))
    assert table.damage("Ox") == (2,)


WINDMILL_POSITION = """
terrain Mill at (16, 16) (20, 16) (20, 20) (16, 20); Windmill
zone A (0, 0) to (6, 6) for 3
A Ox (3, 3)
A reserve: Runner
"""


def reinforce_at(table: ScriptedPosition, x: float, y: float) -> a.Reinforce:
    return a.Reinforce(table.number("Runner"), round(x * 25400), round(y * 25400))


def test_who_controls_the_windmill_may_reinforce_onto_it_and_overlap_is_enough() -> None:
    """R9.6, R-51"""
    table = scripted_position(DISKS + WINDMILL_POSITION + "A Goat (18, 18)\nB Bird (30, 30)").with_card_turn(0)
    assert table.expect_illegal(reinforce_at(table, 14, 18)).code == "outside_zone"
    landed = table.answer(reinforce_at(table, 15.5, 18))
    assert (landed.disk("Runner").terrain, landed.disk("Runner").activated) == ((0,), True)
    plan = next(plan for plan in table.options().parametric if plan.disk == table.number("Runner"))
    assert any(area.x0 <= 18 * 25400 <= area.x1 for area in plan.areas)


@each_row("others", ["B Bird (18, 18)", "A Goat (18, 18)\nB Bird (20.5, 18)", "B Bird (30, 30)"])
def test_nobody_reinforces_onto_a_windmill_they_do_not_control(others: str) -> None:
    """R9.6, R10.2"""
    table = scripted_position(DISKS + WINDMILL_POSITION + others).with_card_turn(0)
    assert table.expect_illegal(reinforce_at(table, 17, 18)).code == "outside_zone"


def test_nobody_is_reinforced_onto_an_enemy_by_the_windmill() -> None:
    """R-51"""
    table = scripted_position(DISKS + WINDMILL_POSITION + "A Goat (19, 18)\nB Bird (14.5, 18)").with_card_turn(0)
    assert table.expect_illegal(reinforce_at(table, 15.5, 18)).rule == "R-51"
    assert table.answer(reinforce_at(table, 17.5, 18)).disk("Runner").terrain == (0,)


def test_the_windmill_lets_in_who_has_no_zone() -> None:
    """R7.11, R9.6: it is enough to be asked again when all disks are activated."""
    text = (
        DISKS
        + WINDMILL_POSITION.replace("zone A (0, 0) to (6, 6) for 3\n", "")
        + "A Goat (18, 18) activated\nB Bird (30, 30)"
    )
    table = scripted_position(text.replace("A Ox (3, 3)", "A Ox (3, 3) activated")).with_card_turn(0)
    (plan,) = table.options().parametric
    assert table.answer(plan.example).disk("Runner").terrain == (0,)


def test_terrain_controlled_is_worth_points_where_the_objective_says_so() -> None:
    """R10.2, R17: one piece held, one disputed."""
    other = "terrain Bog at (20, 20) (24, 20) (24, 24) (20, 24)"
    table = position_on_terrain("Cover", "A Runner (12, 12)", "A Ox (20, 22)", "B Ox (24, 22)", other)
    assert [scoring.pieces_held(table.board, seat) for seat in (0, 1)] == [1, 0]
