"""Positions of the five boards of a first match, each with what is refused there on purpose and what is done.

The engine decides both and it is written down, as for the figures of the rules: the page folds the events.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import ALL
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board, Side
from tests.engine.played_match import PlayedMatch, default_action, player_of
from tests.engine.rulesets.diskwars.positions import ScriptedPosition, scripted_position
from tests.golden.playable_positions import Answer, Explorer, Node, Opened, Outcome, PlayablePosition, Recipe
from tests.golden.set_pieces import ScriptedMove

OWN, ENEMY = 0, 1


class Refusal(Struct, frozen=True, omit_defaults=True):
    """What the engine answers to something that is tried with a disk."""

    disk: a.DiskId
    code: str
    text: str
    rule: str = ""
    numbers: dict[str, int] = {}


class LessonBoard(Struct, frozen=True):
    """One board: what is tried in vain first, the position, and which of its answers is what is done."""

    id: str
    refusal: Refusal
    done: int
    position: PlayablePosition


class Lesson(NamedTuple):
    text: str
    start: Callable[[ScriptedPosition], ScriptedPosition]
    tried: Callable[[ScriptedPosition], a.Action]
    tried_with: str
    done: Callable[[ScriptedPosition], a.Action]


HEAD = "field 18x16in\nround 1 of 5  phase activation  order A B  playing A\n"
TURN = """
A Marienburg Swordsmen (9, 4.5)
A Reikland Crossbowmen (4.5, 4) activated
B Orc Boyz             (14, 13)
"""
LAND = """
A Karl Franz           (4.5, 4.5) z1
A Marienburg Swordsmen (9.5, 4)
B Night Goblins        (5.2, 5.8) z3
B Orc Boyz             (11, 10)
"""
MELEE = """
A Marienburg Swordsmen (9, 7)    z3
A Karl Franz           (4, 4)
B Orc Boyz             (8, 8.1)  z1
B Night Goblins        (10, 8.1) z2
B Grimgor Ironhide     (13, 12)
"""
SCORE = """
A Marienburg Swordsmen (9, 4.5)
A Karl Franz           (4, 4) activated
B Orc Boyz             (14, 13)
terrain Old Wood at (7, 7.4) (11, 7) (11.6, 10.6) (8, 11.4); Cover
"""


def _begin_turn(table: ScriptedPosition) -> ScriptedPosition:
    return table.with_card_turn(OWN)


def _begin_melee(table: ScriptedPosition) -> ScriptedPosition:
    return table.start_melee()


def _begin_last_activation(table: ScriptedPosition) -> ScriptedPosition:
    """Return the last activation of the last round: after it the points are counted."""
    scenarios = tuple(core_pack().scenarios.values())
    layout = replace(table.board.layout, scenarios=scenarios, active_scenario="break-through")
    sides = (_with_objective(table.board, OWN, "lay-of-the-land"), _with_objective(table.board, ENEMY, "last-stand"))
    table = ScriptedPosition(replace(table.board, layout=layout, sides=sides, round=table.board.rounds))
    return table.with_card_turn(
        OWN, left=1, then=(t.MeleePhaseTask(), t.EndPhaseTask(), t.RoundTask(table.board.rounds + 1))
    )


def _with_objective(board: Board, seat: int, scenario: str) -> Side:
    return replace(board.sides[seat], objective=scenario)


SWORDSMEN = "Marienburg Swordsmen"
LESSONS: dict[str, Lesson] = {
    "turn": Lesson(
        TURN,
        _begin_turn,
        lambda table: table.move_action("Reikland Crossbowmen", 90),
        "Reikland Crossbowmen",
        lambda table: table.move_action(SWORDSMEN, 90, 90),
    ),
    "land": Lesson(
        LAND,
        _begin_turn,
        lambda table: table.move_action("Karl Franz", 0),
        "Karl Franz",
        lambda table: table.move_action(SWORDSMEN, 75, 75, 75),
    ),
    "melee": Lesson(
        MELEE,
        _begin_melee,
        lambda table: table.targets_action(Marienburg_Swordsmen="Grimgor Ironhide"),
        "Grimgor Ironhide",
        lambda table: table.targets_action(Marienburg_Swordsmen="Night Goblins"),
    ),
    "score": Lesson(
        SCORE,
        _begin_last_activation,
        lambda table: table.move_action("Orc Boyz", 270),
        "Orc Boyz",
        lambda table: table.move_action(SWORDSMEN, 90, 90),
    ),
}


def _make(id: str, lesson: Lesson) -> LessonBoard:
    start = lesson.start(scripted_position(HEAD + lesson.text))
    refused = start.expect_illegal(lesson.tried(start))
    moves = (ScriptedMove(lesson.done),)
    position = Explorer(Recipe("", lambda: Opened(start.board, start), moves)).explore()
    done = [answer.action for answer in position.nodes[0].answers].index(lesson.done(start))
    return LessonBoard(id, _refusal(start.number(lesson.tried_with), refused), done, position)


def _refusal(disk: a.DiskId, refused: Illegal) -> Refusal:
    return Refusal(disk, refused.code, refused.text, refused.rule, dict(refused.numbers))


# ---------------------------------------------------------------- the secret card

CARD_SEED = 3
ENEMY_CARD = "get-stuck-in"


def _make_card_board() -> LessonBoard:
    """Return a match at its first question for command cards: both seats lock one, and both are turned over."""
    playing, decision = _first_card_question()
    own_disk = next(disk.id for disk in playing.board.disks if disk.seat == OWN and disk.place == "battlefield")
    tried = a.MoveDisk(own_disk, ((44_450, 0),))
    try:
        playing.decide(player_of(OWN), decision.id, tried)
        raise AssertionError("a disk moves before the cards are chosen")
    except Illegal as illegal:
        refused = illegal
    board = playing.board
    hand = board.sides[OWN].hand
    assert isinstance(hand, tuple)
    played = [_locked(card) for card in hand]
    answers = tuple(
        Answer(a.LockCard(card), (Outcome(events, number),))
        for number, (card, (events, _)) in enumerate(zip(hand, played, strict=True), 1)
    )
    options = playing.rules.options(playing.state, decision)
    first = Node(
        OWN, a.CommandCardQuestion(), replace(options, actions=tuple(a.LockCard(card) for card in hand)), answers
    )
    sides = (board.sides[OWN], replace(board.sides[ENEMY], hand=()))
    shown = replace(board, cursor="", sides=sides)
    position = PlayablePosition("", shown, (first, *(Node() for _ in hand)))
    return LessonBoard("card", _refusal(own_disk, refused), 0, position)


def _first_card_question() -> tuple[PlayedMatch, Decision[a.Question]]:
    playing = PlayedMatch(CARD_SEED, ("empire-patrol", "greenskin-patrol")).begin()
    while True:
        for decision in playing.state.decisions:
            if isinstance(decision.question, a.CommandCardQuestion) and decision.seat == OWN:
                return playing, decision
        asked = playing.state.decisions[0]
        playing.answer(asked, default_action(playing, asked))


def _locked(card: str) -> tuple[tuple[Any, ...], Board]:
    """Return what happens on the board where the own seat locks this card, and the board after it."""
    playing, _ = _first_card_question()
    before = len(playing.bodies)
    for seat, chosen in ((OWN, card), (ENEMY, ENEMY_CARD)):
        decision = next(decision for decision in playing.state.decisions if decision.seat == seat)
        playing.answer(decision, a.LockCard(chosen))
    bodies = [playing.rules.redact_body(body, ALL) for body in playing.bodies[before:]]
    return tuple(event for body in bodies for event in body.events if isinstance(event, e.BoardEvent)), playing.board


def make_lessons() -> Iterator[LessonBoard]:
    """Yield the boards in their order."""
    made = {id: _make(id, lesson) for id, lesson in LESSONS.items()}
    made["card"] = _make_card_board()
    for id in ("turn", "land", "melee", "card", "score"):
        yield made[id]
