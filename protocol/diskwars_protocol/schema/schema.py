"""JSON Schema and AsyncAPI documents of everything that is sent, generated from the structs.

The decoders accept whatever they accept; some ranges and forms only the schema states (`schema_types`). JSON Schema is
draft 7, the dialect of AsyncAPI; raw JSON is described as what the registered rulesets put there.
"""

import inspect
import re
from collections.abc import Iterable
from typing import Any, TypeAlias, get_args

import msgspec
from msgspec import Raw, Struct
from msgspec import inspect as mi

from diskwars_protocol.messages import REQUESTS, ClientMessage, PlayerMessage, ServerMessage
from diskwars_protocol.messages.chat import ChatPosted
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.decisions import OptionsResponse
from diskwars_protocol.messages.handshake import PROTOCOL_VERSION, Hello, Welcome
from diskwars_protocol.messages.history import Openings, Records
from diskwars_protocol.messages.lists import MatchesChanged
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Unwatched, WatchersChanged, Watching
from diskwars_protocol.schema import examples
from diskwars_protocol.schema.board_bounds import BoardBounds
from diskwars_protocol.schema.schema_roots import (
    CORE,
    SchemaRoots,
    field_default,
    has_content,
    part_roots,
    ruleset_of,
    struct_class,
    union_members,
)

Schema: TypeAlias = dict[str, Any]

WEBSOCKET_PATH = "/ws"
"""The path of the WebSocket on a server."""


UNREQUESTED_MESSAGES: tuple[type[Struct], ...] = (
    Watching,
    Records,
    OptionsResponse,
    Openings,
    ChatPosted,
    WatchersChanged,
    Unwatched,
    Refused,
    MatchesChanged,
    *get_args(PlayerMessage),
    Closing,
)
"""The messages that a server may send without a request."""


class SchemaError(Exception):
    """A type of the vocabulary that has no schema here."""


def make_json_schema(roots: SchemaRoots | None = None) -> Schema:
    """Return one document: a message of either union, and under `definitions` all roots and structs."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": f"Diskwars protocol, version {PROTOCOL_VERSION}",
        "anyOf": [{"$ref": "#/definitions/ClientMessage"}, {"$ref": "#/definitions/ServerMessage"}],
        "definitions": _SchemaDefinitions("#/definitions/", roots or SchemaRoots()).schemas,
    }


def make_json_schema_part(name: str) -> Schema:
    """Return the JSON Schema of one part of `document_names`: messages with the content of that ruleset alone."""
    return make_json_schema(part_roots(name)) | {"title": f"Diskwars protocol, version {PROTOCOL_VERSION}: {name}"}


def make_asyncapi_part(name: str, host: str = "localhost:8765") -> Schema:
    """Return the AsyncAPI 3.1 document of one part of `document_names`."""
    roots = part_roots(name)
    schemas = _SchemaDefinitions("#/components/schemas/", roots, has_discriminators=True).schemas
    document = _asyncapi_document(schemas, host, "" if name == CORE else name)
    return document | {"asyncapi": "3.1.0", "info": {**document["info"], "title": f"Diskwars: {name}"}}


def make_asyncapi(host: str = "localhost:8765") -> Schema:
    """Return an AsyncAPI 3.0 document of a server: what it receives, what it sends, and what it replies to what."""
    return _asyncapi_document(_SchemaDefinitions("#/components/schemas/", SchemaRoots()).schemas, host)


def _asyncapi_document(schemas: Schema, host: str, ruleset: str = "") -> Schema:
    """Return a document over schemas; where they are those of one ruleset, with the examples that are of it."""
    kinds = (*get_args(ClientMessage), *get_args(ServerMessage))
    channel = {"$ref": "#/channels/conversation"}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Diskwars",
            "version": str(PROTOCOL_VERSION),
            "description": "Two to four people play a match, others watch. JSON text frames over one WebSocket.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {"local": {"host": host, "protocol": "ws", "description": "a server on this machine"}},
        "channels": {
            "conversation": {
                "address": WEBSOCKET_PATH,
                "messages": {
                    message_tag(kind): {"$ref": f"#/components/messages/{message_tag(kind)}"} for kind in kinds
                },
            }
        },
        "operations": {
            **{message_tag(kind): _receive_operation(kind, channel) for kind in get_args(ClientMessage)},
            "send": _operation("send", channel, UNREQUESTED_MESSAGES),
        },
        "components": {
            "messages": {message_tag(kind): _message(kind, ruleset) for kind in kinds},
            "schemas": schemas,
        },
    }


def make_definitions(prefix: str, roots: SchemaRoots) -> Schema:
    """Return the schemas of all roots and of the structs that they hold; `prefix` is that of references to them."""
    return _SchemaDefinitions(prefix, roots).schemas


def message_tag(kind: type[Struct]) -> str:
    """Return the value of `type` that stands for a struct."""
    return str(kind.__struct_config__.tag)


def struct_description(kind: type[Struct]) -> str:
    """Return what the struct's own words say it is, None being an absent field; empty where its name says all."""
    text = kind.__dict__.get("__doc__")
    return re.sub(r"\bNone\b", "absent", inspect.cleandoc(text)) if isinstance(text, str) else ""


