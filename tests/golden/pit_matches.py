"""Matches of the pit that end in every way there is, for transcripts and for golden match files."""

from collections.abc import Callable
from typing import Any

from diskwars_protocol.rulesets.pit.actions import Concede, ConcedeQuestion, EndPhase, Engage, Move, PitSettings
from tests.golden import bot_matches
from tests.golden.bot_matches import BotMatch, let_a_player_lose_their_chain, play, resign


def opened(seed: int, players: int = 2, scenario: Any = "the-pit", has_clock: bool = False) -> BotMatch:
    """Return a match in which everybody is ready."""
    return bot_matches.opened("pit", PitSettings(scenario), seed, players, has_clock)


def conceding(chosen: Any, decision: Any) -> Any:
    """Concede as soon as that is asked."""
    return Concede(True) if isinstance(decision.question, ConcedeQuestion) else None


def standing_still(chosen: Any, decision: Any) -> Any:
    """Neither engage nor move."""
    return EndPhase() if isinstance(chosen, Engage | Move) else None


# ---------------------------------------------------------------- matches by their ends


def routed() -> BotMatch:
    return play(opened(3), 3)


def taken_out() -> BotMatch:
    """Return a match that leaves no fighter of one side."""
    return play(opened(8), 8)


def conceded() -> BotMatch:
    return play(opened(2), 2, instead=conceding)


def resigned() -> BotMatch:
    local = play(opened(5), 5, records=8)
    resign(local, 1)
    return local


def drawn() -> BotMatch:
    """Return a match in which nobody ever meets."""
    return play(opened(2), 2, instead=standing_still)


def counted() -> BotMatch:
    """Return a match that ends after the last round, with more fighters on one side."""
    local = play(opened(6), 6, records=12)
    return play(local, 6, instead=standing_still)


def four_players() -> BotMatch:
    """Return a match of random answers with a clock: the house answers, a chain is replaced, a player resigns."""
    local = opened(4, 4, "grave-pit", has_clock=True)
    let_a_player_lose_their_chain(local, 4)
    play(local, 4, "random", records=20)
    assert local.match.board is not None
    seats = local.match.board.seats
    resign(local, next(seat for seat, state in enumerate(seats) if not state.withdrawn))
    return play(local, 4, "random")


def divided() -> BotMatch:
    """Return a match of random answers in which attacks are divided among targets, and hits are dropped."""
    return play(opened(58), 58, "random")


def task_done() -> BotMatch:
    """Return a match in which a last stand is left alone to the end."""
    return play(opened(11, scenario="the-last-stand"), 11, instead=standing_still)


def task_failed() -> BotMatch:
    """Return a match in which nobody goes for the gate."""
    return play(opened(12, scenario="the-gate"), 12, instead=standing_still)


MATCHES: dict[str, Callable[[], BotMatch]] = {
    "routed": routed,
    "taken-out": taken_out,
    "conceded": conceded,
    "resigned": resigned,
    "drawn": drawn,
    "counted": counted,
    "four-players": four_players,
    "task-done": task_done,
    "task-failed": task_failed,
}
