"""The loop of the game: answers, then tasks, until somebody has to decide again (R4, R7, R15)."""

from collections.abc import Callable

from msgspec.structs import replace

from diskwars_engine.ruleset import Dice, Illegal, Outcome
from diskwars_engine.rulesets.diskwars import (
    activation,
    command_cards,
    harm,
    hazards,
    melee,
    movement,
    options,
    rampage,
    scoring,
    setup_sequence,
    shooting,
    triggers,
)
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_engine.rulesets.diskwars.questions import open_questions
from diskwars_protocol.match import Reason, Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.board import RESERVE, Board

# ---------------------------------------------------------------- an answer


def decide(
    board: Board, seat: Seat, ask: a.BoardQuestion, action: a.Action, dice: Dice
) -> Outcome[Board, a.BoardQuestion]:
    """Judge an answer and play on until the next question. Raises `Illegal`; the given board does not change."""
    play = Play(board, dice)
    _answer(play, seat, ask, action)
    return _play_on(play)


def _answer(play: Play, seat: Seat, ask: a.BoardQuestion, action: a.Action) -> None:
    if isinstance(ask, a.SetupQuestion):
        if not setup_sequence.answer(play, seat, ask, action):
            raise options.wrong_action(ask, action)
        return
    match ask, action:
        case a.CommandCardQuestion(), a.LockCard():
            command_cards.lock(play, seat, action)
        case a.ActivationQuestion(), _:
            _use_card(play, seat, ask, action)
        case a.ContinuationQuestion(), a.MoveDisk() | a.Shoot() | a.Focus() | a.PassDisk():
            task = play.tasks.pop(0)
            if isinstance(task, e.ActivationTask):
                activation.continue_activation(play, task, action)
        case a.EngagementQuestion(), a.ChooseEngagement():
            if action.engagement not in ask.engagements:
                able = ", ".join(str(number) for number in ask.engagements)
                raise Illegal("not_legal", f"the next engagement is one of {able}", "R15.2", "$.action.engagement")
            if isinstance(play.tasks[0], e.FightTask):
                play.tasks.pop(0)
                melee.start_fight(play, action.engagement)
            else:
                melee.start_engagement(play, action.engagement)
        case (
            a.ScatterQuestion()
            | a.TriggerOrderQuestion()
            | a.EngageAbilityQuestion()
            | a.ReinforcementQuestion()
            | a.RampageQuestion()
            | a.MeleeTargetsQuestion(),
            _,
        ):
            _answer_task(play, ask, action)
        case _:
            raise options.wrong_action(ask, action)


def _use_card(play: Play, seat: Seat, ask: a.ActivationQuestion, action: a.Action) -> None:
    """R7.9 to R7.12: what a player does with a revealed card."""
    turn = play.tasks.pop(0)
    if not isinstance(turn, e.CommandCardTask):
        raise options.wrong_action(ask, action)
    rest = replace(turn, activations_left=turn.activations_left - 1)
    at = len(play.tasks)
    match action:
        case a.EndCard():
            rest = replace(turn, activations_left=0, ability_available=False)
        case a.UseAbility():
            rest = command_cards.use_ability(play, turn, action)
        case a.Reinforce():
            _check_left(turn)
            _check_number(play.board, action.disk)
            movement.check_reinforcement(play.board, seat, action.disk, action.x, action.y)
            movement.reinforce(play, seat, action)
        case a.MoveDisk() | a.Shoot() | a.Focus() | a.PassDisk():
            _check_left(turn)
            activation.start(play, seat, action)
        case _:
            raise options.wrong_action(ask, action)
    play.tasks.insert(len(play.tasks) - at, rest)


def _check_left(turn: e.CommandCardTask) -> None:
    if turn.activations_left < 1:
        raise Illegal("not_legal", "the card has no activation left", "R7.11", "$.action")


def _check_number(board: Board, disk: int) -> None:
    if not 0 <= disk < len(board.disks):
        raise Illegal("unknown_disk", f"there is no disk {disk}", place="$.action.disk")


