"""The luck report compares rolls with their exact chances, by numbers that were worked out by hand."""

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from msgspec import Raw

from diskwars_client.replays import replay_file
from diskwars_protocol.match.actions import TakeBack
from diskwars_protocol.match.events import TakebackMade
from diskwars_protocol.match.history_facts import Roll, face_roll, success_roll, sum_test, threshold_rolls
from diskwars_protocol.match.luck import counted_rolls, luck_line, luck_report
from diskwars_protocol.match.replay import Replay
from diskwars_protocol.match.state import AnyBody, RecordBody
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.records.match_file import read_file
from diskwars_protocol.records.records import WireRecord
from diskwars_protocol.rulesets.close_quarters.events import Hit, KillsRolled, LeadershipTested, SavesRolled, ShotsFired
from diskwars_protocol.rulesets.diskwars.events import DangerRolled, RangedAttack, ShotFired, ShotScattered
from diskwars_protocol.rulesets.pit.events import Check, DefenceRolled, MeleeRolled
from diskwars_protocol.rulesets.regiments.events import AttackRoll, AttacksRolled, Needs, PursuitRolled
from diskwars_protocol.rulesets.registry import RULESETS
from tests.golden.write_files import FOLDER, SUFFIX
from tests.protocol.takebacks import reopened
from tests.rows import each_row

NAMES = sorted(
    path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}") if not path.name.startswith("counting")
)
NO_LUCK = {"AllocationRolled", "HitsDropped", "ImprovementDrawn"}
"""Events with dice that favour nobody: random picks, and the dice that decide who picks casualties."""


@cache
def replay_of(name: str) -> Replay:
    return replay_file((FOLDER / f"{name}{SUFFIX}").read_bytes())


def percentile(*rolls: Roll) -> Fraction:
    return luck_line(0, "test", rolls).percentile


# ---------------------------------------------------------------- sums and percentiles


def test_two_of_three_dice_that_need_a_five() -> None:
    """8 + 12 of 27 cases are worse, 6 are the same: (20 + 3) / 27."""
    rolls = [success_roll("hit", 0, 2, 6, passed) for passed in (True, False, True)]
    line = luck_line(0, "hit", rolls)
    assert (line.rolls, line.expected, line.rolled, line.percentile) == (3, Fraction(1), 2, Fraction(23, 27))


def test_seven_with_two_dice_is_the_middle() -> None:
    """15 of 36 cases are less, 6 are equal."""
    rolls = [face_roll("amount", 0, face, 6) for face in (3, 4)]
    assert luck_line(0, "amount", rolls).expected == 7
    assert percentile(*rolls) == Fraction(1, 2)
    assert percentile(face_roll("amount", 0, 6, 6)) == Fraction(11, 12)


def test_rolls_with_different_chances_add_up() -> None:
    """A die that needs 6 (1/6) and one that needs 4 (1/2): 5/12 none, 6/12 one, 1/12 both."""
    hard, easy = success_roll("a", 0, 1, 6, True), success_roll("a", 0, 3, 6, False)
    assert luck_line(0, "a", [hard, easy]).expected == Fraction(2, 3)
    assert percentile(hard, easy) == Fraction(5, 12) + Fraction(1, 2) * Fraction(6, 12)


def test_certain_and_impossible_rolls_change_nothing() -> None:
    coin = success_roll("a", 0, 1, 2, True)
    assert percentile(coin) == Fraction(3, 4)
    assert percentile(coin, success_roll("a", 0, 6, 6, True), success_roll("a", 0, 0, 6, False)) == Fraction(3, 4)


def test_sum_of_many_rolls_is_exact() -> None:
    """400 even coins: the middle has exactly a half below it, by symmetry."""
    assert percentile(*[success_roll("a", 0, 1, 2, place % 2 == 0) for place in range(400)]) == Fraction(1, 2)
    lucky = percentile(*[success_roll("a", 0, 1, 2, True)] * 400)
    assert lucky == 1 - Fraction(1, 2**401)


