"""The fold of a tournament's records. It knows no rules: an event says all that follows from it."""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from diskwars_protocol.tournaments.events import (
    BoardDecided,
    EntrantCheckedIn,
    EntrantEntered,
    EntrantPromoted,
    EntrantWithdrew,
    FinalBegan,
    MatchReplaced,
    OrganiserAdded,
    OrganiserRemoved,
    RoundEnded,
    RoundPaired,
    TournamentCancelled,
    TournamentEnded,
    TournamentEvent,
    TournamentOpened,
    TournamentPaused,
    TournamentRecord,
    TournamentResumed,
    TournamentStarted,
)
from diskwars_protocol.tournaments.state import BoardResult, Entrant, Tournament, TournamentBoard, TournamentRound


class TournamentFoldError(Exception):
    """Records that are not those of one tournament, from its first on."""


def fold_tournament(
    tournament: str, records: Iterable[TournamentRecord], state: Tournament | None = None
) -> Tournament:
    """Return the state after records, which follow on `state`, or are all of them. Raises TournamentFoldError."""
    for record in records:
        state = fold_record(tournament, state, record)
    if state is None:
        raise TournamentFoldError("a tournament has at least one record")
    return state


def fold_record(tournament: str, state: Tournament | None, record: TournamentRecord) -> Tournament:
    """Return the state after the next record. Raises TournamentFoldError."""
    expected = 1 if state is None else state.seq + 1
    if record.seq != expected:
        raise TournamentFoldError(f"record {record.seq} in place of {expected}")
    for event in record.events:
        if state is None:
            state = _open(tournament, event, record.at_ms)
        else:
            state = fold_event(state, event, record.at_ms)
    if state is None:
        raise TournamentFoldError("the first record has no event")
    return replace(state, seq=record.seq, at_ms=record.at_ms)


def _open(tournament: str, event: TournamentEvent, at_ms: int) -> Tournament:
    if not isinstance(event, TournamentOpened):
        raise TournamentFoldError("the first event opens no tournament")
    return Tournament(tournament, event.name, event.options, at_ms, (event.organiser,))


def fold_event(state: Tournament, event: TournamentEvent, at_ms: int) -> Tournament:
    """Return the state after one event. Raises TournamentFoldError."""
    match event:
        case TournamentOpened():
            raise TournamentFoldError("a tournament is opened once")
        case EntrantEntered():
            return _enter(state, event)
        case EntrantPromoted():
            return _with_entrant(state, replace(state.entrant(event.entrant), status="entered"))
        case EntrantWithdrew():
            return _with_entrant(state, replace(state.entrant(event.entrant), status="withdrawn", checked_in=False))
        case EntrantCheckedIn():
            return _with_entrant(state, replace(state.entrant(event.entrant), checked_in=True))
        case OrganiserAdded():
            return replace(state, organisers=(*state.organisers, event.player))
        case OrganiserRemoved():
            return replace(state, organisers=tuple(player for player in state.organisers if player != event.player))
        case TournamentStarted():
            return _start(state, event, at_ms)
        case FinalBegan():
            return replace(state, finalists=event.finalists)
        case RoundPaired():
            return _pair(state, event, at_ms)
        case MatchReplaced():
            return _with_board(state, event.round, event.board, lambda board: _replace_match(board, event))
        case BoardDecided():
            # An organiser may still correct results after an operator has erased the texts, but not write again.
            decided = replace(event, note=None) if state.texts_erased else event
            return _with_board(state, event.round, event.board, lambda board: _decide(board, decided))
        case RoundEnded():
            return _with_round(state, replace(state.rounds[event.round - 1], is_over=True))
        case TournamentPaused():
            return replace(state, paused_ms=at_ms)
        case TournamentResumed():
            return _resume(state, event)
        case TournamentCancelled():
            return _cancel(state, event, at_ms)
        case TournamentEnded():
            return replace(state, status="ended", ended_ms=at_ms, ranking=event.ranking, paused_ms=None)


def _cancel(state: Tournament, event: TournamentCancelled, at_ms: int) -> Tournament:
    # What is over stays as it ended: only its texts are erased.
    if state.ended_ms is None:
        state = replace(state, status="cancelled", ended_ms=at_ms, note=event.note, paused_ms=None)
    return without_texts(state) if event.erases_texts else state


