"""The position as the greedy bot sees it: every disk on the field as a fighter with its figures and its worth."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from diskwars_bots.rulesets.diskwars import weights
from diskwars_protocol import geometry
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, Disk
from diskwars_protocol.rulesets.diskwars.keyword_forms import KeywordKind
from diskwars_protocol.rulesets.diskwars.stats import DamageType, Profile

QUICK_OBJECTIVE: tuple[s.Objective, ...] = (s.SlayUnits(1), s.SlayHeroes(5), s.HoldZones(1))
"""Everybody's objective where there are no scenario cards (R20.2)."""


class Effort(Struct, frozen=True):
    """The number of moves that are tried for each disk.

    `direction_steps` are the directions in which open ground is tried, in steps of 5°; `contact_steps` those from which
    an enemy is landed on besides its middle, to keep off its neighbours. `places_with_paths` are the best places of a
    disk for which paths are looked for; the rest is rarely better.
    """

    direction_steps: range
    contact_steps: range
    places_with_paths: int


FULL_EFFORT = Effort(range(0, 72, 6), range(0, 72, 9), 8)
"""For a move that is played."""
QUICK_EFFORT = Effort(range(0), range(0, 72, 24), 3)
"""For a move that is imagined: a match plays on more than twice as fast with it."""


class FightingDisk(Struct, frozen=True, gc=False):
    """A disk on the field with its figures in force.

    `left` is the damage that wounds it, `lives` how many wounds destroy it, `worth` what it is worth alive. `reach` is
    how far its centre moves at most. `is_ready` says that it can be activated this round.
    """

    id: int
    seat: Seat
    is_own: bool
    profile: Profile
    x: int
    y: int
    radius: int
    strength: int
    counter: int
    left: int
    lives: int
    worth: int
    reach: int
    shot_length: int
    is_ready: bool

    @property
    def is_hero(self) -> bool:
        return self.profile.kind == "hero"


class SeenDisk(Struct, frozen=True, gc=False):
    """A fighter, and what it was made from."""

    disk: Disk
    is_pinned: bool
    card: str | None
    fighter: FightingDisk


class Situation:
    """A position as a seat sees it. Built once for each decision; everything in it is looked up many times."""

    def __init__(
        self, board: Board, seat: Seat, effort: Effort = FULL_EFFORT, seen: dict[int, SeenDisk] | None = None
    ) -> None:
        """Look at a board. `seen` holds fighters of earlier positions of the same round, and is filled with new ones.

        A fighter is the same again while its disk, its pins and the card of its player are; what other disks near it
        do for it (R-45) is then as it was.
        """
        self.board, self.seat, self.effort = board, seat, effort
        self.rounds_left = max(0, board.rounds - max(1, board.round))
        self.objective = known_objective(board, seat)
        self._other_objectives = possible_objectives(board, seat)
        pinned = {pin.bottom for pin in board.pins}
        self.fighters = {
            disk.id: self._fighter(disk, disk.id in pinned)
            if seen is None
            else self._seen_fighter(disk, disk.id in pinned, seen)
            for disk in board.disks
            if disk.place == BATTLEFIELD
        }
        self.own = [fighter for fighter in self.fighters.values() if fighter.is_own]
        self.enemies = [fighter for fighter in self.fighters.values() if not fighter.is_own]
        self.enemy_zones = [zone for zone in board.zones if zone.seat != seat]
        self.on_terrain: dict[int, list[int]] = {}
        for disk in board.disks:
            for number in disk.terrain:
                self.on_terrain.setdefault(number, []).append(disk.id)
        self.pinning: dict[int, list[FightingDisk]] = {}
        self.pinned_by: dict[int, list[FightingDisk]] = {}
        for pin in board.pins:
            top, bottom = pin.top, pin.bottom
            self.pinning.setdefault(bottom, []).append(self.fighters[top])
            self.pinned_by.setdefault(top, []).append(self.fighters[bottom])

    def _seen_fighter(self, disk: Disk, is_pinned: bool, seen: dict[int, SeenDisk]) -> FightingDisk:
        card, known = self.board.sides[disk.seat].revealed_card, seen.get(disk.id)
        # An unchanged disk is the same object: the fold replaces what it changes.
        if known is not None and known.disk is disk and known.is_pinned == is_pinned and known.card == card:
            return known.fighter
        fighter = self._fighter(disk, is_pinned)
        seen[disk.id] = SeenDisk(disk, is_pinned, card, fighter)
        return fighter

    def _fighter(self, disk: Disk, is_pinned: bool) -> FightingDisk:
        board, profile = self.board, self.board.profiles[disk.profile]
        is_own, number = disk.seat == self.seat, disk.id
        return FightingDisk(
            id=number,
            seat=disk.seat,
            is_own=is_own,
            profile=profile,
            x=disk.x,
            y=disk.y,
            radius=profile.radius,
            strength=effective_stats.strength(board, number),
            counter=effective_stats.counter_strength(board, number),
            left=max(1, effective_stats.toughness(board, number) - disk.damage),
            lives=max(1, profile.stamina - disk.wounds + 1),
            worth=self.worth(profile, is_own),
            reach=2 * profile.radius * effective_stats.movement(board, number),
            shot_length=shot_length(board, profile),
            is_ready=not disk.activated and not is_pinned,
        )

    def worth(self, profile: Profile, is_own: bool) -> int:
        """Return what a disk is worth alive: what its side gets for it, what the other gets for its loss, its fights.

        The own objective is known; of the others it is the mean over the cards that may have been dealt.
        """
        is_hero = profile.kind == "hero"
        cost = weights.HERO_COST if is_hero else profile.cost
        worth = weights.FIGHT_PER_COST_AND_ROUND * cost * self.rounds_left
        if is_own:
            worth += _survival_points(profile, self.objective) + self._mean_points(_loss_points, profile)
        else:
            worth += _loss_points(profile, self.objective) + self._mean_points(_survival_points, profile)
        return worth + 50  # a disk can hold a place, or keep another from holding it, up to the end

    def _mean_points(self, points: Callable[[Profile, Sequence[s.Objective]], int], profile: Profile) -> int:
        others = self._other_objectives
        return sum(points(profile, objective) for objective in others) // len(others)

    def engaged_enemies(self, fighter: FightingDisk) -> list[FightingDisk]:
        """List the enemies of a fighter that pin it or that it pins."""
        around = self.pinning.get(fighter.id, []) + self.pinned_by.get(fighter.id, [])
        return [other for other in around if other.seat != fighter.seat]

    def overlapped(self, number: int, x: int, y: int, radius: int) -> list[FightingDisk]:
        """List the other fighters that a disk at (x, y) overlaps."""
        reach = radius - geometry.OVERLAP_TOLERANCE_UM
        return [
            other
            for other in self.fighters.values()
            if (other.x - x) ** 2 + (other.y - y) ** 2 <= (reach + other.radius) ** 2 and other.id != number
        ]

    def pinned_at(self, number: int, x: int, y: int, radius: int) -> list[FightingDisk]:
        """List the fighters that a disk would pin at (x, y), on top of all."""
        under = self.overlapped(number, x, y, radius)
        if len(under) < 2:
            return under
        pins = position.pins_if_placed(self.board, number, x, y)
        return [self.fighters[pin.bottom] for pin in pins]


