"""The bots of regiments: the greedy one answers by expected values, and beats the random one."""

import random
from typing import Any

import pytest
from msgspec import Struct

from diskwars_bots.rulesets.regiments.bots import BOTS
from diskwars_bots.rulesets.regiments.greedy_bot import choose_greedy
from diskwars_bots.rulesets.regiments.random_bot import choose_random
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.rulesets.regiments import position
from diskwars_protocol.rulesets.regiments.actions import (
    Charge,
    Fight,
    Hold,
    March,
    Reform,
    RegimentsLoadout,
    RegimentsSettings,
    Retreat,
)
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard
from tests.engine.rulesets.regiments.regiments_positions import REGIMENTS, face_off, lay_out, unit


class Seen(Struct):
    """All that a bot reads of a match."""

    board: RegimentsBoard


def chosen(board: RegimentsBoard, seed: int = 1, choose: Any = choose_greedy) -> Any:
    """Return what a bot answers to the open question."""
    ((seat, question),) = REGIMENTS.questions(board)
    match: Any = Seen(board)
    decision: Any = Decision(DecisionId("1.0"), seat, question)
    return choose(match, decision, REGIMENTS.options(board, seat, question), random.Random(seed))


def test_greedy_bot_charges_the_weaker_enemy_rather_than_the_stronger() -> None:
    board = lay_out(
        unit("horse", 0, 3, 4, "east"),
        unit("wrapped", 1, 6, 5, "west", models=6, files=3),
        unit("bones", 1, 6, 3, "west"),
    )
    assert chosen(board) == Charge(2)


def test_greedy_bot_charges_the_rear_of_what_it_avoids_in_front() -> None:
    strong: dict[str, Any] = {"weapon_skill": 10, "toughness": 7, "armour": 5, "attacks": 4, "initiative": 10}
    front = lay_out(unit("foot", 0, 3, 4, "east", models=8), unit("foot", 1, 5, 4, "west", **strong))
    assert not isinstance(chosen(front), Charge)
    rear = lay_out(unit("foot", 0, 3, 4, "east", models=8), unit("foot", 1, 5, 4, "east", leadership=3, **strong))
    assert chosen(rear) == Charge(1)


def test_greedy_bot_marches_towards_an_enemy_out_of_reach() -> None:
    board = lay_out(unit("foot", 0, 1, 1, "east"), unit("foot", 1, 8, 1, "west"))
    assert chosen(board) == March(("forward", "forward"))


def test_greedy_bot_turns_to_face_an_enemy_that_could_take_its_flank() -> None:
    board = lay_out(unit("foot", 0, 4, 2, "east", movement=2), unit("horse", 1, 4, 7, "south"))
    action = chosen(board)
    assert isinstance(action, March)
    assert position.after_step((4, 2, "east"), action.path[-1])[2] == "north"


def test_greedy_bot_retreats_only_from_a_hopeless_fight() -> None:
    """A unit of Ld 1 that deals nothing breaks anyway; a retreat saves it from the blows of the round."""
    even = face_off(unit("foot", 0, 0, 0, "east"), unit("foot", 1, 0, 0, "west"))
    assert chosen(even) == Fight()
    doomed = face_off(
        unit("foot", 0, 0, 0, "east", models=10, leadership=1, strength=1, armour=0, initiative=1),
        unit("foot", 1, 0, 0, "west", toughness=7, weapon_skill=10, initiative=5, has_charged=True),
    )
    assert chosen(doomed) == Retreat()


def test_random_bot_gives_every_kind_of_order() -> None:
    board = lay_out(unit("foot", 0, 3, 4, "east"), unit("foot", 1, 6, 4, "west"))
    orders = [chosen(board, seed, choose_random) for seed in range(100)]
    assert {type(order) for order in orders} == {Hold, March, Reform, Charge}
    assert len({order.path for order in orders if isinstance(order, March)}) > 5


@pytest.mark.parametrize("greedy_seat", [0, 1])
def test_greedy_bot_wins_most_matches_against_the_random_one(greedy_seat: int) -> None:
    wins = 0
    for seed in range(10):
        local = seeded_match(load_ruleset("regiments", ()), seed, [RegimentsLoadout()] * 2, RegimentsSettings())
        names = ["greedy" if seat == greedy_seat else "random" for seat in range(2)]
        for _ in play_bots(local, seed, names):
            pass
        wins += local.match.result is not None and local.match.result.winners == (greedy_seat,)
    assert wins >= 7
    assert set(BOTS) == {"random", "mild", "greedy", "search"}
