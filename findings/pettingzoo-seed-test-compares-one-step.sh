#!/usr/bin/env bash
# What `parallel_seed_test` of PettingZoo says about a parallel environment whose second step ignores the seed.
#
# expected: it fails. The test takes `num_cycles=500` and compares two environments step by step until one has ended.
#
# seen: with pettingzoo 1.27.0: it passes after one step of each. The loop ends at `any(terminations1)`, and
# `terminations1` is a dict by agent: `any` looks at its keys, which are names and true. The test for AEC environments,
# `seed_test`, goes on to the end. What helps: play two environments of one seed to the end and compare them oneself.
#
# Exits with 0 if that is still so, with 1 if the behaviour has changed. Needs Python 3.11 or newer and the network.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pettingzoo==1.27.0 gymnasium==1.4.0 numpy==2.4.6
cat >"$folder/try.py" <<'PYTHON'
import random
import sys

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv
from pettingzoo.test import parallel_seed_test

STEPS = 20
steps = 0


class Unseeded(ParallelEnv):
    """Twenty steps; the first is the same for every seed, all others are drawn from the system."""

    metadata = {"name": "unseeded_v0"}

    def __init__(self):
        self.possible_agents = ["agent_0", "agent_1"]
        self.space = spaces.Box(0, 1, (1,), np.float32)
        self.choices = {agent: spaces.Discrete(2) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self.space

    def action_space(self, agent):
        return self.choices[agent]

    def reset(self, seed=None, options=None):
        self.agents, self.number = list(self.possible_agents), 0
        return {agent: np.zeros(1, np.float32) for agent in self.agents}, {agent: {} for agent in self.agents}

    def step(self, actions):
        global steps
        steps += 1
        self.number += 1
        agents, is_over = self.agents, self.number == STEPS
        value = 0 if self.number == 1 else random.SystemRandom().random()
        if is_over:
            self.agents = []
        seen = {agent: np.full(1, value, np.float32) for agent in agents}
        return seen, dict.fromkeys(agents, 0.0), dict.fromkeys(agents, is_over), dict.fromkeys(agents, False), {
            agent: {} for agent in agents
        }


try:
    parallel_seed_test(Unseeded, num_cycles=500)
    passed = True
except AssertionError:
    passed = False
print(f"parallel_seed_test {'passes' if passed else 'fails'} after {steps} steps of two environments")
is_as_found = passed and steps == 2
print("as found" if is_as_found else "CHANGED")
sys.exit(not is_as_found)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
