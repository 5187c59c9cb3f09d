"""Stats in force (R1.3): what is printed, and what tokens, cards, scenario and neighbours add.

The only place where they are computed: the engine decides with them, and clients and bots show and weigh them.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from diskwars_protocol.match import Seat
from diskwars_protocol.rulesets.diskwars import keywords
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, Disk
from diskwars_protocol.rulesets.diskwars.events import Speed
from diskwars_protocol.rulesets.diskwars.position import MATCH_CACHE_SIZE, ByIdentity, is_within
from diskwars_protocol.rulesets.diskwars.stats import (
    REACHES,
    Effect,
    Faster,
    Fiercer,
    LongerShots,
    Profile,
    Reach,
    Shot,
    Stronger,
    Tougher,
)
from diskwars_protocol.rulesets.diskwars.terrain import DEFENSIVE, pieces_with_keyword

Modifier: TypeAlias = LongerShots | Faster | Stronger | Tougher | Fiercer
"""Effects that change the figures of other disks than their bearer."""
AURA_EFFECTS: frozenset[type] = frozenset((Tougher, Fiercer))
"""Modifiers that disks have; the others are on cards only."""
M = TypeVar("M", LongerShots, Faster, Stronger, Tougher, Fiercer)


# ---------------------------------------------------------------- what changes printed stats


def passive_effects(board: Board, seat: Seat) -> list[Effect]:
    """R7.8: the passive abilities of the card that a seat has revealed, and that of the active scenario."""
    revealed = board.sides[seat].revealed_card
    layout = board.layout
    found = [one.ability for one in layout.scenarios if one.id == layout.active_scenario]  # R3.3.1 for everybody
    if revealed:
        found += [ability.effect for ability in board.card(revealed).abilities if ability.when == "passive"]
    return found


def effects_in_force(board: Board, disk: int, kind: type[M]) -> list[M]:
    """The passive effects of a kind that work on a disk: its player's card, and disks of its side nearby (R-45)."""
    now = board.disks[disk]
    found = [effect for effect in passive_effects(board, now.seat) if isinstance(effect, kind)]
    if (
        kind in AURA_EFFECTS
        and now.place == BATTLEFIELD
        and (bearers := _bearers(ByIdentity(board.profiles)).get(kind))
    ):
        found.extend(_auras(board, now, kind, bearers))
    return [effect for effect in found if matches_selector(board.profiles[now.profile], effect.of)] if found else found


def _auras(board: Board, now: Disk, kind: type[M], bearers: Collection[int]) -> Iterator[M]:
    """Yield the passive effects of other disks of the same side within whose reach a disk lies."""
    for other in board.disks:
        if other.profile in bearers and other.seat == now.seat and other.place == BATTLEFIELD and other.id != now.id:
            for ability in board.profiles[other.profile].abilities:
                effect = ability.effect
                if isinstance(effect, kind) and is_within(board, other.id, now.id, _aura_reach(effect)):
                    yield effect


@lru_cache(maxsize=MATCH_CACHE_SIZE)
def _bearers(profiles: ByIdentity[tuple[Profile, ...]]) -> Mapping[type[Effect], Collection[int]]:
    """Return the numbers of the profiles that bear an effect, by its kind: few, and the same throughout a match."""
    found: dict[type[Effect], set[int]] = {}
    for number, profile in enumerate(profiles.value):
        for ability in profile.abilities:
            found.setdefault(type(ability.effect), set()).add(number)
    return found


def _aura_reach(effect: Modifier) -> Reach:
    return (effect.reach or "short") if isinstance(effect, Tougher | Fiercer) else "short"


def matches_selector(profile: Profile, word: str) -> bool:
    """Return whether `word` refers to this disk by trait, race, kind or name. An empty word refers to all disks."""
    return not word or word in selectors_of(profile)


def selectors_of(profile: Profile) -> tuple[str, ...]:
    """Return the words by which a text may name a disk that it works on: traits, race, kind, name."""
    return (*profile.traits, profile.race, profile.kind, profile.id)


def strength(board: Board, disk: int) -> int:
    fiercer = [effect.strength for effect in effects_in_force(board, disk, Fiercer)]
    return board.profile(disk).strength + board.disks[disk].empowered + sum(fiercer)


def counter(board: Board, disk: int) -> int:
    fiercer = [effect.counter for effect in effects_in_force(board, disk, Fiercer)]
    return board.profile(disk).counter + board.disks[disk].empowered + sum(fiercer)


def toughness(board: Board, disk: int) -> int:
    """R-71: never below 0, however often it was lowered."""
    now = board.disks[disk]
    tougher = [effect.toughness for effect in effects_in_force(board, disk, Tougher)]
    return max(0, board.profiles[now.profile].toughness + now.empowered - now.weakened + sum(tougher))


def movement(board: Board, disk: int) -> int:
    """Return how many flips a move has. R16.5, R-48: an emplaced disk never moves, even with bonuses."""
    profile = board.profile(disk)
    faster = [effect.flips for effect in effects_in_force(board, disk, Faster)]
    return 0 if keywords.is_emplaced(profile) else profile.movement + sum(faster)


def shot_bonus(board: Board, disk: int) -> int:
    return sum(effect.strength for effect in effects_in_force(board, disk, Stronger))


def shot_reach(board: Board, disk: int, reach: Reach) -> Reach:
    """Return the maximum range of a shot; siege is the last band."""
    steps = sum(effect.steps for effect in effects_in_force(board, disk, LongerShots))
    return REACHES[min(REACHES.index(reach) + steps, len(REACHES) - 1)]


def shot(board: Board, disk: int, number: int) -> Shot:
    """Return a ranged attack as it is made now, before the target's cover."""
    printed = board.profile(disk).shots[number]
    strength = replace(printed.strength, flat=printed.strength.flat + shot_bonus(board, disk))
    return replace(printed, strength=strength, reach=shot_reach(board, disk, printed.reach))


def speed(board: Board, disk: int, kind: keywords.AttackKind) -> Speed:
    """Return the speed of a disk in melee, including the effect of Defensive ground (R10.6, R-24)."""
    defended = board.settings.defensive in (kind, "both") and bool(pieces_with_keyword(board, disk, DEFENSIVE))
    return keywords.speed(board.profile(disk), kind, is_swift=defended)


def profile_in_force(board: Board, disk: int) -> Profile:
    """Return the profile of a disk with every stat as it is now: what people are shown."""
    printed = board.profile(disk)
    return replace(
        printed,
        movement=movement(board, disk),
        strength=strength(board, disk),
        counter=counter(board, disk),
        toughness=toughness(board, disk),
        shots=tuple(shot(board, disk, number) for number in range(len(printed.shots))),
    )
