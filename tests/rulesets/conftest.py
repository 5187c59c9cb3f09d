"""Fixtures of the suite that runs on every registered ruleset."""

from collections.abc import Callable

import pytest

from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_content.rulesets.registry import RULESETS
from tests.client.verification.counting_file_checks import register_counting
from tests.rulesets.matches import TOY, PlayedMatch, played
from tests.server.counting_ruleset import CountingRules


@pytest.fixture(autouse=True)
def toy_ruleset(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the toy ruleset of the tests: three lines, as for any other."""
    monkeypatch.setitem(RULESETS, TOY, lambda packs: CountingRules())
    register_counting(monkeypatch)


@pytest.fixture
def match(toy_ruleset: None, name: str, count: Callable[..., int], seed: int) -> PlayedMatch:
    """Return a whole match, played once for all tests."""
    return played(name, count(load_ruleset(name.split()[0], ()).seat_counts), seed)
