"""The board of close quarters, and its fold."""

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from diskwars_protocol.identifiers import IdText
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from diskwars_protocol.rulesets.close_quarters import events
from diskwars_protocol.rulesets.close_quarters.actions import Coordinate, ModelId, ModelMove, SideId, UnitId
from diskwars_protocol.rulesets.close_quarters.events import CloseQuartersEvent, Phase, RemovalReason
from diskwars_protocol.rulesets.close_quarters.stats import Barricade, MeleeWeapon, RangedWeapon, UnitProfile
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero

HITS_PER_MARKER = 6
ModelStatus: TypeAlias = RemovalReason | Literal["standing", "lost"]
"""A lost model fell back off the table."""
CombatStep: TypeAlias = Literal["shoot", "melee", "consolidate"]


class Model(Struct, frozen=True, gc=False, omit_defaults=True):
    """A model; its centre is in hundredths of an inch."""

    id: ModelId
    unit: UnitId
    x: Coordinate
    y: Coordinate
    is_leader: bool = False
    status: ModelStatus = "standing"

    @property
    def is_standing(self) -> bool:
        return self.status == "standing"


class Unit(Struct, frozen=True, gc=False, omit_defaults=True):
    """A unit.

    `hit_counter` is 0 to 5. `is_doubled` says that it moved at the double in its last action, `has_fallen_back` that it
    fell back in this turn, `has_acted` that it has acted in this action phase.
    """

    id: UnitId
    side: SideId
    seat: Seat
    profile: AtLeastZero
    markers: AtLeastZero = 0
    hit_counter: AtLeastZero = 0
    is_doubled: bool = False
    has_fallen_back: bool = False
    has_acted: bool = False


class WeaponChoice(Struct, frozen=True, gc=False):
    """The melee weapon that a model uses."""

    model: ModelId
    weapon: IdText


class Loss(Struct, frozen=True, gc=False, omit_defaults=True):
    """Casualties that are being picked: `casualties` of `eligible` fall, `picked` are named already.

    The attacker picks first after a six; `is_attacker_done` says that this is over.
    """

    unit: UnitId
    casualties: AtLeastOne
    eligible: tuple[ModelId, ...]
    sixes: AtLeastZero
    picked: tuple[ModelId, ...] = ()
    is_attacker_done: bool = False


class CombatState(Struct, frozen=True, gc=False, omit_defaults=True):
    """The close combat of this turn.

    `units` are in it. `attacker` is the side that attacks in this `cycle`, which is 0 before the first. `waiting` are
    the units that have still to be asked in this phase; `unit` is the one that acts, with its next `step`.
    `source` is the unit whose hits are being resolved, and `is_melee` how it made them: `pools` have to be spread,
    `pending` to be saved, and of one unit a `loss` to be picked.
    """

    attacker: SideId
    units: tuple[UnitId, ...]
    cycle: AtLeastZero = 0
    waiting: tuple[UnitId, ...] = ()
    unit: UnitId | None = None
    step: CombatStep = "shoot"
    weapons: tuple[WeaponChoice, ...] = ()
    source: UnitId | None = None
    is_melee: bool = False
    pools: tuple[events.HitPool, ...] = ()
    pending: tuple[events.UnitHits, ...] = ()
    loss: Loss | None = None


class CloseQuartersBoard(Struct, frozen=True, gc=False, omit_defaults=True):
    """Everything on the table.

    Lengths are hundredths of an inch. `turn` counts the turns of the match; `turns` are those of each side.
    `active_unit` acts in the action phase. `sides` are the seats of each side; those in `withdrawn` have resigned, and
    have passed their units to the other player of it.
    """

    width: Coordinate
    height: Coordinate
    turns: AtLeastOne
    profiles: tuple[UnitProfile, ...]
    ranged_weapons: tuple[RangedWeapon, ...]
    melee_weapons: tuple[MeleeWeapon, ...]
    sides: tuple[tuple[Seat, ...], ...]
    units: tuple[Unit, ...]
    models: tuple[Model, ...]
    order: tuple[SideId, ...] = ()
    turn: AtLeastZero = 0
    phase: Phase = "action"
    active_unit: UnitId | None = None
    combat: CombatState | None = None
    withdrawn: tuple[Seat, ...] = ()
    barricade: Barricade | None = None
    high_ground: tuple[ScenarioArea, ...] = ()
    task: BattleTask | None = None
    slow_start: bool = False

    @property
    def side(self) -> SideId:
        """The side whose turn it is."""
        return self.order[(self.turn - 1) % len(self.order)]

    @property
    def round(self) -> int:
        """The number of turns of the side, this one included."""
        return (self.turn + len(self.order) - 1) // len(self.order) if self.order else 0

    def profile(self, unit: Unit) -> UnitProfile:
        return self.profiles[unit.profile]

    def ranged_weapon(self, unit: Unit) -> RangedWeapon | None:
        """Return what the models of a unit fire; None if nothing."""
        wanted = self.profile(unit).ranged_weapon
        return next((weapon for weapon in self.ranged_weapons if weapon.id == wanted), None)

    def melee_weapon(self, id: str) -> MeleeWeapon:
        """Raises `KeyError` for an unknown id."""
        for weapon in self.melee_weapons:
            if weapon.id == id:
                return weapon
        raise KeyError(id)


