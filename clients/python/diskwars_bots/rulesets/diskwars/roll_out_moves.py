"""The best move of a disk in a roll-out: the choice of `move_choice` with the quick effort, kept while it holds.

What a move is worth depends on what is near: where nothing near a disk has changed, its best move is the one of before.
"""

from math import isqrt
from typing import TypeAlias

from diskwars_bots.rulesets.diskwars import moves, weights
from diskwars_bots.rulesets.diskwars.evaluation import (
    DANGER,
    advance_weight,
    by_round,
    cover_cost,
    fight_value,
    impact_value,
    place_value,
)
from diskwars_bots.rulesets.diskwars.roll_out_position import NO_MOVE, Ground, MoveChoice, RollOutPosition
from diskwars_bots.rulesets.diskwars.situation import QUICK_EFFORT, FightingDisk, damage_worth, typed_damage_worth
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import keywords
from diskwars_protocol.rulesets.diskwars.actions import MoveDisk

WeighedMove: TypeAlias = tuple[int, MoveDisk]
MAX_PLACES_TRIED = 12
"""Places for which paths are looked for at most."""
PLACES_WANTED = QUICK_EFFORT.places_with_paths
CHARGING_STRENGTH = 4
"""The strength from which a mobile disk that shoots is as good in contact."""


def best_move(position: RollOutPosition, fighter: FightingDisk, flips: int, worth: int = 0) -> WeighedMove | None:
    """Return the best move of a disk and how much better it is than to stay; None if it is worth no more than that."""
    if flips < 1:
        return None
    view = position.view
    near = near_fighters(position, fighter)
    key = _key(position, fighter, flips, near)
    known = view.moves.get(key)
    if known is None:
        view.memory.count(1)
        landings = Landings(position, fighter, flips, near)
        known = view.moves[key] = landings if landings.gain > 0 else NO_MOVE
    if known.gain <= worth:
        return None
    if isinstance(known, Landings):
        known = view.moves[key] = known.best_reached()
    return None if known.move is None or known.gain <= worth else (known.gain, known.move)


def near_fighters(position: RollOutPosition, fighter: FightingDisk) -> list[FightingDisk]:
    """List the fighters that a move of a disk may meet: itself, those within its reach, enemies within both reaches.

    The two nearest enemies are always among them.
    """
    x, y, span = fighter.x, fighter.y, fighter.reach + fighter.radius
    near: list[FightingDisk] = []
    first = second = None
    first_gap = second_gap = 1 << 60
    for other in position.fighters.values():
        gap = (other.x - x) ** 2 + (other.y - y) ** 2
        within = span + other.radius if other.is_own else span + other.reach + other.radius
        if gap <= within * within:
            near.append(other)
        if not other.is_own:
            if gap < first_gap:
                second, second_gap, first, first_gap = first, first_gap, other, gap
            elif gap < second_gap:
                second, second_gap = other, gap
    if second is not None and second not in near:
        near.append(second)
    if first is not None and first not in near:
        near.append(first)
    return near


def _key(position: RollOutPosition, fighter: FightingDisk, flips: int, near: list[FightingDisk]) -> tuple[object, ...]:
    """Return what the best move of a fighter depends on: fighters near it, pins between them, terrain that is taken."""
    parts: list[object] = [id(fighter), flips, *map(id, near)]
    pins, fighters = position.board.pins, position.fighters
    if pins:
        numbers = {other.id for other in near}
        parts += [
            (id(fighters[pin.top]), id(fighters[pin.bottom]))
            for pin in pins
            if pin.top in numbers or pin.bottom in numbers
        ]
    if position.view.holds_terrain:
        parts.append(tuple(sorted([n for n, disks in position.on_terrain.items() if disks != [fighter.id]])))
    return tuple(parts)


