"""Policy of reconnects and of requests that are sent again."""

from collections.abc import Callable

from msgspec import Struct

from diskwars_client.errors import CommandRefused
from diskwars_protocol.messages import Request

MAX_DOUBLINGS = 30
"""A bound, because powers of two would become too large for a float."""


class RetryPolicy(Struct, frozen=True):
    """Times and pauses of further tries.

    The pause before a new attempt doubles from `initial_delay_seconds` to `quick_delay_seconds`, and stays there for
    `quick_attempts`, because a server that was killed is started again within seconds. Then it doubles to
    `max_delay_seconds`. Half of each pause is random.

    After `give_up_seconds` without a connection the client gives up. A socket that answers no ping for `ping_seconds`
    is dead. `max_attempts` is how often a command is sent that the server could not carry out just then; one that it
    wants to have after more than `max_server_wait_seconds` is not sent again. As long the first connection waits for a
    server that has no place now. `on_retry` gets each request that waits to be sent again, with its refusal.
    """

    initial_delay_seconds: float = 0.1
    max_delay_seconds: float = 10.0
    give_up_seconds: float = 120.0
    ping_seconds: float = 15.0
    max_attempts: int = 8
    max_server_wait_seconds: float = 30.0
    on_retry: Callable[[Request, CommandRefused], None] = lambda request, refused: None
    quick_delay_seconds: float = 1.0
    quick_attempts: int = 40

    def reconnect_delay(self, attempt: int, share: float) -> float:
        """Return the seconds before an attempt, of which 0 is the first. `share` is random, from 0 to 1."""
        first, quick = self.initial_delay_seconds, self.quick_delay_seconds
        if attempt < self.quick_attempts:
            longest = min(quick, first * 2.0 ** min(attempt, MAX_DOUBLINGS))
        else:
            longest = quick * 2.0 ** min(attempt - self.quick_attempts + 1, MAX_DOUBLINGS)
        return min(self.max_delay_seconds, longest) * (1 + share) / 2


DEFAULT_RETRY_POLICY = RetryPolicy()
