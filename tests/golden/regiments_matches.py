"""Matches of regiments that end in every way there is, for transcripts and for golden match files."""

from collections.abc import Callable
from typing import Any

from diskwars_protocol.match.actions import ReplaceChain
from diskwars_protocol.rulesets.regiments.actions import Charge, Hold, March, RegimentsSettings
from tests.engine.played_match import player_of
from tests.golden import bot_matches
from tests.golden.bot_matches import BotMatch, let_a_player_lose_their_chain, let_the_house_answer, play, resign

SECRET_SEED = 6
"""Orders of every kind are locked, and charges and marches are not possible any more when their turn comes."""


def opened(seed: int, players: int = 2, has_clock: bool = False, **settings: Any) -> BotMatch:
    """Return a match in which everybody is ready."""
    return bot_matches.opened("regiments", RegimentsSettings(**settings), seed, players, has_clock)


def standing_still(chosen: Any, decision: Any) -> Any:
    """Neither march nor charge."""
    return Hold() if isinstance(chosen, Charge | March) else None


# ---------------------------------------------------------------- matches by their ends


def last_side() -> BotMatch:
    """Return a match that leaves no unit of one side on the field."""
    return play(opened(3), 3)


def barrow_road() -> BotMatch:
    """Return a match of the living against the dead, with two dice for break tests and no flank tests."""
    return play(opened(4, scenario="barrow-road", break_die="2d6", flank_test=False), 4)


def resigned() -> BotMatch:
    local = play(opened(5), 5, records=14)
    resign(local, 1)
    return local


def drawn() -> BotMatch:
    """Return a match in which nobody ever meets."""
    return play(opened(2), 2, instead=standing_still)


def counted() -> BotMatch:
    """Return a match that ends after the last round, with more left of one side."""
    local = play(opened(6), 6, records=22)
    return play(local, 6, instead=standing_still)


def four_players() -> BotMatch:
    """Return a match of random answers with a clock: the house answers, a chain is replaced, a player resigns."""
    local = opened(4, 4, has_clock=True, scenario="barrow-road")
    let_a_player_lose_their_chain(local, 4)
    play(local, 4, "random", records=12)
    resign(local, 2)
    return play(local, 4, "random")


def left_alone() -> BotMatch:
    """Return a match of four of whom three resign: the last one wins without the partner who left."""
    local = play(opened(8, 4), 8, records=9)
    for seat in (1, 0, 2):
        resign(local, seat)
    return local


def destroyed() -> BotMatch:
    """Return a match in which the last model of a unit falls."""
    return play(opened(77, scenario="barrow-road"), 77)


def rallied() -> BotMatch:
    """Return a match in which a unit flees past an enemy that hacks at it, and one rallies."""
    return play(opened(123, scenario="barrow-road"), 123)


def secret() -> BotMatch:
    """Return a match with secret orders, of which the house locks some, and a chain is replaced."""
    local = play(opened(SECRET_SEED, has_clock=True, secret_orders=True), SECRET_SEED, records=3)
    let_the_house_answer(local)
    local.commit(local.decide(player_of(1), None, ReplaceChain("ab" * 16)))
    return play(local, SECRET_SEED)


def task_done() -> BotMatch:
    """Return a match in which a last stand is left alone to the end."""
    return play(opened(11, scenario="the-pass"), 11, instead=standing_still)


def task_failed() -> BotMatch:
    """Return a match in which nobody goes for the fords."""
    return play(opened(12, scenario="the-fords"), 12, instead=standing_still)


MATCHES: dict[str, Callable[[], BotMatch]] = {
    "last-side": last_side,
    "barrow-road": barrow_road,
    "resigned": resigned,
    "drawn": drawn,
    "counted": counted,
    "four-players": four_players,
    "left-alone": left_alone,
    "destroyed": destroyed,
    "rallied": rallied,
    "secret": secret,
    "task-done": task_done,
    "task-failed": task_failed,
}
