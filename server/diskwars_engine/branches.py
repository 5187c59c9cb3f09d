"""Branches: matches that play on from a moment of another match, from its position to the first questions.

Reading the parent is left to the server: a branch holds the whole position itself.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from diskwars_engine.position_checks import unreadable_names
from diskwars_engine.ruleset import AnyRuleset, Illegal, Outcome, PositionTerms, RandomSource, Ruleset
from diskwars_engine.work_budget import WorkExceeded, require_few_options
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.events import BranchBegan, Position, PositionSet
from diskwars_protocol.match.ids import ALL, PUBLIC, Viewer
from diskwars_protocol.match.state import AnyMatch, Match
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.sealed import RedactionError, count_sealed, hidden_paths

A = TypeVar("A")
Q = TypeVar("Q")
B = TypeVar("B")


class BranchStart(Struct, frozen=True):
    """The start of a branch: its position, and the content packs whose figures that holds."""

    position: Position[Any]
    packs: tuple[Pack, ...] = ()


def branch_start(ruleset: AnyRuleset, parent: AnyMatch, viewer: Viewer, rng: RandomSource) -> BranchStart:
    """Return the position of a match as somebody may play on from it, who sees the match as `viewer` does.

    Only what the viewer sees goes into it: everything else is drawn with `rng`. `ALL` takes it as it is. Raises
    `Illegal` where nobody could play on.
    """
    if parent.board is None:
        raise _refusal("the match has not begun there: open another match instead")
    if parent.status == "ended":
        raise _refusal("the match is over there, and nobody has anything to decide")
    terms = position_terms(ruleset, parent.settings, len(parent.seats), parent.packs)
    board, resampled = parent.board, False
    # The file of a match that was imported may hold secrets that were never opened.
    is_sealed = bool(count_sealed(encode_canonical(board)))
    if not is_sealed:
        _require_reachable(ruleset, board, terms)
    if viewer != ALL or is_sealed:
        seer = PUBLIC if viewer == ALL else viewer
        try:
            board = ruleset.determinize(ruleset.view(parent.board, seer), seer, rng)
        except ValueError as fault:
            raise _refusal(f"what is hidden cannot be filled in: {fault}") from None
        resampled = ruleset.view(board, seer) != board  # of the board that is drawn: it says nothing of the true one
        _require_reachable(ruleset, board, terms)
    if not ruleset.questions(board):
        raise _refusal("nobody has anything to decide there")
    resigned = tuple(seat for seat, seat_state in enumerate(parent.seats) if seat_state.resigned)
    _require_sealable(ruleset, board)
    return BranchStart(Position(board, resampled, resigned), parent.packs)


def _require_reachable(ruleset: AnyRuleset, board: Any, terms: PositionTerms) -> None:
    """Raise `Illegal` for a board to which no match under these terms can have come."""
    faults = _board_faults(ruleset, board, terms)
    if faults:
        raise _refusal(f"no match can have come to the position there: {faults[0]}")


def position_terms(ruleset: AnyRuleset, settings: Any, seat_count: int, packs: Sequence[Pack]) -> PositionTerms:
    """Return the terms of a position in a match that was opened with these packs."""
    has_known_figures = [pack.hash for pack in packs] == [pack.hash for pack in ruleset.packs]
    return PositionTerms(settings, seat_count, has_known_figures)


def position_faults(ruleset: AnyRuleset, position: Position[Any], terms: PositionTerms) -> list[str]:
    """List why no match can have come to a position, each with its place in it; empty if one can."""
    resigned = position.resigned
    if list(resigned) != sorted({*resigned} & set(range(terms.seat_count))):
        return ["$.resigned: it names seats of the match in their order, each once"]
    return _board_faults(ruleset, position.board, terms) or _question_faults(ruleset, position.board, terms)


def _board_faults(ruleset: AnyRuleset, board: Any, terms: PositionTerms) -> list[str]:
    try:
        faults = ruleset.check_position(board, terms) or list(unreadable_names(board)) or _option_faults(ruleset, board)
    except Exception as fault:  # a stranger's board may refer to anything, and rules do not expect it
        faults = [f"$: it contradicts itself, {type(fault).__name__}: {fault}"]
    return [fault.replace("$", "$.board", 1) for fault in faults]


def _option_faults(ruleset: AnyRuleset, board: Any) -> list[str]:
    """List the questions that nobody can answer. Raises any error of the rules."""
    try:
        for seat, question in ruleset.questions(board):
            require_few_options(ruleset.options(board, seat, question))
    except WorkExceeded as fault:
        return [f"$: it has too many options, {fault}"]
    return []


def _question_faults(ruleset: AnyRuleset, board: Any, terms: PositionTerms) -> list[str]:
    seats = [seat for seat, _ in ruleset.questions(board)]
    if not seats or ruleset.result(board) is not None:
        return ["$.board: nobody has anything to decide"]
    return [] if {*seats} <= set(range(terms.seat_count)) else ["$.board: a seat is asked that the match does not have"]


def _require_sealable(ruleset: AnyRuleset, board: Any) -> None:
    """Raise `Illegal` for a board with a hidden part whose existence is hidden as well."""
    public = ruleset.view(board, PUBLIC)
    try:
        hidden_paths(encode_canonical((board,)), encode_canonical((public,)))
    except RedactionError:
        raise _refusal("what is hidden on this board cannot be sealed by itself") from None


def _refusal(text: str) -> Illegal:
    return Illegal("bad_branch", text, place="$.seq")


def begin_branch(ruleset: Ruleset[A, Q, B], match: Match[Q, B], events: Sequence[Any]) -> Outcome[B | None, Q]:
    """Return what follows once all players of a branch are ready, after `events`: its position becomes the board."""
    position = match.position
    if position is None:
        raise ValueError(f"match {match.match} is no branch")
    board = position.board
    public = ruleset.view(board, PUBLIC)
    began: BranchBegan[B] = BranchBegan(None if public == board else board)
    return Outcome([*events, began], board, ruleset.questions(board))


def view_position(ruleset: Ruleset[A, Q, B], position: Position[B]) -> Position[B]:
    """Return a position as everybody sees it before the branch begins: no seat has its secrets yet."""
    board = ruleset.view(position.board, PUBLIC)
    return position if board == position.board else replace(position, board=board)


def redact_position(ruleset: Ruleset[A, Q, B], event: PositionSet[B]) -> PositionSet[B]:
    """Return the event as everybody sees it before the end."""
    position = view_position(ruleset, event.position)
    return event if position is event.position else PositionSet(position)


def redact_beginning(ruleset: Ruleset[A, Q, B], event: BranchBegan[B], viewer: Viewer) -> BranchBegan[B]:
    """Return the event as a viewer may see it."""
    if event.board is None:
        return event
    board = ruleset.view(event.board, viewer)
    return event if board == event.board else BranchBegan(board)
