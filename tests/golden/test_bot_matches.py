"""The narrated transcript of every match of bots is unchanged, word for word: one for each way to end.

DISKWARS_GOLDEN=1 writes them again.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diskwars_protocol.match.decisions import END_REASONS
from diskwars_protocol.rulesets.close_quarters.events import CombatEnded, ModelsRemoved, UnitFellBack
from diskwars_protocol.rulesets.pit.events import SeatWithdrew as PitSeatWithdrew
from diskwars_protocol.rulesets.regiments.events import (
    FlightBegan,
    HacksRolled,
    SeatWithdrew,
    UnitDestroyed,
    UnitRallied,
    UnitReformed,
    UnitRouted,
)
from tests.golden import close_quarters_matches, pit_matches, regiments_matches
from tests.golden.bot_matches import BotMatch, transcript
from tests.golden_files import assert_golden

MATCHES: dict[str, dict[str, Callable[[], BotMatch]]] = {
    "pit": pit_matches.MATCHES,
    "close_quarters": close_quarters_matches.MATCHES,
    "regiments": regiments_matches.MATCHES,
}


@pytest.mark.parametrize(("ruleset", "name"), [(ruleset, name) for ruleset, own in MATCHES.items() for name in own])
def test_transcript_is_unchanged(ruleset: str, name: str) -> None:
    assert_golden(Path(__file__).parent / ruleset / f"{name}.txt", transcript(MATCHES[ruleset][name]()))


@pytest.mark.parametrize("ruleset", MATCHES)
def test_matches_end_in_every_way_there_is(ruleset: str) -> None:
    played = [match() for match in MATCHES[ruleset].values()]
    results = [local.match.result for local in played if local.match.result]
    own = set(played[0].rules.vocabulary.end_reasons) - set(END_REASONS)
    assert {result.end_reason for result in results} == {*own, "resignation"}
    assert {bool(result.winners) for result in results if result.end_reason.endswith("_limit")} == {True, False}


def events_of(ruleset: str) -> list[Any]:
    played = [match() for match in MATCHES[ruleset].values()]
    return [event for local in played for body in local.records for event in body.events]


def test_sides_of_the_pit_withdraw_in_every_way() -> None:
    ways = {event.reason_kind for event in events_of("pit") if isinstance(event, PitSeatWithdrew)}
    assert ways == {"routed", "conceded", "resigned"}


def test_models_and_combats_of_close_quarters_end_in_every_way() -> None:
    events = events_of("close_quarters")
    removed = {event.reason_kind for event in events if isinstance(event, ModelsRemoved)}
    assert removed == {"killed", "caught", "routed", "withdrawn"}
    ends = {event.reason_kind for event in events if isinstance(event, CombatEnded)}
    assert ends == {"broken_off", "apart", "won"}
    assert any(event.models_lost for event in events if isinstance(event, UnitFellBack))


def test_units_of_regiments_flee_and_end_in_every_way() -> None:
    events = events_of("regiments")
    flights = {event.reason_kind for event in events if isinstance(event, FlightBegan)}
    assert flights == {"broken", "retreated", "flanked", "still_fleeing"}
    routed = {event.reason_kind for event in events if isinstance(event, UnitRouted)}
    assert routed == {"left_the_field", "rout_test"}
    hacks = {event.moment for event in events if isinstance(event, HacksRolled)}
    assert hacks == {"contact", "passing", "pursuit"}
    kinds = {type(event) for event in events}
    assert {UnitDestroyed, UnitRallied, UnitReformed, SeatWithdrew} <= kinds
