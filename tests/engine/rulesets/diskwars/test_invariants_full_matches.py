"""Whole matches with two, three and four players and a full setup keep all invariants and all secrets.

Random legal play; some players leave on the way. Every offered option is tried, and every viewer folds along.
"""

import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.match import Command
from diskwars_protocol.match.actions import Resign
from diskwars_protocol.match.ids import PUBLIC, Seat, Viewer
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import setup_events as se
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody as Body
from diskwars_text.rulesets.diskwars.notation import format_position
from diskwars_text.rulesets.diskwars.parser import parse_position
from tests.effort import count_of
from tests.engine.played_match import (
    ARMIES,
    QUICK_SETTINGS,
    PlayedMatch,
    build_rules,
    mixed_action,
    player_of,
    until,
    without_commitments,
)
from tests.engine.rulesets.diskwars.setup_positions import TERRAIN

PACK = core_pack() if core_pack().terrain else replace(core_pack(), terrain={card.name: card for card in TERRAIN})
RULES = build_rules(PACK)
SEATS = pytest.mark.parametrize("seats", [2, 3, 4])
FULL = a.DiskwarsSettings(setup="full", regiments=1)


def begin_full_match(seed: int, seats: int, settings: a.DiskwarsSettings = FULL) -> PlayedMatch:
    """All sit and are ready, by armies of the pack."""
    return PlayedMatch(seed, random.Random(seed).choices(ARMIES, k=seats), settings, RULES).begin()


def play_step(playing: PlayedMatch, leave: float = 0.0) -> Body:
    """Somebody answers, or leaves the game."""
    decision = playing.chance.choice(playing.state.decisions)
    if playing.chance.random() < leave:
        return playing.commit(playing.decide(player_of(decision.seat), None, Resign()))
    return playing.answer(decision, mixed_action(playing, decision))


def play_to_objectives(playing: PlayedMatch) -> PlayedMatch:
    """Up to the first question after they have been dealt."""
    while playing.board.sides[0].objective is None:
        play_step(playing)
    return playing


# ---------------------------------------------------------------- random play


@SEATS
@pytest.mark.parametrize("first", [0, 4])
def test_matches_with_a_full_set_up_end_in_order_and_nobody_is_ever_stuck(seats: int, first: int) -> None:
    for seed in range(first, first + count_of(4, 2)):
        playing = begin_full_match(seed, seats)
        while playing.state.status != "ended":
            play_step(playing, 0.003)
            assert playing.rules.ruleset.check(playing.board) == []
            assert playing.state.result or playing.state.decisions
        assert playing.rules.fold_log(playing.bodies) == playing.state


@SEATS
def test_every_option_that_is_offered_is_accepted(seats: int) -> None:
    """Each whole answer, and the example of each plan; the default too."""
    kinds: Counter[str] = Counter()
    playing = begin_full_match(20 + seats, seats)
    while playing.state.status != "ended":
        for decision in playing.state.decisions:
            found = playing.rules.options(playing.state, decision)
            kinds[type(decision.question).__name__] += 1
            for action in [*found.actions, *(plan.example for plan in found.parametric)]:
                body = playing.decide(player_of(decision.seat), decision.id, playing.with_secrets(decision, action))
                assert body.decisions != ()
            default = playing.rules.default(playing.state, decision, playing.secrets)
            assert playing.decide(player_of(decision.seat), decision.id, default).decisions != ()
        play_step(playing)
    expected = {
        "ScenarioQuestion",
        "DeploymentCardQuestion",
        "TerrainQuestion",
        "DeploymentQuestion",
        "CommandCardQuestion",
        "ActivationQuestion",
    }
    assert expected | {"FirstPlayerQuestion" if seats == 2 else "InitiativeOrderQuestion"} <= set(kinds)


@SEATS
def test_every_viewer_folds_to_what_he_may_see(seats: int) -> None:
    """Decisions: the board folds in one place."""
    playing = begin_full_match(40 + seats, seats)
    viewers: tuple[Viewer, ...] = (*playing.seats, PUBLIC)
    rules = playing.rules
    views = {viewer: rules.fold_log(playing.seen_by(viewer)) for viewer in viewers}
    while playing.state.status != "ended":
        body = play_step(playing, 0.004)
        views = {viewer: rules.fold(view, rules.redact_body(body, viewer)) for viewer, view in views.items()}
        assert all(view == rules.view(playing.state, viewer) for viewer, view in views.items())


