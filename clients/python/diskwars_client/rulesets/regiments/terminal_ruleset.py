"""Regiments in a terminal: the map, the sentences, and orders with names, steps and cells."""

import re
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any, ClassVar

from msgspec.structs import replace

from diskwars_client.plugs.board_terminal import (
    BoardTerminal,
    BoardTexts,
    NamedPieces,
    Order,
    OrderParsers,
    offered_limits,
)
from diskwars_client.plugs.terminal_ruleset import NumberedOption, OrderError, with_numbers
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.state import Match
from diskwars_protocol.rulesets.regiments import position
from diskwars_protocol.rulesets.regiments.actions import (
    Charge,
    Fight,
    Hold,
    LockOrders,
    March,
    MarchStep,
    OrderQuestion,
    Reform,
    Retreat,
    SecretOrdersQuestion,
    UnitOrder,
)
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard
from diskwars_protocol.rulesets.regiments.events import RoundBegan
from diskwars_protocol.rulesets.regiments.options import MarchEnd, OrderLimits
from diskwars_text.phrases import cell_text, counted
from diskwars_text.rulesets.regiments import phrases
from diskwars_text.rulesets.regiments.narration import NARRATION
from diskwars_text.rulesets.regiments.text_map import draw_small_map, draw_text_map, unit_marks

HELP_TEXT = """\
a number             choose that option
hold                 stay where you are
march forward left   a cell ahead, then a quarter turn; f, l and r are enough
march to 4 5 north   the same by where it ends; without a direction it faces as
                     now, if it can
charge NAME          run into an enemy, on the side from which you come
reform 6             take six files
fight, retreat       in melee
A1 march f; A2 hold  with secret orders; units that are not named hold or fight
options, more        what is asked now; with the places where a march can end
show, show NAME      the figures of all units, of one
why, why NAME        why an order was refused, why something is not offered
board, settings, help, quit, resign yes: at any time
A unit is called by its mark on the map (A1), or by its name or a part of it.
M movement, WS weapon skill, S strength, T toughness, W wounds, I initiative,
A attacks, Ld leadership, AR armour. On the map > faces east, ! flees."""

MIN_GROUPED_REFORMS = 2
"""Numbers of files from which on they share one line."""
STEP_WORDS: dict[str, MarchStep] = {
    "forward": "forward",
    "f": "forward",
    "left": "left",
    "l": "left",
    "right": "right",
    "r": "right",
}


def _subject_text(board: RegimentsBoard, entry: Any) -> str:
    who = "" if entry.unit is None else f"{phrases.unit_name(board, entry.unit)} "
    if entry.target is not None:
        return f"{who}charge {phrases.unit_name(board, entry.target)}"
    return f"{who}reform {entry.files}" if entry.files is not None else f"{who}{entry.order}"


def _is_about(board: RegimentsBoard, entry: Any, name: str) -> bool:
    return name.lower() == entry.order or bool({entry.target, entry.unit} & {*_pieces(board).find_all(name)})


def _limits_text(board: RegimentsBoard, limits: OrderLimits) -> str:
    """Return the orders that a unit may be given, with a march with all the places where marches can end."""
    texts = [phrases.action_text(board, order) for order in limits.orders]
    texts += [_march_text(limits)] if limits.ends else []
    who = f"{phrases.unit_name(board, limits.unit)}: " if limits.orders else ""
    return who + " | ".join(texts)


def _short_limits_text(board: RegimentsBoard, limits: OrderLimits) -> str:
    """Return the orders of a unit, with a march without its places."""
    if not limits.ends or limits.orders:
        return _limits_text(board, limits)
    steps = f"{counted(limits.points, 'step')}, to {counted(len({_cell_of(end) for end in limits.ends}), 'cell')}"
    return f"march {' '.join(limits.ends[0].path)}; {steps}: `march forward left`, `march to X Y north`"


def _march_text(limits: OrderLimits) -> str:
    """Return the example of a march with all the places where marches can end."""
    places = [
        f"{cell_text(*cell)} {'/'.join(end.facing for end in ends)}"
        for cell, ends in groupby(sorted(limits.ends, key=_cell_of), key=_cell_of)
    ]
    return f"march {' '.join(limits.ends[0].path)}; {counted(limits.points, 'step')}, to {', '.join(places)}"


def _cell_of(end: MarchEnd) -> tuple[int, int]:
    return end.x, end.y


# ---------------------------------------------------------------- orders


def _pieces(board: RegimentsBoard) -> NamedPieces:
    fielded = [unit.id for unit in position.fielded(board)]
    return NamedPieces("unit", fielded, unit_marks(board), phrases.unit_names(board))


def _find_ordered(board: RegimentsBoard, name: str, able: Collection[int]) -> int:
    """Return the unit of this name that takes an order now. Raises OrderError."""
    pieces = _pieces(board)
    own = [unit for unit in pieces.find_all(name) if unit in able]
    unit = own[0] if len(own) == 1 else pieces.find_one(name)
    if unit not in able:
        raise OrderError(f"{phrases.unit_name(board, unit)} takes no order of yours now")
    return unit


def _parse_reform(order: Order) -> Reform:
    if not order.rest.isdecimal() or int(order.rest) < 1:
        raise OrderError("type how many files: `reform 6`")
    return Reform(int(order.rest))


