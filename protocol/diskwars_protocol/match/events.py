"""Events that every ruleset records.

The first record of a match has `MatchOpened` instead of an action, because there was no decision to answer.
"""

from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from diskwars_protocol.match.actions import Offer
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.ids import MatchIdText, PlayerIdText, RulesVersion, Seat, SeatCount
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, Hex32, Hex64, OptionalHex32, RulesetName

S = TypeVar("S")
N = TypeVar("N")
B = TypeVar("B")


class MatchOpened(Struct, Generic[S], frozen=True, gc=False, omit_defaults=True, tag="match_opened"):
    """First event of the first record.

    `anchor` is link 0 of the server's chain, `deal_commitment` the SHA-256 of the deal secret.
    `rules_version` is that of the ruleset's rules, which decided this record.
    `repeatable` says that the secrets were made from a seed, so that the dice of this match prove nothing.
    `packs` are those whose figures the match will use. `match_options` are those of every ruleset.
    """

    match: MatchIdText
    ruleset: RulesetName
    rules_version: RulesVersion
    settings: S
    seat_count: SeatCount
    anchor: Hex64
    deal_commitment: Hex64
    opener: PlayerIdText
    match_options: MatchOptions
    repeatable: bool = False
    packs: tuple[Pack, ...] = ()


class SeatTaken(Struct, Generic[N], frozen=True, gc=False, tag="seat_taken"):
    """A player takes a seat, with a loadout."""

    seat: Seat
    player: PlayerIdText
    chain_head: Hex32
    loadout: N


class SeatNonceOpened(Struct, frozen=True, gc=False, tag="seat_nonce_opened"):
    """A seat gave its link for the next step, or an empty one. Nobody else sees it before `StepBegan`."""

    seat: Seat
    seat_nonce: OptionalHex32 | Sealed


class SeatReady(Struct, frozen=True, gc=False, tag="seat_ready"):
    """A seat is ready; when all are, the first step of the dice begins."""

    seat: Seat


class StepBegan(Struct, frozen=True, gc=False, omit_defaults=True, tag="step_began"):
    """A step of the dice begins.

    `server_link` is the server's link of the step before; `seat_nonces` are one per seat, 32 hex digits. A seat in
    `missing` gave no link: its nonce is zeros. Where the ruleset asks no seat for one, both are left out, and all
    nonces are zeros.
    """

    step: AtLeastOne
    server_link: Hex64
    seat_nonces: tuple[Hex32, ...] = ()
    missing: tuple[Seat, ...] = ()


class ChainReplaced(Struct, frozen=True, gc=False, tag="chain_replaced"):
    """A new chain head, valid from a step on."""

    seat: Seat
    chain_head: Hex32
    from_step: AtLeastOne


class SeatResigned(Struct, frozen=True, gc=False, tag="seat_resigned"):
    """A player leaves the match."""

    seat: Seat


class SpentNonce(Struct, frozen=True, gc=False):
    """What a seat had given to the dice when it was published without a step: the next link is asked for."""

    seat: Seat
    seat_nonce: Hex32


class SeatVacated(Struct, frozen=True, gc=False, omit_defaults=True, tag="seat_vacated"):
    """A player gives up a seat before the match begins, or its opener removes them (`kicked`), in record `record`.

    Nobody is ready any more. `spent_nonces` are what other seats had given to the first step of the dice, in the order
    of seats. They go into no dice: the next player could choose a chain that suits them.
    """

    seat: Seat
    player: PlayerIdText
    record: AtLeastOne
    spent_nonces: tuple[SpentNonce, ...] = ()
    kicked: bool = False


class OfferMade(Struct, frozen=True, gc=False, tag="offer_made"):
    """A seat offers something to the others. `offer_id` is the seq of this record."""

    offer_id: AtLeastOne
    seat: Seat
    offer: Offer


class OfferAnswered(Struct, frozen=True, gc=False, tag="offer_answered"):
    """A seat agrees to the open offer, or ends it: the one that made it withdraws it, another one refuses it."""

    seat: Seat
    agree: bool


class TakebackMade(Struct, frozen=True, gc=False, tag="takeback_made"):
    """The match goes back to the record that its own record names: by the seat itself, or as the last one agreed."""

    seat: Seat


class PlayPaused(Struct, frozen=True, gc=False, tag="play_paused"):
    """All have agreed to pause: clocks stop, and decisions take no answers."""


class PlayResumed(Struct, frozen=True, gc=False, tag="play_resumed"):
    """A seat ends the pause. `at_ms` is the time of the record: with a clock per decision, all time begins then."""

    seat: Seat
    at_ms: AtLeastZero


class SeatTakenOver(Struct, frozen=True, gc=False, tag="seat_taken_over"):
    """The house plays a seat from now on, whose player has missed too many answers. It need not wait for their time."""

    seat: Seat


class SeatTakenBack(Struct, frozen=True, gc=False, tag="seat_taken_back"):
    """The player of a seat that the house has played is back, and plays on."""

    seat: Seat


class Position(Struct, Generic[B], frozen=True, gc=False, omit_defaults=True):
    """What a branch plays on from: the board of its parent, and the seats of it that had resigned.

    `resampled`: what its opener could not see of the parent was drawn at random from what it could be.
    """

    board: B
    resampled: bool = False
    resigned: tuple[Seat, ...] = ()


class PositionSet(Struct, Generic[B], frozen=True, gc=False, tag="position_set"):
    """Second event of the first record of a branch. Its secrets are sealed for everybody until the match has ended."""

    position: Position[B]


class BranchBegan(Struct, Generic[B], frozen=True, gc=False, omit_defaults=True, tag="branch_began"):
    """All are ready, and the board is that of the position. The seats that had resigned in the parent have resigned.

    `board` is left out where nothing of it is secret; each seat sees its own secrets in it.
    """

    board: B | None = None


class MatchEnded(Struct, frozen=True, gc=False, tag="match_ended"):
    """Last event. `server_link` is that of the last step, `deal_secret` opens the deal commitment (hex)."""

    server_link: Hex64
    deal_secret: Hex64


MatchEvent: TypeAlias = (
    MatchOpened[S]
    | SeatTaken[N]
    | SeatNonceOpened
    | SeatReady
    | StepBegan
    | ChainReplaced
    | SeatResigned
    | SeatVacated
    | OfferMade
    | OfferAnswered
    | TakebackMade
    | PlayPaused
    | PlayResumed
    | SeatTakenOver
    | SeatTakenBack
    | PositionSet[B]
    | BranchBegan[B]
    | MatchEnded
)
"""Type arguments in this order: S, N, B."""

MATCH_EVENT_TYPES: frozenset[type[Struct]] = frozenset(
    (
        MatchOpened,
        SeatTaken,
        SeatNonceOpened,
        SeatReady,
        StepBegan,
        ChainReplaced,
        SeatResigned,
        SeatVacated,
        OfferMade,
        OfferAnswered,
        TakebackMade,
        PlayPaused,
        PlayResumed,
        SeatTakenOver,
        SeatTakenBack,
        PositionSet,
        BranchBegan,
        MatchEnded,
    )
)
"""The classes of `MatchEvent`; every other event belongs to the ruleset's board.

Folding and hiding ask `type(event) in MATCH_EVENT_TYPES`, which is quicker than `isinstance` with as many classes.
"""

LASTING_EVENT_TYPES = (SeatNonceOpened, StepBegan, ChainReplaced, TakebackMade, SeatTakenOver, SeatTakenBack)
"""Events that a takeback does not undo: what has been opened stays open, steps never rewind, takebacks count, and who
plays a seat is not a matter of the board.
"""
