"""Close quarters in words and pictures: positions both ways, narration, pictures, and orders in a terminal."""

from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.rulesets.close_quarters import position
from diskwars_protocol.rulesets.close_quarters.actions import (
    Advance,
    Consolidate,
    ConsolidateBy,
    Double,
    FireAt,
    Hold,
    HoldFire,
    ModelMove,
    ModelShot,
    PickCasualties,
    Shoot,
    SplitHits,
)
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, CombatState, Loss, WeaponChoice
from diskwars_protocol.rulesets.close_quarters.events import Hit, HitPool
from diskwars_text.rulesets.close_quarters import phrases
from diskwars_text.rulesets.close_quarters.notation import format_position, parse_position
from diskwars_text.rulesets.close_quarters.picture import draw_board
from diskwars_text.rulesets.close_quarters.text_map import draw_text_map
from diskwars_text.struct_lines import PositionError
from tests.client.terminal.asked_boards import AskedBoard, narrated, played_boards
from tests.engine.rulesets.close_quarters.close_quarters_positions import (
    CLOSE_QUARTERS,
    at_the_end,
    go_on,
    hits,
    in_cycle,
    lay_out,
    squad,
)
from tests.rows import each_row

SVG = "{http://www.w3.org/2000/svg}"


# ---------------------------------------------------------------- positions


@pytest.mark.parametrize("players", [2, 4])
def test_position_is_read_back_from_its_text(players: int) -> None:
    for board in played_boards("close_quarters", players):
        assert parse_position(format_position(board)) == board


def test_position_in_the_midst_of_a_fight_is_read_back_from_its_text() -> None:
    combat = CombatState(
        1,
        (0, 1),
        cycle=3,
        waiting=(1,),
        unit=0,
        step="consolidate",
        weapons=(WeaponChoice(1, "axe"),),
        source=0,
        is_melee=True,
        pools=(HitPool((Hit(1, 3, 2), Hit(2, -1, 0)), (3, 4)), HitPool((), (5,))),
        pending=(hits(1, 2, [3, 4]), hits(0, 1, [])),
        loss=Loss(1, 2, (3, 4, 5), 2, (3,), is_attacker_done=True),
    )
    board = lay_out(squad(0, (5, 700), markers=2, seat=2), squad(1, (100, 800), is_doubled=True, has_leader=False))
    board = replace(board, combat=combat, phase="cycle", withdrawn=(0,), active_unit=1)
    assert parse_position(format_position(board)) == board


@each_row(
    ("text", "complaint"),
    [
        ("", "a position needs a line `table`"),
        ("fort id x", "line 1: unknown kind of line: 'fort'"),
        ("melee_weapon id blade attack 3", "line 1: unknown field: attack"),
        ("melee_weapon id blade attacks", "line 1: 'attacks' has no value"),
        ("melee_weapon id blade name B attacks many armour_piercing 1", "line 1: .*int"),
        ("# a comment\nunit side 0 seat 0 profile ogre", "line 2: there is no profile 'ogre'"),
        ("model unit 0", "line 1: 'at'"),
    ],
)
def test_text_that_is_no_position_is_refused_with_the_line(text: str, complaint: str) -> None:
    with pytest.raises(PositionError, match=complaint):
        parse_position(text)


# ---------------------------------------------------------------- maps and pictures


def test_map_shows_every_model_on_the_table_where_it_is() -> None:
    """Half an inch to a character: 120 hundredths are the third column; two in one cell are beside each other."""
    board = lay_out(squad(0, (0, 0), (120, 0), (149, 95)), squad(1, (2400, 1600)))
    lines = draw_text_map(board).splitlines()
    assert lines[16] == "  0 K.kk" + "." * 45
    assert lines[0] == " 16 " + "." * 48 + "L"
    assert "K A Unit, 3 models" in lines[18]
    assert "model points: seat A 4, seat B 2" in lines


def test_map_names_the_units_in_combat_and_the_casualties() -> None:
    board = in_cycle(lay_out(squad(0, (0, 0), markers=1, has_leader=False), squad(1, (300, 0), is_doubled=True)))
    assert board.combat is not None
    text = draw_text_map(replace(board, combat=replace(board.combat, loss=Loss(1, 2, (1,), 0))))
    assert "close combat, cycle 1: A Unit (attacks), B Unit (defends)" in text
    assert "casualties: 2 of B Unit" in text
    begun = replace(board, combat=replace(board.combat, cycle=0), phase="defensive_fire")
    assert "close combat, before the first cycle: A Unit (attacks), B Unit (defends)" in draw_text_map(begun)
    assert "1 marker, hits 0 of 6, leadership 1 die, 4 or less, leader dead" in text
    assert "leadership 2 dice, 4 or less, doubled" in text


