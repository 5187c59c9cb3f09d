"""What follows in a tournament from the end of its matches, and from the time."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.state import MatchStatus
from diskwars_protocol.tournaments.events import (
    BoardDecided,
    DecidedBy,
    EntrantWithdrew,
    MatchReplaced,
    ReplacementReason,
    RoundEnded,
    TournamentCancelled,
    TournamentEvent,
)
from diskwars_protocol.tournaments.fold import fold_event
from diskwars_protocol.tournaments.state import Tournament, TournamentBoard, TournamentRound
from diskwars_server.tournaments.rules.organising import Shuffle, start
from diskwars_server.tournaments.rules.rounds import MatchIdOf

MAX_ATTEMPTS = 3
"""Matches that two may play about one place of a bracket, or that may end before they began."""


class MatchFacts(Struct, frozen=True):
    """What is known of a match. `players` and `came` are by seat; `came` only until it has begun.

    A match `has_begun` once all are ready; its `result` is that of its last record.
    """

    status: MatchStatus
    has_begun: bool
    players: tuple[str | None, ...] = ()
    came: tuple[bool, ...] = ()
    result: Result | None = None


def open_boards(state: Tournament) -> list[tuple[TournamentRound, TournamentBoard]]:
    """Return the boards whose matches are to be played."""
    if state.status != "running":
        return []
    return [
        (round_, board) for round_ in state.rounds if not round_.is_over for board in round_.boards if not board.result
    ]


def is_limit_over(state: Tournament, round_: TournamentRound, board: TournamentBoard, at_ms: int) -> bool:
    """Return whether a board is decided by who is there now: both have had the time to come, or the round is over."""
    if state.paused_ms is not None:
        return False
    limits = [limit for limit in (board.no_show_ms, round_.deadline_ms) if limit is not None]
    return any(at_ms >= limit for limit in limits)


def progress(
    state: Tournament, matches: Mapping[str, MatchFacts], at_ms: int, match_id: MatchIdOf, shuffle: Shuffle
) -> list[TournamentEvent]:
    """Return what has happened by now, except the pairing of a round. `matches` are those of open boards, by id."""
    if state.status == "open":
        return _start_in_time(state, at_ms, shuffle)
    events: list[TournamentEvent] = []
    for round_, board in open_boards(state):
        facts = matches.get(board.match)
        if facts is not None:
            events += _judge(state, round_, board, facts, at_ms, match_id)
    for event in events:
        state = fold_event(state, event, at_ms)
    ended = (round_ for round_ in state.rounds if not round_.is_over and all(board.result for board in round_.boards))
    if state.status == "running":
        events += (RoundEnded(round_.number) for round_ in ended)
    return events


def next_limit_ms(state: Tournament) -> int | None:
    """Return when the time alone changes something next; None where nothing does."""
    if state.status == "open":
        return state.options.starts_ms
    if state.status != "running" or state.paused_ms is not None:
        return None
    limits = [limit for round_, board in open_boards(state) for limit in (board.no_show_ms, round_.deadline_ms)]
    return min((limit for limit in [*limits, state.arena_ends_ms] if limit is not None), default=None)


def _start_in_time(state: Tournament, at_ms: int, shuffle: Shuffle) -> list[TournamentEvent]:
    starts_ms = state.options.starts_ms
    if starts_ms is None or at_ms < starts_ms:
        return []
    try:
        return start(state, at_ms, shuffle)
    except Illegal:  # too few have come
        return [TournamentCancelled("too_few_entrants")]


def _judge(
    state: Tournament,
    round_: TournamentRound,
    board: TournamentBoard,
    facts: MatchFacts,
    at_ms: int,
    match_id: MatchIdOf,
) -> Iterator[TournamentEvent]:
    if facts.status == "ended" and facts.result is not None:
        yield from _judge_ended(state, round_, board, facts, facts.result, at_ms, match_id)
    elif is_limit_over(state, round_, board, at_ms):
        if not facts.has_begun:
            yield from _judge_absent(state, round_, board, facts, at_ms)
        elif round_.deadline_ms is not None and at_ms >= round_.deadline_ms:
            yield _decide_drawn(state, round_, board, "deadline", ())


def _judge_ended(
    state: Tournament,
    round_: TournamentRound,
    board: TournamentBoard,
    facts: MatchFacts,
    result: Result,
    at_ms: int,
    match_id: MatchIdOf,
) -> Iterator[TournamentEvent]:
    if not facts.has_begun:
        if board.attempt < MAX_ATTEMPTS:
            yield _replace(state, round_, board, board.entrants, "never_began", at_ms, match_id)
        else:
            yield BoardDecided(round_.number, board.number, (0, 0), "no_show", ended_as=result.end_reason)
        return
    seats = seats_of(state, board, facts.players)
    scores = tuple(result.scores[seat] for seat in seats) if len(result.scores) == len(facts.players) else ()
    won = [seat in result.winners for seat in seats]
    if won[0] != won[1]:
        half_points = (2 * won[0], 2 * won[1])
        yield BoardDecided(round_.number, board.number, half_points, "match", scores, result.end_reason)
    elif _needs_winner(state, round_) and board.attempt < MAX_ATTEMPTS:
        turned = board.entrants[1], board.entrants[0]
        yield _replace(state, round_, board, turned, "draw", at_ms, match_id)
    else:
        yield _decide_drawn(state, round_, board, "match", scores, result.end_reason)


def seats_of(state: Tournament, board: TournamentBoard, players: tuple[str | None, ...]) -> tuple[int, int]:
    """Return the seats in which the two entrants of a board play: their own, or that of the other by agreement."""
    first = state.entrant(board.entrants[0]).player
    is_turned = len(players) == 2 and first is not None and first == players[1]
    return (1, 0) if is_turned else (0, 1)


def _judge_absent(
    state: Tournament, round_: TournamentRound, board: TournamentBoard, facts: MatchFacts, at_ms: int
) -> Iterator[TournamentEvent]:
    """Decide a match that has not begun in time, by who is there.

    Bots are always there: their match waits for processor time, and at most until the round is over.
    """
    came = [state.entrant(number).bot is not None or _has_come(state, number, facts) for number in board.entrants]
    if all(came):
        if round_.deadline_ms is not None and at_ms >= round_.deadline_ms:
            yield _decide_drawn(state, round_, board, "deadline", ())
        return
    yield BoardDecided(round_.number, board.number, (2 * came[0], 2 * came[1]), "no_show")
    for number, has_come in zip(board.entrants, came, strict=True):
        if not has_come and state.entrant(number).status == "entered":
            yield EntrantWithdrew(number, "no_show")


def _has_come(state: Tournament, number: int, facts: MatchFacts) -> bool:
    player = state.entrant(number).player
    return any(sits == player and came for sits, came in zip(facts.players, facts.came, strict=False))


def _decide_drawn(
    state: Tournament,
    round_: TournamentRound,
    board: TournamentBoard,
    decided_by: DecidedBy,
    scores: tuple[int, ...],
    ended_as: str | None = None,
) -> BoardDecided:
    """Return the decision of a board that nobody has won: where somebody has to go on, it is the better seed."""
    half_points = 1, 1
    if _needs_winner(state, round_):
        seeds = state.finalists or state.seeds
        first = seeds.index(board.entrants[0]) < seeds.index(board.entrants[1])
        half_points, decided_by = (2 * first, 2 * (not first)), "better_seed"
    return BoardDecided(round_.number, board.number, half_points, decided_by, scores, ended_as)


def _needs_winner(state: Tournament, round_: TournamentRound) -> bool:
    return state.is_bracket or round_.stage == "final"


def _replace(
    state: Tournament,
    round_: TournamentRound,
    board: TournamentBoard,
    entrants: tuple[int, ...],
    reason: ReplacementReason,
    at_ms: int,
    match_id: MatchIdOf,
) -> MatchReplaced:
    match = match_id(round_.number, board.number, board.attempt + 1)
    no_show_ms = at_ms + 60_000 * state.options.no_show_minutes
    return MatchReplaced(round_.number, board.number, entrants, match, reason, no_show_ms)
