"""The schema states the range of every number and the form of every text, and closes what the server closes."""

from collections.abc import Iterator
from typing import Any, TypeAlias, get_args

from jsonschema import Draft7Validator

from diskwars_protocol.rulesets.diskwars.actions import ActionTag, BoardAction
from diskwars_protocol.rulesets.registry import RULESETS
from diskwars_protocol.schema.schema import message_tag
from tests.protocol.schema.whole_schema import DEFINITIONS
from tests.rows import each_row

Schema: TypeAlias = dict[str, Any]
Place: TypeAlias = tuple[str, ...]

FREE_TEXTS = {
    "text": "a sentence for people, as long as it needs to be",
    "texts": "a sentence for people each",
    "objective_texts": "a sentence for people each",
    "remedy": "a sentence for people",
    "name": "a display name, as the author of a pack wrote it",
    "cursor": "opaque to everybody but the rules of the ruleset, and as long as their list of tasks",
}
"""Texts without a form, by the name of their field, with the reason."""
FORMED_NAMES = {("Pack", "id"), ("RulesetSummary", "id"), ("RulesetSetting", "id")}
"""Fields with forms of their own."""


def schemas_of(value: object, place: Place) -> Iterator[tuple[Place, Schema]]:
    """Yield every schema in a definition, with its place."""
    if isinstance(value, dict):
        yield place, value
        for name, part in value.items():
            yield from schemas_of(part, (*place, name))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from schemas_of(part, (*place, str(number)))


ALL = [found for name, definition in DEFINITIONS.items() for found in schemas_of(definition, (name,))]


def has_form(schema: Schema) -> bool:
    return bool({"pattern", "maxLength", "enum"} & schema.keys())


def field_of(place: Place) -> str:
    return place[place.index("properties") + 1] if "properties" in place else ""


def test_every_number_has_a_range() -> None:
    numbers = [(place, schema) for place, schema in ALL if schema.get("type") == "integer"]
    assert len(numbers) > 200
    assert [place for place, schema in numbers if not {"minimum", "maximum"} <= schema.keys()] == []


def test_every_text_has_a_form_or_a_reason_to_have_none() -> None:
    texts = [(place, schema) for place, schema in ALL if schema.get("type") == "string"]
    assert len(texts) > 100
    free = [place for place, schema in texts if not has_form(schema)]
    assert [place for place in free if field_of(place) not in FREE_TEXTS] == []
    assert {field_of(place) for place in free} == set(FREE_TEXTS)
    assert {(place[0], field_of(place)) for place in free} & FORMED_NAMES == set()


def is_closed(name: str) -> bool:
    closed: bool = DEFINITIONS[name].get("additionalProperties") is False
    return closed


@each_row("ruleset", RULESETS)
def test_structs_of_actions_and_options_are_as_closed_as_the_server_keeps_them(ruleset: str) -> None:
    assert all(map(is_closed, ("Ready", "Resign", "ReplaceChain", "MatchOptions", "PerDecisionClock")))
    assert all(map(is_closed, (f"{ruleset}.TakeSeat", f"{ruleset}.Settings", f"{ruleset}.Loadout")))


@each_row(
    ("name", "value"),
    [
        ("diskwars.Action", {"type": "resign", "reason": "late"}),
        ("diskwars.Action", {"type": "ready", "nonce": ""}),
        ("MatchOptions", {"visible": "link"}),
        ("PerDecisionClock", {"type": "per_decision", "decision_seconds": 60, "seconds": 1}),
        ("RulesetSummary", {"id": "Disk Wars", "seat_counts": [2]}),
        ("Refused", {"type": "refused", "code": "fault", "text": "it is", "rule": "rule 7"}),
        ("Reason", {"rule": "R1", "numbers": {"found": 2**53}}),
        ("diskwars.Unavailable", {"code": "fault", "text": "it is", "rule": "R1", "action": "sing"}),
    ],
)
def test_value_outside_its_range_or_form_is_invalid(name: str, value: object) -> None:
    validator = Draft7Validator({"$ref": f"#/definitions/{name}", "definitions": DEFINITIONS})
    assert not validator.is_valid(value)


@each_row("rule", ["R2.3", "R-04", "A-12", "B-8a", "R4.2.1b"])
def test_rule_id_may_end_in_a_letter(rule: str) -> None:
    validator = Draft7Validator({"$ref": "#/definitions/Reason", "definitions": DEFINITIONS})
    assert validator.is_valid({"rule": rule})
    assert not validator.is_valid({"rule": rule + "bc"})


def test_actions_that_options_name_exist() -> None:
    assert set(get_args(ActionTag)) <= {message_tag(kind) for kind in get_args(BoardAction)}
