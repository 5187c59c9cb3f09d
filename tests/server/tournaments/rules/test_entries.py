"""Entries, withdrawals and check-ins."""

import pytest

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.ids import PlayerId
from diskwars_server.tournaments.rules.entries import check_in, enter, enter_bot, require_entrant, withdraw
from tests.server.tournaments.played_tournaments import (
    MINUTE_MS,
    START_MS,
    PlayedTournament,
    better_number_wins,
    options_of,
)


def statuses(played: PlayedTournament) -> list[str]:
    return [entrant.status for entrant in played.state.entrants]


def test_player_after_the_limit_waits_and_gets_the_place_of_one_who_leaves() -> None:
    played = PlayedTournament(options_of("swiss", entrant_limit=2), 3)
    assert statuses(played) == ["entered", "entered", "waiting"]

    played.apply(withdraw(played.state, played.state.entrant(1), "left"))

    assert statuses(played) == ["withdrawn", "entered", "entered"]


def test_entering_twice_changes_nothing() -> None:
    played = PlayedTournament(options_of("swiss"), 1)

    assert enter(played.state, PlayerId("p1")) == []


def test_withdrawn_player_returns_under_the_same_number() -> None:
    played = PlayedTournament(options_of("swiss"), 2)
    played.apply(withdraw(played.state, played.state.entrant(1), "left"))

    played.enter("p1")

    assert statuses(played) == ["entered", "entered"]


def test_bots_enter_only_where_the_tournament_has_them() -> None:
    without, with_bots = PlayedTournament(options_of("swiss")), PlayedTournament(options_of("swiss", bots=True))

    with pytest.raises(Illegal, match="no_bots_here"):
        enter_bot(without.state, "greedy")
    with_bots.enter_bot("greedy")
    with_bots.enter_bot("greedy")

    assert [entrant.bot for entrant in with_bots.state.entrants] == ["greedy", "greedy"]


@pytest.mark.parametrize(
    ("format", "takes_late"), [("swiss", False), ("round_robin", False), ("single_elimination", False), ("arena", True)]
)
def test_tournament_under_way_takes_entrants_as_its_format_allows(format: str, takes_late: bool) -> None:
    played = PlayedTournament(options_of(format, entrant_limit=8), 4)  # type: ignore[arg-type]
    played.start()

    if takes_late:
        played.enter("p5")
        assert played.state.entrant(5).from_round == 1
    else:
        with pytest.raises(Illegal, match="tournament_begun"):
            enter(played.state, PlayerId("p5"))


def test_late_entrant_of_a_swiss_plays_from_the_next_round() -> None:
    played = PlayedTournament(options_of("swiss", late_entry=True, rounds=3), 4)
    played.start()
    played.pair()

    played.enter("p5")
    assert played.state.entrant(5).from_round == 2
    played.play_round(better_number_wins(played))
    played.pair()

    assert 5 in {number for board in played.state.rounds[1].boards for number in board.entrants} | set(
        played.state.rounds[1].byes
    )


def test_swiss_takes_nobody_once_its_last_round_is_paired() -> None:
    played = PlayedTournament(options_of("swiss", late_entry=True, rounds=1), 4)
    played.start()
    played.pair()

    with pytest.raises(Illegal, match="tournament_begun"):
        enter(played.state, PlayerId("p5"))


def test_running_tournament_that_is_full_takes_no_late_entrant() -> None:
    played = PlayedTournament(options_of("arena", entrant_limit=2), 2)
    played.start()

    with pytest.raises(Illegal, match="tournament_full"):
        enter(played.state, PlayerId("p3"))


def test_waiting_list_has_an_end() -> None:
    played = PlayedTournament(options_of("swiss", entrant_limit=2), 130)

    with pytest.raises(Illegal, match="tournament_full"):
        enter(played.state, PlayerId("one-more"))


def test_entrants_check_in_in_the_time_before_the_start() -> None:
    options = options_of("swiss", starts_ms=START_MS + 60 * MINUTE_MS, check_in_minutes=30)
    played = PlayedTournament(options, 2)

    with pytest.raises(Illegal, match="no_check_in"):
        check_in(played.state, played.state.entrant(1), played.now)
    played.pass_minutes(30)
    played.apply(check_in(played.state, played.state.entrant(1), played.now))

    assert [entrant.checked_in for entrant in played.state.entrants] == [True, False]
    assert check_in(played.state, played.state.entrant(1), played.now) == []


def test_strangers_and_withdrawn_entrants_cannot_check_in() -> None:
    played = PlayedTournament(options_of("swiss"), 1)
    played.apply(withdraw(played.state, played.state.entrant(1), "left"))

    with pytest.raises(Illegal, match="not_entered"):
        require_entrant(played.state, "stranger")
    with pytest.raises(Illegal, match="not_entered"):
        check_in(played.state, played.state.entrant(1), played.now)
