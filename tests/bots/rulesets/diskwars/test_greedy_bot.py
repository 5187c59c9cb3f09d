"""The greedy bot values damage by what the target's keywords leave of it."""

import random

import pytest

from diskwars_bots.rulesets.diskwars.greedy_bot import choose_greedy
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId, MatchId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.match.state import Match
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import DiskwarsMatch
from tests.engine.rulesets.diskwars.positions import ScriptedPosition, scripted_position


def choose(table: ScriptedPosition) -> a.Action:
    ((seat, question),) = table.open_questions
    match: DiskwarsMatch = Match(
        MatchId("table"), "diskwars", None, (), "0" * 64, "0" * 64, MatchOptions(), board=table.board
    )
    return choose_greedy(match, Decision(DecisionId("2.0"), seat, question), table.options(), random.Random(1))


@pytest.mark.parametrize("covered", ["East", "West"])
def test_a_shot_is_aimed_at_the_enemy_that_does_not_halve_it(covered: str) -> None:
    """R13.3.1, R-75"""
    table = scripted_position(
        "A Archer (10, 10)\nB East (14, 10)\nB West (6, 10)\n"
        "disk Archer: M0, shot 3 dice strength 4 physical to long\n"
        "disk East: small T9, cost 9\ndisk West: small T9, cost 9\n".replace(
            f"{covered}: small T9, cost 9", f"{covered}: small T9, cost 9, Resistant (ranged)"
        )
    ).with_card_turn(0)
    action = choose(table)
    assert isinstance(action, a.Shoot)
    assert table.name(action.target) == ({"East", "West"} - {covered}).pop()


@pytest.mark.parametrize("covered", ["East", "West"])
def test_a_move_ends_on_the_enemy_that_takes_the_impact(covered: str) -> None:
    """R13.3.2, R-75"""
    table = scripted_position(
        "A Rider (10, 10)\nB East (11.75, 10)\nB West (8.25, 10)\n"
        "disk Rider: small M1 S0, Impact 6\ndisk East: small T9, cost 9\ndisk West: small T9, cost 9\n".replace(
            f"{covered}: small T9, cost 9", f"{covered}: small T9, cost 9, Immune (impact)"
        )
    ).with_card_turn(0)
    action = choose(table)
    assert isinstance(action, a.MoveDisk)
    assert table.answer(action).pins == {f"Rider>{({'East', 'West'} - {covered}).pop()}"}


def test_a_move_toward_an_enemy_goes_on_over_own_disks() -> None:
    """R-76: one action in the place of one for each own disk on the way."""
    text = (
        "A Rider (10, 10)\nA Friend (11.75, 10)\nB Foe (15.25, 10)\ndisk Rider: small M3 S5\ndisk Foe: small T5, cost 9"
    )
    table = scripted_position(f"{text}\ndisk Friend: small").with_card_turn(0)
    action = choose(table)
    assert isinstance(action, a.MoveDisk)
    assert table.answer(action).pins == {"Rider>Foe"}
