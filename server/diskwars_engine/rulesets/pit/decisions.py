"""Answers to the questions of the pit: options, what is not among them and why, defaults, and the judge."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.pit import attacks, combat, turns
from diskwars_engine.rulesets.pit.resolution import Resolution, because
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.pit import actions, events, odds, position
from diskwars_protocol.rulesets.pit.actions import PitAction, PitQuestion
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_protocol.rulesets.pit.options import Cell, PitLimits, PitOptions, PitUnavailable

MAX_SEARCH_STEPS = 100_000
"""Cells from which one question looks further, about half a second; in random play the most is 650."""

# ---------------------------------------------------------------- options


def options(board: PitBoard, question: PitQuestion) -> PitOptions:
    """Return the legal answers: whole ones, or for a fighter the cells it can reach. Raises `WorkExceeded`."""
    work = WorkBudget(MAX_SEARCH_STEPS)
    match question:
        case actions.EngageQuestion():
            return Options((actions.EndPhase(),), _limits(actions.Engage, turns.engagements(board, work.spend)))
        case actions.MoveQuestion():
            return Options((actions.EndPhase(),), _limits(actions.Move, turns.moves(board, work.spend)))
        case actions.CombatQuestion():
            return Options(tuple(actions.ChooseCombat(number) for number in turns.unresolved(board)))
        case actions.FighterQuestion():
            assert board.combat is not None
            return Options(tuple(actions.ChooseFighter(id) for id in position.leading_run(board, board.combat)))
        case actions.DeclareQuestion(fighter=id):
            return Options((), (_declare_limits(board, board.fighters[id]),))
        case actions.TargetQuestion():
            assert board.combat is not None
            return Options(tuple(actions.ChooseTarget(id) for id in position.declared_targets(board.combat)))
        case actions.ConcedeQuestion():
            return Options((actions.Concede(False), actions.Concede(True)))


def _limits(
    kind: Callable[[int, int, int], actions.Engage | actions.Move], found: Iterable[tuple[Fighter, position.Cell]]
) -> tuple[PitLimits, ...]:
    limits = []
    for number, places in groupby(found, key=lambda pair: pair[0].id):
        cells = tuple(Cell(*cell) for _, cell in places)
        limits.append(PitLimits(kind(number, cells[0].x, cells[0].y), number, cells=cells))
    return tuple(limits)


def _declare_limits(board: PitBoard, fighter: Fighter) -> PitLimits:
    return PitLimits(
        actions.DeclareAttacks(odds.best_declaration(board, fighter)),
        fighter.id,
        attacks=position.attack_count(board, fighter),
        targets=tuple(enemy.id for enemy in position.targets(board, fighter)),
        weapons=board.profile(fighter).weapons,
    )


def unavailable(board: PitBoard, question: PitQuestion) -> tuple[PitUnavailable, ...]:
    """Explain for each fighter that cannot engage or move, or is no target, what keeps it out.

    Raises `WorkExceeded`.
    """
    work = WorkBudget(MAX_SEARCH_STEPS)
    match question:
        case actions.EngageQuestion():
            able = {fighter.id for fighter, _ in turns.engagements(board, work.spend)}
            return _kept_out(board, able, lambda fighter: engage_refusal(board, fighter))
        case actions.MoveQuestion():
            able = {fighter.id for fighter, _ in turns.moves(board, work.spend)}
            return _kept_out(board, able, lambda fighter: move_refusal(board, fighter))
        case actions.DeclareQuestion(fighter=id):
            return _no_targets(board, board.fighters[id])
        case _:
            return ()


def _kept_out(board: PitBoard, able: set[int], refusal: Callable[[Fighter], Illegal]) -> tuple[PitUnavailable, ...]:
    own = [fighter for fighter in position.fielded(board) if fighter.seat == board.seat and fighter.id not in able]
    return tuple(_explained(refusal(fighter), fighter.id) for fighter in own)


def _explained(refusal: Illegal, fighter: int) -> PitUnavailable:
    return PitUnavailable(refusal.code, refusal.text, refusal.rule, fighter)


def _no_targets(board: PitBoard, fighter: Fighter) -> tuple[PitUnavailable, ...]:
    legal = {enemy.id for enemy in position.targets(board, fighter)}
    members = board.combats[board.combat.id] if board.combat else ()
    targets = []
    for enemy in position.touched_enemies(board, fighter):
        if enemy.id not in legal:
            try:
                attacks.refuse_target(board, fighter, members, enemy.id, "")
            except Illegal as refusal:
                targets.append(_explained(refusal, enemy.id))
    return tuple(targets)


def engage_refusal(board: PitBoard, fighter: Fighter) -> Illegal:
    """Return why a fighter cannot engage (A-9)."""
    if fighter.has_acted:
        return _refused("it has engaged already", "A-9", fighter)
    if fighter.is_down:
        return _refused("a dazed or stunned fighter does not engage", "A-9", fighter)
    if position.is_engaged(board, fighter):
        return _refused("it is engaged already", "A-9", fighter)
    return _refused("it reaches no enemy", "A-9", fighter)


def move_refusal(board: PitBoard, fighter: Fighter) -> Illegal:
    """Return why a fighter cannot move (A-10)."""
    if fighter.has_acted:
        return _refused("it has engaged or moved already", "A-10", fighter)
    if fighter.status == "stunned":
        return _refused("a stunned fighter does not move", "A-10", fighter)
    if not turns.may_move(board, fighter):
        if fighter.status == "dazed":
            return _refused("an enemy that touches it has no other target", "A-10", fighter)
        return _refused("it is engaged", "A-10", fighter)
    return _refused("it reaches no cell that is not beside an enemy", "A-10", fighter)


def _refused(text: str, rule: str, fighter: Fighter) -> Illegal:
    return Illegal("not_legal", text, rule, "$.action.fighter", {"fighter": fighter.id})


# ---------------------------------------------------------------- defaults


def default(board: PitBoard, question: PitQuestion) -> PitAction:
    """Return the answer after a time-out.

    Nobody moves, the first of a list is taken, and a fighter strikes where it is most likely to take an enemy out."""
    match question:
        case actions.EngageQuestion() | actions.MoveQuestion():
            return actions.EndPhase()
        case actions.DeclareQuestion(fighter=id):
            return actions.DeclareAttacks(odds.best_declaration(board, board.fighters[id]))
        case actions.ConcedeQuestion():
            return actions.Concede(False)
        case actions.CombatQuestion():
            return actions.ChooseCombat(turns.unresolved(board)[0])
        case actions.FighterQuestion():
            assert board.combat is not None
            return actions.ChooseFighter(position.leading_run(board, board.combat)[0])
        case actions.TargetQuestion():
            assert board.combat is not None
            return actions.ChooseTarget(position.declared_targets(board.combat)[0])


# ---------------------------------------------------------------- the judge


def answer(resolution: Resolution, question: PitQuestion, action: Any) -> None:
    """Carry out an answer. Raises `Illegal`."""
    match question, action:
        case ((actions.EngageQuestion() | actions.MoveQuestion()), actions.EndPhase()):
            _end_phase(resolution, question)
        case actions.EngageQuestion(), actions.Engage():
            _engage(resolution, action)
        case actions.MoveQuestion(), actions.Move():
            _move(resolution, action)
        case actions.CombatQuestion(), actions.ChooseCombat(combat=number):
            _require(
                number, turns.unresolved(resolution.board), "combat", "the combat is not one that is still to be fought"
            )
            combat.begin(resolution, number)
        case actions.FighterQuestion(), actions.ChooseFighter(fighter=id):
            assert resolution.board.combat is not None
            run = position.leading_run(resolution.board, resolution.board.combat)
            _require(id, run, "fighter", "it is not the turn of this fighter in the order of the combat")
            resolution.emit(events.SlotTaken(id))
        case actions.DeclareQuestion(fighter=id), actions.DeclareAttacks(attacks=declared):
            fighter = resolution.fighter(id)
            assert resolution.board.combat is not None
            attacks.check_declared(
                resolution.board, fighter, resolution.board.combats[resolution.board.combat.id], declared
            )
            turns.declare(resolution, id, declared)
        case actions.TargetQuestion(fighter=id), actions.ChooseTarget(target=target):
            assert resolution.board.combat is not None
            _require(
                target, position.declared_targets(resolution.board.combat), "target", "no attack is declared on it"
            )
            turns.resolve(resolution, id, target)
        case actions.ConcedeQuestion(), actions.Concede(concede=concede):
            turns.withdraw(resolution, resolution.board.seat, "conceded") if concede else turns.end_upkeep(resolution)
        case _:
            raise Illegal("wrong_action", f"{type(action).__name__} does not answer this question", place="$.action")
    turns.play_on(resolution)


def _require(value: int, legal: Sequence[int], name: str, text: str) -> None:
    if value not in legal:
        rule = {"combat": "A-11", "fighter": "A-13", "target": "A-16"}[name]
        raise Illegal("not_legal", text, rule, f"$.action.{name}", {name: value})


def _end_phase(resolution: Resolution, question: PitQuestion) -> None:
    if isinstance(question, actions.EngageQuestion):
        resolution.emit(events.PhaseBegan("move"))
    else:
        turns.begin_melee(resolution)


def _own_fighter(board: PitBoard, number: int) -> Fighter:
    if not 0 <= number < len(board.fighters):
        raise Illegal("not_legal", "there is no such fighter", "", "$.action.fighter", {"fighter": number})
    fighter = board.fighters[number]
    if fighter.seat != board.seat or not fighter.is_fielded:
        raise Illegal(
            "not_legal", "it is no fighter of yours on the field", "", "$.action.fighter", {"fighter": number}
        )
    return fighter


def _engage(resolution: Resolution, action: actions.Engage) -> None:
    board, fighter = resolution.board, _own_fighter(resolution.board, action.fighter)
    cells = turns.engagement_cells(board, fighter, position.cells_beside_enemies(board, fighter.seat))
    if not cells:
        raise engage_refusal(board, fighter)
    if (action.x, action.y) not in cells:
        text = "this cell cannot be reached, or is beside no enemy"
        raise Illegal("not_legal", text, "A-9", "$.action", {"x": action.x, "y": action.y})
    touched = position.enemies_beside(board, (action.x, action.y), fighter.seat)
    targets = tuple(enemy.id for enemy in touched)
    resolution.emit(
        events.FighterEngaged(fighter.id, action.x, action.y, targets, because("A-9", targets=len(targets)))
    )


def _move(resolution: Resolution, action: actions.Move) -> None:
    board, fighter = resolution.board, _own_fighter(resolution.board, action.fighter)
    cells = turns.move_cells(board, fighter, position.cells_beside_enemies(board, fighter.seat))
    if not cells:
        raise move_refusal(board, fighter)
    if (action.x, action.y) not in cells:
        text = "this cell cannot be reached, or is beside an enemy"
        raise Illegal("not_legal", text, "A-10", "$.action", {"x": action.x, "y": action.y})
    resolution.emit(events.FighterMoved(fighter.id, action.x, action.y, because("A-10")))


def require_seat(board: PitBoard, seat: Seat) -> None:
    """Raises `Illegal` for a seat that is out of the game."""
    if board.seats[seat].withdrawn:
        raise Illegal("not_legal", "you are out of the game already", "A-22")
