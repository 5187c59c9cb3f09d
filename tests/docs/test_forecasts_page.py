"""docs/forecasts.md shows the list of effects as it is."""

from tests.client.rulesets.diskwars.forecast_comparison import KIND_NAMES
from tests.client.rulesets.diskwars.forecast_effects import ROOT, TABLE_BEGIN, TABLE_END, effects_table
from tests.engine.played_match import IS_UPDATING_GOLDEN

PAGE = ROOT / "docs" / "forecasts.md"


def test_page_shows_every_effect() -> None:
    before, begin, rest = PAGE.read_text("utf-8").partition(TABLE_BEGIN)
    _, end, after = rest.partition(TABLE_END)
    assert begin
    assert end
    text = f"{before}{begin}\n{effects_table()}\n{end}{after}"
    if IS_UPDATING_GOLDEN:
        PAGE.write_text(text, "utf-8")
    assert PAGE.read_text("utf-8") == text


def test_comparison_found_no_difference() -> None:
    text = PAGE.read_text("utf-8")
    kinds = tuple(f"| {name} |" for name in KIND_NAMES.values())
    rows = [line.split("|") for line in text.splitlines() if line.startswith(kinds)]
    assert len(rows) == 4
    assert all(int(row[2].replace(",", "")) >= 10_000 and row[4].strip() == "0" for row in rows)
    assert "The page's test of the same rows passes." in text
