"""The board of regiments, and its fold."""

from typing import TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from diskwars_protocol.records.sealed import HIDDEN, Sealed
from diskwars_protocol.rulesets.regiments import events
from diskwars_protocol.rulesets.regiments.actions import Column, FileCount, RegimentsSettings, Row, UnitId, UnitOrder
from diskwars_protocol.rulesets.regiments.events import Contact, Facing, Phase, RegimentsEvent, Side, Status
from diskwars_protocol.rulesets.regiments.stats import UnitProfile, Weapon
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, Hex32

T = TypeVar("T")
ON_THE_FIELD: frozenset[Status] = frozenset({"steady", "fleeing"})


class Unit(Struct, frozen=True, gc=False, omit_defaults=True):
    """A unit. `models` are the wounds that each has left, rank by rank; 0 is a gap.

    `started` is how many models it began with. `has_charged` and `hit` say what has happened in this round.
    """

    id: UnitId
    seat: Seat
    profile: AtLeastZero
    x: Column
    y: Row
    facing: Facing
    files: FileCount
    models: tuple[AtLeastZero, ...]
    started: AtLeastOne
    status: Status = "steady"
    has_charged: bool = False
    hit: bool = False

    @property
    def is_fielded(self) -> bool:
        return self.status in ON_THE_FIELD

    @property
    def size(self) -> int:
        """The number of models that are alive."""
        return sum(1 for wounds in self.models if wounds)

    @property
    def cell(self) -> tuple[int, int]:
        return self.x, self.y


class OrdersLock(Struct, frozen=True, gc=False):
    """The orders that a seat has locked for this round, and the salt of their commitment; hidden from others."""

    seat: Seat
    orders: tuple[UnitOrder, ...] | Sealed
    salt: Hex32 | Sealed


class RegimentsBoard(Struct, frozen=True, gc=False, omit_defaults=True):
    """Everything on the table.

    `sides` are the seats of each side. `contacts` are the pairs of units that fight each other. `waiting` are the units
    that have not yet acted in this round, the next one first. `withdrawn` are the seats that have resigned.
    `locks` are the orders locked and not yet revealed, in the order of locking; `revealed_salts` are those of all
    orders revealed so far. `obstacles` and `task` are those of the scenario.
    """

    settings: RegimentsSettings
    width: AtLeastZero
    height: AtLeastZero
    rounds: AtLeastOne
    profiles: tuple[UnitProfile, ...]
    weapons: tuple[Weapon, ...]
    units: tuple[Unit, ...]
    sides: tuple[tuple[Seat, ...], ...]
    contacts: tuple[Contact, ...] = ()
    waiting: tuple[UnitId, ...] = ()
    round: AtLeastZero = 0
    phase: Phase = "orders"
    withdrawn: tuple[Seat, ...] = ()
    locks: tuple[OrdersLock, ...] = ()
    revealed_salts: tuple[Hex32, ...] = ()
    obstacles: tuple[ScenarioArea, ...] = ()
    task: BattleTask | None = None

    def profile(self, unit: Unit) -> UnitProfile:
        return self.profiles[unit.profile]

    def side(self, unit: Unit) -> Side:
        return self.side_of(unit.seat)

    def side_of(self, seat: Seat) -> Side:
        for side, seats in enumerate(self.sides):
            if seat in seats:
                return side
        raise ValueError(f"no side has seat {seat}")

    def weapon(self, id: str) -> Weapon:
        """Raises `KeyError` for an unknown id."""
        for weapon in self.weapons:
            if weapon.id == id:
                return weapon
        raise KeyError(id)