# ---------------------------------------------------------------- AsyncAPI


def _receive_operation(kind: type[Struct], channel: Schema) -> Schema:
    answers: list[type[Struct]] = [Welcome] if kind is Hello else [REQUESTS[kind], Refused]
    operation = _operation("receive", channel, [kind])
    operation["reply"] = {"channel": channel, "messages": _references(answers)}
    return operation


def _operation(action: str, channel: Schema, kinds: Iterable[type[Struct]]) -> Schema:
    return {"action": action, "channel": channel, "messages": _references(kinds)}


def _references(kinds: Iterable[type[Struct]]) -> list[Schema]:
    return [{"$ref": f"#/channels/conversation/messages/{message_tag(kind)}"} for kind in kinds]


def _message(kind: type[Struct], ruleset: str = "") -> Schema:
    message: Schema = {
        "name": message_tag(kind),
        "payload": {"$ref": f"#/components/schemas/{kind.__name__}"},
        "examples": [{"payload": _to_json_value(examples.find_example(kind))}],
    }
    if ruleset not in ("", examples.RULESET) and has_content(kind):
        del message["examples"]  # the content is that of another ruleset
    if text := struct_description(kind):
        message["summary"] = text.split("\n")[0]
        message["description"] = text
    return message


# ---------------------------------------------------------------- JSON Schema


