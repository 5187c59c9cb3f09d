"""Arrays of an observation: their axes, and the interface by which a ruleset fills them.

An observation is computed from what a seat may know of the board, and from nothing else. Positions are fractions of
the field, all other figures as they are printed; rows that are not in use are 0.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from diskwars_engine.ruleset import AnyRuleset, RandomSource
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.match.ids import Seat
from diskwars_rl.deeds import DEED_COLUMNS, Deed, DeedTable

Array: TypeAlias = npt.NDArray[np.float32]
Arrays: TypeAlias = dict[str, Array]
Row: TypeAlias = tuple[float, ...]

MIN_VALUE, MAX_VALUE = -1.0, 1000.0
"""Bounds of every figure; -1 stands for none."""
DIRECTIONS = 72
"""Directions of a free deed: steps of 5° from +x towards +y."""
REACHES = 4
"""Reaches of a free deed: quarters of how far it may go."""
_UNIT = geometry.DIRECTIONS[0][0]


class Axes(Struct, frozen=True):
    """The axes of one array: `rows` at most, and the names of its columns. An array without rows is a vector."""

    name: str
    columns: tuple[str, ...]
    rows: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        return (self.rows, len(self.columns)) if self.rows else (len(self.columns),)

    def zeros(self) -> Array:
        return np.zeros(self.shape, np.float32)


class Encoder(Protocol):
    """Fills the arrays of one match. It may keep rows of pieces that have not changed since the last call."""

    def encode(self, view: Any, seat: Seat, question: Any) -> Arrays:
        """Return the arrays for a seat from its view of the board; `question` is None where it is asked nothing."""


class ResearchRuleset(Protocol):
    """What an environment needs of a ruleset beside its rules."""

    @property
    def axes(self) -> tuple[Axes, ...]:
        """The arrays of the board, in order; the environment adds the deeds."""

    @property
    def table(self) -> DeedTable:
        """The kinds of deeds, and how each becomes a row."""

    @property
    def max_deeds(self) -> int:
        """How many deeds a decision can offer; what is beyond is left out."""

    @property
    def on_field(self) -> tuple[str, ...]:
        """Columns of the pieces, of which one is not 0 for a piece that is on the field."""

    def settings(self, kind: Any, given: Mapping[str, Any]) -> Any:
        """Return the settings of a match: `given` ones, and for others the defaults of research."""

    def loadouts(
        self, rules: AnyRuleset, settings: Any, given: Sequence[str], seats: int, rng: RandomSource
    ) -> list[Any]:
        """Return what each seat brings; `given` names armies, where the ruleset has them."""

    def new_encoder(self, board: Any) -> Encoder:
        """Return an encoder for a match that has just begun."""

    def deeds(self, board: Any, options: Options[Any, Any, Any], is_factored: bool) -> list[Deed]:
        """Return the deeds that options offer.

        With `is_factored` those of a parametric option are one deed, whose direction and reach are chosen freely.
        """

    def shaped(self, board: Any, deed: Deed, direction: int, reach: int) -> Any:
        """Return the action of a free deed in a direction and as far as a reach, from 0; it may be refused."""

    def draw_text(self, board: Any) -> str:
        """Return the board as text."""

    def draw_picture(self, board: Any) -> str:
        """Return the board as SVG."""


def deed_axes(research: ResearchRuleset) -> Axes:
    """Return the axes of the array of deeds."""
    return Axes("deeds", DEED_COLUMNS, research.max_deeds)


def deed_rows(research: ResearchRuleset, view: Any, deeds: Sequence[Deed]) -> Array:
    """Return the array of deeds; no more than there are rows."""
    rows, row = deed_axes(research).zeros(), research.table.row
    if deeds:
        rows[: len(deeds)] = [row(view, deed) for deed in deeds]
    return rows


def question_tag(question: Any) -> str:
    """Return the tag of a question, empty for none."""
    return "" if question is None else str(type(question).__struct_config__.tag)


def one_hot(value: Any, values: Sequence[Any]) -> list[float]:
    """Return a 1 in the place of a value, and 0 in the others."""
    return [1.0 if value == other else 0.0 for other in values]


def unit_vector(direction: int) -> tuple[float, float]:
    """Return the vector of length 1 in a direction."""
    x, y = geometry.DIRECTIONS[direction % DIRECTIONS]
    return x / _UNIT, y / _UNIT


def prefixed(prefix: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return names of columns that belong together, each after a prefix."""
    return tuple(f"{prefix}_{name}" for name in names)
