"""Legal targets of ranged attacks and abilities, and explanations for the illegal ones (R8.3, R12.1)."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import ParamSpec

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import effects
from diskwars_engine.rulesets.diskwars.activation import shooting
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.actions import ActionTag, Focus, Shoot
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.stats import REACHES, Effect

MOVE: ActionTag = "move_disk"
SHOOT: ActionTag = "shoot"
FOCUS: ActionTag = "focus"
USE: ActionTag = "use_ability"
REINFORCE: ActionTag = "reinforce"
"""Tags of actions, by which a `DiskwarsUnavailable` names what a disk cannot do."""

P = ParamSpec("P")
Numbers = dict[str, int]


def legal_shots(board: Board, disk: int, work: WorkBudget) -> list[Shoot]:
    """List every legal ranged attack of a disk."""
    actions: list[Shoot] = []
    for number, shot in enumerate(board.profile(disk).shots):
        work.spend(len(board.disks))
        actions.extend(Shoot(disk, target, number) for target in shooting.targets(board, disk, shot))
    return actions


def legal_focus_uses(board: Board, disk: int, work: WorkBudget) -> list[Focus]:
    """List every legal use of the focus abilities of a disk."""
    actions: list[Focus] = []
    for number, effect in enumerate(position.focus_abilities(board, disk)):
        work.spend(len(board.disks))
        targets = effects.targets(board, disk, effect)
        if targets is not None:
            actions.extend(Focus(disk, target, number) for target in targets)
        elif effects.is_usable(board, disk, effect):
            actions.append(Focus(disk, None, number))
    return actions


# ---------------------------------------------------------------- refusals as explanations


def find_refusal(check: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> Illegal | None:
    """Call a check and return the refusal that it raises, or None if it passes."""
    try:
        check(*args, **kwargs)
    except Illegal as refused:
        return refused
    return None


def explain(
    refused: Illegal,
    disk: int,
    action: ActionTag | None = None,
    target: int | None = None,
    numbers: Numbers | None = None,
) -> DiskwarsUnavailable:
    """Turn the refusal of an action of a disk into an explanation of why the action is not offered."""
    merged = {**refused.numbers, **(numbers or {})}
    return DiskwarsUnavailable(refused.code, refused.text, refused.rule, disk, None, action, target, merged)


def unavailable_shots(board: Board, disk: int, work: WorkBudget) -> Iterator[DiskwarsUnavailable]:
    """Explain the enemies that no ranged attack of a disk can be aimed at, for its longest attack (R12.1)."""
    shots = board.profile(disk).shots
    if not shots:
        return
    number = max(range(len(shots)), key=lambda candidate: REACHES.index(shots[candidate].reach))
    enemies = [other.id for other in position.fielded_disks(board) if position.are_enemies(board, disk, other.id)]
    offered = {action.target for action in legal_shots(board, disk, work)} & set(enemies)
    refusals = [
        (enemy, shooting.refusal(board, disk, enemy, shots[number])) for enemy in enemies if enemy not in offered
    ]
    yield from _blocked_targets(board, disk, SHOOT, refusals, offered, {"shot": number})


def unavailable_focus(board: Board, disk: int, work: WorkBudget) -> Iterator[DiskwarsUnavailable]:
    """Explain the targets that the focus abilities of a disk cannot be aimed at."""
    for number, effect in enumerate(position.focus_abilities(board, disk)):
        rule = effects.focus_rule(board, disk, number)
        yield from unavailable_effect(board, disk, FOCUS, effect, rule, {"ability": number}, work)


def unavailable_effect(
    board: Board,
    disk: int,
    action: ActionTag,
    effect: Effect,
    rule: str,
    numbers: Numbers,
    work: WorkBudget,
) -> Iterator[DiskwarsUnavailable]:
    """Explain the targets that an ability of a disk cannot be aimed at, or that it would have no effect."""
    work.spend(len(board.disks))
    if not effects.is_aimed(effect):
        if not effects.is_usable(board, disk, effect):
            text = f"used by disk {disk} the ability would do nothing"
            yield DiskwarsUnavailable("bad_target", text, rule, disk, action=action, numbers=numbers)
        return
    offered = effects.targets(board, disk, effect) or ()
    others = [other for other in effects.disks_of_target_side(board, disk, effect) if other not in offered]
    refusals = [(other, effects.refusal(board, disk, other, effect, rule)) for other in others]
    yield from _blocked_targets(board, disk, action, refusals, offered, numbers)


def _blocked_targets(
    board: Board,
    disk: int,
    action: ActionTag,
    refusals: Sequence[tuple[int, Illegal | None]],
    offered: Collection[int],
    numbers: Numbers,
) -> Iterator[DiskwarsUnavailable]:
    """Explain the illegal targets in range, and the nearest one out of range if no target is offered.

    A list of every disk too far away would bury the explanations that a player can act on.
    """
    blocked = [(target, refused) for target, refused in refusals if refused is not None]
    far = [(target, refused) for target, refused in blocked if refused.code == "out_of_range"]
    shown = [pair for pair in blocked if pair not in far]
    if not offered and far:
        shown.append(min(far, key=lambda pair: (position.distance(board, disk, pair[0]), pair[0])))
    for target, refused in shown:
        yield explain(refused, disk, action, target, numbers)
