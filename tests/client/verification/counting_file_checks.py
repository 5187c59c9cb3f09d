"""File checks that the toy ruleset registers to have its match files verified."""

import pytest

from diskwars_client.plugs.file_checks import FileChecks
from diskwars_client.rulesets.registry import FILE_CHECKS
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.rulesets.registry import RULESETS
from tests.server.counting_ruleset import CountingRules


class CountingFileChecks(FileChecks):
    rules_version = CountingRules.rules_version

    def ruleset(self) -> AnyRuleset:
        rules = CountingRules()
        rules.packs = self.packs
        return rules


def register_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the toy ruleset known as any other is: one line in each registry."""
    monkeypatch.setitem(RULESETS, "counting", CountingRules.vocabulary)
    monkeypatch.setitem(FILE_CHECKS, "counting", f"{__name__}:CountingFileChecks")
