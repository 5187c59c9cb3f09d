"""Ranged attacks: range, battle dice, scatter, results (R12)."""

from collections.abc import Iterator

from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal, listed_numbers
from diskwars_engine.rulesets.diskwars import damage
from diskwars_engine.rulesets.diskwars.damage import DiskHit
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.task_rules import OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import RampageTask, ScatterTask, Task
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import DiceKind
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position, sight, terrain
from diskwars_protocol.rulesets.diskwars.actions import Action, ChooseScatter, ScatterQuestion, Shoot
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import (
    ActivationTokenChanged,
    Faces,
    RangedAttack,
    ShotFired,
    ShotScattered,
)
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions, DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.stats import REACHES, DamageAround, Rampage, Reach, Shot, Symbol

BATTLE_DICE: DiceKind = "symbol_dice"
"""R12.9: kind of the dice that show symbols."""


def targets(board: Board, shooter: int, shot: Shot) -> list[int]:
    """List the legal targets of one of a disk's ranged attacks."""
    return list(_targets(board, shooter, shot))


def can_shoot(board: Board, shooter: int) -> bool:
    """Return whether a disk has a legal target for any of its ranged attacks."""
    # Stops at the first target; listing all would build a refusal for each disk that is not one.
    return any(True for shot in board.profile(shooter).shots for _ in _targets(board, shooter, shot))


def _targets(board: Board, shooter: int, shot: Shot) -> Iterator[int]:
    near = position.within_reach(
        board, shooter, position.fielded_disks(board), effective_stats.shot_reach(board, shooter, shot.reach)
    )
    return (disk for disk in near if refusal(board, shooter, disk, shot) is None)


def check_shot(board: Board, action: Shoot) -> Shot:
    """Check a ranged attack, and return its figures. Raises `Illegal`.

    R12.1: the target is another fielded disk, in range, in sight and not immune.
    """
    shots = board.profile(action.disk).shots
    if not 0 <= action.shot < len(shots):
        raise Illegal(
            "no_such_shot",
            f"disk {action.disk} has {len(shots)} ranged attacks",
            "R12.7",
            "$.action.shot",
            {"disk": action.disk, "shots": len(shots)},
        )
    refused = refusal(board, action.disk, action.target, shots[action.shot])
    if refused is not None:
        raise refused
    return shots[action.shot]


def refusal(board: Board, shooter: int, target: int, shot: Shot) -> Illegal | None:
    """Return why a ranged attack cannot be aimed at a target, or None if it can."""
    place = "$.action.target"
    if not 0 <= target < len(board.disks) or target == shooter or not position.is_fielded(board, target):
        return Illegal("bad_target", "the target is another disk on the battlefield", "R12.1", place)
    if keywords.is_immune(board.profile(target), "ranged"):
        return Illegal(
            "bad_target", f"disk {target} is immune to ranged attacks", "R12.1", place, numbers={"disk": target}
        )
    reach = effective_stats.shot_reach(board, shooter, shot.reach)
    if not position.is_within(board, shooter, target, reach):
        return Illegal(
            "out_of_range",
            f"disk {target} lies beyond {reach} range of disk {shooter}",
            "R11.4",
            place,
            position.range_numbers(board, shooter, target, reach),
        )
    if shot.beyond and position.is_within(board, shooter, target, shot.beyond):
        text = f"disk {target} lies within {shot.beyond} range of disk {shooter}"
        return Illegal(
            "out_of_range", text, "R12.8", place, position.range_numbers(board, shooter, target, shot.beyond)
        )
    if terrain.is_hidden_in_cave(board, shooter, target):
        text = f"disk {target} is in a cave, and disk {shooter} neither in it nor near"
        return Illegal("bad_target", text, "R-50", place, numbers={"disk": target, "other_disk": shooter})
    if not sight.sees(board, shooter, target):
        return Illegal(
            "no_sight",
            f"terrain hides disk {target} from disk {shooter}",
            "R11.1",
            place,
            numbers={"disk": target, "other_disk": shooter},
        )
    return None


