"""The board of the pit, and its fold."""

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from diskwars_protocol.rulesets.pit import events
from diskwars_protocol.rulesets.pit.actions import Attack, CombatId, FighterId
from diskwars_protocol.rulesets.pit.events import Phase, PitEvent, Status
from diskwars_protocol.rulesets.pit.stats import FighterProfile, ImprovementCard, Rank, TargetNumber, Weapon
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero

ON_THE_FIELD: frozenset[Status] = frozenset({"ok", "staggered", "dazed", "stunned"})
DOWN: frozenset[Status] = frozenset({"dazed", "stunned"})


class Fighter(Struct, frozen=True, gc=False, omit_defaults=True):
    """A fighter. `wounds` are left, `new_wounds` count from the next combat on; other figures are those in force.

    `has_engaged` says that it engaged in this turn, `has_acted` that it has engaged or moved.
    """

    id: FighterId
    seat: Seat
    profile: AtLeastZero
    x: AtLeastZero
    y: AtLeastZero
    wounds: AtLeastZero
    melee: TargetNumber
    agility: TargetNumber
    morale: TargetNumber
    attacks: AtLeastOne
    wound_limit: AtLeastOne
    injury: AtLeastZero
    pierce: AtLeastZero
    defence: TargetNumber | None = None
    new_wounds: AtLeastZero = 0
    status: Status = "ok"
    promoted: bool = False
    has_engaged: bool = False
    has_acted: bool = False

    @property
    def is_fielded(self) -> bool:
        return self.status in ON_THE_FIELD

    @property
    def is_down(self) -> bool:
        """Whether it is dazed or stunned: it holds nobody and cannot act, but can be struck."""
        return self.status in DOWN


class CombatState(Struct, frozen=True, gc=False, omit_defaults=True):
    """The combat that is being fought.

    `waiting` have a slot still to come, in this order. `fighter` attacks now; `declared` are its attacks that are not
    yet rolled.
    """

    id: CombatId
    waiting: tuple[FighterId, ...]
    fighter: FighterId | None = None
    declared: tuple[Attack, ...] = ()


class PitSeat(Struct, frozen=True, gc=False, omit_defaults=True):
    """A seat: the losses from which it has to check morale, its losses so far, and whether it is out."""

    rout_losses: AtLeastZero
    losses: AtLeastZero = 0
    withdrawn: bool = False


class PitBoard(Struct, frozen=True, gc=False, omit_defaults=True):
    """Everything on the table.

    `active_seat` is the seat whose turn it is. `combats` are those of this turn by number, `fought`
    the numbers of those that are over. `cards_left` says how many of each card of `deck` are left. `is_first_turn`
    forbids engaging; `may_concede` says that a rout check has just been passed. `walls` and `task` are those of the
    scenario.
    """

    width: AtLeastZero
    height: AtLeastZero
    rounds: AtLeastOne
    profiles: tuple[FighterProfile, ...]
    weapons: tuple[Weapon, ...]
    deck: tuple[ImprovementCard, ...]
    fighters: tuple[Fighter, ...]
    seats: tuple[PitSeat, ...]
    cards_left: tuple[AtLeastZero, ...]
    order: tuple[Seat, ...] = ()
    round: AtLeastZero = 0
    active_seat: Seat | None = None
    phase: Phase = "upkeep"
    is_first_turn: bool = True
    may_concede: bool = False
    combats: tuple[tuple[FighterId, ...], ...] = ()
    fought: tuple[CombatId, ...] = ()
    combat: CombatState | None = None
    walls: tuple[ScenarioArea, ...] = ()
    task: BattleTask | None = None

    @property
    def seat(self) -> Seat:
        """The seat whose turn it is. Raises `ValueError` before the first turn."""
        if self.active_seat is None:
            raise ValueError("no turn has begun")
        return self.active_seat

    def profile(self, fighter: Fighter) -> FighterProfile:
        return self.profiles[fighter.profile]

    def rank(self, fighter: Fighter) -> Rank:
        """Return the rank of a fighter: a henchman that was promoted is a hero (A-17)."""
        return "hero" if fighter.promoted else self.profiles[fighter.profile].rank

    def weapon(self, id: str) -> Weapon:
        """Raises `KeyError` for an unknown id."""
        for weapon in self.weapons:
            if weapon.id == id:
                return weapon
        raise KeyError(id)


