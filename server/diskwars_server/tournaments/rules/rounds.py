"""The pairing of the next round, in every format, and the end of a tournament.

Swiss pairing of many takes up to a second of processor time: a server calls this outside of its event loop.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.tournaments.brackets import bracket_of
from diskwars_protocol.tournaments.events import (
    BoardDecided,
    FinalBegan,
    PairedBoard,
    RoundEnded,
    RoundPaired,
    Stage,
    TournamentEnded,
    TournamentEvent,
)
from diskwars_protocol.tournaments.fold import fold_event
from diskwars_protocol.tournaments.options import MAX_ARENA_BOARDS
from diskwars_protocol.tournaments.standings import rank_by_points, standings_of
from diskwars_protocol.tournaments.state import Tournament, TournamentBoard, active_entrants
from diskwars_server.tournaments.rules.round_robin import schedule_round
from diskwars_server.tournaments.rules.swiss import SwissEntrant, order_seats, pair_swiss

MatchIdOf: TypeAlias = Callable[[int, int, int], MatchId]
"""Returns the id of a match by its round, its board and its attempt."""


class _Pairing(Struct, frozen=True):
    """Who meets whom in a round, with the places of a bracket, and who has a bye."""

    pairs: Sequence[tuple[int, int]]
    places: Sequence[str | None] = ()
    byes: Sequence[int] = ()
    stage: Stage = "main"


def wants_round(state: Tournament, at_ms: int) -> bool:
    """Return whether the next round can be paired, or the tournament ended, once somebody says so."""
    if state.status != "running" or state.paused_ms is not None:
        return False
    if state.is_arena:
        return _wants_arena_round(state, at_ms)
    return not state.rounds or state.rounds[-1].is_over


def begin_round(state: Tournament, at_ms: int, match_id: MatchIdOf) -> list[TournamentEvent]:
    """Return the events of the next round: its pairing, or the end where nothing is left to be played."""
    events: list[TournamentEvent] = []
    if _is_final_due(state):
        best = [row.entrant for row in rank_by_points(state) if state.entrant(row.entrant).status == "entered"]
        size = min(state.options.final_top, 1 << (len(best).bit_length() - 1) if best else 0)
        if size >= 2:
            events.append(FinalBegan(tuple(best[:size])))
            state = fold_event(state, events[0], at_ms)
    is_over = state.is_arena and _is_arena_over(state, at_ms)
    pairing = None if is_over else _pair(state)
    if pairing is None or not pairing.pairs:
        # An arena with nobody free just waits.
        return [] if state.is_arena and not is_over else [*events, _end(state)]
    return [*events, *_paired(state, pairing, at_ms, match_id)]


def _is_final_due(state: Tournament) -> bool:
    options = state.options
    is_due = options.format in ("swiss", "round_robin") and len(state.rounds) >= state.round_count
    return is_due and options.final_top > 0 and not state.finalists


def _pair(state: Tournament) -> _Pairing | None:
    """Return the next round; None where all are played."""
    if state.is_bracket or state.finalists:
        return _pair_bracket(state)
    number = len(state.rounds) + 1
    if state.is_arena:
        return _pair_arena(state)
    if number > state.round_count:
        return None
    if state.options.format == "round_robin":
        return _Pairing(schedule_round(state.seeds, number))
    active = [entrant.number for entrant in active_entrants(state, number)]
    if len(active) < 2:
        return None
    swiss = pair_swiss(swiss_entrants(state, active))
    return _Pairing(swiss.boards, byes=() if swiss.bye is None else (swiss.bye,))


def _pair_bracket(state: Tournament) -> _Pairing:
    ready = [place for place in bracket_of(state) if place.is_ready]
    # Those with a free place before wait for the others, so that a round is a column of the bracket.
    ready = [place for place in ready if place.level == min(other.level for other in ready)]
    known = {entrant.number: entrant for entrant in swiss_entrants(state, list(state.seeds))}
    pairs = []
    for place in ready:
        first, second = place.entrants
        assert first
        assert second
        seated = order_seats(known[first], known[second])
        pairs.append((seated[0].number, seated[1].number))
    return _Pairing(pairs, [place.place for place in ready], stage="final" if state.finalists else "main")


# ---------------------------------------------------------------- arena


def _wants_arena_round(state: Tournament, at_ms: int) -> bool:
    if _is_arena_over(state, at_ms):
        return not _open_boards(state)
    return len(_free_entrants(state)) >= 2


def _is_arena_over(state: Tournament, at_ms: int) -> bool:
    boards = sum(len(round_.boards) for round_ in state.rounds)
    return at_ms >= (state.arena_ends_ms or 0) or boards + len(state.entrants) // 2 > MAX_ARENA_BOARDS


def _open_boards(state: Tournament) -> list[TournamentBoard]:
    return [board for round_ in state.rounds if not round_.is_over for board in round_.boards if not board.result]


def _free_entrants(state: Tournament) -> list[int]:
    """Return who can be paired now, first those whose last match is the longest ago."""
    playing = {number for board in _open_boards(state) for number in board.entrants}
    last = {number: round_.number for round_ in state.rounds for board in round_.boards for number in board.entrants}
    free = [entrant.number for entrant in active_entrants(state) if entrant.number not in playing]
    return sorted(free, key=lambda number: last.get(number, 0))


def _pair_arena(state: Tournament) -> _Pairing:
    free = _free_entrants(state)
    paired = free[: len(free) // 2 * 2]  # of an odd number, who has just played waits
    order = {number: place for place, number in enumerate(state.seeds)}
    entrants = swiss_entrants(state, sorted(paired, key=lambda number: order[number]), last_opponent_only=True)
    return _Pairing(pair_swiss(entrants).boards if entrants else ())


# ---------------------------------------------------------------- what has been played


def swiss_entrants(
    state: Tournament, numbers: Iterable[int], *, last_opponent_only: bool = False
) -> list[SwissEntrant]:
    """Return entrants as pairing sees them, in the order of their seeds. A forfeit is no meeting and no seat."""
    points = {row.entrant: row.half_points for row in rank_by_points(state)}
    byes = {number for round_ in state.rounds for number in round_.byes}
    met: dict[int, list[tuple[int, int]]] = {}
    for round_ in state.rounds:
        for board in round_.boards:
            if board.result is None or board.result.is_played:
                for seat, number in enumerate(board.entrants):
                    met.setdefault(number, []).append((seat, board.entrants[1 - seat]))
            else:
                _count_forfeit(board, byes)
    entrants = []
    for number in numbers:
        games = met.get(number, [])
        counted = games[-1:] if last_opponent_only else games
        entrants.append(
            SwissEntrant(
                number,
                points.get(number, 0),
                frozenset(opponent for _, opponent in counted),
                sum(1 if seat == 0 else -1 for seat, _ in games),
                games[-1][0] if games else None,
                number in byes,
            )
        )
    return entrants


def _count_forfeit(board: TournamentBoard, byes: set[int]) -> None:
    """Count a win without a game like a bye: others get the next bye, as long as they can."""
    if board.result is not None and 2 in board.result.half_points:
        byes.add(board.entrants[board.result.half_points.index(2)])


# ---------------------------------------------------------------- events


def _paired(state: Tournament, pairing: _Pairing, at_ms: int, match_id: MatchIdOf) -> list[TournamentEvent]:
    number, options = len(state.rounds) + 1, state.options
    places = pairing.places or [None] * len(pairing.pairs)
    boards = tuple(
        PairedBoard(pair, match_id(number, board, 1), place)
        for board, (pair, place) in enumerate(zip(pairing.pairs, places, strict=True), 1)
    )
    deadline_ms = None if options.round_minutes is None else at_ms + 60_000 * options.round_minutes
    no_show_ms = at_ms + 60_000 * options.no_show_minutes
    paired = RoundPaired(number, boards, tuple(pairing.byes), pairing.stage, no_show_ms, deadline_ms)
    decided = _decide_withdrawn(state, paired)
    ended = [RoundEnded(number)] if len(decided) == len(boards) else []
    return [paired, *decided, *ended]


def _decide_withdrawn(state: Tournament, paired: RoundPaired) -> list[TournamentEvent]:
    """Decide the boards of entrants who have withdrawn, which only schedules and brackets still have."""
    decided: list[TournamentEvent] = []
    for board, pair in enumerate(paired.boards, 1):
        here = [state.entrant(number).status == "entered" for number in pair.entrants]
        if not all(here):
            half_points = (2 * here[0], 2 * here[1])
            decided.append(BoardDecided(paired.round, board, half_points, "withdrawn"))
    return decided


def _end(state: Tournament) -> TournamentEnded:
    return TournamentEnded(tuple(row.entrant for row in standings_of(state)))
