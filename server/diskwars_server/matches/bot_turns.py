"""Queue of the matches in which a bot has to decide: fair between those who opened them."""

from collections.abc import Callable
from time import monotonic

from msgspec import Struct

from diskwars_protocol.match.ids import MatchId
from diskwars_server.broadcast.outbox import Signal

MAX_WAITING_MATCHES = 1024
MAX_REMEMBERED_OWNERS = 4096
"""Owners whose thinking time is remembered. A forgotten owner starts at the current virtual time, like a new one."""


class WaitingMatch(Struct, frozen=True):
    """A match that waits for a bot, who opened it, and since when, in seconds of the queue's clock."""

    match: MatchId
    owner: str
    since: float


class _ServedMatch(Struct):
    """A match that has been taken, when that was, and its next decision if that waits already."""

    owner: str
    since: float
    again: WaitingMatch | None = None


class BotTurns:
    """Bounded queue: each match is in it once, and those who opened matches get equal shares of the thinking.

    This is start-time fair queueing: the waiting owner with the least thinking time is served next. An owner who joins
    starts at the virtual time, which is the thinking time of the owner served last. A stranger with many matches
    therefore takes no time from other players' matches.
    """

    def __init__(
        self,
        *,
        is_active: bool = True,
        max_matches: int = MAX_WAITING_MATCHES,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Unless it `is_active` nobody takes anything, and games need not add anything."""
        self.is_active = is_active
        self.was_full = False
        """Whether matches were left out since this was last set to False: the index of matches knows them."""
        self._max_matches, self._clock = max_matches, clock
        self._waiting: dict[MatchId, WaitingMatch] = {}
        self._by_owner: dict[str, dict[MatchId, WaitingMatch]] = {}
        self._served: dict[MatchId, _ServedMatch] = {}
        self._used_seconds: dict[str, float] = {}
        """By owner, counted from `_virtual_seconds` when they joined; see `take`."""
        self._virtual_seconds = 0.0
        self._added = Signal()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, match: MatchId, owner: str) -> None:
        """Let a match wait for a bot, unless it does already. One that is being served waits again afterwards."""
        waiting = WaitingMatch(match, owner, self._clock())
        if match in self._served:
            self._served[match].again = waiting
        elif match not in self._waiting:
            self._append(waiting)

    def _append(self, waiting: WaitingMatch) -> None:
        if len(self._waiting) >= self._max_matches and not self._make_room(waiting.owner):
            self.was_full = True
            return
        self._waiting[waiting.match] = waiting
        self._by_owner.setdefault(waiting.owner, {})[waiting.match] = waiting
        self._added.notify()

    def _make_room(self, owner: str) -> bool:
        """Leave out the newest match of the owner with the most; False if that is who wants room."""
        greediest = max(self._by_owner, key=lambda known: len(self._by_owner[known]))
        if len(self._by_owner[greediest]) <= len(self._by_owner.get(owner, ())) + 1:
            return False
        self._remove(self._waiting[next(reversed(self._by_owner[greediest]))])
        self.was_full = True
        return True

    def _remove(self, waiting: WaitingMatch) -> None:
        del self._waiting[waiting.match]
        own = self._by_owner[waiting.owner]
        del own[waiting.match]
        if not own:
            del self._by_owner[waiting.owner]

    async def take(self) -> WaitingMatch:
        """Return the next match once there is one. Call `finish` when it has been served."""
        while not self._by_owner:
            await self._added.wait()
        # Equal owners are served in order, because an owner moves to the end when served.
        owner = min(self._by_owner, key=self._used_by)
        self._virtual_seconds = self._used_by(owner)
        waiting = next(iter(self._by_owner[owner].values()))
        self._serve(waiting)
        if owner in self._by_owner:
            self._by_owner[owner] = self._by_owner.pop(owner)
        return waiting

    def take_overdue(self, seconds: float) -> WaitingMatch | None:
        """Return the match that has waited longest, if it has waited at least this long. Call `finish` as well."""
        oldest = next(iter(self._waiting.values()), None)
        if oldest is None or self._clock() - oldest.since < seconds:
            return None
        self._serve(oldest)
        return oldest

    def _serve(self, waiting: WaitingMatch) -> None:
        self._remove(waiting)
        # Raised now and not when it is charged: what others use in other processes meanwhile is not this owner's time.
        self._used_seconds[waiting.owner] = self._used_by(waiting.owner)
        self._served[waiting.match] = _ServedMatch(waiting.owner, self._clock())

    def _used_by(self, owner: str) -> float:
        return max(self._used_seconds.get(owner, 0.0), self._virtual_seconds)

    def share(self, owner: str) -> float:
        """Return the part of all thinking, above 0 to 1, that each waiting match of an owner gets, and one just taken.

        The matches of one owner share what the owner has.
        """
        own = len(self._by_owner.get(owner, ())) + 1
        owners = len(self._by_owner) + (owner not in self._by_owner)
        return 1 / (owners * own)

    def finish(self, match: MatchId) -> None:
        """End the serving of a match. If it was added meanwhile, it waits again."""
        served = self._served.pop(match, None)
        if served is None:
            return
        self._charge(served.owner, self._clock() - served.since)
        if served.again is not None:
            self._append(served.again)

    def _charge(self, owner: str, seconds: float) -> None:
        used = self._used_seconds.pop(owner, self._virtual_seconds) + seconds
        if not self._waiting and not self._served:
            self._used_seconds.clear()  # nobody has waited for it
            return
        self._used_seconds[owner] = used
        if len(self._used_seconds) > MAX_REMEMBERED_OWNERS:
            del self._used_seconds[next(iter(self._used_seconds))]
