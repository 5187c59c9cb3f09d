"""Positions of the rules page that can be played: the worked examples and set pieces with every recorded continuation.

A reader answers as in a match. What may be answered, and what follows of it with which dice, is decided here by the
engine and written down; the page folds the events and decides nothing.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_content.rule_register import PAGES, parse_rules, read_page
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import rounds
from diskwars_engine.rulesets.diskwars.tasks import CommandCardTask
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import BlowsStruck
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions
from tests.engine.rulesets.diskwars.core_figures import core_position
from tests.engine.rulesets.diskwars.positions import (
    CRITICAL,
    HIT,
    MISS,
    ScriptedFaces,
    ScriptedPosition,
    figure_position,
    scripted_position,
)
from tests.engine.scripted_dice import BadScript
from tests.golden.set_pieces import EXCERPTS, ScriptedMove

Dice: TypeAlias = tuple[ScriptedFaces, ...]
Start = Callable[[ScriptedPosition], ScriptedPosition]

MAX_NODES = 400
"""More than any position has: one that grew without bound would fail."""
LISTED_QUESTIONS = (a.EngagementQuestion, a.MeleeTargetsQuestion, a.TriggerOrderQuestion, a.ScatterQuestion)
"""Questions whose answers are listed by the engine: each of them is recorded."""


class Outcome(Struct, frozen=True, omit_defaults=True):
    """The consequences of an answer where these dice are rolled, and the number of the node that it leads to."""

    events: tuple[Any, ...]
    next: int
    dice: tuple[tuple[int, ...], ...] = ()


class Answer(Struct, frozen=True):
    """A recorded answer; the first outcome is that of the example."""

    action: a.Action
    outcomes: tuple[Outcome, ...]


class Node(Struct, frozen=True, omit_defaults=True):
    """An open question, its options, and the recorded answers; at an end there is no question."""

    seat: Seat | None = None
    question: a.BoardQuestion | None = None
    options: DiskwarsOptions | None = None
    answers: tuple[Answer, ...] = ()


class PlayablePosition(Struct, frozen=True, omit_defaults=True):
    """A position, and the tree of what was recorded from it: node 0 is where the first question is asked.

    `opening` is what happens before that, where nobody is asked and something is fought.
    """

    name: str
    board: Board
    nodes: tuple[Node, ...]
    opening: tuple[Any, ...] = ()


class Example(Struct, frozen=True):
    """A worked example or a set piece: the rules that it shows, and its position with its variants."""

    id: str
    rules: tuple[str, ...]
    positions: tuple[PlayablePosition, ...]


class Opened(NamedTuple):
    """A position as it was set up, and as it is when somebody is asked."""

    before: Board
    table: ScriptedPosition


class Recipe(NamedTuple):
    """The making of a position, and the moves that are played in it.

    `moves` are tried at every question about disks. Their own dice come first, then each of `dice` that fits.
    """

    name: str
    start: Callable[[], Opened]
    moves: tuple[ScriptedMove, ...] = ()
    dice: tuple[Dice, ...] = ()


class Explorer:
    """Collects the nodes that a recipe leads to. Equal boards are one node."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._numbers: dict[bytes, int] = {}
        self._nodes: list[Node] = []

    def explore(self) -> PlayablePosition:
        before, start = self._recipe.start()
        self._visit(start)
        is_watched = any(isinstance(event, BlowsStruck) for event in start.events)
        board, opening = (before, start.events) if is_watched else (start.board, ())
        return PlayablePosition(self._recipe.name, _without_unused(board), tuple(self._nodes), opening)

    def _visit(self, table: ScriptedPosition) -> int:
        key = msgspec.json.encode((table.board, table.step))
        if key in self._numbers:
            return self._numbers[key]
        number = self._numbers[key] = len(self._nodes)
        assert number < MAX_NODES, self._recipe.name
        self._nodes.append(Node())
        if table.open_questions:
            self._nodes[number] = self._node(table)
        return number

    def _node(self, table: ScriptedPosition) -> Node:
        [(seat, question)] = table.open_questions
        options = rounds.options(table.board, seat, question)
        options = replace(options, unavailable=rounds.unavailable(table.board, seat, question))
        listed = options.actions if isinstance(question, LISTED_QUESTIONS) else ()
        answers = [self._answer(table, action, ()) for action in listed]
        answers += [self._answer(table, action, dice) for action, dice in self._moves(table, listed)]
        recorded = tuple(answer for answer in answers if answer.outcomes)
        return Node(seat, question, _only_recorded(options, recorded), recorded)

    def _moves(self, table: ScriptedPosition, listed: Iterable[a.Action]) -> list[tuple[a.Action, Dice]]:
        """Return the scripted moves that are no listed answers, each action once."""
        found: dict[a.Action, Dice] = {}
        for make, dice in self._recipe.moves:
            action = _if_named(make, table)
            if action is not None and action not in listed:
                found.setdefault(action, dice)
        return list(found.items())

    def _answer(self, table: ScriptedPosition, action: a.Action, own: Dice) -> Answer:
        outcomes = []
        for dice in dict.fromkeys((own, (), *self._recipe.dice)):
            try:
                after = table.answer(action, *dice)
            except (BadScript, Illegal):
                continue
            faces = tuple((face,) if isinstance(face, int) else face for face in dice)
            outcomes.append(Outcome(after.events, self._visit(after), faces))
        return Answer(action, tuple(outcomes))


