"""A tree search for Diskwars: UCB1 over the own next decisions in boards that could be the true one.

An information-set Monte Carlo tree search of bounded depth: each iteration draws a possible board, walks down the tree
at the first `DEPTH` decisions of its own seat, and lets the greedy bot play on to the end of the round. Kept for
comparison: docs/bot-laboratory.md says how it does against the search bot.
"""

import random
import time
from math import log, sqrt

from diskwars_bots.rulesets.diskwars.greedy_bot import best_action, choose_greedy, weigh_answers
from diskwars_bots.rulesets.diskwars.position_value import position_value
from diskwars_bots.rulesets.diskwars.random_bot import choose_random
from diskwars_bots.rulesets.diskwars.search_game import DISKWARS_GAME
from diskwars_bots.rulesets.diskwars.simulation import diskwars_rules, possible_board, winners_of
from diskwars_bots.rulesets.diskwars.situation import QUICK_EFFORT, SeenDisk, Situation
from diskwars_bots.search.candidates import candidate_answers
from diskwars_bots.search.level import SearchLevel
from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.ruleset import Illegal, Outcome
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import SALT_BYTES
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions

DEPTH = 3
"""Own decisions that the tree holds; later ones are the greedy bot's."""
BRANCHES = 4
"""Answers of a node below the root."""
EXPLORATION = 300.0
"""Weight of the term for answers that were seldom tried, in hundredths of a victory point."""
MIN_VISITS = 4
"""An answer that was tried less often is not chosen."""
MAX_STEPS = 400


class Node:
    """An own decision in the tree: its answers with their visits and values, the greedy bot's first."""

    def __init__(self, actions: list[a.Action]) -> None:
        self.actions = actions
        self.values: list[list[int]] = [[] for _ in actions]
        self.below: list[dict[str, Node]] = [{} for _ in actions]

    def select(self) -> int:
        """Return the place of the answer that is tried next: by UCB1."""
        total = sum(map(len, self.values)) + 1
        return max(range(len(self.actions)), key=lambda k: self._bound(k, total))

    def _bound(self, k: int, total: int) -> float:
        values = self.values[k]
        if not values:
            return float("inf")
        return sum(values) / len(values) + EXPLORATION * sqrt(log(total) / len(values))

    def best(self) -> a.Action:
        """Return the answer with the best mean less its standard error; the first unless another is better."""
        sure = [k for k, values in enumerate(self.values) if len(values) >= MIN_VISITS]
        if 0 not in sure:
            return self.actions[0]
        first = sum(self.values[0]) / len(self.values[0])
        k = max(sure, key=self._lower)
        return self.actions[k] if self._lower(k) > first else self.actions[0]

    def _lower(self, k: int) -> float:
        values = self.values[k]
        mean = sum(values) / len(values)
        return mean - sqrt(sum((one - mean) ** 2 for one in values) / (len(values) - 1) / len(values))


class TreeSearch:
    """A chooser with a budget in milliseconds of CPU time of its thread."""

    def __init__(self, milliseconds: int) -> None:
        self._milliseconds = milliseconds

    def __call__(
        self, match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions, rng: random.Random
    ) -> a.Action:
        board = match.board
        if board is None or board.phase == "setup":
            return choose_greedy(match, decision, options, rng)
        level = SearchLevel(milliseconds=self._milliseconds)
        root = Node(candidate_answers(DISKWARS_GAME, board, decision, options, rng, level))
        if not root.actions:
            return choose_random(match, decision, options, rng)
        ends = time.thread_time_ns() + self._milliseconds * 1_000_000
        while len(root.actions) > 1 and iterate(root, board, decision.seat, rng, ends):
            pass
        return root.best()


def iterate(root: Node, board: Board, seat: Seat, rng: random.Random, ends: int) -> bool:
    """Walk down once, play on, and note the value along the way; return whether there was time for it."""
    possible = possible_board(board, seat, rng)
    if possible is None:
        return False
    way: list[tuple[Node, int]] = []
    end = play_on(root, possible, seat, rng, way, ends)
    if end is None:
        return False
    value = position_value(end, seat, winners_of(end))
    for node, k in way:
        node.values[k].append(value)
    return True


def play_on(
    root: Node, board: Board, seat: Seat, rng: random.Random, way: list[tuple[Node, int]], ends: int
) -> Board | None:
    rules, first_round, node = diskwars_rules(), board.round, root
    seen: list[dict[int, SeenDisk]] = [{} for _ in board.sides]
    dice = QuickDice(rng, len(board.sides))
    question = next(question for asked, question in rules.questions(board) if asked == seat)
    outcome: Outcome[Board, a.Question] = Outcome([], board, ((seat, question),))
    for _ in range(MAX_STEPS):
        if not outcome.questions or outcome.board.round > first_round:
            break
        if time.thread_time_ns() > ends:
            return None
        now, (asked, question) = outcome.board, outcome.questions[0]
        if asked == seat and len(way) < DEPTH:
            if way:
                node = child_of(*way[-1], now, seat, question, rng)
            k = node.select()
            way.append((node, k))
            action = node.actions[k]
        else:
            options = rules.options(now, asked, question)
            scored = weigh_answers(Situation(now, asked, QUICK_EFFORT, seen[asked]), question, options, rng)
            action = best_action(scored) if scored else rules.default(now, asked, question, dice)
        outcome = decide(now, asked, question, action, dice, rng)
    return outcome.board


def child_of(parent: Node, k: int, board: Board, seat: Seat, question: a.Question, rng: random.Random) -> Node:
    """Return the node of the next own decision after an answer; one for each kind of question and its answers."""
    options = diskwars_rules().options(board, seat, question)
    scored = weigh_answers(Situation(board, seat, QUICK_EFFORT), question, options, rng)
    scored = sorted(scored or [(0, action) for action in options.actions], key=lambda pair: -pair[0])[:BRANCHES]
    actions = [action for _, action in scored] or [options.parametric[0].example]
    return parent.below[k].setdefault(repr(actions), Node(actions))


def decide(
    board: Board, seat: Seat, question: a.Question, action: a.Action, dice: QuickDice, rng: random.Random
) -> Outcome[Board, a.Question]:
    rules = diskwars_rules()
    try:
        whole = a.with_secrets(action, lambda: rng.randbytes(SALT_BYTES).hex(), lambda: "")
        return rules.decide(board, seat, question, whole, dice)
    except Illegal:
        return rules.decide(board, seat, question, rules.default(board, seat, question, dice), dice)


tree_500 = TreeSearch(500)
tree_2000 = TreeSearch(2000)