@pytest.mark.parametrize("players", [2, 4])
def test_picture_has_a_token_for_each_model_and_a_line_for_each_contact(players: int) -> None:
    for board in played_boards("close_quarters", players)[::6]:
        root = ElementTree.fromstring(draw_board(board, "a <title>"))
        titles = [title.text or "" for title in root.iter(f"{SVG}title")]
        models, marks = position.standing(board), phrases.model_marks(board)
        assert titles[0] == "a <title>"
        assert [title.rpartition(" ")[2] for title in titles[1:]] == [marks[model.id] for model in models]
        lines = [path for path in root.iter(f"{SVG}path") if path.get("class") == "contact"]
        pairs = [
            (model.id, other.id)
            for model in models
            for other in models
            if model.id < other.id
            and position.side_of(board, model) != position.side_of(board, other)
            and position.squared_distance(model, other) <= position.CONTACT_SQUARED
        ]
        assert len(lines) == len(pairs)
        leaders = sum(model.is_leader for model in models)
        assert len(list(root.iter(f"{SVG}polygon"))) == leaders


def test_picture_shows_markers_and_whose_units_reach_how_far() -> None:
    board = lay_out(squad(0, (1000, 800), markers=2, hit_counter=3), squad(1, (1500, 800), has_fallen_back=True))
    svg = draw_board(at_the_end(board, units=(0,)))
    assert "A Unit, 2 markers, hits 3 of 6" in svg
    assert "B Unit, fell back" in svg
    assert svg.count('fill-opacity="0.35"') == 1
    assert "In combat: A Unit." in svg


# ---------------------------------------------------------------- narration


@pytest.mark.parametrize("players", [2, 4])
def test_narration_has_dice_and_rules_and_ends_with_the_winner(players: int) -> None:
    lines = narrated("close_quarters", players)
    text = "\n".join(lines)
    for words in (
        "== Turn 1 of 6",
        "The first turn is rolled for:",
        "Close combat:",
        "Cycle 1:",
        "or less needed",
        "saves",
    ):
        assert words in text
    assert lines[-1].startswith("The winner: ")


def test_winners_of_a_side_are_named_together() -> None:
    board = lay_out(squad(0, (100, 100)), squad(0, (100, 300), seat=2), squad(1, (2300, 1500)))
    result = Result("last_side", (0, 2), (4, 0, 4))
    assert asked(board).outcome_text(result) == (
        "seat A and seat C (the last side on the table; model points: A and C 4, B 0)"
    )


@each_row(("hundredths", "text"), [(650, "6.5"), (-120, "-1.2"), (5, "0.05"), (-5, "-0.05"), (300, "3")])
def test_lengths_are_shown_in_inches(hundredths: int, text: str) -> None:
    assert phrases.inches_text(hundredths) == text


# ---------------------------------------------------------------- orders


def asked(board: CloseQuartersBoard) -> AskedBoard:
    return AskedBoard(CLOSE_QUARTERS, board)


def understood(board: CloseQuartersBoard, line: str) -> Any:
    return asked(board).understood(line)


def misunderstood(board: CloseQuartersBoard, line: str) -> str:
    return asked(board).misunderstood(line)


def test_ways_are_ordered_as_a_vector_or_by_points() -> None:
    board = go_on(lay_out(squad(0, (500, 300), (500, 450)), squad(1, (2000, 800)))).board
    assert understood(board, "advance 1.5 -0.25") == Advance((ModelMove(0, 650, 275), ModelMove(1, 650, 425)))
    assert understood(board, "double by 3 0") == Double((ModelMove(0, 800, 300), ModelMove(1, 800, 450)))
    moves = (ModelMove(0, 650, 300), ModelMove(1, 700, 455))
    assert understood(board, "advance K1* 6.5 3, k2 to 7 4.55") == Advance(moves)
    assert isinstance(understood(board, "double"), Double)
    assert understood(board, "hold") == understood(board, "1") == Hold()
    assert misunderstood(board, "consolidate 1 0") == "`consolidate` is not asked now; `options` says what is"
    assert misunderstood(board, "advance far") == "type how far, `advance 3 0`, or where, `advance K1 12 5.5, K2 12 7`"
    assert misunderstood(board, "advance X9 1 1") == "no model is called 'x9'; `units` lists them"
    assert misunderstood(board, "pick K1") == "no models are to be picked now; `options` says what is asked"
    for order in ("engage", "break off"):
        assert misunderstood(board, order) == "no unit consolidates now; `options` says what is asked"
    assert misunderstood(board, "fire K1 at L") == "nobody fires now; `options` says what is asked"
    assert misunderstood(board, "dance").endswith("or one of `hold`, `advance` and `double`; `help` explains")


def test_consolidation_is_ordered_by_a_word() -> None:
    board = in_cycle(lay_out(squad(0, (1000, 800)), squad(1, (1300, 800))), step="consolidate")
    assert understood(board, "engage") == ConsolidateBy("engage")
    assert understood(board, "break off") == ConsolidateBy("break_off")
    assert understood(board, "hold") == ConsolidateBy("hold")
    assert understood(board, "consolidate 1 0") == Consolidate((ModelMove(0, 1100, 800),))


