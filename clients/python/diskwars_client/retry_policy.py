"""Policy of reconnects and of requests that are sent again."""

from collections.abc import Callable

from msgspec import Struct

from diskwars_client.errors import CommandRefused
from diskwars_protocol.messages import Request


class RetryPolicy(Struct, frozen=True):
    """When to try again.

    The pause before a new attempt doubles from `initial_delay_seconds` to `max_delay_seconds`, half of it at random.

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


DEFAULT_RETRY_POLICY = RetryPolicy()
