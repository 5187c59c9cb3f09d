"""The port of notices: what is planned for players, their channels, and what is being sent to them.

A notice is stored with the record that causes it. Once it is due it becomes deliveries, one for each channel, in one
transaction: a crash neither loses nor doubles it. A delivery is sent at least once, under an id of its own.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.match_options import BankClock, MatchOptions, absence_ms
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.messages.notices import (
    ChannelKind,
    ChannelState,
    EmailTarget,
    NoticeKind,
    NoticePreferences,
    NoticeTarget,
    PushTarget,
    WebhookTarget,
)
from diskwars_server.store.changes import Change, deciding_seats
from diskwars_server.store.deadlines import ABSENCE

MS_PER_HOUR = 3_600_000
MS_PER_DAY = 24 * MS_PER_HOUR
PRESENCE_MS = 30_000
"""Between a record and the first notice about it. Meanwhile nodes withdraw it for those who watch the match."""
SLOW_SECONDS = 3_600
"""From this much time for a decision on, nobody is expected to wait at the table."""
DAY_LEFT_FROM_MS = 36 * MS_PER_HOUR
HOUR_LEFT_FROM_MS = 3 * MS_PER_HOUR
"""A shorter time to answer has no such notice: that it is the player's turn says enough."""


class PlannedNotice(Struct, frozen=True):
    """A notice about a match. A later one of its kind to the same player about the same match takes its place.

    It holds while the seat has to decide: with a `decision`, while that has a deadline. `due_ms` is the first moment to
    send it.
    """

    player: str
    match: str
    kind: NoticeKind
    seat: Seat
    due_ms: int
    seq: int
    decision: str = ""


class DueNotice(Struct, frozen=True):
    """A planned notice that is claimed. `deadline_ms` is the deadline of its decision now, None where it has none."""

    notice: PlannedNotice
    deadline_ms: int | None


class StoredChannel(Struct, frozen=True):
    """A channel of a player. `failures` counts refusals in a row; a resting one is tried again at `rests_until_ms`."""

    player: str
    channel: str
    target: NoticeTarget
    state: ChannelState
    created_ms: int
    failures: int = 0
    rests_until_ms: int = 0


class NoticeText(Struct, frozen=True):
    """What a delivery says of one match, from its listing: ids only, so that names are those of when it is sent."""

    kind: NoticeKind
    match: str
    seat: Seat
    deadline_ms: int | None = None


class Delivery(Struct, frozen=True):
    """What is being sent by one channel. Nothing in it is about a match where it is a trial of the channel."""

    delivery: str
    player: str
    channel: str
    texts: tuple[NoticeText, ...]
    created_ms: int
    due_ms: int
    attempts: int = 0


class DeadDelivery(Struct, frozen=True):
    """A delivery that was given up, and why."""

    delivery: Delivery
    why: str


class Notices(Protocol):
    """Notices of all players. Every method may raise `StoreUnavailable`.

    `EventLog.append` writes the planned ones, for players who have a channel. `Accounts.delete` removes all that is a
    player's.
    """

    async def postpone_seen(self, seen: Sequence[tuple[str, str]], due_before: int, due_ms: int) -> None:
        """Let the notices to each (player, match) that are due before then be due at `due_ms`.

        The player has the match open now, which may change: an answer, not a look, makes a notice needless.
        """

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[DueNotice]:
        """Return notices that are due at `now`, the earliest first, and keep others from them for the lease."""

    async def settle(self, notices: Sequence[PlannedNotice], deliveries: Sequence[Delivery]) -> bool:
        """Replace claimed notices by deliveries, in one transaction. Return False where nothing was done.

        That is where another node has settled one of them, or a later one took its place: the others are claimed again.
        """

    async def postpone(self, notice: PlannedNotice, due_ms: int) -> None:
        """Let a claimed notice be due later, unless another one took its place."""

    async def add_deliveries(self, deliveries: Sequence[Delivery]) -> None:
        """Store deliveries that no record has caused."""

    async def claim_deliveries(self, now: int, limit: int, lease_ms: int) -> list[Delivery]:
        """Return deliveries that are due at `now`, the earliest first, as `claim_due` does."""

    async def finish_delivery(self, delivery: Delivery) -> None:
        """Forget a delivery that was sent, or that nobody is left for."""

    async def retry_delivery(self, delivery: Delivery) -> None:
        """Store the attempts of a claimed delivery, and when it is due again."""

    async def bury_delivery(self, delivery: Delivery, why: str) -> None:
        """Give a delivery up. It stays for operators to see."""

    async def list_dead(self, limit: int) -> list[DeadDelivery]:
        """Return what was given up, the latest first."""

    async def remove_dead(self, before: int) -> int:
        """Forget what was given up and created before then; return how many."""

    async def add_channel(self, channel: StoredChannel, limit: int) -> bool:
        """Store a channel; return False where the player has `limit` of them. The same target is stored once."""

    async def find_channels(self, players: Sequence[str]) -> dict[str, tuple[StoredChannel, ...]]:
        """Return the channels of players by player, in the order in which they were added."""

    async def change_channel(self, channel: StoredChannel) -> None:
        """Replace state and failures of a channel; one that was removed stays away."""

    async def remove_channel(self, player: str, channel: str) -> None:
        """Remove a channel, and what was to be sent by it."""

    async def find_preferences(self, players: Sequence[str]) -> dict[str, NoticePreferences]:
        """Return the preferences of players who have set any."""

    async def set_preferences(self, player: str, preferences: NoticePreferences) -> None:
        """Replace the preferences of a player."""


