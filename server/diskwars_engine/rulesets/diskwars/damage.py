"""Damage: instances, tokens, wounds, removals, and the new pins and triggers that removals cause (R13)."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.tasks import GuardTask, ImpactTask, TriggersTask
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position
from diskwars_protocol.rulesets.diskwars.actions import Trigger
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, RESERVE, Board
from diskwars_protocol.rulesets.diskwars.events import (
    DamageDealt,
    DiskHealed,
    DiskPoisoned,
    DisksRemoved,
    DisksWithdrawn,
    DiskWounded,
    Pin,
    SeatEliminated,
)
from diskwars_protocol.rulesets.diskwars.stats import DamageType


class DiskHit(Struct, frozen=True):
    """Damage that one attack or ability deals to a disk; `poison` if a poisonous disk deals it (R16.4).

    `source` is the disk that strikes in melee.
    """

    disk: int
    amount: int
    damage_type: DamageType
    poison: bool = False
    source: int | None = None


def strike(resolution: Resolution, hits: Iterable[DiskHit], reasons: tuple[Reason, ...]) -> None:
    """Deal all hits at once: one instance per disk (R13.2), reduced by type (R13.3), then wounds (R13.4).

    Disks that are off the battlefield by now are skipped. The current cause says whether Immune and Resistant that name
    ranged attacks, Impact or Guard apply (R-75).
    """
    sums: dict[tuple[int, DamageType], int] = {}
    poisonous: set[tuple[int, DamageType]] = set()
    sources: dict[tuple[int, DamageType], set[int]] = {}
    for hit in hits:
        if not position.is_fielded(resolution.board, hit.disk):
            continue  # Targets are fixed when a task is queued; this disk has died, or left with its player, since.
        sums[hit.disk, hit.damage_type] = sums.get((hit.disk, hit.damage_type), 0) + hit.amount
        if hit.source is not None:
            sources.setdefault((hit.disk, hit.damage_type), set()).add(hit.source)
        if hit.poison and hit.amount:  # R16.4
            poisonous.add((hit.disk, hit.damage_type))
    source = keywords.source_of_damage(resolution.cause.kind if resolution.cause else None)
    damaged: dict[int, int] = {}
    poisoned: set[int] = set()
    for (disk, damage_type), dealt in sorted(sums.items()):  # R13.3.3: each type is reduced by itself
        profile = resolution.board.profile(disk)
        taken = keywords.damage_after_reduction(profile, dealt, damage_type, source)
        tokens = resolution.board.disks[disk].damage + taken
        rule = keywords.reduction_rule(profile, damage_type, source)
        explained = (*reasons, Reason(rule, {"dealt": dealt, "taken": taken})) if rule else reasons
        toughness = effective_stats.toughness(resolution.board, disk)
        struck_by = tuple(sorted(sources.get((disk, damage_type), ())))
        resolution.emit(DamageDealt(disk, dealt, taken, damage_type, tokens, toughness, explained, struck_by))
        if taken:
            damaged[disk] = toughness
            poisoned |= {disk} if (disk, damage_type) in poisonous else set()  # R16.4
    # R13.4: a damaged disk with at least as many tokens as its toughness takes one wound; the surplus is lost. Wounds
    # come after the damage of all disks, so that a death cannot change the toughness of others halfway.
    wound(
        resolution,
        [disk for disk, toughness in damaged.items() if 0 < resolution.board.disks[disk].damage >= toughness],
    )
    _add_poison(resolution, sorted(poisoned))  # R16.4, R-40: after the wounds


def record_prevented(resolution: Resolution, hits: Iterable[DiskHit], reasons: tuple[Reason, ...]) -> None:
    """Record hits whose damage was prevented completely."""
    for hit in hits:
        now = resolution.board.disks[hit.disk]
        toughness = effective_stats.toughness(resolution.board, hit.disk)
        resolution.emit(DamageDealt(hit.disk, hit.amount, 0, hit.damage_type, now.damage, toughness, reasons))


def _add_poison(resolution: Resolution, disks: Sequence[int]) -> None:
    """Poison the disks that still have the damage that the poison came with (R16.4).

    A wound has removed the damage of the others, and the poison with it (R-40).
    """
    for disk in disks:
        now = resolution.board.disks[disk]
        if now.damage and not now.poisoned:
            resolution.emit(DiskPoisoned(disk, True, (Reason("R16.4"),)))


def is_wound_due(board: Board, disk: int) -> bool:
    """Return whether a disk's damage has reached its current toughness (R13.4).

    R-33: with the option `weakened_wounds: above_toughness`, a weakened disk needs more damage than toughness.
    """
    now, toughness = board.disks[disk], effective_stats.toughness(board, disk)
    if now.weakened and board.settings.weakened_wounds == "above_toughness":
        return now.damage > toughness
    return 0 < now.damage >= toughness


def resolve_due_wounds(resolution: Resolution) -> None:
    """Wound the damaged disks whose toughness has fallen, for any reason, until none is due (R13.4, R-45)."""
    board, before = resolution.board, resolution.settled_board
    # Called after every task. Toughness follows from disks, cards and scenario only, so nothing new is due while these
    # three are the same objects. Computing it for each damaged disk after each task showed up in profiles.
    if before and board.disks is before.disks and board.sides is before.sides and board.layout is before.layout:
        return
    # A wound can remove the bearer of an aura, which lowers the toughness of others, so repeat until stable.
    while due := _disks_due_a_wound(resolution.board):
        wound(resolution, due)
    resolution.settled_board = resolution.board


def _disks_due_a_wound(board: Board) -> list[int]:
    damaged = [disk.id for disk in board.disks if disk.damage and disk.place == BATTLEFIELD]
    return [disk for disk in damaged if is_wound_due(board, disk)]


def heal(resolution: Resolution, disk: int, amount: int, reasons: tuple[Reason, ...]) -> None:
    """Remove damage from a disk; from a poisoned one at most 1, and the poison with the last damage (R-40)."""
    now = resolution.board.disks[disk]
    left = now.damage - min(now.damage, 1 if now.poisoned else amount)
    resolution.emit(DiskHealed(disk, left, reasons))
    if now.poisoned and not left:
        resolution.emit(DiskPoisoned(disk, False, (Reason("R-40"),)))


def wound(resolution: Resolution, disks: Sequence[int]) -> None:
    """Give each of these disks one wound, and remove those that have no stamina left, all together (R13.5, R13.7).

    R-30: a wound replaces all damage tokens, even if no damage caused it.
    """
    dead = []
    for disk in disks:
        now, stamina = resolution.board.disks[disk], resolution.board.profile(disk).stamina
        if now.wounds >= stamina:
            dead.append(disk)
        else:
            numbers = {
                "damage": now.damage,
                "toughness": effective_stats.toughness(resolution.board, disk),
                "stamina": stamina,
            }
            resolution.emit(DiskWounded(disk, now.wounds + 1, (Reason("R13.5", numbers),)))
    if dead:
        remove(resolution, dead, (Reason("R13.5"), Reason("R13.7", {"disks": len(dead)})))


def remove(resolution: Resolution, dead: Sequence[int], reasons: tuple[Reason, ...]) -> None:
    """Remove disks together, eliminate players without disks, and queue engage abilities (R13.7, R4.9, R13.8)."""
    board = resolution.board
    # R6.4: disks that a removed one lay between may pin each other now, and disks under it may be free.
    left = [disk for disk in position.stacked_disks(board) if disk[0] not in dead]
    pins = set(position.update_pins(board, left, dead))
    gained = tuple(sorted(pins - set(board.pins)))
    lost = tuple(sorted(set(board.pins) - pins))
    resolution.emit(DisksRemoved(tuple(sorted(dead)), gained, lost, reasons))
    with resolution.caused_by(resolution.last_event_as_cause("removal")):
        eliminate(resolution)
        queue_triggers(resolution, gained)


def eliminate(resolution: Resolution) -> None:
    """Eliminate every player who has no disk on the battlefield (R4.6), from round 1 on (R4.9)."""
    board = resolution.board
    if not board.round:
        return
    present = {disk.seat for disk in position.fielded_disks(board)}
    for side in board.sides:
        if side.seat not in present and not side.eliminated:
            withdraw(resolution, side.seat, (Reason("R4.6"),))


def withdraw(resolution: Resolution, seat: Seat, reasons: tuple[Reason, ...]) -> None:
    """Eliminate a player, whose cards and remaining disks leave the game (R4.10)."""
    resolution.emit(SeatEliminated(seat, reasons))
    board = resolution.board
    left = tuple(disk.id for disk in board.disks if disk.seat == seat and disk.place in (RESERVE, BATTLEFIELD))
    if not left:
        return
    table = [disk for disk in position.stacked_disks(board) if disk[0] not in left]
    pins = set(position.update_pins(board, table, left))
    gained, lost = sorted(pins - set(board.pins)), sorted(set(board.pins) - pins)
    resolution.emit(DisksWithdrawn(left, tuple(gained), tuple(lost), (Reason("R4.10"),)))
    with resolution.caused_by(resolution.last_event_as_cause("withdrawal")):
        queue_triggers(resolution, gained)


def triggers_of(board: Board, pins: Iterable[Pin]) -> tuple[Trigger, ...]:
    """List the engage abilities that new pins trigger.

    R6.6: each new enemy pin is an engage event for both disks. R6.7: one trigger for each enemy, each with its own die.
    """
    triggers: list[Trigger] = []
    for top, bottom in position.enemy_pins(board, pins):
        for disk, enemy in ((top, bottom), (bottom, top)):
            triggers.extend(Trigger(disk, enemy, number) for number, _ in position.abilities(board, disk, "engage"))
    return tuple(triggers)


def queue_triggers(resolution: Resolution, gained: Iterable[Pin]) -> None:
    """Queue the engage abilities of new pins after landing tasks that are already queued, before all others (R-32)."""
    triggers = triggers_of(resolution.board, gained)
    if triggers and position.seats_in_order(resolution.board):
        # Impact, Guard and triggers of the landing keep their places: otherwise a disk that Impact kills would let the
        # abilities of pins laid bare by its removal come before Guard, and the result of a landing would depend on the
        # order in which wounds happen.
        landing_tasks = ImpactTask | GuardTask | TriggersTask
        place = next(
            (n for n, task in enumerate(resolution.tasks) if not isinstance(task, landing_tasks)), len(resolution.tasks)
        )
        task = TriggersTask(position.active_seat(resolution.board), triggers)
        resolution.tasks.insert(place, resolution.with_cause(task))
