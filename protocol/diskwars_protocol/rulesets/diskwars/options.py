"""The options of Diskwars: limits of moves and placements, and what keeps a disk or a card out."""

from typing import TypeAlias

from msgspec import Struct, field

from diskwars_protocol.identifiers import ContentId
from diskwars_protocol.match import Options, ParametricOption, Unavailable
from diskwars_protocol.rulesets.diskwars.actions import Action, ActionTag, DiskId
from diskwars_protocol.schema_types import AtLeastZero, Micrometres, WholeNumber


class Area(Struct, frozen=True, gc=False):
    """A rectangle from (x0, y0) to (x1, y1)."""

    x0: Micrometres
    y0: Micrometres
    x1: Micrometres
    y1: Micrometres


class DiskwarsOption(ParametricOption[Action], frozen=True, gc=False, omit_defaults=True):
    """The limits of a move or a placement, and one ready-made example of it.

    For a move: `disk`, at most `flips` flips of `length` each, landing with its centre in one of `areas`. For a
    placement: the `areas` that have to hold the whole disk.
    """

    disk: DiskId | None = None
    flips: AtLeastZero = 0
    length: AtLeastZero = 0
    areas: tuple[Area, ...] = ()


class DiskwarsUnavailable(Unavailable, frozen=True, gc=False, omit_defaults=True):
    """Why a `disk` by its number, or a `card` by its id, is not among the options.

    `action` is the tag of what it cannot do, absent for everything; `target` what it cannot be aimed at. `numbers` are
    those that the text mentions.
    """

    disk: DiskId | None = None
    card: ContentId | None = None
    action: ActionTag | None = None
    target: DiskId | None = None
    numbers: dict[str, WholeNumber] = field(default_factory=dict)


DiskwarsOptions: TypeAlias = Options[Action, DiskwarsOption, DiskwarsUnavailable]
