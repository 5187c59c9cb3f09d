"""The pit in a terminal: the map, the sentences, and orders with names, cells and weapons."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from diskwars_client.plugs.board_terminal import (
    BoardTerminal,
    BoardTexts,
    NamedPieces,
    Order,
    OrderParsers,
    offered_limits,
)
from diskwars_client.plugs.terminal_ruleset import OrderError
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.state import Match
from diskwars_protocol.rulesets.pit import odds, position
from diskwars_protocol.rulesets.pit.actions import Attack, DeclareAttacks, EndPhase, Engage, Move
from diskwars_protocol.rulesets.pit.board import PitBoard
from diskwars_protocol.rulesets.pit.events import RoundBegan
from diskwars_protocol.rulesets.pit.options import PitLimits
from diskwars_text.phrases import cell_text, counted, joined, tag_text
from diskwars_text.rulesets.pit import phrases
from diskwars_text.rulesets.pit.narration import NARRATION
from diskwars_text.rulesets.pit.text_map import draw_small_map, draw_text_map, fighter_marks

HELP_TEXT = """\
a number             choose that option
engage NAME 4 5      run to the cell in column 4, row 5, beside an enemy
move NAME 4 5        walk to a cell beside no enemy
attack NAME          all attacks on one enemy; `attack NAME sword, NAME hammer`
                     divides them
end                  no more engagements, or moves
options, more        what is asked now; with all cells of each fighter
show, show NAME      the figures of all fighters, of one
why, why NAME        why an order was refused, why a fighter is not offered
board, settings, help, quit, resign yes: at any time
A fighter is called by its mark on the map (A1), or its name or a part of it.
Mov movement, Mel melee, Def defence, Agi agility, Mrl morale, Atk attacks,
Inj injury, Prc pierce; 12+ is what a die of twenty has to show at least."""

Place = tuple[int, int]
"""A cell as its column and row."""


def _limits_text(board: PitBoard, limits: PitLimits) -> str:
    """Return an option with all that may be chosen instead of the example."""
    text = phrases.action_text(board, limits.example)
    if limits.cells:
        mark = fighter_marks(board)[limits.fighter]
        cells = [(cell.x, cell.y) for cell in limits.cells]
        if isinstance(limits.example, Engage):
            return f"{text}; or `engage {mark} X Y`, {_cells_by_enemy(board, limits.fighter, cells)}"
        return f"{text}; or `move {mark} X Y`, {_cells_by_row(cells)}"
    fighter = board.fighters[limits.fighter]
    weapons = joined(phrases.weapon_text(board, fighter, weapon) for weapon in limits.weapons) or phrases.weapon_text(
        board, fighter, None
    )
    targets = joined(
        f"{phrases.fighter_name(board, target)} ({phrases.odds_text(board, fighter, attacks)})"
        for target in limits.targets
        for attacks in [odds.declaration_on(board, fighter, target)]
    )
    return f"{text}; or otherwise: {counted(limits.attacks or 1, 'attack')} in all, with {weapons}, on {targets}"


def _short_limits_text(board: PitBoard, limits: PitLimits) -> str:
    """Return an option with a form to type, and how much may be chosen."""
    if not limits.cells:
        return _limits_text(board, limits)
    text, mark = phrases.action_text(board, limits.example), fighter_marks(board)[limits.fighter]
    if not isinstance(limits.example, Engage):
        return f"{text}; or `move {mark} X Y`, {counted(len(limits.cells), 'cell')}"
    marks, seat = fighter_marks(board), board.fighters[limits.fighter].seat
    cells = [(cell.x, cell.y) for cell in limits.cells]
    enemies = {marks[enemy.id] for cell in cells for enemy in position.enemies_beside(board, cell, seat)}
    return f"{text}; or `engage {mark} X Y`, beside {joined(sorted(enemies))}"


def _cells_by_enemy(board: PitBoard, fighter: int, cells: Sequence[Place]) -> str:
    """Return the cells beside each enemy: `beside B1 (2, 5) (2, 6); beside B2 (3, 5)`."""
    marks, seat = fighter_marks(board), board.fighters[fighter].seat
    beside: dict[str, list[str]] = {}
    for cell in cells:
        for enemy in position.enemies_beside(board, cell, seat):
            beside.setdefault(marks[enemy.id], []).append(cell_text(*cell))
    return "; ".join(f"beside {mark} {' '.join(beside[mark])}" for mark in sorted(beside))


def _cells_by_row(cells: Sequence[Place]) -> str:
    """Return the columns in each row: `row 0: 0-3 5; row 2: 4`."""
    rows: dict[int, list[int]] = {}
    for x, y in cells:
        rows.setdefault(y, []).append(x)
    return "; ".join(f"row {y}: {_runs_text(sorted(rows[y]))}" for y in sorted(rows))


def _runs_text(numbers: Sequence[int]) -> str:
    """Return `0-3 5` for 0, 1, 2, 3 and 5."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _pieces(board: PitBoard) -> NamedPieces:
    fielded = [fighter.id for fighter in position.fielded(board)]
    return NamedPieces("fighter", fielded, fighter_marks(board), phrases.fighter_names(board))


