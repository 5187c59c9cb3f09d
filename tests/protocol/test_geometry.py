"""The geometry is exact at its limits and agrees with slow oracles."""

from collections.abc import Iterator
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import gcd, isqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diskwars_protocol import geometry
from diskwars_protocol.geometry import Circle, PinMode, PinPair, PlacedDisk, Point, Polygon, Segment
from tests.protocol import exact_gaps

RADII = (22_225, 28_575, 38_100)
MODES: tuple[PinMode, ...] = ("strict", "contact")
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")

diameters = st.one_of(st.sampled_from(RADII), st.integers(1, 10**6)).map(lambda radius: 2 * radius)
coordinates = st.one_of(st.integers(-30, 30), st.integers(-(10**6), 10**6))
points = st.tuples(coordinates, coordinates)
disks = st.tuples(coordinates, coordinates, st.integers(1_000, 50_000))


def cosine(angle: Decimal) -> Decimal:
    term, total, k = Decimal(1), Decimal(1), 0
    while abs(term) > Decimal(10) ** -65:
        k += 2
        term = -term * angle * angle / (k * (k - 1))
        total += term
    return total


# --- flips ------------------------------------------------------------------------------------------------------------


def test_the_directions_are_the_multiples_of_5_degrees_rounded_to_nearest() -> None:
    with localcontext() as context:
        context.prec = 70
        for step, direction in enumerate(geometry.DIRECTIONS):
            parts = [cosine(PI * turn / 36) * 2**30 for turn in (step, step - 18)]
            assert direction == tuple(int(part.to_integral_value(ROUND_HALF_EVEN)) for part in parts)
    assert len(geometry.DIRECTIONS) == 72


def test_a_flip_differs_from_the_square_of_the_diameter_by_at_most_twice_the_diameter() -> None:
    """R5.2, R-07: the bound itself is a flip, which no printed size reaches; (2, 2) of a disk of 2 does."""
    assert geometry.is_flip(2, 2, 2)
    assert not geometry.is_flip(3, 0, 2)
    assert not geometry.is_flip(0, 0, 4)
    assert (geometry.is_flip(44451, 0, 44450), geometry.is_flip(44449, 0, 44450)) == (False, True)


@given(points, diameters)
def test_a_flip_in_any_direction_is_a_legal_flip(vector: Point, diameter: int) -> None:
    dx, dy = vector
    if vector == (0, 0):
        with pytest.raises(ValueError, match="no direction"):
            geometry.flip_toward(dx, dy, diameter)
        return
    fx, fy = geometry.flip_toward(dx, dy, diameter)
    assert geometry.is_flip(fx, fy, diameter)
    assert fx * dx >= 0
    assert fy * dy >= 0
    assert abs(fx * dy - fy * dx) <= isqrt(dx * dx + dy * dy) + 1  # less than a micrometre beside the direction
    assert geometry.flip_toward(-dy, dx, diameter) == (-fy, fx)


@given(st.integers(-200, 200), diameters)
def test_a_flip_at_a_step_is_a_legal_flip_and_the_opposite_step_takes_it_back(step: int, diameter: int) -> None:
    fx, fy = geometry.flip_at(step, diameter)
    assert geometry.is_flip(fx, fy, diameter)
    assert geometry.flip_at(step + 36, diameter) == (-fx, -fy)
    assert geometry.flip_at(step + 18, diameter) == (-fy, fx)


# --- disks ------------------------------------------------------------------------------------------------------------


def test_a_flipped_disk_does_not_overlap_the_place_it_left() -> None:
    for radius, step in product(RADII, range(72)):
        x, y = geometry.flip_at(step, 2 * radius)
        assert not geometry.disks_overlap(0, 0, radius, x, y, radius)


@given(disks, disks, st.integers(0, 400_000))
def test_a_gap_of_at_most_r_is_the_same_as_within_r(one: Circle, other: Circle, reach: int) -> None:
    """R5.4"""
    apart = geometry.disk_gap(*one, *other)
    assert (apart <= reach) == geometry.disks_within(*one, *other, reach)
    assert geometry.disks_within(*one, *other, apart)
    assert apart == 0 or not geometry.disks_within(*one, *other, apart - 1)
    assert apart == geometry.disk_gap(*other, *one)


