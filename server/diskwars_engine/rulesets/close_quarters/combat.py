"""What units do in close combat: fire, fight, consolidate, and give way (B-7 to B-11, B-15 to B-18)."""

from collections.abc import Sequence

from diskwars_engine.rulesets.close_quarters import resolution
from diskwars_engine.rulesets.close_quarters.play import Play, because
from diskwars_protocol.rulesets.close_quarters import checks, events, plans, position
from diskwars_protocol.rulesets.close_quarters.actions import ModelMove, UnitId
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model
from diskwars_protocol.rulesets.close_quarters.events import Assault, Hit, HitPool, UnitHits, Volley
from diskwars_protocol.rulesets.close_quarters.stats import MeleeWeapon

STRAIN_FROM_CYCLE = 7
"""B-21: two units that cannot hurt each other would fight for ever."""

# ---------------------------------------------------------------- fire


def declare_defensive_fire(play: Play, unit: UnitId, target: UnitId | None) -> None:
    """Name the target, test leadership if the unit is suppressed, and fire (B-7)."""
    play.emit(events.DefensiveFireDeclared(unit, because("B-7"), target))
    if target is None or roll_leadership(play, unit, "B-7") == 0:
        return
    fire(play, unit, [(model, target) for model in position.defensive_firers(play.board, unit, target)])


def fire(play: Play, unit: UnitId, shots: Sequence[tuple[Model, UnitId]]) -> None:
    """Roll the snap-fire of the models of a unit, by number (B-8)."""
    board = play.board
    weapon = board.ranged_weapon(board.units[unit])
    if not shots or weapon is None:
        play.emit(events.ShotsFired(unit, because("B-9")))
        return
    dice = checks.snap_dice(weapon)
    draw = play.roll(dice * len(shots), "shot")
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
    play.emit(events.ShotsFired(unit, because("B-8", dice=dice), tuple(volleys), draw, targets))


def _exposed(
    board: CloseQuartersBoard, unit: UnitId, target: UnitId, shots: Sequence[tuple[Model, UnitId]]
) -> tuple[int, ...]:
    """Return the models that can fall to fire at a unit: those in range of some firer (B-8a).

    In a cycle only those that are not engaged (B-9).
    """
    firers = [model for model, aimed in shots if aimed == target]
    found = position.in_range_of(board, firers, target, position.fire_range(board, unit))
    if board.phase == "cycle":
        found = position.unengaged(board, found)
    return tuple(model.id for model in found)


# ---------------------------------------------------------------- melee


def fight(play: Play, unit: UnitId) -> None:
    """Roll the melee of every engaged model of a unit, by number (B-10)."""
    board = play.board
    chosen = {choice.model: board.melee_weapon(choice.weapon) for choice in play.combat.weapons}
    rows = [
        (model, enemies, chosen.get(model.id) or checks.melee_weapons(board, model)[0])
        for model, enemies in position.strikers(board, unit)
    ]
    draw = play.roll(sum(weapon.attacks for _, _, weapon in rows), "melee")
    left, assaults, made = list(draw.results), [], list[tuple[Sequence[Model], list[Hit]]]()
    for model, enemies, weapon in rows:
        faces, left = left[: weapon.attacks], left[weapon.attacks :]
        needed = checks.melee_needed(board, model, weapon, enemies)
        count = sum(face <= needed for face in faces)
        assaults.append(Assault(model.id, weapon.id, tuple(one.id for one in enemies), weapon.attacks, needed, count))
        made.append((enemies, [_melee_hit(board, model, weapon)] * count))
    targets, pools = _group(board, unit, made)
    play.emit(events.MeleeRolled(unit, tuple(assaults), draw, because("B-10", models=len(rows)), targets, pools))


def _melee_hit(board: CloseQuartersBoard, model: Model, weapon: MeleeWeapon) -> Hit:
    return Hit(model.id, checks.melee_strength(board, model, weapon), weapon.armour_piercing)


