"""Work that a server repeats for as long as it runs, in spite of all faults."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from diskwars_server.refusals import describe_fault
from diskwars_server.store.errors import StoreUnavailable

Sleep: TypeAlias = Callable[[float], Awaitable[None]]


async def repeat(
    step: Callable[[], Awaitable[None]],
    pause_seconds: float,
    log: logging.Logger,
    failure: str,
    sleep: Sleep = asyncio.sleep,
) -> None:
    """Do a step, pause, and do it again, until cancelled.

    No fault ends it, for nobody would begin it again. `failure` is what the log says of one: once for faults of a kind
    that come in a row, and not at all during an outage, which the database logs itself.
    """
    known = ""
    while True:
        try:
            await step()
            known = ""
        except StoreUnavailable:
            pass
        except Exception as fault:
            if type(fault).__name__ != known:
                log.error(failure, extra=describe_fault(fault))
            known = type(fault).__name__
        await sleep(pause_seconds)
