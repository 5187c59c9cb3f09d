"""Refusals that disks and cards would meet, for those that are not offered.

They come from the modules that judge them, and contain nothing that the asked seat may not know.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import ParamSpec

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import (
    activation,
    command_cards,
    effects,
    engagements,
    movement,
    questions,
    reinforcement_places,
    scouting,
    shooting,
)
from diskwars_protocol.match import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board, Disk
from diskwars_protocol.rulesets.diskwars.options import DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.stats import REACHES, Effect

MOVE, SHOOT, FOCUS, USE, REINFORCE = "move_disk", "shoot", "focus", "use_ability", "reinforce"
"""What a disk cannot do, by the tag of the action."""

P = ParamSpec("P")


def unavailable(board: Board, seat: Seat, ask: a.BoardQuestion) -> tuple[DiskwarsUnavailable, ...]:
    """Return everything that is not among the options of a question, each with its refusal."""
    match ask:
        case a.CommandCardQuestion():
            return tuple(_discarded_cards(board, seat))
        case a.ActivationQuestion():
            return tuple(_activations(board, seat, ask))
        case a.ContinuationQuestion():
            return tuple(_continuations(board, ask))
        case a.ScoutQuestion():
            return tuple(_scouts(board, seat, ask))
        case a.DeploymentCardQuestion() | a.TerrainQuestion():
            return tuple(_cards(board, ask))
        case a.ScatterQuestion():
            return tuple(_scatter(board, ask))
        case a.EngageAbilityQuestion():
            return tuple(_uses(board, ask))
        case a.ReinforcementQuestion():
            return tuple(_reinforcements(board, seat, ask))
        case a.EngagementQuestion():
            return tuple(_engagements(board, ask))
        case a.MeleeTargetsQuestion():
            return tuple(_targets(board, ask))
        case _:
            return ()  # everything is among the options


Numbers = dict[str, int]


def _from_refusal(
    refused: Illegal, disk: int, action: str = "", target: int = -1, numbers: Numbers | None = None
) -> DiskwarsUnavailable:
    return DiskwarsUnavailable(refused.code, refused.text, refused.rule, disk, "", action, target, numbers or {})


def _refusal(check: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> Illegal | None:
    """Return the refusal of a check; None if it passes."""
    try:
        check(*args, **kwargs)
    except Illegal as refused:
        return refused
    return None


# ---------------------------------------------------------------- cards


def _discarded_cards(board: Board, seat: Seat) -> Iterator[DiskwarsUnavailable]:
    """Yield own cards that are not in the hand."""
    for card in board.sides[seat].discards:
        refused = command_cards.discarded_error(card)
        yield DiskwarsUnavailable(refused.code, refused.text, refused.rule, card=card)


def _cards(board: Board, ask: a.DeploymentCardQuestion | a.TerrainQuestion) -> Iterator[DiskwarsUnavailable]:
    """R-56, R-28: offered cards that fit nowhere."""
    what, rule = ("along your edge", "R-56") if isinstance(ask, a.DeploymentCardQuestion) else ("on the field", "R-28")
    for card in board.layout.offered_cards:
        if card not in ask.cards:
            yield DiskwarsUnavailable("not_legal", f'"{card}" has no room {what}', rule, card=card)


# ---------------------------------------------------------------- a card is resolved


def _activations(board: Board, seat: Seat, ask: a.ActivationQuestion) -> Iterator[DiskwarsUnavailable]:
    yield from _battle(board, seat, ask)
    if ask.activations_left < 1:
        yield DiskwarsUnavailable("not_legal", "the card has no activation left", "R7.11", card=ask.card)
        return
    for disk in position.fielded_disks(board):
        if disk.seat == seat:
            yield from _activation(board, seat, disk)
    for disk in position.reserve_disks(board, seat):
        if refused := reinforcement_places.reinforcement_refusal(board, seat, disk.id):
            yield _from_refusal(refused, disk.id, REINFORCE)


def _activation(board: Board, seat: Seat, disk: Disk) -> Iterator[DiskwarsUnavailable]:
    """Yield disks that cannot be activated, and actions that activatable disks cannot take."""
    refused = _refusal(activation.check_disk, board, seat, disk.id)
    stays = activation.can_act_pinned(board, disk.id)
    if refused and not stays:
        yield _from_refusal(refused, disk.id, numbers=_pinned(board, disk.id, refused))
        return
    if refused:
        yield _from_refusal(
            refused, disk.id, MOVE, numbers=_pinned(board, disk.id, refused)
        )  # R16.3 it acts where it lies
    elif not effective_stats.movement(board, disk.id):
        rule = "R16.5" if keywords.is_emplaced(board.profile(disk.id)) else "R8.4"
        yield DiskwarsUnavailable("too_many_flips", f"disk {disk.id} has no flips", rule, disk.id, action=MOVE)
    yield from _shots(board, disk.id)
    yield from _focus_uses(board, disk.id)


def _pinned(board: Board, disk: int, refused: Illegal) -> Numbers:
    return {"by": position.pinning_disks(board, disk)[0]} if refused.code == "disk_pinned" else {}


def _continuations(board: Board, ask: a.ContinuationQuestion) -> Iterator[DiskwarsUnavailable]:
    """R8.1, R8.2: yield actions that are no longer possible in this activation."""
    task = board.cursor[0]
    if not isinstance(task, e.ActivationTask):
        return
    has = {
        activation.MOVE: MOVE,
        **({activation.SHOOT: SHOOT} if board.profile(ask.disk).shots else {}),
        **({activation.FOCUS: FOCUS} if position.focus_abilities(board, ask.disk) else {}),
    }
    for kind, action in has.items():
        if refused := _refusal(activation.check_action_kind, board, task, kind):
            yield _from_refusal(refused, ask.disk, action)
    if activation.MOVE in task.allowed and not task.must_stop and not ask.flips_left:
        yield DiskwarsUnavailable("too_many_flips", f"disk {ask.disk} has no flips left", "R8.4", ask.disk, action=MOVE)
    if activation.SHOOT in task.allowed:
        yield from _shots(board, ask.disk)
    if activation.FOCUS in task.allowed:
        yield from _focus_uses(board, ask.disk)


# ---------------------------------------------------------------- at whom


def _shots(board: Board, disk: int) -> Iterator[DiskwarsUnavailable]:
    """R12.1: enemies at which no ranged attack of a disk can be aimed, by the attack that reaches furthest."""
    shots = board.profile(disk).shots
    if not shots:
        return
    number = max(range(len(shots)), key=lambda one: REACHES.index(shots[one].reach))
    enemies = [one.id for one in position.fielded_disks(board) if position.are_enemies(board, disk, one.id)]
    offered = {action.target for action in questions.legal_shots(board, disk)} & set(enemies)
    found = [(one, shooting.refusal(board, disk, one, shots[number])) for one in enemies if one not in offered]
    yield from _blocked_targets(board, disk, SHOOT, found, offered, {"shot": number})


def _focus_uses(board: Board, disk: int) -> Iterator[DiskwarsUnavailable]:
    for number, effect in enumerate(position.focus_abilities(board, disk)):
        rule = effects.focus_rule(board, disk, number)
        yield from _ability(board, disk, FOCUS, effect, rule, {"ability": number})


def _ability(
    board: Board, disk: int, action: str, effect: Effect, rule: str, numbers: Numbers
) -> Iterator[DiskwarsUnavailable]:
    """Yield disks that an ability cannot target, or the ability itself if it would have no effect."""
    if not effects.is_aimed(effect):
        if not effects.is_usable(board, disk, effect):
            text = f"used by disk {disk} the ability would do nothing"
            yield DiskwarsUnavailable("bad_target", text, rule, disk, action=action, numbers=numbers)
        return
    offered = effects.targets(board, disk, effect) or ()
    meant = [one for one in effects.disks_of_target_side(board, disk, effect) if one not in offered]
    found = [(one, effects.refusal(board, disk, one, effect, rule)) for one in meant]
    yield from _blocked_targets(board, disk, action, found, offered, numbers)


def _blocked_targets(
    board: Board,
    disk: int,
    action: str,
    found: Sequence[tuple[int, Illegal | None]],
    offered: Collection[int],
    numbers: Numbers,
) -> Iterator[DiskwarsUnavailable]:
    """Return disks in range that something else rules out; if there are no targets, the nearest out of range."""
    kept = [(one, refused) for one, refused in found if refused is not None]
    far = [(one, refused) for one, refused in kept if refused.code == "out_of_range"]
    shown = [pair for pair in kept if pair not in far]
    if not offered and far:
        shown.append(min(far, key=lambda pair: (position.distance(board, disk, pair[0]), pair[0])))
    for one, refused in shown:
        yield _from_refusal(refused, disk, action, one, numbers)


def _battle(board: Board, seat: Seat, ask: a.ActivationQuestion) -> Iterator[DiskwarsUnavailable]:
    """R7.9: yield the battle ability of the card if it has been used, or the disks that cannot use it."""
    ability = command_cards.battle_ability(board.card(ask.card))
    turn = board.cursor[0]
    if ability is None or not isinstance(turn, e.CommandCardTask):
        return
    if not turn.ability_available:
        text = f'the battle ability of "{ask.card}" has been used'
        yield DiskwarsUnavailable("no_such_ability", text, "R7.9", card=ask.card, action=USE)
        return
    for disk in position.fielded_disks(board):
        if disk.seat != seat:
            continue
        if not command_cards.qualifies(board, disk.id, ability):
            text = f"disk {disk.id} is no {ability.user}"
            yield DiskwarsUnavailable("bad_target", text, "R7.9", disk.id, action=USE)
        else:
            yield from _ability(board, disk.id, USE, ability.effect, "R7.9", {})


def _uses(board: Board, ask: a.EngageAbilityQuestion) -> Iterator[DiskwarsUnavailable]:
    """R19.20: yield disks that an engage ability cannot target."""
    effect = board.profile(ask.trigger.disk).abilities[ask.trigger.ability].effect
    if ask.candidates:
        yield from _ability(
            board, ask.trigger.disk, "use_engage_ability", effect, "R19.20", {"ability": ask.trigger.ability}
        )


# ---------------------------------------------------------------- scouts, scatter, disks brought in


def _scouts(board: Board, seat: Seat, ask: a.ScoutQuestion) -> Iterator[DiskwarsUnavailable]:
    """R8.9: disks that are no scouts, have moved, are pinned (R-58) or could land nowhere."""
    able, task = scouting.scouting_disks(board, seat), board.cursor[0]
    left = task.disks if isinstance(task, e.ScoutTask) else ()
    for disk in [one.id for one in position.fielded_disks(board) if one.seat == seat and one.id not in ask.disks]:
        if disk not in able or disk not in left:
            has = "has made its scout move" if disk in able else "has no scout move"
            yield DiskwarsUnavailable("not_legal", f"disk {disk} {has}", "R8.9", disk, action=MOVE)
        elif position.is_pinned(board, disk):
            yield DiskwarsUnavailable("disk_pinned", f"disk {disk} is pinned", "R-58", disk, action=MOVE)
        else:
            yield DiskwarsUnavailable(
                "illegal_flip", f"disk {disk} has no flip that a scout may make", "R8.9", disk, action=MOVE
            )


def _scatter(board: Board, ask: a.ScatterQuestion) -> Iterator[DiskwarsUnavailable]:
    """R12.3, R-21: disks near the target that are not the nearest, and the shooter."""
    task = board.cursor[0]
    if not isinstance(task, e.ScatterTask):
        return
    target = task.attack.target
    others = [one.id for one in position.fielded_disks(board) if one.id not in (target, *ask.candidates)]
    for disk in [one for one in others if position.is_within(board, target, one, "short")]:
        if disk == ask.shooter:
            yield DiskwarsUnavailable("not_legal", f"disk {disk} is the shooter", "R-21", disk, action="choose_scatter")
        else:
            text = f"disk {disk} is further from disk {target} than the nearest"
            yield DiskwarsUnavailable("not_legal", text, "R12.3", disk, action="choose_scatter")


def _reinforcements(board: Board, seat: Seat, ask: a.ReinforcementQuestion) -> Iterator[DiskwarsUnavailable]:
    """R9.6: disks of the reserve that the text does not name, or that find no place."""
    task = board.cursor[0]
    if not isinstance(task, e.ReinforcementTask):
        return
    for disk in [one.id for one in position.reserve_disks(board, seat) if one.id not in ask.candidates]:
        by = board.disks[ask.source]
        refused = _refusal(movement.check_ability_reinforcement, board, task, disk, by.x, by.y)
        if refused is not None:
            yield _from_refusal(refused, disk, REINFORCE)


# ---------------------------------------------------------------- melee


def _engagements(board: Board, ask: a.EngagementQuestion) -> Iterator[DiskwarsUnavailable]:
    """R15.2.1: engagements that others have to precede."""
    for number, one in enumerate(board.engagements):
        if one.resolved or number in ask.engagements:
            continue
        if isinstance(board.cursor[0], e.FightTask):
            text, rule = f"disk {board.cursor[0].disk} is not in engagement {number}", "R15.5"
            yield DiskwarsUnavailable(
                "not_legal", text, rule, action="choose_engagement", numbers={"engagement": number}
            )
            continue
        before = engagements.preceding(board.engagements, number, lambda disk: position.is_fielded(board, disk))
        names = ", ".join(str(other) for other in before)
        numbers = {"engagement": number, "after": before[0]}
        text = f"engagement {number} comes after {names}"
        yield DiskwarsUnavailable("not_legal", text, "R15.2.1", action="choose_engagement", numbers=numbers)


def _targets(board: Board, ask: a.MeleeTargetsQuestion) -> Iterator[DiskwarsUnavailable]:
    """R15.4: enemies that a disk touches and cannot strike, or was linked with and does not touch any more."""
    fight = board.engagements[ask.engagement]
    ways = (lambda pin: pin) if ask.role == "attacker" else (lambda pin: (pin[1], pin[0]))
    linked, pinned = [ways(link) for link in fight.links], [ways(pin) for pin in position.enemy_pins(board, board.pins)]
    for disk, enemies in ask.choices:
        yield from _unstrikable_enemies(board, disk, enemies, linked, pinned)


def _unstrikable_enemies(
    board: Board, disk: int, enemies: Sequence[int], linked: Sequence[e.Pin], pinned: Sequence[e.Pin]
) -> Iterator[DiskwarsUnavailable]:
    for one, enemy in pinned:
        if one == disk and enemy not in enemies:
            text = f"disk {disk} was not engaged with disk {enemy} when this phase began"
            yield DiskwarsUnavailable("not_legal", text, "R15.4.1", disk, action="choose_targets", target=enemy)
    for one, enemy in linked:
        if one == disk and enemy not in enemies and (one, enemy) not in pinned and position.is_fielded(board, enemy):
            text = f"the pin between disk {disk} and disk {enemy} has ended"
            yield DiskwarsUnavailable("not_legal", text, "R15.4.2", disk, action="choose_targets", target=enemy)
