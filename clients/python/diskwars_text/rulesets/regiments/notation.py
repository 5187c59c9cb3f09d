"""Positions of regiments as text, both ways: one line for each part of the board, `kind field value ...`.

    field width 10 height 8 rounds 15 waiting 1,4,0 round 3 phase orders
    side seats 0,2
    settings scenario field-trial flank_test yes break_die d12
    weapon id hand name 'Hand weapon'
    profile id foot name Foot movement 4 ...
    unit seat 0 profile foot at 1,3 facing east files 5 models 20x1 started 20
    contact charger 1 target 3
    obstacle x0 4 y0 3 x1 5 y1 4
    task kind hold side 0 count 1 zone 4,3,5,4
    lock seat 0 orders 0:march:forward:left,1:charge:3,2:hold salt 2b..., or `hidden` for both

Fields with their default are left out. `models` are the wounds that each has left, `20x1` for twenty of one wound.
Texts with spaces are quoted.
"""

from itertools import groupby

import msgspec

from diskwars_protocol.match.tasks import ScenarioArea
from diskwars_protocol.records.sealed import HIDDEN, Sealed
from diskwars_protocol.rulesets.regiments.actions import March, RegimentsSettings, UnitOrder
from diskwars_protocol.rulesets.regiments.board import OrdersLock, RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Contact
from diskwars_protocol.rulesets.regiments.stats import UnitProfile, Weapon
from diskwars_text.struct_lines import (
    PartReader,
    Parts,
    fields_reader,
    first_part,
    list_text,
    place_of,
    read_fields,
    read_numbers,
    read_parts,
    struct_reader,
    write_fields,
    write_line,
    write_structs,
)
from diskwars_text.task_text import read_task, task_lines

_PARTS = ("settings", "sides", "profiles", "weapons", "units", "contacts", "locks", "obstacles", "task")
"""Fields of the board that have lines of their own."""
HIDDEN_TEXT = "hidden"


# ---------------------------------------------------------------- writing


def format_position(board: RegimentsBoard) -> str:
    """Return a board as text."""
    lines = [
        write_line("field", write_fields(board, without=_PARTS)),
        write_line("settings", write_fields(board.settings)),
        *(write_line("side", {"seats": list_text(seats)}) for seats in board.sides),
        *write_structs("weapon", board.weapons),
        *write_structs("profile", board.profiles),
        *(_unit_line(board, unit) for unit in board.units),
        *write_structs("contact", board.contacts),
        *map(_lock_line, board.locks),
        *write_structs("obstacle", board.obstacles),
        *task_lines(board.task),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _lock_line(lock: OrdersLock) -> str:
    orders = HIDDEN_TEXT if isinstance(lock.orders, Sealed) else ",".join(map(_order_text, lock.orders))
    salt = HIDDEN_TEXT if isinstance(lock.salt, Sealed) else lock.salt
    return write_line("lock", {"seat": str(lock.seat), "orders": orders, "salt": salt})


def _order_text(unit_order: UnitOrder) -> str:
    """Return the unit, the order, and the fields of that, with colons."""
    tag, *details = (str(word) for word in msgspec.to_builtins(unit_order.order).values())
    if isinstance(unit_order.order, March):
        details = list(unit_order.order.path)
    return ":".join([str(unit_order.unit), tag, *details])


def _unit_line(board: RegimentsBoard, unit: Unit) -> str:
    words = {"seat": str(unit.seat), "profile": board.profile(unit).id, "at": f"{unit.x},{unit.y}"}
    models = ",".join(_run_text(wounds, len(list(run))) for wounds, run in groupby(unit.models)) or "-"
    others = write_fields(unit, without=("id", "seat", "profile", "x", "y", "models"))
    return write_line("unit", {**words, "models": models, **others})


def _run_text(wounds: int, count: int) -> str:
    return str(wounds) if count == 1 else f"{count}x{wounds}"


# ---------------------------------------------------------------- reading


def parse_position(text: str) -> RegimentsBoard:
    """Return the board that a text describes. Raises PositionError."""
    parts = read_parts(text, _READERS)
    return RegimentsBoard(
        **first_part(parts, "field"),
        settings=next(iter(parts["settings"]), RegimentsSettings()),
        sides=tuple(parts["side"]),
        profiles=tuple(parts["profile"]),
        weapons=tuple(parts["weapon"]),
        units=tuple(parts["unit"]),
        contacts=tuple(parts["contact"]),
        locks=tuple(parts["lock"]),
        obstacles=tuple(parts["obstacle"]),
        task=next(iter(parts["task"]), None),
    )


def _unit(given: dict[str, str], parts: Parts) -> Unit:
    place = place_of(given.pop("profile"), "profile", parts)
    x, y = read_numbers(given.pop("at"))
    models = _models(given.pop("models"))
    places = {"id": str(len(parts["unit"])), "profile": str(place), "x": str(x), "y": str(y)}
    return Unit(**read_fields(Unit, {"started": str(len(models)), **given, **places}), models=models)


def _lock(given: dict[str, str]) -> OrdersLock:
    orders, salt = given["orders"], given["salt"]
    known = HIDDEN if orders == HIDDEN_TEXT else tuple(map(_order, orders.split(",")))
    return OrdersLock(int(given["seat"]), known, HIDDEN if salt == HIDDEN_TEXT else salt)


def _order(text: str) -> UnitOrder:
    unit, tag, *details = text.split(":")
    fields: dict[str, object] = {"type": tag}
    match tag:
        case "march":
            fields["path"] = details
        case "charge":
            fields["target"] = int(details[0])
        case "reform":
            fields["files"] = int(details[0])
        case _:
            pass  # the others have no fields
    return msgspec.convert({"unit": int(unit), "order": fields}, UnitOrder)


def _models(text: str) -> tuple[int, ...]:
    """Return the wounds of each model; `3x2` are three models with two wounds left."""
    models: list[int] = []
    for word in text.split(",") if text != "-" else ():
        count, _, wounds = word.rpartition("x")
        models += [int(wounds)] * int(count or 1)
    return tuple(models)


_READERS: dict[str, PartReader] = {
    "field": fields_reader(RegimentsBoard),
    "settings": struct_reader(RegimentsSettings),
    "side": lambda given, parts: read_numbers(given["seats"]),
    "weapon": struct_reader(Weapon),
    "profile": struct_reader(UnitProfile),
    "unit": _unit,
    "contact": struct_reader(Contact),
    "lock": lambda given, parts: _lock(given),
    "obstacle": struct_reader(ScenarioArea),
    "task": read_task,
}
