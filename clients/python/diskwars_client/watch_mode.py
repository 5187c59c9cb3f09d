"""Modes of watching a match: the options and secrets that the server sends with its records."""

from msgspec import Struct

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.watching import Watch


class WatchMode(Struct, frozen=True):
    """Mode of watching a match, as in `messages.Watch`.

    With `push_openings` a handle with the whole history opens every secret of its records at the end: `state`,
    `records` and `file` then hold them, and only then does an iteration end.
    """

    reveal_secrets: bool = False
    push_options: bool = False
    include_unavailable: bool = False
    push_openings: bool = False

    def request(self, id: str, match: MatchId, after: int = 0, snapshot: bool = False) -> Watch:
        """Return the request to watch a match in this mode."""
        return Watch(
            id,
            match,
            after,
            self.reveal_secrets,
            snapshot,
            self.push_options,
            self.include_unavailable,
            self.push_openings,
        )


DEFAULT_WATCH_MODE = WatchMode()
