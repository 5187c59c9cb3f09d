"""The vocabulary of a match of any ruleset, and the fold of its records to one public state.

Generic over a ruleset's own actions `A`, questions `Q` and board `B`. What is read from a record or a file has type
parameters for its settings `S`, loadout `N` and events `E` as well; elsewhere these are `Any`.

One action with all its consequences is one record; `RecordBody` is what it says. The first record of a match has the
event `MatchOpened` instead of an action, because there was no decision to answer.
"""

from typing import Annotated, Any, Generic, Literal, NewType, TypeAlias, TypeVar

from msgspec import Meta, Struct

from diskwars_protocol.match.match_options import BankClock, MatchOptions, absence_ms
from diskwars_protocol.records.sealed import Sealed, always_written
from diskwars_protocol.schema_types import (
    OPAQUE_ID_PATTERN,
    AtLeastOne,
    AtLeastZero,
    Hex32,
    Hex64,
    OptionalHex32,
    PackId,
    RuleId,
    RulesetName,
    WholeNumber,
)

MatchId = NewType("MatchId", str)
PlayerId = NewType("PlayerId", str)
DecisionId = NewType("DecisionId", str)

DECISION_ID_PATTERN = "^[1-9][0-9]*[.][0-9]+$"
# What the schema says of ids in fields; `schema_types` says why readers do not check it.
MatchIdText: TypeAlias = Annotated[MatchId, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
PlayerIdText: TypeAlias = Annotated[PlayerId, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
DecisionIdText: TypeAlias = Annotated[DecisionId, Meta(extra_json_schema={"pattern": DECISION_ID_PATTERN})]

MAX_SEATS = 4
"""A dice key always takes this many seat nonces."""

EndReason: TypeAlias = Annotated[str, Meta(extra={"content": "EndReason"})]
"""An id from `END_REASONS`, or from those of the ruleset's vocabulary, which refuses others in records and snapshots.

In a list of matches it is not checked: they may be of rulesets that the reader does not know.
"""

RefusalCode: TypeAlias = Annotated[str, Meta(extra={"content": "RefusalCode"})]
"""A key of `messages.REFUSAL_CODES`, or of the refusal codes of the ruleset's vocabulary."""

LoadoutFaultCode: TypeAlias = Annotated[str, Meta(extra={"content": "LoadoutFaultCode"})]
"""One of `loadout_fault_codes` of the ruleset's vocabulary, or a `RefusalCode`."""

Seat: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": MAX_SEATS - 1})]
RulesVersion: TypeAlias = AtLeastZero
"""The version of the rules that decided a record."""
SeatCount: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_SEATS)]
Viewer: TypeAlias = int
PUBLIC: Viewer = -1
"""Somebody without a seat."""
ALL: Viewer = -2
"""Everything, allowed after the end of a match."""

HOUSE = PlayerId("house")
"""The actor that answers for a seat whose time is up. No player has this id."""
Actor: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[a-z][a-z_]{0,31}$"})]
"""Who acted, if not the player of a seat: "house", or "opener", who need not sit in a match to close it or to kick.

Later versions may know others.
"""

SEAT_LETTERS = "ABCD"


def seat_letter(seat: Seat) -> str:
    """Return what people call a seat."""
    return SEAT_LETTERS[seat]


S = TypeVar("S")
N = TypeVar("N")
A = TypeVar("A")
OptionT = TypeVar("OptionT", bound="ParametricOption[Any]")
UnavailableT = TypeVar("UnavailableT", bound="Unavailable")
Q = TypeVar("Q")
B = TypeVar("B")
E = TypeVar("E")


class Pack(Struct, frozen=True, gc=False):
    """A content pack that a match is played with; `hash` is the SHA-256 of its canonical form."""

    id: PackId
    version: PackId
    hash: Hex64


class Reason(Struct, frozen=True, gc=False, omit_defaults=True):
    """Why an outcome is so: the id of a rule in docs/rules.md and the few numbers it was applied to."""

    rule: RuleId
    numbers: dict[str, WholeNumber] = {}


class Decision(Struct, Generic[Q], frozen=True, gc=False):
    """An open question.

    `id` is the seq of the record that opened it, a dot and a slot; it stays the same while the decision is open.
    """

    id: DecisionIdText
    seat: Seat
    question: Q


END_REASONS: tuple[EndReason, ...] = ("abandoned", "closed", "resignation", "draw_agreed", "stopped", "absence")
"""Why a match of any ruleset may have ended: a player left before it began, its opener or the house closed it before it
began, the last opponent resigned, the players agreed on a draw, the house stopped it (for an operator, or because
guests left it long ago), or the house left for the last opponent, who had not answered for days. Nobody wins by
absence where all who were left owed an answer.

A vocabulary adds those of its ruleset. Ids, for programs: clients have the sentences.
"""


class Result(Struct, frozen=True, gc=False, omit_defaults=True):
    """How a match ended.

    `winners` are seats in order, several where they play one side, none when nobody wins. `end_reason` is one of a
    closed set of ids, those of every match and those of the ruleset. `scores` are by seat, empty where points play no
    part.
    """

    end_reason: EndReason
    winners: tuple[Seat, ...] = ()
    scores: tuple[WholeNumber, ...] = ()
    reasons: tuple[Reason, ...] = ()


# ---------------------------------------------------------------- hints: what could be answered


class ParametricOption(Struct, Generic[A], frozen=True, gc=False, omit_defaults=True):
    """A ready-made example of an answer that is too free to be listed. A ruleset extends it with its own limits."""

    example: A


