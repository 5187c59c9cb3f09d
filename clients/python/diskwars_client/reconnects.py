"""Closed connections that a client makes again."""

from diskwars_protocol.messages.closing import CLOSE_CODES, CloseReason, Closing

RECONNECT_CLOSE_REASONS = frozenset({"going_away", "restarting", "slow", "fault", "flood", "gap"})
"""Close reasons after which the client reconnects; any other that it knows is final."""

BROKEN_FRAME_REASONS = frozenset({"bad_frame", "binary", "protocol", "bad_record"})
"""Reasons for which the client itself ends a connection: it got a frame that a server cannot have meant.

Something between the two may have doubled or changed it. The client resumes where the records were still sound.
"""
MAX_BROKEN_CONNECTIONS = 8
"""Connections within `BROKEN_MEMORY_SECONDS` that end so without a record between them. Then it was the server."""
MAX_BAD_RECORDS = 2
"""The same for records that are not those promised: a history that was rewritten comes again in the same words."""
BROKEN_MEMORY_SECONDS = 60.0


class BrokenConnections:
    """Count of the connections that the client has ended because of a frame."""

    def __init__(self) -> None:
        self._times: list[float] = []

    def forget(self) -> None:
        """Count from zero again: the server sends what it should."""
        self._times.clear()

    def may_reconnect(self, close_reason: CloseReason, now_seconds: float) -> bool:
        """Count one and return whether the client connects again."""
        if close_reason in RECONNECT_CLOSE_REASONS:
            return True
        if close_reason not in BROKEN_FRAME_REASONS:
            return False
        self._times = [time for time in self._times if now_seconds - time < BROKEN_MEMORY_SECONDS] + [now_seconds]
        return len(self._times) <= (MAX_BAD_RECORDS if close_reason == "bad_record" else MAX_BROKEN_CONNECTIONS)


def may_reconnect(closing: Closing) -> bool:
    """Return whether a client connects again after this."""
    if closing.close_reason in CLOSE_CODES:
        return closing.close_reason in RECONNECT_CLOSE_REASONS
    # Only the server knows whether to reconnect after a reason that a later version has added.
    return closing.retry_after_ms is not None