def shoot(resolution: Resolution, action: Shoot, shot: Shot) -> None:
    """Roll the dice of a checked attack and resolve it; scatter comes before anything else (R12.3)."""
    board = resolution.board
    rolled, strength_dice = resolution.roll_amount(shot.strength, "strength")
    bonus = effective_stats.shot_bonus(board, action.disk)  # nothing else adds to the strength of an attack
    attack = RangedAttack(
        shooter=action.disk,
        target=action.target,
        shot=action.shot,
        strength=rolled + bonus,
        damage_type=shot.damage_type,
        reach=position.range_band(board, action.disk, action.target),
    )
    count = terrain.dice_after_cover(board, action.target, shot.dice)
    dice = resolution.dice.roll(BATTLE_DICE, 6, count, "shot")
    reasons = _shot_reasons(board, attack, shot, count)
    needed = striking_faces(board, attack.reach)
    fired = ShotFired(attack=attack, strength_dice=strength_dice, dice=dice, needed=needed, reasons=reasons)
    resolution.emit_cause(fired, "attack", action.disk)
    scatter = count_symbol(board, dice.results, "scatter")  # R12.4.5
    if not scatter:
        resolve(resolution, attack, dice.results, None, ())
        return
    nearest = nearest_disks(board, attack)
    if len(nearest) > 1:
        resolution.push(ScatterTask(attack, scatter, tuple(nearest), dice.results))
    else:
        roll_scatter(
            resolution, ScatterTask(attack, scatter, tuple(nearest), dice.results), nearest[0] if nearest else None
        )


def _shot_reasons(board: Board, attack: RangedAttack, shot: Shot, count: int) -> tuple[Reason, ...]:
    """Return the reasons of an attack rolled with `count` dice: its figures, Cover, and the line of sight."""
    numbers = {"dice": count, "strength": attack.strength, "range": REACHES.index(attack.reach)}
    covered = (Reason("R10.4", {"dice": shot.dice, "off": 1}),) if count < shot.dice else ()
    return (Reason("R12.2", numbers), *covered, *sight.sight_reasons(board, attack.shooter, attack.target))


def count_symbol(board: Board, faces: tuple[int, ...], symbol: str) -> int:
    """Count the dice that show a symbol; faces are 1-based indices into the match's battle die."""
    return sum(board.battle_die[face - 1] == symbol for face in faces)


def faces_showing(board: Board, *symbols: Symbol) -> Faces:
    """Return the faces, numbers from 1 into the match's battle die, that show one of these symbols."""
    return tuple(face for face, symbol in enumerate(board.battle_die, start=1) if symbol in symbols)


def striking_faces(board: Board, reach: Reach) -> Faces:
    """R12.4: hits and criticals strike; R12.4.1 no plain hit does at siege range."""
    return faces_showing(board, "critical") if reach == "siege" else faces_showing(board, "hit", "critical")


def nearest_disks(board: Board, attack: RangedAttack) -> list[int]:
    """List the disks nearest to the target, within short range of it (R12.3), without the shooter (R-21)."""
    others = [d.id for d in position.fielded_disks(board) if d.id not in (attack.target, attack.shooter)]
    near = [disk for disk in others if position.is_within(board, attack.target, disk, "short")]
    if not near:
        return []
    least = min(position.distance(board, attack.target, disk) for disk in near)
    return [disk for disk in near if position.distance(board, attack.target, disk) == least]


def roll_scatter(resolution: Resolution, task: ScatterTask, disk: int | None) -> None:
    """Roll the scatter dice again, against a disk near the target, and resolve the attack (R12.3).

    Without such a disk they have no effect.
    """
    reasons = (Reason("R12.3", {"dice": task.count}),)
    if disk is None:
        resolution.emit_cause(ShotScattered(task.attack, reasons), "attack", task.attack.shooter)
        resolve(resolution, task.attack, task.faces, None, ())
        return
    dice = resolution.dice.roll(BATTLE_DICE, 6, task.count, "scatter")
    needed = striking_faces(resolution.board, task.attack.reach)
    resolution.emit_cause(ShotScattered(task.attack, reasons, disk, dice, needed), "attack", task.attack.shooter)
    resolve(resolution, task.attack, task.faces, disk, dice.results)


def resolve(
    resolution: Resolution,
    attack: RangedAttack,
    faces: tuple[int, ...],
    scattered: int | None,
    scatter_faces: tuple[int, ...],
) -> None:
    """Apply the dice to the target and to the disk that scatter strikes (R12.4).

    R12.5: all damage of the attack to one disk is one instance.
    """
    # the target may have left the game while the shooter's player chose the scatter target.
    struck = [(attack.target, faces)] if position.is_fielded(resolution.board, attack.target) else []
    # R12.3.1: a disk immune to ranged attacks still counts as the nearest; it is just not affected.
    if scattered is not None and not keywords.is_immune(resolution.board.profile(scattered), "ranged"):
        struck.append((scattered, scatter_faces))
    poison = keywords.is_poisonous(resolution.board.profile(attack.shooter))
    needed = striking_faces(resolution.board, attack.reach)
    hits, criticals = [], []
    for disk, rolled in struck:
        # R12.4.3, R12.4.4: misses and chaos strike nobody
        critical = count_symbol(resolution.board, rolled, "critical")
        strikes = sum(face in needed for face in rolled)
        if strikes:
            hits.append(DiskHit(disk, strikes * attack.strength, attack.damage_type, poison))
        if critical:
            criticals.append(disk)
        if strikes and disk == attack.target:
            hits += _splash_hits(resolution.board, attack)
    # Queued before the damage is dealt: the tasks that damage causes are pushed above it and so come first (R12.6).
    _queue_rampage(resolution, attack.shooter, count_symbol(resolution.board, (*faces, *scatter_faces), "chaos"))
    damage.strike(resolution, hits, (Reason("R12.4", {"strength": attack.strength}),))
    for disk in criticals:
        # R12.4.2: the token is given even if all damage was prevented
        if position.is_fielded(resolution.board, disk) and not resolution.board.disks[disk].activated:
            resolution.emit(ActivationTokenChanged(disk, True, (Reason("R12.4.2"),)))