class _SchemaDefinitions:
    """Every struct that can be reached from the roots, each under its own name."""

    def __init__(self, prefix: str, roots: SchemaRoots, *, has_discriminators: bool = False) -> None:
        """With `has_discriminators` unions name the field by which their members differ, as AsyncAPI does."""
        self.schemas: Schema = {}
        self._has_discriminators = has_discriminators
        self._prefix = prefix
        self._roots = roots
        self._ruleset = ""
        self._structs: dict[str, Any] = {}
        self._unions = roots.named_unions()
        self._bounds = {name: BoardBounds(vocabulary) for name, vocabulary in roots.vocabularies.items()}
        for name, info in roots.infos.items():
            self._ruleset = ruleset_of(name)
            if isinstance(info, mi.UnionType):
                self.schemas[name] = {"oneOf": [self._schema_of(member) for member in info.types]}
                if self._has_discriminators and (field := _tag_field(info)):
                    self.schemas[name]["discriminator"] = field
            elif isinstance(info, mi.StructType):
                self._struct_schema(info, name)
            else:
                self.schemas[name] = self._schema_of(info)

    def _schema_of(self, info: mi.Type, labels: tuple[str, ...] = ()) -> Schema:
        match info:
            case mi.StructType():
                return self._struct_schema(info, self._roots.definition_name(info, self._ruleset))
            case mi.UnionType():
                return self._union_schema(info, labels)
            case mi.LiteralType():
                return {"enum": sorted(info.values)}
            case mi.StrType():
                limits = _limits(minLength=info.min_length, maxLength=info.max_length, pattern=info.pattern)
                return {"type": "string"} | limits
            case mi.IntType():
                return {"type": "integer"} | _limits(minimum=info.ge, maximum=info.le)
            case mi.Metadata():
                return self._schema_of(info.type, labels) | (info.extra_json_schema or {})
            case mi.BoolType():
                return {"type": "boolean"}
            case mi.NoneType():
                return {"type": "null"}
            case mi.RawType():
                return {}
            case mi.TupleType():
                count = len(info.item_types)
                items = [self._schema_of(item) for item in info.item_types]
                if len(labels) == count:
                    items = [_titled(item, label) for item, label in zip(items, labels, strict=True)]
                return {"type": "array", "items": items, "minItems": count, "maxItems": count}
            case mi.VarTupleType():
                limits = _limits(minItems=info.min_length, maxItems=info.max_length)
                return {"type": "array", "items": self._schema_of(info.item_type, labels)} | limits
            case mi.DictType():
                return {"type": "object", "additionalProperties": self._schema_of(info.value_type)}
            case _:
                raise SchemaError(f"no schema for {info}")

    def _union_schema(self, info: mi.UnionType, labels: tuple[str, ...]) -> Schema:
        if known := self._unions.get((self._ruleset, union_members(info))):
            return self._reference(known)
        schema: Schema = {"anyOf": [self._schema_of(member, labels) for member in info.types]}
        if self._has_discriminators and (field := _tag_field(info)):
            schema["discriminator"] = field
        return schema

    def _struct_schema(self, info: mi.StructType, name: str) -> Schema:
        """Write the definition once, before its fields are looked at, and refers to it."""
        if self._structs.setdefault(name, info.cls) != info.cls:
            raise SchemaError(f"two structs are called {name}: {self._structs[name]} and {info.cls}")
        if name not in self.schemas:
            schema: Schema = {}
            self.schemas[name] = schema
            if text := struct_description(struct_class(info)):
                schema["description"] = text
            schema.update(self._array_schema(info) if info.array_like else self._object_schema(info))
        return self._reference(name)

    def _array_schema(self, info: mi.StructType) -> Schema:
        needed = [field for field in info.fields if field.required]
        schema: Schema = {
            "type": "array",
            "items": [_titled(self._field_schema(info, field), field.encode_name) for field in info.fields],
            "minItems": len(needed),
        }
        if struct_class(info).__struct_config__.forbid_unknown_fields:
            schema["maxItems"] = len(info.fields)
        return schema

    def _object_schema(self, info: mi.StructType) -> Schema:
        properties = {field.encode_name: self._field_schema(info, field) for field in info.fields}
        required = [field.encode_name for field in info.fields if field.required]
        if info.tag_field is not None:
            properties = {info.tag_field: {"const": info.tag}, **properties}
            required = [info.tag_field, *required]
        schema: Schema = {"type": "object", "properties": properties, "required": required}
        if self._is_closed(struct_class(info)):
            schema["additionalProperties"] = False
        return schema

    def _field_schema(self, info: mi.StructType, field: mi.Field) -> Schema:
        if contents := self._roots.contents(field, self._ruleset):
            return self._content_schema(contents)
        schema = self._schema_of(field.type, self._roots.labels(field, self._ruleset))
        if bounds := self._bounds.get(self._ruleset):
            schema = bounds.bound_field(info, field, schema)
        default = field_default(field)
        if default is None:
            return _without_null(schema)
        if default is msgspec.NODEFAULT or "$ref" in schema or isinstance(default, Raw):
            return schema  # draft 7 ignores everything beside a $ref
        return {**schema, "default": _to_json_value(default)}

    def _content_schema(self, contents: tuple[str, ...]) -> Schema:
        """Return the schema of what rulesets put into a field."""
        schemas = [self._reference(name) for name in contents]
        return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}

    def _is_closed(self, kind: type[Struct]) -> bool:
        """Return whether an object with an unknown field is refused, by the decoder or by the server."""
        return kind.__struct_config__.forbid_unknown_fields or kind in self._roots.closed

    def _reference(self, name: str) -> Schema:
        return {"$ref": self._prefix + name}


def _tag_field(info: mi.UnionType) -> str | None:
    """Return the field that tells the members of a union apart; None where they are not objects with one."""
    fields = {
        member.tag_field if isinstance(member, mi.StructType) and not member.array_like else None
        for member in info.types
    }
    return fields.pop() if len(fields) == 1 else None


def _without_null(schema: Schema) -> Schema:
    """Return the schema of a field that is left out where there is nothing: null is never written for that."""
    members = [member for member in schema["anyOf"] if member != {"type": "null"}]
    return members[0] if len(members) == 1 else {"anyOf": members}


def _limits(**limits: int | str | None) -> Schema:
    return {name: limit for name, limit in limits.items() if limit is not None}


def _titled(item: Schema, label: str) -> Schema:
    """Return the schema of an item of an array, with its name; draft 7 ignores a title beside a $ref."""
    return {"title": label, "allOf": [item]} if "$ref" in item else {"title": label, **item}


def _to_json_value(value: object) -> Any:
    """Return a value as JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(value))
