"""The forecast of a combat with chances in place of dice: what the greedy bot of close quarters weighs.

Units lose models and hope on average, cycle after cycle. Both sides consolidate once from where they are: units that
fire well stand off, the others go into contact, which keeps those that they touch from firing.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import isqrt

from msgspec import Struct
from msgspec.structs import replace

from diskwars_bots.rulesets.close_quarters.weights import AHEAD, COMES, CYCLES, FALLS_BACK, NEARER, STANDS_OFF
from diskwars_protocol.rulesets.close_quarters import checks, odds, plans, position
from diskwars_protocol.rulesets.close_quarters.actions import ModelMove, SideId, UnitId
from diskwars_protocol.rulesets.close_quarters.board import HITS_PER_MARKER, CloseQuartersBoard, Model
from diskwars_protocol.rulesets.close_quarters.plans import Point
from diskwars_protocol.rulesets.close_quarters.stats import MeleeWeapon

MAX_FAIL_CHANCE = 0.95
"""The highest chance that one attack fails a save: several hits of one die count as if they were one."""


CONTACT = 102
"""The distance of the centres of bases that touch, in the middle of what counts as contact (B-24)."""
RING: tuple[Point, ...] = ((102, 0), (72, 72), (0, 102), (-72, 72), (-102, 0), (-72, -72), (0, -102), (72, -72))
"""Places in contact around an enemy."""


class Blow(Struct, frozen=True, gc=False):
    """What one attacker does to one unit on average: casualties, hits, and the chance of a failed save."""

    casualties: float
    hits: float
    fails: float


class Attack(Struct, gc=False):
    """What one side does to one unit in its part of a cycle."""

    casualties: float = 0.0
    hits: float = 0.0
    markers: float = 0.0


Attacks = dict[UnitId, dict[UnitId, Attack]]
"""By target, then by attacker."""


class UnitForecast(Struct, gc=False):
    """A unit in the forecast: models, the chance that it has not fallen back, markers, and models at the start."""

    models: float
    stays: float
    markers: float
    began: int


def moved(board: CloseQuartersBoard, moves: Iterable[ModelMove]) -> CloseQuartersBoard:
    """Return the board with some models at other points."""
    ends = {move.model: move for move in moves}
    if not ends:
        return board
    models = tuple(
        replace(model, x=ends[model.id].x, y=ends[model.id].y) if model.id in ends else model for model in board.models
    )
    return replace(board, models=models)


class CombatForecast:
    """Forecasts for one match; chances of single attackers are kept, because they depend on few things."""

    def __init__(self) -> None:
        self._melee: dict[tuple[UnitId, bool, tuple[UnitId, ...]], dict[UnitId, Blow]] = {}
        self._shots: dict[tuple[UnitId, UnitId], Blow] = {}
        self._stands_off: dict[UnitId, bool] = {}

    # ------------------------------------------------------------ the whole

    def after_turn(self, board: CloseQuartersBoard, side: SideId) -> float:
        """Return what a side has more than its enemies once this turn's combat is over, and the enemy's next turn.

        Without a combat now, the enemies come as far as they can in their turn, if they have one.
        """
        if position.near_enemies(board):
            return self.combat(board, side, side, initial=True)
        if board.turn >= board.turns * len(board.order):
            return self._standing(board, side)
        enemy = board.order[board.turn % len(board.order)]
        now = worst = self._difference(board, _units_of(board), side)
        for doubles in (True, False):
            there = self._come(board, enemy, doubles)
            if position.near_enemies(there):
                worst = min(worst, self.combat(there, side, enemy, initial=True))
        return now + COMES * (worst - now) - NEARER * gap_of(board, side)

    def combat(self, board: CloseQuartersBoard, side: SideId, attacker: SideId, *, initial: bool) -> float:
        """Return what a side has more than its enemies after a combat in which `attacker` attacks next.

        `initial` is for a combat that begins now: defensive fire and a consolidation of the attackers come first.
        """
        units = _units_of(board)
        if initial:
            self._suffer(units, self._defensive_fire(board, attacker))
            board = self.after_consolidation(board, attacker)
        return self._play_on(board, units, side, attacker)

    def after_fire(self, board: CloseQuartersBoard, unit: UnitId, target: UnitId, fire: Attack) -> float:
        """Return what a side has more than its enemies after the combat, if one of its units fires at a target now.

        Defenders fire before the first cycle, the others in their part of one, so that the enemy is next.
        """
        units, side = _units_of(board), board.units[unit].side
        self._suffer(units, {target: {unit: fire}})
        if board.phase == "defensive_fire":
            attacker = board.units[target].side
            return self._play_on(self.after_consolidation(board, attacker), units, side, attacker)
        self._test(board, units, side)
        return self._play_on(board, units, side, board.units[target].side)

    def _play_on(
        self, board: CloseQuartersBoard, units: dict[UnitId, UnitForecast], side: SideId, attacker: SideId
    ) -> float:
        sides = position.living_sides(board)
        place = sides.index(attacker) if attacker in sides else 0
        known: dict[SideId, Attacks] = {}
        for cycle in range(CYCLES):
            acting = sides[(place + cycle) % len(sides)]
            if cycle <= len(sides) or acting not in known:
                known[acting] = self._attacks(board, acting)
            self._suffer(units, known[acting])
            self._test(board, units, acting)
            if cycle < len(sides):
                board = self.after_consolidation(board, acting)
        return self._difference(board, units, side)

    def _standing(self, board: CloseQuartersBoard, side: SideId) -> float:
        """Return the value of a position in which nobody attacks any more (B-23)."""
        own = position.points(board, side)
        best = max(position.points(board, other) for other in range(len(board.sides)) if other != side)
        return own - best + AHEAD * ((own > best) - (own < best))

    def _difference(self, board: CloseQuartersBoard, units: dict[UnitId, UnitForecast], side: SideId) -> float:
        total = 0.0
        for id, unit in units.items():
            lost = FALLS_BACK + (1 - FALLS_BACK) * _lost_share(board, id)
            left = unit.models * (1 - lost * (1 - unit.stays))
            total += left if board.units[id].side == side else -left
        return total

    # ------------------------------------------------------------ a cycle

    def _suffer(self, units: dict[UnitId, UnitForecast], attacks: Attacks) -> None:
        """Take casualties and markers; a unit strikes with the models that are left to it, unless it fell back."""
        for target, by_attacker in attacks.items():
            unit = units[target]
            for attacker, attack in by_attacker.items():
                own = units[attacker]
                share = own.stays * own.models / own.began
                unit.models = max(0.0, unit.models - share * unit.stays * attack.casualties)
                unit.markers += share * (attack.markers + attack.hits / HITS_PER_MARKER)

    def _test(self, board: CloseQuartersBoard, units: dict[UnitId, UnitForecast], attacker: SideId) -> None:
        """B-16: every defending unit that was near enough to be in the combat tests leadership."""
        for id, unit in units.items():
            tested = board.units[id]
            if tested.side == attacker or not unit.markers:
                continue
            more = max(0.0, unit.markers - tested.markers)
            whole = int(more)
            lower, upper = (float(odds.leadership_chance(board, id, whole + one)) for one in (0, 1))
            unit.stays *= lower + (more - whole) * (upper - lower)

    # ------------------------------------------------------------ attacks

    def _attacks(self, board: CloseQuartersBoard, side: SideId) -> Attacks:
        """Return what the units of a side do to their enemies by fire and in melee, with all their models."""
        attacks: Attacks = {}
        contacts = position.contacts(board)
        for unit in position.fielded(board):
            if unit.side == side and not unit.has_fallen_back:
                for target, attack in self._unit_attacks(board, unit.id, contacts).items():
                    attacks.setdefault(target, {})[unit.id] = attack
        return attacks

    def _unit_attacks(
        self, board: CloseQuartersBoard, unit: UnitId, contacts: dict[int, list[Model]]
    ) -> dict[UnitId, Attack]:
        found: dict[UnitId, Attack] = {}
        saved: dict[UnitId, float] = {}
        for _, targets in position.shooting_targets(board, unit):
            target = max(targets, key=lambda one: self.shot(board, unit, one).casualties)
            _add(found, saved, target, self.shot(board, unit, target))
        for model in position.models_of(board, unit):
            if model.id in contacts:
                for target, blow in self._strike(board, model, contacts[model.id]).items():
                    _add(found, saved, target, blow)
        for target, chance in saved.items():
            found[target].markers += 1 - chance
        return found

    def shot(self, board: CloseQuartersBoard, unit: UnitId, target: UnitId) -> Blow:
        """Return what the fire of one model does to a unit on average."""
        known = self._shots.get((unit, target))
        if known is None:
            weapon = board.ranged_weapon(board.units[unit])
            assert weapon is not None  # only models that can fire have targets
            aimed = board.profile(board.units[target])
            hits = checks.snap_dice(weapon) * checks.shot_needed(board.profile(board.units[unit]), aimed) / checks.SIDES
            fails = 1 - checks.save_needed(aimed, weapon.armour_piercing) / checks.SIDES
            known = Blow(float(odds.shot_casualties(board, unit, target)), hits, fails)
            self._shots[unit, target] = known
        return known

    def _strike(self, board: CloseQuartersBoard, model: Model, touched: Sequence[Model]) -> dict[UnitId, Blow]:
        """Return what the melee of one model does to the units that it touches, with its best weapon."""
        key = model.unit, model.is_leader, tuple(enemy.unit for enemy in touched)
        known = self._melee.get(key)
        if known is None:
            known = self._melee[key] = _melee_blows(board, model, touched)
        return known

    def _defensive_fire(self, board: CloseQuartersBoard, attacker: SideId) -> Attacks:
        """B-7: each enemy of the attacker fires at the attacking unit that it hurts most."""
        attacks: Attacks = {}
        near = set(position.near_enemies(board))
        targets = [unit for unit in position.fielded(board) if unit.side == attacker and unit.id in near]
        for unit in position.fielded(board):
            can_fire = board.ranged_weapon(unit) is not None and not unit.is_doubled and not unit.has_fallen_back
            if unit.side == attacker or not can_fire:
                continue
            inches = position.COMBAT_RANGE if unit.id in near else board.profile(unit).awareness_inches
            shots = [(self._volley(board, unit.id, target.id, inches), target.id) for target in targets]
            attack, target = max(shots, key=lambda pair: pair[0].casualties, default=(Attack(), unit.id))
            if attack.hits:
                attacks.setdefault(target, {})[unit.id] = attack
        return attacks

    def _volley(self, board: CloseQuartersBoard, unit: UnitId, target: UnitId, inches: int) -> Attack:
        firers = len(position.in_range_of(board, position.models_of(board, target), unit, inches))
        return self.volley(board, unit, target, firers, float(odds.leadership_chance(board, unit)))

    def volley(self, board: CloseQuartersBoard, unit: UnitId, target: UnitId, firers: int, chance: float) -> Attack:
        """Return what the fire of some models of a unit does, if it fires with this chance."""
        shot = self.shot(board, unit, target)
        return Attack(
            chance * firers * shot.casualties,
            chance * firers * shot.hits,
            chance * (1 - (1 - min(MAX_FAIL_CHANCE, shot.hits * shot.fails)) ** firers),
        )

    # ------------------------------------------------------------ movement

    def stands_off(self, board: CloseQuartersBoard, unit: UnitId) -> bool:
        """Return whether a unit fires so well that contact would only keep it from that."""
        known = self._stands_off.get(unit)
        if known is None:
            can_fire = board.ranged_weapon(board.units[unit]) is not None
            side = board.units[unit].side
            targets = [other.id for other in position.fielded(board) if can_fire and other.side != side]
            best = max((self.shot(board, unit, target).casualties for target in targets), default=0.0)
            known = self._stands_off[unit] = best >= STANDS_OFF
        return known

    def after_consolidation(self, board: CloseQuartersBoard, side: SideId) -> CloseQuartersBoard:
        """Return the board after the units of a side in combat consolidated as suits them."""
        near = position.near_enemies(board)
        for unit in near:
            if board.units[unit].side == side and not self.stands_off(board, unit):
                board = moved(board, _rush(board, unit))
        return board

    def _come(self, board: CloseQuartersBoard, side: SideId, doubles: bool) -> CloseQuartersBoard:
        """Return the board after the units of a side came as near as they can, at the double or at a walk."""
        measure = plans.double_distance if doubles else plans.advance_distance
        for unit in position.fielded(board):
            if unit.side == side:
                board = moved(board, plans.approach(board, unit.id, measure(board, unit.id)))
        return board


def _units_of(board: CloseQuartersBoard) -> dict[UnitId, UnitForecast]:
    units = {}
    for unit in position.fielded(board):
        count = len(position.models_of(board, unit.id))
        markers = unit.markers + unit.hit_counter / HITS_PER_MARKER
        units[unit.id] = UnitForecast(float(count), 0.0 if unit.has_fallen_back else 1.0, markers, count)
    return units


def _rush(board: CloseQuartersBoard, unit: UnitId) -> list[ModelMove]:
    """Return roughly where the models of a unit go that consolidate into contact.

    The rules find the nearest of all places (B-15), which takes twenty times as long as this.
    """
    distance = plans.consolidation_distance(board, unit)
    enemies = [(enemy.x, enemy.y) for enemy in position.opponents(board, board.units[unit].side)]
    taken = {model.id: (model.x, model.y) for model in position.standing(board)}
    for model in position.models_of(board, unit):
        start = taken.pop(model.id)
        taken[model.id] = _place_in_contact(start, distance, enemies, list(taken.values()))
    return [ModelMove(id, *point) for id, point in taken.items() if point != (board.models[id].x, board.models[id].y)]


def _place_in_contact(start: Point, distance: int, enemies: list[Point], taken: list[Point]) -> Point:
    """Return a free place beside the nearest enemy that can be reached, or else one straight towards the nearest."""
    enemies = sorted(enemies, key=lambda enemy: plans.squared(start, enemy))
    reach = (distance + CONTACT) ** 2
    near = [point for point in taken if plans.squared(start, point) <= (distance + 2 * CONTACT) ** 2]
    for enemy in enemies:
        gap = plans.squared(start, enemy)
        if gap > reach:
            break
        length = isqrt(gap)
        if gap <= position.CONTACT_SQUARED:
            return start
        straight = plans.along(start, (enemy[0] - start[0], enemy[1] - start[1]), length, length - CONTACT)
        around = sorted(((enemy[0] + x, enemy[1] + y) for x, y in RING), key=lambda point: plans.squared(start, point))
        for point in (straight, *around[: len(RING) // 2 + 1]):
            if plans.squared(start, point) <= distance**2 and _is_free(point, near):
                return point
    if not enemies:
        return start
    length = isqrt(plans.squared(start, enemies[0]))
    delta = (enemies[0][0] - start[0], enemies[0][1] - start[1])
    for way in (distance, distance // 2):
        point = plans.along(start, delta, length, min(way, max(0, length - CONTACT)))
        if _is_free(point, near):
            return point
    return start


def _is_free(point: Point, taken: list[Point]) -> bool:
    return all(plans.squared(point, other) >= position.OVERLAP_SQUARED for other in taken)


def _lost_share(board: CloseQuartersBoard, unit: UnitId) -> float:
    """Return which part of a unit would leave the table if it fell back from where it is (B-17)."""
    leader = position.reference(board, unit)
    enemy = position.nearest(leader, position.enemies(board, board.units[unit].side))
    if enemy is None:
        return 0.0
    delta, distance = (leader.x - enemy.x, leader.y - enemy.y), plans.advance_distance(board, unit)
    length = isqrt(delta[0] ** 2 + delta[1] ** 2)
    models = position.models_of(board, unit)
    ends = [plans.along((model.x, model.y), delta, length, distance) for model in models]
    return sum(not plans.is_on_table(board, end) for end in ends) / len(ends)


def gap_of(board: CloseQuartersBoard, side: SideId) -> int:
    """Return how far the leaders of a side are from their nearest enemies, together."""
    total, enemies = 0, position.enemies(board, side)
    for unit in position.fielded(board):
        if unit.side == side:
            leader = position.reference(board, unit.id)
            total += min((abs(leader.x - enemy.x) + abs(leader.y - enemy.y) for enemy in enemies), default=0)
    return total


def _melee_blows(board: CloseQuartersBoard, model: Model, touched: Sequence[Model]) -> dict[UnitId, Blow]:
    def expected(weapon: MeleeWeapon) -> Fraction:
        return odds.melee_casualties(board, model, weapon, touched)

    best = max(checks.melee_weapons(board, model), key=expected)
    hits = best.attacks * checks.melee_needed(board, model, best, touched) / checks.SIDES / len(touched)
    blows: dict[UnitId, Blow] = {}
    for enemy in touched:
        aimed = board.profile(board.units[enemy.unit])
        fails = 1 - checks.save_needed(aimed, best.armour_piercing) / checks.SIDES
        killed = float(odds.melee_casualties(board, model, best, [enemy])) / len(touched)
        before = blows.get(enemy.unit, Blow(0.0, 0.0, fails))
        blows[enemy.unit] = Blow(before.casualties + killed, before.hits + hits, fails)
    return blows


def _add(found: dict[UnitId, Attack], saved: dict[UnitId, float], target: UnitId, blow: Blow) -> None:
    """Add a blow; `saved` are the chances that no save has failed yet: the first that does is a marker (B-5)."""
    attack = found.setdefault(target, Attack())
    attack.casualties += blow.casualties
    attack.hits += blow.hits
    saved[target] = saved.get(target, 1.0) * (1 - min(MAX_FAIL_CHANCE, blow.hits * blow.fails))