def _answer_task(play: Play, ask: a.BoardQuestion, action: a.Action) -> None:
    """Apply an answer to the first task."""
    task = play.tasks.pop(0)
    match task, ask, action:
        case e.ScatterTask(), a.ScatterQuestion(), a.ChooseScatter():
            shooting.choose_scatter(play, task, action.target)
        case e.TriggersTask(), a.TriggerOrderQuestion(), a.OrderTriggers():
            triggers.order_triggers(play, task, action)
        case e.EngageAbilityTask(), a.EngageAbilityQuestion(), a.UseEngageAbility():
            triggers.choose_use(play, task, ask, action)
        case e.RampageTask(), a.RampageQuestion(), a.MoveDisk():
            rampage.choose_flip(play, task, action)
        case e.ReinforcementTask(), a.ReinforcementQuestion(), a.Reinforce():
            _check_number(play.board, action.disk)
            movement.check_ability_reinforcement(play.board, task, action.disk, action.x, action.y)
            movement.reinforce_by_ability(play, action)
        case e.ReinforcementTask(), a.ReinforcementQuestion(), a.PassDisk():
            if action.disk != ask.source:
                raise Illegal("wrong_action", f"to bring nobody in, pass disk {ask.source}", "R9.6", "$.action.disk")
            play.tasks = play.tasks[_repetitions(play.tasks, task) :]
        case e.MeleeStepTask(), a.MeleeTargetsQuestion(), a.ChooseTargets():
            play.push(melee.choose_targets(play, task, ask, action))
        case _:
            raise options.wrong_action(ask, action)


def _repetitions(work: list[e.Task], task: e.Task) -> int:
    """Return how often a task is repeated at the head of the list: ending one of several ends all."""
    return next((n for n, one in enumerate(work) if one != task), len(work))


def resign(board: Board, seat: Seat, dice: Dice) -> Outcome[Board, a.BoardQuestion]:
    """R-59: a player who leaves takes disks and cards out of the game; the others play on."""
    if board.sides[seat].eliminated:
        raise Illegal("not_legal", "you are out of the game already", "R18.5")
    play = Play(board, dice)
    harm.withdraw(play, seat, (Reason("R-59"),))
    melee.drop_dead_engagements(play)  # R-29 engagements without the player's disks are no longer offered
    play.tasks = [one for task in play.tasks for one in _without_seat(play.board, task, seat)]
    return _play_on(play)


def _without_seat(board: Board, task: e.Task, seat: Seat) -> list[e.Task]:
    """R-59: a task without the seat that has left, and without the disks that left with it."""
    match task:
        case e.ScatterTask():
            return [shooting.without_withdrawn(board, task)]
        case e.RampageTask():
            return [rampage.without_targets(task)]
        case e.MeleeStepTask():
            return [melee.without_withdrawn(board, task)]
        case _ if isinstance(task, e.SetupTask):
            return setup_sequence.without_seat(board, task, seat)
        case _:
            return [task]


# ---------------------------------------------------------------- tasks


def _play_on(play: Play) -> Outcome[Board, a.BoardQuestion]:
    run(play)
    return Outcome(list(play.finish()), play.board, play.questions)


def run(play: Play) -> None:
    """Run one task after another until somebody has to decide or the game is over."""
    harm.resolve_due_wounds(play)
    while play.tasks:
        if scoring.result(play.board) is not None:
            play.tasks.clear()
        elif questions := open_questions(play.board, play.tasks[0]):
            play.questions = questions
            return
        else:
            _run_task(play, play.tasks.pop(0))
            harm.resolve_due_wounds(play)


