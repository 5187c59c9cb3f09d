"""The judge of answers to the questions of close quarters."""

from collections.abc import Sequence
from typing import Any

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.close_quarters import casualties, combat, offers, turns
from diskwars_engine.rulesets.close_quarters.resolution import Resolution, because
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.close_quarters import actions, checks, events, plans, position
from diskwars_protocol.rulesets.close_quarters.actions import CloseQuartersQuestion, ModelMove, UnitId
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard


def answer(resolution: Resolution, seat: Seat, question: CloseQuartersQuestion, action: Any) -> None:
    """Carry out an answer. Raises `Illegal`."""
    match question:
        case actions.ActivateQuestion() | actions.NextUnitQuestion():
            _choose_unit(resolution, seat, question, action)
        case actions.ActionQuestion(unit=unit):
            _act(resolution, unit, action)
        case actions.DefensiveFireQuestion(unit=unit):
            _give_defensive_fire(resolution, unit, action)
        case actions.ConsolidateQuestion(unit=unit):
            _consolidate(resolution, unit, action)
        case actions.ShootQuestion(unit=unit):
            _shoot(resolution, unit, action)
        case actions.WeaponQuestion(model=model):
            _choose_weapon(resolution, model, action)
        case actions.SplitQuestion():
            _split(resolution, action)
        case actions.AllocateQuestion():
            _allocate(resolution, action)
        case actions.CasualtiesQuestion():
            _pick_casualties(resolution, action)
    turns.play_on(resolution)


def _wrong_action(action: Any) -> Illegal:
    return Illegal("wrong_action", f"{type(action).__name__} does not answer this question", place="$.action")


def _raise(refusal: Illegal | None) -> None:
    if refusal is not None:
        raise refusal


def _choose_unit(
    resolution: Resolution, seat: Seat, question: actions.ActivateQuestion | actions.NextUnitQuestion, action: Any
) -> None:
    if not isinstance(action, actions.ChooseUnit):
        raise _wrong_action(action)
    _raise(offers.unit_refusal(resolution.board, seat, question, action.unit))
    if isinstance(question, actions.ActivateQuestion):
        turns.activate(resolution, action.unit)
    else:
        resolution.emit(events.UnitChosen(action.unit))


# ---------------------------------------------------------------- movement


def _act(resolution: Resolution, unit: UnitId, action: Any) -> None:
    match action:
        case actions.Hold():
            resolution.emit(events.UnitHeld(unit, because("B-25")))
        case actions.Advance(moves=moves):
            distance = plans.advance_distance(resolution.board, unit)
            check_plan(resolution.board, unit, moves, distance, keeps_away=True)
            resolution.emit(events.UnitMoved(unit, moves, because("B-25", distance=distance)))
        case actions.Double(moves=moves):
            _raise(offers.double_refusal(resolution.board, unit))
            distance = plans.double_distance(resolution.board, unit)
            check_plan(resolution.board, unit, moves, distance, keeps_away=True)
            resolution.emit(events.UnitMoved(unit, moves, because("B-25", distance=distance), is_doubled=True))
        case _:
            raise _wrong_action(action)


def check_plan(
    board: CloseQuartersBoard, unit: UnitId, moves: Sequence[ModelMove], distance: int, keeps_away: bool
) -> None:
    """Check a plan of movement (B-24). Raises `Illegal`."""
    fault = plans.find_fault(board, unit, moves, distance, keeps_away)
    if fault is not None:
        place = "$.action.moves" if fault.place is None else f"$.action.moves[{fault.place}]"
        raise Illegal("not_legal", fault.text, fault.rule, place, fault.numbers)


def _consolidate(resolution: Resolution, unit: UnitId, action: Any) -> None:
    match action:
        case actions.ConsolidateBy(manoeuvre=manoeuvre):
            _raise(offers.manoeuvre_refusal(resolution.board, unit, manoeuvre))
            combat.consolidate(resolution, unit, plans.manoeuvre_moves(resolution.board, unit, manoeuvre))
        case actions.Consolidate(moves=moves):
            check_plan(
                resolution.board, unit, moves, plans.consolidation_distance(resolution.board, unit), keeps_away=False
            )
            combat.consolidate(resolution, unit, moves)
        case _:
            raise _wrong_action(action)


# ---------------------------------------------------------------- fire and melee


def _give_defensive_fire(resolution: Resolution, unit: UnitId, action: Any) -> None:
    match action:
        case actions.FireAt(target=target):
            _raise(offers.target_refusal(resolution.board, unit, target))
            combat.declare_defensive_fire(resolution, unit, target)
        case actions.HoldFire():
            combat.declare_defensive_fire(resolution, unit, None)
        case _:
            raise _wrong_action(action)


