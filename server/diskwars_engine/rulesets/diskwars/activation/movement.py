"""Movement: flips, landings and their consequences, and reinforcing (R8, R9)."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal, listed_numbers
from diskwars_engine.rulesets.diskwars import damage, hazards, zones
from diskwars_engine.rulesets.diskwars.damage import DiskHit
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.tasks import (
    ActivationTask,
    GuardTask,
    ImpactTask,
    ReinforcementTask,
    RoughTerrainTask,
    TriggersTask,
)
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat, seat_letter
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position, terrain
from diskwars_protocol.rulesets.diskwars.actions import MoveDisk, Reinforce, Vector
from diskwars_protocol.rulesets.diskwars.board import RESERVE, Board, Disk
from diskwars_protocol.rulesets.diskwars.events import (
    ActivationBegan,
    ActivationEnded,
    ActivationTokenChanged,
    Cause,
    DiskEmpowered,
    DiskFlipped,
    DiskReinforced,
    GuardRolled,
    ImpactRolled,
    Pin,
)
from diskwars_protocol.rulesets.diskwars.stats import RemoveEmpowerment


def check_path(board: Board, disk: int, path: Sequence[Vector], flips: int) -> None:
    """Check that a path has 1 to `flips` flips and that every landing is inside the field (R8.4, R5.2, R-06).

    Raises `Illegal`.
    """
    if not path:
        raise Illegal("illegal_flip", "a path has at least one flip", "R8.4", "$.action.path")
    if len(path) > flips:
        raise Illegal(
            "too_many_flips",
            f"{len(path)} flips, but {flips} are left",
            "R8.4",
            "$.action.path",
            {"flips": len(path), "flips_left": flips},
        )
    x, y = board.disks[disk].x, board.disks[disk].y
    diameter = 2 * board.profile(disk).radius
    for number, (dx, dy) in enumerate(path):
        if not geometry.is_flip(dx, dy, diameter):
            text = f"({dx}, {dy}) is not {diameter} micrometres long"
            raise Illegal(
                "illegal_flip", text, "R5.2", f"$.action.path[{number}]", {"dx": dx, "dy": dy, "length": diameter}
            )
        x, y = x + dx, y + dy
        if not position.is_on_field(board, disk, x, y):
            text = f"the disk would land at ({x}, {y}), partly off the field"
            raise Illegal("off_field", text, "R8.4", f"$.action.path[{number}]", {"x": x, "y": y})


def check_scout_path(board: Board, disk: int, path: Sequence[Vector]) -> None:
    """Check that a scout does not land on an enemy (R8.9, R-46). Raises `Illegal`.

    R8.7: only the last landing of a flying disk counts.
    """
    x, y = board.disks[disk].x, board.disks[disk].y
    flies = keywords.is_flying(board.profile(disk))
    for number, (dx, dy) in enumerate(path):
        x, y = x + dx, y + dy
        if (not flies or number == len(path) - 1) and is_on_enemy(board, disk, x, y):
            raise Illegal("overlaps_enemy", "a scout does not land on an enemy", "R8.9", f"$.action.path[{number}]")


def is_on_enemy(board: Board, disk: int, x: int, y: int) -> bool:
    """Return whether a disk would overlap an enemy if it were at (x, y)."""
    under = position.overlapped_disks(board, disk, x, y, board.profile(disk).radius)
    return any(position.are_enemies(board, disk, other[0]) for other in under)


def move(resolution: Resolution, task: ActivationTask, action: MoveDisk) -> ActivationTask:
    """Carry out a checked path up to the first landing with consequences, and return the rest of the activation.

    The consequences are queued first, so they are resolved before the player decides how to continue. The rest of the
    path is dropped: it was chosen before anybody knew them.
    """
    profile, start = resolution.board.profile(task.disk), task.flips_left
    if keywords.is_flying(profile):
        return _fly(resolution, task, action)
    for vector in action.path:
        landing = flip(resolution, task.disk, vector)
        goes_on = keywords.is_relentless(profile) and not task.has_pinned  # R8.6: only the first landing on enemies
        stop = (landing.on_enemy and not goes_on) or landing.on_rough_terrain
        task = replace(
            task,
            flips_left=task.flips_left - 1,
            has_moved=True,
            must_stop=stop,
            has_pinned=task.has_pinned or landing.on_enemy,
        )
        # by default the player sees new pins of own disks before going on.
        if landing.has_consequences or (landing.has_pinned and not action.over_own_disks):
            break
    carried_out = start - task.flips_left == len(action.path)
    return replace(task, allowed=()) if action.end_activation and carried_out else task


class Landing(Struct, frozen=True):
    """Result of a flip: whether the disk landed on an enemy (R8.5.5) or entered rough ground (R10.9).

    `has_pinned` is set if it pins any disk, and `has_consequences` if anything but pins of own disks follows.
    """

    on_enemy: bool
    on_rough_terrain: bool
    has_pinned: bool
    has_consequences: bool


def flip(resolution: Resolution, disk: int, vector: Vector) -> Landing:
    """Make one flip, queue the tasks of its landing and return what the landing met (R8.5)."""
    board, now = resolution.board, resolution.board.disks[disk]
    x, y = now.x + vector[0], now.y + vector[1]  # R1.7: every test uses this new, rounded centre
    # R5.6, R-08: on top of everything that it overlaps. A height above all disks needs no search and changes no pin.
    z = board.top_z + 1
    gained, lost = _pin_changes(board, replace(now, x=x, y=y, z=z))
    pieces = terrain.pieces_under(board, disk, x, y)
    entered, left = tuple(n for n in pieces if n not in now.terrain), tuple(n for n in now.terrain if n not in pieces)
    resolution.emit(DiskFlipped(disk, x, y, z, gained, lost, entered, left, _pin_reasons(gained, lost)))
    # R8.5.4: terrain takes effect after all consequences of pins
    tasks = [
        *_landing_tasks(resolution.board, disk, gained),
        *hazards.tasks_after_flip(resolution.board, disk, entered),
    ]
    with resolution.caused_by(resolution.last_event_as_cause("flip", disk)):
        resolution.push(*tasks)
        _strip_empowerment(resolution, disk)
    pinned = [pin.bottom for pin in gained if pin.top == disk]
    on_enemy = any(position.are_enemies(board, disk, bottom) for bottom in pinned)
    on_rough_terrain = any(isinstance(task, RoughTerrainTask) for task in tasks)
    has_consequences = bool(tasks) or on_enemy or not position.is_fielded(resolution.board, disk)
    return Landing(on_enemy, on_rough_terrain, bool(pinned), has_consequences)


def _fly(resolution: Resolution, task: ActivationTask, action: MoveDisk) -> ActivationTask:
    """Fly a whole path at once; disks and terrain under the intermediate landings are ignored (R8.7, R-09)."""
    *passing, last = action.path
    task = replace(task, flips_left=task.flips_left - len(action.path), has_moved=True, must_stop=True)
    for vector in passing:
        _pass_over(resolution, task.disk, vector)
        if not position.is_fielded(resolution.board, task.disk):
            return task
    flip(resolution, task.disk, last)
    return replace(task, allowed=() if action.end_activation else task.allowed)


def _pass_over(resolution: Resolution, disk: int, vector: Vector) -> None:
    """Make one intermediate flip of a flight: the disk pins nothing and is on no terrain.

    Only effects of disks that it passes, such as the loss of empowerment, apply.
    """
    board, now = resolution.board, resolution.board.disks[disk]
    # The disk was not pinned, so nothing was above it, and lifting it creates no pins between other disks.
    lost = tuple(pin for pin in board.pins if pin.involves(disk))
    x, y, reasons = now.x + vector[0], now.y + vector[1], (Reason("R8.7"),)
    resolution.emit(DiskFlipped(disk, x, y, board.top_z + 1, (), lost, (), now.terrain, reasons))
    with resolution.caused_by(resolution.last_event_as_cause("flip", disk)):
        _strip_empowerment(resolution, disk)


def _strip_empowerment(resolution: Resolution, disk: int) -> None:
    """Remove the empowerment of a disk that lands near one that strips it, friend or enemy (R16.7).

    R-70: however the disk moved.
    """
    if not resolution.board.disks[disk].empowered:
        return
    for other in position.fielded_disks(resolution.board):
        effect = position.passive_effect(resolution.board, other.id, RemoveEmpowerment)
        if (
            effect is not None
            and other.id != disk
            and position.is_within(resolution.board, other.id, disk, effect.reach)
        ):
            flip = resolution.cause
            with resolution.caused_by(Cause("passive_ability", other.id, flip.event if flip else None)):
                resolution.emit(DiskEmpowered(disk, False, (Reason("R16.7", {"by": other.id}),)))
                damage.resolve_due_wounds(resolution)
            return


def _pin_changes(board: Board, landed: Disk) -> tuple[tuple[Pin, ...], tuple[Pin, ...]]:
    """Return the pins gained and lost by a disk that lands above all others.

    R6.8: a flip lifts the disk, so all its pins end and those of its landing are new, even on the same enemy.
    """
    own = [pin for pin in board.pins if pin.involves(landed.id)]
    if all(pin.top == landed.id for pin in own):
        # Nothing lay on it, as is usual for a disk that may move (R6.3): it separated no other disks before and, on
        # top, separates none now. Only the disks that it overlaps matter. This was the largest single gain in the
        # second round of bench/profiles.md; updating all pins needs a table of all disks.
        return position.pins_if_placed(board, landed.id, landed.x, landed.y), tuple(own)
    table = [placed for placed in position.stacked_disks(board) if placed[0] != landed.id]
    table.append((landed.id, landed.x, landed.y, board.profiles[landed.profile].radius, landed.z))
    before, pins = board.pins, position.update_pins(board, table, (landed.id,))
    gained = tuple(pin for pin in pins if pin.involves(landed.id) or pin not in before)
    lost = tuple(pin for pin in before if pin.involves(landed.id) or pin not in pins)
    return gained, lost


def _pin_reasons(gained: Sequence[Pin], lost: Sequence[Pin]) -> tuple[Reason, ...]:
    """Return the reason for changed pins: the disk now lies on top of everything that it overlaps (R8.5.1)."""
    return (Reason("R8.5.1", {"gained": len(gained), "lost": len(lost)}),)


def _landing_tasks(board: Board, disk: int, gained: Sequence[Pin]) -> list[ImpactTask | GuardTask | TriggersTask]:
    """Return the tasks of a landing: Impact, then Guard, then engage triggers, all fixed now (R-19, R-42).

    They are fixed at the landing so that the result does not depend on which disks the first of them kills.
    """
    if not gained:
        return []
    tasks: list[ImpactTask | GuardTask | TriggersTask] = []
    under = tuple(pin.bottom for pin in gained if pin.top == disk)
    enemies = tuple(bottom for bottom in under if position.are_enemies(board, disk, bottom))
    struck = under if board.settings.impact_own else enemies
    if struck and keywords.impact_amount(board.profile(disk)) is not None:
        tasks.append(ImpactTask(disk, struck))
    tasks += [GuardTask(enemy, disk) for enemy in enemies if keywords.guard_amount(board.profile(enemy)) is not None]
    triggers = damage.triggers_of(board, gained)
    if triggers:
        tasks.append(TriggersTask(position.active_seat(board), triggers))
    return tasks


def resolve_impact(resolution: Resolution, task: ImpactTask) -> None:
    """Deal X physical damage to each disk that the landing pinned (R8.5.2); R-10 decides about own disks."""
    figure = keywords.impact_amount(resolution.board.profile(task.disk))
    if figure is None:
        return
    amount, dice = resolution.roll_amount(figure, "impact")  # one roll for all targets
    reasons = (Reason("R8.5.2", {"impact": amount}),)
    resolution.emit_cause(ImpactRolled(task.disk, amount, task.targets, reasons, dice), "impact", task.disk)
    fortified = [disk for disk in task.targets if terrain.is_fortified(resolution.board, disk)]
    damage.record_prevented(
        resolution, [DiskHit(disk, amount, "physical") for disk in fortified], (*reasons, Reason("R10.7"))
    )
    damage.strike(
        resolution, [DiskHit(disk, amount, "physical") for disk in task.targets if disk not in fortified], reasons
    )


def resolve_guard(resolution: Resolution, task: GuardTask) -> None:
    """Deal X physical damage to the enemy that landed on a guarding disk (R16.2).

    R-42: even if Impact has removed the guarding disk by now.
    """
    figure = keywords.guard_amount(resolution.board.profile(task.disk))
    if figure is None or not position.is_fielded(resolution.board, task.enemy):
        return
    amount, dice = resolution.roll_amount(figure, "guard")
    reasons = (Reason("R16.2", {"guard": amount}),)
    resolution.emit_cause(GuardRolled(task.disk, amount, task.enemy, reasons, dice), "guard", task.disk)
    damage.strike(resolution, [DiskHit(task.enemy, amount, "physical")], reasons)


# ---------------------------------------------------------------- reinforcing


def check_disk_number(board: Board, disk: int) -> None:
    """Check that a disk of this number exists. Raises `Illegal`."""
    if not 0 <= disk < len(board.disks):
        raise Illegal("unknown_disk", f"there is no disk {disk}", place="$.action.disk", numbers={"disk": disk})


def check_reinforcement(board: Board, seat: Seat, disk: int, x: int, y: int) -> None:
    """Check that a seat may reinforce a disk of its reserve at (x, y). Raises `Illegal`.

    Legal places are wholly inside an own zone (R9.1), on a windmill that the seat controls (R9.6) and, with Flank, at
    an edge (R9.5). A place that several of these ways lead to needs only one of them; the refusal is that of the first.
    """
    _check_reserve(board, seat, disk)
    first: Illegal | None = None
    for refused in _placement_refusals(board, seat, disk, x, y):
        if refused is None:
            return
        first = first or refused
    raise first or _outside_zone(board, seat, disk, x, y)


def _placement_refusals(board: Board, seat: Seat, disk: int, x: int, y: int) -> Iterator[Illegal | None]:
    """Yield, for each way in which a place may be reached, why it is not legal, or None if it is."""
    zone = zones.reinforcement_zone(board, disk, x, y)
    if zone is not None:
        yield _zone_refusal(board, disk, zone, x, y)
    if set(terrain.pieces_under(board, disk, x, y)) & set(terrain.reinforcement_pieces(board, seat)):
        yield _windmill_refusal(board, disk, x, y)
    if keywords.can_flank(board.profile(disk)) and _is_at_edge(board, disk, x, y):
        yield _flank_refusal(board, disk, x, y)


def _outside_zone(board: Board, seat: Seat, disk: int, x: int, y: int) -> Illegal:
    """Build the refusal of a place in no own zone, which says how far each zone reaches for reinforcing."""
    own = [(n, zones.reinforcement_rectangle(board, zone)) for n, zone in enumerate(board.zones) if zone.seat == seat]
    text = f"({x}, {y}) is not wholly inside a zone of seat {seat_letter(seat)}"
    if own:
        reaches = [f"zone {number} from ({x0}, {y0}) to ({x1}, {y1})" for number, (x0, y0, x1, y1) in own]
        text += f", which are {', '.join(reaches)}"
    if keywords.can_flank(board.profile(disk)):
        text += ", and does not touch an edge from inside"
    numbers = {"x": x, "y": y, **listed_numbers("zone", (number for number, _ in own))}
    for index, name in enumerate(("x0", "y0", "x1", "y1")):
        numbers |= listed_numbers(name, (rectangle[index] for _, rectangle in own))
    return Illegal("outside_zone", text, "R9.1", "$.action", numbers)


def _check_reserve(board: Board, seat: Seat, disk: int) -> None:
    if board.disks[disk].seat != seat:
        raise Illegal(
            "not_your_disk", f"disk {disk} is another player's", "R9.1", "$.action.disk", numbers={"disk": disk}
        )
    if board.disks[disk].place != RESERVE:
        raise Illegal(
            "not_in_reserve", f"disk {disk} is not in the reserve", "R9.1", "$.action.disk", numbers={"disk": disk}
        )


def _zone_refusal(board: Board, disk: int, zone: int, x: int, y: int) -> Illegal | None:
    """Apply the options that restrict reinforcing in a zone (R-11, R-12).

    By default neither an enemy in the zone nor the zone's value prevents it (R9.2, R9.3).
    """
    if not board.settings.reinforce_onto_enemy and is_on_enemy(board, disk, x, y):
        return Illegal("not_legal", "the disk would lie on an enemy", "R-11", "$.action")
    return limit_refusal(board, disk, zone)


def limit_refusal(board: Board, disk: int, zone: int) -> Illegal | None:
    """Return why a zone takes no further disk by the option `reinforce_limit` (R-12), or None if it does."""
    if not board.settings.reinforce_limit:
        return None
    seat, value = board.disks[disk].seat, board.zones[zone].value
    inside = sum(
        d.seat == seat and position.zone_of(board, d.id, d.x, d.y) == zone for d in position.fielded_disks(board)
    )
    if inside < value:
        return None
    text = f"zone {zone} holds {inside} disks, its value is {value}"
    return Illegal("not_legal", text, "R-12", "$.action", {"zone": zone, "disks": inside, "value": value})


def _windmill_refusal(board: Board, disk: int, x: int, y: int) -> Illegal | None:
    """Return why a disk may not overlap a windmill at a place: partly off the field, or on an enemy (R9.6, R-51)."""
    if not position.is_on_field(board, disk, x, y):
        text = f"the disk would lie at ({x}, {y}), partly off the field"
        return Illegal("off_field", text, "R9.6", "$.action", {"x": x, "y": y})
    if _pins_enemy(board, disk, x, y):
        return Illegal("not_legal", "the disk would pin an enemy", "R-51", "$.action")
    return None


def _is_at_edge(board: Board, disk: int, x: int, y: int) -> bool:
    """Return whether a disk would touch an edge from inside: its centre exactly one radius away (R9.5)."""
    radius, field = board.profile(disk).radius, board.field
    touches = x in (radius, field.width - radius) or y in (radius, field.height - radius)
    return touches and position.is_on_field(board, disk, x, y)


def _flank_refusal(board: Board, disk: int, x: int, y: int) -> Illegal | None:
    """Return why a flanking disk may not lie at a place: in an enemy zone (R9.5, R-73), or on an enemy (R9.5)."""
    if position.overlaps_enemy_zone(board, disk, x, y):
        return Illegal("not_legal", "the disk would reach into the zone of an enemy", "R9.5", "$.action")
    if _pins_enemy(board, disk, x, y):
        return Illegal("not_legal", "the disk would pin an enemy", "R9.5", "$.action")
    return None


def _pins_enemy(board: Board, disk: int, x: int, y: int) -> bool:
    return any(position.are_enemies(board, *pin) for pin in position.pins_if_placed(board, disk, x, y))


def check_ability_reinforcement(board: Board, task: ReinforcementTask, disk: int, x: int, y: int) -> None:
    """Check that an ability may bring a disk in at (x, y): in the field, within reach, pinning no enemy (R9.6, R-44).

    Raises `Illegal`.
    """
    _check_reserve(board, board.disks[task.source].seat, disk)
    by, radius = board.disks[task.source], board.profile(disk).radius
    reach = position.reach_length(board, task.reach)
    if not effective_stats.matches_selector(board.profile(disk), task.selector):
        raise Illegal(
            "not_legal", f"disk {disk} is not {task.selector}", "R9.6", "$.action.disk", numbers={"disk": disk}
        )
    if not position.is_on_field(board, disk, x, y):
        raise Illegal(
            "off_field", f"the disk would lie at ({x}, {y}), partly off the field", "R9.6", "$.action", {"x": x, "y": y}
        )
    if reach is not None and not geometry.disks_within(by.x, by.y, board.profile(by.id).radius, x, y, radius, reach):
        raise Illegal(
            "out_of_range",
            f"({x}, {y}) is not within {task.reach} range of disk {by.id}",
            "R9.6",
            "$.action",
            {"x": x, "y": y, "disk": by.id, "length": reach},
        )
    if _pins_enemy(board, disk, x, y):
        raise Illegal("not_legal", "the disk would pin an enemy", "R9.6", "$.action")


def reinforce_by_ability(resolution: Resolution, action: Reinforce) -> None:
    """Place the disk that an ability brings in; it gets an activation token (R9.6)."""
    gained = _place_from_reserve(resolution, action, Reason("R9.6"))
    landing = resolution.last_event_as_cause("reinforcement", action.disk)
    resolution.emit(ActivationTokenChanged(action.disk, True, (Reason("R9.6"),)))
    with resolution.caused_by(landing):
        _queue_landing(resolution, action.disk, gained)


def reinforce(resolution: Resolution, seat: Seat, action: Reinforce) -> None:
    """Reinforce a disk, which gets an activation token unless in a rendezvous zone (R9.1, R3.4.5).

    R9.4: the landing causes engage events but no Impact.
    """
    zone = zones.reinforcement_zone(resolution.board, action.disk, action.x, action.y)
    if zone is not None and _zone_refusal(resolution.board, action.disk, zone, action.x, action.y) is not None:
        zone = None  # The place is legal in another way, by a windmill or an edge.
    resolution.emit(ActivationBegan(seat, action.disk))
    gained = _place_from_reserve(resolution, action, _placement_reason(resolution.board, seat, action, zone))
    landing = resolution.last_event_as_cause("reinforcement", action.disk)
    unmarked = zones.has_ability(resolution.board, zone, "rendezvous")
    resolution.emit(ActivationEnded(action.disk, not unmarked, (Reason("R3.4.5" if unmarked else "R9.1"),)))
    with resolution.caused_by(landing):
        _queue_landing(resolution, action.disk, gained)


def _placement_reason(board: Board, seat: Seat, action: Reinforce, zone: int | None) -> Reason:
    """Return the reason that makes a place legal: an own zone, a windmill, or an edge."""
    if zone is not None:
        return Reason("R9.1", {"zone": zone})
    windmills = set(terrain.pieces_under(board, action.disk, action.x, action.y)) & set(
        terrain.reinforcement_pieces(board, seat)
    )
    return Reason("R9.6", {"piece": min(windmills)}) if windmills else Reason("R9.5")


def _place_from_reserve(resolution: Resolution, action: Reinforce, placement_reason: Reason) -> tuple[Pin, ...]:
    """Place a disk of the reserve on the field, above all others, and return the new pins."""
    board, disk = resolution.board, action.disk
    landed = replace(board.disks[disk], x=action.x, y=action.y, z=board.top_z + 1)
    gained, lost = _pin_changes(board, landed)
    pieces = terrain.pieces_under(board, disk, action.x, action.y)
    reasons = (placement_reason, *_pin_reasons(gained, lost))
    resolution.emit(DiskReinforced(disk, action.x, action.y, landed.z, gained, lost, pieces, reasons))
    return gained


def _queue_landing(resolution: Resolution, disk: int, gained: Sequence[Pin]) -> None:
    """Queue the consequences of a reinforcement: engage events first, then dangerous ground (R9.4, R8.5)."""
    resolution.push(*hazards.tasks_after_placement(resolution.board, disk))
    damage.queue_triggers(resolution, gained)