def _only_recorded(options: DiskwarsOptions, recorded: Iterable[Answer]) -> DiskwarsOptions:
    """Return the options without those that lead to no node: nobody is offered what cannot be shown."""
    actions = [event.action for event in recorded]
    limited = {(type(action), getattr(action, "disk", None)) for action in actions}
    return replace(
        options,
        actions=tuple(action for action in options.actions if action in actions),
        parametric=tuple(option for option in options.parametric if (type(option.example), option.disk) in limited),
    )


def _if_named(make: Callable[[ScriptedPosition], a.Action], table: ScriptedPosition) -> a.Action | None:
    """Return the action, or None where it names an engagement that there is not."""
    try:
        return make(table)
    except (AssertionError, ValueError):
        return None


def _without_unused(board: Board) -> Board:
    """Return the board as readers need it: without the cards that nobody has, and without the engine's work list."""
    hands = [side.hand for side in board.sides if isinstance(side.hand, tuple)]
    held = {side.revealed_card for side in board.sides}.union(*hands)
    return replace(board, cards=tuple(card for card in board.cards if card.id in held), cursor="")


# ---------------------------------------------------------------- worked examples


def _figure(number: int, start: Start, *changes: tuple[str, str]) -> Callable[[], Opened]:
    return lambda: _open(figure_position(f"figure-{number:02}", *changes), start)


def _open(position: ScriptedPosition, start: Start) -> Opened:
    return Opened(position.board, start(position))


def _core_figure(id: str, recipe: Recipe) -> Recipe:
    """Return the figure as it is first shown, with the disks of the core set."""
    name = "faq-scrum" if id == "FAQ1" else f"figure-{int(id[1:]):02}"
    start = CORE_STARTS.get(id, _start_melee)
    dice = CORE_DICE.get(id, recipe.dice)
    return recipe._replace(name=CORE, start=lambda: _open(core_position(name), start), dice=dice)


def _start_melee(table: ScriptedPosition) -> ScriptedPosition:
    return table.start_melee()


def _turn(seat: Seat, left: int = 3) -> Start:
    return lambda table: table.with_card_turn(seat, left=left)


def _archaon_and_dragon(table: ScriptedPosition) -> ScriptedPosition:
    return table.with_card_turn(0, left=1, then=(CommandCardTask(1, "press-on", 1, ability_available=False),))


D6: tuple[Dice, ...] = tuple((face,) for face in (6, 1, 2, 3, 4, 5))
D6_OF_FOUR: tuple[Dice, ...] = tuple((face,) for face in (5, 1, 2, 3, 4, 6))
TANK_DICE: tuple[Dice, ...] = (
    ((HIT, HIT, MISS),),
    ((HIT, HIT, HIT),),
    ((CRITICAL, HIT, MISS),),
    ((HIT, MISS, MISS),),
    ((MISS, MISS, MISS),),
)
DAMAGE_TYPE_DICE: tuple[Dice, ...] = (
    ((CRITICAL,),),
    ((HIT,),),
    ((MISS,),),
    ((CRITICAL, MISS, MISS),),
    ((HIT, HIT, MISS),),
    ((HIT, HIT, HIT),),
    ((MISS, MISS, MISS),),
)
SIDE_BY_SIDE = ("O1  (3.20, 3.50)", "O1  (2.40, 3.50)"), ("H1  (2.00, 2.50)", "H1  (1.20, 2.50)")


ONTO_KARL = ScriptedMove(lambda t: t.move_action("Bloodcrushers", 180))


def _shot(name: str, target: str) -> ScriptedMove:
    return ScriptedMove(lambda table: table.shoot_action(name, target))


