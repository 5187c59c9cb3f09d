"""The areas of options are exact: what is in one of them is accepted, and nothing else is."""

import random
from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import rounds, zones
from diskwars_engine.rulesets.diskwars.activation import movement
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import areas
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption
from tests.engine.rulesets.diskwars.positions import CHAOS, MISS, ScriptedMatchDice, ScriptedPosition, scripted_position
from tests.engine.rulesets.diskwars.setup.test_setup_limits import laid_along_one_edge
from tests.engine.rulesets.diskwars.setup_positions import deploy_from, scout_from, setup_with_terrain
from tests.rows import each_row

INCH = 25400
SAMPLES = 600
"""Random places for each area; as many again are close to what bounds it."""

FIELDED = """
zone A (6, 0) to (30, 6) for 5 at south with ambush
zone B (6, 30) to (30, 36) for 5 at north
zone B (0, 14) to (6, 24) for 2 at west
terrain Mill at (15, 15) (19, 15) (19, 19) (15, 19); Windmill
A Goat (18, 18)
A Ox (9, 4)
B Bird (21, 17)
B Wren (22, 18.5)
B Crow (12, 3)
B Duck (34, 30)
A reserve: Runner, Plain
disk Goat: small
disk Ox: large
disk Bird: medium
disk Wren: small
disk Crow: medium
disk Duck: large
disk Runner: small, Flank
disk Plain: medium
"""


def sampled_places(table: ScriptedPosition, disk: int, own: Iterable[Area]) -> Iterator[tuple[int, int]]:
    """Yield places inside and around areas: random ones, and ones where a condition is just met or just failed."""
    rng, board = random.Random(1), table.board
    radius = board.profile(disk).radius
    for area in own:
        for _ in range(SAMPLES):
            yield (
                rng.randint(area.x0 - radius, area.x1 + radius),
                rng.randint(area.y0 - radius, area.y1 + radius),
            )
        for _ in range(SAMPLES):
            x, y = rng.randint(area.x0 + radius, area.x1 - radius), rng.randint(area.y0 + radius, area.y1 - radius)
            side, slip = rng.randrange(4), rng.randint(-1, 1)
            x = {0: area.x0 + radius + slip, 1: area.x1 - radius + slip}.get(side, x)
            y = {2: area.y0 + radius + slip, 3: area.y1 - radius + slip}.get(side, y)
            yield x, y
    for other in board.disks:
        for _ in range(SAMPLES // 4):
            apart = radius + board.profile(other.id).radius + rng.choice((0, -10, -30, 3 * INCH, 3 * INCH + 30))
            dx, dy = geometry.flip_at(rng.randrange(72), apart + apart % 2)
            yield other.x + dx + rng.randint(-15, 15), other.y + dy + rng.randint(-15, 15)


def compare(
    places: Iterable[tuple[int, int]], promised: Callable[[int, int], bool], judge: Callable[[int, int], None]
) -> None:
    """Compare what areas promise with what the engine accepts; both answers have to occur often."""
    counts = {True: 0, False: 0}
    for x, y in places:
        try:
            judge(x, y)
            accepted = True
        except Illegal:
            accepted = False
        assert promised(x, y) == accepted, f"at ({x}, {y})"
        counts[accepted] += 1
    assert min(counts.values()) > 20, counts


def compare_option(table: ScriptedPosition, option: DiskwarsOption, judge: Callable[[int, int], None]) -> None:
    disk = option.disk
    assert disk is not None
    compare(
        sampled_places(table, disk, option.areas),
        lambda x, y: areas.is_disk_in_any_area(table.board, disk, x, y, option.areas),
        judge,
    )


def decide(table: ScriptedPosition, action: a.Action) -> None:
    ((seat, question),) = table.open_questions
    rounds.decide(table.board, seat, question, action, ScriptedMatchDice((1,) * 9, 1))


@each_row("name", ["Runner", "Plain"])
@each_row(
    "settings",
    [
        {},
        {"reinforce_onto_enemy": False},
        {"reinforce_limit": True},
        {"pins": "contact", "reinforce_onto_enemy": False},
    ],
)
@each_row("value", [5, 1])
def test_the_areas_of_a_reserve_are_exact(name: str, settings: dict[str, object], value: int) -> None:
    """R9.1, R9.5, R9.6, R3.4.5, R-11, R-12, R-51, R-73: zones with Ambush, the windmill, and the edges with Flank."""
    table = scripted_position(FIELDED.replace("for 5 at south", f"for {value} at south")).with_card_turn(0)
    table = replace(table, board=replace(table.board, settings=replace(table.board.settings, **settings)))
    number = table.number(name)
    (option,) = [option for option in table.options().parametric if option.disk == number]
    compare_option(table, option, lambda x, y: movement.check_reinforcement(table.board, 0, number, x, y))


def test_the_area_of_a_disk_that_an_ability_brings_in_is_exact() -> None:
    """R9.6, R-44"""
    text = (
        "A Goat (30, 30)\nA Kairos Fateweaver (3, 4)\nA reserve: Flamers\n"
        "B Tyrion (5, 8)\nB Teclis (5.5, 9.5)\nB Wren (30, 5)\ndisk Goat: small\ndisk Wren: small"
    )
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.focus_action("Kairos Fateweaver", ability=1))
    (option,) = table.options().parametric
    (task, *_) = table.tasks
    assert option.disk is not None
    number = option.disk
    compare_option(
        table,
        option,
        lambda x, y: movement.check_ability_reinforcement(table.board, task, number, x, y),  # type: ignore[arg-type]
    )


