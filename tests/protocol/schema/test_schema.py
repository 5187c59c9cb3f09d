"""The printed schemas accept everything that is sent, and nothing else."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from jsonschema import Draft7Validator
from msgspec import Struct

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.messages import REQUESTS, ClientMessage, ServerMessage
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Watching
from diskwars_protocol.schema import examples, schema
from diskwars_protocol.schema.schema_roots import SchemaRoots
from tests.node_packages import node_packages
from tests.protocol.schema.whole_schema import DEFINITIONS, WHOLE_SCHEMA
from tests.rows import each_row

SAMPLES = sorted((Path(__file__).parents[1] / "samples").glob("*.json"))
DOCUMENT = schema.make_asyncapi()
KINDS: dict[str, type[Struct]] = {
    schema.message_tag(kind): kind for kind in (*get_args(ClientMessage), *get_args(ServerMessage))
}


def validator(name: str) -> Draft7Validator:
    """Of one definition."""
    return Draft7Validator({"$ref": f"#/definitions/{name}", "definitions": DEFINITIONS})


AJV_SCRIPT = """
const Ajv = require(process.argv[1]).default;
const { schema, messages } = JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf8"));
const validate = new Ajv({ strict: true, strictTuples: true }).compile(schema);
const isValid = (message) => {
  if (validate(message)) return true;
  throw new Error(JSON.stringify([message, validate.errors]));
};
if (validate({ type: "watch", id: "1", match: "m", aftr: 0 })) throw new Error("an unknown field was accepted");
console.log(messages.filter(isValid).length);
"""


def subschemas(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from subschemas(item)


def references(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for item in value.values():
            yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def resolve(document: Any, reference: str) -> Any:
    for step in reference.removeprefix("#/").split("/"):
        document = document[step]
    return document


def test_the_schema_is_a_schema_whose_references_all_lead_somewhere() -> None:
    Draft7Validator.check_schema(WHOLE_SCHEMA)
    assert all(isinstance(resolve(WHOLE_SCHEMA, reference), dict) for reference in references(WHOLE_SCHEMA))


def test_no_definition_is_there_that_nothing_leads_to() -> None:
    named = {reference.rpartition("/")[2] for reference in references(WHOLE_SCHEMA)}
    assert set(DEFINITIONS) - named <= set(SchemaRoots().types)


@each_row("sample", SAMPLES, ids=lambda sample: sample.stem)
def test_every_sample_is_valid_as_its_own_message_and_as_no_other(sample: Path) -> None:
    message = json.loads(sample.read_text(encoding="utf-8"))
    fitting = [tag for tag, kind in KINDS.items() if validator(kind.__name__).is_valid(message)]
    assert fitting == [sample.stem]
    assert Draft7Validator(WHOLE_SCHEMA).is_valid(message)


def test_every_message_of_the_story_is_valid_down_to_its_records() -> None:
    for message in examples.CONVERSATION:
        assert validator(type(message).__name__).is_valid(json.loads(encode(message)))


def test_every_action_and_every_question_is_valid() -> None:
    for name, words in (("diskwars.Action", examples.ACTIONS), ("diskwars.Question", examples.QUESTIONS)):
        for word in words:
            assert validator(name).is_valid(json.loads(msgspec.json.encode(word)))


@each_row(
    ("name", "wrong"),
    [
        ("ClientMessage", {"type": "fly"}),
        ("ClientMessage", {"type": "watch", "id": "1"}),
        ("ClientMessage", {"type": "watch", "id": "", "match": "m"}),
        ("ClientMessage", {"type": "watch", "id": "x" * 65, "match": "m"}),
        ("ClientMessage", {"type": "watch", "id": "1", "match": "m", "after": 1.5}),
        ("ClientMessage", {"type": "list_matches", "id": "1", "status": "lost"}),
        ("ClientMessage", {"type": "list_matches", "id": "1", "colour": "red"}),
        ("ClientMessage", {"type": "hello", "resume": [["m", 1, False, 2]]}),
        ("ClientMessage", {"type": "hello", "resume": [["m"]]}),
        ("ClientMessage", {"type": "hello", "resume": [["m", "1"]]}),
        ("Watching", json.loads(encode(examples.find_example(Watching))) | {"hash": "abc"}),
        ("Refused", json.loads(encode(examples.find_example(Refused))) | {"code": "no_such_code"}),
        ("Closing", json.loads(encode(examples.find_example(Closing))) | {"close_reason": "bored"}),
        ("MatchSummary", {"match": "m", "ruleset": "r", "status": "", "seats": [], "created_ms": 1, "updated_ms": 1}),
        ("LoadoutFault", {"code": "too_ugly", "text": "it is"}),
        ("diskwars.Unavailable", {"code": "no_such_code", "text": "it is", "rule": "R1"}),
        ("diskwars.Question", {"type": "continuation", "disk": 1, "flips_left": 1, "allowed": ["sing"]}),
        ("diskwars.Disk", {"id": 1, "seat": 0, "profile": 0, "place": "table"}),
        ("diskwars.Action", {"type": "move_disk", "disk": 1, "path": [[1, 2, 3]]}),
        ("diskwars.Action", {"type": "lock_card", "card": {"no digest": ""}, "salt": ""}),
        ("diskwars.Event", {"type": "seat_ready"}),
        ("diskwars.Settings", {"regiments": 4}),
        ("diskwars.Settings", {"regiments": 0}),
        ("diskwars.Settings", {"impct_own": True}),
        ("diskwars.Loadout", {"regiments": [{"hero": "x"}] * 7}),
    ],
)
def test_message_that_the_decoder_refuses_is_invalid_by_the_schema(name: str, wrong: dict[str, object]) -> None:
    assert not validator(name).is_valid(wrong)


def test_readers_of_server_messages_accept_new_fields() -> None:
    for kind in get_args(ServerMessage):
        message = json.loads(encode(examples.find_example(kind))) | {"added_later": 1}
        assert validator(kind.__name__).is_valid(message)


def test_every_client_message_refuses_unknown_fields() -> None:
    assert all(DEFINITIONS[kind.__name__]["additionalProperties"] is False for kind in get_args(ClientMessage))


def test_every_item_of_a_positional_array_has_a_title() -> None:
    arrays = [array for array in subschemas(WHOLE_SCHEMA) if isinstance(array.get("items"), list)]
    assert len(arrays) > 4
    for array in arrays:
        assert all(item["title"] for item in array["items"]), array


def test_ajv_accepts_the_schema_in_strict_mode(tmp_path: Path) -> None:
    packages = node_packages()
    messages = [json.loads(encode(message)) for message in examples.CONVERSATION]
    (tmp_path / "input.json").write_text(json.dumps({"schema": WHOLE_SCHEMA, "messages": messages}), encoding="utf-8")
    command = ["node", "-e", AJV_SCRIPT, str(packages / "node_modules" / "ajv"), str(tmp_path / "input.json")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) == len(messages)


def test_a_struct_of_an_unknown_kind_of_field_has_no_schema() -> None:
    class Weighed(Struct):
        grams: float

    roots = SchemaRoots()
    roots.types["Weighed"] = Weighed
    with pytest.raises(schema.SchemaError, match="Float"):
        schema.make_json_schema(roots)


def test_two_structs_of_one_name_are_found() -> None:
    class Act(Struct):
        pass

    roots = SchemaRoots()
    roots.types["Other"] = tuple[Act, ...]
    with pytest.raises(schema.SchemaError, match="called Act"):
        schema.make_json_schema(roots)


# ---------------------------------------------------------------- AsyncAPI


def test_the_document_has_what_asyncapi_3_demands_and_every_reference_leads_somewhere() -> None:
    assert DOCUMENT["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= set(DOCUMENT["info"])
    assert all(isinstance(resolve(DOCUMENT, reference), dict) for reference in references(DOCUMENT))
    for server in DOCUMENT["servers"].values():
        assert {"host", "protocol"} <= set(server)
    for part in ("messages", "schemas"):
        assert all(re.fullmatch(r"[A-Za-z0-9._-]+", key) for key in DOCUMENT["components"][part])


def test_every_message_is_in_the_channel_with_a_payload_and_a_valid_example() -> None:
    channel = DOCUMENT["channels"]["conversation"]
    assert set(channel["messages"]) == set(KINDS)
    for tag, reference in channel["messages"].items():
        message = resolve(DOCUMENT, reference["$ref"])
        assert message["name"] == tag
        payload = {**message["payload"], "components": DOCUMENT["components"]}
        for example in message["examples"]:
            assert Draft7Validator(payload).is_valid(example["payload"])


def test_every_message_is_sent_by_exactly_one_side_and_every_command_has_its_replies() -> None:
    operations = DOCUMENT["operations"]
    assert all(operation["action"] in ("send", "receive") for operation in operations.values())
    received = {tag for tag in operations if operations[tag]["action"] == "receive"}
    assert received == {schema.message_tag(kind) for kind in get_args(ClientMessage)}
    for ask, answer in REQUESTS.items():
        replies = {
            last_segment(reference)
            for reference in references(operations[schema.message_tag(ask)]["reply"]["messages"])
        }
        assert replies == {schema.message_tag(answer), "refused"}
    sent = {last_segment(reference) for tag in operations for reference in references(server_messages(operations[tag]))}
    assert sent - {"conversation"} == {schema.message_tag(kind) for kind in get_args(ServerMessage)}


def last_segment(reference: str) -> str:
    return reference.rpartition("/")[2]


def server_messages(operation: dict[str, Any]) -> object:
    return operation["messages"] if operation["action"] == "send" else operation["reply"]


def test_both_documents_are_plain_json() -> None:
    for document in (WHOLE_SCHEMA, DOCUMENT):
        assert json.loads(json.dumps(document)) == document