def _run_task(play: Play, task: e.Task) -> None:
    """Run a task without questions. Frequent tasks come first: a `match` tests one type after another."""
    match task:
        case e.ActivationTask():
            activation.finish(play, task)
        case e.CommandCardTask():
            if not task.begun and not position.is_eliminated(play.board, task.seat):
                play.push(command_cards.start_turn(play, task))
        case e.PhaseTask():
            PHASE_RUNNERS[task.phase](play, task)
        case e.DiscardCardsTask():
            command_cards.discard(play)
        case e.RoundTask():
            _next_round(play, task)
        case e.ImpactTask():
            movement.resolve_impact(play, task)
        case e.DangerousTerrainTask():
            hazards.resolve_dangerous_terrain(play, task)
        case e.RoughTerrainTask():
            hazards.resolve_rough_terrain(play, task)
        case e.GuardTask():
            movement.resolve_guard(play, task)
        case e.RampageTask():
            rampage.run(play, task)
        case e.TriggersTask():
            triggers.resolve_next(play, task)
        case e.EngageAbilityTask():
            triggers.run(play, task)
        case e.FightTask():
            melee.fight(play, task)
        case e.EndFightTask():
            melee.end_fight(play)
        case e.MeleeStepTask():
            melee.strike_step(play, task)
        case e.CloseEngagementTask():
            melee.close_engagement(play, task)
        case e.ScatterTask():
            shooting.run_scatter(play, task)
        case e.ReinforcementTask():
            pass  # asked for, unless there is nothing to ask, or nobody any more
        case _:
            setup_sequence.run_task(play, task)


def _next_round(play: Play, task: e.RoundTask) -> None:
    """R4.1, R4.5"""
    if task.round > play.board.rounds:
        scoring.score(play)
        return
    play.emit(e.RoundBegan(task.round))
    play.emit(e.PhaseBegan("activation"))
    phases: tuple[e.Phase, ...] = ("activation", "melee", "end")
    play.push(*(e.PhaseTask(phase) for phase in phases), e.RoundTask(task.round + 1))
    harm.eliminate(play)


def _activation_phase(play: Play, task: e.PhaseTask) -> None:
    """R7.1: the phase is over when nobody can do anything. R-60: unless all remaining players have chosen."""
    if any(side.has_locked for side in play.board.sides):
        play.push(task)
        command_cards.reveal(play)


def _melee_phase(play: Play, task: e.PhaseTask) -> None:
    """R15.2: one engagement after another, until none is left."""
    if play.board.phase != "melee":
        play.emit(e.PhaseBegan("melee"))
        melee.freeze_engagements(play)
        play.push(task)
        return
    legal = melee.legal_engagements(play.board)
    if not legal:
        return
    play.push(task)
    if len(legal) == 1:
        melee.start_engagement(play, legal[0])


def _end_phase(play: Play, task: e.PhaseTask) -> None:
    """R4.2 to R4.4. R13.6: damage leaves, wounds stay. R-34: all tokens leave at once, and no wound is tested
    meanwhile.

    R-67: damage kept by poison may be enough for a wound once the tokens are gone; `run` tests that afterwards.
    """
    play.emit(e.PhaseBegan("end"))
    fielded = position.fielded_disks(play.board)
    marked = [d for d in fielded if d.activated or d.empowered or d.weakened or (d.damage and not d.poisoned)]
    if marked:
        poisoned = tuple(disk.id for disk in marked if disk.poisoned)  # R16.4 their damage stays
        play.emit(
            e.TokensCleared(tuple(disk.id for disk in marked), (Reason("R4.2", {"disks": len(marked)}),), poisoned)
        )
    play.emit(e.CardsReturned((Reason("R4.3"),)))
    if play.board.round == 1:
        late = [d.id for d in play.board.disks if d.place == RESERVE and play.board.profile(d.id).kind == "hero"]
        if late:
            play.emit(e.ReservesLost(tuple(late), (Reason("R-27", {"disks": len(late)}),)))


PHASE_RUNNERS: dict[e.Phase, Callable[[Play, e.PhaseTask], None]] = {
    "activation": _activation_phase,
    "melee": _melee_phase,
    "end": _end_phase,
}
