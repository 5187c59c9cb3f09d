"""Output fits the terminal it goes to: tables, colour, and encodings that lack characters."""

import io
import os
import subprocess
import sys

import pytest

from diskwars_cli.console.output import (
    fit_to,
    has_colour,
    make_encodable,
    make_printable,
    print_line,
    print_table,
    style_lines,
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_columns_line_up_with_numbers_to_the_right(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("army", "points"), [("Empire", 1200), ("High Elves", 9)])
    assert capsys.readouterr().out.splitlines() == [
        "army        points",
        "Empire       1,200",
        "High Elves       9",
    ]


def test_table_without_rows_is_its_headings(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("army", "points"), [])
    assert capsys.readouterr().out == "army  points\n"


@pytest.mark.parametrize(
    ("variables", "expected"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)], ids=str
)
def test_colour_is_used_only_on_terminals_that_allow_it(
    variables: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert has_colour(Terminal()) is expected
    assert not has_colour(io.StringIO())


def test_headings_and_rules_are_styled() -> None:
    text = "== Round 1 ===\n  Swordsmen passed\n  Trolls took 3 damage  [R7.2 R-33]"
    first, second, third = style_lines(text).split("\n")
    assert first == "\x1b[1m== Round 1 ===\x1b[0m"
    assert second == "  Swordsmen passed"
    assert third == "  Trolls took 3 damage\x1b[2m  [R7.2 R-33]\x1b[0m"


def test_command_is_not_broken_so_that_it_can_be_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("DISKWARS_CALLED", "./dev")
    command = "./dev play --url ws://127.0.0.1:8765/ws --match h4zin9uzz9ig --army NAME"
    assert fit_to(Terminal(), f"waiting for an opponent, who joins with:\n{command}").splitlines() == [
        "waiting for an opponent, who joins with:",
        command,
    ]
    assert max(map(len, fit_to(Terminal(), f"or with {command}").splitlines())) <= 40


def test_control_characters_of_others_reach_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Names come from any server and any file."""
    print_line("\x1b]0;owned\x07\x1b[2JCaptain \u202eniatpaC\tup\nnext line")
    print_table(("id", "name"), [("a", "Autumn\nCup"), ("b", "\x9b31mRED")])
    assert capsys.readouterr().out.split("\n") == [
        "\ufffd]0;owned\ufffd\ufffd[2JCaptain \ufffdniatpaC\tup",
        "next line",
        "id  name",
        "a   Autumn Cup",
        "b   \ufffd31mRED",
        "",
    ]


def test_output_to_a_pipe_is_plain(capsys: pytest.CaptureFixture[str]) -> None:
    print_line("== Round 1 ===")
    assert capsys.readouterr().out == "== Round 1 ===\n"


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        ("latin-1", "+-+ Übersicht ×2 - ... ° é ?"),
        ("ascii", "+-+ Ubersicht x2 - ...  deg e ?"),
        ("utf-8", "╭─╮ Übersicht ×2 – … ° é Ж"),
    ],
)
@pytest.mark.parametrize("errors", ["strict", "surrogateescape"], ids=["strict", "C locale"])
def test_characters_that_an_encoding_lacks_are_replaced(encoding: str, expected: str, errors: str) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors=errors)
    make_printable(stream)
    stream.write("╭─╮ Übersicht ×2 – … ° é Ж")
    stream.flush()
    assert raw.getvalue().decode(encoding) == expected


def test_command_prints_on_a_terminal_that_lacks_characters() -> None:
    """The text of R5.2 has a superscript."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}
    words = [sys.executable, "-m", "diskwars_cli", "rules", "R5.2"]
    printed = subprocess.run(words, capture_output=True, check=False, env=environment)
    assert (printed.returncode, printed.stderr) == (0, b"")
    assert "dx2 + dy2" in printed.stdout.decode("ascii")


def test_text_of_the_prompt_has_plain_characters_where_the_terminal_lacks_others() -> None:
    assert make_encodable("2 × Übersicht …", "ascii") == "2 x Ubersicht ..."
    assert make_encodable("2 × Übersicht …", "utf-8") == "2 × Übersicht …"
