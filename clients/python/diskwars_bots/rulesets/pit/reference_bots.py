"""Opponents of one idea, against which the bots of the pit are measured: each moves by a rule, and else is greedy."""

import random
from collections.abc import Callable
from typing import Any

from diskwars_bots.chooser import Chooser
from diskwars_bots.rulesets.pit.plain_bot import choose_plain
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.pit import position
from diskwars_protocol.rulesets.pit.actions import (
    Action,
    EndPhase,
    Engage,
    EngageQuestion,
    Move,
    MoveQuestion,
    Question,
)
from diskwars_protocol.rulesets.pit.board import PitBoard
from diskwars_protocol.rulesets.pit.options import PitOptions

Rank = Callable[[PitBoard, Engage | Move], int]
"""How a rule ranks a way; the highest is taken."""


def choose_hold(match: Any, decision: Decision[Question], options: PitOptions, rng: random.Random) -> Action:
    """Never engage and never move."""
    if isinstance(decision.question, EngageQuestion | MoveQuestion):
        return EndPhase()
    return choose_plain(match, decision, options, rng)


def choose_no_move(match: Any, decision: Decision[Question], options: PitOptions, rng: random.Random) -> Action:
    """Engage as the greedy bot does, and skip the move phase."""
    if isinstance(decision.question, MoveQuestion):
        return EndPhase()
    return choose_plain(match, decision, options, rng)


def choose_charge(match: Any, decision: Decision[Question], options: PitOptions, rng: random.Random) -> Action:
    """Engage with everybody who can, the nearest enemy first; the others move as near as they get."""
    if isinstance(decision.question, EngageQuestion | MoveQuestion):
        return _first_way(match.board, options, rng, lambda board, way: -_distance_to_enemy(board, way))
    return choose_plain(match, decision, options, rng)


def choose_longest(match: Any, decision: Decision[Question], options: PitOptions, rng: random.Random) -> Action:
    """Take the longest way there is that leads nearer to an enemy, in both phases."""
    if isinstance(decision.question, EngageQuestion | MoveQuestion):
        return _first_way(match.board, options, rng, _length)
    return choose_plain(match, decision, options, rng)


def _first_way(board: PitBoard, options: PitOptions, rng: random.Random, rank: Rank) -> Action:
    """Return the way that a rule ranks highest; those in the move phase lead nearer to an enemy, or are not taken."""
    ways: list[Engage | Move] = [
        type(limits.example)(limits.fighter, cell.x, cell.y)
        for limits in options.parametric
        if isinstance(limits.example, Engage | Move)
        for cell in limits.cells
    ]
    useful = [way for way in ways if isinstance(way, Engage) or _leads_nearer(board, way)]
    if not useful:
        return EndPhase()
    return max(useful, key=lambda way: (rank(board, way), rng.random()))


def _leads_nearer(board: PitBoard, way: Move) -> bool:
    fighter = board.fighters[way.fighter]
    here = Move(fighter.id, fighter.x, fighter.y)
    return fighter.status == "ok" and _distance_to_enemy(board, way) < _distance_to_enemy(board, here)


def _distance_to_enemy(board: PitBoard, way: Engage | Move) -> int:
    """Return how many steps the end of a way is from where the nearest enemy of its fighter is."""
    seat = board.fighters[way.fighter].seat
    enemies = [enemy for enemy in position.fielded(board) if enemy.seat != seat]
    return min((max(abs(enemy.x - way.x), abs(enemy.y - way.y)) for enemy in enemies), default=0)


def _length(board: PitBoard, way: Engage | Move) -> int:
    fighter = board.fighters[way.fighter]
    return max(abs(fighter.x - way.x), abs(fighter.y - way.y))


REFERENCES: dict[str, Chooser] = {
    "hold": choose_hold,
    "charge": choose_charge,
    "longest": choose_longest,
    "nomove": choose_no_move,
}
