"""Snapshots of one match: its state as viewers may know it, as JSON."""

import msgspec

from diskwars_engine.match import AnyRules
from diskwars_protocol.match.ids import PUBLIC, Viewer
from diskwars_protocol.match.state import AnyMatch
from diskwars_server.broadcast.history import MatchHistory
from diskwars_server.store.match_loading import load_in_pieces

_JSON = msgspec.json.Encoder()


class MatchSnapshots:
    """The snapshots of one match. Those for the public are kept, as many spectators get the same."""

    def __init__(self, rules: AnyRules, history: MatchHistory) -> None:
        self._rules, self._history = rules, history
        self._public: tuple[AnyMatch, bytes] | None = None
        self._earlier: tuple[int, bytes] | None = None

    def encode(self, state: AnyMatch, viewer: Viewer) -> bytes:
        """Return the match after the last record as a viewer may see it; `state` is the one after it."""
        if viewer != PUBLIC:
            return encode_view(self._rules, state, viewer)
        if self._public is None or self._public[0] is not state:
            self._public = state, encode_view(self._rules, state, PUBLIC)
        return self._public[1]

    def clear(self) -> None:
        """Forget what is kept: it is made again when it is wanted."""
        self._public = self._earlier = None

    async def load_earlier(self, seq: int) -> bytes:
        """Return the match after an earlier record as the public saw it then. Raises StoreUnavailable."""
        if self._earlier is None or self._earlier[0] != seq:
            records = [record.record for record in await self._history.read(0, seq)]
            earlier = await load_in_pieces(self._rules, self._history.match, records)
            self._earlier = seq, encode_view(self._rules, earlier.state, PUBLIC)
        return self._earlier[1]


def encode_view(rules: AnyRules, state: AnyMatch, viewer: Viewer) -> bytes:
    """Return the match as a viewer may know it, as JSON: what snapshots and bots get."""
    return _JSON.encode(rules.view(state, viewer))
