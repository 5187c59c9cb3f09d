"""Records can grow: a field that is added later changes no record of before, and a reader passes over it."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import msgspec.inspect as mi
from msgspec import NODEFAULT, Struct

from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.match.ruleset_settings import ruleset_settings
from diskwars_protocol.match.state import RecordBody
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.registry import RULESETS
from tests.code_sizes import ROOT
from tests.golden.test_files import NAMES, golden_file
from tests.golden.write_files import FOLDER, SUFFIX
from tests.rows import each_row
from tests.server.counting_ruleset import CountingRules

Json: TypeAlias = Any  # what json.loads gives

VOCABULARIES: dict[str, AnyVocabulary] = {**RULESETS, "counting": CountingRules.vocabulary}
LARGEST_SINGLE_INT, SMALLEST_SINGLE_INT = 256, -5
"""CPython has one object for each of the integers between, and msgspec leaves out a default by its identity."""
SEALABLE_WITH_DEFAULT = {
    ("RecordBody", "digest"),  # empty in record 1 alone, and there nothing is sealed
    # Everybody knows whether a side has one: a board hides only which.
    *(("Side", name) for name in ("hand", "locked_card", "locked_salt", "drawn_scenarios", "objective")),
    *(("OrdersLock", name) for name in ("orders", "salt")),
}
WRITTEN_WHOLE = {"CountingBoard"}
"""Structs of the toy ruleset, which never grows."""


# ---------------------------------------------------------------- defaults


def record_structs(vocabulary: AnyVocabulary) -> dict[str, mi.StructType]:
    """Return every struct that a record can hold of a ruleset."""
    found: dict[str, mi.StructType] = {}
    generic: Any = RecordBody
    _collect(mi.type_info(generic[vocabulary.action, vocabulary.question, vocabulary.event]), found)
    for kind in (vocabulary.settings, vocabulary.loadout):
        _collect(mi.type_info(kind), found)
    return found


def _collect(info: mi.Type, found: dict[str, mi.StructType]) -> None:
    match info:
        case mi.StructType():
            if struct_of(info).__name__ not in found:
                found[struct_of(info).__name__] = info
                for field in info.fields:
                    _collect(field.type, found)
        case mi.UnionType() | mi.TupleType():
            for part in info.types if isinstance(info, mi.UnionType) else info.item_types:
                _collect(part, found)
        case mi.VarTupleType():
            _collect(info.item_type, found)
        case mi.DictType():
            _collect(info.value_type, found)
        case mi.Metadata():
            _collect(info.type, found)
        case _:
            pass


def struct_of(info: mi.StructType) -> type[Struct]:
    kind: type[Struct] = getattr(info.cls, "__origin__", info.cls)
    return kind


def parts_of(info: mi.Type) -> tuple[mi.Type, ...]:
    """Return the members of a union, else the type itself."""
    if isinstance(info, mi.Metadata):
        return parts_of(info.type)
    members = info.types if isinstance(info, mi.UnionType) else ()
    return tuple(part for member in members for part in parts_of(member)) or (info,)


def can_be_sealed(field: mi.Field) -> bool:
    return any(isinstance(part, mi.StructType) and part.cls is Sealed for part in parts_of(field.type))


def is_always_written(field: mi.Field) -> bool:
    return field.default is NODEFAULT and field.default_factory is not dict


def has_one_spelling(field: mi.Field) -> bool:
    """Return whether every value that equals the default is the same object, and so is left out."""
    if field.default is NODEFAULT:
        return field.default_factory is dict
    default = field.default
    if isinstance(default, bool) or default is None or default in ("", ()):
        return True
    if isinstance(default, int):
        return SMALLEST_SINGLE_INT <= default <= LARGEST_SINGLE_INT
    literals = [value for part in parts_of(field.type) if isinstance(part, mi.LiteralType) for value in part.values]
    return isinstance(default, str) and default in literals


STRUCTS = [
    (name, kind, info) for name, vocabulary in VOCABULARIES.items() for kind, info in record_structs(vocabulary).items()
]


@each_row(("kind", "info"), [row[1:] for row in STRUCTS], ids=[" ".join(row[:2]) for row in STRUCTS])
def test_fields_of_records_are_left_out_when_they_have_their_default(kind: str, info: mi.StructType) -> None:
    for field in info.fields:
        if field.required or kind in WRITTEN_WHOLE:
            continue
        assert struct_of(info).__struct_config__.omit_defaults, (
            f"{kind}.{field.name} is written though it has its default"
        )
        if can_be_sealed(field) and (kind, field.name) not in SEALABLE_WITH_DEFAULT:
            assert is_always_written(field), (
                f"{kind}.{field.name} can be sealed: left out, it would show that it has its default"
            )
        elif not is_always_written(field):
            assert has_one_spelling(field), f"{kind}.{field.name}: its default {field.default!r} has two spellings"


@each_row("name", RULESETS)
def test_readers_take_a_scenario_of_a_later_pack(name: str) -> None:
    """A pack may add one. Servers open matches only with those that the schema lists."""
    settings: Any = RULESETS[name].settings
    field = "special_scenario" if name == "diskwars" else "scenario"
    known = next(setting for setting in ruleset_settings(settings) if setting.id == field)
    assert known.default in known.values
    assert getattr(msgspec.convert({field: "of-a-later-pack"}, settings), field) == "of-a-later-pack"


OPTIONS_OF_LATER = {"close_quarters": ["high_ground"]}
"""Options from after the freeze of records: these hold none of them, so that the default is written nowhere."""


@each_row("name", VOCABULARIES)
def test_record_holds_every_option_of_the_ruleset(name: str) -> None:
    settings: Any = VOCABULARIES[name].settings
    fields = [field.encode_name for field in msgspec.structs.fields(settings)]
    later = OPTIONS_OF_LATER.get(name, [])
    assert list(msgspec.to_builtins(settings())) == [field for field in fields if field not in later]
    assert fields[len(fields) - len(later) :] == later


def test_record_holds_every_option_of_the_match_and_no_clock_where_there_is_none() -> None:
    assert list(msgspec.to_builtins(MatchOptions())) == ["visibility", "watchers", "rated"]


@each_row("info", [row[2] for row in STRUCTS], ids=[" ".join(row[:2]) for row in STRUCTS])
def test_default_that_is_written_out_is_left_out_again(info: mi.StructType) -> None:
    short = smallest(info)
    written = dict(short)
    for field in info.fields:
        if not field.required and not can_be_sealed(field) and not is_always_written(field):
            default = field.default if field.default is not NODEFAULT else {}
            written[field.encode_name] = msgspec.to_builtins(default)
    decode = msgspec.json.Decoder(info.cls).decode
    once = msgspec.json.encode(decode(json.dumps(written).encode()))
    assert once == msgspec.json.encode(decode(json.dumps(short).encode()))
    assert msgspec.json.encode(decode(once)) == once


def smallest(info: mi.Type) -> Json:
    """Return the smallest JSON of a type, fields with a default left out."""
    match info:
        case mi.StructType():
            tag = {} if info.tag_field is None else {info.tag_field: info.tag}
            return tag | {field.encode_name: smallest(field.type) for field in info.fields if field.required}
        case mi.Metadata():
            return smallest(info.type)
        case mi.UnionType():
            return smallest(info.types[0])
        case mi.LiteralType():
            return info.values[0]
        case mi.StrType():
            return "a" * max(1, info.min_length or 0)
        case mi.IntType():
            return max(info.ge or 0, 0)
        case mi.BoolType():
            return False
        case mi.NoneType():
            return None
        case mi.VarTupleType():
            return [smallest(info.item_type)] * (info.min_length or 0)
        case mi.TupleType():
            return [smallest(item) for item in info.item_types]
        case mi.DictType():
            return {}
        case _:
            raise TypeError(f"no example of {info}")


# ---------------------------------------------------------------- fields that are added later

NOT_GROWN = {"diskwars_protocol.records.sealed"}
"""A seal is an object with one field, and always will be."""


def module_path(kind: type[Struct]) -> str:
    """Return the file of a struct, below the package."""
    return kind.__module__.partition(".")[2].replace(".", "/") + ".py"


GROWN_MODULES = sorted(
    {
        module_path(struct_of(info))
        for vocabulary in RULESETS.values()
        for info in record_structs(vocabulary).values()
        if struct_of(info).__module__ not in NOT_GROWN
    }
)
NOT_IN_RECORDS = {"Match", "SeatState", "SeatChainState", "Options", "ParametricOption", "Unavailable", "DiceCursor"}
VERIFIED_FILES = {
    "diskwars-three": True,
    "diskwars-two-one-leaves": True,
    "diskwars-abandoned": True,
    "pit-promoted": True,
    "pit-conceded": False,
}
"""Golden files, and whether the rules of today decided them, so that they are decided again."""
GROWTH_PROGRAM = """
import sys
from diskwars_client.verification.verify import verify
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.match_file import read_file
from diskwars_protocol.rulesets.diskwars import actions, events, stats
from diskwars_protocol.rulesets.pit import events as pit_events
from diskwars_protocol.rulesets.registry import RULESETS

