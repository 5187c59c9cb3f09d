"""The environment in which agents act one after another, by the tests of PettingZoo and our own."""

from typing import Any

import numpy as np
import pettingzoo.test
import pytest

from diskwars_rl.aec_environment import AecEnvironment
from diskwars_rl.rulesets.registry import RESEARCH
from tests.effort import count_of

pytestmark = [
    # PettingZoo knows by name which environments may have a mask and a mixed observation.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Action space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Action mask is not a NumPy array:UserWarning"),
]
SUITE: Any = pettingzoo.test
CYCLES = count_of(300, 60)


@pytest.mark.parametrize("ruleset", RESEARCH)
def test_api_is_that_of_pettingzoo(ruleset: str, capsys: pytest.CaptureFixture[str]) -> None:
    SUITE.api_test(AecEnvironment(ruleset, observations="flat"), num_cycles=CYCLES)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("ruleset", RESEARCH)
def test_api_is_that_of_pettingzoo_with_arrays_and_factors(ruleset: str, capsys: pytest.CaptureFixture[str]) -> None:
    SUITE.api_test(AecEnvironment(ruleset, actions="factored"), num_cycles=CYCLES)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("ruleset", RESEARCH)
def test_same_seed_plays_the_same_match(ruleset: str) -> None:
    made: list[AecEnvironment] = []

    def make() -> AecEnvironment:
        made.append(AecEnvironment(ruleset))
        return made[-1]

    SUITE.seed_test(make, num_cycles=CYCLES // 2)
    one, other = made
    assert one.match.decisions == other.match.decisions > 20
    assert one.match.board == other.match.board


def play(env: AecEnvironment, seed: int) -> dict[str, float]:
    """Play a match at random by the mask; return the sum of the rewards that each agent was given."""
    env.reset(seed=seed)
    rng, given = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation: Any
        observation, reward, terminated, truncated, _ = env.last()
        given[agent] += reward
        env.step(None if terminated or truncated else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return given


def test_rewards_come_once_at_the_end() -> None:
    env = AecEnvironment("pit")
    given = play(env, 3)
    assert sorted(given.values()) == [-1.0, 1.0]
    assert env.agents == []


def test_only_the_asked_agent_has_deeds() -> None:
    env = AecEnvironment("pit")
    env.reset(seed=1)
    asked = env.agent_selection
    (other,) = set(env.agents) - {asked}
    assert np.flatnonzero(env.observe(asked)["action_mask"]).tolist() == list(range(len(env.deeds(asked))))
    assert np.flatnonzero(env.observe(other)["action_mask"]).tolist() == [env.match.wait]
    assert env.deeds(other) == []


def test_action_that_the_mask_forbids_is_refused() -> None:
    env = AecEnvironment("pit")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="the mask allows"):
        env.step(env.match.wait)


def test_second_seat_does_not_see_the_card_that_the_first_has_locked() -> None:
    """Two matches that differ in the first locked card only look the same to the seat that locks next."""
    seen = []
    for choice in (0, 1):
        env = AecEnvironment("diskwars", observations="flat")
        env.reset(seed=1)
        while env.infos[env.agent_selection]["question"] != "command_card":
            env.step(0)
        env.step(choice)
        assert env.infos[env.agent_selection]["question"] == "command_card"
        seen.append(env.observe(env.agent_selection)["observation"])
    assert np.array_equal(*seen)


def test_board_is_rendered_as_text_and_as_picture(capsys: pytest.CaptureFixture[str]) -> None:
    for ruleset in RESEARCH:
        shown = {}
        for mode in ("ansi", "svg"):
            env = AecEnvironment(ruleset, render_mode=mode)
            env.reset(seed=1)
            shown[mode] = env.render()
        assert "\n" in str(shown["ansi"])
        assert str(shown["svg"]).startswith("<svg")
    silent = AecEnvironment("pit")
    silent.reset(seed=1)
    assert silent.render() is None
    printing = AecEnvironment("pit", render_mode="human")
    printing.reset(seed=1)
    assert printing.render() is None
    assert "seat A has lost 0" in capsys.readouterr().out
