"""Options and defaults for every question.

Options are hints: every legality comes from the modules that also judge the answer.
"""

from itertools import permutations
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from diskwars_engine.ruleset import Dice, Illegal
from diskwars_engine.rulesets.diskwars import (
    activation,
    command_cards,
    melee,
    questions,
    rampage,
    reinforcement_places,
    scouting,
    setup_sequence,
)
from diskwars_protocol import geometry
from diskwars_protocol.fairness import SALT_BYTES
from diskwars_protocol.match import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, position
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption, DiskwarsOptions

PLACEHOLDER_SALT = "00" * SALT_BYTES
"""Placeholder in an offered card lock; the player's client sets salt and nonce."""
MAX_PERMUTED_TRIGGERS = 4
"""Up to this many triggers every order is listed; of more only the current one."""


def options(board: Board, seat: Seat, ask: a.BoardQuestion) -> DiskwarsOptions:
    """Return the legal answers to an open question."""
    if isinstance(ask, a.SetupQuestion):
        return setup_sequence.options(board, seat, ask)
    match ask:
        case a.CommandCardQuestion():
            return DiskwarsOptions(tuple(a.LockCard(card, PLACEHOLDER_SALT) for card in board.sides[seat].hand or ()))
        case a.ActivationQuestion():
            return _activation_options(board, seat, ask)
        case a.ContinuationQuestion():
            return _continuation_options(board, ask)
        case a.ScatterQuestion():
            return DiskwarsOptions(tuple(a.ChooseScatter(disk) for disk in ask.candidates))
        case a.TriggerOrderQuestion():
            return DiskwarsOptions(tuple(_trigger_orders(len(ask.triggers))))
        case a.EngageAbilityQuestion():
            uses = [a.UseEngageAbility(disk) for disk in ask.candidates] or [a.UseEngageAbility()]
            return DiskwarsOptions((*uses, *([a.UseEngageAbility(use=False)] if ask.optional else [])))
        case a.ReinforcementQuestion():
            return _reinforcement_options(board, ask)
        case a.RampageQuestion():
            return _rampage_options(board, ask)
        case a.EngagementQuestion():
            return DiskwarsOptions(tuple(a.ChooseEngagement(number) for number in ask.engagements))
        case a.MeleeTargetsQuestion():
            return DiskwarsOptions(tuple(melee.target_maps(ask)))
        case _:
            assert_never(ask)


def default(board: Board, seat: Seat, ask: a.BoardQuestion, dice: Dice) -> a.Action:
    """Return a legal answer that does as little as possible; a card is drawn at random (R19.11)."""
    if isinstance(ask, a.SetupQuestion):
        return setup_sequence.default(board, seat, ask)
    match ask:
        case a.CommandCardQuestion():
            return command_cards.default_card(board, seat, dice)
        case a.ActivationQuestion():
            return a.EndCard()
        case a.ContinuationQuestion():
            return a.PassDisk(ask.disk)
        case a.ReinforcementQuestion():
            return a.PassDisk(ask.source)
        case a.EngageAbilityQuestion():
            return options(board, seat, ask).actions[-1]
        case (
            a.ScatterQuestion()
            | a.TriggerOrderQuestion()
            | a.RampageQuestion()
            | a.EngagementQuestion()
            | a.MeleeTargetsQuestion()
        ):
            return options(board, seat, ask).actions[0]
        case _:
            assert_never(ask)


def _activation_options(board: Board, seat: Seat, ask: a.ActivationQuestion) -> DiskwarsOptions:
    actions: list[a.Action] = [a.EndCard()]
    plans: list[DiskwarsOption] = []
    if ask.ability_available:
        actions.extend(
            command_cards.ability_uses(
                board, e.CommandCardTask(seat, ask.card, ask.activations_left, ability_available=True)
            )
        )
    if ask.activations_left > 0:
        ready = [disk.id for disk in board.disks if disk.seat == seat and position.is_activatable(board, disk)]
        for disk in ready:
            actions.extend(
                [a.PassDisk(disk), *questions.legal_shots(board, disk), *questions.legal_focus_uses(board, disk)]
            )
            if flips := effective_stats.movement(board, disk):
                plans.append(_move_option(board, disk, flips))
        for disk in [d.id for d in board.disks if d.seat == seat and activation.can_act_pinned(board, d.id)]:
            actions.extend([*questions.legal_shots(board, disk), *questions.legal_focus_uses(board, disk)])  # R16.3
        plans.extend(_reserve_options(board, seat))
    return DiskwarsOptions(tuple(actions), tuple(plans))


