"""Resolution of a revealed command card: activations, reinforcing, the battle ability (R7.7 to R7.15)."""

from collections.abc import Iterator

from msgspec.structs import replace

from diskwars_engine.ruleset import Dice, Illegal
from diskwars_engine.rulesets.diskwars import effects
from diskwars_engine.rulesets.diskwars.activation import (
    activation,
    aiming,
    command_cards,
    move_options,
    movement,
    reinforcement_places,
    shooting,
)
from diskwars_engine.rulesets.diskwars.activation.aiming import MOVE, REINFORCE, USE, explain, find_refusal
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.task_rules import OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import CommandCardTask
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.identifiers import id_title
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position, sight
from diskwars_protocol.rulesets.diskwars.actions import (
    Action,
    ActivationQuestion,
    EndCard,
    Focus,
    MoveDisk,
    PassDisk,
    Reinforce,
    Shoot,
    UseAbility,
)
from diskwars_protocol.rulesets.diskwars.board import Board, Disk
from diskwars_protocol.rulesets.diskwars.events import AbilityUsed, CardBegan
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOption, DiskwarsOptions, DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.stats import Ability

# ---------------------------------------------------------------- the question


def questions(board: Board, task: CommandCardTask) -> OpenQuestions:
    """Ask the player of the card for an action while the card allows one (R19.12)."""
    if not task.begun or position.is_eliminated(board, task.seat):
        return ()
    ability = _can_use_ability(board, task)
    if ability or (task.activations_left > 0 and _can_activate(board, task.seat)):
        return ((task.seat, ActivationQuestion(task.card, task.activations_left, ability)),)
    return ()


def _can_activate(board: Board, seat: Seat) -> bool:
    """Return whether a seat has a disk that can be activated (R7.11, R16.3), or one that can come in."""
    own = [disk for disk in position.fielded_disks(board) if disk.seat == seat]
    if any(position.is_activatable(board, disk) or activation.can_act_pinned(board, disk.id) for disk in own):
        return True
    reserve = position.reserve_disks(board, seat)
    return any(reinforcement_places.can_be_reinforced(board, seat, disk.id) for disk in reserve)


def options(
    board: Board, seat: Seat, task: CommandCardTask, question: ActivationQuestion, work: WorkBudget
) -> DiskwarsOptions:
    """Offer every use of a revealed card (R7.9 to R7.12)."""
    actions: list[Action] = [EndCard()]
    parametric: list[DiskwarsOption] = []
    if question.ability_available:
        actions.extend(_ability_uses(board, task, work))
    if question.activations_left > 0:
        own = [disk for disk in board.disks if disk.seat == seat]
        for disk in [disk.id for disk in own if position.is_activatable(board, disk)]:
            actions.extend(
                [PassDisk(disk), *aiming.legal_shots(board, disk, work), *aiming.legal_focus_uses(board, disk, work)]
            )
            if flips := effective_stats.movement(board, disk):
                parametric.append(move_options.move_option(board, disk, flips))
        for disk in [disk.id for disk in own if activation.can_act_pinned(board, disk.id)]:
            actions.extend(
                [*aiming.legal_shots(board, disk, work), *aiming.legal_focus_uses(board, disk, work)]
            )  # R16.3
        parametric.extend(_reserve_options(board, seat, work))
    return DiskwarsOptions(tuple(actions), tuple(parametric))


def _reserve_options(board: Board, seat: Seat, work: WorkBudget) -> Iterator[DiskwarsOption]:
    """Offer the areas for each disk of the reserve that can come in, with one legal place (R9.1, R9.5)."""
    for disk in position.reserve_disks(board, seat):
        place = reinforcement_places.reinforcement_place(board, seat, disk.id, work)
        if place is not None:
            areas = tuple(reinforcement_places.areas(board, disk.id))
            yield move_options.placement_option(board, Reinforce(disk.id, *place), areas)


def default(board: Board, seat: Seat, task: CommandCardTask, question: ActivationQuestion, dice: Dice) -> Action:
    """End the card; the rest of it stays unused."""
    return EndCard()


# ---------------------------------------------------------------- what is not offered


