"""Determinization for search bots: completes a seat's view of a board at random (R19.26).

Hidden from a seat are other players' hands, locked cards and objectives, and the scenario cards that the last player
drew. Everything else is public.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from diskwars_engine.ruleset import RandomSource
from diskwars_engine.rulesets.diskwars.catalogue import Army
from diskwars_engine.rulesets.diskwars.setup.scenarios import CARDS_DRAWN
from diskwars_protocol.match.ids import Viewer
from diskwars_protocol.records.fairness import SALT_BYTES
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars.board import Board, Side

T = TypeVar("T")


def determinize(board: Board, viewer: Viewer, armies: Iterable[Army], rng: RandomSource) -> Board:
    """Replace everything hidden in a viewer's board by random values that are consistent with what the viewer sees.

    `armies` are the starter armies, whose hands are printed.
    """
    sides = [_with_cards(board, side, armies, rng) for side in board.sides]
    sides = [_with_drawn_scenarios(board, side, rng) for side in sides]
    return replace(board, sides=tuple(_with_objectives(board, sides, rng)))


# ---------------------------------------------------------------- command cards


def _with_cards(board: Board, side: Side, armies: Iterable[Army], rng: RandomSource) -> Side:
    if not isinstance(side.hand, Sealed):
        return side
    hand = _hand(board, side, armies, rng)
    if not side.has_locked:
        return replace(side, hand=hand)
    salt = "".join(f"{rng.randrange(256):02x}" for _ in range(SALT_BYTES))
    return replace(side, hand=hand, locked_card=hand[rng.randrange(len(hand))], locked_salt=salt)


def _hand(board: Board, side: Side, armies: Iterable[Army], rng: RandomSource) -> tuple[str, ...]:
    """Return a hand of the right size: that of a starter army if it fits, else cards that the army may hold.

    Cards that the player has shown are left out.
    """
    shown = {*side.discards, side.revealed_card}
    army = next((army for army in armies if side.army and army.id == side.army.id), None)
    if army is not None:
        # A starter army has its printed hand, and no other army may use its name.
        printed = [card for card in army.hand if card not in shown]
        if len(printed) == side.card_count:
            return tuple(printed)
    heroes = [board.profile(disk.id) for disk in board.disks if disk.seat == side.seat]
    factions = {hero.faction for hero in heroes if hero.kind == "hero"}
    # R2.6 each card once, and of the faction of a hero
    allowed = [card.id for card in board.cards if card.id not in shown and card.faction in {None, *factions}]
    return tuple(_sample(allowed, side.card_count, rng))


# ---------------------------------------------------------------- scenario cards


def _with_drawn_scenarios(board: Board, side: Side, rng: RandomSource) -> Side:
    """Fill in the two scenario cards that the last player has drawn; the active one was among them (R3.3.1)."""
    if not isinstance(side.drawn_scenarios, Sealed):
        return side
    active = board.layout.active_scenario
    chosen = [] if active is None else [active]
    cards = [scenario.id for scenario in board.layout.scenarios if scenario.id != active]
    drawn = [*chosen, *_sample(cards, CARDS_DRAWN - len(chosen), rng)]
    return replace(side, drawn_scenarios=tuple(_sample(drawn, CARDS_DRAWN, rng)))


def _with_objectives(board: Board, sides: Sequence[Side], rng: RandomSource) -> list[Side]:
    """Fill in the objectives of other seats from the scenario cards that are not accounted for."""
    known = {side.objective for side in sides}
    active = board.layout.active_scenario
    hidden = [side.seat for side in sides if isinstance(side.objective, Sealed)]
    if board.settings.special_scenario != "none" and active is not None:
        dealt = [active] * len(hidden)  # a special scenario is everybody's objective
    else:
        deck = [card.id for card in board.layout.scenarios if card.id not in known and card.id != active]
        dealt = _sample(deck, len(hidden), rng)
    objectives = dict(zip(hidden, dealt, strict=True))
    return [replace(side, objective=objectives.get(side.seat, side.objective)) for side in sides]


def _sample(items: Sequence[T], count: int, rng: RandomSource) -> list[T]:
    """Return `count` different items in any order. Raises `ValueError` when there are fewer."""
    left = list(items)
    if count > len(left):
        raise ValueError(f"{count} cards are hidden, but only {len(left)} could be among them")
    return [left.pop(rng.randrange(len(left))) for _ in range(count)]
