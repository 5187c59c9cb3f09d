"""Close quarters in a terminal: the map, the sentences, and orders with names, marks and inches."""

import re
from collections.abc import Sequence
from typing import Any

from diskwars_client.terminal_ruleset import NumberedOption, OrderError, TerminalRuleset
from diskwars_protocol.match import Decision, Match, Options, RecordBody, Result, Seat
from diskwars_protocol.rulesets.close_quarters import actions, plans, position
from diskwars_protocol.rulesets.close_quarters.actions import ModelMove, ModelShot
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from diskwars_protocol.rulesets.close_quarters.events import CycleBegan, TurnBegan
from diskwars_protocol.rulesets.close_quarters.options import CloseQuartersLimits
from diskwars_text.rulesets.close_quarters import phrases
from diskwars_text.rulesets.close_quarters.narration import narrate
from diskwars_text.rulesets.close_quarters.text_map import draw_text_map

HELP_TEXT = """\
a number             choose that option
hold                 stay; or, when a unit fires, hold its fire
advance 6 0          all models of the unit go 6 inches right and none up; so double 12 0 and consolidate 2 -1
advance A1 12 5.5    only this model, to the point 12, 5.5; several with commas: advance A1 12 5, A2 12 6
engage, break off    consolidate into contact, or away
fire A2 at NAME      only this model fires; with commas: fire A2 at NAME, A3 at NAME
pick C2 C3           the models that fall, or take one hit more
units                where each model is, by its mark
options              what is asked now, with the limits
why                  why the last order was refused, and what is not offered
board, help, quit, resign yes: at any time
Distances are inches. A model is called by the letter of its unit on the map and its number (A1), a unit by its letter,
its name, or a part of that."""

VERBS_BY_ACTION: dict[type[Any], str] = {
    actions.Advance: "advance",
    actions.Double: "double",
    actions.Consolidate: "consolidate",
}
NUMBER = r"-?\d+(?:\.\d{1,2})?"


