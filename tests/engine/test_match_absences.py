"""Matches without a clock: the house leaves them for players who have not answered for days."""

from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_engine.match import MatchRules
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import MakeOffer, PauseOffer, Resign, ResumePlay
from diskwars_protocol.match.ids import HOUSE
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.match.state import due_ms
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout
from diskwars_protocol.rulesets.pit.actions import PitLoadout, PitSettings
from tests.golden.absent_matches import ABSENCE, ABSENT_AFTER_DAYS
from tests.golden.agreement_matches import AnyLocal, act, answer_first, answer_offer, opened
from tests.golden.substitute_matches import sleep, wait_for
from tests.server.counting_ruleset import CountingLoadout, CountingRules, CountingSettings

PIT: MatchRules[Any, Any, Any] = MatchRules(load_ruleset("pit", ()))
DISKWARS: MatchRules[Any, Any, Any] = MatchRules(load_ruleset("diskwars", ()))
COUNTING: Any = MatchRules(CountingRules())
DAY_MS = 86_400_000


def pit(options: MatchOptions = ABSENCE, players: int = 2) -> AnyLocal:
    return opened(PIT, "pit", PitSettings(), (PitLoadout(),) * players, options)


def counting() -> AnyLocal:
    """Return a match in which both seats always choose at the same time."""
    return opened(COUNTING, "counting", CountingSettings(rounds=9), (CountingLoadout(),) * 2, ABSENCE)


def test_answer_is_owed_for_the_days_that_were_agreed() -> None:
    local = pit()
    decision = local.match.decisions[0]
    assert due_ms(local.match, decision, local.match.at_ms) == local.match.at_ms + ABSENT_AFTER_DAYS * DAY_MS


@pytest.mark.parametrize(
    ("options", "days"), [(MatchOptions(), 14), (MatchOptions(abandoned_after_days=0), None)], ids=["default", "never"]
)
def test_answer_is_owed_for_two_weeks_unless_the_options_say_otherwise(options: MatchOptions, days: int | None) -> None:
    local = pit(options)
    due = due_ms(local.match, local.match.decisions[0], 1000)
    assert due == (None if days is None else 1000 + days * DAY_MS)


def test_house_leaves_for_the_absent_seat_and_the_other_wins() -> None:
    local = pit()
    decision = wait_for(local, 1)
    sleep(local, decision)
    last, result = local.records[-1], local.match.result
    assert (last.actor, last.seat, last.decision, last.action) == ("house", 1, decision.id, Resign())
    assert result is not None
    assert (result.end_reason, result.winners) == ("absence", (0,))


def test_three_players_play_on_without_the_absent_seat() -> None:
    local = pit(players=3)
    sleep(local, wait_for(local, 1))
    assert local.match.status == "running"
    assert [seat.resigned for seat in local.match.seats] == [False, True, False]
    answer_first(local)
    assert local.records[-1].seat != 1


@pytest.mark.parametrize("first", [0, 1])
def test_nobody_wins_where_all_who_are_left_owed_an_answer(first: int) -> None:
    local = counting()
    sleep(local, next(decision for decision in local.match.decisions if decision.seat == first))
    assert local.match.result is not None
    assert (local.match.result.end_reason, local.match.result.winners) == ("absence", ())


def test_seat_that_has_resigned_is_not_waited_for() -> None:
    """Three of Diskwars lock their cards at the same time; one of them has resigned, so the other two are all."""
    armies = tuple(Loadout(army) for army in ("empire-patrol", "chaos-patrol", "greenskin-patrol"))
    local = opened(DISKWARS, "diskwars", DiskwarsSettings(regiments=1), armies, ABSENCE)
    while len({decision.seat for decision in local.match.decisions}) < 3:
        answer_first(local)
    act(local, 2, Resign())
    assert [decision.seat for decision in local.match.decisions] == [0, 1]
    sleep(local, local.match.decisions[0])
    assert local.match.result is not None
    assert (local.match.result.end_reason, local.match.result.winners) == ("absence", ())


def test_player_who_has_answered_wins_against_the_absent_one() -> None:
    local = counting()
    answer_first(local)
    assert [decision.seat for decision in local.match.decisions] == [1]
    sleep(local, local.match.decisions[0])
    assert local.match.result is not None
    assert (local.match.result.end_reason, local.match.result.winners) == ("absence", (0,))


def test_resignation_of_a_player_is_no_absence() -> None:
    local = pit()
    act(local, 1, Resign())
    assert local.match.result is not None
    assert local.match.result.end_reason == "resignation"


def test_house_does_not_leave_a_match_in_which_all_wait_for_ever() -> None:
    local = pit(MatchOptions(abandoned_after_days=0))
    decision = local.match.decisions[0]
    with pytest.raises(Illegal) as refusal:
        local.decide(HOUSE, decision.id, Resign())
    assert refusal.value.code == "wrong_action"


def test_pause_stops_the_days_and_they_begin_again_with_play() -> None:
    local = pit(replace(ABSENCE, pauses=True))
    decision = local.match.decisions[0]
    act(local, 0, MakeOffer(PauseOffer()))
    answer_offer(local, agree=True)
    assert due_ms(local.match, decision, 0) is None
    act(local, 0, ResumePlay())
    assert due_ms(local.match, decision, 0) == local.match.at_ms + ABSENT_AFTER_DAYS * DAY_MS
