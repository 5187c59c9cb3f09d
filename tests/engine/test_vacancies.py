"""Seats that are given up before a match begins: by which players, and what it costs."""

import pytest

from diskwars_engine.local import LocalSeat
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import LeaveSeat, Ready, ReadyQuestion, Resign, SeatQuestion
from diskwars_protocol.match.bot_identity import bot_player
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.events import SeatVacated, SpentNonce, StepBegan
from diskwars_protocol.match.ids import DecisionId, PlayerId
from diskwars_protocol.match.state import SeatChainState, SeatState
from diskwars_protocol.records.fairness import is_next_nonce, seeded_entropy
from tests.engine.played_match import player_of
from tests.golden.seat_matches import STRANGER, AnyLocal, kick, leave, make_ready, opened, take
from tests.golden.write_files import COUNTING
from tests.server.counting_ruleset import CountingLoadout, CountingSettings


def seated(seats: int = 2) -> AnyLocal:
    """Return a match in which every seat is taken, and nobody is ready."""
    local = opened(COUNTING, "counting", CountingSettings(rounds=2), (CountingLoadout(),) * seats)
    local.seats = list(local.seats)
    for seat in range(seats):
        take(local, seat)
    return local


def replaced_by(local: AnyLocal, seat: int, player: PlayerId) -> None:
    """Let another player take a seat that is free."""
    seats = list(local.seats)
    seats[seat] = LocalSeat(player, CountingLoadout(), seeded_entropy(seat, f"chain of {player}"))
    local.seats = seats
    take(local, seat)


def refusal(local: AnyLocal, seat: int, action: object = None) -> str:
    with pytest.raises(Illegal) as refused:
        local.decide(player_of(seat), None, action or LeaveSeat())
    return refused.value.code


def test_seat_that_is_left_is_free_and_asked_for_under_a_new_id() -> None:
    local = seated()
    leave(local, 1)
    record = len(local.records)
    assert local.records[-1].events == (SeatVacated(1, player_of(1), record),)
    assert local.match.seats[1] == SeatState(vacated_in=record)
    assert local.match.decisions == (Decision(DecisionId(f"{record}.0"), 1, SeatQuestion()),)
    assert local.match.status == "open"


def test_player_who_left_may_take_a_seat_again_and_so_may_another() -> None:
    local = seated()
    leave(local, 1)
    replaced_by(local, 1, STRANGER)
    leave(local, 1)
    replaced_by(local, 1, player_of(1))
    assert local.match.seats[1].player == player_of(1)
    assert local.match.seats[1].vacated_in == len(local.records) - 1
    list(local.begin())
    assert local.match.status == "running"


def test_nobody_is_ready_after_a_seat_was_left_and_nonces_of_others_are_published_and_used_up() -> None:
    """A nonce that the server knows already could be answered by a chain that suits it."""
    local = seated()
    before = local.match.seats[0].chain
    make_ready(local, 0)
    given = local.match.seats[0].seat_nonce
    leave(local, 1)
    event = local.records[-1].events[0]
    assert isinstance(given, str)
    assert event.spent_nonces == (SpentNonce(0, given),)
    assert before is not None
    assert isinstance(given, str)
    assert is_next_nonce(bytes.fromhex(before.head), bytes.fromhex(given))
    state = local.match.seats[0]
    assert (state.ready, state.seat_nonce, state.chain) == (False, None, SeatChainState(given))
    replaced_by(local, 1, STRANGER)
    assert [(open_.seat, open_.question) for open_ in local.match.decisions] == [
        (0, ReadyQuestion()),
        (1, ReadyQuestion()),
    ]
    list(local.begin())
    step = next(event for event in local.events if isinstance(event, StepBegan))
    assert is_next_nonce(bytes.fromhex(given), bytes.fromhex(step.seat_nonces[0]))


def test_nonce_that_was_published_is_refused_when_it_is_given_again() -> None:
    local = seated()
    make_ready(local, 0)
    given = local.match.seats[0].seat_nonce
    leave(local, 1)
    replaced_by(local, 1, STRANGER)
    decision = local.match.decisions[0]
    with pytest.raises(Illegal) as refused:
        local.decide(player_of(0), decision.id, Ready(given or ""))
    assert refused.value.code == "bad_seat_nonce"


def test_leavers_own_nonce_is_published_nowhere() -> None:
    local = seated()
    make_ready(local, 1)
    given = local.match.seats[1].seat_nonce
    leave(local, 1)
    assert local.records[-1].events[0].spent_nonces == ()
    assert isinstance(given, str)
    assert given not in str(local.match)


def test_removed_player_takes_no_seat_again_but_others_do() -> None:
    local = seated()
    kick(local, 1)
    assert local.records[-1].events[0].kicked
    assert (local.records[-1].seat, local.records[-1].actor) == (None, "opener")
    assert local.match.kicked == (player_of(1),)
    with pytest.raises(Illegal) as refused:
        take(local, 1)
    assert refused.value.code == "kicked"
    replaced_by(local, 1, STRANGER)
    assert local.match.seats[1].player == STRANGER


def test_bot_that_was_removed_may_be_seated_again() -> None:
    local = seated()
    leave(local, 1)
    replaced_by(local, 1, bot_player("greedy", 1))
    kick(local, 1)
    replaced_by(local, 1, bot_player("greedy", 1))
    assert local.match.kicked == (bot_player("greedy", 1),)


def test_opener_can_remove_no_empty_seat_and_not_the_own_one() -> None:
    local = seated()
    leave(local, 1)
    for seat, code in ((0, "own_seat"), (1, "empty_seat"), (2, "empty_seat"), (-1, "empty_seat"), (-2, "empty_seat")):
        with pytest.raises(Illegal) as refused:
            kick(local, seat)
        assert refused.value.code == code


def test_number_of_players_who_can_be_removed_is_bounded() -> None:
    local = seated()
    for number in range(16):
        kick(local, 1)
        replaced_by(local, 1, PlayerId(f"guest{number}"))
    with pytest.raises(Illegal) as refused:
        kick(local, 1)
    assert (refused.value.code, refused.value.numbers) == ("too_many_kicks", {"limit": 16})


def test_seat_is_left_only_by_its_player_and_before_the_match_begins() -> None:
    local = seated()
    with pytest.raises(Illegal) as refused:
        local.decide(STRANGER, None, LeaveSeat())
    assert refused.value.code == "no_seat"
    with pytest.raises(Illegal) as named:
        local.decide(player_of(0), local.match.decisions[0].id, LeaveSeat())
    assert named.value.code == "wrong_action"
    list(local.begin())
    assert refusal(local, 0) == "has_begun"
    with pytest.raises(Illegal) as begun:
        kick(local, 1)
    assert begun.value.code == "has_begun"
    local.commit(local.decide(player_of(1), None, Resign()))
    assert refusal(local, 0) == "match_ended"
    with pytest.raises(Illegal) as ended:
        kick(local, 1)
    assert ended.value.code == "match_ended"