def fold(board: PitBoard | None, event: PitEvent) -> PitBoard:
    """Return the board after one more event. Needs no rules: every event says what is so afterwards."""
    if board is None:
        if not isinstance(event, events.PitMatchStarted):
            raise ValueError("a match of the pit begins with match_started")
        return _start(event)
    match event:
        case events.PitMatchStarted():
            raise ValueError("the match has begun already")
        case events.TurnOrderSet(order=order):
            return replace(board, order=order)
        case events.RoundBegan(round=number):
            return replace(board, round=number)
        case events.TurnBegan(seat=seat):
            return _begin_turn(board, seat)
        case events.PhaseBegan(phase=phase):
            return replace(board, phase=phase, may_concede=False)
        case events.SeatWithdrew(seat=seat):
            return _withdraw(board, seat)
        case events.CombatsFixed(combats=combats):
            return replace(board, combats=combats, fought=())
        case events.CombatBegan(combat=number, order=order):
            return replace(board, combat=CombatState(number, order))
        case events.CombatEnded(combat=number):
            return replace(board, combat=None, fought=(*board.fought, number))
        case events.ImprovementDrawn():
            return _draw(board, event)
        case events.SlotLost() | events.SlotTaken() | events.AttacksDeclared() | events.TargetResolved():
            return _fold_combat(board, event)
        case (
            events.StatusChanged()
            | events.FighterEngaged()
            | events.FighterMoved()
            | events.WoundsLost()
            | events.WoundsGained()
            | events.FighterInjured()
            | events.FighterImproved()
        ):
            return _change(board, _fold_fighter(board, event))
        case events.MoraleChecked(passed=passed):
            return replace(board, may_concede=passed)
        case (
            events.TurnOrderRolled()
            | events.AgilityRolled()
            | events.MeleeRolled()
            | events.DefenceRolled()
            | events.HitsDropped()
        ):
            return board


def _start(event: events.PitMatchStarted) -> PitBoard:
    fighters = tuple(
        _fighter(number, start, event.profiles[start.profile]) for number, start in enumerate(event.fighters)
    )
    return PitBoard(
        event.width,
        event.height,
        event.rounds,
        event.profiles,
        event.weapons,
        event.deck,
        fighters,
        tuple(PitSeat(losses) for losses in event.rout_losses),
        tuple(card.copies for card in event.deck),
        walls=event.walls,
        task=event.task,
    )


def _fighter(number: int, start: events.StartingFighter, profile: FighterProfile) -> Fighter:
    return Fighter(
        number,
        start.seat,
        start.profile,
        start.x,
        start.y,
        wounds=profile.wounds,
        melee=profile.melee,
        agility=profile.agility,
        morale=profile.morale,
        attacks=profile.attacks,
        wound_limit=profile.wounds,
        injury=profile.injury,
        pierce=profile.pierce,
        defence=profile.defence,
    )


def _begin_turn(board: PitBoard, seat: Seat) -> PitBoard:
    fighters = tuple(
        replace(fighter, has_engaged=False, has_acted=False) if fighter.has_engaged or fighter.has_acted else fighter
        for fighter in board.fighters
    )
    is_first = board.round == 1 and board.order[0] == seat
    return replace(
        board,
        active_seat=seat,
        fighters=fighters,
        is_first_turn=is_first,
        may_concede=False,
        phase="upkeep",
        combats=(),
        fought=(),
        combat=None,
    )


def _withdraw(board: PitBoard, seat: Seat) -> PitBoard:
    fighters = tuple(
        replace(fighter, status="withdrawn") if fighter.seat == seat and fighter.is_fielded else fighter
        for fighter in board.fighters
    )
    seats = (*board.seats[:seat], replace(board.seats[seat], withdrawn=True), *board.seats[seat + 1 :])
    return replace(board, fighters=fighters, seats=seats, combat=_without_withdrawn(board.combat, fighters))


