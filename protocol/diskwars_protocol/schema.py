"""JSON Schema and AsyncAPI documents of everything that is sent, generated from the structs.

They cannot differ from what the decoders accept. JSON Schema is draft 7, the dialect of AsyncAPI; raw JSON is described
as what Diskwars puts there.
"""

import inspect
import re
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Raw, Struct
from msgspec import inspect as mi

from diskwars_protocol import examples
from diskwars_protocol import messages as m
from diskwars_protocol.match import Decision, Match, RecordBody, Result, SeatState
from diskwars_protocol.records import MatchHeader, WireRecord
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS

Schema: TypeAlias = dict[str, Any]

OpenDecisions: TypeAlias = tuple[Decision[a.Question], ...]

SCHEMA_ROOTS: dict[str, Any] = {
    "ClientMessage": m.ClientMessage,
    "ServerMessage": m.ServerMessage,
    "MatchHeader": MatchHeader,
    "diskwars.Settings": a.DiskwarsSettings,
    "diskwars.Loadout": a.Loadout,
    "diskwars.Action": a.Action,
    "diskwars.Question": a.Question,
    "diskwars.Event": e.Event,
    "diskwars.RecordBody": RecordBody[a.Action, a.Question, e.Event],
    "diskwars.Match": DiskwarsMatch,
    "diskwars.Options": DiskwarsOptions,
    "diskwars.OpenDecisions": OpenDecisions,
}
"""The names under which whole vocabularies are found. What belongs to a ruleset is named after it, before a dot."""

RAW_FIELD_ROOTS: dict[tuple[type[Struct], str], str] = {
    (m.OpenMatch, "settings"): "diskwars.Settings",
    (m.OpenMatch, "options"): "MatchOptions",
    (m.CheckArmy, "settings"): "diskwars.Settings",
    (m.CheckArmy, "loadout"): "diskwars.Loadout",
    (m.Act, "action"): "diskwars.Action",
    (m.Refused, "open_decisions"): "diskwars.OpenDecisions",
    (m.OptionsResponse, "options"): "diskwars.Options",
    (m.Watching, "header"): "MatchHeader",
    (m.Watching, "snapshot"): "diskwars.Match",
    (WireRecord, "body"): "diskwars.RecordBody",
}
"""Contents of fields that pass through as raw JSON."""

OPEN_FIELD_TYPES: dict[tuple[type[Struct], str], Any] = {
    (Match, "settings"): a.DiskwarsSettings,
    (SeatState, "loadout"): a.Loadout | None,
    (Result, "end_reason"): Literal[DISKWARS.end_reasons],
}
"""Fields whose type is left open for the ruleset, with what Diskwars puts there."""

TUPLE_LABELS: dict[str, tuple[str, ...]] = {
    "path": ("dx", "dy"),
    "corners": ("x", "y"),
    "faces": ("face_0", "face_1"),
}
"""Names of the items of plain tuples, by the field that holds one or an array of them."""

SENT_BY_CLIENTS: frozenset[type[Struct]] = frozenset(
    (a.DiskwarsSettings, a.Loadout, a.Regiment, *get_args(a.BoardAction))
)
"""Structs of a ruleset in which a server refuses unknown fields (known_fields.py); readers of records ignore them."""

WEBSOCKET_PATH = "/ws"
"""The path of the WebSocket on a server."""


UNREQUESTED_MESSAGES: tuple[type[Struct], ...] = (
    m.Watching,
    m.Records,
    m.OptionsResponse,
    m.Unwatched,
    m.Refused,
    m.Closing,
)
"""What a server may send without a request."""


class SchemaError(Exception):
    """A type of the vocabulary that has no schema here."""


