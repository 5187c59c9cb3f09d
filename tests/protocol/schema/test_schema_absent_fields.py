"""One thing says that something is not there, in records, states and messages: its field is left out."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Raw, Struct
from msgspec import inspect as mi

from diskwars_protocol.schema.schema import make_json_schema
from diskwars_protocol.schema.schema_roots import SchemaRoots, field_default, struct_class
from diskwars_protocol.schema.typescript import make_typescript
from diskwars_protocol.schema_types import ABSENT, NO_FIELDS
from tests.golden.test_files import DISKWARS_NAMES, golden_file
from tests.rows import each_row

Json: TypeAlias = Any  # what json.loads gives
Place: TypeAlias = tuple[str, str]
"""A struct and a field."""

SAMPLES = Path(__file__).parents[1] / "samples"

ALWAYS_WRITTEN = {"ClientLimits": "every number counts for a client, and another server may have another default"}
"""Structs whose defaults are written, with the reason."""

EMPTY_TEXTS: dict[Place, str] = {
    ("Loadout", "army"): "sealed for others: left out, it would show that the army is the player's own",
    ("Ready", "seat_nonce"): "sealed for others: left out, it would show that the seat gave none",
    ("LockCard", "salt"): "sealed for others; options name cards without a salt",
    ("LockCard", "seat_nonce"): "sealed for others: left out, it would show that the seat gave none",
    ("LockOrders", "salt"): "sealed for others; options name orders without a salt",
    ("LockOrders", "seat_nonce"): "sealed for others: left out, it would show that the seat gave none",
    ("SeatNonceOpened", "seat_nonce"): "sealed for others: left out, it would show that the seat gave none",
    ("SeatState", "seat_nonce"): "that of the event, and absent before there is any",
    ("Sealed", "digest"): "the value that is hidden in a state, which knows no digests",
    ("Board", "cursor"): "an opaque text of the engine, empty while nothing is left to do",
    ("Side", "locked_salt"): "that of the event, and absent before there is any",
}
"""Texts that may be empty, with what the empty one says: never that there is nothing."""

ZEROS: dict[str, tuple[str, ...]] = {
    "Watch": ("after", "openings_after"),
    "GetOwnData": ("skip",),
    "ResumeRequest": ("openings_after",),
    "Shoot": ("shot",),
    "Focus": ("ability",),
    "Profile": ("stamina", "cost", "points", "command"),
    "Amount": ("flat", "d6"),
    "Match": ("at_ms", "rules_version", "step", "draw_index", "resumed_ms"),
    "SeatChainState": ("superseded",),
    "SeatState": ("takebacks", "missed"),
    "BankClock": ("increment_seconds",),
    "RecordBody": ("lag_ms",),
    "ClockSummary": ("increment_seconds",),
    "MatchSummary": ("records", "watchers"),
    "Board": ("round", "top_z"),
    "Disk": ("x", "y", "z", "damage", "wounds", "weakened"),
    "Side": ("card_count", "points"),
    "DiskwarsOption": ("flips", "length"),
    "Check": ("modifier",),
    "FighterProfile": ("injury", "pierce"),
    "Weapon": ("melee", "injury", "pierce", "strength"),
    "MeleeWeapon": ("weapon_skill", "strength"),
    "AttacksRolled": ("attacks_lost",),
    "HacksRolled": ("attacks_lost",),
    "Needs": ("save",),
    "ScenarioUnit": ("leader",),
    "BattleTask": ("side",),
    "TournamentOptions": ("final_top", "check_in_minutes"),
    "Entrant": ("seed",),
    "Tournament": ("round_count", "at_ms"),
    "StandingsRow": (
        "half_points",
        "wins",
        "draws",
        "losses",
        "byes",
        "buchholz_halves",
        "sonneborn_berger_quarters",
        "direct_half_points",
        "points_difference",
    ),
    "TournamentSummary": ("rounds", "round_count"),
    "ClubMember": ("role_since_ms",),
    "SeasonRow": ("wins", "draws", "losses"),
}
"""Numbers whose default 0 is a number: a count, a figure, an index or a coordinate."""


def reachable_structs() -> dict[type[Struct], mi.StructType]:
    """Return every struct that is described, by its class."""
    found: dict[type[Struct], mi.StructType] = {}
    for info in SchemaRoots().infos.values():
        _collect(info, found)
    return found


def _collect(info: mi.Type, found: dict[type[Struct], mi.StructType]) -> None:
    if isinstance(info, mi.StructType):
        if struct_class(info) in found:
            return
        found[struct_class(info)] = info
    for part in _parts(info):
        _collect(part, found)


def _parts(info: mi.Type) -> tuple[mi.Type, ...]:
    match info:
        case mi.StructType():
            return tuple(field.type for field in info.fields)
        case mi.UnionType():
            return info.types
        case mi.TupleType():
            return info.item_types
        case mi.VarTupleType():
            return (info.item_type,)
        case mi.DictType():
            return (info.value_type,)
        case mi.Metadata():
            return (info.type,)
        case _:
            return ()


def alternatives(info: mi.Type) -> Iterator[tuple[mi.Type, str]]:
    """Yield the types that a field may have, each with the pattern of its text."""
    if isinstance(info, mi.Metadata):
        pattern = str((info.extra_json_schema or {}).get("pattern", ""))
        yield from ((kind, inner or pattern) for kind, inner in alternatives(info.type))
    elif isinstance(info, mi.UnionType):
        for part in info.types:
            yield from alternatives(part)
    else:
        yield info, (info.pattern or "") if isinstance(info, mi.StrType) else ""


STRUCTS = reachable_structs()
FIELDS = [(kind, field) for kind, info in STRUCTS.items() for field in info.fields]


def test_all_messages_and_what_rulesets_put_into_them_are_looked_at() -> None:
    names = {kind.__name__ for kind in STRUCTS}
    assert {"Refused", "Welcome", "RecordBody", "Match", "Board", "LockCard", "DiskwarsCatalogue", "Options"} <= names
    assert len(STRUCTS) > 150


def test_fields_with_a_default_are_left_out() -> None:
    written = {
        kind.__name__
        for kind, field in FIELDS
        if not field.required and not kind.__struct_config__.omit_defaults and not is_array(kind)
    }
    assert written == set(ALWAYS_WRITTEN)


def is_array(kind: type[Struct]) -> bool:
    """Return whether a struct is an array, in which a field is left out from the end only."""
    return kind.__struct_config__.array_like


def test_no_default_is_an_empty_text_or_null_in_raw_json() -> None:
    found = {(kind.__name__, field.name) for kind, field in FIELDS if field_default(field) == ""}
    assert found <= set(EMPTY_TEXTS)
    raw = [field_default(field) for _, field in FIELDS if isinstance(field_default(field), Raw)]
    assert raw
    assert all(default is ABSENT or default is NO_FIELDS for default in raw)


def test_texts_that_may_be_empty_are_listed_with_what_that_says() -> None:
    found = {
        (kind.__name__, field.name)
        for kind, field in FIELDS
        for _, pattern in alternatives(field.type)
        if pattern.endswith(")?$")
    }
    assert found | {("Board", "cursor")} == set(EMPTY_TEXTS)


def test_numbers_with_the_default_zero_are_listed_and_none_is_below() -> None:
    found: dict[str, tuple[str, ...]] = {}
    for kind, field in FIELDS:
        default = field_default(field)
        if isinstance(default, int) and not isinstance(default, bool) and default <= 0:
            assert default == 0, f"{kind.__name__}.{field.name}"
            found[kind.__name__] = (*found.get(kind.__name__, ()), field.name)
    assert found == ZEROS


def test_fields_that_may_be_absent_are_optional_and_no_others_may_be_null() -> None:
    for kind, field in FIELDS:
        is_nullable = any(isinstance(part, mi.NoneType) for part, _ in alternatives(field.type))
        assert is_nullable == (field.default is None and not is_open(field)), f"{kind.__name__}.{field.name}"


def is_open(field: mi.Field) -> bool:
    """Return whether a field holds what a ruleset puts there."""
    return any(isinstance(part, mi.AnyType) for part, _ in alternatives(field.type))


def test_schema_and_types_have_no_null() -> None:
    assert [place for place, value in walk(make_json_schema()["definitions"]) if value == {"type": "null"}] == []
    assert [line for line in make_typescript().splitlines() if re.search(r"\bnull\b", line)] == []


def walk(value: Json, place: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    """Yield every value in some JSON, with its path."""
    yield place, value
    if isinstance(value, dict):
        for name, child in value.items():
            yield from walk(child, (*place, name))
    if isinstance(value, list):
        for index, child in enumerate(value):
            yield from walk(child, (*place, index))


EMPTY_FIELDS = {"#" if name == "digest" else name for _, name in EMPTY_TEXTS} | {"value"}
"""Names of the fields that may hold an empty text; `value` is that of an opening."""


def assert_nothing_stands_for_absent(document: Json) -> None:
    for place, value in walk(document):
        assert value is not None, f"null at {place}"
        if value == "":
            assert place[-1] in EMPTY_FIELDS, f"an empty text at {place}"


@each_row("file", sorted(SAMPLES.iterdir()), ids=lambda file: file.stem)
def test_samples_write_nothing_for_what_is_absent(file: Path) -> None:
    assert_nothing_stands_for_absent(json.loads(file.read_text(encoding="utf-8")))


@each_row("name", DISKWARS_NAMES)
def test_recorded_matches_write_nothing_for_what_is_absent(name: str) -> None:
    for body in golden_file(name).bodies:
        assert_nothing_stands_for_absent(json.loads(body))
