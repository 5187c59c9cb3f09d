"""Suggestions for misspelled words: the nearest of the known ones."""

import re
from collections.abc import Collection
from difflib import get_close_matches
from functools import lru_cache

import msgspec
from msgspec import inspect


def suggest(given: str, known: Collection[str]) -> str:
    """Return the end of a complaint about a word that is none of the known ones."""
    options = sorted(set(known))
    close = get_close_matches(given, options, n=1) or [one for one in options if one.lower() == given.lower()]
    if close:
        return f"; did you mean {json_quote(close[0])}?"
    if not options:
        return ""
    few = ", ".join(json_quote(option) for option in options[:12])
    return f"; known are {few}{', …' if len(options) > 12 else ''}"


def json_quote(text: str) -> str:
    """Return a text in quotes, on one line."""
    return msgspec.json.encode(text).decode()


def suggest_for_error(text: str, words: object, where: str) -> str:
    """Return the end of what msgspec complains of at `.place` in `words`: a word outside a closed set, or a field."""
    if where in ("", ".") and (unknown := re.fullmatch(r"Object contains unknown field `(.*)`", text, re.DOTALL)):
        return suggest(unknown[1], _field_names(words))
    given = re.fullmatch(r"Invalid (?:enum )?value '(.*)'", text, re.DOTALL)
    return suggest(given[1], _allowed_values_at(words, where.removeprefix("."))) if given else ""


@lru_cache(256)
def _field_names(words: object) -> tuple[str, ...]:
    shape = inspect.type_info(words)
    return tuple(known.encode_name for known in shape.fields) if isinstance(shape, inspect.StructType) else ()


@lru_cache(256)
def _allowed_values_at(words: object, field: str) -> tuple[str, ...]:
    """Return the words allowed in a field of a message: the existing types, or the values of a closed set."""
    shape = inspect.type_info(words)
    structs = shape.types if isinstance(shape, inspect.UnionType) else (shape,)
    found: list[str] = []
    for struct in structs:
        if isinstance(struct, inspect.StructType):
            found += [str(struct.tag)] if struct.tag_field == field else _literal_values(struct, field)
    return tuple(found)


def _literal_values(struct: inspect.StructType, field: str) -> list[str]:
    types = [known.type for known in struct.fields if known.encode_name == field]
    types = [kind.type if isinstance(kind, inspect.Metadata) else kind for kind in types]
    return [str(value) for type_ in types if isinstance(type_, inspect.LiteralType) for value in type_.values]
