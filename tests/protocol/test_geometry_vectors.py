"""The geometry agrees with the vector file that other languages read too."""

from pathlib import Path

import msgspec

from diskwars_protocol import geometry
from diskwars_protocol.geometry import Circle, PinPair, PlacedDisk, Point, Polygon
from tests.protocol import exact_gaps
from tests.rows import each_row


class PlaneVector(msgspec.Struct, forbid_unknown_fields=True):
    """One line of the vector file."""


class FlipRow(PlaneVector):
    name: str
    vector: Point
    diameter: int
    legal: bool


class TowardRow(PlaneVector):
    vector: Point
    diameter: int
    flip: Point


class StepRow(PlaneVector):
    step: int
    diameter: int
    flip: Point


class SightPolygonRow(PlaneVector):
    radius: int
    corners: Polygon


class DisksRow(PlaneVector):
    name: str
    a: Circle
    b: Circle
    overlaps: bool
    gap: int


class WithinRow(PlaneVector):
    name: str
    a: Circle
    b: Circle
    reach: int
    within: bool


class InsideRow(PlaneVector):
    name: str
    disk: Circle
    rectangle: tuple[int, int, int, int]
    inside: bool


class PinsRow(PlaneVector):
    name: str
    disks: tuple[PlacedDisk, ...]
    strict: tuple[PinPair, ...]
    contact: tuple[PinPair, ...]


class DiskAndPolygonRow(PlaneVector):
    name: str
    disk: Circle
    corners: Polygon
    overlaps: bool
    gap: int


class TwoPolygonsRow(PlaneVector):
    name: str
    a: Polygon
    b: Polygon
    gap_sq: int


class PolygonInsideRow(PlaneVector):
    name: str
    corners: Polygon
    rectangle: tuple[int, int, int, int]
    distance: int
    inside: bool


class TurnedRow(PlaneVector):
    corners: Polygon
    step: int
    to: Point
    turned: Polygon


class SightRow(PlaneVector):
    name: str
    a: Circle
    b: Circle
    blockers: tuple[Polygon, ...]
    sight: bool


class PlaneVectors(msgspec.Struct, forbid_unknown_fields=True):
    about: str
    flips: tuple[FlipRow, ...]
    flip_toward: tuple[TowardRow, ...]
    flip_at: tuple[StepRow, ...]
    directions: tuple[Point, ...]
    rims: tuple[SightPolygonRow, ...]
    disks: tuple[DisksRow, ...]
    within: tuple[WithinRow, ...]
    inside_rectangle: tuple[InsideRow, ...]
    pins: tuple[PinsRow, ...]
    disk_and_polygon: tuple[DiskAndPolygonRow, ...]
    two_polygons: tuple[TwoPolygonsRow, ...]
    polygon_inside_rectangle: tuple[PolygonInsideRow, ...]
    turned: tuple[TurnedRow, ...]
    sight: tuple[SightRow, ...]


VECTORS = msgspec.json.decode((Path(__file__).parents[1] / "vectors" / "plane.json").read_bytes(), type=PlaneVectors)


@each_row("row", VECTORS.flips, ids=lambda row: row.name)
def test_vectors_of_flips(row: FlipRow) -> None:
    assert geometry.is_flip(*row.vector, row.diameter) == row.legal


def test_vectors_of_directions() -> None:
    assert VECTORS.directions == geometry.DIRECTIONS
    for row in VECTORS.flip_toward:
        assert geometry.flip_toward(*row.vector, row.diameter) == row.flip
    for turn in VECTORS.flip_at:
        assert geometry.flip_at(turn.step, turn.diameter) == turn.flip


@each_row("row", VECTORS.disks, ids=lambda row: row.name)
def test_vectors_of_overlaps_and_gaps(row: DisksRow) -> None:
    assert geometry.disks_overlap(*row.a, *row.b) == row.overlaps
    assert geometry.disk_gap(*row.a, *row.b) == row.gap


@each_row("row", VECTORS.within, ids=lambda row: row.name)
def test_vectors_of_reach(row: WithinRow) -> None:
    assert geometry.disks_within(*row.a, *row.b, row.reach) == row.within
    assert (geometry.disk_gap(*row.a, *row.b) <= row.reach) == row.within


@each_row("row", VECTORS.inside_rectangle, ids=lambda row: row.name)
def test_vectors_of_disks_inside_rectangles(row: InsideRow) -> None:
    assert geometry.is_inside_rectangle(*row.disk, *row.rectangle) == row.inside


@each_row("row", VECTORS.pins, ids=lambda row: row.name)
def test_vectors_of_pins(row: PinsRow) -> None:
    assert geometry.find_pins(row.disks, "strict") == row.strict
    assert geometry.find_pins(row.disks, "contact") == row.contact
    everybody = [disk[0] for disk in row.disks]
    assert geometry.update_pins((), row.disks, everybody, "strict") == row.strict
    assert geometry.update_pins((), row.disks, everybody, "contact") == row.contact


@each_row("row", VECTORS.disk_and_polygon, ids=lambda row: row.name)
def test_vectors_of_disks_and_pieces(row: DiskAndPolygonRow) -> None:
    assert geometry.disk_overlaps_polygon(*row.disk, row.corners) == row.overlaps
    assert exact_gaps.disk_polygon_gap(*row.disk, row.corners) == row.gap


@each_row("row", VECTORS.two_polygons, ids=lambda row: row.name)
def test_vectors_of_two_pieces(row: TwoPolygonsRow) -> None:
    assert exact_gaps.polygon_gap_sq(row.a, row.b) == exact_gaps.polygon_gap_sq(row.b, row.a) == row.gap_sq


@each_row("row", VECTORS.polygon_inside_rectangle, ids=lambda row: row.name)
def test_vectors_of_pieces_inside_rectangles(row: PolygonInsideRow) -> None:
    assert geometry.is_polygon_inside_rectangle(row.corners, *row.rectangle, row.distance) == row.inside


def test_vectors_of_turned_pieces_and_rims() -> None:
    for row in VECTORS.turned:
        assert geometry.rotate_polygon(row.corners, row.step, *row.to) == row.turned
    for ring in VECTORS.rims:
        assert geometry.sight_polygon(0, 0, ring.radius) == ring.corners


@each_row("row", VECTORS.sight, ids=lambda row: row.name)
def test_vectors_of_sight(row: SightRow) -> None:
    assert (geometry.find_sight(*row.a, *row.b, row.blockers) is not None) == row.sight
    assert (geometry.find_sight(*row.b, *row.a, row.blockers) is not None) == row.sight
