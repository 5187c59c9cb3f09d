"""One combat: who attacks in which order (A-12 to A-14)."""

from collections.abc import Sequence
from itertools import groupby

from diskwars_engine.rulesets.pit.resolution import Resolution, because
from diskwars_protocol.rulesets.pit import events, position
from diskwars_protocol.rulesets.pit.actions import Attack
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard


def begin(resolution: Resolution, number: int) -> None:
    """Fix the order of a combat: those that engaged this turn first, then the rest, each by agility (A-12)."""
    for fighter in position.fielded(resolution.board):
        if fighter.new_wounds:  # gained in the midst of an earlier combat
            wounds = fighter.wounds + fighter.new_wounds
            resolution.emit(events.WoundsGained(fighter.id, wounds, because("A-17", wounds=wounds)))
    members = [resolution.fighter(id) for id in resolution.board.combats[number]]
    able = [fighter for fighter in members if fighter.is_fielded and not fighter.is_down]
    order: list[int] = []
    for engaged in (True, False):
        group = sorted(
            (fighter for fighter in able if fighter.has_engaged == engaged), key=lambda fighter: fighter.agility
        )
        for _, equals in groupby(group, key=lambda fighter: fighter.agility):  # the lowest number is the best
            order += _break_tie(resolution, sorted(fighter.id for fighter in equals))
    resolution.emit(events.CombatBegan(number, tuple(order), because("A-12", fighters=len(order))))


def _break_tie(resolution: Resolution, fighters: Sequence[int]) -> list[int]:
    """Order fighters of equal agility by a d20 each, higher first; those that tie roll again."""
    if len(fighters) < 2:
        return list(fighters)
    draw = resolution.dice.roll("number_dice", 20, len(fighters), "agility")
    resolution.emit(events.AgilityRolled(tuple(fighters), draw, because("A-12", fighters=len(fighters))))
    faces = dict(zip(fighters, draw.results, strict=True))
    order: list[int] = []
    for _, equals in groupby(sorted(fighters, key=lambda id: -faces[id]), key=lambda id: faces[id]):
        order += _break_tie(resolution, sorted(equals))
    return order


def drop_lost_slots(resolution: Resolution) -> None:
    """Drop the slots at the head of the order whose fighters cannot attack any more (A-14)."""
    while (combat := resolution.board.combat) and combat.fighter is None:
        lost = [id for id in position.leading_run(resolution.board, combat) if not can_attack(resolution.board, id)]
        if not lost:
            return
        for id in lost:
            resolution.emit(events.SlotLost(id, because("A-14")))


def can_attack(board: PitBoard, id: int) -> bool:
    """Return whether a fighter can use its slot: it is neither down nor gone, and has a target (A-14)."""
    fighter = board.fighters[id]
    return fighter.is_fielded and not fighter.is_down and bool(position.targets(board, fighter))


def forced_declaration(board: PitBoard, fighter: Fighter) -> tuple[Attack, ...] | None:
    """Return the only declaration that a fighter can make; None if it has a choice."""
    possible, weapons = position.targets(board, fighter), position.weapons_of(board, fighter)
    if len(possible) > 1 or len(weapons) > 1:
        return None
    return (Attack(possible[0].id, weapons[0]),) * position.attack_count(board, fighter)