@given(disks, disks)
def test_disks_overlap_by_ten_micrometres_or_not_at_all(one: Circle, other: Circle) -> None:
    x, y, r = one
    if r > 1_010:
        assert geometry.disks_overlap(*one, *other) == geometry.disks_within(x, y, r - 10, *other, 0)
    assert geometry.disks_overlap(*one, *other) == geometry.disks_overlap(*other, *one)


# --- pins -------------------------------------------------------------------------------------------------------------


def do_disks_overlap(one: PlacedDisk, other: PlacedDisk) -> bool:
    return geometry.disks_overlap(*one[1:4], *other[1:4])


def piles(disks: list[PlacedDisk]) -> Iterator[tuple[PlacedDisk, PlacedDisk, list[PlacedDisk]]]:
    """Yield every pair of overlapping disks, upper first, with those between that overlap both."""
    for top, bottom in product(disks, disks):
        if top[4] > bottom[4] and do_disks_overlap(top, bottom):
            yield (
                top,
                bottom,
                [
                    m
                    for m in disks
                    if bottom[4] < m[4] < top[4] and do_disks_overlap(m, top) and do_disks_overlap(m, bottom)
                ],
            )


def random_pile(random: Random, count: int, span: int, grain: int, radii: tuple[int, int]) -> list[PlacedDisk]:
    """Disks on a coarse grid, so that circles often touch, share centres and cross at the same point."""
    heights = random.sample(range(100), count)
    return [
        (
            key,
            random.randrange(0, span, grain),
            random.randrange(0, span, grain),
            random.randrange(*radii, grain),
            heights[key],
        )
        for key in range(count)
    ]


def some_piles(seed: int, count: int) -> Iterator[list[PlacedDisk]]:
    random = Random(seed)
    for _ in range(count):
        shape = random.choice(
            [(60, 5, (15, 60)), (40, 10, (15, 50)), (60, 1, (12, 50)), (120_000, 1, (20_000, 40_000))]
        )
        yield random_pile(random, random.randint(2, 8), *shape)


def lens_and_covers(
    top: PlacedDisk, bottom: PlacedDisk, between: list[PlacedDisk]
) -> tuple[list[Circle], list[Circle]]:
    return [(x, y, r - 5) for _, x, y, r, _ in (top, bottom)], [(x, y, r) for _, x, y, r, _ in between]


def is_contact_by_search(top: PlacedDisk, bottom: PlacedDisk, between: list[PlacedDisk]) -> bool | None:
    """Quarter the lens over and over; a box that is outside the lens or covered is done with. None is unsure."""
    lens, covers = lens_and_covers(top, bottom, between)
    fine = 2**8
    x, y, r = lens[0]
    boxes = [(x * fine, y * fine, r * fine)]  # centre and half a side, all even down to the last quartering
    unsure = False
    while boxes:
        x, y, half = boxes.pop()
        reach = [(abs(x - cx * fine), abs(y - cy * fine), cr * fine) for cx, cy, cr in (*lens, *covers)]
        if all(dx * dx + dy * dy < r * r for dx, dy, r in reach[:2]) and all(
            dx * dx + dy * dy > r * r for dx, dy, r in reach[2:]
        ):
            return True
        outside = any(max(0, dx - half) ** 2 + max(0, dy - half) ** 2 > r * r for dx, dy, r in reach[:2])
        if outside or any((dx + half) ** 2 + (dy + half) ** 2 < r * r for dx, dy, r in reach[2:]):
            continue
        if half < 2 or half < r * fine // 100:
            unsure = True
            continue
        half = (half + 1) // 2
        boxes.extend((x + sx * half, y + sy * half, half) for sx in (1, -1) for sy in (1, -1))
    return None if unsure else False


