"""How does a game go on: answers, and the work list, until somebody has to decide again (R4, R7, R15)?

This is the sequence of play. Must not know hiding, nor how a match is kept.
"""

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
    position,
    rampage,
    scoring,
    setup_sequence,
    shooting,
    triggers,
)
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_engine.rulesets.diskwars.questions import asked
from diskwars_protocol.match import Reason, Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import RESERVE, Board

# ---------------------------------------------------------------- an answer


def decide(
    board: Board, seat: Seat, ask: a.BoardQuestion, action: a.Action, dice: Dice
) -> Outcome[Board, a.BoardQuestion]:
    """Judges an answer and plays on until the next question. Raises `Illegal`; the board handed in stays as it is."""
    play = Play(board, dice)
    _answer(play, seat, ask, action)
    return _played_on(play)


def _answer(play: Play, seat: Seat, ask: a.BoardQuestion, action: a.Action) -> None:
    if isinstance(ask, a.SetupQuestion):
        if not setup_sequence.answer(play, seat, ask, action):
            raise options.refuse(ask, action)
        return
    match ask, action:
        case a.AskCard(), a.LockCard():
            command_cards.lock(play, seat, action)
        case a.AskActivation(), _:
            _use_card(play, seat, ask, action)
        case a.AskContinue(), a.MoveDisk() | a.Shoot() | a.Focus() | a.PassDisk():
            task = play.work.pop(0)
            if isinstance(task, e.Activation):
                activation.go_on(play, task, action)
        case a.AskEngagement(), a.ChooseEngagement():
            if action.engagement not in ask.legal:
                able = ", ".join(str(number) for number in ask.legal)
                raise Illegal("not_legal", f"the next engagement is one of {able}", "R15.2", "$.action.engagement")
            if isinstance(play.work[0], e.FightWork):
                play.work.pop(0)
                melee.fight_in(play, action.engagement)
            else:
                melee.begin(play, action.engagement)
        case a.AskScatter() | a.AskTriggers() | a.AskUse() | a.AskReinforcement() | a.AskRampage() | a.AskTargets(), _:
            _choose(play, ask, action)
        case _:
            raise options.refuse(ask, action)


def _use_card(play: Play, seat: Seat, ask: a.AskActivation, action: a.Action) -> None:
    """R7.9 to R7.12: what a player does with his revealed card."""
    turn = play.work.pop(0)
    if not isinstance(turn, e.CardTurn):
        raise options.refuse(ask, action)
    rest = replace(turn, left=turn.left - 1)
    at = len(play.work)
    match action:
        case a.EndCard():
            rest = replace(turn, left=0, ability=False)
        case a.UseAbility():
            rest = command_cards.use_ability(play, turn, action)
        case a.Reinforce():
            _check_left(turn)
            _check_number(play.board, action.disk)
            movement.check_reinforcement(play.board, seat, action.disk, action.x, action.y)
            movement.reinforce(play, seat, action)
        case a.MoveDisk() | a.Shoot() | a.Focus() | a.PassDisk():
            _check_left(turn)
            activation.begin(play, seat, action)
        case _:
            raise options.refuse(ask, action)
    play.work.insert(len(play.work) - at, rest)


def _check_left(turn: e.CardTurn) -> None:
    if turn.left < 1:
        raise Illegal("not_legal", "the card has no activation left", "R7.11", "$.action")


def _check_number(board: Board, disk: int) -> None:
    if not 0 <= disk < len(board.disks):
        raise Illegal("unknown_disk", f"there is no disk {disk}", place="$.action.disk")


def _choose(play: Play, ask: a.BoardQuestion, action: a.Action) -> None:
    """Answers that settle the first task of the work list."""
    task = play.work.pop(0)
    match task, ask, action:
        case e.ScatterWork(), a.AskScatter(), a.ChooseScatter():
            shooting.chosen(play, task, action.target)
        case e.TriggerWork(), a.AskTriggers(), a.OrderTriggers():
            triggers.order(play, task, action)
        case e.UseWork(), a.AskUse(), a.ChooseUse():
            triggers.choose(play, task, ask, action)
        case e.RampageWork(), a.AskRampage(), a.MoveDisk():
            rampage.choose(play, task, action)
        case e.ReinforceWork(), a.AskReinforcement(), a.Reinforce():
            _check_number(play.board, action.disk)
            movement.check_arrival(play.board, task, action.disk, action.x, action.y)
            movement.arrive(play, action)
        case e.ReinforceWork(), a.AskReinforcement(), a.PassDisk():
            if action.disk != ask.by:
                raise Illegal("wrong_action", f"to bring nobody in, pass disk {ask.by}", "R9.6", "$.action.disk")
            play.work = play.work[_copies(play.work, task) :]
        case e.MeleeStep(), a.AskTargets(), a.ChooseTargets():
            play.push(melee.choose(play, task, ask, action))
        case _:
            raise options.refuse(ask, action)


