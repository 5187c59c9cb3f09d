"""Golden files, vectors and states of real matches are valid by the schema, and values out of range are not."""

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
from jsonschema import Draft7Validator

from diskwars_protocol.records.match_file import read_file
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from tests.node_packages import node_packages
from tests.protocol.schema.whole_schema import WHOLE_SCHEMA
from tests.rows import each_row

TESTS = Path(__file__).parents[2]
FILES = sorted((TESTS / "golden" / "files").glob("diskwars-*.match.jsonl"))
VECTORS = TESTS / "vectors" / "board_fold.json"

AJV_SCRIPT = """
const Ajv = require(process.argv[1]).default;
const { schema, cases } = JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf8"));
const ajv = new Ajv({ strict: true, strictTuples: true });
ajv.addSchema(schema, "protocol");
let valid = 0;
for (const [name, place, value] of cases) {
  const validate = ajv.getSchema(`protocol#/definitions/${name}`);
  if (!validate(value)) throw new Error(`${place}: ${name}: ${JSON.stringify(validate.errors.slice(0, 4))}`);
  valid += 1;
}
console.log(valid);
"""


def cases() -> list[tuple[str, str, Any]]:
    """List what has to be valid: the name of a definition, where the value comes from, and the value."""
    found: list[tuple[str, str, Any]] = []
    for path in FILES:
        raw = path.read_bytes()
        header, *lines = raw.splitlines()
        file = read_file(raw)
        found.append(("MatchHeader", path.name, json.loads(header)))
        for number, (line, body) in enumerate(zip(lines, file.bodies, strict=True), 1):
            place = f"{path.name}:{number}"
            found += [("WireRecord", place, json.loads(line)), ("diskwars.RecordBody", place, json.loads(body))]
        match = DISKWARS.fold_log([DISKWARS.decode_body(body) for body in file.bodies])
        found.append(("diskwars.Match", path.name, json.loads(msgspec.json.encode(match))))
    for match in json.loads(VECTORS.read_text(encoding="utf-8"))["matches"]:
        for number, record in enumerate(match["records"], 1):
            found += [
                ("diskwars.RecordBody", f"{match['name']}:{number}:{viewer}", body) for viewer, body in record.items()
            ]
    return found


def test_golden_files_and_vectors_are_valid(tmp_path: Path) -> None:
    packages = node_packages()
    values = cases()
    assert len(values) > 500
    (tmp_path / "input.json").write_text(json.dumps({"schema": WHOLE_SCHEMA, "cases": values}), encoding="utf-8")
    command = ["node", "-e", AJV_SCRIPT, str(packages / "node_modules" / "ajv"), str(tmp_path / "input.json")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) == len(values)


HASH = "0" * 64
NONCE = "0" * 32


@each_row(
    ("name", "valid", "wrong"),
    [
        ("diskwars.Action", {"type": "pass_disk", "disk": 0}, {"disk": -1}),
        ("diskwars.Action", {"type": "choose_first_player", "seat": 3}, {"seat": 4}),
        ("diskwars.Action", {"type": "replace_chain", "chain_head": NONCE}, {"chain_head": ""}),
        ("diskwars.Action", {"type": "lock_card", "card": "press-on", "salt": NONCE}, {"salt": "0"}),
        ("diskwars.Action", {"type": "lock_card", "card": "press-on", "salt": NONCE}, {"card": "Press On"}),
        ("diskwars.Action", {"type": "lay_deployment_card", "card": "c", "face": 1, "offset": 0}, {"face": 2}),
        ("diskwars.Event", {"type": "round_began", "round": 1}, {"round": 0}),
        (
            "diskwars.Event",
            {"type": "seat_nonce_opened", "seat": 0, "seat_nonce": {"#": HASH}},
            {"seat_nonce": {"#": "0"}},
        ),
        ("diskwars.Event", {"type": "match_ended", "server_link": HASH, "deal_secret": HASH}, {"server_link": NONCE}),
        ("diskwars.RecordBody", {"at_ms": 0, "decision": "12.1"}, {"decision": "0.1"}),
        ("diskwars.RecordBody", {"at_ms": 0, "digest": HASH}, {"digest": NONCE}),
        ("diskwars.RecordBody", {"at_ms": 0}, {"at_ms": -1}),
        ("diskwars.Disk", {"id": 0, "seat": 0, "profile": 0}, {"wounds": -1}),
        ("WireRecord", {"seq": 1, "salt": NONCE, "body": {"at_ms": 0}}, {"seq": 0}),
        ("WireRecord", {"seq": 1, "salt": NONCE, "body": {"at_ms": 0}}, {"salt": HASH}),
        ("Refused", {"type": "refused", "id": "1", "code": "busy", "text": "wait"}, {"retry_after_ms": -1}),
        ("Accepted", {"type": "accepted", "id": "1", "match": "m-1", "seq": 1}, {"match": "no match"}),
    ],
)
def test_values_out_of_range_are_invalid(name: str, valid: dict[str, Any], wrong: dict[str, Any]) -> None:
    validator = Draft7Validator({"$ref": f"#/definitions/{name}", "definitions": WHOLE_SCHEMA["definitions"]})
    assert validator.is_valid(valid)
    assert not validator.is_valid(valid | wrong)
