"""Close quarters in a terminal: the map, the sentences, and orders with names, marks and inches."""

import re
from typing import Any, ClassVar

from diskwars_client.plugs.board_terminal import BoardTerminal, BoardTexts, NamedPieces, Order, OrderParsers
from diskwars_client.plugs.terminal_ruleset import OrderError
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.state import Match
from diskwars_protocol.rulesets.close_quarters import actions, plans, position
from diskwars_protocol.rulesets.close_quarters.actions import ModelMove, ModelShot
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from diskwars_protocol.rulesets.close_quarters.events import CycleBegan, TurnBegan
from diskwars_protocol.rulesets.close_quarters.options import CloseQuartersLimits
from diskwars_text.phrases import tag_text
from diskwars_text.rulesets.close_quarters import phrases
from diskwars_text.rulesets.close_quarters.narration import NARRATION
from diskwars_text.rulesets.close_quarters.text_map import draw_small_map, draw_text_map

HELP_TEXT = """\
a number             choose that option
hold                 stay; or, when a unit fires, hold its fire
advance 6 0          all models of the unit go 6 inches right and none up; so do
                     `double 12 0` and `consolidate 2 -1`
advance K1 12 5.5    only this model, to the point 12, 5.5; several with commas
engage, break off    consolidate into contact, or away
fire K2 at NAME      only this model fires; `fire K2 at NAME, K3 at NAME`
pick M2 M3           the models that fall, or take one hit more
show, show NAME      the figures of all units, of one
units                where each model is, by its mark
options, more        what is asked now, with the limits
why, why NAME        why an order was refused, why something is not offered
board, settings, help, quit, resign yes: at any time
Distances are inches. On the map the capital is the leader of a unit. A model is
called by the letter of its unit and its number (K1), a unit by its letter, its
name, or a part of that.
Mv movement, Aw awareness, Ev evasion, Ar armour, To toughness,
BS ballistic skill, WS weapon skill, Str strength."""

NUMBER = r"-?\d+(?:\.\d{1,2})?"


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


def _subject_text(board: CloseQuartersBoard, entry: Any) -> str:
    if entry.manoeuvre is not None:
        return phrases.MANOEUVRE_TEXTS[entry.manoeuvre]
    if entry.model is not None:
        return phrases.models_text(board, [entry.model])
    return phrases.unit_name(board, entry.unit) if entry.unit is not None else "answer"


def _limits_text(board: CloseQuartersBoard, limits: CloseQuartersLimits) -> str:
    """Return an option with all that may be chosen instead of the example."""
    text = phrases.action_text(board, limits.example)
    if limits.distance is not None and limits.radius is not None:
        verb, most = tag_text(limits.example), phrases.inches_text(limits.distance)
        near = phrases.inches_text(limits.radius)
        return f"{text}; or `{verb} X Y`, up to {most} inches, all within {near} of the leader"
    if limits.shooters:
        targets = sorted({target for shooter in limits.shooters for target in shooter.targets})
        models = phrases.models_text(board, (shooter.model for shooter in limits.shooters))
        return f"{text}; or `fire MODEL at NAME, ...`: {models} at {phrases.units_text(board, targets)}"
    count = f"{limits.least}" if limits.least == limits.most else f"{limits.least} to {limits.most}"
    leader = f", or {phrases.models_text(board, [limits.leader])} alone" if limits.leader is not None else ""
    return f"{text}; or `pick` {count} of {phrases.models_text(board, limits.models)}{leader}"


# ---------------------------------------------------------------- orders


def _hold(order: Order) -> Any:
    match order.question:
        case actions.DefensiveFireQuestion():
            return actions.HoldFire()
        case actions.ShootQuestion():
            return actions.Shoot(())
        case actions.ConsolidateQuestion():
            return actions.ConsolidateBy("hold")
        case _:
            return actions.Hold()


def _consolidate(order: Order, manoeuvre: actions.Manoeuvre) -> actions.ConsolidateBy:
    if not isinstance(order.question, actions.ConsolidateQuestion):
        raise OrderError("no unit consolidates now; `options` says what is asked")
    return actions.ConsolidateBy(manoeuvre)


def _pieces(board: CloseQuartersBoard) -> NamedPieces:
    fielded = [unit.id for unit in position.fielded(board)]
    marks = [phrases.MARKS[unit.id % len(phrases.MARKS)] for unit in board.units]
    return NamedPieces("unit", fielded, marks, phrases.unit_names(board))


