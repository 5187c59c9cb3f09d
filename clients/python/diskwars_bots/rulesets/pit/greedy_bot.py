"""The greedy bot of the pit: engages with as many as win the fights that follow, and strikes where it hurts most.

It computes with exact chances and forecasts the fights of its turn and of the next (`forecast`); what it thinks worth
how much is in `weights`.
"""

import random
from collections.abc import Iterable, Sequence

from msgspec import Struct

from diskwars_bots.rulesets.pit import plain_bot, task_play
from diskwars_bots.rulesets.pit.forecast import PitForecast, results
from diskwars_bots.rulesets.pit.weights import FIGHTER_WORTH, IMPATIENCE, STATE_SHARE, WAITING_ROUNDS
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.state import Match
from diskwars_protocol.rulesets.pit import checks, odds, position
from diskwars_protocol.rulesets.pit.actions import (
    Action,
    Attack,
    ChooseFighter,
    DeclareAttacks,
    DeclareQuestion,
    EndPhase,
    Engage,
    FighterId,
    FighterQuestion,
    Move,
    Question,
)
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_protocol.rulesets.pit.options import PitLimits, PitOptions

CORNER_CELLS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1))
"""A corner from inside: the last two keep enemies from the first two; the very last meets most of them."""
PRECIOUS = 2
"""How many fighters decide which corner is near."""
RUNS_PER_FIGHTER = 3
"""The runs of one fighter that are combined with those of others: the best ones on their own."""


