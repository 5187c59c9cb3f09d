"""The cursor holds tasks between two answers; other versions of it are upgraded or refused."""

import pytest

from diskwars_engine.ruleset import UnreadableCursor
from diskwars_engine.rulesets.diskwars import cursor, rounds
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_engine.rulesets.diskwars.cursor import CursorReader, encode_cursor
from diskwars_engine.rulesets.diskwars.task_table import TASKS
from diskwars_protocol.messages.refusals import REFUSAL_CODES
from diskwars_protocol.rulesets.diskwars.actions import MeleeTarget, Trigger
from diskwars_protocol.rulesets.diskwars.events import RangedAttack
from tests.engine.played_match import begin_random_match, mixed_action
from tests.rows import each_row

EXAMPLES: tuple[t.Task, ...] = (
    t.FirstPlayerTask(1),
    t.SetupStepTask("scenario"),
    t.DeploymentTask((1, 0)),
    t.ScoutTask(0, (3, 4)),
    t.RoundTask(2),
    t.ActivationPhaseTask(),
    t.CommandCardTask(0, 'a "b" # ü', 2, True),
    t.ActivationTask(0, 3, 2, ("move", "shoot"), has_moved=True),
    t.ScatterTask(RangedAttack(1, 2, 0, 3, "true", "long"), 1, (0, 2), (5,)),
    t.TriggersTask(1, (Trigger(0, 1, 0),)),
    t.MeleeStepTask(0, "swift", (MeleeTarget(0, 1),)),
)


def test_tasks_survive_their_cursor() -> None:
    for count in range(len(EXAMPLES) + 1):
        assert CursorReader(TASKS).read(encode_cursor(EXAMPLES[:count])) == EXAMPLES[:count]


@each_row("seed", [1, 2, 3])
def test_the_cursor_of_every_position_of_a_match_says_the_same_again(seed: int) -> None:
    playing = begin_random_match(seed)
    while playing.state.status != "ended":
        assert playing.board.cursor == encode_cursor(rounds.tasks_of(playing.board)) != ""
        playing.play(mixed_action, records=1)
    assert playing.board.cursor == ""


def test_a_cursor_without_tasks_is_empty() -> None:
    assert encode_cursor(()) == ""


def test_a_cursor_begins_with_its_version() -> None:
    assert encode_cursor((t.RoundTask(2),)) == '1[["round",2]]'


@each_row(
    "text",
    [
        '2[["round",2]]',
        '0[["round",2]]',
        '[["round",2]]',
        "x[]",
        "1",
        "1[",
        '1[["no_such_task"]]',
        '1[["round","two"]]',
        '1[["round",2]] ?',
        f"{'9' * 5000}[]",
    ],
)
def test_a_broken_cursor_or_that_of_other_rules_is_refused(text: str) -> None:
    with pytest.raises(UnreadableCursor) as refusal:
        CursorReader(TASKS).read(text)
    assert refusal.value.code == "unreadable_cursor"
    assert refusal.value.code in REFUSAL_CODES


def test_a_refused_cursor_names_its_version_and_the_readable_ones() -> None:
    with pytest.raises(UnreadableCursor, match=r"version 2; these rules read 1$"):
        CursorReader(TASKS).read("2[]")
    with pytest.raises(UnreadableCursor, match=r"version none; these rules read 1$"):
        CursorReader(TASKS).read("[]")


def test_the_cursor_of_older_rules_is_upgraded_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if rounds had been counted from 0 once, and the task had been called "turn" in the version after that."""
    upgrades = {
        -1: lambda tasks: [["turn", number + 1] for _, number in tasks],
        0: lambda tasks: [["round", number] for _, number in tasks],
    }
    monkeypatch.setattr(cursor, "UPGRADES", upgrades)
    assert CursorReader(TASKS).read('-1[["round",1]]') == (t.RoundTask(2),)
    assert CursorReader(TASKS).read('0[["turn",2]]') == (t.RoundTask(2),)
    with pytest.raises(UnreadableCursor, match=r"version 2; these rules read -1, 0, 1$"):
        CursorReader(TASKS).read("2[]")


def test_every_version_that_can_be_upgraded_leads_to_this_one() -> None:
    assert sorted(cursor.UPGRADES) == list(range(cursor.VERSION - len(cursor.UPGRADES), cursor.VERSION))
