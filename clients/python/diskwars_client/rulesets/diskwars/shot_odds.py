"""Exact chances of a ranged attack before its dice are rolled, without scatter (R12.2 to R12.9)."""

from fractions import Fraction
from itertools import product
from math import comb

from msgspec import Struct

from diskwars_client.rulesets.diskwars.wounds import fate_of, settle, strike
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position, terrain
from diskwars_protocol.rulesets.diskwars.actions import Shoot
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.stats import Amount, DamageAround, Reach

NUMBERS = range(1, 7)
"""Faces of a die that is read as a number."""


class ShotOdds(Struct, frozen=True):
    """Chances of what becomes of the target; `chance` is that of a die, `mean` the damage taken on average."""

    band: Reach
    dice: int
    is_covered: bool
    is_immune: bool
    chance: Fraction
    unharmed: Fraction
    wounded: Fraction
    mean: Fraction


def shot_odds(board: Board, action: Shoot) -> ShotOdds:
    """Return the chances of a shot, after the Immune and Resistant of its target (R13.3).

    R12.5: all hits on a disk are one instance of damage, which Resistant halves as a whole.
    """
    shot = effective_stats.shot(board, action.disk, action.shot)
    band = position.range_band(board, action.disk, action.target)
    dice = terrain.dice_after_cover(board, action.target, shot.dice)
    profile = board.profile(action.target)
    strikes = ("critical",) if band == "siege" else ("hit", "critical")  # R12.4.1
    chance = Fraction(sum(face in strikes for face in board.battle_die), len(board.battle_die))
    strengths = _strengths(shot.strength)
    around = damage_around(board, action)
    unharmed = wounded = mean = Fraction(0)
    for hits in range(dice + 1):
        likely = comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits) / len(strengths)
        for strength in strengths:
            taken = keywords.damage_after_reduction(profile, hits * strength, shot.damage_type, "ranged")
            is_wounded = _is_wounded(board, action.target, taken, around if hits else [])
            mean += likely * taken
            unharmed += likely * (not taken and not is_wounded)
            wounded += likely * is_wounded
    return ShotOdds(
        band,
        dice,
        is_covered=dice < shot.dice,
        is_immune=keywords.reduction_rule(profile, shot.damage_type, "ranged") == "R13.3.2",
        chance=chance,
        unharmed=unharmed,
        wounded=wounded,
        mean=mean,
    )


def _is_wounded(board: Board, target: int, taken: int, around: list[tuple[int, int]]) -> bool:
    """Return whether a target is wounded by damage to it and to disks around it, which may end its auras (R-45)."""
    if not around:
        return fate_of(board, target, taken) in ("wounded", "destroyed")
    wounding, _ = strike(board, [(target, taken), *around])
    now, after = board.disks[target], settle(wounding.board).board.disks[target]
    return (after.place, after.wounds) != (now.place, now.wounds)


def damage_around(board: Board, action: Shoot) -> list[tuple[int, int]]:
    """Return the disks around a target that a shot which strikes it harms as well, with their damage (R-47)."""
    splash = position.passive_effect(board, action.disk, DamageAround)
    if splash is None:
        return []
    near = [
        other.id
        for other in position.fielded_disks(board)
        if other.id not in (action.disk, action.target)
        and position.is_within(board, action.target, other.id, splash.reach)
    ]
    return [
        (disk, taken)
        for disk in near
        if (taken := keywords.damage_after_reduction(board.profile(disk), splash.amount, splash.damage_type, "ranged"))
    ]


def _strengths(amount: Amount) -> list[int]:
    """List the strengths that a throw may give, each equally likely."""
    return [max(0, sum(faces) + amount.flat) for faces in product(NUMBERS, repeat=amount.d6)]


def scatter_targets(board: Board, shooter: int, target: int) -> list[int]:
    """Return the disks of which scatter dice strike one: the nearest within short range of the target (R12.3, R-21)."""
    near = [
        other.id
        for other in position.fielded_disks(board)
        if other.id not in (shooter, target) and position.is_within(board, target, other.id, "short")
    ]
    gaps = [position.distance(board, target, other) for other in near]
    return [other for other, gap in zip(near, gaps, strict=True) if gap == min(gaps)]
