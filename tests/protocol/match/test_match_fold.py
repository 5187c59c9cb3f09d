"""The fold of records of any ruleset: what it refuses, what it keeps count of, and what stays hidden in a state."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_protocol.match import match_fold
from diskwars_protocol.match.actions import ReadyQuestion
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.events import (
    BranchBegan,
    ChainReplaced,
    MatchOpened,
    Position,
    PositionSet,
    SeatNonceOpened,
    SeatReady,
    SeatTaken,
    StepBegan,
)
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId
from diskwars_protocol.match.match_fold import RefoldRequired, check_takeback, without_takebacks
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, BankClock, MatchOptions
from diskwars_protocol.match.state import AnyBody, AnyMatch, RecordBody, SeatChainState
from diskwars_protocol.records.sealed import HIDDEN, Sealed
from tests.engine.played_match import player_of
from tests.rows import each_row
from tests.server.counting_ruleset import (
    CountingBoard,
    CountingLoadout,
    CountingRules,
    CountingSettings,
    CountingStarted,
)

COUNTING = CountingRules.vocabulary
DIGEST = Sealed("ab" * 32)
HEAD, NEW_HEAD = "aa" * 16, "bb" * 16


def opening(options: MatchOptions = DEFAULT_MATCH_OPTIONS) -> MatchOpened[Any]:
    return MatchOpened(MatchId("m"), "counting", 1, CountingSettings(), 2, "00" * 32, "11" * 32, player_of(0), options)


def folded(*events: object, options: MatchOptions = DEFAULT_MATCH_OPTIONS) -> AnyMatch:
    """Return the match after some events, the first of which opens it."""
    return COUNTING.fold(None, RecordBody(at_ms=0, events=(opening(options), *events)))


def question(seq: int, slot: int = 0, seat: int = 0) -> Decision[Any]:
    return Decision(DecisionId(f"{seq}.{slot}"), seat, ReadyQuestion())


def takeback(seq: int, to: int) -> AnyBody:
    return RecordBody(at_ms=seq, decisions=(question(seq),), taken_back_to=to)


def plain(seq: int) -> AnyBody:
    return RecordBody(at_ms=seq, events=(opening(),) if seq == 1 else ())


# ---------------------------------------------------------------- the beginning of a log


def test_log_without_records_is_no_match() -> None:
    with pytest.raises(ValueError, match="a match has at least one record"):
        COUNTING.fold_log([])


def test_first_record_opens_the_match() -> None:
    with pytest.raises(ValueError, match="a match begins with match_opened, not with SeatReady"):
        COUNTING.fold(None, RecordBody(at_ms=0, events=(SeatReady(0),)))
    with pytest.raises(ValueError, match="a match begins with match_opened, not with nothing"):
        COUNTING.fold(None, RecordBody(at_ms=0))


def test_event_of_the_match_that_the_fold_does_not_know_is_a_type_error(monkeypatch: pytest.MonkeyPatch) -> None:
    match = folded()
    monkeypatch.setattr(match_fold, "MATCH_EVENT_TYPES", frozenset({CountingStarted}))
    with pytest.raises(TypeError, match="CountingStarted is not an event of the match"):
        COUNTING.fold(match, RecordBody(at_ms=0, events=(CountingStarted(2),)))


def test_record_written_under_other_rules_gives_the_match_their_version() -> None:
    match = COUNTING.fold(folded(), RecordBody(at_ms=0, rules_version=7))
    assert match.rules_version == 7
    assert COUNTING.fold(match, RecordBody(at_ms=0)).rules_version == 7


# ---------------------------------------------------------------- takebacks


def test_takeback_cannot_be_folded_from_the_state_alone() -> None:
    with pytest.raises(RefoldRequired, match="taken back to record 3: fold its log from the start") as required:
        COUNTING.fold(folded(), takeback(5, 3))
    assert required.value.to == 3


def test_record_undone_by_a_takeback_is_no_target_of_a_later_one() -> None:
    log = [plain(1), plain(2), plain(3), plain(4), takeback(5, 2)]
    with pytest.raises(ValueError, match="record 6 takes back to record 3, which does not count then"):
        without_takebacks([*log, takeback(6, 3)])
    assert len(without_takebacks([*log, takeback(6, 5)])) == 6


def test_first_record_takes_nothing_back() -> None:
    with pytest.raises(ValueError, match="record 1 takes back to record 1, which does not count then"):
        without_takebacks([takeback(1, 1)])


@each_row(
    "decisions",
    [None, (question(2),), (question(3, slot=1),), (question(3), question(2, slot=1))],
    ids=["none named", "an old id", "not from slot 0 on", "one new and one old id"],
)
def test_takeback_that_does_not_open_its_decisions_itself_is_refused(
    decisions: tuple[Decision[Any], ...] | None,
) -> None:
    body = replace(takeback(3, 1), decisions=decisions)
    for refused in (lambda: check_takeback(3, body), lambda: COUNTING.fold_log([plain(1), plain(2), body])):
        with pytest.raises(ValueError, match="record 3 takes back to record 1 without opening the decisions itself"):
            refused()


# ---------------------------------------------------------------- chains, steps and clocks


def chain_of(match: AnyMatch) -> SeatChainState:
    state = match.seats[0].chain
    assert state is not None
    return state


def test_new_chain_comes_into_force_right_before_the_step_that_it_counts_from() -> None:
    taken = SeatTaken(0, player_of(0), HEAD, CountingLoadout())
    match = folded(taken, ChainReplaced(0, NEW_HEAD, from_step=3))
    assert chain_of(match) == SeatChainState(HEAD, NEW_HEAD, 3)
    match = COUNTING.fold(match, RecordBody(at_ms=0, events=(StepBegan(1, "00" * 32),)))
    assert chain_of(match) == SeatChainState(HEAD, NEW_HEAD, 3)
    match = COUNTING.fold(match, RecordBody(at_ms=0, events=(StepBegan(2, "00" * 32),)))
    assert chain_of(match) == SeatChainState(NEW_HEAD)


def test_chains_replaced_again_within_a_step_are_counted() -> None:
    taken = SeatTaken(0, player_of(0), HEAD, CountingLoadout())
    replaced = ChainReplaced(0, NEW_HEAD, from_step=3)
    counted = [chain_of(folded(taken, *[replaced] * times)).superseded for times in (1, 2, 3)]
    assert counted == [0, 1, 2]


def test_each_step_counts_its_draws_from_0() -> None:
    match = COUNTING.fold(folded(), RecordBody(at_ms=0, draw_index=5))
    assert match.draw_index == 5
    assert COUNTING.fold(match, RecordBody(at_ms=0, events=(StepBegan(1, "00" * 32),))).draw_index == 0


def running_clocks() -> AnyMatch:
    """Return a match in which the bank of seat 0 of 60 s has run since 1000 ms, and that of seat 1 does not."""
    options = MatchOptions(clock=BankClock(60))
    events = (opening(options), CountingStarted(2))
    return COUNTING.fold(None, RecordBody(at_ms=1000, events=events, decisions=(question(1),)))


@each_row(
    ("body", "remaining"),
    [
        (RecordBody(at_ms=3000), (58_000, 60_000)),
        (RecordBody(at_ms=3000, seat=0, decision=DecisionId("1.0"), lag_ms=300), (58_300, 60_000)),
        (RecordBody(at_ms=3000, seat=1, lag_ms=300), (58_000, 60_000)),
        (RecordBody(at_ms=1100, seat=0, decision=DecisionId("1.0"), lag_ms=300), (60_000, 60_000)),
        (RecordBody(at_ms=70_000), (0, 60_000)),
    ],
    ids=["no lag", "own lag", "lag of another seat", "more lag than time", "more time than the bank has"],
)
def test_bank_loses_the_time_of_its_seat_less_the_lag_credited_to_it(body: AnyBody, remaining: tuple[int, int]) -> None:
    clocks = [seat_state.clock for seat_state in COUNTING.fold(running_clocks(), body).seats]
    assert tuple(clock.remaining_ms for clock in clocks if clock) == remaining


# ---------------------------------------------------------------- branches


def test_branch_without_a_position_is_refused() -> None:
    with pytest.raises(ValueError, match="a branch begins with a position"):
        folded(BranchBegan())


def test_branch_begins_with_the_seats_resigned_that_had_resigned_before() -> None:
    position = Position(CountingBoard(2), resigned=(1,))
    match = folded(PositionSet(position), BranchBegan())
    assert [seat_state.resigned for seat_state in match.seats] == [False, True]
    assert (match.board, match.position, match.status) == (CountingBoard(2), None, "running")


# ---------------------------------------------------------------- secrets

Place = Callable[[Any], AnyMatch]
PLACES: dict[str, tuple[Place, Callable[[AnyMatch], Any]]] = {
    "a position": (
        lambda board: folded(PositionSet(Position(board))),
        lambda match: None if match.position is None else match.position.board,
    ),
    "the board of a branch": (
        lambda board: folded(PositionSet(Position(CountingBoard(9))), BranchBegan(board)),
        lambda match: match.board,
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_digest_at_any_depth_of_a_board_does_not_get_into_the_state(place: str) -> None:
    fold, found = PLACES[place]
    board = CountingBoard(2, chosen=(DIGEST, 4))
    assert found(fold(board)) == CountingBoard(2, chosen=(HIDDEN, 4))
    # a tuple within a tuple, and a struct within it
    nested: Any = replace(board, hints=(("x", DIGEST), CountingLoadout("ann", DIGEST)))
    assert found(fold(nested)).hints == (("x", HIDDEN), CountingLoadout("ann", HIDDEN))


@pytest.mark.parametrize("place", PLACES)
def test_board_that_holds_no_secret_stays_as_it_is(place: str) -> None:
    fold, found = PLACES[place]
    board = CountingBoard(2, chosen=(3, None), hints=("low", "high"), left=1)
    assert found(fold(board)) is board


@pytest.mark.parametrize(("lucky", "known"), [(DIGEST, HIDDEN), (7, 7)])
def test_digest_of_a_loadout_does_not_get_into_the_state(lucky: int | Sealed, known: int | Sealed) -> None:
    match = folded(SeatTaken(1, PlayerId("bob"), HEAD, CountingLoadout("bob", lucky)))
    assert match.seats[1].loadout == CountingLoadout("bob", known)


def test_digest_of_a_nonce_does_not_get_into_the_state() -> None:
    assert folded(SeatNonceOpened(1, DIGEST)).seats[1].seat_nonce == HIDDEN
    assert folded(SeatNonceOpened(1, HEAD)).seats[1].seat_nonce == HEAD
