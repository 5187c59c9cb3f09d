"""Plain play of the pit, which never changes: the answers of the opponents of one idea, but for their idea.

It computes with exact chances and looks no further than the fight that an answer leads to.
"""

import random
from collections.abc import Iterable
from fractions import Fraction

from msgspec.structs import replace

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.state import Match
from diskwars_protocol.rulesets.pit import odds, position
from diskwars_protocol.rulesets.pit.actions import (
    Action,
    Attack,
    ChooseFighter,
    ChooseTarget,
    Concede,
    DeclareAttacks,
    DeclareQuestion,
    EndPhase,
    Engage,
    Move,
    Question,
    TargetQuestion,
)
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_protocol.rulesets.pit.options import Cell, PitLimits, PitOptions
from diskwars_protocol.rulesets.pit.stats import Rank

WORTH: dict[Rank, int] = {"leader": 4, "hero": 3, "henchman": 2}
"""The worth of a fighter; a side without leaders and heroes cannot pass a rout check."""


def choose_plain(
    match: Match[Question, PitBoard], decision: Decision[Question], options: PitOptions, rng: random.Random
) -> Action:
    """Choose the best answer by exact chances; equal ones at random."""
    board = match.board
    if board is None:
        return options.actions[0]
    question = decision.question
    if isinstance(question, DeclareQuestion):
        return best_declaration(board, board.fighters[question.fighter])
    if any(isinstance(limits.example, Engage) for limits in options.parametric):
        return _best_engagement(board, options, rng)
    if any(isinstance(limits.example, Move) for limits in options.parametric):
        return _best_move(board, options, rng)
    return max(options.actions, key=lambda action: (_worth(board, question, action), rng.random()))


def _worth(board: PitBoard, question: Question, action: Action) -> Fraction:
    """Return what an answer is worth that names a fighter, a target, or whether to concede."""
    match action:
        case ChooseFighter(fighter=id):
            return _gain(board, board.fighters[id])
        case ChooseTarget(target=target) if isinstance(question, TargetQuestion) and board.combat is not None:
            declared = [attack for attack in board.combat.declared if attack.target == target]
            return removal_worth(board, board.fighters[question.fighter], board.fighters[target], declared)
        case Concede(concede=concede):
            return Fraction(not concede)
        case _:
            return Fraction(0)


def removal_worth(board: PitBoard, fighter: Fighter, target: Fighter, attacks: list[Attack]) -> Fraction:
    """Return the worth of a target times the chance that attacks take it out of the fight."""
    return WORTH[board.rank(target)] * odds.removal_chance(board, fighter, target, attacks)


def _gain(board: PitBoard, fighter: Fighter) -> Fraction:
    """Return the worth of what a fighter removes, on average, with all its attacks on its best target."""
    targets = position.valid_targets(board, fighter, range(len(board.fighters)))
    return max(
        (
            removal_worth(board, fighter, target, list(odds.declaration_on(board, fighter, target.id)))
            for target in targets
        ),
        default=Fraction(0),
    )


def best_declaration(board: PitBoard, fighter: Fighter) -> DeclareAttacks:
    """Return all attacks on the target whose removal is worth most on average."""
    declarations = [odds.declaration_on(board, fighter, target.id) for target in position.targets(board, fighter)]
    return DeclareAttacks(
        max(
            declarations,
            key=lambda attacks: removal_worth(board, fighter, board.fighters[attacks[0].target], list(attacks)),
        )
    )


def _best_engagement(board: PitBoard, options: PitOptions, rng: random.Random) -> Action:
    """Return the run that gains most over what it risks; none if each risks more than it gains."""
    scored = [
        (engagement_value(there, fighter), rng.random(), Engage(fighter.id, fighter.x, fighter.y))
        for limits in options.parametric
        for there, fighter in places(board, limits)
    ]
    best = max(scored, key=lambda entry: entry[:2])
    return best[2] if best[0] > 0 else EndPhase()


def engagement_value(board: PitBoard, fighter: Fighter) -> Fraction:
    """Return the worth of what a fighter gains over what it risks where it is."""
    return _gain(board, fighter) - _risk(board, fighter)


def places(board: PitBoard, limits: PitLimits) -> list[tuple[PitBoard, Fighter]]:
    """Return the board with the fighter in each of its cells, and the fighter there."""
    places = []
    for cell in limits.cells:
        moved = replace(board.fighters[limits.fighter], x=cell.x, y=cell.y)
        fighters = (*board.fighters[: moved.id], moved, *board.fighters[moved.id + 1 :])
        places.append((replace(board, fighters=fighters), moved))
    return places


def _risk(board: PitBoard, fighter: Fighter) -> Fraction:
    """Return the worth of the fighter times the chance that one enemy beside it removes it, striking after it."""
    enemies = [enemy for enemy in position.touched_enemies(board, fighter) if not enemy.is_down]
    survives = Fraction(1)
    for enemy in enemies:
        chance = odds.removal_chance(board, enemy, fighter, odds.declaration_on(board, enemy, fighter.id))
        survives *= 1 - chance / len(position.touched_enemies(board, enemy))
    return WORTH[board.rank(fighter)] * (1 - survives)


def _best_move(board: PitBoard, options: PitOptions, rng: random.Random) -> Action:
    """Return a step towards the nearest enemy, or away from all of them for a fighter that is hurt."""
    scored = [
        (gain, rng.random(), Move(limits.fighter, cell.x, cell.y))
        for limits in options.parametric
        for gain, cell in weigh_moves(board, limits)
    ]
    best = max(scored, key=lambda entry: entry[:2])
    return best[2] if best[0] > 0 else EndPhase()


def weigh_moves(board: PitBoard, limits: PitLimits) -> list[tuple[int, Cell]]:
    """Return by how many steps each cell is nearer to the nearest enemy; farther away for a fighter that is hurt."""
    fighter = board.fighters[limits.fighter]
    enemies = [(enemy.x, enemy.y) for enemy in position.fielded(board) if enemy.seat != fighter.seat]
    sign = 1 if fighter.status == "ok" else -1
    here = sign * _nearest(enemies, fighter.x, fighter.y)
    return [(here - sign * _nearest(enemies, cell.x, cell.y), cell) for cell in limits.cells]


def _nearest(enemies: Iterable[position.Cell], x: int, y: int) -> int:
    """Return how many steps a cell is from the nearest enemy."""
    return min((max(abs(enemy_x - x), abs(enemy_y - y)) for enemy_x, enemy_y in enemies), default=0)
