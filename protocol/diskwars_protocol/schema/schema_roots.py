"""The types that the schema and the TypeScript types describe: the shared ones, and those of each registered ruleset.

A field whose content is the ruleset's has the name of that content in the `extra` of its `Meta`: `Settings`, `Action`.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, get_args, get_origin

from msgspec import NODEFAULT, Struct
from msgspec import inspect as mi

from diskwars_protocol.match.decisions import Decision, Unavailable
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.match.state import Match, RecordBody
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.messages import ClientMessage, ServerMessage
from diskwars_protocol.messages.closing import CloseReason
from diskwars_protocol.messages.refusals import REFUSAL_CODES
from diskwars_protocol.records.records import MatchHeader
from diskwars_protocol.rulesets.registry import RULESETS

SHARED_ROOTS: dict[str, Any] = {
    "ClientMessage": ClientMessage,
    "ServerMessage": ServerMessage,
    "MatchHeader": MatchHeader,
    "CloseReason": CloseReason,
}
"""Names of the vocabularies that every ruleset shares."""

_EXTENSIBLE = (Unavailable,)
"""Shared structs that are named after the ruleset all the same: others extend them under the same name."""

_PROTOCOL, _RULESETS = "diskwars_protocol.", "diskwars_protocol.rulesets."


def ruleset_roots(vocabulary: AnyVocabulary) -> dict[str, Any]:
    """Return what a ruleset adds, by the names under which it is found after the ruleset's own and a dot."""
    body, match = _generic(RecordBody), _generic(Match)
    refusal_codes = (*REFUSAL_CODES, *vocabulary.refusal_codes)
    return {
        "Settings": vocabulary.settings,
        "Loadout": vocabulary.loadout,
        "Action": vocabulary.action,
        "Question": vocabulary.question,
        "Event": vocabulary.event,
        "RecordBody": body[vocabulary.recorded_action, vocabulary.question, vocabulary.event],
        "Match": match[vocabulary.question, vocabulary.board],
        "Options": vocabulary.options,
        "EndReason": _generic(Literal)[vocabulary.end_reasons],
        "RefusalCode": _generic(Literal)[refusal_codes],
        "LoadoutFaultCode": _generic(Literal)[(*refusal_codes, *vocabulary.loadout_fault_codes)],
        "Catalogue": vocabulary.catalogue,
        "OpenDecisions": _generic(tuple)[_generic(Decision)[vocabulary.question], ...],
    }


def _generic(kind: Any) -> Any:
    """Return a generic struct that is filled with types known only when the program runs."""
    return kind


CORE = "core"
"""The name of the document without any ruleset."""


def document_names() -> tuple[str, ...]:
    """Return the names of the parts in which the schema is described: what all share, and one a ruleset."""
    return (CORE, *RULESETS)


def part_roots(name: str) -> "SchemaRoots":
    """Return the types of one part; those of a ruleset are all that its matches need. Raises KeyError."""
    return SchemaRoots(() if name == CORE else (RULESETS[name],))


class SchemaRoots:
    """Everything that is described, by its name; what belongs to a ruleset is named after it, before a dot."""

    def __init__(
        self, vocabularies: Iterable[AnyVocabulary] | None = None, besides: Mapping[str, Any] | None = None
    ) -> None:
        """Without `vocabularies`, take every registered ruleset. `besides` are more shared types, by name."""
        known = tuple(RULESETS.values() if vocabularies is None else vocabularies)
        self.vocabularies = {vocabulary.name: vocabulary for vocabulary in known}
        self.types = {**SHARED_ROOTS, **(besides or {})}
        self.closed: frozenset[Any] = frozenset()
        """Structs in which a server refuses unknown fields (known_fields.py); readers of records do not."""
        self._labels = {vocabulary.name: vocabulary.tuple_labels for vocabulary in known}
        self._contents: dict[str, dict[str, str]] = {}
        for vocabulary in known:
            self._contents[vocabulary.name] = {name: f"{vocabulary.name}.{name}" for name in ruleset_roots(vocabulary)}
            self.types |= {f"{vocabulary.name}.{name}": kind for name, kind in ruleset_roots(vocabulary).items()}
            self.closed |= _structs_from_clients(vocabulary)

    @cached_property
    def infos(self) -> dict[str, mi.Type]:
        """Return the type of each root, the shared ones first."""
        return dict(zip(self.types, mi.multi_type_info(self.types.values()), strict=True))

    def named_unions(self) -> dict[tuple[str, frozenset[Any]], str]:
        """Return the name of each root that is a union, by ruleset and members."""
        return {
            (ruleset_of(name), union_members(info)): name
            for name, info in self.infos.items()
            if isinstance(info, mi.UnionType)
        }

    def definition_name(self, info: mi.StructType, ruleset: str) -> str:
        """Return the name of a struct that was reached from the roots of `ruleset`, empty for the shared ones."""
        for name, root in self.types.items():
            if ruleset_of(name) in ("", ruleset) and (info.cls is root or info.cls == root):
                return name
        kind = struct_class(info)
        is_own = _is_of_a_ruleset(info.cls) or kind in _EXTENSIBLE or any(map(_has_open_type, info.fields))
        return f"{ruleset}.{self._own_name(kind, ruleset)}" if ruleset and is_own else kind.__name__

    def _own_name(self, kind: type[Struct], ruleset: str) -> str:
        """Return the name of a ruleset's struct without the ruleset in it, which the namespace says: `pit.Board`."""
        prefix = "".join(word.capitalize() for word in ruleset.split("_"))
        rest = kind.__name__.removeprefix(prefix)
        is_free = rest[:1].isupper() and f"{ruleset}.{rest}" not in self.types
        return rest if is_free else kind.__name__

    def contents(self, field: mi.Field, ruleset: str) -> tuple[str, ...]:
        """Return the names of what a field holds that the struct leaves open; empty for other fields.

        A shared message holds the content of any ruleset.
        """
        content = _content_name(field.type)
        if content is None:
            return ()
        rulesets = (ruleset,) if ruleset else tuple(self._contents)
        types = tuple(self._contents[known][content] for known in rulesets if content in self._contents[known])
        if types or content in self.types:
            return types or (content,)
        return () if not self._contents else (content,)  # without a ruleset its content stays open

    def labels(self, field: mi.Field, ruleset: str) -> tuple[str, ...]:
        """Return the names of the items of a plain tuple, or of each in an array of them."""
        return self._labels.get(ruleset, {}).get(field.name, ())


