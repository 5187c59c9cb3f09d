"""Choices of the setup: initiative is kept, the rest suits the own army better than the others'."""

from collections.abc import Sequence

from diskwars_bots.rulesets.diskwars.move_choice import packed_places
from diskwars_protocol import geometry
from diskwars_protocol.geometry import Point
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import areas, keywords
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOptions
from diskwars_protocol.rulesets.diskwars.stats import Profile

ZONE_ABILITY_VALUES = {"rendezvous": 70, "scouting": 60, "ambush": 30}
"""The worth of an ability of a deployment card, in percent of a disk that is deployed and not in the reserve."""
TERRAIN_KEYWORD_VALUES = {"cover": 2, "defensive": 3, "fortified": 1, "high_ground": 1, "dangerous": -3, "rough": -2}
"""The value of terrain before the own line; pieces with a negative one go before the enemy's."""


# ---------------------------------------------------------------- scenario


def scenario_value(board: Board, seat: Seat, scenario: str) -> int:
    """Return how much more the ability of a scenario card does for the own army than for the others."""
    effect = next(card.ability for card in board.layout.scenarios if card.id == scenario)
    own = [_ability_use(board.profile(disk.id), effect) for disk in board.disks if disk.seat == seat]
    others = [_ability_use(board.profile(disk.id), effect) for disk in board.disks if disk.seat != seat]
    return 100 * sum(own) // max(1, len(own)) - 100 * sum(others) // max(1, len(others))


def _ability_use(profile: Profile, effect: f.Effect) -> int:
    """Return how much a disk makes of a passive effect."""
    match effect:
        case f.IncreaseRange() | f.IncreaseShotStrength():
            return sum(shot.dice for shot in profile.shots)
        case f.IncreaseMovement():
            return 2 * profile.radius * effect.flips // 20_000
        case f.IncreaseMeleeStrength():
            return 0 if profile.shots else 2
        case f.IncreaseToughness():
            return 1 + profile.stamina
        case _:
            return 0


# ---------------------------------------------------------------- deployment


def deployment_card_value(board: Board, seat: Seat, action: a.LayDeploymentCard) -> int:
    """Return the value of a deployment card: the disks it deploys, its abilities, and how central it lies."""
    card = next(card for card in board.layout.deployments if card.id == action.card)
    face = card.faces[action.face]
    waiting = sum(disk.seat == seat for disk in board.disks) - sum(
        zone.value for zone in board.zones if zone.seat == seat
    )
    value = 100 * min(face.value, max(1, waiting)) + sum(ZONE_ABILITY_VALUES[ability] for ability in face.abilities)
    middle, at = board.field.width // 2, action.offset + card.width // 2
    beside = [laid for laid in board.layout.laid_cards if laid.seat == seat]
    is_adjacent = any(abs(laid.offset - action.offset) == card.width for laid in beside)
    return value + 30 * is_adjacent - 40 * abs(at - middle) // middle


def choose_deployment(board: Board, question: a.DeploymentQuestion, options: DiskwarsOptions, seat: Seat) -> a.Action:
    """Deploy heroes and the dearest units, side by side: fighters in front, those that shoot behind them."""
    option = options.parametric[0]
    limits = {limit.zone: limit.count for limit in question.zone_limits}
    chosen = sorted(option.disks, key=lambda disk: _deployment_rank(board, disk))[: question.disk_count]
    laid: list[a.Placement] = []
    # Large disks first: small ones fit into what they leave. Of one size, fighters take the front.
    for disk in sorted(chosen, key=lambda disk: (-board.profile(disk).radius, _is_rear(board.profile(disk)), disk)):
        place = _deployment_place(board, seat, disk, option.areas, limits, laid)
        if place is None:
            return option.example
        zone, x, y = place
        limits[zone] -= 1
        laid.append(a.Placement(disk, x, y))
    return a.Deploy(tuple(laid)) if len(laid) == question.disk_count else option.example


def _deployment_rank(board: Board, disk: int) -> tuple[bool, bool, int]:
    """Return the order in which disks are chosen: heroes must, those with Flank can come in anywhere later."""
    profile = board.profile(disk)
    return profile.kind != "hero", keywords.can_flank(profile), -profile.cost


