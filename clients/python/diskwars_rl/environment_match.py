"""One match of an environment: seeds, decisions, observations and rewards by seat.

It plays with the dice of `diskwars_engine.quick_dice`, without hash chains and records: the same seed and the same
actions play the same match again.
"""

import random
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.ruleset import AnyRuleset, Illegal, Outcome
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.match.ids import PUBLIC, Seat
from diskwars_protocol.records.fairness import SALT_BYTES
from diskwars_rl.arrays import (
    DIRECTIONS,
    MAX_VALUE,
    MIN_VALUE,
    REACHES,
    Arrays,
    Encoder,
    deed_axes,
    deed_rows,
    question_tag,
)
from diskwars_rl.deeds import Deed
from diskwars_rl.rulesets.registry import RESEARCH

ActionForm: TypeAlias = Literal["deeds", "factored"]
"""`deeds`: the number of a deed. `factored`: that number, a direction and a reach."""
ObservationForm: TypeAlias = Literal["arrays", "flat"]
"""`arrays`: a dict of arrays by name. `flat`: one vector of all of them."""
RenderMode: TypeAlias = Literal["ansi", "human", "svg"]
RENDER_MODES: tuple[RenderMode, ...] = ("ansi", "human", "svg")
Mask: TypeAlias = npt.NDArray[np.int8]

MAX_DECISIONS = 5_000
"""Decisions after which a match is truncated; at random, the longest seen took some hundred."""


class MatchOptionsGiven(TypedDict, total=False):
    """The options of `EnvironmentMatch` by name."""

    players: int
    settings: Mapping[str, Any]
    armies: Sequence[str]
    actions: ActionForm
    observations: ObservationForm
    max_decisions: int


@cache
def load_rules(ruleset: str) -> AnyRuleset:
    """Return the rules with their own content."""
    return RULESETS[ruleset](())