def _without_withdrawn(combat: CombatState | None, fighters: tuple[Fighter, ...]) -> CombatState | None:
    """Return the combat without attacks by and on fighters that have left the field."""
    if combat is None or combat.fighter is None:
        return combat
    if not fighters[combat.fighter].is_fielded:
        return replace(combat, fighter=None, declared=())
    left = tuple(attack for attack in combat.declared if fighters[attack.target].is_fielded)
    return replace(combat, declared=left, fighter=None if combat.declared and not left else combat.fighter)


def _draw(board: PitBoard, event: events.ImprovementDrawn) -> PitBoard:
    full = tuple(card.copies for card in board.deck)
    left = full if event.reshuffled else board.cards_left
    return replace(
        board,
        cards_left=tuple(count - (card.id == event.card) for card, count in zip(board.deck, left, strict=True)),
    )


def _fold_combat(
    board: PitBoard, event: events.SlotLost | events.SlotTaken | events.AttacksDeclared | events.TargetResolved
) -> PitBoard:
    combat = board.combat
    if combat is None:
        raise ValueError("no combat is being fought")
    match event:
        case events.SlotLost(fighter=id):
            waiting = tuple(other for other in combat.waiting if other != id)
            combat = replace(combat, waiting=waiting, fighter=None if combat.fighter == id else combat.fighter)
        case events.SlotTaken(fighter=id):
            combat = replace(combat, fighter=id, waiting=tuple(other for other in combat.waiting if other != id))
        case events.AttacksDeclared(attacks=attacks):
            combat = replace(combat, declared=attacks)
        case events.TargetResolved(target=target):
            left = tuple(attack for attack in combat.declared if attack.target != target)
            combat = replace(combat, declared=left, fighter=combat.fighter if left else None)
    return replace(board, combat=combat)


FighterEvent: TypeAlias = (
    events.StatusChanged
    | events.FighterEngaged
    | events.FighterMoved
    | events.WoundsLost
    | events.WoundsGained
    | events.FighterInjured
    | events.FighterImproved
)


def _fold_fighter(
    board: PitBoard,
    event: FighterEvent,
) -> Fighter:
    fighter = board.fighters[event.fighter]
    match event:
        case events.StatusChanged(status=status):
            return replace(fighter, status=status)
        case events.FighterEngaged(x=x, y=y):
            return replace(fighter, x=x, y=y, has_engaged=True, has_acted=True)
        case events.FighterMoved(x=x, y=y):
            return replace(fighter, x=x, y=y, has_acted=True)
        case events.WoundsLost(wounds=wounds):
            return replace(fighter, wounds=wounds)
        case events.WoundsGained(wounds=wounds):
            return replace(fighter, wounds=wounds, new_wounds=0)
        case events.FighterInjured(status=status):
            return replace(fighter, status=status)
        case events.FighterImproved(stat=None, promoted=promoted):
            return replace(fighter, promoted=fighter.promoted or promoted)
        case events.FighterImproved(stat="wounds", value=int(limit)):
            return replace(fighter, wound_limit=limit, new_wounds=fighter.new_wounds + limit - fighter.wound_limit)
        case events.FighterImproved(stat=str(stat), value=int(value)):
            return replace(fighter, **{stat: value})
        case _:
            raise ValueError("an improved figure has a value")


def _change(board: PitBoard, fighter: Fighter) -> PitBoard:
    before = board.fighters[fighter.id]
    fighters = (*board.fighters[: fighter.id], fighter, *board.fighters[fighter.id + 1 :])
    if fighter.status != "incapacitated" or before.status == "incapacitated":
        return replace(board, fighters=fighters)
    state = board.seats[fighter.seat]
    seats = (*board.seats[: fighter.seat], replace(state, losses=state.losses + 1), *board.seats[fighter.seat + 1 :])
    return replace(board, fighters=fighters, seats=seats)
