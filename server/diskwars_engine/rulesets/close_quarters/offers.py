"""Options of close quarters, what is not among them and why, and the answers of those whose time is up."""

from collections.abc import Iterator

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.close_quarters import casualties, turns
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.close_quarters import actions, checks, odds, plans, position
from diskwars_protocol.rulesets.close_quarters.actions import CloseQuartersAction, CloseQuartersQuestion, UnitId
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Loss
from diskwars_protocol.rulesets.close_quarters.options import (
    CloseQuartersLimits,
    CloseQuartersOptions,
    CloseQuartersUnavailable,
    Shooter,
)
from diskwars_protocol.search_steps import CountSteps, count_nothing

MAX_SEARCH_STEPS = 10_000
"""Plans, places and models that one question looks at, about half a second; in random play the most is 390."""

# ---------------------------------------------------------------- options


def options(board: CloseQuartersBoard, seat: Seat, question: CloseQuartersQuestion) -> CloseQuartersOptions:
    """Return the legal answers: whole ones, or limits for points, shots and picks. Raises `WorkExceeded`."""
    work = WorkBudget(MAX_SEARCH_STEPS)
    match question:
        case actions.ActivateQuestion():
            return Options(tuple(actions.ChooseUnit(unit) for unit in own_units(board, seat, turns.ready_units(board))))
        case actions.NextUnitQuestion():
            assert board.combat is not None
            return Options(tuple(actions.ChooseUnit(unit) for unit in own_units(board, seat, board.combat.waiting)))
        case actions.ActionQuestion(unit=unit):
            return Options((actions.Hold(),), _action_limits(board, unit, work.spend))
        case actions.DefensiveFireQuestion(unit=unit):
            targets = position.defensive_targets(board, unit)
            return Options((*(actions.FireAt(target) for target in targets), actions.HoldFire()))
        case actions.ConsolidateQuestion(unit=unit):
            return _consolidation_options(board, unit, work.spend)
        case actions.ShootQuestion(unit=unit):
            return _shooting_options(board, unit, work.spend)
        case actions.WeaponQuestion(model=model):
            carried = checks.melee_weapons(board, board.models[model])
            return Options(tuple(actions.ChooseWeapon(weapon.id) for weapon in carried))
        case actions.SplitQuestion() | actions.AllocateQuestion() | actions.CasualtiesQuestion():
            return Options((), (_pick_limits(board, question),))


def own_units(board: CloseQuartersBoard, seat: Seat, units: tuple[UnitId, ...] | list[UnitId]) -> list[UnitId]:
    """List those of some units that a seat commands."""
    return [unit for unit in units if board.units[unit].seat == seat]


def _action_limits(board: CloseQuartersBoard, unit: UnitId, count: CountSteps) -> tuple[CloseQuartersLimits, ...]:
    advance, double = plans.advance_distance(board, unit), plans.double_distance(board, unit)
    radius = plans.command_radius(board, unit)
    slow = CloseQuartersLimits(
        actions.Advance(plans.approach(board, unit, advance, count=count)), unit, advance, radius
    )
    if not plans.may_double(board):
        return (slow,)
    return (
        slow,
        CloseQuartersLimits(actions.Double(plans.approach(board, unit, double, count=count)), unit, double, radius),
    )


def _consolidation_options(board: CloseQuartersBoard, unit: UnitId, count: CountSteps) -> CloseQuartersOptions:
    moves_by_manoeuvre = {manoeuvre: plans.manoeuvre_moves(board, unit, manoeuvre, count) for manoeuvre in MANOEUVRES}
    whole = [
        actions.ConsolidateBy(manoeuvre)
        for manoeuvre, moves in moves_by_manoeuvre.items()
        if moves or manoeuvre == "hold"
    ]
    limits = CloseQuartersLimits(
        actions.Consolidate(moves_by_manoeuvre["engage"] or moves_by_manoeuvre["break_off"]),
        unit,
        plans.consolidation_distance(board, unit),
        plans.command_radius(board, unit),
    )
    return Options(tuple(whole), (limits,))


