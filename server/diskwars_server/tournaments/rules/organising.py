"""What organisers do: start, pause, resume, cancel, correct a result. Each returns events, or raises Illegal."""

from collections.abc import Callable, Collection, Sequence

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.tournaments.brackets import bracket_of
from diskwars_protocol.tournaments.events import (
    BoardDecided,
    EntrantWithdrew,
    OrganiserAdded,
    OrganiserRemoved,
    TournamentCancelled,
    TournamentEvent,
    TournamentPaused,
    TournamentResumed,
    TournamentStarted,
)
from diskwars_protocol.tournaments.fold import fold_event
from diskwars_protocol.tournaments.options import MAX_ORGANISERS
from diskwars_protocol.tournaments.state import Tournament, TournamentBoard, TournamentRound, active_entrants
from diskwars_server.tournaments.rules.entries import check_in_ms, promote, require_unfinished
from diskwars_server.tournaments.rules.round_robin import round_count

MIN_ENTRANTS = 2

Shuffle = Callable[[list[int]], Sequence[int]]
"""Returns the seeds in an order by lot."""


def require_organiser(organisers: Collection[str], player: str) -> None:
    if player not in organisers:
        raise Illegal("not_organiser", "only an organiser of this tournament may do that")


def add_organiser(state: Tournament, player: PlayerId) -> list[TournamentEvent]:
    if player in state.organisers:
        return []
    if len(state.organisers) >= MAX_ORGANISERS:
        text = f"a tournament has at most {MAX_ORGANISERS} organisers"
        raise Illegal("too_many_organisers", text, numbers={"organisers": MAX_ORGANISERS})
    return [OrganiserAdded(player)]


def remove_organiser(state: Tournament, player: PlayerId) -> list[TournamentEvent]:
    """Let an organiser go, but not the first one: a tournament always has somebody who is responsible."""
    if player not in state.organisers:
        return []
    if player == state.organisers[0]:
        raise Illegal("not_organiser", "who opened a tournament stays its organiser")
    return [OrganiserRemoved(player)]


def start(state: Tournament, at_ms: int, shuffle: Shuffle) -> list[TournamentEvent]:
    """Begin a tournament with those who are in it; where they had to check in, with those who have."""
    if state.status != "open":
        raise Illegal("tournament_begun", "the tournament has begun")
    events: list[TournamentEvent] = []
    if check_in_ms(state) is not None:
        events += _part_absent(state)
        for event in events:
            state = fold_event(state, event, at_ms)
    numbers = [entrant.number for entrant in active_entrants(state)]
    if len(numbers) < MIN_ENTRANTS:
        raise Illegal("too_few_entrants", "a tournament needs two entrants", numbers={"entrants": len(numbers)})
    seeds = tuple(shuffle(numbers)) if state.options.seeding == "random" else tuple(numbers)
    ends_ms = at_ms + 60_000 * state.options.arena_minutes if state.is_arena else None
    return [*events, TournamentStarted(seeds, count_rounds(state, len(seeds)), ends_ms)]


def _part_absent(state: Tournament) -> list[TournamentEvent]:
    absent = [entrant for entrant in active_entrants(state) if not entrant.checked_in]
    places = state.options.entrant_limit - len(active_entrants(state)) + len(absent)
    withdrawn: list[TournamentEvent] = [EntrantWithdrew(entrant.number, "not_checked_in") for entrant in absent]
    return [*withdrawn, *promote(state, places, checked_in=True)]


def count_rounds(state: Tournament, entrants: int) -> int:
    """Return the rounds before a final, 0 where they are not known. Nobody meets twice in those of a Swiss."""
    most = round_count(entrants)
    match state.options.format:
        case "round_robin":
            return most
        case "swiss":
            return min(most, state.options.rounds or max(1, (entrants - 1).bit_length()))
        case _:
            return 0


def pause(state: Tournament) -> list[TournamentEvent]:
    _require_running(state)
    return [] if state.paused_ms is not None else [TournamentPaused()]


def resume(state: Tournament, at_ms: int) -> list[TournamentEvent]:
    _require_running(state)
    return [] if state.paused_ms is None else [TournamentResumed(at_ms - state.paused_ms)]


def cancel(state: Tournament, note: str | None = None) -> list[TournamentEvent]:
    require_unfinished(state)
    return [TournamentCancelled(note)]


def correct_result(
    state: Tournament, round_number: int, board_number: int, half_points: tuple[int, ...], note: str | None = None
) -> list[TournamentEvent]:
    """Decide a board, or replace its result. Later rounds stay as they are paired.

    In an elimination that is refused once somebody has been paired because of the result.
    """
    if state.status not in ("running", "ended"):
        raise Illegal("tournament_over", "only a tournament that has begun, and was not cancelled, has results")
    round_, board = find_board(state, round_number, board_number)
    if sum(half_points) > 2:
        raise Illegal("bad_result", "the points of a match are at most 1 in all", place="$.act.half_points")
    if round_.stage == "final" or state.is_bracket:
        _require_unused(state, board)
        if half_points == (1, 1):
            raise Illegal("bad_result", "in an elimination somebody has to go on", place="$.act.half_points")
    elif state.finalists:
        raise Illegal("result_used", "the final has begun with the results as they are")
    result = board.result
    scores = () if result is None else result.scores
    ended_as = None if result is None else result.ended_as
    return [BoardDecided(round_number, board_number, half_points, "organiser", scores, ended_as, note)]


def find_board(state: Tournament, round_number: int, board_number: int) -> tuple[TournamentRound, TournamentBoard]:
    """Return a board by its numbers. Raises Illegal."""
    if round_number <= len(state.rounds):
        round_ = state.rounds[round_number - 1]
        if board_number <= len(round_.boards):
            return round_, round_.boards[board_number - 1]
    raise Illegal("unknown_board", "the tournament has no such match", place="$.act.board")


def _require_unused(state: Tournament, board: TournamentBoard) -> None:
    if state.status == "ended":
        raise Illegal("result_used", "the tournament has ended with this result")
    for place in bracket_of(state):
        needs_it = any(source.of == board.place and source.kind != "seed" for source in place.sources)
        if needs_it and place.board is not None:
            raise Illegal("result_used", "a later match was paired with this result")


def _require_running(state: Tournament) -> None:
    if state.status != "running":
        raise Illegal("not_running", "the tournament is not under way")
