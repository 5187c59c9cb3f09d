"""Boards of regiments for tests."""

from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec.structs import replace

from diskwars_content.rulesets.regiments import core_content
from diskwars_engine.rulesets.regiments import Regiments, melee
from diskwars_engine.rulesets.regiments.resolution import Resolution
from diskwars_engine.rulesets.regiments.scenario import sides_of
from diskwars_protocol.rulesets.regiments.actions import RegimentsSettings
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import Contact
from diskwars_protocol.rulesets.regiments.stats import UnitProfile
from tests.engine.rulesets.number_dice import NumberDice

REGIMENTS = Regiments(core_content())
PROFILES = {profile.id: profile for profile in REGIMENTS.content.profiles}
T = TypeVar("T")

Placed = tuple[UnitProfile, dict[str, Any]]


def unit(
    kind: str,
    seat: int,
    x: int,
    y: int,
    facing: str,
    models: int | tuple[int, ...] = 20,
    files: int = 5,
    **changed: Any,
) -> Placed:
    """Return a profile, and what the unit on the board has; `changed` are figures, or fields of the unit.

    `models` are how many, or the wounds that each has left.
    """
    profile = PROFILES[kind]
    figures = {key: changed.pop(key) for key in list(changed) if key in profile.__struct_fields__}
    profile = replace(profile, **figures)
    left = models if isinstance(models, tuple) else (profile.wounds,) * models
    state = {"models": left, "started": len(left), **changed}
    return profile, {"seat": seat, "x": x, "y": y, "facing": facing, "files": files, **state}


def lay_out(
    *units: Placed, contacts: Iterable[tuple[int, int]] = (), settings: dict[str, Any] | None = None, **board: Any
) -> RegimentsBoard:
    """Return a board in round 2, in the phase of orders, with units numbered in this order. Contacts: charger, target.

    Seats 0 and 2 are in the west, 1 and 3 in the east.
    """
    seats = 1 + max(1, *(state["seat"] for _, state in units))
    said: dict[str, Any] = {"round": 2, "waiting": (0,), **board}
    return RegimentsBoard(
        settings=RegimentsSettings(**(settings or {})),
        width=10,
        height=8,
        rounds=15,
        profiles=tuple(profile for profile, _ in units),
        weapons=REGIMENTS.content.weapons,
        units=tuple(Unit(id=number, profile=number, **state) for number, (_, state) in enumerate(units)),
        sides=sides_of(seats),
        contacts=tuple(Contact(*pair) for pair in contacts),
        **said,
    )


def face_off(one: Placed, other: Placed, **board: Any) -> RegimentsBoard:
    """Return a board on which unit 0, facing east, has charged the front of unit 1, in cells (4, 4) and (5, 4)."""
    one[1].update(x=4, y=4, facing="east")
    other[1].update(x=5, y=4, facing="west")
    return lay_out(one, other, contacts=[(0, 1)], **board)


def playing(board: RegimentsBoard, dice: Iterable[int] = ()) -> Resolution:
    """Return a decision under way, with these dice."""
    return Resolution(board, NumberDice(dice))


def finish(resolution: Resolution) -> Resolution:
    """Check that every die of the script was used."""
    assert isinstance(resolution.dice, NumberDice)
    resolution.dice.finish()
    return resolution


def fight(board: RegimentsBoard, dice: Iterable[int]) -> Resolution:
    """Fight a round of melee with exactly these dice."""
    resolution = playing(board, dice)
    melee.fight(resolution)
    return finish(resolution)


def decide(board: RegimentsBoard, action: Any, dice: Iterable[int] = ()) -> Resolution:
    """Answer the open question, with exactly these dice, and return what followed."""
    ((seat, question),) = REGIMENTS.questions(board)
    thrown = NumberDice(dice)
    outcome = REGIMENTS.decide(board, seat, question, action, thrown)
    thrown.finish()
    resolution = Resolution(outcome.board, thrown)
    resolution.events = list(outcome.events)
    return resolution


def found(resolution: Resolution, kind: type[T]) -> list[T]:
    """Return the events of one kind."""
    return [event for event in resolution.events if isinstance(event, kind)]


def only(resolution: Resolution, kind: type[T]) -> T:
    """Return the only event of a kind."""
    (event,) = found(resolution, kind)
    return event


def tags(resolution: Resolution) -> list[str]:
    """Return the tags of all events."""
    return [str(event.__struct_config__.tag) for event in resolution.events]
