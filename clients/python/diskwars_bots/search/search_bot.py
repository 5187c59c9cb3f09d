"""The search bot: compares promising answers by a search, and keeps what ends best.

What seats choose at once and in secret is mixed, as far as the search can tell, so that no reply beats it.
"""

import random
from collections.abc import Callable
from typing import Any

from diskwars_bots.search.candidates import candidate_answers
from diskwars_bots.search.game import AnyOptions, SearchGame
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.search import Search
from diskwars_bots.search.secret_choices import choose_mixed
from diskwars_protocol.match.decisions import Decision


class SearchBot:
    """A chooser of a level. `clock` returns milliseconds; a level without them plays the same again from the same seed.

    It never runs longer than its milliseconds and one step of a simulation.
    """

    def __init__(self, game: SearchGame, level: SearchLevel, clock: Callable[[], int]) -> None:
        self._game, self._level, self._clock = game, level, clock

    def __call__(self, match: Any, decision: Decision[Any], options: AnyOptions, rng: random.Random) -> Any:
        """Choose the answer that ends best, as far as the level looks."""
        game, board = self._game, match.board
        if board is None or not game.is_searched(board, decision.question):
            return game.choose_unsearched(match, decision, options, rng)
        search = Search(game, board, decision.seat, self._level, self._clock, rng)
        candidates = candidate_answers(game, board, decision, options, rng, self._level)
        if not candidates:
            return game.choose_unweighed(match, decision, options, rng)
        secret = game.secret_choices
        if secret is not None and secret.is_secret(decision.question) and game.seat_count(board) == 2:
            return choose_mixed(search, secret, candidates, rng)
        return search.best_of(candidates)
