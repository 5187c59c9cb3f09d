"""Typed orders of the small games mean what tests/vectors/small_orders.json says, with which the page agrees.

The terminal is asked on boards of whole matches. DISKWARS_GOLDEN=1 writes the file again.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from diskwars_client.plugs.terminal_ruleset import OrderError
from tests.client.terminal.asked_boards import AskedBoard, played_boards
from tests.engine.played_match import IS_UPDATING_GOLDEN
from tests.engine.rulesets.close_quarters.close_quarters_positions import CLOSE_QUARTERS
from tests.engine.rulesets.pit.pit_positions import PIT
from tests.engine.rulesets.regiments.regiments_positions import REGIMENTS
from tests.rows import each_row

Json: TypeAlias = Any  # what json.loads gives
FILE = Path(__file__).parents[2] / "vectors" / "small_orders.json"
MAX_FILE_SIZE = 200_000
ABOUT = [
    "Boards of matches on which every kind of question and answer is offered, and what lines mean in the terminal.",
    "orders: the action of each line; null where the line is no order, or none that this question takes.",
]
RULES: dict[str, Any] = {"pit": PIT, "close_quarters": CLOSE_QUARTERS, "regiments": REGIMENTS}
LINES = {
    "pit": (
        "end",
        "engage A1 4 5",
        "engage a1 to (0, 11)",
        "move B1 to 3 2",
        "move A1",
        "attack A1",
        "attack B1",
        "attack B1, B2",
        "attack B9",
        "dance",
    ),
    "close_quarters": (
        "hold",
        "engage",
        "break off",
        "advance 1 0",
        "double 0.25 -1.5",
        "consolidate 0.5 0.5",
        "advance",
        "advance K1 12 5.5",
        "advance K1 12 5.5, L2 3 -4.25",
        "advance K1",
        "fire at L",
        "fire K",
        "fire K1 at L",
        "fire K1* at L, K2 at L",
        "fire Z9 at L",
        "pick K1 K2",
        "pick L3",
        "pick Z9",
    ),
    "regiments": (
        "hold",
        "fight",
        "retreat",
        "march forward left",
        "march f r f",
        "march to 4 5 north",
        "march",
        "charge A1",
        "charge B1",
        "charge B9",
        "reform 6",
        "reform 0",
    ),
}


def asked_boards(ruleset: str) -> Iterator[tuple[Any, Any, Any, Json, set[str]]]:
    """Return boards of a match, each with its question, its options and their kinds, until every kind was offered."""
    rules, known = RULES[ruleset], set[tuple[str, str]]()
    for board in played_boards(ruleset, 2):
        for seat, question in rules.questions(board)[:1]:
            options = msgspec.to_builtins(rules.options(board, seat, question))
            offered = [*options.get("actions", ()), *(one["example"] for one in options.get("parametric", ()))]
            kinds = {action["type"] for action in offered}
            found = {(type(question).__name__, kind) for kind in kinds}
            if not found <= known:
                known |= found
                yield board, seat, question, options, kinds


def judged_orders(ruleset: str) -> Iterator[Json]:
    for board, seat, question, options, kinds in asked_boards(ruleset):
        asked = AskedBoard(RULES[ruleset], board)
        yield {
            "board": msgspec.to_builtins(board),
            "seat": seat,
            "question": msgspec.to_builtins(question),
            "options": options,
            "orders": [[line, meaning(asked, line, kinds)] for line in LINES[ruleset]],
        }


def meaning(asked: AskedBoard, line: str, kinds: set[str]) -> Json:
    """Return the action of a line, if it is of a kind that is offered."""
    try:
        action = msgspec.to_builtins(asked.understood(line))
    except OrderError:
        return None
    return action if action["type"] in kinds else None


def test_the_terminal_reads_lines_as_the_vectors_say() -> None:
    parts: Json = {ruleset: list(judged_orders(ruleset)) for ruleset in LINES}
    text = json.dumps({"about": ABOUT, **parts}, separators=(",", ":")).replace('{"board"', '\n{"board"') + "\n"
    if IS_UPDATING_GOLDEN:
        FILE.write_text(text, "utf-8")
    assert FILE.read_text("utf-8") == text
    assert len(text) <= MAX_FILE_SIZE


@each_row("ruleset", LINES)
def test_the_vectors_hold_every_order_taken_and_not_taken(ruleset: str) -> None:
    rows = [row for board in json.loads(FILE.read_text("utf-8"))[ruleset] for row in board["orders"]]
    taken = {line.partition(" ")[0] for line, action in rows if action is not None}
    assert taken == {line.partition(" ")[0] for line in LINES[ruleset]} - {"dance"}
    assert any(action is None for _, action in rows)