def choose_greedy(
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
        return best_engagement(board, options.parametric, rng)
    if any(isinstance(limits.example, Move) for limits in options.parametric):
        return _best_move(board, options, rng)
    if isinstance(question, FighterQuestion):
        return best_striker(board, options, rng)
    return plain_bot.choose_plain(match, decision, options, rng)


# ---------------------------------------------------------------- attacks


def best_declaration(board: PitBoard, fighter: Fighter) -> DeclareAttacks:
    """Return all attacks on the target that loses most by them on average, but one for each enemy that is stunned.

    One attack takes a stunned enemy out without dice, and further ones on it are lost (A-16).
    """
    forecast = PitForecast(board)
    targets = sorted(
        position.targets(board, fighter), key=lambda target: -forecast.after_attack(fighter.seat, fighter, target)
    )
    attacks = odds.declaration_on(board, fighter, targets[0].id)
    stunned = [target.id for target in targets if target.status == "stunned"][: len(attacks)]
    left = next((target.id for target in targets if target.status != "stunned"), targets[0].id)
    aims = [*stunned, *[left] * (len(attacks) - len(stunned))]
    return DeclareAttacks(tuple(Attack(aim, attack.weapon) for aim, attack in zip(aims, attacks, strict=True)))


def best_striker(board: PitBoard, options: PitOptions, rng: random.Random) -> Action:
    """Return with which fighter, of those whose slots follow each other, the rest of the combat goes best (A-13)."""
    forecast = PitForecast(board)

    def value(action: ChooseFighter) -> float:
        fighter = board.fighters[action.fighter]
        targets = position.targets(board, fighter)
        return max(forecast.after_attack(fighter.seat, fighter, target) for target in targets)

    choices = [action for action in options.actions if isinstance(action, ChooseFighter)]
    return max(choices, key=lambda action: (value(action), rng.random()))


def attack_worth(board: PitBoard, fighter: Fighter, target: Fighter) -> float:
    """Return the worth that a target loses on average: it may be removed, or be down and helpless."""
    worth, found = FIGHTER_WORTH[board.rank(target)], results(board, fighter, target)
    if target.status == "stunned":
        return worth * STATE_SHARE["stunned"]
    if target.status == "dazed":
        return worth * STATE_SHARE["dazed"] * found.out_if_dazed
    down = found.dazed * (1 - STATE_SHARE["dazed"]) + found.stunned * (1 - STATE_SHARE["stunned"])
    return worth * (down + found.out)


# ---------------------------------------------------------------- engaging


class Run(Struct, frozen=True):
    """A fighter and a cell beside enemies to which it can run."""

    fighter: FighterId
    cell: position.Cell

    @property
    def action(self) -> Engage:
        return Engage(self.fighter, *self.cell)


def best_engagement(board: PitBoard, limits: Sequence[PitLimits], rng: random.Random) -> Action:
    """Return the first run of the best plan for all fighters; none if waiting is worth more."""
    plan, _ = engagement_plan(board, limits, rng)
    return plan[0].action if plan else EndPhase()


def engagement_plan(board: PitBoard, limits: Sequence[PitLimits], rng: random.Random) -> tuple[list[Run], float]:
    """Return runs of several fighters that together gain most, and what they gain over none.

    One run after the other is added, always the one that is best with those before it, even where it alone loses:
    two who gang up on one enemy win what neither does alone.
    """
    seat, forecast = board.seat, PitForecast(board)
    waiting = forecast.value(seat, {})
    runs = _runs(board, limits, rng)
    plan: dict[FighterId, position.Cell] = {}
    task = board.task
    best = list[Run]()
    best_gain = -IMPATIENCE * board.round if task is None else task_play.least_gain(board, task, seat)
    while runs:
        scored = sorted(
            ((forecast.value(seat, {**plan, run.fighter: run.cell}), run) for run in runs),
            key=lambda pair: -pair[0],
        )
        value, run = scored[0]
        plan[run.fighter] = run.cell
        gain = value - waiting
        if gain > best_gain:
            best, best_gain = [Run(fighter, cell) for fighter, cell in plan.items()], gain
        runs = _best_of_each([run for _, run in scored if run.fighter not in plan and run.cell not in plan.values()])
    return best, best_gain


def weigh_runs(board: PitBoard, limits: Sequence[PitLimits], rng: random.Random) -> list[tuple[float, Run]]:
    """Return what each run gains on its own, the best first."""
    seat, forecast = board.seat, PitForecast(board)
    waiting = forecast.value(seat, {})
    runs = [(forecast.value(seat, {run.fighter: run.cell}) - waiting, run) for run in _runs(board, limits, rng)]
    return sorted(runs, key=lambda pair: -pair[0])


def _runs(board: PitBoard, limits: Sequence[PitLimits], rng: random.Random) -> list[Run]:
    """Return one run of each fighter for each group of enemies that it could touch."""
    runs: dict[tuple[FighterId, frozenset[FighterId]], Run] = {}
    for limit in limits:
        if board.task is not None and not task_play.may_charge(board, board.task, board.fighters[limit.fighter]):
            continue
        cells = list(limit.cells)
        rng.shuffle(cells)
        for cell in cells:
            beside = position.enemies_beside(board, (cell.x, cell.y), board.seat)
            group = limit.fighter, frozenset(enemy.id for enemy in beside)
            runs.setdefault(group, Run(limit.fighter, (cell.x, cell.y)))
    return list(runs.values())


def _best_of_each(runs: Iterable[Run]) -> list[Run]:
    """Keep the first few runs of each fighter."""
    kept, counts = list[Run](), dict[FighterId, int]()
    for run in runs:
        counts[run.fighter] = counts.get(run.fighter, 0) + 1
        if counts[run.fighter] <= RUNS_PER_FIGHTER:
            kept.append(run)
    return kept


# ---------------------------------------------------------------- moves


def _best_move(board: PitBoard, options: PitOptions, rng: random.Random) -> Action:
    """Return the move that improves the place of a fighter most; none if no place is better."""
    scored = [(gain, rng.random(), move) for limits in options.parametric for gain, move in weigh_moves(board, limits)]
    best = max(scored, key=lambda entry: entry[:2])
    return best[2] if best[0] > 0 else EndPhase()


def weigh_moves(board: PitBoard, limits: PitLimits) -> list[tuple[int, Move]]:
    """Return by how many steps each cell is nearer to where the task or the corner wants a fighter, or to an enemy."""
    fighter = board.fighters[limits.fighter]
    if board.task is not None:
        cells = [(cell.x, cell.y) for cell in limits.cells]
        gains = task_play.weigh_cells(board, board.task, fighter, cells)
        if gains is not None:
            return [(gain, Move(fighter.id, *cell)) for gain, cell in zip(gains, cells, strict=True)]
        return [(gain, Move(fighter.id, cell.x, cell.y)) for gain, cell in plain_bot.weigh_moves(board, limits)]
    if not is_waiting(board, fighter.seat):
        return [(gain, Move(fighter.id, cell.x, cell.y)) for gain, cell in plain_bot.weigh_moves(board, limits)]
    place = corner_places(board, fighter.seat)[fighter.id]
    here = _distance((fighter.x, fighter.y), place)
    return [(here - _distance((cell.x, cell.y), place), Move(fighter.id, cell.x, cell.y)) for cell in limits.cells]


def is_waiting(board: PitBoard, seat: Seat) -> bool:
    """Return whether a side is better off waiting for the charge of the enemy than in the open: nobody fights yet."""
    own = [fighter for fighter in position.fielded(board) if fighter.seat == seat]
    return board.round <= WAITING_ROUNDS and not any(position.is_engaged(board, fighter) for fighter in own)


def corner_places(board: PitBoard, seat: Seat) -> dict[FighterId, position.Cell]:
    """Return a place for each fighter of a side in the corner that is nearest to its leader and heroes.

    The most precious are innermost, so that the enemy, who strikes first, can only touch the others; these touch
    everybody who comes.
    """
    own = [fighter for fighter in position.fielded(board) if fighter.seat == seat]
    own.sort(key=lambda one: (-FIGHTER_WORTH[board.rank(one)], checks.defence_bonus(board.profile(one)), one.id))
    precious = own[:PRECIOUS]
    corners = [(x, y) for x in (0, board.width - 1) for y in (0, board.height - 1)]
    corner = min(corners, key=lambda at: (sum(_distance(at, (one.x, one.y)) for one in precious), at))
    across, along = (1 if corner[0] == 0 else -1), (1 if corner[1] == 0 else -1)
    cells = [(corner[0] + across * x, corner[1] + along * y) for x, y in CORNER_CELLS]
    return {fighter.id: cell for fighter, cell in zip(own, [*cells, *cells[-1:] * len(own)], strict=False)}


def _distance(one: position.Cell, other: position.Cell) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
