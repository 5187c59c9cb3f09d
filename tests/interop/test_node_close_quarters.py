"""The fold of the page for boards of close quarters, in Node, is ours after every event of the frozen matches."""

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from diskwars_protocol.match.events import MATCH_EVENT_TYPES
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, fold
from diskwars_protocol.rulesets.close_quarters.events import CloseQuartersEvent
from diskwars_protocol.schema import schema
from tests.golden.test_files import CLOSE_QUARTERS_NAMES, golden_file
from tests.interop.node_program import TIMEOUT_SECONDS, node, same_states
from tests.protocol.rulesets.close_quarters.close_quarters_events import RARE_EVENTS

BOARDS = Path(__file__).parents[2] / "clients" / "web" / "src" / "client" / "records" / "boards.js"
NODE_SCRIPT = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { boardRulesOf } = await import(pathToFileURL(process.argv[1]));
const { fold, plain } = boardRulesOf("close_quarters");
let board = null;
const boards = JSON.parse(readFileSync(0)).map((event) => {
  board = fold(board, event);
  return structuredClone(plain(board));
});
console.log(JSON.stringify(boards));
"""


def boards_of_node(events: list[Any]) -> list[Any]:
    """Return the boards that Node folds, one after each of these events."""
    command = [node(), "--input-type=module", "--eval", NODE_SCRIPT, "--", str(BOARDS)]
    text = json.dumps(events)
    run = subprocess.run(command, input=text, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    assert run.returncode == 0, run.stderr
    found: list[Any] = json.loads(run.stdout)
    return found


def board_events(name: str) -> list[Any]:
    """Return the events of a frozen match that belong to the board, as JSON."""
    tags = {schema.message_tag(kind) for kind in MATCH_EVENT_TYPES}
    found = [event for raw in golden_file(name).bodies for event in json.loads(raw).get("events", [])]
    return [event for event in found if event["type"] not in tags]


def check_boards(events: list[Any]) -> None:
    board: CloseQuartersBoard | None = None
    for event, theirs in zip(events, boards_of_node(events), strict=True):
        board = fold(board, msgspec.convert(event, CloseQuartersEvent))
        assert same_states(theirs, board), event


@pytest.mark.parametrize("name", [name for name in CLOSE_QUARTERS_NAMES if not name.endswith("-branch")])
def test_node_folds_the_boards_of_a_frozen_match(name: str) -> None:
    check_boards(board_events(name))


def test_node_folds_events_that_no_frozen_match_has() -> None:
    check_boards([board_events("close-quarters-four")[0], *map(msgspec.to_builtins, RARE_EVENTS)])
