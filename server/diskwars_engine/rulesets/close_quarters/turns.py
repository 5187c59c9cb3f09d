"""The course of the game: turns, phases and cycles, played on until somebody has to decide."""

from diskwars_engine.rulesets.close_quarters import casualties, combat
from diskwars_engine.rulesets.close_quarters.resolution import Resolution, because
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.tasks import end_reason, task_winner
from diskwars_protocol.rulesets.close_quarters import actions, checks, events, position
from diskwars_protocol.rulesets.close_quarters.actions import CloseQuartersQuestion, SideId, UnitId
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model

Asked = tuple[Seat, CloseQuartersQuestion]


def start(resolution: Resolution) -> None:
    """Roll which side is first, and play on until the first question."""
    sides = list(range(len(resolution.board.sides)))
    order = _roll_order(resolution, sides)
    resolution.emit(events.TurnOrderSet(tuple(order), because("B-0", sides=len(order))))
    resolution.emit(events.TurnBegan(order[0], 1))
    play_on(resolution)


def _roll_order(resolution: Resolution, sides: list[SideId]) -> list[SideId]:
    """Order sides by a die each, highest first; those that tie roll again (B-0)."""
    if len(sides) < 2:
        return sides
    draw = resolution.roll(len(sides), "first turn")
    resolution.emit(events.TurnOrderRolled(tuple(sides), draw, because("B-0", sides=len(sides))))
    faces = dict(zip(sides, draw.results, strict=True))
    return [
        side
        for face in sorted(set(draw.results), reverse=True)
        for side in _roll_order(resolution, [side for side in sides if faces[side] == face])
    ]


# ---------------------------------------------------------------- questions


def question(board: CloseQuartersBoard) -> Asked | None:
    """Return the open question and the seat that has to answer it; None while the game plays on by itself."""
    if result(board) is not None:
        return None
    if casualties.is_under_way(board):
        return casualties.question(board)
    match board.phase:
        case "action":
            return _action_question(board)
        case "defensive_fire":
            return _fire_question(board)
        case "initial_consolidation" | "winner_consolidation":
            return _consolidation_question(board)
        case "cycle":
            return _cycle_question(board)
        case "over":
            return None


def _action_question(board: CloseQuartersBoard) -> Asked | None:
    if board.active_unit is not None:
        return board.units[board.active_unit].seat, actions.ActionQuestion(board.active_unit)
    waiting = ready_units(board)
    if not waiting:
        return None
    seat, own = position.asked_first(board, waiting)
    return (seat, actions.ActivateQuestion()) if len(own) > 1 else None


def ready_units(board: CloseQuartersBoard) -> list[UnitId]:
    """List the units of the side whose turn it is that have still to act (B-25)."""
    return [unit.id for unit in position.fielded(board) if unit.side == board.side and not unit.has_acted]


def _fire_question(board: CloseQuartersBoard) -> Asked | None:
    assert board.combat is not None
    if not board.combat.waiting:
        return None
    unit = board.combat.waiting[0]
    has_target = bool(position.defensive_targets(board, unit))
    return (board.units[unit].seat, actions.DefensiveFireQuestion(unit)) if has_target else None


def _consolidation_question(board: CloseQuartersBoard) -> Asked | None:
    assert board.combat is not None
    if not board.combat.waiting:
        return None
    unit = board.combat.waiting[0]
    return board.units[unit].seat, actions.ConsolidateQuestion(unit)


def _cycle_question(board: CloseQuartersBoard) -> Asked | None:
    fought = board.combat
    assert fought is not None
    if fought.unit is None:
        if not fought.waiting:
            return None
        seat, own = position.asked_first(board, fought.waiting)
        return (seat, actions.NextUnitQuestion()) if len(own) > 1 else None
    seat = board.units[fought.unit].seat
    if fought.step == "shoot" and position.shooting_targets(board, fought.unit):
        return seat, actions.ShootQuestion(fought.unit)
    if fought.step != "consolidate" and position.engaged_models(board, fought.unit):
        undecided = next_choosing_model(board, fought.unit)
        return (seat, actions.WeaponQuestion(undecided.id)) if undecided is not None else None
    return seat, actions.ConsolidateQuestion(fought.unit)


def next_choosing_model(board: CloseQuartersBoard, unit: UnitId) -> Model | None:
    """Return the first engaged model of a unit that has still to choose among its weapons (B-10)."""
    decided = {choice.model for choice in board.combat.weapons} if board.combat else set()
    return next(
        (
            model
            for model in position.engaged_models(board, unit)
            if model.id not in decided and len(checks.melee_weapons(board, model)) > 1
        ),
        None,
    )