def test_distribution_agrees_with_counting_all_cases() -> None:
    rng = Random(5)
    for _ in range(50):
        weights = [(rng.randint(0, 3), rng.randint(0, 3), rng.randint(0, 3), 1) for _ in range(4)]
        rolls = [Roll("a", 0, each, rng.randint(0, 3)) for each in weights]
        sums = [0]
        for roll in rolls:
            values = [value for value, weight in enumerate(roll.weights) for _ in range(weight)]
            sums = [total + value for total in sums for value in values]
        rolled = sum(roll.rolled for roll in rolls)
        counted = Fraction(2 * sum(each < rolled for each in sums) + sums.count(rolled), 2 * len(sums))
        assert percentile(*rolls) == counted


def test_dice_that_need_at_most_a_face() -> None:
    assert [roll.weights for roll in threshold_rolls("a", 0, (1, 5), 6, at_most=4)] == [(2, 4), (2, 4)]
    assert [roll.rolled for roll in threshold_rolls("a", 0, (1, 5), 6, at_most=4)] == [1, 0]
    assert threshold_rolls("a", 0, (3,), 6, at_most=0)[0].weights == (6, 0)
    assert threshold_rolls("a", 0, (3,), 6, at_most=9)[0].weights == (0, 6)


def test_sum_of_two_dice_against_leadership() -> None:
    assert sum_test("a", 0, 2, 6, 7, True).weights == (15, 21)
    assert sum_test("a", 0, 1, 12, 8, True).weights == (4, 8)
    assert sum_test("a", 0, 2, 6, 1, False).weights == (36, 0)


# ---------------------------------------------------------------- what each ruleset declares


def draw(*results: int, size: int = 6) -> Draw:
    return Draw(2, 0, "number_dice", size, "test", results)


def board_of(name: str) -> Any:
    return replay_of(name).state(replay_of(name).last).board


def rolls_in(name: str, event: object) -> list[tuple[str, int, tuple[int, ...], int]]:
    board = board_of(name)
    rolls = replay_of(name).vocabulary.history_facts.rolls(board, event)
    return [(roll.kind, roll.seat, roll.weights, roll.rolled) for roll in rolls]


def test_ranged_attack_of_diskwars_counts_striking_faces() -> None:
    board = board_of("diskwars-points")
    own = next(disk.id for disk in board.disks if disk.seat == 1)
    enemies = [disk.id for disk in board.disks if disk.seat == 0]
    attack = RangedAttack(own, enemies[0], 0, 3, "physical", "short")
    shot = ShotFired(attack=attack, strength_dice=draw(4), dice=draw(1, 6, 5), needed=(5, 6), reasons=())
    assert rolls_in("diskwars-points", shot) == [
        ("ranged_attack", 1, (4, 2), 0),
        ("ranged_attack", 1, (4, 2), 1),
        ("ranged_attack", 1, (4, 2), 1),
        ("strength", 1, (0, 1, 1, 1, 1, 1, 1), 4),
    ]


def test_scatter_of_diskwars_is_luck_when_it_strikes_enemies_and_spares_own_disks() -> None:
    board = board_of("diskwars-points")
    own = [disk.id for disk in board.disks if disk.seat == 0]
    enemy = next(disk.id for disk in board.disks if disk.seat == 1)
    attack = RangedAttack(own[0], enemy, 0, 3, "physical", "short")
    assert rolls_in("diskwars-points", ShotScattered(attack, (), enemy, draw(6), (6,))) == [("scatter", 0, (5, 1), 1)]
    assert rolls_in("diskwars-points", ShotScattered(attack, (), own[1], draw(6), (6,))) == [("scatter", 0, (1, 5), 0)]
    assert rolls_in("diskwars-points", ShotScattered(attack, ())) == []


