"""The pit as the search sees it: engagements, moves and targets, played on over the next four turns."""

import random
from collections import Counter
from functools import cache

from diskwars_bots.rulesets.pit import greedy_bot, plain_bot, task_play
from diskwars_bots.rulesets.pit.greedy_bot import choose_greedy
from diskwars_bots.rulesets.pit.weights import FIGHTER_WORTH
from diskwars_bots.search.game import WeighedAnswer, Width
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.state import Match
from diskwars_protocol.rulesets.pit import odds, position
from diskwars_protocol.rulesets.pit.actions import (
    Action,
    DeclareAttacks,
    DeclareQuestion,
    EndPhase,
    Engage,
    EngageQuestion,
    MoveQuestion,
    Question,
)
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_protocol.rulesets.pit.events import Status
from diskwars_protocol.rulesets.pit.options import Cell, PitOptions

HORIZON_TURNS = 4
POINT = 100
"""The unit of values: a hundredth of `weights.FIGHTER_WORTH`."""
WON = 20 * POINT
TASK_WORTH = 10 * POINT
"""What it is worth to be at the goal of a task, from the start to there."""
STATE_PERCENT: dict[Status, int] = {"ok": 100, "staggered": 90, "dazed": 40, "stunned": 20}
"""The percent of its worth that a fighter has in a state: enemies beside it finish off one that lies."""


@cache
def pit_rules() -> AnyRuleset:
    """Return the rules that simulations follow."""
    return RULESETS["pit"](())


class QuickPitPolicy:
    """Charges with everybody, where few that stand are touched and a friend helps; nobody moves."""

    def choose(self, board: PitBoard, seat: Seat, question: Question, rng: random.Random) -> Action | None:
        """Return an answer; the default where a fighter, a target or a combat is asked for."""
        match question:
            case EngageQuestion():
                limits = pit_rules().options(board, seat, question).parametric[0]
                best = max(limits.cells, key=lambda cell: (*_charge_rank(board, cell, seat), rng.random()))
                return Engage(limits.fighter, best.x, best.y)
            case MoveQuestion():
                return EndPhase()
            case DeclareQuestion(fighter=fighter):
                return plain_bot.best_declaration(board, board.fighters[fighter])
            case _:
                return None


def _charge_rank(board: PitBoard, cell: Cell, seat: Seat) -> tuple[int, int]:
    enemies = position.enemies_beside(board, (cell.x, cell.y), seat)
    standing = sum(not enemy.is_down for enemy in enemies)
    helped = any(position.touched_enemies(board, enemy) for enemy in enemies)
    return -standing, int(helped)


class PitGame:
    """Implements `search.game.SearchGame`; a piece is a fighter."""

    widths = (Width(150, 4, 1), Width(600, 10, 4), Width(2000, 16, 6))
    unsearched = Width(0, 10, 64)
    simulation_ms = 2.5
    secret_choices = None

    def rules(self) -> AnyRuleset:
        """Return the rules of the pit."""
        return pit_rules()

    def is_searched(self, board: PitBoard, question: Question) -> bool:
        """Return whether it is asked where to go or whom to strike: the rest changes little."""
        return isinstance(question, EngageQuestion | MoveQuestion | DeclareQuestion)

    is_reviewed = is_searched

    def is_passing(self, action: Action) -> bool:
        """Return whether fighters are left where they are."""
        return isinstance(action, EndPhase)

    def choose_unsearched(
        self, match: Match[Question, PitBoard], decision: Decision[Question], options: PitOptions, rng: random.Random
    ) -> Action:
        """Return the greedy bot's answer."""
        return choose_greedy(match, decision, options, rng)

    choose_unweighed = choose_unsearched

    def possible_board(self, board: PitBoard, seat: Seat, rng: random.Random) -> PitBoard:
        """Return the board: nothing is hidden in the pit."""
        return board

    def proposals(
        self, board: PitBoard, decision: Decision[Question], options: PitOptions, rng: random.Random, per_piece: int
    ) -> list[WeighedAnswer]:
        """Return the best cells of each fighter, or all attacks on each target."""
        if isinstance(decision.question, DeclareQuestion):
            return _declarations(board, board.fighters[decision.question.fighter])
        if isinstance(decision.question, EngageQuestion):
            return _engagements(board, options, rng, per_piece)
        weighed: list[WeighedAnswer] = [(0, action) for action in options.actions]
        for limits in options.parametric:
            scored = list(greedy_bot.weigh_moves(board, limits))
            rng.shuffle(scored)
            weighed += sorted(scored, key=lambda pair: -pair[0])[:per_piece]
        return weighed

    def seat_count(self, board: PitBoard) -> int:
        """Return how many seats play."""
        return len(board.seats)

    def policy(self, board: PitBoard) -> QuickPitPolicy:
        """Return the policy that charges."""
        return QuickPitPolicy()

    def is_past_horizon(self, first: PitBoard, board: PitBoard) -> bool:
        """Return whether the turns of the horizon are over."""
        return _turn_number(board) - _turn_number(first) >= HORIZON_TURNS

    def value(self, board: PitBoard, seat: Seat, winners: tuple[Seat, ...] | None) -> int:
        """Return the worth of a seat's fighters less that of its enemies, and the result once there is one."""
        total = 0
        for fighter in position.fielded(board):
            worth = round(FIGHTER_WORTH[board.rank(fighter)]) * STATE_PERCENT[fighter.status]
            worth += 30 * (fighter.wounds - 1)
            total += worth if fighter.seat == seat else -worth // max(1, len(board.seats) - 1)
        if board.task is not None:
            total += round(TASK_WORTH * task_play.progress(board, seat))
        if winners is not None:
            total += WON if winners == (seat,) else 0 if seat in winners else -WON
        return total


def _engagements(board: PitBoard, options: PitOptions, rng: random.Random, per_fighter: int) -> list[WeighedAnswer]:
    """Return the first run of the greedy bot's plan, each fighter's best ones on their own, and none."""
    plan, gain = greedy_bot.engagement_plan(board, options.parametric, rng)
    weighed: list[WeighedAnswer] = [(0, EndPhase())]
    if plan:
        weighed.append((max(1, round(POINT * gain)), plan[0].action))
    counts: Counter[int] = Counter()
    for value, run in greedy_bot.weigh_runs(board, options.parametric, rng):
        counts[run.fighter] += 1
        if counts[run.fighter] <= per_fighter and run not in plan[:1]:
            weighed.append((round(POINT * min(value, gain)) - 1, run.action))
    return weighed


def _declarations(board: PitBoard, fighter: Fighter) -> list[WeighedAnswer]:
    weighed: list[WeighedAnswer] = []
    for target in position.targets(board, fighter):
        attacks = odds.declaration_on(board, fighter, target.id)
        worth = greedy_bot.attack_worth(board, fighter, target)
        weighed.append((round(POINT * worth), DeclareAttacks(attacks)))
    return weighed


def _turn_number(board: PitBoard) -> int:
    return board.round * len(board.order) + board.order.index(board.seat)


PIT_GAME = PitGame()
