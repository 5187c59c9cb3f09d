"""Matches of any ruleset whose seats are left and taken again before they begin, for golden match files."""

from collections.abc import Callable
from typing import Any

from diskwars_engine.local import LocalMatch, LocalSeat
from diskwars_engine.match import AnyRules, MatchOpening
from diskwars_engine.match_dice import MatchSecrets
from diskwars_protocol.match.actions import Kick, LeaveSeat, Ready, Resign, TakeSeat
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.records.fairness import seeded_entropy
from tests.engine.played_match import player_of

AnyLocal = LocalMatch[Any, Any, Any]
STRANGER = PlayerId("stranger")


def opened(rules: AnyRules, name: str, settings: Any, loadouts: tuple[Any, ...]) -> AnyLocal:
    """Return a match of which every seat is free."""
    seats = [
        LocalSeat(player_of(seat), loadout, seeded_entropy(seat, f"seats {name}"))
        for seat, loadout in enumerate(loadouts)
    ]
    secrets = MatchSecrets(seeded_entropy(8, "server")(32), seeded_entropy(8, "deal")(32))
    opening = MatchOpening(MatchId(f"{name}-seats"), settings, len(loadouts), player_of(0), 0, True)
    return LocalMatch(rules, opening, secrets, seats)


def take(local: AnyLocal, seat: int) -> None:
    """Let the player who is to sit there take a free seat."""
    decision = next(open_ for open_ in local.match.decisions if open_.seat == seat)
    local.answer(decision, TakeSeat(local.seats[seat].head, local.seats[seat].loadout))


def make_ready(local: AnyLocal, seat: int) -> None:
    decision = next(open_ for open_ in local.match.decisions if open_.seat == seat)
    local.answer(decision, Ready(local.next_nonce(seat)))


def leave(local: AnyLocal, seat: int) -> None:
    player = local.match.seats[seat].player
    assert player is not None
    local.commit(local.decide(player, None, LeaveSeat()))


def kick(local: AnyLocal, seat: int) -> None:
    local.commit(local.rules.kick(local.match, len(local.records), 0, player_of(0), Kick(seat)))


def play_with_vacancies(local: AnyLocal, answer_first: Callable[[AnyLocal], object]) -> AnyLocal:
    """Let a seat be left and another be freed by the opener after others were ready, then begin, and resign."""
    seats = list(local.seats)
    local.seats = seats
    for seat in range(len(seats)):
        take(local, seat)
    make_ready(local, 0)
    leave(local, 1)
    own = seats[1]
    seats[1] = LocalSeat(STRANGER, own.loadout, seeded_entropy(1, "stranger"))
    take(local, 1)
    make_ready(local, 1)
    kick(local, 1)
    seats[1] = LocalSeat(own.player, own.loadout, seeded_entropy(1, "back"))
    take(local, 1)
    list(local.begin())
    answer_first(local)
    local.commit(local.decide(player_of(1), None, Resign()))
    return local
