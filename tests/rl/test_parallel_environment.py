"""The environment in which all agents act at once, by the tests of PettingZoo and our own."""

from typing import Any

import numpy as np
import pettingzoo.test
import pytest

from diskwars_rl.parallel_environment import ParallelEnvironment
from diskwars_rl.rulesets.registry import RESEARCH
from tests.effort import count_of

SUITE: Any = pettingzoo.test


@pytest.mark.parametrize("actions", ["deeds", "factored"])
@pytest.mark.parametrize("ruleset", RESEARCH)
def test_api_is_that_of_pettingzoo(ruleset: str, actions: Any, capsys: pytest.CaptureFixture[str]) -> None:
    SUITE.parallel_api_test(ParallelEnvironment(ruleset, actions=actions), num_cycles=count_of(300, 40))
    assert "Passed Parallel API test" in capsys.readouterr().out


def play(env: ParallelEnvironment, seed: int, steps: int = 1_000) -> list[Any]:
    """Play at random by the masks; return everything that was observed and given."""
    rng = np.random.default_rng(seed)
    observations, infos = env.reset(seed=seed)
    trail: list[Any] = [infos]
    while env.agents and len(trail) < steps:
        actions = {agent: int(rng.choice(np.flatnonzero(observations[agent]["action_mask"]))) for agent in env.agents}
        observations, *given = env.step(actions)
        trail.append([{agent: seen["observation"].tobytes() for agent, seen in observations.items()}, given])
    return trail


@pytest.mark.parametrize("ruleset", RESEARCH)
def test_same_seed_plays_the_same_match(ruleset: str) -> None:
    """Compared to the end: `parallel_seed_test` of PettingZoo 1.27.0 compares the first step only."""
    one, other, third = (ParallelEnvironment(ruleset, observations="flat") for _ in range(3))
    assert play(one, 2) == play(other, 2) != play(third, 3)


def test_match_ends_for_all_agents_at_once() -> None:
    env = ParallelEnvironment("regiments", observations="flat")
    *_, (_, (rewards, terminations, truncations, _)) = play(env, 2)
    assert env.agents == []
    assert set(terminations.values()) == {True}
    assert set(truncations.values()) == {False}
    assert sum(rewards.values()) == 0


def test_cards_are_locked_in_one_step() -> None:
    env = ParallelEnvironment("diskwars")
    observations, infos = env.reset(seed=1)
    while {info["question"] for info in infos.values()} != {"command_card"}:
        actions = {agent: int(np.flatnonzero(observations[agent]["action_mask"])[0]) for agent in env.agents}
        observations, _, _, _, infos = env.step(actions)
    assert env.match.board.round == 1
    observations, _, _, _, infos = env.step(dict.fromkeys(env.agents, 0))
    assert [side.revealed_card is not None for side in env.match.board.sides] == [True, True]
    assert {info["was_refused"] for info in infos.values()} == {False}


def test_agent_that_is_asked_nothing_can_only_wait() -> None:
    env = ParallelEnvironment("pit")
    observations, infos = env.reset(seed=1)
    (asked,) = [agent for agent in env.agents if infos[agent]["question"]]
    (other,) = set(env.agents) - {asked}
    assert np.flatnonzero(observations[other]["action_mask"]).tolist() == [env.match.wait]
    with pytest.raises(ValueError, match=f"{other} is asked nothing"):
        env.step({asked: 0, other: 0})
    assert env.match.decisions == 0
    env.step({asked: 0, other: env.match.wait})
    assert env.match.decisions == 1
