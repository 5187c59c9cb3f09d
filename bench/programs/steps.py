"""Benchmark of the environments for research: their steps beside the rules and options alone, in one run.

Each match is played at random once, and its actions again in turn: by the rules with the options of every decision, and
by the environments with observations and masks. Times are CPU time.
"""

import random
from time import thread_time_ns
from typing import Any

from msgspec import Struct

from bench.measuring.tables import DEFAULT_EFFORT, BenchEffort, FigureBound, ResultTable, median
from diskwars_rl.aec_environment import AecEnvironment
from diskwars_rl.environment_match import EnvironmentMatch
from diskwars_rl.rulesets.registry import RESEARCH

MATCHES = 8
RATIO_BOUND, RATE_BOUND = 0.7, 1_300
"""What issue P asks of Diskwars: a share of the steps of the rules alone, and steps a second on one core."""


class StepRun(Struct, frozen=True):
    """Steps of one run, and the nanoseconds that they took."""

    steps: int
    alone: int
    raw: int
    whole: int


def tables(effort: BenchEffort = DEFAULT_EFFORT) -> list[ResultTable]:
    matches = MATCHES if effort.full else 1
    runs = {ruleset: [_run(ruleset, matches) for _ in range(effort.runs)] for ruleset in RESEARCH}
    rows = tuple((ruleset, several[0].steps, *_rates(several), _ratio(several)) for ruleset, several in runs.items())
    diskwars = runs["diskwars"]
    bounds = (
        FigureBound("steps of Diskwars, as a share of the rules alone", _ratio(diskwars), RATIO_BOUND, "at least"),
        FigureBound("steps of Diskwars a second", _rates(diskwars)[2], RATE_BOUND, "at least"),
    )
    columns = ("ruleset", "steps", "rules and options alone, steps/s", "with observations", "in PettingZoo", "share")
    notes = ("The share is that of the steps with observations and masks; PettingZoo adds its own work to each step.",)
    return [ResultTable("Environments, two agents at random", columns, rows, bounds, notes)]


def _rates(runs: list[StepRun]) -> tuple[float, float, float]:
    return (
        median([1e9 * run.steps / run.alone for run in runs]),
        median([1e9 * run.steps / run.raw for run in runs]),
        median([1e9 * run.steps / run.whole for run in runs]),
    )


def _ratio(runs: list[StepRun]) -> float:
    return median([run.alone / run.raw for run in runs])


def _run(ruleset: str, matches: int) -> StepRun:
    """Play the same matches in three ways, one after another, so that all have the same share of a quiet machine."""
    match, env = EnvironmentMatch(ruleset), AecEnvironment(ruleset)
    steps, times = 0, [0, 0, 0]
    for seed in range(matches):
        numbers, actions = _played(match, seed)
        steps += len(numbers)
        for way, play in enumerate((_play_alone, _play_raw)):
            began = thread_time_ns()
            play(match, seed, numbers, actions)
            times[way] += thread_time_ns() - began
        began = thread_time_ns()
        _play_whole(env, seed, numbers)
        times[2] += thread_time_ns() - began
    return StepRun(steps, *times)


def _played(match: EnvironmentMatch, seed: int) -> tuple[list[int], list[Any]]:
    """Play a match at random; return the numbers of its deeds, and their actions."""
    rng, numbers, actions = random.Random(seed), list[int](), list[Any]()
    match.reset(seed)
    while not match.is_over:
        seat = next(iter(match.questions))
        numbers.append(rng.randrange(len(match.deeds(seat))))
        actions.append(match.deeds(seat)[numbers[-1]].action)
        match.answer(seat, actions[-1])
    return numbers, actions


def _play_alone(match: EnvironmentMatch, seed: int, numbers: list[int], actions: list[Any]) -> None:
    match.reset(seed)
    for action in actions:
        seat = next(iter(match.questions))
        match.options(seat)
        match.answer(seat, action)


def _play_raw(match: EnvironmentMatch, seed: int, numbers: list[int], actions: list[Any]) -> None:
    match.reset(seed)
    for number in numbers:
        seat = next(iter(match.questions))
        match.observe(seat)
        match.answer(seat, *match.action(seat, number))


def _play_whole(env: AecEnvironment, seed: int, numbers: list[int]) -> None:
    env.reset(seed=seed)
    for number in numbers:
        env.last()
        env.step(number)
