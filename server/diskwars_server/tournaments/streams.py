"""The records of tournaments: read and folded, appended, and announced to every node."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.tournaments.events import TournamentEvent, TournamentRecord
from diskwars_protocol.tournaments.fold import fold_record, fold_tournament
from diskwars_protocol.tournaments.state import Tournament
from diskwars_server.bus.bus import Bus
from diskwars_server.matches.services import Clock
from diskwars_server.refusals import Refusal
from diskwars_server.store.tournaments import TournamentAppend, Tournaments, list_tournament

log = logging.getLogger(__name__)

MAX_KEPT_STATES = 256
SUBJECT = "tournaments"
"""The subject under which nodes name a tournament that has a new record."""

OnChange = Callable[[str, int], None]
"""Gets a tournament and the seq of its last record. Never waits."""


class TournamentStreams:
    """The tournaments of a database. Every method that waits may raise StoreUnavailable."""

    def __init__(self, store: Tournaments, bus: Bus, clock: Clock) -> None:
        self._store, self._bus, self._clock = store, bus, clock
        self._kept: OrderedDict[str, Tournament] = OrderedDict()
        self._listeners: list[OnChange] = []
        self._unsubscribe = bus.subscribe(SUBJECT, self._on_remote_change)

    def close(self) -> None:
        self._unsubscribe()

    def on_change(self, listener: OnChange) -> None:
        """Call a listener for every new record of any tournament, whichever node has stored it."""
        self._listeners.append(listener)

    async def load(self, tournament: str) -> Tournament:
        """Return a tournament as it is now. Raises Refusal."""
        kept = self._kept.get(tournament)
        records = await self._store.read(tournament, 0 if kept is None else kept.seq)
        if kept is None and not records:
            raise Refusal("unknown_tournament", place="$.tournament")
        state = fold_tournament(tournament, records, kept)
        self._keep(state)
        return state

    async def open(self, tournament: str, event: TournamentEvent, opener: PlayerId, command: str) -> Tournament:
        """Store the first record. Raises WrongVersion where the tournament is there already."""
        return await self._append(tournament, None, [event], opener, command)

    async def append(
        self, state: Tournament, events: Sequence[TournamentEvent], actor: PlayerId, command: str
    ) -> Tournament:
        """Store the next record. Raises WrongVersion and DuplicateCommand."""
        return await self._append(state.tournament, state, events, actor, command)

    async def _append(
        self,
        tournament: str,
        before: Tournament | None,
        events: Sequence[TournamentEvent],
        actor: PlayerId,
        command: str,
    ) -> Tournament:
        # Clocks of nodes differ a little: no record is older than the one before it.
        at_ms = self._clock() if before is None else max(self._clock(), before.at_ms)
        record = TournamentRecord(1 if before is None else before.seq + 1, at_ms, actor, tuple(events))
        state = fold_record(tournament, before, record)
        await self._store.append(TournamentAppend(tournament, record, command, list_tournament(state), _due_ms(state)))
        self._keep(state)
        log.info("tournament changed", extra={"tournament": tournament, "head": state.seq, "status": state.status})
        self._bus.publish(SUBJECT, f"{tournament} {state.seq}".encode())
        self._notify(tournament, state.seq)
        return state

    def _keep(self, state: Tournament) -> None:
        self._kept[state.tournament] = state
        self._kept.move_to_end(state.tournament)
        if len(self._kept) > MAX_KEPT_STATES:
            self._kept.popitem(last=False)

    def _on_remote_change(self, message: bytes) -> None:
        tournament, _, seq = message.decode(errors="replace").partition(" ")
        if seq.isdecimal():
            self._notify(tournament, int(seq))

    def _notify(self, tournament: str, seq: int) -> None:
        for listener in self._listeners:
            listener(tournament, seq)


def _due_ms(state: Tournament) -> int | None:
    """Return when somebody has to look at a tournament after a record: at once while it runs."""
    match state.status:
        case "open":
            return state.options.starts_ms
        case "running":
            return state.at_ms
        case _:
            return None
