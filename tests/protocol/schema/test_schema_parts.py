"""The schema in parts: what all rulesets share, and the messages of one ruleset without those of others."""

import json
from typing import Any

import msgspec
import pytest
from jsonschema import Draft7Validator

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.rulesets.registry import RULESETS
from diskwars_protocol.schema import examples
from diskwars_protocol.schema.schema import make_asyncapi_part, make_json_schema_part
from diskwars_protocol.schema.schema_roots import CORE, document_names
from tests.protocol.schema.test_schema import references, subschemas


@pytest.fixture(scope="module", params=document_names())
def part(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_part_is_whole_and_names_no_other_ruleset(part: str) -> None:
    document = make_json_schema_part(part)
    definitions: dict[str, Any] = document["definitions"]
    Draft7Validator.check_schema(document)
    assert {name.split(".")[0] for name in definitions if "." in name} == ({part} if part != CORE else set())
    assert {reference.removeprefix("#/definitions/") for reference in references(document)} <= set(definitions)
    content = definitions["Act"]["properties"]["action"]
    assert content == ({} if part == CORE else {"$ref": f"#/definitions/{part}.Action"})


def test_asyncapi_of_a_part_has_a_discriminator_in_each_union_of_messages(part: str) -> None:
    document = make_asyncapi_part(part)
    assert document["asyncapi"] == "3.1.0"
    schemas = document["components"]["schemas"]
    assert {reference.removeprefix("#/") for reference in references(document)} <= set(_paths(document))
    assert schemas["ClientMessage"]["discriminator"] == schemas["ServerMessage"]["discriminator"] == "type"
    if part != CORE:
        assert schemas[f"{part}.Action"]["discriminator"] == "type"
    has_examples = ["examples" in message for message in document["components"]["messages"].values()]
    assert all(has_examples) == (part in (CORE, examples.RULESET))


def _paths(document: dict[str, Any]) -> list[str]:
    return [
        *(f"components/schemas/{name}" for name in document["components"]["schemas"]),
        *(f"components/messages/{name}" for name in document["components"]["messages"]),
        *(f"channels/conversation/messages/{name}" for name in document["channels"]["conversation"]["messages"]),
        "channels/conversation",
    ]


def test_core_accepts_messages_of_every_ruleset() -> None:
    validator = Draft7Validator(make_json_schema_part(CORE))
    messages = [msgspec.json.decode(encode(one)) for one in examples.RATING_EXAMPLES + examples.ACCOUNT_EXAMPLES]
    refused = [message["type"] for message in messages if not validator.is_valid(message)]
    assert not refused
    assert not validator.is_valid({**messages[0], "type": "no_message"})


def test_part_of_a_ruleset_is_a_fraction_of_the_whole() -> None:
    sizes = {name: sum(1 for _ in subschemas(make_json_schema_part(name))) for name in (CORE, "pit", "diskwars")}
    assert sizes[CORE] < sizes["pit"] < sizes["diskwars"]
    assert len(json.dumps(make_json_schema_part("pit"))) < 1_000_000
    assert set(document_names()) == {CORE, *RULESETS}
