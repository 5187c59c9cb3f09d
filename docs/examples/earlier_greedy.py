"""The greedy bot of before, kept as a measure: it weighs landings, shots and blows only, and leaves the setup to luck.

`./dev league greedy docs/examples/earlier_greedy.py:choose_greedy` plays the greedy bot of today against it.
"""

import random
from collections.abc import Iterable
from typing import TypeAlias

from msgspec.structs import replace

from diskwars_bots.rulesets.diskwars.random_bot import choose_random, is_scouting
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position, terrain
from diskwars_protocol.rulesets.diskwars.board import Board, Disk, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.keyword_forms import KeywordKind
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOption, DiskwarsOptions
from diskwars_protocol.rulesets.diskwars.stats import Amount, DamageType, DealDamage, Profile

ScoredAction: TypeAlias = tuple[int, a.Action]
"""The score of an action, in hundredths of a victory point, and the action."""

HUNDREDTHS_PER_POINT = 100
HERO_COST = 12
PIN_READY_ENEMY_VALUE = 150
"""Bonus for pinning an enemy that has not been activated this round."""
APPROACH_VALUE = 60
FAR_GAP = 10_000_000


def choose_greedy(
    match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions, rng: random.Random
) -> a.Action:
    """Choose the action with the best immediate effect: pins that win, shots that wound, melee targets that fall.

    Falls back to a random action for questions that it does not score, and for all setup questions.
    """
    board, question, seat = match.board, decision.question, decision.seat
    if board is None:
        return choose_random(match, decision, options, rng)
    match question:
        case a.FirstPlayerQuestion():
            return a.ChooseFirstPlayer(seat)
        case a.InitiativeOrderQuestion():
            return a.SetOrder((seat, *(side.seat for side in board.sides if side.seat != seat)))
        case a.CommandCardQuestion():
            return _best_action(_score_cards(board, options, rng))
        case a.ActivationQuestion() | a.ContinuationQuestion() if not is_scouting(board):
            return _best_action(_score_activations(board, seat, options))
        case a.MeleeTargetsQuestion():
            return _best_action((_score_blows(board, question, action), action) for action in options.actions)
        case a.EngageAbilityQuestion():
            return _best_action((_score_use(board, action), action) for action in options.actions)
        case a.ReinforcementQuestion():
            return options.parametric[0].example
        case a.RampageQuestion():
            return _best_action((_score_rampage(board, action), action) for action in options.actions)
        case a.ScatterQuestion():
            return _best_action((_score_scatter(board, seat, action), action) for action in options.actions)
        case _:
            return choose_random(match, decision, options, rng)


def _best_action(scored: Iterable[ScoredAction]) -> a.Action:
    """Return the action with the highest score, the first of several."""
    return max(scored, key=lambda pair: pair[0])[1]


def disk_value(profile: Profile) -> int:
    """Return the value of a disk in hundredths of a victory point."""
    return HUNDREDTHS_PER_POINT * (HERO_COST if profile.kind == "hero" else profile.cost)


def _score_cards(board: Board, options: DiskwarsOptions, rng: random.Random) -> list[ScoredAction]:
    """Score cards by their activations, plus randomness so that opponents cannot predict the card."""
    scored: list[ScoredAction] = []
    for action in options.actions:
        if isinstance(action, a.LockCard):
            scored.append((board.card(str(action.card)).activations * 10 + rng.randrange(15), action))
    return scored


def _score_activations(board: Board, seat: int, options: DiskwarsOptions) -> list[ScoredAction]:
    scored: list[ScoredAction] = [(_score_action(board, action), action) for action in options.actions]
    for option in options.parametric:
        if isinstance(option.example, a.MoveDisk):
            scored.extend(_score_moves(board, seat, option))
        elif isinstance(option.example, a.Reinforce):
            scored.append((2 * HUNDREDTHS_PER_POINT, option.example))
    return scored


