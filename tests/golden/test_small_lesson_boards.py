"""The boards of the smaller games show what the engine decides: what is refused there, what is done, what comes of it.

DISKWARS_GOLDEN=1 writes the files of the page again.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from diskwars_protocol.rulesets.close_quarters.events import CombatBegan, MarkersChanged, ModelsRemoved
from diskwars_protocol.rulesets.pit.events import FighterEngaged, FighterInjured, MeleeRolled
from diskwars_protocol.rulesets.regiments.events import CombatScored, UnitCharged, UnitMarched, UnitRouted
from tests.engine.played_match import IS_UPDATING_GOLDEN
from tests.golden.small_lesson_boards import SmallLessonBoard, make_small_lessons
from tests.rows import each_row

FOLDER = Path(__file__).parents[2] / "clients" / "web" / "src" / "rulesets" / "small" / "lessons" / "boards"
LESSONS = ("pit-1", "pit-2", "close_quarters-1", "close_quarters-2", "regiments-1", "regiments-2")
Found = TypeVar("Found")


@cache
def boards() -> dict[str, SmallLessonBoard]:
    return {board.id: board for board in make_small_lessons()}


def events_of(id: str, kind: type[Found]) -> list[Found]:
    """Return the events of one kind that follow from what the arrow leads to."""
    board = boards()[id]
    events: tuple[Any, ...] = board.answers[board.done].events
    return [event for event in events if isinstance(event, kind)]


def test_each_smaller_game_has_two_boards() -> None:
    assert tuple(boards()) == LESSONS
    assert {path.stem for path in FOLDER.glob("*.json")} == set(LESSONS) or IS_UPDATING_GOLDEN


@each_row("id", LESSONS)
def test_the_page_shows_what_the_engine_decides(id: str) -> None:
    text = json.dumps(msgspec.to_builtins(boards()[id]), separators=(",", ":")) + "\n"
    if IS_UPDATING_GOLDEN:
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / f"{id}.json").write_text(text, "utf-8")
    assert (FOLDER / f"{id}.json").read_text("utf-8") == text


@each_row(
    ("id", "rule"),
    [
        ("pit-1", "A-9"),
        ("pit-2", "A-15"),
        ("close_quarters-1", "B-25"),
        ("close_quarters-2", "B-9"),
        ("regiments-1", "C-26"),
        ("regiments-2", "C-19"),
    ],
)
def test_each_board_has_something_that_a_rule_refuses(id: str, rule: str) -> None:
    assert (boards()[id].refusal.code, boards()[id].refusal.rule) == ("not_legal", rule)


def test_fighter_that_runs_to_a_cell_beside_an_enemy_engages_it() -> None:
    (engaged,) = events_of("pit-1", FighterEngaged)
    assert engaged.targets == (3,)


def test_hit_that_is_not_saved_takes_a_fighter_out() -> None:
    (rolled, _) = events_of("pit-2", MeleeRolled)
    assert [check.passed for check in rolled.checks] == [True, False]
    (injured,) = events_of("pit-2", FighterInjured)
    assert (injured.fighter, injured.status) == (2, "incapacitated")


def test_squad_that_comes_within_six_inches_is_in_close_combat() -> None:
    (began,) = events_of("close_quarters-1", CombatBegan)
    assert began.units == (0, 3)


def test_first_failed_save_of_a_squad_is_a_marker_and_a_model_falls() -> None:
    (markers,) = events_of("close_quarters-2", MarkersChanged)
    assert (markers.unit, markers.markers) == (3, 1)
    (removed,) = events_of("close_quarters-2", ModelsRemoved)
    assert len(removed.models) == 1


def test_march_is_half_the_movement() -> None:
    (marched,) = events_of("regiments-1", UnitMarched)
    assert (marched.x, marched.y, len(marched.path)) == (4, 3, 2)


def test_unit_that_is_charged_in_the_flank_loses_by_two_and_leaves_the_field() -> None:
    (charged,) = events_of("regiments-2", UnitCharged)
    assert charged.arc == "right"
    (scored,) = events_of("regiments-2", CombatScored)
    assert scored.difference == 2
    (routed,) = events_of("regiments-2", UnitRouted)
    assert (routed.unit, routed.reason_kind) == (2, "left_the_field")
