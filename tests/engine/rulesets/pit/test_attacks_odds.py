"""The chances of the pit: the exact fractions, and the same found by rolling a hundred thousand times.

A frequency is accepted within four standard deviations of its chance.
"""

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.rulesets.pit import combat, improvements, turns
from diskwars_engine.rulesets.pit.attacks import resolve_target
from diskwars_engine.rulesets.pit.resolution import Resolution
from diskwars_protocol.rulesets.pit import odds
from diskwars_protocol.rulesets.pit.actions import Attack
from diskwars_protocol.rulesets.pit.board import CombatState, PitBoard
from tests.engine.rulesets.pit.pit_positions import duel, fighter, lay_out
from tests.rows import each_row

TRIALS = 100_000
FEWER_TRIALS = TRIALS // 4
"""Of what rests on parts that are tried more often."""
ROWS: dict[str, tuple[Any, tuple[str, ...], str]] = {
    "sword": (("sword", {}, {}), ("5321/8000", "19/400", "57/400", "1159/8000"), "88521/160000"),
    "hammer": (("hammer", {}, {}), ("5569/8000", "0", "0", "2431/8000"), "80529/160000"),
    "spear": (("spear", {}, {}), ("4889/8000", "51/400", "51/400", "1071/8000"), "96849/160000"),
    "great sword": (
        ("great-sword", {"melee": 12}, {}),
        ("2661/8000", "19/80", "57/400", "2299/8000"),
        "139061/160000",
    ),
    "sword on a tower shield": (
        ("sword", {}, {"shield": "tower_shield"}),
        ("1489/2000", "7/200", "21/200", "231/2000"),
        "16989/40000",
    ),
    "dagger on no defence": (
        ("dagger", {}, {"defence": None}),
        ("13/20", "1/20", "3/20", "3/20"),
        "231/400",
    ),
}
"""Weapon, attacker and target; the chances of nothing, dazed, stunned, out; and of a dazed target to be out."""
STATUSES = ("ok", "dazed", "stunned", "incapacitated")


def without_cards(board: PitBoard) -> PitBoard:
    """Return a board whose deck has nothing for anybody."""
    return replace(board, deck=(), cards_left=())


def board_of(row: str, **target: str) -> PitBoard:
    (weapon, attacker, printed), _, _ = ROWS[row]
    board = without_cards(duel(weapon, target={**printed, **target}, **attacker))
    attack = Attack(1, board.profiles[0].weapons[0])
    return replace(board, combats=((0, 1),), combat=CombatState(0, (), 0, (attack,)))


@cache
def outcomes(row: str, status: str, trials: int) -> Counter[str]:
    """Roll one attack many times, and count what becomes of the target."""
    board, rng = board_of(row, status=status), random.Random(f"{row} {status}")
    assert board.combat is not None
    found: Counter[str] = Counter()
    for _ in range(trials):
        resolution = Resolution(board, QuickDice(rng, 2))
        resolve_target(resolution, 0, 1, board.combat.declared)
        found[resolution.fighter(1).status] += 1
    return found


def is_accepted(count: int, chance: Fraction, trials: int = TRIALS) -> bool:
    """Return whether a frequency is within four standard deviations of its chance."""
    return (Fraction(count, trials) - chance) ** 2 <= 16 * chance * (1 - chance) / trials


@pytest.mark.parametrize("row", ROWS)  # each with a time limit of its own
def test_one_attack_has_the_chances_of_the_table(row: str) -> None:
    """A-4 to A-6, A-16."""
    found = outcomes(row, "ok", TRIALS)
    for status, chance in zip(STATUSES, ROWS[row][1], strict=True):
        assert is_accepted(found[status], Fraction(chance)), (status, found[status], chance)


@pytest.mark.parametrize("row", ROWS)
def test_a_dazed_target_is_taken_out_with_the_chance_of_the_table(row: str) -> None:
    """A-2, A-16."""
    found = outcomes(row, "dazed", FEWER_TRIALS)["incapacitated"]
    assert is_accepted(found, Fraction(ROWS[row][2]), FEWER_TRIALS)


