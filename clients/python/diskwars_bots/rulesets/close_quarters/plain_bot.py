"""Plain play of close quarters, which never changes: the answers of the opponents of one idea, but for their idea.

It computes with exact chances, and looks at the next exchange of blows only.
"""

import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.close_quarters import checks, odds, plans, position
from diskwars_protocol.rulesets.close_quarters.actions import (
    Action,
    ActionQuestion,
    Advance,
    AllocateQuestion,
    CasualtiesQuestion,
    ChooseUnit,
    ChooseWeapon,
    Consolidate,
    ConsolidateBy,
    ConsolidateQuestion,
    DefensiveFireQuestion,
    Double,
    FireAt,
    Hold,
    ModelMove,
    ModelShot,
    PickCasualties,
    Question,
    Shoot,
    ShootQuestion,
    SplitHits,
    SplitQuestion,
    UnitId,
    WeaponQuestion,
)
from diskwars_protocol.rulesets.close_quarters.board import HITS_PER_MARKER, CloseQuartersBoard, Model
from diskwars_protocol.rulesets.close_quarters.options import CloseQuartersOptions

REPLY = 0.8
"""The weight of the blows of the enemy, who strikes later."""
FALLS_BACK = 0.6
"""The part of a unit that is worth its falling back: it is out of the phase, and may be caught."""
MOST_FAILS = 0.95
"""The highest chance that one attack fails a save: several hits of one die count as if they were one."""
FIRST_FIRE = 0.5
"""The worth of defensive fire: an enemy that is not attacked will attack, and meets our fire before it does."""
NEARER = 1 / 20000
"""The worth of a hundredth of an inch towards the enemy while nobody is in reach."""


def choose_plain(match: Any, decision: Decision[Question], options: CloseQuartersOptions, rng: random.Random) -> Action:
    """Choose the best answer by exact chances; equal ones at random."""
    board: CloseQuartersBoard | None = match.board
    if board is None:
        return options.actions[0]
    match decision.question:
        case ActionQuestion(unit=unit):
            return _best_action(board, unit, rng)
        case ConsolidateQuestion(unit=unit):
            return _best_consolidation(board, unit, options, rng)
        case DefensiveFireQuestion(unit=unit):
            targets = [action.target for action in options.actions if isinstance(action, FireAt)]
            return FireAt(max(targets, key=lambda target: defensive_casualties(board, unit, target)))
        case ShootQuestion(unit=unit):
            return Shoot(tuple(best_shots(board, unit)))
        case WeaponQuestion(model=model):
            return ChooseWeapon(odds.best_weapon(board, board.models[model]).id)
        case SplitQuestion() | AllocateQuestion() | CasualtiesQuestion():
            return _best_picks(board, decision.question, options)
        case _:
            units = [action.unit for action in options.actions if isinstance(action, ChooseUnit)]
            return ChooseUnit(max(units, key=lambda unit: (blows(board, unit), rng.random())))


# ---------------------------------------------------------------- fire


def best_shots(board: CloseQuartersBoard, unit: UnitId) -> list[ModelShot]:
    """Return the fire of all models that may, each at the unit of which it kills most."""
    return [
        ModelShot(model.id, max(units, key=lambda target: (odds.shot_casualties(board, unit, target), -target)))
        for model, units in position.shooting_targets(board, unit)
    ]


def defensive_casualties(board: CloseQuartersBoard, unit: UnitId, target: UnitId) -> Fraction:
    """Return the expected casualties of defensive fire, at most the models of the target."""
    firers = len(position.defensive_firers(board, unit, target))
    return min(Fraction(len(position.models_of(board, target))), firers * odds.shot_casualties(board, unit, target))


# ---------------------------------------------------------------- movement


def moved(board: CloseQuartersBoard, moves: Iterable[ModelMove]) -> CloseQuartersBoard:
    """Return the board with some models at other points."""
    ends = {move.model: move for move in moves}
    models = tuple(
        replace(model, x=ends[model.id].x, y=ends[model.id].y) if model.id in ends else model for model in board.models
    )
    return replace(board, models=models)


