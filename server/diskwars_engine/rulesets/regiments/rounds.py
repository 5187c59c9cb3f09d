"""The course of the game: rounds of orders, melee, morale and redress, played on until somebody has to decide."""

from collections import defaultdict
from fractions import Fraction

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.regiments import flight, melee, morale, rolls
from diskwars_engine.rulesets.regiments.resolution import Resolution, because
from diskwars_protocol.match.decisions import Reason, Result
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.tasks import end_reason, task_winner
from diskwars_protocol.rulesets.regiments import actions, events, position
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Side

SCORE_SCALE = 1000
"""Scores are what is left of the units, in thousandths of a whole unit."""
BOTH_SIDES: tuple[Side, ...] = (0, 1)


# ---------------------------------------------------------------- questions


def questions(board: RegimentsBoard) -> tuple[tuple[Seat, actions.RegimentsQuestion], ...]:
    """Return the open questions and the seats that answer them; none while the game plays on by itself."""
    if board.phase != "orders" or not board.waiting or not has_both_sides(board):
        return ()
    if board.settings.secret_orders:
        return _secret_questions(board)
    unit = board.units[board.waiting[0]]
    # C-28: fleeing units take no orders
    return () if unit.status != "steady" else ((unit.seat, actions.OrderQuestion(unit.id)),)


def _secret_questions(board: RegimentsBoard) -> tuple[tuple[Seat, actions.SecretOrdersQuestion], ...]:
    """C-29: every seat with a unit that takes orders, and that has not locked them, is asked for all at once."""
    units: defaultdict[Seat, list[int]] = defaultdict(list)
    for id in board.waiting:
        if board.units[id].status == "steady":  # C-28
            units[board.units[id].seat].append(id)
    locked = {lock.seat for lock in board.locks}
    return tuple((seat, actions.SecretOrdersQuestion(tuple(units[seat]))) for seat in sorted(set(units) - locked))


def has_both_sides(board: RegimentsBoard) -> bool:
    return len({board.side(unit) for unit in position.fielded(board)}) == len(BOTH_SIDES)


# ---------------------------------------------------------------- the loop


def play_on(resolution: Resolution) -> None:
    """Carry out what needs no decision, up to the next question or the end of the game."""
    while resolution.board.phase != "over" and not questions(resolution.board):
        resolution.work.spend()
        if resolution.board.waiting and has_both_sides(resolution.board):
            act_without_order(resolution)
        else:
            _end_round(resolution)


def act_without_order(resolution: Resolution) -> None:
    """C-28: a fleeing unit runs on when its turn comes; one that has left the field has no turn."""
    unit = resolution.unit(resolution.board.waiting[0])
    if unit.status == "fleeing":
        flight.flee(resolution, unit.id, "still_fleeing")
    resolution.emit(events.UnitActed(unit.id))


def begin_round(resolution: Resolution) -> None:
    """Begin a round with the order in which the units act (C-21)."""
    # C-29: with secret orders the reveal begins the step, because each lock opens a nonce of its seat.
    if resolution.board.round and not resolution.board.settings.secret_orders:
        resolution.emit_shared(resolution.dice.begin_step())
    resolution.emit(events.RoundBegan(resolution.board.round + 1))
    resolution.emit(events.PhaseBegan("orders"))
    units = position.fielded(resolution.board)
    speeds = {unit.id: real_speed(resolution.board, unit) for unit in units}
    order: list[int] = []
    for speed in sorted(set(speeds.values()), reverse=True):
        order += _break_tie(resolution, [id for id in speeds if speeds[id] == speed])
    resolution.emit(events.TurnOrderSet(tuple(order), because("C-21", units=len(order))))


def real_speed(board: RegimentsBoard, unit: Unit) -> int:
    """Return how soon a unit acts: movement and initiative, the highest first (C-21)."""
    profile = board.profile(unit)
    return profile.movement + profile.initiative


def _break_tie(resolution: Resolution, units: list[int]) -> list[int]:
    """Order units of equal speed by a d6 each, higher first; those that tie roll again (C-21)."""
    if len(units) < 2:
        return units
    drawn, groups = rolls.order_by_dice(resolution.dice, units, "roll off")
    resolution.emit(events.SpeedRolled(tuple(units), drawn, because("C-21", units=len(units))))
    return [id for group in groups for id in _break_tie(resolution, group)]