def known_objective(board: Board, seat: Seat) -> tuple[s.Objective, ...]:
    """Return the parts of the own objective."""
    dealt = board.sides[seat].objective
    objectives = [card.objective for card in board.layout.scenarios if card.id == dealt]
    return objectives[0] if objectives else QUICK_OBJECTIVE


def possible_objectives(board: Board, seat: Seat) -> list[tuple[s.Objective, ...]]:
    """List the objectives that another player may have: those of all cards that are neither active nor the own.

    There is at least one.
    """
    own, active = board.sides[seat].objective, board.layout.active_scenario
    if own == active:  # a special scenario is everybody's objective
        return [known_objective(board, seat)]
    objectives = [card.objective for card in board.layout.scenarios if card.id not in (own, active)]
    return objectives or [known_objective(board, seat)]


def _loss_points(profile: Profile, objective: Sequence[s.Objective]) -> int:
    """Return the hundredths of a point that an objective pays for the loss of an enemy disk."""
    points = 0
    for part in objective:
        match part:
            case s.SlayUnits() if profile.kind != "hero":
                points += 100 * profile.cost // part.cost
            case s.SlayHeroes() if profile.kind == "hero":
                points += 100 * part.points
            case s.SlayElite() if profile.elite:
                points += 100 * part.points
            case _:
                pass
    return points


def _survival_points(_profile: Profile, objective: Sequence[s.Objective]) -> int:
    """Return the hundredths of a point that an objective pays for an own disk on the field."""
    return sum(100 * part.points for part in objective if isinstance(part, s.Survive))


def shot_length(board: Board, profile: Profile) -> int:
    """Return the longest range of a disk's ranged attacks or Magic; 0 without either."""
    lengths = [position.reach_length(board, shot.reach) or board.field.width for shot in profile.shots]
    return max([*lengths, board.field.medium if keywords.magic_amount(profile) is not None else 0])


# ---------------------------------------------------------------- the value of damage


def damage_worth(fighter: FightingDisk, damage: int) -> int:
    """Return the worth that an instance of damage takes from a fighter: a life, or a share of one."""
    if damage <= 0:
        return 0
    life = fighter.worth // fighter.lives
    if damage >= fighter.left:
        return life
    return life * weights.WOUND_SHARE * damage // (100 * fighter.left)


def typed_damage_worth(
    fighter: FightingDisk, damage: int, damage_type: DamageType, source: KeywordKind | None = None
) -> int:
    """Return the worth that damage of a type takes, after what the fighter is resistant or immune to (R13.3)."""
    return damage_worth(fighter, reduced(fighter, damage, damage_type, source))


def reduced(fighter: FightingDisk, damage: int, damage_type: DamageType, source: KeywordKind | None = None) -> int:
    """Return what Immune and Resistant leave of damage."""
    if not fighter.profile.keywords:
        return damage
    return keywords.damage_after_reduction(fighter.profile, damage, damage_type, source)


def denied(enemy: FightingDisk) -> int:
    """Return the value of keeping an enemy from acting this round."""
    return enemy.worth * weights.DENIED_SHARE // 100 if enemy.is_ready else 0