for kind in (actions.MoveDisk, actions.Loadout, events.DiskFlipped, events.Pin, stats.Profile, pit_events.Check):
    assert kind.__struct_fields__[-1] == "later_field", kind
for name in sys.argv[1:]:
    raw = open(name, "rb").read()
    file = read_file(raw)
    vocabulary = RULESETS[file.header.ruleset]
    bodies = [vocabulary.decode_body(body) for body in file.bodies]
    assert [encode_canonical(body) for body in bodies] == list(file.bodies)
    assert vocabulary.fold_log(bodies).status == "ended"
    result = verify(raw, rulesets=[load_ruleset(file.header.ruleset, ())])
    print(result.records, result.is_redecided)
"""


def grow(source: str) -> str:
    """Return a module in which every struct of records has one field more."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef) or node.name in NOT_IN_RECORDS or not is_struct(node):
            continue
        node.body.append(ast.parse("later_field: int | None = None").body[0])
        if all(keyword.arg != "omit_defaults" for keyword in node.keywords):
            node.keywords.append(ast.keyword("omit_defaults", ast.Constant(value=True)))
    return ast.unparse(tree)


def is_struct(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base) in ("Struct", "msgspec.Struct") for base in node.bases)


def test_field_added_to_every_struct_changes_no_golden_file(tmp_path: Path) -> None:
    """They fold, are verified with their digests, and are encoded to the same bytes by the grown code."""
    package = tmp_path / "diskwars_protocol"
    shutil.copytree(ROOT / "protocol" / "diskwars_protocol", package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in GROWN_MODULES:
        module = package / name
        module.write_text(grow(module.read_text("utf-8")), "utf-8")
    files = [str(FOLDER / f"{name}{SUFFIX}") for name in VERIFIED_FILES]
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", GROWTH_PROGRAM, *files]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=50, check=False)
    assert done.returncode == 0, done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines()] == [
        str(is_todays) for is_todays in VERIFIED_FILES.values()
    ]


@each_row("name", NAMES)
def test_reader_passes_over_fields_that_it_does_not_know(name: str) -> None:
    file = golden_file(name)
    decode = VOCABULARIES[file.header.ruleset].decode_body
    for body in file.bodies:
        assert decode(json.dumps(with_later_fields(json.loads(body))).encode()) == decode(body)


def with_later_fields(value: Json, name: str = "") -> Json:
    """Return JSON with an unknown field in every object; `numbers` maps names, and a seal holds nothing else."""
    if isinstance(value, list):
        return [with_later_fields(item) for item in value]
    if not isinstance(value, dict) or name == "numbers" or list(value) == ["#"]:
        return value
    return {key: with_later_fields(item, key) for key, item in value.items()} | {"later_field": {"is": [1]}}
