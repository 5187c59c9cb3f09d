"""What the end of matches and the time lead to."""

from msgspec.structs import replace

from diskwars_protocol.tournaments.state import BoardResult
from diskwars_server.tournaments.rules.progress import MatchFacts, next_limit_ms
from tests.server.tournaments.played_tournaments import (
    MINUTE_MS,
    START_MS,
    PlayedTournament,
    better_number_wins,
    keep_order,
    match_id,
    options_of,
)


def begun(format: str = "swiss", entrants: int = 4, **options: object) -> PlayedTournament:
    played = PlayedTournament(options_of(format, **options), entrants)  # type: ignore[arg-type]
    played.start()
    played.pair()
    return played


def result_of(played: PlayedTournament, board: int = 1) -> BoardResult:
    result = played.state.rounds[0].boards[board - 1].result
    assert result is not None
    return result


def test_tournament_starts_by_itself_at_its_time() -> None:
    played = PlayedTournament(options_of("swiss", starts_ms=START_MS + 5 * MINUTE_MS), 2)
    assert next_limit_ms(played.state) == START_MS + 5 * MINUTE_MS

    statuses = []
    for _ in range(5):
        played.pass_minutes(1)
        statuses.append(played.state.status)

    assert statuses == ["open"] * 4 + ["running"]


def test_tournament_to_which_too_few_came_is_cancelled_at_its_time() -> None:
    played = PlayedTournament(options_of("swiss", starts_ms=START_MS + MINUTE_MS), 1)

    played.pass_minutes(1)

    assert (played.state.status, played.state.note) == ("cancelled", "too_few_entrants")


def test_end_of_a_match_decides_its_board_with_the_scores_of_the_entrants() -> None:
    played = begun()
    board = played.state.rounds[0].boards[0]

    played.end_match(board, (1,), (4, 12), "victory_points")
    played.note()

    result = result_of(played)
    assert (result.half_points, result.scores, result.ended_as) == ((0, 2), (4, 12), "victory_points")
    assert result.decided_by == "match"


def test_entrants_who_swapped_their_seats_get_what_they_have_won() -> None:
    played = begun()
    board = played.state.rounds[0].boards[0]
    played.end_match(board, (1,), (4, 12))
    facts = played.matches[board.match]
    played.matches[board.match] = replace(facts, players=facts.players[::-1])

    played.note()

    assert (result_of(played).half_points, result_of(played).scores) == ((2, 0), (12, 4))


def test_round_ends_once_all_its_boards_are_decided() -> None:
    played = begun()
    first, second = played.state.rounds[0].boards
    played.end_match(first, ())
    played.note()
    assert [round_.is_over for round_ in played.state.rounds] == [False]

    played.end_match(second, (0, 1))
    played.note()

    assert [round_.is_over for round_ in played.state.rounds] == [True]
    assert [result_of(played, board).half_points for board in (1, 2)] == [(1, 1), (1, 1)]


def test_absent_player_forfeits_and_is_withdrawn() -> None:
    played = begun(no_show_minutes=10)
    first, second = played.state.rounds[0].boards
    played.sit_down(first, True, False)
    played.sit_down(second, False, False)

    played.pass_minutes(9)
    assert played.state.rounds[0].boards[0].result is None
    played.pass_minutes(1)

    assert [result_of(played, board).half_points for board in (1, 2)] == [(2, 0), (0, 0)]
    assert result_of(played).decided_by == "no_show"
    absent = {first.entrants[1], *second.entrants}
    assert {entrant.number for entrant in played.state.entrants if entrant.status == "withdrawn"} == absent


def test_match_that_has_begun_is_no_forfeit() -> None:
    played = begun(no_show_minutes=10)
    played.begin_match(played.state.rounds[0].boards[0])

    played.pass_minutes(60)

    assert played.state.rounds[0].boards[0].result is None


def test_match_under_way_at_the_end_of_its_round_is_drawn() -> None:
    played = begun(round_minutes=30)
    first, second = played.state.rounds[0].boards
    played.begin_match(first)
    played.end_match(second, (0,))

    played.pass_minutes(30)

    assert (result_of(played).half_points, result_of(played).decided_by) == ((1, 1), "deadline")
    assert played.state.rounds[0].is_over


def test_bots_are_there_even_if_their_match_has_not_begun() -> None:
    played = PlayedTournament(options_of("swiss", bots=True, no_show_minutes=10, round_minutes=30))
    played.enter_bot("greedy")
    played.enter("p2")
    played.start()
    played.pair()
    board = played.state.rounds[0].boards[0]
    played.sit_down(board, *(played.state.entrant(number).player is not None for number in board.entrants))

    played.pass_minutes(10)
    assert played.state.rounds[0].boards[0].result is None
    played.pass_minutes(20)

    assert result_of(played).half_points == (1, 1)


def test_drawn_match_of_an_elimination_is_played_again_with_the_seats_turned() -> None:
    played = begun("single_elimination", 2)
    board = played.state.rounds[0].boards[0]

    played.end_match(board, ())
    played.note()

    again = played.state.rounds[0].boards[0]
    assert (again.entrants, again.attempt, again.match) == (board.entrants[::-1], 2, match_id(1, 1, 2))
    assert again.result is None


def test_better_seed_goes_on_after_the_third_draw() -> None:
    played = begun("single_elimination", 2)

    played.play_round(lambda board: ())

    result = result_of(played)
    assert result.decided_by == "better_seed"
    assert played.state.rounds[0].boards[0].entrants[result.half_points.index(2)] == 1
    assert played.state.rounds[0].boards[0].attempt == 3


def test_match_that_ended_before_it_began_is_opened_again() -> None:
    played = begun()
    board = played.state.rounds[0].boards[0]
    for attempt in (2, 3):
        played.close_match(played.state.rounds[0].boards[0])
        played.note()
        assert played.state.rounds[0].boards[0].attempt == attempt

    played.close_match(played.state.rounds[0].boards[0])
    played.note()

    assert (result_of(played).half_points, result_of(played).decided_by) == ((0, 0), "no_show")
    assert played.state.rounds[0].boards[0].entrants == board.entrants


def test_nothing_is_known_of_a_match_that_is_not_there_yet() -> None:
    played = begun()
    head = len(played.records)

    played.pass_minutes(60)

    assert len(played.records) == head


def test_next_limit_is_the_earliest_of_those_that_run() -> None:
    played = begun(no_show_minutes=10, round_minutes=5)
    assert next_limit_ms(played.state) == START_MS + 5 * MINUTE_MS

    played.play_round(better_number_wins(played))

    assert next_limit_ms(played.state) is None


def test_facts_of_other_matches_change_nothing() -> None:
    played = begun()
    played.matches["another"] = MatchFacts("ended", True)
    head = len(played.records)

    played.note()

    assert len(played.records) == head
    assert keep_order([2, 1]) == [2, 1]
