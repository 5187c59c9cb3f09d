"""Reasons why a disk cannot aim at another one: distance, range and sight, measured on the board as a player sees it.

The server explains what is blocked within range, and one disk beyond it; a player may ask about any other.
"""

from diskwars_protocol.rulesets.diskwars import effective_stats, keywords, position, sight, terrain
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.stats import REACHES, DealDamage, Reach, ReduceToughness
from diskwars_text.rulesets.diskwars.phrases import length_text

MEASURED_CODES = ("out_of_range", "no_sight")
"""Refusals to which the distance is added."""


def shot_obstacle(board: Board, disk: int, target: int) -> str:
    """Return why no ranged attack of a disk can be aimed at a target; empty if one can, or if it has none."""
    reaches = [effective_stats.shot_reach(board, disk, shot.reach) for shot in board.profile(disk).shots]
    if not reaches:
        return ""
    if keywords.is_immune(board.profile(target), "ranged"):
        return "immune to ranged attacks (R12.1)"
    longest = max(reaches, key=REACHES.index)
    if not (obstacle := _obstacle(board, disk, target, longest)):
        least = [shot.beyond for shot in board.profile(disk).shots if shot.beyond]
        if len(least) == len(reaches) and all(position.is_within(board, disk, target, shortest) for shortest in least):
            return f"{_distance_text(board, disk, target)}, too near: it shoots beyond {least[0]} range only (R12.8)"
        if terrain.is_hidden_in_cave(board, disk, target):
            return "hidden in a cave (R-50)"
    return obstacle


def focus_obstacle(board: Board, disk: int, target: int) -> str:
    """Return why no focus ability that harms can be aimed at an enemy; empty if one can, or if the disk has none."""
    effects = position.focus_abilities(board, disk)
    reaches = [effect.reach for effect in effects if isinstance(effect, DealDamage | ReduceToughness)]
    return _obstacle(board, disk, target, max(reaches, key=REACHES.index)) if reaches else ""


def _obstacle(board: Board, disk: int, target: int, reach: Reach) -> str:
    """Return that a target is out of range or out of sight, or both."""
    reasons = []
    if not position.is_within(board, disk, target, reach):
        reasons.append(f"{reach_text(board, reach)} (R11.4)")
    if not sight.sees(board, disk, target):
        reasons.append("hidden by terrain (R11.1)")
    return ", ".join([_distance_text(board, disk, target), *reasons]) if reasons else ""


def _distance_text(board: Board, disk: int, target: int) -> str:
    return f"{length_text(position.distance(board, disk, target))} away"


def reach_text(board: Board, reach: Reach) -> str:
    """Return where a range band ends: `long range ends at 12 in`."""
    length = position.reach_length(board, reach)
    return "siege range has no end" if length is None else f"{reach} range ends at {length_text(length)}"


def measured_text(board: Board, entry: DiskwarsUnavailable) -> str:
    """Return the distance and the range that a reason of the server depends on; empty for any other."""
    if entry.code not in MEASURED_CODES or entry.disk is None or entry.target is None:
        return ""
    length = entry.numbers.get("length")
    reach = next((reach for reach in REACHES if length == position.reach_length(board, reach)), None)
    end = f", {reach_text(board, reach)}" if reach is not None and length is not None else ""
    return f": {_distance_text(board, entry.disk, entry.target)}{end}"