def _score_action(board: Board, action: a.Action) -> int:
    match action:
        case a.Shoot():
            return _score_shot(board, action)
        case a.Focus() if action.target is not None:
            effect = position.focus_abilities(board, action.disk)[action.ability]
            if isinstance(effect, DealDamage):
                return _score_damage(board, action.target, _mean_amount(effect.amount), effect.damage_type)
            return HUNDREDTHS_PER_POINT
        case a.UseAbility():
            return 3 * HUNDREDTHS_PER_POINT
        case a.PassDisk():
            return -1
        case _:
            return 0


# ---------------------------------------------------------------- the value of damage


def _mean_amount(amount: Amount) -> int:
    """Return the mean of an amount, rounded down."""
    return max(0, amount.flat + amount.d6 * 7 // 2)


def _score_damage(
    board: Board, target: int, dealt: int, damage_type: DamageType, source: KeywordKind | None = None
) -> int:
    """Score damage to a disk: the disk's value times the part of its remaining wounds that the damage takes.

    Damage that inflicts a wound counts one and a half times.
    """
    disk, profile = board.disks[target], board.profile(target)
    taken = keywords.damage_after_reduction(profile, dealt, damage_type, source)
    left = max(1, effective_stats.toughness(board, target) - disk.damage)
    lives = profile.stamina - disk.wounds + 1
    share = min(taken, left) * 100 // left
    if taken >= left:
        share = 150
    return disk_value(profile) * share // (100 * lives)


def _score_shot(board: Board, action: a.Shoot) -> int:
    shooter, target = board.disks[action.disk], board.disks[action.target]
    shot = board.profile(action.disk).shots[action.shot]
    dice = terrain.dice_after_cover(board, action.target, shot.dice)
    expected = _mean_amount(shot.strength) * dice * 2 // 6  # two of six faces hit
    score = _score_damage(board, action.target, max(1, expected), shot.damage_type, "ranged")
    return score if target.seat != shooter.seat else -score


def _score_use(board: Board, action: a.Action) -> int:
    """Score the use of an engage ability: better than not using it, best on the own disk of the highest value."""
    if not isinstance(action, a.UseEngageAbility) or not action.use:
        return -1
    return 0 if action.target is None else disk_value(board.profile(action.target))


def _score_rampage(board: Board, action: a.Action) -> int:
    """Score the landing place of a forced flip; enemies under it count for, own disks against."""
    if not isinstance(action, a.MoveDisk):
        return 0
    disk = board.disks[action.disk]
    return _score_move(board, disk, disk, list(action.path))


def _score_scatter(board: Board, seat: int, action: a.Action) -> int:
    return int(isinstance(action, a.ChooseScatter) and board.disks[action.target].seat != seat)


def _score_blows(board: Board, question: a.MeleeTargetsQuestion, action: a.Action) -> int:
    """Score a choice of melee targets. Blows on one target are added up, so that disks combine to destroy it."""
    if not isinstance(action, a.ChooseTargets):
        return 0
    totals: dict[int, int] = {}
    for blow in action.targets:
        disk, target = blow.disk, blow.target
        figure = (
            effective_stats.strength(board, disk)
            if question.role == "attacker"
            else effective_stats.counter_strength(board, disk)
        )
        totals[target] = totals.get(target, 0) + figure
    return sum(_score_damage(board, target, dealt, "physical") for target, dealt in totals.items())


# ---------------------------------------------------------------- where to move


def _score_moves(board: Board, seat: int, option: DiskwarsOption) -> list[ScoredAction]:
    """Score one move toward each enemy: onto it where it can be reached, otherwise nearer."""
    if option.disk is None:
        return []
    disk = board.disks[option.disk]
    enemies = [other for other in position.fielded_disks(board) if other.seat != seat]
    current = sum(_score_pins(board, disk, [board.disks[enemy]]) for enemy in position.pinned_enemies(board, disk.id))
    scored: list[ScoredAction] = []
    for enemy in enemies:
        path = _path_toward(board, disk, enemy, option)
        if path:
            move = a.MoveDisk(disk.id, tuple(path), over_own_disks=True)
            scored.append((_score_move(board, disk, enemy, path) - current, move))
    return scored


def _path_toward(board: Board, disk: Disk, enemy: Disk, option: DiskwarsOption) -> list[a.Vector]:
    """Return straight flips toward an enemy until the disk lies on it, runs out of flips, or would leave the field."""
    reach = board.profile(disk.id).radius + board.profile(enemy.id).radius
    x, y = disk.x, disk.y
    path: list[a.Vector] = []
    while len(path) < option.flips:
        dx, dy = enemy.x - x, enemy.y - y
        if path and dx * dx + dy * dy < reach * reach:
            break
        step = geometry.flip_toward(dx, dy, option.length) if dx or dy else geometry.flip_at(0, option.length)
        if not position.is_on_field(board, disk.id, x + step[0], y + step[1]):
            break
        path.append(step)
        x, y = x + step[0], y + step[1]
        if _is_stopped_by_terrain(board, disk, x, y):
            break
    return path


def _is_stopped_by_terrain(board: Board, disk: Disk, x: int, y: int) -> bool:
    """Return whether rough ground ends a move at a place; it does not stop flying disks."""
    profile = board.profile(disk.id)
    if keywords.ignores_terrain(profile) or keywords.is_flying(profile):
        return False
    pieces = terrain.pieces_under(board, disk.id, x, y)
    return any(terrain.has_keyword(board.terrain[n], terrain.ROUGH) and n not in disk.terrain for n in pieces)


def _danger_cost(board: Board, disk: Disk, x: int, y: int) -> int:
    """Return the cost of landing on dangerous ground: 3 damage of each type on average."""
    if keywords.ignores_terrain(board.profile(disk.id)):
        return 0
    keyword_lists = [board.terrain[number].terrain.keywords for number in terrain.pieces_under(board, disk.id, x, y)]
    types = [keyword.damage_type for listed in keyword_lists for keyword in listed if keyword.id == terrain.DANGEROUS]
    return sum(_score_damage(board, disk.id, 3, damage_type) for damage_type in types if damage_type)


def _score_move(board: Board, disk: Disk, enemy: Disk, path: list[a.Vector]) -> int:
    x, y = disk.x + sum(dx for dx, _ in path), disk.y + sum(dy for _, dy in path)
    radius = board.profile(disk.id).radius
    landed = replace(disk, x=x, y=y)
    under = [
        other
        for other in position.fielded_disks(board)
        if other.id != disk.id
        and geometry.disks_overlap(x, y, radius, other.x, other.y, board.profile(other.id).radius)
    ]
    pinned = [other for other in under if other.seat != disk.seat]
    score = _score_pins(board, landed, pinned) - sum(
        2 * HUNDREDTHS_PER_POINT for other in under if other.seat == disk.seat
    )
    score -= _danger_cost(board, disk, x, y)
    if not pinned:
        gap = geometry.disk_gap(x, y, radius, enemy.x, enemy.y, board.profile(enemy.id).radius)
        score += APPROACH_VALUE - gap * APPROACH_VALUE // FAR_GAP if _should_approach(board, disk.id, gap) else 0
    return score


def _should_approach(board: Board, disk: int, gap: int) -> bool:
    """Return whether a disk should move closer: melee fighters always, shooters until they are in range."""
    profile = board.profile(disk)
    reaches = [position.reach_length(board, shot.reach) or FAR_GAP for shot in profile.shots]
    return _prefers_melee(profile) or gap > max(reaches)


def _prefers_melee(profile: Profile) -> bool:
    return not profile.shots or keywords.is_mobile(profile) or profile.strength >= 4


def _score_pins(board: Board, disk: Disk, pinned: list[Disk]) -> int:
    """Score pinning enemies: the value of the best blow, less two thirds of the value lost to their counter-blows."""
    if not pinned:
        return 0
    impact = keywords.impact_amount(board.profile(disk.id))
    blows = [_score_damage(board, enemy.id, effective_stats.strength(board, disk.id), "physical") for enemy in pinned]
    back = sum(effective_stats.counter_strength(board, enemy.id) for enemy in pinned)
    score = max(blows) - _score_damage(board, disk.id, back, "physical") * 2 // 3
    score += sum(PIN_READY_ENEMY_VALUE for enemy in pinned if not enemy.activated)
    if impact is not None:
        score += sum(_score_damage(board, enemy.id, _mean_amount(impact), "physical", "impact") for enemy in pinned)
    return score
