"""Fighting of an engagement: speed steps, targets, blows (R15.3).

An engagement is fought by tasks, so that a card can start one outside the melee phase as well (R15.5).
"""

from collections.abc import Iterable
from itertools import product
from typing import Literal

from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import engagements, harm
from diskwars_engine.rulesets.diskwars.harm import Hit
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_protocol.match import Reason, Seat
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position
from diskwars_protocol.rulesets.diskwars.actions import ChooseTargets, MeleeTargetsQuestion
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import (
    Blow,
    BlowsStruck,
    CloseEngagementTask,
    EndFightTask,
    Engagement,
    EngagementBegan,
    EngagementEnded,
    EngagementsFrozen,
    FightTask,
    MeleeStepTask,
    Speed,
)

Role = Literal["attacker", "defender"]
SPEEDS: tuple[Speed, ...] = ("swift", "normal", "slow")
MAX_TARGET_MAPS = 64
"""Maximum number of target maps that are listed as options."""


# ---------------------------------------------------------------- which engagement


def freeze_engagements(play: Play, rule: str = "R15.1") -> None:
    """R15.1.1: the enemy pins of this moment are the links; no others count until they are fought.

    R15.1.5: pins among friends are none.
    """
    parted = engagements.partition(position.enemy_pins(play.board, play.board.pins))
    play.emit(EngagementsFrozen(parted, (Reason(rule, {"engagements": len(parted)}),)))


def legal_engagements(board: Board) -> tuple[int, ...]:
    """R15.2: which engagement may be resolved next."""
    pinned = {bottom for _, bottom in position.enemy_pins(board, board.pins)}
    return engagements.legal_engagements(board.engagements, lambda disk: position.is_fielded(board, disk), pinned)


def drop_dead_engagements(play: Play) -> None:
    """R15.2.5, R-29: an engagement without a living linked pair is dropped; one under way is closed when nothing in it
    is left to do.
    """
    for number, engagement in enumerate(play.board.engagements):
        if (
            not engagement.resolved
            and number != play.board.active_engagement
            and not _standing_links(play.board, engagement)
        ):
            play.emit(EngagementEnded(number, True, (Reason("R15.2.5"),)))


def start_engagement(play: Play, number: int, rule: str = "R15.2") -> None:
    """R15.3: queue the three speed steps."""
    play.emit(EngagementBegan(number, (Reason(rule),)))
    play.push(*(MeleeStepTask(number, speed) for speed in SPEEDS), CloseEngagementTask(number))


def close_engagement(play: Play, task: CloseEngagementTask) -> None:
    """Close the current engagement; others that its removals have dissolved are dropped before the next choice."""
    play.emit(EngagementEnded(task.engagement, False, (Reason("R15.3"),)))
    drop_dead_engagements(play)


# ---------------------------------------------------------------- a fight outside the phase (R15.5)


def engagements_of(board: Board, disk: int) -> tuple[int, ...]:
    """R15.5: the engagements that a disk is in, two if it is embattled; none any more for one that has left."""
    engaged = [n for n, one in enumerate(board.engagements) if disk in (*one.attackers, *one.defenders)]
    return tuple(n for n in engaged if position.is_fielded(board, disk) and not board.engagements[n].resolved)


def fight(play: Play, task: FightTask) -> None:
    """R15.5: divide the engagements as they are now; resolve the only one of the disk, or the chosen one."""
    if not task.frozen:
        freeze_engagements(play, "R15.5")
        play.push(replace(task, frozen=True))
    elif numbers := engagements_of(play.board, task.disk):
        start_fight(play, numbers[0])
    else:
        end_fight(play)  # R-59 the player who was to fight has left, or all possible opponents have


def start_fight(play: Play, number: int) -> None:
    play.push(EndFightTask())
    start_engagement(play, number, "R15.5")  # R1.4 the text of the card holds, not the order of R15.2


def end_fight(play: Play) -> None:
    """Clear the engagements that were not fought; the melee phase divides the field again."""
    play.emit(EngagementsFrozen((), (Reason("R15.5"),)))


# ---------------------------------------------------------------- who strikes whom


def _standing_links(board: Board, engagement: Engagement) -> list[tuple[int, int]]:
    """Return the links that still count: both alive (R15.3.4), and the pin still there (R15.4.2)."""
    pins = set(board.pins)
    return [
        link
        for link in engagement.links
        if link in pins and position.is_fielded(board, link[0]) and position.is_fielded(board, link[1])
    ]


