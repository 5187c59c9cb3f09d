"""Stats in force counted the slow and obvious way: what `effective_stats` of the protocol is held against."""

from collections.abc import Iterator
from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.actions import DiskId
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board

Aura: TypeAlias = f.IncreaseToughness | f.IncreaseMeleeStrength
"""The effects of a disk on others of its side that are near."""
EffectT = TypeVar(
    "EffectT", f.IncreaseRange, f.IncreaseMovement, f.IncreaseShotStrength, f.IncreaseToughness, f.IncreaseMeleeStrength
)


def strength(board: Board, disk: DiskId) -> int:
    more = sum(effect.strength for effect in _effects_on(board, disk, f.IncreaseMeleeStrength))
    return board.profile(disk).strength + board.disks[disk].empowered + more


def counter_strength(board: Board, disk: DiskId) -> int:
    more = sum(effect.counter_strength for effect in _effects_on(board, disk, f.IncreaseMeleeStrength))
    return board.profile(disk).counter_strength + board.disks[disk].empowered + more


def toughness(board: Board, disk: DiskId) -> int:
    now = board.disks[disk]
    more = sum(effect.toughness for effect in _effects_on(board, disk, f.IncreaseToughness))
    return max(0, board.profile(disk).toughness + now.empowered - now.weakened + more)


def movement(board: Board, disk: DiskId) -> int:
    """In flips. R16.5: an emplaced disk never moves."""
    profile = board.profile(disk)
    more = sum(effect.flips for effect in _effects_on(board, disk, f.IncreaseMovement))
    return 0 if any(keyword.id == "emplace" for keyword in profile.keywords) else profile.movement + more


def shot(board: Board, disk: DiskId, number: int) -> f.Shot:
    """Return a ranged attack as it is shot now."""
    printed = board.profile(disk).shots[number]
    steps = sum(effect.steps for effect in _effects_on(board, disk, f.IncreaseRange))
    more = sum(effect.strength for effect in _effects_on(board, disk, f.IncreaseShotStrength))
    reach = f.REACHES[min(f.REACHES.index(printed.reach) + steps, len(f.REACHES) - 1)]
    return replace(printed, strength=replace(printed.strength, flat=printed.strength.flat + more), reach=reach)


def range_band(board: Board, one: DiskId, other: DiskId) -> f.Reach:
    """Return the range band in which two disks lie (R5.5)."""
    return next(reach for reach in f.REACHES if _is_within_reach(board, one, other, reach))


# ---------------------------------------------------------------- what adds to them


def _effects_on(board: Board, disk: DiskId, kind: type[EffectT]) -> list[EffectT]:
    """Return the passive effects of a kind that work on a disk."""
    words = _target_words(board.profile(disk))
    return [effect for effect in _passive_effects(board, disk) if isinstance(effect, kind) and effect.selector in words]


def _target_words(profile: f.Profile) -> set[str | None]:
    """Return the words by which a text may select a disk; a text without such a word is for all."""
    return {None, profile.race, profile.kind, profile.id, *profile.traits}


def _passive_effects(board: Board, disk: DiskId) -> Iterator[f.Effect]:
    """R7.8, R3.3.1, R-45: those of its player's card, of the scenario, and of disks of its side that are near."""
    now = board.disks[disk]
    yield from (card.ability for card in board.layout.scenarios if card.id == board.layout.active_scenario)
    if revealed := board.sides[now.seat].revealed_card:
        yield from (ability.effect for ability in board.card(revealed).abilities if ability.timing == "passive")
    if now.place == BATTLEFIELD:
        yield from _nearby_auras(board, disk)


def _nearby_auras(board: Board, disk: DiskId) -> Iterator[Aura]:
    own = [near for near in board.disks if near.seat == board.disks[disk].seat and near.place == BATTLEFIELD]
    for other in own:
        for ability in board.profile(other.id).abilities:
            effect = ability.effect
            if isinstance(effect, Aura) and other.id != disk and _is_within_reach(board, other.id, disk, effect.reach):
                yield effect


def _is_within_reach(board: Board, one: DiskId, other: DiskId, reach: f.Reach | None) -> bool:
    """From rim to rim (R5.4); siege has no end."""
    field = board.field
    limit = {"medium": field.medium, "long": field.long, "siege": None}.get(reach or "short", field.short)
    a, b = board.disks[one], board.disks[other]
    radius, others = board.profile(one).radius, board.profile(other).radius
    return limit is None or geometry.disks_within(a.x, a.y, radius, b.x, b.y, others, limit)
