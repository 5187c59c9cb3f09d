"""The uses of a card in a roll-out but for moves, with their values: shots, abilities, disks of the reserve."""

import random
from collections.abc import Sequence

from msgspec.structs import replace

from diskwars_bots.rulesets.diskwars import action_values, weights
from diskwars_bots.rulesets.diskwars.evaluation import value_of_landing
from diskwars_bots.rulesets.diskwars.greedy_bot import later_card_cost, weigh_answers
from diskwars_bots.rulesets.diskwars.move_choice import free_places, reserve_fighter
from diskwars_bots.rulesets.diskwars.roll_out_position import CardUse, RollOutPosition
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import areas
from diskwars_protocol.rulesets.diskwars.board import Board, Disk
from diskwars_protocol.rulesets.diskwars.events import Pin
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOption, DiskwarsOptions

PLACES_WEIGHED = 8
"""Places that are weighed for a disk of the reserve, evenly spread over those of the greedy bot."""


def weigh_uses(
    situation: RollOutPosition, question: a.Question, options: DiskwarsOptions, rng: random.Random
) -> tuple[CardUse, ...]:
    """Return the uses that are offered with their values; moves are left out."""
    board = situation.board
    scored = list(weigh_actions(situation, question, options.actions, rng))
    placements = [option for option in options.parametric if isinstance(option.example, a.Reinforce)]
    later = later_card_cost(situation) if placements else 0
    for option in placements:
        placed = best_placement(situation, option)
        if placed is not None:
            scored.append((placed[0] - later, placed[1]))
    return tuple([CardUse(value, action, named_disks(board, action)) for value, action in scored])


def weigh_actions(
    situation: RollOutPosition, question: a.Question, actions: Sequence[a.Action], rng: random.Random
) -> list[tuple[int, a.Action]]:
    """Return actions with their values: those of the greedy bot, each looked up where it is known."""
    values: dict[a.Action | int, int] = {}
    others: dict[a.Action | int, a.Action] = {}
    for action in actions:
        if isinstance(action, a.Shoot):
            values[action] = shot_value(situation, action)
        else:
            others.setdefault(_same_value(action), action)
    for value, action in weigh_answers(situation, question, DiskwarsOptions(tuple(others.values())), rng):
        values[_same_value(action)] = value
    return [(values[_same_value(action)], action) for action in actions]


def _same_value(action: a.Action) -> a.Action | int:
    """Return what the value of an action depends on: what a card does to its target is the same for all its users."""
    return action.target if isinstance(action, a.UseAbility) and action.target is not None else action


def shot_value(situation: RollOutPosition, action: a.Shoot) -> int:
    """Return the value of a shot, kept by what it depends on: who shoots, the target, what pins it and who is near."""
    fighters, kept = situation.fighters, situation.view.shots
    target = fighters[action.target]
    x, y, span = target.x, target.y, target.radius + situation.board.field.short
    key = (
        action,
        id(fighters[action.disk]),
        id(target),
        *map(id, situation.pinning.get(action.target, ())),
        0,
        *[id(o) for o in fighters.values() if (o.x - x) ** 2 + (o.y - y) ** 2 <= (span + o.radius) ** 2],
    )
    value = kept.get(key)
    if value is None:
        situation.view.memory.count(1)
        value = kept[key] = action_values.shot_value(situation, action)
    return value


def best_placement(situation: RollOutPosition, option: DiskwarsOption) -> tuple[int, a.Reinforce] | None:
    """Return a good place for a disk of the reserve and its value: `move_choice.best_reinforcement` of fewer places."""
    example = option.example
    if not isinstance(example, a.Reinforce):
        return None
    fighter = reserve_fighter(situation, example.disk)
    places = sorted({*free_places(situation, fighter, option.areas)})
    best: tuple[int, a.Reinforce] | None = None
    for x, y in [(example.x, example.y), *places[:: -(-len(places) // PLACES_WEIGHED) or 1]]:
        if not areas.is_disk_in_any_area(situation.board, fighter.id, x, y, option.areas):
            continue
        pinned = situation.pinned_at(fighter.id, x, y, fighter.radius)
        if situation.rounds_left and pinned and all(other.is_own for other in pinned):
            continue
        value = value_of_landing(situation, fighter, x, y, is_flip=False)
        if best is None or value > best[0]:
            best = value, a.Reinforce(fighter.id, x, y)
    if best is None:
        return None
    lost = fighter.worth if not situation.rounds_left else 0  # a disk that stays in reserve is a casualty at the end
    return best[0] + weights.REINFORCE + lost, best[1]


def named_disks(board: Board, action: a.Action) -> tuple[Disk, ...]:
    """Return the disks that an action names, as they are."""
    numbers = (getattr(action, "disk", None), getattr(action, "target", None))
    return tuple([board.disks[number] for number in numbers if number is not None])


# ---------------------------------------------------------------- later activations of a card


def is_still_offered(
    question: a.ActivationQuestion, use: CardUse, situation: RollOutPosition, pins: tuple[Pin, ...]
) -> bool:
    """Return whether a use that was offered before still is: its disks lie as they did, and nothing new is on them.

    `pins` are those of then.
    """
    board = situation.board
    for disk in use.disks:
        now = board.disks[disk.id]
        if now is not disk and now != disk:
            return False
    action = use.action
    if isinstance(action, a.EndCard):
        return True
    if isinstance(action, a.UseAbility):
        return question.ability_available and (action.target is not None or board.pins == pins)
    if question.activations_left < 1:
        return False
    if isinstance(action, a.Reinforce):
        return True
    if not situation.fighters[use.disks[0].id].is_ready and board.pins != pins:
        return False
    return not isinstance(action, a.Focus) or action.target is not None or board.pins == pins


def weigh_again(
    question: a.ActivationQuestion,
    uses: tuple[CardUse, ...],
    situation: RollOutPosition,
    pins: tuple[Pin, ...],
    rng: random.Random,
) -> tuple[CardUse, ...]:
    """Return uses with their values of now, where a pin of a disk that they name has come or gone since `pins`."""
    changed = {number for pin in {*pins} ^ {*situation.board.pins} for number in (pin.top, pin.bottom)}
    stale = [
        use.action
        for use in uses
        if not isinstance(use.action, a.Reinforce) and any(disk.id in changed for disk in use.disks)
    ]
    if not stale:
        return uses
    values = {action: value for value, action in weigh_actions(situation, question, stale, rng)}
    return tuple([replace(use, value=values.get(use.action, use.value)) for use in uses])
