"""Bounds of positions as the schema states them, from the tables that readers check (`position_bounds.py`).

A struct that only boards hold states its bounds itself. One that events or catalogues hold as well keeps its wider
ranges there, because readers refuse those in positions only: the field of the board that leads to it narrows them.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec import inspect as mi

from diskwars_protocol.match.position_bounds import MAX_ENTRIES, MAX_NUMBER, MAX_TEXT
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.schema.schema_roots import SHARED_ROOTS, reachable_structs, ruleset_roots, struct_class

Schema: TypeAlias = dict[str, Any]
Places: TypeAlias = frozenset[str]
"""The places of a value in a board, as tables of bounds name them: `units[].x`."""

_WHOLE_BOARD: Places = frozenset({""})


class BoardBounds:
    """What the schema of one ruleset says of its boards beyond the types of their fields."""

    def __init__(self, vocabulary: AnyVocabulary) -> None:
        bounds = vocabulary.position_bounds
        self._ranges = dict.fromkeys(bounds.references, (0, MAX_ENTRIES - 1)) | dict(bounds.ranges)
        roots = mi.multi_type_info((*SHARED_ROOTS.values(), *ruleset_roots(vocabulary).values()))
        self._held_elsewhere = frozenset(
            struct_class(info) for root in roots for info in reachable_structs(root, without=vocabulary.board)
        )
        self._places: dict[type[Struct], Places] = {}
        self._find_places(mi.type_info(vocabulary.board), _WHOLE_BOARD)

    def bound_field(self, struct: mi.StructType, field: mi.Field, schema: Schema) -> Schema:
        """Return the schema of a field with the bounds of boards, if only boards hold its struct."""
        places = self._places.get(struct_class(struct))
        return schema if places is None else self._bound(field.type, schema, _field_places(places, struct, field))

    def _find_places(self, info: mi.Type, places: Places) -> None:
        if not isinstance(info, mi.StructType):
            for part, below in _parts(info, places):
                self._find_places(part, below)
            return
        kind = struct_class(info)
        known = self._places.get(kind, frozenset())
        if kind in self._held_elsewhere or places <= known:
            return
        self._places[kind] = known | places
        for field in info.fields:
            self._find_places(field.type, _field_places(places, info, field))

    def _bound(self, info: mi.Type, schema: Schema, places: Places) -> Schema:
        match info:
            case mi.Metadata(type=annotated):
                return self._bound(annotated, schema, places)
            case mi.UnionType() if "anyOf" in schema:
                members = zip(info.types, schema["anyOf"], strict=True)
                return schema | {"anyOf": [self._bound(member, part, places) for member, part in members]}
            case mi.VarTupleType():
                items = self._bound(info.item_type, schema["items"], _entries_of(places))
                return schema | {"items": items, "maxItems": schema.get("maxItems", MAX_ENTRIES)}
            case mi.IntType():
                return schema | self._narrowed(schema, places)
            case mi.StrType() if not {"pattern", "enum", "maxLength"} & schema.keys():
                return schema | {"maxLength": MAX_TEXT}
            case mi.StructType() | mi.UnionType() if narrower := self._narrower(info, places):
                return {"allOf": [schema, narrower]}
            case _:
                return schema

    def _narrowed(self, schema: Schema, places: Places) -> Schema:
        """Return the range of a number: that of its type, as far as readers take it at all of its places."""
        ranges = [self._ranges.get(place, (-MAX_NUMBER, MAX_NUMBER)) for place in places]
        return {
            "minimum": max(schema.get("minimum", -MAX_NUMBER), min(least for least, _ in ranges)),
            "maximum": min(schema.get("maximum", MAX_NUMBER), max(most for _, most in ranges)),
        }

    def _narrower(self, info: mi.Type, places: Places) -> Schema | None:
        """Return the bounds in a value that others than boards hold too; None without any.

        A union has those on which its members agree.
        """
        match info:
            case mi.Metadata(type=mi.IntType(), extra_json_schema=own) if places <= self._ranges.keys():
                narrowed = self._narrowed(own or {}, places)
                return None if narrowed == own else {"type": "integer"} | narrowed
            case mi.Metadata(type=annotated):
                return self._narrower(annotated, places)
            case mi.VarTupleType():
                items = self._narrower(info.item_type, _entries_of(places))
                return items and {"type": "array", "items": items}
            case mi.UnionType():
                members = [member for member in info.types if not isinstance(member, mi.NoneType)]
                first, *others = [self._narrower(member, places) for member in members]
                return first if all(other == first for other in others) else None
            case mi.StructType() if struct_class(info) in self._held_elsewhere and not info.array_like:
                fields = {
                    field.encode_name: narrower
                    for field in info.fields
                    if (narrower := self._narrower(field.type, _field_places(places, info, field)))
                }
                return {"type": "object", "properties": fields} if fields else None
            case _:
                return None


def _parts(info: mi.Type, places: Places) -> Iterable[tuple[mi.Type, Places]]:
    """Yield the types of which one consists, each with its places."""
    match info:
        case mi.Metadata(type=annotated):
            yield annotated, places
        case mi.UnionType(types=members):
            yield from ((member, places) for member in members)
        case mi.VarTupleType(item_type=item):
            yield item, _entries_of(places)
        case mi.TupleType(item_types=items):
            yield from ((item, _entries_of(places)) for item in items)
        case _:
            return


def _field_places(places: Places, struct: mi.StructType, field: mi.Field) -> Places:
    if struct.array_like:
        return _entries_of(places)
    return frozenset(f"{place}.{field.encode_name}" if place else field.encode_name for place in places)


def _entries_of(places: Places) -> Places:
    return frozenset(f"{place}[]" for place in places)
