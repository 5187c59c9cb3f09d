"""The barricade of close quarters in words, pictures, positions and match files."""

from functools import cache

from diskwars_client.rulesets.close_quarters.terminal_ruleset import CloseQuartersTerminal
from diskwars_client.verification.verify import verify
from diskwars_protocol.rulesets.close_quarters.stats import Barricade
from diskwars_text.rulesets.close_quarters.notation import format_position, parse_position
from diskwars_text.rulesets.close_quarters.picture import draw_board
from diskwars_text.rulesets.close_quarters.text_map import draw_text_map
from tests.engine.rulesets.close_quarters.close_quarters_positions import CLOSE_QUARTERS, lay_out, squad
from tests.golden.bot_matches import BotMatch
from tests.golden.close_quarters_matches import barricade
from tests.golden.write_files import bot_file

LINE = Barricade(1200, 400, 1200, 1200)
BOARD = lay_out(squad(0, (1150, 800)), squad(1, (1250, 900)), barricade=LINE)


@cache
def golden() -> BotMatch:
    return barricade()


def test_position_with_a_barricade_is_read_back_from_its_text() -> None:
    """B-26."""
    text = format_position(BOARD)
    assert "barricade x0 1200 y0 400 x1 1200 y1 1200" in text.splitlines()
    assert parse_position(text) == BOARD
    played = golden().match.board
    assert played is not None
    assert parse_position(format_position(played)) == played


def test_map_and_picture_show_the_barricade_and_contact_across_it() -> None:
    """B-26."""
    lines = draw_text_map(BOARD).splitlines()
    rows = {line[:3].strip(): line[4:] for line in lines}
    assert [rows[str(y)][24] for y in (3, 4, 12, 13)] == [".", "#", "#", "."]
    assert "# a barricade from 12, 4 to 12, 12 inches" in lines
    picture = draw_board(BOARD)
    assert picture.count('class="barricade"') == 1
    assert picture.count('class="contact"') == 1
    without = lay_out(squad(0, (1150, 800)), squad(1, (1250, 900)))
    assert "#" not in draw_text_map(without)
    assert 'class="barricade"' not in draw_board(without)
    assert 'class="contact"' not in draw_board(without)


def test_narration_names_the_barricade() -> None:
    """B-26."""
    terminal, records, before = CloseQuartersTerminal(), golden().records[:5], None
    lines: list[str] = []
    for number, body in enumerate(records, 1):
        lines += terminal.narrate(before, body)
        before = CLOSE_QUARTERS.vocabulary.fold_record(before, body, records[:number])
    assert any(line.endswith("a barricade from 12, 4 to 12, 12 inches") for line in lines)


def test_file_of_a_match_with_a_barricade_is_verified() -> None:
    """B-26, B-27: decided again by the installed rulesets, and by one that is passed in."""
    raw = bot_file(golden())
    assert verify(raw).is_redecided
    assert verify(raw, rulesets=[CLOSE_QUARTERS]).is_redecided
