"""Boards of close quarters for tests, and what follows from answers on them."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from diskwars_content.rulesets.close_quarters import core_content
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.close_quarters import CloseQuarters, turns
from diskwars_engine.rulesets.close_quarters.resolution import Resolution
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard, CombatState, Model, Unit
from diskwars_protocol.rulesets.close_quarters.events import Hit, UnitHits
from diskwars_protocol.rulesets.close_quarters.stats import MeleeWeapon, RangedWeapon, UnitProfile
from tests.engine.rulesets.number_dice import NumberDice

CLOSE_QUARTERS = CloseQuarters(core_content())
FIGURES = {
    "movement_inches": 6,
    "awareness_inches": 12,
    "evasion": 3,
    "armour": 4,
    "toughness": 1,
    "leadership": 2,
    "nerve": 4,
    "ballistic_skill": 3,
    "weapon_skill": 4,
    "strength": 3,
}
"""The figures of a unit of these tests unless a test gives others."""
STATE = ("markers", "hit_counter", "is_doubled", "has_fallen_back", "has_acted")
WEAPONS = (
    MeleeWeapon("blade", "Blade", 1, 2),
    MeleeWeapon("two-blades", "Two blades", 2, 2),
    MeleeWeapon("axe", "Axe", 1, 4, weapon_skill=1, strength=2),
    MeleeWeapon("many", "Many blades", 12, 2),
)
GUNS = (
    RangedWeapon("pistol", "Pistol", 1, 3, 2, one_handed=True),
    RangedWeapon("carbine", "Carbine", 2, 4, 3),
    RangedWeapon("long-gun", "Long gun", 1, 4, 3),
    RangedWeapon("repeater", "Repeater", 5, 4, 3),
)
Point = tuple[int, int]


class Squad(Struct):
    """A unit of a test: its profile, and the points of its models. The first is the leader, unless there is none."""

    side: int
    points: Sequence[Point]
    profile: UnitProfile
    state: dict[str, Any]
    has_leader: bool
    seat: int


def squad(
    side: int,
    *points: Point,
    arms: tuple[str, ...] = ("blade",),
    leader_arms: tuple[str, ...] | None = None,
    gun: str | None = None,
    has_leader: bool = True,
    seat: int | None = None,
    **figures: Any,
) -> Squad:
    state = {key: figures.pop(key) for key in STATE if key in figures}
    profile = UnitProfile(
        id=f"unit-{side}",
        name="Unit",
        weapons=arms,
        leader_weapons=leader_arms or arms,
        ranged_weapon=gun,
        **{**FIGURES, **figures},
    )
    return Squad(side, points, profile, state, has_leader, side if seat is None else seat)


def lay_out(*squads: Squad, **board: Any) -> CloseQuartersBoard:
    """Return a board in the second turn of side 0, in the action phase; units and models are numbered in this order."""
    sides = 1 + max(squad.side for squad in squads)
    units = tuple(Unit(number, squad.side, squad.seat, number, **squad.state) for number, squad in enumerate(squads))
    places = [
        (number, point, squad.has_leader and place == 0)
        for number, squad in enumerate(squads)
        for place, point in enumerate(squad.points)
    ]
    models = tuple(Model(id, unit, x, y, is_leader) for id, (unit, (x, y), is_leader) in enumerate(places))
    profiles = tuple(replace(squad.profile, id=f"unit-{number}") for number, squad in enumerate(squads))
    seats = tuple(tuple(sorted({squad.seat for squad in squads if squad.side == side})) for side in range(sides))
    said: dict[str, Any] = {"order": tuple(range(sides)), "turn": sides + 1, **board}
    return CloseQuartersBoard(2400, 1600, 3, profiles, GUNS, WEAPONS, seats, units, models, **said)


def in_cycle(board: CloseQuartersBoard, unit: int = 0, step: Any = "shoot", **combat: Any) -> CloseQuartersBoard:
    """Return the board in a cycle of its combat, all units in it, in which a unit acts."""
    said = {"units": tuple(unit.id for unit in board.units), "cycle": 1, "unit": unit, "step": step, **combat}
    return replace(board, phase="cycle", combat=CombatState(board.units[unit].side, **said))


def at_the_end(board: CloseQuartersBoard, attacker: int = 0, **combat: Any) -> CloseQuartersBoard:
    """Return the board at the end of a cycle of its combat, in which all attackers have acted."""
    said = {"units": tuple(unit.id for unit in board.units), "cycle": 1, **combat}
    return replace(board, phase="cycle", combat=CombatState(attacker, **said))


def go_on(board: CloseQuartersBoard, dice: Iterable[int] = ()) -> Resolution:
    """Play on to the next question, with exactly these dice."""
    resolution = Resolution(board, NumberDice(dice))
    turns.play_on(resolution)
    finish(resolution)
    return resolution


def finish(resolution: Resolution) -> None:
    """Check that every die of the script was used."""
    assert isinstance(resolution.dice, NumberDice)
    resolution.dice.finish()


def decide(board: CloseQuartersBoard, action: Any, dice: Iterable[int] = ()) -> CloseQuartersBoard:
    """Answer the open question, with exactly these dice, and return the board."""
    after: CloseQuartersBoard = outcome(board, action, dice).board
    return after


def outcome(board: CloseQuartersBoard, action: Any, dice: Iterable[int] = ()) -> Any:
    """Answer the open question, with exactly these dice, and return all that follows."""
    ((seat, question),) = CLOSE_QUARTERS.questions(board)
    thrown = NumberDice(dice)
    result = CLOSE_QUARTERS.decide(board, seat, question, action, thrown)
    thrown.finish()
    return result


def refusal(board: CloseQuartersBoard, action: Any) -> Illegal:
    """Return why an answer to the open question is refused."""
    try:
        outcome(board, action)
    except Illegal as illegal:
        return illegal
    raise AssertionError(f"{action} is accepted")


def question_of(board: CloseQuartersBoard) -> tuple[int, str]:
    ((seat, question),) = CLOSE_QUARTERS.questions(board)
    return seat, str(question.__struct_config__.tag)


def options_of(board: CloseQuartersBoard) -> Any:
    ((seat, question),) = CLOSE_QUARTERS.questions(board)
    return CLOSE_QUARTERS.options(board, seat, question)


def default_of(board: CloseQuartersBoard) -> Any:
    ((seat, question),) = CLOSE_QUARTERS.questions(board)
    return CLOSE_QUARTERS.default(board, seat, question, NumberDice())


def kept_out(board: CloseQuartersBoard) -> list[tuple[int | None, int | None, str]]:
    """Return unit, model and rule of all that is not offered."""
    ((seat, question),) = CLOSE_QUARTERS.questions(board)
    return [(entry.unit, entry.model, entry.rule) for entry in CLOSE_QUARTERS.unavailable(board, seat, question)]


def tags(events: Iterable[Any]) -> list[str]:
    """Return the tags of events."""
    return [str(event.__struct_config__.tag) for event in events]


def tagged(events: Iterable[Any], tag: str) -> list[Any]:
    """Return the events with a tag."""
    return [event for event in events if event.__struct_config__.tag == tag]


def find(events: Iterable[Any], tag: str) -> Any:
    """Return the first event with a tag."""
    return next(event for event in events if event.__struct_config__.tag == tag)


def rules_of(event: Any) -> list[str]:
    return [reason.rule for reason in event.reasons]


def status(board: CloseQuartersBoard, unit: int) -> tuple[int, int]:
    """Return markers and hit counter of a unit."""
    return board.units[unit].markers, board.units[unit].hit_counter


def fallen(board: CloseQuartersBoard) -> list[int]:
    return [model.id for model in board.models if not model.is_standing]


def hits(unit: int, count: int, eligible: Iterable[int], strength: int = 3, armour_piercing: int = 2) -> UnitHits:
    """Return hits by model 0 on a unit that are to be saved."""
    return UnitHits(unit, (Hit(0, strength, armour_piercing),) * count, tuple(eligible))


def column(x: int, y: int, count: int) -> tuple[Point, ...]:
    """Return points one above the other, far enough apart not to touch."""
    return tuple((x, y + 120 * place) for place in range(count))
