"""Positions of close quarters as text, both ways: one line for each part of the board, `kind field value ...`.

    table width 2400 height 1600 turns 3 order 0,1 turn 2 phase cycle
    ranged_weapon id pistol name Pistol rate_of_fire 1 strength 3 armour_piercing 2 one_handed yes
    melee_weapon id blade name Blade attacks 1 armour_piercing 2
    profile id raiders name Raiders movement_inches 6 ...
    barricade x0 1200 y0 400 x1 1200 y1 1200
    hill x0 1000 y0 500 x1 1400 y1 1100
    task kind hold side 0 count 1 zone 1000,500,1400,1100
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

from diskwars_protocol.match.tasks import ScenarioArea
from diskwars_protocol.rulesets.close_quarters.board import (
    CloseQuartersBoard,
    CombatState,
    Loss,
    Model,
    Unit,
    WeaponChoice,
)
from diskwars_protocol.rulesets.close_quarters.events import Hit, HitPool, UnitHits
from diskwars_protocol.rulesets.close_quarters.stats import Barricade, MeleeWeapon, RangedWeapon, UnitProfile
from diskwars_text.struct_lines import (
    PartReader,
    Parts,
    fields_reader,
    first_part,
    list_text,
    place_of,
    read_numbers,
    read_parts,
    read_struct,
    struct_reader,
    write_fields,
    write_line,
    write_structs,
)
from diskwars_text.task_text import read_task, task_lines

_GROUND = ("combat", "barricade", "high_ground", "task")
_TABLE_PARTS = ("profiles", "ranged_weapons", "melee_weapons", "sides", "units", "models", *_GROUND)
_COMBAT_PARTS = ("weapons", "pools", "pending", "loss")
"""Fields that have lines of their own."""


# ---------------------------------------------------------------- writing


def format_position(board: CloseQuartersBoard) -> str:
    """Return a board as text."""
    lines = [
        write_line("table", write_fields(board, without=_TABLE_PARTS)),
        *write_structs("ranged_weapon", board.ranged_weapons),
        *write_structs("melee_weapon", board.melee_weapons),
        *write_structs("profile", board.profiles),
        *write_structs("barricade", () if board.barricade is None else (board.barricade,)),
        *write_structs("hill", board.high_ground),
        *task_lines(board.task),
        *(write_line("side", {"seats": list_text(seats)}) for seats in board.sides),
        *(_unit_line(board, unit) for unit in board.units),
        *(_model_line(model) for model in board.models),
    ]
    return "\n".join([*lines, *(_combat_lines(board.combat) if board.combat is not None else ())]) + "\n"


def _unit_line(board: CloseQuartersBoard, unit: Unit) -> str:
    return write_line("unit", {**write_fields(unit, without=("id",)), "profile": board.profile(unit).id})


def _model_line(model: Model) -> str:
    words = {"unit": str(model.unit), "at": f"{model.x},{model.y}"}
    return write_line("model", {**words, **write_fields(model, without=("id", "unit", "x", "y"))})


def _combat_lines(combat: CombatState) -> list[str]:
    return [
        write_line("combat", write_fields(combat, without=_COMBAT_PARTS)),
        *write_structs("weapon", combat.weapons),
        *(_hits_line("pool", {"models": list_text(pool.models)}, pool.hits) for pool in combat.pools),
        *(
            _hits_line("hits", {"unit": str(target.unit), "eligible": list_text(target.eligible)}, target.hits)
            for target in combat.pending
        ),
        *write_structs("loss", () if combat.loss is None else (combat.loss,)),
    ]


def _hits_line(kind: str, written: dict[str, str], hits: Iterable[Hit]) -> str:
    hit_text = list_text(f"{hit.model}/{hit.strength}/{hit.armour_piercing}" for hit in hits)
    return write_line(kind, {**written, "hits": hit_text})


# ---------------------------------------------------------------- reading


def parse_position(text: str) -> CloseQuartersBoard:
    """Return the board that a text describes. Raises PositionError."""
    parts = read_parts(text, _READERS)
    return CloseQuartersBoard(
        **first_part(parts, "table"),
        profiles=tuple(parts["profile"]),
        ranged_weapons=tuple(parts["ranged_weapon"]),
        melee_weapons=tuple(parts["melee_weapon"]),
        sides=tuple(parts["side"]),
        units=tuple(parts["unit"]),
        models=tuple(parts["model"]),
        combat=_combat(parts) if parts["combat"] else None,
        barricade=next(iter(parts["barricade"]), None),
        high_ground=tuple(parts["hill"]),
        task=next(iter(parts["task"]), None),
    )


def _combat(parts: Parts) -> CombatState:
    return CombatState(
        **first_part(parts, "combat"),
        weapons=tuple(parts["weapon"]),
        pools=tuple(parts["pool"]),
        pending=tuple(parts["hits"]),
        loss=next(iter(parts["loss"]), None),
    )


def _unit(given: dict[str, str], parts: Parts) -> Unit:
    place = place_of(given.pop("profile"), "profile", parts)
    return read_struct(Unit, {**given, "id": str(len(parts["unit"])), "profile": str(place)})


def _model(given: dict[str, str], parts: Parts) -> Model:
    x, y = read_numbers(given.pop("at"))
    return read_struct(Model, {**given, "id": str(len(parts["model"])), "x": str(x), "y": str(y)})


def _hits(given: Mapping[str, str]) -> tuple[Hit, ...]:
    words = given["hits"].split(",") if given["hits"] != "-" else []
    return tuple(Hit(*(int(number) for number in word.split("/"))) for word in words)


_READERS: dict[str, PartReader] = {
    "table": fields_reader(CloseQuartersBoard),
    "ranged_weapon": struct_reader(RangedWeapon),
    "melee_weapon": struct_reader(MeleeWeapon),
    "profile": struct_reader(UnitProfile),
    "barricade": struct_reader(Barricade),
    "hill": struct_reader(ScenarioArea),
    "task": read_task,
    "side": lambda given, parts: read_numbers(given["seats"]),
    "unit": _unit,
    "model": _model,
    "combat": fields_reader(CombatState),
    "weapon": struct_reader(WeaponChoice),
    "pool": lambda given, parts: HitPool(_hits(given), read_numbers(given["models"])),
    "hits": lambda given, parts: UnitHits(int(given["unit"]), _hits(given), read_numbers(given["eligible"])),
    "loss": struct_reader(Loss),
}
