"""The rules of close quarters about the barricade: contact with it, melee across it, and who may cross it."""

from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_engine.rulesets.close_quarters import combat
from diskwars_engine.rulesets.close_quarters.resolution import Resolution
from diskwars_protocol.rulesets.close_quarters import barricade, plans, position
from diskwars_protocol.rulesets.close_quarters.actions import (
    CloseQuartersLoadout,
    CloseQuartersSettings,
    ModelMove,
)
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from diskwars_protocol.rulesets.close_quarters.events import MeleeRolled
from diskwars_protocol.rulesets.close_quarters.stats import Barricade
from tests.engine.rulesets.close_quarters.close_quarters_positions import CLOSE_QUARTERS, in_cycle, lay_out, squad
from tests.engine.rulesets.number_dice import NumberDice
from tests.rows import each_row

LINE = Barricade(1200, 400, 1200, 1200)
SLANTED = Barricade(800, 400, 1600, 1000)
Point = tuple[int, int]


def facing(one: Point, other: Point, line: Barricade | None = LINE, **figures: Any) -> CloseQuartersBoard:
    """Return a board with one model of each side, that of side 0 first."""
    return lay_out(squad(0, one, **figures), squad(1, other, **figures), barricade=line)


def fault(
    board: CloseQuartersBoard, end: Point, distance: int = 600, keeps_away: bool = False
) -> tuple[str, int | None]:
    """Return the rule that keeps model 0 from going to a point, and the enemy named; no rule if it may."""
    fault = plans.find_fault(board, 0, (ModelMove(0, *end),), 600, keeps_away)
    return ("", None) if fault is None else (fault.rule, fault.numbers.get("enemy"))


# ---------------------------------------------------------------- contact


@pytest.mark.parametrize("has_barricade", [False, True])
def test_table_has_a_barricade_with_the_option_only(has_barricade: bool) -> None:
    """B-26: off by default; it looks the same from both sides."""
    settings = CloseQuartersSettings(barricade=has_barricade) if has_barricade else CloseQuartersSettings()
    board = CLOSE_QUARTERS.start(settings, [CloseQuartersLoadout()] * 2, NumberDice([1, 2])).board
    assert board.barricade == (LINE if has_barricade else None)
    assert {(board.width - x, board.height - y) for x, y in ((1200, 400), (1200, 1200))} == {(1200, 400), (1200, 1200)}


@each_row("keeps_away", [False, True])
@each_row(
    ("end", "rule"),
    [((1152, 800), ""), ((1153, 800), "B-26"), ((1248, 800), ""), ((1247, 800), "B-26"), ((1200, 352), ""),
     ((1200, 353), "B-26"), ((1240, 1220), "B-26"), ((1240, 1230), "")],
)  # fmt: skip
def test_base_may_touch_the_barricade_but_not_lie_on_it(end: Point, rule: str, keeps_away: bool) -> None:
    """B-26: from 48 on; round its ends as well."""
    assert fault(facing((1000, 800), (2300, 100)), end, keeps_away=keeps_away)[0] == rule
    assert fault(facing((1000, 800), (2300, 100), line=None), end, keeps_away=keeps_away)[0] == ""


@each_row(
    ("one", "other", "is_engaged"),
    [
        ((1150, 800), (1250, 900), True),
        ((1144, 800), (1256, 900), True),
        ((1143, 800), (1250, 900), False),
        ((1150, 800), (1257, 900), False),
        ((1150, 800), (1250, 973), True),
        ((1150, 800), (1250, 974), False),
        ((1150, 800), (1150, 950), False),
        ((1150, 350), (1250, 450), False),
    ],
)
def test_enemies_in_contact_with_both_sides_within_an_inch_are_engaged(
    one: Point, other: Point, is_engaged: bool
) -> None:
    """B-26: both in contact, on both sides, at most an inch between their edges."""
    board = facing(one, other)
    first, second = board.models
    assert position.is_in_contact(board, first, second) is is_engaged
    assert bool(position.touched(board, second)) is is_engaged
    assert position.contacts(board) == ({0: [second], 1: [first]} if is_engaged else {})
    assert position.engaged_with(board, 1, 0) == ([1] if is_engaged else [])
    without = replace(board, barricade=None)
    assert position.contacts(without) == {}
    assert not position.is_in_contact(without, first, second)


def test_slanted_barricade_is_measured_exactly() -> None:
    """B-26: the distance is that from the line, or from its nearer end."""
    assert barricade.squared_distance(SLANTED, (1200, 700)) == 0
    assert barricade.squared_distance(SLANTED, (1170, 740)) == 2500
    assert barricade.touches(SLANTED, (1170, 740))
    assert barricade.are_on_both_sides(SLANTED, (1170, 740), (1230, 660))
    assert barricade.reaches_across(SLANTED, (1170, 740), (1230, 660))
    assert barricade.squared_distance(SLANTED, (1603, 1004)) == 25
    assert barricade.squared_distance(SLANTED, (797, 396)) == 25


def test_models_in_contact_across_the_barricade_come_after_those_with_lower_numbers() -> None:
    """B-26, B-11: a model that touches one base and another across the barricade touches both, by number."""
    board = lay_out(squad(0, (1150, 800)), squad(1, (1250, 900), (1251, 760)), squad(1, (1150, 900)), barricade=LINE)
    own, *enemies = board.models
    assert [model.id for model in position.contacts(board)[0]] == [1, 2, 3]
    assert position.touched(board, own) == enemies


