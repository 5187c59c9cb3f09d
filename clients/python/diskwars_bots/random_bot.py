"""The random bot: any legal answer, so that everything that can happen does."""

import random

from diskwars_protocol import geometry
from diskwars_protocol.match import Decision
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOption, DiskwarsOptions


def choose_random(
    match: DiskwarsMatch, decision: Decision[a.Question], options: DiskwarsOptions, rng: random.Random
) -> a.Action:
    """Any legal answer; it leaves a card or an activation only when nothing else is offered, so that matches end."""
    plain = [action for action in options.actions if not isinstance(action, a.EndCard | a.PassDisk)]
    offered: list[a.Action | DiskwarsOption] = [*plain, *options.parametric]
    picked = rng.choice(offered or list(options.actions))
    if not isinstance(picked, DiskwarsOption):
        return picked
    # a flip that is forced has no free direction
    is_free = (
        match.board is not None
        and not is_scouting(match.board)
        and not isinstance(decision.question, a.RampageQuestion)
    )
    if match.board is not None and isinstance(picked.example, a.MoveDisk) and is_free:
        return _random_path(match.board, picked, rng)
    return picked.example


def is_scouting(board: Board) -> bool:
    """Return whether the setup is under way, where no disk may land on an enemy (R8.9): the example is all we dare."""
    return board.phase == "setup"


def _random_path(board: Board, plan: DiskwarsOption, rng: random.Random) -> a.Action:
    """Return a path in any directions that stays on the field."""
    disk = board.disks[plan.disk]
    x, y = disk.x, disk.y
    path: list[a.Vector] = []
    for _ in range(rng.randint(1, plan.flips)):
        dx, dy = geometry.flip_at(rng.randrange(len(geometry.DIRECTIONS)), plan.length)
        if not position.is_on_field(board, plan.disk, x + dx, y + dy):
            break
        path.append((dx, dy))
        x, y = x + dx, y + dy
    return a.MoveDisk(plan.disk, tuple(path), end_activation=rng.random() < 0.5) if path else plan.example
