"""The measured ladder: what the page, the words of the bots and the docs say is one table."""

from tools.ladder import PAGE, RUNGS, WEB, WORDS, Rung, read_rungs, render_table, with_python, with_table, with_web

ROW = Rung("pit", "greedy", "mild", 60, 40, 1, "67.5 %", "55.0–78.0 %", "1.23", "20.0")


def test_words_of_bots_and_the_page_say_what_was_measured() -> None:
    rungs = read_rungs(PAGE.read_text("utf-8"))
    assert {rung.game for rung in rungs} == set(RUNGS)
    assert with_python(WORDS.read_text("utf-8"), rungs) == WORDS.read_text("utf-8")
    assert with_web(WEB.read_text("utf-8"), rungs) == WEB.read_text("utf-8")
    assert with_table(PAGE.read_text("utf-8"), rungs) == PAGE.read_text("utf-8")


def test_row_that_was_written_is_read_again() -> None:
    page = with_table("before\n<!-- ladder -->\nold\n<!-- end of ladder -->\nafter\n", [ROW])
    assert read_rungs(page) == [ROW]
    assert (page[:7], page[-6:]) == ("before\n", "after\n")
    assert "| pit | `greedy` | `mild` | 60 | 40 | 1 | 67.5 % |" in render_table([ROW])


def test_numbers_replace_those_of_before() -> None:
    python = with_python('A = 1\nSTRENGTHS: int = {\n    "x": {},\n}\n"""B."""\n', [ROW])
    assert '"greedy": MeasuredStrength("mild", 40.5, 60),' in python
    assert (python[:6], python[-11:]) == ("A = 1\n", '}\n"""B."""\n')
    assert 'greedy: { over: "mild", percent: 68 },' in with_web("export const BOT_STRENGTH: X = {\n};\n", [ROW])