MANOEUVRES: tuple[actions.Manoeuvre, ...] = ("engage", "hold", "break_off")


def _shooting_options(board: CloseQuartersBoard, unit: UnitId, count: CountSteps) -> CloseQuartersOptions:
    count(len(position.models_of(board, unit)) * len(board.models))  # each of its models against each other one
    shooters = tuple(Shooter(model.id, tuple(targets)) for model, targets in position.shooting_targets(board, unit))
    nearest = actions.Shoot(odds.nearest_shots(board, unit))
    return Options((nearest, actions.Shoot(())), (CloseQuartersLimits(nearest, unit, shooters=shooters),))


def _pick_limits(
    board: CloseQuartersBoard,
    question: actions.SplitQuestion | actions.AllocateQuestion | actions.CasualtiesQuestion,
) -> CloseQuartersLimits:
    combat = board.combat
    assert combat is not None
    example = default(board, question)
    if isinstance(question, actions.SplitQuestion):
        pool = combat.pools[0]
        count = casualties.extra_hits(pool)
        unit = board.models[pool.models[0]].unit
        return CloseQuartersLimits(example, unit, models=pool.models, least=count, most=count)
    assert combat.loss is not None
    if isinstance(question, actions.AllocateQuestion):
        picks = casualties.attacker_picks(board, combat.loss)
        return CloseQuartersLimits(
            example, question.unit, models=picks.models, least=picks.least, most=picks.most, leader=picks.leader
        )
    count = combat.loss.casualties - len(combat.loss.picked)
    models = tuple(casualties.left(combat.loss))
    return CloseQuartersLimits(example, question.unit, models=models, least=count, most=count)


# ---------------------------------------------------------------- what is not offered


def unavailable(
    board: CloseQuartersBoard, seat: Seat, question: CloseQuartersQuestion
) -> tuple[CloseQuartersUnavailable, ...]:
    """Explain for each unit, model or answer that is not offered what keeps it out."""
    work = WorkBudget(MAX_SEARCH_STEPS)
    return tuple(work.each(_unavailable(board, seat, question, work.spend)))


def _unavailable(
    board: CloseQuartersBoard, seat: Seat, question: CloseQuartersQuestion, count: CountSteps
) -> Iterator[CloseQuartersUnavailable]:
    match question:
        case actions.ActivateQuestion() | actions.NextUnitQuestion():
            for unit in position.fielded(board):
                refusal = unit_refusal(board, seat, question, unit.id)
                if unit.seat == seat and refusal is not None:
                    yield _explained(refusal, unit=unit.id)
        case actions.ActionQuestion(unit=acting):
            refusal = double_refusal(board, acting)
            if refusal is not None:
                yield _explained(refusal, unit=acting)
        case actions.DefensiveFireQuestion(unit=firing):
            yield from _fire_unavailable(board, seat, firing, count)
        case actions.ConsolidateQuestion(unit=moving):
            for manoeuvre in MANOEUVRES:
                refusal = manoeuvre_refusal(board, moving, manoeuvre, count)
                if refusal is not None:
                    yield _explained(refusal, unit=moving, manoeuvre=manoeuvre)
        case actions.ShootQuestion(unit=shooting):
            for model in position.models_of(board, shooting):
                count(len(board.models))
                refusal = shooter_refusal(board, shooting, model.id)
                if refusal is not None:
                    yield _explained(refusal, unit=shooting, model=model.id)
        case actions.AllocateQuestion(unit=target) | actions.CasualtiesQuestion(unit=target):
            assert board.combat is not None
            assert board.combat.loss is not None
            for model in position.models_of(board, target):
                refusal = pick_refusal(board, board.combat.loss, model.id)
                if refusal is not None:
                    yield _explained(refusal, unit=target, model=model.id)
        case _:
            return


def double_refusal(board: CloseQuartersBoard, unit: UnitId) -> Illegal | None:
    """Return why a unit cannot move at the double (B-30)."""
    if plans.may_double(board):
        return None
    text = "nobody moves at the double in the first turn of the match"
    return Illegal("not_legal", text, "B-30", "$.action", {"unit": unit})


