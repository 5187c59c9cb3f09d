"""Flight: hacks at a unit that turns its back, where it runs, and who pursues it (C-14, C-15)."""

from collections.abc import Iterable

from diskwars_engine.rulesets.regiments import attacks
from diskwars_engine.rulesets.regiments.resolution import Resolution, because
from diskwars_protocol.rulesets.regiments import events, formation, position
from diskwars_protocol.rulesets.regiments.board import Unit
from diskwars_protocol.rulesets.regiments.events import FlightReason, Touch
from diskwars_protocol.rulesets.regiments.position import Cell

RULES: dict[FlightReason, str] = {"broken": "C-12", "retreated": "C-27", "flanked": "C-2", "still_fleeing": "C-28"}
"""The causes for which a unit flees."""


def flee(
    resolution: Resolution,
    id: int,
    reason_kind: FlightReason,
    hackers: Iterable[int] = (),
    touches: Iterable[Touch] = (),
) -> None:
    """Let a unit flee: `hackers` strike at it with the models that touch it, then it runs."""
    for hacker in sorted(hackers):
        if attacks.is_alive(resolution.board, id):
            _hack_in_contact(resolution, hacker, id, touches)
    if not attacks.is_alive(resolution.board, id):
        return
    attacks.end_contacts(resolution, id)
    _run(resolution, id, reason_kind)


def _hack_in_contact(resolution: Resolution, hacker: int, id: int, touches: Iterable[Touch]) -> None:
    """C-14: the models in contact that are alive strike at the models that they touch."""
    unit = resolution.unit(hacker)
    touched = formation.targets_by_model(touches, hacker)
    own = {model: [pair for pair in pairs if pair[0] == id] for model, pairs in touched.items()}
    strikers = attacks.living_strikers(unit, {model: pairs for model, pairs in own.items() if pairs})
    if strikers:
        attacks.hack(resolution, unit, resolution.unit(id), strikers, "contact")


def _run(resolution: Resolution, id: int, reason_kind: FlightReason) -> None:
    """Run straight away from the nearest enemy, past others, to the first free cell at or beyond the movement."""
    unit = resolution.unit(id)
    enemy = position.nearest_enemy(resolution.board, unit)
    if enemy is None:
        return  # C-14: there is nobody to flee from
    facing = position.facing_towards(enemy.cell, unit.cell)
    reasons = (*because(RULES[reason_kind]), *because("C-14", cells=resolution.board.profile(unit).movement))
    resolution.emit(events.FlightBegan(id, reason_kind, enemy.id, facing, reasons))
    end, passed = flight_line(resolution, resolution.unit(id))
    for number in passed:
        if attacks.is_alive(resolution.board, id):
            attacks.hack_in_passing(resolution, resolution.unit(number), resolution.unit(id), "passing")
    if not attacks.is_alive(resolution.board, id):
        return
    if end is None:
        resolution.emit(events.UnitRouted(id, "left_the_field", because("C-14")))
    else:
        resolution.emit(events.UnitFled(id, *end, because("C-14")))


def flight_line(resolution: Resolution, unit: Unit) -> tuple[Cell | None, list[int]]:
    """Return where a fleeing unit ends, None if off the field, and the enemies that it passes, by number."""
    board, taken = resolution.board, position.occupied(resolution.board)
    dx, dy = position.AHEAD[unit.facing]
    passed: list[int] = []
    cell, gone = unit.cell, 0
    while True:
        cell, gone = (cell[0] + dx, cell[1] + dy), gone + 1
        if not position.is_on_field(board, cell):
            return None, sorted(passed)
        other = taken.get(cell)
        is_free = other is None and not position.is_obstacle(board, cell)  # C-31: nobody ends on an obstacle
        if is_free and gone >= board.profile(unit).movement:
            return cell, sorted(passed)
        if other is not None and board.side(other) != board.side(unit):
            passed.append(other.id)


# ---------------------------------------------------------------- pursuit


def pursue(resolution: Resolution, id: int, broken: Iterable[int]) -> None:
    """Let a winner pursue the first unit that broke from it and is still on the field (C-15)."""
    unit, board = resolution.unit(id), resolution.board
    fleers = [number for number in sorted(broken) if board.units[number].is_fielded]
    if not fleers or not unit.is_fielded or position.is_in_melee(board, unit):
        return
    target = resolution.unit(fleers[0])
    drawn = resolution.dice.roll("number_dice", 6, 2, "pursuit")
    pursuit = drawn.results[0] + board.profile(unit).movement
    flight = drawn.results[1] + board.profile(target).movement
    is_caught = pursuit >= flight
    reasons = because("C-15", pursuit=pursuit, flight=flight)
    resolution.emit(events.PursuitRolled(id, target.id, pursuit, flight, is_caught, reasons, drawn))
    if is_caught:
        attacks.hack_in_passing(resolution, unit, target, "pursuit")
    _advance(resolution, unit, target.facing)


def _advance(resolution: Resolution, unit: Unit, facing: events.Facing) -> None:
    """C-15: a pursuer advances along the line of the flight, as far as the cells are free."""
    board, taken = resolution.board, position.occupied(resolution.board)
    (x, y), (dx, dy) = unit.cell, position.AHEAD[facing]
    for _ in range(board.profile(unit).movement // 2):
        cell = x + dx, y + dy
        if not position.is_on_field(board, cell) or not position.is_free(board, cell, taken):
            break
        x, y = cell
    resolution.emit(events.UnitPursued(unit.id, x, y, facing, because("C-15")))
