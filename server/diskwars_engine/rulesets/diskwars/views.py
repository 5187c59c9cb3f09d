"""Views and redaction: the parts of a board, an event, a loadout and an action that each viewer may know."""

from typing import TypeAlias, assert_never, get_args

from msgspec.structs import replace

from diskwars_protocol.match.ids import ALL, Seat, Viewer
from diskwars_protocol.records.sealed import HIDDEN, Sealed
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import setup_events as se
from diskwars_protocol.rulesets.diskwars.board import Board, Side


def view(board: Board, viewer: Viewer) -> Board:
    """Return a board without other players' hands, locked cards, objectives and drawn scenario cards (R19.26)."""
    if viewer == ALL:
        return board
    return replace(board, sides=tuple(_view_side(side, viewer) for side in board.sides))


def _view_side(side: Side, viewer: Viewer) -> Side:
    if side.seat == viewer:
        return side
    return replace(
        side,
        hand=_hide(side.hand),
        locked_card=_hide(side.locked_card),
        locked_salt=_hide(side.locked_salt),
        drawn_scenarios=_hide(side.drawn_scenarios),
        objective=side.objective if side.objective_revealed else _hide(side.objective),
    )


def _hide(value: object) -> Sealed | None:
    """Return what others see in the place of a secret: whether there is one."""
    return None if value is None else HIDDEN


PublicEvent: TypeAlias = (
    e.MatchStarted
    | e.InitiativeRolled
    | e.OrderSet
    | e.DisksDeployed
    | se.EdgesDrawn
    | se.ScenarioChosen
    | se.DeploymentCardsDealt
    | se.DeploymentCardLaid
    | se.SetupCardDiscarded
    | se.TerrainCardsDealt
    | se.TerrainPlaced
    | se.ObjectivesRevealed
    | e.DisksWithdrawn
    | e.CardsRevealed
    | e.CardBegan
    | e.CardsDiscarded
    | e.CardsReturned
    | e.RoundBegan
    | e.PhaseBegan
    | e.ActivationBegan
    | e.ActivationEnded
    | e.TokensCleared
    | e.SeatEliminated
    | e.ReservesLost
    | e.Scored
    | e.ShotFired
    | e.ShotScattered
    | e.AbilityUsed
    | e.ImpactRolled
    | e.TriggerResolved
    | e.DangerRolled
    | e.MoveStopped
    | e.GuardRolled
    | e.Rampaged
    | e.DiskHealed
    | e.DiskPoisoned
    | e.DiskFlipped
    | e.DiskReinforced
    | e.DamageDealt
    | e.DiskWounded
    | e.DisksRemoved
    | e.ActivationTokenChanged
    | e.DiskEmpowered
    | e.DiskWeakened
    | e.EngagementsFrozen
    | e.EngagementBegan
    | e.BlowsStruck
    | e.EngagementEnded
)
"""Event types that everybody may see completely, listed so that a new type needs a decision."""
# A set, because a `match` over all types costs 0.1 µs per type. The types are still listed one by one in `PublicEvent`,
# so that a new event does not type-check until it is decided who sees it.
_PUBLIC_EVENTS = frozenset(get_args(PublicEvent))


def redact(event: e.BoardEvent, viewer: Viewer) -> e.BoardEvent | None:
    """Replace the parts of an event that a viewer may not see by `HIDDEN`."""
    if type(event) in _PUBLIC_EVENTS:
        return event
    match event:
        case e.HandTaken():
            return event if viewer in (event.seat, ALL) else replace(event, cards=HIDDEN)
        case e.CardLocked():
            return event if viewer in (event.seat, ALL) else replace(event, card=HIDDEN, salt=HIDDEN)
        case se.ScenariosDrawn():
            return event if viewer in (event.seat, ALL) else replace(event, cards=HIDDEN)
        case se.ObjectiveDealt():
            return event if viewer in (event.seat, ALL) else replace(event, scenario=HIDDEN)
        case _ if isinstance(event, PublicEvent):  # never reached: the set has answered; narrows the type for mypy
            return event
        case _:
            assert_never(event)


def redact_loadout(loadout: a.Loadout, seat: Seat, viewer: Viewer) -> a.Loadout:
    """Hide a loadout completely from other viewers (R19.2).

    `MatchStarted` shows the armies once all are fixed, and never the hands (R2.8, R-25).
    """
    return loadout if viewer in (seat, ALL) else a.Loadout(HIDDEN, HIDDEN, HIDDEN)


def redact_action(action: a.Action, seat: Seat, viewer: Viewer) -> a.Action:
    """Hide everything of a card lock from other viewers, except that it happened (R19.28)."""
    if viewer in (seat, ALL) or not isinstance(action, a.LockCard):
        return action
    return replace(action, card=HIDDEN, salt=HIDDEN, seat_nonce=HIDDEN)
