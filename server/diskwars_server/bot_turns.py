"""Queue of the matches in which a bot has to decide: fair between those who opened them."""

from collections.abc import Callable
from time import monotonic

from msgspec import Struct

from diskwars_protocol.match import MatchId
from diskwars_server.outbox import Signal

MAX_WAITING_MATCHES = 1024


class WaitingMatch(Struct, frozen=True):
    """A match that waits for a bot, who opened it, and since when, in seconds of the queue's clock."""

    match: MatchId
    owner: str
    since: float


class BotTurns:
    """Bounded queue: each match is in it once, and those who opened matches are served in turn.

    A stranger with many matches therefore delays a match of somebody else by one decision only.
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
        self._taken: dict[MatchId, WaitingMatch | None] = {}
        self._added = Signal()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, match: MatchId, owner: str) -> None:
        """Let a match wait for a bot, unless it does already. One that is being served waits again afterwards."""
        waiting = WaitingMatch(match, owner, self._clock())
        if match in self._taken:
            self._taken[match] = waiting
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
        owner, own = next(iter(self._by_owner.items()))
        waiting = next(iter(own.values()))
        self._remove(waiting)
        if owner in self._by_owner:  # the others come first now
            self._by_owner[owner] = self._by_owner.pop(owner)
        self._taken[waiting.match] = None
        return waiting

    def take_overdue(self, seconds: float) -> WaitingMatch | None:
        """Return the match that has waited longest, if it has waited at least this long. Call `finish` as well."""
        oldest = next(iter(self._waiting.values()), None)
        if oldest is None or self._clock() - oldest.since < seconds:
            return None
        self._remove(oldest)
        self._taken[oldest.match] = None
        return oldest

    def finish(self, match: MatchId) -> None:
        """End the serving of a match. If it was added meanwhile, it waits again."""
        again = self._taken.pop(match, None)
        if again is not None:
            self._append(again)