class Unavailable(Struct, frozen=True, gc=False, omit_defaults=True):
    """Why something is not among the options: `code`, `text` and `rule` are those of the refusal that it would meet.

    A ruleset extends it with what it is about.
    """

    code: RefusalCode
    text: str
    rule: RuleId


class Options(Struct, Generic[A, OptionT, UnavailableT], frozen=True, gc=False, omit_defaults=True):
    """Legal answers to one decision: complete ones, and parametric options for those with too many variants.

    `unavailable` says what keeps others out. Both are structs of the ruleset's own: subclasses of `ParametricOption`
    and `Unavailable`.
    """

    actions: tuple[A, ...] = ()
    parametric: tuple[OptionT, ...] = ()
    unavailable: tuple[UnavailableT, ...] = ()


# ---------------------------------------------------------------- questions that every ruleset asks


class SeatQuestion(Struct, frozen=True, gc=False, tag="seat"):
    """Take this seat. Every player without a seat in the match may answer."""


class ReadyQuestion(Struct, frozen=True, gc=False, tag="ready"):
    """Open your first chain link."""


# ---------------------------------------------------------------- actions that every ruleset takes


class TakeSeat(Struct, Generic[N], frozen=True, gc=False, tag="take_seat"):
    """Take a seat.

    `chain_head` is the head of the player's own hash chain, 32 hex digits, made after the server's anchor was seen.
    """

    chain_head: Hex32
    loadout: N


class Ready(Struct, frozen=True, gc=False, omit_defaults=True, tag="ready"):
    """`seat_nonce` is the first link of the player's chain, 32 hex digits; an empty one counts as zeros."""

    seat_nonce: OptionalHex32 | Sealed = always_written("")


class Resign(Struct, frozen=True, gc=False, tag="resign"):
    """Leave the match. Answers no decision."""


class ReplaceChain(Struct, frozen=True, gc=False, tag="replace_chain"):
    """A new chain head for a player who lost the old chain; valid from the next step but one. Answers no decision."""

    chain_head: Hex32


class DrawOffer(Struct, frozen=True, gc=False, tag="draw"):
    """End the match without a winner."""


class TakebackOffer(Struct, frozen=True, gc=False, tag="takeback"):
    """Go back to the state after record `record`."""

    record: AtLeastOne


class PauseOffer(Struct, frozen=True, gc=False, tag="pause"):
    """Stop the clocks and take no answers until a player resumes play."""


Offer: TypeAlias = DrawOffer | TakebackOffer | PauseOffer
"""What happens once every player who has not resigned agrees to it."""


class MakeOffer(Struct, frozen=True, gc=False, tag="make_offer"):
    """Offer something to the other players. Answers no decision.

    One offer is open at a time. A seat makes one, and the next after it has answered a decision.
    """

    offer: Offer


class AnswerOffer(Struct, frozen=True, gc=False, tag="answer_offer"):
    """Agree to the open offer, or refuse it; the player who made it withdraws it. Answers no decision."""

    offer_id: AtLeastOne
    agree: bool


class TakeBack(Struct, frozen=True, gc=False, tag="take_back"):
    """Take back the own answers after record `record`, without asking. Answers no decision.

    It is allowed while only this seat has acted since, nothing was drawn or hidden, and nobody else has to decide.
    """

    record: AtLeastOne


class ResumePlay(Struct, frozen=True, gc=False, tag="resume_play"):
    """Go on after a pause. Every player may do that, and answers no decision."""


class LeaveSeat(Struct, frozen=True, gc=False, tag="leave_seat"):
    """Give up the own seat before the match begins: others may take it. Answers no decision."""


class TakeSeatBack(Struct, frozen=True, gc=False, tag="take_seat_back"):
    """Play on in the own seat, which the house plays since too many answers were missed. Answers no decision."""


UnpromptedAction: TypeAlias = (
    Resign | ReplaceChain | MakeOffer | AnswerOffer | TakeBack | ResumePlay | LeaveSeat | TakeSeatBack
)
UNPROMPTED_ACTIONS = (Resign, ReplaceChain, MakeOffer, AnswerOffer, TakeBack, ResumePlay, LeaveSeat, TakeSeatBack)
"""What a player may do at any time: it answers no decision."""


class Close(Struct, frozen=True, gc=False, tag="close_match"):
    """End a match that has not begun. Only in records: a client sends the message of that name."""


class Stop(Struct, frozen=True, gc=False, tag="stop_match"):
    """End a match that has begun, without a winner. Only in records: the house does it for an operator."""


class Kick(Struct, frozen=True, gc=False, tag="kick_player"):
    """Remove the player of a seat before the match begins. Only in records: the opener sends `KickPlayer`."""

    seat: Seat


# ---------------------------------------------------------------- events that every ruleset records


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

MATCH_EVENT_TYPES = (
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
"""The classes of `MatchEvent`; every other event belongs to the ruleset's board."""
_MATCH_EVENT_TYPES = frozenset(MATCH_EVENT_TYPES)


def is_match_event(event: object) -> bool:
    """Whether it is one of `MatchEvent`. Quicker than `isinstance`, which asks one class after another."""
    return type(event) in _MATCH_EVENT_TYPES


LASTING_EVENT_TYPES = (SeatNonceOpened, StepBegan, ChainReplaced, TakebackMade, SeatTakenOver, SeatTakenBack)
"""Events that a takeback does not undo: what has been opened stays open, steps never rewind, takebacks count, and who
plays a seat is not a matter of the board.
"""


# ---------------------------------------------------------------- records


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


# ---------------------------------------------------------------- the state of a match


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

    Server and verifiers ask here, so that a clock of another kind is one change. Without a clock it is when the house
    leaves the match for the seat.
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
