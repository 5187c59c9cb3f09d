"""Leadership tests outside melee: after a charge in the flank, and of units that flee (C-2, C-16)."""

from diskwars_engine.rulesets.regiments import flight, rolls
from diskwars_engine.rulesets.regiments.resolution import Resolution, because
from diskwars_protocol.rulesets.regiments import events, formation, position
from diskwars_protocol.rulesets.regiments.board import Unit

RALLY_DISTANCE = 2
SMALL_PART = 4
"""C-16: a unit is small with less than a quarter of the models that it began with."""


def check_flank(resolution: Resolution, id: int, charger: int) -> None:
    """Let a unit that was charged in the flank or rear test its leadership; if it fails, it flees (C-2)."""
    leadership = resolution.board.profile(resolution.unit(id)).leadership
    drawn = rolls.roll_leadership(resolution.dice, "flank test")
    passed = drawn.results[0] <= leadership
    resolution.emit(events.FlankTested(id, leadership, passed, because("C-2", leadership=leadership), drawn))
    if not passed:
        flight.flee(resolution, id, "flanked", (charger,), formation.all_touches(resolution.board))


def check_fleeing(resolution: Resolution) -> None:
    """Let every fleeing unit take its rout test, then its rally test, each by number (C-16)."""
    resolution.emit(events.PhaseBegan("morale"))
    for unit in _fleeing(resolution):
        if unit.hit or is_small(unit):
            _test_rout(resolution, unit)
    for unit in _fleeing(resolution):
        enemy = position.nearest_enemy(resolution.board, unit)
        is_near = enemy is not None and position.distance(unit.cell, enemy.cell) <= RALLY_DISTANCE
        if not unit.hit and not is_near:
            _test_rally(resolution, unit)


def _fleeing(resolution: Resolution) -> list[Unit]:
    return [unit for unit in resolution.board.units if unit.status == "fleeing"]


def is_small(unit: Unit) -> bool:
    """Return whether less than a quarter of the models are left (C-16)."""
    return SMALL_PART * unit.size < unit.started


def _test_rout(resolution: Resolution, unit: Unit) -> None:
    """C-16: after a failure the unit is routed."""
    leadership = resolution.board.profile(unit).leadership
    drawn = rolls.roll_leadership(resolution.dice, "rout test")
    passed = drawn.results[0] <= leadership
    reasons = because("C-16", leadership=leadership, models=unit.size)
    resolution.emit(events.RoutTested(unit.id, leadership, passed, reasons, drawn))
    if not passed:
        resolution.emit(events.UnitRouted(unit.id, "rout_test", because("C-16")))


def _test_rally(resolution: Resolution, unit: Unit) -> None:
    """C-16: after a pass the unit is steady, and faces the nearest enemy."""
    leadership = resolution.board.profile(unit).leadership
    drawn = rolls.roll_leadership(resolution.dice, "rally test")
    passed = drawn.results[0] <= leadership
    resolution.emit(events.RallyTested(unit.id, leadership, passed, because("C-16", leadership=leadership), drawn))
    if passed:
        enemy = position.nearest_enemy(resolution.board, unit)
        facing = unit.facing if enemy is None else position.facing_towards(unit.cell, enemy.cell)
        resolution.emit(events.UnitRallied(unit.id, facing, because("C-16")))
