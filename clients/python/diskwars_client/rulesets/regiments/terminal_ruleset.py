"""Regiments in a terminal: the map, the sentences, and orders with names, steps and cells."""

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from diskwars_client.terminal_ruleset import NumberedOption, OrderError, TerminalRuleset
from diskwars_protocol.match import Decision, Match, Options, RecordBody, Result, Seat
from diskwars_protocol.rulesets.regiments import position
from diskwars_protocol.rulesets.regiments.actions import Charge, Fight, Hold, March, MarchStep, Reform, Retreat
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard
from diskwars_protocol.rulesets.regiments.events import RoundBegan
from diskwars_protocol.rulesets.regiments.options import MarchEnd, MarchLimits
from diskwars_text.rulesets.regiments import phrases
from diskwars_text.rulesets.regiments.narration import narrate
from diskwars_text.rulesets.regiments.text_map import draw_text_map, unit_marks

HELP_TEXT = """\
a number              choose that option
hold                  stay where you are
march forward left    a cell ahead, then a quarter turn; f, l and r are enough
march to 4 5 north    the same by where it ends; without the direction, facing as now if that is possible
charge NAME           run into an enemy, on the side from which you come
reform 6              take six files
fight, retreat        in melee
options               what is asked now, with the places where a march can end
why                   why the last order was refused, and what is not offered
board, help, quit, resign yes: at any time
A unit is called by its mark on the map (A1), or by its name or a part of it."""

STEP_WORDS: dict[str, MarchStep] = {
    "forward": "forward",
    "f": "forward",
    "left": "left",
    "l": "left",
    "right": "right",
    "r": "right",
}


