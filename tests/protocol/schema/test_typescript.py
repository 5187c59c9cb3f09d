"""The TypeScript types hold every struct, say what it says, and compile in strict mode."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from diskwars_protocol.rulesets.registry import RULESETS
from diskwars_protocol.schema import schema
from diskwars_protocol.schema.schema_roots import SchemaRoots
from diskwars_protocol.schema.typescript import HEADING, make_typescript
from tests.node_packages import node_packages

TEXT = make_typescript()
BODY = TEXT.removeprefix(HEADING)

USES = """
import type { ClientMessage, Reason, ServerMessage, diskwars } from "./protocol";

export function seqs(message: ServerMessage): number[] {
  switch (message.type) {
    case "records": return message.records.map((record) => record.seq);
    case "refused": return [];
    default: return [];
  }
}
export function flips(action: diskwars.Action): number {
  return action.type === "move_disk" ? action.path.map(([dx, dy]) => dx + dy).length : 0;
}
export const message: ClientMessage = { type: "act", id: "1", match: "m", decision: "1.0", action: { type: "resign" } };
export const reason: Reason = { rule: "R1", numbers: { range: 1 } };
// @ts-expect-error: no message has this type
export const unknownType: ClientMessage = { type: "fly", id: "1" };
// @ts-expect-error: a field that does not exist
export const unknownField: ClientMessage = { type: "unwatch", id: "1", match: "m", colour: "red" };
// @ts-expect-error: a setting outside its closed set
export const settings: diskwars.Settings = { pins: "loose" };
"""


def declaration(name: str) -> str:
    """Return the text from the name of a type to the end of its declaration."""
    matched = re.search(rf"export (?:interface {name} .*?^\s*\}}|type {name} .*?;)$", TEXT, re.DOTALL | re.MULTILINE)
    assert matched, name
    return matched[0]


def test_every_definition_of_the_schema_has_a_type() -> None:
    declared = set(re.findall(r"export (?:interface|type) (\w+)", BODY))
    definitions = schema.make_json_schema()["definitions"]
    assert declared == {name.rpartition(".")[2] for name in definitions}


def test_there_are_no_index_signatures_and_maps_have_one_name() -> None:
    assert not re.search(r"\[\w+: string\]:", TEXT)
    assert "Record<" not in BODY
    assert "numbers?: NameMap<number>" in declaration("Reason")


def test_messages_carry_their_tag_and_their_optional_fields() -> None:
    watch = declaration("Watch")
    assert 'readonly type: "watch";' in watch
    assert "readonly match: string;" in watch
    assert "/** Default: 0 */\n  readonly after?: number;" in watch


def test_every_item_of_every_tuple_is_labelled() -> None:
    tuples = re.findall(r"readonly \[(.*?)\]", BODY)
    assert tuples
    for items in tuples:
        assert re.match(r"\w+\??: ", items), items
    assert "ReadonlyArray<readonly [dx: number, dy: number]>" in declaration("MoveDisk")


def test_raw_fields_have_the_type_that_the_ruleset_puts_there() -> None:
    actions = " | ".join(f"{name}.Action" for name in RULESETS)
    assert f"readonly action: {actions};" in declaration("Act")
    assert "readonly body: diskwars.RecordBody" in declaration("WireRecord")


def test_types_contain_closed_sets() -> None:
    assert 'readonly setup?: "full" | "quick";' in declaration("Settings")
    codes = " | ".join(f"{name}.RefusalCode" for name in RULESETS)
    assert f"readonly code: {codes};" in declaration("Refused")
    assert '| "no_sight" |' in declaration("RefusalCode")
    assert "readonly close_reason: CloseReason;" in declaration("Closing")
    assert '| "slow" |' in declaration("CloseReason")


def test_a_struct_of_an_unknown_kind_of_field_has_no_type() -> None:
    class Weight(Struct):
        grams: float

    roots = SchemaRoots()
    roots.types["Weight"] = Weight
    with pytest.raises(schema.SchemaError, match="Float"):
        make_typescript(roots)


def test_a_ruleset_cannot_hide_a_shared_type() -> None:
    hidden: Any = tuple[int, ...]
    roots = SchemaRoots()
    roots.types["diskwars.Reason"] = hidden
    with pytest.raises(schema.SchemaError, match="hides Reason"):
        make_typescript(roots)


def test_the_compiler_accepts_the_types_in_strict_mode(tmp_path: Path) -> None:
    packages = node_packages()
    (tmp_path / "protocol.ts").write_text(TEXT, encoding="utf-8")
    (tmp_path / "uses.ts").write_text(USES, encoding="utf-8")
    options = ["--strict", "--noEmit", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"]
    command = [str(packages / "node_modules" / ".bin" / "tsc"), *options, "uses.ts"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=50, check=False)
    assert run.returncode == 0, run.stdout
