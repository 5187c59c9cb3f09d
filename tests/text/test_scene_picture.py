"""Small pictures of scenes: what is written in them can be read in the size that they are drawn for."""

import re
from functools import cache
from xml.etree import ElementTree

from msgspec.structs import replace

from diskwars_cli.rulesets.registry import find_pictures
from diskwars_client.replays import replay_file
from diskwars_protocol.match.ids import PUBLIC
from diskwars_protocol.match.replay_scenes import MatchScenes, list_scenes
from diskwars_text.scene_picture import MIN_LABEL, PIXEL, draw_scene, scene_text, view_of
from tests.golden.write_files import FOLDER, SUFFIX
from tests.rows import each_row

NAMES = ["diskwars-expansion", "pit-four", "close-quarters-brutes", "regiments-task"]
SVG = "{http://www.w3.org/2000/svg}"


@cache
def course_of(name: str) -> MatchScenes:
    replay = replay_file((FOLDER / f"{name}{SUFFIX}").read_bytes(), PUBLIC)
    course = list_scenes(replay, find_pictures(replay.state(replay.last).ruleset).scenes)
    assert course is not None
    return course


def sizes_of_text(svg: str) -> list[float]:
    """Return the sizes of all texts in tenths of a pixel."""
    return [
        float(scale) * float(size)
        for scale, size in re.findall(r'<text transform="[^"]*scale\((\d+)\)" font-size="(\d+)"', svg)
    ]


@each_row("name", NAMES)
def test_labels_of_pieces_are_legible_at_480_pixels(name: str) -> None:
    course = course_of(name)
    view = view_of(course, 480)
    assert view.width == 480 * PIXEL
    for scene in course.scenes:
        svg = draw_scene(course, scene, view)
        labels = re.findall(r"<g transform=\"translate\([^)]*\)\"[^>]*><title>.*?</g>", svg)
        assert len(labels) == len(scene.placed)
        assert min(sizes_of_text(svg)) >= 7 * PIXEL, "a figure in a badge"
        for drawn in labels:
            assert max(sizes_of_text(drawn)) >= MIN_LABEL - PIXEL // 2, drawn


@each_row("name", NAMES)
def test_every_piece_is_in_view_and_named_for_those_who_cannot_see_it(name: str) -> None:
    course = course_of(name)
    view = view_of(course, 480)
    names = {piece.id: piece.name for piece in course.pieces}
    for scene in course.scenes[:: max(1, len(course.scenes) // 8)]:
        drawn = ElementTree.fromstring(draw_scene(course, scene, view))
        titles = [title.text or "" for title in drawn.iter(f"{SVG}title")]
        assert [title.rpartition(", seat ")[0] for title in titles] == [names[placed.id] for placed in scene.placed]
        for placed in scene.placed:
            x, y = view.place(placed.x, placed.y)
            assert 0 <= x <= view.width
            assert 0 <= y <= view.height


def test_names_are_escaped() -> None:
    course = course_of("pit-four")
    odd = replace(course, pieces=tuple(replace(piece, name="<b>&\x00", letters='"<') for piece in course.pieces))
    svg = draw_scene(odd, odd.scenes[-2], view_of(odd, 480))
    assert ElementTree.fromstring(svg).tag == f"{SVG}svg"
    assert "<b>" not in svg


def test_words_of_a_scene_name_its_losses() -> None:
    course = course_of("diskwars-expansion")
    texts = [scene_text(course, scene) for scene in course.scenes]
    assert texts[0] == "The armies are set up"
    assert any(re.fullmatch(r"Activated: .+; lost: .+", text) for text in texts)
    assert any(text.startswith("Melee") for text in texts)
    assert texts[-1].startswith("Won by ")


def test_match_without_pieces_shows_the_whole_table() -> None:
    course = course_of("diskwars-expansion")
    bare = replace(course, pieces=(), scenes=(replace(course.scenes[0], placed=()),))
    view = view_of(bare, 480)
    assert view.place(0, 0)[0] >= 0
    assert ElementTree.fromstring(draw_scene(bare, bare.scenes[0], view)).tag == f"{SVG}svg"