def plan_notices(change: Change, seq: int, actor: str = "") -> tuple[PlannedNotice, ...]:
    """Return the notices that record `seq` causes: to people in a match that nobody is expected to sit at.

    `actor` is the player who caused it: they know what they did. Where the server acted for an absent seat it is
    nobody.
    """
    options = change.after.match_options
    if not is_slow(options) or not (change.new_turns is not None or change.deadlines or change.has_new_listing):
        return ()
    planned: dict[tuple[str, NoticeKind], PlannedNotice] = {}
    for notice in _plan(change, seq, actor):
        # Of two open decisions of one seat the one that is due first counts.
        known = planned.get((notice.player, notice.kind))
        if known is None or notice.due_ms < known.due_ms:
            planned[notice.player, notice.kind] = notice
    return tuple(planned.values())


def plan_pairings(match: str, players: Sequence[str], at_ms: int) -> tuple[PlannedNotice, ...]:
    """Return the notices to people for whom the seats of a new match of a tournament are kept, in the order of seats.

    However little time a decision has: without a notice nobody knows that a round has begun.
    """
    return tuple(
        PlannedNotice(player, match, "pairing", seat, at_ms + PRESENCE_MS, 1)
        for seat, player in enumerate(players)
        if not bot_name(player)
    )


def is_slow(options: MatchOptions) -> bool:
    """Return whether a decision may take an hour or more."""
    return options.clock is None or _allowed_ms(options) >= SLOW_SECONDS * 1000


def _allowed_ms(options: MatchOptions) -> int:
    """Return how long a seat may take: for a decision, for the whole match, or before the house leaves for it."""
    clock = options.clock
    if clock is None:
        return absence_ms(options) or 0
    return 1000 * (clock.bank_seconds if isinstance(clock, BankClock) else clock.decision_seconds)


def _plan(change: Change, seq: int, actor: str) -> Iterator[PlannedNotice]:
    before, after = change.before, change.after
    soon_ms = after.at_ms + PRESENCE_MS
    if after.status == "ended" and before.status == "running":
        for seat in _people(after, with_resigned=True):
            if after.seats[seat].player != actor:
                yield _notice(after, "match_ended", seat, soon_ms, seq)
    if after.status != "running":
        return
    deciding = set(deciding_seats(after)) & set(_people(after))
    newly = deciding - (set(deciding_seats(before)) if before.status == "running" else set())
    known = {decision.id for decision in before.decisions}
    asked_again = {decision.seat for decision in after.decisions if decision.id not in known} & deciding - newly
    for seat in sorted(newly | asked_again):
        # A player who has just answered and is asked on is there; one for whom the server answered is not.
        if seat in newly or after.seats[seat].player != actor:
            yield _notice(after, "your_turn", seat, soon_ms, seq)
    if change.has_begun:
        for seat in sorted(set(_people(after)) - newly):
            yield _notice(after, "match_began", seat, soon_ms, seq)
    has_waited = after.at_ms - before.at_ms >= MS_PER_HOUR  # earlier reminders are moved, and not sent, until then
    yield from _plan_reminders(change, newly | (asked_again if has_waited else set()), seq)


def _plan_reminders(change: Change, asked: set[Seat], seq: int) -> Iterator[PlannedNotice]:
    """Plan what precedes an answer of the server: of each new deadline, or of the days without one."""
    after = change.after
    allowed_ms = absence_ms(after.match_options)
    if allowed_ms is not None:
        for seat in sorted(asked):
            yield from _remind(after, seat, after.at_ms + allowed_ms, ABSENCE.key, seq)
    seat_of: dict[str, Seat] = {decision.id: decision.seat for decision in after.decisions}
    people = _people(after)
    for deadline in change.deadlines:
        decides = seat_of.get(deadline.decision)
        if decides is not None and decides in people:
            yield from _remind(after, decides, deadline.at, deadline.decision, seq)


def _remind(state: AnyMatch, seat: Seat, at_ms: int, decision: str, seq: int) -> Iterator[PlannedNotice]:
    allowed_ms = _allowed_ms(state.match_options)
    if allowed_ms >= DAY_LEFT_FROM_MS and at_ms - MS_PER_DAY > state.at_ms:
        yield _notice(state, "day_left", seat, at_ms - MS_PER_DAY, seq, decision)
    if allowed_ms >= HOUR_LEFT_FROM_MS and at_ms - MS_PER_HOUR > state.at_ms:
        yield _notice(state, "hour_left", seat, at_ms - MS_PER_HOUR, seq, decision)


def _people(state: AnyMatch, *, with_resigned: bool = False) -> tuple[Seat, ...]:
    """Return the seats of people, those who have resigned only if they are wanted."""
    return tuple(
        number
        for number, seat in enumerate(state.seats)
        if seat.player and not bot_name(seat.player) and (with_resigned or not seat.resigned)
    )


def _notice(state: AnyMatch, kind: NoticeKind, seat: Seat, due_ms: int, seq: int, decision: str = "") -> PlannedNotice:
    player = state.seats[seat].player or ""  # only seats of people get here
    return PlannedNotice(player, state.match, kind, seat, due_ms, seq, decision)


def key_of(target: NoticeTarget) -> str:
    """Return what limits count a target by: a mailbox is one whatever tag its address has (RFC 5233)."""
    match target:
        case EmailTarget():
            local, _, host = target.address.lower().rpartition("@")
            return f"{local.partition('+')[0]}@{host}"
        case PushTarget():
            return target.endpoint
        case WebhookTarget():
            return target.url


def kind_of(target: NoticeTarget) -> ChannelKind:
    """Return the kind of channel that a target belongs to."""
    kind: ChannelKind = target.__struct_config__.tag  # type: ignore[assignment]
    return kind
