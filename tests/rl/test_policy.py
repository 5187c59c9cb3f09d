"""A linear policy over the features of deeds, its file, and the bot made of it."""

import random
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import seeded_match
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId
from diskwars_rl.environment_match import EnvironmentMatch
from diskwars_rl.policy import DeedFeatures, LinearPolicy, PolicyBot, load_bot, load_policy
from diskwars_rl.rulesets.registry import RESEARCH
from diskwars_rl.single_agent import match_view
from tests.rl.matches import VARIANTS, play_at_random


def some_policy(ruleset: str) -> LinearPolicy:
    policy = LinearPolicy(ruleset)
    policy.weights = np.random.default_rng(1).normal(size=len(policy.features.names))
    return policy


@pytest.mark.parametrize(("ruleset", "settings"), VARIANTS)
def test_every_deed_has_its_features(ruleset: str, settings: dict[str, Any]) -> None:
    match, features = EnvironmentMatch(ruleset, settings=settings), DeedFeatures(ruleset)
    assert len(set(features.names)) == len(features.names)
    for seat in islice(play_at_random(match, 1), 0, None, 5):
        if not match.is_over:
            rows = features.of(match.observe(seat)["observation"])
            assert rows.shape == (len(match.deeds(seat)), len(features.names))
            assert np.isfinite(rows).all()


def test_approach_is_how_much_nearer_the_nearest_enemy_comes() -> None:
    match, features = EnvironmentMatch("pit"), DeedFeatures("pit")
    approach, distance = (features.names.index(name) for name in ("approach", "distance"))
    compared = 0
    for seat in play_at_random(match, 1):
        if match.is_over:
            break
        board = match.board
        enemies = [other for other in board.fighters if other.is_fielded and other.seat != seat]
        rows = features.of(match.observe(seat)["observation"])
        for deed, row in zip(match.deeds(seat), rows, strict=True):
            if hasattr(deed.action, "x") and (deed.action.x or deed.action.y):
                fighter = board.fighters[deed.action.fighter]
                before, after = (
                    min(np.hypot((enemy.x - x) / board.width, (enemy.y - y) / board.height) for enemy in enemies)
                    for x, y in ((fighter.x, fighter.y), (deed.action.x, deed.action.y))
                )
                assert row[approach] == pytest.approx(before - after, abs=1e-6)
                assert row[distance] == pytest.approx(after, abs=1e-6)
                compared += 1
    assert compared > 100


def test_chances_of_a_policy_without_weights_are_equal() -> None:
    match = EnvironmentMatch("regiments")
    match.reset(1)
    policy = LinearPolicy("regiments")
    rows = policy.features.of(match.observe(next(iter(match.questions)))["observation"])
    assert policy.chances(rows) == pytest.approx(np.full(len(rows), 1 / len(rows)))


def test_policy_is_read_as_it_was_stored(tmp_path: Path) -> None:
    policy, file = some_policy("pit"), tmp_path / "pit.json"
    policy.save(file)
    stored = load_policy(file)
    assert stored.ruleset == "pit"
    assert stored.weights == pytest.approx(policy.weights, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"ruleset": "chess", "weights": {}}', "there is no ruleset 'chess'"),
        ('{"ruleset": "pit", "weights": {"kind_engage": 1}}', "has other features than those of pit in this version"),
        ("{}", "missing required field"),
    ],
)
def test_file_that_is_no_policy_of_this_version_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(ValueError, match=message):
        load_policy(tmp_path / "bad.json")


@pytest.mark.parametrize("ruleset", RESEARCH)
def test_bot_takes_the_deed_that_the_policy_likes_best(ruleset: str) -> None:
    match, policy = EnvironmentMatch(ruleset), some_policy(ruleset)
    bot, rng = PolicyBot(policy), random.Random(1)
    for seat in islice(play_at_random(match, 3), 40):
        if match.is_over:
            break
        decision = Decision(DecisionId("1.0"), seat, match.questions[seat])
        chosen = bot(match_view(match, seat), decision, match.options(seat), rng)
        assert chosen == match.deeds(seat)[policy.best(match.observe(seat)["observation"])].action


def test_stored_policy_plays_recorded_matches(tmp_path: Path) -> None:
    some_policy("pit").save(tmp_path / "pit.json")
    bot, rules = load_bot(tmp_path / "pit.json"), load_ruleset("pit", ())
    vocabulary = rules.vocabulary
    local = seeded_match(rules, 1, [vocabulary.loadout()] * 2, vocabulary.settings())
    rng = random.Random(1)
    choosers = [lambda match, decision, options: bot(match, decision, options, rng)] * 2
    assert len(list(local.play(choosers))) > 10
    assert local.is_over