def blows(board: CloseQuartersBoard, unit: UnitId) -> Fraction:
    """Return the expected casualties of one unit's shooting and melee as the models are now."""
    shots = sum(
        (
            max(odds.shot_casualties(board, unit, target) for target in targets)
            for _, targets in position.shooting_targets(board, unit)
        ),
        Fraction(0),
    )
    return shots + sum(
        (_melee(board, model, touched) for model, touched in position.strikers(board, unit)), Fraction(0)
    )


def _melee(board: CloseQuartersBoard, model: Model, touched: Sequence[Model]) -> Fraction:
    return max(odds.melee_casualties(board, model, weapon, touched) for weapon in checks.melee_weapons(board, model))


def exchange(board: CloseQuartersBoard, side: int) -> float:
    """Return what a side takes from its enemies more than it loses in a cycle each, in models."""
    return sum(
        _attack_worth(board, attacker) * (1 if attacker == side else -REPLY)
        for attacker in position.living_sides(board)
    )


class _Attack:
    """What one side does to one unit in a cycle: casualties, hits, and markers for failed saves."""

    def __init__(self) -> None:
        self.casualties, self.hits, self.markers = 0.0, 0.0, 0.0


def _attack_worth(board: CloseQuartersBoard, side: int) -> float:
    """Return the casualties of all units of a side, and the models that fall back because of its hits (B-16)."""
    attacks: dict[UnitId, _Attack] = {}
    for unit in position.fielded(board):
        if unit.side == side and not unit.has_fallen_back:
            _add_attack(board, unit.id, attacks)
    total = 0.0
    for target, attack in attacks.items():
        models = len(position.models_of(board, target))
        casualties = min(attack.casualties, float(models))
        total += casualties + FALLS_BACK * _break_chance(board, target, attack) * (models - casualties)
    return total


def _add_attack(board: CloseQuartersBoard, unit: UnitId, attacks: dict[UnitId, _Attack]) -> None:
    """Add the shooting and melee of one unit; its first failed save against a unit makes a marker (B-5)."""
    saved: dict[UnitId, float] = {}
    for _, targets in position.shooting_targets(board, unit):
        target = max(targets, key=lambda one: odds.shot_casualties(board, unit, one))
        weapon = board.ranged_weapon(board.units[unit])
        assert weapon is not None  # only models that can fire have targets
        aimed = board.profile(board.units[target])
        hits = checks.snap_dice(weapon) * checks.shot_needed(board.profile(board.units[unit]), aimed) / checks.SIDES
        fails = 1 - checks.save_needed(aimed, weapon.armour_piercing) / checks.SIDES
        _add_blow(attacks, saved, target, (float(odds.shot_casualties(board, unit, target)), hits, fails))
    for model, touched in position.strikers(board, unit):
        weapons = checks.melee_weapons(board, model)
        best = max(weapons, key=lambda one: odds.melee_casualties(board, model, one, touched))
        hits = best.attacks * checks.melee_needed(board, model, best, touched) / checks.SIDES / len(touched)
        for enemy in touched:
            aimed = board.profile(board.units[enemy.unit])
            fails = 1 - checks.save_needed(aimed, best.armour_piercing) / checks.SIDES
            killed = float(odds.melee_casualties(board, model, best, [enemy])) / len(touched)
            _add_blow(attacks, saved, enemy.unit, (killed, hits, fails))
    for target, chance in saved.items():
        attacks[target].markers += 1 - chance


def _add_blow(
    attacks: dict[UnitId, _Attack], saved: dict[UnitId, float], target: UnitId, blow: tuple[float, float, float]
) -> None:
    """Add casualties, hits and the chance of a failed save of each hit; `saved` are chances that none has failed."""
    casualties, hits, fails = blow
    attack = attacks.setdefault(target, _Attack())
    attack.casualties += casualties
    attack.hits += hits
    saved[target] = saved.get(target, 1.0) * (1 - min(MOST_FAILS, hits * fails))


def _break_chance(board: CloseQuartersBoard, target: UnitId, attack: _Attack) -> float:
    """Return the chance that a unit fails its leadership test with the markers that it gains on average (B-3, B-4)."""
    gained = attack.markers + (board.units[target].hit_counter + attack.hits) / HITS_PER_MARKER
    whole = int(gained)
    lower, upper = (float(odds.leadership_chance(board, target, whole + more)) for more in (0, 1))
    return 1 - lower + (gained - whole) * (lower - upper)


