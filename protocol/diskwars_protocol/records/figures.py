"""The figures of content: what its hash covers and verification compares. Display names are no figures."""

import hashlib
from collections.abc import Iterable
from typing import TypeVar

import msgspec

from diskwars_protocol.identifiers import Identified
from diskwars_protocol.records.canonical import Json, encode_canonical

DISPLAY_FIELDS = frozenset({"name", "short_name"})
"""Fields for people, in any object: they may be corrected or translated while matches are open and stored."""


EntryT = TypeVar("EntryT", bound=Identified)


def figures_of(content: object) -> Json:
    """Return content as plain JSON without the fields for people."""
    return _without_display_fields(msgspec.json.decode(msgspec.json.encode(content)))


def figures_hash(content: object) -> str:
    """Return the SHA-256 of the figures in canonical JSON, as hex digits."""
    return hashlib.sha256(encode_canonical(figures_of(content))).hexdigest()


def with_recorded_names(own: Iterable[EntryT], recorded: Iterable[EntryT]) -> tuple[EntryT, ...]:
    """Return own entries, each as it was recorded where it has the same figures, so that names may differ."""
    by_id = {entry.id: entry for entry in recorded}
    return tuple(_with_recorded_name(entry, by_id.get(entry.id, entry)) for entry in own)


def _with_recorded_name(own: EntryT, recorded: EntryT) -> EntryT:
    return recorded if figures_of(own) == figures_of(recorded) else own


def _without_display_fields(value: Json) -> Json:
    if isinstance(value, dict):
        return {name: _without_display_fields(part) for name, part in value.items() if name not in DISPLAY_FIELDS}
    return [_without_display_fields(part) for part in value] if isinstance(value, list) else value
