"""Simulation for search: plays a possible board on by the rules, the same policy answering for every seat."""

import random
from collections.abc import Callable
from functools import cache

from diskwars_bots.rulesets.diskwars.greedy_bot import best_action, weigh_answers
from diskwars_bots.rulesets.diskwars.situation import QUICK_EFFORT, SeenDisk, Situation
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.ruleset import AnyRuleset, Illegal, Outcome
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import SALT_BYTES
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board

MAX_STEPS = 400
"""Answers after which a simulation stops wherever it is; a whole match of four hosts takes fewer."""


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


def simulate(
    board: Board, seat: Seat, action: a.Action, rng: random.Random, has_expired: Callable[[], bool]
) -> Board | None:
    """Return the board when the round after an answer is over, or the match; None if time runs out before.

    `board` has nothing hidden. Raises `Illegal` if the rules refuse the answer.
    """
    rules, first_round = diskwars_rules(), board.round
    seen: list[dict[int, SeenDisk]] = [{} for _ in board.sides]
    dice = QuickDice(rng, len(board.sides))
    question = next(question for asked_seat, question in rules.questions(board) if asked_seat == seat)
    outcome: Outcome[Board, a.Question] = rules.decide(board, seat, question, _with_salt(action, rng), dice)
    for _ in range(MAX_STEPS):
        if not outcome.questions or outcome.board.round > first_round:
            break
        if has_expired():
            return None
        outcome = _step(rules, outcome, rng, dice, seen)
    return outcome.board


def _step(
    rules: AnyRuleset,
    outcome: Outcome[Board, a.Question],
    rng: random.Random,
    dice: QuickDice,
    seen: list[dict[int, SeenDisk]],
) -> Outcome[Board, a.Question]:
    """Answer the first open question as the greedy bot would."""
    board, (seat, question) = outcome.board, outcome.questions[0]
    options = rules.options(board, seat, question)
    if len(options.actions) == 1 and not options.parametric:
        return rules.decide(board, seat, question, _with_salt(options.actions[0], rng), dice)
    scored = weigh_answers(Situation(board, seat, QUICK_EFFORT, seen[seat]), question, options, rng)
    action = best_action(scored) if scored else rules.default(board, seat, question, dice)
    try:
        return rules.decide(board, seat, question, _with_salt(action, rng), dice)
    except Illegal:
        return rules.decide(board, seat, question, rules.default(board, seat, question, dice), dice)


def _with_salt(action: a.Action, rng: random.Random) -> a.Action:
    """Complete the lock of a card. Simulations are never recorded, so the salt may come from the search."""
    return a.with_secrets(action, lambda: rng.randbytes(SALT_BYTES).hex(), lambda: "")