def _parse_march(order: Order) -> March:
    words = order.rest.lower().split()
    if words and all(word in STEP_WORDS for word in words):
        return March(tuple(STEP_WORDS[word] for word in words))
    where = re.fullmatch(r"(?:to )?\(?(\d+)[\s,]+(\d+)\)?(?: (north|east|south|west))?", " ".join(words))
    if where is None:
        raise OrderError("type the steps or the end: `march forward left`, or `march to 4 5 north`")
    cell, facing = (int(where[1]), int(where[2])), where[3]
    limits: OrderLimits | None = offered_limits(order, OrderLimits)
    ends = [end for end in (limits.ends if limits else ()) if _cell_of(end) == cell]
    if facing:
        ends = [end for end in ends if end.facing == facing]
    if not ends:
        raise OrderError("no march of this unit ends there; `options` lists where it can end")
    now = order.board.units[order.question.unit].facing
    best = min(ends, key=lambda end: (end.facing != now, len(end.path)))
    return March(best.path)


class RegimentsTerminal(BoardTerminal):
    """The texts and orders of regiments."""

    help_text = HELP_TEXT
    texts = BoardTexts(
        narration=NARRATION,
        draw_map=draw_text_map,
        names=phrases.unit_names,
        pieces=_pieces,
        piece_text=lambda board, id: phrases.unit_text(board, board.units[id]),
        question_text=phrases.question_text,
        action_text=phrases.action_text,
        odds_text=phrases.odds_text,
        limits_text=_limits_text,
        subject_text=_subject_text,
        is_about=_is_about,
        round_events=(RoundBegan,),
        draw_small_map=draw_small_map,
        short_limits_text=_short_limits_text,
    )
    orders: ClassVar[OrderParsers] = {
        "hold": lambda order: Hold(),
        "fight": lambda order: Fight(),
        "retreat": lambda order: Retreat(),
        "march": _parse_march,
        "charge": lambda order: Charge(_pieces(order.board).find_one(order.rest)),
        "reform": _parse_reform,
    }

    def score_text(self, score: int) -> str:
        """Return a score in units: it is kept in thousandths."""
        return phrases.thousandths_text(score)

    def option_lines(
        self, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> list[str]:
        """Return the options with all numbers of files in one line: there may be eight."""
        reforms = [
            (number, choice.action.files)
            for number, choice in with_numbers(offered)
            if isinstance(choice.action, Reform)
        ]
        if len(reforms) < MIN_GROUPED_REFORMS or reforms[-1][0] - reforms[0][0] >= len(reforms):
            return super().option_lines(match, decision, offered)
        (first, _), (last, _) = reforms[0], reforms[-1]
        files = [str(count) for _, count in reforms]
        numbered = [replace(choice, number=number) for number, choice in with_numbers(offered)]
        grouped = NumberedOption(
            f"reform {', '.join(files[:-1])} or {files[-1]}: as many files", Reform(0), number=first
        )
        others = [choice for choice in numbered if not isinstance(choice.action, Reform)]
        lines = super().option_lines(match, decision, sorted([*others, grouped], key=lambda choice: choice.number))
        return [line.replace(f"  {first}. reform", f"  {first}-{last}. reform", 1) for line in lines]

    def parse_order(
        self, line: str, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> Any:
        is_secret = isinstance(decision.question, SecretOrdersQuestion)
        if match.board is None or not is_secret or line.isdecimal():
            return super().parse_order(line, match, decision, offered)
        return self._parse_secret_orders(match.board, line, offered)

    def _parse_secret_orders(self, board: RegimentsBoard, line: str, offered: Sequence[NumberedOption]) -> LockOrders:
        """Return the orders of all units: those of the line, the others by default. Raises OrderError."""
        orders = {order.unit: order.order for order in offered[0].action.orders}
        for part in re.sub(r"^orders\b", "", line.strip(), flags=re.IGNORECASE).split(";"):
            words = part.split()
            verb = next((place for place, word in enumerate(words) if word.lower() in self.orders), 0)
            if not verb:
                raise OrderError("type a unit and its order, others behind a semicolon: `A1 march forward; A2 hold`")
            unit = _find_ordered(board, " ".join(words[:verb]), orders)
            own = [option for option in offered if isinstance(option.plan, OrderLimits) and option.plan.unit == unit]
            order = Order(board, OrderQuestion(unit), " ".join(words[verb + 1 :]), own)
            orders[unit] = self.orders[words[verb].lower()](order)
        return LockOrders(tuple(UnitOrder(unit, order) for unit, order in orders.items()))

    def completions(
        self, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> tuple[list[str], list[str]]:
        verbs, names = super().completions(match, decision, offered)
        if isinstance(decision.question, SecretOrdersQuestion):
            return ["orders"], [*names, *self.orders]
        return verbs, names

    def table_moment(self, match: Match[Any, Any], decision: Decision[Any]) -> object:
        """Show the map again for each unit, because others have moved since."""
        board = match.board
        return None if board is None else (board.round, board.waiting)

    def status_text(self, match: Match[Any, Any], turn: str) -> str:
        board = match.board
        return turn if board is None else f"round {board.round} of {board.rounds}, {board.phase}: {turn}"
