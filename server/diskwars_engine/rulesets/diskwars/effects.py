"""Effects of abilities: their legal targets and what they change.

Effects are a closed set: every `match` has a branch for each, and the type checker reports one that lacks a new effect.
When an ability may be used is left to the callers.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, assert_never

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import damage
from diskwars_engine.rulesets.diskwars.damage import DiskHit
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.tasks import FightTask, ReinforcementTask
from diskwars_protocol.identifiers import id_title
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position, sight
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, Disk
from diskwars_protocol.rulesets.diskwars.events import ActivationTokenChanged, DiskEmpowered, DiskWeakened, Faces

AimedEffect: TypeAlias = (
    f.DealDamage | f.ReduceToughness | f.AddActivationToken | f.Empower | f.Heal | f.RemoveActivationToken
)
FRIENDLY_EFFECTS = frozenset((f.Empower, f.Heal, f.RemoveActivationToken))
"""Aimed effects whose target is an own disk; the other aimed effects target an enemy."""


def focus_rule(board: Board, disk: int, number: int) -> str:
    """Return the rule id of a focus ability: that of Magic X, or that of abilities printed on the disk."""
    return "R8.3" if number == 0 and keywords.magic_amount(board.profile(disk)) is not None else "R8.1.2"


def is_aimed(effect: f.Effect) -> bool:
    """Return whether an effect takes a target."""
    match effect:
        case (
            f.DealDamage()
            | f.ReduceToughness()
            | f.AddActivationToken()
            | f.Empower()
            | f.Heal()
            | f.RemoveActivationToken()
        ):
            return True
        case f.DealDamageNear() | f.RollWound() | f.ReinforceNear() | f.FightEngagement():
            return False
        case (
            f.IncreaseRange()
            | f.IncreaseMovement()
            | f.IncreaseShotStrength()
            | f.IncreaseToughness()
            | f.IncreaseMeleeStrength()
        ):
            return False
        case f.RemoveEmpowerment() | f.Rampage() | f.DamageAround():
            return False
        case _:
            assert_never(effect)


def targets(board: Board, user: int, effect: f.Effect) -> list[int] | None:
    """List the legal targets of an effect; None if it takes no target."""
    return list(_targets(board, [user], effect)) if is_aimed(effect) else None


def _targets(board: Board, users: Sequence[int], effect: f.Effect) -> Iterator[int]:
    """Yield the legal targets of an effect for users of one side; with several users, a target may occur repeatedly.

    Applies the same tests as `refusal`, lazily and without building sentences. Whether an ability can be used is asked
    at every activation, and building a refusal for each disk out of reach, about eight each time, was measurable.
    """
    if not users or not isinstance(effect, AimedEffect):
        return iter(())
    candidates = _disks_of_target_side(board, users[0], effect)
    return (
        disk
        for user in users
        for disk in position.within_reach(board, user, candidates, effect.reach)
        if _mismatch(board, disk, effect) is None and sight.sees(board, user, disk)
    )


def disks_of_target_side(board: Board, user: int, effect: f.Effect) -> list[int]:
    """List the fielded disks on the side that an aimed effect may target: the user's own, or those of enemies."""
    return [disk.id for disk in _disks_of_target_side(board, user, effect)]


def _disks_of_target_side(board: Board, user: int, effect: f.Effect) -> list[Disk]:
    helps, seat = type(effect) in FRIENDLY_EFFECTS, board.disks[user].seat
    return [disk for disk in board.disks if (disk.seat == seat) == helps and disk.place == BATTLEFIELD]


def check_target(board: Board, user: int, target: int | None, effect: f.Effect, rule: str) -> None:
    """Check that a target is legal for an effect; `rule` is the rule id of the ability. Raises `Illegal`."""
    place = "$.action.target"
    if (target is not None) != is_aimed(effect):
        text = "the ability has to be aimed at somebody" if target is None else "the ability is aimed at nobody"
        raise Illegal("bad_target", text, rule, place)
    if target is None:
        return
    if not 0 <= target < len(board.disks) or not position.is_fielded(board, target):
        raise Illegal("bad_target", "the target is a disk on the battlefield", rule, place)
    if refused := refusal(board, user, target, effect, rule):
        raise refused


