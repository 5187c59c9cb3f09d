"""Chances of damage are those of the engine, on the boards of tests/vectors/forecasts.json."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import msgspec

from diskwars_client.rulesets.diskwars.damage_odds import damage_text, danger_text, dangers, wound_chance, wound_word
from diskwars_engine.rulesets.diskwars import hazards
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.tasks import DangerousTerrainTask
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.stats import Amount, DamageType, DealDamage
from diskwars_text.phrases import percent_text
from diskwars_text.rulesets.diskwars.phrases import disk_names
from tests.client.rulesets.diskwars.forecast_vectors import Json, flip_to, judged_rows, landed, path_of
from tests.engine.rulesets.diskwars.positions import ScriptedMatchDice

FACES = range(1, 7)


def test_the_chance_of_a_wound_by_an_ability_is_what_the_engine_does() -> None:
    """No die is rolled for the abilities of the vectors: each wounds its target or does not."""
    fates: Counter[str] = Counter()
    for board, row, target, effect in damaging_abilities():
        is_struck = target in row["wounded"] + row["destroyed"]
        assert wound_chance(board, target, effect.amount, effect.damage_type) == int(is_struck), row
        text = damage_text(board, target, effect.amount, effect.damage_type)
        assert bool(text) == bool(dict(row["dealt"])[target]), row
        if is_struck:
            word = "destroy" if target in row["destroyed"] else "wound"
            assert wound_word(board, target) == word, row
            assert text.endswith(f", 100 % to {word} {disk_names(board)[target]}")
            fates[word] += 1
    assert fates.keys() == {"wound", "destroy"}


def damaging_abilities() -> Iterator[tuple[Board, Json, int, DealDamage]]:
    for board, row in judged_rows("abilities"):
        action = msgspec.convert(row["action"], a.Focus)
        effect = position.focus_abilities(board, action.disk)[action.ability]
        if isinstance(effect, DealDamage) and action.target is not None:
            yield board, row, action.target, effect


def test_dangerous_ground_wounds_as_often_as_the_engine_rolls_it() -> None:
    found: Counter[str] = Counter()
    for board, disk, x, y, pieces in dangerous_landings():
        name = disk_names(board)[disk]
        for piece, text in zip(pieces, danger_text(board, disk, x, y).split("; "), strict=True):
            chance, word, damage_type = rolled_danger(landed(board, disk, x, y), disk, piece)
            damage = f"d6 {damage_type} damage, {percent_text(chance)} to {word} {name}"
            assert text == f"{board.terrain[piece].terrain.name}: {damage}"
            assert wound_chance(board, disk, Amount(d6=1), damage_type) == chance
            found[damage_type] += 1
            found[percent_text(chance)] += 1
    assert found["physical"] > 20
    assert found["arcane"] > 5
    assert len(found) > 5, "of several chances"


def dangerous_landings() -> Iterator[tuple[Board, int, int, int, list[int]]]:
    """Yield the landings for which the engine rolls: the board, the disk, its place and the pieces."""
    for board, row in judged_rows("landings"):
        if row.get("dangers"):
            yield board, row["disk"], row["x"], row["y"], row["dangers"]
    for board, row in judged_rows("paths"):
        for (x, y), pieces in zip(row["places"], row["dangers"], strict=True):
            if pieces:
                yield board, row["disk"], x, y, pieces


def rolled_danger(board: Board, disk: int, piece: int) -> tuple[Fraction, str, DamageType]:
    """Return how often the engine lets dangerous ground wound or destroy a disk, which of the two, and by what."""
    struck, damage_types = [], []
    for face in FACES:
        resolution = Resolution(board, ScriptedMatchDice((face,), 1))
        hazards.resolve_dangerous_terrain(resolution, DangerousTerrainTask(disk, piece))
        struck += ["wound" for event in resolution.events if isinstance(event, e.DiskWounded) and event.disk == disk]
        struck += [
            "destroy" for event in resolution.events if isinstance(event, e.DisksRemoved) and disk in event.disks
        ]
        damage_types += [event.damage_type for event in resolution.events if isinstance(event, e.DangerRolled)]
    return Fraction(len(struck), len(FACES)), next(iter(struck), wound_word(board, disk)), damage_types[0]


def test_an_order_has_a_text_for_each_landing_for_which_the_engine_rolls() -> None:
    compared = 0
    for board, row in judged_rows("paths"):
        texts = [danger_names(text) for text in dangers(board, a.MoveDisk(row["disk"], path_of(board, row)))]
        assert texts == [[board.terrain[piece].terrain.name for piece in pieces] for pieces in row["dangers"] if pieces]
        compared += len(texts)
    assert compared > 20
    for board, row in judged_rows("landings"):
        if row.get("dangers") is not None:
            text = "; ".join(dangers(board, a.MoveDisk(row["disk"], (flip_to(board, row),))))
            assert bool(text) == bool(row["dangers"]), row


def danger_names(text: str) -> list[str]:
    return [one.partition(":")[0] for one in text.split("; ")]
