"""The formation of the models of a unit: ranks, the edges of its block, and which models touch which (C-3, C-18)."""

from collections import defaultdict
from collections.abc import Iterable

from diskwars_protocol.rulesets.regiments import position
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Arc, Touch

MAX_RANK_BONUS = 3
MIN_RANK = 4
"""C-10: how many models a rank needs to count, and a unit to count in a flank or in the rear."""
TOUCH_LIMITS = {"regular": 4, "large": 8}
"""C-3: how many enemy models one model can touch."""
ARC_ORDER: tuple[Arc, ...] = ("front", "left", "right", "rear")
"""C-3: surplus contacts are dropped from the last of these sides first."""
CLOCKWISE: frozenset[Arc] = frozenset({"front", "right"})
"""Sides whose edge is counted clockwise round the block; the other two are counted the other way."""
WRAPPING = 2
"""C-3: how many models of a longer edge wrap round the shorter one."""

ModelPair = tuple[int, int]


def living(unit: Unit) -> list[int]:
    """List the models that are alive, by index."""
    return [index for index, wounds in enumerate(unit.models) if wounds]


def edge(unit: Unit, arc: Arc) -> list[int]:
    """List the models on one side of a block (C-3): by file in front and rear, by rank on the flanks (C-18)."""
    lines: defaultdict[int, list[int]] = defaultdict(list)
    for index in living(unit):
        lines[index % unit.files if arc in ("front", "rear") else index // unit.files].append(index)
    outermost = 0 if arc in ("front", "left") else -1
    return [lines[line][outermost] for line in sorted(lines)]


def rank_bonus(size: int, files: int) -> int:
    """Return how many ranks behind the first have four models, three at most (C-10)."""
    ranks = [min(files, size - first) for first in range(0, size, files)]
    return min(MAX_RANK_BONUS, sum(models >= MIN_RANK for models in ranks[1:]))


def pair_edges(long: list[int], short: list[int], is_mirrored: bool) -> list[ModelPair]:
    """Return which model of the longer edge touches which of the shorter one (C-3).

    The shorter one is in contact as a whole. Of the longer one the middle is, with up to two models more; those touch
    the models at the ends. A single one more is at the beginning of the edge.
    """
    width = min(len(long), len(short) + WRAPPING)
    start = (len(long) - width) // 2
    extra = 1 if width > len(short) else 0
    pairs = []
    for place in range(width):
        opposite = min(max(place - extra, 0), len(short) - 1)
        if is_mirrored:
            opposite = len(short) - 1 - opposite
        pairs.append((long[start + place], short[opposite]))
    return pairs


def pair_units(unit: Unit, enemy: Unit) -> list[ModelPair]:
    """Return which model of a unit touches which of an enemy beside it, before any limit (C-3)."""
    arc, enemy_arc = position.arc_of(unit, enemy.cell), position.arc_of(enemy, unit.cell)
    own, other = edge(unit, arc), edge(enemy, enemy_arc)
    if not own or not other:
        return []
    # Edges that are counted the same way round their blocks run against each other where these meet.
    is_mirrored = (arc in CLOCKWISE) == (enemy_arc in CLOCKWISE)
    if len(own) >= len(other):
        return pair_edges(own, other, is_mirrored)
    return [(model, enemy_model) for enemy_model, model in pair_edges(other, own, is_mirrored)]


def all_touches(board: RegimentsBoard) -> tuple[Touch, ...]:
    """Return the models that touch in all contacts of the board, each pair once (C-3)."""
    touches = []
    for contact in board.contacts:
        first, second = sorted((contact.charger, contact.target))
        pairs = pair_units(board.units[first], board.units[second])
        touches += [Touch(first, model, second, enemy_model) for model, enemy_model in pairs]
    surplus = _surplus(board, touches) if _may_exceed(touches) else ()
    return tuple(sorted((touch for touch in touches if touch not in surplus), key=_order))


def _order(touch: Touch) -> tuple[int, int, int, int]:
    return touch.unit, touch.model, touch.enemy, touch.enemy_model


def _may_exceed(touches: Iterable[Touch]) -> bool:
    """Return whether a model has more touches than the least limit: seldom, and cheaper to find out than which."""
    counts: defaultdict[ModelPair, int] = defaultdict(int)
    for touch in touches:
        counts[touch.unit, touch.model] += 1
        counts[touch.enemy, touch.enemy_model] += 1
    return max(counts.values(), default=0) > min(TOUCH_LIMITS.values())


def _surplus(board: RegimentsBoard, touches: Iterable[Touch]) -> set[Touch]:
    """Return the touches beyond what a model can have, those of the last sides (C-3)."""
    by_model: defaultdict[ModelPair, list[tuple[int, int, Touch]]] = defaultdict(list)
    for place, touch in enumerate(touches):
        for id, model, enemy in (
            (touch.unit, touch.model, touch.enemy),
            (touch.enemy, touch.enemy_model, touch.unit),
        ):
            side = ARC_ORDER.index(position.arc_of(board.units[id], board.units[enemy].cell))
            by_model[id, model].append((side, place, touch))
    dropped: set[Touch] = set()
    for (id, _), entries in by_model.items():
        limit = TOUCH_LIMITS[board.profile(board.units[id]).size]
        dropped |= {touch for _, _, touch in sorted(entries)[limit:]}
    return dropped


def targets_by_model(touches: Iterable[Touch], unit: int) -> dict[int, list[ModelPair]]:
    """Return for each model of a unit that touches enemies those that it touches, by unit and index."""
    touched: defaultdict[int, list[ModelPair]] = defaultdict(list)
    for touch in touches:
        if touch.unit == unit:
            touched[touch.model].append((touch.enemy, touch.enemy_model))
        elif touch.enemy == unit:
            touched[touch.enemy_model].append((touch.unit, touch.model))
    return {model: sorted(touched[model]) for model in sorted(touched)}
