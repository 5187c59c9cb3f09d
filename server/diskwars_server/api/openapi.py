"""OpenAPI document of the interface, made from the table of operations and the structs of the protocol."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, TypeAlias
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from diskwars_protocol.schema.examples import find_example
from diskwars_protocol.schema.schema import make_definitions, struct_description
from diskwars_protocol.schema.schema_roots import SchemaRoots
from diskwars_server.api.answers import JSON_TYPE, NDJSON_TYPE
from diskwars_server.api.operations import API_PREFIX, Operation
from diskwars_server.api.parameters import TEXT_PATTERN
from diskwars_server.api.problems import PROBLEM_TYPE, Problem, code_text, problem_of, refuse, status_of

Document: TypeAlias = dict[str, Any]

_COMPONENTS = "#/components/schemas/"
_TOPIC_TEXTS: Mapping[str, str] = {
    "server": "The server, and these documents",
    "rules": "Rules and content",
    "matches": "Matches, their records and pictures",
    "players": "Players, ratings and statistics",
    "tournaments": "Tournaments",
    "clubs": "Clubs",
    "play": "Playing, with the token of an account",
}


def make_openapi(operations: Sequence[Operation], version: str) -> Document:
    """Return the OpenAPI 3.1 document of these operations. It takes a second."""
    definitions = make_definitions(_COMPONENTS, SchemaRoots(besides=_own_types(operations)))
    paths: Document = {}
    for operation in operations:
        paths.setdefault(operation.path or "/", {})[operation.method.lower()] = _describe(operation, definitions)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Diskwars",
            "version": version,
            "summary": "Matches, players, ratings, tournaments and rules of a server",
            "description": "Answers are messages of the protocol; each refusal is a problem with a stable code.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": API_PREFIX, "description": "this server"}],
        "tags": [{"name": name, "description": text} for name, text in _TOPIC_TEXTS.items()],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "`account token` makes one."}
            },
            "schemas": _reachable(_to_draft_2020(definitions), paths),
        },
    }


def example_response(operation: Operation) -> Any:
    """Return an answer to an operation as JSON has it; None where it is none."""
    if operation.response is None or JSON_TYPE not in operation.content_types:
        return None
    return msgspec.json.decode(msgspec.json.encode(operation.sample or find_example(operation.response)))


def example_parameters(operation: Operation) -> dict[str, str]:
    """Return the parameters of the example of an operation, by name."""
    path, _, query = operation.example.partition("?")
    pairs = (pair.partition("=") for pair in query.split("&") if pair)
    return {name: unquote(text) for name, text in (operation.find_parts(path) or {}).items()} | {
        name: unquote(text) for name, _, text in pairs
    }


def _own_types(operations: Sequence[Operation]) -> dict[str, type[Struct]]:
    """Return the requests and responses that are no messages of the protocol, by name."""
    kinds = [kind for operation in operations for kind in (operation.request, operation.response) if kind is not None]
    own = {kind.__name__: kind for kind in kinds if not kind.__module__.startswith("diskwars_protocol.messages")}
    return {**own, Problem.__name__: Problem}


def _describe(operation: Operation, definitions: Document) -> Document:
    described: Document = {
        "operationId": operation.id,
        "summary": operation.summary,
        "description": "\n\n".join(filter(None, (struct_description(operation.request), operation.text))),
        "tags": [operation.topic],
        "parameters": _parameters(operation, definitions),
        "responses": {"200": _success(operation), **_problems(operation)},
    }
    if operation.scope:
        described["security"] = [{"token": []}] if operation.needs_token else [{"token": []}, {}]
        described["description"] += f"\n\nThe token needs the scope `{operation.scope}`."
    if operation.has_body:
        described["requestBody"] = _request_body(operation, definitions)
    if operation.method == "GET":
        described["responses"]["304"] = {"description": "The version that `If-None-Match` names is the latest."}
    return described


def _request_body(operation: Operation, definitions: Document) -> Document:
    """Return the body of a request: the message of the protocol without its type and what the path says."""
    if operation.takes_file:
        return {"required": True, "content": {NDJSON_TYPE: {"schema": {"type": "string", "minLength": 1}}}}
    schema = _to_draft_2020(definitions[operation.request.__name__])
    left_out = {"type", *operation.path_fields}
    properties = {name: value for name, value in schema["properties"].items() if name not in left_out}
    required = [name for name in schema["required"] if name not in left_out]
    example = msgspec.json.decode(msgspec.json.encode(find_example(operation.request)))
    body = {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
    shown = {name: value for name, value in example.items() if name not in left_out}
    return {"required": True, "content": {JSON_TYPE: {"schema": body, "example": shown}}}


def _parameters(operation: Operation, definitions: Document) -> list[Document]:
    schema = definitions[operation.request.__name__]
    examples, in_path = example_parameters(operation), operation.path_fields
    parameters = []
    for name in operation.path_fields if operation.has_body else operation.parameters:
        is_in_path = name in in_path
        parameter: Document = {
            "name": name,
            "in": "path" if is_in_path else "query",
            "required": is_in_path or name in schema["required"],
            "schema": _parameter_schema(schema["properties"][name]),
        }
        if name in examples:
            parameter["example"] = _example_value(examples[name], schema["properties"][name])
        parameters.append(parameter)
    return parameters


def _parameter_schema(schema: Document) -> Document:
    """Return the schema of a parameter: texts of no other form have no control characters."""
    if "items" in schema:
        return {**schema, "items": _parameter_schema(schema["items"])}
    is_free = schema.get("type") == "string" and "pattern" not in schema
    return {**schema, "pattern": TEXT_PATTERN} if is_free else schema


def _example_value(text: str, schema: Document) -> Any:
    kind = schema.get("type")
    if kind == "array":
        return [_example_value(text, schema["items"])]
    return int(text) if kind == "integer" else text == "true" if kind == "boolean" else text


def _success(operation: Operation) -> Document:
    content: Document = {}
    for content_type in operation.content_types:
        media: Document = {"schema": {"type": "object" if content_type == JSON_TYPE else "string"}}
        if content_type == JSON_TYPE and operation.response is not None:
            media = {"schema": _reference(operation.response), "example": example_response(operation)}
        content[content_type] = media
    return {"description": operation.summary, "content": content}


def _reference(kind: type[Struct]) -> Document:
    return {"$ref": _COMPONENTS + kind.__name__}


def _problems(operation: Operation) -> Document:
    """Return the responses that refuse a request, by status; each has an example of every code."""
    codes: dict[HTTPStatus, list[str]] = {}
    for code in operation.codes:
        codes.setdefault(status_of(code), []).append(code)
    return {
        str(status.value): {
            "description": "; ".join(f"`{code}`: {code_text(code)}" for code in found),
            "headers": _retry_header(status),
            "content": {
                PROBLEM_TYPE: {
                    "schema": _reference(Problem),
                    "examples": {code: {"value": msgspec.to_builtins(problem_of(refuse(code)))} for code in found},
                }
            },
        }
        for status, found in sorted(codes.items())
    }


def _retry_header(status: HTTPStatus) -> Document:
    if status != HTTPStatus.TOO_MANY_REQUESTS:
        return {}
    schema = {"type": "integer", "minimum": 1}
    return {"Retry-After": {"description": "Seconds to wait.", "required": True, "schema": schema}}


def _to_draft_2020(schema: Any) -> Any:
    """Return schemas of draft 7 in the dialect of OpenAPI 3.1, where items by place have a keyword of their own."""
    if isinstance(schema, list):
        return [_to_draft_2020(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    converted = {name: _to_draft_2020(value) for name, value in schema.items()}
    if isinstance(converted.get("items"), list):
        converted["prefixItems"] = converted.pop("items")
    return converted


def _reachable(schemas: Document, paths: Document) -> Document:
    """Return the schemas that the paths refer to, and those that these do."""
    found: set[str] = set()
    waiting = _references_in(paths)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting |= _references_in(schemas[name])
    return {name: schemas[name] for name in sorted(found)}


def _references_in(value: Any) -> set[str]:
    if isinstance(value, list):
        return {name for item in value for name in _references_in(item)}
    if not isinstance(value, dict):
        return set()
    reference = value.get("$ref")
    own = {reference.removeprefix(_COMPONENTS)} if isinstance(reference, str) else set()
    return own | {name for item in value.values() for name in _references_in(item)}