def fold(board: CloseQuartersBoard | None, event: CloseQuartersEvent) -> CloseQuartersBoard:
    """Return the board after one more event. Needs no rules: every event says what is so afterwards."""
    if board is None:
        if not isinstance(event, events.CloseQuartersMatchStarted):
            raise ValueError("a match of close quarters begins with match_started")
        return _start(event)
    match event:
        case events.CloseQuartersMatchStarted():
            raise ValueError("the match has begun already")
        case events.TurnOrderSet(order=order):
            return replace(board, order=order)
        case events.TurnBegan(side=side, turn=turn):
            return _begin_turn(board, side, turn)
        case events.PhaseBegan():
            return _begin_phase(board, event)
        case events.SeatWithdrew(seat=seat, to_seat=to):
            return _pass_command(board, seat, to)
        case events.CombatBegan(attacker=attacker, units=units):
            return replace(board, combat=CombatState(attacker, units))
        case events.CombatEnded():
            return replace(board, combat=None)
        case events.UnitMoved(moves=moves) | events.UnitConsolidated(moves=moves):
            return _fold_unit_event(_place(board, moves), event)
        case events.UnitFellBack(moves=moves, models_lost=lost):
            return _fold_unit_event(_remove(_place(board, moves), lost, "lost"), event)
        case events.ModelsRemoved(models=models, reason_kind=reason):
            return _fold_combat_event(_remove(board, models, reason), event)
        case events.UnitActivated() | events.MarkersChanged() | events.UnitHeld():
            return _fold_unit_event(board, event)
        case events.HitsCounted():
            return _fold_combat_event(_fold_unit_event(board, event), event)
        case events.TurnOrderRolled() | events.LeadershipTested() | events.SavesRolled() | events.KillsRolled():
            return board
        case _:
            return _fold_combat_event(board, event)


def _start(event: events.CloseQuartersMatchStarted) -> CloseQuartersBoard:
    units = (Unit(number, start.side, start.seat, start.profile) for number, start in enumerate(event.units))
    models = (Model(number, start.unit, start.x, start.y, start.is_leader) for number, start in enumerate(event.models))
    return CloseQuartersBoard(
        event.width,
        event.height,
        event.turns,
        event.profiles,
        event.ranged_weapons,
        event.melee_weapons,
        event.sides,
        tuple(units),
        tuple(models),
        barricade=event.barricade,
        high_ground=event.high_ground,
        task=event.task,
        slow_start=event.slow_start,
    )


def _begin_turn(board: CloseQuartersBoard, side: SideId, turn: int) -> CloseQuartersBoard:
    """Begin a turn: units that fell back may act again, and the last action of the units of the side is over."""
    units = tuple(
        replace(unit, has_fallen_back=False, has_acted=False, is_doubled=unit.is_doubled and unit.side != side)
        for unit in board.units
    )
    return replace(board, units=units, turn=turn, phase="action", active_unit=None, combat=None)


def _begin_phase(board: CloseQuartersBoard, event: events.PhaseBegan) -> CloseQuartersBoard:
    combat = board.combat
    if combat is not None:
        combat = replace(combat, waiting=event.units, unit=None)
    return replace(board, phase=event.phase, active_unit=None, combat=combat)


def _pass_command(board: CloseQuartersBoard, seat: Seat, to: Seat) -> CloseQuartersBoard:
    units = tuple(replace(unit, seat=to) if unit.seat == seat else unit for unit in board.units)
    return replace(board, units=units, withdrawn=(*board.withdrawn, seat))


# ---------------------------------------------------------------- units and models

UnitEvent: TypeAlias = (
    events.UnitActivated
    | events.MarkersChanged
    | events.UnitHeld
    | events.UnitMoved
    | events.UnitFellBack
    | events.UnitConsolidated
    | events.HitsCounted
)


def _fold_unit_event(board: CloseQuartersBoard, event: UnitEvent) -> CloseQuartersBoard:
    unit = board.units[event.unit]
    match event:
        case events.UnitActivated():
            return replace(board, active_unit=unit.id)
        case events.MarkersChanged(markers=markers):
            return _with_unit(board, replace(unit, markers=markers))
        case events.HitsCounted(hit_counter=counter, markers=markers):
            return _with_unit(board, replace(unit, hit_counter=counter, markers=markers))
        case events.UnitHeld():
            return replace(_with_unit(board, replace(unit, has_acted=True)), active_unit=None)
        case events.UnitMoved(is_doubled=doubled):
            return replace(_with_unit(board, replace(unit, has_acted=True, is_doubled=doubled)), active_unit=None)
        case events.UnitFellBack():
            board = _with_unit(board, replace(unit, has_acted=True, has_fallen_back=True))
            return replace(board, active_unit=None, combat=_without_unit(board.combat, unit.id))
        case events.UnitConsolidated():
            return replace(board, combat=_with_unit_done(board.combat, unit.id))


