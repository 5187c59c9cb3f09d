"""The tables and samples of docs/adding.md agree with what the loader accepts."""

import re
import tomllib
from pathlib import Path

from msgspec.structs import fields

from diskwars_content.rulesets.diskwars.entry_checks import EFFECTS_BY_TIMING
from diskwars_content.rulesets.diskwars.keyword_text import parse_keyword, parse_terrain_keyword
from diskwars_content.rulesets.diskwars.specs import ArmySpec, CommandCardSpec, DiskSpec, TerrainPieceSpec
from diskwars_protocol.rulesets.diskwars.keyword_forms import KEYWORDS
from diskwars_protocol.rulesets.diskwars.terrain import TERRAIN_KEYWORDS

GUIDE = (Path(__file__).parents[2] / "docs" / "adding.md").read_text("utf-8")


def test_guide_lists_every_effect_with_its_figures_and_times() -> None:
    documented = {
        row[0]: (row[1], row[2].split(", ")) for row in re.findall(r"^\| `(\w+)` \| (.*) \| (.*) \|$", GUIDE, re.M)
    }
    effects = {effect for allowed in EFFECTS_BY_TIMING.values() for effect in allowed}
    assert set(documented) == {effect.__struct_config__.tag for effect in effects}
    for effect in effects:
        figures, whens = documented[str(effect.__struct_config__.tag)]
        assert re.findall(r"`(\w+)`", figures) == [field.name for field in fields(effect)]
        assert whens == [when for when, allowed in EFFECTS_BY_TIMING.items() if effect in allowed]


def test_every_keyword_is_documented_as_written() -> None:
    table = GUIDE.split("### Keywords")[1].split("### Abilities")[0]
    documented = [parse_keyword(written) for written in re.findall(r'`"([^"]+)"`', table)]
    assert {keyword.id for keyword in documented} | {"slow"} == set(KEYWORDS)


def test_samples_parse_and_use_existing_fields() -> None:
    samples = [tomllib.loads(text.replace(", … }", " }")) for text in re.findall(r"```toml\n(.*?)```", GUIDE, re.S)]
    for key, spec in (
        ("disk", DiskSpec),
        ("card", CommandCardSpec),
        ("army", ArmySpec),
        ("piece", TerrainPieceSpec),
    ):
        entries = [entry for sample in samples if key in sample for entry in [sample[key]] if isinstance(entry, list)]
        known = {field.name for field in fields(spec)}
        assert entries
        assert all(set(table) <= known for tables in entries for table in tables)


def test_every_terrain_keyword_is_documented_as_written() -> None:
    table = GUIDE.split("## Terrain")[1].split("\n## ")[0]
    documented = [parse_terrain_keyword(written) for written in re.findall(r'`"([^"]+)"`', table)]
    assert {keyword.id for keyword in documented} == set(TERRAIN_KEYWORDS)
