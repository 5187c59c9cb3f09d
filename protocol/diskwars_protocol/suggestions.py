"""Suggestions in error messages: the known word that is nearest to a misspelled one."""

import re
from collections.abc import Collection
from difflib import get_close_matches
from functools import lru_cache, partial
from heapq import nlargest

import msgspec
from msgspec import inspect

MAX_LISTED_WORDS = 20
MAX_MISSPELLED_LENGTH = 64
"""Longer words are not misspelled. Strangers may send them: to compare 15 KB with all that is known took 1 ms."""
MAX_COMPARED_WORDS = 5
"""Known words, those with the most letters in common, to which a misspelled one is compared in sequence. To compare one
with each type of message took 0.25 ms."""


def suggest(given: str, known: Collection[str]) -> str:
    """Return the end of an error message about an unknown word: the nearest known word, or some of them."""
    options = sorted(set(known))
    close = []
    if len(given) <= MAX_MISSPELLED_LENGTH:
        alike = nlargest(MAX_COMPARED_WORDS, options, partial(_shared_letters, _letters(given)))
        close = get_close_matches(given, alike, n=1) or [word for word in alike if word.lower() == given.lower()]
    if close:
        return f"; did you mean {json_quote(close[0])}?"
    if not options:
        return ""
    few = ", ".join(json_quote(option) for option in options[:MAX_LISTED_WORDS])
    return f"; known are {few}{', …' if len(options) > MAX_LISTED_WORDS else ''}"


def _shared_letters(letters: frozenset[str], word: str) -> int:
    """Return how many of a thousand letters a word has in common with these."""
    known = _letters(word)
    common = len(letters & known)
    return 1000 * common // max(1, len(letters) + len(known) - common)


@lru_cache(4096)
def _letters(word: str) -> frozenset[str]:
    return frozenset(word.lower())


def json_quote(text: str) -> str:
    """Quote a text as JSON, which keeps it on one line."""
    return msgspec.json.encode(text).decode()


def suggest_for_error(text: str, words: object, where: str) -> str:
    """Return the end of a msgspec error message, if it is about an unknown field or a value outside a closed set.

    `text` is the message, `words` the type that was decoded and `where` the place in it, such as `.field`.
    """
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
    """List the values allowed in a field: the tags of a union of structs, or the values of a closed set."""
    shape = inspect.type_info(words)
    structs = shape.types if isinstance(shape, inspect.UnionType) else (shape,)
    values: list[str] = []
    for struct in structs:
        if isinstance(struct, inspect.StructType):
            values += [str(struct.tag)] if struct.tag_field == field else _literal_values(struct, field)
    return tuple(values)


def _literal_values(struct: inspect.StructType, field: str) -> list[str]:
    types = [known.type for known in struct.fields if known.encode_name == field]
    types = [kind.type if isinstance(kind, inspect.Metadata) else kind for kind in types]
    members = [member for kind in types for member in (kind.types if isinstance(kind, inspect.UnionType) else (kind,))]
    return [str(value) for member in members if isinstance(member, inspect.LiteralType) for value in member.values]
