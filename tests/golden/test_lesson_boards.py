"""The boards of a first match show what the engine decides: what is refused there, what is done, and what comes of it.

DISKWARS_GOLDEN=1 writes the files of the page again.
"""

import json
from functools import cache
from pathlib import Path

import msgspec

from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.played_match import IS_UPDATING_GOLDEN
from tests.golden.lesson_boards import OWN, LessonBoard, make_lessons
from tests.rows import each_row

FOLDER = Path(__file__).parents[2] / "clients" / "web" / "src" / "rulesets" / "diskwars" / "lessons" / "boards"
LESSONS = ("turn", "land", "melee", "card", "score")


@cache
def boards() -> dict[str, LessonBoard]:
    return {board.id: board for board in make_lessons()}


def events_of(id: str) -> tuple[object, ...]:
    board = boards()[id]
    events: tuple[object, ...] = board.position.nodes[0].answers[board.done].outcomes[0].events
    return events


def test_first_match_begins_with_five_boards() -> None:
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
    ("id", "code", "rule"),
    [
        ("turn", "disk_activated", "R7.11"),
        ("land", "disk_pinned", "R6.3"),
        ("melee", "not_legal", "R15.3.2"),
        ("card", "wrong_action", ""),
        ("score", "not_your_disk", "R7.11"),
    ],
)
def test_each_board_has_something_that_is_refused(id: str, code: str, rule: str) -> None:
    assert (boards()[id].refusal.code, boards()[id].refusal.rule) == (code, rule)


def test_turning_a_disk_moves_it_flip_by_flip() -> None:
    assert [type(event) for event in events_of("turn")].count(e.DiskFlipped) == 2


def test_landing_on_a_disk_pins_it() -> None:
    flips = [event for event in events_of("land") if isinstance(event, e.DiskFlipped)]
    assert [len(flip.pins_gained) for flip in flips] == [0, 0, 1]


def test_melee_harms_both_sides() -> None:
    taken = [event.disk for event in events_of("melee") if isinstance(event, e.DamageDealt)]
    seats = {boards()["melee"].position.board.disks[disk].seat for disk in taken}
    assert seats == {0, 1}


def test_cards_are_turned_over_together_and_one_of_them_begins() -> None:
    for answer in boards()["card"].position.nodes[0].answers:
        (revealed,) = [event for event in answer.outcomes[0].events if isinstance(event, e.CardsRevealed)]
        assert len(revealed.cards) == 2
        assert any(isinstance(event, e.CardBegan) for event in answer.outcomes[0].events)


def test_terrain_that_is_held_scores() -> None:
    (scored,) = [event for event in events_of("score") if isinstance(event, e.Scored)]
    assert scored.points[OWN] == 3
