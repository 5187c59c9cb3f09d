"""The picture of a position shows every disk, its tokens and its pins, also to readers who cannot see it."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diskwars_protocol.geometry import point_gap_sq
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board
from diskwars_text.rulesets.diskwars.disk_picture import COLOURS
from diskwars_text.rulesets.diskwars.parser import parse_position
from diskwars_text.rulesets.diskwars.picture import draw_board
from diskwars_text.svg_text import text_width
from tests.rows import each_row

FIELD_HEIGHT = 36 * 25_400
SVG = "{http://www.w3.org/2000/svg}"
FIGURES = """
disk Tyrion: hero of High Elves (Order), medium, M6 S5 C4 T5 St1
disk Swordsmen: small, M5 S4 C3 T4
disk Steam Tank: large
disk Orc Boyz: small
card Charge!: bold 3
"""
STACK = """
A Steam Tank (10, 10) damage 1
B Orc Boyz (10, 11.8) damage 2 activated
A Swordsmen (10.9, 12.2) empowered weakened 1
B Tyrion (11.9, 13.1) damage 3 wounds 1 acting
"""
TOWER = """
B Orc Boyz (10, 10) damage 4 wounds 1 activated
A Swordsmen (10.1, 10) damage 2
B Orc Boyz (10, 10.1) empowered
A Tyrion (10, 10) damage 1 wounds 1
"""
SHAPES = {"damage": "#a3123a", "wounds": "#3a3a40", "empowered": "#f2c500", "weakened": "#c9c9d2"}


def board_of(text: str) -> Board:
    return parse_position(FIGURES + text)


def parse_svg(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def labelled(svg: str) -> dict[str, ElementTree.Element]:
    """Return the groups that have a name, by that name."""
    return {
        group.attrib["aria-label"]: group for group in parse_svg(svg).iter(f"{SVG}g") if "aria-label" in group.attrib
    }


def texts_of(element: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def close_up(board: Board, title: str = "") -> str:
    return draw_board(board, title, close_up_of=range(len(board.disks)))


# ---------------------------------------------------------------- disks


def test_each_disk_lies_where_it_lies_and_the_higher_over_the_lower() -> None:
    root = parse_svg(draw_board(board_of("A Steam Tank (10, 10) z2\nB Orc Boyz (11, 30.5) z1")))
    moved = [(group.attrib.get("transform"), group[0]) for group in root.iter(f"{SVG}g") if len(group)]
    drawn = [(move, group[0].attrib["r"]) for move, group in moved if "aria-label" in group.attrib]
    assert drawn == [("translate(279400 139700)", "22225"), ("translate(254000 660400)", "38100")]


def test_a_disk_says_in_words_all_that_it_shows() -> None:
    names = list(labelled(draw_board(board_of(STACK))))
    assert names == [
        "Steam Tank, seat A, disk 0, damage 1, pinned by Orc Boyz",
        "Orc Boyz, seat B, disk 1, damage 2, activated, pins Steam Tank, pinned by Swordsmen",
        "Swordsmen, seat A, disk 2, empowered, toughness lowered by 1, pins Orc Boyz, pinned by Tyrion",
        "Tyrion, seat B, disk 3, damage 3, wounds 1, acting, pins Swordsmen",
    ]


def test_a_disk_shows_its_number_name_and_figures() -> None:
    (tyrion,) = labelled(draw_board(board_of("A Tyrion (10, 10)"))).values()
    assert texts_of(tyrion) == ["0", "Tyrion", "M6 S5 C4 T5 St1"]


def test_figures_on_a_disk_are_those_in_force() -> None:
    (tyrion,) = labelled(draw_board(board_of("A Tyrion (10, 10) weakened 3 empowered"))).values()
    assert "M6 S6 C5 T3 St1" in texts_of(tyrion)


@each_row(
    "name",
    [
        "Hellblaster Volley Gun",
        "Swordmasters of Hoeth",
        "Azhag the Slaughterer",
        "Talabheim Greatswords",
        "Marienburg Swordsmen",
        "Reikland Crossbowmen",
        "Kairos Fateweaver",
        "Plaguebearers",
        "Bloodcrushers",
    ],
)
def test_the_longest_names_fit_into_a_small_disk_with_tokens(name: str) -> None:
    svg = draw_board(
        parse_position(f"disk {name}: small\nA {name} (10, 10) damage 3 wounds 1 activated empowered weakened 1")
    )
    (disk,) = labelled(svg).values()
    assert " ".join(text for text in texts_of(disk)[1:] if text[1:] and text[0].isalpha()).startswith(name)


def test_pinned_disks_are_hatched() -> None:
    hatched = {
        name.split(",")[0]
        for name, disk in labelled(draw_board(board_of(STACK))).items()
        if any(circle.attrib.get("fill") == "url(#pinned)" for circle in disk)
    }
    assert hatched == {"Steam Tank", "Orc Boyz", "Swordsmen"}


def badge_texts(svg: str) -> dict[str, int]:
    """Return how many badges of a kind are drawn, by their colours."""
    paths = [path.attrib["fill"] for path in parse_svg(svg).iter(f"{SVG}path") if "fill" in path.attrib]
    return {shape: paths.count(colour) for shape, colour in SHAPES.items()}


@pytest.mark.parametrize("text", [STACK, TOWER])
def test_tokens_are_seen_also_on_disks_that_are_covered(text: str) -> None:
    board = board_of(text)
    counts = {shape: sum(bool(getattr(disk, shape)) for disk in board.disks) for shape in SHAPES}
    assert badge_texts(close_up(board)) == counts


def test_a_disk_that_is_covered_is_named_beside_it() -> None:
    svg = close_up(board_of(TOWER))
    inside = [text for disk in labelled(svg).values() for text in texts_of(disk)]
    assert "Swordsmen" not in inside
    assert texts_of(parse_svg(svg)).count("Swordsmen") == 1
    assert texts_of(parse_svg(svg)).count("Orc Boyz") == 2


def svg_numbers(svg: str) -> list[str]:
    """Return the numbers of disks: the texts in seats' signs."""
    signs = [group for group in parse_svg(svg).iter(f"{SVG}g") if len(group) == 2 and group[0].tag == f"{SVG}path"]
    inks = {colours.strong for colours in COLOURS}
    return [number for sign in signs if sign[0].attrib.get("fill") in inks for number in texts_of(sign)]


