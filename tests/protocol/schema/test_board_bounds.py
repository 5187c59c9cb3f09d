"""The schema states the bounds of positions that readers check, and refuses no position that readers take."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from jsonschema import Draft7Validator
from jsonschema.exceptions import ValidationError

from diskwars_protocol.match.position_bounds import MAX_ENTRIES, MAX_NUMBER, MAX_TEXT, PositionBounds
from diskwars_protocol.rulesets.registry import RULESETS
from tests.effort import some_of
from tests.protocol.match.test_position_bounds import FILE, NAMES, changed
from tests.protocol.schema.whole_schema import DEFINITIONS
from tests.rows import each_row
from tests.rulesets.matches import played

Schema = dict[str, Any]

VECTORS = json.loads(Path(FILE).read_text("utf-8"))["rulesets"]
BOUNDED = tuple(
    (name, place, least, most)
    for name in NAMES
    for bounds in (RULESETS[name].position_bounds,)
    for place, (least, most) in (dict(bounds.ranges) | dict.fromkeys(bounds.references, (0, MAX_ENTRIES - 1))).items()
)


def validator_of(name: str) -> Draft7Validator:
    return Draft7Validator({"$ref": f"#/definitions/{name}", "definitions": DEFINITIONS})


VALIDATORS = {name: validator_of(f"{name}.Board") for name in NAMES}


def schemas_at(schemas: list[Schema], steps: list[str]) -> Iterator[Schema]:
    """Yield every schema that a value at a place has to fulfil, or may."""
    for schema in schemas:
        if "$ref" in schema:
            yield from schemas_at([DEFINITIONS[schema["$ref"].removeprefix("#/definitions/")]], steps)
        for word in ("allOf", "anyOf", "oneOf"):
            yield from schemas_at(schema.get(word, []), steps)
        if not steps:
            yield schema
        elif steps[0] == "[]":
            yield from schemas_at([schema["items"]] if isinstance(schema.get("items"), dict) else [], steps[1:])
        elif steps[0] in schema.get("properties", {}):
            yield from schemas_at([schema["properties"][steps[0]]], steps[1:])


@each_row(("name", "place", "least", "most"), BOUNDED)
def test_number_of_a_board_has_the_range_that_readers_check(name: str, place: str, least: int, most: int) -> None:
    steps = place.replace("[]", ".[]").split(".")
    numbers = [part for part in schemas_at([DEFINITIONS[f"{name}.Board"]], steps) if part.get("type") == "integer"]
    assert numbers
    assert max(number["minimum"] for number in numbers) >= least
    assert min(number["maximum"] for number in numbers) <= most


def errors_of(name: str, board: Any) -> Iterator[ValidationError]:
    """Yield what the schema refuses in a board, in every member of a union."""
    left = list(VALIDATORS[name].iter_errors(board))
    while left:
        error = left.pop()
        yield error
        left += error.context or ()


def place_of(error: ValidationError) -> str:
    return re.sub(r"\.\d+", "[]", "".join(f".{step}" for step in error.absolute_path)).removeprefix(".")


@each_row("name", NAMES)
def test_schema_refuses_no_figure_of_a_position_that_readers_take(name: str) -> None:
    vectors, bounds = VECTORS[name], RULESETS[name].position_bounds
    assert list(errors_of(name, vectors["board"])) == []
    for change in some_of([change for change in vectors["changes"] if not change["faults"]], 3):
        for error in errors_of(name, changed(vectors["board"], change["path"], change["value"])):
            assert not is_bound_of_readers(error, bounds), (change["path"], error.message)


def is_bound_of_readers(error: ValidationError, bounds: PositionBounds) -> bool:
    """Return whether a limit is one that readers check too, and not only the type of the field."""
    limits = bounds.ranges.get(place_of(error), (-MAX_NUMBER, MAX_NUMBER))
    found = str(error.validator_value)
    return (
        (error.validator in ("minimum", "maximum") and found in map(str, limits))
        or (error.validator == "maxItems" and found == str(MAX_ENTRIES))
        or (error.validator == "maxLength" and found == str(MAX_TEXT))
    )


@each_row(
    ("board", "message"),
    [
        ({"fought": [0] * (MAX_ENTRIES + 1)}, "is too long"),
        ({"round": MAX_NUMBER + 1}, "maximum"),
        ({"profiles": [{"id": "a", "movement": 10**6}]}, "maximum"),
    ],
)
def test_lists_and_other_numbers_have_the_limits_of_every_reader(board: Any, message: str) -> None:
    assert any(message in error.message for error in errors_of("pit", board))


def test_text_that_only_the_rules_read_has_the_limit_of_every_reader() -> None:
    assert DEFINITIONS["diskwars.Board"]["properties"]["cursor"]["maxLength"] == MAX_TEXT


@each_row("name", NAMES)
def test_boards_of_real_matches_are_valid(name: str) -> None:
    boards = [state.board for state in played(name, 2, 1).states if state.board is not None]
    for board in some_of(boards, 40):
        assert list(errors_of(name, msgspec.json.decode(msgspec.json.encode(board)))) == []


@each_row(
    ("name", "struct", "field"),
    [("diskwars", "Field", "width"), ("diskwars", "Profile", "radius"), ("pit", "Attack", "target")],
)
def test_struct_that_events_or_catalogues_hold_too_keeps_its_own_range(name: str, struct: str, field: str) -> None:
    assert DEFINITIONS[f"{name}.{struct}"]["properties"][field]["maximum"] > MAX_NUMBER