# ---------------------------------------------------------------- the loop


def play_on(resolution: Resolution) -> None:
    """Carry out what needs no decision, up to the next question or the end of the game."""
    while result(resolution.board) is None and question(resolution.board) is None:
        resolution.work.spend()
        _step(resolution)
    if result(resolution.board) is not None and resolution.board.phase != "over":
        resolution.emit(events.PhaseBegan("over"))


def _step(resolution: Resolution) -> None:
    if casualties.is_under_way(resolution.board):
        casualties.carry_on(resolution)
        return
    match resolution.board.phase:
        case "action":
            waiting = ready_units(resolution.board)
            if waiting:
                activate(resolution, position.asked_first(resolution.board, waiting)[1][0])
            else:
                _begin_combat(resolution)
        case "defensive_fire":
            _fire_step(resolution)
        case "initial_consolidation":
            if not _ended_by_breaking_off(resolution):
                _begin_cycle(resolution, resolution.combat.attacker)
        case "cycle":
            _cycle_step(resolution)
        case "winner_consolidation":
            _catch(resolution)
        case "over":
            raise ValueError("the game is over")


def activate(resolution: Resolution, unit: UnitId) -> None:
    """Let a unit act: a suppressed one tests leadership first, and loses markers or falls back (B-25)."""
    resolution.emit(events.UnitActivated(unit))
    succeeded = combat.roll_leadership(resolution, unit, "B-25")
    if succeeded == 0:
        combat.fall_back(resolution, unit, "B-25")
    elif succeeded is not None:
        casualties.add_markers(resolution, unit, -succeeded, "B-25")


# ---------------------------------------------------------------- close combat


def _begin_combat(resolution: Resolution) -> None:
    """Find the units in combat (B-6), and those that may give defensive fire (B-7)."""
    board = resolution.board
    inside = position.near_enemies(board)
    if not inside:
        _next_turn(resolution)
        return
    attacker = _next_attacker(board, board.side, inside)
    resolution.emit(events.CombatBegan(attacker, tuple(inside), because("B-6", units=len(inside))))
    firing = [
        unit.id for unit in position.fielded(resolution.board) if may_give_defensive_fire(resolution.board, unit.id)
    ]
    if firing:
        resolution.emit(events.PhaseBegan("defensive_fire", because("B-7"), tuple(firing)))
    else:
        _begin_initial_consolidation(resolution)


def may_give_defensive_fire(board: CloseQuartersBoard, unit: UnitId) -> bool:
    """Return whether a unit can be asked for defensive fire (B-7)."""
    firing = board.units[unit]
    assert board.combat is not None
    if firing.side == board.combat.attacker or firing.is_doubled or firing.has_fallen_back:
        return False
    return bool(position.defensive_targets(board, unit))


def _next_attacker(board: CloseQuartersBoard, first: SideId, inside: list[UnitId]) -> SideId:
    """Return the first side from `first` on, by number, that has a unit in the combat (B-6)."""
    count = len(board.sides)
    sides = {board.units[unit].side for unit in inside}
    return next(side % count for side in range(first, first + count) if side % count in sides)


def _fire_step(resolution: Resolution) -> None:
    if resolution.combat.waiting:
        resolution.emit(events.DefensiveFireLost(resolution.combat.waiting[0], because("B-7")))
    elif not position.attackers(resolution.board):
        _end_combat(resolution, "apart", "B-20")
    else:
        _begin_initial_consolidation(resolution)


def _begin_initial_consolidation(resolution: Resolution) -> None:
    units = tuple(position.attackers(resolution.board))
    resolution.emit(events.PhaseBegan("initial_consolidation", because("B-15"), units))


def _ended_by_breaking_off(resolution: Resolution) -> bool:
    """End the combat if all attackers have left it: each defending unit removes a marker (B-15)."""
    board = resolution.board
    if not position.defenders(board) or set(position.attackers(board)) & set(position.near_enemies(board)):
        return False
    for unit in position.defenders(board):
        casualties.add_markers(resolution, unit, -1, "B-15")
    _end_combat(resolution, "broken_off", "B-15")
    return True


def _begin_cycle(resolution: Resolution, attacker: SideId) -> None:
    units = tuple(unit for unit in resolution.combat.units if resolution.unit(unit).side == attacker)
    cycle = resolution.combat.cycle + 1
    resolution.emit(events.CycleBegan(cycle, attacker, units, because("B-6", cycle=cycle)))


def _cycle_step(resolution: Resolution) -> None:
    fought = resolution.combat
    if fought.unit is not None:
        combat.fight(resolution, fought.unit)
    elif fought.waiting:
        resolution.emit(events.UnitChosen(position.asked_first(resolution.board, fought.waiting)[1][0]))
    elif not _ended_by_breaking_off(resolution):
        _end_cycle(resolution)


