"""Views of a match: its state and its records as a viewer may know them, without the secrets of others."""

from collections.abc import Iterable
from operator import is_
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from diskwars_engine.branches import redact_beginning, redact_position, view_position
from diskwars_engine.ruleset import Ruleset
from diskwars_protocol.match.actions import UNPROMPTED_ACTIONS, Ready, TakeSeat
from diskwars_protocol.match.events import (
    MATCH_EVENT_TYPES,
    BranchBegan,
    ChainReplaced,
    MatchEnded,
    MatchOpened,
    OfferAnswered,
    OfferMade,
    PlayPaused,
    PlayResumed,
    PositionSet,
    SeatNonceOpened,
    SeatReady,
    SeatResigned,
    SeatTaken,
    SeatTakenBack,
    SeatTakenOver,
    SeatVacated,
    StepBegan,
    TakebackMade,
)
from diskwars_protocol.match.ids import ALL, Seat, Viewer
from diskwars_protocol.match.state import Match, RecordBody, SeatState
from diskwars_protocol.records.sealed import HIDDEN

A = TypeVar("A")
Q = TypeVar("Q")
B = TypeVar("B")


class MatchViews(Generic[A, Q, B]):
    """Hides what a viewer may not know. A new type of event raises `TypeError` until somebody decides who sees it."""

    def __init__(self, ruleset: Ruleset[A, Q, B]) -> None:
        self.ruleset = ruleset

    def view(self, match: Match[Q, B], viewer: Viewer) -> Match[Q, B]:
        """Return the match as a viewer may know it, without nonces, loadouts and secrets of others."""
        if viewer == ALL:
            return match
        seat_states = tuple(self._view_seat(seat_state, seat, viewer) for seat, seat_state in enumerate(match.seats))
        board = None if match.board is None else self.ruleset.view(match.board, viewer)
        position = None if match.position is None else view_position(self.ruleset, match.position)
        return replace(match, seats=seat_states, board=board, position=position)

    def _view_seat(self, seat_state: SeatState, seat: Seat, viewer: Viewer) -> SeatState:
        if seat == viewer or seat_state.loadout is None:
            return seat_state
        return replace(
            seat_state,
            seat_nonce=None if seat_state.seat_nonce is None else HIDDEN,
            loadout=self.ruleset.redact_loadout(seat_state.loadout, seat, viewer),
        )

    def redact_body(self, body: RecordBody[A, Q, Any], viewer: Viewer) -> RecordBody[A, Q, Any]:
        """Return the record as a viewer may see it: itself when nothing is hidden, else with `HIDDEN` for secrets."""
        if viewer == ALL:
            return body
        action = self._redact_action(body, viewer)
        shown = [self.redact(event, viewer) for event in body.events]
        events = body.events if all(map(is_, shown, body.events)) else tuple(shown)
        if action is body.action and events is body.events:
            return body
        # a digest would let anybody try out which of the few possible secrets it belongs to
        digest = body.digest if action is body.action else HIDDEN
        return replace(body, action=action, digest=digest, events=events)

    def redact_for_seats(self, body: RecordBody[A, Q, Any], seats: Iterable[Seat]) -> list[RecordBody[A, Q, Any]]:
        """Return the record as each of these seats may see it."""
        return [self.redact_body(body, seat) for seat in seats]

    def redact(self, event: Any, viewer: Viewer) -> Any:
        """Return an event as a viewer may see it: its secrets, or the whole event, replaced by `HIDDEN`."""
        if viewer == ALL:
            return event
        if type(event) not in MATCH_EVENT_TYPES:
            shown = self.ruleset.redact(event, viewer)
            return HIDDEN if shown is None else shown
        match event:
            case SeatTaken():
                loadout = self.ruleset.redact_loadout(event.loadout, event.seat, viewer)
                return event if loadout is event.loadout else replace(event, loadout=loadout)
            case SeatNonceOpened():
                return event if event.seat == viewer else replace(event, seat_nonce=HIDDEN)
            case PositionSet():
                return redact_position(self.ruleset, event)
            case BranchBegan():
                return redact_beginning(self.ruleset, event, viewer)
            case (
                StepBegan()
                | MatchOpened()
                | SeatReady()
                | ChainReplaced()
                | SeatResigned()
                | SeatVacated()
                | OfferMade()
                | OfferAnswered()
                | TakebackMade()
                | PlayPaused()
                | PlayResumed()
                | SeatTakenOver()
                | SeatTakenBack()
                | MatchEnded()
            ):
                return event
            case _:
                raise TypeError(f"nobody has decided who sees {type(event).__name__}")

    def _redact_action(self, body: RecordBody[A, Q, Any], viewer: Viewer) -> Any:
        action: Any = body.action
        if body.seat is None or body.seat == viewer:
            return action
        match action:
            case Ready():
                return Ready(HIDDEN)
            case TakeSeat():
                loadout = self.ruleset.redact_loadout(action.loadout, body.seat, viewer)
                return action if loadout is action.loadout else replace(action, loadout=loadout)
            case _ if isinstance(action, UNPROMPTED_ACTIONS):
                return action
            case _:
                return self.ruleset.redact_action(action, body.seat, viewer)
