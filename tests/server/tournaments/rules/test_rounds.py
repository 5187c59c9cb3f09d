"""Rounds of every format, from the first to the end."""

import random

import pytest

from diskwars_protocol.tournaments.brackets import bracket_of
from diskwars_protocol.tournaments.options import TournamentFormat
from diskwars_protocol.tournaments.standings import standings_of
from diskwars_protocol.tournaments.state import TournamentBoard
from diskwars_server.tournaments.rules.entries import withdraw
from diskwars_server.tournaments.rules.rounds import wants_round
from tests.server.tournaments.played_tournaments import (
    PlayedTournament,
    better_number_wins,
    options_of,
    random_results,
)


@pytest.mark.parametrize("entrants", [2, 3, 5, 8, 11])
@pytest.mark.parametrize("format", ["swiss", "round_robin", "single_elimination", "double_elimination"])
def test_tournament_of_every_format_comes_to_its_end_and_the_best_wins(format: str, entrants: int) -> None:
    played = PlayedTournament(options_of(format, entrant_limit=32), entrants)  # type: ignore[arg-type]
    played.start()

    played.play_to_end(better_number_wins(played))

    assert played.state.status == "ended"
    assert played.state.ranking[0] == 1
    assert sorted(played.state.ranking) == list(range(1, entrants + 1))


@pytest.mark.parametrize("format", ["swiss", "round_robin", "single_elimination", "double_elimination"])
def test_tournament_ends_with_any_results_and_withdrawals(format: TournamentFormat) -> None:
    for seed in range(20):
        rng = random.Random(seed)
        entrants = rng.randint(2, 12)
        played = PlayedTournament(
            options_of(format, entrant_limit=32, third_place=format.startswith("single")), entrants
        )
        played.start()

        def leave(rng: random.Random = rng, played: PlayedTournament = played) -> None:
            for entrant in played.state.entrants:
                if entrant.status == "entered" and rng.random() < 0.1:
                    played.apply(withdraw(played.state, entrant, "left"))

        played.play_to_end(random_results(rng, 0.4), leave)

        assert played.state.status == "ended"
        assert len(set(played.state.ranking)) == len(played.state.ranking)


def test_swiss_is_followed_by_the_final_of_its_best() -> None:
    played = PlayedTournament(options_of("swiss", rounds=4, final_top=4, third_place=True), 16)
    played.start()

    played.play_to_end(better_number_wins(played))

    finalists = played.state.finalists
    assert len(finalists) == 4
    assert [round_.stage for round_ in played.state.rounds] == ["main"] * 4 + ["final"] * 2
    places = {place.place: place for place in bracket_of(played.state)}
    assert places["W1.1"].entrants == (finalists[0], finalists[3])
    assert places["T"].winner == played.state.ranking[2]
    assert set(played.state.ranking[:4]) == set(finalists)
    assert [row.entrant for row in standings_of(played.state)] == list(played.state.ranking)


def test_final_is_smaller_where_fewer_are_left() -> None:
    played = PlayedTournament(options_of("swiss", rounds=1, final_top=8), 5)
    played.start()

    played.play_to_end(better_number_wins(played))

    assert len(played.state.finalists) == 4


def test_entrant_with_one_loss_can_still_win_a_double_elimination() -> None:
    played = PlayedTournament(options_of("double_elimination"), 4)
    played.start()

    def play(board: TournamentBoard) -> tuple[int, ...]:
        if board.place == "W2.1":
            return (board.entrants.index(2),)  # 1 loses once, and never again
        return (board.entrants.index(min(board.entrants)),)

    played.play_to_end(play)

    assert played.state.ranking[:2] == (1, 2)
    assert {place.place: place.winner for place in bracket_of(played.state)}["G"] == 1


def test_winner_without_a_loss_needs_no_second_final() -> None:
    played = PlayedTournament(options_of("double_elimination"), 4)
    played.start()

    played.play_to_end(better_number_wins(played))

    assert all(board.place != "G" for round_ in played.state.rounds for board in round_.boards)


def test_free_places_of_a_bracket_let_the_best_seeds_through() -> None:
    played = PlayedTournament(options_of("single_elimination"), 5)
    played.start()
    played.pair()

    assert [board.entrants for board in played.state.rounds[0].boards] in ([(4, 5)], [(5, 4)])


def test_withdrawn_entrant_forfeits_the_rest_of_a_round_robin() -> None:
    played = PlayedTournament(options_of("round_robin", entrant_limit=4), 4)
    played.start()
    played.apply(withdraw(played.state, played.state.entrant(4), "left"))

    played.play_to_end(better_number_wins(played))

    forfeits = [board.result for round_ in played.state.rounds for board in round_.boards if 4 in board.entrants]
    assert [result.decided_by for result in forfeits if result] == ["withdrawn"] * 3
    assert played.state.ranking == (1, 2, 3, 4)


def test_two_withdrawn_entrants_both_forfeit() -> None:
    played = PlayedTournament(options_of("single_elimination"), 4)
    played.start()
    for number in (1, 4):
        played.apply(withdraw(played.state, played.state.entrant(number), "left"))

    played.play_to_end(better_number_wins(played))

    assert played.state.ranking[0] == 2


def test_arena_pairs_free_entrants_until_its_time_is_over() -> None:
    played = PlayedTournament(options_of("arena", arena_minutes=30), 5)
    played.start()
    play = random_results(random.Random(3))
    for _ in range(10):
        assert wants_round(played.state, played.now)
        played.pair()
        first = played.state.rounds[-1].boards[:1]
        for board in first:
            played.end_match(board, play(board))
        played.pass_minutes(2)
        played.play_round(play)
    played.pair()
    under_way = played.state.rounds[-1]

    played.pass_minutes(30)
    assert not wants_round(played.state, played.now)
    played.play_round(play)
    played.pair()

    assert under_way.number == 11
    assert played.state.status == "ended"


def test_arena_lets_nobody_meet_the_last_opponent_while_another_is_free() -> None:
    played = PlayedTournament(options_of("arena"), 6)
    played.start()
    play = random_results(random.Random(1))
    before: set[frozenset[int]] = set()
    for _ in range(6):
        played.pair()
        met = {frozenset(board.entrants) for board in played.state.rounds[-1].boards}
        assert not met & before
        before = met
        played.play_round(play)


def test_two_in_an_arena_play_on_against_each_other_and_one_waits() -> None:
    played = PlayedTournament(options_of("arena"), 2)
    played.start()
    for _ in range(3):
        played.pair()
        played.play_round(better_number_wins(played))
    assert len(played.state.rounds) == 3

    played.apply(withdraw(played.state, played.state.entrant(1), "left"))

    assert not wants_round(played.state, played.now)
