"""Reinforcing from the reserve (R9)."""

import math

from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption
from tests.engine.rulesets.diskwars.positions import ScriptedPosition, scripted_position
from tests.rows import each_row

ZONES = """
zone A (6, 0) to (30, 6) for 1
zone B (6, 30) to (30, 36) for 1
"""
RESERVE = (
    ZONES
    + """
A Orc Boyz  (10, 3)
B Sun Dragon  (20, 20)
A reserve: Bloodcrushers, Steam Tank, Night Goblins
"""
)


def reinforce_at(table: ScriptedPosition, name: str, x: int, y: int) -> a.Reinforce:
    """At a place in inches."""
    return a.Reinforce(table.number(name), x * 25400, y * 25400)


def test_a_reserve_is_placed_in_an_own_zone_with_a_token_and_costs_an_activation() -> None:
    """R9.1"""
    table = scripted_position(RESERVE).with_card_turn(0, left=3)
    table = table.answer(reinforce_at(table, "Night Goblins", 20, 3))
    goblins = table.disk("Night Goblins")
    assert (goblins.place, goblins.x, goblins.y, goblins.activated) == ("battlefield", 508000, 76200, True)
    assert table.question(a.ActivationQuestion).activations_left == 2


def test_the_value_of_a_zone_does_not_limit_reinforcing() -> None:
    """R9.2, R-12: a zone of value 1 takes three."""
    table = scripted_position(RESERVE).with_card_turn(0, left=3)
    for name, x in (("Night Goblins", 14), ("Steam Tank", 18), ("Bloodcrushers", 24)):
        table = table.answer(reinforce_at(table, name, x, 3))
    assert sum(disk.place == "battlefield" and disk.seat == 0 for disk in table.board.disks) == 4


def test_nobody_has_to_reinforce_and_reserves_alone_do_not_end_the_turn() -> None:
    """R9.1: with every disk on the field activated, the reserve may still be brought in, or not."""
    table = scripted_position(RESERVE).with_card_turn(0)
    table = table.answer(table.pass_action("Orc Boyz"))
    assert table.question(a.ActivationQuestion).activations_left == 2
    table = table.answer(a.EndCard())
    assert table.open_questions == ()


def test_reinforcing_has_no_impact() -> None:
    """R9.4: the Bloodcrushers and the Steam Tank come in on top of friend and enemy, and nobody is hurt."""
    table = scripted_position(RESERVE + "B Maiden Guard (12, 3)").with_card_turn(0)
    table = table.answer(reinforce_at(table, "Bloodcrushers", 11, 3))
    assert table.pins == {"Bloodcrushers>Orc Boyz", "Bloodcrushers>Maiden Guard"}
    assert table.events_of_type(e.ImpactRolled) == []
    assert table.damage("Orc Boyz", "Maiden Guard") == (0, 0)


def test_a_reinforcing_disk_may_be_placed_on_enemies_and_engages_them() -> None:
    """R9.3, R9.4, R-11, R6.6: Tyrion rolls for the enemy that he is placed on."""
    table = scripted_position(ZONES + "A Orc Boyz (28, 4)\nA reserve: Tyrion\nB Sun Dragon (12, 3)").with_card_turn(0)
    table = table.answer(reinforce_at(table, "Tyrion", 12, 3), 5)
    assert table.pins == {"Tyrion>Sun Dragon"}
    assert table.disk("Sun Dragon").wounds == 1


def test_a_reserve_comes_in_on_top_of_all_it_overlaps() -> None:
    """R5.6, R-08"""
    table = scripted_position(RESERVE).with_card_turn(0)
    table = table.answer(reinforce_at(table, "Night Goblins", 10, 3))
    assert table.pins == {"Night Goblins>Orc Boyz"}


def test_a_reserve_is_one_higher_than_anything_before() -> None:
    """R5.6"""
    table = scripted_position(RESERVE).with_card_turn(0)
    after = table.answer(reinforce_at(table, "Night Goblins", 20, 3))
    assert after.disk("Night Goblins").z == after.board.top_z == table.board.top_z + 1


def test_a_player_without_a_reserve_or_without_a_zone_has_nothing_to_bring_in() -> None:
    """R9.1, R19.25: with every disk activated he is not asked."""
    for missing in ("A reserve: Bloodcrushers, Steam Tank, Night Goblins\n", "zone A (6, 0) to (30, 6) for 1\n"):
        table = scripted_position(RESERVE.replace(missing, "")).with_card_turn(0)
        assert table.answer(table.pass_action("Orc Boyz")).open_questions == ()


def test_a_zone_holds_a_disk_whose_rim_touches_its_side() -> None:
    """R9.1: wholly inside."""
    table = scripted_position(RESERVE).with_card_turn(0)
    radius = 38100
    tank = table.number("Steam Tank")
    x, y = 6 * 25400 + radius, 6 * 25400 - radius
    assert table.answer(a.Reinforce(tank, x, y)).is_fielded("Steam Tank")
    for action in (a.Reinforce(tank, x - 1, y), a.Reinforce(tank, x, y + 1)):
        refusal = table.expect_illegal(action)
        assert (refusal.code, refusal.rule, refusal.place) == ("outside_zone", "R9.1", "$.action")


