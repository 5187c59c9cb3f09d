"""`python -m diskwars_rl.random_steps`: plays steps at random, and counts what went wrong."""

import argparse
import time
from typing import Any

import numpy as np
from msgspec import Struct

from diskwars_rl.aec_environment import AecEnvironment
from diskwars_rl.environment_match import ActionForm
from diskwars_rl.rulesets.registry import RESEARCH

CHECK_EVERY = 100
"""One observation in this many is looked for in its space, which takes longer than a step."""


class RandomSteps(Struct):
    """What steps at random came to."""

    steps: int = 0
    matches: int = 0
    refused: int = 0
    outside_space: int = 0
    full_deeds: int = 0
    """Decisions that offered as many deeds as there is room for, so that some may have been left out."""
    truncated: int = 0


def play_random_steps(env: AecEnvironment, steps: int, seed: int) -> RandomSteps:
    """Play matches one after another until this many steps are made."""
    rng, counts = np.random.default_rng(seed), RandomSteps()
    while counts.steps < steps:
        env.reset(seed=int(rng.integers(2**31)))
        counts.matches += 1
        for agent in env.agent_iter():
            observation: Any
            observation, _, terminated, truncated, info = env.last()
            counts.refused += bool(info.get("was_refused"))
            if terminated or truncated:
                counts.truncated += truncated and agent == env.possible_agents[0]
                env.step(None)
                continue
            counts.outside_space += _is_outside(env, agent, observation, counts.steps)
            counts.full_deeds += len(env.match.deeds(env.possible_agents.index(agent))) == env.match.wait
            counts.steps += 1
            env.step(_draw(rng, observation["action_mask"]))
    return counts


def _is_outside(env: AecEnvironment, agent: str, observation: Any, step: int) -> bool:
    return step % CHECK_EVERY == 0 and not env.observation_space(agent).contains(observation)


def _draw(rng: np.random.Generator, mask: Any) -> Any:
    """Draw an action that a mask allows; sampling from the space takes longer than a step."""
    if isinstance(mask, tuple):
        return [int(rng.integers(np.count_nonzero(part))) for part in mask]
    return int(rng.integers(np.count_nonzero(mask)))


def main() -> None:
    """Read the options, play, and print one line."""
    parser = argparse.ArgumentParser(prog="python -m diskwars_rl.random_steps", description=__doc__)
    parser.add_argument("--ruleset", choices=sorted(RESEARCH), default="diskwars")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--actions", choices=("deeds", "factored"), default="deeds")
    options = parser.parse_args()
    form: ActionForm = options.actions
    begun = time.process_time()
    counts = play_random_steps(AecEnvironment(options.ruleset, actions=form), options.steps, options.seed)
    rate = counts.steps / (time.process_time() - begun)
    print(
        f"{options.ruleset} {form}: {counts.steps:,} steps in {counts.matches:,} matches, {rate:,.0f} steps/s; "
        f"refused {counts.refused}, outside the space {counts.outside_space}, "
        f"deeds full {counts.full_deeds}, truncated {counts.truncated}"
    )


if __name__ == "__main__":
    main()
