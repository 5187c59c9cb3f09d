"""TypeScript types of everything that is sent, generated from the structs like the JSON Schema.

What belongs to a ruleset is in a namespace of its name. `type` discriminates unions of structs. As in the
schema, an optional field is left out where there is nothing, or where it has its default.
"""

import json
import re
from typing import Any

import msgspec
from msgspec import Raw
from msgspec import inspect as mi

from diskwars_protocol.messages.handshake import PROTOCOL_VERSION
from diskwars_protocol.schema.schema import SchemaError, struct_description
from diskwars_protocol.schema.schema_roots import SchemaRoots, field_default, ruleset_of, struct_class, union_members

HEADING = f"""\
// Diskwars protocol, version {PROTOCOL_VERSION}. Written by `diskwars schema --typescript`; changes here are lost.

/** An object used as a map: its keys are data, not fields. */
export type NameMap<Value> = Readonly<Record<string, Value>>;
"""

_IDENTIFIER_PATTERN = re.compile(r"[A-Za-z_$][\w$]*")
_INDENT = "  "


def make_typescript(roots: SchemaRoots | None = None) -> str:
    """Return the text of one module with a type for each root and each struct."""
    namespaces: dict[str, list[str]] = {}
    declarations = _TypeDeclarations(roots or SchemaRoots()).texts
    for name, text in declarations.items():
        namespace, _, own_name = name.rpartition(".")
        if namespace and own_name in declarations:
            raise SchemaError(f"{name} hides {own_name}: a ruleset's type needs a name of its own")
        namespaces.setdefault(namespace, []).append(text)
    parts = [HEADING, *namespaces.pop("", [])]
    for namespace, texts in namespaces.items():
        body = "\n".join(texts)
        parts.append(f"export namespace {namespace} {{\n{_indent(body)}}}\n")
    return "\n".join(parts)


class _TypeDeclarations:
    """The declaration of every struct that can be reached from the roots, by its qualified name."""

    def __init__(self, roots: SchemaRoots) -> None:
        self.texts: dict[str, str] = {}
        self._roots = roots
        self._ruleset = ""
        self._structs: dict[str, Any] = {}
        self._unions = roots.named_unions()
        for name, info in roots.infos.items():
            self._ruleset = ruleset_of(name)
            if isinstance(info, mi.StructType):
                self._declare_struct(info, name)
                continue
            if isinstance(info, mi.UnionType):
                members = [self._type_of(member) for member in info.types]
                text = "".join(f"\n{_INDENT}| {member}" for member in members)
            else:
                text = " " + self._type_of(info)
            self.texts[name] = f"export type {_own_name(name)} ={text};\n"

    def _type_of(self, info: mi.Type, labels: tuple[str, ...] = ()) -> str:
        match info:
            case mi.StructType():
                return self._declare_struct(info, self._roots.definition_name(info, self._ruleset))
            case mi.UnionType():
                known = self._unions.get((self._ruleset, union_members(info)))
                return known or " | ".join(self._type_of(member, labels) for member in info.types)
            case mi.LiteralType():
                return " | ".join(sorted(map(json.dumps, info.values)))
            case mi.StrType():
                return "string"
            case mi.Metadata():
                return self._type_of(info.type, labels)
            case mi.IntType():
                return "number"
            case mi.BoolType():
                return "boolean"
            case mi.NoneType():
                return "null"
            case mi.RawType():
                return "unknown"
            case mi.TupleType():
                return _tuple_type([self._type_of(item) for item in info.item_types], labels)
            case mi.VarTupleType():
                return f"ReadonlyArray<{self._type_of(info.item_type, labels)}>"
            case mi.DictType():
                return f"NameMap<{self._type_of(info.value_type)}>"
            case mi.Metadata():
                return self._type_of(info.type, labels)
            case _:
                raise SchemaError(f"no TypeScript type for {info}")

    def _declare_struct(self, info: mi.StructType, name: str) -> str:
        """Write the declaration once and return the name that refers to it."""
        if self._structs.setdefault(name, info.cls) != info.cls:
            raise SchemaError(f"two structs are called {name}: {self._structs[name]} and {info.cls}")
        if name not in self.texts:
            self.texts[name] = ""  # keeps its place, and ends the recursion of a struct that holds itself
            body = self._array_body(info, name) if info.array_like else self._object_body(info, name)
            self.texts[name] = _comment(struct_description(struct_class(info))) + body
        return name

    def _array_body(self, info: mi.StructType, name: str) -> str:
        labels = tuple(field.encode_name + ("" if field.required else "?") for field in info.fields)
        items = [self._field_type(info, field) for field in info.fields]
        return f"export type {_own_name(name)} = {_tuple_type(items, labels)};\n"

    def _object_body(self, info: mi.StructType, name: str) -> str:
        lines = [] if info.tag_field is None else [f"readonly {info.tag_field}: {json.dumps(info.tag)};\n"]
        for field in info.fields:
            mark = "" if field.required else "?"
            field_type = self._field_type(info, field)
            lines.append(
                _comment(_default_note(field)) + f"readonly {_property(field.encode_name)}{mark}: {field_type};\n"
            )
        return f"export interface {_own_name(name)} {{\n{_indent(''.join(lines))}}}\n"

    def _field_type(self, info: mi.StructType, field: mi.Field) -> str:
        if contents := self._roots.contents(field, self._ruleset):
            return " | ".join(contents)
        field_type = self._type_of(field.type, self._roots.labels(field, self._ruleset))
        return field_type.removesuffix(" | null") if field_default(field) is None else field_type


def _tuple_type(items: list[str], labels: tuple[str, ...]) -> str:
    if len(labels) == len(items):
        items = [f"{label}: {item}" for label, item in zip(labels, items, strict=True)]
    return f"readonly [{', '.join(items)}]"


def _default_note(field: mi.Field) -> str:
    """Return what an absent field means; empty where it may not be absent, or means that there is nothing."""
    default = field_default(field)
    if default is None or default is msgspec.NODEFAULT or isinstance(default, Raw):
        return ""
    return f"Default: {msgspec.json.encode(default).decode()}"


def _comment(text: str) -> str:
    if not text:
        return ""
    lines = text.replace("*/", r"*\/").split("\n")
    if len(lines) == 1:
        return f"/** {lines[0]} */\n"
    return "/**\n" + "".join(f" * {line}".rstrip() + "\n" for line in lines) + " */\n"


def _own_name(name: str) -> str:
    return name.rpartition(".")[2]


def _property(name: str) -> str:
    return name if _IDENTIFIER_PATTERN.fullmatch(name) else json.dumps(name)


def _indent(text: str) -> str:
    return "".join(_INDENT + line if line.strip() else line for line in text.splitlines(keepends=True))
