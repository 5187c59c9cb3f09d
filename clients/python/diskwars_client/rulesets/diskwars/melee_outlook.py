"""Forecast of a melee as things stand: it has no dice, so it is exact but for choices and abilities (R15.3).

The page computes the same: clients/web/src/rulesets/diskwars/forecast/fight.ts.
"""

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from diskwars_client.rulesets.diskwars.wounds import Fall, Fate, settle, strike
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import Blow, Engagement, Link, Pin, Speed

SPEEDS: tuple[Speed, ...] = ("swift", "normal", "slow")


class OutlookStep(Struct, frozen=True):
    """A speed step: its blows, the board on which they are struck, and what becomes of those who are struck."""

    speed: Speed
    board: Board
    blows: tuple[Blow, ...]
    taken: Mapping[int, int]
    toughness: Mapping[int, int]
    fates: Mapping[int, Fate]
    falls: tuple[Fall, ...]


class Outlook(Struct, frozen=True):
    """The steps of a fight, and whether a pin that it lays bare lets an ability work, which is not worked out."""

    steps: tuple[OutlookStep, ...]
    is_triggering: bool

    def disks_of_fate(self, wanted: Fate) -> list[int]:
        """List the disks that come to this, in the order of the steps."""
        return [
            disk
            for step in self.steps
            for disk, fate in (*step.fates.items(), *((fall.disk, fall.fate) for fall in step.falls))
            if fate == wanted
        ]


def links_onto(board: Board, disk: int, enemies: Iterable[int]) -> tuple[Link, ...]:
    """Return the links that a disk would have with the enemies that it would pin."""
    return tuple(
        Link(disk, enemy) for enemy in enemies if position.is_fielded(board, disk) and position.is_fielded(board, enemy)
    )


def standing_links(board: Board, links: Iterable[Link]) -> tuple[Link, ...]:
    """Return the links that still stand: both disks alive and the pin still there (R15.3.4, R15.4.2)."""
    return tuple(
        link for link in links if Pin(*link) in board.pins and all(position.is_fielded(board, one) for one in link)
    )


class Struck(Struct, frozen=True):
    """Disks that have struck in a fight already: as attackers of it, or as defenders of any (R-16)."""

    attackers: frozenset[int] = frozenset()
    defenders: frozenset[int] = frozenset()


def struck_in(board: Board, engagement: Engagement) -> Struck:
    """Return the disks that have already struck in an engagement under way."""
    back = [disk for one in board.engagements for disk in one.strikers if disk in one.defenders]
    return Struck(frozenset(engagement.strikers), frozenset(back))


def melee_outlook(
    board: Board, links: Collection[Link], targets: Mapping[int, int] | None = None, struck: Struck | None = None
) -> Outlook:
    """Fight links as they stand; `targets` names whom a disk strikes where it has a choice."""
    steps: list[OutlookStep] = []
    is_triggering = False
    for speed in SPEEDS:
        standing = [link for link in links if all(position.is_fielded(board, disk) for disk in link)]
        blows = _blows(board, standing, speed, targets or {}, struck or Struck())
        if not blows:
            continue
        sums: dict[int, int] = {}
        for blow in blows:
            sums[blow.target] = sums.get(blow.target, 0) + blow.strength
        # R15.3.5: all blows of a step on one disk are one instance.
        taken = {
            disk: keywords.damage_after_reduction(board.profile(disk), dealt, "physical")
            for disk, dealt in sums.items()
        }
        wounding, fates = strike(board, list(taken.items()))
        settled = settle(wounding.board)  # who falls may have raised the toughness of others
        toughness = {disk: effective_stats.toughness(board, disk) for disk in taken}
        steps.append(OutlookStep(speed, board, tuple(blows), taken, toughness, fates, settled.falls))
        is_triggering |= any(_is_engaging(board, pin) for pin in (*wounding.gained, *settled.gained))
        board = settled.board
    return Outlook(tuple(steps), is_triggering)


def _is_engaging(board: Board, pin: Pin) -> bool:
    """Return whether an engage ability works because of a pin (R6.6)."""
    return position.are_enemies(board, *pin) and any(position.abilities(board, disk, "engage") for disk in pin)


def _blows(
    board: Board, links: Collection[Link], speed: Speed, targets: Mapping[int, int], struck: Struck
) -> list[Blow]:
    attackers: dict[int, list[int]] = {}
    defenders: dict[int, list[int]] = {}
    for attacker, defender in links:
        if attacker not in struck.attackers and effective_stats.speed(board, attacker, "strength") == speed:
            attackers.setdefault(attacker, []).append(defender)
        if defender not in struck.defenders and effective_stats.speed(board, defender, "counter") == speed:
            defenders.setdefault(defender, []).append(attacker)
    blows = [
        Blow(disk, target, effective_stats.strength(board, disk))
        for disk, enemies in attackers.items()
        for target in (
            enemies if keywords.is_frenzied(board.profile(disk)) else [_chosen(disk, enemies, targets)]  # R14.4
        )
    ]
    return blows + [
        Blow(disk, _chosen(disk, enemies, targets), effective_stats.counter_strength(board, disk))
        for disk, enemies in defenders.items()
    ]


def _chosen(disk: int, enemies: list[int], targets: Mapping[int, int]) -> int:
    wanted = targets.get(disk)
    return wanted if wanted in enemies else enemies[0]