def _explained(
    refusal: Illegal,
    unit: UnitId | None = None,
    model: int | None = None,
    manoeuvre: actions.Manoeuvre | None = None,
) -> CloseQuartersUnavailable:
    return CloseQuartersUnavailable(refusal.code, refusal.text, refusal.rule, unit, model, manoeuvre)


def _fire_unavailable(
    board: CloseQuartersBoard, seat: Seat, firing: UnitId, count: CountSteps
) -> Iterator[CloseQuartersUnavailable]:
    """Explain which enemies cannot be fired at, and which units of the seat give no defensive fire."""
    for unit in position.fielded(board):
        count(len(board.models))
        if unit.side != board.units[firing].side:
            refusal = target_refusal(board, firing, unit.id)
        elif unit.seat == seat and unit.id != firing:
            refusal = firing_refusal(board, unit.id)
        else:
            continue
        if refusal is not None:
            yield _explained(refusal, unit=unit.id)


def _refused(text: str, rule: str, place: str, **numbers: int) -> Illegal:
    return Illegal("not_legal", text, rule, place, numbers)


def unit_refusal(
    board: CloseQuartersBoard, seat: Seat, question: actions.ActivateQuestion | actions.NextUnitQuestion, unit: UnitId
) -> Illegal | None:
    """Return why a unit cannot be the next; None if it can."""
    place = "$.action.unit"
    if not 0 <= unit < len(board.units) or board.units[unit].seat != seat:
        return _refused("it is no unit of yours", "", place, unit=unit)
    if isinstance(question, actions.ActivateQuestion):
        if unit in turns.ready_units(board):
            return None
        return _refused("it has acted already, or has left the table", "B-25", place, unit=unit)
    assert board.combat is not None
    if unit in board.combat.waiting:
        return None
    if unit in board.combat.units:
        return _refused("it has acted in this cycle already", "B-6", place, unit=unit)
    return _refused("it is not in the combat", "B-6", place, unit=unit)


def target_refusal(board: CloseQuartersBoard, firing: UnitId, target: UnitId) -> Illegal | None:
    """Return why a unit cannot be fired at in defensive fire (B-7); None if it can."""
    place = "$.action.target"
    if target in position.defensive_targets(board, firing):
        return None
    if target not in position.attackers(board):
        return _refused("it is no attacking unit in the combat", "B-7", place, target=target)
    inches = position.fire_range(board, firing)
    if board.combat is not None and firing in board.combat.units:
        return _refused("no model of it is within range", "B-7", place, target=target, inches=inches)
    return _refused("no model of it is within awareness of the leader", "B-7", place, target=target, inches=inches)


def firing_refusal(board: CloseQuartersBoard, unit: UnitId) -> Illegal | None:
    """Return why a defending unit gives no defensive fire (B-7); None if it is asked, or has answered."""
    place, firing = "$.action", board.units[unit]
    if firing.has_fallen_back:
        return _refused("it has fallen back", "B-17", place, unit=unit)
    if firing.is_doubled:
        return _refused("it moved at the double", "B-7", place, unit=unit)
    if board.ranged_weapon(firing) is None:
        return _refused("it has no ranged weapon", "B-7", place, unit=unit)
    if position.defensive_targets(board, unit):
        return None
    return _refused("it has no attacking unit in range", "B-7", place, unit=unit)


def manoeuvre_refusal(
    board: CloseQuartersBoard, unit: UnitId, manoeuvre: actions.Manoeuvre, count: CountSteps = count_nothing
) -> Illegal | None:
    """Return why a unit cannot consolidate without points (B-15); None if it can."""
    if manoeuvre == "hold" or plans.manoeuvre_moves(board, unit, manoeuvre, count):
        return None
    return _refused("no model of the unit can move like that", "B-15", "$.action.manoeuvre", unit=unit)


