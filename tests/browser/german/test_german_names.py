"""Every piece, weapon and card of the small games has a German name on the page."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
RULESETS = ROOT / "server" / "diskwars_content" / "rulesets"
NAMES = ROOT / "clients" / "web" / "src" / "messages" / "de" / "parts" / "content_names.json"


def names_of(ruleset: str) -> Iterator[str]:
    """Yield what the page shows of the content of a ruleset: names, and the ids of cards, which have none."""
    for file in sorted((RULESETS / ruleset / "core").glob("*.toml")):
        if file.stem in ("pack", "scenarios"):
            continue
        for entries in tomllib.loads(file.read_text()).values():
            for entry in entries if isinstance(entries, list) else ():
                yield entry.get("name", entry["id"])


@pytest.mark.parametrize("ruleset", ["pit", "close_quarters", "regiments"])
def test_content_of_a_smaller_game_has_german_names(ruleset: str) -> None:
    known = set(json.loads(NAMES.read_text("utf-8")))
    wanted = set(names_of(ruleset))
    assert len(wanted) > 5
    assert not wanted - known
