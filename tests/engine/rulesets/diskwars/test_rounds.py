"""Rounds, and the end of a game (R4)."""

import pytest
from msgspec.structs import replace

from diskwars_engine.rulesets.diskwars import scoring
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_protocol.match.decisions import Reason, Result
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.rulesets.diskwars.positions import SALT, ScriptedPosition, scripted_position
from tests.rows import each_row

QUIET_POSITION = "A Orc Boyz (10, 10)\nB Sun Dragon (30, 30)\n"


def test_a_game_has_five_rounds_of_three_phases() -> None:
    """R4.1, R4.5: nobody holds a card, so nothing is asked and the game runs to its end."""
    table = scripted_position("round 0 of 5\n" + QUIET_POSITION).run_tasks(t.RoundTask(1))
    assert [event.round for event in table.events_of_type(e.RoundBegan)] == [1, 2, 3, 4, 5]
    assert [event.phase for event in table.events_of_type(e.PhaseBegan)] == [
        *("activation", "melee", "end") * 5,
        "over",
    ]
    assert table.open_questions == ()


def test_all_tokens_but_wounds_leave_together_in_the_end_phase() -> None:
    """R4.2, R13.6"""
    text = "B Sun Dragon (30, 30) damage 3 wounds 1 activated empowered weakened 2\nA Orc Boyz (10, 10)"
    table = scripted_position(text).run_tasks(t.EndPhaseTask())
    dragon = table.disk("Sun Dragon")
    assert (dragon.damage, dragon.wounds, dragon.activated, dragon.empowered, dragon.weakened) == (
        0,
        1,
        False,
        False,
        0,
    )
    assert [event.disks for event in table.events_of_type(e.TokensCleared)] == [(table.number("Sun Dragon"),)]


@each_row("token", ["damage 1", "activated", "empowered", "weakened 1"])
def test_each_token_alone_leaves_in_the_end_phase(token: str) -> None:
    """R4.2: and a disk with nothing but wounds is not told of."""
    table = scripted_position(f"A Orc Boyz (10, 10) {token}\nB Sun Dragon (30, 30) wounds 1").run_tasks(
        t.EndPhaseTask()
    )
    assert [event.disks for event in table.events_of_type(e.TokensCleared)] == [(0,)]
    assert table.disk("Orc Boyz") == scripted_position("A Orc Boyz (10, 10)").disk("Orc Boyz")


def test_no_wound_is_tested_while_tokens_leave() -> None:
    """R4.2, R-34: toughness 4 with 4 damage, alive by its empowerment alone."""
    table = scripted_position("A Orc Boyz (10, 10) damage 4 empowered\nB Sun Dragon (30, 30)").run_tasks(
        t.EndPhaseTask()
    )
    assert (table.disk("Orc Boyz").place, table.disk("Orc Boyz").damage) == ("battlefield", 0)


def test_discards_return_to_the_hand() -> None:
    """R4.3"""
    text = QUIET_POSITION + "A hand: Press On\nA discards: Feint, Double Time\nB discards: Hold Fast"
    table = scripted_position(text).run_tasks(t.EndPhaseTask())
    assert [(side.hand, side.card_count, side.discards) for side in table.board.sides] == [
        (("press-on", "feint", "double-time"), 3, ()),
        (("hold-fast",), 1, ()),
    ]


@pytest.mark.parametrize(("round_", "place"), [(1, "casualty"), (2, "reserve")])
def test_a_hero_still_in_reserve_at_the_end_of_round_1_is_a_casualty(round_: int, place: str) -> None:
    """R4.4, R-27: units may wait."""
    table = scripted_position(f"round {round_} of 5\n" + QUIET_POSITION + "A reserve: Tyrion, Big Boss").run_tasks(
        t.EndPhaseTask()
    )
    assert (table.disk("Tyrion").place, table.disk("Big Boss").place) == (place, "reserve")


