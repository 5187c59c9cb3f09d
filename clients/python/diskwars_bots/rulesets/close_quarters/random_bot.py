"""The random bot of close quarters: any action, any way, any picks, so that over many matches everything happens."""

import random
from typing import Any

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.close_quarters import plans, position
from diskwars_protocol.rulesets.close_quarters.actions import (
    Action,
    Advance,
    Consolidate,
    Double,
    ModelMove,
    ModelShot,
    PickCasualties,
    Question,
    Shoot,
    SplitHits,
)
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from diskwars_protocol.rulesets.close_quarters.options import CloseQuartersLimits, CloseQuartersOptions

TRIES = 6
"""The number of tries to find a legal way before the example is taken."""


def choose_random(
    match: Any, decision: Decision[Question], options: CloseQuartersOptions, rng: random.Random
) -> Action:
    """Choose any legal action."""
    picked: Action | CloseQuartersLimits = rng.choice([*options.actions, *options.parametric])
    if not isinstance(picked, CloseQuartersLimits):
        return picked
    example = picked.example
    match example:
        case Advance() | Double() | Consolidate():
            return _random_way(match.board, picked, example, rng)
        case Shoot():
            return Shoot(tuple(_random_shots(picked, rng)))
        case SplitHits():
            return SplitHits(_random_models(picked, rng))
        case PickCasualties():
            if picked.leader is not None and rng.random() < 0.5:
                return PickCasualties((picked.leader,))
            return PickCasualties(_random_models(picked, rng))
        case _:
            return example


def _random_models(limits: CloseQuartersLimits, rng: random.Random) -> tuple[int, ...]:
    count = rng.randint(limits.least or 0, limits.most or 0)
    return tuple(rng.sample(limits.models, count))


def _random_shots(limits: CloseQuartersLimits, rng: random.Random) -> list[ModelShot]:
    """Return the fire of most models, each at any of its targets."""
    return [ModelShot(shooter.model, rng.choice(shooter.targets)) for shooter in limits.shooters if rng.random() < 0.8]


def _random_way(
    board: CloseQuartersBoard, limits: CloseQuartersLimits, example: Advance | Double | Consolidate, rng: random.Random
) -> Action:
    """Return a plan that moves all models the same way, or one model alone; the example if none is legal."""
    distance, keeps_away = limits.distance or 0, not isinstance(example, Consolidate)
    for _ in range(TRIES):
        dx, dy = rng.randint(-distance, distance), rng.randint(-distance, distance)
        moves = plans.shift(board, limits.unit, dx, dy)
        if rng.random() < 0.5:
            model = rng.choice(position.models_of(board, limits.unit))
            moves = (ModelMove(model.id, model.x + dx, model.y + dy),)
        if plans.find_fault(board, limits.unit, moves, distance, keeps_away) is None:
            return type(example)(moves)
    return example
