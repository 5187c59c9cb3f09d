"""A ruleset that is registered gets its own JSON Schema and TypeScript types, and shared messages carry its content."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.ids import DecisionId, MatchId
from diskwars_protocol.messages import ClientMessage
from diskwars_protocol.messages.decisions import Act
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_protocol.rulesets.registry import RULESETS
from diskwars_protocol.schema.schema import make_json_schema
from diskwars_protocol.schema.typescript import make_typescript
from tests.node_packages import node_packages
from tests.rows import each_row
from tests.server.counting_ruleset import CountingRules

AJV_SCRIPT = """
const Ajv = require(process.argv[1]).default;
const { schema, cases } = JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf8"));
const ajv = new Ajv({ strict: true, strictTuples: true });
ajv.addSchema(schema, "protocol");
const results = cases.map(([name, value]) => ajv.compile({ $ref: `protocol#/definitions/${name}` })(value));
console.log(JSON.stringify(results));
"""

USES = """
import type { Act, ClientMessage, ServerMessage, WireRecord, counting, diskwars } from "./protocol";

export const chosen: counting.Action = { type: "choose", number: 3 };
export const act: Act = { type: "act", id: "1", match: "m", decision: "1.0", action: chosen };
export const opening: ClientMessage =
  { type: "open_match", id: "1", ruleset: "counting", seat_count: 2, settings: { rounds: 3 } };
export function rounds(match: counting.Match): number | undefined {
  return match.settings.rounds;
}
export function revealed(record: WireRecord): number {
  const body = record.body as counting.RecordBody;
  return (body.events ?? []).reduce((sum, event) => sum + (event.type === "revealed" ? event.numbers.length : 0), 0);
}
export function question(message: ServerMessage): string {
  if (message.type !== "refused") return "";
  const decisions = (message.open_decisions ?? []) as counting.OpenDecisions;
  return decisions.map((decision) => decision.question.type).join();
}
// @ts-expect-error: Diskwars has no such action
export const foreign: diskwars.Action = { type: "choose", number: 3 };
// @ts-expect-error: a number is missing
export const incomplete: counting.Action = { type: "choose" };
"""

SETTINGS = {"rounds": 3}
ACTION = {"type": "choose", "number": 3}


def message(kind: ClientMessage) -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads(encode(kind))
    return decoded


ACT = message(Act("1", MatchId("m"), Raw(json.dumps(ACTION).encode()), DecisionId("1.0")))
ACCEPTED = (
    ("counting.Settings", SETTINGS),
    ("counting.Action", ACTION),
    ("counting.Action", {"type": "resign"}),
    ("counting.Question", {"type": "ask_number", "round": 1}),
    ("counting.Event", {"type": "left", "seat": 1}),
    ("ClientMessage", ACT),
    ("ClientMessage", message(OpenMatch("1", "counting", 2, Raw(json.dumps(SETTINGS).encode())))),
)
REFUSED = (
    ("counting.Settings", {"round": 3}),
    ("counting.Action", {"type": "choose", "colour": 3, "number": 3}),
    ("counting.Action", {"type": "pass_disk", "disk": 1}),
    ("diskwars.Action", ACTION),
    ("counting.Event", {"type": "left"}),
    ("ClientMessage", ACT | {"action": {"type": "choose"}}),
)


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the toy ruleset, as its line in the registry would."""
    monkeypatch.setitem(RULESETS, "counting", CountingRules.vocabulary)


def test_registered_ruleset_has_a_schema_that_ajv_accepts_in_strict_mode(tmp_path: Path) -> None:
    packages = node_packages()
    content = {"schema": make_json_schema(), "cases": [*ACCEPTED, *REFUSED]}
    (tmp_path / "input.json").write_text(json.dumps(content), encoding="utf-8")
    command = ["node", "-e", AJV_SCRIPT, str(packages / "node_modules" / "ajv"), str(tmp_path / "input.json")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == [True] * len(ACCEPTED) + [False] * len(REFUSED)


def test_registered_ruleset_has_types_that_compile_in_strict_mode(tmp_path: Path) -> None:
    packages = node_packages()
    (tmp_path / "protocol.ts").write_text(make_typescript(), encoding="utf-8")
    (tmp_path / "uses.ts").write_text(USES, encoding="utf-8")
    options = ["--strict", "--noEmit", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"]
    command = [str(packages / "node_modules" / ".bin" / "tsc"), *options, "uses.ts"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=50, check=False)
    assert run.returncode == 0, run.stdout


def test_types_of_another_ruleset_stay_as_they_are_when_one_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    both = make_json_schema()["definitions"]
    monkeypatch.delitem(RULESETS, "counting")
    alone = make_json_schema()["definitions"]
    own = {name for name in both if name.startswith("diskwars.")}
    assert own == {name for name in alone if name.startswith("diskwars.")}
    assert all(both[name] == alone[name] for name in own)
    known = [*RULESETS, "counting"]
    assert both["Act"]["properties"]["action"] == {
        "anyOf": [{"$ref": f"#/definitions/{name}.Action"} for name in known]
    }


@each_row("name", RULESETS)
def test_names_of_a_ruleset_do_not_repeat_it_and_its_match_begins_with_match_started(name: str) -> None:
    definitions = make_json_schema()["definitions"]
    prefix = "".join(word.capitalize() for word in name.split("_"))
    assert [full for full in definitions if full.startswith(f"{name}.{prefix}")] == []
    assert f"{name}.Unavailable" in definitions
    assert definitions[f"{name}.MatchStarted"]["properties"]["type"] == {"const": "match_started"}


@each_row("name", RULESETS)
def test_labels_of_tuples_are_those_of_fields_of_the_ruleset(name: str) -> None:
    definitions = make_json_schema()["definitions"]
    known = {
        field
        for definition, schema in definitions.items()
        if definition.startswith(f"{name}.")
        for field in schema.get("properties", {})
    }
    assert known
    assert set(RULESETS[name].tuple_labels) <= known