def is_contact_by_decimals(top: PlacedDisk, bottom: PlacedDisk, between: list[PlacedDisk]) -> bool:
    """The candidates of the definition, computed with 50 digits; what is within 10^-20 of a circle lies on it."""
    lens, covers = lens_and_covers(top, bottom, between)
    circles = [*lens, *covers]
    candidates = [(Decimal(x + r), Decimal(y)) for x, y, r in circles]
    with localcontext() as context:
        context.prec = 50
        for (x1, y1, r1), (x2, y2, r2) in combinations(circles, 2):
            d2 = (x2 - x1) ** 2 + (y2 - y1) ** 2
            along = d2 + r1 * r1 - r2 * r2
            square = 4 * r1 * r1 * d2 - along * along
            if d2 and square >= 0:
                u, v = Decimal(along) / (2 * d2), Decimal(square).sqrt() / (2 * d2)
                for way in (v, -v):
                    candidates.append((x1 + u * (x2 - x1) - way * (y2 - y1), y1 + u * (y2 - y1) + way * (x2 - x1)))
        tiny = Decimal(10) ** -20
        return any(
            all((x - cx) ** 2 + (y - cy) ** 2 - r * r <= tiny for cx, cy, r in lens)
            and all((x - cx) ** 2 + (y - cy) ** 2 - r * r >= -tiny for cx, cy, r in covers)
            for x, y in candidates
        )


def test_strict_pins_are_the_overlapping_pairs_with_nothing_between_that_overlaps_both() -> None:
    for pile in some_piles(1, 300):
        expected = sorted((top[0], bottom[0]) for top, bottom, between in piles(pile) if not between)
        assert geometry.find_pins(pile, "strict") == tuple(expected)


def test_contact_pins_agree_with_a_search_through_the_common_area() -> None:
    decided = 0
    for pile in some_piles(2, 120):
        pins = geometry.find_pins(pile, "contact")
        for top, bottom, between in piles(pile):
            bare = is_contact_by_search(top, bottom, between)
            assert bare is None or bare == ((top[0], bottom[0]) in pins), (top, bottom, between)
            decided += bare is not None and bool(between)
    assert decided > 300


def test_contact_pins_agree_with_fifty_digits_also_where_circles_touch_and_coincide() -> None:
    differing = 0
    for pile in some_piles(3, 250):
        expected = sorted((t[0], b[0]) for t, b, between in piles(pile) if is_contact_by_decimals(t, b, between))
        assert geometry.find_pins(pile, "contact") == tuple(expected)
        differing += geometry.find_pins(pile, "strict") != tuple(expected)
    assert differing > 50


def test_contact_keeps_every_strict_pin_and_every_covered_disk_is_pinned() -> None:
    for pile in some_piles(4, 200):
        strict, contact = geometry.find_pins(pile, "strict"), geometry.find_pins(pile, "contact")
        assert set(strict) <= set(contact)
        assert {bottom for _, bottom in strict} == {bottom[0] for _, bottom, _ in piles(pile)}


@pytest.mark.parametrize("mode", MODES)
def test_pins_worked_out_from_the_last_ones_are_the_pins_worked_out_afresh(mode: PinMode) -> None:
    random = Random(5)
    for pile in some_piles(6, 150):
        table = {disk[0]: disk for disk in pile[:4]}
        known: tuple[PinPair, ...] = geometry.find_pins(table.values(), mode)
        for turn in range(12):
            moved = random.sample(range(len(pile)), random.choice([1, 1, 1, 2, 3]) if len(pile) > 2 else 1)
            for key in moved:
                if key in table and random.random() < 0.3:
                    del table[key]
                    continue
                _, x, y, r, _ = random.choice(pile)
                height = 1_000 * (turn + 1) + key if random.random() < 0.5 else random.randint(-9, 99) * 100 + 50 + key
                table[key] = (key, x, y, r, height)
            known = geometry.update_pins(known, table.values(), moved, mode)
            assert known == geometry.find_pins(table.values(), mode)


def inches(*lengths: float) -> tuple[int, ...]:
    return tuple(round(length * 25_400) for length in lengths)


