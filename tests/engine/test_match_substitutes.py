"""A bot in the place of a player who has missed too many answers: when it plays, and how the player goes on."""

from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_engine.match import MatchRules
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import MakeOffer, Resign, ResumePlay, TakebackOffer, TakeSeatBack
from diskwars_protocol.match.bot_identity import bot_player
from diskwars_protocol.match.events import SeatTakenBack, SeatTakenOver
from diskwars_protocol.match.ids import HOUSE, Actor, DecisionId
from diskwars_protocol.match.match_options import BankClock, MatchOptions, PerDecisionClock
from diskwars_protocol.match.state import AnyBody, RecordBody, SeatState, due_ms
from diskwars_protocol.match.substitutes import substitution_of
from tests.engine.played_match import player_of
from tests.golden.agreement_matches import act, answer_offer, opened
from tests.golden.substitute_matches import (
    SLEEPER,
    SUBSTITUTES,
    AnyLocal,
    fall_asleep,
    play_as_substitute,
    sleep,
    wait_for,
)
from tests.rows import each_row
from tests.server.counting_ruleset import CountingLoadout, CountingRules, CountingSettings

RULES: Any = MatchRules(CountingRules())


def counting(options: MatchOptions = SUBSTITUTES) -> AnyLocal:
    return opened(RULES, "substitutes", CountingSettings(rounds=9), (CountingLoadout(),) * 2, options)


def events_of(local: AnyLocal, *kinds: type) -> list[tuple[int, Any]]:
    found = enumerate(local.records, 1)
    return [(seq, event) for seq, body in found for event in body.events if isinstance(event, kinds)]


def test_house_plays_on_from_the_answer_that_reaches_the_limit() -> None:
    local = counting()
    sleep(local, wait_for(local, SLEEPER))
    assert (local.match.seats[SLEEPER].missed, local.match.seats[SLEEPER].substitute) == (1, False)
    sleep(local, wait_for(local, SLEEPER))
    last = local.records[-1]
    assert (last.actor, last.seat, last.events[0]) == ("house", SLEEPER, SeatTakenOver(SLEEPER))
    assert not isinstance(last.action, Resign)
    assert local.match.seats[SLEEPER].substitute


def test_substitute_need_not_wait_and_its_answers_are_not_counted() -> None:
    local = counting()
    fall_asleep(local)
    missed = local.match.seats[SLEEPER].missed
    for _ in range(3):
        decision = wait_for(local, SLEEPER)
        due = due_ms(local.match, decision, local.match.at_ms)
        play_as_substitute(local, decision)
        assert due is not None
        assert local.match.at_ms < due
    assert local.match.seats[SLEEPER].missed == missed
    assert len(events_of(local, SeatTakenOver)) == 1
    assert local.match.seat_nonces[-1][SLEEPER] == "0" * 32, "the house has no link of the player's chain"


def test_time_of_a_substitute_may_be_up_too() -> None:
    local = counting()
    fall_asleep(local)
    sleep(local, wait_for(local, SLEEPER))
    assert local.records[-1].actor == "house"
    assert not any(state.resigned for state in local.match.seats)


def test_player_takes_the_seat_back_by_an_action_or_by_an_answer() -> None:
    local = counting()
    fall_asleep(local)
    act(local, SLEEPER, TakeSeatBack())
    assert local.records[-1].events == (SeatTakenBack(SLEEPER),)
    assert (local.match.seats[SLEEPER].substitute, local.match.seats[SLEEPER].missed) == (False, 0)
    fall_asleep(local)
    decision = wait_for(local, SLEEPER)
    local.answer(decision, local.rules.default(local.match, decision, local.secrets))
    assert local.records[-1].events[0] == SeatTakenBack(SLEEPER)
    assert not local.match.seats[SLEEPER].substitute
    assert len(events_of(local, SeatTakenOver)) == len(events_of(local, SeatTakenBack)) == 2


def test_open_decisions_stay_open_when_a_seat_is_taken_back() -> None:
    local = counting()
    fall_asleep(local)
    before = wait_for(local, SLEEPER)
    act(local, SLEEPER, TakeSeatBack())
    assert before in local.match.decisions


@pytest.mark.parametrize("seat", [0, 1])
def test_seat_that_its_player_plays_is_not_taken_back(seat: int) -> None:
    local = counting()
    head = len(local.records)
    with pytest.raises(Illegal) as refusal:
        act(local, seat, TakeSeatBack())
    assert (refusal.value.code, len(local.records)) == ("not_taken_over", head)


