"""The fold of a tournament's records."""

import msgspec
import pytest

from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.tournaments.events import (
    BoardDecided,
    EntrantEntered,
    EntrantPromoted,
    EntrantWithdrew,
    PairedBoard,
    RoundEnded,
    RoundPaired,
    TournamentCancelled,
    TournamentEvent,
    TournamentOpened,
    TournamentPaused,
    TournamentRecord,
    TournamentResumed,
    TournamentStarted,
)
from diskwars_protocol.tournaments.fold import TournamentFoldError, fold_tournament
from diskwars_protocol.tournaments.options import MatchTemplate, TournamentOptions

OPENED = TournamentOpened("Cup", TournamentOptions("swiss", MatchTemplate("pit")), PlayerId("olga"))
ENTERED = [EntrantEntered(number, PlayerId(f"p{number}")) for number in (1, 2, 3)]


def record(seq: int, *events: TournamentEvent, at_ms: int = 0) -> TournamentRecord:
    return TournamentRecord(seq, at_ms or 1000 * seq, PlayerId("olga"), events)


def paired(number: int) -> RoundPaired:
    board = PairedBoard((1, 2), MatchId(f"m{number}"))
    return RoundPaired(number, (board,), (3,), no_show_ms=60_000, deadline_ms=90_000)


def test_records_fold_to_the_tournament_at_once_or_one_after_another() -> None:
    records = [
        record(1, OPENED),
        record(2, *ENTERED),
        record(3, TournamentStarted((3, 1, 2), 2)),
        record(4, paired(1)),
        record(5, BoardDecided(1, 1, (2, 0), "match", (12, 4), "resignation"), RoundEnded(1)),
    ]

    whole = fold_tournament("t1", records)
    part = fold_tournament("t1", records[3:], fold_tournament("t1", records[:3]))

    assert whole == part
    assert [entrant.seed for entrant in whole.entrants] == [2, 3, 1]
    assert whole.rounds[0].byes == (3,)
    assert whole.rounds[0].boards[0].result is not None
    assert whole.rounds[0].boards[0].result.scores == (12, 4)
    assert (whole.seq, whole.at_ms, whole.rounds[0].is_over) == (5, 5000, True)


def test_record_survives_json() -> None:
    stored = record(4, paired(1), EntrantWithdrew(2, "no_show"))

    assert msgspec.json.decode(msgspec.json.encode(stored), type=TournamentRecord) == stored


def test_second_decision_of_a_board_is_a_correction() -> None:
    begun = [record(1, OPENED), record(2, *ENTERED), record(3, TournamentStarted((1, 2, 3), 2)), record(4, paired(1))]
    decided = [record(5, BoardDecided(1, 1, (2, 0), "match")), record(6, BoardDecided(1, 1, (1, 1), "organiser"))]

    result = fold_tournament("t1", begun + decided).rounds[0].boards[0].result

    assert result is not None
    assert (result.half_points, result.corrected) == ((1, 1), True)


def test_limits_move_by_the_time_of_a_pause() -> None:
    begun = [record(1, OPENED), record(2, *ENTERED), record(3, TournamentStarted((1, 2, 3), 2)), record(4, paired(1))]
    paused = [record(5, TournamentPaused()), record(6, TournamentResumed(1000))]

    assert fold_tournament("t1", [*begun, paused[0]]).paused_ms == 5000
    state = fold_tournament("t1", begun + paused)

    assert (state.paused_ms, state.rounds[0].deadline_ms) == (None, 91_000)
    assert state.rounds[0].boards[0].no_show_ms == 61_000


def test_entrant_who_returns_keeps_number_and_seed() -> None:
    begun = [record(1, OPENED), record(2, *ENTERED), record(3, TournamentStarted((3, 2, 1), 2)), record(4, paired(1))]
    back = [record(5, EntrantWithdrew(1)), record(6, EntrantEntered(1, PlayerId("p1"), from_round=2))]

    state = fold_tournament("t1", begun + back)

    assert (state.entrant(1).status, state.entrant(1).seed) == ("entered", 3)
    assert (state.entrant(1).from_round, state.seeds) == (2, (3, 2, 1))


def test_late_entrant_is_the_last_seed() -> None:
    begun = [record(1, OPENED), record(2, *ENTERED), record(3, TournamentStarted((3, 2, 1), 2))]

    state = fold_tournament("t1", [*begun, record(4, EntrantEntered(4, PlayerId("p4")))])

    assert (state.seeds, state.entrant(4).seed) == ((3, 2, 1, 4), 4)


def test_waiting_entrant_is_promoted_and_a_cancelled_tournament_keeps_the_note() -> None:
    entered = [record(1, OPENED), record(2, EntrantEntered(1, PlayerId("p1"), is_waiting=True))]
    assert fold_tournament("t1", entered).entrant(1).status == "waiting"

    state = fold_tournament("t1", [*entered, record(3, EntrantPromoted(1), TournamentCancelled("no room"))])

    assert (state.entrant(1).status, state.status, state.note) == ("entered", "cancelled", "no room")


@pytest.mark.parametrize(
    "records",
    [
        [],
        [record(2, OPENED)],
        [record(1, RoundEnded(1))],
        [record(1, OPENED), record(3, ENTERED[0])],
        [record(1, OPENED), record(2, OPENED)],
        [record(1, OPENED), record(2, ENTERED[1])],
        [record(1, OPENED), record(2, paired(2))],
    ],
)
def test_records_that_do_not_follow_are_refused(records: list[TournamentRecord]) -> None:
    with pytest.raises(TournamentFoldError):
        fold_tournament("t1", records)