def test_models_fight_across_the_barricade_and_do_not_shoot() -> None:
    """B-26, B-9, B-10."""
    board = in_cycle(lay_out(squad(0, (1150, 800), gun="pistol"), squad(1, (1250, 900)), barricade=LINE), step="melee")
    assert position.shooting_targets(board, 0) == []
    dice = NumberDice([1])
    resolution = Resolution(board, dice)
    combat.fight(resolution, 0)
    dice.finish()
    (rolled,) = [event for event in resolution.events if isinstance(event, MeleeRolled)]
    assert [(assault.model, assault.touched) for assault in rolled.assaults] == [(0, (1,))]
    assert [target.unit for target in rolled.targets] == [1]


# ---------------------------------------------------------------- crossing


@each_row(
    ("start", "end", "guard", "rule"),
    [
        ((1100, 800), (1320, 650), (1250, 800), "B-27"),
        ((1100, 800), (1320, 650), (1257, 800), ""),
        ((1100, 745), (1300, 745), (1250, 500), ""),
        ((1100, 744), (1300, 744), (1250, 500), "B-27"),
        ((1100, 255 + 745), (1300, 255 + 745), (1250, 1190), "B-27"),
        ((1100, 1250), (1300, 1250), (1250, 1150), ""),
        ((1100, 350), (1300, 350), (1250, 450), ""),
        ((1100, 800), (1145, 700), (1250, 800), ""),
        ((1100, 800), (1320, 650), (1150, 700), ""),
    ],
)
def test_consolidation_does_not_cross_where_an_enemy_is_behind_the_barricade(
    start: Point, end: Point, guard: Point, rule: str
) -> None:
    """B-27: within 2 inches of one in contact with the far side; not round an end, not on one's own side."""
    board = facing(start, guard)
    assert fault(board, end) == (rule, 1 if rule else None)
    assert fault(replace(board, barricade=None), end) == ("", None)


def test_models_cross_the_barricade_in_the_action_phase() -> None:
    """B-27 is about consolidation; B-25 keeps models an inch away from enemies."""
    board = facing((1000, 800), (1250, 800))
    assert fault(board, (1500, 800), keeps_away=True) == ("", None)
    assert fault(board, (1500, 800)) == ("B-27", 1)


def test_enemy_that_fell_back_guards_nothing() -> None:
    """B-27, B-17."""
    board = lay_out(squad(0, (1100, 800)), squad(1, (1250, 800), has_fallen_back=True), barricade=LINE)
    assert fault(board, (1400, 800)) == ("", None)


@pytest.mark.parametrize("line", [LINE, Barricade(1200, 1200, 1200, 400)])
def test_engage_goes_to_the_near_side_of_the_barricade(line: Barricade) -> None:
    """B-15, B-26: each model to a place from which it fights across; none climbs over."""
    board = lay_out(squad(0, (1000, 800), (1000, 920), (1000, 680)), squad(1, (1250, 800), (2000, 100)), barricade=line)
    moves = plans.manoeuvre_moves(board, 0, "engage")
    ends = {move.model: move for move in moves}
    models = tuple(
        replace(model, x=ends[model.id].x, y=ends[model.id].y) if model.id in ends else model for model in board.models
    )
    after = replace(board, models=models)
    assert len(position.strikers(after, 0)) >= 2
    assert all(model.x < 1200 for model in position.models_of(after, 0))
    assert plans.find_fault(board, 0, moves, 300, keeps_away=False) is None
    assert CLOSE_QUARTERS.check(after) == []


def test_engage_works_across_a_slanted_barricade() -> None:
    """B-15, B-26."""
    board = facing((1100, 850), (1230, 660), line=SLANTED)
    (move,) = plans.manoeuvre_moves(board, 0, "engage")
    assert barricade.reaches_across(SLANTED, (move.x, move.y), (1230, 660))


@each_row(("movement", "end"), [(1, (1100, 800)), (2, (1152, 800)), (3, (1300, 800)), (6, (1600, 800))])
def test_flight_that_would_end_on_the_barricade_stops_short_of_it(movement: int, end: Point) -> None:
    """B-26, B-17: one that ends beyond it crosses it."""
    board = facing((1000, 800), (900, 800), movement_inches=movement)
    (move,) = plans.fall_back(board, 0).moves
    assert (move.x, move.y) == end


def test_model_on_the_barricade_breaks_an_invariant() -> None:
    """B-26."""
    assert CLOSE_QUARTERS.check(facing((1190, 800), (2000, 800))) == ["model 0 lies on the barricade"]
    assert CLOSE_QUARTERS.check(facing((1150, 800), (2000, 800))) == []


@each_row(
    ("line", "start", "end", "guard", "is_near"),
    [
        (LINE, (1100, 800), (1300, 800), (1270, 1040), True),
        (LINE, (1100, 800), (1300, 800), (1270, 1041), False),
        (LINE, (1100, 1200), (1300, 1200), (1250, 1150), True),
        (LINE, (1100, 400), (1300, 400), (1250, 450), True),
        (LINE, (1100, 399), (1300, 399), (1250, 450), False),
        (SLANTED, (1000, 700), (1200, 500), (1100, 600), True),
        (SLANTED, (1000, 700), (1200, 500), (1500, 900), False),
        (SLANTED, (700, 500), (900, 300), (900, 420), True),
    ],
)
def test_crossing_is_found_exactly(line: Barricade, start: Point, end: Point, guard: Point, is_near: bool) -> None:
    """B-27: through an end of the barricade too, and at exactly two inches."""
    assert barricade.crosses_near(line, start, end, guard) is is_near
