"""The chances of close quarters: the exact fractions, and the same found by rolling a hundred thousand times.

A frequency is accepted within four standard deviations of its chance.
"""

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from msgspec.structs import replace

from diskwars_content.rulesets.close_quarters import core_content
from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.rulesets.close_quarters import casualties, combat
from diskwars_engine.rulesets.close_quarters.resolution import Resolution
from diskwars_protocol.rulesets.close_quarters import checks, odds, position
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from diskwars_protocol.rulesets.close_quarters.stats import MeleeWeapon, UnitProfile
from tests.engine.rulesets.close_quarters.close_quarters_positions import column, find, hits, in_cycle, lay_out, squad

TRIALS = 100_000
FEWER_TRIALS = TRIALS // 4
"""Of what takes a whole fight, or rests on parts that are tried more often."""
DICE = 12
"""Of one model: as many trials in one fight."""
PROFILES: dict[str, UnitProfile] = {profile.id: profile for profile in core_content().profiles}
BLADES: dict[str, MeleeWeapon] = {weapon.id: weapon for weapon in core_content().melee_weapons}


def is_accepted(found: int, chance: Fraction, trials: int) -> bool:
    """Return whether a count is within four standard deviations: compared as squares, without roots."""
    return (found - trials * chance) ** 2 <= 16 * trials * chance * (1 - chance)


# ---------------------------------------------------------------- exact chances


@pytest.mark.parametrize(
    ("strength", "chances"),
    [
        (3, ("1/2", "1/4", "1/8")),
        (4, ("2/3", "4/9", "8/27")),
        (5, ("5/6", "25/36", "125/216")),
        (0, ("0", "0", "0")),
        (-1, ("0", "0", "0")),
        (7, ("1", "1", "1")),
    ],
)
def test_chance_to_kill_is_the_closed_form(strength: int, chances: tuple[str, ...]) -> None:
    """B-2."""
    found = tuple(odds.kill_chance(strength, toughness) for toughness in (1, 2, 3))
    assert found == tuple(map(Fraction, chances))
    assert odds.kill_chance(0, 0) == 1


LEADERSHIP = {
    (2, 4, True): ("1", "8/9", "3/4", "5/9", "11/36", "0"),
    (3, 3, True): ("1", "7/8", "19/27", "91/216", "0", "0"),
    (2, 3, True): ("1", "3/4", "5/9", "11/36", "0", "0"),
    (2, 4, False): ("1", "2/3", "1/2", "1/3", "1/6", "0"),
}
"""By Ld, Nv and whether the leader lives: the chances to pass with 0 to 5 markers."""


def suppressed(leadership: int, nerve: int, has_leader: bool, markers: int) -> CloseQuartersBoard:
    return lay_out(squad(0, (0, 0), leadership=leadership, nerve=nerve, has_leader=has_leader, markers=markers))


@pytest.mark.parametrize(("card", "chances"), LEADERSHIP.items(), ids=str)
def test_chance_to_pass_leadership_is_the_closed_form(card: tuple[int, int, bool], chances: tuple[str, ...]) -> None:
    """B-3."""
    for markers, chance in enumerate(chances):
        assert odds.leadership_chance(suppressed(*card, markers), 0) == Fraction(chance)
        assert odds.leadership_chance(suppressed(*card, 0), 0, markers) == Fraction(chance)


def duel(attacker: str, weapon: str, defender: str) -> tuple[UnitProfile, MeleeWeapon, UnitProfile]:
    return PROFILES[attacker], BLADES[weapon], PROFILES[defender]


MELEE = {
    ("raiders", "blade", "guards"): "1/18",
    ("raiders", "chief-blade", "guards"): "25/72",
    ("guards", "bayonet", "raiders"): "1/18",
    ("guards", "sergeant-sword", "raiders"): "2/9",
    ("brute", "club", "brute"): "2/27",
}
"""Expected casualties of each die."""


