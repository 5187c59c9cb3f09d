"""Every seat with a decision has a legal answer, and no offered answer is illegal, with whole armies too.

Random play with two regiments a side, in both kinds of setup, with two to four players and all options; each match is
checked in every way that one pass allows. Hypothesis picks the seeds, and a seed is enough to reproduce a failure.
test_properties.py and test_full_matches.py cover one regiment a side.
"""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_protocol.match.ids import PUBLIC, Viewer
from diskwars_protocol.match.ruleset_settings import ruleset_settings
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.sealed import if_known
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.played_match import (
    PlayedMatch,
    default_action,
    mixed_action,
    player_of,
    until,
    without_commitments,
)

HOST_ARMIES = tuple(name for name, army in core_pack().armies.items() if len(army.regiments) == 2)
QUESTION_KINDS = pytest.mark.parametrize(
    ("setup", "seats"), [(setup, n) for setup in ("quick", "full") for n in (2, 3, 4)]
)
SAMPLE_RATE = 15
"""All offers are tried in one of this many positions."""

SEEDS = st.integers(min_value=0, max_value=9_999_999)
FEW_SEEDS = settings(max_examples=2, deadline=None, database=None, derandomize=True)


def options_of(chance: random.Random, setup: str) -> a.DiskwarsSettings:
    """Return a match between hosts, every other option at random."""
    options = [setting for setting in ruleset_settings(a.DiskwarsSettings) if setting.id not in ("setup", "regiments")]
    drawn: dict[str, Any] = {option.id: chance.choice(option.values) for option in options if option.values}
    special = drawn["special_scenario"] if setup == "full" else "none"
    return a.DiskwarsSettings(**{**drawn, "setup": setup, "regiments": 2, "special_scenario": special})


def begin_match(seed: int, setup: str, seats: int) -> PlayedMatch:
    chance = random.Random(seed)
    return PlayedMatch(seed, chance.choices(HOST_ARMIES, k=seats), options_of(chance, setup)).begin()


def check_all_that_is_offered(playing: PlayedMatch) -> None:
    """Each whole answer, the example of each plan, and the default, of everybody who is asked."""
    for decision in playing.state.decisions:
        options = playing.rules.options(playing.state, decision)
        offered = [*options.actions, *(plan.example for plan in options.parametric)]
        assert offered
        for action in [*offered, default_action(playing, decision)]:
            body = playing.decide(player_of(decision.seat), decision.id, playing.with_secrets(decision, action))
            assert body.decisions != ()


def match_states(playing: PlayedMatch, folded: dict[Viewer, Any]) -> None:
    """One record more, folded by everybody."""
    decision = playing.chance.choice(playing.state.decisions)
    rules = playing.rules
    body = playing.answer(decision, mixed_action(playing, decision))
    for viewer, view in folded.items():
        folded[viewer] = rules.fold(view, rules.redact_body(body, viewer))


@QUESTION_KINDS
@FEW_SEEDS
@given(seed=SEEDS)
def test_some_seat_can_always_act_and_every_viewer_folds_to_the_view(seed: int, setup: str, seats: int) -> None:
    """After every record: invariants, views; now and then: all that is offered. At the end: the log as it is stored."""
    playing = begin_match(seed, setup, seats)
    rules = playing.rules
    viewers: tuple[Viewer, ...] = (*playing.seats, PUBLIC)
    folded = {viewer: rules.fold_log(playing.seen_by(viewer)) for viewer in viewers}
    looking = random.Random(seed)
    while playing.state.status != "ended":
        assert playing.state.decisions
        if looking.randrange(SAMPLE_RATE) == 0:
            check_all_that_is_offered(playing)
        match_states(playing, folded)
        assert rules.ruleset.check(playing.board) == []
        assert all(view == rules.view(playing.state, viewer) for viewer, view in folded.items())
    assert playing.state.result is not None
    assert (
        rules.fold_log([rules.vocabulary.decode_body(encode_canonical(body)) for body in playing.bodies])
        == playing.state
    )


# ---------------------------------------------------------------- secrets


def play_to_cards(playing: PlayedMatch, rounds: int) -> PlayedMatch:
    """On to where everybody who is left is asked for a command card, in a later round."""
    while playing.state.status != "ended":
        open_kinds = [isinstance(decision.question, a.CommandCardQuestion) for decision in playing.state.decisions]
        if playing.board.round >= rounds and len(open_kinds) > 1 and all(open_kinds):
            return playing
        playing.play(mixed_action, records=1)
    return playing


def lock_card(seed: int, setup: str, seats: int, card: int) -> tuple[PlayedMatch, int]:
    """Everybody locks a card, the first to do so the one of this number. Back come the match and the seat of it."""
    playing = play_to_cards(begin_match(seed, setup, seats), rounds=2)
    decisions = playing.chance.sample(playing.state.decisions, len(playing.state.decisions))
    start = len(playing.bodies)
    for number, decision in enumerate(decisions):
        hand = if_known(playing.board.sides[decision.seat].hand) or ()
        playing.answer(decision, a.LockCard(hand[0 if number else card], ""))
    playing.bodies = playing.bodies[start:]
    return playing, decisions[0].seat


@QUESTION_KINDS
def test_matches_that_differ_in_a_locked_card_give_others_the_same_bytes_until_the_reveal(
    setup: str, seats: int
) -> None:
    """R19.26: in the middle of a match, for any open question; commitments masked."""
    for seed in range(2):
        (one, seat), (other, _) = (lock_card(seed, setup, seats, card) for card in (0, 1))
        assert len([event for event in one.events if isinstance(event, e.CardsRevealed)]) == 1
        for viewer in (*one.seats, PUBLIC):
            seen = [without_commitments(until(e.CardsRevealed, playing.seen_by(viewer))) for playing in (one, other)]
            assert (seen[0] == seen[1]) == (viewer != seat)


def test_the_hosts_meet_the_usual_kinds_of_questions() -> None:
    """Otherwise the tests above would look at nothing."""
    open_kinds = set()
    for seed in (1, 20, 24):
        playing = begin_match(seed, "full", 3)
        while playing.state.status != "ended":
            open_kinds |= {type(decision.question) for decision in playing.state.decisions}
            playing.play(mixed_action, records=1)
    assert {
        a.ScenarioQuestion,
        a.DeploymentCardQuestion,
        a.TerrainQuestion,
        a.DeploymentQuestion,
        a.CommandCardQuestion,
    } <= open_kinds
    assert {
        a.ActivationQuestion,
        a.ContinuationQuestion,
        a.ScatterQuestion,
        a.EngagementQuestion,
        a.MeleeTargetsQuestion,
    } <= open_kinds
