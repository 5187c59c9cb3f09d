"""The pit in words and pictures: positions both ways, narration, pictures, and orders in a terminal."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from diskwars_protocol.rulesets.pit import position
from diskwars_protocol.rulesets.pit.actions import Attack, Concede, DeclareAttacks, EndPhase, Engage, Move
from diskwars_protocol.rulesets.pit.board import CombatState, PitBoard
from diskwars_text.rulesets.pit.notation import format_position, parse_position
from diskwars_text.rulesets.pit.phrases import fighter_names, needs_text, order_text
from diskwars_text.rulesets.pit.picture import draw_board
from diskwars_text.rulesets.pit.text_map import draw_text_map
from diskwars_text.struct_lines import PositionError
from tests.client.terminal.asked_boards import AskedBoard, narrated, played_boards
from tests.engine.rulesets.pit.pit_positions import PIT, fighter, lay_out
from tests.rows import each_row

SVG = "{http://www.w3.org/2000/svg}"


# ---------------------------------------------------------------- positions


@pytest.mark.parametrize("players", [2, 4])
def test_position_is_read_back_from_its_text(players: int) -> None:
    for board in played_boards("pit", players):
        assert parse_position(format_position(board)) == board


@each_row(
    ("text", "complaint"),
    [
        ("", "a position needs a line `field`"),
        ("fort id x", "line 1: unknown kind of line: 'fort'"),
        ("weapon id sword pierc 3", "line 1: unknown field: pierc"),
        ("weapon id sword pierce", "line 1: 'pierce' has no value"),
        ("weapon id sword name Sword pierce many", "line 1: .*int"),
        ("# a comment\nfighter seat 0 profile ogre at 1,1", "line 2: there is no profile 'ogre'"),
    ],
)
def test_text_that_is_no_position_is_refused_with_the_line(text: str, complaint: str) -> None:
    with pytest.raises(PositionError, match=complaint):
        parse_position(text)


def test_map_shows_every_fighter_on_the_field_where_it_is() -> None:
    board = lay_out(fighter(0, 0, 0), fighter(0, 2, 1), fighter(1, 11, 11, status="incapacitated"))
    lines = draw_text_map(board).splitlines()
    assert lines[11].split() == ["0", "A1", *["."] * 11]
    assert lines[10].split()[3] == "A2"
    assert "B1" not in lines[0]
    assert len([line for line in lines if line.startswith("A")]) == 2


# ---------------------------------------------------------------- pictures


@pytest.mark.parametrize("players", [2, 4])
def test_picture_has_a_token_for_each_fighter_and_a_line_for_each_contact(players: int) -> None:
    for board in played_boards("pit", players)[::8]:
        root = ElementTree.fromstring(draw_board(board, "a <title>"))
        titles = [title.text for title in root.iter(f"{SVG}title")]
        on_field = position.fielded(board)
        names = fighter_names(board)
        assert titles == ["a <title>", *(f"{names[disk.id]}, {disk.status}" for disk in on_field)]
        contacts = [path for path in root.iter(f"{SVG}path") if path.get("stroke") == "#8a6d3b"]
        assert len(contacts) == sum(len(position.touched_enemies(board, disk)) for disk in on_field) // 2


def test_picture_of_a_combat_shows_the_order_and_what_each_attack_needs() -> None:
    board = lay_out(fighter(0, 5, 5), fighter(1, 5, 6), fighter(1, 6, 5, status="dazed"), fighter(0, 4, 6))
    attacks = (Attack(1, "sword"), Attack(2, "sword"), Attack(2, "sword"))
    combat = CombatState(0, (1,), 0, attacks)
    fighting = replace(board, phase="melee", combats=((0, 1, 2, 3),), combat=combat)
    picture = draw_board(fighting)
    ElementTree.fromstring(picture)
    need = needs_text(fighting, fighting.fighters[0], attacks[0])
    assert f">A1 attacks B1: sword {need}<" in picture
    assert f">A1 attacks B2: sword ×2 {need.replace(',', ', higher of two,')}<" in picture
    assert picture.count('stroke-width="350" fill="none"/>') == 2, "an arrow for each target"
    assert picture.count("fill-opacity") == 2, "B2 and A2 have no attack left"


@each_row(
    ("attacker", "target", "weapon", "need"),
    [
        ({"melee": 14}, {"defence": 18}, "sword", "14+, save 20+"),
        ({"melee": 14}, {"defence": 18}, "spear", "12+, save 18+"),
        ({"melee": 3}, {"defence": 18}, "pike", "2+, save 18+"),
        ({"melee": 14, "status": "staggered"}, {"defence": 18}, "dagger", "14+, lower of two, save 18+"),
        ({"melee": 14}, {"defence": None}, "dagger", "14+, no save"),
        ({"melee": 14}, {"status": "stunned"}, "dagger", "no roll"),
    ],
)
def test_needs_of_an_attack(attacker: dict[str, Any], target: dict[str, Any], weapon: str, need: str) -> None:
    board = lay_out(fighter(0, 5, 5, **attacker), fighter(1, 5, 6, **target))
    assert needs_text(board, board.fighters[0], Attack(1, weapon)) == need


# ---------------------------------------------------------------- narration


@pytest.mark.parametrize("players", [2, 4])
def test_narration_has_dice_and_rules_and_ends_with_the_winner(players: int) -> None:
    lines = narrated("pit", players)
    text = "\n".join(lines)
    for words in ("== Round 1 of 12", "The order of turns is rolled:", "(A-12)", "melee on", "defends:", "draws"):
        assert words in text
    assert lines[-1].startswith("The winner: seat ")


def test_order_of_a_combat_says_which_fighters_may_be_taken_in_another_order() -> None:
    """A-13: slots of one player that follow each other."""
    board = lay_out(fighter(0, 0, 0), fighter(1, 1, 1), fighter(1, 2, 1), fighter(1, 3, 1), fighter(0, 5, 5))
    names = fighter_names(board)
    assert order_text(board, (0, 1)) == f"{names[0]}, then {names[1]}"
    assert order_text(board, (1, 2, 0)) == f"{names[1]} and {names[2]} (in either order), then {names[0]}"
    runs = f"{names[3]}, {names[1]} and {names[2]} (in any order), then {names[0]} and {names[4]} (in either order)"
    assert order_text(board, (3, 1, 2, 0, 4)) == runs


def test_improvement_by_a_roll_says_whether_the_figure_changed() -> None:
    """A-17: a target number is lowered only by a roll of at most itself."""
    said = [
        re.search(r"rolls (\d+), at most (\d+) needed, and (keeps|improves to) \w+ (\d+)", line)
        for seed in (1, 2)
        for line in narrated("pit", 4, seed)
    ]
    rolls = [(int(line[1]), int(line[2]), line[3], int(line[4])) for line in said if line]
    assert {verb for _, _, verb, _ in rolls} == {"keeps", "improves to"}
    for rolled, needed, verb, value in rolls:
        assert (verb, value) == (("improves to", needed - 1) if rolled <= needed else ("keeps", needed))


# ---------------------------------------------------------------- orders


def asked(board: PitBoard) -> AskedBoard:
    return AskedBoard(PIT, board)


def test_runs_are_ordered_by_name_or_mark_and_cell() -> None:
    board = lay_out(fighter(0, 0, 0), fighter(0, 0, 5), fighter(1, 5, 0), phase="engage")
    assert asked(board).understood("engage A1 to 4 0") == Engage(0, 4, 0)
    assert asked(board).understood("move A Fighter 2 (4, 1)") == Move(1, 4, 1)
    assert asked(board).understood("end") == EndPhase()
    assert asked(board).understood("1") == EndPhase()
    for line, complaint in (
        ("engage A1", "type who and where"),
        ("engage fighter 4 0", "may be A Fighter 1, A Fighter 2 and B Fighter"),
        ("engage troll 4 0", "no fighter on the map is called 'troll'"),
        ("attack B1", "attacks are not asked now"),
        ("dance", "type a number"),
    ):
        assert complaint in asked(board).misunderstood(line)


def test_attacks_are_ordered_on_one_target_or_divided() -> None:
    board = lay_out(
        fighter(0, 4, 4, "sword", "hammer", attacks=2),
        fighter(1, 5, 4),
        fighter(1, 4, 5),
        combats=((0, 1, 2),),
        combat=CombatState(0, (), 0),
    )
    sword, hammer = "sword", "hammer"
    assert asked(board).understood("attack B1") == DeclareAttacks(
        (Attack(1, sword), Attack(1, sword), Attack(1, hammer))
    )
    divided = asked(board).understood("attack B1 sword, B2 sword, B2 hammer")
    assert divided == DeclareAttacks((Attack(1, sword), Attack(2, sword), Attack(2, hammer)))
    assert asked(board).misunderstood("attack").startswith("name the target")


def test_options_say_all_that_can_be_chosen() -> None:
    board = lay_out(fighter(0, 1, 1), fighter(1, 9, 9), phase="upkeep", may_concede=True)
    assert [(question.text, question.action) for question in asked(board).numbered] == [
        ("fight on", Concede(False)),
        ("concede", Concede(True)),
    ]
    board = lay_out(fighter(0, 0, 0), fighter(1, 5, 0), phase="engage")
    beside = "beside B1 (4, 0) (4, 1) (5, 1) (6, 0) (6, 1)"
    assert asked(board).option_texts == ["end", f"engage A Fighter to 4 0; or `engage A1 X Y`, {beside}"]


def test_cells_of_a_move_are_listed_by_row_as_runs_of_columns() -> None:
    board = lay_out(fighter(0, 0, 0), fighter(1, 3, 0), phase="move")
    (_, text) = asked(board).option_texts
    assert "; or `move A1 X Y`, row 0: 1 " in text


def test_attacks_are_offered_with_what_they_need_and_how_likely_they_take_the_target_out() -> None:
    board = lay_out(
        fighter(0, 4, 4, "sword", "hammer", attacks=2, melee=14),
        fighter(1, 5, 4, defence=18),
        fighter(1, 4, 5, defence=None),
        combats=((0, 1, 2),),
        combat=CombatState(0, (), 0),
    )
    assert (
        asked(board)
        .option_texts[-1]
        .endswith(
            "; or otherwise: 3 attacks in all, with sword and hammer, "
            "on B Fighter 1 (14+, save 20+, 49 % to take it out) and B Fighter 2 (14+, no save, 53 % to take it out)"
        )
    )


def test_reasons_name_the_fighter_that_is_kept_out() -> None:
    board = lay_out(fighter(0, 0, 0), fighter(0, 4, 4, status="dazed"), fighter(1, 5, 0), phase="engage")
    lines = asked(board).unavailable_lines()
    assert lines[0] == "  A Fighter 2: a dazed or stunned fighter does not engage (A-9)"
    assert lines[-1] == "rules are in brackets: `diskwars rules ID`, in another terminal, prints one"
