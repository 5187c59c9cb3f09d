"""The beginning of a game: the disks of the armies, edges, and initiative (R3.1, R3.2)."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import TypeVar

from diskwars_engine.ruleset import Dice, Illegal
from diskwars_engine.rulesets.diskwars import zones
from diskwars_engine.rulesets.diskwars.catalogue import Army, Catalogue, unspent_points
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.tasks import FirstPlayerTask
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat, seat_letter
from diskwars_protocol.rulesets.diskwars.actions import ChooseFirstPlayer, DiskwarsSettings, SetOrder
from diskwars_protocol.rulesets.diskwars.board import Board, fold
from diskwars_protocol.rulesets.diskwars.events import (
    ArmyDisk,
    ArmyIdentity,
    HandTaken,
    InitiativeRoll,
    InitiativeRolled,
    MatchStarted,
    OrderSet,
)
from diskwars_protocol.rulesets.diskwars.setup_cards import Scenario
from diskwars_protocol.rulesets.diskwars.setup_events import EdgesDrawn, SeatEdge

ROUNDS = 5
"""R4.1: rounds in a game."""

T = TypeVar("T")


def start(catalogue: Catalogue, settings: DiskwarsSettings, armies: Sequence[Army], dice: Dice) -> Resolution:
    """Record the figures and hands of a match, draw the edges, and roll for initiative."""
    started = _match_started(catalogue, settings, armies)
    resolution = Resolution(fold(None, started), dice)
    resolution.events.append(started)
    for seat, army in enumerate(armies):
        resolution.emit(HandTaken(seat, len(army.hand), army.hand))
    if settings.setup == "full":
        _draw_edges(resolution)
    winner = _roll_initiative(resolution, [unspent_points(army, catalogue.disks) for army in armies])
    resolution.push(FirstPlayerTask(winner))
    return resolution


def _match_started(catalogue: Catalogue, settings: DiskwarsSettings, armies: Sequence[Army]) -> MatchStarted:
    full = settings.setup == "full"
    names = list(dict.fromkeys(name for army in armies for name in army.disks))
    return MatchStarted(
        settings=settings,
        field=catalogue.field,
        battle_die=catalogue.battle_die,
        profiles=tuple(catalogue.disks[name] for name in names),
        # All cards of the packs: listing only those in play would reveal the hands.
        cards=tuple(catalogue.cards.values()),
        armies=tuple(ArmyIdentity(army.name or None, army.id or None) for army in armies),
        disks=tuple(ArmyDisk(seat, names.index(name)) for seat, army in enumerate(armies) for name in army.disks),
        zones=() if full else zones.quick_zones(catalogue.field, len(armies), settings.regiments),
        rounds=ROUNDS,
        scenarios=match_scenarios(catalogue, settings),
        deployments=_sorted_by_id(catalogue.deployments) if full else (),
        terrain=_sorted_by_id(catalogue.terrain) if full else (),
    )


def match_scenarios(catalogue: Catalogue, settings: DiskwarsSettings) -> tuple[Scenario, ...]:
    """Return the scenario cards of a match; a special scenario is the only one of its match (R-74)."""
    if settings.setup != "full":
        return ()
    if settings.special_scenario != "none":
        return (catalogue.special_scenarios[settings.special_scenario],)
    return _sorted_by_id(catalogue.scenarios)


def _sorted_by_id(named: Mapping[str, T]) -> tuple[T, ...]:
    """Sort entries by id, because the order of a deck must not depend on how a pack was read."""
    return tuple(named[name] for name in sorted(named))


def _draw_edges(resolution: Resolution) -> None:
    """Draw the edges of all seats at random; no seat chooses (R19.3).

    With three players the first of the edges is the squeezed one (R18.2.1).
    """
    available = zones.EDGES_BY_SEAT_COUNT[len(resolution.board.sides)]
    dice = resolution.dice.shuffle(len(available), "edges")
    edges = tuple(SeatEdge(side.seat, available[dice.results.index(side.seat)]) for side in resolution.board.sides)
    resolution.emit(EdgesDrawn(edges, dice, (Reason("R19.3"),)))


def _roll_initiative(resolution: Resolution, spare: Sequence[int]) -> Seat:
    """Roll a d6 plus unspent recruitment points for each seat, and return the winner (R3.2).

    R-69: seats that tie for the highest sum roll again.
    """
    rolling = list(range(len(spare)))
    while True:
        dice = resolution.dice.roll("number_dice", 6, len(rolling), "initiative")
        rolls = tuple(InitiativeRoll(seat, face, spare[seat]) for seat, face in zip(rolling, dice.results, strict=True))
        sums = {roll.seat: roll.face + roll.unspent for roll in rolls}
        highest = tuple(seat for seat in rolling if sums[seat] == max(sums.values()))
        reasons = (Reason("R3.2", {"highest": max(sums.values())}),)
        resolution.emit(InitiativeRolled(rolls, dice, highest, reasons))
        if len(highest) == 1:
            return highest[0]
        rolling = list(highest)


def choose_first(resolution: Resolution, action: ChooseFirstPlayer) -> None:
    """Set the first player that the winner of the roll has chosen (R3.2). Raises `Illegal`."""
    seats = len(resolution.board.sides)
    if not 0 <= action.seat < seats:
        raise Illegal("not_legal", f"there are seats A to {seat_letter(seats - 1)}", "R3.2", "$.action.seat")
    order = tuple((action.seat + n) % seats for n in range(seats))
    resolution.emit(OrderSet(order, (Reason("R3.2"),)))


def set_order(resolution: Resolution, action: SetOrder) -> None:
    """Set the whole order that the winner of the roll has chosen, with three or four players (R18.1).

    Raises `Illegal`.
    """
    if action.order not in possible_orders(resolution.board):
        names = ", ".join(map(seat_letter, sorted(possible_orders(resolution.board)[0])))
        raise Illegal("not_legal", f"an order names each of the seats {names} once", "R18.1", "$.action.order")
    resolution.emit(OrderSet(action.order, (Reason("R18.1"),)))


def possible_orders(board: Board) -> list[tuple[Seat, ...]]:
    """List every order in which the seats may play."""
    return list(permutations(side.seat for side in board.sides))
