"""Deeds of Diskwars as rows: which disk acts, on which, where it ends."""

from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_rl.deeds import NO_PIECE, DeedRow, DeedTable, nothing


def card_number(board: Board, id: object) -> float:
    """Return the place of a command card in the array `cards`; -1 for one that is not known."""
    return next((number for number, card in enumerate(board.cards) if card.id == id), NO_PIECE)


def _at(board: Board, disk: float, x: float, y: float, count: float = 0.0) -> DeedRow:
    return disk, NO_PIECE, x / board.field.width, y / board.field.height, count


def _move(board: Board, action: a.MoveDisk) -> DeedRow:
    disk, x, y = board.disks[action.disk], 0, 0
    for dx, dy in action.path:
        x, y = x + dx, y + dy
    return _at(board, disk.id, disk.x + x, disk.y + y, len(action.path))


def _aimed(board: Board, action: a.Shoot | a.Focus | a.UseAbility) -> DeedRow:
    return action.disk, NO_PIECE if action.target is None else action.target, 0.0, 0.0, 0.0


def _deploy(board: Board, action: a.Deploy) -> DeedRow:
    first = action.disks[0] if action.disks else None
    return nothing(board, action) if first is None else _at(board, first.disk, first.x, first.y, len(action.disks))


def _engage_ability(board: Board, action: a.UseEngageAbility) -> DeedRow:
    return NO_PIECE, NO_PIECE if action.target is None else action.target, 0.0, 0.0, float(action.use)


def _targets(board: Board, action: a.ChooseTargets) -> DeedRow:
    first = action.targets[0] if action.targets else None
    if first is None:
        return nothing(board, action)
    return first.disk, first.target, 0.0, 0.0, len(action.targets)


def _disk(board: Board, action: a.PassDisk) -> DeedRow:
    return action.disk, NO_PIECE, 0.0, 0.0, 0.0


DEEDS = DeedTable(
    {
        a.ChooseFirstPlayer: lambda board, action: (NO_PIECE, NO_PIECE, 0.0, 0.0, action.seat),
        a.SetOrder: lambda board, action: (NO_PIECE, NO_PIECE, 0.0, 0.0, action.order[0]),
        a.ChooseScenario: lambda board, action: (
            *(NO_PIECE, NO_PIECE, 0.0, 0.0),
            [card.id for card in board.layout.scenarios].index(action.scenario),
        ),
        a.LayDeploymentCard: lambda board, action: (
            *(NO_PIECE, NO_PIECE, action.offset / board.field.width, 0.0),
            action.face,
        ),
        a.PlaceTerrain: lambda board, action: _at(board, NO_PIECE, action.x, action.y, action.rotation_steps),
        a.Deploy: _deploy,
        a.EndScouting: nothing,
        a.LockCard: lambda board, action: (NO_PIECE, NO_PIECE, 0.0, 0.0, card_number(board, action.card)),
        a.MoveDisk: _move,
        a.Shoot: _aimed,
        a.Focus: _aimed,
        a.PassDisk: _disk,
        a.Reinforce: lambda board, action: _at(board, action.disk, action.x, action.y),
        a.UseAbility: _aimed,
        a.EndCard: nothing,
        a.ChooseScatter: lambda board, action: (NO_PIECE, action.target, 0.0, 0.0, 0.0),
        a.OrderTriggers: lambda board, action: (NO_PIECE, NO_PIECE, 0.0, 0.0, action.order[0]),
        a.UseEngageAbility: _engage_ability,
        a.ChooseEngagement: lambda board, action: (NO_PIECE, NO_PIECE, 0.0, 0.0, action.engagement),
        a.ChooseTargets: _targets,
    }
)