def _best_action(board: CloseQuartersBoard, unit: UnitId, rng: random.Random) -> Action:
    """Return the action after which the exchange is best; while nobody is in reach, the one that leads nearer."""
    advance, double = plans.advance_distance(board, unit), plans.double_distance(board, unit)
    answers: list[tuple[Action, tuple[ModelMove, ...]]] = [(Hold(), ())]
    for way in (advance, advance // 2):
        moves = plans.approach(board, unit, advance, way)
        answers.append((Advance(moves), moves))
    # a unit that doubles gives no defensive fire: only while that leaves it out of reach
    moves = plans.approach(board, unit, double)
    if plans.may_double(board) and not position.near_enemies(moved(board, moves)):
        answers.append((Double(moves), moves))
    return max(answers, key=lambda answer: (worth(board, unit, answer[1]), rng.random()))[0]


def worth(board: CloseQuartersBoard, unit: UnitId, moves: Sequence[ModelMove]) -> float:
    """Return what a way is worth: the exchange after it, less the fire that it draws, and a little for being near."""
    there = moved(board, moves)
    leader = position.reference(there, unit)
    enemy = position.nearest(leader, position.enemies(there, board.units[unit].side))
    assert enemy is not None  # otherwise the match is over
    # consolidation follows: contact that it can reach counts like contact
    after = moved(there, plans.manoeuvre_moves(there, unit, "engage"))
    side = board.units[unit].side
    gain = max(exchange(there, side), exchange(after, side)) - FIRST_FIRE * _defensive_fire(there, unit)
    return gain - NEARER * (abs(leader.x - enemy.x) + abs(leader.y - enemy.y))


def _defensive_fire(board: CloseQuartersBoard, unit: UnitId) -> Fraction:
    """Return the expected casualties of a unit by defensive fire, if its place opens a combat."""
    near = position.near_enemies(board)
    if unit not in near:
        return Fraction(0)
    total = Fraction(0)
    for enemy in position.fielded(board):
        if enemy.side == board.units[unit].side or enemy.is_doubled or enemy.has_fallen_back:
            continue
        inches = position.COMBAT_RANGE if enemy.id in near else board.profile(enemy).awareness_inches
        firers = position.in_range_of(board, position.models_of(board, unit), enemy.id, inches)
        chance = odds.leadership_chance(board, enemy.id)
        total += chance * len(firers) * odds.shot_casualties(board, enemy.id, unit)
    return min(total, Fraction(len(position.models_of(board, unit))))


def _best_consolidation(
    board: CloseQuartersBoard, unit: UnitId, options: CloseQuartersOptions, rng: random.Random
) -> Action:
    """Return the manoeuvre after which the exchange is best."""
    side = board.units[unit].side
    scored = []
    for action in options.actions:
        if isinstance(action, ConsolidateBy):
            after = moved(board, plans.manoeuvre_moves(board, unit, action.manoeuvre))
            scored.append((exchange(after, side), rng.random(), action))
    if not scored:
        return Consolidate(())
    return max(scored, key=lambda entry: entry[:2])[2]


# ---------------------------------------------------------------- picks


def _best_picks(
    board: CloseQuartersBoard,
    question: SplitQuestion | AllocateQuestion | CasualtiesQuestion,
    options: CloseQuartersOptions,
) -> Action:
    """Return the models that are worth most of an enemy's, or least of one's own."""
    limits = options.parametric[0]
    if isinstance(question, AllocateQuestion):
        if limits.leader is not None:
            return PickCasualties((limits.leader,))
        best = sorted(limits.models, key=lambda id: -_value(board, board.models[id]))
        return PickCasualties(tuple(best[: limits.most]))
    if isinstance(question, SplitQuestion):
        # hits go where the save is best
        armour = sorted(limits.models, key=lambda id: -board.profile(board.units[board.models[id].unit]).armour)
        return SplitHits(tuple(armour[: limits.most]))
    worst = sorted(limits.models, key=lambda id: _value(board, board.models[id]))
    return PickCasualties(tuple(worst[: limits.most]))


def _value(board: CloseQuartersBoard, model: Model) -> Fraction:
    """Return what a model is worth: a leader most, then one that strikes well where it is."""
    touched = position.touched(board, model)
    blows = _melee(board, model, touched) if touched else odds.shot_casualties(board, model.unit, model.unit)
    return blows + (2 if model.is_leader else 0)
