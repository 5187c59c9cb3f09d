"""Effects of damage on a disk, with exact chances, and the landings of an order on dangerous ground."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, terrain
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.effect_text import amount_text
from diskwars_protocol.rulesets.diskwars.stats import Amount, DamageType
from diskwars_text.phrases import percent_text
from diskwars_text.rulesets.diskwars.phrases import disk_names

FACES = range(1, 7)
MAX_COUNTED_DICE = 4
"""Dice whose throws are counted one by one; nothing printed rolls more for damage."""


def wound_word(board: Board, disk: int) -> str:
    """Return what a wound does to a disk: without stamina left it is destroyed (R13.5)."""
    return "destroy" if board.disks[disk].wounds >= board.profile(disk).stamina else "wound"


def wound_chance(board: Board, disk: int, amount: Amount, damage_type: DamageType) -> Fraction:
    """Return the chance that this damage wounds a disk as it is now, after its own Immune and Resistant (R13.3)."""
    profile, now = board.profile(disk), board.disks[disk]
    tough = effective_stats.toughness(board, disk)
    throws = [max(0, sum(faces) + amount.flat) for faces in product(FACES, repeat=min(amount.d6, MAX_COUNTED_DICE))]
    taken = [keywords.damage_after_reduction(profile, dealt, damage_type) for dealt in throws]
    return Fraction(sum(bool(damage) and now.damage + damage >= tough for damage in taken), len(taken))


def damage_text(board: Board, disk: int, amount: Amount, damage_type: DamageType) -> str:
    """Return the damage and what it may do: `d6 arcane damage, 50 % to destroy Hochland Huntsmen`; empty if none."""
    most = Amount(6 * amount.d6 + amount.flat)
    if not keywords.damage_after_reduction(board.profile(disk), most.flat, damage_type):
        return ""
    chance = percent_text(wound_chance(board, disk, amount, damage_type))
    return (
        f"{amount_text(amount)} {damage_type} damage, {chance} to {wound_word(board, disk)} {disk_names(board)[disk]}"
    )


# ---------------------------------------------------------------- dangerous ground


def danger_text(board: Board, disk: int, x: int, y: int) -> str:
    """Return the damage that the dangerous ground under a landing does (R10.5); empty where there is none."""
    return "; ".join(
        f"{board.terrain[number].terrain.name}: {text}"
        for number in terrain.pieces_under(board, disk, x, y)
        for keyword in board.terrain[number].terrain.keywords
        if keyword.id == terrain.DANGEROUS
        and (text := damage_text(board, disk, Amount(d6=1), keyword.damage_type or "physical"))
    )


def dangers(board: Board, action: a.MoveDisk | a.Reinforce) -> Iterator[str]:
    """Yield the damage of each landing of an order on dangerous ground.

    R8.7: of the landings on the way of a flying disk nothing follows. R8.8: some disks ignore the ground when they
    move; R-52: not when they come from the reserve.
    """
    if isinstance(action, a.Reinforce):
        landings = [(action.x, action.y)]
    elif keywords.ignores_terrain(board.profile(action.disk)):
        return
    else:
        x, y = board.disks[action.disk].x, board.disks[action.disk].y
        landings = [(x := x + dx, y := y + dy) for dx, dy in action.path]
        landings = landings[-1:] if keywords.is_flying(board.profile(action.disk)) else landings
    for at in landings:
        if text := danger_text(board, action.disk, *at):
            yield text
