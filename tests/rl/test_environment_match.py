"""One match of an environment: seeds, hidden information, spaces, rewards and refusals."""

import random
from itertools import islice
from typing import Any

import numpy as np
import pytest

from diskwars_rl.environment_match import EnvironmentMatch
from diskwars_rl.rulesets.registry import RESEARCH
from tests.effort import count_of
from tests.rl.matches import VARIANTS, play_at_random

EVERY = 7
"""One in this many moments is compared."""


def trail(ruleset: str, settings: dict[str, Any], seed: int) -> list[bytes]:
    """Return the observations of a match, flat, as bytes."""
    match = EnvironmentMatch(ruleset, settings=settings, observations="flat")
    return [match.observe(seat)["observation"].tobytes() for seat in islice(play_at_random(match, seed), 40)]


@pytest.mark.parametrize(("ruleset", "settings"), VARIANTS)
def test_seed_decides_the_match(ruleset: str, settings: dict[str, Any]) -> None:
    assert trail(ruleset, settings, 3) == trail(ruleset, settings, 3)
    assert trail(ruleset, settings, 3) != trail(ruleset, settings, 4)


def test_matches_without_a_seed_follow_from_the_seed_before() -> None:
    one, other = EnvironmentMatch("pit"), EnvironmentMatch("pit")
    one.reset(5)
    other.reset(5)
    following = [one.reset(None) for _ in range(3)]
    assert following == [other.reset(None) for _ in range(3)]
    assert len({5, *following}) == 4


@pytest.mark.parametrize(("ruleset", "settings"), VARIANTS)
def test_observations_depend_on_nothing_that_the_seat_may_not_know(ruleset: str, settings: dict[str, Any]) -> None:
    """A board that could be the true one, with other hidden cards and orders, gives the same arrays and deeds."""
    match = EnvironmentMatch(ruleset, settings=settings)
    rules, research, rng = match.rules, RESEARCH[ruleset], random.Random(1)
    hidden_moments = 0
    for number, _ in enumerate(play_at_random(match, 2)):
        if number % EVERY or match.is_over:
            continue
        for seat in range(match.players):
            possible = rules.determinize(match.view(seat), seat, rng)
            hidden_moments += possible != match.board
            question = match.questions.get(seat)
            arrays = research.new_encoder(possible).encode(rules.view(possible, seat), seat, question)
            observed = match.observe(seat)["observation"]
            for name, array in arrays.items():
                assert np.array_equal(array, observed[name]), name
            if question is not None:
                options = rules.options(possible, seat, question)
                assert research.deeds(possible, options, False)[: match.wait] == match.deeds(seat)
    has_secrets = ruleset == "diskwars" or settings.get("secret_orders", False)
    assert (hidden_moments > 0) == has_secrets, "boards that differ in what is hidden have been compared"


def test_own_hand_is_seen_and_the_enemy_hand_is_not() -> None:
    match = EnvironmentMatch("diskwars")
    match.reset(1)
    cards = next(axes for axes in match.axes if axes.name == "cards")
    hands = [match.observe(seat)["observation"]["cards"][:, cards.columns.index("in_own_hand")] for seat in (0, 1)]
    for seat, hand in enumerate(hands):
        assert hand.sum() == len(match.board.sides[seat].hand)


@pytest.mark.parametrize(("ruleset", "settings"), VARIANTS)
def test_rows_that_are_kept_are_those_that_a_new_encoder_writes(ruleset: str, settings: dict[str, Any]) -> None:
    match = EnvironmentMatch(ruleset, settings=settings)
    for seat in islice(play_at_random(match, 4), 60):
        new = match.research.new_encoder(match.board)
        for name, array in new.encode(match.view(seat), seat, match.questions.get(seat)).items():
            assert np.array_equal(array, match.observe(seat)["observation"][name]), name