class EnvironmentMatch:
    """A match between numbered agents, one a seat. `reset` comes first."""

    def __init__(
        self,
        ruleset: str,
        *,
        players: int = 2,
        settings: Mapping[str, Any] = MappingProxyType({}),
        armies: Sequence[str] = (),
        actions: ActionForm = "deeds",
        observations: ObservationForm = "arrays",
        max_decisions: int = MAX_DECISIONS,
    ) -> None:
        """`settings` are those of the ruleset, `armies` one for each seat, or drawn for each match.

        Raises ValueError for what no match can be played with.
        """
        if ruleset not in RESEARCH:
            raise ValueError(f"there is no ruleset {ruleset!r}; there are {', '.join(RESEARCH)}")
        self.rules, self.research = load_rules(ruleset), RESEARCH[ruleset]
        if players not in self.rules.seat_counts:
            raise ValueError(
                f"{ruleset} is played by {' or '.join(map(str, self.rules.seat_counts))}, not by {players}"
            )
        if armies and len(armies) != players:
            raise ValueError(f"{len(armies)} armies for {players} seats")
        self.ruleset, self.players = ruleset, players
        self.agents = [f"seat_{seat}" for seat in range(players)]
        self._given, self._armies = dict(settings), tuple(armies)
        self._is_factored, self._is_flat = actions == "factored", observations == "flat"
        self._max_decisions = max_decisions
        self.wait = self.research.max_deeds
        """The action of a seat that is asked nothing; the deeds of one that is asked come before it."""
        self.axes = (*self.research.axes, deed_axes(self.research))
        self._seeds = random.Random()

    # ------------------------------------------------------------ spaces

    def new_action_space(self) -> spaces.Space[Any]:
        """Return the space of actions of one agent."""
        if self._is_factored:
            return spaces.MultiDiscrete([self.wait + 1, DIRECTIONS, REACHES])
        return spaces.Discrete(self.wait + 1)

    def new_observation_space(self) -> spaces.Space[Any]:
        """Return the space of observations of one agent."""
        if self._is_flat:
            arrays: spaces.Space[Any] = _box((sum(int(np.prod(axes.shape)) for axes in self.axes),))
        else:
            arrays = spaces.Dict({axes.name: _box(axes.shape) for axes in self.axes})
        mask: spaces.Space[Any] = spaces.MultiBinary(self.wait + 1)
        if self._is_factored:
            mask = spaces.Tuple([mask, spaces.MultiBinary(DIRECTIONS), spaces.MultiBinary(REACHES)])
        return spaces.Dict({"observation": arrays, "action_mask": mask})

    # ------------------------------------------------------------ course

    def reset(self, seed: int | None) -> int:
        """Begin a match and return its seed; without one, it follows from the seed before, or from nothing."""
        if seed is not None:
            self._seeds = random.Random(f"diskwars environments {seed}")
        self.seed = self._seeds.getrandbits(63) if seed is None else seed
        self._rng = random.Random(f"diskwars environment {self.seed}")
        self._dice = QuickDice(self._rng, self.players)
        chosen = self.research.settings(self.rules.vocabulary.settings, self._given)
        given = self.research.loadouts(self.rules, chosen, self._armies, self.players, self._rng)
        loadouts = [self.rules.complete_loadout(chosen, loadout) for loadout in given]
        self.settings = chosen
        self._accept(self.rules.start(chosen, loadouts, self._dice))
        self._encoder: Encoder = self.research.new_encoder(self.board)
        self.decisions = 0
        return self.seed

    def _accept(self, outcome: Outcome[Any, Any]) -> None:
        self.board = outcome.board
        self.questions: dict[Seat, Any] = {}
        for seat, question in outcome.questions:
            self.questions.setdefault(seat, question)
        self._deeds: dict[Seat, list[Deed]] = {}

    @property
    def is_over(self) -> bool:
        return not self.questions

    @property
    def is_truncated(self) -> bool:
        return not self.is_over and self.decisions >= self._max_decisions

    def rewards(self) -> list[float]:
        """Return 1 for each winner and -1 for the others; 0 if nobody wins, or everybody, and before the end."""
        result = self.rules.result(self.board) if self.is_over else None
        winners = result.winners if result is not None else ()
        if len(winners) in (0, self.players):
            return [0.0] * self.players
        return [1.0 if seat in winners else -1.0 for seat in range(self.players)]

    # ------------------------------------------------------------ what a seat may know

    def view(self, seat: Seat) -> Any:
        """Return the board as the seat may know it."""
        return self.rules.view(self.board, seat)

    def options(self, seat: Seat) -> Options[Any, Any, Any]:
        """Return the options of the seat's question."""
        options: Options[Any, Any, Any] = self.rules.options(self.board, seat, self.questions[seat])
        return options

    def deeds(self, seat: Seat) -> list[Deed]:
        """Return the deeds that a seat is offered now, in the order of their numbers; none if it is asked nothing."""
        if seat not in self._deeds:
            asked = seat in self.questions
            found = self.research.deeds(self.board, self.options(seat), self._is_factored) if asked else []
            self._deeds[seat] = found[: self.wait]
        return self._deeds[seat]

    def observe(self, seat: Seat) -> dict[str, Any]:
        """Return the observation of a seat: its arrays, and the mask of its actions."""
        view, question = self.view(seat), self.questions.get(seat)
        arrays = self._encoder.encode(view, seat, question)
        deeds = self.deeds(seat)
        arrays["deeds"] = deed_rows(self.research, view, deeds)
        mask = np.zeros(self.wait + 1, np.int8)
        if deeds:
            mask[: len(deeds)] = 1
        else:
            mask[self.wait] = 1
        observation = self._flatten(arrays) if self._is_flat else arrays
        return {"observation": observation, "action_mask": self._with_factors(mask) if self._is_factored else mask}

    def info(self, seat: Seat) -> dict[str, Any]:
        """Return what the seat is asked, by the tag of the question."""
        return {"question": question_tag(self.questions.get(seat))}

    def _flatten(self, arrays: Arrays) -> npt.NDArray[np.float32]:
        return np.concatenate([arrays[axes.name].ravel() for axes in self.axes])

    @staticmethod
    def _with_factors(mask: Mask) -> tuple[Mask, Mask, Mask]:
        return mask, np.ones(DIRECTIONS, np.int8), np.ones(REACHES, np.int8)

    # ------------------------------------------------------------ actions

    def action(self, seat: Seat, chosen: Any) -> tuple[Any, Any]:
        """Return the action of a number, and what is done if the rules refuse it. Raises ValueError for no deed."""
        deeds = self.deeds(seat)
        number, *factors = map(int, chosen) if self._is_factored else (int(chosen),)
        if not 0 <= number < len(deeds):
            raise ValueError(f"action {number} of seat {seat}; the mask allows 0 to {len(deeds) - 1}")
        deed = deeds[number]
        if not factors or deed.option is None:
            return deed.action, deed.action
        direction, reach = factors
        return self.research.shaped(self.board, deed, direction, reach), deed.action

    def answer(self, seat: Seat, action: Any, instead: Any = None) -> bool:
        """Answer the seat's question; return False if the rules refuse the action, and `instead` was done.

        Raises `Illegal` if the rules refuse both.
        """
        try:
            self._decide(seat, action)
        except Illegal:
            if instead is None or instead == action:
                raise
            self._decide(seat, instead)
            return False
        return True

    def _decide(self, seat: Seat, action: Any) -> None:
        complete = self.rules.vocabulary.with_secrets(action, self._new_salt, lambda: "")
        self._accept(self.rules.decide(self.board, seat, self.questions[seat], complete, self._dice))
        self.decisions += 1

    def _new_salt(self) -> str:
        return self._rng.randbytes(SALT_BYTES).hex()

    # ------------------------------------------------------------ pictures

    def render(self, mode: RenderMode | None) -> str | None:
        """Return the board as everybody may know it, as text or SVG; print it in mode `human`."""
        if mode is None:
            return None
        board = self.rules.view(self.board, PUBLIC)
        if mode == "svg":
            return self.research.draw_picture(board)
        text = self.research.draw_text(board)
        if mode == "human":
            print(text)
            return None
        return text


def _box(shape: tuple[int, ...]) -> spaces.Box:
    return spaces.Box(MIN_VALUE, MAX_VALUE, shape, np.float32)