def without_texts(state: Tournament) -> Tournament:
    """Return a tournament without what people have written: called after its id, and without notes."""
    rounds = tuple(replace(round_, boards=tuple(map(_without_note, round_.boards))) for round_ in state.rounds)
    return replace(state, name=f"Tournament {state.tournament[:4]}", note=None, rounds=rounds, texts_erased=True)


def _without_note(board: TournamentBoard) -> TournamentBoard:
    result = board.result
    return board if result is None or result.note is None else replace(board, result=replace(result, note=None))


def _enter(state: Tournament, event: EntrantEntered) -> Tournament:
    known = state.entrants[event.entrant - 1] if event.entrant <= len(state.entrants) else None
    seed = 0 if known is None else known.seed
    entered = Entrant(
        event.entrant,
        event.player,
        event.bot,
        "waiting" if event.is_waiting else "entered",
        from_round=event.from_round,
        seed=seed,
    )
    if known is not None:
        return _with_entrant(state, entered)
    if event.entrant != len(state.entrants) + 1:
        raise TournamentFoldError(f"entrant {event.entrant} comes after {len(state.entrants)}")
    if state.status != "running":
        return replace(state, entrants=(*state.entrants, entered))
    late = replace(entered, seed=len(state.seeds) + 1)
    return replace(state, entrants=(*state.entrants, late), seeds=(*state.seeds, event.entrant))


def _start(state: Tournament, event: TournamentStarted, at_ms: int) -> Tournament:
    seeds = {number: place for place, number in enumerate(event.seeds, 1)}
    entrants = tuple(replace(entrant, seed=seeds.get(entrant.number, 0)) for entrant in state.entrants)
    return replace(
        state,
        status="running",
        entrants=entrants,
        seeds=event.seeds,
        round_count=event.rounds,
        arena_ends_ms=event.ends_ms,
        started_ms=at_ms,
    )


def _pair(state: Tournament, event: RoundPaired, at_ms: int) -> Tournament:
    if event.round != len(state.rounds) + 1:
        raise TournamentFoldError(f"round {event.round} comes after {len(state.rounds)}")
    boards = tuple(
        TournamentBoard(number, board.entrants, board.match, board.place, no_show_ms=event.no_show_ms)
        for number, board in enumerate(event.boards, 1)
    )
    paired = TournamentRound(event.round, at_ms, boards, event.byes, event.stage, event.deadline_ms)
    return replace(state, rounds=(*state.rounds, paired))


def _replace_match(board: TournamentBoard, event: MatchReplaced) -> TournamentBoard:
    return replace(
        board,
        entrants=event.entrants,
        match=event.match,
        attempt=board.attempt + 1,
        no_show_ms=event.no_show_ms,
        result=None,
    )


def _decide(board: TournamentBoard, event: BoardDecided) -> TournamentBoard:
    result = BoardResult(
        event.half_points,
        event.decided_by,
        event.scores,
        event.ended_as,
        event.note,
        corrected=board.result is not None,
    )
    return replace(board, result=result)


def _resume(state: Tournament, event: TournamentResumed) -> Tournament:
    rounds = tuple(round_ if round_.is_over else _move_limits(round_, event.moved_ms) for round_ in state.rounds)
    ends_ms = None if state.arena_ends_ms is None else state.arena_ends_ms + event.moved_ms
    return replace(state, rounds=rounds, paused_ms=None, arena_ends_ms=ends_ms)


def _move_limits(round_: TournamentRound, moved_ms: int) -> TournamentRound:
    boards = tuple(
        board if board.no_show_ms is None else replace(board, no_show_ms=board.no_show_ms + moved_ms)
        for board in round_.boards
    )
    deadline_ms = None if round_.deadline_ms is None else round_.deadline_ms + moved_ms
    return replace(round_, boards=boards, deadline_ms=deadline_ms)


def _with_entrant(state: Tournament, changed: Entrant) -> Tournament:
    at = changed.number - 1
    return replace(state, entrants=(*state.entrants[:at], changed, *state.entrants[at + 1 :]))


def _with_round(state: Tournament, changed: TournamentRound) -> Tournament:
    at = changed.number - 1
    return replace(state, rounds=(*state.rounds[:at], changed, *state.rounds[at + 1 :]))


def _with_board(
    state: Tournament, round_number: int, number: int, change: Callable[[TournamentBoard], TournamentBoard]
) -> Tournament:
    round_ = state.rounds[round_number - 1]
    at = number - 1
    boards = (*round_.boards[:at], change(round_.boards[at]), *round_.boards[at + 1 :])
    return _with_round(state, replace(round_, boards=boards))
