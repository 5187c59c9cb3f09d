"""The PettingZoo environment in which agents act one after another."""

from typing import Any, Unpack

from gymnasium import spaces
from pettingzoo import AECEnv

from diskwars_protocol.match.ids import Seat
from diskwars_rl.environment_match import RENDER_MODES, EnvironmentMatch, MatchOptionsGiven, RenderMode


class AecEnvironment(AECEnv[str, Any, Any]):
    """A match of any ruleset. The agent of the first open question acts; all agents stay until the end.

    Where several seats are asked at once, one answers after the other, and sees of the earlier answer only what others
    may see.
    """

    metadata = {"name": "diskwars_v0", "render_modes": list(RENDER_MODES), "is_parallelizable": False}  # noqa: RUF012

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
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self.match.new_observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self.match.new_action_space() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the agent's observations, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the agent's actions, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; the same seed begins the same."""
        self.match.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Any:
        """Return what the agent may know, its deeds and its mask."""
        return self.match.observe(self._seats[agent])

    def step(self, action: Any) -> None:
        """Answer for the selected agent. Raises ValueError for an action that its mask forbids."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self._seats[agent]
        was_done = self.match.answer(seat, *self.match.action(seat, action))
        self._cumulative_rewards[agent] = 0.0
        is_over, is_truncated = self.match.is_over, self.match.is_truncated
        if is_over or is_truncated:
            self.rewards = dict(zip(self.agents, self.match.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, is_over)
            self.truncations = dict.fromkeys(self.agents, is_truncated)
            self._accumulate_rewards()
        self._select()
        self.infos[agent]["was_refused"] = not was_done
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Select the agent of the first open question; the first agent once there is none."""
        seat: Seat = next(iter(self.match.questions), 0)
        self.agent_selection = self.possible_agents[seat]
        for agent in self.agents:
            self.infos[agent] = self.match.info(self._seats[agent])

    def deeds(self, agent: str) -> list[Any]:
        """Return the actions of the rules that the numbers of the agent's deeds stand for."""
        return [deed.action for deed in self.match.deeds(self._seats[agent])]

    def render(self) -> str | None:
        """Return the board as everybody may know it, in the render mode of the environment."""
        return self.match.render(self.render_mode)

    def close(self) -> None:
        """Nothing is open."""
