"""A bot of regiments that rehearses: it plays the match on with each of a few answers and takes the best."""

import random
from math import sqrt
from statistics import mean, stdev

from diskwars_bots.rulesets.regiments.greedy_bot import choose_greedy
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.quick_dice import QuickDice
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId

RULES = RULESETS["regiments"](())
REHEARSALS = 12  # how often each answer is tried; more is stronger and slower
CANDIDATES = 4
DOUBT = 1.0  # standard errors by which another answer has to be better than the greedy one


class Position:
    """All that the greedy bot reads of a match."""

    def __init__(self, board):
        self.board = board


def choose(match, decision, options, rng):
    usual = choose_greedy(match, decision, options, rng)
    others = [action for action in options.actions if action != usual]
    if match.board is None or not others:
        return usual
    luck = [rng.random() for _ in range(REHEARSALS)]
    base = [rehearse(match.board, decision, usual, seed) for seed in luck]

    def advantage(action):
        gains = [rehearse(match.board, decision, action, seed) - low for seed, low in zip(luck, base, strict=True)]
        return mean(gains) - DOUBT * stdev(gains) / sqrt(REHEARSALS)

    found = {advantage(action): action for action in rng.sample(others, min(len(others), CANDIDATES - 1))}
    best = max(found)
    return found[best] if best > 0 else usual


def rehearse(view, decision, action, seed):
    """Return by how much the seat's side wins if it answers this and everybody then plays greedily."""
    rng = random.Random(seed)
    dice = QuickDice(rng, seats=2)
    board = RULES.determinize(view, decision.seat, rng)  # a whole board that could be the true one
    board = after(board, decision, action, dice, rng)
    while questions := RULES.questions(board):
        seat, question = questions[0]
        asked = Decision(DecisionId("1.0"), seat, question)
        answer = choose_greedy(Position(board), asked, RULES.options(board, seat, question), rng)
        board = after(board, asked, answer, dice, rng)
    scores = RULES.result(board).scores
    return scores[decision.seat] - scores[1 - decision.seat]


def after(board, decision, action, dice, rng):
    """Return the board after an answer; a secret one needs a salt, which a runner would add."""
    whole = RULES.vocabulary.with_secrets(action, lambda: rng.randbytes(16).hex(), lambda: "")
    return RULES.decide(board, decision.seat, decision.question, whole, dice).board