def shooter_refusal(board: CloseQuartersBoard, unit: UnitId, model: int) -> Illegal | None:
    """Return why a model cannot fire (B-9); None if it can."""
    place = "$.action.shots"
    own = {carrier.id: carrier for carrier in position.models_of(board, unit)}
    if model not in own:
        return _refused("it is no model of this unit on the table", "", place, model=model)
    if position.is_engaged(board, own[model]):
        return _refused("it touches an enemy", "B-9", place, model=model)
    if model in {shooter.id for shooter, _ in position.shooting_targets(board, unit)}:
        return None
    return _refused("no enemy that touches nobody is within 6 inches of it", "B-9", place, model=model)


def pick_refusal(board: CloseQuartersBoard, loss: Loss, model: int) -> Illegal | None:
    """Return why a model cannot be picked as a casualty (B-14); None if it can."""
    place, combat = "$.action.models", board.combat
    if model not in loss.eligible:
        if combat is not None and combat.is_melee:
            return _refused("it touches no model of the unit that fought", "B-13", place, model=model)
        rule = "B-8a" if board.phase == "defensive_fire" else "B-9"
        return _refused("no model that fired could hit it", rule, place, model=model)
    if model in loss.picked:
        return _refused("it falls already", "B-14", place, model=model)
    if not loss.is_attacker_done and board.models[model].is_leader and loss.sixes < casualties.ALLOCATION_DICE:
        return _refused("the leader is picked after two sixes only", "B-14", place, model=model)
    return None


# ---------------------------------------------------------------- defaults


def default(board: CloseQuartersBoard, question: CloseQuartersQuestion) -> CloseQuartersAction:
    """Return the answer after a time-out.

    Nobody moves, everybody fires at the nearest, the lowest number comes first, and leaders fall last.
    """
    match question:
        case actions.ActivateQuestion():
            return actions.ChooseUnit(position.asked_first(board, turns.ready_units(board))[1][0])
        case actions.NextUnitQuestion():
            assert board.combat is not None
            return actions.ChooseUnit(position.asked_first(board, board.combat.waiting)[1][0])
        case actions.ActionQuestion():
            return actions.Hold()
        case actions.DefensiveFireQuestion(unit=unit):
            return actions.FireAt(nearest_target(board, unit))
        case actions.ConsolidateQuestion():
            return actions.ConsolidateBy("hold")
        case actions.ShootQuestion(unit=unit):
            return actions.Shoot(odds.nearest_shots(board, unit))
        case actions.WeaponQuestion(model=model):
            return actions.ChooseWeapon(odds.best_weapon(board, board.models[model]).id)
        case actions.SplitQuestion() | actions.AllocateQuestion() | actions.CasualtiesQuestion():
            return _default_picks(board, question)


def nearest_target(board: CloseQuartersBoard, unit: UnitId) -> UnitId:
    """Return the target of defensive fire with the model nearest to one of the unit; of equals, the lowest number."""
    return min(
        position.defensive_targets(board, unit),
        key=lambda target: (
            min(
                position.squared_distance(model, other)
                for model in position.models_of(board, unit)
                for other in position.models_of(board, target)
            ),
            target,
        ),
    )


def _default_picks(
    board: CloseQuartersBoard,
    question: actions.SplitQuestion | actions.AllocateQuestion | actions.CasualtiesQuestion,
) -> CloseQuartersAction:
    combat = board.combat
    assert combat is not None
    if isinstance(question, actions.SplitQuestion):
        return actions.SplitHits(combat.pools[0].models[: casualties.extra_hits(combat.pools[0])])
    loss = combat.loss
    assert loss is not None
    if isinstance(question, actions.AllocateQuestion):
        picks = casualties.attacker_picks(board, loss)
        return actions.PickCasualties(picks.models[: picks.most] if picks.leader is None else (picks.leader,))
    last_first = sorted(casualties.left(loss), key=lambda id: (board.models[id].is_leader, -id))
    return actions.PickCasualties(tuple(last_first[: loss.casualties - len(loss.picked)]))
