"""Damage: instances, tokens, wounds, removals, and the pins and triggers that follow (R13)."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_engine.rulesets.diskwars.tasks import GuardTask, ImpactTask, TriggersTask
from diskwars_protocol.match import Reason, Seat
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
from diskwars_protocol.rulesets.diskwars.stats import Damage


class Hit(Struct, frozen=True):
    """Damage that one attack or ability deals to a disk; `poison` if it comes from a poisonous disk (R16.4)."""

    disk: int
    amount: int
    damage: Damage
    poison: bool = False


def strike(play: Play, hits: Iterable[Hit], because: tuple[Reason, ...]) -> None:
    """Deal all hits at once: R13.2 one instance per disk, R13.3 reduced type by type, R13.4 wounds afterwards."""
    sums: dict[tuple[int, Damage], int] = {}
    poisonous: set[tuple[int, Damage]] = set()
    for hit in hits:
        if not position.is_fielded(play.board, hit.disk):
            continue  # it has died, or left with its player, since it was marked out
        sums[hit.disk, hit.damage] = sums.get((hit.disk, hit.damage), 0) + hit.amount
        if hit.poison and hit.amount:
            poisonous.add((hit.disk, hit.damage))
    harmed: dict[int, int] = {}
    poisoned: set[int] = set()
    for (disk, damage), dealt in sorted(sums.items()):  # R13.3.3 each type by itself
        profile = play.board.profile(disk)
        taken = keywords.damage_after_reduction(profile, dealt, damage)
        tokens = play.board.disks[disk].damage + taken
        reduced = keywords.reduction_rule(profile, damage)
        why = (*because, Reason(reduced, {"dealt": dealt, "taken": taken})) if reduced else because
        toughness = effective_stats.toughness(play.board, disk)
        play.emit(DamageDealt(disk, dealt, taken, damage, tokens, why, toughness))
        if taken:
            harmed[disk] = toughness
            poisoned |= {disk} if (disk, damage) in poisonous else set()
    # R13.4 a damaged disk with at least as many tokens as its toughness takes one wound; the surplus is lost
    wound(play, [disk for disk, toughness in harmed.items() if 0 < play.board.disks[disk].damage >= toughness])
    _add_poison(play, sorted(poisoned))


def record_prevented(play: Play, hits: Iterable[Hit], because: tuple[Reason, ...]) -> None:
    """Record damage that was prevented completely."""
    for hit in hits:
        now = play.board.disks[hit.disk]
        toughness = effective_stats.toughness(play.board, hit.disk)
        play.emit(DamageDealt(hit.disk, hit.amount, 0, hit.damage, now.damage, because, toughness))


def _add_poison(play: Play, disks: Sequence[int]) -> None:
    """R16.4: poison stays on the damage that it came with; a wound has taken both away (R-40)."""
    for disk in disks:
        now = play.board.disks[disk]
        if now.damage and not now.poisoned:
            play.emit(DiskPoisoned(disk, True, (Reason("R16.4"),)))


def is_wound_due(board: Board, disk: int) -> bool:
    """R13.4: whether the damage of a disk makes a wound as its toughness is now; R-33 may spare a weakened one."""
    now, toughness = board.disks[disk], effective_stats.toughness(board, disk)
    if now.weakened and board.settings.rot == "exceeds":
        return now.damage > toughness
    return 0 < now.damage >= toughness


def resolve_due_wounds(play: Play) -> None:
    """R13.4: damaged disks whose toughness has fallen, for any reason, take their wounds at once (R-45).

    This follows from disks, cards and scenario only: nothing new is due while those are unchanged.
    """
    board, before = play.board, play.settled_board
    if before and board.disks is before.disks and board.sides is before.sides and board.layout is before.layout:
        return
    while due := _disks_due_a_wound(play.board):
        wound(play, due)
    play.settled_board = play.board


def _disks_due_a_wound(board: Board) -> list[int]:
    hurt = [disk.id for disk in board.disks if disk.damage and disk.place == BATTLEFIELD]
    return [disk for disk in hurt if is_wound_due(board, disk)]


def heal(play: Play, disk: int, amount: int, because: tuple[Reason, ...]) -> None:
    """Remove damage. R-40: at most one from a poisoned disk; removing the last removes the poison."""
    now = play.board.disks[disk]
    left = now.damage - min(now.damage, 1 if now.poisoned else amount)
    play.emit(DiskHealed(disk, left, because))
    if now.poisoned and not left:
        play.emit(DiskPoisoned(disk, False, (Reason("R-40"),)))


def wound(play: Play, disks: Sequence[int]) -> None:
    """R13.5: one wound for each of these at once. Beyond its stamina a disk is removed (R13.7: together).

    R-30: the wound replaces all damage tokens, even if no damage caused it.
    """
    dead = []
    for disk in disks:
        now, stamina = play.board.disks[disk], play.board.profile(disk).stamina
        if now.wounds >= stamina:
            dead.append(disk)
        else:
            numbers = {
                "damage": now.damage,
                "toughness": effective_stats.toughness(play.board, disk),
                "stamina": stamina,
            }
            play.emit(DiskWounded(disk, now.wounds + 1, (Reason("R13.5", numbers),)))
    if dead:
        remove(play, dead, (Reason("R13.5"), Reason("R13.7", {"disks": len(dead)})))


def remove(play: Play, dead: Sequence[int], because: tuple[Reason, ...]) -> None:
    """Remove disks together, then update pins, engage events and eliminations (R13.7, R4.9, R13.8)."""
    board = play.board
    # R6.4 pins are computed again: disks under the removed ones may be free now
    left = [disk for disk in position.stacked_disks(board) if disk[0] not in dead]
    pins = set(position.update_pins(board, left, dead))
    gained = tuple(sorted(pins - set(board.pins)))
    lost = tuple(sorted(set(board.pins) - pins))
    play.emit(DisksRemoved(tuple(sorted(dead)), gained, lost, because))
    with play.caused_by(play.last_event_as_cause("removal")):
        eliminate(play)
        queue_triggers(play, gained)


def eliminate(play: Play) -> None:
    """R4.6: a player without a disk on the battlefield is out at once. R4.9: from round 1 on."""
    board = play.board
    if not board.round:
        return
    present = {disk.seat for disk in position.fielded_disks(board)}
    for side in board.sides:
        if side.seat not in present and not side.eliminated:
            withdraw(play, side.seat, (Reason("R4.6"),))


def withdraw(play: Play, seat: Seat, because: tuple[Reason, ...]) -> None:
    """R4.10: the cards of a player who is out leave the game, and so do all the player's remaining disks."""
    play.emit(SeatEliminated(seat, because))
    board = play.board
    left = tuple(disk.id for disk in board.disks if disk.seat == seat and disk.place in (RESERVE, BATTLEFIELD))
    if not left:
        return
    table = [disk for disk in position.stacked_disks(board) if disk[0] not in left]
    pins = set(position.update_pins(board, table, left))
    gained, lost = sorted(pins - set(board.pins)), sorted(set(board.pins) - pins)
    play.emit(DisksWithdrawn(left, tuple(gained), tuple(lost), (Reason("R4.10"),)))
    with play.caused_by(play.last_event_as_cause("withdrawal")):
        queue_triggers(play, gained)


def triggers_of(board: Board, pins: Iterable[Pin]) -> tuple[Trigger, ...]:
    """R6.6: each new enemy pin is an engage event for both disks; R6.7 one for each enemy, each with its own die."""
    found: list[Trigger] = []
    for top, bottom in position.enemy_pins(board, pins):
        for disk, enemy in ((top, bottom), (bottom, top)):
            found.extend(Trigger(disk, enemy, number) for number, _ in position.abilities(board, disk, "engage"))
    return tuple(found)


def queue_triggers(play: Play, gained: Iterable[Pin]) -> None:
    """Queue engage abilities of new pins before everything else (R-32), but after those already queued.

    So the result of a landing does not depend on the order in which wounds happen (R-19, R-42).
    """
    triggers = triggers_of(play.board, gained)
    if triggers and position.seats_in_order(play.board):
        due = ImpactTask | GuardTask | TriggersTask
        waiting = next((n for n, task in enumerate(play.tasks) if not isinstance(task, due)), len(play.tasks))
        task = TriggersTask(position.active_seat(play.board), triggers)
        play.tasks.insert(waiting, play.with_cause(task))