def test_the_melee_phase_follows_when_the_cards_are_played() -> None:
    """R4.1: a whole round, with one card each."""
    table = (
        scripted_position("round 0 of 5\n" + QUIET_POSITION)
        .with_hand(0, "press-on")
        .with_hand(1, "press-on")
        .run_tasks(t.RoundTask(1))
    )
    for seat in (0, 1):
        table = table.answer(a.LockCard("press-on", SALT), seat=seat)
    table = table.answer(a.EndCard()).answer(a.EndCard())
    assert [event.phase for event in table.events_of_type(e.PhaseBegan)] == ["melee", "end", "activation"]
    assert [side.hand for side in table.board.sides] == [("press-on",), ("press-on",)]


# ---------------------------------------------------------------- scoring


def score_position(text: str) -> ScriptedPosition:
    """Round 5 is over."""
    return scripted_position("round 5 of 5\n" + text).run_tasks(t.RoundTask(6))


def test_reserves_go_to_the_casualties_before_scoring() -> None:
    """R4.11"""
    table = score_position(QUIET_POSITION + "A reserve: Big Boss\nB reserve: Maiden Guard")
    assert [len(event.disks) for event in table.events_of_type(e.ReservesLost)] == [2]
    assert {table.disk(name).place for name in ("Big Boss", "Maiden Guard")} == {"casualty"}
    kinds = table.event_names()
    assert kinds.index("ReservesLost") < kinds.index("Scored")


def test_points_are_the_cost_of_destroyed_units_and_five_for_a_hero() -> None:
    """R4.12, R20.2: Night Goblins cost 4, Maiden Guard 9."""
    table = score_position(QUIET_POSITION + "A casualties: Night Goblins x2\nB casualties: Maiden Guard, Tyrion")
    assert [event.points for event in table.events_of_type(e.Scored)] == [(14, 8)]
    assert scoring.result(table.board) == Result("victory_points", (0,), (14, 8), (Reason("R4.13"),))


def test_each_own_disk_wholly_in_an_enemy_zone_is_a_point() -> None:
    """R20.2: a micrometre over its border counts nothing; own zones and casualties count nothing either."""
    zones = "zone A (6, 0) to (30, 6) for 5\nzone B (6, 30) to (30, 36) for 5\n"
    table = score_position(
        zones + "A Orc Boyz (10, 33)\nA Big Boss (15, 30.875)\nA Black Orcs (20, 3)\nB Sun Dragon (30, 10)"
    )
    assert [event.points for event in table.events_of_type(e.Scored)] == [(2, 0)]
    over = zones + f"A Orc Boyz (10, {30 * 25400 + 22225 - 1}um)\nB Sun Dragon (30, 10)\nB Maiden Guard (10, 3)"
    assert [event.points for event in score_position(over).events_of_type(e.Scored)] == [(0, 1)]


@pytest.mark.parametrize("first", [0, 1])
def test_of_equal_points_the_earlier_in_initiative_order_wins(first: int) -> None:
    """R4.13"""
    order = "order A B\n" if first == 0 else "order B A\n"
    table = score_position(order + QUIET_POSITION + "A casualties: Night Goblins\nB casualties: Night Goblins")
    result = scoring.result(table.board)
    assert result == Result("initiative", (first,), (4, 4), (Reason("R4.13"),))


def test_an_eliminated_player_scores_nothing_and_cannot_win() -> None:
    """R4.7, R4.10, R18.5"""
    text = "out A\nB Sun Dragon (30, 30)\nC Orc Boyz (10, 10)\nB casualties: Tyrion\nC casualties: Night Goblins"
    table = score_position(text)
    assert [event.points for event in table.events_of_type(e.Scored)] == [(0, 4, 5)]
    result = scoring.result(table.board)
    assert result is not None
    assert result.winners == (2,)


def test_the_reserve_of_an_eliminated_player_is_not_touched_any_more() -> None:
    """R4.10"""
    text = "out A\nA reserve: Big Boss\nB Sun Dragon (30, 30)\nC Orc Boyz (10, 10)\nC reserve: Maiden Guard"
    table = score_position(text)
    assert [event.disks for event in table.events_of_type(e.ReservesLost)] == [(table.number("Maiden Guard"),)]


def test_the_game_goes_on_while_two_are_left_and_round_5_is_not_over() -> None:
    """R4.5"""
    table = scripted_position(QUIET_POSITION)
    assert scoring.result(table.board) is None
    assert scoring.result(replace(table.board, round=5, phase="end")) is None