def test_dangerous_ground_of_diskwars_is_luck_when_it_deals_little() -> None:
    disk = next(disk.id for disk in board_of("diskwars-points").disks if disk.seat == 1)
    event = DangerRolled(disk, 0, 2, "physical", draw(2), ())
    assert rolls_in("diskwars-points", event) == [("danger_spared", 1, (1, 1, 1, 1, 1, 1), 4)]


def test_checks_of_the_pit_know_advantage_and_natural_faces() -> None:
    """A-1, A-2: needed 11: 10 of 20 faces pass; of 400 pairs 300 under Advantage and 100 under Disadvantage."""
    board = board_of("pit-counted")
    fighter = next(fighter.id for fighter in board.fighters if fighter.seat == 0)
    target = next(fighter.id for fighter in board.fighters if fighter.seat == 1)

    def melee(*checks: Check) -> list[tuple[str, int, tuple[int, ...], int]]:
        return rolls_in("pit-counted", MeleeRolled(fighter, target, (), draw(size=20), checks, ()))

    assert melee(Check((12,), 12, 11, True)) == [("melee", 0, (10, 10), 1)]
    assert melee(Check((12, 3), 12, 11, True), Check((9, 9), 9, 11, False)) == [
        ("melee", 0, (100, 300), 1),
        ("melee", 0, (100, 300), 0),
    ]
    assert melee(Check((12, 3), 3, 11, False)) == [("melee", 0, (300, 100), 0)]
    assert melee(Check((20,), 20, 40, True)) == [("melee", 0, (19, 1), 1)]
    assert melee(Check((1,), 1, 2, False, 9)) == [("melee", 0, (1, 19), 0)]
    # two dice in defence are a Disadvantage.
    defence = DefenceRolled(fighter, target, (0,), (), draw(size=20), (Check((7, 7), 7, 11, False),))
    assert rolls_in("pit-counted", defence) == [("defence", 1, (300, 100), 0)]


def test_leadership_and_kills_of_close_quarters() -> None:
    """B-3, B-2: two dice, one at most 4: all but 2 · 2 of 36. Two dice, both at most 3: 9 of 36; at most 0: none."""
    board = board_of("close-quarters-counted")
    unit = next(unit.id for unit in board.units if unit.seat == 1)
    model = next(model.id for model in board.models if board.units[model.unit].seat == 0)
    tested = LeadershipTested(unit, 4, True, draw(5, 2), ())
    assert rolls_in("close-quarters-counted", tested) == [("leadership", 1, (4, 32), 1)]
    killed = KillsRolled(unit, (Hit(model, 3, 0),), 2, (0,), (), draw(3, 1))
    assert rolls_in("close-quarters-counted", killed) == [("kill", 0, (27, 9), 1)]
    spared = KillsRolled(unit, (Hit(model, 0, 0),), 2, (), (), draw(3, 1))
    assert rolls_in("close-quarters-counted", spared) == [("kill", 0, (36, 0), 0)]
    saved = SavesRolled(unit, (Hit(model, 3, 0),) * 2, (4, 2), (1,), (), draw(4, 3))
    assert rolls_in("close-quarters-counted", saved) == [("save", 1, (2, 4), 1), ("save", 1, (4, 2), 0)]


