"""Stats in force (R1.3): the printed ones, changed by tokens, cards, the scenario and nearby disks.

The only place where they are computed: the engine decides by them, and clients and bots show and weigh them.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import keywords
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, Disk
from diskwars_protocol.rulesets.diskwars.events import Speed
from diskwars_protocol.rulesets.diskwars.position import MATCH_CACHE_SIZE, ByIdentity, is_within
from diskwars_protocol.rulesets.diskwars.stats import (
    REACHES,
    Effect,
    IncreaseMeleeStrength,
    IncreaseMovement,
    IncreaseRange,
    IncreaseShotStrength,
    IncreaseToughness,
    Profile,
    Reach,
    Shot,
)
from diskwars_protocol.rulesets.diskwars.terrain import DEFENSIVE, pieces_with_keyword

Modifier: TypeAlias = (
    IncreaseRange | IncreaseMovement | IncreaseShotStrength | IncreaseToughness | IncreaseMeleeStrength
)
"""Effects that change the figures of disks other than their bearer."""
AURA_EFFECTS: frozenset[type] = frozenset((IncreaseToughness, IncreaseMeleeStrength))
"""Modifiers that disks can have; the others are on cards only."""
M = TypeVar("M", IncreaseRange, IncreaseMovement, IncreaseShotStrength, IncreaseToughness, IncreaseMeleeStrength)


# ---------------------------------------------------------------- modifiers


def passive_effects(board: Board, seat: Seat) -> list[Effect]:
    """List the passive effects of the card that a seat has revealed, and of the active scenario (R7.8)."""
    revealed = board.sides[seat].revealed_card
    layout = board.layout
    effects = [card.ability for card in layout.scenarios if card.id == layout.active_scenario]  # R3.3.1: for everybody
    if revealed:
        effects += [ability.effect for ability in board.card(revealed).abilities if ability.timing == "passive"]
    return effects


def effects_in_force(board: Board, disk: int, kind: type[M]) -> list[M]:
    """List the passive effects of one kind on a disk: those of its player's card and of nearby friends (R-45)."""
    now = board.disks[disk]
    effects = [effect for effect in passive_effects(board, now.seat) if isinstance(effect, kind)]
    if (
        kind in AURA_EFFECTS
        and now.place == BATTLEFIELD
        and (bearers := _bearers(ByIdentity(board.profiles)).get(kind))
    ):
        effects.extend(_auras(board, now, kind, bearers))
    return (
        [effect for effect in effects if matches_selector(board.profiles[now.profile], effect.selector)]
        if effects
        else effects
    )


def _auras(board: Board, now: Disk, kind: type[M], bearers: Collection[int]) -> Iterator[M]:
    """Yield the effects of one kind from other disks of the same side that reach a disk."""
    for other in board.disks:
        if other.profile in bearers and other.seat == now.seat and other.place == BATTLEFIELD and other.id != now.id:
            for ability in board.profiles[other.profile].abilities:
                effect = ability.effect
                if isinstance(effect, kind) and is_within(board, other.id, now.id, _aura_reach(effect)):
                    yield effect


@lru_cache(maxsize=MATCH_CACHE_SIZE)
def _bearers(profiles: ByIdentity[tuple[Profile, ...]]) -> Mapping[type[Effect], Collection[int]]:
    """Return the profiles that have an effect, as numbers by type of effect.

    Few profiles have one, and they stay the same throughout a match. One entry per match, not per kind of effect, so
    that the cache holds as many matches as are played at once.
    """
    bearers: dict[type[Effect], set[int]] = {}
    for number, profile in enumerate(profiles.value):
        for ability in profile.abilities:
            bearers.setdefault(type(ability.effect), set()).add(number)
    return bearers


def _aura_reach(effect: Modifier) -> Reach:
    return (effect.reach or "short") if isinstance(effect, IncreaseToughness | IncreaseMeleeStrength) else "short"


def matches_selector(profile: Profile, selector: str | None) -> bool:
    """Return whether `selector` is a trait, the race, the kind or the id of a disk; None matches all disks."""
    return selector is None or selector in selectors_of(profile)


def selectors_of(profile: Profile) -> tuple[str, ...]:
    """List the words by which an effect may select a disk: its traits, race, kind and id."""
    race = () if profile.race is None else (profile.race,)
    return (*profile.traits, *race, profile.kind, profile.id)


def strength(board: Board, disk: int) -> int:
    fiercer = [effect.strength for effect in effects_in_force(board, disk, IncreaseMeleeStrength)]
    return board.profile(disk).strength + board.disks[disk].empowered + sum(fiercer)


def counter_strength(board: Board, disk: int) -> int:
    fiercer = [effect.counter_strength for effect in effects_in_force(board, disk, IncreaseMeleeStrength)]
    return board.profile(disk).counter_strength + board.disks[disk].empowered + sum(fiercer)


def toughness(board: Board, disk: int) -> int:
    """Return the toughness of a disk; never below 0, however often it was lowered (R-71)."""
    now = board.disks[disk]
    tougher = [effect.toughness for effect in effects_in_force(board, disk, IncreaseToughness)]
    return max(0, board.profiles[now.profile].toughness + now.empowered - now.weakened + sum(tougher))


def movement(board: Board, disk: int) -> int:
    """Return the number of flips in a move; an emplaced disk never moves, even with bonuses (R16.5, R-48)."""
    profile = board.profile(disk)
    faster = [effect.flips for effect in effects_in_force(board, disk, IncreaseMovement)]
    return 0 if keywords.is_emplaced(profile) else profile.movement + sum(faster)


def shot_bonus(board: Board, disk: int) -> int:
    return sum(effect.strength for effect in effects_in_force(board, disk, IncreaseShotStrength))


def shot_reach(board: Board, disk: int, reach: Reach) -> Reach:
    """Return the maximum range of a shot, raised by bonuses up to siege, the last band."""
    steps = sum(effect.steps for effect in effects_in_force(board, disk, IncreaseRange))
    return REACHES[min(REACHES.index(reach) + steps, len(REACHES) - 1)]


def shot(board: Board, disk: int, number: int) -> Shot:
    """Return a ranged attack with its stats in force, before the target's cover."""
    printed = board.profile(disk).shots[number]
    strength = replace(printed.strength, flat=printed.strength.flat + shot_bonus(board, disk))
    return replace(printed, strength=strength, reach=shot_reach(board, disk, printed.reach))


def speed(board: Board, disk: int, kind: keywords.AttackKind) -> Speed:
    """Return the speed of a disk in melee, including the effect of Defensive ground (R10.6, R-24)."""
    defended = board.settings.defensive_swift in (kind, "both") and bool(pieces_with_keyword(board, disk, DEFENSIVE))
    return keywords.speed(board.profile(disk), kind, is_swift=defended)


def profile_in_force(board: Board, disk: int) -> Profile:
    """Return the profile of a disk with every stat in force, for display."""
    printed = board.profile(disk)
    return replace(
        printed,
        movement=movement(board, disk),
        strength=strength(board, disk),
        counter_strength=counter_strength(board, disk),
        toughness=toughness(board, disk),
        shots=tuple(shot(board, disk, number) for number in range(len(printed.shots))),
    )