def _end_cycle(resolution: Resolution) -> None:
    """Test the defenders, and pass the attack on, unless the combat is decided."""
    for unit in position.defenders(resolution.board):
        combat.check_defender(resolution, unit)
        if result(resolution.board) is not None:
            return
    board = resolution.board
    if not position.defenders(board):
        units = tuple(position.attackers(board))
        resolution.emit(events.PhaseBegan("winner_consolidation", because("B-19"), units))
    elif not set(resolution.combat.units) & set(position.near_enemies(board)):
        _end_combat(resolution, "apart", "B-20")
    else:
        _begin_cycle(resolution, _next_attacker(board, resolution.combat.attacker + 1, list(resolution.combat.units)))


def _catch(resolution: Resolution) -> None:
    """Remove the models that fell back but are still within 6 inches of a winner (B-19)."""
    board = resolution.board
    winners = [model for unit in position.attackers(board) for model in position.models_of(board, unit)]
    for unit in position.fielded(board):
        if unit.has_fallen_back and unit.side != resolution.combat.attacker:
            caught = [
                model.id
                for model in position.models_of(board, unit.id)
                if any(position.is_within(model, winner, position.COMBAT_RANGE) for winner in winners)
            ]
            if caught:
                casualties.remove(resolution, unit.id, caught, "caught", "B-19")
    if result(resolution.board) is None:
        _end_combat(resolution, "won", "B-19")


def _end_combat(resolution: Resolution, end: events.CombatEndReason, rule: str) -> None:
    resolution.emit(events.CombatEnded(end, because(rule)))
    _next_turn(resolution)


def _next_turn(resolution: Resolution) -> None:
    """Begin the turn of the next side that is on the table, or end the game."""
    board = resolution.board
    for turn in range(board.turn + 1, board.turns * len(board.order) + 1):
        side = board.order[(turn - 1) % len(board.order)]
        if side in position.living_sides(board):
            resolution.events.append(resolution.dice.begin_step())
            resolution.emit(events.TurnBegan(side, turn))
            return
    resolution.emit(events.PhaseBegan("over", because("B-23", turns=board.turns)))


# ---------------------------------------------------------------- the end


def withdraw(resolution: Resolution, seat: Seat) -> None:
    """Let a player leave: the other player of the side commands their units, or else they leave too (B-22)."""
    board = resolution.board
    side = next(number for number, seats in enumerate(board.sides) if seat in seats)
    partner = next((other for other in board.sides[side] if other != seat and other not in board.withdrawn), None)
    if partner is not None:
        resolution.emit(events.SeatWithdrew(seat, partner, because("B-22", seat=seat)))
        return
    for unit in position.fielded(board):
        if unit.seat == seat:
            models = [model.id for model in position.models_of(board, unit.id)]
            casualties.remove(resolution, unit.id, models, "withdrawn", "B-22")


def result(board: CloseQuartersBoard) -> Result | None:
    """Return who won.

    The last side on the table; the side that did the task (B-29), or kept the other side from it; or after
    the last turn the side with most model points (B-23).
    """
    scores = [position.points(board, side) for side in range(len(board.sides))]
    alive = [side for side, score in enumerate(scores) if score]
    if len(alive) <= 1:
        return _result(board, "last_side", alive[0] if alive else None, scores, "sides", len(alive))
    if board.task is not None:
        standings = position.task_standings(board)
        winner = task_winner(board.task, standings, is_over=board.phase == "over")
        if winner is not None:
            reason = end_reason(board.task, winner)
            return _result(board, reason, winner, scores, "in_zone", standings[winner].in_zone, "B-29")
    if board.phase != "over":
        return None
    best = [side for side, score in enumerate(scores) if score == max(scores)]
    return _result(board, "turn_limit", best[0] if len(best) == 1 else None, scores, "turns", board.turns)


def _result(
    board: CloseQuartersBoard,
    end: str,
    winner: SideId | None,
    scores: list[int],
    name: str,
    value: int,
    rule: str = "B-23",
) -> Result:
    """Return a result: all players of the winning side win who have not left; scores are those of their sides."""
    by_seat = {seat: scores[side] for side, seats in enumerate(board.sides) for seat in seats}
    seats = () if winner is None else board.sides[winner]
    winners = tuple(seat for seat in seats if seat not in board.withdrawn)
    reasons = because(rule, **{name: value})
    return Result(end, winners, tuple(by_seat[seat] for seat in sorted(by_seat)), reasons)