@pytest.mark.parametrize("mode", MODES)
def test_figure_10_tyrion_pins_the_tank_only_where_the_swordsmen_do_not_cover_it(mode: PinMode) -> None:
    tank, swordsmen, aside, tyrion = (
        inches(0, 0, 1.5),
        inches(1.3, 0, 0.875),
        inches(1.3, -1.6, 0.875),
        inches(2.3, 0, 0.875),
    )
    covered = [(1, *tank, 1), (2, *swordsmen, 2), (3, *tyrion, 3)]
    bare = [(1, *tank, 1), (2, *aside, 2), (3, *tyrion, 3)]
    assert geometry.find_pins(covered, mode) == ((2, 1), (3, 2))  # type: ignore[arg-type]
    assert geometry.find_pins(bare, mode) == ((2, 1), (3, 1))  # type: ignore[arg-type]


# --- pieces of terrain ------------------------------------------------------------------------------------------------


def random_piece(random: Random, x: int, y: int, size: int) -> Polygon:
    """Return a star-shaped piece of 3 to 9 corners around a point, often concave, either way round."""
    steps = [0, 1, 2]
    while max((steps[k] - steps[k - 1]) % 72 for k in range(len(steps))) >= 36:  # else its sides could cross
        steps = sorted(random.sample(range(72), random.randint(3, 9)))
    piece = []
    for step in steps:
        dx, dy = geometry.flip_at(step, random.randint(size // 4, size))
        piece.append((x + dx, y + dy))
    return tuple(piece if random.random() < 0.5 else reversed(piece))


def exact_gap_sq(x: int, y: int, piece: Polygon) -> Fraction:
    if is_inside_polygon(Fraction(x), Fraction(y), piece):
        return Fraction(0)
    squares = []
    for k in range(len(piece)):
        (x0, y0), (x1, y1) = piece[k - 1], piece[k]
        length = (x1 - x0) ** 2 + (y1 - y0) ** 2
        along = Fraction((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0), length)
        along = min(Fraction(1), max(Fraction(0), along))
        squares.append((x0 + along * (x1 - x0) - x) ** 2 + (y0 + along * (y1 - y0) - y) ** 2)
    return min(squares)


def is_inside_polygon(x: Fraction, y: Fraction, piece: Polygon) -> bool:
    """Return whether a point is inside a piece and not on its outline, by winding number."""
    turns = 0
    for k in range(len(piece)):
        (x0, y0), (x1, y1) = piece[k - 1], piece[k]
        side = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)
        if side == 0 and min(x0, x1) <= x <= max(x0, x1) and min(y0, y1) <= y <= max(y0, y1):
            return False
        if y0 <= y < y1 and side > 0:
            turns += 1
        if y1 <= y < y0 and side < 0:
            turns -= 1
    return turns != 0


def test_the_distance_to_a_piece_is_the_exact_one_rounded_up() -> None:
    """R5.4"""
    random = Random(7)
    for _ in range(300):
        size = random.choice([60, 60_000])
        piece = random_piece(random, 0, 0, size)
        x, y = random.randint(-size, size), random.randint(-size, size)
        exact = exact_gap_sq(x, y, piece)
        square = geometry.point_gap_sq(x, y, piece)
        assert square - 1 < exact <= square
        r, reach = random.randint(11, size), random.randint(0, size)
        assert geometry.disk_overlaps_polygon(x, y, r, piece) == (exact <= (r - 10) ** 2)
        is_near = geometry.disk_overlaps_polygon(x, y, r + reach + geometry.OVERLAP_TOLERANCE_UM, piece)
        assert is_near == (exact <= (r + reach) ** 2)
        assert is_near == (exact_gaps.disk_polygon_gap(x, y, r, piece) <= reach)


def test_the_distance_of_two_pieces_is_that_of_their_nearest_points() -> None:
    random = Random(8)
    touching = 0
    for _ in range(300):
        size = random.choice([100, 50_000])
        one = random_piece(random, 0, 0, size)
        other = random_piece(
            random, random.randint(0, 2 * size), random.randint(0, size), random.choice([size, size // 2])
        )
        square = exact_gaps.polygon_gap_sq(one, other)
        assert square == exact_gaps.polygon_gap_sq(other, one)
        ends = [exact_gap_sq(*corner, other) for corner in one] + [exact_gap_sq(*corner, one) for corner in other]
        crossed = any(not is_clear(s, [other]) for s in sides(one)) or any(not is_clear(s, [one]) for s in sides(other))
        touching += crossed
        assert square == 0 if crossed else square - 1 < min(ends) <= square
        assert geometry.are_polygons_within(one, other, isqrt(square) + 1)
    assert 30 < touching < 270


def test_a_piece_turns_by_quarters_exactly_and_by_steps_within_a_micrometre() -> None:
    piece = ((100_000, 0), (0, 33_333), (-50_001, -7))
    assert geometry.rotate_polygon(piece, 18) == tuple((-y, x) for x, y in piece)
    assert geometry.rotate_polygon(piece, 36, 5, -5) == tuple((5 - x, -5 - y) for x, y in piece)
    assert (
        geometry.rotate_polygon(piece, 0)
        == geometry.rotate_polygon(piece, 72)
        == geometry.rotate_polygon(piece, -72)
        == piece
    )
    for step in range(72):
        for (x, y), (u, v) in zip(piece, geometry.rotate_polygon(piece, step), strict=True):
            assert abs(x * x + y * y - u * u - v * v) <= 2 * isqrt(x * x + y * y) + 2


# --- sight ------------------------------------------------------------------------------------------------------------


def sides(piece: Polygon) -> list[Segment]:
    return [(piece[k - 1], piece[k]) for k in range(len(piece))]


def is_clear(
    segment: tuple[tuple[Fraction | int, Fraction | int], tuple[Fraction | int, Fraction | int]], pieces: list[Polygon]
) -> bool:
    """Whether a segment avoids the inside of all pieces: cut it at every side, and look at the middle of each part."""
    (px, py), (qx, qy) = segment
    ux, uy = qx - px, qy - py
    for piece in pieces:
        cuts = {Fraction(0), Fraction(1)}
        for (x0, y0), (x1, y1) in sides(piece):
            s0, s1 = ux * (y0 - py) - uy * (x0 - px), ux * (y1 - py) - uy * (x1 - px)
            for x, y, s in ((x0, y0, s0), (x1, y1, s1)):
                if s == 0 and (ux or uy):
                    cuts.add(Fraction((x - px) * ux + (y - py) * uy) / (ux * ux + uy * uy))
            if s0 * s1 < 0:
                t0, t1 = ((x - px) * ux + (y - py) * uy for x, y in ((x0, y0), (x1, y1)))
                cuts.add((Fraction(t0) + Fraction(s0) / (s0 - s1) * (t1 - t0)) / (ux * ux + uy * uy))
        parts = sorted(cut for cut in cuts if 0 <= cut <= 1)
        if any(is_inside_polygon(px + (a + b) / 2 * ux, py + (a + b) / 2 * uy, piece) for a, b in pairwise(parts)):
            return False
    return True


def gap_on(
    line: Segment, ring_a: Polygon, ring_b: Polygon
) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]] | None:
    """Return the part of a line from one convex polygon to the other, or None where it misses one of them."""
    (px, py), (qx, qy) = line
    ux, uy = qx - px, qy - py
    stretches = []
    for ring in (ring_a, ring_b):
        places = []
        for (x0, y0), (x1, y1) in sides(ring):
            s0, s1 = ux * (y0 - py) - uy * (x0 - px), ux * (y1 - py) - uy * (x1 - px)
            if s0 == 0:
                places.append(Fraction((x0 - px) * ux + (y0 - py) * uy, ux * ux + uy * uy))
            if s0 * s1 < 0:
                x, y = x0 + Fraction(s0, s0 - s1) * (x1 - x0), y0 + Fraction(s0, s0 - s1) * (y1 - y0)
                places.append(((x - px) * ux + (y - py) * uy) / (ux * ux + uy * uy))
        if not places:
            return None
        stretches.append((min(places), max(places)))
    (a0, a1), (b0, b1) = stretches
    start, end = (a1, b0) if a1 < b0 else (a0, b1) if b1 < a0 else (max(a0, b0), max(a0, b0))
    return (px + start * ux, py + start * uy), (px + end * ux, py + end * uy)


def random_scene(random: Random) -> tuple[Circle, Circle, list[Polygon]]:
    """Return two disks some way apart and one to four pieces around the way between them, none overlapped."""
    a = (0, 0, random.choice(RADII))
    far = random.randint(120_000, 400_000)
    b = (*geometry.flip_at(random.randrange(72), far), random.choice(RADII))
    pieces: list[Polygon] = []
    for _ in range(random.randint(1, 4)):
        share, aside = random.randint(20, 80), random.randint(-60_000, 60_000)
        size = random.choice([15_000, 40_000, 80_000, 120_000])
        x, y = b[0] * share // 100 - b[1] * aside // far, b[1] * share // 100 + b[0] * aside // far
        piece = random_piece(random, x, y, size)
        if not any(geometry.disk_overlaps_polygon(*disk, piece) for disk in (a, b)):
            pieces.append(piece)
    return a, b, pieces


def some_scenes(seed: int, count: int) -> Iterator[tuple[Circle, Circle, list[Polygon]]]:
    random = Random(seed)
    for _ in range(count):
        yield random_scene(random)


def test_the_rim_is_a_convex_64_gon_inside_the_disk_and_hardly_smaller() -> None:
    """R11.3"""
    with localcontext() as context:
        context.prec = 70
        for k, fine in enumerate(geometry._SIGHT_POLYGON_COSINES):
            exact = cosine(PI * k / 32) * 2**30 + Decimal(10) ** -50  # a right angle must not fall below 0
            assert fine == int(exact.to_integral_value(ROUND_FLOOR))
    for radius in (1_000, *RADII, 500_000):
        ring = geometry.sight_polygon(0, 0, radius)
        assert all((radius - 12) ** 2 <= x * x + y * y <= (radius - 10) ** 2 for x, y in ring)
        for k in range(64):
            (x0, y0), (x1, y1), (x2, y2) = ring[k - 2], ring[k - 1], ring[k]
            assert (x1 - x0) * (y2 - y1) > (y1 - y0) * (x2 - x1)


def test_the_rightmost_corner_of_a_rim_has_all_others_to_its_left() -> None:
    random = Random(15)
    for _ in range(400):
        ring = geometry.sight_polygon(0, 0, random.choice(RADII))
        eye = geometry.flip_toward(random.randint(-99, 99), random.randint(1, 99), random.randint(38_100, 10**6))
        corner = geometry._rightmost_corner(ring, eye)
        assert all(geometry._orientation(eye, corner, other) >= 0 for other in ring)


def test_where_any_of_many_random_segments_is_clear_there_is_sight() -> None:
    """R11.3"""
    random, blocked = Random(9), 0
    for a, b, pieces in some_scenes(10, 150):
        seen = geometry.find_sight(*a, *b, pieces)
        blocked += seen is None
        rings = geometry.sight_polygon(*a), geometry.sight_polygon(*b)
        for _ in range(12 if seen is None else 0):
            segment = random.choice(rings[0]), random.choice(rings[1])
            assert not is_clear(segment, pieces), (a, b, pieces, segment)
    assert 30 < blocked < 120


def test_the_line_of_a_found_sight_is_clear_from_rim_to_rim() -> None:
    by_a_corner = 0
    for a, b, pieces in some_scenes(11, 150):
        line = geometry.find_sight_line(*a, *b, pieces)
        if line is None:
            continue
        witness = gap_on(line, geometry.sight_polygon(*a), geometry.sight_polygon(*b))
        assert witness is not None
        assert is_clear(witness, pieces)
        by_a_corner += line != (a[:2], b[:2])
        shown = geometry.find_sight(*a, *b, pieces)
        assert shown is not None
        assert all(geometry.disks_within(*end, 0, *disk, 0) for end, disk in zip(shown, (a, b), strict=True))
    assert by_a_corner > 15


def test_no_line_through_any_two_corners_of_pieces_or_rims_finds_more() -> None:
    blocked = 0
    for a, b, pieces in some_scenes(12, 60):
        near = [piece for piece in pieces if geometry._can_block(piece, (*a[:2], a[2] - 10), (*b[:2], b[2] - 10))]
        if geometry.find_sight_line(*a, *b, pieces) is not None:
            continue
        blocked += 1
        rings = geometry.sight_polygon(*a), geometry.sight_polygon(*b)
        corners = [corner for piece in near for corner in piece]
        for line in combinations([*corners, *rings[0][::3], *rings[1][::3]], 2):
            if line[0] != line[1] and gap_quickly(line, rings):
                assert not geometry._is_clear(line, a, b, near), (a, b, pieces, line)
    assert blocked > 10


def gap_quickly(line: Segment, rings: tuple[Polygon, Polygon]) -> bool:
    (px, py), (qx, qy) = line
    ranges = [[(qx - px) * (y - py) - (qy - py) * (x - px) for x, y in ring] for ring in rings]
    return all(min(side) <= 0 <= max(side) for side in ranges)


def test_sight_is_mutual_and_does_not_depend_on_how_the_table_is_turned() -> None:
    for a, b, pieces in some_scenes(13, 100):
        seen = geometry.find_sight(*a, *b, pieces) is not None
        assert (geometry.find_sight(*b, *a, pieces) is not None) == seen
        turned = [tuple((-y, x) for x, y in piece[::-1]) for piece in pieces[::-1]]
        assert (geometry.find_sight(-a[1], a[0], a[2], -b[1], b[0], b[2], turned) is not None) == seen
        mirrored = [tuple((-x, y) for x, y in piece) for piece in pieces]
        assert (geometry.find_sight(-a[0], a[1], a[2], -b[0], b[1], b[2], mirrored) is not None) == seen


def blocking_wall(random: Random, corner: Point, ux: int, uy: int, side: int) -> Polygon:
    """Return a big triangle with one corner given and all else on one side of the line that runs through it along u."""
    nx, ny = -uy * side, ux * side
    far = 400_000 // (abs(ux) + abs(uy))
    lean = [random.randint(-far // 8, far // 8) for _ in range(2)]
    x, y = corner
    return (corner, *((x + nx * far + ux * shift, y + ny * far + uy * shift) for shift in sorted(lean)))


def test_a_single_open_line_between_three_corners_is_found_and_a_micrometre_less_closes_it() -> None:
    """R11.3"""
    random = Random(14)
    tried = 0
    for _ in range(150):
        ux, uy = random.randint(-40, 40), random.randint(-40, 40)
        if gcd(ux, uy) != 1:
            continue
        tried += 1
        size = isqrt(ux * ux + uy * uy)
        a, b = (0, 0, random.choice(RADII)), (ux * (400_000 // size), uy * (400_000 // size), random.choice(RADII))
        spots = sorted(random.sample(range(130_000 // size, 270_000 // size), 3))
        sx, sy = random.randint(-15_000, 15_000), random.randint(-15_000, 15_000)  # the line misses the centres
        corners = [(sx + ux * spot, sy + uy * spot) for spot in spots]
        pieces = [blocking_wall(random, corner, ux, uy, side) for corner, side in zip(corners, (1, -1, 1), strict=True)]
        if any(geometry.disk_overlaps_polygon(*disk, piece) for disk in (a, b) for piece in pieces):
            continue
        line = geometry.find_sight_line(*a, *b, pieces)
        assert line is not None
        assert all(geometry._orientation(*line, corner) == 0 for corner in corners)
        dx, dy = (-1 if uy < 0 else 1, 0) if abs(uy) > abs(ux) else (0, 1 if ux < 0 else -1)
        pieces[1] = tuple((x - dx, y - dy) for x, y in pieces[1])
        assert geometry.find_sight(*a, *b, pieces) is None
    assert tried > 60
