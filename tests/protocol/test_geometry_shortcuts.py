"""Shortcuts of the geometry agree with the plain computations; boxes settle most cases before the exact tests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diskwars_protocol import geometry
from diskwars_protocol.geometry import PinMode, PlacedDisk, Polygon
from tests.protocol import exact_gaps

NEAR = st.integers(-60_000, 60_000)
POINTS = st.tuples(NEAR, NEAR)
REACHES = st.integers(0, 40_000)


@st.composite
def pieces(draw: st.DrawFn) -> Polygon:
    """Return a piece of terrain turned any way, small enough that two of them lie apart as often as not."""
    rays = draw(st.lists(st.integers(0, 71), min_size=3, max_size=8, unique=True))
    x, y = draw(POINTS)
    found = []
    for ray in sorted(rays):
        dx, dy = geometry.flip_at(ray, draw(st.integers(1_000, 30_000)))
        found.append((x + dx, y + dy))
    return tuple(found)


@given(POINTS, st.integers(1_000, 40_000), pieces())
def test_a_disk_overlaps_a_piece_when_the_gap_says_so(place: tuple[int, int], radius: int, piece: Polygon) -> None:
    gap_sq = geometry.point_gap_sq(*place, piece)
    assert geometry.disk_overlaps_polygon(*place, radius, piece) == (
        gap_sq <= (radius - geometry.OVERLAP_TOLERANCE_UM) ** 2
    )


@given(POINTS, st.integers(1_000, 40_000), pieces(), REACHES)
def test_a_disk_is_within_reach_of_a_piece_when_the_gap_says_so(
    place: tuple[int, int], radius: int, piece: Polygon, reach: int
) -> None:
    gap_sq = geometry.point_gap_sq(*place, piece)
    is_near = geometry.disk_overlaps_polygon(*place, radius + reach + geometry.OVERLAP_TOLERANCE_UM, piece)
    assert is_near == (gap_sq <= (radius + reach) ** 2)


@given(pieces(), pieces(), REACHES)
def test_pieces_are_within_reach_when_their_gap_says_so(one: Polygon, other: Polygon, reach: int) -> None:
    assert geometry.are_polygons_within(one, other, reach) == (exact_gaps.polygon_gap_sq(one, other) <= reach * reach)


@given(pieces(), pieces(), REACHES)
def test_pieces_within_reach_have_boxes_within_reach(one: Polygon, other: Polygon, reach: int) -> None:
    near = geometry.are_boxes_within(geometry.bounding_box(one), geometry.bounding_box(other), reach)
    assert near or exact_gaps.polygon_gap_sq(one, other) > reach * reach


@given(pieces(), pieces(), REACHES)
def test_pieces_whose_hearts_are_within_reach_are_so_themselves(one: Polygon, other: Polygon, reach: int) -> None:
    if geometry.disks_within(*geometry.inscribed_circle(one), *geometry.inscribed_circle(other), reach):
        assert exact_gaps.polygon_gap_sq(one, other) <= reach * reach


@given(pieces(), st.integers(0, 71))
def test_a_heart_lies_in_its_piece(piece: Polygon, step: int) -> None:
    x, y, radius = geometry.inscribed_circle(piece)
    dx, dy = geometry.flip_at(step, radius)
    assert geometry.point_gap_sq(x + dx, y + dy, piece) <= 1  # the place on its rim is rounded


def test_a_piece_that_is_bent_about_the_middle_of_its_box_has_its_heart_on_a_corner() -> None:
    bent: Polygon = ((0, 0), (90_000, 0), (90_000, 10_000), (10_000, 10_000), (10_000, 90_000), (0, 90_000))
    assert geometry.inscribed_circle(bent) == (0, 0, 0)


def test_a_piece_inside_another_is_within_any_reach() -> None:
    large: Polygon = ((0, 0), (90_000, 0), (90_000, 90_000), (0, 90_000))
    small: Polygon = ((40_000, 40_000), (50_000, 40_000), (45_000, 50_000))
    assert geometry.are_polygons_within(large, small, 0)
    assert geometry.are_polygons_within(small, large, 0)


def test_pieces_that_cross_without_a_corner_near_are_within_any_reach() -> None:
    upright: Polygon = ((40_000, 0), (50_000, 0), (50_000, 90_000), (40_000, 90_000))
    lying: Polygon = ((0, 40_000), (90_000, 40_000), (90_000, 50_000), (0, 50_000))
    assert geometry.are_polygons_within(upright, lying, 0)


@st.composite
def piles(draw: st.DrawFn) -> list[PlacedDisk]:
    """Disk one on another, from the lowest up."""
    places = draw(st.lists(st.tuples(POINTS, st.integers(10_000, 40_000)), min_size=1, max_size=7))
    return [(number, x, y, radius, 10 * number) for number, ((x, y), radius) in enumerate(places)]


@pytest.mark.parametrize("mode", ["strict", "contact"])
@given(pile=piles())
def test_a_disk_above_all_others_pins_what_it_pins_among_those_that_it_overlaps(
    mode: PinMode, pile: list[PlacedDisk]
) -> None:
    *below, top = pile
    around = [disk for disk in below if geometry.disks_overlap(*top[1:4], *disk[1:4])]
    assert geometry.find_pins_from_top(top, around, mode) == tuple(
        pin for pin in geometry.find_pins(pile, mode) if pin[0] == top[0]
    )


@pytest.mark.parametrize("mode", ["strict", "contact"])
@given(pile=piles())
def test_a_disk_that_nothing_lies_on_keeps_no_others_apart(mode: PinMode, pile: list[PlacedDisk]) -> None:
    every = geometry.find_pins(pile, mode)
    for disk in pile:
        if not any(bottom == disk[0] for _, bottom in every):
            left = geometry.find_pins((other for other in pile if other is not disk), mode)
            assert left == tuple(pin for pin in every if pin[0] != disk[0])
