"""The chances of regiments: the exact fractions, and the same found by rolling a hundred thousand times.

A frequency is accepted within four standard deviations of its chance.
"""

import random
from fractions import Fraction
from itertools import product

import pytest

from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.rulesets.regiments import attacks, flight, melee, morale
from diskwars_engine.rulesets.regiments.resolution import Resolution
from diskwars_protocol.rulesets.regiments import events, formation, odds
from diskwars_protocol.rulesets.regiments.actions import BreakDie
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard
from diskwars_protocol.rulesets.regiments.checks import needs_of
from diskwars_protocol.rulesets.regiments.events import Needs
from tests.engine.rulesets.regiments.regiments_positions import face_off, found, lay_out, only, unit

TRIALS = 100_000
AT_ONCE = 10
"""Attacks that one unit makes together: independent, because each model strikes another."""
KINDS = ("foot", "horse", "stout", "bones", "ghouls", "wrapped")
BONES = ("1/6 5/18", "1/8 2/9", "2/27 5/36", "5/24 1/3", "1/6 1/4", "5/72 1/6")
WOUNDS: dict[str, tuple[str, ...]] = {
    "foot": ("1/6 5/18", "1/8 2/9", "1/9 5/24", "5/18 4/9", "2/9 1/3", "5/54 2/9"),
    "horse": ("5/18 5/12", "2/9 25/72", "5/24 1/3", "4/9 5/9", "1/3 4/9", "2/9 1/3"),
    "stout": ("2/9 10/27", "1/6 8/27", "1/9 5/24", "5/18 4/9", "2/9 1/3", "5/54 2/9"),
    "bones": BONES,
    "ghouls": BONES,
    "wrapped": ("5/18 5/12", "2/9 25/72", "5/24 1/3", "4/9 5/9", "1/3 4/9", "1/6 1/4"),
}
"""By attacker: for each of `KINDS` the chance of a wound, normal and on the charge."""
WEAK_HACKS, STRONG_HACKS = ("1/3", "1/4", "2/9", "5/12", "1/3", "5/36"), ("5/9", "4/9", "5/12", "2/3", "1/2", "1/3")
HACKS = {kind: STRONG_HACKS if kind in ("horse", "wrapped") else WEAK_HACKS for kind in KINDS}
BREAKS: dict[BreakDie, tuple[str, ...]] = {
    "d12": ("1/6", "1/4", "1/3", "5/12", "1/2", "7/12", "2/3", "3/4", "5/6"),
    "2d6": ("1/36", "1/12", "1/6", "5/18", "5/12", "7/12", "13/18", "5/6", "11/12"),
}
"""For leadership less difference from 2 to 10."""


def is_accepted(count: int, chance: Fraction, trials: int) -> bool:
    """Return whether a frequency is within four standard deviations of its chance."""
    return (Fraction(count, trials) - chance) ** 2 <= 16 * chance * (1 - chance) / trials


def duel(attacker: str, defender: str, charged: bool) -> RegimentsBoard:
    """Return a board on which ten models of each kind touch one another, with one attack each."""
    return face_off(
        unit(attacker, 0, 0, 0, "east", models=AT_ONCE, files=AT_ONCE, attacks=1, has_charged=charged),
        unit(defender, 1, 0, 0, "west", models=AT_ONCE, files=AT_ONCE),
    )


