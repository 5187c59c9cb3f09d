"""Names that people can read and tell apart are taken, all others are refused with a reason."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.accounts import MAX_NAME_LENGTH, MIN_NAME_LENGTH
from diskwars_server.players.names import (
    HIDDEN_MARK,
    BadName,
    avatar_seed,
    check_name,
    default_name,
    known_keys,
    name_key,
    shown_name,
)
from tests.rows import each_row


@each_row(
    "name",
    [
        *("Ann", "Ann of Altdorf", "O'Neil", "ab", "x" * 24, "R2-D2", "Mr.Big"),
        *("Zoë", "Гриша", "山田たろう", "김민준", "Εύα", "हिन्दी", "שלום"),
    ],
)
def test_name_is_taken_as_it_is(name: str) -> None:
    assert check_name(name) == name


@each_row(
    ("name", "why"),
    [
        ("", "characters"),
        ("a", "characters"),
        ("x" * 25, "characters"),
        ("x" * 10_000, "characters"),
        (" Ann", "alone"),
        ("Ann ", "ends"),
        ("Ann  B", "alone"),
        ("-Ann", "alone"),
        ("Ann\n", "letters"),
        ("A\tnn", "letters"),
        ("A\x1b[31m", "letters"),
        ("Ann\u200b", "cannot be seen"),
        ("Ann\u202e", "cannot be seen"),
        ("Ann\u00ad", "cannot be seen"),
        ("Ann of Nuln\ufe0f", "cannot be seen"),
        ("Admin\U000e0100", "cannot be seen"),
        ("Guest\ufe0f 2QFE", "cannot be seen"),
        ("김민\u115f준", "cannot be seen"),
        ("김민\u3164준", "cannot be seen"),
        ("ភា\u17b4សា", "cannot be seen"),
        ("ᠮᠣᠩ\u180bᠭᠣᠯ", "cannot be seen"),
        ("Ann😀", "letters"),
        ("<b>Ann</b>", "letters"),
        ("a\u0301\u0301\u0301\u0301b", "marks"),
        ("Ann -\u0301b", "alone"),
        ("Ann \u0301b", "mark"),
        ("1234", "begins"),
        ("Аnn", "script"),  # the first letter is Cyrillic
        ("Ζeus", "script"),  # the first letter is Greek
        ("Guest 7F3K", "reserved"),
        ("guest", "reserved"),
        ("isfb39dxsjy2kuz8", "form of a player's id"),
        ("ISFB39DXSJY2KUZ8", "form of a player's id"),
        ("adm1n", "reserved"),
        ("Ｈouse", "reserved"),
        ("DELETED", "reserved"),
        ("Bot Grimgor", "reserved"),
    ],
)
def test_name_out_of_bounds_is_refused_with_the_reason(name: str, why: str) -> None:
    with pytest.raises(BadName, match=why):
        check_name(name)


@each_row(
    ("first", "second"),
    [
        ("Ann", "ANN"),
        ("Ann", "ＡＮＮ"),
        ("Zoë", "Zoe\u0308"),
        ("Straße", "STRASSE"),
        ("Iron", "lron"),
        ("Bill", "B1ll"),
        ("modern", "modem"),
        ("Wanda", "VVanda"),
        ("coco", "сосо"),  # the second is Cyrillic
        ("BETA", "ВЕТА"),
        ("Oslo", "0slo"),
        ("Ann's", "Ann’s"),
        ("Ann's", "Annʼs"),
        ("O'Hara", "Oʹhara"),
    ],
)
def test_names_that_look_alike_have_one_key(first: str, second: str) -> None:
    assert name_key(first) == name_key(second)


def test_letters_and_digits_that_look_different_have_keys_of_their_own() -> None:
    keys = {character: name_key(character) for character in string.ascii_lowercase + string.digits}
    alike = [{"i", "l", "1"}, {"o", "0"}]
    for one in keys:
        for other in keys:
            is_alike = one == other or any({one, other} <= group for group in alike)
            assert (keys[one] == keys[other]) == is_alike, (one, other)


@given(st.text(max_size=40))
def test_name_that_is_taken_stays_the_same_and_keeps_its_key(typed: str) -> None:
    try:
        name = check_name(typed)
    except BadName:
        return
    assert check_name(name) == name
    assert MIN_NAME_LENGTH <= len(name) <= MAX_NAME_LENGTH
    assert name.isprintable()
    assert name_key(name) == name_key(typed) == name_key(name.upper().lower()) != ""


def test_guest_has_a_name_and_a_picture_by_the_id_that_no_account_can_have() -> None:
    player = PlayerId("k4tq9wz2mh7yx3rd")
    assert default_name(player) == "Guest X3RD"
    with pytest.raises(BadName):
        check_name(default_name(player))
    assert avatar_seed(player) == avatar_seed(player) != avatar_seed(PlayerId("b8n3vd6pjs5g2qfe"))
    assert 0 <= avatar_seed(player) < 2**32


def default_ignorable() -> list[str]:
    """Return the code points that DerivedCoreProperties.txt of Unicode 16 lists as Default_Ignorable_Code_Point."""
    ranges = "AD 34F 61C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F 3164 FE00-FE0F FEFF FFA0 FFF0-FFF8"
    ranges += " 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF"
    ends = [[int(end, 16) for end in part.split("-")] for part in ranges.split()]
    return [chr(point) for end in ends for point in range(end[0], end[-1] + 1)]


def test_character_that_cannot_be_seen_is_refused_at_every_place() -> None:
    hidden = default_ignorable()
    assert len(hidden) == 4174
    for character in hidden:
        for name in (f"Ann{character}", f"A{character}nn", f"{character}Ann", f"Ann{character} of Nuln"):
            with pytest.raises(BadName):
                check_name(name)
            assert name_key(name) == name_key(name.replace(character, "")), ascii(name)
            assert HIDDEN_MARK in shown_name(name)


def test_stored_name_with_a_hidden_character_is_marked_and_others_are_left() -> None:
    assert shown_name("Ann of Nuln\ufe0f") == "Ann of Nuln\ufffd"
    assert shown_name("Ann of Nuln") == "Ann of Nuln"
    with pytest.raises(BadName):
        check_name("Ann of Nuln\ufffd")


def test_name_of_an_earlier_build_is_looked_for_as_it_was_stored_first() -> None:
    assert known_keys("Ann") == (name_key("Ann"),)
    assert known_keys("Ann\ufe0f") == ("ann\ufe0f", name_key("Ann"))
    assert known_keys("Ann's") == (name_key("Ann's"),)
    assert known_keys("Ann’s") == (name_key("Ann's"), "ann’s")
