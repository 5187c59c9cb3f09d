"""The animated replay: a frame a scene, small enough for a page, and bounded."""

from io import BytesIO
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image

from diskwars_cli.look_back import animation
from diskwars_cli.look_back.animation import LAST_MS, MAX_FRAMES, WIDTH, animate
from diskwars_cli.rulesets.registry import find_pictures
from diskwars_client.replays import replay_file
from diskwars_protocol.match.replay_scenes import MatchScenes, list_scenes
from tests.cli.command_runner import CommandRunner
from tests.client.match_files import match_file
from tests.golden.write_files import FOLDER, SUFFIX

MAX_QUICK_MATCH_BYTES = 200_000


def course_of(raw: bytes) -> MatchScenes:
    replay = replay_file(raw)
    course = list_scenes(replay, find_pictures(replay.state(replay.last).ruleset).scenes)
    assert course is not None
    return course


def frames_of(raw: bytes) -> list[int]:
    """Return the milliseconds of each frame of an animated picture."""
    with Image.open(BytesIO(raw)) as picture:
        shown = []
        for number in range(getattr(picture, "n_frames", 1)):
            picture.seek(number)
            picture.load()
            shown.append(int(picture.info["duration"]))
        assert (picture.format, picture.width) == ("WEBP", WIDTH)
        return shown


def test_quick_match_has_a_frame_a_scene_and_is_small() -> None:
    course = course_of(match_file(1))
    made = animate(course)
    shown = frames_of(made)
    assert 0.8 * len(course.scenes) <= len(shown) <= len(course.scenes), "frames that are the same are one"
    assert shown[-1] >= LAST_MS
    assert 20_000 < len(made) <= MAX_QUICK_MATCH_BYTES
    assert animate(course) == made, "the same match is the same file"


def test_picture_that_would_be_too_large_has_fewer_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    course = course_of((FOLDER / f"pit-four{SUFFIX}").read_bytes())
    whole = animate(course)
    monkeypatch.setattr(animation, "MAX_BYTES", len(whole) * 2 // 3)
    less = animate(course)
    assert len(less) <= len(whole) * 2 // 3
    assert 2 <= len(frames_of(less)) < len(frames_of(whole))


def test_frames_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    course = course_of((FOLDER / f"pit-four{SUFFIX}").read_bytes())
    assert MAX_FRAMES < 400, "as many as there may be course"
    monkeypatch.setattr(animation, "MAX_FRAMES", 5)
    assert len(frames_of(animate(course))) <= 5
    assert len(frames_of(animate(replace(course, scenes=course.scenes[-1:])))) == 1


def test_command_draws_a_match_file(diskwars: CommandRunner, tmp_path: Path) -> None:
    output = tmp_path / "replay.webp"
    file = FOLDER / f"regiments-last-side{SUFFIX}"
    assert diskwars("draw", "--animate", str(file), "-o", str(output)).code == 0
    assert len(frames_of(output.read_bytes())) > 5


def test_command_refuses_what_it_cannot_animate(diskwars: CommandRunner, tmp_path: Path) -> None:
    closed = FOLDER / f"diskwars-closed{SUFFIX}"
    assert diskwars.error_message("draw", "--animate", str(closed)).endswith("the match has no board")
    assert "cannot be read" in diskwars.error_message("draw", "--animate", str(tmp_path / "missing"))
    both = diskwars("draw", "some-match", "--animate", str(closed))
    assert both.code == 2
