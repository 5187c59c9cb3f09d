"""The greedy bot of close quarters: goes where the combats of this turn and the enemy's next turn end best for it.

It forecasts combats with exact chances (`forecast`); what it thinks worth how much is in `weights`. Units that fire
well keep free of enemies, the others go for those that fire well: a model that is touched cannot fire.
"""

import random
from collections.abc import Iterable, Iterator
from math import isqrt
from typing import Any

from msgspec.structs import replace

from diskwars_bots.rulesets.close_quarters import plain_bot, task_play
from diskwars_bots.rulesets.close_quarters.forecast import CombatForecast, gap_of, moved
from diskwars_bots.rulesets.close_quarters.weights import NEARER
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.close_quarters import odds, plans, position
from diskwars_protocol.rulesets.close_quarters.actions import (
    Action,
    ActionQuestion,
    ActivateQuestion,
    Advance,
    ChooseUnit,
    Consolidate,
    ConsolidateBy,
    ConsolidateQuestion,
    DefensiveFireQuestion,
    Double,
    FireAt,
    Hold,
    ModelMove,
    ModelShot,
    Question,
    Shoot,
    ShootQuestion,
    UnitId,
)
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model
from diskwars_protocol.rulesets.close_quarters.options import CloseQuartersOptions

Way = tuple[Action, tuple[ModelMove, ...]]
STOP_SHORT = 2 * position.INCH + 2
"""How far from the centre of an enemy a way towards it ends: no model may end within an inch of one (B-25)."""


def choose_greedy(
    match: Any, decision: Decision[Question], options: CloseQuartersOptions, rng: random.Random
) -> Action:
    """Choose the best answer by exact chances; equal ones at random."""
    board: CloseQuartersBoard | None = match.board
    if board is None:
        return options.actions[0]
    match decision.question:
        case ActionQuestion(unit=unit):
            weighed = [(value, rng.random(), way) for value, way in weigh_ways(board, unit)]
            return max(weighed, key=lambda entry: entry[:2])[2]
        case ConsolidateQuestion(unit=unit):
            if board.phase == "winner_consolidation":
                return chase(board, unit)
            manoeuvres = [(value, rng.random(), by) for value, by in weigh_manoeuvres(board, unit, options)]
            return max(manoeuvres, key=lambda entry: entry[:2])[2] if manoeuvres else Consolidate(())
        case DefensiveFireQuestion(unit=unit):
            targets = [action.target for action in options.actions if isinstance(action, FireAt)]
            return max(weigh_fire(board, unit, targets), key=lambda pair: pair[0])[1]
        case ShootQuestion(unit=unit):
            return best_shots(board, unit)
        case ActivateQuestion():
            return _first_to_act(board, options, rng)
        case _:
            return plain_bot.choose_plain(match, decision, options, rng)


def _first_to_act(board: CloseQuartersBoard, options: CloseQuartersOptions, rng: random.Random) -> Action:
    """Return a unit that goes into contact before those that fire: where these are safe depends on it."""
    forecast = CombatForecast()
    units = [action.unit for action in options.actions if isinstance(action, ChooseUnit)]
    return ChooseUnit(min(units, key=lambda unit: (forecast.stands_off(board, unit), rng.random())))


# ---------------------------------------------------------------- the action phase


def weigh_ways(board: CloseQuartersBoard, unit: UnitId) -> list[tuple[float, Action]]:
    """Return what each way of a unit is worth: what its side has after the combats that follow.

    Units of the side that have still to act go where that is best with it, in a few ways.
    """
    forecast, side = CombatForecast(), board.units[unit].side
    others = [
        other.id for other in position.fielded(board) if other.side == side and not other.has_acted and other.id != unit
    ]
    weighed: list[tuple[float, Action]] = []
    for action, moves in ways(board, unit):
        there = after_action(board, unit, action, moves)
        replies = [there, *(reply for other in others[:1] for reply in _simple_ways(there, other))]
        weighed.append((max(forecast.after_turn(reply, side) for reply in replies), action))
    if board.task is not None:
        return [
            (value + task_play.task_worth(moved(board, getattr(action, "moves", ())), side), action)
            for value, action in weighed
        ]
    return weighed


def after_action(
    board: CloseQuartersBoard, unit: UnitId, action: Action, moves: tuple[ModelMove, ...]
) -> CloseQuartersBoard:
    """Return the board after a unit has acted."""
    units = tuple(
        replace(other, is_doubled=isinstance(action, Double)) if other.id == unit else other for other in board.units
    )
    return replace(moved(board, moves), units=units)


def _simple_ways(board: CloseQuartersBoard, unit: UnitId) -> Iterator[CloseQuartersBoard]:
    """Yield the board after a unit went for the nearest enemy, at a walk and at the double."""
    for measure, action in ((plans.advance_distance, Advance(())), (plans.double_distance, Double(()))):
        if isinstance(action, Double) and not plans.may_double(board):
            continue
        moves = plans.approach(board, unit, measure(board, unit))
        yield after_action(board, unit, action, moves)