@each_row("row", ROWS)
def test_computed_chances_are_those_of_the_table(row: str) -> None:
    """A-16: what defaults and bots compute with."""
    for status, chance in (("ok", ROWS[row][1][3]), ("dazed", ROWS[row][2]), ("stunned", "1")):
        board = board_of(row, status=status)
        assert board.combat is not None
        found = odds.removal_chance(board, board.fighters[0], board.fighters[1], board.combat.declared)
        assert found == Fraction(chance)


def test_computed_unsaved_hits_are_those_of_the_closed_form() -> None:
    """A-5: a critical hit may leave two; 19/50 on average with a sword against Def 18."""
    board = board_of("sword")
    chances = odds.unsaved_hits(odds.blow(board, board.fighters[0], board.fighters[1], Attack(1, "sword")))
    assert sum(chances.values()) == 1
    assert sum(hits * chance for (_, hits), chance in chances.items()) == Fraction(19, 50)


def test_computed_chances_of_several_attacks_agree_with_the_dice() -> None:
    """A-16: two attacks against two wounds, one of whose hits is dropped at random."""
    board = without_cards(duel("sword", target={"wounds": 2}))
    attacks = (Attack(1, "sword"),) * 2
    board = replace(board, combats=((0, 1),), combat=CombatState(0, (), 0, attacks))
    chance, rng, count = odds.removal_chance(board, board.fighters[0], board.fighters[1], attacks), random.Random(5), 0
    for _ in range(FEWER_TRIALS):
        resolution = Resolution(board, QuickDice(rng, 2))
        resolve_target(resolution, 0, 1, attacks)
        count += resolution.fighter(1).status == "incapacitated"
    assert is_accepted(count, chance, FEWER_TRIALS)


@each_row(("mode", "twenty"), [(0, "1/20"), (1, "39/400"), (-1, "1/400")])
def test_natural_20_has_the_chance_of_the_closed_form(mode: int, twenty: str) -> None:
    """A-2, and with it the whole distribution: it adds up to 1."""
    assert odds.faces(mode)[20] == Fraction(twenty)
    assert sum(odds.faces(mode).values()) == 1


@pytest.mark.parametrize(("morale", "chance"), [(7, "7/10"), (10, "11/20")])
def test_rout_checks_are_passed_as_often_as_the_closed_form_says(morale: int, chance: str) -> None:
    """A-7."""
    board = lay_out(fighter(0, 1, 1, rank="leader", morale=morale), fighter(1, 9, 9))
    board = replace(board, seats=(replace(board.seats[0], losses=1), board.seats[1]))
    rng, passed, trials = random.Random(morale), 0, FEWER_TRIALS
    for _ in range(trials):
        resolution = Resolution(board, QuickDice(rng, 2))
        turns.check_rout(resolution, 0)
        passed += resolution.board.may_concede
    assert is_accepted(passed, Fraction(chance), trials)


@each_row(("figures", "cards"), [({"rank": "hero"}, 17), ({"rank": "leader", "defence": None}, 15)])
def test_hero_improves_by_its_cards_as_often_as_the_closed_form_says(figures: dict[str, Any], cards: int) -> None:
    """A-17: 4 cards raise a figure, and the others lower one with a d20 that is at most it."""
    board, trials = duel(**{"melee": 14, "defence": 17, "agility": 10, "morale": 10, **figures}), FEWER_TRIALS
    rng, improved = random.Random(cards), 0
    for _ in range(trials):
        resolution = Resolution(board, QuickDice(rng, 2))
        improvements.draw(resolution, 0, 1)
        improved += resolution.board.fighters[0] != board.fighters[0]
    rolled = 5 * Fraction(14, 20) + 6 * Fraction(10, 20) + (cards == 17) * 2 * Fraction(17, 20)
    assert is_accepted(improved, (4 + rolled) / cards, trials)


def test_equal_agility_is_even() -> None:
    """A-12."""
    board = replace(duel(), combats=((0, 1),))
    rng, first, trials = random.Random(12), 0, FEWER_TRIALS
    for _ in range(trials):
        resolution = Resolution(board, QuickDice(rng, 2))
        combat.begin(resolution, 0)
        assert resolution.board.combat is not None
        first += resolution.board.combat.waiting[0] == 0
    assert is_accepted(first, Fraction(1, 2), trials)
