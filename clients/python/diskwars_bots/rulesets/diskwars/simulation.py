"""Simulation of Diskwars for search: possible boards, and a quick greedy bot that plays them on."""

import random
from functools import cache
from typing import Any

from diskwars_bots.rulesets.diskwars.greedy_bot import best_action, weigh_answers
from diskwars_bots.rulesets.diskwars.situation import QUICK_EFFORT, SeenDisk, Situation
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board


@cache
def diskwars_rules() -> AnyRuleset:
    """Return the rules that simulations follow. Starter armies of the core set and the expansions are known to them."""
    return RULESETS["diskwars"](("expansion",))


def possible_board(board: Board, seat: Seat, rng: random.Random) -> Board | None:
    """Return a board that could be the true one, from what a seat sees of it (R19.26).

    None if a starter army has another hand here than in the packs that come with the rules: then nothing is known of
    its cards.
    """
    possible: Board = diskwars_rules().determinize(board, seat, rng)
    cards = {card.id for card in board.cards}
    hands = [side.hand for side in possible.sides]
    return possible if all(isinstance(hand, tuple) and cards.issuperset(hand) for hand in hands) else None


def winners_of(board: Board) -> tuple[Seat, ...] | None:
    """Return the winners of a match; None while it goes on."""
    result = diskwars_rules().result(board)
    return None if result is None else result.winners


class QuickGreedyPolicy:
    """Answers for every seat as the greedy bot would, with fewer places; figures of unchanged disks are kept."""

    def __init__(self, seats: int) -> None:
        self._seen: list[dict[int, SeenDisk]] = [{} for _ in range(seats)]

    def choose(self, board: Board, seat: Seat, question: a.Question, rng: random.Random) -> Any:
        """Return the best answer by its immediate effect; None for what the greedy bot does not weigh."""
        options = diskwars_rules().options(board, seat, question)
        if len(options.actions) == 1 and not options.parametric:
            return options.actions[0]
        situation = Situation(board, seat, QUICK_EFFORT, self._seen[seat])
        scored = weigh_answers(situation, question, options, rng)
        return best_action(scored) if scored else None
