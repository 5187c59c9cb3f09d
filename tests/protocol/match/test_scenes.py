"""Helpers of scenes."""

import pytest

from diskwars_protocol.match.scenes import first_letters, rectangle


@pytest.mark.parametrize(
    ("name", "letters"),
    [("Steam Tank", "ST"), ("Giant", "Gia"), ("Knights of the Griffon", "KOT"), ("Half-breeds", "HB"), ("X", "X")],
)
def test_small_pictures_have_room_for_a_few_letters(name: str, letters: str) -> None:
    assert first_letters(name) == letters


def test_corners_of_a_rectangle_go_around_it() -> None:
    assert rectangle(1, 2, 30, 40) == (1, 2, 30, 2, 30, 40, 1, 40)
