"""Reader of TOML files into structs that logs every fault with its place.

Unknown, missing and ill-typed fields are logged, never raised.
"""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import fields

from diskwars_content.rulesets.diskwars.keyword_text import (
    KeywordSyntaxError,
    did_you_mean,
    parse_amount,
    parse_keyword,
    quote,
)
from diskwars_protocol.identifiers import MAX_NAME_LENGTH
from diskwars_protocol.records.canonical import JsonPath as Place
from diskwars_protocol.records.canonical import format_path
from diskwars_protocol.rulesets.diskwars.stats import Amount, Keyword

Table: TypeAlias = dict[str, object]
S = TypeVar("S", bound=Struct)

_TOML_ERROR_PATTERN = re.compile(r"(.*) \(at (?:(line \d+, column \d+)|(end of document))\)", re.DOTALL)
_TYPE_NAMES: dict[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a fraction",
    str: "a text",
    list: "a list",
    dict: "a table",
}


class FileFaults:
    """Faults of one file, appended to a list that all files of the pack share."""

    def __init__(self, file: str, faults: list[str]) -> None:
        self.file = file
        self.faults = faults

    def add(self, place: Place, text: str) -> None:
        self.faults.append(f"{self.file} {format_path(place)}: {text}")

    def add_all(self, place: Place, faults: Iterable[tuple[Place, str]]) -> None:
        """Add faults whose places are relative to `place`."""
        for inner, text in faults:
            self.add((*place, *inner), text)

    def add_file_fault(self, text: str, where: str = "") -> None:
        """Add a fault of the whole file, or of the line in `where`."""
        self.faults.append(f"{self.file}{where}: {text}")


def parse_toml_file(path: Path, log: FileFaults) -> Table | None:
    """Parse a TOML file; return None, with the reason logged, if it cannot be read."""
    try:
        return tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        log.add_file_fault(f"cannot be read ({error.strerror})")
    except UnicodeDecodeError as error:
        log.add_file_fault(f"not UTF-8 at byte {error.start}")
    except tomllib.TOMLDecodeError as error:
        words = _TOML_ERROR_PATTERN.fullmatch(str(error))
        text, line = (words[1], words[2] or "end of file") if words else (str(error), "")
        log.add_file_fault(text[:1].lower() + text[1:], f" {line}" if line else "")
    except RecursionError:
        log.add_file_fault("nested too deeply")
    except ValueError:  # Python refuses to read integers of thousands of digits
        log.add_file_fault("holds a number of thousands of digits")
    return None


def read_struct(table: object, wanted: type[S], place: Place, log: FileFaults) -> S | None:
    """Convert a table to a struct; return None, with every fault logged, if anything in it is wrong."""
    before = len(log.faults)
    plain = _to_builtins(table, wanted, place, log)
    return None if len(log.faults) > before else msgspec.convert(plain, wanted)


def list_tables(file: Table, key: str) -> list[tuple[Place, Table]]:
    """Return the tables in the list `key`, each with its place; `read_struct` reports items that are not tables."""
    value = file.get(key)
    items = value if isinstance(value, list) else []
    return [((key, number), item) for number, item in enumerate(items) if isinstance(item, dict)]


def _to_builtins(value: object, wanted: object, place: Place, log: FileFaults) -> object:
    """Convert a value to the builtins that msgspec converts to `wanted`; log every fault."""
    if wanted is object:
        return value
    if wanted is Amount or wanted is Keyword:
        return _parse_notation(value, wanted, place, log)
    if isinstance(wanted, type) and issubclass(wanted, Struct):
        return _table_to_builtins(value, wanted, place, log)
    origin, args = get_origin(wanted), get_args(wanted)
    if origin is Literal:
        return _check_choice(value, args, place, log)
    if origin is tuple:
        items = _check_type(value, list, place, log) or []
        return [_to_builtins(item, args[0], (*place, number), log) for number, item in enumerate(items)]
    if origin is dict:
        entries = _check_type(value, dict, place, log) or {}
        return {key: _to_builtins(entry, args[1], (*place, key), log) for key, entry in entries.items()}
    if origin is Annotated:
        return _check_range(_to_builtins(value, args[0], place, log), args[1], place, log)
    if origin in (Union, UnionType):
        return _union_to_builtins(value, args, place, log)
    if not isinstance(wanted, type):
        raise TypeError(f"no way to read {wanted}")
    return _check_text(value, place, log) if wanted is str else _check_type(value, wanted, place, log)