def rolled_wounds(needs: Needs, attacker: str, defender: str, charged: bool) -> int:
    """Roll attacks of a unit, or hacks, and count their wounds."""
    board, wounds = duel(attacker, defender, charged), 0
    rng = random.Random(f"{needs} {attacker} {defender}")
    one = board.units[0]
    strikers = attacks.living_strikers(one, formation.targets_by_model(formation.all_touches(board), 0))
    for _ in range(TRIALS // AT_ONCE):
        rolled = attacks.UnitAttacks(Resolution(board, QuickDice(rng, 2)), one, charged, needs.hit is None, "attack")
        rolled.strike(strikers)
        assert rolled.needs == {1: needs}
        wounds += sum(attack.wounded for attack in rolled.attacks)
    return wounds


ROLLED: dict[Needs, int] = {}
"""By what attacks need: wounds counted. Many pairs of units need the same, which is rolled once."""


def wounds_of(needs: Needs, attacker: str, defender: str, charged: bool) -> int:
    if needs not in ROLLED:
        ROLLED[needs] = rolled_wounds(needs, attacker, defender, charged)
    return ROLLED[needs]


# Not one test: `./dev mutants` leaves out what takes more than two seconds.
@pytest.mark.parametrize("charged", [False, True])
@pytest.mark.parametrize(("attacker", "defender"), list(product(KINDS, KINDS)))
def test_attacks_wound_as_often_as_the_closed_form_says(attacker: str, defender: str, charged: bool) -> None:
    """C-1, C-6 to C-8."""
    board, cell = duel(attacker, defender, charged), WOUNDS[attacker][KINDS.index(defender)]
    chance, (one, other) = Fraction(cell.split()[charged]), board.units
    assert odds.attack_chance(board, one, other, charged) == chance
    needs = needs_of(board, one, other, charged)
    assert is_accepted(wounds_of(needs, attacker, defender, charged), chance, TRIALS)


@pytest.mark.parametrize(("attacker", "defender"), list(product(KINDS, KINDS)))
def test_hacks_wound_as_often_as_the_closed_form_says(attacker: str, defender: str) -> None:
    """C-14: they hit by themselves, and a charge makes them no stronger."""
    board, chance = duel(attacker, defender, charged=True), Fraction(HACKS[attacker][KINDS.index(defender)])
    one, other = board.units
    assert odds.hack_chance(board, one, other) == chance
    needs = needs_of(board, one, other, is_charging=False, is_hack=True)
    assert is_accepted(wounds_of(needs, attacker, defender, False), chance, TRIALS)


@pytest.mark.parametrize("die", ["d12", "2d6"])
def test_break_tests_are_passed_as_often_as_the_closed_form_says(die: BreakDie) -> None:
    """C-12: of one series of rolls, for leadership less difference from 2 to 10."""
    board = face_off(unit("foot", 0, 0, 0, "east"), unit("foot", 1, 0, 0, "west"), settings={"break_die": die})
    rng, rolls = random.Random(die), []
    for _ in range(TRIALS):
        resolution = Resolution(board, QuickDice(rng, 2))
        passed = melee.stands(resolution, board.units[0], 0)
        rolls.append(sum(only(resolution, events.BreakTested).dice.results))
        assert passed == (rolls[-1] <= 7)
    for left, cell in enumerate(BREAKS[die], 2):
        assert odds.pass_chance(left, die) == Fraction(cell)
        assert is_accepted(sum(roll <= left for roll in rolls), Fraction(cell), TRIALS)


def test_break_chances_end_at_nothing_and_certainty() -> None:
    """C-12: a difference above leadership is always too much."""
    assert [odds.pass_chance(left, "d12") for left in (-3, 0, 12, 13)] == [0, 0, 1, 1]
    assert [odds.pass_chance(left, "2d6") for left in (1, 12)] == [0, 1]


@pytest.mark.parametrize(("ahead", "chance"), [(0, "7/12"), (1, "13/18"), (-1, "5/12")])
def test_pursuers_catch_as_often_as_the_closed_form_says(
    ahead: int, chance: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-15. What follows of it takes longer than the rolls, and other tests play it."""
    monkeypatch.setattr(attacks, "hack_in_passing", lambda *hacked: None)
    monkeypatch.setattr(flight, "_advance", lambda *advanced: None)
    assert odds.catch_chance(4 + ahead, 4) == Fraction(chance)
    board = lay_out(
        unit("foot", 0, 1, 1, "east", movement=4 + ahead), unit("foot", 1, 8, 1, "east", status="fleeing", models=1)
    )
    rng, caught = random.Random(ahead), 0
    for _ in range(TRIALS):
        resolution = Resolution(board, QuickDice(rng, 2))
        flight.pursue(resolution, 0, [1])
        caught += only(resolution, events.PursuitRolled).caught
    assert is_accepted(caught, Fraction(chance), TRIALS)


@pytest.mark.parametrize(("leadership", "chance"), [(5, "5/12"), (7, "7/12"), (9, "3/4")])
def test_leadership_tests_are_made_with_a_d12(leadership: int, chance: str) -> None:
    """C-16: a rally test, whatever the break tests are made with."""
    board = lay_out(
        unit("foot", 0, 1, 1, "west", leadership=leadership, status="fleeing"),
        unit("foot", 1, 8, 1, "west"),
        settings={"break_die": "2d6"},
    )
    rng, passed, trials = random.Random(leadership), 0, TRIALS // 4
    for _ in range(trials):
        resolution = Resolution(board, QuickDice(rng, 2))
        morale.check_fleeing(resolution)
        passed += only(resolution, events.RallyTested).passed
    assert is_accepted(passed, Fraction(chance), trials)


def test_each_of_several_targets_is_struck_equally_often() -> None:
    """C-4: one model touches three."""
    board = face_off(unit("foot", 0, 0, 0, "east", models=1, files=1), unit("foot", 1, 0, 0, "west", models=3, files=3))
    touches, rng, counts, trials = formation.all_touches(board), random.Random(3), [0, 0, 0], TRIALS // 4
    for _ in range(trials):
        (attack,) = attacks.roll_attacks(Resolution(board, QuickDice(rng, 2)), 0, board.units[0], touches)
        counts[attack.target_model] += 1
    assert all(is_accepted(count, Fraction(1, 3), trials) for count in counts)


def test_front_to_front_fights_go_as_often_as_the_source_found() -> None:
    """C-3 to C-12 together: Foot against Bones, to the first break; 83 % of 5,000 fights, two points to either side."""
    rng, won, trials = random.Random(83), 0, 1500
    for _ in range(trials):
        won += first_to_break(rng) == 1
    assert abs(Fraction(won, trials) - Fraction(83, 100)) < Fraction(4, 100)


def first_to_break(rng: random.Random) -> int:
    """Return the unit that breaks first, or is destroyed."""
    board = face_off(unit("foot", 0, 0, 0, "east"), unit("bones", 1, 0, 0, "west"))
    while True:
        resolution = Resolution(board, QuickDice(rng, 2))
        melee.fight(resolution)
        gone = [test.unit for test in found(resolution, events.BreakTested) if not test.passed]
        gone += [event.unit for event in found(resolution, events.UnitDestroyed)]
        if gone:
            return gone[0]
        board = resolution.board