def fold(board: RegimentsBoard | None, event: RegimentsEvent) -> RegimentsBoard:
    """Return the board after one more event. Needs no rules: every event says what is so afterwards."""
    if board is None:
        if not isinstance(event, events.RegimentsMatchStarted):
            raise ValueError("a match of regiments begins with match_started")
        return _start(event)
    match event:
        case events.RegimentsMatchStarted():
            raise ValueError("the match has begun already")
        case events.RoundBegan(round=number):
            return replace(board, round=number)
        case events.PhaseBegan(phase=phase):
            return replace(board, phase=phase)
        case events.TurnOrderSet(order=order):
            return replace(board, waiting=order)
        case events.OrdersLocked(seat=seat, orders=orders, salt=salt):
            return replace(
                board, locks=(*board.locks, OrdersLock(seat, _without_digest(orders), _without_digest(salt)))
            )
        case events.OrdersRevealed(locks=locks):
            return replace(board, locks=(), revealed_salts=(*board.revealed_salts, *(lock.salt for lock in locks)))
        case events.UnitActed(unit=unit):
            return replace(board, waiting=tuple(other for other in board.waiting if other != unit))
        case events.ContactsEnded(contacts=ended):
            return replace(board, contacts=tuple(contact for contact in board.contacts if contact not in ended))
        case events.AttacksRolled(units_hit=hit) | events.HacksRolled(units_hit=hit):
            return _with_units(board, *(replace(board.units[id], hit=True) for id in hit))
        case events.UnitCharged(unit=charger, target=target):
            charged = _with_units(board, _fold_unit(board, event))
            return replace(charged, contacts=(*board.contacts, Contact(charger, target)))
        case events.RoundEnded():
            return _with_units(board, *(replace(unit, has_charged=False, hit=False) for unit in board.units))
        case events.SeatWithdrew(seat=seat, units=units):
            left = _with_units(board, *(replace(board.units[id], status="withdrawn") for id in units))
            return replace(left, withdrawn=(*board.withdrawn, seat))
        case (
            events.UnitMarched()
            | events.UnitReformed()
            | events.ModelsWounded()
            | events.UnitDestroyed()
            | events.FlightBegan()
            | events.UnitFled()
            | events.UnitRouted()
            | events.UnitPursued()
            | events.UnitRallied()
            | events.UnitRedressed()
        ):
            return _with_units(board, _fold_unit(board, event))
        case (
            events.SpeedRolled()
            | events.OrderReplaced()
            | events.FlankTested()
            | events.CombatsFixed()
            | events.CombatScored()
            | events.BreakTested()
            | events.PursuitRolled()
            | events.RoutTested()
            | events.RallyTested()
        ):
            return board


def _without_digest(value: T | Sealed) -> T | Sealed:
    """A state knows secrets, but no digests."""
    return HIDDEN if isinstance(value, Sealed) else value


def _start(event: events.RegimentsMatchStarted) -> RegimentsBoard:
    units = tuple(
        Unit(
            number,
            start.seat,
            start.profile,
            start.x,
            start.y,
            start.facing,
            start.files,
            models=(event.profiles[start.profile].wounds,) * start.models,
            started=start.models,
        )
        for number, start in enumerate(event.units)
    )
    return RegimentsBoard(
        event.settings,
        event.width,
        event.height,
        event.rounds,
        event.profiles,
        event.weapons,
        units,
        event.sides,
        obstacles=event.obstacles,
        task=event.task,
    )


def _with_units(board: RegimentsBoard, *changed: Unit) -> RegimentsBoard:
    units = list(board.units)
    for unit in changed:
        units[unit.id] = unit
    return replace(board, units=tuple(units))


UnitEvent: TypeAlias = (
    events.UnitCharged
    | events.UnitMarched
    | events.UnitReformed
    | events.ModelsWounded
    | events.UnitDestroyed
    | events.FlightBegan
    | events.UnitFled
    | events.UnitRouted
    | events.UnitPursued
    | events.UnitRallied
    | events.UnitRedressed
)


def _fold_unit(board: RegimentsBoard, event: UnitEvent) -> Unit:
    unit = board.units[event.unit]
    match event:
        case events.UnitCharged(x=x, y=y, facing=facing):
            return replace(unit, x=x, y=y, facing=facing, has_charged=True)
        case events.UnitMarched(x=x, y=y, facing=facing) | events.UnitPursued(x=x, y=y, facing=facing):
            return replace(unit, x=x, y=y, facing=facing)
        case events.UnitReformed(files=files):
            return replace(unit, files=files)
        case events.ModelsWounded(models=wounded):
            left = {state.model: state.wounds for state in wounded}
            return replace(unit, models=tuple(left.get(index, wounds) for index, wounds in enumerate(unit.models)))
        case events.UnitDestroyed():
            return replace(unit, status="destroyed")
        case events.FlightBegan(facing=facing):
            return replace(unit, status="fleeing", facing=facing)
        case events.UnitFled(x=x, y=y):
            return replace(unit, x=x, y=y)
        case events.UnitRouted():
            return replace(unit, status="routed")
        case events.UnitRallied(facing=facing):
            return replace(unit, status="steady", facing=facing)
        case events.UnitRedressed(models=models):
            return replace(unit, models=models)
