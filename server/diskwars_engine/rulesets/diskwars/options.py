"""What could be answered? Options and defaults for every question: hints, of which `rounds` is the judge.

Must not decide anything: every legality is asked of the modules that also judge it.
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
    position,
    questions,
    rampage,
    reinforcement_places,
    scouting,
    setup_sequence,
)
from diskwars_protocol import geometry
from diskwars_protocol.fairness import SALT_BYTES
from diskwars_protocol.match import Area, Options, ParametricOption, Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board

NO_SALT = "00" * SALT_BYTES
"""Stands in an offered card lock; a player puts his own salt and link."""
ALL_ORDERS = 4
"""Every order of so many triggers is listed; of more only the one they are in."""


def options(board: Board, seat: Seat, ask: a.BoardQuestion) -> Options[a.Action]:
    """Legal answers to an open question."""
    if isinstance(ask, a.SetupQuestion):
        return setup_sequence.options(board, seat, ask)
    match ask:
        case a.AskCard():
            return Options(tuple(a.LockCard(card, NO_SALT) for card in board.sides[seat].hand or ()))
        case a.AskActivation():
            return _activations(board, seat, ask)
        case a.AskContinue():
            return _continuations(board, ask)
        case a.AskScatter():
            return Options(tuple(a.ChooseScatter(disk) for disk in ask.among))
        case a.AskTriggers():
            return Options(tuple(_orders(len(ask.triggers))))
        case a.AskUse():
            uses = [a.ChooseUse(disk) for disk in ask.among] or [a.ChooseUse()]
            return Options((*uses, *([a.ChooseUse(use=False)] if ask.may else [])))
        case a.AskReinforcement():
            return _arrivals(board, ask)
        case a.AskRampage():
            return _rampages(board, ask)
        case a.AskEngagement():
            return Options(tuple(a.ChooseEngagement(number) for number in ask.legal))
        case a.AskTargets():
            return Options(tuple(melee.target_maps(ask)))
        case _:
            assert_never(ask)


def default(board: Board, seat: Seat, ask: a.BoardQuestion, dice: Dice) -> a.Action:
    """A legal answer that does as little as possible; a card is drawn at random (R19.11)."""
    if isinstance(ask, a.SetupQuestion):
        return setup_sequence.default(board, seat, ask)
    match ask:
        case a.AskCard():
            return command_cards.default_card(board, seat, dice)
        case a.AskActivation():
            return a.EndCard()
        case a.AskContinue():
            return a.PassDisk(ask.disk)
        case a.AskReinforcement():
            return a.PassDisk(ask.by)
        case a.AskUse():
            return options(board, seat, ask).actions[-1]
        case a.AskScatter() | a.AskTriggers() | a.AskRampage() | a.AskEngagement() | a.AskTargets():
            return options(board, seat, ask).actions[0]
        case _:
            assert_never(ask)


def _activations(board: Board, seat: Seat, ask: a.AskActivation) -> Options[a.Action]:
    actions: list[a.Action] = [a.EndCard()]
    plans: list[ParametricOption[a.Action]] = []
    if ask.ability:
        actions.extend(command_cards.ability_uses(board, e.CardTurn(seat, ask.card, ask.left, ability=True)))
    if ask.left > 0:
        ready = [disk.id for disk in board.disks if disk.seat == seat and position.is_activatable(board, disk)]
        for disk in ready:
            actions.extend([a.PassDisk(disk), *questions.shots(board, disk), *questions.foci(board, disk)])
            if flips := position.movement(board, disk):
                plans.append(_move_plan(board, disk, flips))
        for disk in [d.id for d in board.disks if d.seat == seat and activation.can_act_pinned(board, d.id)]:
            actions.extend([*questions.shots(board, disk), *questions.foci(board, disk)])  # R16.3
        plans.extend(_reinforcements(board, seat))
    return Options(tuple(actions), tuple(plans))


def _continuations(board: Board, ask: a.AskContinue) -> Options[a.Action]:
    actions: list[a.Action] = [a.PassDisk(ask.disk)]
    if "shoot" in ask.may:
        actions.extend(questions.shots(board, ask.disk))
    if "focus" in ask.may:
        actions.extend(questions.foci(board, ask.disk))
    plans: tuple[ParametricOption[a.Action], ...] = ()
    if "move" in ask.may:
        task = board.work[0]
        scouts = isinstance(task, e.Activation) and task.scouting
        plans = scouting.plan(board, ask.disk, ask.flips) if scouts else (_move_plan(board, ask.disk, ask.flips),)
    return Options(tuple(actions), plans)


def _move_plan(board: Board, disk: int, flips: int) -> ParametricOption[a.Action]:
    field, profile, now = board.field, board.profile(disk), board.disks[disk]
    length = 2 * profile.radius
    # toward the middle of the field there is always room for a flip
    dx, dy = field.width // 2 - now.x, field.height // 2 - now.y
    example = a.MoveDisk(disk, (geometry.flip_toward(*((dx, dy) if dx or dy else (0, 1)), length),))
    area = Area(profile.radius, profile.radius, field.width - profile.radius, field.height - profile.radius)
    return ParametricOption(example, disk=disk, flips=flips, length=length, areas=(area,))


def _reinforcements(board: Board, seat: Seat) -> list[ParametricOption[a.Action]]:
    """R9.1, R9.5: where the disk may be placed, with one place that is legal."""
    plans: list[ParametricOption[a.Action]] = []
    for disk in position.reserve(board, seat):
        place = reinforcement_places.entry(board, seat, disk.id)
        if place is not None:
            areas = tuple(reinforcement_places.areas(board, disk.id))
            plans.append(ParametricOption(a.Reinforce(disk.id, *place), disk=disk.id, areas=areas))
    return plans


def _arrivals(board: Board, ask: a.AskReinforcement) -> Options[a.Action]:
    """R9.6: a place within reach of the disk that brings another in, or none."""
    task = board.work[0]
    found = reinforcement_places.arrivals(board, task) if isinstance(task, e.ReinforceWork) else {}
    area = Area(0, 0, board.field.width, board.field.height)
    plans = tuple(
        ParametricOption[a.Action](a.Reinforce(n, *place), disk=n, areas=(area,)) for n, place in found.items()
    )
    return Options((a.PassDisk(ask.by),), plans)


def _rampages(board: Board, ask: a.AskRampage) -> Options[a.Action]:
    """R12.6: flips that are allowed; if it has to overlap, any other that does is allowed too."""
    found = rampage.flips(board, e.RampageWork(ask.disk, ask.toward, ask.overlap))
    moves = tuple(a.MoveDisk(ask.disk, (vector,)) for vector in found)
    plan = replace(_move_plan(board, ask.disk, 1), example=moves[0])
    return Options(moves, (plan,) if ask.overlap else ())


def _orders(count: int) -> list[a.Action]:
    if count > ALL_ORDERS:
        return [a.OrderTriggers(tuple(range(count)))]
    return [a.OrderTriggers(order) for order in permutations(range(count))]


def refuse(ask: Struct, action: Struct) -> Illegal:
    """An action that does not answer the question at all."""
    answered, given = ask.__struct_config__.tag, action.__struct_config__.tag
    return Illegal("wrong_action", f"{given} does not answer {answered}", place="$.action")
