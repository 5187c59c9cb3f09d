"""Actions of units in close combat: they fire, fight, consolidate, and give way (B-7 to B-11, B-15 to B-18)."""

from collections.abc import Sequence

from diskwars_engine.rulesets.close_quarters import casualties
from diskwars_engine.rulesets.close_quarters.resolution import Resolution, because
from diskwars_protocol.rulesets.close_quarters import checks, events, plans, position
from diskwars_protocol.rulesets.close_quarters.actions import ModelMove, UnitId
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model
from diskwars_protocol.rulesets.close_quarters.events import Assault, Hit, HitPool, UnitHits, Volley
from diskwars_protocol.rulesets.close_quarters.stats import MeleeWeapon

STRAIN_FROM_CYCLE = 7
"""B-21: two units that cannot hurt each other would fight for ever."""

# ---------------------------------------------------------------- fire


def declare_defensive_fire(resolution: Resolution, unit: UnitId, target: UnitId | None) -> None:
    """Name the target, test leadership if the unit is suppressed, and fire (B-7)."""
    resolution.emit(events.DefensiveFireDeclared(unit, because("B-7"), target))
    if target is None or roll_leadership(resolution, unit, "B-7") == 0:
        return
    fire(resolution, unit, [(model, target) for model in position.defensive_firers(resolution.board, unit, target)])


def fire(resolution: Resolution, unit: UnitId, shots: Sequence[tuple[Model, UnitId]]) -> None:
    """Roll the snap-fire of the models of a unit, by number (B-8)."""
    board = resolution.board
    weapon = board.ranged_weapon(board.units[unit])
    if not shots or weapon is None:
        resolution.emit(events.ShotsFired(unit, because("B-9")))
        return
    dice = checks.snap_dice(weapon)
    draw = resolution.roll(dice * len(shots), "shot")
    shooter, volleys, hits = board.profile(board.units[unit]), [], dict[UnitId, list[Hit]]()
    for place, (model, target) in enumerate(shots):
        needed = checks.shot_needed(shooter, board.profile(board.units[target]))
        count = sum(face <= needed for face in draw.results[place * dice : (place + 1) * dice])
        volleys.append(Volley(model.id, target, weapon.id, dice, needed, count))
        # B-8a: a ranged weapon has a strength of its own
        hits.setdefault(target, []).extend([Hit(model.id, weapon.strength, weapon.armour_piercing)] * count)
    targets = tuple(
        UnitHits(target, tuple(hits[target]), _exposed(board, unit, target, shots))
        for target in sorted(hits)
        if hits[target]
    )
    resolution.emit(events.ShotsFired(unit, because("B-8", dice=dice), tuple(volleys), draw, targets))


def _exposed(
    board: CloseQuartersBoard, unit: UnitId, target: UnitId, shots: Sequence[tuple[Model, UnitId]]
) -> tuple[int, ...]:
    """Return the models that can fall to fire at a unit: those in range of some firer (B-8a).

    In a cycle only those that are not engaged (B-9).
    """
    firers = [model for model, aimed in shots if aimed == target]
    in_range = position.in_range_of(board, firers, target, position.fire_range(board, unit))
    if board.phase == "cycle":
        in_range = position.unengaged(board, in_range)
    return tuple(model.id for model in in_range)


# ---------------------------------------------------------------- melee


def fight(resolution: Resolution, unit: UnitId) -> None:
    """Roll the melee of every engaged model of a unit, by number (B-10)."""
    board = resolution.board
    chosen = {choice.model: board.melee_weapon(choice.weapon) for choice in resolution.combat.weapons}
    rows = [
        (model, enemies, chosen.get(model.id) or checks.melee_weapons(board, model)[0])
        for model, enemies in position.strikers(board, unit)
    ]
    draw = resolution.roll(sum(weapon.attacks for _, _, weapon in rows), "melee")
    left, assaults, attacks = list(draw.results), [], list[tuple[Sequence[Model], list[Hit]]]()
    for model, enemies, weapon in rows:
        faces, left = left[: weapon.attacks], left[weapon.attacks :]
        needed = checks.melee_needed(board, model, weapon, enemies)
        count = sum(face <= needed for face in faces)
        assaults.append(
            Assault(model.id, weapon.id, tuple(enemy.id for enemy in enemies), weapon.attacks, needed, count)
        )
        attacks.append((enemies, [_melee_hit(board, model, weapon)] * count))
    targets, pools = _group(board, unit, attacks)
    resolution.emit(events.MeleeRolled(unit, tuple(assaults), draw, because("B-10", models=len(rows)), targets, pools))


