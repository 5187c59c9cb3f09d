"""Deployment zones: their places, and the abilities that apply in them (R3.4, R9.1)."""

from collections.abc import Sequence

from diskwars_protocol import geometry
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentCard, Edge, LaidCard, Zone, ZoneAbility
from diskwars_protocol.rulesets.diskwars.stats import Field

EdgeSpan = tuple[int, int]
"""A part of an edge: start and end in micrometres from its southern or western end."""
Rectangle = tuple[int, int, int, int]
"""A rectangle: x0, y0, x1, y1."""

EDGES_BY_SEAT_COUNT: dict[int, tuple[Edge, ...]] = {
    2: ("south", "north"),
    3: ("south", "west", "east"),
    4: ("south", "east", "north", "west"),
}
"""R3.1, R18.2: the players' edges. With three seats, the first is the squeezed one, which borders both others."""
QUICK_VALUE = 5
QUICK_VALUE_PER_REGIMENT = 4
"""R-35: disks that each zone of the quick setup takes with one regiment, and more for each further regiment."""

# ---------------------------------------------------------------- edges


def usable_span(field: Field, edge: Edge, seats: int) -> EdgeSpan:
    """Return the part of an edge along which deployment cards may lie."""
    length = field.width if edge in ("south", "north") else field.height
    # a card is within medium range of a corner if any part of it is, but within long range only as a whole.
    if seats == 4:
        return field.medium + 1, length - field.medium - 1  # R18.2.2: not within medium range of a corner
    if seats == 3 and edge != EDGES_BY_SEAT_COUNT[3][0]:
        return length - field.long, length  # R18.2.1: within long range of the far corner
    return 0, length


def edge_rectangle(field: Field, edge: Edge, along: EdgeSpan, depth: int) -> Rectangle:
    """Return the rectangle along a span of an edge that reaches `depth` into the field."""
    start, end = along
    match edge:
        case "south":
            return start, 0, end, depth
        case "north":
            return start, field.height - depth, end, field.height
        case "west":
            return 0, start, depth, end
        case "east":
            return field.width - depth, start, field.width, end


def quick_zones(field: Field, seats: int, regiments: int) -> tuple[Zone, ...]:
    """Return the zones of the quick setup, one for each seat (R-35, R-63).

    Each covers the middle two thirds of the seat's edge or, with more than two seats, the part that R18.2 allows.
    """
    value = QUICK_VALUE + QUICK_VALUE_PER_REGIMENT * (regiments - 1)
    quick = []
    for seat, edge in enumerate(EDGES_BY_SEAT_COUNT[seats]):
        start, end = usable_span(field, edge, seats)
        if (start, end) == (0, field.width):
            start, end = field.width // 6, field.width - field.width // 6
        quick.append(Zone(seat, *edge_rectangle(field, edge, (start, end), field.medium), value, edge))
    return tuple(quick)


# ---------------------------------------------------------------- cards along an edge


def deployment_card(board: Board, id: str) -> DeploymentCard:
    """Return a deployment card of this match by its id. Raises `KeyError`."""
    return board.layout.deployment_card(id)


def occupied_spans(board: Board, seat: Seat) -> list[EdgeSpan]:
    """List the spans that a seat's cards occupy, from one end of its edge to the other."""
    own = [laid for laid in board.layout.laid_cards if laid.seat == seat]
    return sorted((laid.offset, laid.offset + deployment_card(board, laid.card).width) for laid in own)


def free_spans(board: Board, seat: Seat) -> tuple[EdgeSpan, ...]:
    """List the free spans of a seat's edge; cards of one owner must not overlap (R3.4)."""
    start, end = usable_span(board.field, board.layout.edges[seat], len(board.sides))
    free: list[EdgeSpan] = []
    for taken_from, taken_to in occupied_spans(board, seat):
        if start < taken_from:
            free.append((start, taken_from))
        start = taken_to
    return (*free, (start, end)) if start < end else tuple(free)


def merge_zones(board: Board, laid: Sequence[LaidCard]) -> tuple[Zone, ...]:
    """Compute the zones of laid cards; cards of a seat whose ends meet make one zone (R3.4.1, R3.4.4).

    The values of its cards are added, and each of their abilities applies in the whole zone.
    """
    merged: list[Zone] = []
    for seat, edge in enumerate(board.layout.edges):
        own = sorted((card for card in laid if card.seat == seat), key=lambda card: card.offset)
        runs: list[list[LaidCard]] = []
        end = -1
        for card in own:
            if card.offset == end:
                runs[-1].append(card)
            else:
                runs.append([card])
            end = card.offset + deployment_card(board, card.card).width
        merged.extend(_merged_zone(board, edge, run) for run in runs)
    return tuple(merged)


def _merged_zone(board: Board, edge: Edge, run: Sequence[LaidCard]) -> Zone:
    faces = [deployment_card(board, laid.card).faces[laid.face] for laid in run]
    end = run[-1].offset + deployment_card(board, run[-1].card).width
    # R3.4.2, R3.4.3: as wide as the cards, which lie outside the field, and medium range deep.
    area = edge_rectangle(board.field, edge, (run[0].offset, end), board.field.medium)
    abilities = tuple(dict.fromkeys(ability for face in faces for ability in face.abilities))
    return Zone(run[0].seat, *area, sum(face.value for face in faces), edge, abilities)


# ---------------------------------------------------------------- contents of a zone


def reinforcement_rectangle(board: Board, zone: Zone) -> Rectangle:
    """Return the rectangle of a zone for reinforcing; with `ambush` it reaches to long range."""
    area = (zone.x0, zone.y0, zone.x1, zone.y1)
    if "ambush" not in zone.abilities or not zone.edge:
        return area
    along = (zone.x0, zone.x1) if zone.edge in ("south", "north") else (zone.y0, zone.y1)
    return edge_rectangle(board.field, zone.edge, along, board.field.long)


def reinforcement_zone(board: Board, disk: int, x: int, y: int) -> int | None:
    """Return the number of the own zone in which a disk at (x, y) would be reinforced, or None (R9.1)."""
    seat, radius = board.disks[disk].seat, board.profile(disk).radius
    for number, zone in enumerate(board.zones):
        if zone.seat == seat and geometry.is_inside_rectangle(x, y, radius, *reinforcement_rectangle(board, zone)):
            return number
    return None


def has_ability(board: Board, zone: int | None, ability: ZoneAbility) -> bool:
    return zone is not None and ability in board.zones[zone].abilities


def is_in_enemy_zone(board: Board, disk: int) -> bool:
    """Return whether a disk on the battlefield lies wholly in a zone of another player."""
    now, radius = board.disks[disk], board.profile(disk).radius
    return any(
        zone.seat != now.seat and geometry.is_inside_rectangle(now.x, now.y, radius, zone.x0, zone.y0, zone.x1, zone.y1)
        for zone in board.zones
    )


def deployment_zone(board: Board, disk: int) -> int | None:
    """Return the number of the own zone in which a fielded disk lies wholly, or None."""
    now = board.disks[disk]
    return position.zone_of(board, disk, now.x, now.y)
