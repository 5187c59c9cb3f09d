"""Melee: engagements, speed steps, targets and blows (R15).

An engagement is fought by tasks, so that a card can start one outside the melee phase as well (R15.5).
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import Literal

from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal, listed_numbers
from diskwars_engine.rulesets.diskwars import damage, engagements
from diskwars_engine.rulesets.diskwars.damage import DiskHit
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.task_rules import OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import CloseEngagementTask, EndFightTask, FightTask, MeleeStepTask, Task
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position
from diskwars_protocol.rulesets.diskwars.actions import (
    Action,
    ChooseEngagement,
    ChooseTargets,
    EngagementQuestion,
    MeleeTarget,
    MeleeTargetsQuestion,
    StrikerChoice,
)
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import (
    Blow,
    BlowsStruck,
    Engagement,
    EngagementBegan,
    EngagementEnded,
    EngagementsFrozen,
    Link,
    Pin,
    Speed,
)
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions, DiskwarsUnavailable

Role = Literal["attacker", "defender"]
SPEEDS: tuple[Speed, ...] = ("swift", "normal", "slow")
MAX_TARGET_MAPS = 64
"""Target maps that are listed as options; their number is the product of the choices of all disks."""


# ---------------------------------------------------------------- choice of the engagement


def freeze_engagements(resolution: Resolution, rule: str = "R15.1") -> None:
    """Divide the enemy pins of this moment into engagements; `rule` is the reason targets (R15.1 or R15.5).

    R15.1.1: no pins gained later are fought before the next division. R15.1.5: pins among friends make no links.
    """
    divided = engagements.partition(position.enemy_pins(resolution.board, resolution.board.pins))
    resolution.emit(EngagementsFrozen(divided, (Reason(rule, {"engagements": len(divided)}),)))


def legal_engagements(board: Board) -> tuple[int, ...]:
    """List the engagements that may be resolved next (R15.2)."""
    # R15.2.3 asks whether a living enemy pins an attacker now, whether or not that pin is a link of any engagement.
    pinned = {pin.bottom for pin in position.enemy_pins(board, board.pins)}
    return engagements.legal_engagements(board.engagements, lambda disk: position.is_fielded(board, disk), pinned)


def drop_dead_engagements(resolution: Resolution) -> None:
    """Drop the engagements in which no linked pair is alive and still pinned (R15.2.5, R-29).

    Called before the next choice, so that the first player is not asked about an engagement that nobody can fight.
    """
    for number, engagement in enumerate(resolution.board.engagements):
        # The engagement under way is closed by its own task once its steps are done.
        if (
            not engagement.resolved
            and number != resolution.board.active_engagement
            and not _standing_links(resolution.board, engagement)
        ):
            resolution.emit(EngagementEnded(number, True, (Reason("R15.2.5"),)))


def start_engagement(resolution: Resolution, number: int, rule: str = "R15.2") -> None:
    """Begin an engagement and queue its three speed steps (R15.3)."""
    resolution.emit(EngagementBegan(number, (Reason(rule),)))
    resolution.push(*(MeleeStepTask(number, speed) for speed in SPEEDS), CloseEngagementTask(number))


def close_engagement(resolution: Resolution, task: CloseEngagementTask) -> None:
    """Close the engagement that was fought, and drop others in which its removals have left nobody to fight."""
    resolution.emit(EngagementEnded(task.engagement, False, (Reason("R15.3"),)))
    drop_dead_engagements(resolution)


def engagement_options(question: EngagementQuestion) -> DiskwarsOptions:
    """Offer each engagement that may be resolved next."""
    return DiskwarsOptions(tuple(ChooseEngagement(number) for number in question.engagements))


def check_engagement(question: EngagementQuestion, action: ChooseEngagement) -> None:
    """Check that an engagement may be resolved next (R15.2). Raises `Illegal`."""
    if action.engagement not in question.engagements:
        able = ", ".join(str(number) for number in question.engagements)
        numbers = listed_numbers("engagement", question.engagements)
        text = f"the next engagement is one of {able}"
        raise Illegal("not_legal", text, "R15.2", "$.action.engagement", numbers)


def later_engagements(board: Board, question: EngagementQuestion) -> Iterator[DiskwarsUnavailable]:
    """Explain which engagements have to wait for others (R15.2.1)."""
    for number, engagement in enumerate(board.engagements):
        if engagement.resolved or number in question.engagements:
            continue
        before = engagements.awaited(
            board.engagements, number, question.engagements, lambda disk: position.is_fielded(board, disk)
        )
        names = ", ".join(str(other) for other in before)
        numbers = {"engagement": number, **listed_numbers("after", before)}
        text = f"engagement {number} comes after {names}"
        yield DiskwarsUnavailable("not_legal", text, "R15.2.1", action="choose_engagement", numbers=numbers)


# ---------------------------------------------------------------- a fight outside the phase (R15.5)


def engagements_of(board: Board, disk: int) -> tuple[int, ...]:
    """List the unresolved engagements of a disk (R15.5): two if it is embattled, none if it has left the field."""
    engaged = [
        number
        for number, engagement in enumerate(board.engagements)
        if disk in (*engagement.attackers, *engagement.defenders)
    ]
    return tuple(n for n in engaged if position.is_fielded(board, disk) and not board.engagements[n].resolved)


def fight_questions(board: Board, task: FightTask) -> OpenQuestions:
    """Ask the player of the card which of an embattled disk's two engagements to fight (R19.22)."""
    legal = engagements_of(board, task.disk) if task.frozen else ()
    return ((board.disks[task.disk].seat, EngagementQuestion(legal)),) if len(legal) > 1 else ()