def refusal(board: Board, user: int, target: int, effect: f.Effect, rule: str = "R8.1.2") -> Illegal | None:
    """Return why an effect cannot be aimed at a fielded disk, or None if it can.

    Tests the disk's side, its distance, its state and then sight (R11.1), the most expensive test.
    """
    place = "$.action.target"
    if not isinstance(effect, AimedEffect):
        return Illegal("bad_target", "the ability is aimed at nobody", rule, place)
    helps = type(effect) in FRIENDLY_EFFECTS
    if helps == position.are_enemies(board, user, target):
        side = "an enemy" if helps else "no enemy"
        return Illegal(
            "bad_target",
            f"disk {target} is {side} of disk {user}",
            rule,
            place,
            numbers={"disk": target, "other_disk": user},
        )
    if not position.is_within(board, user, target, effect.reach):
        return Illegal(
            "out_of_range",
            f"disk {target} lies beyond {effect.reach} range of disk {user}",
            rule,
            place,
            position.range_numbers(board, user, target, effect.reach),
        )
    unfit = _mismatch(board, target, effect)
    if unfit is not None:
        return Illegal("bad_target", f"disk {target} {unfit[0]}", unfit[1], place, numbers={"disk": target})
    if not sight.sees(board, user, target):
        return Illegal(
            "no_sight",
            f"terrain hides disk {target} from disk {user}",
            "R11.1",
            place,
            numbers={"disk": target, "other_disk": user},
        )
    return None


def _mismatch(board: Board, target: int, effect: AimedEffect) -> tuple[str, str] | None:
    """Return why a disk is no sensible target, as predicate and rule id; None if it is one.

    R16.10: the effect has to change something on the target, and the target has to be of the kind that the text names.
    """
    now, profile = board.disks[target], board.profile(target)
    selectors = effective_stats.selectors_of(profile)
    if isinstance(effect, f.Empower | f.Heal) and effect.selector and effect.selector not in selectors:
        return f"is no {id_title(effect.selector)}", "R16.10"
    if isinstance(effect, f.RemoveActivationToken) and effect.id_word not in profile.id.split("-"):
        return f"is not called {id_title(effect.id_word)}", "R16.6"
    match effect:
        case f.DealDamage():
            return None
        case f.ReduceToughness():
            return None if effective_stats.toughness(board, target) else ("has no toughness left", "R16.10")
        case f.AddActivationToken():
            return ("is activated already", "R16.10") if now.activated else None
        case f.Empower():  # R7.14: the user may be the target
            return ("is empowered already", "R1.3") if now.empowered else None
        case f.Heal():
            return None if now.damage else ("has no damage", "R16.10")
        case f.RemoveActivationToken():
            return None if now.activated else ("has no activation token", "R16.10")
        case _:
            assert_never(effect)


def is_usable_by_any(board: Board, users: Sequence[int], effect: f.Effect) -> bool:
    """Return whether any of several disks of one side could use an ability now."""
    if is_aimed(effect):
        return any(True for _ in _targets(board, users, effect))
    return any(is_usable(board, user, effect) for user in users)


def is_usable(board: Board, user: int, effect: f.Effect) -> bool:
    """Return whether an ability has a legal target or, if it takes none, would have an effect now."""
    if is_aimed(effect):
        return any(True for _ in _targets(board, [user], effect))
    if isinstance(effect, f.ReinforceNear):
        return bool(reinforcement_disks(board, user, effect.selector))
    if isinstance(effect, f.FightEngagement):  # R15.5: the user has to be engaged
        return any(pin.involves(user) for pin in position.enemy_pins(board, board.pins))
    return isinstance(effect, f.DealDamageNear)


def reinforcement_disks(board: Board, user: int, selector: str | None) -> list[int]:
    """List the disks of the reserve that an ability of `user` may bring in."""
    own = position.reserve_disks(board, board.disks[user].seat)
    return [disk.id for disk in own if effective_stats.matches_selector(board.profile(disk.id), selector)]


def is_aimed_at_enemy(effect: f.Effect) -> bool:
    """Return whether an engage ability affects the engaged enemy itself, which must then still be on the field."""
    return isinstance(effect, f.DealDamage | f.RollWound | f.ReduceToughness | f.AddActivationToken)


