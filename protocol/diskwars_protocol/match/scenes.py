"""Scenes: what a small picture of a board shows, in one form for every ruleset.

Lengths are whole units of the ruleset's own. (0, 0) is the upper left corner of the field, and y grows downward. Only
what lies on the table is in a scene, so that no card can be.
"""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from diskwars_protocol.match.ids import Seat
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, WholeNumber

AreaKind: TypeAlias = Literal["zone", "terrain", "wall", "hill", "task"]
PieceShape: TypeAlias = Literal["disk", "block"]
PieceMark: TypeAlias = Literal["activated", "pinned", "down", "fleeing", "leader"]


class SceneArea(Struct, frozen=True, gc=False, omit_defaults=True):
    """A part of the ground: `corners` are x and y of each in turn. A zone belongs to a `seat`."""

    kind: AreaKind
    corners: tuple[WholeNumber, ...]
    seat: Seat | None = None
    name: str = ""


class ScenePiece(Struct, frozen=True, gc=False, omit_defaults=True):
    """What does not change of a piece. `radius` is half the width of a block, `letters` are for small pictures."""

    id: AtLeastZero
    seat: Seat
    radius: AtLeastOne
    name: str
    letters: str
    shape: PieceShape = "disk"


class PlacedPiece(Struct, frozen=True, gc=False, array_like=True):
    """A piece on the table. `turn` is in degrees clockwise from up, `hurt` is damage that lies on it.

    `figures` are those that are printed small: strength and toughness of a disk, models left of a regiment.
    """

    id: AtLeastZero
    x: WholeNumber
    y: WholeNumber
    turn: AtLeastZero = 0
    hurt: AtLeastZero = 0
    marks: tuple[PieceMark, ...] = ()
    figures: tuple[WholeNumber, ...] = ()


class SceneLink(Struct, frozen=True, gc=False, array_like=True):
    """Two pieces that hold each other: the first pins the second, or both fight."""

    first: AtLeastZero
    second: AtLeastZero


class Scene(Struct, frozen=True, gc=False):
    """One board. `placed` are the pieces from the lowest up; `grid` is the distance of lines, 0 for none.

    `scores` are what is left of the army of each seat.
    """

    width: AtLeastOne
    height: AtLeastOne
    grid: AtLeastZero
    round: AtLeastZero
    rounds: AtLeastOne
    areas: tuple[SceneArea, ...]
    pieces: tuple[ScenePiece, ...]
    placed: tuple[PlacedPiece, ...]
    links: tuple[SceneLink, ...]
    scores: tuple[WholeNumber, ...]


class Actor(Struct, frozen=True, gc=False, omit_defaults=True):
    """The seat that acts, and the `name` and the `pieces` of what it acts with."""

    seat: Seat
    name: str = ""
    pieces: tuple[AtLeastZero, ...] = ()


class SceneMaker(Struct, frozen=True):
    """The scenes of a ruleset. Of the event that marks an activation, `find_actor` says who acts; None for several.

    Events in `closing` mark the end of an activation, all others a beginning.
    """

    make: Callable[[Any], Scene]
    find_actor: Callable[[Any, Any], Actor | None]
    closing: frozenset[type] = frozenset()


def first_letters(name: str) -> str:
    """Return a few letters for a name: those of its words, or the beginning of a single one."""
    words = name.replace("-", " ").split()
    return "".join(word[0] for word in words[:3]).upper() if len(words) > 1 else name[:3]


def rectangle(x0: int, y0: int, x1: int, y1: int) -> tuple[int, ...]:
    """Return the corners of a rectangle."""
    return x0, y0, x1, y0, x1, y1, x0, y1
