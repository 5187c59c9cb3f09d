"""`python -m diskwars_rl.training`: trains a linear policy against a bot by policy gradient, and measures it."""

import argparse
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from diskwars_rl.policy import Features, LinearPolicy, Weights
from diskwars_rl.rulesets.registry import RESEARCH
from diskwars_rl.single_agent import SingleAgentEnvironment

BATCH = 16
"""Matches between two steps of the weights."""
RATE = 0.1
DECAY, SQUARE_DECAY = 0.9, 0.99
"""Of the means of Adam."""
BASELINE_DECAY = 0.9
Z_95 = 1.96

Choose: TypeAlias = Callable[[Features], int]


class Score(Struct, frozen=True):
    """Wins, draws and losses of a policy in both seats."""

    won: int
    drawn: int
    lost: int

    @property
    def rate(self) -> float:
        """The share of points: 1 for a win, a half for a draw."""
        return (self.won + self.drawn / 2) / (self.won + self.drawn + self.lost)

    def text(self) -> str:
        matches = self.won + self.drawn + self.lost
        margin = Z_95 * math.sqrt(self.rate * (1 - self.rate) / matches)
        return (
            f"{self.rate:.1%} ± {margin:.1%} of {matches} matches: won {self.won}, drawn {self.drawn}, lost {self.lost}"
        )


class Trainer:
    """Plays matches in both seats in turn, and moves the weights towards what was done in those that were won."""

    def __init__(self, ruleset: str, opponent: str, seed: int) -> None:
        self.policy = LinearPolicy(ruleset)
        self._seats = [SingleAgentEnvironment(ruleset, opponents=opponent, seat=seat) for seat in (0, 1)]
        self._rng = np.random.default_rng(seed)
        self._mean, self._square = np.zeros_like(self.policy.weights), np.zeros_like(self.policy.weights)
        self._baseline, self._steps, self.matches = 0.0, 0, 0

    def train_batch(self) -> float:
        """Play a batch of matches and make one step; return the mean reward."""
        gradient, total = np.zeros_like(self.policy.weights), 0.0
        for _ in range(BATCH):
            env = self._seats[self.matches % len(self._seats)]
            trace: list[Weights] = []
            reward = play_match(env, self.policy, int(self._rng.integers(2**31)), self._draw(trace))
            gradient += (reward - self._baseline) * np.sum(trace, axis=0)
            total += reward
            self.matches += 1
        self._step(gradient / BATCH)
        mean = total / BATCH
        self._baseline = BASELINE_DECAY * self._baseline + (1 - BASELINE_DECAY) * mean
        return mean

    def _draw(self, trace: list[Weights]) -> Choose:
        """Return a choice at random by the policy; it adds the gradient of its logarithm to the trace."""

        def choose(features: Features) -> int:
            chances = self.policy.chances(features)
            number = int(self._rng.choice(len(chances), p=chances))
            trace.append(features[number] - chances @ features)
            return number

        return choose

    def _step(self, gradient: Weights) -> None:
        self._steps += 1
        self._mean = DECAY * self._mean + (1 - DECAY) * gradient
        self._square = SQUARE_DECAY * self._square + (1 - SQUARE_DECAY) * gradient**2
        mean = self._mean / (1 - DECAY**self._steps)
        square = self._square / (1 - SQUARE_DECAY**self._steps)
        self.policy.weights = self.policy.weights + RATE * mean / (np.sqrt(square) + 1e-8)


def play_match(env: SingleAgentEnvironment, policy: LinearPolicy, seed: int, choose: Choose) -> float:
    """Play one match and return its reward."""
    observation, _ = env.reset(seed=seed)
    reward, is_over = 0.0, env.match.is_over
    while not is_over:
        number = choose(policy.features.of(observation["observation"]))
        observation, reward, terminated, truncated, _ = env.step(number)
        is_over = terminated or truncated
    return reward


def measure(policy: LinearPolicy, opponent: str, matches: int, seed: int) -> Score:
    """Let a policy play matches in both seats, always with the deed of the largest chance."""
    envs = [SingleAgentEnvironment(policy.ruleset, opponents=opponent, seat=seat) for seat in (0, 1)]

    def best(features: Features) -> int:
        return int(np.argmax(features @ policy.weights))

    rewards = [play_match(envs[number % 2], policy, seed + number // 2, best) for number in range(matches)]
    return Score(*(rewards.count(reward) for reward in (1.0, 0.0, -1.0)))


def main() -> None:
    """Read the options, train, store the policy, and print what it scores."""
    parser = argparse.ArgumentParser(prog="python -m diskwars_rl.training", description=__doc__)
    parser.add_argument("--ruleset", choices=sorted(RESEARCH), default="pit")
    parser.add_argument("--opponent", default="random", help="a bot by name")
    parser.add_argument("--matches", type=int, default=1_600, help="matches of training")
    parser.add_argument("--trial", type=int, default=400, help="matches in which the policy is measured")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=None, metavar="FILE", help="where the policy is stored, as JSON")
    options = parser.parse_args()
    begun = time.process_time()
    trainer = Trainer(options.ruleset, options.opponent, options.seed)
    before = measure(trainer.policy, options.opponent, options.trial, MEASURED_SEED)
    while trainer.matches < options.matches:
        trainer.train_batch()
    if options.out is not None:
        trainer.policy.save(options.out)
    after = measure(trainer.policy, options.opponent, options.trial, MEASURED_SEED)
    print(f"{options.ruleset} against {options.opponent}, {trainer.matches} matches of training")
    print(f"before: {before.text()}")
    print(f"after:  {after.text()}; {time.process_time() - begun:.0f} s of CPU")


MEASURED_SEED = 1_000_000_000
"""The first seed of the matches in which a policy is measured; those of training are drawn."""


if __name__ == "__main__":
    main()