def melee_per_die(attacker: str, weapon: str, defender: str) -> Fraction:
    own, blade, other = duel(attacker, weapon, defender)
    return odds.casualties_per_die(
        checks.comparative(own.weapon_skill + blade.weapon_skill, other.weapon_skill),
        checks.save_needed(other, blade.armour_piercing),
        own.strength + blade.strength,
        other.toughness,
    )


@pytest.mark.parametrize(("fight", "expected"), MELEE.items(), ids=str)
def test_casualties_of_a_die_in_melee_are_the_closed_form(fight: tuple[str, str, str], expected: str) -> None:
    """B-1, B-2, B-10, B-12."""
    assert melee_per_die(*fight) == Fraction(expected)


@pytest.mark.parametrize(
    ("attacker", "defender", "expected"), [("raiders", "guards", "1/24"), ("guards", "raiders", "8/27")]
)
def test_casualties_of_a_die_of_fire_are_the_closed_form(attacker: str, defender: str, expected: str) -> None:
    """B-8, B-8a: one die of a pistol, and of a carbine at half its rate."""
    board = squads(attacker, defender)
    assert odds.shot_casualties(board, 0, 1) == Fraction(expected)


def squads(attacker: str, defender: str) -> CloseQuartersBoard:
    """Return six models of each, all in contact with another, two columns beside each other."""
    content = core_content()
    board = lay_out(squad(0, *column(1000, 300, 6)), squad(1, *column(1100, 300, 6)))
    return replace(
        board,
        profiles=(PROFILES[attacker], PROFILES[defender]),
        melee_weapons=content.melee_weapons,
        ranged_weapons=content.ranged_weapons,
    )


def test_six_raiders_and_six_guards_expect_what_the_closed_form_says() -> None:
    """B-10: 35/36 and 13/18 casualties; six carbines 16/9."""
    for attacker, defender, expected in (("raiders", "guards", "35/36"), ("guards", "raiders", "13/18")):
        board = squads(attacker, defender)
        total = sum(
            (
                odds.melee_casualties(board, model, checks.melee_weapons(board, model)[0], enemies)
                for model, enemies in position.strikers(board, 0)
            ),
            Fraction(0),
        )
        assert total == Fraction(expected)
    assert 6 * odds.shot_casualties(squads("guards", "raiders"), 0, 1) == Fraction(16, 9)


# ---------------------------------------------------------------- the same by rolling


@pytest.mark.parametrize(("own", "opposing"), [(4, 3), (3, 4), (3, 3), (7, 2), (1, 6)])
def test_comparative_test_succeeds_as_often_as_the_closed_form_says(own: int, opposing: int) -> None:
    """B-1: t of 6."""
    rng, needed, fights = random.Random(f"{own} {opposing}"), checks.comparative(own, opposing), TRIALS // DICE
    board = lay_out(
        squad(0, (1000, 800), arms=("many",), weapon_skill=own), squad(1, (1100, 800), weapon_skill=opposing)
    )
    board = in_cycle(board, step="melee")
    found = 0
    for _ in range(fights):
        resolution = Resolution(board, QuickDice(rng, 2))
        combat.fight(resolution, 0)
        found += resolution.events[0].assaults[0].hits
    assert is_accepted(found, Fraction(needed, 6), fights * DICE)


@pytest.mark.parametrize(("strength", "toughness"), [(3, 1), (3, 2), (4, 2), (5, 3)])
def test_failed_saves_kill_as_often_as_the_closed_form_says(strength: int, toughness: int) -> None:
    """B-2."""
    board = lay_out(squad(0, (0, 0)), squad(1, *column(1000, 100, 8), armour=0, toughness=toughness))
    board = in_cycle(board, source=0)
    assert board.combat is not None
    board = replace(board, combat=replace(board.combat, pending=(hits(1, DICE, range(1, 9), strength=strength),)))
    rng, found, rounds = random.Random(f"{strength} {toughness}"), 0, TRIALS // DICE
    for _ in range(rounds):
        resolution = Resolution(board, QuickDice(rng, 2))
        casualties.carry_on(resolution)
        found += len(find(resolution.events, "kills_rolled").killing)
    assert is_accepted(found, odds.kill_chance(strength, toughness), rounds * DICE)