def test_every_plan_of_the_options_names_a_reserve_and_the_zones() -> None:
    """R19.16"""
    table = scripted_position(RESERVE).with_card_turn(0)
    plans = [plan for plan in table.options().parametric if isinstance(plan.example, a.Reinforce)]
    assert {table.name(plan.disk) for plan in plans} == {"Bloodcrushers", "Steam Tank", "Night Goblins"}
    assert {plan.areas for plan in plans} == {(Area(152400, 0, 762000, 152400, zone=0),)}


# ---------------------------------------------------------------- the ready-made place


def reserve_option(table: ScriptedPosition, name: str) -> DiskwarsOption:
    (option,) = [option for option in table.options().parametric if option.disk == table.number(name)]
    return option


CROWDED = """
zone A (6, 0) to (13, 2.5) for 1
A Left (8.1, 1.25)
A Right (11.68, 1.25)
B Enemy (30, 30)
A reserve: Comer
disk Left: radius 1in
disk Right: radius 1in
disk Enemy:
disk Comer: radius {radius}in
"""


@each_row("radius", [0.8, 0.87, 0.3])
def test_the_example_of_a_reserve_lies_in_a_gap_between_own_disks_if_it_fits(radius: float) -> None:
    """R9.1, R5.3: the disk fits between Left and Right or beside them, though at no place of a grid."""
    table = scripted_position(CROWDED.format(radius=radius)).with_card_turn(0)
    if radius == 0.87:  # wider than the gap: it fits nowhere between the two, and lies on one of them
        assert len(reserve_option(table, "Comer").covers) == 1
        return
    option = reserve_option(table, "Comer")
    assert (option.covers, option.pins) == ((), ())
    assert table.answer(option.example).pins == set()


def test_the_example_of_a_reserve_lies_on_enemies_before_it_lies_on_own_disks() -> None:
    """R9.3: a zone without room; the example says whom it covers, and whom of them it pins."""
    text = "zone A (6, 0) to (10, 2) for 1\nA Own (7, 1)\nB Enemy (9, 1)\nA reserve: Comer\n"
    table = scripted_position(text + "disk Own:\ndisk Enemy:\ndisk Comer:").with_card_turn(0)
    option = reserve_option(table, "Comer")
    assert [table.name(disk) for disk in option.covers] == ["Enemy"]
    assert option.pins == option.covers
    assert table.answer(option.example).pins == {"Comer>Enemy"}


def test_an_option_says_which_of_the_disks_that_it_covers_it_pins() -> None:
    """R6.1: what lies under another disk is covered and not pinned."""
    text = (
        "zone A (6, 0) to (9, 3) for 1\nB Below (7.5, 1.5) z1\nB Above (7.5, 1.6) z2\nA Far (30, 30)\n"
        "A reserve: Comer\ndisk Below:\ndisk Above:\ndisk Far:\ndisk Comer: large"
    )
    table = scripted_position(text).with_card_turn(0)
    option = reserve_option(table, "Comer")
    assert {table.name(disk) for disk in option.covers} == {"Below", "Above"}
    assert [table.name(disk) for disk in option.pins] == ["Above"]


def test_a_move_says_whom_its_example_covers_and_pins() -> None:
    """R8.5.1"""
    table = scripted_position("A Mover (16.25, 18)\nA Own (18, 18.5)\nB Enemy (18, 17)\ndisk Mover: small\ndisk Own:\n"
        "disk Enemy:").with_card_turn(0)  # fmt: skip
    option = next(option for option in table.options().parametric if option.disk == table.number("Mover"))
    assert {table.name(disk) for disk in option.covers} == {"Own", "Enemy"}
    assert [table.name(disk) for disk in option.pins] == ["Enemy"]
    assert table.answer(option.example).pins == {"Mover>Enemy", "Enemy>Own"}


def test_the_disk_of_an_ability_comes_in_beside_its_user_on_nobody_if_there_is_room() -> None:
    """R9.6: own disks stand all around the user; beyond them, within reach, is room."""
    ring = "".join(
        f"A Guard{number} ({18 + round(3.2 * math.cos(math.radians(30 * number)), 3)}, "
        f"{18 + round(3.2 * math.sin(math.radians(30 * number)), 3)})\ndisk Guard{number}: small\n"
        for number in range(12)
    )
    text = f"A Kairos Fateweaver (18, 18)\nB Enemy (30, 3)\ndisk Enemy:\nA reserve: Flamers\n{ring}"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.focus_action("Kairos Fateweaver", ability=1))
    option = reserve_option(table, "Flamers")
    assert (option.covers, option.pins) == ((), ())
    assert table.answer(option.example).pins == table.pins
