"""How do engage abilities go off: one after another, each by its text (R6.6, R19.19, R19.20)?

Must not know what has set them off.
"""

from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import effects, position, terrain
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_protocol.match import Reason, Seat
from diskwars_protocol.rulesets.diskwars.actions import AskUse, ChooseUse, OrderTriggers, Trigger
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import TriggerResolved, TriggerWork, UseWork
from diskwars_protocol.rulesets.diskwars.stats import Ability


def ability(board: Board, trigger: Trigger) -> Ability:
    return board.profile(trigger.disk).abilities[trigger.ability]


def order(play: Play, task: TriggerWork, action: OrderTriggers) -> None:
    """R19.19: the active player has put them in one order."""
    if sorted(action.order) != list(range(len(task.triggers))):
        text = f"an order names each of 0 to {len(task.triggers) - 1} once"
        raise Illegal("not_legal", text, "R19.19", "$.action.order")
    play.push(replace(task, triggers=tuple(task.triggers[n] for n in action.order), ordered=True))


def next_of(play: Play, task: TriggerWork) -> None:
    """R6.6: the first goes off, an instance of its own (R-20); the others wait for all that follows from it (R-32)."""
    first, rest = task.triggers[0], task.triggers[1:]
    if rest:
        play.push(replace(task, triggers=rest, ordered=True))
    play.push(UseWork(first))


def question(board: Board, trigger: Trigger) -> tuple[Seat, AskUse] | None:
    """R19.20: the controller of the disk says whether, and at whom; with one possible answer he is not asked."""
    if not goes_off(board, trigger):
        return None
    among, may = _among(board, trigger), ability(board, trigger).may
    if not may and (among is None or len(among) < 2):
        return None
    return board.disks[trigger.disk].seat, AskUse(trigger, tuple(among or ()), may)


def goes_off(board: Board, trigger: Trigger) -> bool:
    """R8.5.3: the engaged enemy may be dead, but an ability is measured from the disk that has it.

    What is aimed at that enemy needs it, and what is aimed at another disk needs one.
    """
    if not position.is_fielded(board, trigger.disk):
        return False
    if effects.is_aimed_at_enemy(ability(board, trigger).effect):
        return position.is_fielded(board, trigger.enemy)
    among = _among(board, trigger)
    return among is None or bool(among)


def _among(board: Board, trigger: Trigger) -> list[int] | None:
    """Whom it may be aimed at; None when there is nothing to choose."""
    effect = ability(board, trigger).effect
    return None if effects.is_aimed_at_enemy(effect) else effects.targets(board, trigger.disk, effect)


def go(play: Play, task: UseWork) -> None:
    """It goes off without a choice."""
    if goes_off(play.board, task.trigger):
        among = _among(play.board, task.trigger)
        _resolve(play, task.trigger, among[0] if among else None)


def choose(play: Play, task: UseWork, ask: AskUse, action: ChooseUse) -> None:
    if not action.use:
        if not ask.may:
            raise Illegal("not_legal", "the ability has to be used", "R19.20", "$.action.use")
        return
    if (action.target not in ask.among) if ask.among else (action.target is not None):
        among = ", ".join(str(disk) for disk in ask.among) or "nobody"
        raise Illegal("bad_target", f"the ability can be aimed at {among}", "R19.20", "$.action.target")
    _resolve(play, task.trigger, action.target)


def _resolve(play: Play, trigger: Trigger, target: int | None) -> None:
    effect = ability(play.board, trigger).effect
    amount, dice = play.amount(effects.amount_of(effect), "engage")
    seen = () if target is None else terrain.why_seen(play.board, trigger.disk, target)
    because = (Reason("R6.6", {"amount": amount}), *seen)
    play.emit(TriggerResolved(trigger, dice, because, target))
    effects.apply(play, trigger.disk, trigger.enemy if target is None else target, effect, amount, because)