def _copies(work: list[e.Work], task: e.Work) -> int:
    """How often a task stands at the head of the work list: whoever leaves one of several leaves all."""
    return next((n for n, one in enumerate(work) if one != task), len(work))


def resign(board: Board, seat: Seat, dice: Dice) -> Outcome[Board, a.BoardQuestion]:
    """R-59: a player who leaves takes his disks and cards with him; the others play on."""
    if board.sides[seat].out:
        raise Illegal("not_legal", "you are out of the game already", "R18.5")
    play = Play(board, dice)
    harm.withdraw(play, seat, (Reason("R-59"),))
    melee.drop_dead(play)  # R-29 what he fought alone is not offered any more
    play.work = [one for task in play.work for one in _left_of(play.board, task, seat)]
    return _played_on(play)


def _left_of(board: Board, task: e.Work, seat: Seat) -> list[e.Work]:
    """R-59: a task without the seat that has left, and without the disks that left with it."""
    match task:
        case e.ScatterWork():
            return [shooting.without_gone(board, task)]
        case e.RampageWork():
            return [rampage.anew(task)]
        case e.MeleeStep():
            return [melee.without_gone(board, task)]
        case _ if isinstance(task, e.SetupWork):
            return setup_sequence.without(board, task, seat)
        case _:
            return [task]


# ---------------------------------------------------------------- the work list


def _played_on(play: Play) -> Outcome[Board, a.BoardQuestion]:
    run(play)
    return Outcome(list(play.finish()), play.board, play.asked)


def run(play: Play) -> None:
    """Does one task after another until somebody has to decide or the game is over."""
    harm.settle(play)
    while play.work:
        if scoring.result(play.board) is not None:
            play.work.clear()
        elif questions := asked(play.board, play.work[0]):
            play.asked = questions
            return
        else:
            _do(play, play.work.pop(0))
            harm.settle(play)


def _do(play: Play, task: e.Work) -> None:
    """A task that has nothing to ask. What is met most comes first: a `match` asks for one kind after another."""
    match task:
        case e.Activation():
            activation.end(play, task)
        case e.CardTurn():
            if not task.begun and not position.is_out(play.board, task.seat):
                play.push(command_cards.begin_turn(play, task))
        case e.PhaseWork():
            PHASES[task.phase](play, task)
        case e.DiscardCards():
            command_cards.discard(play)
        case e.Rounds():
            _next_round(play, task)
        case e.ImpactWork():
            movement.impact(play, task)
        case e.DangerWork():
            hazards.danger(play, task)
        case e.RoughWork():
            hazards.rough(play, task)
        case e.GuardWork():
            movement.guard(play, task)
        case e.RampageWork():
            rampage.go(play, task)
        case e.TriggerWork():
            triggers.next_of(play, task)
        case e.UseWork():
            triggers.go(play, task)
        case e.FightWork():
            melee.fight(play, task)
        case e.EndFight():
            melee.end_fight(play)
        case e.MeleeStep():
            melee.strike(play, task)
        case e.CloseEngagement():
            melee.close(play, task)
        case e.ScatterWork():
            shooting.scatter(play, task)
        case e.ReinforceWork():
            pass  # asked for, unless there is nothing to ask, or nobody any more
        case _:
            setup_sequence.work(play, task)


def _next_round(play: Play, task: e.Rounds) -> None:
    """R4.1, R4.5"""
    if task.next > play.board.rounds:
        scoring.score(play)
        return
    play.emit(e.RoundBegan(task.next))
    play.emit(e.PhaseBegan("activation"))
    phases: tuple[e.Phase, ...] = ("activation", "melee", "end")
    play.push(*(e.PhaseWork(phase) for phase in phases), e.Rounds(task.next + 1))
    harm.eliminate(play)


def _activation_phase(play: Play, task: e.PhaseWork) -> None:
    """R7.1: nobody has anything left to do; the phase is over. R-60: unless those who are left have all chosen."""
    if any(side.has_locked for side in play.board.sides):
        play.push(task)
        command_cards.reveal(play)


def _melee_phase(play: Play, task: e.PhaseWork) -> None:
    """R15.2: one engagement after another, until none is left."""
    if play.board.phase != "melee":
        play.emit(e.PhaseBegan("melee"))
        melee.freeze(play)
        play.push(task)
        return
    legal = melee.legal(play.board)
    if not legal:
        return
    play.push(task)
    if len(legal) == 1:
        melee.begin(play, legal[0])


def _end_phase(play: Play, task: e.PhaseWork) -> None:
    """R4.2 to R4.4. R13.6: damage goes, wounds stay. R-34: all tokens at once, and no wound is tested meanwhile.

    R-67: what the poison keeps may be enough when all of them are gone, which `run` asks afterwards.
    """
    play.emit(e.PhaseBegan("end"))
    fielded = position.fielded(play.board)
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


PHASES: dict[e.Phase, Callable[[Play, e.PhaseWork], None]] = {
    "activation": _activation_phase,
    "melee": _melee_phase,
    "end": _end_phase,
}