def _continuation_options(board: Board, ask: a.ContinuationQuestion) -> DiskwarsOptions:
    actions: list[a.Action] = [a.PassDisk(ask.disk)]
    if "shoot" in ask.allowed:
        actions.extend(questions.legal_shots(board, ask.disk))
    if "focus" in ask.allowed:
        actions.extend(questions.legal_focus_uses(board, ask.disk))
    plans: tuple[DiskwarsOption, ...] = ()
    if "move" in ask.allowed:
        task = board.cursor[0]
        scouts = isinstance(task, e.ActivationTask) and task.scouting
        plans = (
            scouting.move_options(board, ask.disk, ask.flips_left)
            if scouts
            else (_move_option(board, ask.disk, ask.flips_left),)
        )
    return DiskwarsOptions(tuple(actions), plans)


def _move_option(board: Board, disk: int, flips: int) -> DiskwarsOption:
    field, profile, now = board.field, board.profile(disk), board.disks[disk]
    length = 2 * profile.radius
    # a flip toward the middle of the field always fits
    dx, dy = field.width // 2 - now.x, field.height // 2 - now.y
    example = a.MoveDisk(disk, (geometry.flip_toward(*((dx, dy) if dx or dy else (0, 1)), length),))
    area = Area(profile.radius, profile.radius, field.width - profile.radius, field.height - profile.radius)
    return DiskwarsOption(example, disk=disk, flips=flips, length=length, areas=(area,))


def _reserve_options(board: Board, seat: Seat) -> list[DiskwarsOption]:
    """R9.1, R9.5: where the disk may be placed, with one place that is legal."""
    plans: list[DiskwarsOption] = []
    for disk in position.reserve_disks(board, seat):
        place = reinforcement_places.reinforcement_place(board, seat, disk.id)
        if place is not None:
            areas = tuple(reinforcement_places.areas(board, disk.id))
            plans.append(DiskwarsOption(a.Reinforce(disk.id, *place), disk=disk.id, areas=areas))
    return plans


def _reinforcement_options(board: Board, ask: a.ReinforcementQuestion) -> DiskwarsOptions:
    """R9.6: a place within reach of the disk that brings another in, or none."""
    task = board.cursor[0]
    found = reinforcement_places.ability_places(board, task) if isinstance(task, e.ReinforcementTask) else {}
    area = Area(0, 0, board.field.width, board.field.height)
    plans = tuple(DiskwarsOption(a.Reinforce(n, *place), disk=n, areas=(area,)) for n, place in found.items())
    return DiskwarsOptions((a.PassDisk(ask.source),), plans)


def _rampage_options(board: Board, ask: a.RampageQuestion) -> DiskwarsOptions:
    """R12.6: flips that are allowed; if it has to overlap, any other that does is allowed too."""
    found = rampage.allowed_flips(board, e.RampageTask(ask.disk, ask.targets, ask.must_overlap))
    moves = tuple(a.MoveDisk(ask.disk, (vector,)) for vector in found)
    plan = replace(_move_option(board, ask.disk, 1), example=moves[0])
    return DiskwarsOptions(moves, (plan,) if ask.must_overlap else ())


def _trigger_orders(count: int) -> list[a.Action]:
    if count > MAX_PERMUTED_TRIGGERS:
        return [a.OrderTriggers(tuple(range(count)))]
    return [a.OrderTriggers(order) for order in permutations(range(count))]


def wrong_action(ask: Struct, action: Struct) -> Illegal:
    """Return the refusal of an action that does not answer the question."""
    answered, given = ask.__struct_config__.tag, action.__struct_config__.tag
    return Illegal("wrong_action", f"{given} does not answer {answered}", place="$.action")