def test_attacks_and_pursuits_of_regiments() -> None:
    """C-6 to C-8, C-15: with equal movement, of 36 pairs the pursuer's die is at least the other's in 21."""
    board = board_of("regiments-counted")
    unit = next(unit.id for unit in board.units if unit.seat == 0)
    target = next(unit.id for unit in board.units if unit.seat == 1)
    needs = (Needs(target, 4, 5, 2),)
    attack = AttackRoll(0, target, 0, 4, 6, 3, True)
    struck = AttacksRolled(0, 3, unit, 3, needs, (attack, AttackRoll(1, target, 0, 2)), (target,), ())
    assert rolls_in("regiments-counted", struck) == [
        ("hit", 0, (3, 3), 1),
        ("wound", 0, (4, 2), 1),
        ("save", 1, (4, 2), 0),
        ("hit", 0, (3, 3), 0),
    ]
    pursued = PursuitRolled(unit, target, 4 + 3, 4 + 5, False, (), draw(3, 5))
    assert rolls_in("regiments-counted", pursued) == [("pursuit", 0, (15, 21), 0)]
    faster = PursuitRolled(unit, target, 6 + 3, 4 + 5, True, (), draw(3, 5))
    assert rolls_in("regiments-counted", faster) == [("pursuit", 0, (6, 30), 1)]


@each_row("name", NAMES)
def test_every_die_of_a_match_is_a_roll_and_what_came_was_possible(name: str) -> None:
    replay = replay_of(name)
    rolls_of = RULESETS[replay.state(1).ruleset].history_facts.rolls
    board = None
    for seq in range(1, replay.last + 1):
        after = replay.state(seq).board
        for event in replay.body(seq).events:
            rolls = list(rolls_of(board or after, event))
            assert all(roll.weights[roll.rolled] > 0 for roll in rolls), event
            assert bool(rolls) == has_dice(event) or type(event).__name__ in NO_LUCK, event
        board = after


def has_dice(event: object) -> bool:
    fields = [getattr(event, name) for name in getattr(event, "__struct_fields__", ())]
    draws = [each for field in fields for each in (field if isinstance(field, tuple) else (field,))]
    return any(isinstance(each, Draw) and each.kind in ("number_dice", "symbol_dice") for each in draws)


def test_hits_and_saves_that_are_counted_are_those_of_the_events() -> None:
    replay = replay_of("close-quarters-counted")
    events = [event for seq in range(1, replay.last + 1) for event in replay.body(seq).events]
    lines = luck_report(replay)
    hits = sum(volley.hits for event in events if isinstance(event, ShotsFired) for volley in event.volleys)
    assert hits == sum(line.rolled for line in lines if line.kind == "shooting") > 0
    saved = sum(
        len(event.hits) - len(event.failed) for event in events if isinstance(event, SavesRolled) and event.dice
    )
    assert saved == sum(line.rolled for line in lines if line.kind == "save") > 0


def test_first_line_of_a_seat_covers_all_tests() -> None:
    lines = [line for line in luck_report(replay_of("regiments-counted")) if line.seat == 0]
    assert [line.kind for line in lines] == [None, "hit", "leadership", "pursuit", "save", "speed", "wound"]
    tests = [line for line in lines[1:] if line.kind != "speed"]
    assert lines[0].rolls == sum(line.rolls for line in tests)
    assert lines[0].expected == sum(line.expected for line in tests)


def test_rolls_that_were_taken_back_do_not_count() -> None:
    file = read_file((FOLDER / f"regiments-counted{SUFFIX}").read_bytes())
    replay, vocabulary = replay_of("regiments-counted"), RULESETS["regiments"]
    rolled = [seq for seq in range(1, 25) if len(counted_rolls(Replay(vocabulary, file.records[:seq])))]
    first, taken = rolled[0], 20
    back = replay.state(first)
    body: AnyBody = RecordBody(
        at_ms=replay.state(taken).at_ms,
        seat=0,
        action=TakeBack(first),
        events=(TakebackMade(0),),
        decisions=reopened(back.decisions, taken + 1),
        taken_back_to=first,
    )
    record = WireRecord(taken + 1, "00" * 16, Raw(encode_canonical(body)))
    after = Replay(vocabulary, [*file.records[:taken], record])
    assert counted_rolls(after) == counted_rolls(Replay(vocabulary, file.records[:first]))
    assert len(counted_rolls(Replay(vocabulary, file.records[:taken]))) > len(counted_rolls(after)) > 0
    assert after.state(taken + 1).board == back.board
