"""Positions of regiments as text, both ways: one line for each part of the board, `kind field value ...`.

    field width 10 height 8 rounds 15 waiting 1,4,0 round 3 phase orders
    side seats 0,2
    settings scenario field-trial flank_test yes break_die d12
    weapon id hand name 'Hand weapon'
    profile id foot name Foot movement 4 ...
    unit seat 0 profile foot at 1,3 facing east files 5 models 20x1 started 20
    contact charger 1 target 3

Fields with their default are left out. `models` are the wounds that each has left, `20x1` for twenty of one wound.
Texts with spaces are quoted.
"""

from itertools import groupby
from typing import Any

from diskwars_protocol.rulesets.regiments.actions import RegimentsSettings
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Contact
from diskwars_protocol.rulesets.regiments.stats import UnitProfile, Weapon
from diskwars_text.struct_lines import (
    PositionError,
    list_text,
    read_fields,
    read_numbers,
    read_struct,
    split_line,
    write_fields,
    write_line,
)

_PARTS = ("settings", "sides", "profiles", "weapons", "units", "contacts")
"""Fields of the board that have lines of their own."""


# ---------------------------------------------------------------- writing


def format_position(board: RegimentsBoard) -> str:
    """Return a board as text."""
    lines = [write_line("field", write_fields(board, without=_PARTS))]
    lines.append(write_line("settings", write_fields(board.settings)))
    lines += [write_line("side", {"seats": list_text(seats)}) for seats in board.sides]
    lines += [write_line("weapon", write_fields(weapon)) for weapon in board.weapons]
    lines += [write_line("profile", write_fields(profile)) for profile in board.profiles]
    lines += [_unit_line(board, unit) for unit in board.units]
    lines += [write_line("contact", write_fields(contact)) for contact in board.contacts]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _unit_line(board: RegimentsBoard, unit: Unit) -> str:
    said = {"seat": str(unit.seat), "profile": board.profile(unit).id, "at": f"{unit.x},{unit.y}"}
    models = ",".join(_run_text(wounds, len(list(run))) for wounds, run in groupby(unit.models)) or "-"
    others = write_fields(unit, without=("id", "seat", "profile", "x", "y", "models"))
    return write_line("unit", {**said, "models": models, **others})


def _run_text(wounds: int, count: int) -> str:
    return str(wounds) if count == 1 else f"{count}x{wounds}"


# ---------------------------------------------------------------- reading


def parse_position(text: str) -> RegimentsBoard:
    """Return the board that a text describes. Raises PositionError."""
    reader = _PositionReader()
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.read_line(line)
        except (ValueError, KeyError, IndexError, TypeError) as fault:
            raise PositionError(f"line {number}: {fault}") from None
    return reader.board()


class _PositionReader:
    def __init__(self) -> None:
        self._field: dict[str, Any] | None = None
        self._settings = RegimentsSettings()
        self._lists: dict[str, list[Any]] = {name: [] for name in _PARTS[1:]}

    def read_line(self, line: str) -> None:
        kind, given = split_line(line)
        match kind:
            case "":
                return
            case "field":
                self._field = read_fields(RegimentsBoard, given)
            case "settings":
                self._settings = read_struct(RegimentsSettings, given)
            case "side":
                self._lists["sides"].append(read_numbers(given["seats"]))
            case "weapon":
                self._lists["weapons"].append(read_struct(Weapon, given))
            case "profile":
                self._lists["profiles"].append(read_struct(UnitProfile, given))
            case "unit":
                self._lists["units"].append(self._unit(given))
            case "contact":
                self._lists["contacts"].append(read_struct(Contact, given))
            case _:
                raise ValueError(f"unknown kind of line: {kind!r}")

    def _unit(self, given: dict[str, str]) -> Unit:
        ids = [profile.id for profile in self._lists["profiles"]]
        name = given.pop("profile")
        if name not in ids:
            raise ValueError(f"there is no profile {name!r} above this line")
        x, y = read_numbers(given.pop("at"))
        models = _models(given.pop("models"))
        number = len(self._lists["units"])
        places = {"id": str(number), "profile": str(ids.index(name)), "x": str(x), "y": str(y)}
        said = {"started": str(len(models)), **given, **places}
        return Unit(**read_fields(Unit, said), models=models)

    def board(self) -> RegimentsBoard:
        if self._field is None:
            raise PositionError("line 1: a position needs a line `field`")
        lists: dict[str, Any] = {name: tuple(found) for name, found in self._lists.items()}
        return RegimentsBoard(**self._field, settings=self._settings, **lists)


def _models(text: str) -> tuple[int, ...]:
    """Return the wounds of each model; `3x2` are three models with two wounds left."""
    models: list[int] = []
    for word in text.split(",") if text != "-" else ():
        count, _, wounds = word.rpartition("x")
        models += [int(wounds)] * int(count or 1)
    return tuple(models)
