"""The program that counts flights tells those that broke from those that fled on, and prints a row a scenario."""

from collections import Counter

import pytest

from diskwars_protocol.rulesets.regiments import events
from tools import count_flights


def test_unit_that_flees_on_is_not_counted_again() -> None:
    counts = count_flights.count_events(
        [
            events.FlightBegan(0, "broken", 1, "west", ()),
            events.FlightBegan(0, "still_fleeing", 1, "west", ()),
            events.UnitRallied(0, "east", ()),
            events.FlightBegan(0, "retreated", 1, "west", ()),
            events.UnitRouted(0, "left_the_field", ()),
        ]
    )
    assert counts == Counter(broke=2, rallied=1, left_the_field=1)


def test_table_has_a_row_for_each_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    assert count_flights.main(["field-trial", "the-plain", "--matches", "2", "--bot", "charge"]) == 0
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines()[2:]]
    assert [row[:2] for row in rows] == [["| field-trial", "2"], ["| the-plain", "2"]]
    assert all(int(row[2]) > 0 for row in rows)