def _shoot(resolution: Resolution, unit: UnitId, action: Any) -> None:
    if not isinstance(action, actions.Shoot):
        raise _wrong_action(action)
    board = resolution.board
    targets = {model.id: units for model, units in position.shooting_targets(board, unit)}
    for number, shot in enumerate(action.shots):
        place, numbers = f"$.action.shots[{number}]", {"model": shot.model, "target": shot.target}
        refusal = offers.shooter_refusal(board, unit, shot.model)
        if refusal is not None:
            raise Illegal(refusal.code, refusal.text, refusal.rule, place, refusal.numbers)
        if shot.target not in targets[shot.model]:
            text = "this unit has no model within 6 inches that touches nobody"
            raise Illegal("not_legal", text, "B-9", f"{place}.target", numbers)
        if any(shot.model == other.model for other in action.shots[:number]):
            raise Illegal("not_legal", "this model is named twice", "B-9", place, numbers)
    shots = sorted(action.shots, key=lambda shot: shot.model)
    combat.fire(resolution, unit, [(board.models[shot.model], shot.target) for shot in shots])


def _choose_weapon(resolution: Resolution, model: int, action: Any) -> None:
    if not isinstance(action, actions.ChooseWeapon):
        raise _wrong_action(action)
    carried = {weapon.id for weapon in checks.melee_weapons(resolution.board, resolution.board.models[model])}
    if action.weapon not in carried:
        raise Illegal("not_legal", "the model does not carry this weapon", "B-10", "$.action.weapon", {"model": model})
    combat.choose_weapon(resolution, model, action.weapon)


# ---------------------------------------------------------------- picks


def _check_models(models: Sequence[int], legal: Sequence[int], rule: str) -> None:
    for number, model in enumerate(models):
        place = f"$.action.models[{number}]"
        if model not in legal:
            raise Illegal("not_legal", "this model cannot be picked", rule, place, {"model": model})
        if model in models[:number]:
            raise Illegal("not_legal", "this model is named twice", rule, place, {"model": model})


def _check_count(models: Sequence[int], least: int, most: int, rule: str) -> None:
    if not least <= len(models) <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        numbers = {"models": len(models), "least": least, "most": most}
        raise Illegal("not_legal", f"{wanted} models are to be picked", rule, "$.action.models", numbers)


def _split(resolution: Resolution, action: Any) -> None:
    if not isinstance(action, actions.SplitHits):
        raise _wrong_action(action)
    pool = resolution.combat.pools[0]
    _check_models(action.models, pool.models, "B-11")
    count = casualties.extra_hits(pool)
    _check_count(action.models, count, count, "B-11")
    casualties.split(resolution, action.models)


def _allocate(resolution: Resolution, action: Any) -> None:
    if not isinstance(action, actions.PickCasualties):
        raise _wrong_action(action)
    loss = resolution.combat.loss
    assert loss is not None
    _check_picks(resolution.board, action.models)
    picks = casualties.attacker_picks(resolution.board, loss)
    if picks.leader is not None and action.models == (picks.leader,):
        casualties.pick(resolution, action.models, "attacker")
        return
    if picks.leader is not None and picks.leader in action.models:
        numbers = {"model": picks.leader}
        raise Illegal("not_legal", "the leader is picked alone", "B-14", "$.action.models", numbers)
    _check_count(action.models, picks.least, picks.most, "B-14")
    casualties.pick(resolution, action.models, "attacker")


def _check_picks(board: CloseQuartersBoard, models: Sequence[int]) -> None:
    loss = board.combat.loss if board.combat is not None else None
    assert loss is not None
    for number, model in enumerate(models):
        refusal = offers.pick_refusal(board, loss, model)
        if refusal is not None:
            place = f"$.action.models[{number}]"
            raise Illegal(refusal.code, refusal.text, refusal.rule, place, refusal.numbers)
    _check_models(models, loss.eligible, "B-14")


def _pick_casualties(resolution: Resolution, action: Any) -> None:
    if not isinstance(action, actions.PickCasualties):
        raise _wrong_action(action)
    loss = resolution.combat.loss
    assert loss is not None
    _check_picks(resolution.board, action.models)
    count = loss.casualties - len(loss.picked)
    _check_count(action.models, count, count, "B-14")
    casualties.pick(resolution, action.models, "defender")


def require_seat(board: CloseQuartersBoard, seat: Seat) -> None:
    """Raises `Illegal` for a seat that has left the game."""
    if seat in board.withdrawn:
        raise Illegal("not_legal", "you are out of the game already", "B-22")
