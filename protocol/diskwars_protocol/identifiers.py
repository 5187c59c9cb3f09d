"""Ids of content: disks, command cards, armies, scenarios, deployment cards, terrain, races, traits.

An id is kebab-case ASCII and never changes. Records, settings, loadouts and actions use ids; display names come with
the figures and may be corrected or translated. `NameIndex` accepts both, for text that people type.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Annotated, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Meta

from diskwars_protocol.suggestions import json_quote, suggest

MAX_ID_LENGTH = 60
MAX_SHORT_NAME_LENGTH = 12
MAX_NAME_LENGTH = 60
ID_PATTERN = "^[a-z0-9]+(-[a-z0-9]+)*$"
OPTIONAL_ID_PATTERN = "^([a-z0-9]+(-[a-z0-9]+)*)?$"
_ID = re.compile(ID_PATTERN)

ContentId: TypeAlias = Annotated[str, Meta(pattern=ID_PATTERN, max_length=MAX_ID_LENGTH)]
OptionalContentId: TypeAlias = Annotated[str, Meta(pattern=OPTIONAL_ID_PATTERN, max_length=MAX_ID_LENGTH)]
"""An id, or an empty string for none."""

IdText: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": ID_PATTERN, "maxLength": MAX_ID_LENGTH})]
"""An id whose form only the schema states: readers do not check it, the loader of packs does."""
OptionalIdText: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"pattern": OPTIONAL_ID_PATTERN, "maxLength": MAX_ID_LENGTH})
]
"""An `IdText`, or an empty string for none."""


DisplayName: TypeAlias = Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_NAME_LENGTH})]
"""The name that players see; the loader of a pack checks the length."""
ShortName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_SHORT_NAME_LENGTH)]
"""The short name, for lists and boards where the name is too long."""


class Identified(Protocol):
    """Content with an id and a display name."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Identified)


class NameNotFound(LookupError):
    """Error for a typed name that fits no entry, or several; `candidates` are the ids of those that it fits."""

    def __init__(self, problem: str, candidates: tuple[str, ...] = ()) -> None:
        super().__init__(problem)
        self.problem = problem
        self.candidates = candidates


class NameIndex(Generic[T]):
    """Index of entries by id and by display name, for text that people type.

    An id takes precedence over a name. Names are case-insensitive. `kind` is the noun for error messages.
    """

    def __init__(self, kind: str, entries: Iterable[T]) -> None:
        self.kind = kind
        self._by_id: dict[str, T] = {}
        self._by_name: dict[str, list[T]] = {}
        for entry in entries:
            self.add(entry)

    def add(self, entry: T) -> None:
        """Add an entry, or replace the one of the same id."""
        former = self._by_id.get(entry.id)
        if former is not None:
            self._by_name[former.name.casefold()].remove(former)
        self._by_id[entry.id] = entry
        self._by_name.setdefault(entry.name.casefold(), []).append(entry)

    def names(self) -> list[str]:
        """List the display names, for suggestions."""
        return sorted({entry.name for entry in self._by_id.values()})

    def find(self, typed: str) -> T:
        """Return the entry with this id or display name. Raises `NameNotFound` with suggestions."""
        if typed in self._by_id:
            return self._by_id[typed]
        named = self._by_name.get(typed.casefold(), [])
        if len(named) == 1:
            return named[0]
        return self._refuse(typed, named)

    def _refuse(self, typed: str, named: list[T]) -> T:
        ids = tuple(sorted(entry.id for entry in named))
        if ids:
            problem = f"{len(ids)} {self.kind}s are called {json_quote(typed)}: write {' or '.join(ids)}"
            raise NameNotFound(problem, ids)
        raise NameNotFound(f"no {self.kind} is called {json_quote(typed)}{suggest(typed, self.names())}")


def find_by_id(entries: Iterable[T], id: str) -> T:
    """Return the entry with this id. Raises `KeyError`."""
    for entry in entries:
        if entry.id == id:
            return entry
    raise KeyError(id)


def id_title(id: str) -> str:
    """Turn an id into an English title: `orcs-and-goblins` becomes `Orcs and Goblins`."""
    return " ".join(word if word in ("and", "of", "the") else word.capitalize() for word in re.split("[-_]", id))


def is_id(text: str) -> bool:
    return len(text) <= MAX_ID_LENGTH and _ID.fullmatch(text) is not None


def make_id(name: str) -> str:
    """Derive an id from a display name: `Nurgle's Rot` becomes `nurgles-rot`; empty when nothing of it is ASCII."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower().replace("'", "")
    return re.sub(r"[^a-z0-9]+", "-", plain)[:MAX_ID_LENGTH].strip("-")
