"""The program that measures the sides of scenarios knows all of them, and prints a row for each."""

import pytest

from diskwars_content.rulesets import regiments
from tools import scenario_balance


def test_each_scenario_that_is_named_has_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(scenario_balance.SCENARIOS["regiments"]) == set(regiments.core_content().scenarios)
    words = ["regiments", "the-road", "the-pass", "--matches", "2", "--bot", "charge"]
    assert scenario_balance.main(words) == 0
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [row.split(" | ")[1] for row in rows] == ["the-road", "the-pass"]
    assert all(" % | " in row for row in rows)
