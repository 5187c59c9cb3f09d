"""The hash of a pack can be computed from the catalogue alone, by what docs/fairness.md says."""

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from diskwars_content.rulesets import close_quarters, pit, regiments
from diskwars_content.rulesets.diskwars import combine_packs, core_pack, expansion_pack, load_packs
from diskwars_engine.ruleset import AnyRuleset
from diskwars_engine.rulesets.close_quarters import CloseQuarters
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_engine.rulesets.diskwars.client_catalogue import build_client_catalogue
from diskwars_engine.rulesets.pit import Pit
from diskwars_engine.rulesets.regiments import Regiments
from tests.rows import each_row

TABLE_RULESETS = (
    Pit(pit.core_content()),
    Regiments(regiments.core_content()),
    CloseQuarters(close_quarters.core_content()),
)
OVERRIDES = """
id = "my box"
version = "1"
[disks."Orc Boyz"]
movement = 2
[scenarios.strongholds]
name = "Castles"
"""


def catalogue_of(content: Catalogue) -> Any:
    return json.loads(msgspec.json.encode(build_client_catalogue(content)))


def without_names(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_names(part) for key, part in value.items() if key not in ("name", "short_name")}
    return [without_names(part) for part in value] if isinstance(value, list) else value


def hash_of(figures: Any) -> str:
    text = json.dumps(without_names(figures), separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def diskwars_hash(catalogue: Any, pack: str) -> str:
    """Compute the hash of a pack from the content of a `catalogue` message."""
    own = {
        kind: [entry for entry in catalogue[kind] if entry["pack"] == pack]
        for kind in ("disks", "cards", "armies", "scenarios", "deployments", "terrain")
    }
    radius = {disk["profile"]["size"]: disk["profile"]["radius"] for disk in catalogue["disks"]}
    return hash_of(
        {
            "field": catalogue["field"],
            "sizes": {size: 2 * radius[size] for size in ("small", "medium", "large")},
            "battle_die": catalogue["battle_die"],
            "disks": [{"profile": disk["profile"], "copies": disk["copies"]} for disk in own["disks"]],
            "cards": [entry["card"] for entry in own["cards"]],
            "armies": [{key: army[key] for key in ("id", "regiments", "hand")} for army in own["armies"]],
            "scenarios": [card["scenario"] for card in own["scenarios"] if not card.get("special")],
            "special_scenarios": [card["scenario"] for card in own["scenarios"] if card.get("special")],
            "deployments": [entry["card"] for entry in own["deployments"]],
            "terrain": [entry["card"] for entry in own["terrain"]],
        }
    )


@pytest.mark.parametrize("place", [0, 1])
def test_hash_of_a_pack_of_diskwars_follows_from_the_catalogue(place: int) -> None:
    catalogue = catalogue_of(combine_packs(core_pack(), expansion_pack()))
    pack = catalogue["packs"][place]
    assert diskwars_hash(catalogue, pack["id"]) == pack["hash"]


def test_hash_of_an_override_file_follows_from_the_catalogue(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(OVERRIDES)
    catalogue = catalogue_of(load_packs(file).catalogue)
    pack = catalogue["packs"][-1]
    assert diskwars_hash(catalogue, pack["id"]) == pack["hash"]


@each_row("ruleset", TABLE_RULESETS)
def test_hash_of_a_pack_of_tables_follows_from_the_catalogue(ruleset: AnyRuleset) -> None:
    catalogue = json.loads(msgspec.json.encode(ruleset.catalogue()))
    figures = {name: entries for name, entries in catalogue.items() if name not in ("packs", "settings")}
    assert hash_of(figures) == catalogue["packs"][0]["hash"]
    assert [scenario["id"] for scenario in catalogue["scenarios"]] == catalogue["settings"][0]["values"]
