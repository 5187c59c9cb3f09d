"""The command of the project, whose server writes down for how long its event loop was at work without a pause.

`LOOP_FILE` names the file: the most milliseconds between two turns of a timer, and how many turns were later than
`TICK_SECONDS`. Time in which the thread waited for a processor is not counted: it is that of other programs.
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Self

from diskwars_cli.__main__ import main
from diskwars_server.connections.transport import Transport
from diskwars_server.limits.loop_load import ThreadClock

LOOP_FILE = "LOOP_FILE"
TICK_SECONDS = 0.005
MS_PER_SECOND = 1000


async def watch_loop(file: Path) -> None:
    """Measure until cancelled, and write whenever a pause was longer than all before it."""
    clock, loop, longest = ThreadClock(), asyncio.get_running_loop(), 0.0
    before, at = clock.read(), loop.time()
    while True:
        await asyncio.sleep(TICK_SECONDS)
        now, after = loop.time(), clock.read()
        own = now - at - TICK_SECONDS - (after.waited - before.waited)
        if own > longest:
            longest = own
            file.write_text(f"{MS_PER_SECOND * longest:.3f}")
        before, at = clock.read(), loop.time()


def watch_listening_server(file: Path) -> None:
    """Let the loop of a server be watched from when it listens."""
    enter = Transport.__aenter__
    watchers = set[asyncio.Task[None]]()

    async def watched_enter(transport: Transport) -> Self:  # type: ignore[misc]
        watchers.add(asyncio.create_task(watch_loop(file)))
        return await enter(transport)

    Transport.__aenter__ = watched_enter  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    watch_listening_server(Path(os.environ[LOOP_FILE]))
    sys.exit(main())
