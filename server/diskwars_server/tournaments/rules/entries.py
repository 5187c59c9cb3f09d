"""Entries into a tournament, withdrawals and check-ins. Every function returns events, or raises Illegal."""

from collections.abc import Iterator

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.tournaments.events import (
    EntrantCheckedIn,
    EntrantEntered,
    EntrantPromoted,
    EntrantWithdrew,
    TournamentEvent,
    WithdrawalReason,
)
from diskwars_protocol.tournaments.options import MAX_ENTRANTS, MAX_WAITING
from diskwars_protocol.tournaments.state import Entrant, Tournament

MAX_ENTRIES = MAX_ENTRANTS + MAX_WAITING
"""Entrants in all, those included who have withdrawn."""


def enter(state: Tournament, player: PlayerId) -> list[TournamentEvent]:
    """Let a player in, also one who had withdrawn; after the limit they wait for a place."""
    known = state.entrant_of(player)
    if known is not None and known.status != "withdrawn":
        return []  # as the same request did before
    _require_entry(state, is_return=known is not None)
    number = _next_number(state) if known is None else known.number
    return [_entered(state, number, player=player)]


def enter_bot(state: Tournament, bot: str) -> list[TournamentEvent]:
    """Let a bot of the server in, of which several may have the same name."""
    if not state.options.bots:
        raise Illegal("no_bots_here", "this tournament was opened without bots")
    _require_entry(state, is_return=False)
    return [_entered(state, _next_number(state), bot=bot)]


def withdraw(state: Tournament, entrant: Entrant, reason: WithdrawalReason) -> list[TournamentEvent]:
    """Let an entrant leave. Before the start the first who waits gets the place."""
    require_unfinished(state)
    if entrant.status == "withdrawn":
        return []
    left: list[TournamentEvent] = [EntrantWithdrew(entrant.number, reason)]
    if state.status == "open" and entrant.status == "entered":
        left.extend(promote(state, 1))
    return left


def promote(state: Tournament, places: int, *, checked_in: bool = False) -> Iterator[EntrantPromoted]:
    """Yield the first entrants who wait, for free places; with `checked_in` only those who are there."""
    waiting = [entrant for entrant in state.entrants if entrant.status == "waiting"]
    for entrant in [entrant for entrant in waiting if entrant.checked_in or not checked_in][:places]:
        yield EntrantPromoted(entrant.number)


def check_in(state: Tournament, entrant: Entrant, at_ms: int) -> list[TournamentEvent]:
    """Note that an entrant is there, in the time before the start that the options name."""
    if entrant.status == "withdrawn":
        raise Illegal("not_entered", "an entrant who has withdrawn cannot check in")
    if entrant.checked_in:
        return []
    opens_ms = check_in_ms(state)
    if state.status != "open" or opens_ms is None or at_ms < opens_ms:
        raise Illegal("no_check_in", "nobody can check in now")
    return [EntrantCheckedIn(entrant.number)]


def check_in_ms(state: Tournament) -> int | None:
    """Return from when entrants can check in; None where nobody has to."""
    options = state.options
    if options.starts_ms is None or not options.check_in_minutes:
        return None
    return options.starts_ms - 60_000 * options.check_in_minutes


def require_entrant(state: Tournament, player: str) -> Entrant:
    """Return the entrant that a player is. Raises Illegal."""
    entrant = state.entrant_of(player)
    if entrant is None:
        raise Illegal("not_entered", "you are not in this tournament")
    return entrant


def require_unfinished(state: Tournament) -> None:
    if state.status in ("ended", "cancelled"):
        raise Illegal("tournament_over", "the tournament is over")


def _require_entry(state: Tournament, *, is_return: bool) -> None:
    require_unfinished(state)
    if state.status == "running":
        _require_late_entry(state, is_return=is_return)
    elif not is_return and _is_full(state):
        raise _full()
    if not is_return and len(state.entrants) >= MAX_ENTRIES:
        raise _full()


def _require_late_entry(state: Tournament, *, is_return: bool) -> None:
    options = state.options
    takes_late = options.format == "arena" or (options.format == "swiss" and (options.late_entry or is_return))
    if not takes_late or state.finalists or (options.format == "swiss" and len(state.rounds) >= state.round_count):
        raise Illegal("tournament_begun", "the tournament has begun and takes nobody in")
    if _count(state, "entered") >= options.entrant_limit:
        raise _full()


def _is_full(state: Tournament) -> bool:
    return _count(state, "waiting") >= MAX_WAITING


def _full() -> Illegal:
    return Illegal("tournament_full", "the tournament takes no more entrants")


def _count(state: Tournament, status: str) -> int:
    return sum(entrant.status == status for entrant in state.entrants)


def _next_number(state: Tournament) -> int:
    return len(state.entrants) + 1


def _entered(state: Tournament, number: int, player: PlayerId | None = None, bot: str | None = None) -> EntrantEntered:
    is_waiting = state.status == "open" and _count(state, "entered") >= state.options.entrant_limit
    from_round = len(state.rounds) + 1
    return EntrantEntered(number, player, bot, is_waiting=is_waiting, from_round=from_round)
