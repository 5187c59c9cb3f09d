"""Maps, options and help of every ruleset in few rows, for a screen of 80 x 24."""

from diskwars_client.rulesets.registry import find_terminal
from diskwars_client.terminal.agreements import AGREEMENT_HELP
from diskwars_client.terminal.chat import CHAT_HELP
from diskwars_client.terminal.reports import REPORT_HELP
from diskwars_client.terminal_pages import Screen, wrap_lines
from diskwars_protocol.rulesets.registry import RULESETS
from diskwars_text.text_grid import with_legend
from tests.client.terminal.asked_boards import AskedBoard
from tests.engine.rulesets.pit.pit_positions import PIT, fighter, lay_out
from tests.engine.rulesets.regiments.regiments_positions import REGIMENTS, unit
from tests.engine.rulesets.regiments.regiments_positions import lay_out as lay_out_units
from tests.rows import each_row
from tests.rulesets.matches import played

SCREEN = Screen(80, 24)
PAGE_ROWS = 22
SMALLER_GAMES = ["pit", "close_quarters", "regiments"]


def test_legend_is_to_the_right_of_the_grid_and_is_wrapped() -> None:
    lines = with_legend(["....", "...."], ["A1 A Captain, ok, 1 wound", "B1"], 26)
    assert lines == ["....  A1 A Captain, ok, 1", "....     wound", "      B1"]


def test_legend_comes_below_a_grid_that_is_as_wide_as_the_screen() -> None:
    assert with_legend(["." * 70], ["A1"], 80) == ["." * 70, "A1"]


@each_row("ruleset", SMALLER_GAMES)
def test_map_of_two_players_fits_a_screen(ruleset: str) -> None:
    terminal = find_terminal(ruleset)
    for now in (state for state in played(ruleset, 2, 1).states if state.board is not None):
        small = wrap_lines(terminal.table_text(now, SCREEN), SCREEN.columns)
        assert len(small) <= PAGE_ROWS
        assert len(small) < len(wrap_lines(terminal.table_text(now), SCREEN.columns))
        large = Screen(80, 70)
        assert terminal.table_text(now, large) == terminal.table_text(now)


def test_lines_of_help_fit_the_screen() -> None:
    helps = [find_terminal(ruleset).help_text for ruleset in RULESETS]
    texts = (*helps, AGREEMENT_HELP, CHAT_HELP, REPORT_HELP)
    assert [line for text in texts for line in text.splitlines() if len(line) > SCREEN.columns] == []


def test_cells_of_the_pit_are_listed_on_request_only() -> None:
    asked = AskedBoard(PIT, lay_out(fighter(0, 0, 0), fighter(1, 5, 0), phase="engage"))
    text, last = asked.screen_lines[1:]
    assert text.endswith("; or `engage A1 X Y`, beside B1")
    assert last == "  all that may be chosen: `more`"
    assert asked.option_texts[1].startswith(text.removeprefix("  2. "))


def test_numbers_of_files_share_a_line_and_keep_their_numbers() -> None:
    asked = AskedBoard(
        REGIMENTS, lay_out_units(unit("foot", 0, 1, 3, "east"), unit("foot", 1, 8, 3, "west"), waiting=(0,))
    )
    reforms = [number for number, text in enumerate(asked.option_texts, 1) if text.startswith("reform")]
    (line,) = [line for line in asked.screen_lines if "reform" in line]
    assert line.startswith(f"  {reforms[0]}-{reforms[-1]}. reform ")
    assert line.endswith(": as many files")
    assert asked.understood(str(reforms[-1])) == asked.numbered[reforms[-1] - 1].action
    numbers = [text.strip().partition(".")[0] for text in asked.screen_lines if "march" in text]
    assert numbers[0] == str(reforms[-1] + 1)


@each_row("ruleset", SMALLER_GAMES)
def test_figures_of_a_piece_are_shown_by_its_mark(ruleset: str) -> None:
    state = next(state for state in played(ruleset, 2, 1).states if state.board is not None)
    terminal = find_terminal(ruleset)
    everything = terminal.answer_information_order("show", "", state, 0, "diskwars") or []
    assert len(everything) > 3
    mark, _, rest = everything[0].strip().partition(" ")
    assert ": " in rest
    assert terminal.answer_information_order("show", mark, state, 0, "diskwars") == everything[:1]
    assert terminal.answer_information_order("show", "nobody", state, 0, "diskwars") == [
        "nothing on the map is called 'nobody'; `board` shows marks and names"
    ]


def test_word_that_is_no_order_is_answered_with_the_orders() -> None:
    asked = AskedBoard(PIT, lay_out(fighter(0, 0, 0), fighter(1, 5, 0), phase="engage"))
    told = asked.misunderstood("walk A1 3 3")
    assert told.startswith("'walk' is no order here: type a number from 1 to ")
    assert told.endswith("or one of `end` and `engage`; `help` explains")
