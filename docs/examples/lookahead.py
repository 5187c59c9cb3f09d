"""A Diskwars bot that looks ahead: it plays each of a few answers on to the end of the round and takes the best."""

import random
from math import sqrt
from statistics import mean, stdev

from diskwars_bots.rulesets.diskwars.greedy_bot import choose_greedy, weigh_answers
from diskwars_bots.rulesets.diskwars.position_value import position_value
from diskwars_bots.rulesets.diskwars.search_game import simulate
from diskwars_bots.rulesets.diskwars.simulation import possible_board, winners_of
from diskwars_bots.rulesets.diskwars.situation import Situation
from diskwars_engine.ruleset import Illegal

CANDIDATES = 4  # answers that are compared; the first is what the greedy bot would play
BOARDS = 6  # how often each of them is played on; more is stronger and slower
DOUBT = 1.0  # standard errors by which another answer has to be better than the greedy one


def choose(match, decision, options, rng):
    usual = choose_greedy(match, decision, options, rng)
    board, seat = match.board, decision.seat
    if board is None or board.phase == "setup":
        return usual
    scored = weigh_answers(Situation(board, seat), decision.question, options, rng, moves_per_disk=2)
    scored.sort(key=lambda pair: -pair[0])
    others = [action for _, action in scored if action != usual][: CANDIDATES - 1]
    worlds = [possible_world(board, seat, rng) for _ in range(BOARDS)] if others else []
    if not worlds or None in worlds:
        return usual
    base = [value_after(world, seat, usual) for world in worlds]

    def advantage(action):
        gains = [value_after(world, seat, action) - before for world, before in zip(worlds, base, strict=True)]
        return mean(gains) - DOUBT * stdev(gains) / sqrt(BOARDS)

    found = {advantage(action): action for action in others}
    best = max(found)
    return found[best] if best > 0 else usual


def possible_world(board, seat, rng):
    """Return a whole board that could be the true one and a seed for its dice; None if nothing is known of it."""
    seed = rng.getrandbits(64)
    whole = possible_board(board, seat, random.Random(seed))
    return whole and (whole, seed)


def value_after(world, seat, action):
    """Return what the round comes to if the seat answers this and everybody then plays greedily."""
    board, seed = world
    try:
        end = simulate(board, seat, action, random.Random(seed), has_expired=lambda: False)
    except Illegal:  # legal on the true board, but not on this one
        return -10_000
    return position_value(end, seat, winners_of(end))