def ways(board: CloseQuartersBoard, unit: UnitId) -> Iterator[Way]:
    """Yield what a unit may do: towards each enemy unit as far as it gets or half as far, at the double, and back."""
    advance, double = plans.advance_distance(board, unit), plans.double_distance(board, unit)
    leader, seen = position.reference(board, unit), {tuple[ModelMove, ...]()}
    walks = ((advance, advance), (advance, advance // 2))
    runs = ((double, double),) if plans.may_double(board) else ()
    yield Hold(), ()
    for enemy in position.fielded(board):
        if enemy.side == board.units[unit].side:
            continue
        aim = position.nearest(leader, position.models_of(board, enemy.id))
        assert aim is not None  # the unit is on the table
        delta = (aim.x - leader.x, aim.y - leader.y)
        gap = max(0, isqrt(position.squared_distance(leader, aim)) - STOP_SHORT)
        for distance, way in (*walks, *runs):
            moves = plans.march(board, unit, delta, distance, min(way, gap))
            if moves not in seen:
                seen.add(moves)
                yield (Double(moves) if distance == double else Advance(moves)), moves
    goal = task_play.way_to_zone(board, unit)
    for distance, _ in (walks[0], *runs) if goal is not None else ():
        assert goal is not None
        moves = plans.march(board, unit, goal, distance, min(distance, isqrt(goal[0] ** 2 + goal[1] ** 2)))
        if moves not in seen:
            seen.add(moves)
            yield (Double(moves) if distance == double else Advance(moves)), moves
    aim = position.nearest(leader, position.enemies(board, board.units[unit].side))
    moves = () if aim is None else plans.march(board, unit, (leader.x - aim.x, leader.y - aim.y), advance)
    if moves not in seen:
        yield Advance(moves), moves


# ---------------------------------------------------------------- consolidation


def weigh_manoeuvres(
    board: CloseQuartersBoard, unit: UnitId, options: CloseQuartersOptions
) -> list[tuple[float, ConsolidateBy]]:
    """Return what each manoeuvre of a unit is worth: what its side has after the rest of the combat."""
    forecast, side = CombatForecast(), board.units[unit].side
    attacker = _next_attacker(board)
    return [
        (
            forecast.combat(
                there := moved(board, plans.manoeuvre_moves(board, unit, action.manoeuvre)),
                side,
                attacker,
                initial=False,
            )
            - NEARER * gap_of(there, side),
            action,
        )
        for action in options.actions
        if isinstance(action, ConsolidateBy)
    ]


def chase(board: CloseQuartersBoard, unit: UnitId) -> Action:
    """Return the consolidation of a winner that catches most models that fell back; to hold if it catches none more.

    Every model within 6 inches is caught (B-19), and no manoeuvre goes for units that are out of the combat.
    """
    side, distance = board.units[unit].side, plans.consolidation_distance(board, unit)
    leader = position.reference(board, unit)
    fled = [model for model in position.enemies(board, side) if board.units[model.unit].has_fallen_back]
    best, most = tuple[ModelMove, ...](), _caught(board, unit, fled)
    for model in fled:
        moves = plans.march(board, unit, (model.x - leader.x, model.y - leader.y), distance)
        caught = _caught(moved(board, moves), unit, fled)
        if caught > most:
            best, most = moves, caught
    return Consolidate(best) if best else ConsolidateBy("hold")


def _caught(board: CloseQuartersBoard, unit: UnitId, fled: list[Model]) -> int:
    own = position.models_of(board, unit)
    return sum(any(position.is_within(model, winner, position.COMBAT_RANGE) for winner in own) for model in fled)


def _next_attacker(board: CloseQuartersBoard) -> int:
    """Return the side that strikes next: the attacker before the first cycle, and afterwards its enemy."""
    assert board.combat is not None  # somebody consolidates
    if board.phase == "initial_consolidation":
        return board.combat.attacker
    return (board.combat.attacker + 1) % len(board.sides)


# ---------------------------------------------------------------- fire


def weigh_fire(board: CloseQuartersBoard, unit: UnitId, targets: Iterable[UnitId]) -> list[tuple[float, FireAt]]:
    """Return what defensive fire at each target is worth: what its side has after the combat (B-7)."""
    forecast, chance = CombatForecast(), float(odds.leadership_chance(board, unit))
    weighed: list[tuple[float, FireAt]] = []
    for target in targets:
        firers = len(position.defensive_firers(board, unit, target))
        volley = forecast.volley(board, unit, target, firers, chance)
        weighed.append((forecast.after_fire(board, unit, target, volley), FireAt(target)))
    return weighed


def best_shots(board: CloseQuartersBoard, unit: UnitId) -> Shoot:
    """Return the fire of all models that may, as far as possible at the unit that it breaks or hurts most (B-9)."""
    shooters = position.shooting_targets(board, unit)
    forecast = CombatForecast()
    targets = sorted({target for _, units in shooters for target in units})
    usual = {shot.model: shot.target for shot in plain_bot.best_shots(board, unit)}

    def value(target: UnitId) -> float:
        firers = sum(target in units for _, units in shooters)
        return forecast.after_fire(board, unit, target, forecast.volley(board, unit, target, firers, 1.0))

    best = max(targets, key=value)
    return Shoot(tuple(ModelShot(model.id, best if best in units else usual[model.id]) for model, units in shooters))
