"""What does each effect of the closed vocabulary do, and whom may it be aimed at?

One branch per effect; the type checker names every `match` that a new effect must be added to. Must not know when an
ability may be used: that is for those above.
"""

from collections.abc import Sequence
from typing import assert_never

from diskwars_engine.diskwars import harm, keywords, state
from diskwars_engine.diskwars.evolve import Play
from diskwars_engine.diskwars.harm import Hit
from diskwars_protocol.diskwars import figures as f
from diskwars_protocol.diskwars.actions import Trigger
from diskwars_protocol.diskwars.board import Board
from diskwars_protocol.diskwars.events import DiskEmpowered, DiskMarked, DiskWeakened
from diskwars_protocol.match import Because


def focus_abilities(board: Board, disk: int) -> list[f.Effect]:
    """The focus abilities of a disk, by the number that `Focus` names: Magic X first (R8.3), then those printed."""
    magic = keywords.magic(board.profile(disk))
    found: list[f.Effect] = [] if magic is None else [f.Harm(magic, "arcane", "medium")]
    return found + [ability.effect for _, ability in state.abilities(board, disk, "focus")]


def focus_rule(board: Board, disk: int, number: int) -> str:
    """The rule that a focus ability obeys: Magic X, or the disk's own text."""
    return "R8.3" if number == 0 and keywords.magic(board.profile(disk)) is not None else "R8.1.2"


def targets(board: Board, user: int, effect: f.Effect) -> list[int] | None:
    """Whom an effect may be aimed at; None when it takes no target."""
    match effect:
        case f.Harm():
            return _enemies_within(board, user, effect.reach)
        case f.Weaken():
            return [n for n in _enemies_within(board, user, effect.reach) if state.toughness(board, n)]
        case f.Empower():
            # R1.3 an empowered disk cannot be empowered again; R7.14 the user may be the target
            return [n for n in _own_within(board, user, effect.reach) if not board.disks[n].empowered]
        case f.Refresh():
            near = _own_within(board, user, effect.reach)
            return [n for n in near if board.disks[n].activated and effect.named in board.profile(n).name]
        case f.HarmNear() | f.WoundOn() | f.LongerShots() | f.Faster() | f.Stronger():
            return None
        case _:
            assert_never(effect)


def is_usable(board: Board, user: int, effect: f.Effect) -> bool:
    """Whether using it now would have somebody to aim at."""
    aims = targets(board, user, effect)
    return bool(aims) if aims is not None else isinstance(effect, f.HarmNear)


def is_due(board: Board, trigger: Trigger) -> bool:
    """R8.5.3: an engaged enemy may be dead by now, but an ability is measured from the disk that has it.

    Where it works on the very enemy that was engaged, that one has to be there still.
    """
    effect = board.profile(trigger.disk).abilities[trigger.ability].effect
    aimed = isinstance(effect, f.Harm | f.WoundOn | f.Weaken)
    return state.is_fielded(board, trigger.disk) and (not aimed or state.is_fielded(board, trigger.enemy))


def apply(
    play: Play,
    user: int,
    target: int | None,
    effect: f.Effect,
    amount: int,
    why: tuple[Because, ...],
    also: Sequence[int] = (),
) -> None:
    """Does what the effect says. `amount` is what its dice or its figure came to; `also` are struck besides (R7.15)."""
    match effect:
        case f.Harm():
            _harm(play, [] if target is None else _struck(play.board, target, effect), also, effect, amount, why)
        case f.HarmNear():
            _harm(play, _enemies_within(play.board, user, effect.reach), also, effect, amount, why)
        case f.WoundOn():
            if target is not None and amount >= effect.least:
                harm.wound(play, [target])
        case f.Empower():
            if target is not None:
                play.emit(DiskEmpowered(target, True, why))
        case f.Refresh():
            if target is not None:
                play.emit(DiskMarked(target, False, why))
        case f.Weaken():
            if target is not None:
                lowered = play.board.disks[target].weakened + effect.toughness
                play.emit(DiskWeakened(target, lowered, (*why, Because("R-33", {"toughness": effect.toughness}))))
                harm.test_wounds(play, [target])  # R-33 the new toughness counts at once
        case f.LongerShots() | f.Faster() | f.Stronger():
            pass  # R7.8 passive: the figures in force take them from the revealed card
        case _:
            assert_never(effect)


def amount_of(effect: f.Effect) -> f.Amount:
    """What an effect has to roll or read before it is applied."""
    match effect:
        case f.Harm() | f.HarmNear():
            return effect.amount
        case f.WoundOn():
            return f.Amount(d6=1)
        case f.Empower() | f.Weaken() | f.Refresh() | f.LongerShots() | f.Faster() | f.Stronger():
            return f.Amount()
        case _:
            assert_never(effect)


def _harm(
    play: Play,
    struck: Sequence[int],
    also: Sequence[int],
    effect: f.Harm | f.HarmNear,
    amount: int,
    why: tuple[Because, ...],
) -> None:
    harm.strike(play, [Hit(disk, amount, effect.damage) for disk in sorted({*struck, *also})], why)


def _struck(board: Board, target: int, effect: f.Harm) -> list[int]:
    """The target, and with a blast each other disk near to it, own ones too: "each disk" targets nobody (R11.1)."""
    if not effect.around:
        return [target]
    near = [
        d.id for d in state.fielded(board) if d.id != target and state.is_within(board, target, d.id, effect.around)
    ]
    return [target, *near]


def _enemies_within(board: Board, user: int, reach: f.Reach) -> list[int]:
    return [
        disk.id
        for disk in state.fielded(board)
        if disk.seat != board.disks[user].seat and state.is_within(board, user, disk.id, reach)
    ]


def _own_within(board: Board, user: int, reach: f.Reach) -> list[int]:
    return [
        disk.id
        for disk in state.fielded(board)
        if disk.seat == board.disks[user].seat and state.is_within(board, user, disk.id, reach)
    ]