def make_json_schema() -> Schema:
    """Return one document: a message of either union, and all structs and `SCHEMA_ROOTS` under `definitions`."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": f"Diskwars protocol, version {m.PROTOCOL_VERSION}",
        "anyOf": [{"$ref": "#/definitions/ClientMessage"}, {"$ref": "#/definitions/ServerMessage"}],
        "definitions": _SchemaDefinitions("#/definitions/").schemas,
    }


def make_asyncapi(host: str = "localhost:8765") -> Schema:
    """Return an AsyncAPI 3.0 document of a server: what it receives, what it sends, and what it replies to what."""
    schemas = _SchemaDefinitions("#/components/schemas/").schemas
    kinds = (*get_args(m.ClientMessage), *get_args(m.ServerMessage))
    channel = {"$ref": "#/channels/conversation"}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Diskwars",
            "version": str(m.PROTOCOL_VERSION),
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
            **{message_tag(kind): _receive_operation(kind, channel) for kind in get_args(m.ClientMessage)},
            "tell": _operation("send", channel, UNREQUESTED_MESSAGES),
        },
        "components": {"messages": {message_tag(kind): _message(kind) for kind in kinds}, "schemas": schemas},
    }


def message_tag(kind: type[Struct]) -> str:
    """Return the value of `type` that stands for a struct."""
    return str(kind.__struct_config__.tag)


def definition_name(info: mi.StructType) -> str:
    """Return the name of a struct's definition: of a ruleset's own, and of what is filled with its types, qualified."""
    kind = struct_class(info)
    for name, root in SCHEMA_ROOTS.items():
        if info.cls is root or info.cls == root:
            return name
    is_filled = any(kind is owner for owner, _ in OPEN_FIELD_TYPES)
    ruleset = "diskwars" if is_filled else _find_ruleset(info.cls)
    return f"{ruleset}.{kind.__name__}" if ruleset else kind.__name__


def _find_ruleset(kind: Any) -> str:
    """Return the ruleset that a type or one of its arguments comes from, empty for none."""
    found = re.match(r"diskwars_protocol\.rulesets\.(\w+)\.", getattr(kind, "__module__", ""))
    return found[1] if found else next(filter(None, map(_find_ruleset, get_args(kind))), "")


def struct_description(kind: type[Struct]) -> str:
    """Return what the struct's own words say it is, None being null in JSON; empty where its name says all."""
    text = kind.__dict__.get("__doc__")
    return re.sub(r"\bNone\b", "null", inspect.cleandoc(text)) if isinstance(text, str) else ""


# ---------------------------------------------------------------- AsyncAPI


def _receive_operation(kind: type[Struct], channel: Schema) -> Schema:
    answers: list[type[Struct]] = [m.Welcome] if kind is m.Hello else [m.RESPONSE_TYPES[kind], m.Refused]
    found = _operation("receive", channel, [kind])
    found["reply"] = {"channel": channel, "messages": _references(answers)}
    return found


def _operation(action: str, channel: Schema, kinds: Iterable[type[Struct]]) -> Schema:
    return {"action": action, "channel": channel, "messages": _references(kinds)}


def _references(kinds: Iterable[type[Struct]]) -> list[Schema]:
    return [{"$ref": f"#/channels/conversation/messages/{message_tag(kind)}"} for kind in kinds]


def _message(kind: type[Struct]) -> Schema:
    found: Schema = {
        "name": message_tag(kind),
        "payload": {"$ref": f"#/components/schemas/{kind.__name__}"},
        "examples": [{"payload": _to_json_value(examples.find_example(kind))}],
    }
    if text := struct_description(kind):
        found["summary"] = text.split("\n")[0]
        found["description"] = text
    return found


# ---------------------------------------------------------------- JSON Schema


