"""In matches of random play, the areas of every option agree with what the rules accept."""

import random
from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import zones
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import areas
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption
from tests.engine.played_match import ARMIES, PlayedMatch, mixed_action, player_of
from tests.rows import each_row

PLACES = 8
"""Of each option: half of them random, half where a condition of the area is just met or just failed."""
OPTIONS = 3
"""Of each question."""
FULL = a.DiskwarsSettings(setup="full", regiments=1)
Promise = tuple[bool, a.Action]
"""Whether the areas of an option contain an action, and the action."""


@each_row("seed", [1, 2, 3])
def test_areas_of_options_agree_with_the_rules_throughout_a_match(seed: int) -> None:
    """R3.4, R3.5.1, R3.6, R8.4, R8.9, R9.1: what an area contains is accepted, and nothing else is."""
    armies = ARMIES[:3] if seed == 3 else ARMIES[seed - 1 : seed + 1]
    playing, rng = PlayedMatch(seed, armies, FULL).begin(), random.Random(seed)
    counts: Counter[tuple[str, bool]] = Counter()
    while playing.state.status != "ended":
        decision = playing.chance.choice(playing.state.decisions)
        for is_promised, action in promises(playing, decision, rng):
            assert is_accepted(playing, decision, action) == is_promised, (decision, action)
            counts[type(action).__name__, is_promised] += 1
        playing.answer(decision, mixed_action(playing, decision))
    for name in ("LayDeploymentCard", "PlaceTerrain", "Deploy", "MoveDisk", "Reinforce"):
        assert min(counts[name, True], counts[name, False]) > 0, counts


def is_accepted(playing: PlayedMatch, decision: Decision[a.Question], action: a.Action) -> bool:
    try:
        playing.decide(player_of(decision.seat), decision.id, action)
    except Illegal:
        return False
    return True


def promises(playing: PlayedMatch, decision: Decision[a.Question], rng: random.Random) -> Iterator[Promise]:
    options = [option for option in playing.rules.options(playing.state, decision).parametric if option.areas]
    for option in rng.sample(options, min(OPTIONS, len(options))):
        assert isinstance(option, DiskwarsOption)
        match option.example:
            case a.LayDeploymentCard() as card:
                yield from card_promises(playing.board, decision, option, card, rng)
            case a.PlaceTerrain() as piece:
                yield from piece_promises(playing.board, option, piece, rng)
            case a.Deploy(disks=placements) as deployment:
                first, *others = placements
                for x, y in sampled_places(playing.board, first.disk, option.areas, rng):
                    is_inside = areas.is_disk_in_any_area(playing.board, first.disk, x, y, option.areas)
                    yield is_inside, replace(deployment, disks=(replace(first, x=x, y=y), *others))
            case a.MoveDisk() as move:
                yield from flip_promises(playing.board, option, move, rng)
            case a.Reinforce() as reserve:
                for x, y in sampled_places(playing.board, reserve.disk, option.areas, rng):
                    is_inside = areas.is_disk_in_any_area(playing.board, reserve.disk, x, y, option.areas)
                    yield is_inside, replace(reserve, x=x, y=y)
            case other:
                raise AssertionError(f"an example with areas of an unknown kind: {other}")


def card_promises(
    board: Board, decision: Decision[a.Question], option: DiskwarsOption, card: a.LayDeploymentCard, rng: random.Random
) -> Iterator[Promise]:
    edge, field = board.layout.edges[decision.seat], board.field
    ends = [end + slip for area in option.areas for end in (area.x0, area.x1, area.y0, area.y1) for slip in (-1, 0, 1)]
    for offset in rng.sample(ends, PLACES // 2) + [rng.randint(-50_000, field.width) for _ in range(PLACES // 2)]:
        x0, y0, x1, y1 = zones.edge_rectangle(field, edge, (offset, offset + option.length), field.medium)
        is_inside = any(area.x0 <= x0 and area.y0 <= y0 and x1 <= area.x1 and y1 <= area.y1 for area in option.areas)
        yield is_inside, replace(card, offset=offset)


def piece_promises(
    board: Board, option: DiskwarsOption, piece: a.PlaceTerrain, rng: random.Random
) -> Iterator[Promise]:
    outline, (area,) = board.layout.terrain_card(piece.card).faces[piece.face].corners, option.areas
    for _ in range(PLACES):
        x, y, turns = rng.randint(0, board.field.width), rng.randint(0, board.field.height), rng.randrange(72)
        corners = geometry.rotate_polygon(outline, turns, x, y)
        yield areas.is_piece_in_area(board, corners, area), replace(piece, x=x, y=y, rotation_steps=turns)


def flip_promises(board: Board, option: DiskwarsOption, move: a.MoveDisk, rng: random.Random) -> Iterator[Promise]:
    disk = board.disks[move.disk]
    for _ in range(PLACES):
        dx, dy = geometry.flip_toward(rng.randint(-999, 999), rng.randint(-999, 999), option.length)
        is_inside = areas.is_disk_in_any_area(board, disk.id, disk.x + dx, disk.y + dy, option.areas)
        yield is_inside, replace(move, path=((dx, dy),))


def sampled_places(board: Board, disk: int, own: tuple[Area, ...], rng: random.Random) -> Iterator[tuple[int, int]]:
    radius = board.profile(disk).radius
    for _ in range(PLACES // 2):
        area = rng.choice(own)
        yield rng.randint(area.x0 - radius, area.x1 + radius), rng.randint(area.y0 - radius, area.y1 + radius)
        slip = rng.randint(-1, 1)
        x = area.x0 + radius + slip if rng.random() < 0.5 else rng.randint(area.x0 + radius, area.x1 - radius)
        yield x, rng.choice((area.y0 + radius + slip, area.y1 - radius + slip))