def apply(
    resolution: Resolution,
    user: int,
    target: int | None,
    effect: f.Effect,
    amount: int,
    reasons: tuple[Reason, ...],
    extra_targets: Sequence[int] = (),
) -> None:
    """Apply an effect, or queue it as tasks.

    `amount` is what `amount_of` gave, dice included; `extra_targets` are affected as well.
    """
    # R7.15: `extra_targets` is the user of an Unstable card
    affected = sorted({*([] if target is None else [target]), *extra_targets})
    match effect:
        case f.DealDamage():
            struck = [] if target is None else _blast_targets(resolution.board, target, effect)
            _deal_damage(resolution, {*struck, *extra_targets}, effect, amount, reasons)
        case f.DealDamageNear():
            _deal_damage(
                resolution,
                {*_enemies_within(resolution.board, user, effect.reach), *extra_targets},
                effect,
                amount,
                reasons,
            )
        case f.RollWound():  # R16.8
            if amount >= effect.minimum:
                damage.wound(resolution, affected)
        case f.Empower() | f.RemoveActivationToken() | f.AddActivationToken():
            _change_tokens(resolution, affected, effect, reasons)
        case f.Heal():
            for disk in affected:
                damage.heal(resolution, disk, amount, reasons)
        case f.ReduceToughness():
            weakened = (*reasons, Reason("R-33", {"toughness": effect.toughness}))
            for disk in affected:
                resolution.emit(DiskWeakened(disk, resolution.board.disks[disk].weakened + effect.toughness, weakened))
            damage.resolve_due_wounds(resolution)  # the new toughness counts at once
        case f.ReinforceNear():
            resolution.push(*[ReinforcementTask(user, effect.reach, effect.selector)] * effect.count)
        case f.FightEngagement():
            resolution.push(FightTask(user))
        case (
            f.IncreaseRange()
            | f.IncreaseMovement()
            | f.IncreaseShotStrength()
            | f.IncreaseToughness()
            | f.IncreaseMeleeStrength()
        ):
            pass  # R7.8: passive; `effective_stats` reads them from the card or disk that has them
        case f.RemoveEmpowerment() | f.Rampage() | f.DamageAround():
            pass  # passive: landings and ranged attacks look them up
        case _:
            assert_never(effect)


def amount_of(effect: f.Effect) -> f.Amount:
    """Return the amount to roll before an effect is applied; zero for an effect without one."""
    match effect:
        case f.DealDamage() | f.DealDamageNear() | f.Heal():
            return effect.amount
        case f.RollWound():
            return f.Amount(d6=1)
        case (
            f.Empower()
            | f.AddActivationToken()
            | f.ReduceToughness()
            | f.RemoveActivationToken()
            | f.ReinforceNear()
            | f.FightEngagement()
        ):
            return f.Amount()
        case (
            f.IncreaseRange()
            | f.IncreaseMovement()
            | f.IncreaseShotStrength()
            | f.IncreaseToughness()
            | f.IncreaseMeleeStrength()
        ):
            return f.Amount()
        case f.RemoveEmpowerment() | f.Rampage() | f.DamageAround():
            return f.Amount()
        case _:
            assert_never(effect)


def rolled_amount(effect: f.Effect, amount: int) -> int | None:
    """Return the amount that an effect has, for its event; None for one without, and for a roll against faces."""
    return amount if isinstance(effect, f.DealDamage | f.DealDamageNear | f.Heal) else None


def amount_numbers(effect: f.Effect, amount: int) -> dict[str, int]:
    """Return the amount of an effect as the numbers of a reason."""
    return {} if rolled_amount(effect, amount) is None else {"amount": amount}


def needed_faces(effect: f.Effect) -> Faces:
    """Return the faces of its die with which an effect succeeds; none for one that rolls an amount or nothing."""
    return tuple(range(effect.minimum, 7)) if isinstance(effect, f.RollWound) else ()  # R16.8


def _change_tokens(
    resolution: Resolution,
    disks: Sequence[int],
    effect: f.Empower | f.RemoveActivationToken | f.AddActivationToken,
    reasons: tuple[Reason, ...],
) -> None:
    """Add or remove a token on each disk on which that changes something."""
    for disk in disks:
        now = resolution.board.disks[disk]
        if isinstance(effect, f.Empower):
            if not now.empowered:  # R1.3
                resolution.emit(DiskEmpowered(disk, True, reasons))
        elif now.activated == isinstance(effect, f.RemoveActivationToken):
            resolution.emit(ActivationTokenChanged(disk, not now.activated, reasons))


def _deal_damage(
    resolution: Resolution,
    struck: Iterable[int],
    effect: f.DealDamage | f.DealDamageNear,
    amount: int,
    reasons: tuple[Reason, ...],
) -> None:
    damage.strike(resolution, [DiskHit(disk, amount, effect.damage_type) for disk in sorted(struck)], reasons)


def _blast_targets(board: Board, target: int, effect: f.DealDamage) -> list[int]:
    """Return the target and, if the effect has `around`, each other disk near it, own disks included.

    "Each disk" is not aimed, so neither side nor sight matters for the others (R11.1).
    """
    if not effect.around:
        return [target]
    near = [
        d.id
        for d in position.fielded_disks(board)
        if d.id != target and position.is_within(board, target, d.id, effect.around)
    ]
    return [target, *near]


def _enemies_within(board: Board, user: int, reach: f.Reach) -> list[int]:
    return [
        disk.id
        for disk in position.fielded_disks(board)
        if disk.seat != board.disks[user].seat and position.is_within(board, user, disk.id, reach)
    ]