def unavailable(
    board: Board, seat: Seat, task: CommandCardTask, question: ActivationQuestion, work: WorkBudget
) -> Iterator[DiskwarsUnavailable]:
    """Explain which disks cannot be activated, and why the battle ability cannot be used, with this card now."""
    yield from _battle_ability_unavailable(board, seat, task, work)
    if question.activations_left < 1:
        yield DiskwarsUnavailable("not_legal", "the card has no activation left", "R7.11", card=question.card)
        return
    for disk in position.fielded_disks(board):
        if disk.seat == seat:
            yield from _disk_unavailable(board, seat, disk, work)
    for disk in position.reserve_disks(board, seat):
        if refused := reinforcement_places.reinforcement_refusal(board, seat, disk.id, work):
            yield explain(refused, disk.id, REINFORCE)


def _disk_unavailable(board: Board, seat: Seat, disk: Disk, work: WorkBudget) -> Iterator[DiskwarsUnavailable]:
    """Explain why a disk cannot be activated, or what it could not do if it were."""
    refused = find_refusal(activation.check_disk, board, seat, disk.id)
    acts_pinned = activation.can_act_pinned(board, disk.id)
    if refused and not acts_pinned:
        yield explain(refused, disk.id)
        return
    if refused:
        yield explain(refused, disk.id, MOVE)  # R16.3 it acts where it lies
    elif not effective_stats.movement(board, disk.id):
        rule = "R16.5" if keywords.is_emplaced(board.profile(disk.id)) else "R8.4"
        yield DiskwarsUnavailable("too_many_flips", f"disk {disk.id} has no flips", rule, disk.id, action=MOVE)
    yield from aiming.unavailable_shots(board, disk.id, work)
    yield from aiming.unavailable_focus(board, disk.id, work)


def _battle_ability_unavailable(
    board: Board, seat: Seat, task: CommandCardTask, work: WorkBudget
) -> Iterator[DiskwarsUnavailable]:
    """Explain that the battle ability has been used, or which disks and targets it does not allow (R7.9)."""
    ability = command_cards.battle_ability(board.card(task.card))
    if ability is None:
        return
    if not task.ability_available:
        text = f'the battle ability of "{task.card}" has been used'
        yield DiskwarsUnavailable("no_such_ability", text, "R7.9", card=task.card, action=USE)
        return
    for disk in position.fielded_disks(board):
        if disk.seat != seat:
            continue
        if not qualifies(board, disk.id, ability):
            text = f"disk {disk.id} is no {id_title(ability.user or '')}"
            yield DiskwarsUnavailable("bad_target", text, "R7.9", disk.id, action=USE)
        else:
            yield from aiming.unavailable_effect(board, disk.id, USE, ability.effect, "R7.9", {}, work)


# ---------------------------------------------------------------- the answer


def answer(
    resolution: Resolution, seat: Seat, task: CommandCardTask, question: ActivationQuestion, action: Action
) -> None:
    """Carry out one use of a revealed card, and queue what is left of the card (R7.9 to R7.12)."""
    rest = replace(task, activations_left=task.activations_left - 1)
    below = len(resolution.tasks)
    match action:
        case EndCard():
            rest = replace(task, activations_left=0, ability_available=False)
        case UseAbility():
            rest = use_ability(resolution, task, action)
        case Reinforce():
            _check_activations_left(task)
            movement.check_disk_number(resolution.board, action.disk)
            movement.check_reinforcement(resolution.board, seat, action.disk, action.x, action.y)
            movement.reinforce(resolution, seat, action)
        case MoveDisk() | Shoot() | Focus() | PassDisk():
            _check_activations_left(task)
            activation.start(resolution, seat, action)
        case _:
            raise wrong_action(question, action)
    resolution.push_above(below, rest)


def _check_activations_left(task: CommandCardTask) -> None:
    if task.activations_left < 1:
        raise Illegal("not_legal", "the card has no activation left", "R7.11", "$.action")


def run(resolution: Resolution, task: CommandCardTask) -> None:
    """Begin the card when its turn comes (R7.7); drop it once it allows nothing more."""
    if not task.begun and not position.is_eliminated(resolution.board, task.seat):
        resolution.emit(CardBegan(task.seat, task.card))
        resolution.push(replace(task, begun=True))


# ---------------------------------------------------------------- the battle ability


def _ability_uses(board: Board, task: CommandCardTask, work: WorkBudget) -> Iterator[UseAbility]:
    """Yield every legal use of the battle ability: by which disk, at which target (R7.9)."""
    ability = _unused_ability(board, task)
    if ability is None:
        return
    for disk in _qualified_disks(board, task, ability):
        work.spend(len(board.disks))
        targets = effects.targets(board, disk, ability.effect)
        if targets is not None:
            yield from (UseAbility(disk, target) for target in targets)
        elif effects.is_usable(board, disk, ability.effect):
            yield UseAbility(disk)


