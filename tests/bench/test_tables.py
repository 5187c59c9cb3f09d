"""Do tables of figures read as they are meant, and does a page hold all of them?"""

from pathlib import Path

import pytest

from bench import page
from bench.__main__ import PROGRAMS, main, written
from bench.tables import Bound, Table, markdown, median, percentile, shown, spread


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
def test_a_figure_shows_three_digits_that_count(figure: float, text: str) -> None:
    assert shown(figure) == text


def test_a_table_has_its_figures_on_the_right_and_says_whether_bounds_are_met() -> None:
    bounds = (Bound("speed", 0.7, 0.65, "at least"), Bound("cost", 9, 8, unit="ms"))
    table = Table("cost", ("who", "ms"), (("a", 1), ("bcd", 1000)), bounds, ("Noise.",))
    assert markdown(table).splitlines() == [
        "### cost",
        "",
        "| who |    ms |",
        "| --- | ----: |",
        "| a   |     1 |",
        "| bcd | 1,000 |",
        "",
        "- speed: 0.700, bound at least 0.650: met",
        "- cost: 9 ms, bound at most 8 ms: **not met**",
        "",
        "Noise.",
    ]


def test_many_runs_come_to_their_median_and_their_spread() -> None:
    assert median([3, 1, 2]) == 2
    assert percentile(range(200), 0.99) == 198
    assert spread([3, 1, 2]) == "2 [1–3]"
    assert spread([]) == "–"


def test_a_page_keeps_the_sections_of_programs_that_did_not_run_and_names_all_bounds(tmp_path: Path) -> None:
    file = tmp_path / "benchmarks.md"
    file.write_text("Somebody's words.\n", "utf-8")
    far = markdown(Table("far", ("who", "ms"), (("a", 1),), (Bound("way: there", 1200, 1000),)))
    near = markdown(Table("near", ("who", "ms"), (("a", 1),), (Bound("speed", 0.7, 0.5, "at least", "x"),)))
    written(file, {"idle": far, "fold": "first"})
    written(file, {"fold": near, "match": r"\1"})
    text = file.read_text("utf-8")
    assert page.sections(text) == {"match": r"\1", "fold": near.strip(), "idle": far.strip()}
    assert "| idle | way: there | 1,200 | at most 1,000 | 1.20 | **not met** |" in text
    assert "| fold | speed | 0.700 x | at least 0.500 x | 1.40 | met |" in text
    assert text.startswith("# Benchmarks\n")
    assert "Somebody" not in text
    assert page.PROFILES.read_text("utf-8").strip() in text


def test_a_program_that_is_not_there_is_refused_with_the_names_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["nothing"])
    said = capsys.readouterr().err
    assert all(name in said for name in (*PROGRAMS, "all"))
