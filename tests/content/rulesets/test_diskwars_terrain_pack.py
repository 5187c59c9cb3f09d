"""The terrain of the core pack agrees with sources and rules, and pieces load as written."""

from pathlib import Path

from diskwars_content.rulesets.diskwars import core_pack, load_pack, override_loader, terrain
from diskwars_protocol.geometry import Point
from diskwars_protocol.rulesets.diskwars.setup_cards import Terrain, TerrainKeyword
from diskwars_protocol.rulesets.diskwars.terrain import TERRAIN_KEYWORDS
from tests.rows import each_row

RIVER = Path(__file__).parents[1] / "river"


def faces() -> dict[str, Terrain]:
    return {face.name: face for card in core_pack().terrain.values() for face in card.faces}


def test_core_pack_has_five_pieces_with_ten_faces() -> None:
    """R10.1"""
    assert len(core_pack().terrain) == 5
    assert len(faces()) == 10


def test_faces_named_by_sources_have_their_known_keywords() -> None:
    """R10.11"""
    known = faces()
    assert TerrainKeyword("cave") in known["Cave"].keywords
    assert TerrainKeyword("windmill") in known["Ruined Windmill"].keywords
    assert "dangerous" in [keyword.id for keyword in known["Gully"].keywords]


def test_every_terrain_keyword_is_on_some_face() -> None:
    assert {keyword.id for face in faces().values() for keyword in face.keywords} == set(TERRAIN_KEYWORDS)


def test_back_of_a_piece_mirrors_its_front() -> None:
    """R-54"""
    for card in core_pack().terrain.values():
        front, back = card.faces
        assert back.corners == tuple((-x, y) for x, y in reversed(front.corners))
        for face in card.faces:
            after = (*face.corners[1:], face.corners[0])
            assert sum(x * v - u * y for (x, y), (u, v) in zip(face.corners, after, strict=True)) > 0


def test_piece_loads_as_written() -> None:
    (card,) = load_pack(RIVER).terrain.values()
    outline = ((-50000, -40000), (50000, -40000), (50000, 40000), (-50000, 40000))
    ford = Terrain(
        "ford", "Ford", outline, (TerrainKeyword("rough"), TerrainKeyword("dangerous", damage_type="physical"))
    )
    assert (card.id, card.name) == ("ford-sandbank", "Ford / Sandbank")
    assert card.faces[0] == ford
    assert (card.faces[1].name, card.faces[1].keywords) == ("Sandbank", ())


OUTLINES = (
    ((0, 0), (400, 0), (0, 300)),
    ((-500, -100), (300, -200), (100, 600), (-300, 200)),
    ((700, 100), (900, 400), (600, 500)),
    ((-900, -400), (-700, -600), (-600, -100), (-800, -200)),
)


@each_row("outline", OUTLINES)
def test_an_outline_goes_round_against_the_clock_from_whichever_corner(outline: tuple[Point, ...]) -> None:
    """R10.12"""
    for first in range(len(outline)):
        turned = (*outline[first:], *outline[:first])
        assert list(terrain._shape_faults(turned)) == []
        assert list(terrain._shape_faults(turned[::-1])) == ["the corners have to go round against the clock"]


def test_a_piece_that_is_turned_over_has_the_mirrored_outline_in_the_same_sense() -> None:
    """R-54"""
    corners = [list(corner) for corner in OUTLINES[1]]
    turned = override_loader._turn_over({"corners": corners, "faces": [{"id": "front"}, {"id": "back"}]})
    assert turned["faces"] == [{"id": "back"}, {"id": "front"}]
    assert turned["corners"] == [[-x, y] for x, y in reversed(corners)]
