"""Random play on a field full of terrain keeps all invariants: ground, sight, options.

Ten pieces and more are on the field before deployment, anywhere and over one another, so that every keyword occurs
often. The records of these matches begin with a field that no setup would produce, so they are not folded from the
start.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Literal

import pytest
from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import sight, terrain
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.setup_cards import Terrain, TerrainPiece
from diskwars_protocol.rulesets.diskwars.terrain import TERRAIN_KEYWORDS
from diskwars_text.rulesets.diskwars.notation import format_position
from diskwars_text.rulesets.diskwars.parser import parse_position
from tests.effort import count_of
from tests.engine.played_match import ARMIES, PlayedMatch, mixed_action, player_of
from tests.rows import each_row

PIECES = 12
DEFENSIVE: tuple[Literal["counter", "strength", "both"], ...] = ("counter", "strength", "both")
SEEDS = pytest.mark.parametrize("first", range(0, 16, 4))


def placed_pieces(playing: PlayedMatch) -> PlayedMatch:
    """Pieces of the core pack, turned and thrown onto the field, each with the keywords of two faces."""
    chance, faces = playing.chance, [face for card in core_pack().terrain.values() for face in card.faces]
    board: Board = playing.board
    for number in range(PIECES):
        one, other = chance.sample(faces, 2)
        keywords = tuple(dict.fromkeys((*one.keywords, *other.keywords)))
        face = Terrain(f"{one.id}-{number}", f"{one.name} {number}", one.corners, keywords)
        x, y, turn = chance.randrange(board.field.width), chance.randrange(board.field.height), chance.randrange(72)
        piece = TerrainPiece(face, geometry.rotate_polygon(face.corners, turn, x, y))
        board = replace(board, terrain=(*board.terrain, piece))
    playing.state = replace(playing.state, board=board)
    return playing


def place_pieces_at_random(seed: int) -> PlayedMatch:
    """Return the first question of a match of two armies on such a field."""
    pins: geometry.PinMode = "strict" if seed % 2 else "contact"
    settings = a.DiskwarsSettings(setup="quick", pins=pins, defensive_swift=DEFENSIVE[seed % 3], regiments=1)
    return placed_pieces(PlayedMatch(seed, (ARMIES[seed % 4], ARMIES[(seed + 1 + seed // 4) % 4]), settings).begin())


def offered_actions(playing: PlayedMatch, decision: Decision[a.Question]) -> Iterator[a.Action]:
    """Some of what is offered."""
    options = playing.rules.options(playing.state, decision)
    every = [*options.actions, *(plan.example for plan in options.parametric)]
    yield from playing.chance.sample(every, min(len(every), 4))


@SEEDS
def test_boards_stay_valid_and_every_offer_is_accepted(first: int) -> None:
    """R10, R11: pins and ground as the geometry says; no option is refused."""
    for seed in range(first, first + count_of(4, 2)):
        playing = place_pieces_at_random(seed)
        while playing.state.status != "ended":
            decision = playing.chance.choice(playing.state.decisions)
            for action in offered_actions(playing, decision):
                playing.decide(player_of(decision.seat), decision.id, playing.with_secrets(decision, action))
            playing.answer(decision, mixed_action(playing, decision))
            assert playing.rules.ruleset.check(playing.board) == []


def test_in_such_play_every_keyword_of_terrain_is_met() -> None:
    """Otherwise the test above would look at nothing."""
    seen: Counter[str] = Counter()
    for seed in range(6):
        playing = place_pieces_at_random(seed)
        while playing.state.status != "ended":
            decision = playing.chance.choice(playing.state.decisions)
            for event in playing.answer(decision, mixed_action(playing, decision)).events:
                if isinstance(event, e.DiskFlipped | e.DiskReinforced):
                    seen.update(k.id for n in event.terrain_entered for k in playing.board.terrain[n].terrain.keywords)
                seen.update(reason.rule for reason in getattr(event, "reasons", ()))
    assert set(TERRAIN_KEYWORDS) <= set(seen)
    assert {"R10.4", "R10.5", "R10.9", "R11.2"} <= set(seen)


def test_a_position_on_terrain_is_text_both_ways() -> None:
    for seed in (1, 2):
        playing = place_pieces_at_random(seed).play(mixed_action, records=40)
        assert parse_position(format_position(playing.board)) == playing.board


@each_row("seed", range(3))
def test_in_any_position_sight_is_alike_both_ways_but_from_high_ground(seed: int) -> None:
    """R11.2, R10.8"""
    playing = place_pieces_at_random(seed).play(mixed_action, records=60)
    board = playing.board
    there = [disk.id for disk in board.disks if disk.place == "battlefield"]
    for first in there:
        for second in there:
            if first < second:
                high = [bool(terrain.pieces_with_keyword(board, disk, terrain.HIGH_GROUND)) for disk in (first, second)]
                both = [sight.sees(board, first, second), sight.sees(board, second, first)]
                assert both[0] == both[1] or both == high
