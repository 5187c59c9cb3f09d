"""Tasks and ground of scenarios: as sentences, as marks of maps, and as lines of positions, both ways."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from diskwars_text.phrases import counted
from diskwars_text.struct_lines import Parts, read_fields, read_numbers, value_text, write_line

ZoneText = Callable[[ScenarioArea], str]
ZoneKind = Literal["wall", "hill", "task"]
WALL_MARK, ZONE_MARK = "#", "+"
ZONE_COLOURS: dict[ZoneKind, str] = {"wall": "#8d867a", "hill": "#d9cfae", "task": "#cfe3c4"}


def task_sentence(task: BattleTask, side: str, other: str, piece: str, named: str, zone_text: ZoneText) -> str:
    """Return what a task asks of whom.

    `side` and `other` are the two sides in words, `piece` is what a piece is called, `named` the piece of a rescue.
    """
    zone = "" if task.zone is None else zone_text(task.zone)
    match task.kind:
        case "break_through":
            return f"{side} wins with {counted(task.count, piece)} in {zone}; otherwise {other} wins"
        case "rescue":
            return f"{side} wins when {named} gets to {zone}, and loses when it falls; otherwise {other} wins"
        case "last_stand":
            return f"{side} wins with {counted(task.count, piece)} left at the end; otherwise {other} wins"
        case "hold":
            return f"with more of its {piece}s than the other side in {zone} at the end a side wins"


def cells_text(zone: ScenarioArea) -> str:
    """Return a rectangle of cells in words: `cells 4,3 to 5,4`."""
    if (zone.x0, zone.y0) == (zone.x1, zone.y1):
        return f"cell {zone.x0},{zone.y0}"
    return f"cells {zone.x0},{zone.y0} to {zone.x1},{zone.y1}"


def ground_marks(walls: Iterable[ScenarioArea], task: BattleTask | None) -> dict[tuple[int, int], str]:
    """Return the marks of cells on a map: of those where nobody stands, and of the place of the task."""
    zones = [(WALL_MARK, wall) for wall in walls]
    if task is not None and task.zone is not None:
        zones.insert(0, (ZONE_MARK, task.zone))
    return {
        (x, y): mark for mark, zone in zones for x in range(zone.x0, zone.x1 + 1) for y in range(zone.y0, zone.y1 + 1)
    }


def zone_svg(corner: tuple[int, int], size: tuple[int, int], kind: ZoneKind) -> str:
    """Return a rectangle of a picture: a wall, a hill, or the place of a task."""
    return (
        f'<rect x="{corner[0]}" y="{corner[1]}" width="{size[0]}" height="{size[1]}" fill="{ZONE_COLOURS[kind]}" '
        f'class="{kind}"/>'
    )


def task_lines(task: BattleTask | None) -> list[str]:
    """Return the line of a task in a position; none without a task."""
    if task is None:
        return []
    written = {"kind": task.kind, "side": str(task.side), "count": str(task.count)}
    if task.zone is not None:
        written["zone"] = value_text((task.zone.x0, task.zone.y0, task.zone.x1, task.zone.y1))
    if task.piece is not None:
        written["piece"] = str(task.piece)
    return [write_line("task", written)]


def read_task(given: Mapping[str, str], parts: Parts) -> BattleTask:
    """Return the task that a line of a position states. Raises ValueError."""
    plain = {name: text for name, text in given.items() if name != "zone"}
    zone = ScenarioArea(*read_numbers(given["zone"])) if "zone" in given else None
    return BattleTask(**read_fields(BattleTask, plain), zone=zone)
