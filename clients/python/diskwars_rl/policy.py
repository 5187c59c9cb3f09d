"""A linear softmax policy over the features of the offered deeds, for any ruleset, and a bot made of one."""

import random
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from diskwars_protocol.match.decisions import Decision, Options
from diskwars_rl.arrays import Array, Arrays, deed_rows, prefixed
from diskwars_rl.deeds import DEED_COLUMNS
from diskwars_rl.rulesets.registry import RESEARCH

Features: TypeAlias = npt.NDArray[np.float64]
Weights: TypeAlias = npt.NDArray[np.float64]

KIND, ACTOR, TARGET, X, Y, COUNT = map(DEED_COLUMNS.index, ("kind", "actor", "target", "x", "y", "count"))
FIGURE_SCALE = 0.1
"""Brings figures of pieces, most of them up to 20, to the size of the other features."""


class PolicyFile(Struct, frozen=True):
    """A policy as it is stored: its ruleset, and a weight for each feature by name."""

    ruleset: str
    weights: dict[str, float]


class DeedFeatures:
    """The features of the deeds of one ruleset: kinds, the pieces that act and suffer, and how the distance changes."""

    def __init__(self, ruleset: str) -> None:
        research = RESEARCH[ruleset]
        (pieces,) = [axes for axes in research.axes if axes.name == "pieces"]
        self._kinds, columns = len(research.table.kinds), pieces.columns
        self._own, self._x, self._y = (columns.index(name) for name in ("own", "x", "y"))
        self._sides = [columns.index(name) for name in ("own", "ally") if name in columns]
        self._on_field = [columns.index(name) for name in research.on_field]
        self.names = (
            *prefixed("kind", research.table.kinds),
            *prefixed("actor", columns),
            *prefixed("target", columns),
            *("approach", "distance", "count"),
        )

    def of(self, arrays: Arrays) -> Features:
        """Return a row for each deed that is offered."""
        deeds, pieces = arrays["deeds"], arrays["pieces"].astype(np.float64)
        deeds = deeds[: int(deeds[:, 0].sum())]
        kinds = np.eye(self._kinds)[deeds[:, KIND].astype(int)]
        actors, targets = (_rows(pieces, deeds[:, column]) for column in (ACTOR, TARGET))
        approach, distance = self._ways(deeds, actors, pieces)
        figures = FIGURE_SCALE * np.hstack([actors, targets])
        count = FIGURE_SCALE * deeds[:, COUNT]
        return np.hstack([kinds, figures, np.column_stack([approach, distance, count])])

    def _ways(self, deeds: Array, actors: Features, pieces: Features) -> tuple[Features, Features]:
        """Return how much nearer each deed brings its piece to the nearest enemy, and how far it is from it then."""
        is_enemy = pieces[:, self._on_field].any(axis=1) & ~pieces[:, self._sides].any(axis=1)
        enemies = pieces[is_enemy][:, [self._x, self._y]]
        there, has_place = deeds[:, [X, Y]], deeds[:, [X, Y]].any(axis=1)
        if not len(enemies) or not has_place.any():
            nothing = np.zeros(len(deeds))
            return nothing, nothing
        before = _nearest(actors[:, [self._x, self._y]], enemies)
        after = _nearest(there, enemies)
        return np.where(has_place, before - after, 0.0), np.where(has_place, after, 0.0)


def _rows(pieces: Features, numbers: Array) -> Features:
    """Return the rows of pieces by number; zeros for none."""
    places = numbers.astype(int)
    return np.where((places >= 0)[:, np.newaxis], pieces[places], 0.0)


def _nearest(points: Any, enemies: Features) -> Features:
    differences = np.asarray(points)[:, np.newaxis, :] - enemies[np.newaxis, :, :]
    nearest: Features = np.sqrt((differences**2).sum(axis=2)).min(axis=1)
    return nearest


class LinearPolicy:
    """Chooses deeds with chances that grow with the weighted sum of their features."""

    def __init__(self, ruleset: str, weights: Weights | None = None) -> None:
        self.ruleset, self.features = ruleset, DeedFeatures(ruleset)
        self.weights = np.zeros(len(self.features.names)) if weights is None else weights

    def chances(self, features: Features) -> Features:
        """Return the chance of each deed."""
        sums = features @ self.weights
        powers = np.exp(sums - sums.max())
        chances: Features = powers / powers.sum()
        return chances

    def best(self, arrays: Arrays) -> int:
        """Return the number of the deed with the largest chance."""
        return int(np.argmax(self.features.of(arrays) @ self.weights))

    def save(self, file: Path) -> None:
        """Write the weights by name. Raises OSError."""
        weights = {name: round(float(value), 6) for name, value in zip(self.features.names, self.weights, strict=True)}
        file.write_bytes(msgspec.json.format(msgspec.json.encode(PolicyFile(self.ruleset, weights))))


def load_policy(file: Path) -> LinearPolicy:
    """Read a policy. Raises OSError, and ValueError for a file with other features than those of its ruleset."""
    stored = msgspec.json.decode(file.read_bytes(), type=PolicyFile)
    if stored.ruleset not in RESEARCH:
        raise ValueError(f"{file}: there is no ruleset {stored.ruleset!r}")
    policy = LinearPolicy(stored.ruleset)
    if tuple(stored.weights) != policy.features.names:
        raise ValueError(f"{file} has other features than those of {stored.ruleset} in this version")
    policy.weights = np.array(list(stored.weights.values()))
    return policy


class PolicyBot:
    """A chooser for `simulate`, `league` and `play` by a policy: it takes the deed with the largest chance."""

    def __init__(self, policy: LinearPolicy) -> None:
        self._policy, self._research = policy, RESEARCH[policy.ruleset]

    def __call__(self, match: Any, decision: Decision[Any], options: Options[Any, Any, Any], rng: random.Random) -> Any:
        """Choose an answer from what the seat may know."""
        board = match.board
        deeds = self._research.deeds(board, options, False)[: self._research.max_deeds]
        arrays = self._research.new_encoder(board).encode(board, decision.seat, decision.question)
        arrays["deeds"] = deed_rows(self._research, board, deeds)
        return deeds[self._policy.best(arrays)].action


def load_bot(file: str | Path) -> PolicyBot:
    """Return a chooser that follows a stored policy. Raises OSError and ValueError."""
    return PolicyBot(load_policy(Path(file)))