def _is_rear(profile: Profile) -> bool:
    return bool(profile.shots) or keywords.magic_amount(profile) is not None


def _deployment_place(
    board: Board, seat: Seat, disk: int, allowed: Sequence[Area], limits: dict[int, int], laid: Sequence[a.Placement]
) -> tuple[int, int, int] | None:
    """Return the zone and the free place for a disk that suits its role; None if there is no free one."""
    profile = board.profile(disk)
    taken = [(place.x, place.y, board.profile(place.disk).radius) for place in laid]
    places: list[tuple[int, int, int, int]] = []
    for area in allowed:
        if area.zone is None or not limits.get(area.zone):
            continue
        for x, y in packed_places((area.x0, area.y0, area.x1, area.y1), profile.radius, taken):
            is_free = not any(geometry.disks_overlap(x, y, profile.radius, *other) for other in taken)
            if is_free and areas.is_disk_in_area(board, disk, x, y, area):
                places.append((_place_rank(board, seat, profile, x, y), area.zone, x, y))
    return min(places)[1:] if places else None


def _place_rank(board: Board, seat: Seat, profile: Profile, x: int, y: int) -> int:
    """Return how far a place is from where a disk of this role wants to be; 0 is best."""
    field = board.field
    edge = board.layout.edges[seat] if board.layout.edges else board.zones[0].edge
    depth = _depth_of(board, seat, x, y) if edge else min(y, field.height - y)
    return depth if _is_rear(profile) else -depth


def _depth_of(board: Board, seat: Seat, x: int, y: int) -> int:
    """Return how far from the own edge a place is."""
    field = board.field
    edge = board.layout.edges[seat] if board.layout.edges else next(z.edge for z in board.zones if z.seat == seat)
    return {"south": y, "north": field.height - y, "west": x, "east": field.width - x}.get(edge or "south", y)


# ---------------------------------------------------------------- terrain


def choose_terrain(board: Board, seat: Seat, options: DiskwarsOptions) -> a.Action:
    """Place the piece that matters most: welcome ground before the own zone, unwelcome ground before an enemy's."""
    best: tuple[int, int, a.Action] | None = None
    for number, option in enumerate(options.parametric):
        if not isinstance(option.example, a.PlaceTerrain):
            continue
        face = _face_of(board, option.example)
        welcome = sum(TERRAIN_KEYWORD_VALUES.get(keyword.id, 0) for keyword in face.keywords)
        place = _terrain_place(board, seat, option.example, face, option.areas, is_welcome=welcome >= 0)
        action = option.example if place is None else place
        rank = abs(welcome) if place is not None else -1
        if best is None or rank > best[0]:
            best = rank, number, action
    return best[2] if best is not None else options.actions[0]


def _face_of(board: Board, action: a.PlaceTerrain) -> s.Terrain:
    return board.layout.terrain_card(action.card).faces[action.face]


def _terrain_place(
    board: Board, seat: Seat, example: a.PlaceTerrain, face: s.Terrain, allowed: Sequence[Area], *, is_welcome: bool
) -> a.PlaceTerrain | None:
    """Return the piece beside the way out of a zone, where it fits; None if it fits at none of the places tried."""
    zones = [zone for zone in board.zones if (zone.seat == seat) == is_welcome]
    for zone in zones:
        for x, y in _before_zone(board, zone):
            corners = geometry.rotate_polygon(face.corners, example.rotation_steps, x, y)
            if any(areas.is_piece_in_area(board, corners, area) for area in allowed):
                return a.PlaceTerrain(example.card, example.face, x, y, example.rotation_steps)
    return None


def _before_zone(board: Board, zone: s.Zone) -> list[Point]:
    """List places in front of a zone, the nearest first, straight ahead and to either side."""
    field = board.field
    x, y = (zone.x0 + zone.x1) // 2, (zone.y0 + zone.y1) // 2
    dx, dy = (field.width // 2 - x, 0) if zone.edge in ("west", "east") else (0, field.height // 2 - y)
    places = []
    for part in (70, 85, 100, 115):
        for aside in (0, field.short, -field.short, field.medium, -field.medium):
            ahead = x + dx * part // 100, y + dy * part // 100
            places.append((ahead[0] + (aside if dx == 0 else 0), ahead[1] + (aside if dy == 0 else 0)))
    return places
