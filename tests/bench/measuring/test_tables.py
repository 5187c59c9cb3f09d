"""Tests of tables of figures and of the page that contains them."""

import os
import platform
from pathlib import Path

import pytest

from bench import result_page
from bench.__main__ import write_charts, write_page
from bench.load.load import LoadMeasurement
from bench.measuring.tables import (
    Chart,
    FigureBound,
    ResultTable,
    format_figure,
    machine_text,
    markdown,
    median,
    median_with_range,
    percentile,
)
from bench.programs import rivals


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (0, "0"),
        (1234567, "1,234,567"),
        (0.0, "0.0"),
        (0.01234, "0.0123"),
        (1.0, "1.00"),
        (56.78, "56.8"),
        (1234.5, "1,234"),
    ],
)
def test_figure_has_three_significant_digits(figure: float, text: str) -> None:
    assert format_figure(figure) == text


def test_table_aligns_figures_and_judges_bounds() -> None:
    bounds = (FigureBound("speed", 0.7, 0.65, "at least"), FigureBound("cost", 9, 8, unit="ms"))
    table = ResultTable(
        "cost", ("who", "ms"), (("a", 1), ("bcd", 1000)), bounds, ("Noise.",), ("It is fast.", "Mostly.")
    )
    assert markdown(table).splitlines() == [
        "### cost",
        "",
        "| who |    ms |",
        "| --- | ----: |",
        "| a   |     1 |",
        "| bcd | 1,000 |",
        "",
        "> It is fast.",
        "> Mostly.",
        "",
        "- speed: 0.700, bound at least 0.650: met",
        "- cost: 9 ms, bound at most 8 ms: **not met**",
        "",
        "Noise.",
    ]


def test_statistics_of_runs_match_examples() -> None:
    assert median([3, 1, 2]) == 2
    assert percentile(range(200), 0.99) == 198
    assert median_with_range([3, 1, 2]) == "2 [1–3]"
    assert median_with_range([981]) == "981"
    assert median_with_range([]) == "–"


def test_page_keeps_old_sections_and_lists_all_bounds(tmp_path: Path) -> None:
    file = tmp_path / "benchmarks.md"
    far = markdown(ResultTable("far", ("who", "ms"), (("a", 1),), (FigureBound("way: there", 1200, 1000),)))
    near = markdown(ResultTable("near", ("who", "ms"), (("a", 1),), (FigureBound("speed", 0.7, 0.5, "at least", "x"),)))
    assert result_page.reason_not_writable(file) == ""
    write_page(file, {"idle": far, "fold": "first"})
    assert result_page.reason_not_writable(file) == ""
    write_page(file, {"fold": near, "match": r"\1"})
    text = file.read_text("utf-8")
    assert result_page.read_sections(text) == {"match": r"\1", "fold": near.strip(), "idle": far.strip()}
    assert "| idle | way: there | 1,200 | at most 1,000 | 0.83 | **not met** |" in text
    assert "| fold | speed | 0.700 x | at least 0.500 x | 1.40 | met |" in text
    assert text.startswith("# Benchmarks\n")
    assert "| times the bound, better above 1 |" in text
    assert "## Summary" not in text
    assert result_page.PROFILES_FILE.read_text("utf-8").strip() in text


def test_page_begins_with_all_summary_sentences(tmp_path: Path) -> None:
    file = tmp_path / "benchmarks.md"
    quick = markdown(ResultTable("quick", ("who", "ms"), (("a", 1),), summary=("It is quick.", "It is small.")))
    slow = markdown(ResultTable("slow", ("who", "ms"), (("a", 1),), notes=("Noise.",), summary=("It is slow.",)))
    write_page(file, {"idle": quick, "fold": slow})
    text = file.read_text("utf-8")
    introduction, _, reading = result_page.READING_FILE.read_text("utf-8").strip().partition("\n## ")
    short = "## Summary\n\n- It is slow.\n- It is quick.\n- It is small.\n\n"
    assert f"{introduction.strip()}\n\n{short}## {reading}\n\n## fold" in text


def test_page_without_bounds_has_no_bounds_section() -> None:
    assert result_page.bounds_section({"idle": markdown(ResultTable("far", ("who", "ms"), (("a", 1),)))}) == ""


def test_machine_text_counts_available_cores_and_omits_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3, 5, 7}, raising=False)
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    monkeypatch.setattr(platform, "release", lambda: "6.1.2-special")
    assert ", 3 cores of " in machine_text()
    assert ", Linux, Python " in machine_text()
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3}, raising=False)
    assert ", 1 core of " in machine_text()


def test_rivals_are_compared_with_the_same_work_on_both_sides() -> None:
    def measured(rate: float) -> LoadMeasurement:
        return LoadMeasurement(round(rate), 1.0, 4.0, 9.0, 0.1, 0.1, 0.1, 1024)

    runs: rivals.RivalRuns = {
        rivals.MEMORY: [(measured(100), measured(400))],
        rivals.POSTGRES: [(measured(10), measured(50))],
        rivals.SAME_WORK: [(measured(190), measured(840))],
        rivals.DISKWARS: [(measured(150), measured(300))],
    }
    bounds = {bound.label: (bound.measured, bound.is_met) for bound in rivals._result_table(runs, 0).bounds}
    assert bounds == {
        "actions/s, times boardgame.io in memory, both warm": (2.1, True),
        "actions/s, times boardgame.io with PostgreSQL, both warm": (16.8, False),
    }


def test_picture_is_written_beside_the_page_that_shows_it(tmp_path: Path) -> None:
    table = ResultTable("Over time", (), (), chart=Chart("crowd", "<svg/>"))
    write_charts(tmp_path / "page.md", [table, ResultTable("cost", ("who",), (("a",),))])
    assert markdown(table).splitlines() == ["### Over time", "", "![Over time](measured/crowd.svg)"]
    assert (tmp_path / "measured" / "crowd.svg").read_text() == "<svg/>"
