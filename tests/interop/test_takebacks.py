"""Takebacks in Python and in Node against one file of vectors: the records they undo, and the invalid ones."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.events import SeatNonceOpened, SeatReady
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.match.match_fold import without_takebacks
from diskwars_protocol.match.state import RecordBody
from tests.interop.node_program import PROGRAM, node

FILE = Path(__file__).parents[1] / "vectors" / "takebacks.json"
CASES: list[dict[str, Any]] = json.loads(FILE.read_text())["cases"]
NODE_SCRIPT = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const { withoutTakebacks } = await import(pathToFileURL(process.argv[1]));
const found = JSON.parse(readFileSync(process.argv[2])).cases.map(({ taken_back_to, decisions }) => {
  const bodies = taken_back_to.map((to, place) => ({
    ...(to === null ? {} : { taken_back_to: to }),
    ...(decisions[place] === null ? {} : { decisions: decisions[place].map((id) => ({ id })) }),
  }));
  try {
    return [...withoutTakebacks(bodies).undone].sort((a, b) => a - b);
  } catch { return null; }
});
console.log(JSON.stringify(found));
"""


def undone_records(case: dict[str, Any]) -> list[int] | None:
    """Return the numbers of the records whose events are gone; None where a takeback is invalid."""
    events = (SeatReady(0),)
    bodies: list[RecordBody[Any, Any, Any]] = [
        RecordBody(at_ms=0, events=events, decisions=open_decisions(ids), taken_back_to=to)
        for to, ids in zip(case["taken_back_to"], case["decisions"], strict=True)
    ]
    try:
        kept = without_takebacks(bodies)
    except ValueError:
        return None
    return [seq for seq, body in enumerate(kept, 1) if body.events != events]


def open_decisions(ids: list[str] | None) -> tuple[Decision[Any], ...] | None:
    return None if ids is None else tuple(Decision(DecisionId(id), seat, None) for seat, id in enumerate(ids))


@pytest.mark.parametrize("case", CASES, ids=[case["about"] for case in CASES])
def test_takebacks_undo_what_the_vectors_say(case: dict[str, Any]) -> None:
    assert undone_records(case) == case["undone"]


def test_node_agrees_with_the_vectors() -> None:
    module = PROGRAM.parents[3] / "clients" / "web" / "src" / "client" / "records" / "match.js"
    command = [node(), "--input-type=module", "--eval", NODE_SCRIPT, "--", str(module), str(FILE)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=50, check=True)
    assert json.loads(run.stdout) == [case["undone"] for case in CASES]


def test_fairness_events_of_undone_records_stay() -> None:
    opened = SeatNonceOpened(0, "ab")
    bodies: list[RecordBody[Any, Any, Any]] = [
        RecordBody(at_ms=1),
        RecordBody(at_ms=2, events=(SeatReady(0), opened)),
        RecordBody(at_ms=3, decisions=open_decisions(["3.0"]), taken_back_to=1),
    ]
    assert without_takebacks(bodies)[1] == RecordBody(at_ms=2, events=(opened,))
