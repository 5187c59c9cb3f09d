"""Samples of one ruleset for documents and tests, and samples made from types where none is written down."""

import re
from collections.abc import Iterable
from typing import Any, get_args

from msgspec import NODEFAULT, Raw, Struct
from msgspec import inspect as mi

from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.messages.catalogues import LoadoutFault

MIN_TEXTS = ("", "a", "1.0", "$", "R1", "0" * 16, "0" * 32, "0" * 64, "aaaa-aaaa-aaaa-aaaa")
"""Texts that are tried where a pattern is given: an id, a decision, a path, a rule, hex digits, a recovery code."""


class SeatSample(Struct, frozen=True):
    """The loadout of a player, as it is sent and as the rules complete it."""

    requested: Any
    complete: Any


class RulesetSamples(Struct, frozen=True):
    """The part of a ruleset in the example conversation, and samples of its own actions and questions.

    `hidden_fields` are those of a loadout that other seats may not see yet. `match_settings` and `check_settings` are
    settings as a client sends them. Actions and questions without a sample get one made from their types.
    """

    vocabulary: AnyVocabulary
    packs: tuple[Pack, ...]
    seats: tuple[SeatSample, SeatSample]
    hidden_fields: tuple[str, ...]
    match_settings: bytes
    check_settings: bytes
    options: Any
    catalogue: Any
    faulty_loadout: Any
    loadout_fault: LoadoutFault
    actions: tuple[Any, ...] = ()
    questions: tuple[Any, ...] = ()


def complete_samples(union: Any, written: Iterable[Struct]) -> tuple[Any, ...]:
    """Return the samples that are written down, followed by one for each other member of a union."""
    samples = tuple(written)
    known = {type(sample) for sample in samples}
    kinds = [kind for kind in get_args(union) if getattr(kind, "__origin__", kind) not in known]
    return (*samples, *map(make_sample, kinds))


def make_sample(kind: Any) -> Any:
    """Return a value of a struct: optional fields have their defaults, the others a plain value of their type.

    Raises TypeError for a type that has no place in messages.
    """
    return _sample(mi.type_info(kind), "")


def _sample(info: mi.Type, name: str) -> Any:
    """Return a value of a type; texts without a pattern are the name of their field."""
    match info:
        case mi.StructType():
            needed = {field.name: _sample(field.type, field.encode_name) for field in info.fields if _is_needed(field)}
            return info.cls(**needed)
        case mi.UnionType():
            members = [member for member in info.types if not isinstance(member, mi.NoneType)]
            return _sample(members[0], name)
        case mi.Metadata():
            return _described_sample(info, name)
        case mi.LiteralType():
            return sorted(info.values, key=str)[0]
        case mi.StrType():
            return _text(info, name)
        case mi.IntType():
            return max(info.ge or 0, 1 if info.le is None or info.le > 0 else info.le)
        case mi.BoolType():
            return False
        case mi.RawType() | mi.AnyType():
            return Raw(b"{}")
        case mi.TupleType():
            return tuple(_sample(item, name) for item in info.item_types)
        case mi.VarTupleType():
            return tuple(_sample(info.item_type, name) for _ in range(max(info.min_length or 0, 1)))
        case mi.DictType():
            return {}
        case _:
            raise TypeError(f"no sample of {info}")


def _described_sample(info: mi.Metadata, name: str) -> Any:
    """Return a value that also has the range and the form that only the schema states."""
    stated = info.extra_json_schema or {}
    value = _sample(info.type, name)
    if isinstance(value, int):
        return min(max(value, stated.get("minimum", value)), stated.get("maximum", value))
    if "pattern" in stated and not re.search(stated["pattern"], value):
        return next(text for text in MIN_TEXTS if re.search(stated["pattern"], text))
    return value


def _is_needed(field: mi.Field) -> bool:
    return field.default is NODEFAULT and field.default_factory is NODEFAULT


def _text(info: mi.StrType, name: str) -> str:
    if info.pattern is None:
        return name[: info.max_length] if name else "x"
    return next(text for text in MIN_TEXTS if re.search(info.pattern, text))