def fight_options(
    board: Board, seat: Seat, task: FightTask, question: EngagementQuestion, work: WorkBudget
) -> DiskwarsOptions:
    """Offer the engagements of the disk."""
    return engagement_options(question)


def fight_unavailable(
    board: Board, seat: Seat, task: FightTask, question: EngagementQuestion, work: WorkBudget
) -> Iterator[DiskwarsUnavailable]:
    """Explain that the disk takes no part in the other engagements (R15.5)."""
    for number, engagement in enumerate(board.engagements):
        if not engagement.resolved and number not in question.engagements:
            text = f"disk {task.disk} is not in engagement {number}"
            numbers = {"engagement": number}
            yield DiskwarsUnavailable("not_legal", text, "R15.5", action="choose_engagement", numbers=numbers)


def answer_fight(
    resolution: Resolution, seat: Seat, task: FightTask, question: EngagementQuestion, action: Action
) -> None:
    """Fight the chosen engagement."""
    if not isinstance(action, ChooseEngagement):
        raise wrong_action(question, action)
    check_engagement(question, action)
    start_fight(resolution, action.engagement)


def run_fight(resolution: Resolution, task: FightTask) -> None:
    """Divide the current pins into engagements, then fight the disk's only one (R15.5)."""
    if not task.frozen:
        freeze_engagements(resolution, "R15.5")
        resolution.push(replace(task, frozen=True))
    elif numbers := engagements_of(resolution.board, task.disk):
        start_fight(resolution, numbers[0])
    else:
        _forget_engagements(resolution)  # the disk, or every enemy that it was engaged with, has left the game


def start_fight(resolution: Resolution, number: int) -> None:
    resolution.push(EndFightTask())
    start_engagement(resolution, number, "R15.5")  # R1.4: the text of the card overrides the order of R15.2


def run_end_fight(resolution: Resolution, task: EndFightTask) -> None:
    """Forget the engagements that were not fought; the melee phase divides the pins again."""
    _forget_engagements(resolution)


def _forget_engagements(resolution: Resolution) -> None:
    resolution.emit(EngagementsFrozen((), (Reason("R15.5"),)))


# ---------------------------------------------------------------- blows and their targets


def _standing_links(board: Board, engagement: Engagement) -> list[Link]:
    """List the links that still count: both disks alive (R15.3.4) and the pin still there (R15.4.2)."""
    pins = set(board.pins)
    return [
        link
        for link in engagement.links
        if Pin(*link) in pins and all(position.is_fielded(board, disk) for disk in link)
    ]


