"""Positions of the pit as text, both ways: one line for each part of the board, `kind field value ...`.

    field width 12 height 12 rounds 12 round 3 active_seat 1 phase melee order 1,0
    weapon id sword name Sword pierce 3
    profile id captain name Captain rank leader movement 6 ...
    card id guard copies 2 hero defence
    side rout_losses 3 losses 1
    fighter seat 0 profile captain at 4,4 status dazed
    combat fighters 0,5,6
    fighting id 0 waiting 5,6 fighter 0 attacks 5/sword,6/hammer

Fields with their default are left out, and of a fighter also what is as its profile says. Texts with spaces are quoted.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from diskwars_protocol.rulesets.pit.actions import Attack
from diskwars_protocol.rulesets.pit.board import CombatState, Fighter, PitBoard, Side
from diskwars_protocol.rulesets.pit.stats import FighterProfile, ImprovementCard, Weapon
from diskwars_text.struct_lines import (
    NOTHING,
    PositionError,
    list_text,
    read_fields,
    read_numbers,
    read_struct,
    split_line,
    value_text,
    write_fields,
    write_line,
)

_PARTS = ("profiles", "weapons", "deck", "fighters", "sides", "combats", "combat")
"""Fields of the board that have lines of their own."""
_TAKEN_FROM_PROFILE = ("wounds", "melee", "agility", "morale", "attacks", "injury", "pierce", "defence")

# ---------------------------------------------------------------- writing


def format_position(board: PitBoard) -> str:
    """Return a board as text."""
    lines = [write_line("field", write_fields(board, without=_PARTS))]
    lines += [write_line("weapon", write_fields(weapon)) for weapon in board.weapons]
    lines += [write_line("profile", write_fields(profile)) for profile in board.profiles]
    lines += [write_line("card", write_fields(card)) for card in board.deck]
    lines += [write_line("side", write_fields(side)) for side in board.sides]
    lines += [_fighter_line(board, fighter) for fighter in board.fighters]
    lines += [f"combat fighters {list_text(group)}" for group in board.combats]
    if board.combat is not None:
        lines.append(_fighting_line(board.combat))
    return "\n".join(lines) + "\n"


def _fighter_line(board: PitBoard, fighter: Fighter) -> str:
    profile = board.profile(fighter)
    base = _fresh_fighter(fighter.id, fighter.seat, fighter.profile, profile)
    written = {"seat": str(fighter.seat), "profile": profile.id, "at": f"{fighter.x},{fighter.y}"}
    for name in fighter.__struct_fields__:
        if name not in ("id", "seat", "profile", "x", "y") and getattr(fighter, name) != getattr(base, name):
            written[name] = value_text(getattr(fighter, name))
    return write_line("fighter", written)


def _fresh_fighter(number: int, seat: int, place: int, profile: FighterProfile) -> Fighter:
    taken = {name: getattr(profile, name) for name in _TAKEN_FROM_PROFILE}
    return Fighter(id=number, seat=seat, profile=place, x=0, y=0, wound_limit=profile.wounds, **taken)


def _fighting_line(combat: CombatState) -> str:
    written = {"id": str(combat.id), "waiting": list_text(combat.waiting)}
    if combat.fighter is not None:
        written["fighter"] = str(combat.fighter)
    attacks = tuple(f"{attack.target}/{attack.weapon or NOTHING}" for attack in combat.declared)
    if attacks:
        written["attacks"] = list_text(attacks)
    return write_line("fighting", written)


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
        kind, given = split_line(line)
        match kind:
            case "":
                return
            case "combat":
                self._lists["combats"].append(read_numbers(given["fighters"]))
            case "field":
                self._field = read_fields(PitBoard, given)
            case "weapon":
                self._lists["weapons"].append(read_struct(Weapon, given))
            case "profile":
                self._lists["profiles"].append(read_struct(FighterProfile, given))
            case "card":
                self._lists["deck"].append(read_struct(ImprovementCard, given))
            case "side":
                self._lists["sides"].append(read_struct(Side, given))
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
        x, y = read_numbers(given.pop("at"))
        fresh = _fresh_fighter(number, int(given.pop("seat")), place, self._lists["profiles"][place])
        return replace(fresh, x=x, y=y, **read_fields(Fighter, given))

    def board(self) -> PitBoard:
        if self._field is None:
            raise PositionError("line 1: a position needs a line `field`")
        parts: dict[str, Any] = {name: tuple(found) for name, found in self._lists.items()}
        fighting = parts.pop("combat")
        return PitBoard(**self._field, **parts, combat=fighting[0] if fighting else None)


def _combat(given: Mapping[str, str]) -> CombatState:
    attacks = []
    for word in given.get("attacks", "").split(",") if "attacks" in given else ():
        target, _, weapon = word.partition("/")
        attacks.append(Attack(int(target), None if weapon == NOTHING else weapon))
    fighter = int(given["fighter"]) if "fighter" in given else None
    return CombatState(int(given["id"]), read_numbers(given["waiting"]), fighter, tuple(attacks))
