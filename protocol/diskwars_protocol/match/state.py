"""The record of an action, and the state of a match that its records fold to.

Generic over a ruleset's own actions `A`, questions `Q` and board `B`. What is read from a record or a file has type
parameters for its settings `S`, loadout `N` and events `E` as well; elsewhere these are `Any`. One action with all its
consequences is one record; `RecordBody` is what it says.
"""

from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct

from diskwars_protocol.match.actions import Offer
from diskwars_protocol.match.decisions import Decision, Pack, Result
from diskwars_protocol.match.events import Position
from diskwars_protocol.match.ids import (
    Actor,
    DecisionId,
    DecisionIdText,
    MatchIdText,
    PlayerIdText,
    RulesVersion,
    Seat,
)
from diskwars_protocol.match.match_options import BankClock, MatchOptions, absence_ms
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, Hex32, Hex64, OptionalHex32, RulesetName

A = TypeVar("A")
Q = TypeVar("Q")
B = TypeVar("B")
E = TypeVar("E")


class RecordBody(Struct, Generic[A, Q, E], frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """What one record says: one action of one seat, and everything that followed up to the next decision.

    `at_ms` is the server's clock in milliseconds. `seat` acted, by answering `decision` (None for what answers none)
    with `action`; the first record of a match has neither. `actor` is "house" where the time of the seat was up and the
    house answered for it; a match is closed by no seat, but by the "house" or its "opener", and the "opener" removes
    players from seats. `digest` is the command's,
    sealed when the action holds a secret.
    `events` are in order. An event that a viewer may not see at all is a `Sealed` in its place.
    `decisions` are open afterwards, `draw_index` is the index of the next draw in this step: None where the record
    leaves them as they were, and a step begins at index 0. `cursor` is what the engine has still to do, if that has
    changed, opaque to everybody else. `result` ends the match, and with it every decision.
    A takeback goes back to the state after record `taken_back_to`; what lies between stays in the log. Steps and draw
    indices never rewind: the record carries the index reached so far. It opens every decision itself, under a new id.
    `rules_version` is that of the rules that decided this record and those after it, where it is another than before.
    `lag_ms` is how much of the time that the seat took is not charged to its bank: see `SeatClock`.
    """

    at_ms: AtLeastZero
    seat: Seat | None = None
    actor: Actor | None = None
    decision: DecisionIdText | None = None
    action: A | None = None
    digest: Hex64 | Sealed | None = None
    events: tuple[E, ...] = ()
    decisions: tuple[Decision[Q], ...] | None = None
    draw_index: AtLeastZero | None = None
    cursor: str | None = None
    result: Result | None = None
    taken_back_to: AtLeastOne | None = None
    rules_version: RulesVersion | None = None
    lag_ms: AtLeastZero = 0


MatchStatus: TypeAlias = Literal["open", "running", "ended"]


class SeatChainState(Struct, frozen=True, gc=False, omit_defaults=True):
    """A seat's hash chain: the link opened last, and the head that replaces it from a step on, if any.

    `superseded` are the heads that were to replace it, and for which others were sent before their step.
    """

    head: Hex32
    new_head: Hex32 | None = None
    new_from: AtLeastOne | None = None
    superseded: AtLeastZero = 0


class SeatClock(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a seat has left of its bank, and since when (the server's clock) it has been running; None: it stands.

    A record charges the time since then, less its `lag_ms`.
    """

    remaining_ms: AtLeastZero
    running_since_ms: AtLeastZero | None = None


class SeatState(Struct, frozen=True, gc=False, omit_defaults=True):
    """One seat of a match.

    `seat_nonce` is the link opened for the step to come, sealed for others until the step begins.
    `has_offered`: the seat has made an offer since it answered a decision last. `takebacks` are those that it has made
    in this step of the dice. `missed` are the answers in a row that the house gave for it, counted where the match has
    a limit of them. `substitute`: the house plays the seat, until its player takes it back. `clock` is there if the
    match has a bank clock and has begun. `vacated_in` is the record in which the player before this one left the seat:
    what that player saw is not for the next.
    """

    player: PlayerIdText | None = None
    loadout: Annotated[Any, Meta(extra={"content": "Loadout"})] = None
    chain: SeatChainState | None = None
    ready: bool = False
    seat_nonce: OptionalHex32 | Sealed | None = None
    resigned: bool = False
    has_offered: bool = False
    takebacks: AtLeastZero = 0
    missed: AtLeastZero = 0
    clock: SeatClock | None = None
    vacated_in: AtLeastOne | None = None
    substitute: bool = False


class OpenOffer(Struct, frozen=True, gc=False, omit_defaults=True):
    """An offer that waits for answers. `seat` has made it in record `id`; `agreed` are the others who have agreed."""

    id: AtLeastOne
    seat: Seat
    offer: Offer
    agreed: tuple[Seat, ...] = ()


def chain_head(seat: SeatState) -> str:
    """Return the link that a seat has opened last, or its head; empty for a free seat."""
    return seat.chain.head if seat.chain else ""


def newest_chain_link(seat: SeatState) -> str:
    """Return the head that replaces the chain of a seat, or else the link opened last; empty for a free seat.

    The device that made this chain is in control of the seat.
    """
    return (seat.chain.new_head or seat.chain.head) if seat.chain else ""


class Match(Struct, Generic[Q, B], frozen=True, gc=False, omit_defaults=True):
    """A match as one viewer may know it; as `ALL`, the server's own state.

    `at_ms` is the time of the last record, and `rules_version` that of the rules that decided it.
    `status` is "open" until every seat is ready. `server_link` is the server's link that was published last.
    `seat_nonces[k - 1]` are the nonces of step k, none where no seat was asked for one.
    `resumed_ms` is when the last pause ended, 0 if there was none.
    `kicked` are the players whom the opener has removed. `position` is that of a branch, until it begins.
    """

    match: MatchIdText
    ruleset: RulesetName
    settings: Annotated[Any, Meta(extra={"content": "Settings"})]
    seats: tuple[SeatState, ...]
    server_link: Hex64
    deal_commitment: Hex64
    match_options: MatchOptions
    at_ms: AtLeastZero = 0
    rules_version: RulesVersion = 0
    repeatable: bool = False
    packs: tuple[Pack, ...] = ()
    status: MatchStatus = "open"
    step: AtLeastZero = 0
    draw_index: AtLeastZero = 0
    seat_nonces: tuple[tuple[Hex32, ...], ...] = ()
    decisions: tuple[Decision[Q], ...] = ()
    result: Result | None = None
    deal_secret: Hex64 | None = None
    board: B | None = None
    offer: OpenOffer | None = None
    paused: bool = False
    resumed_ms: AtLeastZero = 0
    kicked: tuple[PlayerIdText, ...] = ()
    position: Position[B] | None = None


def due_ms(match: Match[Q, B], decision: Decision[Q], opened_ms: int) -> int | None:
    """Return when the time of an open decision is up, which was opened at a time; None if nobody is pressed.

    Server and verifiers share this. The page has one of its own in `client/records/match.js`, and what a
    clock of another kind changes besides is in docs/architecture.md. Without a clock it is when the house leaves the
    match for the seat.
    """
    clock = match.match_options.clock
    if match.status == "open" or match.paused:
        return None
    if not isinstance(clock, BankClock):
        allowed_ms = absence_ms(match.match_options) if clock is None else 1000 * clock.decision_seconds
        return None if allowed_ms is None else max(opened_ms, match.resumed_ms) + allowed_ms
    seat_clock = match.seats[decision.seat].clock
    if seat_clock is None or seat_clock.running_since_ms is None:
        return None
    return seat_clock.running_since_ms + seat_clock.remaining_ms


def opening_record(decision: DecisionId) -> int:
    """Return the seq of the record that opened a decision, from its id."""
    return int(decision.partition(".")[0])


def is_revealed(match: Match[Q, B]) -> bool:
    """Return whether everybody may see every secret: the match is over, and it had begun.

    What players brought to a match that never began they may bring to the next one.
    """
    return match.status == "ended" and match.board is not None


AnyMatch: TypeAlias = Match[Any, Any]
AnyBody: TypeAlias = RecordBody[Any, Any, Any]