def _acting_disks(board: Board, task: MeleeStepTask) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """Return the attackers and the defenders that act in a speed step, each with the enemies it can strike (R15.3.1).

    R15.6: an attacker acts at the speed of its strength, a defender at that of its counter strength.
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
    """Return whether a disk has acted as a defender; a defender in several layers strikes back once (R-16)."""
    return any(disk in e.strikers and disk in e.defenders for e in board.engagements)


def target_questions(board: Board, task: MeleeStepTask) -> OpenQuestions:
    """Ask the next controller of disks with several possible targets, once in each speed step (R-18, R19.23).

    Controllers of attackers come first, then those of defenders, each in initiative order (R15.3.2).
    """
    attackers, defenders = _acting_disks(board, task)
    # Most steps offer no choice; this test spares them the search seat by seat.
    if all(len(enemies) < 2 for enemies in (*attackers.values(), *defenders.values())):
        return ()
    chosen = {target.disk for target in task.targets}
    # R14.4: a frenzied attacker strikes every enemy, so it has nothing to choose.
    choosing_attackers = {
        disk: enemies for disk, enemies in attackers.items() if not keywords.is_frenzied(board.profile(disk))
    }
    roles: tuple[tuple[Role, dict[int, list[int]]], ...] = (("attacker", choosing_attackers), ("defender", defenders))
    for role, acting in roles:
        for seat in position.seats_in_order(board):
            choices = [
                StrikerChoice(disk, tuple(enemies))
                for disk, enemies in sorted(acting.items())
                if board.disks[disk].seat == seat and len(enemies) > 1 and disk not in chosen
            ]
            if choices:
                return ((seat, MeleeTargetsQuestion(task.engagement, task.speed, role, tuple(choices))),)
    return ()


def target_options(
    board: Board, seat: Seat, task: MeleeStepTask, question: MeleeTargetsQuestion, work: WorkBudget
) -> DiskwarsOptions:
    """Offer the complete choices of targets, at most `MAX_TARGET_MAPS` of them."""
    maps: Iterable[tuple[MeleeTarget, ...]] = product(
        *([MeleeTarget(choice.disk, enemy) for enemy in choice.targets] for choice in question.choices)
    )
    return DiskwarsOptions(tuple(ChooseTargets(targets) for targets in work.each(islice(maps, MAX_TARGET_MAPS))))


def targets_unavailable(
    board: Board, seat: Seat, task: MeleeStepTask, question: MeleeTargetsQuestion, work: WorkBudget
) -> Iterator[DiskwarsUnavailable]:
    """Explain the enemies that a disk is pinned with but not linked, or linked but not pinned any more (R15.4)."""
    is_defending = question.role == "defender"
    links = _strikers_first(board.engagements[question.engagement].links, is_defending)
    pins = _strikers_first(position.enemy_pins(board, board.pins), is_defending)
    for choice in question.choices:
        yield from _unstrikable_enemies(board, choice.disk, choice.targets, links, pins)


def _strikers_first(pairs: Iterable[Pin | Link], is_defending: bool) -> list[tuple[int, int]]:
    return [(second, first) if is_defending else (first, second) for first, second in pairs]


def _unstrikable_enemies(
    board: Board, disk: int, enemies: Sequence[int], links: Sequence[tuple[int, int]], pins: Sequence[tuple[int, int]]
) -> Iterator[DiskwarsUnavailable]:
    for striker, enemy in pins:
        if striker == disk and enemy not in enemies:
            text = f"disk {disk} was not engaged with disk {enemy} when this phase began"
            yield DiskwarsUnavailable("not_legal", text, "R15.4.1", disk, action="choose_targets", target=enemy)
    for striker, enemy in links:
        was_linked = striker == disk and enemy not in enemies and (striker, enemy) not in pins
        if was_linked and position.is_fielded(board, enemy):
            text = f"the pin between disk {disk} and disk {enemy} has ended"
            yield DiskwarsUnavailable("not_legal", text, "R15.4.2", disk, action="choose_targets", target=enemy)


def answer_targets(
    resolution: Resolution, seat: Seat, task: MeleeStepTask, question: MeleeTargetsQuestion, action: Action
) -> None:
    """Set the target of every disk that the question names. Raises `Illegal` unless each has one legal target."""
    if not isinstance(action, ChooseTargets):
        raise wrong_action(question, action)
    targets = {chosen.disk: chosen.target for chosen in action.targets}
    strikers = [choice.disk for choice in question.choices]
    if len(targets) != len(action.targets) or set(targets) != set(strikers):
        text = f"one target for each of the disks {', '.join(map(str, strikers))}"
        raise Illegal("not_legal", text, "R15.3.2", "$.action.targets", listed_numbers("disk", strikers))
    for choice in question.choices:
        target = targets[choice.disk]
        if target not in choice.targets:
            text = f"disk {choice.disk} can strike {', '.join(map(str, choice.targets))}, not {target}"
            numbers = {"disk": choice.disk, "target": target, **listed_numbers("allowed", choice.targets)}
            raise Illegal("not_legal", text, "R15.3.2", "$.action.targets", numbers)
    resolution.push(replace(task, targets=tuple(sorted((*task.targets, *action.targets)))))


def step_without_seat(board: Board, task: MeleeStepTask, seat: Seat) -> list[Task]:
    """Keep the chosen targets whose pin has survived the departure of a seat (R-59)."""
    pins = set(board.pins)
    targets = tuple(
        choice
        for choice in task.targets
        if Pin(choice.disk, choice.target) in pins or Pin(choice.target, choice.disk) in pins
    )
    return [replace(task, targets=targets)]


def strike_step(resolution: Resolution, task: MeleeStepTask) -> None:
    """Strike all blows of a speed step and deal their damage at once (R15.3.3).

    Figures are read now, not when targets were chosen (R15.3.6). A disk with zero strength strikes too: it has acted
    (R15.3.7).
    """
    board = resolution.board
    attackers, defenders = _acting_disks(board, task)
    chosen = {choice.disk: choice.target for choice in task.targets}
    blows: list[Blow] = []
    for disk, enemies in sorted(attackers.items()):
        strikes_all = keywords.is_frenzied(board.profile(disk))  # R14.4: full strength against each
        targets = enemies if strikes_all else [chosen.get(disk, enemies[0])]
        blows.extend(Blow(disk, enemy, effective_stats.strength(board, disk)) for enemy in targets)
    for disk, enemies in sorted(defenders.items()):
        blows.append(Blow(disk, chosen.get(disk, enemies[0]), effective_stats.counter_strength(board, disk)))
    if not blows:
        return
    early_or_late = (Reason("R14.1"),) if task.speed != "normal" else ()
    reasons = (Reason("R15.3.3", {"blows": len(blows)}), *early_or_late)
    resolution.emit_cause(BlowsStruck(task.engagement, task.speed, tuple(blows), reasons), "melee")
    hits = [
        DiskHit(blow.target, blow.strength, "physical", keywords.is_poisonous(board.profile(blow.disk)), blow.disk)
        for blow in blows
    ]
    damage.strike(resolution, hits, reasons)  # R15.3.5: one instance for each disk, so one wound at most
