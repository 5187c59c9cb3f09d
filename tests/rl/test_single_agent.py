"""The environment of one seat, with bots in the others."""

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from diskwars_bots.loader import BotError
from diskwars_rl.rulesets.registry import RESEARCH
from diskwars_rl.single_agent import SingleAgentEnvironment


def play(env: SingleAgentEnvironment, seed: int) -> tuple[float, list[bytes]]:
    """Play a match at random by the mask; return the reward, and what was observed."""
    rng, trail = np.random.default_rng(seed), []
    observation, _ = env.reset(seed=seed)
    reward, is_over = 0.0, False
    while not is_over:
        trail.append(observation["observation"].tobytes())
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        observation, gained, terminated, truncated, _ = env.step(action)
        reward, is_over = reward + gained, terminated or truncated
    return reward, trail


@pytest.mark.parametrize("opponent", ["random", "greedy"])
@pytest.mark.parametrize("ruleset", RESEARCH)
def test_match_is_played_against_a_bot_by_name(ruleset: str, opponent: str) -> None:
    env = SingleAgentEnvironment(ruleset, opponents=opponent, observations="flat")
    reward, trail = play(env, 1)
    assert reward in (-1.0, 0.0, 1.0)
    assert env.match.is_over
    assert play(SingleAgentEnvironment(ruleset, opponents=opponent, observations="flat"), 1) == (reward, trail)


def test_every_seat_but_the_own_has_its_bot() -> None:
    env = SingleAgentEnvironment("pit", players=3, seat=1, opponents=["random", "greedy"], observations="flat")
    reward, trail = play(env, 1)
    assert reward in (-1.0, 1.0)
    assert len(trail) > 5


def test_seat_is_asked_whenever_a_step_returns() -> None:
    env = SingleAgentEnvironment("regiments", seat=1)
    _, info = env.reset(seed=2)
    assert info["question"] == "order"
    for _ in range(10):
        _, _, terminated, _, info = env.step(0)
        assert terminated or (1 in env.match.questions and info["question"] == "order")


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_api_is_that_of_gymnasium() -> None:
    """The checker samples without a mask: in Diskwars, deed 0 is what every action outside the mask stands for here."""

    class Masked(SingleAgentEnvironment):
        def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
            return super().step(action if self.action_masks()[action] else 0)

    env = Masked("diskwars", render_mode="ansi", observations="flat")
    check_env(env, skip_render_check=True)
    assert "Karl Franz" in str(env.render())


def test_bot_that_is_not_there_is_refused() -> None:
    with pytest.raises(BotError, match="there is no bot 'nobody'"):
        SingleAgentEnvironment("pit", opponents="nobody")


def test_number_of_opponents_has_to_fit() -> None:
    with pytest.raises(ValueError, match="2 opponents and seat 0 for 2 seats"):
        SingleAgentEnvironment("pit", opponents=["random", "greedy"])