class Landings:
    """The best landings of a fighter: `evaluation.value_of_landing`, with what is near looked up once.

    `gain` is how much better the best of `places` is than to stay, 0 without any. No path to it is known yet.
    """

    __slots__ = (
        "advance",
        "dangers",
        "enemies",
        "fighter",
        "fights",
        "flips",
        "gain",
        "has_impact",
        "is_flying",
        "length",
        "max_x",
        "max_y",
        "overlap",
        "own",
        "places",
        "position",
        "reach",
        "rough",
        "threats",
        "touchable",
        "wanted",
    )

    def __init__(self, position: RollOutPosition, fighter: FightingDisk, flips: int, near: list[FightingDisk]) -> None:
        self.position, self.fighter, self.flips, self.length = position, fighter, flips, 2 * fighter.radius
        self.reach = flips * self.length
        x, y, r = fighter.x, fighter.y, fighter.radius
        others = [other for other in near if other.id != fighter.id]
        touch = self.reach + r
        self.touchable = [o for o in others if (o.x - x) ** 2 + (o.y - y) ** 2 <= (touch + o.radius) ** 2]
        self.overlap = r - geometry.OVERLAP_TOLERANCE_UM
        self.enemies = [other for other in others if not other.is_own]
        self.own = [other for other in others if other.is_own]
        self.threats = self._threats()
        self.advance = advance_weight(position)
        is_charging = keywords.is_mobile(fighter.profile) and fighter.strength >= CHARGING_STRENGTH
        self.wanted = r if is_charging else r + fighter.shot_length
        self.fights: dict[tuple[int, ...], int] = {}
        self.has_impact = keywords.impact_amount(fighter.profile) is not None
        self.is_flying = keywords.is_flying(fighter.profile)
        grounds = self._grounds()
        left = position.board.disks[fighter.id].terrain
        self.rough = [ground for ground in grounds if ground.is_rough and ground.number not in left]
        self.dangers = [
            (ground, sum(typed_damage_worth(fighter, DANGER, damage_type) for damage_type in ground.dangers))
            for ground in grounds
            if ground.dangers
        ]
        field = position.board.field
        self.max_x, self.max_y = field.width - r, field.height - r
        self.places = self._best_places()
        self.gain = self.places[0][0] if self.places else 0

    def _threats(self) -> list[tuple[int, int, int, FightingDisk, int]]:
        """List the enemies that may land on it: risk times share, share, squared span, the enemy, and its risk."""
        position, fighter = self.position, self.fighter
        now_share, next_share = by_round(position, weights.EXPOSED_SHARES)
        threats = []
        for enemy in self.enemies:
            share = now_share if enemy.is_ready else next_share
            if share and (enemy.is_ready or position.rounds_left):
                risk = damage_worth(fighter, enemy.strength)
                if risk > 0:
                    threats.append(
                        (risk * share, share, (enemy.reach + enemy.radius + fighter.radius) ** 2, enemy, risk)
                    )
        threats.sort(key=lambda threat: -threat[0])
        return threats

    def _grounds(self) -> list[Ground]:
        fighter = self.fighter
        grounds = self.position.view.memory.grounds
        if not grounds or keywords.ignores_terrain(fighter.profile):
            return []
        span, x, y = self.reach + fighter.radius, fighter.x, fighter.y
        return [
            ground
            for ground in grounds
            if (ground.is_rough or ground.dangers)
            and ground.box[0] - span <= x <= ground.box[2] + span
            and ground.box[1] - span <= y <= ground.box[3] + span
        ]

    # ------------------------------------------------------------ the choice

    def _best_places(self) -> list[tuple[int, int, int]]:
        """Return the best places that are better than to stay: the gain, x and y of each, the best first."""
        position, fighter = self.position, self.fighter
        pinned = position.pinned_by.get(fighter.id, [])
        stay = self._safe_value(fighter.x, fighter.y, pinned) - self._exposure(fighter.x, fighter.y, pinned)
        r, max_x, max_y = fighter.radius, self.max_x, self.max_y
        bounds = []
        for x, y in set(moves.landing_places(position, fighter, self.flips, self.length)):
            if r <= x <= max_x and r <= y <= max_y:
                bound, pinned = self._bound(x, y)
                if bound > stay:
                    bounds.append((bound, x, y, pinned))
        bounds.sort(key=_bound_and_place, reverse=True)
        places: list[tuple[int, int, int]] = []
        for bound, x, y, pinned in bounds[:MAX_PLACES_TRIED]:
            if len(places) >= PLACES_WANTED and bound - stay <= places[PLACES_WANTED - 1][0]:
                break
            gain = bound - self._exposure(x, y, pinned) - stay
            if gain > 0:
                places.append((gain, x, y))
                places.sort(reverse=True)
        return places

    def best_reached(self) -> MoveChoice:
        """Return the best of the places that can be reached, by the best path to it."""
        best: tuple[int, moves.Path] | None = None
        wanted = PLACES_WANTED
        for gain, x, y in self.places:
            if not wanted or (best is not None and gain <= best[0]):
                break
            reached = self._best_path(gain, x, y)
            if reached is not None:
                wanted -= 1
                if best is None or reached[0] > best[0]:
                    best = reached
        if best is None:
            return NO_MOVE
        ends = not keywords.is_mobile(self.fighter.profile)
        return MoveChoice(best[0], MoveDisk(self.fighter.id, best[1], end_activation=ends, over_own_disks=True))

    def _bound(self, x: int, y: int) -> tuple[int, list[FightingDisk]]:
        """Return the value of a landing but for the enemies that may follow, and what it pins."""
        overlap = self.overlap
        pinned = [o for o in self.touchable if (o.x - x) ** 2 + (o.y - y) ** 2 <= (overlap + o.radius) ** 2]
        if len(pinned) > 1:
            pinned = self._pinned(x, y, pinned)
        value = self._safe_value(x, y, pinned)
        if self.dangers:
            value -= self._danger(x, y)
        if pinned and self.has_impact:
            value += impact_value(self.position, self.fighter, pinned)
        return value, pinned

    def _pinned(self, x: int, y: int, under: list[FightingDisk]) -> list[FightingDisk]:
        board, fighter, fighters = self.position.board, self.fighter, self.position.fighters
        disks = board.disks
        around = [(o.id, o.x, o.y, o.radius, disks[o.id].z) for o in under]
        top = (fighter.id, x, y, fighter.radius, board.top_z + 1)
        return [fighters[low] for _, low in geometry.find_pins_from_top(top, around, board.settings.pins)]

    def _safe_value(self, x: int, y: int, pinned: list[FightingDisk]) -> int:
        position, fighter = self.position, self.fighter
        seat = fighter.seat
        enemies = [other for other in pinned if other.seat != seat] if pinned else pinned
        value = place_value(position, fighter, x, y) if position.view.holds_places else 0
        if enemies:
            if len(enemies) != len(pinned):
                value -= sum([cover_cost(other) for other in pinned if other.seat == seat])
            key = tuple([other.id for other in enemies])
            fight = self.fights.get(key)
            if fight is None:
                fight = self.fights[key] = fight_value(position, fighter, enemies)
            return value + fight + self.advance
        if pinned:
            value -= sum([cover_cost(other) for other in pinned])
        return value + self._advance(x, y)

    def _exposure(self, x: int, y: int, pinned: list[FightingDisk]) -> int:
        worst = 0
        for product, share, square, enemy, risk in self.threats:
            if product <= worst * 100:
                break
            if (enemy.x - x) ** 2 + (enemy.y - y) ** 2 < square and enemy not in pinned:
                lessened = risk - self._return_value(enemy, x, y) * weights.RETURN_SHARE // 100
                worst = max(worst, lessened * share // 100)
        return worst

    def _return_value(self, enemy: FightingDisk, x: int, y: int) -> int:
        strength, base = self.fighter.counter, enemy.radius
        for own in self.own:
            if enemy.is_ready and not own.is_ready:
                continue
            span = own.reach + own.radius + base
            if (own.x - x) ** 2 + (own.y - y) ** 2 < span * span:
                strength += own.strength
        return damage_worth(enemy, strength)

    def _advance(self, x: int, y: int) -> int:
        nearest = min([isqrt((e.x - x) ** 2 + (e.y - y) ** 2) - e.radius for e in self.enemies], default=0)
        gap = max(0, nearest - self.wanted)
        return self.advance - self.advance * gap // self.position.board.field.width

    def _danger(self, x: int, y: int) -> int:
        """Return the cost of a landing on Dangerous ground (R10.5)."""
        return sum([cost for ground, cost in self.dangers if ground.is_under(x, y, self.fighter.radius)])

    # ------------------------------------------------------------ paths

    def _best_path(self, value: int, x: int, y: int) -> tuple[int, moves.Path] | None:
        """Return the cheapest path to a place and the value of the place less its cost; None if none works."""
        best: tuple[int, moves.Path] | None = None
        for path in moves.paths_to(self.fighter, x, y, self.flips, self.length):
            cost = self._cost(path)
            if cost is not None and (best is None or value - cost > best[0]):
                best = value - cost, path
                if not cost:
                    break
        return best

    def _cost(self, path: moves.Path) -> int | None:
        """Return what the landings before the last cost; None if the path does not work (`moves.cost_of_path`)."""
        fighter, x, y, cost = self.fighter, self.fighter.x, self.fighter.y, 0
        r, max_x, max_y, overlap = fighter.radius, self.max_x, self.max_y, self.overlap
        for dx, dy in path[:-1]:
            x, y = x + dx, y + dy
            if not (r <= x <= max_x and r <= y <= max_y):
                return None
            if self.is_flying:
                continue
            under = [o for o in self.touchable if (o.x - x) ** 2 + (o.y - y) ** 2 <= (overlap + o.radius) ** 2]
            for other in under:
                if not other.is_own:
                    return None
            for ground in self.rough:
                if ground.is_under(x, y, r):
                    return None
            if self.dangers:
                cost += self._danger(x, y)
            if under and self.has_impact:
                cost -= impact_value(self.position, fighter, under)
        x, y = x + path[-1][0], y + path[-1][1]
        return cost if r <= x <= max_x and r <= y <= max_y else None


def _bound_and_place(place: tuple[int, int, int, list[FightingDisk]]) -> tuple[int, int, int]:
    return place[:3]