def rolled(board: CloseQuartersBoard, trials: int, seed: str, is_found: Callable[[Resolution], bool]) -> int:
    """Return how often something is found after a leadership test of unit 0."""
    rng, found = random.Random(seed), 0
    for _ in range(trials):
        resolution = Resolution(board, QuickDice(rng, 2))
        combat.roll_leadership(resolution, 0, "B-16")
        found += is_found(resolution)
    return found


@pytest.mark.parametrize(
    ("card", "markers", "trials"),
    [
        ((2, 4, True), 2, TRIALS),
        ((3, 3, True), 2, FEWER_TRIALS),
        ((3, 3, True), 3, FEWER_TRIALS),
        ((2, 3, True), 1, FEWER_TRIALS),
        ((2, 4, False), 4, FEWER_TRIALS),
    ],
)
def test_leadership_is_passed_as_often_as_the_closed_form_says(
    card: tuple[int, int, bool], markers: int, trials: int
) -> None:
    """B-3."""
    found = rolled(
        suppressed(*card, markers), trials, f"{card} {markers}", lambda resolution: resolution.events[0].passed
    )
    assert is_accepted(found, Fraction(LEADERSHIP[card][markers]), trials)


def test_allocation_shows_sixes_as_often_as_the_closed_form_says() -> None:
    """B-14."""
    board = in_cycle(lay_out(squad(0, (0, 0)), squad(1, *column(1000, 100, 3), armour=0, toughness=0)), source=0)
    assert board.combat is not None
    board = replace(board, combat=replace(board.combat, pending=(hits(1, 1, [1, 2, 3]),)))
    rng, found = random.Random(14), Counter[int]()
    for _ in range(FEWER_TRIALS):
        resolution = Resolution(board, QuickDice(rng, 2))
        casualties.carry_on(resolution)
        found[find(resolution.events, "allocation_rolled").sixes] += 1
    for sixes, chance in enumerate(("25/36", "10/36", "1/36")):
        assert is_accepted(found[sixes], Fraction(chance), FEWER_TRIALS)


def test_six_raiders_suppress_six_guards_as_often_as_the_closed_form_says() -> None:
    """B-5, B-10, B-12: at least one failed save in 431089 of 531441 fights."""
    board = in_cycle(squads("raiders", "guards"), step="melee")
    rng, found, trials = random.Random(6), 0, FEWER_TRIALS
    for _ in range(trials):
        resolution = Resolution(board, QuickDice(rng, 2))
        combat.fight(resolution, 0)
        if resolution.combat.pending:
            casualties.carry_on(resolution)
        found += any(event.__struct_config__.tag == "kills_rolled" for event in resolution.events)
    assert is_accepted(found, Fraction(431089, 531441), trials)


def test_six_carbines_suppress_raiders_as_often_as_the_closed_form_says() -> None:
    """B-8, B-8a, B-5: 1 - (5/9)^6."""
    board = squads("guards", "raiders")
    board = replace(board, models=tuple(replace(model, x=model.x + 200 * model.unit) for model in board.models))
    board = in_cycle(board)
    shots = [(model, 1) for model in position.models_of(board, 0)]
    rng, found, trials = random.Random(8), 0, FEWER_TRIALS
    for _ in range(trials):
        resolution = Resolution(board, QuickDice(rng, 2))
        combat.fire(resolution, 0, shots)
        if resolution.combat.pending:
            casualties.carry_on(resolution)
        found += any(event.__struct_config__.tag == "kills_rolled" for event in resolution.events)
    assert is_accepted(found, 1 - Fraction(5, 9) ** 6, trials)
