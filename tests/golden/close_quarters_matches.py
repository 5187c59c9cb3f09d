"""Matches of close quarters that end in every way there is, for transcripts and for golden match files."""

from collections.abc import Callable
from typing import Any

from diskwars_protocol.rulesets.close_quarters import plans, position
from diskwars_protocol.rulesets.close_quarters.actions import (
    ActionQuestion,
    Advance,
    CloseQuartersSettings,
    Double,
    Hold,
)
from tests.golden import bot_matches
from tests.golden.bot_matches import BotMatch, let_a_player_lose_their_chain, play, resign

BARRICADE_SEED = 23
BASE_AT_THE_LINE = 51
"""How far from the barricade the foremost models stop: bases touch it from 48 to 56."""


def opened(
    seed: int,
    players: int = 2,
    scenario: Any = "boarding-action",
    has_clock: bool = False,
    has_barricade: bool = False,
) -> BotMatch:
    """Return a match in which everybody is ready."""
    settings = CloseQuartersSettings(scenario, has_barricade)
    return bot_matches.opened("close_quarters", settings, seed, players, has_clock)


def holding(chosen: Any, decision: Any) -> Any:
    """Never move."""
    return Hold() if isinstance(chosen, Advance | Double) else None


# ---------------------------------------------------------------- matches by their ends


def taken_out() -> BotMatch:
    """Return a match that leaves no model of one side: some are caught, one runs off the table."""
    return play(opened(33), 33)


def routed() -> BotMatch:
    """Return a match in which units rout."""
    return play(opened(3), 3)


def counted() -> BotMatch:
    """Return a match that ends after the last turn, with more points on one side."""
    return play(opened(15), 15)


def drawn() -> BotMatch:
    """Return a match in which nobody ever meets."""
    return play(opened(1), 1, instead=holding)


def resigned() -> BotMatch:
    local = play(opened(6), 6, records=14)
    resign(local, 1)
    return local


def brutes() -> BotMatch:
    """Return a match with brutes, in which a unit finds its target gone before it fires."""
    return play(opened(27, scenario="brutes"), 27)


def four_players() -> BotMatch:
    """Return a match of two players a side, in which hits are spread over two units."""
    return play(opened(13, 4, "brutes"), 13)


def partners() -> BotMatch:
    """Return a match of random answers with a clock: the house answers, a chain is replaced, a whole side resigns."""
    local = opened(4, 4, "brutes", has_clock=True)
    let_a_player_lose_their_chain(local, 4)
    play(local, 4, "random", records=20)
    resign(local, 2)
    play(local, 4, "random", records=8)
    resign(local, 0)
    return local


def engaged() -> BotMatch:
    """Return a match whose models go to the nearest places in contact, past their friends."""
    return play(opened(31), 31)


def at_random() -> BotMatch:
    return play(opened(28, scenario="brutes"), 28, "random")


def barricade() -> BotMatch:
    """Return a match with a barricade, to which units advance and across which models fight."""
    local = opened(BARRICADE_SEED, has_barricade=True)

    def to_the_barricade(chosen: Any, decision: Any) -> Any:
        """Advance straight ahead until the foremost model touches the barricade, if it is near enough."""
        board, question = local.match.board, decision.question
        if board is None or not isinstance(question, ActionQuestion):
            return None
        ahead = 1 if board.units[question.unit].side == 0 else -1
        middle, foremost = board.width // 2, max(ahead * model.x for model in position.models_of(board, question.unit))
        way = min(plans.advance_distance(board, question.unit), ahead * middle - foremost - BASE_AT_THE_LINE)
        moves = plans.shift(board, question.unit, ahead * way, 0)
        distance = plans.advance_distance(board, question.unit)
        is_legal = way > 0 and plans.find_fault(board, question.unit, moves, distance, keeps_away=True) is None
        return Advance(moves) if is_legal else Hold()

    return play(local, BARRICADE_SEED, instead=to_the_barricade)


def task_done() -> BotMatch:
    """Return a match in which a last stand is left alone to the end."""
    return play(opened(11, scenario="the-last-post"), 11, instead=holding)


def task_failed() -> BotMatch:
    """Return a match in which nobody breaks out."""
    return play(opened(12, scenario="the-break-out"), 12, instead=holding)


MATCHES: dict[str, Callable[[], BotMatch]] = {
    "taken-out": taken_out,
    "routed": routed,
    "counted": counted,
    "drawn": drawn,
    "resigned": resigned,
    "four-players": four_players,
    "partners": partners,
    "barricade": barricade,
    "task-done": task_done,
    "task-failed": task_failed,
}
