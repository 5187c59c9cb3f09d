#!/usr/bin/env bash
# What `sample(mask)` of Gymnasium's spaces draws from a mask that forbids every action, and what `api_test` of
# PettingZoo says about an environment that only ever gives such masks.
#
# expected: an error, or at least a warning, from `Discrete`; a failure of `api_test`.
#
# seen: with gymnasium 1.4.0 and pettingzoo 1.27.0: `Discrete(5, start=10)` returns 10 each time, and `MultiDiscrete` 0 in
# that place. `api_test` plays this action through to the end and passes: it has a check of masks, but takes `observation`
# out of the dict before it looks for `action_mask` in it. So a mask that is computed wrongly plays action 0, and nobody
# hears of it. What helps: environments that refuse an action outside the mask by themselves.
#
# Exits with 0 if that is still so, with 1 if the behaviour has changed. Needs Python 3.11 or newer and the network.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pettingzoo==1.27.0 gymnasium==1.4.0 numpy==2.4.6
cat >"$folder/try.py" <<'PYTHON'
import sys
import warnings

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.test import api_test

ROUNDS = 10


class Forbidding(AECEnv):
    """Two agents in turn; the mask of each forbids every action."""

    metadata = {"name": "forbidding_v0", "is_parallelizable": False}

    def __init__(self):
        self.possible_agents = ["agent_0", "agent_1"]
        mask, number = spaces.MultiBinary(3), spaces.Box(0, 1, (2,), np.float32)
        self.seen = {agent: spaces.Dict({"observation": number, "action_mask": mask}) for agent in self.possible_agents}
        self.choices = {agent: spaces.Discrete(3) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self.seen[agent]

    def action_space(self, agent):
        return self.choices[agent]

    def reset(self, seed=None, options=None):
        self.agents, self.number = list(self.possible_agents), 0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent):
        return {"observation": np.array([0.5, 1], np.float32), "action_mask": np.zeros(3, np.int8)}

    def step(self, action):
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        played.add(int(action))
        self.number += 1
        self.terminations = dict.fromkeys(self.agents, self.number == ROUNDS)
        self.agent_selection = self.possible_agents[self.number % 2]

    def render(self):
        return None

    def close(self):
        return None


played = set()
drawn = {int(spaces.Discrete(5, start=10).sample(mask=np.zeros(5, np.int8))) for _ in range(50)}
several = {
    int(spaces.MultiDiscrete([3, 4]).sample(mask=(np.zeros(3, np.int8), np.ones(4, np.int8)))[0]) for _ in range(50)
}
print(f"Discrete(5, start=10) and an empty mask: {drawn}; MultiDiscrete: {several}")
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    api_test(Forbidding())
about_masks = [str(warning.message) for warning in warned if "mask" in str(warning.message).lower()]
print(f"api_test passes; it played {played}, and warned of masks: {about_masks}")
is_as_found = drawn == {10} and several == {0} and played == {0} and not about_masks
print("as found" if is_as_found else "CHANGED")
sys.exit(not is_as_found)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
