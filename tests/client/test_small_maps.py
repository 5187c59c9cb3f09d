"""Maps, options and help of every ruleset in few rows, for a screen of 80 x 24."""

import pytest

from diskwars_client.rulesets.diskwars.terminal_ruleset import HELP_TEXT
from diskwars_client.rulesets.registry import find_terminal
from diskwars_client.terminal_agreements import AGREEMENT_HELP
from diskwars_client.terminal_chat import CHAT_HELP
from diskwars_client.terminal_pages import Screen, wrap_lines
from diskwars_client.terminal_reports import REPORT_HELP
from diskwars_text.text_grid import with_legend
from tests.client.asked_boards import AskedBoard
from tests.engine.pit_positions import PIT, fighter, lay_out
from tests.rulesets.matches import played

SCREEN = Screen(80, 24)
PAGE_ROWS = 22


def test_legend_is_to_the_right_of_the_grid_and_is_wrapped() -> None:
    lines = with_legend(["....", "...."], ["A1 A Captain, ok, 1 wound", "B1"], 26)
    assert lines == ["....  A1 A Captain, ok, 1", "....     wound", "      B1"]


def test_legend_comes_below_a_grid_that_is_as_wide_as_the_screen() -> None:
    assert with_legend(["." * 70], ["A1"], 80) == ["." * 70, "A1"]


@pytest.mark.parametrize("ruleset", ["pit", "regiments"])
def test_map_of_two_players_fits_a_screen(ruleset: str) -> None:
    terminal = find_terminal(ruleset)
    for now in (state for state in played(ruleset, 2, 1).states if state.board is not None):
        small = wrap_lines(terminal.table_text(now, SCREEN), SCREEN.columns)
        assert len(small) <= PAGE_ROWS
        assert len(small) < len(wrap_lines(terminal.table_text(now), SCREEN.columns))
        large = Screen(80, 70)
        assert terminal.table_text(now, large) == terminal.table_text(now)


def test_lines_of_help_fit_the_screen() -> None:
    texts = (HELP_TEXT, AGREEMENT_HELP, CHAT_HELP, REPORT_HELP)
    assert [line for text in texts for line in text.splitlines() if len(line) > SCREEN.columns] == []


def test_cells_of_the_pit_are_listed_on_request_only() -> None:
    asked = AskedBoard(PIT, lay_out(fighter(0, 0, 0), fighter(1, 5, 0), phase="engage"))
    text, last = asked.screen_lines[1:]
    assert text.endswith("; or `engage A1 X Y`, beside B1")
    assert last == "  all that may be chosen: `more`"
    assert asked.option_texts[1].startswith(text.removeprefix("  2. "))
