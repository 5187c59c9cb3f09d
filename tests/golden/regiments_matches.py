"""Matches of regiments that end in every way there is, for transcripts and for golden match files."""

from collections.abc import Callable
from itertools import count
from typing import Any

from diskwars_bots.rulesets.regiments.bots import BOTS
from diskwars_cli import seeds
from diskwars_cli.match_setup import load_ruleset
from diskwars_engine.local import LocalMatch, LocalSeat
from diskwars_engine.match import MatchOpening, MatchRules, MatchSecrets
from diskwars_protocol.match import HOUSE, MatchId, ReplaceChain, Resign, Seat
from diskwars_protocol.match_options import DEFAULT_MATCH_OPTIONS, MatchClock, MatchOptions
from diskwars_protocol.rulesets.regiments.actions import Charge, Hold, March, RegimentsLoadout, RegimentsSettings
from tests.engine.played_match import player_of

RegimentsMatch = LocalMatch[Any, Any, Any]
Answer = Callable[[Any, Any], Any]
"""Returns an action for the action that a bot has chosen, and for the decision; the bot's if it is None."""
HOUSE_SECONDS = 30
SECRET_BYTES = 32
LONGEST_MATCH = 1000
SECRET_SEED = 6
"""Orders of every kind are locked, and charges and marches are not possible any more when their turn comes."""


def opened(seed: int, players: int = 2, has_clock: bool = False, **settings: Any) -> RegimentsMatch:
    """Return a match in which everybody is ready."""
    entropy = seeds.server_entropy(seed)
    options = MatchOptions(clock=MatchClock(HOUSE_SECONDS)) if has_clock else DEFAULT_MATCH_OPTIONS
    clock = count(0, HOUSE_SECONDS * 1000)
    seats = [LocalSeat(player_of(seat), RegimentsLoadout(), seeds.seat_entropy(seed, seat)) for seat in range(players)]
    match = MatchId(f"regiments-{seed}")
    opening = MatchOpening(match, RegimentsSettings(**settings), players, player_of(0), 0, True, options=options)
    secrets = MatchSecrets(entropy(SECRET_BYTES), entropy(SECRET_BYTES))
    rules = MatchRules(load_ruleset("regiments", ()))
    local = LocalMatch(rules, opening, secrets, seats, (lambda: next(clock)) if has_clock else (lambda: 0))
    list(local.begin())
    return local


def play(
    local: RegimentsMatch, seed: int, bot: str = "greedy", records: int = LONGEST_MATCH, instead: Answer | None = None
) -> RegimentsMatch:
    """Let a bot answer for every seat, to the end or for some records; `instead` may answer otherwise."""
    rng, last = seeds.bot_rng(seed, 0), len(local.records) + records
    while not local.is_over and len(local.records) < last:
        decision = local.match.decisions[0]
        chosen = BOTS[bot](local.match, decision, local.rules.options(local.match, decision), rng)
        other = instead(chosen, decision) if instead else None
        local.answer(decision, chosen if other is None else other)
    return local


def resign(local: RegimentsMatch, seat: Seat) -> None:
    local.commit(local.decide(player_of(seat), None, Resign()))


def standing_still(chosen: Any, decision: Any) -> Any:
    """Neither march nor charge."""
    return Hold() if isinstance(chosen, Charge | March) else None


# ---------------------------------------------------------------- matches by their ends


def last_side() -> RegimentsMatch:
    """Return a match that leaves no unit of one side on the field."""
    return play(opened(3), 3)


def barrow_road() -> RegimentsMatch:
    """Return a match of the living against the dead, with two dice for break tests and no flank tests."""
    return play(opened(4, scenario="barrow-road", break_die="2d6", flank_test=False), 4)


def resigned() -> RegimentsMatch:
    local = play(opened(5), 5, records=14)
    resign(local, 1)
    return local


def drawn() -> RegimentsMatch:
    """Return a match in which nobody ever meets."""
    return play(opened(2), 2, instead=standing_still)


def counted() -> RegimentsMatch:
    """Return a match that ends after the last round, with more left of one side."""
    local = play(opened(6), 6, records=30)
    return play(local, 6, instead=standing_still)


def four_players() -> RegimentsMatch:
    """Return a match of random answers with a clock: the house answers, a chain is replaced, a player resigns."""
    local = opened(4, 4, has_clock=True, scenario="barrow-road")
    play(local, 4, "random", records=10)
    for _ in range(3):
        decision = local.match.decisions[0]
        local.commit(local.decide(HOUSE, decision.id, local.rules.default(local.match, decision, local.secrets)))
        play(local, 4, "random", records=2)
    local.commit(local.decide(player_of(0), None, ReplaceChain("ab" * 16)))
    play(local, 4, "random", records=12)
    resign(local, 2)
    return play(local, 4, "random")


def destroyed() -> RegimentsMatch:
    """Return a match in which the last model of a unit falls."""
    return play(opened(77, scenario="barrow-road"), 77)


def rallied() -> RegimentsMatch:
    """Return a match in which a unit flees past an enemy that hacks at it, and one rallies."""
    return play(opened(83, scenario="barrow-road"), 83)


def secret() -> RegimentsMatch:
    """Return a match with secret orders, of which the house locks some, and a chain is replaced."""
    local = play(opened(SECRET_SEED, has_clock=True, secret_orders=True), SECRET_SEED, records=3)
    decision = local.match.decisions[0]
    local.commit(local.decide(HOUSE, decision.id, local.rules.default(local.match, decision, local.secrets)))
    local.commit(local.decide(player_of(1), None, ReplaceChain("ab" * 16)))
    return play(local, SECRET_SEED)


MATCHES: dict[str, Callable[[], RegimentsMatch]] = {
    "last-side": last_side,
    "barrow-road": barrow_road,
    "resigned": resigned,
    "drawn": drawn,
    "counted": counted,
    "four-players": four_players,
    "destroyed": destroyed,
    "rallied": rallied,
    "secret": secret,
}
