"""The fold of the records of a match of any ruleset to one public state."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from operator import is_
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.events import (
    LASTING_EVENT_TYPES,
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
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.match_options import BankClock, MatchOptions
from diskwars_protocol.match.state import Match, OpenOffer, RecordBody, SeatChainState, SeatClock, SeatState
from diskwars_protocol.records.sealed import HIDDEN, Sealed

N = TypeVar("N")
A = TypeVar("A")
Q = TypeVar("Q")
B = TypeVar("B")
E = TypeVar("E")


class RefoldRequired(Exception):
    """A takeback cannot be folded from the state alone: fold the whole log again with `fold_log`."""

    def __init__(self, to: int) -> None:
        super().__init__(f"the match was taken back to record {to}: fold its log from the start")
        self.to = to


BoardFold: TypeAlias = Callable[[B | None, Any], B]
"""The fold of a ruleset's board; gets None and the ruleset's first event once."""
SetCursor: TypeAlias = Callable[[B, str], B]
"""Puts the engine's cursor into a ruleset's board."""


def fold_event(match: Match[Q, B] | None, event: object, fold_board: BoardFold[B]) -> Match[Q, B]:
    """Return the match after one more event. Total on recorded events: refuses nothing, rolls nothing.

    Raises `ValueError` when the first event is not `MatchOpened`.
    """
    if match is None:
        if not isinstance(event, MatchOpened):
            raise ValueError(f"a match begins with match_opened, not with {type(event).__name__}")
        return _initial_match(event)
    if type(event) in MATCH_EVENT_TYPES:
        return _fold_match_event(match, event)
    return replace(match, status="running", board=fold_board(match.board, event))


def fold_many(
    match: Match[Q, B] | None,
    bodies: Iterable[RecordBody[A, Q, E]],
    fold_board: BoardFold[B],
    set_cursor: SetCursor[B],
) -> Match[Q, B] | None:
    """Several more records. The match gets its board, cursor and decisions at the end only.

    They can wait: what every ruleset records does not look at the board, nor the board's events at the rest.
    Raises `RefoldRequired` on a takeback.
    """
    last, cursor = None, None
    decisions = () if match is None else match.decisions
    board = None if match is None else match.board
    for body in bodies:
        last = body
        if body.taken_back_to is not None:
            raise RefoldRequired(body.taken_back_to)
        for event in body.events:
            if match is None or type(event) in MATCH_EVENT_TYPES:
                match = fold_event(match, event, fold_board)
                if type(event) is BranchBegan:
                    board = match.board
            elif type(event) is not Sealed:
                board = fold_board(board, event)
        if match is None:
            raise ValueError("a match begins with match_opened, not with nothing")
        if body.draw_index is not None:
            match = replace(match, draw_index=body.draw_index)
        if body.rules_version is not None:
            match = replace(match, rules_version=body.rules_version)
        if body.decisions is not None:
            decisions = body.decisions
        if body.cursor is not None:
            cursor = body.cursor
        match = _keep_accounts(match, body, () if body.result is not None else decisions, board is not None)
    if match is None or last is None:
        return match
    if board is not None and cursor is not None:
        board = set_cursor(board, cursor)
    return _with_board(match, last, decisions, board)


def close_record(
    match: Match[Q, B], body: RecordBody[A, Q, E], decisions: tuple[Decision[Q], ...], board: B | None
) -> Match[Q, B]:
    """The match at the end of a record, once its events are folded into `match` and `board`."""
    match = _keep_accounts(match, body, () if body.result is not None else decisions, board is not None)
    return _with_board(match, body, decisions, board)


def _with_board(
    match: Match[Q, B], body: RecordBody[A, Q, E], decisions: tuple[Decision[Q], ...], board: B | None
) -> Match[Q, B]:
    if body.result is not None:
        return replace(match, at_ms=body.at_ms, status="ended", decisions=(), result=body.result, board=board)
    status = match.status if board is None else "running"
    return replace(match, at_ms=body.at_ms, status=status, decisions=decisions, board=board)


def _keep_accounts(
    match: Match[Q, B], body: RecordBody[A, Q, E], decisions: tuple[Decision[Q], ...], has_begun: bool
) -> Match[Q, B]:
    """Count at the end of a record what follows from it alone: used time, missed answers, and who may offer again.

    `decisions` are those open after it.
    """
    options = match.match_options
    has_bank = type(options.clock) is BankClock and has_begun
    if not (has_bank or options.missed_limit or options.draws or options.takebacks or options.pauses):
        return match
    seats = tuple(_with_answer(state, options, body, seat) for seat, state in enumerate(match.seats))
    if has_bank:
        pressed = set() if match.paused else {decision.seat for decision in decisions}
        seats = tuple(_with_time(state, options, body, seat, seat in pressed) for seat, state in enumerate(seats))
    return match if seats == match.seats else replace(match, seats=seats)


def _with_answer(state: SeatState, options: MatchOptions, body: RecordBody[A, Q, E], seat: Seat) -> SeatState:
    """The seat after a record, which may answer a decision of its own."""
    if body.seat != seat or body.decision is None:
        return state
    if body.actor is None:
        return replace(state, has_offered=False, missed=0)
    is_counted = options.missed_limit is not None and not state.substitute
    return replace(state, missed=state.missed + 1) if is_counted else state


def _with_time(
    state: SeatState, options: MatchOptions, body: RecordBody[A, Q, E], seat: Seat, is_pressed: bool
) -> SeatState:
    """The seat after a record: its clock has run until then, and goes on if the seat has to decide."""
    if type(options.clock) is not BankClock:
        return state
    before, since = state.clock, body.at_ms if is_pressed else None
    if before is None:
        return replace(state, clock=SeatClock(1000 * options.clock.bank_seconds, since))
    lag_ms = body.lag_ms if body.seat == seat else 0
    used = 0 if before.running_since_ms is None else max(0, body.at_ms - before.running_since_ms - lag_ms)
    # An answer may come after the time was up, as long as the house has not answered.
    remaining = max(0, before.remaining_ms - used)
    if body.seat == seat and body.decision is not None:
        remaining += 1000 * options.clock.increment_seconds
    return replace(state, clock=SeatClock(remaining, since))


def fold_log(bodies: Sequence[RecordBody[A, Q, E]], fold_board: BoardFold[B], set_cursor: SetCursor[B]) -> Match[Q, B]:
    """Return the state after a whole log, the record with seq n standing at index n - 1. Skips what was taken back."""
    match: Match[Q, B] | None = fold_many(None, without_takebacks(bodies), fold_board, set_cursor)
    if match is None:
        raise ValueError("a match has at least one record")
    return match


def without_takebacks(bodies: Sequence[RecordBody[A, Q, E]]) -> list[RecordBody[A, Q, E]]:
    """Return the records that still count. Of those taken back stay the time, the rules and the lasting events.

    Refuses, as `CountingRecords` and `check_takeback` do, a takeback to a record that does not count any more or that
    does not come before it, and one that does not open its decisions itself.
    """
    if all(body.taken_back_to is None for body in bodies):
        return list(bodies)
    counting = CountingRecords()
    kept: list[RecordBody[A, Q, E]] = []
    for seq, body in enumerate(bodies, 1):
        if body.taken_back_to is not None:
            undone = counting.take_back(seq, body.taken_back_to)
            check_takeback(seq, body)
            for number in undone:
                kept[number - 1] = lasting_part(kept[number - 1])
            body = replace(body, taken_back_to=None)
        counting.add(seq)
        kept.append(body)
    return kept


def fold_takeback(
    before: Match[Q, B],
    undone: Iterable[RecordBody[A, Q, E]],
    body: RecordBody[A, Q, E],
    fold_board: BoardFold[B],
    set_cursor: SetCursor[B],
) -> Match[Q, B]:
    """Return the match after the takeback `body` to the state `before`, as `fold_log` returns it for the whole log.

    `undone` are all records between the two, those that were undone before among them.
    """
    counting = [*map(lasting_part, undone), replace(body, taken_back_to=None)]
    after = fold_many(before, counting, fold_board, set_cursor)
    assert after is not None  # it goes on from a match
    return after


class CountingRecords:
    """The numbers of the records that no takeback has undone. Each is undone once, however many takebacks follow."""

    def __init__(self) -> None:
        self._numbers: list[int] = []

    def add(self, seq: int) -> None:
        self._numbers.append(seq)

    def take_back(self, seq: int, to: int) -> list[int]:
        """Return the records that the takeback in record `seq` undoes. Raises ValueError for one that cannot be."""
        place = bisect_left(self._numbers, to)
        if not 0 < to < seq or self._numbers[place : place + 1] != [to]:
            raise ValueError(f"record {seq} takes back to record {to}, which does not count then")
        undone = self._numbers[place + 1 :]
        del self._numbers[place + 1 :]
        return undone


def check_takeback(seq: int, body: RecordBody[A, Q, E]) -> None:
    """Check that a takeback opens every decision that is open after it. Raises `ValueError`.

    Under its old id a decision would take an answer that was sent before the takeback, its time would have begun
    before, and what the house answered under this id could never be answered by the house again.
    """
    opened = None if body.decisions is None else [decision.id for decision in body.decisions]
    if opened is None or opened != [f"{seq}.{slot}" for slot in range(len(opened))]:
        raise ValueError(f"record {seq} takes back to record {body.taken_back_to} without opening the decisions itself")


def lasting_part(body: RecordBody[A, Q, E]) -> RecordBody[A, Q, E]:
    """Return what stays of a record that was taken back: its time, its rules and the lasting events."""
    events = tuple(event for event in body.events if isinstance(event, LASTING_EVENT_TYPES))
    return RecordBody(at_ms=body.at_ms, events=events, rules_version=body.rules_version)


def _initial_match(event: MatchOpened[Any]) -> Match[Q, B]:
    return Match(
        match=event.match,
        ruleset=event.ruleset,
        settings=event.settings,
        seats=tuple(SeatState() for _ in range(event.seat_count)),
        server_link=event.anchor,
        deal_commitment=event.deal_commitment,
        rules_version=event.rules_version,
        repeatable=event.repeatable,
        packs=event.packs,
        match_options=event.match_options,
    )


def _fold_match_event(match: Match[Q, B], event: object) -> Match[Q, B]:
    match event:
        case SeatTaken():
            loadout = without_digests(event.loadout)
            vacated_in, chain = match.seats[event.seat].vacated_in, SeatChainState(head=event.chain_head)
            return _with_seat(match, event.seat, SeatState(event.player, loadout, chain, vacated_in=vacated_in))
        case SeatNonceOpened():
            link = HIDDEN if isinstance(event.seat_nonce, Sealed) else event.seat_nonce
            return _with_seat(match, event.seat, replace(match.seats[event.seat], seat_nonce=link))
        case SeatReady():
            return _with_seat(match, event.seat, replace(match.seats[event.seat], ready=True))
        case StepBegan():
            return _fold_step_began(match, event)
        case ChainReplaced():
            state = match.seats[event.seat]
            if state.chain is not None:
                superseded = 0 if state.chain.new_head is None else state.chain.superseded + 1
                chain = SeatChainState(state.chain.head, event.chain_head, event.from_step, superseded)
                state = replace(state, chain=chain)
            return _with_seat(match, event.seat, state)
        case SeatVacated():
            return _fold_seat_vacated(match, event)
        case SeatResigned():
            match = replace(match, offer=None) if match.offer else match  # those who are left may offer it again
            return _with_seat(match, event.seat, replace(match.seats[event.seat], resigned=True))
        case SeatTakenOver():
            return _with_seat(match, event.seat, replace(match.seats[event.seat], substitute=True))
        case SeatTakenBack():
            return _with_seat(match, event.seat, replace(match.seats[event.seat], substitute=False, missed=0))
        case OfferMade() | OfferAnswered() | TakebackMade() | PlayPaused() | PlayResumed():
            return _fold_agreement(match, event)
        case PositionSet():
            return replace(match, position=_without_digests_inside(event.position))
        case BranchBegan():
            return _fold_branch_began(match, event)
        case MatchEnded():
            return replace(match, server_link=event.server_link, deal_secret=event.deal_secret, offer=None)
        case _:
            raise TypeError(f"{type(event).__name__} is not an event of the match")


def _fold_agreement(
    match: Match[Q, B], event: OfferMade | OfferAnswered | TakebackMade | PlayPaused | PlayResumed
) -> Match[Q, B]:
    match event:
        case OfferMade():
            offered = replace(match.seats[event.seat], has_offered=True)
            return replace(
                _with_seat(match, event.seat, offered), offer=OpenOffer(event.offer_id, event.seat, event.offer)
            )
        case OfferAnswered():
            if match.offer is None or not event.agree:
                return replace(match, offer=None)
            return replace(match, offer=replace(match.offer, agreed=(*match.offer.agreed, event.seat)))
        case TakebackMade():
            seat_state = match.seats[event.seat]
            counted = replace(seat_state, takebacks=seat_state.takebacks + 1)
            return replace(_with_seat(match, event.seat, counted), offer=None, paused=False)
        case PlayPaused():
            return replace(match, paused=True, offer=None)
        case PlayResumed():
            return replace(match, paused=False, resumed_ms=event.at_ms)


def _fold_seat_vacated(match: Match[Q, B], event: SeatVacated) -> Match[Q, B]:
    """Free a seat. The others are not ready any more; a nonce that was published becomes the head of its chain."""
    seats, spent = [], {nonce.seat: nonce.seat_nonce for nonce in event.spent_nonces}
    for seat, seat_state in enumerate(match.seats):
        if seat == event.seat:
            seats.append(SeatState(vacated_in=event.record))
            continue
        chain = seat_state.chain
        if chain is not None and seat in spent:
            chain = replace(chain, head=spent[seat])
        seats.append(replace(seat_state, chain=chain, ready=False, seat_nonce=None))
    is_new = event.kicked and event.player not in match.kicked
    return replace(match, seats=tuple(seats), kicked=(*match.kicked, event.player) if is_new else match.kicked)


def _fold_branch_began(match: Match[Q, B], event: BranchBegan[B]) -> Match[Q, B]:
    position = match.position
    if position is None:
        raise ValueError("a branch begins with a position")
    board = position.board if event.board is None else _without_digests_inside(event.board)
    seats = tuple(
        replace(seat_state, resigned=True) if seat in position.resigned else seat_state
        for seat, seat_state in enumerate(match.seats)
    )
    return replace(match, status="running", seats=seats, board=board, position=None)


def _without_digests_inside(value: N) -> N:
    """Return a value with `HIDDEN` in the place of everything in it that is sealed, at any depth."""
    plain: Any = value
    if isinstance(plain, Sealed):
        plain = HIDDEN
    elif isinstance(plain, tuple):
        items = tuple(map(_without_digests_inside, plain))
        # Named tuples have no place in a board, and what holds no secret stays the object that it was.
        plain = plain if all(map(is_, items, plain)) else items
    elif isinstance(plain, Struct):
        fields = {name: getattr(plain, name) for name in plain.__struct_fields__}
        shown = {name: _without_digests_inside(field) for name, field in fields.items()}
        changed = {name: field for name, field in shown.items() if field is not fields[name]}
        plain = replace(plain, **changed) if changed else plain
    result: N = plain
    return result


def without_digests(loadout: N) -> N:
    """Return a loadout with `HIDDEN` in the place of what is sealed: a state knows secrets, but no digests."""
    fields = getattr(loadout, "__struct_fields__", ())
    sealed = {name: HIDDEN for name in fields if isinstance(getattr(loadout, name), Sealed)}
    return replace(loadout, **sealed) if sealed and isinstance(loadout, Struct) else loadout


def _with_seat(match: Match[Q, B], seat: Seat, seat_state: SeatState) -> Match[Q, B]:
    return replace(match, seats=(*match.seats[:seat], seat_state, *match.seats[seat + 1 :]))


def _fold_step_began(match: Match[Q, B], event: StepBegan) -> Match[Q, B]:
    """Opened links become the new heads; a replaced chain comes into force when its step is the next one."""
    seat_states = []
    for seat, seat_state in enumerate(match.seats):
        chain = seat_state.chain
        if chain is not None and seat not in event.missing and event.seat_nonces:
            chain = replace(chain, head=event.seat_nonces[seat])
        if chain is not None and chain.new_head is not None and event.step + 1 >= (chain.new_from or 0):
            chain = SeatChainState(head=chain.new_head)
        seat_states.append(replace(seat_state, chain=chain, seat_nonce=None, takebacks=0))
    return replace(
        match,
        seats=tuple(seat_states),
        server_link=event.server_link,
        step=event.step,
        draw_index=0,
        seat_nonces=(*match.seat_nonces, event.seat_nonces),
    )