def test_the_areas_of_a_deployment_are_exact_and_it_names_its_disks() -> None:
    """R3.6, R3.6.3, R3.6.4: no deeper for Ambush; enemies and their zones are left clear."""
    text = (
        "zone A (0, 0) to (12, 6) for 1 at south with ambush\nzone B (9, 4) to (20, 10) for 2\n"
        "B Wren (4, 6)\nB Duck (30, 30)\nA reserve: Goat, Ox\n"
        "disk Goat: hero, small\ndisk Ox: medium\ndisk Wren: small\ndisk Duck: small"
    )
    table = deploy_from(text)
    (option,) = table.options().parametric
    number = table.number("Goat")
    assert (option.disks, option.required) == ((number, table.number("Ox")), (number,))
    assert [area.zone for area in option.areas] == [0]
    compare_option(
        table,
        replace(option, disk=number),
        lambda x, y: decide(table, a.Deploy((a.Placement(number, x, y),))),
    )


def landings(table: ScriptedPosition, disk: int) -> Iterator[tuple[int, int]]:
    """Yield the places that a disk reaches with one flip."""
    now, length = table.board.disks[disk], 2 * table.board.profile(disk).radius
    rng = random.Random(1)
    for _ in range(SAMPLES):
        dx, dy = geometry.flip_toward(rng.randint(-999, 999), rng.randint(-999, 999), length)
        yield now.x + dx, now.y + dy


def flip_to(table: ScriptedPosition, disk: int, x: int, y: int) -> a.MoveDisk:
    now = table.board.disks[disk]
    return a.MoveDisk(disk, ((x - now.x, y - now.y),))


def compare_flips(table: ScriptedPosition, option: DiskwarsOption) -> None:
    disk = option.disk
    assert disk is not None
    compare(
        landings(table, disk),
        lambda x, y: areas.is_disk_in_any_area(table.board, disk, x, y, option.areas),
        lambda x, y: decide(table, flip_to(table, disk, x, y)),
    )


def test_the_area_of_a_move_is_exact() -> None:
    """R8.4, R-06"""
    table = scripted_position("A Goat (2, 3)\nB Wren (30, 30)\ndisk Goat: medium\ndisk Wren:").with_card_turn(0)
    (option,) = table.options().parametric
    compare_flips(table, option)


def test_the_area_of_a_scout_move_is_exact() -> None:
    """R8.9: it lands on no enemy."""
    text = "A Goat (2, 3)\nB Wren (5, 4)\nB Duck (3, 6)\ndisk Goat: medium, Scout\ndisk Wren:\ndisk Duck:"
    table = scout_from(text)
    (option,) = table.options().parametric
    compare_flips(table, option)


def test_the_area_of_a_rampage_that_has_to_overlap_is_exact() -> None:
    """R12.6, R-41"""
    text = "A Hellcannon (2.5, 4)\nB Mark (16, 4)\nB Teclis (6.5, 4)\ndisk Mark: small T40"
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.shoot_action("Hellcannon", "Mark"), 3, (CHAOS, MISS, MISS))
    (option,) = table.options().parametric
    assert option.areas[0].onto == (table.number("Teclis"),)
    compare_flips(table, option)


def test_the_area_of_a_piece_of_terrain_is_exact() -> None:
    """R3.5.1"""
    table = setup_with_terrain()
    table = table.answer(table.options().parametric[0].example)
    assert table.board.terrain
    (option, *_) = table.options().parametric
    example = option.example
    assert isinstance(example, a.PlaceTerrain)
    card = table.board.layout.terrain_card(example.card)
    rng, (area,) = random.Random(1), option.areas
    turns = rng.randrange(72)

    def corners(x: int, y: int) -> geometry.Polygon:
        return geometry.rotate_polygon(card.faces[example.face].corners, turns, x, y)

    compare(
        [(rng.randint(0, 36 * INCH), rng.randint(0, 36 * INCH)) for _ in range(2 * SAMPLES)],
        lambda x, y: areas.is_piece_in_area(table.board, corners(x, y), area),
        lambda x, y: decide(table, a.PlaceTerrain(example.card, example.face, x, y, turns)),
    )


@each_row("laid", [(), (10 * INCH,), (0, 20 * INCH)])
def test_the_areas_of_a_deployment_card_are_exact(laid: tuple[int, ...]) -> None:
    """R3.4: along the own edge, over no other card of the same player."""
    table, rng = laid_along_one_edge(*laid), random.Random(1)
    edge, field = table.board.layout.edges[1], table.board.field
    for option in table.options().parametric:
        card = option.example
        assert isinstance(card, a.LayDeploymentCard)
        ends = [end for area in option.areas for end in (area.x0, area.x1)]
        close = [end - back + slip for end in ends for back in (0, option.length) for slip in (-1, 0, 1)]
        offsets = [*close, *(rng.randint(-2 * INCH, 38 * INCH) for _ in range(SAMPLES))]

        def promised(offset: int, _: int, option: DiskwarsOption = option) -> bool:
            x0, y0, x1, y1 = zones.edge_rectangle(field, edge, (offset, offset + option.length), field.medium)
            return any(area.x0 <= x0 and area.y0 <= y0 and x1 <= area.x1 and y1 <= area.y1 for area in option.areas)

        def judge(offset: int, _: int, card: a.LayDeploymentCard = card) -> None:
            decide(table, replace(card, offset=offset))

        compare([(offset, 0) for offset in offsets], promised, judge)


def test_the_refusal_of_a_place_says_how_far_an_ambush_reaches() -> None:
    """R9.1, R3.4.5"""
    table = scripted_position(FIELDED).with_card_turn(0)
    refusal = table.expect_illegal(a.Reinforce(table.number("Plain"), 18 * INCH, 13 * INCH))
    assert f"zone 0 from ({6 * INCH}, 0) to ({30 * INCH}, {12 * INCH})" in refusal.text
    assert refusal.numbers["y1"] == 12 * INCH
