"""Regiments as the search sees it."""

import random

from diskwars_bots.rulesets.regiments.search_game import HORIZON_ROUNDS, REGIMENTS_GAME
from diskwars_bots.search.simulation import simulate
from diskwars_protocol.rulesets.regiments.actions import Hold
from tests.engine.rulesets.regiments.regiments_positions import lay_out, unit


def test_simulation_is_played_to_the_end_of_the_next_round() -> None:
    board = lay_out(unit("foot", 0, 1, 4, "east"), unit("foot", 1, 9, 4, "west"))
    ends = [simulate(REGIMENTS_GAME, board, 0, Hold(), random.Random(seed), lambda: False).round for seed in range(3)]
    assert ends == [board.round + HORIZON_ROUNDS] * 3