def _find_model(board: CloseQuartersBoard, mark: str) -> int:
    marks = [known.lower() for known in phrases.model_marks(board)]
    if mark.lower().rstrip("*") not in marks:
        raise OrderError(f"no model is called {mark!r}; `units` lists them")
    return marks.index(mark.lower().rstrip("*"))


def _hundredths(text: str) -> int:
    """Return hundredths of an inch for a number of inches with up to two decimals."""
    sign = -1 if text.startswith("-") else 1
    whole, _, rest = text.lstrip("-").partition(".")
    return sign * (int(whole) * position.INCH + int(rest.ljust(2, "0") or 0))


def _parse_way(order: Order, kind: type[Any]) -> Any:
    """Return the plan of `advance 6 0` or `advance K1 12 5, K2 12 6`. Raises OrderError."""
    board, verb, rest = order.board, tag_text(kind), order.rest.lower()
    limits = next((choice.plan for choice in order.offered if choice.plan and isinstance(choice.action, kind)), None)
    if limits is None:
        raise OrderError(f"`{verb}` is not asked now; `options` says what is")
    vector = re.fullmatch(rf"(?:by\s+)?({NUMBER})[\s,]+({NUMBER})", rest)
    if vector is not None:
        return kind(plans.shift(board, limits.unit, _hundredths(vector[1]), _hundredths(vector[2])))
    if not rest:
        return limits.example
    return kind(tuple(_parse_move(board, verb, part) for part in rest.split(",")))


def _parse_move(board: CloseQuartersBoard, verb: str, part: str) -> ModelMove:
    words = re.fullmatch(rf"(\S+)\s+(?:to\s+)?({NUMBER})\s+({NUMBER})", part.strip())
    if words is None:
        raise OrderError(f"type how far, `{verb} 3 0`, or where, `{verb} K1 12 5.5, K2 12 7`")
    return ModelMove(_find_model(board, words[1]), _hundredths(words[2]), _hundredths(words[3]))


def _parse_fire(order: Order) -> Any:
    board, rest = order.board, order.rest.lower()
    if isinstance(order.question, actions.DefensiveFireQuestion):
        return actions.FireAt(_pieces(board).find_one(rest.removeprefix("at ")))
    if not isinstance(order.question, actions.ShootQuestion):
        raise OrderError("nobody fires now; `options` says what is asked")
    shots = []
    for part in rest.split(","):
        words = re.fullmatch(r"(\S+)\s+at\s+(.+)", part.strip())
        if words is None:
            raise OrderError("type who fires at whom: `fire K2 at Guards, K3 at Raiders`")
        shots.append(ModelShot(_find_model(board, words[1]), _pieces(board).find_one(words[2])))
    return actions.Shoot(tuple(shots))


def _parse_picks(order: Order) -> Any:
    kind = next((type(option.action) for option in order.offered if option.plan is not None), None)
    if kind not in (actions.PickCasualties, actions.SplitHits):
        raise OrderError("no models are to be picked now; `options` says what is asked")
    return kind(tuple(_find_model(order.board, mark) for mark in re.split(r"[\s,]+", order.rest) if mark))


class CloseQuartersTerminal(BoardTerminal):
    """The texts and orders of close quarters."""

    help_text = HELP_TEXT
    information_orders = (*BoardTerminal.information_orders, "units")
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
        is_about=lambda board, entry, name: name.lower() in _subject_text(board, entry).lower(),
        round_events=(TurnBegan, CycleBegan),
        draw_small_map=draw_small_map,
    )
    orders: ClassVar[OrderParsers] = {
        "hold": _hold,
        "engage": lambda order: _consolidate(order, "engage"),
        "break": lambda order: _consolidate(order, "break_off"),
        "advance": lambda order: _parse_way(order, actions.Advance),
        "double": lambda order: _parse_way(order, actions.Double),
        "consolidate": lambda order: _parse_way(order, actions.Consolidate),
        "fire": _parse_fire,
        "pick": _parse_picks,
    }

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

    def answer_information_order(
        self, verb: str, rest: str, match: Match[Any, Any] | None, seat: Seat | None, command: str
    ) -> list[str] | None:
        if verb == "units" and match is not None and match.board is not None:
            return model_lines(match.board)
        return super().answer_information_order(verb, rest, match, seat, command)
