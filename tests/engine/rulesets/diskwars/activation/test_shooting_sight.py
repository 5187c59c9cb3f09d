"""Sight past blocking pieces (R11)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import sight
from tests.engine.rulesets.diskwars.positions import HIT, SCATTER, ScriptedPosition, scripted_position

WALL = "terrain Wall at (10, 5) (11, 5) (11, 15) (10, 15); Blocks Sight\n"
DISKS = """
disk Bows: small, M5 T9, shot 2 dice strength 2 physical to long
disk Mage: small, M5 T9, trait Caster; Magic 2
disk Nurse: small, M5 T9, focus empower medium
disk Storm: small, M5 T9, focus deal_damage_near 1 arcane medium
disk Ox: large, M4 S4 C3 T9 St1
card Comet: slow 2, battle deal_damage 2 arcane medium short by Caster
"""


def table_of(*disks: str, wall: str = WALL) -> ScriptedPosition:
    return scripted_position(DISKS + wall + "\n".join(disks)).with_card_turn(0)


def test_a_piece_between_two_disks_hides_them_from_ranged_attacks() -> None:
    """R11.1, R11.2, R12.1, R10.3: it is refused by its own code, and not offered."""
    table = table_of("A Bows (7, 10)", "B Ox (14, 10)")
    refusal = table.expect_illegal(table.shoot_action("Bows", "Ox"))
    assert (refusal.code, refusal.rule) == ("no_sight", "R11.1")
    assert table.shoot_action("Bows", "Ox") not in table.options().actions


def test_one_clear_line_is_enough_and_the_record_shows_one() -> None:
    """R11.2: past the end of the wall, from rim to rim."""
    table = table_of("A Bows (7, 14.6)", "B Ox (14, 14.6)")
    assert table.shoot_action("Bows", "Ox") in table.options().actions
    table = table.answer(table.shoot_action("Bows", "Ox"), (HIT, HIT))
    (shot,) = table.events_of_type(e.ShotFired)
    (line,) = [reason.numbers for reason in shot.reasons if reason.rule == "R11.2"]
    assert line["x0"] < line["x1"]
    assert min(line["y0"], line["y1"]) > 14 * 25400


def test_without_an_obstacle_no_reason_mentions_sight() -> None:
    table = table_of("A Bows (7, 10)", "B Ox (14, 10)", wall=WALL.replace("Blocks Sight", "Cover"))
    table = table.answer(table.shoot_action("Bows", "Ox"), (HIT, HIT))
    assert [reason.rule for reason in table.events_of_type(e.ShotFired)[0].reasons] == ["R12.2"]


@pytest.mark.parametrize("disks", [("A Bows (9.5, 10)", "B Ox (14, 10)"), ("A Bows (7, 10)", "B Ox (12, 10)")])
def test_a_piece_that_either_disk_lies_on_does_not_block(disks: tuple[str, ...]) -> None:
    """R11.2"""
    table = table_of(*disks)
    assert table.shoot_action("Bows", "Ox") in table.options().actions


def test_disks_never_block_sight() -> None:
    """R11.1"""
    table = table_of("A Bows (3, 20)", "B Ox (12, 20)", "A Ox (7, 20)", "B Mage (9, 20)")
    assert table.shoot_action("Bows", "Ox#1") in table.options().actions


def test_an_ability_is_aimed_only_at_whom_its_user_sees() -> None:
    """R11.1, R8.3"""
    table = table_of("A Mage (8, 10)", "B Ox (13.5, 10)", "B Bows (8, 14)")
    assert table.expect_illegal(table.focus_action("Mage", "Ox")).code == "no_sight"
    assert table.expect_illegal(table.focus_action("Mage", "Mage")).code == "bad_target"
    aims = [action.target for action in table.options().actions if isinstance(action, a.Focus)]
    assert aims == [table.number("Bows")]
    table = table.answer(table.focus_action("Mage", "Bows"))
    assert [reason.rule for reason in table.events_of_type(e.AbilityUsed)[0].reasons] == ["R8.3", "R11.2"]


def test_own_disks_are_targets_as_well() -> None:
    """R11.1: the nurse sees herself, but not the ox behind the wall."""
    table = table_of("A Nurse (8, 10)", "A Ox (13.5, 10)", "B Bows (30, 30)")
    aims = [action.target for action in table.options().actions if isinstance(action, a.Focus)]
    assert aims == [table.number("Nurse")]


def test_each_disk_within_a_distance_is_not_a_target() -> None:
    """R11.1: the storm strikes behind the wall."""
    table = table_of("A Storm (8, 10)", "B Ox (13.5, 10)")
    assert table.answer(table.focus_action("Storm")).damage("Ox") == (1,)


def test_a_battle_ability_needs_sight_of_its_target_but_not_of_those_near_it() -> None:
    """R11.1, R7.9: the mage sees the bows, and the blast goes round the corner."""
    table = scripted_position(DISKS + WALL + "A Mage (8, 12)\nB Bows (9.5, 16.5)\nB Ox (13, 12.8)").with_card_turn(
        0, "comet", left=2
    )
    assert table.expect_illegal(table.ability_action("Mage", "Ox")).code == "no_sight"
    table = table.answer(table.ability_action("Mage", "Bows"))
    assert table.damage("Bows", "Ox") == (2, 2)


def test_scatter_needs_no_sight() -> None:
    """R12.3: it strikes the disk nearest to the target."""
    table = table_of("A Bows (7, 12)", "B Mage (9.5, 16.5)", "B Ox (13, 12.8)")
    assert table.expect_illegal(table.shoot_action("Bows", "Ox")).code == "no_sight"
    table = table.answer(table.shoot_action("Bows", "Mage"), (SCATTER, HIT), (HIT,))
    assert table.damage("Ox") == (2,)


def test_from_high_ground_all_is_seen_but_it_is_not_seen_any_better() -> None:
    """R10.8, R-22: one way."""
    hill = WALL + "terrain Hill at (4, 8) (8, 8) (8, 12) (4, 12); High Ground\n"
    table = table_of("A Bows (6, 10)", "B Bows (14, 10)", wall=hill)
    up, down = table.number("Bows#1"), table.number("Bows#2")
    assert sight.sees(table.board, up, down)
    assert not sight.sees(table.board, down, up)
    table = table.answer(table.shoot_action("Bows#1", "Bows#2"), (HIT, HIT))
    reasons = table.events_of_type(e.ShotFired)[0].reasons
    assert [(reason.rule, reason.numbers) for reason in reasons][1:] == [("R10.8", {"piece": 1})]


# ---------------------------------------------------------------- any position

PLACES = st.integers(1 * 25400, 35 * 25400)
OUTLINES = (
    ((0, 0), (60000, 0), (60000, 90000), (0, 90000)),
    ((0, 0), (80000, 10000), (40000, 30000), (70000, 90000), (-20000, 60000)),
    ((0, 0), (120000, 0), (120000, 20000), (20000, 20000), (20000, 100000), (0, 100000)),
)


@st.composite
def positions(draw: st.DrawFn) -> ScriptedPosition:
    """Return two disks and some pieces that block, anywhere."""
    lines = []
    for number in range(draw(st.integers(1, 4))):
        x, y = draw(PLACES), draw(PLACES)
        corners = " ".join(f"({x + u}um, {y + v}um)" for u, v in draw(st.sampled_from(OUTLINES)))
        lines.append(f"terrain Piece {number} at {corners}; Blocks Sight")
    lines += [f"A Bows ({draw(PLACES)}um, {draw(PLACES)}um)", f"B Ox ({draw(PLACES)}um, {draw(PLACES)}um)"]
    return scripted_position(DISKS + "\n".join(lines))


@settings(max_examples=150, deadline=None)
@given(positions())
def test_without_high_ground_two_disks_see_each_other_or_neither_does(table: ScriptedPosition) -> None:
    """R11.2"""
    assert sight.sees(table.board, 0, 1) == sight.sees(table.board, 1, 0)
