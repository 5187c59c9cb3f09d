"""The map of a position is right, and its legend says what the map cannot."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diskwars_cli.console.output import make_encodable
from diskwars_text.rulesets.diskwars.parser import parse_position
from diskwars_text.rulesets.diskwars.text_map import disk_letters, draw_text_map

FIGURES = """
disk Tyrion: hero of High Elves (Order), medium, T5 St1
disk Swordsmen: small
disk Steam Tank: large
disk Orc Boyz: small
card Charge!: bold 3
"""
ZONES = "zone A (0, 0) to (36, 6) for 5\nzone B (0, 30) to (36, 36) for 5\n"

POSITION = (
    FIGURES
    + ZONES
    + """
round 2 of 5  phase activation  order B A  playing B
A Tyrion (12.30, 4.00) damage 2 wound 1 activated
A Steam Tank (5, 12) weakened 1
B Orc Boyz (13.4, 4.6) empowered acting
B Orc Boyz (20, 31)
B Orc Boyz (9, 20)
A Swordsmen (9, 20)
A reserve: Swordsmen x2
B casualties: Orc Boyz, Steam Tank
A points: 1
B hand: 1 hidden
B revealed: Charge!
"""
)

DRAWN_POSITIONS = """\
round 2 of 5, activation phase · order B A · B
plays Charge! · Orc Boyz#1 acts
   ┌──────────────────── B ────────────────────┐
36 │: : : : : : : : : : : : : : : : : : : : : :│
   │ : : : : : : : : : : : : : : : : : : : : : │
   │: : : : : : : : : : : : : : : : : : : : : :│
   │ : : : : : : : : : : :[b]: : : : : : : : : │
30 │                                           │
   │                                           │
   │                                           │
24 │                                           │
   │                                           │
   │         (W)                               │
   │                                           │
18 │                                           │
   │                                           │
   │                                           │
   │    ╭S╮                                    │
