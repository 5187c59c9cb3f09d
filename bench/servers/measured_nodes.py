"""Several measured servers on one port, as `diskwars serve --workers` runs them, with a NATS of their own.

    python -m bench.servers.measured_nodes DATABASE_URL COUNT home|split [--limits] [--step-clock]

With `split` nobody is handed over to the node that holds the match: the kernel chooses one for each connection.
`--limits` is for every node, `--step-clock` for the first: the clock of its machine is set forth and back all the time.
"""

import argparse
import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from asyncio.subprocess import PIPE
from collections.abc import Sequence

from bench.measuring.processes import ROOT, child_environment
from diskwars_cli.own_server.serve_nodes import open_listeners
from diskwars_server.connections.transport import client_url
from diskwars_server.processes.embedded_nats import EmbeddedNats

HOST = "127.0.0.1"


async def main(url: str, count: int, is_at_home: bool, flags: Sequence[str], first_flags: Sequence[str]) -> None:
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    with open_listeners(HOST, 0) as (listener,), tempfile.TemporaryDirectory(prefix="diskwars-bench-") as homes:
        async with EmbeddedNats() as nats, contextlib.AsyncExitStack() as stack:
            for number in range(count):
                command = (
                    "-m",
                    "bench.servers.measured_server",
                    url,
                    "--nats",
                    nats.url,
                    "--listener",
                    str(listener.fileno()),
                )
                placed = ("--node", str(number), "--nodes", str(count), "--homes", homes) if is_at_home else ()
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, *command, *placed, *flags, *(() if number else first_flags)),
                    stdout=PIPE,
                    pass_fds=(listener.fileno(),),
                    cwd=ROOT,
                    env=child_environment(),
                )
                stack.push_async_callback(process.wait)
                stack.callback(process.terminate)
                assert process.stdout is not None
                await process.stdout.readline()
            print(client_url(HOST, listener.getsockname()[1]), flush=True)
            await stopped.wait()


if __name__ == "__main__":
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))  # the parent has chosen one core
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("count", type=int)
    parser.add_argument("placement", choices=("home", "split"))
    parser.add_argument("--limits", action="store_true")
    parser.add_argument("--step-clock", action="store_true")
    options = parser.parse_args()
    flags, first_flags = ["--limits"] * options.limits, ["--step-clock"] * options.step_clock
    asyncio.run(main(options.url, options.count, options.placement == "home", flags, first_flags))
