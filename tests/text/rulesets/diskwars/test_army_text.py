"""Armies as text: written, read back, and errors in the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diskwars_protocol.records.sealed import HIDDEN
from diskwars_protocol.rulesets.diskwars.actions import Loadout, Regiment
from diskwars_text.rulesets.diskwars import army_text
from diskwars_text.rulesets.diskwars.lexer import NotationError
from tests.rows import each_row

HOST_ARMY = Loadout(
    "",
    (
        Regiment("Karl Franz", ("Knights Panther", *("Marienburg Swordsmen",) * 3)),
        Regiment("Luthor Huss"),
    ),
    ("Press On", "Nurgle's Rot"),
)
NAME = "Reikland Riders"
TEXT = """\
army: Reikland Riders
Karl Franz: Knights Panther, Marienburg Swordsmen x3
Luthor Huss:
cards: Press On, Nurgle's Rot
"""
LINE = "army: Reikland Riders; Karl Franz: Knights Panther, Marienburg Swordsmen x3; Luthor Huss:; cards: Press On, Nurgle's Rot"  # noqa: E501


def test_an_army_is_a_few_lines_or_one() -> None:
    assert army_text.format_army(HOST_ARMY, NAME) == TEXT
    assert army_text.format_army(HOST_ARMY, NAME, in_one_line=True) == LINE
    for text in (TEXT, LINE):
        army = army_text.parse_army(text)
        assert (army.name, army.loadout) == (NAME, HOST_ARMY)


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=12)
WORDS = NAMES | st.sampled_from(("army", "cards", "reserve", "x3", "Orc x2", 'a "b"', "# c", "a; b", "hidden by"))
LISTS = st.lists(WORDS, max_size=5).map(tuple)
ARMIES = st.builds(
    Loadout,
    st.just(""),
    st.lists(st.builds(Regiment, WORDS, LISTS), max_size=3).map(tuple),
    LISTS,
)


@given(ARMIES, st.just("") | WORDS, st.booleans())
def test_written_army_is_read_back_unchanged(army: Loadout, name: str, in_one_line: bool) -> None:
    text = army_text.format_army(army, name, in_one_line)
    if (army, name) == (Loadout(), ""):
        assert text == ""
    else:
        read = army_text.parse_army(text)
        assert (read.name, read.loadout) == (name, army)
        assert ("\n" in text) != in_one_line


def test_the_order_of_units_stays() -> None:
    """It is the order in which the disks are numbered in a match."""
    mixed = Loadout("", (Regiment("Grom", ("Night Goblins", "Orc Boyz", "Night Goblins")),), ())
    assert army_text.format_army(mixed) == "Grom: Night Goblins, Orc Boyz, Night Goblins\n"
    assert army_text.parse_army(army_text.format_army(mixed)).loadout == mixed


def test_comments_spaces_and_ends_of_lines_of_other_systems_do_no_harm() -> None:
    text = "# ours\r\n  army:  A  \r\n\r\nGrom :Orc Boyz  x2 , Trolls  # strong\r\n; ;cards:Feint;\r\n"
    army = army_text.parse_army(text)
    assert (army.name, army.loadout) == (
        "A",
        Loadout("", (Regiment("Grom", ("Orc Boyz", "Orc Boyz", "Trolls")),), ("Feint",)),
    )


def test_a_hidden_army_is_not_written() -> None:
    with pytest.raises(ValueError, match="hidden"):
        army_text.format_army(Loadout(HIDDEN, HIDDEN, HIDDEN))


INVALID_LINES = {
    "no colon": ("Karl Franz Steam Tank", 1, 22, 'expected ":"'),
    "no name before the colon": ("army: A\n: Steam Tank", 2, 1, "expected a hero, army or cards"),
    "nothing between two commas": ("Grom: Orc Boyz, , Trolls", 1, 17, "expected a unit"),
    "nothing after a comma": ("cards: Feint,", 1, 14, "expected a command card"),
    "no copies": ("Grom: Orc Boyz x0", 1, 16, "expected 1 to 40 copies, such as x3"),
    "too many copies": ("Grom: Orc Boyz x41", 1, 16, "expected 1 to 40 copies, such as x3"),
    "a number in a wrong place": ("Grom: 3x Orc Boyz x2 y", 1, 22, 'expected a comma, a semicolon or the end, not "y"'),
    "two colons": ("Grom: Orc Boyz: Trolls", 1, 15, 'expected a comma, a semicolon or the end, not ":"'),
    "an open quotation mark": ('Grom: "Orc Boyz', 1, 7, "a quotation mark without its end"),
    "an army without a name": ("army:\nGrom: Orc Boyz", 1, 6, "expected the name of the army"),
    "two armies": ("Grom: Orc Boyz\narmy: B\nGrom:", 2, 1, "a second army, where one is expected"),
    "no army": ("# nothing", 1, 1, "no army here; write a hero, a colon and the hero's units"),
}


@each_row(("text", "line", "column", "problem"), INVALID_LINES.values(), ids=INVALID_LINES)
def test_text_that_is_no_army_is_refused_with_its_place(text: str, line: int, column: int, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        army_text.parse_army(text)
    assert (caught.value.problem, caught.value.line, caught.value.column) == (problem, line, column)
    assert str(caught.value).splitlines()[1:2] == [f"  {text.splitlines()[line - 1]}"]


def test_of_several_armies_each_is_read_and_every_error_is_found() -> None:
    armies, errors = army_text.parse_armies(
        "Grom: Trolls\n\narmy: B\nGrim Orc\nGrim: Orc Boyz x2; cards: Feint\narmy:\n?"
    )
    assert [(army.name, army.loadout) for army in armies] == [
        ("", Loadout("", (Regiment("Grom", ("Trolls",)),))),
        ("B", Loadout("", (Regiment("Grim", ("Orc Boyz", "Orc Boyz")),), ("Feint",))),
        ("", Loadout()),
    ]
    assert [(error.line, error.column) for error in errors] == [(4, 9), (6, 6), (7, 2)]


def test_every_part_of_an_army_is_known_by_its_place() -> None:
    armies, _ = army_text.parse_armies("army: B\n Grom: Trolls, Orc Boyz x2; cards: Feint, Press On")
    place = armies[0].place
    assert (place(()), place(("regiments",)), place(("regiments", 0)), place(("regiments", 0, "hero"))) == (
        (1, 1),
        (2, 2),
        (2, 2),
        (2, 2),
    )
    units = [place(("regiments", 0, "units", step)) for step in range(3)]
    assert units == [(2, 8), (2, 16), (2, 16)]
    assert (place(("hand",)), place(("hand", 1))) == ((2, 29), (2, 43))
    assert place(("regiments", 3, "hero")) == (2, 2)