_PLACES = st.integers(60000, 854400)
_DISKS = st.tuples(st.sampled_from(("A Tyrion", "B Orc Boyz", "A Swordsmen", "B Steam Tank")), _PLACES, _PLACES)


@settings(max_examples=12, deadline=None)
@given(
    st.lists(_DISKS, max_size=12),
    st.lists(st.tuples(st.integers(0, 11), st.integers(-9, 9), st.integers(-9, 9)), max_size=8),
)
def test_every_number_is_seen_however_disks_are_heaped(
    disks: list[tuple[str, int, int]], heaped: list[tuple[int, int, int]]
) -> None:
    for number, dx, dy in heaped:
        if disks:
            name, x, y = disks[number % len(disks)]
            disks.append((name, x + 2000 * dx, y + 2000 * dy))
    board = board_of("".join(f"{name} ({x}um, {y}um) damage 2\n" for name, x, y in disks))
    svg = close_up(board)
    assert not board.disks or {int(number) for number in svg_numbers(svg)} == {disk.id for disk in board.disks}
    assert svg == close_up(board)


# ---------------------------------------------------------------- pins


def arrows(board: Board) -> list[tuple[str, bool]]:
    """Return the turn of every pin's arrow, and whether it is an enemy's."""
    matched = re.findall(r'rotate\((-?\d+)\)"><path d="M-6200,[^"]*" fill="(#\w+)"', close_up(board))
    return [(turn, fill != "#ffffff") for turn, fill in matched]


@each_row(("place", "turn"), [("(11, 10)", "0"), ("(10, 11)", "-90"), ("(9, 10)", "-180"), ("(10, 9)", "-270")])
def test_an_arrow_points_from_the_disk_on_top_to_the_one_it_pins(place: str, turn: str) -> None:
    assert arrows(board_of(f"B Orc Boyz {place}\nA Swordsmen (10, 10)")) == [(turn, True)]


def test_pins_of_ones_own_disks_look_different() -> None:
    assert arrows(board_of("A Tyrion (11, 10)\nA Swordsmen (10, 10)")) == [("0", False)]


def test_an_arrow_goes_where_no_third_disk_covers_the_pin() -> None:
    text = "B Steam Tank (11, 10)\nA Swordsmen (10, 10)\nA Swordsmen (10.9, 10)\npins: Swordsmen#1>Steam Tank"
    ((turn, _),) = arrows(board_of(text))
    assert turn not in ("0", "-5", "5")


def test_pin_hidden_by_the_upper_disk_has_no_arrow() -> None:
    assert arrows(board_of("B Orc Boyz (10, 10)\nA Steam Tank (10, 10)")) == []


# ---------------------------------------------------------------- the whole


WHOLE = (
    STACK
    + """
round 3 of 5  phase activation  order B A  playing B
zone A (0, 0) to (36, 6) for 5
A reserve: Orc Boyz x2, Tyrion
B casualties: Steam Tank
A points: 12
B revealed: Charge!
B hand: 1 hidden
"""
)


