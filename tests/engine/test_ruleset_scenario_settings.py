"""Settings that name a scenario the pack does not have are refused by every ruleset with scenarios in its settings."""

from typing import Any

import pytest

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.rulesets.close_quarters.actions import CloseQuartersLoadout, CloseQuartersSettings
from diskwars_protocol.rulesets.regiments.actions import RegimentsLoadout, RegimentsSettings
from tests.engine.rulesets.close_quarters.close_quarters_positions import CLOSE_QUARTERS
from tests.engine.rulesets.regiments.regiments_positions import REGIMENTS
from tests.rows import each_row


@each_row(
    ("rules", "settings", "loadout", "rule"),
    [
        (CLOSE_QUARTERS, CloseQuartersSettings("sand-pit"), CloseQuartersLoadout(), "B-0"),
        (REGIMENTS, RegimentsSettings("sand-pit"), RegimentsLoadout(), "C-0"),
    ],
    ids=["close_quarters", "regiments"],
)
@each_row("method", ["complete_loadout", "check_loadout"])
def test_scenario_that_the_pack_does_not_have_is_refused(
    rules: Any, settings: Any, loadout: Any, rule: str, method: str
) -> None:
    """B-0, C-0: scenarios are content, so the rules know which there are."""
    with pytest.raises(Illegal) as refused:
        getattr(rules, method)(settings, loadout)
    assert (refused.value.code, refused.value.place, refused.value.rule) == (
        "bad_settings",
        "$.settings.scenario",
        rule,
    )
    assert all(scenario.id in refused.value.text for scenario in rules.catalogue().scenarios)