def _acting_disks(board: Board, task: MeleeStepTask) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """R15.3.1: the attackers and the defenders that act in this step, each with the enemies it could strike.

    R15.6: an attacker by the speed of its strength, a defender by that of its counter strength.
    """
    engagement = board.engagements[task.engagement]
    attackers: dict[int, list[int]] = {}
    defenders: dict[int, list[int]] = {}
    for attacker, defender in _standing_links(board, engagement):
        if attacker not in engagement.strikers and effective_stats.speed(board, attacker, "strength") == task.speed:
            attackers.setdefault(attacker, []).append(defender)
        if not _has_struck_back(board, defender) and effective_stats.speed(board, defender, "counter") == task.speed:
            defenders.setdefault(defender, []).append(attacker)
    return attackers, defenders


def _has_struck_back(board: Board, disk: int) -> bool:
    """R-16: a defender found in several layers of one engagement strikes back once."""
    return any(disk in e.strikers and disk in e.defenders for e in board.engagements)


def question(board: Board, task: MeleeStepTask) -> tuple[Seat, MeleeTargetsQuestion] | None:
    """R15.3.2: attackers' controllers first, then defenders', in initiative order; a seat without a choice is not
    asked.

    R-18, R19.23: once in each speed step, when it is known who lives.
    """
    attackers, defenders = _acting_disks(board, task)
    if all(len(enemies) < 2 for enemies in (*attackers.values(), *defenders.values())):
        return None
    chosen = {disk for disk, _ in task.targets}
    open_attacks = {
        disk: enemies for disk, enemies in attackers.items() if not keywords.is_frenzied(board.profile(disk))
    }
    roles: tuple[tuple[Role, dict[int, list[int]]], ...] = (("attacker", open_attacks), ("defender", defenders))
    for role, acting in roles:
        for seat in position.seats_in_order(board):
            choices = [
                (disk, tuple(enemies))
                for disk, enemies in sorted(acting.items())
                if board.disks[disk].seat == seat and len(enemies) > 1 and disk not in chosen
            ]
            if choices:
                return seat, MeleeTargetsQuestion(task.engagement, task.speed, role, tuple(choices))
    return None


def choose_targets(play: Play, task: MeleeStepTask, ask: MeleeTargetsQuestion, action: ChooseTargets) -> MeleeStepTask:
    """Return a full map from each disk in the question to one of its enemies."""
    given = dict(action.targets)
    if len(given) != len(action.targets) or set(given) != {disk for disk, _ in ask.choices}:
        asked = ", ".join(str(disk) for disk, _ in ask.choices)
        raise Illegal("not_legal", f"one target for each of the disks {asked}", "R15.3.2", "$.action.targets")
    for disk, enemies in ask.choices:
        if given[disk] not in enemies:
            able = ", ".join(str(enemy) for enemy in enemies)
            text = f"disk {disk} can strike {able}, not {given[disk]}"
            raise Illegal("not_legal", text, "R15.3.2", "$.action.targets")
    return replace(task, targets=tuple(sorted((*task.targets, *given.items()))))


def without_withdrawn(board: Board, task: MeleeStepTask) -> MeleeStepTask:
    """Return the chosen pairs whose striker and target are still there (R-59)."""
    pins = set(board.pins)
    return replace(task, targets=tuple(pair for pair in task.targets if pair in pins or pair[::-1] in pins))


def target_maps(ask: MeleeTargetsQuestion) -> list[ChooseTargets]:
    """Return the ways of answering, at most `MAX_TARGET_MAPS` of them."""
    maps: Iterable[tuple[tuple[int, int], ...]] = product(
        *([(disk, enemy) for enemy in enemies] for disk, enemies in ask.choices)
    )
    return [ChooseTargets(one) for one, _ in zip(maps, range(MAX_TARGET_MAPS), strict=False)]


def strike_step(play: Play, task: MeleeStepTask) -> None:
    """R15.3.3: all damage of the step at once. Figures are read now (R15.3.6); zero strength has acted (R15.3.7)."""
    board = play.board
    attackers, defenders = _acting_disks(board, task)
    chosen = dict(task.targets)
    blows: list[Blow] = []
    for disk, enemies in sorted(attackers.items()):
        every = keywords.is_frenzied(board.profile(disk))  # R14.4 in full to each
        struck = enemies if every else [chosen.get(disk, enemies[0])]
        blows.extend(Blow(disk, enemy, effective_stats.strength(board, disk)) for enemy in struck)
    for disk, enemies in sorted(defenders.items()):
        blows.append(Blow(disk, chosen.get(disk, enemies[0]), effective_stats.counter(board, disk)))
    if not blows:
        return
    early_or_late = (Reason("R14.1"),) if task.speed != "normal" else ()
    because = (Reason("R15.3.3", {"blows": len(blows)}), *early_or_late)
    play.emit(BlowsStruck(task.engagement, task.speed, tuple(blows), because))
    hits = [
        Hit(blow.target, blow.strength, "physical", keywords.is_poisonous(board.profile(blow.disk))) for blow in blows
    ]
    harm.strike(play, hits, because)  # R15.3.5 one instance for each disk, so one wound at most
