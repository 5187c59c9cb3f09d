"""Output for a screen comes in pages, with long lines broken between words."""

import pytest

from diskwars_client.terminal_pages import KEPT_ROWS, MAX_WAITING_LINES, Pages, Screen, wrap_lines
from tests.rows import each_row

PAGE = 10


def pages(rows: int | None = PAGE + KEPT_ROWS) -> tuple[Pages, list[str]]:
    printed: list[str] = []
    screen = None if rows is None else Screen(20, rows)
    return Pages(lambda text: printed.extend(text.split("\n")), lambda: screen), printed


def block(count: int, name: str = "line") -> str:
    return "\n".join(f"{name} {number}" for number in range(count))


def test_without_a_screen_everything_is_printed_at_once() -> None:
    output, printed = pages(rows=None)
    output.print_block(block(500))
    assert len(printed) == 500
    assert not output.has_more


def test_what_does_not_fit_waits_for_the_player() -> None:
    output, printed = pages()
    output.print_block(block(25))
    assert (len(printed), output.has_more) == (PAGE, True)
    output.print_more()
    assert (len(printed), output.has_more) == (2 * PAGE, True)
    output.print_more()
    assert (len(printed), output.has_more) == (25, False)
    assert printed == block(25).split("\n")


def test_a_block_that_fits_a_page_stays_whole() -> None:
    output, printed = pages()
    output.print_block(block(6, "first"))
    output.print_block(block(6, "second"))
    assert len(printed) == 6
    output.print_more()
    assert printed[6:] == block(6, "second").split("\n")


def test_what_waits_is_read_to_its_end_by_a_player_who_types_replies_only() -> None:
    """A block as high as a page never fits beside the reply, and would never come."""
    output, printed = pages()
    output.print_block("first")
    for name in ("second", "third"):
        output.print_block(block(PAGE, name))
    typed = 0
    while output.has_more:
        output.begin_page()
        output.print_reply("read this first")
        output.read_on()
        typed += 1
        assert typed < 10
    told = [line for line in printed if line != "read this first"]
    assert told == ["first", *block(PAGE, "second").split("\n"), *block(PAGE, "third").split("\n")]
    assert len(printed) <= (typed + 1) * PAGE


@pytest.mark.parametrize(("before", "first_page"), [(PAGE // 2, PAGE), (PAGE // 2 + 1, PAGE // 2 + 1)])
def test_a_long_block_begins_where_half_a_page_is_left(before: int, first_page: int) -> None:
    output, printed = pages()
    output.print_block(block(before))
    output.print_block(block(3 * PAGE))
    assert (len(printed), output.has_more) == (first_page, True)


def test_small_blocks_share_a_page_until_something_is_typed() -> None:
    output, printed = pages()
    for _ in range(PAGE + 1):
        output.print_block("news")
    assert (len(printed), output.has_more) == (PAGE, True)
    output.print_more()
    output.begin_page()
    for _ in range(PAGE):
        output.print_block("more news")
    assert (len(printed), output.has_more) == (2 * PAGE + 1, False)


def test_what_waits_is_bounded() -> None:
    output, printed = pages()
    for number in range(3 * MAX_WAITING_LINES):
        output.print_block(f"event {number}")
    while output.has_more:
        output.print_more()
    assert len(printed) == MAX_WAITING_LINES + PAGE
    assert printed[-1] == f"event {3 * MAX_WAITING_LINES - 1}"


def test_reply_is_printed_at_once_and_what_waits_stays_for_the_next_page() -> None:
    output, printed = pages()
    output.print_block(block(PAGE + 5, "news"))
    output.begin_page()
    output.print_reply(block(3, "reply"))
    assert printed[PAGE:] == block(3, "reply").split("\n")
    assert output.has_more
    output.print_more()
    assert printed[PAGE + 3 :] == block(PAGE + 5, "news").split("\n")[PAGE:]


def test_long_reply_is_read_to_its_end_before_what_waited() -> None:
    output, printed = pages()
    output.print_block(block(PAGE + 2, "news"))
    output.begin_page()
    output.print_reply(block(PAGE + 4, "reply"))
    output.print_more()
    assert printed[PAGE:] == [*block(PAGE + 4, "reply").split("\n"), *block(PAGE + 2, "news").split("\n")[PAGE:]]
    assert not output.has_more


def test_reply_waits_where_news_have_filled_the_page_since_it_was_asked_for() -> None:
    output, printed = pages()
    output.print_block(block(PAGE + 2, "news"))
    output.print_reply("reply")
    assert len(printed) == PAGE
    output.print_more()
    assert printed[PAGE:] == ["reply", *block(PAGE + 2, "news").split("\n")[PAGE:]]


def test_reply_is_a_usual_block_where_nothing_waits() -> None:
    for rows in (PAGE + KEPT_ROWS, None):
        output, printed = pages(rows)
        output.print_reply(block(4))
        assert (len(printed), output.has_more) == (4, False)


@each_row("text", ["  1. one two three four five six", "a" * 50, "short", "", "  x " * 30])
def test_no_line_is_longer_than_the_screen(text: str) -> None:
    lines = wrap_lines(text, 20)
    assert all(len(line) <= 20 for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_broken_lines_are_indented_below_their_beginning() -> None:
    assert wrap_lines("  1. one two three four five", 20) == ["  1. one two three", "    four five"]
