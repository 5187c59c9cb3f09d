"""Difference that one record makes to a match: what is stored, published and listed with it.

Also the form of the records of other streams.
"""

from collections.abc import Sequence
from typing import Protocol

import msgspec
from msgspec import Struct

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.state import AnyMatch
from diskwars_server.store.deadlines import Deadline, changed_deadlines


class StreamRecord(Protocol):
    """A record of a stream that is no match: of one act, with all that followed from it."""

    @property
    def seq(self) -> int: ...
    @property
    def at_ms(self) -> int: ...
    @property
    def actor(self) -> str: ...
    @property
    def events(self) -> Sequence[object]: ...


class Change(Struct, frozen=True):
    """The difference between the states before and after a record.

    `has_new_listing`: lists show something else than a turn. `new_turns` are the seats for which the match waits from
    now on; None where they are the same as before. `is_news_for_all`: any viewer of a list may see that it has changed.
    `deadlines` are set or moved, those of `closed_decisions` removed.
    """

    before: AnyMatch
    after: AnyMatch
    has_begun: bool
    has_new_players: bool
    has_new_listing: bool
    new_turns: tuple[Seat, ...] | None
    is_news_for_all: bool
    deadlines: tuple[Deadline, ...]
    closed_decisions: tuple[str, ...]

    @classmethod
    def between(cls, before: AnyMatch, after: AnyMatch) -> "Change":
        """Compare two states, of which the second follows from the first by one record."""
        has_new_players = before.seats is not after.seats and seated_players(before) != seated_players(after)
        has_new_status, turns = before.status != after.status, deciding_seats(after)
        has_new_listing = has_new_players or has_new_status or has_new_result(before, after)
        new_turns = None if turns == deciding_seats(before) else turns
        # The time of a turn alone would tell spectators who see the match later that somebody has acted.
        is_for_all = has_new_listing or (new_turns is not None and after.match_options.watchers != "round_later")
        deadlines, closed = changed_deadlines(before, after)
        return cls(
            before=before,
            after=after,
            has_begun=has_new_status and before.status == "open",
            has_new_players=has_new_players,
            has_new_listing=has_new_listing,
            new_turns=new_turns,
            is_news_for_all=is_for_all,
            deadlines=deadlines,
            closed_decisions=closed,
        )


def deciding_seats(state: AnyMatch) -> tuple[Seat, ...]:
    """Return the seats for whose players the match waits: those of open decisions, which every record shows to all.

    A match that is paused waits for no player, and no match for a free seat.
    """
    if state.paused:
        return ()
    if len(state.decisions) == 1:  # as in most positions
        (decision,) = state.decisions
        return (decision.seat,) if state.seats[decision.seat].player else ()
    return tuple(sorted({decision.seat for decision in state.decisions if state.seats[decision.seat].player}))


def seated_players(state: AnyMatch) -> tuple[str | None, ...]:
    """Return the players by seat; None for a free seat."""
    return tuple([seat_state.player or None for seat_state in state.seats])


def has_new_result(before: AnyMatch, after: AnyMatch) -> bool:
    """Return whether lists show another result."""
    return before.result is not after.result and listed_result(before) != listed_result(after)


def listed_result(state: AnyMatch) -> Result | None:
    """Return the result as lists show it: without its reasons."""
    return None if state.result is None else msgspec.structs.replace(state.result, reasons=())