def _melee_hit(board: CloseQuartersBoard, model: Model, weapon: MeleeWeapon) -> Hit:
    return Hit(model.id, checks.melee_strength(board, model, weapon), weapon.armour_piercing)


def _group(
    board: CloseQuartersBoard, unit: UnitId, attacks: Sequence[tuple[Sequence[Model], list[Hit]]]
) -> tuple[tuple[UnitHits, ...], tuple[HitPool, ...]]:
    """Group hits by the units that their models touch: one unit takes them, several share a pool (B-11)."""
    direct: dict[UnitId, list[Hit]] = {}
    shared: dict[tuple[UnitId, ...], tuple[list[Hit], set[int]]] = {}
    for enemies, hits in attacks:
        units = tuple(sorted({enemy.unit for enemy in enemies}))
        if len(units) == 1:
            direct.setdefault(units[0], []).extend(hits)
            continue
        pool = shared.setdefault(units, ([], set()))
        pool[0].extend(hits)
        pool[1].update(enemy.id for enemy in enemies)
    pools = tuple(HitPool(tuple(hits), tuple(sorted(models))) for hits, models in shared.values() if hits)
    return casualties.unit_hits(board, unit, direct), pools


def choose_weapon(resolution: Resolution, model: int, weapon: str) -> None:
    resolution.emit(events.WeaponChosen(model, weapon, because("B-10")))


# ---------------------------------------------------------------- movement


def consolidate(resolution: Resolution, unit: UnitId, moves: Sequence[ModelMove]) -> None:
    """Move the models of a unit, and draw those in that it comes near (B-15)."""
    resolution.emit(events.UnitConsolidated(unit, tuple(moves), because("B-15", models=len(moves))))
    if resolution.board.phase == "winner_consolidation":  # B-19: the combat is decided
        return
    drawn = tuple(id for id in position.near_enemies(resolution.board) if id not in resolution.combat.units)
    if drawn:
        resolution.emit(events.UnitsJoinedCombat(drawn, because("B-15", units=len(drawn))))


# ---------------------------------------------------------------- leadership


def roll_leadership(resolution: Resolution, unit: UnitId, rule: str) -> int | None:
    """Return how many dice of a leadership test succeed; None if the unit passes without rolling (B-3)."""
    tested = resolution.unit(unit)
    if not tested.markers:
        return None
    needed, dice = checks.nerve(resolution.board, tested), checks.leadership_dice(resolution.board, tested)
    draw = resolution.roll(dice, "leadership")
    succeeded = sum(face <= needed for face in draw.results)
    reasons = (*because(rule), *because("B-3", dice=dice, markers=tested.markers))
    resolution.emit(events.LeadershipTested(unit, needed, succeeded > 0, draw, reasons))
    return succeeded


def fall_back(resolution: Resolution, unit: UnitId, rule: str) -> None:
    """Move a unit away from the nearest enemy; without models left, it is routed (B-17)."""
    flight = plans.fall_back(resolution.board, unit)
    reasons = (*because(rule), *because("B-17", lost=len(flight.lost)))
    resolution.emit(events.UnitFellBack(unit, flight.enemy, flight.moves, reasons, flight.lost))


def check_defender(resolution: Resolution, unit: UnitId) -> None:
    """Test a defending unit at the end of a cycle: it stays, falls back, or routs (B-16)."""
    if resolution.combat.cycle >= STRAIN_FROM_CYCLE:
        casualties.add_markers(resolution, unit, 1, "B-21")
    is_hopeless = not checks.nerve(resolution.board, resolution.unit(unit))
    if roll_leadership(resolution, unit, "B-16") != 0:
        return
    near = _attackers_near(resolution.board, unit)
    if is_hopeless:
        models = [model.id for model in position.models_of(resolution.board, unit)]
        casualties.remove(resolution, unit, models, "routed", "B-16")
    else:
        fall_back(resolution, unit, "B-16")
    for attacker in near:
        casualties.add_markers(resolution, attacker, -1, "B-18")


def _attackers_near(board: CloseQuartersBoard, unit: UnitId) -> list[UnitId]:
    """List the attacking units with a model within 6 inches of a unit (B-18)."""
    models = position.models_of(board, unit)
    return [id for id in position.attackers(board) if position.in_range_of(board, models, id, position.COMBAT_RANGE)]