FIGURES: dict[str, tuple[Recipe, ...]] = {
    "F1": (
        Recipe("", _figure(1, _turn(1)), (ONTO_KARL,), D6),
        Recipe("no_stamina", _figure(1, _turn(1), (" St1", "")), (ONTO_KARL,), D6),
    ),
    "F2": (
        Recipe(
            "",
            _figure(2, _turn(0)),
            (
                _shot("Steam Tank", "River Troll"),
                ScriptedMove(lambda t: t.move_action("Steam Tank", 0, 0)),
                ScriptedMove(lambda t: t.move_action("Steam Tank", 0, 0, end=False)),
                ScriptedMove(lambda t: t.move_action("Steam Tank", 0, end=False)),
            ),
            TANK_DICE,
        ),
    ),
    "F3": (
        Recipe(
            "",
            _figure(3, _turn(1)),
            (
                _shot("Hellcannon", "Steam Tank"),
                _shot("Hellcannon", "Luthor"),
                _shot("Flamers", "Teclis"),
                _shot("Flamers", "Luthor"),
                _shot("Hellcannon", "Luthor Huss"),
                _shot("Flamers", "Luthor Huss"),
            ),
            DAMAGE_TYPE_DICE,
        ),
    ),
    "F4": (
        Recipe(
            "",
            _figure(4, _archaon_and_dragon),
            (
                ScriptedMove(lambda t: t.move_action("Archaon", 90)),
                ScriptedMove(lambda t: t.move_action("Sun Dragon", 180, 180)),
            ),
        ),
    ),
    "F5": (
        Recipe("", _figure(5, _start_melee)),
        Recipe("parted", _figure(5, _start_melee, *SIDE_BY_SIDE)),
    ),
    "F6": (Recipe("", _figure(6, _start_melee)),),
    "F7": (Recipe("", _figure(7, _start_melee)),),
    "F8": (
        Recipe("", _figure(8, _start_melee)),
        Recipe("not_swift", _figure(8, _start_melee, (", Swift (strength)", ""))),
    ),
    "F9": (Recipe("", _figure(9, _start_melee)),),
    "F10": (Recipe("", _figure(10, _start_melee), (), D6_OF_FOUR),),
    "FAQ1": (Recipe("", lambda: _open(figure_position("faq-scrum"), _start_melee)),),
}

CORE = "core"
"""The variant of every worked example with the disks of the core set. It has a file of its own."""
CORE_DICE: dict[str, tuple[Dice, ...]] = {
    "F3": (
        ((CRITICAL, MISS),),
        ((HIT, MISS),),
        ((HIT, HIT),),
        ((MISS, MISS),),
        (5, (HIT, MISS, MISS)),
        (5, (CRITICAL, HIT, MISS)),
        (2, (CRITICAL, HIT, MISS)),
        (5, (MISS, MISS, MISS)),
    ),
}
"""Dice of shots that take others than in the figure: two of the Flamers, a d6 and three of the Hellcannon."""
CORE_STARTS: dict[str, Start] = {
    "F1": _turn(1),
    "F2": _turn(0),
    "F3": _turn(1),
    "F4": _archaon_and_dragon,
}
"""How these begin; all others with their melee."""

# ---------------------------------------------------------------- set pieces

SET_PIECE_RULES: dict[str, tuple[str, ...]] = {
    "terrain": ("R10.4", "R10.5", "R10.9", "R11.2", "R9.6"),
    "hellcannon": ("R12.6",),
    "kairos": ("R9.6", "R8.1.2"),
    "plaguebearers": ("R16.7", "R8.7"),
    "steam-tank": ("R12.8", "R8.5.2"),
    "blood-for-the-blood-god": ("R15.5", "R7.9"),
    "valkia": ("R6.6",),
    "grom": ("R1.3", "R13.7"),
    "keywords": ("R16.2", "R16.3", "R16.4", "R8.6"),
    "fists-of-mork": ("R7.15", "R16.10", "R7.9"),
    "nurgles-rot": ("R-33", "R13.4"),
    "winds-of-morai-heg": ("R5.5", "R12.3"),
    "big-boss": ("R16.6", "R8.1.2"),
}
"""The set pieces that can be played on the page, with the rules that they show.

Two others are worked examples, and one asks for cards, which only the device of a player can lock.
"""


def _set_piece(name: str) -> Recipe:
    piece = EXCERPTS[name]
    return Recipe("", lambda: _open(scripted_position(piece.text), piece.start), piece.moves)


def make_examples() -> Iterator[Example]:
    """Yield everything that can be played: the worked examples in their order, then the set pieces."""
    register = parse_rules(read_page(PAGES[0]))
    for id, recipes in FIGURES.items():
        [named] = re.findall(r"\((R[^)]*)\)", register[id].text)[:1]
        core = _core_figure(id, recipes[0])
        positions = tuple(Explorer(recipe).explore() for recipe in (*recipes, core))
        yield Example(id, tuple(named.split(", ")), positions)
    for name, rules in SET_PIECE_RULES.items():
        yield Example(name, rules, (Explorer(_set_piece(name)).explore(),))