@SEATS
def test_a_position_of_the_set_up_and_after_is_text_both_ways(seats: int) -> None:
    playing = begin_full_match(60 + seats, seats)
    while playing.state.status != "ended":
        before = playing.board
        play_step(playing, 0.01)
        if playing.board.phase != before.phase or playing.board.phase == "setup" or playing.board.sides != before.sides:
            assert parse_position(format_position(playing.board)) == playing.board


def test_scouts_rendezvous_ambushes_and_left_cards_happen_in_random_play() -> None:
    """Otherwise the tests above would look at nothing."""
    seen: Counter[str] = Counter()
    for seed in range(80, 92):
        playing = begin_full_match(seed, 4)
        while playing.state.status != "ended" and playing.board.round < 2:
            seen.update(type(decision.question).__name__ for decision in playing.state.decisions)
            body = play_step(playing, 0.01)
            seen.update(type(event).__name__ for event in body.events)
    assert {"ScoutQuestion", "DeploymentCardLaid", "TerrainPlaced", "SeatEliminated", "DisksWithdrawn"} <= set(seen)


# ---------------------------------------------------------------- secrets


def with_objective(board: Board, seat: Seat, name: str) -> Board:
    sides = tuple(replace(side, objective=name) if side.seat == seat else side for side in board.sides)
    return replace(board, sides=sides)


@SEATS
def test_two_matches_that_differ_in_a_hidden_objective_are_the_same_for_others_until_scoring(seats: int) -> None:
    """R19.6: bytes, and what they are offered; at scoring they are not."""
    one = play_to_objectives(begin_full_match(100 + seats, seats))
    mine = one.board.sides[0].objective
    other_name = next(
        card.id for card in one.board.layout.scenarios if card.id not in (mine, one.board.layout.active_scenario)
    )
    other = replace(one.state, board=with_objective(one.board, 0, other_name))
    rules, viewers = one.rules, [*one.seats[1:], PUBLIC]
    reveals = 0
    while one.state.status != "ended":
        decision = one.chance.choice(one.state.decisions)
        action = one.with_secrets(decision, mixed_action(one, decision))
        command: Any = Command(player_of(decision.seat), decision.id, action, len(one.bodies) * 1000)
        there = rules.decide(other, len(one.bodies), command, one.secrets)
        here = one.commit(one.decide(player_of(decision.seat), decision.id, action))
        other = there.match
        for viewer in viewers:
            seen = [until(se.ObjectivesRevealed, [rules.redact_body(body, viewer)]) for body in (here, there.body)]
            assert without_commitments(seen[0]) == without_commitments(seen[1])
        reveals += any(isinstance(event, se.ObjectivesRevealed) for event in here.events)
        if one.state.result is None:
            assert rules.view(one.state, PUBLIC) == rules.view(other, PUBLIC)
    assert one.state.result is not None
    assert bool(reveals) == bool(one.state.result.scores)


@SEATS
def test_no_scenario_card_but_the_active_one_is_named_to_others_before_scoring(seats: int) -> None:
    """R19.5, R19.26: not even in an answer or a question."""
    playing = begin_full_match(120 + seats, seats)
    start = len(playing.bodies)
    while playing.state.status != "ended":
        play_step(playing)
    active = playing.board.layout.active_scenario
    names = [card.name for card in playing.board.layout.scenarios if card.name != active]
    for body in until(se.ObjectivesRevealed, playing.seen_by(PUBLIC)[start:]):
        text = msgspec.json.encode(body).decode()
        assert not [name for name in names if f'"{name}"' in text]


# ---------------------------------------------------------------- the quick setup


@pytest.mark.parametrize("seats", [3, 4])
def test_the_quick_set_up_is_for_three_and_four_too(seats: int) -> None:
    """R-63"""
    playing = begin_full_match(140 + seats, seats, QUICK_SETTINGS)
    while playing.state.status != "ended":
        play_step(playing, 0.002)
        assert playing.rules.ruleset.check(playing.board) == []
    assert len({zone.edge for zone in playing.board.zones}) == seats