def _can_use_ability(board: Board, task: CommandCardTask) -> bool:
    """Return whether the battle ability has any legal use (R7.9)."""
    ability = _unused_ability(board, task)
    if ability is None:
        return False
    return effects.is_usable_by_any(board, _qualified_disks(board, task, ability), ability.effect)


def _unused_ability(board: Board, task: CommandCardTask) -> Ability | None:
    return command_cards.battle_ability(board.card(task.card)) if task.ability_available else None


def _qualified_disks(board: Board, task: CommandCardTask, ability: Ability) -> list[int]:
    """List the fielded disks of the player that the battle ability allows as its user."""
    own = [disk for disk in position.fielded_disks(board) if disk.seat == task.seat]
    return [disk.id for disk in own if effective_stats.matches_selector(board.profiles[disk.profile], ability.user)]


def qualifies(board: Board, disk: int, ability: Ability) -> bool:
    """Return whether the battle ability allows a disk as its user; pinned and activated disks too (R7.9)."""
    return effective_stats.matches_selector(board.profile(disk), ability.user)


def use_ability(resolution: Resolution, task: CommandCardTask, action: UseAbility) -> CommandCardTask:
    """Use the battle ability: once, at no cost, between activations (R7.9, R7.10). Return the rest of the card.

    Raises `Illegal`.
    """
    board = resolution.board
    ability = command_cards.battle_ability(board.card(task.card))
    if ability is None or not task.ability_available:
        raise Illegal(
            "no_such_ability", f'"{board.card_name(task.card)}" has no battle ability to use now', "R7.9", "$.action"
        )
    check_ability_use(board, task.seat, ability, action)
    amount, dice = resolution.roll_amount(effects.amount_of(ability.effect), "battle ability")
    unstable_dice = resolution.dice.roll(shooting.BATTLE_DICE, 6, 1, "unstable") if ability.unstable else None
    backfiring = shooting.faces_showing(board, "chaos") if ability.unstable else ()
    # R7.15, R-72: on chaos the effect strikes its user as well.
    extra_targets = [action.disk] if unstable_dice and unstable_dice.results[0] in backfiring else []
    line = () if action.target is None else sight.sight_reasons(board, action.disk, action.target)
    reasons = (Reason("R7.9", effects.amount_numbers(ability.effect, amount)), *line)
    used = AbilityUsed(
        seat=task.seat,
        disk=action.disk,
        reasons=reasons,
        target=action.target,
        card=task.card,
        amount=effects.rolled_amount(ability.effect, amount),
        dice=dice,
        needed=effects.needed_faces(ability.effect),
        unstable_dice=unstable_dice,
        backfiring=backfiring,
    )
    resolution.emit_cause(used, "battle_ability", action.disk)
    effects.apply(resolution, action.disk, action.target, ability.effect, amount, reasons, extra_targets=extra_targets)
    is_between_activations = task.activations_left < board.card(task.card).activations
    if is_between_activations and board.settings.battle_ability_timing == "first_or_last":
        # with this option, an ability used in between ends the activations.
        return replace(task, ability_available=False, activations_left=0)
    return replace(task, ability_available=False)


def check_ability_use(board: Board, seat: Seat, ability: Ability, action: UseAbility) -> None:
    """Check that the user is an own, fielded disk that the ability allows, and that the target is legal (R7.9).

    Raises `Illegal`.
    """
    place = "$.action.disk"
    movement.check_disk_number(board, action.disk)
    if board.disks[action.disk].seat != seat:
        raise Illegal(
            "not_your_disk", f"disk {action.disk} is another player's", "R7.9", place, numbers={"disk": action.disk}
        )
    if not position.is_fielded(board, action.disk):
        raise Illegal(
            "not_on_field",
            f"disk {action.disk} is not on the battlefield",
            "R7.9",
            place,
            numbers={"disk": action.disk},
        )
    if not qualifies(board, action.disk, ability):
        raise Illegal(
            "bad_target",
            f"disk {action.disk} is no {id_title(ability.user or '')}",
            "R7.9",
            place,
            numbers={"disk": action.disk},
        )
    effects.check_target(board, action.disk, action.target, ability.effect, "R7.9")
    if not effects.is_usable(board, action.disk, ability.effect):
        raise Illegal(
            "bad_target",
            f"used by disk {action.disk} the ability would do nothing",
            "R7.9",
            place,
            numbers={"disk": action.disk},
        )