class RegimentsTerminal(TerminalRuleset):
    """The texts and orders of regiments."""

    help_text = HELP_TEXT
    information_orders = ("help", "options", "why", "board", "quit", "resign yes")

    def narrate(self, before: Match[Any, Any] | None, record: RecordBody[Any, Any, Any]) -> list[str]:
        return narrate(before, record)

    def begins_round(self, record: RecordBody[Any, Any, Any]) -> bool:
        return any(isinstance(event, RoundBegan) for event in record.events)

    def table_text(self, match: Match[Any, Any]) -> str:
        return draw_text_map(match.board) if match.board else ""

    def table_moment(self, match: Match[Any, Any], decision: Decision[Any]) -> object:
        """Show the map again for each unit, because others have moved since."""
        board = match.board
        return None if board is None else (board.round, board.waiting)

    def status_text(self, match: Match[Any, Any], turn: str) -> str:
        board = match.board
        return turn if board is None else f"round {board.round} of {board.rounds}, {board.phase}: {turn}"

    def outcome_text(self, match: Match[Any, Any], result: Result) -> str:
        return phrases.outcome_text(match, result)

    def question_text(self, match: Match[Any, Any], decision: Decision[Any]) -> str:
        return phrases.question_text(match.board, decision.seat, decision.question)

    def numbered_options(
        self, match: Match[Any, Any], decision: Decision[Any], options: Options[Any, Any, Any]
    ) -> list[NumberedOption]:
        listed = [NumberedOption(phrases.action_text(match.board, action), action) for action in options.actions]
        return listed + [NumberedOption(_limits_text(limits), limits.example, limits) for limits in options.parametric]

    def parse_order(
        self, line: str, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> Any:
        verb, _, rest = line.strip().partition(" ")
        board = match.board
        if board is None or line.isdecimal():
            return super().parse_order(line, match, decision, offered)
        match verb.lower():
            case "hold":
                return Hold()
            case "fight":
                return Fight()
            case "retreat":
                return Retreat()
            case "march":
                return _parse_march(board, decision, rest.lower().split(), offered)
            case "charge":
                return Charge(_find_unit(board, rest))
            case "reform":
                return _parse_reform(rest)
            case _:
                return super().parse_order(line, match, decision, offered)

    def completions(
        self, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> tuple[list[str], list[str]]:
        verbs = list(dict.fromkeys(option.text.partition(" ")[0] for option in offered))
        return verbs, [] if match.board is None else list(phrases.unit_names(match.board))

    def answer_information_order(
        self, verb: str, rest: str, match: Match[Any, Any] | None, seat: Seat | None, command: str
    ) -> list[str] | None:
        if verb != "board":
            return None
        return ["the field is empty yet"] if match is None or match.board is None else [draw_text_map(match.board)]

    def rules_hint(self, command: str) -> list[str]:
        return [f"a rule is in brackets: `{command} rules ID` prints it"]

    def unavailable_lines(
        self, match: Match[Any, Any], seat: Seat | None, unavailable: Sequence[Any], name: str, command: str
    ) -> list[str]:
        """Return why orders are not offered, charges with the name of the enemy."""
        board = match.board
        if board is None or not unavailable:
            return super().unavailable_lines(match, seat, unavailable, name, command)
        wanted = set(_find_units(board, name)) if name else set()
        lines = [
            f"  {_unavailable_text(board, one)}: {self.reason_text(match, seat, one)}"
            for one in unavailable
            if not name or name.lower() == one.order or one.target in wanted
        ]
        return [*lines, *self.rules_hint(command)] if lines else [f"nothing keeps {name!r} out"]


def _unavailable_text(board: RegimentsBoard, one: Any) -> str:
    if one.target is not None:
        return f"charge {phrases.unit_name(board, one.target)}"
    return f"reform {one.files}" if one.files is not None else str(one.order)


def _limits_text(limits: MarchLimits) -> str:
    """Return the example of a march with all the places where marches can end."""
    places = [
        f"{phrases.cell_text(*cell)} {'/'.join(end.facing for end in ends)}"
        for cell, ends in groupby(sorted(limits.ends, key=_cell_of), key=_cell_of)
    ]
    return f"march {' '.join(limits.ends[0].path)}; {phrases.counted(limits.points, 'step')}, to {', '.join(places)}"


def _cell_of(end: MarchEnd) -> tuple[int, int]:
    return end.x, end.y


def _find_units(board: RegimentsBoard, name: str) -> list[int]:
    """Return the units on the field with this mark or name; a part of a name is enough."""
    marks, names = unit_marks(board), phrases.unit_names(board)
    fielded = [unit.id for unit in position.fielded(board)]
    exact = [id for id in fielded if name.lower() in (marks[id].lower(), names[id].lower())]
    return exact or [id for id in fielded if len(name) > 1 and name.lower() in names[id].lower()]


def _find_unit(board: RegimentsBoard, name: str) -> int:
    """Return the one unit of this name. Raises OrderError."""
    found = _find_units(board, name.strip())
    if len(found) == 1:
        return found[0]
    if not found:
        raise OrderError(f"no unit on the field is called {name!r}; marks are on the map: `board`")
    raise OrderError(f"{name!r} may be {phrases.names_text(board, found)}; say more, or the mark on the map")


def _parse_reform(rest: str) -> Reform:
    if not rest.strip().isdecimal() or int(rest) < 1:
        raise OrderError("say how many files: `reform 6`")
    return Reform(int(rest))


def _parse_march(
    board: RegimentsBoard, decision: Decision[Any], words: list[str], offered: Sequence[NumberedOption]
) -> March:
    if words and all(word in STEP_WORDS for word in words):
        return March(tuple(STEP_WORDS[word] for word in words))
    where = re.fullmatch(r"(?:to )?\(?(\d+)[\s,]+(\d+)\)?(?: (north|east|south|west))?", " ".join(words))
    if where is None:
        raise OrderError("say the steps or the end: `march forward left`, or `march to 4 5 north`")
    cell, facing = (int(where[1]), int(where[2])), where[3]
    limits = next((option.plan for option in offered if isinstance(option.plan, MarchLimits)), None)
    ends = [end for end in (limits.ends if limits else ()) if _cell_of(end) == cell]
    if facing:
        ends = [end for end in ends if end.facing == facing]
    if not ends:
        raise OrderError("no march of this unit ends there; `options` lists where it can end")
    now = board.units[decision.question.unit].facing
    best = min(ends, key=lambda end: (end.facing != now, len(end.path)))
    return March(best.path)