def _group(
    board: CloseQuartersBoard, unit: UnitId, made: Sequence[tuple[Sequence[Model], list[Hit]]]
) -> tuple[tuple[UnitHits, ...], tuple[HitPool, ...]]:
    """Group hits by the units that their models touch: one unit takes them, several share a pool (B-11)."""
    direct: dict[UnitId, list[Hit]] = {}
    shared: dict[tuple[UnitId, ...], tuple[list[Hit], set[int]]] = {}
    for enemies, hits in made:
        units = tuple(sorted({enemy.unit for enemy in enemies}))
        if len(units) == 1:
            direct.setdefault(units[0], []).extend(hits)
            continue
        pool = shared.setdefault(units, ([], set()))
        pool[0].extend(hits)
        pool[1].update(enemy.id for enemy in enemies)
    pools = tuple(HitPool(tuple(hits), tuple(sorted(models))) for hits, models in shared.values() if hits)
    return resolution.unit_hits(board, unit, direct), pools


def choose_weapon(play: Play, model: int, weapon: str) -> None:
    play.emit(events.WeaponChosen(model, weapon, because("B-10")))


# ---------------------------------------------------------------- movement


def consolidate(play: Play, unit: UnitId, moves: Sequence[ModelMove]) -> None:
    """Move the models of a unit, and draw those in that it comes near (B-15)."""
    play.emit(events.UnitConsolidated(unit, tuple(moves), because("B-15", models=len(moves))))
    if play.board.phase == "winner_consolidation":  # B-19: the combat is decided
        return
    drawn = tuple(id for id in position.near_enemies(play.board) if id not in play.combat.units)
    if drawn:
        play.emit(events.UnitsJoinedCombat(drawn, because("B-15", units=len(drawn))))


# ---------------------------------------------------------------- leadership


def roll_leadership(play: Play, unit: UnitId, rule: str) -> int | None:
    """Return how many dice of a leadership test succeed; None if the unit passes without rolling (B-3)."""
    tested = play.unit(unit)
    if not tested.markers:
        return None
    needed, dice = checks.nerve(play.board, tested), checks.leadership_dice(play.board, tested)
    draw = play.roll(dice, "leadership")
    succeeded = sum(face <= needed for face in draw.results)
    reasons = (*because(rule), *because("B-3", dice=dice, markers=tested.markers))
    play.emit(events.LeadershipTested(unit, needed, succeeded > 0, draw, reasons))
    return succeeded


def fall_back(play: Play, unit: UnitId, rule: str) -> None:
    """Move a unit away from the nearest enemy; without models left, it is routed (B-17)."""
    flight = plans.fall_back(play.board, unit)
    reasons = (*because(rule), *because("B-17", lost=len(flight.lost)))
    play.emit(events.UnitFellBack(unit, flight.enemy, flight.moves, reasons, flight.lost))


def check_defender(play: Play, unit: UnitId) -> None:
    """Test a defending unit at the end of a cycle: it stays, falls back, or routs (B-16)."""
    if play.combat.cycle >= STRAIN_FROM_CYCLE:
        resolution.add_markers(play, unit, 1, "B-21")
    is_hopeless = not checks.nerve(play.board, play.unit(unit))
    if roll_leadership(play, unit, "B-16") != 0:
        return
    near = _attackers_near(play.board, unit)
    if is_hopeless:
        models = [model.id for model in position.models_of(play.board, unit)]
        resolution.remove(play, unit, models, "routed", "B-16")
    else:
        fall_back(play, unit, "B-16")
    for attacker in near:
        resolution.add_markers(play, attacker, -1, "B-18")


def _attackers_near(board: CloseQuartersBoard, unit: UnitId) -> list[UnitId]:
    """List the attacking units with a model within 6 inches of a unit (B-18)."""
    models = position.models_of(board, unit)
    return [id for id in position.attackers(board) if position.in_range_of(board, models, id, position.COMBAT_RANGE)]
