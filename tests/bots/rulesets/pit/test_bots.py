"""The bots of the pit: the greedy one answers by exact chances, and beats the random one."""

import random
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from diskwars_bots.rulesets.pit.bots import BOTS
from diskwars_bots.rulesets.pit.greedy_bot import choose_greedy, corner_places
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.rulesets.pit.actions import (
    Attack,
    Concede,
    DeclareAttacks,
    EndPhase,
    Engage,
    Move,
    PitLoadout,
    PitSettings,
)
from diskwars_protocol.rulesets.pit.board import CombatState, PitBoard
from tests.engine.rulesets.pit.pit_positions import PIT, fighter, lay_out


class Seen(Struct):
    """All that a bot reads of a match."""

    board: PitBoard


def chosen(board: PitBoard) -> Any:
    """Return what the greedy bot answers to the open question."""
    ((seat, question),) = PIT.questions(board)
    match: Any = Seen(board)
    decision: Any = Decision(DecisionId("1.0"), seat, question)
    return choose_greedy(match, decision, PIT.options(board, seat, question), random.Random(1))


def test_greedy_bot_engages_an_enemy_that_cannot_strike_back() -> None:
    board = lay_out(fighter(0, 0, 0), fighter(1, 5, 0, status="dazed"), phase="engage")
    assert isinstance(chosen(board), Engage)


def test_greedy_bot_keeps_a_weak_leader_away_from_two_strong_enemies() -> None:
    strong = {"attacks": 3, "melee": 5, "injury": 5, "agility": 5}
    board = lay_out(
        fighter(0, 0, 0, rank="leader", melee=20, defence=None),
        fighter(1, 5, 0, "great-hammer", **strong),
        fighter(1, 5, 1, "great-hammer", **strong),
        phase="engage",
    )
    assert chosen(board) == EndPhase()


def test_greedy_bot_strikes_the_leader_rather_than_an_equal_henchman() -> None:
    board = lay_out(
        fighter(0, 4, 4),
        fighter(1, 5, 4),
        fighter(1, 4, 5, rank="leader"),
        combats=((0, 1, 2),),
        combat=CombatState(0, (), 0),
    )
    assert chosen(board) == DeclareAttacks((Attack(2, "dagger"),))


def test_greedy_bot_divides_its_attacks_among_stunned_enemies() -> None:
    """A-16: one attack takes each of them out, and further ones on it are lost."""
    board = lay_out(
        fighter(0, 4, 4, attacks=2),
        fighter(1, 5, 4, status="stunned"),
        fighter(1, 4, 5, status="stunned"),
        combats=((0, 1, 2),),
        combat=CombatState(0, (), 0),
    )
    answer = chosen(board)
    assert isinstance(answer, DeclareAttacks)
    assert {attack.target for attack in answer.attacks} == {1, 2}


def test_greedy_bot_waits_in_a_corner_with_its_leader_innermost() -> None:
    board = lay_out(
        fighter(0, 1, 1, rank="leader"), fighter(0, 1, 5), fighter(1, 11, 9), phase="move", round=1, is_first_turn=True
    )
    assert corner_places(board, 0)[0] == (0, 0)
    answer = chosen(board)
    assert isinstance(answer, Move)
    assert (answer.x, answer.y) == corner_places(board, 0)[answer.fighter]
    later = replace(board, round=9)
    answer = chosen(later)
    assert isinstance(answer, Move)
    assert answer.x > later.fighters[answer.fighter].x


def test_greedy_bot_does_not_concede() -> None:
    board = lay_out(fighter(0, 1, 1), fighter(1, 9, 9), phase="upkeep", may_concede=True)
    assert chosen(board) == Concede(False)


@pytest.mark.parametrize("greedy_seat", [0, 1])
def test_greedy_bot_wins_most_matches_against_the_random_one(greedy_seat: int) -> None:
    wins = 0
    for seed in range(10):
        local = seeded_match(load_ruleset("pit", ()), seed, [PitLoadout()] * 2, PitSettings())
        names = ["greedy" if seat == greedy_seat else "random" for seat in range(2)]
        for _ in play_bots(local, seed, names):
            pass
        wins += local.match.result is not None and local.match.result.winners == (greedy_seat,)
    assert wins >= 6
    assert set(BOTS) == {"random", "mild", "greedy", "search"}