def field_default(field: mi.Field) -> object:
    """Return what a field is when it is absent; NODEFAULT where it may not be."""
    if field.default is NODEFAULT and field.default_factory is not NODEFAULT:
        return field.default_factory()
    return field.default


def ruleset_of(name: str) -> str:
    """Return the ruleset in the name of a definition, empty for a shared one."""
    return name.rpartition(".")[0]


def struct_class(info: mi.StructType) -> type[Struct]:
    """Return the struct itself, also of `TakeSeat[Entry]`."""
    struct: type[Struct] = getattr(info.cls, "__origin__", info.cls)
    return struct


def union_members(info: mi.UnionType) -> frozenset[Any]:
    return frozenset(member.cls if isinstance(member, mi.StructType) else repr(member) for member in info.types)


def _content_name(info: mi.Type) -> str | None:
    """Return what raw JSON or a value of any type is, by the name that the field's annotation gives."""
    if not isinstance(info, mi.Metadata) or not info.extra:
        return None
    content: str | None = info.extra.get("content")
    return content


def has_content(kind: type[Struct]) -> bool:
    """Return whether anything in a message is the content of a ruleset."""
    structs = reachable_structs(mi.type_info(kind))
    return any(_content_name(field.type) for struct in structs for field in struct.fields)


def _has_open_type(field: mi.Field) -> bool:
    """Return whether a field is decoded, to whatever type the ruleset puts there."""
    return isinstance(field.type, mi.Metadata) and isinstance(field.type.type, mi.AnyType)


def _is_of_a_ruleset(kind: Any) -> bool:
    """Return whether a struct is a ruleset's own, or a shared one that is filled with its types."""
    origin = get_origin(kind) or kind
    if isinstance(origin, type) and issubclass(origin, Struct) and not _is_shared(origin.__module__):
        return True
    return any(map(_is_of_a_ruleset, get_args(kind)))


def _is_shared(module: str) -> bool:
    """Return whether a module is the protocol's, outside of its rulesets; rulesets may be of other packages too."""
    return module.startswith(_PROTOCOL) and not module.startswith(_RULESETS)


def _structs_from_clients(vocabulary: AnyVocabulary) -> frozenset[Any]:
    """Return the structs in what a client sends as raw JSON: options of a match, settings, loadout and actions."""
    sent = mi.multi_type_info((MatchOptions, vocabulary.settings, vocabulary.loadout, vocabulary.action))
    return frozenset(struct_class(info) for root in sent for info in reachable_structs(root))


def reachable_structs(info: mi.Type, without: Any = None) -> Iterator[mi.StructType]:
    """Yield the structs of which a type consists, those in `without` left out."""
    match info:
        case mi.StructType() if info.cls is without:
            parts: Iterable[mi.Type] = ()
        case mi.StructType():
            yield info
            parts = [field.type for field in info.fields]
        case mi.UnionType():
            parts = info.types
        case mi.TupleType():
            parts = info.item_types
        case mi.VarTupleType():
            parts = (info.item_type,)
        case mi.Metadata():
            parts = (info.type,)
        case _:
            parts = ()
    for part in parts:
        yield from reachable_structs(part, without)
