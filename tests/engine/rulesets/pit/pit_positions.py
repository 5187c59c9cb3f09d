"""Boards of the pit for tests, and what follows from answers on them."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from diskwars_content.rulesets.pit import core_content
from diskwars_engine.rulesets.pit import Pit
from diskwars_engine.rulesets.pit.attacks import resolve_target
from diskwars_engine.rulesets.pit.resolution import Resolution
from diskwars_protocol.rulesets.pit.actions import Attack
from diskwars_protocol.rulesets.pit.board import CombatState, Fighter, PitBoard, PitSeat
from diskwars_protocol.rulesets.pit.stats import FighterProfile
from tests.engine.rulesets.number_dice import NumberDice

PIT = Pit(core_content())
FIGURES = {"melee": 14, "defence": 18, "agility": 10, "morale": 10, "attacks": 1, "wounds": 1}
"""The figures of a fighter of these tests unless a test gives others."""


def fighter(seat: int, x: int, y: int, *weapons: str, **figures: Any) -> tuple[FighterProfile, dict[str, Any]]:
    """Return a profile, and what the fighter on the board has; `weapons` are ids, a dagger if there are none."""
    state: dict[str, Any] = {
        key: figures.pop(key) for key in ("status", "has_engaged", "has_acted", "promoted") if key in figures
    }
    printed: dict[str, Any] = {"rank": "henchman", "movement": 6, **FIGURES, **figures}
    arms = () if printed.get("natural_weapons") or printed.pop("unarmed", False) else weapons or ("dagger",)
    profile = FighterProfile(id="fighter", name="Fighter", weapons=arms, **printed)
    return profile, {"seat": seat, "x": x, "y": y, **state}


def lay_out(*fighters: tuple[FighterProfile, dict[str, Any]], **board: Any) -> PitBoard:
    """Return a board in round 2, in the melee phase of seat 0, with fighters numbered in this order."""
    content = core_content()
    seats = 1 + max(state["seat"] for _, state in fighters)
    placed = tuple(
        Fighter(
            id=number,
            profile=number,
            wounds=profile.wounds,
            wound_limit=profile.wounds,
            melee=profile.melee,
            defence=profile.defence,
            agility=profile.agility,
            morale=profile.morale,
            attacks=profile.attacks,
            injury=profile.injury,
            pierce=profile.pierce,
            **state,
        )
        for number, (profile, state) in enumerate(fighters)
    )
    said: dict[str, Any] = {
        "round": 2,
        "phase": "melee",
        "is_first_turn": False,
        "order": tuple(range(seats)),
        "active_seat": 0,
        **board,
    }
    return PitBoard(
        width=12,
        height=12,
        rounds=12,
        profiles=tuple(profile for profile, _ in fighters),
        weapons=content.weapons,
        deck=content.deck,
        fighters=placed,
        seats=tuple(PitSeat(sum(fighter.seat == seat for fighter in placed) // 2 + 1) for seat in range(seats)),
        cards_left=tuple(card.copies for card in content.deck),
        **said,
    )


def duel(*weapons: str, target: dict[str, Any] | None = None, **attacker: Any) -> PitBoard:
    """Return a board on which fighter 0 touches fighter 1, of the other seat."""
    return lay_out(fighter(0, 4, 4, *weapons, **attacker), fighter(1, 5, 4, **(target or {})))


def strike(board: PitBoard, dice: Iterable[int], *weapons: str, target: int = 1) -> Resolution:
    """Carry out attacks of fighter 0 on a target, one with each weapon (its first if none), with exactly these dice."""
    carried: tuple[str | None, ...] = weapons or board.profiles[0].weapons[:1] or (None,)
    attacks = tuple(Attack(target, weapon) for weapon in carried)
    everyone = tuple(range(len(board.fighters)))
    board = replace(board, combats=(everyone,), combat=CombatState(0, (), 0, attacks))
    resolution = Resolution(board, NumberDice(dice))
    resolve_target(resolution, 0, target, attacks)
    finish(resolution)
    return resolution


def finish(resolution: Resolution) -> None:
    """Check that every die of the script was used."""
    assert isinstance(resolution.dice, NumberDice)
    resolution.dice.finish()


def tags(resolution: Resolution) -> list[str]:
    """Return the tags of all events."""
    return [str(event.__struct_config__.tag) for event in resolution.events]


def decide(board: PitBoard, action: Any, dice: Iterable[int] = ()) -> PitBoard:
    """Answer the open question, with exactly these dice, and return the board."""
    ((seat, question),) = PIT.questions(board)
    thrown = NumberDice(dice)
    outcome = PIT.decide(board, seat, question, action, thrown)
    thrown.finish()
    return outcome.board
