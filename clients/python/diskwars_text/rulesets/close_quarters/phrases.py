"""Names and phrases of close quarters: units, models, points, answers, results."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import EndReason, seat_letter
from diskwars_protocol.match.state import Match
from diskwars_protocol.match.tasks import ScenarioArea
from diskwars_protocol.rulesets.close_quarters import actions, checks, odds, position
from diskwars_protocol.rulesets.close_quarters.actions import ModelId, ModelMove, ModelShot, Question, UnitId
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Unit
from diskwars_protocol.rulesets.close_quarters.stats import Barricade
from diskwars_text.phrases import counted, joined, number_namesakes, result_text, seats_text, tag_text
from diskwars_text.task_text import task_sentence

END_REASON_TEXTS: dict[EndReason, str] = {
    "last_side": "the last side on the table",
    "turn_limit": "the last turn is over, and model points are counted",
    "task_done": "the task of the scenario is done",
    "task_failed": "the task of the scenario has failed",
}
MARKS = "KLMNOPQRSTUVWXYZEFGHIJ"
"""Letters of units on the map: those of the seats are left out, since the names of units begin with them."""
MANOEUVRE_TEXTS: dict[actions.Manoeuvre, str] = {
    "engage": "engage",
    "hold": "hold",
    "break_off": "break off",
}


def unit_names(board: CloseQuartersBoard) -> tuple[str, ...]:
    """Return the name of each unit, such as `A Raiders`; namesakes of one seat are numbered."""
    return number_namesakes([f"{seat_letter(unit.seat)} {board.profile(unit).name}" for unit in board.units])


def unit_name(board: CloseQuartersBoard, unit: UnitId) -> str:
    return unit_names(board)[unit]


def model_marks(board: CloseQuartersBoard) -> tuple[str, ...]:
    """Return the mark of each model: the letter of its unit on the map, and its number in the unit from 1."""
    seen = Counter[int]()
    marks = []
    for model in board.models:
        seen[model.unit] += 1
        marks.append(f"{MARKS[model.unit % len(MARKS)]}{seen[model.unit]}")
    return tuple(marks)


def marked_units(board: CloseQuartersBoard) -> list[str]:
    """Return each unit with the marks of its models: `A Raiders (K1* to K6)`, where a star marks the leader."""
    texts = []
    for unit, name in enumerate(unit_names(board)):
        marks = [models_text(board, [model.id]) for model in board.models if model.unit == unit]
        texts.append(f"{name} ({marks[0]} to {marks[-1]})" if len(marks) > 1 else f"{name} ({marks[0]})")
    return texts


def units_text(board: CloseQuartersBoard, units: Iterable[UnitId]) -> str:
    names = unit_names(board)
    return joined(names[unit] for unit in units)


def models_text(board: CloseQuartersBoard, models: Iterable[ModelId]) -> str:
    """Return the marks of models, the leader with a star."""
    marks = model_marks(board)
    return joined(f"{marks[model]}*" if board.models[model].is_leader else marks[model] for model in models)


def side_text(board: CloseQuartersBoard, side: int) -> str:
    """Return the players of a side, those who left omitted."""
    return seats_text(seat for seat in board.sides[side] if seat not in board.withdrawn)


def task_text(board: CloseQuartersBoard) -> str:
    """Return what the task of the scenario asks of whom; nothing without a task (B-29)."""
    task = board.task
    if task is None:
        return ""
    side, other = (seats_text(board.sides[side]) for side in (task.side, task.opponent))
    own = [model.id for model in board.models if board.units[model.unit].side == task.side]
    named = "" if task.piece is None else models_text(board, [own[task.piece]])
    return task_sentence(task, side, other, "model", named, zone_text)


def zone_text(zone: ScenarioArea) -> str:
    """Return a rectangle of the table in words."""
    corners = (f"{inches_text(x)}, {inches_text(y)}" for x, y in ((zone.x0, zone.y0), (zone.x1, zone.y1)))
    return f"the square from {' to '.join(corners)} inches"


def barricade_text(line: Barricade) -> str:
    ends = (f"{inches_text(x)}, {inches_text(y)}" for x, y in ((line.x0, line.y0), (line.x1, line.y1)))
    return f"a barricade from {' to '.join(ends)} inches"


def inches_text(hundredths: int) -> str:
    """Return `6.5` for 650 hundredths of an inch."""
    whole, rest = divmod(abs(hundredths), position.INCH)
    text = f"{whole}.{rest:02}".rstrip("0").rstrip(".")
    return f"-{text}" if hundredths < 0 else text


def point_text(x: int, y: int) -> str:
    return f"({inches_text(x)}, {inches_text(y)})"


def moves_text(board: CloseQuartersBoard, moves: Sequence[ModelMove]) -> str:
    """Return where models go; one vector if all go the same way."""
    if not moves:
        return "nobody moves"
    ways = {(move.x - board.models[move.model].x, move.y - board.models[move.model].y) for move in moves}
    if len(ways) == 1 and len(moves) > 1:
        ((dx, dy),) = ways
        return f"{models_text(board, (move.model for move in moves))} by {point_text(dx, dy)}"
    return joined(f"{models_text(board, [move.model])} to {point_text(move.x, move.y)}" for move in moves)


def shots_text(board: CloseQuartersBoard, shots: Sequence[ModelShot]) -> str:
    if not shots:
        return "hold fire"
    targets = sorted({shot.target for shot in shots})
    parts = [
        f"{models_text(board, (shot.model for shot in shots if shot.target == target))} at {unit_name(board, target)}"
        for target in targets
    ]
    return f"fire {joined(parts)}"


def unit_text(board: CloseQuartersBoard, unit: Unit) -> str:
    """Return a unit with its figures and its state."""
    profile, models = board.profile(unit), position.models_of(board, unit.id)
    gun = board.ranged_weapon(unit)
    arms = joined(
        board.melee_weapon(id).name.lower() for id in dict.fromkeys((*profile.weapons, *profile.leader_weapons))
    )
    return (
        f"{unit_name(board, unit.id)}, {counted(len(models), 'model')}: "
        f"Mv {profile.movement_inches}, Aw {profile.awareness_inches}, Ev {profile.evasion}, Ar {profile.armour}, "
        f"To {profile.toughness}, BS {profile.ballistic_skill}, WS {profile.weapon_skill}, Str {profile.strength}; "
        f"{f'{gun.name.lower()}, ' if gun is not None else ''}{arms}; {morale_text(board, unit)}"
        + "".join(f", {flag}" for flag in _flags(board, unit))
    )


def state_text(board: CloseQuartersBoard, unit: Unit) -> str:
    """Return how many models a unit has, and how it is: `5 models, 2 markers, doubled`."""
    markers = [counted(unit.markers, "marker")] * bool(unit.markers)
    return ", ".join([counted(len(position.models_of(board, unit.id)), "model"), *markers, *_flags(board, unit)])


def _flags(board: CloseQuartersBoard, unit: Unit) -> list[str]:
    states = (
        ("leader dead", position.living_leader(board, unit.id) is None),
        ("doubled", unit.is_doubled),
        ("fell back", unit.has_fallen_back),
    )
    return [name for name, is_so in states if is_so]


def morale_text(board: CloseQuartersBoard, unit: Unit) -> str:
    """Return the suppression of a unit, with the test that it would have to pass."""
    return f"{counted(unit.markers, 'marker')}, hits {unit.hit_counter} of 6, leadership {needed_text(board, unit)}"


def needed_text(board: CloseQuartersBoard, unit: Unit) -> str:
    """Return the leadership test that a unit would have to pass: `2 dice, 3 or less`."""
    return f"{counted(checks.leadership_dice(board, unit), 'die', 'dice')}, {checks.nerve(board, unit)} or less"


def outcome_text(match: Match[Any, Any], result: Result) -> str:
    """Return who won, and the points of each side."""
    board: CloseQuartersBoard | None = match.board
    sides = board.sides if board is not None else tuple((seat,) for seat in range(len(result.scores)))
    points = ", ".join(
        f"{' and '.join(map(seat_letter, seats))} {result.scores[seats[0]]}" for seats in sides if result.scores
    )
    return result_text(result, END_REASON_TEXTS, f"model points: {points}" if points else "")


def question_text(board: CloseQuartersBoard, question: Question) -> str:
    """Return a question as a sentence."""
    match question:
        case actions.ActivateQuestion():
            return "which unit acts next?"
        case actions.ActionQuestion(unit=unit):
            return f"what does {unit_name(board, unit)} do?"
        case actions.DefensiveFireQuestion(unit=unit):
            return f"at whom does {unit_name(board, unit)} give defensive fire?"
        case actions.ConsolidateQuestion(unit=unit):
            return f"where does {unit_name(board, unit)} consolidate?"
        case actions.NextUnitQuestion():
            return "which unit shoots and fights next?"
        case actions.ShootQuestion(unit=unit):
            return f"at whom do the free models of {unit_name(board, unit)} fire?"
        case actions.WeaponQuestion(model=model):
            unit = board.models[model].unit
            return f"with what does {models_text(board, [model])} of {unit_name(board, unit)} fight?"
        case actions.SplitQuestion():
            return "which models take one hit more than the others?"
        case actions.AllocateQuestion(unit=unit):
            return f"which models of {unit_name(board, unit)} fall first?"
        case actions.CasualtiesQuestion(unit=unit):
            return f"which models of {unit_name(board, unit)} fall?"
        case _:
            return tag_text(question)


def action_text(board: CloseQuartersBoard, action: Any) -> str:
    """Return an answer as it is listed among the options."""
    match action:
        case actions.ChooseUnit(unit=unit):
            return unit_name(board, unit)
        case actions.Advance(moves=moves) | actions.Double(moves=moves) | actions.Consolidate(moves=moves):
            return f"{tag_text(action)}: {moves_text(board, moves)}"
        case actions.ConsolidateBy(manoeuvre=manoeuvre):
            return MANOEUVRE_TEXTS[manoeuvre]
        case actions.FireAt(target=target):
            return f"fire at {unit_name(board, target)}"
        case actions.Shoot(shots=shots):
            return shots_text(board, shots)
        case actions.ChooseWeapon(weapon=weapon):
            return f"use {board.melee_weapon(weapon).name.lower()}"
        case actions.SplitHits(models=models) | actions.PickCasualties(models=models):
            return f"pick {models_text(board, models)}"
        case _:
            return tag_text(action)


def odds_text(board: CloseQuartersBoard, question: Question, action: Any) -> str:
    """Return the casualties to expect of fire, or of a weapon in melee."""
    match action:
        case actions.FireAt(target=target) if isinstance(question, actions.DefensiveFireQuestion):
            casualties = odds.shot_casualties(board, question.unit, target)
            return f"{float(casualties):.2f} casualties expected of each model that fires"
        case actions.Shoot(shots=shots) if shots:
            total = sum(
                (odds.shot_casualties(board, board.models[shot.model].unit, shot.target) for shot in shots), Fraction()
            )
            return f"{float(total):.2f} casualties expected"
        case actions.ChooseWeapon(weapon=weapon) if isinstance(question, actions.WeaponQuestion):
            model = board.models[question.model]
            touched = position.touched(board, model)
            total = odds.melee_casualties(board, model, board.melee_weapon(weapon), touched)
            return f"{float(total):.2f} casualties expected"
        case _:
            return ""