@pytest.mark.parametrize("form", ["arrays", "flat"])
@pytest.mark.parametrize(("ruleset", "settings"), VARIANTS)
def test_observations_are_in_their_space(ruleset: str, settings: dict[str, Any], form: Any) -> None:
    match = EnvironmentMatch(ruleset, settings=settings, observations=form, actions="factored")
    space = match.new_observation_space()
    for seat in islice(play_at_random(match, 6), 0, None, EVERY):
        assert space.contains(match.observe(seat))


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("ruleset", RESEARCH)
def test_random_matches_end_with_a_result(ruleset: str, players: int) -> None:
    match = EnvironmentMatch(ruleset, players=players)
    for seed in range(count_of(5, 1)):
        rewards = [match.rewards() for _ in play_at_random(match, seed)]
        assert match.is_over
        assert rewards[0] == [0.0] * players
        result = match.rules.result(match.board)
        assert result is not None
        winners = result.winners
        is_drawn = len(winners) in (0, players)
        expected = [0.0 if is_drawn else 1.0 if seat in winners else -1.0 for seat in range(players)]
        assert match.rewards() == expected


def test_armies_can_be_named() -> None:
    match = EnvironmentMatch("diskwars", armies=["chaos-patrol", "empire-patrol"])
    match.reset(1)
    assert [match.board.army_name(seat) for seat in (0, 1)] == ["Chaos Patrol", "Empire Patrol"]


def test_armies_are_drawn_for_each_match_otherwise() -> None:
    match = EnvironmentMatch("diskwars")
    drawn = set()
    for seed in range(8):
        match.reset(seed)
        drawn.add(match.board.army_name(0))
    assert len(drawn) > 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ruleset": "chess"}, "there is no ruleset 'chess'; there are diskwars, pit"),
        ({"ruleset": "pit", "players": 9}, "pit is played by"),
        ({"ruleset": "diskwars", "armies": ["chaos-patrol"]}, "1 armies for 2 seats"),
    ],
)
def test_match_that_cannot_be_played_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        EnvironmentMatch(**arguments)


@pytest.mark.parametrize("number", [-1, 400])
def test_number_of_no_deed_is_refused(number: int) -> None:
    match = EnvironmentMatch("regiments")
    match.reset(1)
    seat = next(iter(match.questions))
    before = match.board
    with pytest.raises(ValueError, match=f"action {number} of seat {seat}; the mask allows 0 to"):
        match.action(seat, number)
    assert match.board is before


@pytest.mark.parametrize("ruleset", RESEARCH)
def test_free_deeds_move_as_direction_and_reach_say(ruleset: str) -> None:
    """Of random directions some are refused, and the example is done instead; most are not."""
    match = EnvironmentMatch(ruleset, actions="factored")
    rng, actions, done = random.Random(1), set(), []
    for seed in range(count_of(4, 1)):
        for seat in play_at_random(match, seed):
            if match.is_over:
                break
            free = [number for number, deed in enumerate(match.deeds(seat)) if deed.option is not None]
            if free:
                action, instead = match.action(seat, (rng.choice(free), rng.randrange(72), rng.randrange(4)))
                actions.add(repr(action))
                done.append(action != instead)
    assert len(actions) > 10
    assert sum(done) > len(done) / 4


def test_refused_action_is_replaced_by_the_example() -> None:
    match = EnvironmentMatch("diskwars", actions="factored")
    refused = 0
    rng = random.Random(1)
    match.reset(2)
    while not match.is_over:
        seat = next(iter(match.questions))
        deeds = match.deeds(seat)
        number = next((number for number, deed in enumerate(deeds) if deed.option is not None), 0)
        refused += not match.answer(seat, *match.action(seat, (number, rng.randrange(72), 3)))
    assert refused > 0


def test_match_is_truncated_after_its_last_decision() -> None:
    match = EnvironmentMatch("pit", max_decisions=5)
    for _ in play_at_random(match, 1, 5):
        assert not match.is_truncated
    assert match.is_truncated
    assert match.rewards() == [0.0, 0.0]
