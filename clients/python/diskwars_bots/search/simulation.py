"""Simulation for search: plays a possible board on by the rules of its game, one policy answering for every seat."""

import random
from collections.abc import Callable
from typing import Any

from diskwars_bots.search.game import RollOutPolicy, SearchGame
from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.ruleset import AnyRuleset, Illegal, Outcome
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import SALT_BYTES

MAX_STEPS = 400
"""Answers after which a simulation stops wherever it is; a whole match of four hosts takes fewer."""


def simulate(
    game: SearchGame,
    board: Any,
    seat: Seat,
    action: Any,
    rng: random.Random,
    has_expired: Callable[[], bool],
    is_far_enough: Callable[[Any, Any], bool] | None = None,
    policy: RollOutPolicy | None = None,
) -> Any:
    """Return the board at the horizon of the game after an answer, or at the end; None if time runs out before.

    `board` has nothing hidden; `is_far_enough`, of the first and the latest board, replaces the horizon, and
    `policy` the one of the game. Raises `Illegal` if the rules refuse the answer.
    """
    is_far_enough = is_far_enough or game.is_past_horizon
    rules, policy = game.rules(), policy or game.policy(board)
    dice = QuickDice(rng, game.seat_count(board))
    question = next(question for asked_seat, question in rules.questions(board) if asked_seat == seat)
    outcome: Outcome[Any, Any] = rules.decide(board, seat, question, _with_salt(rules, action, rng), dice)
    for _ in range(MAX_STEPS):
        if not outcome.questions or is_far_enough(board, outcome.board):
            break
        if has_expired():
            return None
        outcome = _step(rules, policy, outcome, rng, dice)
    return outcome.board


def play_out(game: SearchGame, board: Any, seat: Seat, action: Any, rng: random.Random) -> float | None:
    """Return the part of a win that a seat has at the end of a match after an answer: even if nobody wins.

    None if the rules refuse the answer.
    """
    try:
        end = simulate(game, board, seat, action, rng, lambda: False, lambda first, latest: False)
    except Illegal:
        return None
    winners = winners_of(game, end)
    if not winners:
        return 1 / game.seat_count(board)
    return 1 / len(winners) if seat in winners else 0.0


def winners_of(game: SearchGame, board: Any) -> tuple[Seat, ...] | None:
    """Return the winners of a match; None while it goes on."""
    result = game.rules().result(board)
    return None if result is None else result.winners


def _step(
    rules: AnyRuleset, policy: RollOutPolicy, outcome: Outcome[Any, Any], rng: random.Random, dice: QuickDice
) -> Outcome[Any, Any]:
    """Answer the first open question as the policy does."""
    board, (seat, question) = outcome.board, outcome.questions[0]
    action = policy.choose(board, seat, question, rng)
    if action is None:
        action = rules.default(board, seat, question, dice)
    try:
        return rules.decide(board, seat, question, _with_salt(rules, action, rng), dice)
    except Illegal:
        return rules.decide(board, seat, question, rules.default(board, seat, question, dice), dice)


def _with_salt(rules: AnyRuleset, action: Any, rng: random.Random) -> Any:
    """Complete a secret answer. Simulations are never recorded, so the salt may come from the search."""
    return rules.vocabulary.with_secrets(action, lambda: rng.randbytes(SALT_BYTES).hex(), lambda: "")
