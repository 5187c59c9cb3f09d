"""Subscribers of a match, and what each of them receives.

An append is encoded once for each group of viewers who see the same.
"""

from diskwars_engine.match_log import AnyMatch, AnyRules, Append
from diskwars_protocol.connection import SharedFrame, share
from diskwars_protocol.match import ALL, PUBLIC, MatchId, PlayerId, SeatTaken, Viewer
from diskwars_protocol.messages import Records, Unwatched
from diskwars_server.outbox import Outbox


class Subscribers:
    """The outboxes that follow one match live, each as what its player is there."""

    def __init__(self, rules: AnyRules, match: MatchId) -> None:
        self._rules, self._match = rules, match
        self._viewers: dict[Outbox, tuple[PlayerId, Viewer]] = {}

    def __bool__(self) -> bool:
        return bool(self._viewers)

    def __contains__(self, outbox: Outbox) -> bool:
        return outbox in self._viewers

    def viewer_for(self, state: AnyMatch, player: PlayerId, all: bool) -> Viewer:
        return ALL if all else self._rules.viewer_of(state, player)

    def add(self, outbox: Outbox, state: AnyMatch, player: PlayerId, all: bool) -> None:
        self._viewers[outbox] = player, self.viewer_for(state, player, all)

    def remove(self, outbox: Outbox) -> None:
        self._viewers.pop(outbox, None)

    def close_all(self) -> None:
        """Nothing more comes from here: watch the match again."""
        for outbox in self._viewers:
            self.notify_end(outbox)
        self._viewers.clear()

    def notify_end(self, outbox: Outbox) -> None:
        outbox.send_shared(share(Unwatched(self._match)))

    def publish(self, page: Append, state: AnyMatch) -> None:
        """Everybody gets the append; `state` is the one after it."""
        is_secret = False
        for line in page:
            is_secret = is_secret or bool(line.hidden)
            if type(line.event) is SeatTaken:
                self._refresh_viewers(state)
        frames: dict[Viewer, SharedFrame] = {}
        for outbox, (_, viewer) in tuple(self._viewers.items()):
            group = viewer if is_secret else PUBLIC
            frame = frames.get(group)
            if frame is None:
                frame = frames[group] = self.encode_records(page, viewer)
            if not outbox.send_shared(frame):
                self.remove(outbox)

    def _refresh_viewers(self, state: AnyMatch) -> None:
        """Note that a player has taken a seat and sees more from now on."""
        for outbox, (player, viewer) in self._viewers.items():
            self._viewers[outbox] = player, self.viewer_for(state, player, viewer == ALL)

    def encode_records(self, page: Append, viewer: Viewer) -> SharedFrame:
        """Return one append, or the tail of one, as a viewer gets it."""
        shown = tuple([line.as_seen_by(viewer) for line in page])
        return share(Records(self._match, shown[0].seq, shown[-1].seq, shown))
