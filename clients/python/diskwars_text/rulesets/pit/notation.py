"""Positions of the pit as text, both ways: one line for each part of the board, `kind field value ...`.

    field width 12 height 12 rounds 12 round 3 turn 0 phase melee order 1,0
    weapon id sword name Sword pierce 3
    profile id captain name Captain rank leader movement 6 ...
    card id guard copies 2 hero defence
    side rout_losses 3 lost 1
    fighter seat 0 profile captain at 4,4 status dazed
    combat 0,5,6
    fighting id 0 order 5,6 fighter 0 attacks 5/sword,6/hammer

Fields with their default are left out, and of a fighter also what is as its profile says. Texts with spaces are quoted.
"""

import shlex
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields, replace

from diskwars_protocol.rulesets.pit.actions import Attack
from diskwars_protocol.rulesets.pit.board import CombatState, Fighter, PitBoard, Side
from diskwars_protocol.rulesets.pit.stats import FighterProfile, ImprovementCard, Weapon

T = TypeVar("T", bound=Struct)

_PARTS = ("profiles", "weapons", "cards", "fighters", "sides", "combats", "combat")
"""Fields of the board that have lines of their own."""
_TAKEN_FROM_PROFILE = ("wounds", "melee", "agility", "morale", "attacks", "injury", "pierce", "defence")
_NOTHING = "-"


class PositionError(ValueError):
    """A text that is no position; the message begins with the number of the line."""


# ---------------------------------------------------------------- writing


def format_position(board: PitBoard) -> str:
    """Return a board as text."""
    lines = [_line("field", _written(board, without=_PARTS))]
    lines += [_line("weapon", _written(weapon)) for weapon in board.weapons]
    lines += [_line("profile", _written(profile)) for profile in board.profiles]
    lines += [_line("card", _written(card)) for card in board.cards]
    lines += [_line("side", _written(side)) for side in board.sides]
    lines += [_fighter_line(board, fighter) for fighter in board.fighters]
    lines += [f"combat {_list_text(group)}" for group in board.combats]
    if board.combat is not None:
        lines.append(_fighting_line(board.combat))
    return "\n".join(lines) + "\n"


def _line(kind: str, written: Mapping[str, str]) -> str:
    return " ".join([kind, *(f"{name} {shlex.quote(text)}" for name, text in written.items())])


def _written(struct: Struct, without: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the fields that differ from their default."""
    return {
        field.name: _value_text(getattr(struct, field.name))
        for field in fields(struct)
        if field.name not in without and (field.default is NODEFAULT or getattr(struct, field.name) != field.default)
    }


def _value_text(value: Any) -> str:
    if isinstance(value, tuple):
        return _list_text(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _NOTHING if value is None else str(value)


def _list_text(values: tuple[Any, ...]) -> str:
    return ",".join(map(str, values)) or _NOTHING


def _fighter_line(board: PitBoard, fighter: Fighter) -> str:
    profile = board.profile(fighter)
    base = _fresh_fighter(fighter.id, fighter.seat, fighter.profile, profile)
    written = {"seat": str(fighter.seat), "profile": profile.id, "at": f"{fighter.x},{fighter.y}"}
    for name in fighter.__struct_fields__:
        if name not in ("id", "seat", "profile", "x", "y") and getattr(fighter, name) != getattr(base, name):
            written[name] = _value_text(getattr(fighter, name))
    return _line("fighter", written)


def _fresh_fighter(number: int, seat: int, place: int, profile: FighterProfile) -> Fighter:
    taken = {name: getattr(profile, name) for name in _TAKEN_FROM_PROFILE}
    return Fighter(id=number, seat=seat, profile=place, x=0, y=0, wound_limit=profile.wounds, **taken)


def _fighting_line(combat: CombatState) -> str:
    written = {"id": str(combat.id), "order": _list_text(combat.order)}
    if combat.fighter is not None:
        written["fighter"] = str(combat.fighter)
    attacks = tuple(f"{attack.target}/{attack.weapon or _NOTHING}" for attack in combat.declared)
    if attacks:
        written["attacks"] = _list_text(attacks)
    return _line("fighting", written)


# ---------------------------------------------------------------- reading


def parse_position(text: str) -> PitBoard:
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
        self._lists: dict[str, list[Any]] = {name: [] for name in _PARTS}

    def read_line(self, line: str) -> None:
        kind, *words = shlex.split(line, comments=True) or [""]
        if kind == "":
            return
        if kind == "combat":
            self._lists["combats"].append(_numbers(words[0]))
            return
        if len(words) % 2:
            raise ValueError(f"{words[-1]!r} has no value")
        given = dict(zip(words[::2], words[1::2], strict=True))
        match kind:
            case "field":
                self._field = _values(PitBoard, given)
            case "weapon":
                self._lists["weapons"].append(_struct(Weapon, given))
            case "profile":
                self._lists["profiles"].append(_struct(FighterProfile, given))
            case "card":
                self._lists["cards"].append(_struct(ImprovementCard, given))
            case "side":
                self._lists["sides"].append(_struct(Side, given))
            case "fighter":
                self._lists["fighters"].append(self._fighter(given))
            case "fighting":
                self._lists["combat"].append(_combat(given))
            case _:
                raise ValueError(f"unknown kind of line: {kind!r}")

    def _fighter(self, given: dict[str, str]) -> Fighter:
        ids = [profile.id for profile in self._lists["profiles"]]
        name = given.pop("profile")
        if name not in ids:
            raise ValueError(f"there is no profile {name!r} above this line")
        number, place = len(self._lists["fighters"]), ids.index(name)
        x, y = _numbers(given.pop("at"))
        fresh = _fresh_fighter(number, int(given.pop("seat")), place, self._lists["profiles"][place])
        return replace(fresh, x=x, y=y, **_values(Fighter, given))

    def board(self) -> PitBoard:
        if self._field is None:
            raise PositionError("line 1: a position needs a line `field`")
        parts: dict[str, Any] = {name: tuple(found) for name, found in self._lists.items()}
        fighting = parts.pop("combat")
        return PitBoard(**self._field, **parts, combat=fighting[0] if fighting else None)


def _struct(kind: type[T], given: Mapping[str, str]) -> T:
    return kind(**_values(kind, given))


def _values(kind: type[Struct], given: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of fields from their texts. Raises ValueError."""
    types = {field.name: field.type for field in fields(kind)}
    unknown = sorted(set(given) - set(types))
    if unknown:
        raise ValueError(f"unknown field: {unknown[0]}")
    return {name: _value(types[name], text) for name, text in given.items()}


def _value(kind: Any, text: str) -> Any:
    """Return a value of the type of a field. Raises ValueError."""
    is_list = "tuple[" in str(kind)
    if is_list:
        return msgspec.convert([] if text == _NOTHING else text.split(","), kind, strict=False)
    said: Any = {_NOTHING: None, "yes": True, "no": False}.get(text, text)
    return msgspec.convert(said, kind, strict=False)


def _numbers(text: str) -> tuple[int, ...]:
    return () if text == _NOTHING else tuple(int(word) for word in text.split(","))


def _combat(given: Mapping[str, str]) -> CombatState:
    attacks = []
    for word in given.get("attacks", "").split(",") if "attacks" in given else ():
        target, _, weapon = word.partition("/")
        attacks.append(Attack(int(target), None if weapon == _NOTHING else weapon))
    fighter = int(given["fighter"]) if "fighter" in given else None
    return CombatState(int(given["id"]), _numbers(given["order"]), fighter, tuple(attacks))
