"""The comparison with another revision: what is measured, and what is refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bench.against import ComparedLoad, UnknownRevision, measure_pairs, name_of, result_table, unpack
from bench.load.load import LoadMeasurement
from bench.measuring.tables import markdown


def measured(actions: int, cpu: float) -> LoadMeasurement:
    return LoadMeasurement(
        actions=actions, seconds=1.0, p50=1.0, p99=2.0, server_cpu=cpu, database_cpu=0.0, load_cpu=0.1, server_kib=2048
    )


def test_windows_are_measured_in_turn_and_each_tree_comes_first_in_half_of_them() -> None:
    order: list[str] = []

    def side(name: str) -> Callable[[], LoadMeasurement]:
        def measure() -> LoadMeasurement:
            order.append(name)
            return measured(100, 0.1)

        return measure

    assert len(measure_pairs(side("here"), side("there"), 3)) == 3
    assert order == ["here", "there", "here", "there", "there", "here", "here", "there"]


def test_each_match_acts_once_a_second_where_as_many_acts_as_matches_are_wanted() -> None:
    assert ComparedLoad("quiet", False, 200).window((), 200, 0.5).seconds_between_actions == 1.0
    assert ComparedLoad("saturated", False).window((), 200, 0.5).seconds_between_actions == 0.0


def test_ratio_is_that_of_pairs_and_not_of_medians() -> None:
    pairs = [(measured(100, 0.1), measured(100, 0.2)), (measured(50, 0.1), measured(50, 0.2))]
    table = result_table("load", "abc1234", pairs)
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["CPU µs/act"][2] == "0.500 [0.500–0.500]"
    assert rows["acts/s"][2] == "1.00 [1.00–1.00]"
    assert rows["PostgreSQL µs/act"][2] == "nan [nan–nan]", "what took nothing there has no ratio"
    assert "abc1234" in markdown(table)


def test_unknown_revision_is_refused_in_words() -> None:
    with pytest.raises(UnknownRevision, match="git rev-parse"):
        name_of("no-such-revision")


def test_revision_without_a_measured_server_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.against.MODULES", (("bench.servers.another", "bench.traces"),))
    with pytest.raises(UnknownRevision, match="no server that can be measured"):
        unpack("HEAD", tmp_path)
