"""Agreements of players: draws, pauses, takebacks, free ones among them; banks of time; missed answers.

In the pit nothing is hidden, so some answers may be taken back freely. In the counting ruleset each is a secret.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_engine.match import Command, MatchRules
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import (
    AnswerOffer,
    DrawOffer,
    MakeOffer,
    Offer,
    PauseOffer,
    Resign,
    ResumePlay,
    TakeBack,
    TakebackOffer,
    TakeSeatBack,
)
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.events import PlayPaused, StepBegan
from diskwars_protocol.match.ids import HOUSE, PlayerId
from diskwars_protocol.match.match_options import BankClock, MatchOptions, PerDecisionClock
from diskwars_protocol.match.state import OpenOffer, SeatClock, due_ms
from diskwars_protocol.messages.refusals import REFUSAL_CODES
from diskwars_protocol.rulesets.pit.actions import PitLoadout, PitSettings
from tests.engine.played_match import player_of
from tests.engine.rulesets.diskwars.positions import find_refusals
from tests.golden import bot_matches
from tests.golden.agreement_matches import (
    ALL_AGREEMENTS,
    AnyLocal,
    Ticking,
    act,
    answer_first,
    answer_offer,
    let_the_house_answer,
    opened,
    take_back_freely,
)
from tests.golden.write_files import COUNTING
from tests.rows import each_row
from tests.server.counting_ruleset import CountingLoadout, CountingSettings

PIT: MatchRules[Any, Any, Any] = MatchRules(load_ruleset("pit", ()))
by_bot = partial(bot_matches.play, seed=1, records=1)


def pit(options: MatchOptions = ALL_AGREEMENTS, players: int = 2) -> AnyLocal:
    return opened(PIT, "pit", PitSettings(), (PitLoadout(),) * players, options)


def counting(options: MatchOptions = ALL_AGREEMENTS) -> AnyLocal:
    return opened(COUNTING, "counting", CountingSettings(rounds=9), (CountingLoadout(),) * 2, options)


def offering(offer: Offer, seat: int = 0) -> Callable[[], AnyLocal]:
    """Return a match in which a seat has made an offer after two answers."""

    def made() -> AnyLocal:
        local = pit()
        by_bot(local)
        by_bot(local)
        act(local, seat, MakeOffer(offer))
        return local

    return made


def paused() -> AnyLocal:
    local = offering(PauseOffer())()
    answer_offer(local, agree=True)
    return local


def offer_id(local: AnyLocal) -> int:
    return 0 if local.match.offer is None else local.match.offer.id


# ---------------------------------------------------------------- offers


def test_a_draw_ends_the_match_when_all_agree() -> None:
    local = offering(DrawOffer())()
    made = len(local.records)
    assert local.match.offer == OpenOffer(made, 0, DrawOffer())
    open_before = local.match.decisions
    answer_offer(local, agree=True)
    assert local.match.result == Result("draw_agreed")
    assert local.match.status == "ended"
    assert offer_id(local) == 0
    assert not local.match.decisions
    assert open_before, "an offer closes no decision"


def test_three_players_have_to_agree_all_and_those_who_resigned_do_not() -> None:
    local = pit(players=3)
    act(local, 0, MakeOffer(DrawOffer()))
    act(local, 1, AnswerOffer(offer_id(local), agree=True))
    assert local.match.offer == OpenOffer(len(local.records) - 1, 0, DrawOffer(), (1,))
    assert local.match.status == "running"
    act(local, 2, Resign())
    assert offer_id(local) == 0, "those who are left may offer it again"
    act(local, 1, MakeOffer(DrawOffer()))
    act(local, 0, AnswerOffer(offer_id(local), agree=True))
    assert local.match.result == Result("draw_agreed")


@pytest.mark.parametrize("seat", [0, 1])
def test_an_offer_ends_when_a_player_refuses_it_or_its_maker_withdraws_it(seat: int) -> None:
    local = offering(DrawOffer())()
    act(local, seat, AnswerOffer(offer_id(local), agree=False))
    assert (local.match.offer, local.match.status) == (None, "running")


def test_a_seat_may_make_another_offer_after_it_has_answered_a_decision() -> None:
    local = offering(DrawOffer(), seat=pit().match.decisions[0].seat)()
    maker = local.match.offer.seat if local.match.offer else -1
    answer_offer(local, agree=False)
    assert local.match.seats[maker].has_offered
    while local.match.seats[maker].has_offered:
        assert local.match.decisions, "the seat is asked at some time"
        by_bot(local)
    assert local.records[-1].seat == maker
    act(local, maker, MakeOffer(PauseOffer()))


def test_play_pauses_when_the_last_of_three_agrees_and_for_no_other_offer() -> None:
    local = pit(players=3)
    for offer in (PauseOffer(), DrawOffer()):
        act(local, 0, MakeOffer(offer))
        for seat in (1, 2):
            assert not local.match.paused
            act(local, seat, AnswerOffer(offer_id(local), agree=True))
            is_pause = isinstance(offer, PauseOffer) and seat == 2
            assert any(isinstance(event, PlayPaused) for event in local.records[-1].events) == is_pause
        if local.match.paused:
            act(local, 0, ResumePlay())
            by_bot(local)
            while local.match.seats[0].has_offered:
                by_bot(local)
    assert local.match.result == Result("draw_agreed")


def test_in_a_pause_decisions_take_no_answers_and_any_player_resumes() -> None:
    local = paused()
    decision = local.match.decisions[0]
    with pytest.raises(Illegal) as refusal:
        by_bot(local)
    assert refusal.value.code == "paused"
    assert due_ms(local.match, decision, 0) is None
    act(local, 1, ResumePlay())
    assert (local.match.paused, local.match.resumed_ms) == (False, local.match.at_ms)
    by_bot(local)


# ---------------------------------------------------------------- what is refused

Case = tuple[Callable[[], AnyLocal], Callable[[AnyLocal], tuple[PlayerId, Any]], str]
NO_OPTIONS = MatchOptions()
CASES: dict[str, Case] = {
    "an offer of a stranger": (pit, lambda m: (PlayerId("x"), MakeOffer(DrawOffer())), "no_seat"),
    "a draw without the option": (
        lambda: pit(NO_OPTIONS),
        lambda m: (player_of(0), MakeOffer(DrawOffer())),
        "option_off",
    ),
    "a pause without the option": (
        lambda: pit(NO_OPTIONS),
        lambda m: (player_of(0), MakeOffer(PauseOffer())),
        "option_off",
    ),
    "a takeback without the option": (
        lambda: by_bot(pit(NO_OPTIONS)),
        lambda m: (player_of(0), MakeOffer(TakebackOffer(5))),
        "option_off",
    ),
    "a free takeback without the option": (
        lambda: by_bot(pit(NO_OPTIONS)),
        lambda m: (player_of(0), TakeBack(5)),
        "option_off",
    ),
    "a second offer beside the first": (
        offering(DrawOffer()),
        lambda m: (player_of(1), MakeOffer(PauseOffer())),
        "offer_waiting",
    ),
    "agreeing to the own offer": (
        offering(DrawOffer()),
        lambda m: (player_of(0), AnswerOffer(offer_id(m), agree=True)),
        "already_agreed",
    ),
    "answering an offer that is not open": (
        offering(DrawOffer()),
        lambda m: (player_of(1), AnswerOffer(1, agree=True)),
        "no_offer",
    ),
    "answering where nothing is offered": (pit, lambda m: (player_of(1), AnswerOffer(1, agree=False)), "no_offer"),
    "taking a seat back that the house does not play": (
        pit,
        lambda m: (player_of(0), TakeSeatBack()),
        "not_taken_over",
    ),
    "resuming where nothing is paused": (pit, lambda m: (player_of(0), ResumePlay()), "not_paused"),
    "an offer in a pause": (paused, lambda m: (player_of(1), MakeOffer(DrawOffer())), "paused"),
    "a takeback in a pause": (paused, lambda m: (player_of(0), TakeBack(5)), "paused"),
    "going back to the last record": (pit, lambda m: (player_of(0), TakeBack(len(m.records))), "bad_takeback"),
    "offering to go back to the future": (
        pit,
        lambda m: (player_of(0), MakeOffer(TakebackOffer(99))),
        "bad_takeback",
    ),
    "going back before the beginning": (
        lambda: by_bot(by_bot(pit())),
        lambda m: (player_of(0), TakeBack(2)),
        "bad_takeback",
    ),
}


@each_row("name", CASES)
def test_this_is_refused_and_changes_nothing(name: str) -> None:
    bring, send, code = CASES[name]
    local = bring()
    before, count = local.match, len(local.records)
    player, action = send(local)
    with pytest.raises(Illegal) as refusal:
        local.decide(player, None, action)
    assert refusal.value.code == code
    assert refusal.value.code in REFUSAL_CODES
    assert local.match is before
    assert len(local.records) == count


def test_an_offer_before_the_match_has_begun_is_refused() -> None:
    local = pit()
    unbegun = replace(local.match, board=None)
    with pytest.raises(Illegal) as refusal:
        local.rules.decide(unbegun, 9, _command(MakeOffer(DrawOffer())), local.secrets)
    assert refusal.value.code == "wrong_action"


def test_a_seat_that_has_made_an_offer_waits_with_the_next() -> None:
    local = offering(DrawOffer())()
    answer_offer(local, agree=False)
    with pytest.raises(Illegal) as refusal:
        act(local, 0, MakeOffer(DrawOffer()))
    assert refusal.value.code == "offered_already"


@pytest.mark.parametrize(
    ("options", "place"),
    [
        (MatchOptions(rated=True, takebacks=True), "$.match_options.takebacks"),
        (MatchOptions(missed_limit=3), "$.match_options.missed_limit"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: MatchOptions, place: str) -> None:
    with pytest.raises(Illegal) as refusal:
        pit(options)
    assert (refusal.value.code, refusal.value.place) == ("bad_match_options", place)


def test_every_refusal_about_agreements_is_tested_here() -> None:
    tested = {code for _, _, code in CASES.values()} | {"wrong_action", "offered_already", "consent_needed"}
    assert {code for code, _ in find_refusals("agreements.py", "takebacks.py")} <= tested


def _command(action: Any) -> Command[Any]:
    return Command(player_of(0), None, action, 0)


# ---------------------------------------------------------------- takebacks


def test_an_answer_without_dice_and_secrets_is_taken_back_freely() -> None:
    local = pit()
    assert take_back_freely(local, by_bot)
    taken, undone = local.records[-1], local.records[-2]
    assert taken.taken_back_to == len(local.records) - 2
    assert taken.seat == undone.seat
    before = local.rules.fold_log(local.records[:-2])
    assert local.match.board == before.board
    assert [(decision.seat, decision.question) for decision in local.match.decisions] == [
        (decision.seat, decision.question) for decision in before.decisions
    ]
    assert {decision.id.partition(".")[0] for decision in local.match.decisions} == {str(len(local.records))}
    assert local.match.seats[taken.seat or 0].takebacks == 1
    assert local.rules.fold_log(local.records) == local.match
    by_bot(local)


def test_an_answer_that_used_the_dice_or_passed_the_turn_needs_consent() -> None:
    """Every answer of a whole match: it is taken back freely if, and only if, it told nobody anything."""
    local, seen = pit(), set[bool]()
    while len(local.records) < 60:
        target, steps = len(local.records), local.match.step
        by_bot(local)
        if local.is_over:
            break
        last = local.records[-1]
        assert last.seat is not None
        told = last.draw_index is not None or local.match.step != steps
        passed = any(decision.seat != last.seat for decision in local.match.decisions)
        was_alone = all(decision.seat == last.seat for decision in local.rules.fold_log(local.records[:-1]).decisions)
        is_free = _is_free(local, last.seat, target)
        assert is_free == (was_alone and not told and not passed)
        seen.add(is_free)
    assert seen == {True, False}


def _is_free(local: AnyLocal, seat: int, target: int) -> bool:
    try:
        local.decide(player_of(seat), None, TakeBack(target))
    except Illegal as illegal:
        return illegal.code != "consent_needed"
    return True


def test_what_another_seat_has_done_is_not_taken_back_freely() -> None:
    local = pit()
    assert take_back_freely(local, by_bot)
    last = local.records[-1]
    for seat in range(2):
        if seat != last.seat:
            with pytest.raises(Illegal) as refusal:
                act(local, seat, TakeBack(len(local.records) - 1))
            assert refusal.value.code == "bad_takeback", "that record is taken back itself"


def test_a_secret_answer_is_taken_back_by_consent_only_and_its_nonce_stays_open() -> None:
    local = counting()
    target = len(local.records)
    answer_first(local)
    with pytest.raises(Illegal) as refusal:
        act(local, 0, TakeBack(target))
    assert refusal.value.code == "consent_needed"
    nonce = local.match.seats[0].seat_nonce
    act(local, 0, MakeOffer(TakebackOffer(target)))
    answer_offer(local, agree=True)
    assert [decision.seat for decision in local.match.decisions] == [0, 1]
    assert local.match.seats[0].seat_nonce == nonce


def test_dice_never_rewind() -> None:
    """The next draw goes on where the last one was, in the step that has begun."""
    local = counting()
    target = len(local.records)
    answer_first(local)
    answer_first(local)
    step, index = local.match.step, local.match.draw_index
    assert (step, index) != (1, 0)
    act(local, 1, MakeOffer(TakebackOffer(target)))
    answer_offer(local, agree=True)
    assert (local.match.step, local.match.draw_index) == (step, index)
    assert local.match.board == local.rules.fold_log(local.records[:target]).board
    answer_first(local)
    answer_first(local)
    assert local.match.step == step + 1
    assert local.rules.fold_log(local.records) == local.match


def test_takebacks_of_a_seat_are_limited_within_a_step_and_count_again_in_the_next() -> None:
    local = pit()
    assert take_back_freely(local, by_bot)
    seat = local.records[-1].seat or 0
    for _ in range(19):
        target = len(local.records)
        by_bot(local)
        act(local, seat, TakeBack(target))
    target = len(local.records)
    by_bot(local)
    with pytest.raises(Illegal) as refusal:
        act(local, seat, TakeBack(target))
    assert (refusal.value.code, refusal.value.numbers) == ("bad_takeback", {"limit": 20})
    began = StepBegan(local.match.step + 1, "00" * 32)
    assert local.rules.apply(local.match, began).seats[seat].takebacks == 0


def test_a_takeback_brings_no_player_back_who_has_resigned() -> None:
    local = pit(players=3)
    target = len(local.records)
    by_bot(local)
    act(local, 2, Resign())
    act(local, 0, MakeOffer(TakebackOffer(target)))
    with pytest.raises(Illegal, match=f"a player has resigned since record {target}") as refusal:
        answer_offer(local, agree=True, seats=(1,))
    assert refusal.value.code == "bad_takeback"


def test_a_takeback_ends_the_offer_that_was_open_when_it_is_made() -> None:
    local = pit()
    act(local, 1, MakeOffer(DrawOffer()))
    assert take_back_freely(local, by_bot)
    assert local.match.offer is None


# ---------------------------------------------------------------- clocks


def test_a_bank_runs_while_the_seat_has_to_decide_and_each_answer_adds_to_it() -> None:
    local = pit(MatchOptions(clock=BankClock(60, 5)))
    decision = local.match.decisions[0]
    clock = local.match.seats[decision.seat].clock
    assert clock == SeatClock(60_000, local.match.at_ms)
    assert due_ms(local.match, decision, 0) == local.match.at_ms + 60_000
    began = local.match.at_ms
    by_bot(local)
    after = local.match.seats[decision.seat].clock
    assert after is not None
    assert after.remaining_ms == 60_000 - (local.match.at_ms - began) + 5_000
    waiting = next(seat for seat in range(2) if all(decision.seat != seat for decision in local.match.decisions))
    stopped = local.match.seats[waiting].clock
    assert stopped is not None
    assert stopped.running_since_ms is None


def test_what_others_do_moves_no_deadline() -> None:
    local = counting(ALL_AGREEMENTS)
    second = local.match.decisions[1]
    due = due_ms(local.match, second, 0)
    answer_first(local)
    assert local.match.decisions == (second,)
    assert due_ms(local.match, second, 0) == due


def test_an_answer_after_the_time_was_up_leaves_the_increment() -> None:
    local = pit(MatchOptions(clock=BankClock(60, 5)))
    seat = local.match.decisions[0].seat
    clock = local.clock
    assert isinstance(clock, Ticking)
    clock.now_ms += 100_000
    by_bot(local)
    after = local.match.seats[seat].clock
    assert after is not None
    assert after.remaining_ms == 5_000


def test_in_a_pause_no_clock_runs() -> None:
    local = paused()
    assert all(state.clock is not None and state.clock.running_since_ms is None for state in local.match.seats)
    left = [state.clock.remaining_ms for state in local.match.seats if state.clock]
    clock = local.clock
    assert isinstance(clock, Ticking)
    clock.now_ms += 1_000_000
    act(local, 0, ResumePlay())
    assert [state.clock.remaining_ms for state in local.match.seats if state.clock] == left


def test_after_a_pause_a_decision_has_its_whole_time_again() -> None:
    local = pit(MatchOptions(clock=PerDecisionClock(30), pauses=True))
    decision, began = local.match.decisions[0], local.match.at_ms
    assert due_ms(local.match, decision, began) == began + 30_000
    act(local, 0, MakeOffer(PauseOffer()))
    answer_offer(local, agree=True)
    act(local, 0, ResumePlay())
    assert due_ms(local.match, decision, began) == local.match.at_ms + 30_000


# ---------------------------------------------------------------- missed answers


def test_the_house_resigns_for_a_seat_that_has_missed_too_many_answers() -> None:
    local = counting(MatchOptions(clock=PerDecisionClock(30), missed_limit=3))
    missed = 0
    while not local.is_over:
        decision = next((decision for decision in local.match.decisions if decision.seat == 0), None)
        if decision is None:
            answer_first(local)
            continue
        assert local.match.seats[0].missed == missed
        action = local.rules.house_action(local.match, decision, local.secrets)
        assert isinstance(action, Resign) == (missed == 2)
        local.commit(local.decide(HOUSE, decision.id, action))
        missed += 1
    last = local.records[-1]
    assert (last.actor, last.seat, last.action) == ("house", 0, Resign())
    assert last.decision is not None
    assert local.match.result is not None
    assert (local.match.result.end_reason, local.match.result.winners) == ("resignation", (1,))


def test_an_answer_of_the_player_begins_the_count_again() -> None:
    local = counting(MatchOptions(clock=PerDecisionClock(30), missed_limit=3))
    for _ in range(2):
        let_the_house_answer(local)
        answer_first(local)
    assert local.match.seats[0].missed == 2
    answer_first(local)
    assert local.match.seats[0].missed == 0


def test_the_house_does_not_resign_before_the_limit() -> None:
    local = counting(MatchOptions(clock=PerDecisionClock(30), missed_limit=3))
    decision = local.match.decisions[0]
    with pytest.raises(Illegal) as refusal:
        local.decide(HOUSE, decision.id, Resign())
    assert refusal.value.code == "wrong_action"
