"""Matches of the pit that end in every way there is, for transcripts and for golden match files."""

from collections.abc import Callable
from itertools import count
from typing import Any

from diskwars_bots.rulesets.pit.bots import BOTS
from diskwars_cli import seeds
from diskwars_cli.match_setup import load_ruleset
from diskwars_engine.local import LocalMatch, LocalSeat
from diskwars_engine.match import MatchOpening, MatchRules, MatchSecrets
from diskwars_protocol.match import HOUSE, MatchId, ReplaceChain, Resign, Seat
from diskwars_protocol.match_options import DEFAULT_MATCH_OPTIONS, MatchClock, MatchOptions
from diskwars_protocol.rulesets.pit.actions import (
    Concede,
    ConcedeQuestion,
    EndPhase,
    Engage,
    Move,
    PitLoadout,
    PitSettings,
)
from tests.engine.played_match import player_of

PitMatch = LocalMatch[Any, Any, Any]
Answer = Callable[[Any, Any], Any]
"""Returns an action for the action that a bot has chosen, and for the decision; the bot's if it is None."""
HOUSE_SECONDS = 30
SECRET_BYTES = 32
LONGEST_MATCH = 1000


def opened(seed: int, players: int = 2, scenario: Any = "the-pit", has_clock: bool = False) -> PitMatch:
    """Return a match in which everybody is ready."""
    entropy = seeds.server_entropy(seed)
    options = MatchOptions(clock=MatchClock(HOUSE_SECONDS)) if has_clock else DEFAULT_MATCH_OPTIONS
    clock = count(0, HOUSE_SECONDS * 1000)
    seats = [LocalSeat(player_of(seat), PitLoadout(), seeds.seat_entropy(seed, seat)) for seat in range(players)]
    settings = PitSettings(scenario)
    opening = MatchOpening(MatchId(f"pit-{seed}"), settings, players, player_of(0), 0, True, options=options)
    secrets = MatchSecrets(entropy(SECRET_BYTES), entropy(SECRET_BYTES))
    rules = MatchRules(load_ruleset("pit", ()))
    local = LocalMatch(rules, opening, secrets, seats, (lambda: next(clock)) if has_clock else (lambda: 0))
    list(local.begin())
    return local


def play(
    local: PitMatch, seed: int, bot: str = "greedy", records: int = LONGEST_MATCH, instead: Answer | None = None
) -> PitMatch:
    """Let a bot answer for every seat, to the end or for some records; `instead` may answer otherwise."""
    rng, last = seeds.bot_rng(seed, 0), len(local.records) + records
    while not local.is_over and len(local.records) < last:
        decision = local.match.decisions[0]
        chosen = BOTS[bot](local.match, decision, local.rules.options(local.match, decision), rng)
        other = instead(chosen, decision) if instead else None
        local.answer(decision, chosen if other is None else other)
    return local


def resign(local: PitMatch, seat: Seat) -> None:
    local.commit(local.decide(player_of(seat), None, Resign()))


def conceding(chosen: Any, decision: Any) -> Any:
    """Concede as soon as that is asked."""
    return Concede(True) if isinstance(decision.question, ConcedeQuestion) else None


def standing_still(chosen: Any, decision: Any) -> Any:
    """Neither engage nor move."""
    return EndPhase() if isinstance(chosen, Engage | Move) else None


# ---------------------------------------------------------------- matches by their ends


def routed() -> PitMatch:
    return play(opened(3), 3)


def taken_out() -> PitMatch:
    """Return a match that leaves no fighter of one side."""
    return play(opened(8), 8)


def conceded() -> PitMatch:
    return play(opened(2), 2, instead=conceding)


def resigned() -> PitMatch:
    local = play(opened(5), 5, records=8)
    resign(local, 1)
    return local


def drawn() -> PitMatch:
    """Return a match in which nobody ever meets."""
    return play(opened(2), 2, instead=standing_still)


def counted() -> PitMatch:
    """Return a match that ends after the last round, with more fighters on one side."""
    local = play(opened(6), 6, records=12)
    return play(local, 6, instead=standing_still)


def four_players() -> PitMatch:
    """Return a match of random answers with a clock: the house answers, a chain is replaced, a player resigns."""
    local = opened(4, 4, "grave-pit", has_clock=True)
    play(local, 4, "random", records=10)
    for _ in range(3):
        decision = local.match.decisions[0]
        local.commit(local.decide(HOUSE, decision.id, local.rules.default(local.match, decision, local.secrets)))
        play(local, 4, "random", records=2)
    local.commit(local.decide(player_of(0), None, ReplaceChain("ab" * 16)))
    play(local, 4, "random", records=20)
    assert local.match.board is not None
    sides = local.match.board.sides
    resign(local, next(seat for seat, side in enumerate(sides) if not side.withdrawn))
    return play(local, 4, "random")


def divided() -> PitMatch:
    """Return a match of random answers in which attacks are divided among targets, and hits are dropped."""
    return play(opened(58), 58, "random")


MATCHES: dict[str, Callable[[], PitMatch]] = {
    "routed": routed,
    "taken-out": taken_out,
    "conceded": conceded,
    "resigned": resigned,
    "drawn": drawn,
    "counted": counted,
    "four-players": four_players,
}
