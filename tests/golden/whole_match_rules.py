"""Rules of the recorded whole matches, whose hands stay as they were when their seeds were searched for."""

from pathlib import Path

from diskwars_content.rulesets.diskwars import load_packs
from tests.engine.played_match import build_rules

WHOLE_MATCH_CATALOGUE = load_packs(Path(__file__).parent / "whole_matches.toml").catalogue
WHOLE_MATCH_RULES = build_rules(WHOLE_MATCH_CATALOGUE)