def test_fire_is_ordered_by_models_and_units() -> None:
    board = in_cycle(
        lay_out(squad(0, (1000, 800), (1000, 1000), gun="pistol"), squad(1, (1300, 800)), squad(1, (1300, 1000)))
    )
    assert understood(board, "fire K1 at M, K2 at B Unit 1") == Shoot((ModelShot(0, 2), ModelShot(1, 1)))
    assert understood(board, "hold") == Shoot(())
    assert misunderstood(board, "fire K1") == "type who fires at whom: `fire K2 at Guards, K3 at Raiders`"
    assert misunderstood(board, "fire K1 at unit") == (
        "'unit' may be A Unit, B Unit 1 and B Unit 2; say more, or the mark on the map"
    )
    assert (
        misunderstood(board, "fire K1 at orcs") == "no unit on the map is called 'orcs'; `board` shows marks and names"
    )
    defending = go_on(lay_out(squad(0, (1000, 800), has_acted=True), squad(1, (1300, 800), gun="pistol"))).board
    assert understood(defending, "fire at K") == FireAt(0)
    assert understood(defending, "hold") == HoldFire()


def test_picks_are_ordered_by_marks() -> None:
    ring = [(1100, 800), (1000, 900), (900, 800)]
    board = in_cycle(lay_out(squad(0, (1000, 800)), squad(1, *ring, armour=0, toughness=0)), step="melee")
    losing = go_on(board, [1, 1, 1]).board
    assert understood(losing, "pick L2") == PickCasualties((2,))
    assert asked(losing).option_texts == ["pick L3; or `pick` 1 of L1*, L2 and L3"]
    sixes = go_on(board, [1, 6, 6]).board
    assert asked(sixes).option_texts == ["pick L1*; or `pick` 1 of L2 and L3, or L1* alone"]
    shared = in_cycle(lay_out(squad(0, (1000, 800)), squad(1, (1100, 800)), squad(1, (900, 800))), step="melee")
    assert understood(go_on(shared, [1]).board, "pick m1") == SplitHits((2,))


def test_options_say_all_that_can_be_chosen() -> None:
    board = go_on(lay_out(squad(0, (500, 800)), squad(1, (2000, 800)))).board
    assert asked(board).option_texts == [
        "hold",
        "advance: K1* to (11, 8); or `advance X Y`, up to 6 inches, all within 4 of the leader",
        "double: K1* to (17, 8); or `double X Y`, up to 12 inches, all within 4 of the leader",
    ]
    board = in_cycle(lay_out(squad(0, (1000, 800), gun="pistol"), squad(1, (1300, 800))))
    assert asked(board).option_texts == [
        "fire K1* at B Unit (0.04 casualties expected)",
        "hold fire",
        "fire K1* at B Unit; or `fire MODEL at NAME, ...`: K1* at B Unit",
    ]


def test_reasons_name_the_unit_the_model_or_the_manoeuvre_that_is_kept_out() -> None:
    cornered = in_cycle(lay_out(squad(0, (0, 800)), squad(1, (300, 800))), step="consolidate")
    assert asked(cornered).unavailable_lines()[0] == "  break off: no model of the unit can move like that (B-15)"
    assert asked(cornered).unavailable_lines("engage") == [
        "'engage' is not left out of the options, which `more` lists"
    ]
    shooting = in_cycle(lay_out(squad(0, (1000, 800), (900, 900), gun="pistol"), squad(1, (1100, 800), (1200, 900))))
    assert asked(shooting).unavailable_lines()[:1] == ["  K1*: it touches an enemy (B-9)"]
    hint = "rules are in brackets: `diskwars rules ID`, in another terminal, prints one"
    assert asked(shooting).unavailable_lines()[-1] == hint
    defending = lay_out(
        squad(0, (1000, 800), has_acted=True),
        squad(1, (1300, 800), gun="pistol"),
        squad(1, (1300, 1000), is_doubled=True),
    )
    assert asked(go_on(defending).board).unavailable_lines()[0] == "  B Unit 2: it moved at the double (B-7)"


def test_positions_of_models_are_listed_on_request() -> None:
    board = lay_out(squad(0, (500, 300), (650, 300)), squad(1, (2000, 805)))
    assert asked(board).shown("units") == [
        "A Unit: K1* (5, 3), K2 (6.5, 3)",
        "B Unit: L1* (20, 8.05)",
    ]
    assert asked(board).shown("dance") is None


def test_no_unit_has_the_letter_of_a_seat() -> None:
    """The name of a unit begins with its seat: `A Raiders` must not be another than the unit A."""
    board = lay_out(*(squad(side, (300 + 300 * side, 300 * unit)) for unit in range(4) for side in (0, 1)))
    legend = [line.split()[:2] for line in draw_text_map(board).splitlines() if "1 model:" in line]
    assert len(legend) == 8
    assert not {mark for mark, _ in legend} & set("ABCD")
    assert {seat for _, seat in legend} == {"A", "B"}
