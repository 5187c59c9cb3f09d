"""Closed connections that a client makes again."""

from diskwars_protocol.messages.closing import CLOSE_CODES, Closing

RECONNECT_CLOSE_REASONS = frozenset({"going_away", "restarting", "slow", "fault", "flood", "gap"})
"""Close reasons after which the client reconnects; any other that it knows is final."""


def may_reconnect(closing: Closing) -> bool:
    """Return whether a client connects again after this."""
    if closing.close_reason in CLOSE_CODES:
        return closing.close_reason in RECONNECT_CLOSE_REASONS
    # Only the server knows whether to reconnect after a reason that a later version has added.
    return closing.retry_after_ms is not None
