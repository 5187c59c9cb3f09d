"""The options of Diskwars: limits of moves and placements, and what keeps a disk or a card out."""

from typing import TypeAlias

from msgspec import Struct, field

from diskwars_protocol.match import Options, ParametricOption, Unavailable
from diskwars_protocol.rulesets.diskwars.actions import Action


class Area(Struct, frozen=True, gc=False):
    """A rectangle from (x0, y0) to (x1, y1)."""

    x0: int
    y0: int
    x1: int
    y1: int


class DiskwarsOption(ParametricOption[Action], frozen=True, gc=False, omit_defaults=True):
    """The limits of a move or a placement, and one ready-made example of it.

    For a move: `disk`, at most `flips` flips of `length` each, landing with its centre in one of `areas`. For a
    placement: the `areas` that have to hold the whole disk.
    """

    disk: int = -1
    flips: int = 0
    length: int = 0
    areas: tuple[Area, ...] = ()


class DiskwarsUnavailable(Unavailable, frozen=True, gc=False, omit_defaults=True):
    """Why a `disk` by its number, or a `card` by its name, is not among the options.

    `action` is the tag of what it cannot do, empty for everything; `target` what it cannot be aimed at. `numbers` are
    those that the text mentions.
    """

    disk: int = -1
    card: str = ""
    action: str = ""
    target: int = -1
    numbers: dict[str, int] = field(default_factory=dict)


DiskwarsOptions: TypeAlias = Options[Action, DiskwarsOption, DiskwarsUnavailable]
