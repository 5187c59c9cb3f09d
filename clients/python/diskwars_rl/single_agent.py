"""The Gymnasium environment of one seat, with bots in the others."""

import random
from collections.abc import Sequence
from typing import Any, Unpack

import gymnasium

from diskwars_bots.chooser import Chooser
from diskwars_bots.loader import load_chooser
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId, MatchId, Seat
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.match.state import Match, SeatState
from diskwars_rl.environment_match import RENDER_MODES, EnvironmentMatch, MatchOptionsGiven, RenderMode

NO_LINK = "0" * 64


class SingleAgentEnvironment(gymnasium.Env[Any, Any]):
    """A match of any ruleset from one seat. `opponents` are bots by name, one for each other seat or one for all.

    They see of the match what their seats may know, with draws of their own that follow from the seed.
    """

    metadata = {"render_modes": list(RENDER_MODES)}  # noqa: RUF012

    def __init__(
        self,
        ruleset: str = "diskwars",
        *,
        opponents: str | Sequence[str] = "random",
        seat: Seat = 0,
        render_mode: RenderMode | None = None,
        **options: Unpack[MatchOptionsGiven],
    ) -> None:
        """`options` are those of `EnvironmentMatch`.

        Raises ValueError for what no match can be played with, and BotError for a bot that cannot be loaded.
        """
        self.match = EnvironmentMatch(ruleset, **options)
        players = self.match.players
        names = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
        if len(names) != players - 1 or not 0 <= seat < players:
            raise ValueError(f"{len(names)} opponents and seat {seat} for {players} seats")
        self.seat, self.render_mode, self._mode = seat, render_mode, render_mode
        others = [other for other in range(players) if other != seat]
        self._choosers: dict[Seat, Chooser] = {
            other: load_chooser(name, ruleset) for other, name in zip(others, names, strict=True)
        }
        self.observation_space = self.match.new_observation_space()
        self.action_space = self.match.new_action_space()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a match, and play on to the first question of the seat."""
        super().reset(seed=seed)
        begun = self.match.reset(seed)
        self._rngs = {other: random.Random(f"diskwars opponent {begun} {other}") for other in self._choosers}
        self._play_on()
        return self.match.observe(self.seat), self.match.info(self.seat)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Answer, and play on to the next question of the seat. Raises ValueError if the mask forbids the action."""
        was_done = self.match.answer(self.seat, *self.match.action(self.seat, action))
        self._play_on()
        info = self.match.info(self.seat) | {"was_refused": not was_done}
        reward = self.match.rewards()[self.seat]
        if self.render_mode == "human":
            self.render()
        return self.match.observe(self.seat), reward, self.match.is_over, self.match.is_truncated, info

    def action_masks(self) -> Any:
        """Return the mask of the last observation, as learners ask an environment for it."""
        return self.match.observe(self.seat)["action_mask"]

    def _play_on(self) -> None:
        """Let the opponents answer until the seat is asked, or the match has ended or is truncated."""
        match = self.match
        while match.questions and self.seat not in match.questions and not match.is_truncated:
            seat, question = next(iter(match.questions.items()))
            decision = Decision(DecisionId("1.0"), seat, question)
            view, options = match_view(match, seat), match.options(seat)
            match.answer(seat, self._choosers[seat](view, decision, options, self._rngs[seat]))

    def render(self) -> str | None:
        """Return the board as everybody may know it, in the render mode of the environment."""
        return self.match.render(self._mode)


def match_view(match: EnvironmentMatch, seat: Seat) -> Match[Any, Any]:
    """Return a match as bots expect it, around the board as a seat may know it."""
    return Match(
        match=MatchId(""),
        ruleset=match.ruleset,
        settings=match.settings,
        seats=(SeatState(ready=True),) * match.players,
        server_link=NO_LINK,
        deal_commitment=NO_LINK,
        match_options=MatchOptions(),
        status="running",
        board=match.view(seat),
    )
