"""The scenes of a match: one for each activation and each melee, with the table when it is over."""

from functools import cache

import pytest

from diskwars_cli.rulesets.registry import find_pictures
from diskwars_client.replays import replay_file
from diskwars_protocol.match.ids import PUBLIC
from diskwars_protocol.match.replay import Replay
from diskwars_protocol.match.replay_scenes import MatchScenes, list_scenes
from tests.golden.write_files import FOLDER, SUFFIX
from tests.rows import each_row

NAMES = sorted(
    path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}") if not path.name.startswith("counting")
)
WITHOUT_BOARD = {"diskwars-abandoned", "diskwars-closed", "diskwars-closed-by-house"}
PLAYED = [name for name in NAMES if name not in WITHOUT_BOARD]
WITH_TAKEBACKS = [name for name in PLAYED if name.endswith("-agreements")]


@cache
def replay_of(name: str) -> Replay:
    return replay_file((FOLDER / f"{name}{SUFFIX}").read_bytes(), PUBLIC)


def course_in(name: str, limit: int = 400) -> MatchScenes:
    replay = replay_of(name)
    course = list_scenes(replay, find_pictures(replay.state(replay.last).ruleset).scenes, limit)
    assert course is not None
    return course


@each_row("name", PLAYED)
def test_every_activation_and_melee_that_counts_is_a_scene(name: str) -> None:
    replay, course = replay_of(name), course_in(name).scenes
    for kind in ("activation", "melee"):
        begun = sum(mark.kind == kind and not mark.taken_back for mark in replay.marks)
        found = sum(scene.kind == kind for scene in course)
        # After the last unit of regiments has acted the match may go on to its end without another mark.
        spare = kind == "activation" and name.startswith("regiments")
        assert begun <= found <= begun + spare, (kind, begun, found)


@each_row("name", PLAYED)
def test_scenes_follow_each_other_up_to_the_last_record(name: str) -> None:
    match = course_in(name)
    seqs = [scene.seq for scene in match.scenes]
    assert seqs == sorted(seqs)
    assert (seqs[-1], match.records) == (replay_of(name).last, replay_of(name).last)
    is_over = replay_of(name).state(match.records).result is not None
    assert (match.scenes[-1].kind == "end", match.winners is not None) == (is_over, is_over)


@each_row("name", PLAYED)
def test_pieces_on_the_table_are_those_of_the_board(name: str) -> None:
    match = course_in(name)
    known = {piece.id: piece for piece in match.pieces}
    for scene in match.scenes:
        for placed in scene.placed:
            radius = known[placed.id].radius
            assert -radius <= placed.x <= match.width + radius
            assert -radius <= placed.y <= match.height + radius
        assert not {placed.id for placed in scene.placed} & set(scene.lost)
        assert {number for link in scene.links for number in (link.first, link.second)} <= set(known)


def test_one_record_may_hold_several_scenes() -> None:
    course = course_in("regiments-destroyed").scenes
    assert len({scene.seq for scene in course}) < len(course)


def test_scene_names_who_acts_and_what_was_lost() -> None:
    course = course_in("diskwars-contact").scenes
    acting = [scene for scene in course if scene.kind == "activation"]
    assert all(scene.actor is not None and scene.actor.name and len(scene.actor.pieces) == 1 for scene in acting)
    fielded = {placed.id for scene in course for placed in scene.placed}
    lost = [number for scene in course for number in scene.lost]
    left = {placed.id for placed in course[-1].placed}
    assert sorted(lost) == sorted(fielded - left)
    assert lost


@each_row("name", WITH_TAKEBACKS)
def test_scenes_that_were_taken_back_are_left_out(name: str) -> None:
    replay, course = replay_of(name), course_in(name).scenes
    maker = find_pictures(replay.state(replay.last).ruleset).scenes
    assert any(replay.body(seq).taken_back_to is not None for seq in range(1, replay.last + 1))
    assert course[-1].placed == maker.make(replay.state(replay.last).board).placed
    spare = name.startswith("regiments")
    for kind in ("activation", "melee"):
        begun = sum(mark.kind == kind and not mark.taken_back for mark in replay.marks)
        found = sum(scene.kind == kind for scene in course)
        assert begun <= found <= begun + spare, (kind, begun, found)


def test_of_a_long_match_evenly_spaced_scenes_are_kept() -> None:
    every, few = course_in("diskwars-expansion"), course_in("diskwars-expansion", 10)
    assert len(few.scenes) == 10 < len(every.scenes)
    assert (few.scenes[0], few.scenes[-1].placed) == (every.scenes[0], every.scenes[-1].placed)
    gaps = [later.seq - earlier.seq for earlier, later in zip(few.scenes, few.scenes[1:], strict=False)]
    assert max(gaps) < every.records / 3


@pytest.mark.parametrize("name", sorted(WITHOUT_BOARD))
def test_match_that_never_began_has_no_scenes(name: str) -> None:
    replay = replay_of(name)
    assert list_scenes(replay, find_pictures("diskwars").scenes) is None