def _check_text(value: object, place: Place, log: FileFaults) -> str | None:
    """Check a text of a pack. All of them are names, which are shown, typed in commands and stored."""
    text = _check_type(value, str, place, log)
    if text is not None and not (text.isprintable() and text == text.strip() and 1 <= len(text) <= MAX_NAME_LENGTH):
        log.add(place, f"expected 1 to {MAX_NAME_LENGTH} printable characters without spaces at the ends")
    return text


def _check_range(value: object, limits: object, place: Place, log: FileFaults) -> object:
    if isinstance(value, int) and isinstance(limits, Meta):
        least, most = limits.ge, limits.le
        if least is not None and most is not None and not least <= value <= most:
            log.add(place, f"{quote(value)} is not from {least} to {most}")
    return value


def _parse_notation(value: object, wanted: object, place: Place, log: FileFaults) -> object:
    try:
        if wanted is Amount:
            return msgspec.to_builtins(parse_amount(value))
        text = _check_type(value, str, place, log)
        return None if text is None else msgspec.to_builtins(parse_keyword(text))
    except KeywordSyntaxError as fault:
        log.add(place, str(fault))
        return None


def _table_to_builtins(value: object, wanted: type[Struct], place: Place, log: FileFaults) -> Table:
    table = _check_type(value, dict, place, log)
    if table is None:
        return {}
    tag = wanted.__struct_config__.tag_field
    known = {field.encode_name: field for field in fields(wanted)}
    for key in table:
        if key not in known and key != tag:
            log.add((*place, key), f"unknown field{did_you_mean(key, known)}")
    for key, field in known.items():
        if key not in table and field.required:
            log.add(place, f'"{key}" is missing')
    plain = {key: _to_builtins(table[key], known[key].type, (*place, key), log) for key in table if key in known}
    return plain if tag is None else {tag: wanted.__struct_config__.tag, **plain}


def _union_to_builtins(value: object, members: tuple[object, ...], place: Place, log: FileFaults) -> object:
    """Convert a value of a union type.

    A union holds literal words, or one other type, or structs told apart by their tag. None is skipped, as TOML has
    none.
    """
    words = tuple(word for member in members if get_origin(member) is Literal for word in get_args(member))
    kinds = [member for member in members if get_origin(member) is not Literal and member is not NoneType]
    if words and not (kinds and isinstance(value, dict)):
        return _check_choice(value, words, place, log)
    tagged = {kind.__struct_config__.tag: kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Struct)}
    if not tagged:
        return _to_builtins(value, kinds[0], place, log)
    table = _check_type(value, dict, place, log)
    if table is None:
        return None
    if "type" not in table:
        log.add(place, '"type" is missing')
        return None
    tag = _check_choice(table["type"], tuple(tagged), (*place, "type"), log)
    return None if tag is None else _table_to_builtins(table, tagged[tag], place, log)


def _check_choice(value: object, words: tuple[object, ...], place: Place, log: FileFaults) -> str | None:
    known = [word for word in words if isinstance(word, str)]
    text = _check_type(value, str, place, log)
    if text is None or text in known:
        return text
    log.add(place, f"{quote(text)} is none of {', '.join(filter(None, known))}{did_you_mean(text, known)}")
    return None


K = TypeVar("K")


def _check_type(value: object, kind: type[K], place: Place, log: FileFaults) -> K | None:
    """Return the value if it has exactly that type, otherwise log a fault. A boolean is not accepted as a number."""
    if isinstance(value, kind) and type(value) is kind:
        return value
    log.add(place, _type_fault(value, kind))
    return None


def _type_fault(value: object, wanted: type) -> str:
    return f"expected {_TYPE_NAMES[wanted]}, found {_TYPE_NAMES.get(type(value), 'a ' + type(value).__name__)}"