def _parse_run(order: Order, kind: type[Engage | Move]) -> Engage | Move:
    words = re.fullmatch(r"(.+?)\s+(?:to\s+)?\(?(\d+)[\s,]+(\d+)\)?", order.rest)
    if words is None:
        raise OrderError(f"type who and where: `{tag_text(kind)} NAME 4 5`, column 4, row 5")
    return kind(_pieces(order.board).find_one(words[1]), int(words[2]), int(words[3]))


def _parse_attacks(order: Order) -> DeclareAttacks:
    board: PitBoard = order.board
    limits: PitLimits | None = offered_limits(order, PitLimits)
    if limits is None or limits.attacks is None:
        raise OrderError("attacks are not asked now; `options` says what is")
    carried: list[str] = list(limits.weapons)
    parts = [part.strip() for part in order.rest.split(",") if part.strip()]
    if not parts:
        raise OrderError("name the target: `attack NAME`, or `attack NAME sword, NAME hammer`")
    attacks = []
    for part in parts:
        name, _, last = part.rpartition(" ")
        weapon = next((id for id in carried if last.lower() in (id, board.weapon(id).name.lower())), None)
        attacks.append(Attack(_pieces(board).find_one(name if weapon and name else part), weapon))
    if len(attacks) == 1 and attacks[0].weapon is None:
        return _all_on(limits, attacks[0].target)
    only = carried[0] if carried else None
    return DeclareAttacks(tuple(attack if attack.weapon else Attack(attack.target, only) for attack in attacks))


def _all_on(limits: PitLimits, target: int) -> DeclareAttacks:
    """Return every attack on one target, with each weapon at least once."""
    weapons: list[str | None] = list(dict.fromkeys(limits.weapons)) or [None]
    extra = (limits.attacks or 1) - len(weapons)
    return DeclareAttacks(tuple(Attack(target, weapon) for weapon in [*weapons[:1] * extra, *weapons]))


class PitTerminal(BoardTerminal):
    """The texts and orders of the pit."""

    help_text = HELP_TEXT
    texts = BoardTexts(
        narration=NARRATION,
        draw_map=draw_text_map,
        names=phrases.fighter_names,
        pieces=_pieces,
        piece_text=lambda board, id: phrases.fighter_text(board, board.fighters[id]),
        question_text=phrases.question_text,
        action_text=phrases.action_text,
        odds_text=lambda board, question, action: "",  # attacks are options with limits
        limits_text=_limits_text,
        subject_text=lambda board, entry: phrases.fighter_name(board, entry.fighter),
        is_about=lambda board, entry, name: entry.fighter in _pieces(board).find_all(name),
        round_events=(RoundBegan,),
        draw_small_map=draw_small_map,
        short_limits_text=_short_limits_text,
    )
    orders: ClassVar[OrderParsers] = {
        "end": lambda order: EndPhase(),
        "engage": lambda order: _parse_run(order, Engage),
        "move": lambda order: _parse_run(order, Move),
        "attack": _parse_attacks,
    }

    def table_moment(self, match: Match[Any, Any], decision: Decision[Any]) -> object:
        """Show the map once for each phase of a turn."""
        board = match.board
        return None if board is None else (board.round, board.active_seat, board.phase)

    def status_text(self, match: Match[Any, Any], turn: str) -> str:
        board = match.board
        return turn if board is None else f"round {board.round} of {board.rounds}, {board.phase} phase: {turn}"
