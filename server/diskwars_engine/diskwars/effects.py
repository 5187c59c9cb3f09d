"""What does each effect of the closed vocabulary do, and whom may it be aimed at?

One branch per effect; the type checker names every `match` that a new effect must be added to. Must not know when an
ability may be used: that is for those above.
"""

from collections.abc import Iterable, Sequence
from typing import assert_never

from diskwars_engine.diskwars import harm, keywords, state, terrain
from diskwars_engine.diskwars.evolve import Play
from diskwars_engine.diskwars.harm import Hit
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.diskwars import figures as f
from diskwars_protocol.diskwars.board import Board
from diskwars_protocol.diskwars.events import DiskEmpowered, DiskMarked, DiskWeakened, FightWork, ReinforceWork
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
    """Whom an effect may be aimed at; None when it takes no target. R11.1: whoever is aimed at has to be seen."""
    near = _aims(board, user, effect)
    return None if near is None else [disk for disk in near if terrain.sees(board, user, disk)]


def check_sight(board: Board, user: int, target: int | None, effect: f.Effect) -> None:
    """R11.1: refuses a target that is near enough, and hidden."""
    if target is not None and target in (_aims(board, user, effect) or ()) and not terrain.sees(board, user, target):
        raise Illegal("no_sight", f"terrain hides disk {target} from disk {user}", "R11.1", "$.action.target")


def _aims(board: Board, user: int, effect: f.Effect) -> list[int] | None:
    """Whom an effect could be aimed at if all were seen."""
    match effect:
        case f.Harm():
            return _enemies_within(board, user, effect.reach)
        case f.Weaken():
            return [n for n in _enemies_within(board, user, effect.reach) if state.toughness(board, n)]
        case f.Exhaust():
            return [n for n in _enemies_within(board, user, effect.reach) if not board.disks[n].activated]
        case f.Empower():
            # R1.3 an empowered disk cannot be empowered again; R7.14 the user may be the target
            near = _own_within(board, user, effect.reach, effect.of)
            return [n for n in near if not board.disks[n].empowered]
        case f.Heal():
            return [n for n in _own_within(board, user, effect.reach, effect.of) if board.disks[n].damage]
        case f.Refresh():
            near = _own_within(board, user, effect.reach)
            return [n for n in near if board.disks[n].activated and effect.named in board.profile(n).name]
        case f.HarmNear() | f.WoundOn() | f.ReinforceBy() | f.Fight():
            return None
        case f.LongerShots() | f.Faster() | f.Stronger() | f.Tougher() | f.Fiercer():
            return None
        case f.StripEmpowerment() | f.Rampage() | f.Splash():
            return None
        case _:
            assert_never(effect)


def is_usable(board: Board, user: int, effect: f.Effect) -> bool:
    """Whether using it now would do something, or have somebody to aim at."""
    aims = targets(board, user, effect)
    if aims is not None:
        return bool(aims)
    if isinstance(effect, f.ReinforceBy):
        return bool(reinforcements(board, user, effect.of))
    if isinstance(effect, f.Fight):  # R15.5 one of the engaged disks of the card's player
        return any(user in pin for pin in state.enemy_pins(board, board.pins))
    return isinstance(effect, f.HarmNear)


def reinforcements(board: Board, user: int, of: str) -> list[int]:
    """The disks of the reserve that an ability of `user` may bring in."""
    own = state.reserve(board, board.disks[user].seat)
    return [disk.id for disk in own if state.is_of(board.profile(disk.id), of)]


def is_aimed_at_enemy(effect: f.Effect) -> bool:
    """Whether an engage ability works on the very enemy that was engaged, who then has to be there still."""
    return isinstance(effect, f.Harm | f.WoundOn | f.Weaken | f.Exhaust)


def apply(
    play: Play,
    user: int,
    target: int | None,
    effect: f.Effect,
    amount: int,
    why: tuple[Because, ...],
    also: Sequence[int] = (),
) -> None:
    """Does what the effect says, or puts it on the work list.

    `amount` is what its dice or its figure came to; `also` are struck besides (R7.15).
    """
    struck = sorted({*([] if target is None else [target]), *also})
    match effect:
        case f.Harm():
            around = [] if target is None else _struck(play.board, target, effect)
            _harm(play, {*around, *also}, effect, amount, why)
        case f.HarmNear():
            _harm(play, {*_enemies_within(play.board, user, effect.reach), *also}, effect, amount, why)
        case f.WoundOn():
            if amount >= effect.least:
                harm.wound(play, struck)
        case f.Empower() | f.Refresh() | f.Exhaust():
            _mark(play, struck, effect, why)
        case f.Heal():
            for disk in struck:
                harm.heal(play, disk, amount, why)
        case f.Weaken():
            reason = (*why, Because("R-33", {"toughness": effect.toughness}))
            for disk in struck:
                play.emit(DiskWeakened(disk, play.board.disks[disk].weakened + effect.toughness, reason))
            harm.settle(play)  # R-33 the new toughness counts at once
        case f.ReinforceBy():
            play.push(*[ReinforceWork(user, effect.reach, effect.of)] * effect.count)
        case f.Fight():
            play.push(FightWork(user))
        case f.LongerShots() | f.Faster() | f.Stronger() | f.Tougher() | f.Fiercer():
            pass  # R7.8 passive: the figures in force take them from where they stand
        case f.StripEmpowerment() | f.Rampage() | f.Splash():
            pass  # passive: landings and ranged attacks ask for them
        case _:
            assert_never(effect)


def amount_of(effect: f.Effect) -> f.Amount:
    """What an effect has to roll or read before it is applied."""
    match effect:
        case f.Harm() | f.HarmNear() | f.Heal():
            return effect.amount
        case f.WoundOn():
            return f.Amount(d6=1)
        case f.Empower() | f.Exhaust() | f.Weaken() | f.Refresh() | f.ReinforceBy() | f.Fight():
            return f.Amount()
        case f.LongerShots() | f.Faster() | f.Stronger() | f.Tougher() | f.Fiercer():
            return f.Amount()
        case f.StripEmpowerment() | f.Rampage() | f.Splash():
            return f.Amount()
        case _:
            assert_never(effect)


def _mark(
    play: Play, struck: Sequence[int], effect: f.Empower | f.Refresh | f.Exhaust, why: tuple[Because, ...]
) -> None:
    """Tokens that come or go, on disks on which that changes something."""
    for disk in struck:
        now = play.board.disks[disk]
        if isinstance(effect, f.Empower):
            if not now.empowered:  # R1.3
                play.emit(DiskEmpowered(disk, True, why))
        elif now.activated == isinstance(effect, f.Refresh):
            play.emit(DiskMarked(disk, not now.activated, why))


def _harm(
    play: Play, struck: Iterable[int], effect: f.Harm | f.HarmNear, amount: int, why: tuple[Because, ...]
) -> None:
    harm.strike(play, [Hit(disk, amount, effect.damage) for disk in sorted(struck)], why)


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


def _own_within(board: Board, user: int, reach: f.Reach, of: str = "") -> list[int]:
    return [
        disk.id
        for disk in state.fielded(board)
        if disk.seat == board.disks[user].seat
        and state.is_within(board, user, disk.id, reach)
        and state.is_of(board.profile(disk.id), of)
    ]
