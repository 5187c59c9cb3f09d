"""The pit in a terminal: the map, the sentences, and orders with names, cells and weapons."""

import re
from collections.abc import Sequence
from typing import Any

from diskwars_client.terminal_ruleset import NumberedOption, OrderError, TerminalRuleset
from diskwars_protocol.match import Decision, Match, Options, RecordBody, Result, Seat
from diskwars_protocol.rulesets.pit import position
from diskwars_protocol.rulesets.pit.actions import Attack, DeclareAttacks, EndPhase, Engage, Move
from diskwars_protocol.rulesets.pit.board import PitBoard
from diskwars_protocol.rulesets.pit.events import RoundBegan
from diskwars_protocol.rulesets.pit.options import PitLimits
from diskwars_text.rulesets.pit import phrases
from diskwars_text.rulesets.pit.narration import narrate
from diskwars_text.rulesets.pit.text_map import draw_text_map, fighter_marks

HELP_TEXT = """\
a number             choose that option
engage NAME 4 5      run to the cell in column 4, row 5, beside an enemy
move NAME 4 5        walk to a cell beside no enemy
attack NAME          all attacks on one enemy; attack NAME sword, NAME hammer divides them
end                  no more engagements, or moves
options              what is asked now, with the cells of each fighter
why                  why the last order was refused, and what is not offered
board, help, quit, resign yes: at any time
A fighter is called by its mark on the map (A1), or by its name or a part of it."""

CELLS_SHOWN = 60


class PitTerminal(TerminalRuleset):
    """The texts and orders of the pit."""

    help_text = HELP_TEXT
    information_orders = ("help", "options", "why", "board", "quit", "resign yes")

    def narrate(self, before: Match[Any, Any] | None, record: RecordBody[Any, Any, Any]) -> list[str]:
        return narrate(before, record)

    def begins_round(self, record: RecordBody[Any, Any, Any]) -> bool:
        return any(isinstance(event, RoundBegan) for event in record.events)

    def table_text(self, match: Match[Any, Any]) -> str:
        return draw_text_map(match.board) if match.board else ""

    def table_moment(self, match: Match[Any, Any], decision: Decision[Any]) -> object:
        """Show the map once for each phase of a turn."""
        board = match.board
        return None if board is None else (board.round, board.active_seat, board.phase)

    def status_text(self, match: Match[Any, Any], turn: str) -> str:
        board = match.board
        return turn if board is None else f"round {board.round} of {board.rounds}, {board.phase} phase: {turn}"

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
        verb, _, rest = line.strip().partition(" ")
        board = match.board
        if board is None or line.isdecimal():
            return super().parse_order(line, match, decision, offered)
        match verb.lower():
            case "end":
                return EndPhase()
            case "engage" | "move":
                return _parse_run(board, verb.lower(), rest)
            case "attack":
                return _parse_attacks(board, rest, offered)
            case _:
                return super().parse_order(line, match, decision, offered)

    def completions(
        self, match: Match[Any, Any], decision: Decision[Any], offered: Sequence[NumberedOption]
    ) -> tuple[list[str], list[str]]:
        verbs = list(dict.fromkeys(option.text.partition(" ")[0] for option in offered))
        return verbs, [] if match.board is None else list(phrases.fighter_names(match.board))

    def answer_information_order(
        self, verb: str, rest: str, match: Match[Any, Any] | None, seat: Seat | None, command: str
    ) -> list[str] | None:
        if verb != "board":
            return None
        return ["the pit is empty yet"] if match is None or match.board is None else [draw_text_map(match.board)]

    def rules_hint(self, command: str) -> list[str]:
        return [f"a rule is in brackets: `{command} rules ID` prints it"]

    def unavailable_lines(
        self, match: Match[Any, Any], seat: Seat | None, unavailable: Sequence[Any], name: str, command: str
    ) -> list[str]:
        """Return why fighters are not offered, each with its name."""
        board = match.board
        if board is None or not unavailable:
            return super().unavailable_lines(match, seat, unavailable, name, command)
        wanted = _find_fighters(board, name) if name else range(len(board.fighters))
        lines = [
            f"  {phrases.fighter_name(board, one.fighter)}: {self.reason_text(match, seat, one)}"
            for one in unavailable
            if one.fighter in wanted
        ]
        return [*lines, *self.rules_hint(command)] if lines else [f"nothing keeps {name!r} out"]