class _SchemaDefinitions:
    """Every struct that can be reached from `SCHEMA_ROOTS`, each under its own name."""

    def __init__(self, prefix: str) -> None:
        self.schemas: Schema = {}
        self._prefix = prefix
        self._structs: dict[str, Any] = {}
        self._unions: dict[frozenset[Any], str] = {}
        infos = dict(zip(SCHEMA_ROOTS, mi.multi_type_info(SCHEMA_ROOTS.values()), strict=True))
        for name, info in infos.items():
            if isinstance(info, mi.UnionType):
                self._unions[union_members(info)] = name
        for name, info in infos.items():
            if isinstance(info, mi.UnionType):
                self.schemas[name] = {"oneOf": [self._schema_of(member) for member in info.types]}
            elif isinstance(info, mi.StructType):
                self._struct_schema(info, name)
            else:
                self.schemas[name] = self._schema_of(info)

    def _schema_of(self, info: mi.Type, labels: tuple[str, ...] = ()) -> Schema:
        match info:
            case mi.StructType():
                return self._struct_schema(info, definition_name(info))
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
        if known := self._unions.get(union_members(info)):
            return self._reference(known)
        return {"anyOf": [self._schema_of(member, labels) for member in info.types]}

    def _struct_schema(self, info: mi.StructType, name: str) -> Schema:
        """Write the definition once, before its fields are looked at, and refers to it."""
        if self._structs.setdefault(name, info.cls) != info.cls:
            raise SchemaError(f"two structs are called {name}: {self._structs[name]} and {info.cls}")
        if name not in self.schemas:
            found: Schema = {}
            self.schemas[name] = found
            if text := struct_description(struct_class(info)):
                found["description"] = text
            found.update(self._array_schema(info) if info.array_like else self._object_schema(info))
        return self._reference(name)

    def _array_schema(self, info: mi.StructType) -> Schema:
        needed = [field for field in info.fields if field.required]
        found: Schema = {
            "type": "array",
            "items": [_titled(self._field_schema(info, field), field.encode_name) for field in info.fields],
            "minItems": len(needed),
        }
        if struct_class(info).__struct_config__.forbid_unknown_fields:
            found["maxItems"] = len(info.fields)
        return found

    def _object_schema(self, info: mi.StructType) -> Schema:
        properties = {field.encode_name: self._field_schema(info, field) for field in info.fields}
        required = [field.encode_name for field in info.fields if field.required]
        if info.tag_field is not None:
            properties = {info.tag_field: {"const": info.tag}, **properties}
            required = [info.tag_field, *required]
        found: Schema = {"type": "object", "properties": properties, "required": required}
        if _is_closed(struct_class(info)):
            found["additionalProperties"] = False
        return found

    def _field_schema(self, info: mi.StructType, field: mi.Field) -> Schema:
        root = RAW_FIELD_ROOTS.get((struct_class(info), field.name))
        labels = TUPLE_LABELS.get(field.name, ())
        found = self._reference(root) if root else self._schema_of(field_type(info, field), labels)
        default = field_default(field)
        if default is msgspec.NODEFAULT or "$ref" in found or isinstance(default, Raw):
            return found  # draft 7 ignores everything beside a $ref
        return {**found, "default": _to_json_value(default)}

    def _reference(self, name: str) -> Schema:
        return {"$ref": self._prefix + name}


def field_default(field: mi.Field) -> object:
    """Return what a field is when it is absent; NODEFAULT where it may not be."""
    if field.default is msgspec.NODEFAULT and field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def _is_closed(kind: type[Struct]) -> bool:
    """Return whether an object with an unknown field is refused, by the decoder or by the server."""
    return kind.__struct_config__.forbid_unknown_fields or kind in SENT_BY_CLIENTS


def _limits(**limits: int | str | None) -> Schema:
    return {name: limit for name, limit in limits.items() if limit is not None}


def _titled(item: Schema, label: str) -> Schema:
    """Return the schema of an item of an array, with its name; draft 7 ignores a title beside a $ref."""
    return {"title": label, "allOf": [item]} if "$ref" in item else {"title": label, **item}


def struct_class(info: mi.StructType) -> type[Struct]:
    """Return the struct itself, also of `TakeSeat[Entry]`."""
    found: type[Struct] = getattr(info.cls, "__origin__", info.cls)
    return found


def field_type(info: mi.StructType, field: mi.Field) -> mi.Type:
    """Return the type of a field; where the struct leaves it open, the one that Diskwars puts there."""
    filled = OPEN_FIELD_TYPES.get((struct_class(info), field.name))
    return field.type if filled is None else mi.type_info(filled)


def union_members(info: mi.UnionType) -> frozenset[Any]:
    return frozenset(member.cls if isinstance(member, mi.StructType) else repr(member) for member in info.types)


def _to_json_value(value: object) -> Any:
    """Return a value as JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(value))
