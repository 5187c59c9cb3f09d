"""Phrases that every ruleset shares."""

from fractions import Fraction

from diskwars_text.phrases import counted, joined, number_namesakes, percent_text
from tests.rows import each_row


@each_row(
    ("chance", "text"),
    [
        (Fraction(0), "0 %"),
        (Fraction(1, 1000), "under 1 %"),
        (Fraction(1, 3), "33 %"),
        (Fraction(999, 1000), "over 99 %"),
        (Fraction(1), "100 %"),
    ],
)
def test_what_can_happen_is_never_shown_as_impossible_or_certain(chance: Fraction, text: str) -> None:
    assert percent_text(chance) == text


def test_namesakes_are_numbered_and_other_names_are_not() -> None:
    assert number_namesakes(["A Foot", "A Horse", "A Foot"]) == ("A Foot 1", "A Horse", "A Foot 2")


def test_lists_and_counts_read_as_english() -> None:
    assert [joined([]), joined("a"), joined("ab"), joined("abc")] == ["", "a", "a and b", "a, b and c"]
    assert [counted(1, "die", "dice"), counted(2, "die", "dice"), counted(2, "model")] == [
        "1 die",
        "2 dice",
        "2 models",
    ]
