"""Scout moves before round 1 (R3.7, R8.9)."""

import pytest
from msgspec.structs import replace

from diskwars_engine.rulesets.diskwars import rounds, scoring
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_protocol.match.decisions import Reason, Result
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.stats import Keyword
from tests.engine.rulesets.diskwars.positions import ScriptedMatchDice, ScriptedPosition, scripted_position
from tests.engine.rulesets.diskwars.rules.test_multiplayer import resign_seat
from tests.engine.rulesets.diskwars.setup_positions import SCOUT_POSITION, deciding_seat


def scouting_position(text: str, *changes: tuple[str, str]) -> ScriptedPosition:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return scripted_position(text).run_tasks(t.SetupStepTask("scouts"), t.RoundTask(1))


def disk_names(table: ScriptedPosition, ask: a.ScoutQuestion) -> list[str]:
    return [table.name(disk) for disk in ask.disks]


def test_disks_deployed_in_a_scouting_zone_may_scout() -> None:
    """R3.4.5, R3.7"""
    table = scouting_position(SCOUT_POSITION)
    assert disk_names(table, table.question(a.ScoutQuestion)) == ["Orc Boyz", "Arrer Boyz"]


def test_a_zone_without_the_ability_and_a_disk_only_partly_in_it_give_no_scouts() -> None:
    """R3.4.5: then no question is asked, and round 1 begins."""
    assert scouting_position(SCOUT_POSITION, (" with scouting", "")).events_of_type(e.RoundBegan)[0].round == 1
    table = scouting_position(SCOUT_POSITION, ("(10, 3)", "(10, 6)"))
    assert disk_names(table, table.question(a.ScoutQuestion)) == ["Arrer Boyz"]


def test_a_disk_with_the_keyword_may_scout_from_anywhere() -> None:
    """R8.9"""
    table = scripted_position("A Orc Boyz (18, 18)\nB Big Boss (30, 30)")
    profiles = [
        replace(profile, keywords=(Keyword("scout"),)) for profile in table.board.profiles if profile.name == "Orc Boyz"
    ]
    table = scripted_position("A Orc Boyz (18, 18)\nB Big Boss (30, 30)", profiles).run_tasks(t.SetupStepTask("scouts"))
    assert disk_names(table, table.question(a.ScoutQuestion)) == ["Orc Boyz"]


BOTH = """
phase setup
order B A
zone A (6, 0) to (30, 6) for 5 at south with scouting
zone B (6, 30) to (30, 36) for 5 at north with scouting
A Orc Boyz  (10, 3)
B Big Boss  (20, 33)
B Arrer Boyz  (24, 33)
"""


def test_scouts_move_in_initiative_order_each_once_and_in_any_order_of_their_player() -> None:
    """R3.7, R19.10"""
    table = scouting_position(BOTH)
    assert deciding_seat(table) == 1
    table = table.answer(table.move_action("Arrer Boyz", 270))
    assert disk_names(table, table.question(a.ScoutQuestion)) == ["Big Boss"]
    table = table.answer(table.move_action("Big Boss", 270))
    assert deciding_seat(table) == 0
    table = table.answer(table.move_action("Orc Boyz", 90))
    assert table.events_of_type(e.RoundBegan)[0].round == 1


def test_a_scout_may_stay_where_it_is() -> None:
    """R19.10: the default."""
    table = scouting_position(BOTH)
    assert a.EndScouting() in table.options().actions
    table = table.answer(a.EndScouting())
    assert deciding_seat(table) == 0


def test_a_scout_moves_as_far_as_its_movement_and_gets_no_activation_token() -> None:
    """R8.9"""
    table = scouting_position(BOTH)
    reach = table.board.profile(table.number("Big Boss")).movement
    assert table.expect_illegal(table.move_action("Big Boss", *[270] * (reach + 1))).code == "too_many_flips"
    after = table.answer(table.move_action("Big Boss", *[270] * reach))
    assert not after.disk("Big Boss").activated
    assert [event.activated for event in after.events_of_type(e.ActivationEnded)] == [False]


def test_a_scout_goes_on_flip_by_flip_and_can_only_move() -> None:
    """R19.13"""
    table = scouting_position(BOTH)
    table = table.answer(table.move_action("Arrer Boyz", 270, end=False))
    ask = table.question(a.ContinuationQuestion)
    assert ask.allowed == ("move",)
    assert table.expect_illegal(table.shoot_action("Arrer Boyz", "Orc Boyz")).code == "wrong_action"
    table = table.answer(table.pass_action("Arrer Boyz"))
    assert disk_names(table, table.question(a.ScoutQuestion)) == ["Big Boss"]