12 │    ╰─╯                                    │
   │                                           │
   │                                           │
 6 │. . . . . . . . . . . . . . . . . . . . . .│
   │ . . . . . . (T[o] . . . . . . . . . . . . │
   │. . . . . . . . . . . . . . . . . . . . . .│
   │ . . . . . . . . . . . . . . . . . . . . . │
 0 └──────────────────── A ────────────────────┘
    0      6     12      18     24     30     36

A () · 1 point
   T Tyrion        damage 2/5, wounds 1/1,
                   activated, pinned by o
   S Steam Tank#1  toughness -1
   W Swordsmen#1   pins r
   reserve: Swordsmen x2

B [] · 1 card in hand · card Charge!
   o Orc Boyz#1  empowered, acting, pins T
   r Orc Boyz#3  pinned by W, covered
   b Orc Boyz#2
   casualties: Orc Boyz · Steam Tank
"""


def lines_of(text: str, width: int = 72) -> list[str]:
    return draw_text_map(parse_position(FIGURES + text), width).splitlines()


def sketch_text(text: str, width: int = 72) -> dict[str, str]:
    """Return what the legend says of each disk that has something to tell, by its letter."""
    legend = "\n".join(lines_of(text, width)).partition("\n\n")[2]
    rows = re.findall(r"^   (\S) (.*(?:\n      .*)*)", legend, re.MULTILINE)
    return {letter: " ".join(row.split()) for letter, row in rows}


def test_a_position_is_drawn_with_edges_zones_disks_and_legend() -> None:
    assert draw_text_map(parse_position(POSITION), 48) == DRAWN_POSITIONS


def test_the_owner_shows_in_the_frame() -> None:
    text = "A Swordsmen (5, 30)\nB Orc Boyz (15, 30)\nC Swordsmen (25, 30)\nD Swordsmen (33, 30)"
    lines, letters = lines_of(text), disk_letters(parse_position(FIGURES + text))
    drawn = next(line for line in lines if "(S)" in line)
    assert [drawn[drawn.index(letter) - 1] + drawn[drawn.index(letter) + 1] for letter in letters] == [
        "()",
        "[]",
        "{}",
        "<>",
    ]


def test_disks_that_only_touch_are_beside_each_other() -> None:
    assert any("(S)[o]" in line for line in lines_of("A Swordsmen (10, 10)\nB Orc Boyz (11.75, 10)"))


def test_of_two_disks_that_overlap_the_higher_is_drawn_whole_and_the_lower_keeps_its_letter() -> None:
    assert any("S[o]" in line for line in lines_of("A Swordsmen (10, 10)\nB Orc Boyz (10.6, 10)"))
    assert any("(S)o" in line for line in lines_of("A Swordsmen (10, 10) z2\nB Orc Boyz (10.6, 10) z1"))


def test_a_disk_that_is_wholly_covered_is_named_in_the_legend() -> None:
    assert sketch_text("A Swordsmen (10, 10)\nB Orc Boyz (10, 10)")["S"] == "Swordsmen pinned by o, covered"


def test_the_legend_tells_all_that_lies_on_a_disk() -> None:
    text = "A Tyrion (9, 9) damage 2 wounds 1 weakened 3 activated empowered acting"
    assert sketch_text(text) == {"T": "Tyrion damage 2/3, wounds 1/1, toughness -3, activated, empowered, acting"}


def test_on_a_small_field_names_are_in_the_disks() -> None:
    lines = lines_of("field 9x9in\nA Steam Tank (4, 4)")
    assert any("│" in line and "Steam Tank" in line for line in lines)


def test_seats_are_at_the_edge_that_their_zones_touch() -> None:
    zones = "zone C (0, 8) to (6, 28) for 3\nzone D (30, 8) to (36, 28) for 3"
    lines = lines_of(ZONES + zones)
    assert " B " in lines[1]
    assert " A " in next(line for line in lines if line.startswith(" 0 "))
    assert next(line for line in lines[2:] if line.endswith("D"))[3] == "C"


def test_letters_do_not_change_when_disks_move_or_die() -> None:
    before = disk_letters(parse_position(FIGURES + "A Tyrion (5, 5)\nA Tyrion (9, 9)\nB Orc Boyz (20, 20)"))
    after = disk_letters(parse_position(FIGURES + "A Tyrion casualty\nA Tyrion (12, 9)\nB Orc Boyz reserve"))
    assert before == after == ("T", "Y", "o")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(("A Tyrion", "B Orc Boyz", "C Steam Tank", "D Swordsmen")), max_size=60))
def test_every_disk_has_a_letter_of_its_own(disks: list[str]) -> None:
    letters = [
        letter
        for letter in disk_letters(parse_position(FIGURES + "\n".join(f"{disk} reserve" for disk in disks)))
        if letter != "?"
    ]
    assert len(set(letters)) == len(letters)
    assert len(letters) >= min(len(disks), 26)


def test_disks_of_four_seats_have_letters_that_every_terminal_shows() -> None:
    names = ("A Tyrion", "B Orc Boyz", "C Tyrion", "D Orc Boyz")
    letters = disk_letters(parse_position(FIGURES + "\n".join(f"{name} reserve" for name in names * 12)))
    assert letters[:4] == ("T", "o", "Y", "b"), "two seats share the capitals, two the small letters"
    assert "".join(letters).isascii()
    assert len(set(letters)) == 48


def test_frames_of_four_seats_differ_on_a_terminal_without_box_drawing() -> None:
    """The letter alone does not tell A from C, nor B from D; the heading of each army shows its frame."""
    text = "disk Giant: large\nA Giant (6, 6)\nB Giant (16, 6)\nC Giant (6, 16)\nD Giant (16, 16)"
    lines = make_encodable("\n".join(lines_of(text)), "latin-1").splitlines()
    samples = {"A": "() +-+|", "B": "[] #-#|", "C": "{} %=%|", "D": "<> +-+:"}
    for seat, sample in samples.items():
        assert f"{seat} {sample}" in lines
    chart = "".join(line[4:-1] for line in lines)
    for box in ("+---+", "#---#", "%===%", ": i :"):
        assert box in chart


_PLACES = st.integers(1, 35)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ABCD"), _PLACES, _PLACES), max_size=30), st.integers(40, 160))
def test_no_line_is_too_wide_and_every_disk_is_on_the_map_or_in_the_legend(
    disks: list[tuple[str, int, int]], width: int
) -> None:
    name = "O" + "o" * 20  # too long to be drawn in a disk
    text = f"disk {name}: large\n" + "".join(f"{seat} {name} ({x}, {y})\n" for seat, x, y in disks)
    lines = lines_of(text, width)
    assert max(map(len, lines)) <= width
    first, last = (next(n for n, line in enumerate(lines) if line.startswith(edge)) for edge in ("   ┌", " 0 └"))
    chart = "".join(line[4:-1] for line in lines[first + 1 : last])
    covered = {letter for letter, row in sketch_text(text, width).items() if row.endswith("covered")}
    letters = set(disk_letters(parse_position(FIGURES + text)))
    assert {letter for letter in letters if letter not in chart} == covered


@pytest.mark.parametrize("width", [0, 39])
def test_a_map_is_at_least_forty_columns_wide(width: int) -> None:
    assert max(map(len, lines_of("", width))) == 40


def test_terrain_is_filled_numbered_beside_the_disks_and_named_below() -> None:
    text = (
        "terrain Gully at (10, 10) (14, 10) (14, 14) (10, 14); Dangerous (physical)\n"
        "terrain Wall at (20, 10) (28, 10) (28, 12) (20, 12); Blocks Sight\nA Tyrion (12, 12)"
    )
    drawn = draw_text_map(parse_position("disk Tyrion: unit, small\n" + text))
    assert "   ░1 Gully: Dangerous (physical)\n   ▒2 Wall: Blocks Sight" in drawn
    rows = [line for line in drawn.splitlines() if "│" in line]
    assert any("░" in row and "T" in row for row in rows)
    assert any("1" in row[5:] and "░" in row for row in rows)
    assert any("▒2▒" in row for row in rows)
