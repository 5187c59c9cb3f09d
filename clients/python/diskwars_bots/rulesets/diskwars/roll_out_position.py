"""The position as roll-outs see it: the fighters of the greedy bot, each made once for all boards where it is the same.

The boards of a search differ in a disk or two. What is kept follows from a board alone, so that a position is the same
whatever was kept before.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from msgspec import Struct

from diskwars_bots.rulesets.diskwars.situation import (
    QUICK_EFFORT,
    FightingDisk,
    Situation,
    known_objective,
    possible_objectives,
    shot_length,
)
from diskwars_protocol import geometry
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position, terrain
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.actions import Action, MoveDisk
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, Disk

MAX_KEPT = 30_000
"""Fighters, moves and other uses of cards that are kept of a match: some 30 MB. Then it begins again."""
MATCHES_KEPT = 2

Bonus: TypeAlias = tuple[int, int, int, int]
"""What adds to the figures of a disk: to strength, counter-strength, toughness and flips."""
NO_BONUS: Bonus = (0, 0, 0, 0)
Aura: TypeAlias = f.IncreaseToughness | f.IncreaseMeleeStrength


class Ground(Struct, frozen=True, gc=False):
    """A piece of terrain: its number, box and outline, whether it is rough, and the types of damage that it deals."""

    number: int
    box: geometry.Box
    corners: geometry.Polygon
    is_rough: bool
    dangers: tuple[f.DamageType, ...]

    def is_under(self, x: int, y: int, radius: int) -> bool:
        """Return whether a disk at (x, y) overlaps the piece."""
        x0, y0, x1, y1 = self.box
        if not (x0 - radius <= x <= x1 + radius and y0 - radius <= y <= y1 + radius):
            return False
        return geometry.disk_overlaps_polygon(x, y, radius, self.corners)


class MoveChoice(Struct, frozen=True, gc=False):
    """The best move of a fighter that can be reached, None for none, and how much better it is than to stay."""

    gain: int
    move: MoveDisk | None = None


NO_MOVE = MoveChoice(0)


class CardUse(Struct, frozen=True, gc=False):
    """A use of a card that moves no fighter: its value, and the disks that it names as they were then."""

    value: int
    action: Action
    disks: tuple[Disk, ...]


class MatchMemory:
    """What is kept of the boards of one match."""

    def __init__(self, board: Board) -> None:
        self.auras: dict[int, list[Aura]] = {}
        for number, profile in enumerate(board.profiles):
            auras = [a.effect for a in profile.abilities if isinstance(a.effect, Aura)]
            if auras:
                self.auras[number] = auras
        self.grounds = [
            Ground(
                number,
                geometry.bounding_box(piece.corners),
                piece.corners,
                terrain.has_keyword(piece, terrain.ROUGH),
                tuple(
                    keyword.damage_type
                    for keyword in piece.terrain.keywords
                    if keyword.id == terrain.DANGEROUS and keyword.damage_type is not None
                ),
            )
            for number, piece in enumerate(board.terrain)
        ]
        self._bonuses: dict[tuple[Seat, str | None], tuple[Bonus, ...]] = {}
        self._views: dict[tuple[Seat, int, object], SeatView] = {}
        self._kept = 0

    def view(self, board: Board, seat: Seat) -> "SeatView":
        """Return what is kept for a seat in the round of a board."""
        key = seat, board.round, board.sides[seat].objective
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = SeatView(self, board, seat)
        return view

    def count(self, entries: int) -> None:
        """Count what is kept; drop everything where it is too much. Views in use stay whole."""
        self._kept += entries
        if self._kept > MAX_KEPT:
            self._views.clear()
            self._kept = 0

    def bonuses(self, board: Board, seat: Seat) -> tuple[Bonus, ...]:
        """Return what the scenario and the card of a player add to the figures of a disk, by its profile (R7.8)."""
        key = seat, board.sides[seat].revealed_card
        bonuses = self._bonuses.get(key)
        if bonuses is None:
            effects = effective_stats.passive_effects(board, seat)
            bonuses = self._bonuses[key] = tuple(
                total_bonus(
                    e for e in effects if effective_stats.matches_selector(profile, getattr(e, "selector", None))
                )
                for profile in board.profiles
            )
        return bonuses

    def aura_bonus(self, board: Board, disk: Disk, bearers: Sequence[Disk]) -> Bonus:
        """Return what other disks of its side, the bearers, add to the figures of a disk (R-45)."""
        profile, found = board.profiles[disk.profile], []
        for other in bearers:
            if other.seat == disk.seat and other.id != disk.id:
                for effect in self.auras[other.profile]:
                    if position.is_within(
                        board, other.id, disk.id, effect.reach or "short"
                    ) and effective_stats.matches_selector(profile, effect.selector):
                        found.append(effect)
        return total_bonus(found) if found else NO_BONUS


def total_bonus(effects: Iterable[f.Effect]) -> Bonus:
    """Add up what effects change in the figures of a disk."""
    strength = counter = toughness = flips = 0
    for effect in effects:
        match effect:
            case f.IncreaseMeleeStrength():
                strength, counter = strength + effect.strength, counter + effect.counter_strength
            case f.IncreaseToughness():
                toughness += effect.toughness
            case f.IncreaseMovement():
                flips += effect.flips
            case _:
                pass
    return strength, counter, toughness, flips


@lru_cache(maxsize=MATCHES_KEPT)
def _memory(board: "_MatchConstants") -> MatchMemory:
    return MatchMemory(board.board)


class _MatchConstants:
    """A board as a cache key, compared by what stays the same after the setup of a match."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._parts = (board.profiles, board.terrain, board.zones, board.layout, board.settings, board.field)

    def __hash__(self) -> int:
        return hash(tuple(map(id, self._parts)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _MatchConstants) and all(
            one is two for one, two in zip(self._parts, other._parts, strict=True)
        )


def memory_of(board: Board) -> MatchMemory:
    """Return what is kept of the match of a board whose setup is over."""
    return _memory(_MatchConstants(board))


class SeatView:
    """What is kept for a seat in a round: its objective, its fighters and their moves."""

    def __init__(self, memory: MatchMemory, board: Board, seat: Seat) -> None:
        self.memory, self.seat = memory, seat
        self.rounds_left = max(0, board.rounds - max(1, board.round))
        self.objective, self.other_objectives = known_objective(board, seat), possible_objectives(board, seat)
        self.holds_places = any(isinstance(p, s.HoldZones | s.HoldMiddle | s.HoldTerrain) for p in self.objective)
        self.holds_terrain = any(isinstance(part, s.HoldTerrain) for part in self.objective)
        self.enemy_zones = [zone for zone in board.zones if zone.seat != seat]
        self._worths: dict[tuple[int, bool], int] = {}
        self._by_object: dict[tuple[int, bool, Bonus, Bonus], tuple[Disk, FightingDisk]] = {}
        self._by_value: dict[tuple[Disk, bool, Bonus, Bonus], FightingDisk] = {}
        self.moves: dict[tuple[object, ...], MoveChoice | Any] = {}
        """The best move of a fighter, by the identities of the fighters that it depends on, which stay alive here."""
        self.shots: dict[tuple[object, ...], int] = {}
        self.uses: dict[tuple[object, ...], tuple[CardUse, ...]] = {}
        """What a card may be used for but moves, by the identities of all fighters."""

    def fighters(self, situation: Situation, board: Board) -> dict[int, FightingDisk]:
        """Return the fighters of a board by number."""
        memory, known = self.memory, self._by_object
        pinned = {pin.bottom for pin in board.pins}
        auras = memory.auras
        bearers = [d for d in board.disks if d.profile in auras and d.place == BATTLEFIELD] if auras else []
        bonuses = [memory.bonuses(board, side.seat) for side in board.sides]
        seats_with_auras = {disk.seat for disk in bearers}
        found: dict[int, FightingDisk] = {}
        for disk in board.disks:
            if disk.place != BATTLEFIELD:
                continue
            number, bonus = disk.id, bonuses[disk.seat][disk.profile]
            aura = memory.aura_bonus(board, disk, bearers) if disk.seat in seats_with_auras else NO_BONUS
            key = id(disk), number in pinned, bonus, aura
            entry = known.get(key)
            if entry is None:
                entry = known[key] = disk, self._fighter(situation, board, disk, number in pinned, bonus, aura)
            found[number] = entry[1]
        return found

    def _fighter(
        self, situation: Situation, board: Board, disk: Disk, is_pinned: bool, bonus: Bonus, aura: Bonus
    ) -> FightingDisk:
        key = disk, is_pinned, bonus, aura
        fighter = self._by_value.get(key)
        if fighter is None:
            self.memory.count(1)
            fighter = self._by_value[key] = self._new_fighter(situation, board, disk, is_pinned, bonus, aura)
        return fighter

    def _new_fighter(
        self, situation: Situation, board: Board, disk: Disk, is_pinned: bool, bonus: Bonus, aura: Bonus
    ) -> FightingDisk:
        profile, is_own = board.profiles[disk.profile], disk.seat == self.seat
        worth = self._worths.get((disk.profile, is_own))
        if worth is None:
            worth = self._worths[disk.profile, is_own] = situation.worth(profile, is_own)
        toughness = max(0, profile.toughness + disk.empowered - disk.weakened + bonus[2] + aura[2])
        flips = 0 if keywords.is_emplaced(profile) else profile.movement + bonus[3]
        return FightingDisk(
            id=disk.id,
            seat=disk.seat,
            is_own=is_own,
            profile=profile,
            x=disk.x,
            y=disk.y,
            radius=profile.radius,
            strength=profile.strength + disk.empowered + bonus[0] + aura[0],
            counter=profile.counter_strength + disk.empowered + bonus[1] + aura[1],
            left=max(1, toughness - disk.damage),
            lives=max(1, profile.stamina - disk.wounds + 1),
            worth=worth,
            reach=2 * profile.radius * flips,
            shot_length=shot_length(board, profile),
            is_ready=not disk.activated and not is_pinned,
        )


class RollOutPosition(Situation):
    """A position as a seat sees it; everything that `Situation` says of it, with less effort."""

    def __init__(self, board: Board, seat: Seat, memory: MatchMemory) -> None:
        view = memory.view(board, seat)
        self.board, self.seat, self.effort, self.view = board, seat, QUICK_EFFORT, view
        self.rounds_left, self.objective, self._other_objectives = (
            view.rounds_left,
            view.objective,
            view.other_objectives,
        )
        self.enemy_zones = view.enemy_zones
        self.fighters = fighters = view.fighters(self, board)
        self.own = [fighter for fighter in fighters.values() if fighter.is_own]
        self.enemies = [fighter for fighter in fighters.values() if not fighter.is_own]
        self.on_terrain: dict[int, list[int]] = {}
        if view.holds_terrain:
            for disk in board.disks:
                for number in disk.terrain:
                    self.on_terrain.setdefault(number, []).append(disk.id)
        self.pinning: dict[int, list[FightingDisk]] = {}
        self.pinned_by: dict[int, list[FightingDisk]] = {}
        for pin in board.pins:
            top, bottom = pin.top, pin.bottom
            self.pinning.setdefault(bottom, []).append(fighters[top])
            self.pinned_by.setdefault(top, []).append(fighters[bottom])
