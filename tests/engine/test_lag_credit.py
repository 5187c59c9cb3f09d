"""Lag that a server has measured is credited to the clock of a seat, and the record says how much."""

from typing import Any

from msgspec.structs import replace

from diskwars_engine.lag_credit import MAX_LAG_CREDIT_MS
from diskwars_engine.local import LocalMatch
from diskwars_protocol.match.actions import DrawOffer, MakeOffer
from diskwars_protocol.match.ids import HOUSE
from diskwars_protocol.match.match_options import BankClock, MatchOptions, PerDecisionClock
from tests.engine.test_agreements import pit
from tests.golden.agreement_matches import TICK_MS, answer_first
from tests.rows import each_row

BANK_MS = 60_000


def begun(options: MatchOptions, lag_ms: int = 0) -> LocalMatch[Any, Any, Any]:
    local = pit(options)
    local.lag_ms = lag_ms
    return local


@each_row(
    ("lag_ms", "credited"), [(0, 0), (120, 120), (MAX_LAG_CREDIT_MS, MAX_LAG_CREDIT_MS), (90_000, MAX_LAG_CREDIT_MS)]
)
def test_answer_is_charged_its_time_less_the_lag_up_to_a_cap(lag_ms: int, credited: int) -> None:
    local = begun(MatchOptions(clock=BankClock(60)), lag_ms)
    seat, began = local.match.decisions[0].seat, local.match.at_ms
    answer_first(local)
    body, clock = local.records[-1], local.match.seats[seat].clock
    assert body.lag_ms == credited
    assert clock is not None
    assert clock.remaining_ms == BANK_MS - (body.at_ms - began) + credited


def test_credit_is_no_longer_than_the_answer_took() -> None:
    local = begun(MatchOptions(clock=BankClock(60)), lag_ms=400)
    local.clock = lambda: local.match.at_ms + 90
    seat = local.match.decisions[0].seat
    answer_first(local)
    clock = local.match.seats[seat].clock
    assert local.records[-1].lag_ms == 90
    assert clock is not None
    assert clock.remaining_ms == BANK_MS


def test_clocks_without_a_bank_and_what_answers_nothing_get_no_credit() -> None:
    for options in (MatchOptions(), MatchOptions(clock=PerDecisionClock(30))):
        local = begun(options, lag_ms=400)
        answer_first(local)
        assert local.records[-1].lag_ms == 0
    local = begun(MatchOptions(clock=BankClock(60), draws=True), lag_ms=400)
    body = local.decide(local.seats[0].player, None, MakeOffer(DrawOffer())).body
    assert body.lag_ms == 0


def test_house_gets_no_credit() -> None:
    local = begun(MatchOptions(clock=BankClock(60)), lag_ms=400)
    decision = local.match.decisions[0]
    local.clock = lambda: local.match.at_ms + BANK_MS
    action = local.rules.house_action(local.match, decision, local.secrets)
    assert local.decide(HOUSE, decision.id, action).body.lag_ms == 0


def test_fold_needs_the_record_alone() -> None:
    local = begun(MatchOptions(clock=BankClock(60)), lag_ms=200)
    seat = local.match.decisions[0].seat
    for _ in range(3):
        answer_first(local)
    vocabulary = local.rules.vocabulary
    assert vocabulary.fold_log(local.records) == local.match
    without = [replace(body, lag_ms=0) for body in local.records]
    charged = vocabulary.fold_log(without).seats[seat].clock
    credited = local.match.seats[seat].clock
    assert charged is not None
    assert credited is not None
    assert credited.remaining_ms - charged.remaining_ms == sum(
        body.lag_ms for body in local.records if body.seat == seat
    )
    assert TICK_MS > 200, "every answer takes longer than its lag"