def test_a_pinned_disk_makes_no_scout_move() -> None:
    """R-58: only the upper of two can, and then the lower."""
    table = scouting_position(BOTH, ("A Orc Boyz  (10, 3)", "A Orc Boyz  (10, 3)\nA Night Goblins  (10, 3.5)"))
    table = table.answer(a.EndScouting())
    assert disk_names(table, table.question(a.ScoutQuestion)) == ["Night Goblins"]
    table = table.answer(table.move_action("Night Goblins", 90))
    assert disk_names(table, table.question(a.ScoutQuestion)) == ["Orc Boyz"]


@pytest.mark.parametrize("disk", ["Orc Boyz", "Arrer Boyz"])
def test_the_example_of_a_plan_is_a_landing_beside_the_enemy(disk: str) -> None:
    """R8.9: also for a scout that is on its way."""
    table = scouting_position(SCOUT_POSITION, ("B Sun Dragon  (20, 8)", "B Sun Dragon  (20, 6)\nB Steam Tank  (11, 6)"))
    plan = next(plan for plan in table.options().parametric if plan.disk == table.number(disk))
    assert isinstance(plan.example, a.MoveDisk)
    after = table.answer(replace(plan.example, end_activation=False))
    plans = after.options().parametric
    assert [after.answer(plan.example).expect_illegal for plan in plans]


def test_a_scout_that_lands_on_its_own_pins_it_as_usual() -> None:
    """R8.5.1"""
    table = scouting_position(SCOUT_POSITION, ("(20, 3)", "(11.75, 3)"))
    table = table.answer(table.move_action("Orc Boyz", 0))
    assert table.pins == {"Orc Boyz>Arrer Boyz"}


def test_scouting_is_decided_before_any_card_is_locked() -> None:
    """R3.7: nobody is out before round 1, also without a disk (R4.9)."""
    table = scouting_position(BOTH)
    chance = ScriptedMatchDice((), 1)
    seat, ask = table.open_questions[0]
    rounds.decide(table.board, seat, ask, a.EndScouting(), chance)
    assert not any(side.has_locked for side in table.board.sides)


def test_nobody_wins_when_the_only_disks_of_both_sides_fall_while_scouting() -> None:
    """R4.9: a side without a disk is out from the start of round 1 only, so that the other one scouts first."""
    text = (
        "round 0 of 5\ndisk Rag: small M5 S2 C2 T1\nphase setup\norder A B\n"
        "zone A (6, 0) to (30, 6) for 5 at south with scouting\n"
        "zone B (6, 30) to (30, 36) for 5 at north with scouting\n"
        "terrain Bog at (8, 4.5) (12, 4.5) (12, 8) (8, 8); Dangerous (physical)\n"
        "terrain Mire at (18, 28) (22, 28) (22, 31.5) (18, 31.5); Dangerous (physical)\n"
        "A Rag (10, 3)\nB Rag (20, 33)\n"
    )
    table = scouting_position(text)
    table = table.answer(table.move_action("Rag#1", 90), 6)
    assert (table.is_fielded("Rag#1"), deciding_seat(table)) == (False, 1)
    table = table.answer(table.move_action("Rag#2", 270), 6)
    assert [event.seat for event in table.events_of_type(e.SeatEliminated)] == [0, 1]
    assert scoring.result(table.board) == Result("everybody_eliminated", reasons=(Reason("R4.8"),))


def test_scout_moves_of_a_player_who_leaves_are_not_made_and_those_of_others_are() -> None:
    """R-59"""
    table = scouting_position(f"{BOTH}C Arrer Boyz  (33, 18)\n", ("order B A", "order B A C"))
    assert deciding_seat(table) == 1
    assert deciding_seat(resign_seat(table, 1)) == 0
    after = resign_seat(table, 0)
    assert deciding_seat(after) == 1
    assert disk_names(after, after.question(a.ScoutQuestion)) == ["Big Boss", "Arrer Boyz#1"]


def test_a_flying_scout_may_pass_over_an_enemy_but_not_end_on_one() -> None:
    """R8.9, R8.7"""
    text = "disk Bat: small M5 S2 C2 T3; Flying\nphase setup\nzone A (6, 0) to (30, 6) for 5 at south with scouting\n"
    table = scouting_position(text + "A Bat (10, 3)\nB Big Boss (10, 4.75)")
    assert table.expect_illegal(table.move_action("Bat", 90)).code == "overlaps_enemy"
    table = table.answer(table.move_action("Bat", 90, 90, 90))
    assert table.disk("Bat").y > 200000
