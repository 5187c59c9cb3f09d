"""Who moves before round 1, in which order, and what may he not do (R3.7, R8.9)?"""

import pytest
from msgspec.structs import replace

from diskwars_engine.rulesets.diskwars import rounds
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.stats import Keyword
from tests.engine.positions import Chance, Table, lay
from tests.engine.setup_positions import SCOUTS, seat_of


def scouting(text: str, *changes: tuple[str, str]) -> Table:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return lay(text).works(e.FullSetup("scouts"), e.Rounds(1))


def named(table: Table, ask: a.AskScout) -> list[str]:
    return [table.name(disk) for disk in ask.disks]


def test_disks_deployed_in_a_scouting_zone_may_scout() -> None:
    """R3.4.5, R3.7"""
    table = scouting(SCOUTS)
    assert named(table, table.ask(a.AskScout)) == ["Orc Boyz", "Arrer Boyz"]


def test_a_zone_without_the_ability_and_a_disk_only_partly_in_it_give_no_scouts() -> None:
    """R3.4.5: then nobody is asked, and round 1 begins."""
    assert scouting(SCOUTS, (" with scouting", "")).all(e.RoundBegan)[0].round == 1
    table = scouting(SCOUTS, ("(10, 3)", "(10, 6)"))
    assert named(table, table.ask(a.AskScout)) == ["Arrer Boyz"]


def test_a_disk_with_the_keyword_may_scout_from_anywhere() -> None:
    """R8.9"""
    table = lay("A Orc Boyz (18, 18)\nB Big Boss (30, 30)")
    profiles = [replace(one, keywords=(Keyword("Scout"),)) for one in table.board.profiles if one.name == "Orc Boyz"]
    table = lay("A Orc Boyz (18, 18)\nB Big Boss (30, 30)", profiles).works(e.FullSetup("scouts"))
    assert named(table, table.ask(a.AskScout)) == ["Orc Boyz"]


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
    table = scouting(BOTH)
    assert seat_of(table) == 1
    table = table.answer(table.moves("Arrer Boyz", 270))
    assert named(table, table.ask(a.AskScout)) == ["Big Boss"]
    table = table.answer(table.moves("Big Boss", 270))
    assert seat_of(table) == 0
    table = table.answer(table.moves("Orc Boyz", 90))
    assert table.all(e.RoundBegan)[0].round == 1


def test_a_scout_may_stay_where_it_is() -> None:
    """R19.10: the default."""
    table = scouting(BOTH)
    assert a.EndScouting() in table.options().actions
    table = table.answer(a.EndScouting())
    assert seat_of(table) == 0


def test_a_scout_moves_as_far_as_its_movement_and_gets_no_activation_token() -> None:
    """R8.9"""
    table = scouting(BOTH)
    reach = table.board.profile(table.number("Big Boss")).movement
    assert table.refuse(table.moves("Big Boss", *[270] * (reach + 1))).code == "too_many_flips"
    after = table.answer(table.moves("Big Boss", *[270] * reach))
    assert not after.disk("Big Boss").activated
    assert [event.marked for event in after.all(e.ActivationEnded)] == [False]


def test_a_scout_goes_on_flip_by_flip_and_can_only_move() -> None:
    """R19.13"""
    table = scouting(BOTH)
    table = table.answer(table.moves("Arrer Boyz", 270, end=False))
    ask = table.ask(a.AskContinue)
    assert ask.may == ("move",)
    assert table.refuse(table.shoots("Arrer Boyz", "Orc Boyz")).code == "wrong_action"
    table = table.answer(table.passes("Arrer Boyz"))
    assert named(table, table.ask(a.AskScout)) == ["Big Boss"]


def test_a_pinned_disk_makes_no_scout_move() -> None:
    """R-58: only the upper of two can, and then the lower."""
    table = scouting(BOTH, ("A Orc Boyz  (10, 3)", "A Orc Boyz  (10, 3)\nA Night Goblins  (10, 3.5)"))
    table = table.answer(a.EndScouting())
    assert named(table, table.ask(a.AskScout)) == ["Night Goblins"]
    table = table.answer(table.moves("Night Goblins", 90))
    assert named(table, table.ask(a.AskScout)) == ["Orc Boyz"]


@pytest.mark.parametrize("disk", ["Orc Boyz", "Arrer Boyz"])
def test_the_example_of_a_plan_is_a_landing_beside_the_enemy(disk: str) -> None:
    """R8.9: also for a scout that is on its way."""
    table = scouting(SCOUTS, ("B Sun Dragon  (20, 8)", "B Sun Dragon  (20, 6)\nB Steam Tank  (11, 6)"))
    plan = next(plan for plan in table.options().parametric if plan.disk == table.number(disk))
    assert isinstance(plan.example, a.MoveDisk)
    after = table.answer(replace(plan.example, end=False))
    plans = after.options().parametric
    assert [after.answer(plan.example).refuse for plan in plans]


def test_a_scout_that_lands_on_its_own_pins_it_as_usual() -> None:
    """R8.5.1"""
    table = scouting(SCOUTS, ("(20, 3)", "(11.75, 3)"))
    table = table.answer(table.moves("Orc Boyz", 0))
    assert table.pins == {"Orc Boyz>Arrer Boyz"}


def test_scouting_is_decided_before_any_card_is_locked() -> None:
    """R3.7: nobody is out before round 1, also without a disk (R4.9)."""
    table = scouting(BOTH)
    chance = Chance((), 1)
    seat, ask = table.asks[0]
    rounds.decide(table.board, seat, ask, a.EndScouting(), chance)
    assert not any(side.has_locked for side in table.board.sides)


def test_a_flying_scout_may_pass_over_an_enemy_but_not_end_on_one() -> None:
    """R8.9, R8.7"""
    text = "disk Bat: small M5 S2 C2 T3; Flying\nphase setup\nzone A (6, 0) to (30, 6) for 5 at south with scouting\n"
    table = scouting(text + "A Bat (10, 3)\nB Big Boss (10, 4.75)")
    assert table.refuse(table.moves("Bat", 90)).code == "overlaps_enemy"
    table = table.answer(table.moves("Bat", 90, 90, 90))
    assert table.disk("Bat").y > 200000