def test_last_person_is_not_replaced_but_resigns() -> None:
    local = counting()
    fall_asleep(local)
    while not local.is_over:
        decision = local.match.decisions[0]
        if decision.seat == SLEEPER:
            play_as_substitute(local, decision)
        else:
            sleep(local, decision)
    last = local.records[-1]
    assert (last.actor, last.seat, last.action) == ("house", 0, Resign())
    assert local.match.result is not None
    assert local.match.result.winners == (SLEEPER,)


def test_bots_do_not_count_as_people_who_play() -> None:
    local = counting()
    seats = list(local.match.seats)
    seats[0] = SeatState(bot_player("greedy", 0), seats[0].loadout, seats[0].chain, ready=True)
    local.match = replace(local.match, seats=tuple(seats))
    decision = next(open_ for open_ in local.match.decisions if open_.seat == SLEEPER)
    sleep(local, decision)
    assert local.match.seats[SLEEPER].missed == 1
    while any(open_.seat == 0 for open_ in local.match.decisions):
        asked = next(open_ for open_ in local.match.decisions if open_.seat == 0)
        action = local.rules.default(local.match, asked, local.secrets)
        local.commit(local.decide(bot_player("greedy", 0), asked.id, action))
    decision = next(open_ for open_ in local.match.decisions if open_.seat == SLEEPER)
    assert local.rules.house_action(local.match, decision, local.secrets) == Resign()


def test_house_does_not_resign_for_a_seat_that_it_plays_or_may_take_over() -> None:
    local = counting()
    sleep(local, wait_for(local, SLEEPER))
    for _ in range(2):
        decision = wait_for(local, SLEEPER)
        with pytest.raises(Illegal) as refusal:
            local.decide(HOUSE, decision.id, Resign())
        assert refusal.value.code == "wrong_action"
        sleep(local, decision)


def test_takeback_leaves_who_plays_a_seat() -> None:
    local = counting()
    head = len(local.records)
    fall_asleep(local)
    act(local, 0, MakeOffer(TakebackOffer(head)))
    answer_offer(local, agree=True)
    assert local.match.seats[SLEEPER].substitute
    act(local, SLEEPER, TakeSeatBack())
    assert local.rules.fold_log(local.records) == local.match
    assert not local.match.seats[SLEEPER].substitute


@pytest.mark.parametrize(
    "options",
    [
        MatchOptions(clock=PerDecisionClock(30), on_missed_limit="bot"),
        MatchOptions(clock=BankClock(60), missed_limit=2, on_missed_limit="bot", rated=True),
    ],
    ids=["without a limit", "rated"],
)
def test_match_that_can_have_no_substitute_is_not_opened(options: MatchOptions) -> None:
    with pytest.raises(Illegal) as refusal:
        counting(options)
    assert (refusal.value.code, refusal.value.place) == ("bad_match_options", "$.match_options.on_missed_limit")


def test_player_who_is_away_may_resign() -> None:
    local = counting()
    fall_asleep(local)
    act(local, SLEEPER, Resign())
    assert local.match.result is not None
    assert local.match.result.winners == (0,)
    assert player_of(SLEEPER) == local.match.seats[SLEEPER].player


@pytest.mark.parametrize("seat", [0, 1])
def test_house_takes_over_any_seat_whose_last_answer_was_missed_and_its_player_takes_it_back(seat: int) -> None:
    local = counting()
    state = replace(local.match.seats[seat], missed=(SUBSTITUTES.missed_limit or 0) - 1)
    missing = replace(local.match, seats=(*local.match.seats[:seat], state, *local.match.seats[seat + 1 :]))
    body: AnyBody = RecordBody(at_ms=0, seat=seat, decision=DecisionId("1.0"), actor="house")
    assert substitution_of(missing, body) == (SeatTakenOver(seat),)
    assert substitution_of(replace(missing, board=None), body) == ()
    taken = RULES.apply(missing, SeatTakenOver(seat))
    assert substitution_of(taken, replace(body, actor=None)) == (SeatTakenBack(seat),)
    assert substitution_of(taken, replace(body, actor=None, decision=None, action=ResumePlay())) == ()


@each_row("seat", [None, -1, 2])
@each_row("actor", [None, "house"])
def test_record_of_no_seat_of_the_match_has_no_substitution(seat: int | None, actor: Actor | None) -> None:
    """A verifier reads records that a stranger has made up."""
    body: AnyBody = RecordBody(at_ms=0, seat=seat, decision=DecisionId("1.0"), actor=actor)
    assert substitution_of(counting().match, body) == ()