def test_the_legend_tells_cards_points_reserves_and_losses() -> None:
    texts = texts_of(parse_svg(draw_board(board_of(WHOLE), "A title")))
    for text in (
        "A title",
        "Round 3 of 5, activation phase, order B A, B plays Charge!",
        "12 points",
        "Reserve: Orc Boyz x2, Tyrion",
        "0 points · 1 card in hand",
        "Casualties: Steam Tank",
        "Card: Charge!",
        "2 Swordsmen on 1 Orc Boyz",
        "acting now",
    ):
        assert text in texts


def test_a_picture_has_a_title_and_a_description_for_those_who_do_not_see_it() -> None:
    root = parse_svg(draw_board(board_of(WHOLE), "Figure 1"))
    assert root.attrib["role"] == "graphics-document document"
    assert root.findtext(f"{SVG}title") == "Figure 1"
    assert root.findtext(f"{SVG}desc") == (
        "Round 3 of 5, activation phase, order B A, B plays Charge!. "
        "Seat A: disks 2 on the battlefield, 3 in reserve, 0 lost; points 12. "
        "Seat B: disks 2 on the battlefield, 0 in reserve, 1 lost; points 0."
    )
    assert "Zone of seat A for 5 disks" in labelled(draw_board(board_of(WHOLE)))


def test_a_picture_stands_alone_and_its_coordinates_are_whole_numbers() -> None:
    root = parse_svg(draw_board(board_of(WHOLE + TOWER), "Everything"))
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in {
            *("svg", "title", "desc", "defs", "pattern", "g", "path", "circle", "rect", "text"),
        }
        for name, value in element.attrib.items():
            assert "href" not in name
            assert "url(" not in value or value.startswith("url(#")
            assert "." not in value or name.endswith("opacity") or name == "aria-label"


def test_unusual_names_do_no_harm() -> None:
    name = "<b>\"&' ]]> \x01\ud7ff\uffff"
    quoted = '"<b>\\"&\' ]]> \\u0001\ud7ff\\uffff"'
    board = parse_position(f"disk {quoted}: large\nA {quoted} (10, 10)")
    assert board.profiles[0].name == name
    root = parse_svg(draw_board(board, "<script>&</script>"))
    assert root.findtext(f"{SVG}title") == "<script>&</script>"
    assert any("<b>" in name for name in labelled(draw_board(board)))


def test_an_empty_board_has_a_picture() -> None:
    assert labelled(draw_board(parse_position(""))) == {}


# ---------------------------------------------------------------- close-ups


def view_box(svg: str) -> list[int]:
    return [int(number) for number in parse_svg(svg).attrib["viewBox"].split()]


def test_a_close_up_holds_the_named_disks_and_little_more() -> None:
    board = board_of("A Tyrion (10, 10)\nB Steam Tank (14, 12)\nB Orc Boyz (30, 30)")
    left, top, width, height = view_box(draw_board(board, close_up_of=[0, 1]))
    tyrion, tank = (254000, 660400, 28575), (355600, 609600, 38100)
    for x, y, r in (tyrion, tank):
        assert left <= x - r
        assert x + r <= left + width
        assert top <= y - r
        assert y + r <= top + height
    assert width < 260000
    assert height < 200000


def test_a_close_up_has_its_title_above_and_no_legend() -> None:
    board = board_of("A Tyrion (10, 10)\nA reserve: Orc Boyz")
    plain, titled = draw_board(board, close_up_of=[0]), draw_board(board, "Tyrion alone", close_up_of=[0])
    assert "Tyrion alone" in texts_of(parse_svg(titled))
    assert view_box(titled)[1] < view_box(plain)[1]
    assert not any("Reserve" in text or text == "acting now" for text in texts_of(parse_svg(titled)))


def test_a_close_up_of_disks_that_are_not_on_the_field_shows_the_field() -> None:
    board = board_of("A Tyrion (10, 10)\nA reserve: Orc Boyz")
    assert board.disks[1].place != BATTLEFIELD
    assert draw_board(board, close_up_of=[1]) == draw_board(board)


def test_signs_beside_a_covered_disk_are_inside_the_close_up() -> None:
    svg = close_up(board_of(TOWER))
    left, top, width, height = view_box(svg)
    marks = re.findall(r'<g transform="translate\(254000 660400\)"><g transform="translate\((-?\d+) (-?\d+)\)">', svg)
    assert marks
    for x, y in marks:
        assert left < 254000 + int(x) < left + width
        assert top < 660400 + int(y) < top + height