def _end_round(resolution: Resolution) -> None:
    """Carry out all phases after the orders, and begin the next round or end the game."""
    melee.fight(resolution)
    morale.check_fleeing(resolution)
    redress(resolution)
    if not has_both_sides(resolution.board):
        end(resolution, because("C-23"))
    elif _task_side(resolution.board, is_over=False) is not None:
        end(resolution, because("C-32"))
    elif resolution.board.round >= resolution.board.rounds:
        end(resolution, because("C-23", rounds=resolution.board.rounds))
    else:
        begin_round(resolution)


def redress(resolution: Resolution) -> None:
    """Fill the gaps of all units, and clear what lasted for the round (C-17)."""
    resolution.emit(events.PhaseBegan("redress"))
    for unit in position.fielded(resolution.board):
        if unit.size < len(unit.models):
            closed = close_ranks(unit)
            resolution.emit(events.UnitRedressed(unit.id, closed, because("C-17", models=len(closed))))
    resolution.emit(events.RoundEnded(because("C-17")))


def close_ranks(unit: Unit) -> tuple[int, ...]:
    """Return the models after the rearmost ones have filled the gaps, each with its own damage (C-17)."""
    models = list(unit.models)
    for gap in range(len(models)):
        while models and not models[-1]:
            models.pop()
        if gap < len(models) and not models[gap]:
            models[gap] = models.pop()
    return tuple(models)


def end(resolution: Resolution, reasons: tuple[Reason, ...]) -> None:
    resolution.emit(events.PhaseBegan("over", reasons))


def withdraw(resolution: Resolution, seat: Seat) -> None:
    """Take the units of a seat off the field, and end the game if its side has none left (C-22). Raises `Illegal`."""
    if seat in resolution.board.withdrawn:
        raise Illegal("not_legal", "you are out of the game already", "C-22")
    units = [unit.id for unit in position.fielded(resolution.board) if unit.seat == seat]
    ended = tuple(
        contact for contact in resolution.board.contacts if contact.charger in units or contact.target in units
    )
    if ended:
        resolution.emit(events.ContactsEnded(ended, because("C-22", contacts=len(ended))))
    resolution.emit(events.SeatWithdrew(seat, tuple(units), because("C-22", units=len(units))))
    if not has_both_sides(resolution.board):
        end(resolution, because("C-23"))


# ---------------------------------------------------------------- the end


def result(board: RegimentsBoard) -> Result | None:
    """Return who won.

    The last side on the field; the side that did the task (C-32), or kept the other side from it; or after
    the last round the side of which more is left (C-23).
    """
    if board.phase != "over":
        return None
    standing = {board.side(unit) for unit in position.fielded(board)}
    scores = _scores(board)
    if len(standing) < len(BOTH_SIDES):
        reasons = because("C-23", sides=len(standing))
        return _result(board, "last_side", next(iter(standing), None), scores, reasons)
    task = board.task
    by_task = _task_side(board, is_over=board.round >= board.rounds)
    if task is not None and by_task is not None:
        reasons = because("C-32", in_zone=position.task_standings(board)[by_task].in_zone)
        return _result(board, end_reason(task, by_task), by_task, scores, reasons)
    left = [side_strength(board, side) for side in BOTH_SIDES]
    winner: Side | None = None if left[0] == left[1] else left.index(max(left))
    return _result(board, "round_limit", winner, scores, because("C-23", rounds=board.rounds))


def _task_side(board: RegimentsBoard, is_over: bool) -> Side | None:
    """Return the side that has won by the task of the scenario (C-32)."""
    if board.task is None:
        return None
    return task_winner(board.task, position.task_standings(board), is_over)


def _result(
    board: RegimentsBoard, reason: str, side: Side | None, scores: tuple[int, ...], reasons: tuple[Reason, ...]
) -> Result:
    seats = () if side is None else board.sides[side]
    # C-23: a seat that has left (C-22) does not win with those who stayed
    winners = tuple(seat for seat in seats if seat not in board.withdrawn)
    return Result(reason, winners, scores, reasons)


def unit_strength(board: RegimentsBoard, unit: Unit) -> Fraction:
    """Return which part of the wounds that a unit began with is left (C-23)."""
    if not unit.is_fielded:
        return Fraction(0)
    return Fraction(sum(unit.models), unit.started * board.profile(unit).wounds)


def side_strength(board: RegimentsBoard, side: Side) -> Fraction:
    return sum((unit_strength(board, unit) for unit in board.units if board.side(unit) == side), Fraction(0))


def _scores(board: RegimentsBoard) -> tuple[int, ...]:
    """Return by seat what is left of its side, in thousandths of a unit (C-23)."""
    by_seat = {seat: int(SCORE_SCALE * side_strength(board, side)) for side in BOTH_SIDES for seat in board.sides[side]}
    return tuple(by_seat[seat] for seat in sorted(by_seat))
