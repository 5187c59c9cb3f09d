"""Training of a linear policy by policy gradient, and its measurement."""

import sys
from pathlib import Path

import numpy as np
import pytest

from diskwars_rl import training
from diskwars_rl.policy import Features, LinearPolicy, load_policy
from diskwars_rl.single_agent import SingleAgentEnvironment
from diskwars_rl.training import Score, Trainer, measure, play_match
from tests.effort import is_whole


def test_score_counts_a_draw_as_half() -> None:
    score = Score(won=5, drawn=2, lost=1)
    assert score.rate == 0.75
    assert score.text() == "75.0% ± 30.0% of 8 matches: won 5, drawn 2, lost 1"


def test_training_is_repeated_by_its_seed() -> None:
    one, other, third = (Trainer("regiments", "random", seed) for seed in (1, 1, 2))
    assert [trainer.train_batch() for trainer in (one, other)] == [pytest.approx(one_mean(1))] * 2
    third.train_batch()
    assert np.array_equal(one.policy.weights, other.policy.weights)
    assert not np.array_equal(one.policy.weights, third.policy.weights)


def one_mean(seed: int) -> float:
    return Trainer("regiments", "random", seed).train_batch()


def test_step_makes_what_was_done_in_won_matches_likelier() -> None:
    """The gradient of one match that was won raises the sum of the logarithms of its chances."""
    env = SingleAgentEnvironment("pit")
    policy, played = LinearPolicy("pit"), []

    def choose(features: Features) -> int:
        played.append(features)
        return 0

    play_match(env, policy, 1, choose)
    before = sum(float(np.log(policy.chances(features)[0])) for features in played)
    gradient = np.sum([features[0] - policy.chances(features) @ features for features in played], axis=0)
    policy.weights = policy.weights + 1e-3 * gradient
    assert sum(float(np.log(policy.chances(features)[0])) for features in played) > before


def test_measurement_plays_both_seats_with_the_same_seeds() -> None:
    score = measure(LinearPolicy("regiments"), "random", 4, 7)
    assert score.won + score.drawn + score.lost == 4
    assert score == measure(LinearPolicy("regiments"), "random", 4, 7)


@pytest.mark.timeout(300)
@pytest.mark.skipif(not is_whole(), reason="a training of a minute is a part of `.ci/run`")
def test_trained_policy_beats_the_random_bot() -> None:
    trainer = Trainer("pit", "random", 1)
    while trainer.matches < 320:
        trainer.train_batch()
    assert measure(trainer.policy, "random", 100, 1_000_000).rate > 0.5


def test_command_stores_the_policy_and_prints_both_scores(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["--ruleset", "regiments", "--matches", "16", "--trial", "2", "--out", str(tmp_path / "own.json")]
    monkeypatch.setattr(sys, "argv", ["training", *words])
    training.main()
    first, before, after = capsys.readouterr().out.splitlines()
    assert first == "regiments against random, 16 matches of training"
    assert before.startswith("before: ")
    assert after.startswith("after:  ")
    assert load_policy(tmp_path / "own.json").weights.any()
