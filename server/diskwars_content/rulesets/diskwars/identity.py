"""Ids, display names and short names of pack entries: their form, unique within a pack."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from diskwars_content.rulesets.diskwars.entry_checks import Fault
from diskwars_content.rulesets.diskwars.keyword_text import did_you_mean, quote
from diskwars_content.rulesets.diskwars.specs import TerrainPieceSpec
from diskwars_content.rulesets.diskwars.terrain import piece_faults
from diskwars_content.rulesets.diskwars.toml_reader import FileFaults
from diskwars_protocol.identifiers import MAX_ID_LENGTH, MAX_SHORT_NAME_LENGTH, is_id, make_id
from diskwars_protocol.records.canonical import JsonPath, format_path


class IdentitySpec(Protocol):
    """A table of a pack that has an id, a display name and, where that is long, a short name."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def short_name(self) -> str | None: ...


def id_faults(id: str) -> Iterator[Fault]:
    if not is_id(id):
        hint = f'; write "{make_id(id)}"' if make_id(id) else ""
        yield ("id",), f"{quote(id)} is not 1 to {MAX_ID_LENGTH} small letters and digits, joined by hyphens{hint}"


def identity_faults(spec: IdentitySpec) -> Iterator[Fault]:
    yield from id_faults(spec.id)
    if spec.short_name is not None and len(spec.short_name) > MAX_SHORT_NAME_LENGTH:
        yield ("short_name",), f"{quote(spec.short_name)} has more than {MAX_SHORT_NAME_LENGTH} characters"
    if not spec.short_name and len(spec.name) > MAX_SHORT_NAME_LENGTH:
        yield (), f'"short_name" is missing, as the name has more than {MAX_SHORT_NAME_LENGTH} characters'


S = TypeVar("S", bound=IdentitySpec)


def with_identity(find_faults: Callable[[S], Iterable[Fault]]) -> Callable[[S], Iterable[Fault]]:
    """Return a check that runs the identity checks first, then `find_faults`."""
    return lambda spec: (*identity_faults(spec), *find_faults(spec))


def terrain_identity_faults(piece: TerrainPieceSpec) -> Iterator[Fault]:
    yield from id_faults(piece.id)
    for number, face in enumerate(piece.faces):
        yield from ((("faces", number, *place), text) for place, text in identity_faults(face))
    yield from piece_faults(piece)


class IdentityClaims:
    """The first entry of a pack to use each id, name and short name, by kind of entry."""

    def __init__(self) -> None:
        self._first_places: dict[tuple[str, str, str], str] = {}

    def claim(self, kind: str, spec: IdentitySpec, place: JsonPath, log: FileFaults) -> bool:
        """Claim the id, name and short name of an entry. Return False, and log each clash, if one is already taken."""
        has_new_id = self.claim_word(kind, "id", spec.id, place, log)
        has_new_name = self.claim_word(kind, "name", spec.name, place, log)
        if not (spec.short_name or has_new_name):
            return False  # the name doubles as the short name; do not report the same clash twice
        short_name = spec.short_name or spec.name
        return self.claim_word(kind, "short_name", short_name, place, log) and has_new_id and has_new_name

    def claim_word(self, kind: str, field: str, word: str, place: JsonPath, log: FileFaults) -> bool:
        """Claim one word; return False and log a fault if another entry of that kind has it."""
        origin = f"{log.file} {format_path(place)}"
        first = self._first_places.setdefault((kind, field, word), origin)
        if first != origin:
            log.add((*place, field), f"{quote(word)} is the {field.replace('_', ' ')} of {first} already")
        return first == origin


def unknown_word_faults(field: str, words: Iterable[str], known: Iterable[str], noun: str) -> Iterator[Fault]:
    """Yield a fault for each word that is not in a closed list of the pack."""
    listed = sorted(known)
    for number, word in enumerate(words):
        if word not in listed:
            hint = did_you_mean(word, listed) or f'; pack.toml lists the {noun}s under "{noun}s"'
            yield (field, number), f"no {noun} {quote(word)} is listed{hint}"
