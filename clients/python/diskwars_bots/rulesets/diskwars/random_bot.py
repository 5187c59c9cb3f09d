"""The random bot: picks any legal action, so that over many matches everything that can happen does."""

import random

from msgspec.structs import replace

from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import areas, position
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOption, DiskwarsOptions

PLACES_TRIED = 8
"""Random places for a reinforcement; most are inside the area, unless it depends on other disks."""


def choose_random(
    match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions, rng: random.Random
) -> a.Action:
    """Choose any legal action; pass or end a card only if nothing else is offered, so that matches end."""
    plain = [action for action in options.actions if not isinstance(action, a.EndCard | a.PassDisk)]
    offered: list[a.Action | DiskwarsOption] = [*plain, *options.parametric]
    picked = rng.choice(offered or list(options.actions))
    if not isinstance(picked, DiskwarsOption):
        return picked
    # Rampage and scout moves are limited in direction: only the example is sure to be legal.
    is_free = (
        match.board is not None
        and not is_scouting(match.board)
        and not isinstance(decision.question, a.RampageQuestion)
    )
    if match.board is not None and isinstance(picked.example, a.MoveDisk) and is_free:
        return _random_path(match.board, picked, rng)
    if match.board is not None and isinstance(picked.example, a.Reinforce) and picked.areas:
        return _random_place(match.board, picked.example, picked, rng)
    return picked.example


def is_scouting(board: Board) -> bool:
    """Return whether the match is in setup, where no disk may land on an enemy (R8.9)."""
    return board.phase == "setup"


def _random_path(board: Board, option: DiskwarsOption, rng: random.Random) -> a.Action:
    """Return a move in random directions that stays on the field."""
    if option.disk is None:
        return option.example
    disk = board.disks[option.disk]
    x, y = disk.x, disk.y
    path: list[a.Vector] = []
    for _ in range(rng.randint(1, option.flips)):
        dx, dy = geometry.flip_at(rng.randrange(len(geometry.DIRECTIONS)), option.length)
        if not position.is_on_field(board, option.disk, x + dx, y + dy):
            break
        path.append((dx, dy))
        x, y = x + dx, y + dy
    if not path:
        return option.example
    return a.MoveDisk(option.disk, tuple(path), end_activation=rng.random() < 0.5, over_own_disks=rng.random() < 0.5)


def _random_place(board: Board, example: a.Reinforce, option: DiskwarsOption, rng: random.Random) -> a.Action:
    """Return a reinforcement at a random place inside an area; the example if the first few are outside."""
    radius = board.profile(example.disk).radius
    for _ in range(PLACES_TRIED):
        area = rng.choice(option.areas)
        if area.x1 - area.x0 < 2 * radius or area.y1 - area.y0 < 2 * radius:
            continue
        x, y = rng.randint(area.x0 + radius, area.x1 - radius), rng.randint(area.y0 + radius, area.y1 - radius)
        if areas.is_disk_in_area(board, example.disk, x, y, area):
            return replace(example, x=x, y=y)
    return option.example