def _with_unit(board: CloseQuartersBoard, unit: Unit) -> CloseQuartersBoard:
    return replace(board, units=(*board.units[: unit.id], unit, *board.units[unit.id + 1 :]))


def _place(board: CloseQuartersBoard, moves: Iterable[ModelMove]) -> CloseQuartersBoard:
    changed = {move.model: replace(board.models[move.model], x=move.x, y=move.y) for move in moves}
    return _with_models(board, changed)


def _remove(board: CloseQuartersBoard, models: Iterable[ModelId], status: ModelStatus) -> CloseQuartersBoard:
    """Take models off the table, and units without models out of the combat."""
    board = _with_models(board, {id: replace(board.models[id], status=status) for id in models})
    combat = board.combat
    if combat is None:
        return board
    alive = {model.unit for model in board.models if model.is_standing}
    for unit in combat.units:
        if unit not in alive:
            combat = _without_unit(combat, unit)
    return replace(board, combat=combat)


def _with_models(board: CloseQuartersBoard, changed: Mapping[ModelId, Model]) -> CloseQuartersBoard:
    if not changed:
        return board
    return replace(board, models=tuple(changed.get(model.id, model) for model in board.models))


# ---------------------------------------------------------------- the combat

CombatEvent: TypeAlias = (
    events.UnitsJoinedCombat
    | events.DefensiveFireDeclared
    | events.DefensiveFireLost
    | events.ShotsFired
    | events.WeaponChosen
    | events.MeleeRolled
    | events.HitsSplit
    | events.HitsCounted
    | events.AllocationRolled
    | events.CasualtiesPicked
    | events.ModelsRemoved
    | events.CycleBegan
    | events.UnitChosen
)


def _fold_combat_event(board: CloseQuartersBoard, event: CombatEvent) -> CloseQuartersBoard:
    combat = board.combat
    if combat is None:
        if isinstance(event, events.ModelsRemoved):
            return board
        raise ValueError("there is no close combat")
    match event:
        case events.CycleBegan(cycle=cycle, attacker=attacker, units=units):
            combat = CombatState(attacker, combat.units, cycle, waiting=units)
            return replace(board, phase="cycle", combat=combat)
        case events.UnitsJoinedCombat(units=units):
            combat = replace(combat, units=tuple(sorted((*combat.units, *units))))
        case events.DefensiveFireDeclared(unit=unit) | events.DefensiveFireLost(unit=unit):
            combat = _with_unit_done(combat, unit)
        case events.UnitChosen(unit=unit):
            waiting = tuple(other for other in combat.waiting if other != unit)
            combat = replace(combat, unit=unit, step="shoot", waiting=waiting, weapons=())
        case events.WeaponChosen(model=model, weapon=weapon):
            combat = replace(combat, weapons=(*combat.weapons, WeaponChoice(model, weapon)))
        case _:
            combat = _fold_hits(combat, event)
    return replace(board, combat=combat)


def _fold_hits(
    combat: CombatState,
    event: events.ShotsFired
    | events.MeleeRolled
    | events.HitsSplit
    | events.HitsCounted
    | events.AllocationRolled
    | events.CasualtiesPicked
    | events.ModelsRemoved,
) -> CombatState:
    match event:
        case events.ShotsFired(unit=unit, targets=targets):
            return replace(combat, step="melee", source=unit, is_melee=False, pending=targets)
        case events.MeleeRolled(unit=unit, targets=targets, pools=pools):
            return replace(combat, step="consolidate", source=unit, is_melee=True, pending=targets, pools=pools)
        case events.HitsSplit(targets=targets):
            return replace(combat, pending=targets, pools=combat.pools[1:])
        case events.HitsCounted(unit=unit):
            return replace(combat, pending=tuple(target for target in combat.pending if target.unit != unit))
        case events.AllocationRolled():
            loss = Loss(event.unit, event.casualties, event.eligible, event.sixes, is_attacker_done=not event.sixes)
            return replace(combat, loss=loss)
        case events.CasualtiesPicked(models=models) if combat.loss is not None:
            picked = (*combat.loss.picked, *models)
            return replace(combat, loss=replace(combat.loss, picked=picked, is_attacker_done=True))
        case events.CasualtiesPicked():
            raise ValueError("no casualties are to be picked")
        case events.ModelsRemoved(unit=unit):
            has_fallen = combat.loss is not None and combat.loss.unit == unit
            return replace(combat, loss=None) if has_fallen else combat


def _with_unit_done(combat: CombatState | None, unit: UnitId) -> CombatState | None:
    """Return the combat without a unit among those that have still to be asked."""
    if combat is None:
        return None
    waiting = tuple(other for other in combat.waiting if other != unit)
    return replace(combat, waiting=waiting, unit=None if combat.unit == unit else combat.unit)


def _without_unit(combat: CombatState | None, unit: UnitId) -> CombatState | None:
    """Return the combat without a unit that has left it."""
    if combat is None:
        return None
    combat = replace(combat, units=tuple(other for other in combat.units if other != unit))
    if combat.loss is not None and combat.loss.unit == unit:
        combat = replace(combat, loss=None)
    return _with_unit_done(combat, unit)
