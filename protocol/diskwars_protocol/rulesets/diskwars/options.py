"""The options of Diskwars: limits of moves and placements, and what keeps a disk or a card out."""

from typing import Literal, TypeAlias

from msgspec import Struct, field

from diskwars_protocol.identifiers import ContentId
from diskwars_protocol.match.decisions import Options, ParametricOption, Unavailable
from diskwars_protocol.rulesets.diskwars.actions import Action, ActionTag, DiskId
from diskwars_protocol.schema_types import AtLeastZero, Micrometres, WholeNumber


class Area(Struct, frozen=True, gc=False, omit_defaults=True):
    """Where something may be placed: wholly inside the rectangle from (x0, y0) to (x1, y1), on further conditions.

    `zone`: the rectangle is that of this deployment zone. For disks: with `piece`, the disk overlaps that piece of
    terrain; with `onto`, at least one of these disks; with `near`, it is within `reach` of that disk, edge to edge.
    `enemies` says whether it may overlap enemies, may overlap but not pin them, or not even overlap them;
    `outside_enemy_zones`, that it overlaps no zone of another seat. For a piece of terrain: it is further than `gap`
    from every other piece.
    """

    x0: Micrometres
    y0: Micrometres
    x1: Micrometres
    y1: Micrometres
    zone: AtLeastZero | None = None
    piece: AtLeastZero | None = None
    onto: tuple[DiskId, ...] = ()
    near: DiskId | None = None
    reach: AtLeastZero | None = None
    enemies: Literal["any", "not_pinned", "not_overlapped"] = "any"
    outside_enemy_zones: bool = False
    gap: AtLeastZero | None = None


class DiskwarsOption(ParametricOption[Action], frozen=True, gc=False, omit_defaults=True):
    """The limits of a move or a placement, and one ready-made example of it.

    `areas`: what is placed has to be in one of them; for a move, every landing of `disk`, which makes at most `flips`
    flips of `length` each (of a flying disk, intermediate landings only have to be on the field). For a deployment:
    `disks` are those that may be placed, and `required` those that have to be, as many as the zones take. `covers` are
    the disks on the battlefield that the example overlaps, and `pins` those of them that it pins; of a deployment they
    are disks of the example itself, on which later ones lie.
    """

    disk: DiskId | None = None
    flips: AtLeastZero = 0
    length: AtLeastZero = 0
    areas: tuple[Area, ...] = ()
    disks: tuple[DiskId, ...] = ()
    required: tuple[DiskId, ...] = ()
    covers: tuple[DiskId, ...] = ()
    pins: tuple[DiskId, ...] = ()


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
