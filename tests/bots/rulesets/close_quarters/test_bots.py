"""The bots of close quarters: the greedy one answers by exact chances, and beats the random one."""

import random
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from diskwars_bots.rulesets.close_quarters.bots import BOTS
from diskwars_bots.rulesets.close_quarters.greedy_bot import choose_greedy
from diskwars_bots.rulesets.close_quarters.plain_bot import exchange
from diskwars_bots.rulesets.close_quarters.random_bot import choose_random
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.rulesets.close_quarters import plans
from diskwars_protocol.rulesets.close_quarters.actions import (
    Advance,
    ChooseUnit,
    ChooseWeapon,
    CloseQuartersLoadout,
    CloseQuartersSettings,
    ConsolidateBy,
    Double,
    FireAt,
    ModelShot,
    PickCasualties,
    Shoot,
    SplitHits,
)
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from tests.engine.rulesets.close_quarters.close_quarters_positions import (
    CLOSE_QUARTERS,
    at_the_end,
    column,
    decide,
    go_on,
    in_cycle,
    lay_out,
    squad,
)


class Seen(Struct):
    """All that a bot reads of a match."""

    board: CloseQuartersBoard


def chosen(board: CloseQuartersBoard, choose: Any = choose_greedy, seed: int = 1) -> Any:
    """Return what a bot answers to the open question."""
    ((seat, question),) = CLOSE_QUARTERS.questions(board)
    match: Any = Seen(board)
    decision: Any = Decision(DecisionId("1.0"), seat, question)
    return choose(match, decision, CLOSE_QUARTERS.options(board, seat, question), random.Random(seed))


def test_greedy_bot_doubles_towards_an_enemy_far_away() -> None:
    board = go_on(lay_out(squad(0, (100, 800)), squad(1, (2300, 800)))).board
    assert isinstance(chosen(board), Double)


def test_greedy_bot_advances_on_an_enemy_that_cannot_hurt_it() -> None:
    board = go_on(lay_out(squad(0, (100, 800), armour=6), squad(1, (1100, 800), armour=0, strength=0))).board
    assert isinstance(chosen(board), Advance)


def test_greedy_bot_goes_half_way_only_where_its_straggler_need_not_catch_up() -> None:
    """The straggler could reach the command radius with a whole advance, and with half of one it could not."""
    board = go_on(lay_out(squad(0, (800, 800), (200, 800), armour=0), squad(1, (2300, 800)))).board
    for seed in range(8):
        decide(board, chosen(board, choose_greedy, seed))
    advance = plans.advance_distance(board, 0)
    for way in (advance, advance // 2):
        moves = plans.approach(board, 0, advance, way)
        assert plans.find_fault(board, 0, moves, advance, keeps_away=True) is None


def test_greedy_bot_stays_out_of_strong_defensive_fire() -> None:
    enemies = squad(1, *column(900, 200, 8), gun="repeater", ballistic_skill=6, armour=6)
    board = go_on(lay_out(squad(0, (100, 600), armour=0, toughness=0), enemies)).board
    action = chosen(board)
    assert not getattr(action, "moves", ())
    assert go_on(decide(board, action)).board.combat is None


def test_greedy_bot_fires_where_it_kills_most() -> None:
    board = lay_out(
        squad(0, (1000, 800), gun="carbine"), squad(1, (1300, 800), armour=6), squad(1, (1400, 900), armour=0)
    )
    assert chosen(in_cycle(board)) == Shoot((ModelShot(0, 2),))
    targets = lay_out(
        squad(0, (1000, 600), armour=6, has_acted=True),
        squad(0, (1000, 1000), armour=0, has_acted=True),
        squad(1, (1300, 800), gun="carbine"),
    )
    assert chosen(go_on(targets).board) == FireAt(1)


def test_greedy_bot_engages_where_it_strikes_better_and_breaks_off_where_it_does_not() -> None:
    strong = lay_out(
        squad(0, (1000, 800), armour=6, arms=("two-blades",)), squad(1, (1250, 800), armour=0, gun="long-gun")
    )
    assert chosen(in_cycle(strong, step="consolidate")) == ConsolidateBy("engage")
    weak = lay_out(squad(0, (1000, 800), armour=0, strength=0), squad(1, (1100, 800), arms=("two-blades",)))
    assert chosen(in_cycle(weak, step="consolidate")) == ConsolidateBy("break_off")


def test_greedy_bot_chooses_the_weapon_and_the_unit_that_strike_best() -> None:
    board = lay_out(
        squad(0, (1000, 500)),
        squad(0, (1000, 800), arms=("blade", "two-blades")),
        squad(1, (1100, 800), armour=0),
        squad(1, (1400, 500)),
    )
    assert chosen(go_on(at_the_end(board, attacker=1)).board) == ChooseUnit(1)
    assert chosen(in_cycle(board, 1, step="melee")) == ChooseWeapon("two-blades")


def test_greedy_bot_picks_an_enemy_leader_and_spares_its_own() -> None:
    ring = [(1100, 800), (1000, 900), (900, 800)]
    board = in_cycle(lay_out(squad(0, (1000, 800)), squad(1, *ring, armour=0, toughness=0)), step="melee")
    assert chosen(go_on(board, [1, 6, 6]).board) == PickCasualties((1,))
    assert chosen(go_on(board, [1, 1, 1]).board) != PickCasualties((1,))


def test_greedy_bot_spreads_hits_on_the_unit_with_the_better_armour() -> None:
    board = lay_out(squad(0, (1000, 800)), squad(1, (1100, 800), armour=1), squad(1, (900, 800), armour=5))
    assert chosen(go_on(in_cycle(board, step="melee"), [1]).board) == SplitHits((2,))


@pytest.mark.parametrize("greedy_seat", [0, 1])
def test_greedy_bot_wins_most_matches_against_the_random_one(greedy_seat: int) -> None:
    wins = 0
    for seed in range(1, 11):
        loadouts = [CloseQuartersLoadout()] * 2
        local = seeded_match(load_ruleset("close_quarters", ()), seed, loadouts, CloseQuartersSettings())
        for _ in play_bots(local, seed, ["greedy" if seat == greedy_seat else "random" for seat in range(2)]):
            pass
        wins += local.match.result is not None and local.match.result.winners == (greedy_seat,)
    assert wins >= 6
    assert set(BOTS) == {"random", "mild", "greedy", "search"}


def test_random_bot_answers_every_kind_of_question_in_more_than_one_way() -> None:
    board = go_on(lay_out(squad(0, (1000, 300), (1000, 500)), squad(1, (2000, 800)))).board
    answers = {repr(chosen(board, choose_random, seed)) for seed in range(30)}
    assert len(answers) > 5
    assert {answer.partition("(")[0] for answer in answers} == {"Hold", "Advance", "Double"}


def test_greedy_bot_counts_the_units_that_markers_make_fall_back() -> None:
    """B-16: the same hits are worth more against a unit that is near to breaking."""
    board = lay_out(squad(0, (1000, 800), gun="carbine"), squad(1, (1300, 800), (1300, 950), armour=0))
    units = tuple(replace(unit, markers=3 * unit.side) for unit in board.units)
    fresh, shaken = in_cycle(board), in_cycle(replace(board, units=units))
    assert exchange(shaken, 0) > exchange(fresh, 0) > 0
    assert exchange(shaken, 1) < exchange(fresh, 1) < exchange(fresh, 0)