def test_name_beside_a_disk_in_a_corner_is_inside_the_picture() -> None:
    names = {"Marienburg Swordsmen": "small", "Reikland Crossbowmen": "small", "Hochland Pistoliers": "medium"}
    printed = [f"disk {name}: unit of Empire (Order), {size}, M5 S4 C3 T4" for name, size in names.items()]
    places = ["(0.88, 1.26) z1", "(0.88, 0.88) z3", "(2.15, 2.83) z2"]
    disks = [f"A {name} {place}" for name, place in zip(names, places, strict=True)]
    svg = draw_board(board_of("\n".join([*printed, *disks, "A Orc Boyz (2.62, 0.88) z4"])))
    left, _, width, _ = view_box(svg)
    x = 22352  # of the swordsmen
    ends = [int(end) for end in re.findall(r'M(-?\d+),-?\d+ L-?\d+,-?\d+" stroke="#0060a8" stroke-width="9', svg)]
    assert ends
    assert all(left < x + end < left + width for end in ends)
    assert left < -40_000, "the name needs more than the margin"


_FOREST = "terrain Dark Wood at (10, 10) (16, 10) (16, 14) (10, 14); Blocks Sight, Cover\n"


def test_terrain_is_drawn_below_the_disks_with_its_words_and_named_in_the_legend() -> None:
    svg = draw_board(board_of(_FOREST + "A Tyrion (12, 12)"))
    piece = svg.index('aria-label="Dark Wood: Blocks Sight, Cover"')
    assert piece < svg.index("Tyrion, seat A")
    assert 'points="254000,660400 406400,660400 406400,558800 254000,558800"' in svg
    assert svg.count("url(#blocked)") == svg.count('id="blocked"') == 1
    assert "Dark Wood: Blocks Sight, Cover</text>" in svg


def test_words_of_terrain_are_beside_the_disk_on_it() -> None:
    places = []
    for x in ("11", "15"):
        svg = draw_board(board_of(f"{_FOREST}A Tyrion ({x}, 12)"))
        matched = re.search(r'translate\((\d+) \d+\) scale\(10\)"[^>]*>Dark Wood<', svg)
        assert matched is not None
        places.append(int(matched[1]))
    assert places[0] > 13 * 25400 > places[1]


def test_words_of_a_narrow_bent_piece_stay_inside_its_outline() -> None:
    corners = ((5, 28.1), (8, 27.2), (10, 27.5), (12, 28.4), (13, 27.8), (11, 26.2), (8, 25.7), (4.8, 26.8))
    outline = tuple((round(x * 25400), round(y * 25400)) for x, y in corners)
    where = " ".join(f"({x}, {y})" for x, y in corners)
    svg = draw_board(board_of(f"terrain Warp Fissure at {where}; Dangerous (arcane), Rough\n"))
    piece = svg[svg.index('aria-label="Warp Fissure') :].split("</g>")[0]
    rows = re.findall(r'translate\((\d+) (\d+)\) scale\(10\)" font-size="(\d+)"[^>]*>([^<]*)<', piece)
    assert " ".join(text for *_, text in rows) == "Warp Fissure Dangerous (arcane), Rough"
    for x, y, size, text in rows:
        middle = FIELD_HEIGHT - (int(y) - 35 * int(size) // 10)
        half = text_width(text, 10 * int(size)) // 2
        assert not any(point_gap_sq(int(x) + side, middle, outline) for side in (-half, 0, half)), text


def test_disk_without_room_for_its_name_is_named_beside_it_with_a_line_to_what_is_seen_of_it() -> None:
    board = board_of("A Tyrion (10, 10)\nB Orc Boyz (10.3, 10.2)")
    svg = close_up(board)
    assert "Tyrion" in texts_of(parse_svg(svg))
    drawn = svg[svg.index("</defs>") :]  # zones are hatched with lines of this colour
    ((x, y),) = [(int(x), int(y)) for x, y in re.findall(r'L(-?\d+),(-?\d+)" stroke="#0060a8" stroke-width="9', drawn)]
    own, above = (board.profile(disk.id).radius for disk in board.disks)
    dx, dy = (board.disks[1].x - board.disks[0].x, board.disks[0].y - board.disks[1].y)
    assert x * x + y * y < own * own, "the line ends on the disk"
    assert (x - dx) ** 2 + (y - dy) ** 2 > above * above, "where the disk above does not cover it"


def test_without_terrain_nothing_of_it_is_in_the_picture() -> None:
    svg = draw_board(board_of("A Tyrion (12, 12)"))
    assert "blocked" not in svg
    assert "Terrain" not in svg
