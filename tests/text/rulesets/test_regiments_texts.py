"""Regiments in words and pictures: positions both ways, narration, pictures, and orders in a terminal."""

from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.rulesets.regiments import position
from diskwars_protocol.rulesets.regiments.actions import Charge, Fight, Hold, March, Reform, Retreat
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard
from diskwars_text.rulesets.regiments.notation import format_position, parse_position
from diskwars_text.rulesets.regiments.phrases import outcome_text, state_text, unit_names
from diskwars_text.rulesets.regiments.picture import draw_board
from diskwars_text.rulesets.regiments.text_map import draw_text_map
from diskwars_text.struct_lines import PositionError
from tests.client.terminal.asked_boards import AskedBoard, narrated, played_boards
from tests.engine.rulesets.regiments.regiments_positions import REGIMENTS, face_off, lay_out, unit
from tests.rows import each_row

SVG = "{http://www.w3.org/2000/svg}"


# ---------------------------------------------------------------- positions


@pytest.mark.parametrize("players", [2, 4])
def test_position_is_read_back_from_its_text(players: int) -> None:
    for board in played_boards("regiments", players):
        assert parse_position(format_position(board)) == board


def test_position_keeps_settings_wounds_and_contacts() -> None:
    board = face_off(
        unit("wrapped", 0, 0, 0, "east", models=(4, 4, 0, 1), files=3, has_charged=True),
        unit("foot", 1, 0, 0, "west", hit=True),
        settings={"break_die": "2d6", "flank_test": False, "scenario": "barrow-road"},
        withdrawn=(1,),
    )
    text = format_position(board)
    assert "models 2x4,0,1" in text
    assert "contact charger 0 target 1" in text
    assert parse_position(text) == board


@each_row(
    ("text", "complaint"),
    [
        ("", "a position needs a line `field`"),
        ("fort id x", "line 1: unknown kind of line: 'fort'"),
        ("weapon id hand figure 3", "line 1: unknown field: figure"),
        ("weapon id hand strength", "line 1: 'strength' has no value"),
        ("weapon id hand name Hand strength many", "line 1: .*int"),
        ("# a comment\nunit seat 0 profile ogre at 1,1 facing east files 4 models 4x1", "line 2: there is no profile"),
    ],
)
def test_text_that_is_no_position_is_refused_with_the_line(text: str, complaint: str) -> None:
    with pytest.raises(PositionError, match=complaint):
        parse_position(text)


def test_map_shows_every_unit_on_the_field_with_its_front() -> None:
    board = lay_out(
        unit("foot", 0, 0, 0, "east"),
        unit("horse", 0, 2, 1, "north", status="fleeing"),
        unit("foot", 1, 9, 7, "south", status="routed"),
        waiting=(1, 2),
    )
    lines = draw_text_map(board).splitlines()
    assert lines[7].split() == ["0", "A1>", *["."] * 9]
    assert lines[6].split()[3] == "A2^!"
    assert "B1" not in lines[0]
    assert lines[-2:] == ["gone: B1 routed", "still to act: A2"]


# ---------------------------------------------------------------- pictures


@pytest.mark.parametrize("players", [2, 4])
def test_picture_has_a_dot_for_each_model_and_a_line_for_each_contact(players: int) -> None:
    for board in played_boards("regiments", players)[::8]:
        root = ElementTree.fromstring(draw_board(board, "a <title>"))
        on_field = position.fielded(board)
        names = unit_names(board)
        titles = [title.text for title in root.iter(f"{SVG}title")]
        assert titles == [
            "a <title>",
            *(f"{names[disk.id]}, {disk.size} of {disk.started}, {state_text(board, disk)}" for disk in on_field),
        ]
        assert len(list(root.iter(f"{SVG}circle"))) == sum(disk.size for disk in on_field)
        contacts = [path for path in root.iter(f"{SVG}path") if path.get("stroke") == "#8a6d3b"]
        assert len(contacts) == len(board.contacts)


def test_picture_names_the_flank_and_the_rear_that_are_taken() -> None:
    board = lay_out(
        unit("foot", 0, 4, 5, "south"),
        unit("foot", 0, 3, 4, "east"),
        unit("foot", 1, 4, 4, "east"),
        contacts=[(0, 2), (1, 2)],
    )
    texts = [text.text for text in ElementTree.fromstring(draw_board(board)).iter(f"{SVG}text")]
    assert "flank" in texts
    assert "rear" in texts


# ---------------------------------------------------------------- narration


