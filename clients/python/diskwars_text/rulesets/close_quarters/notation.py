"""Positions of close quarters as text, both ways: one line for each part of the board, `kind field value ...`.

    table width 2400 height 1600 turns 3 order 0,1 turn 2 phase cycle
    ranged_weapon id pistol name Pistol rate_of_fire 1 strength 3 armour_piercing 2 one_handed yes
    melee_weapon id blade name Blade attacks 1 armour_piercing 2
    profile id raiders name Raiders movement 6 ...
    side seats 0,2
    unit side 0 seat 0 profile raiders markers 2
    model unit 0 at 600,500 is_leader yes
    combat attacker 0 units 0,2 cycle 1 unit 0 step melee source 0
    weapon model 3 weapon axe
    pool models 4,7 hits 0/3/2,0/3/2
    hits unit 2 eligible 5,6 hits 0/3/2
    loss unit 2 casualties 1 eligible 5,6 sixes 0

A hit is model/strength/armour piercing. Fields with their default are left out; texts with spaces are quoted.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from diskwars_protocol.rulesets.close_quarters.board import (
    CloseQuartersBoard,
    CombatState,
    Loss,
    Model,
    Unit,
    WeaponChoice,
)
from diskwars_protocol.rulesets.close_quarters.events import Hit, HitPool, UnitHits
from diskwars_protocol.rulesets.close_quarters.stats import MeleeWeapon, RangedWeapon, UnitProfile
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

_TABLE_PARTS = ("profiles", "ranged_weapons", "melee_weapons", "sides", "units", "models", "combat")
_COMBAT_PARTS = ("weapons", "pools", "pending", "loss")
"""Fields that have lines of their own."""


# ---------------------------------------------------------------- writing


def format_position(board: CloseQuartersBoard) -> str:
    """Return a board as text."""
    lines = [write_line("table", write_fields(board, without=_TABLE_PARTS))]
    lines += [write_line("ranged_weapon", write_fields(weapon)) for weapon in board.ranged_weapons]
    lines += [write_line("melee_weapon", write_fields(weapon)) for weapon in board.melee_weapons]
    lines += [write_line("profile", write_fields(profile)) for profile in board.profiles]
    lines += [write_line("side", {"seats": list_text(seats)}) for seats in board.sides]
    lines += [_unit_line(board, unit) for unit in board.units]
    lines += [_model_line(model) for model in board.models]
    if board.combat is not None:
        lines += _combat_lines(board.combat)
    return "\n".join(lines) + "\n"


def _unit_line(board: CloseQuartersBoard, unit: Unit) -> str:
    return write_line("unit", {**write_fields(unit, without=("id",)), "profile": board.profile(unit).id})


def _model_line(model: Model) -> str:
    said = {"unit": str(model.unit), "at": f"{model.x},{model.y}"}
    return write_line("model", {**said, **write_fields(model, without=("id", "unit", "x", "y"))})


def _combat_lines(combat: CombatState) -> list[str]:
    lines = [write_line("combat", write_fields(combat, without=_COMBAT_PARTS))]
    lines += [write_line("weapon", write_fields(choice)) for choice in combat.weapons]
    lines += [
        write_line("pool", {"models": list_text(pool.models), "hits": _hits_text(pool.hits)}) for pool in combat.pools
    ]
    lines += [
        write_line("hits", {"unit": str(one.unit), "eligible": list_text(one.eligible), "hits": _hits_text(one.hits)})
        for one in combat.pending
    ]
    return [*lines, *([write_line("loss", write_fields(combat.loss))] if combat.loss is not None else [])]


def _hits_text(hits: Iterable[Hit]) -> str:
    return list_text(f"{hit.model}/{hit.strength}/{hit.armour_piercing}" for hit in hits)


# ---------------------------------------------------------------- reading


def parse_position(text: str) -> CloseQuartersBoard:
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
        self._table: dict[str, Any] | None = None
        self._combat: dict[str, Any] | None = None
        self._lists: dict[str, list[Any]] = {name: [] for name in (*_TABLE_PARTS[:-1], *_COMBAT_PARTS)}

    def read_line(self, line: str) -> None:
        kind, given = split_line(line)
        match kind:
            case "":
                return
            case "table":
                self._table = read_fields(CloseQuartersBoard, given)
            case "ranged_weapon":
                self._lists["ranged_weapons"].append(read_struct(RangedWeapon, given))
            case "melee_weapon":
                self._lists["melee_weapons"].append(read_struct(MeleeWeapon, given))
            case "profile":
                self._lists["profiles"].append(read_struct(UnitProfile, given))
            case "side":
                self._lists["sides"].append(read_numbers(given["seats"]))
            case "unit":
                self._lists["units"].append(self._unit(given))
            case "model":
                self._lists["models"].append(self._model(given))
            case _:
                self._read_combat_line(kind, given)

    def _read_combat_line(self, kind: str, given: dict[str, str]) -> None:
        match kind:
            case "combat":
                self._combat = read_fields(CombatState, given)
            case "weapon":
                self._lists["weapons"].append(read_struct(WeaponChoice, given))
            case "pool":
                self._lists["pools"].append(HitPool(_hits(given), read_numbers(given["models"])))
            case "hits":
                found = UnitHits(int(given["unit"]), _hits(given), read_numbers(given["eligible"]))
                self._lists["pending"].append(found)
            case "loss":
                self._lists["loss"].append(read_struct(Loss, given))
            case _:
                raise ValueError(f"unknown kind of line: {kind!r}")

    def _unit(self, given: dict[str, str]) -> Unit:
        ids = [profile.id for profile in self._lists["profiles"]]
        name = given.pop("profile")
        if name not in ids:
            raise ValueError(f"there is no profile {name!r} above this line")
        return Unit(
            **read_fields(Unit, {**given, "id": str(len(self._lists["units"])), "profile": str(ids.index(name))})
        )

    def _model(self, given: dict[str, str]) -> Model:
        x, y = read_numbers(given.pop("at"))
        said = {**given, "id": str(len(self._lists["models"])), "x": str(x), "y": str(y)}
        return read_struct(Model, said)

    def board(self) -> CloseQuartersBoard:
        if self._table is None:
            raise PositionError("line 1: a position needs a line `table`")
        lists: dict[str, Any] = {name: tuple(found) for name, found in self._lists.items()}
        parts = {name: lists.pop(name) for name in _COMBAT_PARTS}
        parts["loss"] = parts["loss"][0] if parts["loss"] else None
        combat = None if self._combat is None else CombatState(**self._combat, **parts)
        return CloseQuartersBoard(**self._table, **lists, combat=combat)


def _hits(given: Mapping[str, str]) -> tuple[Hit, ...]:
    words = given["hits"].split(",") if given["hits"] != "-" else []
    return tuple(Hit(*(int(number) for number in word.split("/"))) for word in words)