def _limits_text(board: PitBoard | None, limits: PitLimits) -> str:
    """Return an option with all that may be chosen instead of the example."""
    text = phrases.action_text(board, limits.example)
    if board is None:
        return text
    if limits.cells:
        cells = " ".join(phrases.cell_text(cell.x, cell.y) for cell in limits.cells[:CELLS_SHOWN])
        more = f" and {len(limits.cells) - CELLS_SHOWN} more" if len(limits.cells) > CELLS_SHOWN else ""
        return f"{text}; or to {cells}{more}" if len(limits.cells) > 1 else text
    weapons = phrases.joined(phrases.weapon_text(board, weapon) for weapon in limits.weapons) or "bare hands"
    count = f"{limits.attacks} attack{'' if limits.attacks == 1 else 's'} in all"
    return f"{text}; or otherwise: {count}, with {weapons}, on {phrases.names_text(board, limits.targets)}"


def _find_fighters(board: PitBoard, name: str) -> list[int]:
    """Return the fighters on the field with this mark or name; a part of a name is enough."""
    marks, names = fighter_marks(board), phrases.fighter_names(board)
    fielded = [one.id for one in position.fielded(board)]
    exact = [id for id in fielded if name.lower() in (marks[id].lower(), names[id].lower())]
    return exact or [id for id in fielded if len(name) > 1 and name.lower() in names[id].lower()]


def _find_fighter(board: PitBoard, name: str) -> int:
    """Return the one fighter of this name. Raises OrderError."""
    found = _find_fighters(board, name)
    if len(found) == 1:
        return found[0]
    if not found:
        raise OrderError(f"nobody on the field is called {name!r}; marks are on the map: `board`")
    raise OrderError(f"{name!r} may be {phrases.names_text(board, found)}; say more, or the mark on the map")


def _parse_run(board: PitBoard, verb: str, rest: str) -> Engage | Move:
    words = re.fullmatch(r"(.+?)\s+(?:to\s+)?\(?(\d+)[\s,]+(\d+)\)?", rest.strip())
    if words is None:
        raise OrderError(f"say who and where: `{verb} NAME 4 5`, column 4, row 5")
    kind = Engage if verb == "engage" else Move
    return kind(_find_fighter(board, words[1]), int(words[2]), int(words[3]))


def _parse_attacks(board: PitBoard, rest: str, offered: Sequence[NumberedOption]) -> DeclareAttacks:
    limits = next((option.plan for option in offered if isinstance(option.plan, PitLimits)), None)
    if limits is None or limits.attacks is None:
        raise OrderError("attacks are not asked now; `options` says what is")
    carried: list[str] = list(limits.weapons)
    parts = [part.strip() for part in rest.split(",") if part.strip()]
    if not parts:
        raise OrderError("say whom: `attack NAME`, or `attack NAME sword, NAME hammer`")
    attacks = []
    for part in parts:
        name, _, last = part.rpartition(" ")
        weapon = next((id for id in carried if last.lower() in (id, board.weapon(id).name.lower())), None)
        attacks.append(Attack(_find_fighter(board, name if weapon and name else part), weapon))
    if len(attacks) == 1 and attacks[0].weapon is None:
        return _all_on(limits, attacks[0].target)
    only = carried[0] if carried else None
    return DeclareAttacks(tuple(one if one.weapon else Attack(one.target, only) for one in attacks))


def _all_on(limits: PitLimits, target: int) -> DeclareAttacks:
    """Return every attack on one target, with each weapon at least once."""
    weapons: list[str | None] = list(dict.fromkeys(limits.weapons)) or [None]
    extra = (limits.attacks or 1) - len(weapons)
    return DeclareAttacks(tuple(Attack(target, weapon) for weapon in [*weapons[:1] * extra, *weapons]))
