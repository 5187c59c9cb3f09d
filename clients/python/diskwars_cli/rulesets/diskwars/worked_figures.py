"""The worked examples and set pieces of the rules in a terminal: positions whose answers the engine has recorded."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_cli.plugs.figures import FigureSummary
from diskwars_client.plugs.terminal_ruleset import NumberedOption, OrderError, check_order_size, numbers_text
from diskwars_client.rulesets.diskwars.preview import preview_lines
from diskwars_client.rulesets.registry import find_terminal
from diskwars_client.terminal_pages import Screen
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.events import BranchBegan, MatchOpened, Position, PositionSet, SeatNonceOpened, StepBegan
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId, Seat
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.match.state import Match, RecordBody
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from diskwars_text.rulesets.diskwars.phrases import action_text

FIGURE_FOLDERS = (
    Path(__file__).parents[2] / "figures",
    Path(__file__).parents[4] / "web" / "src" / "rules" / "figures",
)
"""In an installed package, and in a clone, where the page has them."""
CORE = "core"
"""The variant of a worked example with the disks of the core set, which has a file of its own."""
NO_HASH = "0" * 64
HELP = """\
a number         give this answer, with the dice of the example
an order         as in a match: `move Archaon N`, `shoot Teclis`; `preview ORDER` says what it would do
dice N           the same answer with other dice, where they bring something else
undo, map, options, help, quit"""


FigureEvents: TypeAlias = tuple[e.BoardEvent | SeatNonceOpened | StepBegan, ...]


class FigureOutcome(Struct, frozen=True):
    """The consequences of an answer where these dice are rolled, and the number of the node that it leads to."""

    events: FigureEvents
    next: int
    dice: tuple[tuple[int, ...], ...] = ()


class FigureAnswer(Struct, frozen=True):
    """A recorded answer; the first outcome is that of the example."""

    action: a.Action
    outcomes: tuple[FigureOutcome, ...]


class FigureNode(Struct, frozen=True):
    """An open question, what of its options is recorded, and the recorded answers; at an end there is nothing."""

    seat: Seat = 0
    question: a.BoardQuestion | None = None
    options: DiskwarsOptions = DiskwarsOptions()
    answers: tuple[FigureAnswer, ...] = ()


class FigurePosition(Struct, frozen=True):
    """A position, and the tree of what was recorded from it: node 0 is where the first question is asked.

    `opening` is what is fought before that.
    """

    name: str
    board: Board
    nodes: tuple[FigureNode, ...]
    opening: FigureEvents = ()


class _FigureFile(Struct, frozen=True):
    positions: tuple[FigurePosition, ...]


def list_figures() -> tuple[FigureSummary, ...]:
    """Return all figures in their order. Raises OSError."""
    return msgspec.json.decode(_read("index"), type=tuple[FigureSummary, ...])


def load_position(figure: FigureSummary, variant: str = "") -> FigurePosition:
    """Return one variant of a figure. Raises KeyError where it has none of that name, and OSError."""
    name = f"{figure.id}-{CORE}" if variant == CORE and CORE in figure.variants else figure.id
    positions = msgspec.json.decode(_read(name), type=_FigureFile).positions
    return {position.name: position for position in positions}[variant]


def _read(name: str) -> bytes:
    paths = [folder / f"{name}.json" for folder in FIGURE_FOLDERS]
    return next((path for path in paths if path.is_file()), paths[0]).read_bytes()


class FigureBrowser:
    """A figure as somebody plays it: where it is, and the orders that change it."""

    def __init__(self, position: FigurePosition) -> None:
        self._position = position
        self._terminal = find_terminal(DISKWARS.name)
        self._set_up = _opened(position)
        self._matches = [_with_question(_folded(self._set_up, position.opening), position.nodes[0], 1)]
        self._taken: list[tuple[FigureAnswer, FigureOutcome]] = []

    @property
    def match(self) -> Match[a.Question, Board]:
        return self._matches[-1]

    @property
    def node_number(self) -> int:
        """The place of the node in the tree."""
        return self._taken[-1][1].next if self._taken else 0

    @property
    def node(self) -> FigureNode:
        return self._position.nodes[self.node_number]

    def table_text(self, screen: Screen | None = None) -> str:
        return self._terminal.table_text(self.match, screen)

    def opening_lines(self, screen: Screen | None = None) -> list[str]:
        """Return the position, what is fought before somebody is asked, and the first question."""
        record: RecordBody[a.Action, a.Question, object] = RecordBody(at_ms=0, events=self._position.opening)
        fought = self._terminal.narrate(self._set_up, record) if self._position.opening else []
        return [self._terminal.table_text(self._set_up, screen), *fought, *self.question_lines()]

    def question_lines(self) -> list[str]:
        """Return the question and the recorded answers with their numbers, or that the figure ends here."""
        decision = self._decision()
        if decision is None:
            return ["", "The figure ends here: `undo` takes the last answer back"]
        lines = ["", self._terminal.question_text(self.match, decision)]
        return lines + [f"  {number}. {option.text}" for number, option in enumerate(self._offered(decision), 1)]

    def follow(self, line: str, screen: Screen | None = None) -> list[str]:
        """Carry out an order, and return what to print: also for one that cannot be understood."""
        words = line.split()
        match words:
            case [] | ["options"]:
                return self.question_lines()
            case ["help"]:
                return [HELP]
            case ["map"]:
                return [self.table_text(screen)]
            case ["undo"] if self._taken:
                self._go_back()
                return ["Taken back", *self.question_lines()]
            case ["undo"]:
                return ["nothing was answered yet"]
            case ["dice", number] if number.isascii() and number.isdecimal() and len(number) < 3:
                return self._roll_again(int(number))
        try:
            check_order_size(line)
            return self._answer(line)
        except OrderError as unclear:
            return [str(unclear)]

    def _decision(self) -> Decision[a.Question] | None:
        return next(iter(self.match.decisions), None)

    def _offered(self, decision: Decision[a.Question]) -> list[NumberedOption]:
        return [
            NumberedOption(self._answer_text(decision, answer.action), answer.action) for answer in self.node.answers
        ]

    def _answer_text(self, decision: Decision[a.Question], action: a.Action) -> str:
        text = action_text(self.match, decision.question, action)
        return f"{text}, then something else" if isinstance(action, a.MoveDisk) and not action.end_activation else text

    def _answer(self, line: str) -> list[str]:
        """Raises OrderError."""
        decision = self._decision()
        if decision is None:
            raise OrderError("the figure ends here: nothing is asked")
        if line.split()[0] == "preview":
            board, action = self.match.board, self._parse(line.partition("preview")[2].strip(), decision)
            return [] if board is None else preview_lines(board, action) or ["no more than it says"]
        answer = self._find(self._parse(line, decision))
        if answer is None:
            shown = "; ".join(option.text for option in self._offered(decision))
            raise OrderError(f"the figure has no answer to that. It shows: {shown}")
        return self._take(answer, answer.outcomes[0])

    def _parse(self, order: str, decision: Decision[a.Question]) -> a.Action:
        """Return the recorded action of a number, or the action that an order means. Raises OrderError."""
        offered = self._offered(decision)
        if order.isascii() and order.isdecimal():
            number = int(order) if len(order) < 4 else 0
            if not 1 <= number <= len(offered):
                raise OrderError(f"type {numbers_text(offered)}; `help` says more")
            return self.node.answers[number - 1].action
        options = self._terminal.numbered_options(self.match, decision, self.node.options)
        action: a.Action = self._terminal.parse_order(order, self.match, decision, options)
        return action

    def _find(self, action: a.Action) -> FigureAnswer | None:
        """Return the recorded answer that means the same: of a move, one that leads to the same pins."""
        exact = next((answer for answer in self.node.answers if answer.action == action), None)
        if exact is not None or not isinstance(action, a.MoveDisk):
            return exact
        wanted = self._move_meaning(action)
        found = [answer for answer in self.node.answers if self._move_meaning(answer.action) == wanted]
        # An order leaves open whether more follows; where the figure has one of the two, it is meant.
        ending = [answer for answer in found if _ends(answer.action) == _ends(action)]
        return next(iter(ending or found), None)

    def _move_meaning(self, action: a.Action) -> object:
        board = self.match.board
        if board is None or not isinstance(action, a.MoveDisk):
            return None
        # Where a flip lands to the hundredth of an inch is not what the figure is about.
        lines = [re.sub(r"^  (flip \d+) .*?\)", r"  \1", line) for line in preview_lines(board, action)]
        return action.disk, len(action.path), lines

    def _take(self, answer: FigureAnswer, outcome: FigureOutcome) -> list[str]:
        decision, before = self._decision(), self.match
        record: RecordBody[a.Action, a.Question, object] = RecordBody(
            at_ms=0,
            seat=None if decision is None else decision.seat,
            decision=None if decision is None else decision.id,
            action=answer.action,
            events=outcome.events,
        )
        self._taken.append((answer, outcome))
        after = _folded(before, outcome.events)
        self._matches.append(_with_question(after, self.node, len(self._matches) + 1))
        return [*self._terminal.narrate(before, record), *self._dice_lines(), *self.question_lines()]

    def _dice_lines(self) -> list[str]:
        """Return the other dice with which the last answer was recorded."""
        answer, outcome = self._taken[-1]
        others = [f"{number}: {_faces(other)}" for number, other in enumerate(answer.outcomes, 1) if other != outcome]
        return [f"other dice (`dice N`): {', '.join(others)}"] if others else []

    def _roll_again(self, number: int) -> list[str]:
        if not self._taken or not 1 <= number <= len(self._taken[-1][0].outcomes):
            return ["the last answer was not recorded with such dice"]
        answer = self._taken[-1][0]
        self._go_back()
        return self._take(answer, answer.outcomes[number - 1])

    def _go_back(self) -> None:
        self._taken.pop()
        self._matches.pop()


def _ends(action: a.Action) -> bool:
    return isinstance(action, a.MoveDisk) and action.end_activation


def open_figure(figure: FigureSummary, variant: str) -> FigureBrowser:
    """Return one variant of a figure at its beginning. Raises KeyError where it has none of that name, and OSError."""
    return FigureBrowser(load_position(figure, variant))


def _opened(position: FigurePosition) -> Match[a.Question, Board]:
    """Return a match that begins at a position, as a branch does."""
    board = position.board
    opening: Sequence[object] = (
        MatchOpened(
            match=MatchId("figure"),
            ruleset=DISKWARS.name,
            rules_version=1,
            settings=board.settings,
            seat_count=len(board.sides),
            anchor=NO_HASH,
            deal_commitment=NO_HASH,
            opener=PlayerId("reader"),
            match_options=MatchOptions(),
        ),
        PositionSet(Position(board)),
        BranchBegan(),
    )
    match = None
    for event in opening:
        match = DISKWARS.fold_event(match, event)
    assert match is not None
    seats = tuple(replace(seat, player=PlayerId(f"player-{n}")) for n, seat in enumerate(match.seats))
    return replace(match, seats=seats)


def _folded(match: Match[a.Question, Board], events: FigureEvents) -> Match[a.Question, Board]:
    for event in events:
        match = DISKWARS.fold_event(match, event)
    return match


def _with_question(match: Match[a.Question, Board], node: FigureNode, seq: int) -> Match[a.Question, Board]:
    decisions = () if node.question is None else (Decision(DecisionId(f"{seq}.0"), node.seat, node.question),)
    return replace(match, decisions=decisions)


def _faces(outcome: FigureOutcome) -> str:
    return " ".join("-".join(map(str, throw)) for throw in outcome.dice) or "none"
