"""Positions of the pit as text, both ways: one line for each part of the board, `kind field value ...`.

    field width 12 height 12 rounds 12 round 3 active_seat 1 phase melee order 1,0
    weapon id sword name Sword pierce 3
    profile id captain name Captain rank leader movement 6 ...
    card id guard copies 2 hero defence
    wall x0 4 y0 3 x1 4 y1 8
    task kind break_through side 0 zone 11,0,11,11 count 3
    seat rout_losses 3 losses 1
    fighter seat 0 profile captain at 4,4 status dazed
    combat fighters 0,5,6
    fighting id 0 waiting 5,6 fighter 0 attacks 5/sword,6/hammer

Fields with their default are left out, and of a fighter also what is as its profile says. Texts with spaces are quoted.
"""

from msgspec.structs import replace

from diskwars_protocol.match.tasks import ScenarioArea
from diskwars_protocol.rulesets.pit.actions import Attack
from diskwars_protocol.rulesets.pit.board import CombatState, Fighter, PitBoard, PitSeat
from diskwars_protocol.rulesets.pit.stats import FighterProfile, ImprovementCard, Weapon
from diskwars_text.struct_lines import (
    NOTHING,
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
    value_text,
    write_fields,
    write_line,
    write_structs,
)
from diskwars_text.task_text import read_task, task_lines

_PARTS = ("profiles", "weapons", "deck", "fighters", "seats", "combats", "combat", "walls", "task")
"""Fields of the board that have lines of their own."""
_TAKEN_FROM_PROFILE = ("wounds", "melee", "agility", "morale", "attacks", "injury", "pierce", "defence")

# ---------------------------------------------------------------- writing


def format_position(board: PitBoard) -> str:
    """Return a board as text."""
    lines = [
        write_line("field", write_fields(board, without=_PARTS)),
        *write_structs("weapon", board.weapons),
        *write_structs("profile", board.profiles),
        *write_structs("card", board.deck),
        *write_structs("wall", board.walls),
        *task_lines(board.task),
        *write_structs("seat", board.seats),
        *(_fighter_line(board, fighter) for fighter in board.fighters),
        *(f"combat fighters {list_text(group)}" for group in board.combats),
    ]
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
    parts = read_parts(text, _READERS)
    return PitBoard(
        **first_part(parts, "field"),
        profiles=tuple(parts["profile"]),
        weapons=tuple(parts["weapon"]),
        deck=tuple(parts["card"]),
        fighters=tuple(parts["fighter"]),
        seats=tuple(parts["seat"]),
        walls=tuple(parts["wall"]),
        task=next(iter(parts["task"]), None),
        combats=tuple(parts["combat"]),
        combat=next(iter(parts["fighting"]), None),
    )


def _fighter(given: dict[str, str], parts: Parts) -> Fighter:
    place = place_of(given.pop("profile"), "profile", parts)
    x, y = read_numbers(given.pop("at"))
    fresh = _fresh_fighter(len(parts["fighter"]), int(given.pop("seat")), place, parts["profile"][place])
    return replace(fresh, x=x, y=y, **read_fields(Fighter, given))


def _fighting(given: dict[str, str], parts: Parts) -> CombatState:
    attacks = []
    for word in given.get("attacks", "").split(",") if "attacks" in given else ():
        target, _, weapon = word.partition("/")
        attacks.append(Attack(int(target), None if weapon == NOTHING else weapon))
    fighter = int(given["fighter"]) if "fighter" in given else None
    return CombatState(int(given["id"]), read_numbers(given["waiting"]), fighter, tuple(attacks))


_READERS: dict[str, PartReader] = {
    "field": fields_reader(PitBoard),
    "weapon": struct_reader(Weapon),
    "profile": struct_reader(FighterProfile),
    "card": struct_reader(ImprovementCard),
    "wall": struct_reader(ScenarioArea),
    "task": read_task,
    "seat": struct_reader(PitSeat),
    "fighter": _fighter,
    "combat": lambda given, parts: read_numbers(given["fighters"]),
    "fighting": _fighting,
}
