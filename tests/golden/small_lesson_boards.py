"""Positions of the boards of the smaller games: two for each, with what is refused there on purpose and what is done.

A board is laid out with the figures of a scenario. The engine decides every answer and it is written down, as for the
boards of Diskwars: page and terminal fold the events.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import product, takewhile
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.ruleset import AnyRuleset, Illegal
from diskwars_protocol.match.events import StepBegan
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import DiceKind, Draw
from diskwars_protocol.rulesets.close_quarters.actions import Advance, ModelMove, ModelShot, Shoot
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, Model
from diskwars_protocol.rulesets.close_quarters.board import CombatState as CloseCombat
from diskwars_protocol.rulesets.pit.actions import Attack, DeclareAttacks, EndPhase, Engage
from diskwars_protocol.rulesets.pit.board import PitBoard, PitSeat
from diskwars_protocol.rulesets.regiments.actions import Charge, March
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard
from tests.engine.rulesets.number_dice import NumberDice


class Refusal(Struct, frozen=True, omit_defaults=True):
    """What is tried with or on a piece, and what the engine answers."""

    tried: Any
    piece: int
    code: str
    text: str
    rule: str = ""


class Answer(Struct, frozen=True):
    """A recorded answer, and what follows of it."""

    action: Any
    events: tuple[Any, ...]


class SmallLessonBoard(Struct, frozen=True):
    """One board: what is tried in vain first, the position and its question, and which answer is what is done."""

    id: str
    ruleset: str
    refusal: Refusal
    done: int
    board: Any
    seat: Seat
    question: Any
    options: Any
    answers: tuple[Answer, ...]


class Lesson(NamedTuple):
    """`dice` are those of what is done; those of other answers, and any that are left, are drawn from `seed`.

    `then` is how many questions that follow are answered by their defaults, so that the consequence is seen.
    """

    ruleset: str
    board: Callable[[], Any]
    tried: Any
    tried_with: int
    done: Any
    dice: tuple[int, ...] = ()
    seed: int = 1
    then: int = 0


class LessonDice(NumberDice):
    """Dice from a script, and then from a seed."""

    def __init__(self, script: Iterable[int], seed: int) -> None:
        super().__init__(script)
        self._chance = random.Random(seed)

    def roll(self, kind: DiceKind, sides: int, count: int, tag: str) -> Draw:
        self._left += [self._chance.randint(1, sides) for _ in range(count - len(self._left))]
        return super().roll(kind, sides, count, tag)


def _rules(ruleset: str) -> AnyRuleset:
    return RULESETS[ruleset](())


def _start(ruleset: str) -> Any:
    """Return the board of the first scenario as a match of two begins."""
    rules = _rules(ruleset)
    settings = rules.vocabulary.settings()
    return rules.start(settings, [rules.vocabulary.loadout()] * 2, LessonDice((), 1)).board


# ---------------------------------------------------------------- the boards

CAPTAIN, RIDER, TWIN_BLADE, BULWARK, BRAWLER = range(5)
"""Fighters of a side in the pit, in the order of the scenario."""


def _pit(*placed: tuple[Seat, int, int, int], **board: Any) -> PitBoard:
    """Return a board of the pit with these fighters: seat, which one of the side, column and row."""
    start: PitBoard = _start("pit")
    fighters = tuple(
        replace(next(one for one in start.fighters if (one.seat, one.profile) == (seat, kind)), id=id, x=x, y=y)
        for id, (seat, kind, x, y) in enumerate(placed)
    )
    sizes = [sum(one.seat == seat for one in fighters) for seat in range(2)]
    seats = tuple(PitSeat((size + 1) // 2) for size in sizes)
    said: dict[str, Any] = {"round": 2, "order": (0, 1), "active_seat": 0, "is_first_turn": False, **board}
    return replace(start, fighters=fighters, seats=seats, **said)


def _pit_engage() -> PitBoard:
    return _pit((0, CAPTAIN, 2, 4), (0, BULWARK, 5, 8), (1, BRAWLER, 6, 8), (1, RIDER, 8, 4), phase="engage")


def _pit_strike() -> PitBoard:
    placed = (0, BRAWLER, 5, 5), (0, CAPTAIN, 2, 3), (1, TWIN_BLADE, 6, 6), (1, BULWARK, 6, 5), (1, RIDER, 9, 8)
    rules = _rules("pit")
    board = _pit(*placed, (1, CAPTAIN, 10, 3), phase="move")
    ((seat, question),) = rules.questions(board)
    after: PitBoard = rules.decide(board, seat, question, EndPhase(), LessonDice((), 1)).board
    return after


def _close_quarters(**board: Any) -> CloseQuartersBoard:
    """Return a board of close quarters on which the first side has the turn, both squads of it have acted but one."""
    start: CloseQuartersBoard = _start("close_quarters")
    units = tuple(replace(unit, has_acted=unit.id == 1) for unit in start.units)
    said: dict[str, Any] = {"order": (0, 1), "turn": 3, "units": units, **board}
    return replace(start, **said)


def _shifted(models: Iterable[Model], **by_unit: tuple[int, int]) -> tuple[Model, ...]:
    """Return the models, those of units such as `unit2` moved by hundredths of an inch."""
    shifts = {int(name.removeprefix("unit")): shift for name, shift in by_unit.items()}
    return tuple(
        replace(model, x=model.x + shifts.get(model.unit, (0, 0))[0], y=model.y + shifts.get(model.unit, (0, 0))[1])
        for model in models
    )


def _close_quarters_move() -> CloseQuartersBoard:
    board = _close_quarters()
    return replace(board, models=_shifted(board.models, unit3=(-500, 0)), active_unit=0)


def _close_quarters_fire() -> CloseQuartersBoard:
    board = _close_quarters(phase="cycle")
    models = _shifted(board.models, unit0=(300, 0), unit3=(-720, 0))
    combat = CloseCombat(0, (0, 1, 2, 3), cycle=1, waiting=(1,), unit=0, step="shoot")
    return replace(board, models=models, combat=combat)


def _regiments(*placed: tuple[int, int, int, str], waiting: tuple[int, ...]) -> RegimentsBoard:
    """Return a board of regiments with these units: which one of the start, column, row and facing."""
    start: RegimentsBoard = _start("regiments")
    units = tuple(
        replace(start.units[unit], id=id, x=x, y=y, facing=facing) for id, (unit, x, y, facing) in enumerate(placed)
    )
    return replace(start, units=units, waiting=waiting, round=2, phase="orders")


FOOT, HORSE, STOUT = range(3)
THEIRS = 3
"""The units of the other side follow those of the own one, in the same order."""


def _regiments_march() -> RegimentsBoard:
    placed = (FOOT, 2, 3, "east"), (HORSE, 2, 5, "east"), (THEIRS + FOOT, 8, 3, "west"), (THEIRS + STOUT, 8, 5, "west")
    return _regiments(*placed, waiting=(0, 2, 3))


def _regiments_charge() -> RegimentsBoard:
    """Lay the board out near the edge, so that who flees leaves the field."""
    placed = (
        (HORSE, 10, 4, "east"),
        (FOOT, 10, 2, "east"),
        (THEIRS + FOOT, 14, 4, "south"),
        (THEIRS + STOUT, 8, 4, "east"),
    )
    return _regiments(*placed, waiting=(0,))


def _all_at(target: int) -> Shoot:
    return Shoot(tuple(ModelShot(model, target) for model in range(6)))


def _advance(inches: int) -> Advance:
    """Return the advance of all models of the first squad by so much towards the other side."""
    moves = (ModelMove(one.id, one.x + 100 * inches, one.y) for one in _close_quarters_move().models if not one.unit)
    return Advance(tuple(moves))


LESSONS: dict[str, Lesson] = {
    "pit-1": Lesson("pit", _pit_engage, Engage(1, 5, 7), 1, Engage(0, 7, 4)),
    "pit-2": Lesson(
        "pit",
        _pit_strike,
        DeclareAttacks((Attack(4), Attack(4))),
        4,
        DeclareAttacks((Attack(2), Attack(2))),
        (18, 9, 7, 5, 8),
    ),
    "close_quarters-1": Lesson("close_quarters", _close_quarters_move, _advance(6), 18, _advance(2)),
    "close_quarters-2": Lesson("close_quarters", _close_quarters_fire, _all_at(2), 12, _all_at(3), then=1),
    "regiments-1": Lesson("regiments", _regiments_march, Charge(2), 2, March(("forward", "forward"))),
    "regiments-2": Lesson("regiments", _regiments_charge, Charge(3), 3, Charge(2)),
}


def make_small_lessons() -> Iterator[SmallLessonBoard]:
    """Yield the boards in their order."""
    for id, lesson in LESSONS.items():
        yield _make(id, lesson)


def _make(id: str, lesson: Lesson) -> SmallLessonBoard:
    rules, board = _rules(lesson.ruleset), lesson.board()
    assert rules.check(board) == []
    ((seat, question),) = rules.questions(board)
    options = rules.options(board, seat, question)
    options = replace(options, unavailable=rules.unavailable(board, seat, question))
    try:
        rules.decide(board, seat, question, lesson.tried, LessonDice((), 0))
        raise AssertionError(f"{lesson.tried} is accepted")
    except Illegal as illegal:
        refusal = Refusal(lesson.tried, lesson.tried_with, illegal.code, illegal.text, illegal.rule)
    others = [action for action in _likewise(lesson.done, options) if action != lesson.done]
    answers = tuple(
        Answer(action, _follow(rules, board, action, dice, lesson.then))
        for action, dice in [
            (lesson.done, LessonDice(lesson.dice, lesson.seed)),
            *((action, LessonDice((), lesson.seed)) for action in others),
        ]
    )
    return SmallLessonBoard(id, lesson.ruleset, refusal, 0, board, seat, question, options, answers)


def _follow(rules: AnyRuleset, board: Any, action: Any, dice: LessonDice, then: int) -> tuple[Any, ...]:
    """Return the events of an answer, and of the defaults of the questions after it."""
    ((seat, question),) = rules.questions(board)
    outcome = rules.decide(board, seat, question, action, dice)
    # A new step of the dice opens links of chains, which a board has not.
    events = tuple(takewhile(lambda event: not isinstance(event, StepBegan), outcome.events))
    if not then or not outcome.questions:
        return events
    ((seat, question),) = outcome.questions
    default = rules.default(outcome.board, seat, question, dice)
    return events + _follow(rules, outcome.board, default, dice, then - 1)


def _likewise(done: Any, options: Any) -> Iterator[Any]:
    """Yield the answers of the same kind: of a piece that moves, to every place; of attacks, at every target."""
    yield from (action for action in options.actions if type(action) is type(done))
    for limits in options.parametric:
        match done:
            case Engage():
                yield from (Engage(limits.fighter, cell.x, cell.y) for cell in limits.cells)
            case DeclareAttacks():
                for targets in product(limits.targets, repeat=limits.attacks):
                    yield DeclareAttacks(tuple(map(Attack, targets)))
            case March():
                yield from (March(end.path) for end in limits.ends)
            case _:
                pass
