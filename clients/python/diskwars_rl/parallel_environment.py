"""The PettingZoo environment in which all agents act at once."""

from typing import Any, Unpack

from gymnasium import spaces
from pettingzoo import ParallelEnv

from diskwars_rl.environment_match import RENDER_MODES, EnvironmentMatch, MatchOptionsGiven, RenderMode

StepResult = tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class ParallelEnvironment(ParallelEnv[str, Any, Any]):
    """A match of any ruleset. In a step every agent that is asked something answers, the others wait.

    Locked cards and secret orders are answered in one step, so that nobody acts on the choice of another.
    """

    metadata = {"name": "diskwars_parallel_v0", "render_modes": list(RENDER_MODES)}  # noqa: RUF012

    def __init__(
        self,
        ruleset: str = "diskwars",
        *,
        render_mode: RenderMode | None = None,
        **options: Unpack[MatchOptionsGiven],
    ) -> None:
        """`options` are those of `EnvironmentMatch`. Raises ValueError for what no match can be played with."""
        self.match = EnvironmentMatch(ruleset, **options)
        self.render_mode = render_mode
        self.possible_agents = list(self.match.agents)
        self.agents: list[str] = []
        self.observation_spaces = {agent: self.match.new_observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self.match.new_action_space() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the agent's observations, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the agent's actions, the same object each time."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin a match; the same seed begins the same."""
        self.match.reset(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(self, actions: dict[str, Any]) -> StepResult:
        """Answer for all agents that are asked something. Raises ValueError for an action that a mask forbids."""
        agents, match = self.agents, self.match
        chosen = []
        for seat, agent in enumerate(self.possible_agents):
            if seat in match.questions:
                chosen.append((seat, *match.action(seat, actions[agent])))
            elif agent in actions and self._number(actions[agent]) != match.wait:
                raise ValueError(f"{agent} is asked nothing: the mask allows {match.wait} only")
        refused = set()
        for seat, action, instead in chosen:  # a question may go when another seat has answered
            if seat in match.questions and not match.answer(seat, action, instead):
                refused.add(seat)
        rewards = dict(zip(agents, match.rewards(), strict=True))
        terminations = dict.fromkeys(agents, match.is_over)
        truncations = dict.fromkeys(agents, match.is_truncated)
        infos = self._infos()
        for seat, _, _ in chosen:
            infos[self.possible_agents[seat]]["was_refused"] = seat in refused
        observations = self._observations()
        if match.is_over or match.is_truncated:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return observations, rewards, terminations, truncations, infos

    @staticmethod
    def _number(action: Any) -> int:
        return int(action[0]) if hasattr(action, "__len__") else int(action)

    def _observations(self) -> dict[str, Any]:
        return {agent: self.match.observe(seat) for seat, agent in enumerate(self.possible_agents)}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: self.match.info(seat) for seat, agent in enumerate(self.possible_agents)}

    def render(self) -> str | None:
        """Return the board as everybody may know it, in the render mode of the environment."""
        return self.match.render(self.render_mode)

    def close(self) -> None:
        """Nothing is open."""