class CloseQuartersTerminal(TerminalRuleset):
    """The texts and orders of close quarters."""

    help_text = HELP_TEXT
    information_orders = ("help", "options", "why", "board", "units", "quit", "resign yes")

    def narrate(self, before: Match[Any, Any] | None, record: RecordBody[Any, Any, Any]) -> list[str]:
        return narrate(before, record)

    def begins_round(self, record: RecordBody[Any, Any, Any]) -> bool:
        return any(isinstance(event, TurnBegan | CycleBegan) for event in record.events)

    def table_text(self, match: Match[Any, Any]) -> str:
        return draw_text_map(match.board) if match.board else ""

    def table_moment(self, match: Match[Any, Any], decision: Decision[Any]) -> object:
        """Show the map once for each action phase, and once for each cycle."""
        board = match.board
        if board is None:
            return None
        return (board.turn, board.phase, None if board.combat is None else board.combat.cycle)

    def status_text(self, match: Match[Any, Any], turn: str) -> str:
        board = match.board
        if board is None:
            return turn
        phase = board.phase.replace("_", " ")
        cycle = f" {board.combat.cycle}" if board.combat is not None and board.phase == "cycle" else ""
        return f"turn {board.turn} of {board.turns * len(board.order)}, {phase}{cycle}: {turn}"

    def outcome_text(self, match: Match[Any, Any], result: Result) -> str:
        return phrases.outcome_text(match, result)

    def question_text(self, match: Match[Any, Any], decision: Decision[Any]) -> str:
        return phrases.question_text(match.board, decision.seat, decision.question)

    def numbered_options(
        self, match: Match[Any, Any], decision: Decision[Any], options: Options[Any, Any, Any]
    ) -> list[NumberedOption]:
        listed = [NumberedOption(phrases.action_text(match.board, action), action) for action in options.actions]
        return listed + [
            NumberedOption(_limits_text(match.board, limits), limits.example, limits) for limits in options.parametric
        ]

    def parse_order(
        self, line: str, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> Any:
        verb, _, rest = line.strip().lower().partition(" ")
        board, question = match.board, decision.question
        if board is None or line.isdecimal():
            return super().parse_order(line, match, decision, offered)
        match verb:
            case "hold":
                return _hold(question)
            case "engage":
                return _consolidate(question, "engage")
            case "break" if rest in ("", "off"):
                return _consolidate(question, "break_off")
            case "advance" | "double" | "consolidate":
                return _parse_way(board, verb, rest, offered)
            case "fire":
                return _parse_fire(board, rest, question)
            case "pick":
                return _parse_picks(board, rest, offered)
            case _:
                return super().parse_order(line, match, decision, offered)

    def completions(
        self, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> tuple[list[str], list[str]]:
        verbs = list(dict.fromkeys(option.text.partition(" ")[0].rstrip(":") for option in offered))
        return verbs, [] if match.board is None else list(phrases.unit_names(match.board))

    def answer_information_order(
        self, verb: str, rest: str, match: Match[Any, Any] | None, seat: Seat | None, command: str
    ) -> list[str] | None:
        if verb not in ("board", "units"):
            return None
        if match is None or match.board is None:
            return ["the table is empty yet"]
        return [draw_text_map(match.board)] if verb == "board" else model_lines(match.board)

    def rules_hint(self, command: str) -> list[str]:
        return [f"a rule is in brackets: `{command} rules ID` prints it"]

    def unavailable_lines(
        self, match: Match[Any, Any], seat: Seat | None, unavailable: Sequence[Any], name: str, command: str
    ) -> list[str]:
        """Return why units, models and manoeuvres are not offered, each with its name."""
        board = match.board
        if board is None or not unavailable:
            return super().unavailable_lines(match, seat, unavailable, name, command)
        lines = [f"  {_subject(board, one)}: {self.reason_text(match, seat, one)}" for one in unavailable]
        wanted = [line for line in lines if name.lower() in line.lower()]
        return [*wanted, *self.rules_hint(command)] if wanted else [f"nothing keeps {name!r} out"]


def model_lines(board: CloseQuartersBoard) -> list[str]:
    """Return a line for each unit on the table with its models, the leader with a star, and where they are."""
    marks = phrases.model_marks(board)
    return [
        f"{phrases.unit_name(board, unit.id)}: "
        + ", ".join(
            f"{marks[model.id]}{'*' if model.is_leader else ''} {phrases.point_text(model.x, model.y)}"
            for model in position.models_of(board, unit.id)
        )
        for unit in position.fielded(board)
    ]


def _subject(board: CloseQuartersBoard, one: Any) -> str:
    if one.manoeuvre is not None:
        return phrases.MANOEUVRE_TEXTS[one.manoeuvre]
    if one.model is not None:
        return phrases.models_text(board, [one.model])
    return phrases.unit_name(board, one.unit) if one.unit is not None else "answer"


def _limits_text(board: CloseQuartersBoard | None, limits: CloseQuartersLimits) -> str:
    """Return an option with all that may be chosen instead of the example."""
    text = phrases.action_text(board, limits.example)
    if board is None:
        return text
    if limits.distance is not None and limits.radius is not None:
        verb, most = VERBS_BY_ACTION[type(limits.example)], phrases.inches_text(limits.distance)
        near = phrases.inches_text(limits.radius)
        return f"{text}; or `{verb} X Y`, up to {most} inches, all within {near} of the leader"
    if limits.shooters:
        targets = sorted({target for one in limits.shooters for target in one.targets})
        models = phrases.models_text(board, (one.model for one in limits.shooters))
        return f"{text}; or `fire MODEL at NAME, ...`: {models} at {phrases.units_text(board, targets)}"
    count = f"{limits.least}" if limits.least == limits.most else f"{limits.least} to {limits.most}"
    leader = f", or {phrases.models_text(board, [limits.leader])} alone" if limits.leader is not None else ""
    return f"{text}; or `pick` {count} of {phrases.models_text(board, limits.models)}{leader}"


# ---------------------------------------------------------------- orders


def _hold(question: Any) -> Any:
    match question:
        case actions.DefensiveFireQuestion():
            return actions.HoldFire()
        case actions.ShootQuestion():
            return actions.Shoot(())
        case actions.ConsolidateQuestion():
            return actions.ConsolidateBy("hold")
        case _:
            return actions.Hold()


def _consolidate(question: Any, manoeuvre: actions.Manoeuvre) -> actions.ConsolidateBy:
    if not isinstance(question, actions.ConsolidateQuestion):
        raise OrderError("no unit consolidates now; `options` says what is asked")
    return actions.ConsolidateBy(manoeuvre)


def _hundredths(text: str) -> int:
    """Return hundredths of an inch for a number of inches with up to two decimals."""
    sign = -1 if text.startswith("-") else 1
    whole, _, rest = text.lstrip("-").partition(".")
    return sign * (int(whole) * position.INCH + int(rest.ljust(2, "0") or 0))


def _parse_way(board: CloseQuartersBoard, verb: str, rest: str, offered: Sequence[NumberedOption]) -> Any:
    """Return the plan of `advance 6 0` or `advance A1 12 5, A2 12 6`. Raises OrderError."""
    limits = next(
        (option.plan for option in offered if option.plan and VERBS_BY_ACTION.get(type(option.action)) == verb), None
    )
    if limits is None:
        raise OrderError(f"`{verb}` is not asked now; `options` says what is")
    kind = type(limits.example)
    vector = re.fullmatch(rf"(?:by\s+)?({NUMBER})[\s,]+({NUMBER})", rest.strip())
    if vector is not None:
        return kind(plans.shift(board, limits.unit, _hundredths(vector[1]), _hundredths(vector[2])))
    if not rest.strip():
        return limits.example
    return kind(tuple(_parse_move(board, verb, part) for part in rest.split(",")))


def _parse_move(board: CloseQuartersBoard, verb: str, part: str) -> ModelMove:
    words = re.fullmatch(rf"(\S+)\s+(?:to\s+)?({NUMBER})\s+({NUMBER})", part.strip())
    if words is None:
        raise OrderError(f"say how far, `{verb} 3 0`, or where, `{verb} A1 12 5.5, A2 12 7`")
    return ModelMove(_find_model(board, words[1]), _hundredths(words[2]), _hundredths(words[3]))


def _find_model(board: CloseQuartersBoard, mark: str) -> int:
    marks = [known.lower() for known in phrases.model_marks(board)]
    if mark.lower().rstrip("*") not in marks:
        raise OrderError(f"no model is called {mark!r}; `units` lists them")
    return marks.index(mark.lower().rstrip("*"))


def _find_unit(board: CloseQuartersBoard, name: str) -> int:
    """Return the one unit on the table with this mark or name; a part of a name is enough. Raises OrderError."""
    fielded = [unit.id for unit in position.fielded(board)]
    names = {id: phrases.unit_names(board)[id].lower() for id in fielded}
    exact = [id for id in fielded if name.lower() in (phrases.MARKS[id % len(phrases.MARKS)].lower(), names[id])]
    found = exact or [id for id in fielded if len(name) > 1 and name.lower() in names[id]]
    if len(found) == 1:
        return found[0]
    if not found:
        raise OrderError(f"no unit on the table is called {name!r}; `board` names them")
    raise OrderError(f"{name!r} may be {phrases.units_text(board, found)}; say more, or the letter on the map")


def _parse_fire(board: CloseQuartersBoard, rest: str, question: Any) -> Any:
    if isinstance(question, actions.DefensiveFireQuestion):
        return actions.FireAt(_find_unit(board, rest.removeprefix("at ").strip()))
    if not isinstance(question, actions.ShootQuestion):
        raise OrderError("nobody fires now; `options` says what is asked")
    shots = []
    for part in rest.split(","):
        words = re.fullmatch(r"(\S+)\s+at\s+(.+)", part.strip())
        if words is None:
            raise OrderError("say who fires at whom: `fire A2 at Guards, A3 at Raiders`")
        shots.append(ModelShot(_find_model(board, words[1]), _find_unit(board, words[2].strip())))
    return actions.Shoot(tuple(shots))


def _parse_picks(board: CloseQuartersBoard, rest: str, offered: Sequence[NumberedOption]) -> Any:
    kind = next((type(option.action) for option in offered if option.plan is not None), None)
    if kind not in (actions.PickCasualties, actions.SplitHits):
        raise OrderError("no models are to be picked now; `options` says what is asked")
    return kind(tuple(_find_model(board, mark) for mark in re.split(r"[\s,]+", rest.strip()) if mark))
