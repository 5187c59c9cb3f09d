"""What organisers do, and what only they may do."""

import pytest

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.tournaments.standings import standings_of
from diskwars_server.tournaments.rules.entries import check_in
from diskwars_server.tournaments.rules.organising import (
    add_organiser,
    cancel,
    correct_result,
    pause,
    remove_organiser,
    require_organiser,
    resume,
    start,
)
from diskwars_server.tournaments.rules.rounds import wants_round
from tests.server.tournaments.played_tournaments import (
    MINUTE_MS,
    ORGANISER,
    START_MS,
    PlayedTournament,
    better_number_wins,
    keep_order,
    options_of,
)


def test_tournament_does_not_begin_with_one_entrant_nor_twice() -> None:
    played = PlayedTournament(options_of("swiss"), 1)
    with pytest.raises(Illegal, match="too_few_entrants"):
        start(played.state, played.now, keep_order)

    played.enter("p2")
    played.start()

    with pytest.raises(Illegal, match="tournament_begun"):
        start(played.state, played.now, keep_order)


@pytest.mark.parametrize(("entrants", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (16, 4)])
def test_swiss_without_a_number_of_rounds_has_as_many_as_leave_one_without_a_loss(entrants: int, rounds: int) -> None:
    played = PlayedTournament(options_of("swiss"), entrants)
    played.start()

    assert played.state.round_count == rounds


def test_swiss_has_no_more_rounds_than_opponents() -> None:
    played = PlayedTournament(options_of("swiss", rounds=9), 4)
    played.start()

    assert played.state.round_count == 3


def test_seeds_are_drawn_by_lot_or_in_the_order_of_entry() -> None:
    by_lot = PlayedTournament(options_of("swiss", seeding="random"), 3)
    by_lot.apply(start(by_lot.state, by_lot.now, lambda numbers: numbers[::-1]))
    in_order = PlayedTournament(options_of("swiss"), 3)
    in_order.apply(start(in_order.state, in_order.now, lambda numbers: numbers[::-1]))

    assert (by_lot.state.seeds, in_order.state.seeds) == ((3, 2, 1), (1, 2, 3))


def test_start_replaces_absent_entrants_by_those_who_wait_and_have_checked_in() -> None:
    options = options_of("swiss", starts_ms=START_MS + 60 * MINUTE_MS, check_in_minutes=60, entrant_limit=2)
    played = PlayedTournament(options, 4)
    for number in (1, 4):
        played.apply(check_in(played.state, played.state.entrant(number), played.now))

    played.pass_minutes(60)

    assert [entrant.status for entrant in played.state.entrants] == ["entered", "withdrawn", "waiting", "entered"]
    assert played.state.seeds == (1, 4)


def test_only_organisers_organise_and_the_first_one_stays() -> None:
    played = PlayedTournament(options_of("swiss"))
    with pytest.raises(Illegal, match="not_organiser"):
        require_organiser(played.state.organisers, "pavel")

    played.apply(add_organiser(played.state, PlayerId("pavel")))
    require_organiser(played.state.organisers, "pavel")
    played.apply(remove_organiser(played.state, PlayerId("pavel")))

    assert played.state.organisers == (ORGANISER,)
    with pytest.raises(Illegal, match="not_organiser"):
        remove_organiser(played.state, ORGANISER)
    assert add_organiser(played.state, ORGANISER) == []
    assert remove_organiser(played.state, PlayerId("pavel")) == []


def test_tournament_has_four_organisers_at_most() -> None:
    played = PlayedTournament(options_of("swiss"))
    for name in ("anna", "bert", "carl"):
        played.apply(add_organiser(played.state, PlayerId(name)))

    with pytest.raises(Illegal, match="too_many_organisers"):
        add_organiser(played.state, PlayerId("dora"))


def test_no_round_begins_and_no_limit_runs_in_a_pause() -> None:
    played = PlayedTournament(options_of("swiss", no_show_minutes=10), 4)
    played.start()
    played.pair()
    played.apply(pause(played.state))
    (board, other) = played.state.rounds[0].boards
    for unplayed in (board, other):
        played.sit_down(unplayed, True, False)

    played.pass_minutes(60)
    assert [each.result for each in played.state.rounds[0].boards] == [None, None]
    assert pause(played.state) == []
    played.apply(resume(played.state, played.now))
    played.pass_minutes(5)
    assert [each.result for each in played.state.rounds[0].boards] == [None, None]
    played.pass_minutes(5)

    assert [each.result is None for each in played.state.rounds[0].boards] == [False, False]
    assert resume(played.state, played.now) == []


def test_round_is_not_paired_in_a_pause() -> None:
    played = PlayedTournament(options_of("swiss"), 4)
    played.start()
    assert wants_round(played.state, played.now)

    played.apply(pause(played.state))

    assert not wants_round(played.state, played.now)


def test_cancelled_tournament_changes_no_more() -> None:
    played = PlayedTournament(options_of("swiss"), 2)
    played.apply(cancel(played.state, "nobody came"))

    assert (played.state.status, played.state.note) == ("cancelled", "nobody came")
    with pytest.raises(Illegal, match="tournament_over"):
        cancel(played.state)
    with pytest.raises(Illegal, match="not_running"):
        pause(played.state)
    with pytest.raises(Illegal, match="not_running"):
        resume(played.state, 0)
    assert not wants_round(played.state, played.now)


def test_corrected_result_counts_in_the_table() -> None:
    played = PlayedTournament(options_of("swiss", rounds=2), 4)
    played.start()
    played.pair()
    played.play_round(better_number_wins(played))
    first = played.state.rounds[0].boards[0]
    loser = max(first.entrants)

    points = (0, 2) if first.entrants[1] == loser else (2, 0)
    played.apply(correct_result(played.state, 1, 1, points, "typed wrongly"), ORGANISER)

    result = played.state.rounds[0].boards[0].result
    assert result is not None
    assert (result.corrected, result.decided_by, result.note) == (True, "organiser", "typed wrongly")
    assert {row.entrant: row.half_points for row in standings_of(played.state)}[loser] == 2


def test_correction_with_too_many_points_or_of_no_board_is_refused() -> None:
    played = PlayedTournament(options_of("swiss"), 4)
    with pytest.raises(Illegal, match="tournament_over"):
        correct_result(played.state, 1, 1, (2, 0))
    played.start()
    played.pair()

    with pytest.raises(Illegal, match="bad_result"):
        correct_result(played.state, 1, 1, (2, 1))
    for round_number, board in ((2, 1), (1, 3)):
        with pytest.raises(Illegal, match="unknown_board"):
            correct_result(played.state, round_number, board, (2, 0))


def test_result_that_somebody_was_paired_by_stays_in_an_elimination() -> None:
    played = PlayedTournament(options_of("single_elimination"), 4)
    played.start()
    played.pair()
    with pytest.raises(Illegal, match="bad_result"):
        correct_result(played.state, 1, 1, (1, 1))
    played.play_round(better_number_wins(played))
    assert correct_result(played.state, 1, 1, (0, 2))

    played.pair()

    with pytest.raises(Illegal, match="result_used"):
        correct_result(played.state, 1, 1, (0, 2))


def test_results_before_a_final_stay_once_it_has_begun() -> None:
    played = PlayedTournament(options_of("swiss", rounds=2, final_top=2), 4)
    played.start()
    for _ in range(2):
        played.pair()
        played.play_round(better_number_wins(played))
    played.pair()

    with pytest.raises(Illegal, match="result_used"):
        correct_result(played.state, 1, 1, (0, 2))