def _splash_hits(board: Board, attack: RangedAttack) -> list[DiskHit]:
    """Return the hits on other disks near the target.

    R-47: they belong to the same instance as any other damage of the attack to those disks.
    """
    splash = position.passive_effect(board, attack.shooter, DamageAround)
    if splash is None:
        return []
    others = [disk.id for disk in position.fielded_disks(board) if disk.id not in (attack.target, attack.shooter)]
    near = [disk for disk in others if position.is_within(board, attack.target, disk, splash.reach)]
    affected = [disk for disk in near if not keywords.is_immune(board.profile(disk), "ranged")]
    return [DiskHit(disk, splash.amount, splash.damage_type) for disk in affected]


def _queue_rampage(resolution: Resolution, shooter: int, chaos: int) -> None:
    """Queue the forced flips of a rampaging shooter (R12.6); by option one per attack or one per chaos (R-26)."""
    if chaos and position.passive_effect(resolution.board, shooter, Rampage) is not None:
        flips = chaos if resolution.board.settings.rampage_flips == "per_chaos" else 1
        resolution.push(*[RampageTask(shooter)] * flips)


# ---------------------------------------------------------------- choice of the scatter target


def scatter_questions(board: Board, task: ScatterTask) -> OpenQuestions:
    """Ask the controller of the shooter which of several nearest disks the scatter dice strike (R19.17)."""
    if len(task.candidates) < 2:
        return ()
    shooter = task.attack.shooter
    return ((board.disks[shooter].seat, ScatterQuestion(shooter, task.candidates)),)


def scatter_options(
    board: Board, seat: Seat, task: ScatterTask, question: ScatterQuestion, work: WorkBudget
) -> DiskwarsOptions:
    """Offer each of the nearest disks."""
    return DiskwarsOptions(tuple(ChooseScatter(disk) for disk in question.candidates))


def scatter_unavailable(
    board: Board, seat: Seat, task: ScatterTask, question: ScatterQuestion, work: WorkBudget
) -> Iterator[DiskwarsUnavailable]:
    """Explain why the shooter (R-21) and disks that are not the nearest (R12.3) cannot be chosen."""
    target = task.attack.target
    others = [d.id for d in position.fielded_disks(board) if d.id not in (target, *question.candidates)]
    for disk in [other for other in others if position.is_within(board, target, other, "short")]:
        if disk == question.shooter:
            yield DiskwarsUnavailable("not_legal", f"disk {disk} is the shooter", "R-21", disk, action="choose_scatter")
        else:
            text = f"disk {disk} is further from disk {target} than the nearest"
            numbers = {"from": target}
            yield DiskwarsUnavailable("not_legal", text, "R12.3", disk, action="choose_scatter", numbers=numbers)


def answer_scatter(
    resolution: Resolution, seat: Seat, task: ScatterTask, question: ScatterQuestion, action: Action
) -> None:
    """Roll the scatter dice against the chosen disk. Raises `Illegal` unless it is among the nearest (R12.3.1)."""
    if not isinstance(action, ChooseScatter):
        raise wrong_action(question, action)
    if action.target not in task.candidates:
        candidates = ", ".join(str(disk) for disk in task.candidates)
        numbers = listed_numbers("candidate", task.candidates)
        raise Illegal("not_legal", f"the nearest disks are {candidates}", "R12.3.1", "$.action.target", numbers)
    roll_scatter(resolution, replace(task, candidates=(action.target,)), action.target)


def run_scatter(resolution: Resolution, task: ScatterTask) -> None:
    """Roll the scatter dice against the only candidate left, if any."""
    # if the shooter's player has left, the attack is dropped.
    if position.is_fielded(resolution.board, task.attack.shooter):
        roll_scatter(resolution, task, task.candidates[0] if task.candidates else None)


def scatter_without_seat(board: Board, task: ScatterTask, seat: Seat) -> list[Task]:
    """Keep the candidates that are still on the battlefield (R-59)."""
    return [replace(task, candidates=tuple(disk for disk in task.candidates if position.is_fielded(board, disk)))]