@pytest.mark.parametrize("players", [2, 4])
def test_narration_has_dice_and_rules_and_ends_with_the_winner(players: int) -> None:
    lines = narrated("regiments", players)
    text = "\n".join(lines)
    for words in (
        "== Round 1 of 15",
        "They act in this order:",
        "(C-21)",
        "charges",
        "hits on",
        "Score of combat 1: seat A",
        "needed:",
    ):
        assert words in text
    assert lines[-1].startswith("The winner: ")


def test_result_names_all_winners_and_what_is_left_in_units() -> None:
    result = Result("last_side", (1, 3), (0, 1050, 0, 600))
    match: Any = None
    assert outcome_text(match, result) == (
        "seat B and seat D (the last side on the field; strength left, in units: A 0, B 1.05, C 0, D 0.6)"
    )


# ---------------------------------------------------------------- orders


def asked(board: RegimentsBoard) -> AskedBoard:
    return AskedBoard(REGIMENTS, board)


FREE = lay_out(
    unit("foot", 0, 4, 4, "east"), unit("foot", 1, 7, 4, "west"), unit("foot", 1, 9, 0, "west"), waiting=(0, 1)
)


@each_row(
    ("line", "action"),
    [
        ("hold", Hold()),
        ("1", Hold()),
        ("march f l", March(("forward", "left"))),
        ("march forward", March(("forward",))),
        ("march to 5 4 north", March(("forward", "left"))),
        ("march 5, 4", March(("forward",))),
        ("march to (4, 5)", March(("left", "forward"))),
        ("charge b1", Charge(1)),
        ("charge B Foot 2", Charge(2)),
        ("reform 6", Reform(6)),
        ("fight", Fight()),
        ("retreat", Retreat()),
    ],
)
def test_orders_are_understood(line: str, action: Any) -> None:
    assert asked(FREE).understood(line) == action


@each_row(
    ("line", "complaint"),
    [
        ("march", "type the steps or the end"),
        ("march sideways", "type the steps or the end"),
        ("march to 9 9", "no march of this unit ends there"),
        ("charge foot", "may be A Foot, B Foot 1 and B Foot 2"),
        ("charge ogre", "no unit on the map is called 'ogre'"),
        ("reform wide", "type how many files"),
        ("dance", "type a number"),
    ],
)
def test_orders_that_are_not_understood_are_explained(line: str, complaint: str) -> None:
    assert complaint in asked(FREE).misunderstood(line)


def test_options_say_where_a_march_can_end() -> None:
    texts = asked(FREE).option_texts
    assert texts[0] == "hold"
    assert texts[2] == "reform 4"
    assert texts[-1].startswith(
        "march forward; 2 steps, to (4, 3) south, (4, 4) north/south/west, (4, 5) north, (5, 4)"
    )


def test_reasons_name_the_enemy_that_cannot_be_charged() -> None:
    lines = asked(FREE).unavailable_lines()
    assert "  charge B Foot 2: no way of 4 steps leads to its front side (C-26)" in lines
    assert "  fight: the unit is not in melee (C-27)" in lines
    assert lines[-1] == "rules are in brackets: `diskwars rules ID`, in another terminal, prints one"
    (line, _) = asked(FREE).unavailable_lines("B2")
    assert line.startswith("  charge B Foot 2")
    assert asked(FREE).unavailable_lines("A1") == ["'A1' is not left out of the options, which `more` lists"]


def test_question_says_with_whom_a_unit_fights_and_on_which_side() -> None:
    board = lay_out(
        unit("foot", 1, 4, 4, "east"),
        unit("foot", 0, 4, 5, "south"),
        contacts=[(1, 0)],
    )
    assert asked(board).question_text == (
        "seat B: does B Foot fight on or retreat? It is in melee with A Foot in its left flank"
    )


def test_options_say_how_likely_attacks_and_hacks_wound() -> None:
    """Foot against foot: 4+ to hit, 4+ to wound, saved on 2 or less; a charge adds 1 to the strength."""
    assert "charge B Foot 1 (attacks that wound: 28 % of yours, 17 % of B Foot 1)" in asked(FREE).option_texts
    fighting = face_off(unit("foot", 0, 0, 0, "east"), unit("foot", 1, 0, 0, "west"))
    assert asked(replace(fighting, waiting=(0,), phase="orders")).option_texts == [
        "fight (attacks that wound: 17 % of yours, 17 % of B Foot)",
        "retreat (hacks that wound: 33 % of B Foot)",
    ]
