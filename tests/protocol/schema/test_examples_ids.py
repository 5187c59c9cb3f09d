"""The examples of the protocol name cards, disks and armies by ids of the core pack."""

import json
from collections.abc import Iterator, Mapping, Set
from typing import Any

import msgspec

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_protocol.connection.connection import encode
from diskwars_protocol.schema import examples
from tests.rows import each_row

PACK = core_pack()
KIND_OF_CARD: Mapping[str, Set[str]] = {
    "lock_card": PACK.cards.keys(),
    "activation": PACK.cards.keys(),
    "lay_deployment_card": PACK.deployments.keys(),
    "deployment_card": PACK.deployments.keys(),
    "place_terrain": PACK.terrain.keys(),
    "terrain": PACK.terrain.keys(),
}
"""The ids that `card` or `cards` of an action or a question holds, by its type."""
IDS_OF_FIELD: Mapping[str, Set[str]] = {
    "army": PACK.armies.keys(),
    "hero": PACK.disks.keys(),
    "units": PACK.disks.keys(),
    "hand": PACK.cards.keys(),
    "scenario": PACK.scenarios.keys(),
}


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a JSON value."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(part)


def named_ids(value: Any) -> Iterator[tuple[str, Set[str]]]:
    """Yield every id that a JSON value names, with those that exist of its kind."""
    for found in objects(value):
        for field, content in found.items():
            known = KIND_OF_CARD.get(found.get("type", "")) if field in ("card", "cards") else IDS_OF_FIELD.get(field)
            for id in content if isinstance(content, list) else [content]:
                if known is not None and isinstance(id, str) and id:
                    yield id, known


def unknown_ids(value: Any) -> list[str]:
    return [id for id, known in named_ids(value) if id not in known]


WORDS = [json.loads(msgspec.json.encode(word)) for word in (*examples.ACTIONS, *examples.QUESTIONS)]
MESSAGES = [json.loads(encode(message)) for message in examples.CONVERSATION]


@each_row("value", [*WORDS, *MESSAGES], ids=lambda value: value["type"])
def test_example_names_ids_of_the_core_pack(value: Any) -> None:
    assert unknown_ids(value) == []


def test_every_action_and_question_with_a_card_has_a_kind() -> None:
    assert {word["type"] for word in WORDS if word.keys() & {"card", "cards"}} == KIND_OF_CARD.keys()


def test_ids_are_found_at_every_depth() -> None:
    assert len({id for message in MESSAGES for id, _ in named_ids(message)}) > 10
    assert unknown_ids({"loadout": {"regiments": [{"hero": "Karl Franz"}]}}) == ["Karl Franz"]
    assert unknown_ids({"type": "terrain", "cards": ["Forest"]}) == ["Forest"]


def test_entries_of_the_example_catalogue_are_those_of_the_core_pack() -> None:
    catalogue = next(message["content"] for message in MESSAGES if message["type"] == "catalogue")
    assert {word["id"] for word in catalogue["races"]} <= set(PACK.races)
    assert {word["id"] for word in catalogue["traits"]} <= set(PACK.traits)
    for entry in catalogue["cards"]:
        assert PACK.cards[entry["card"]["id"]].name == entry["card"]["name"]
