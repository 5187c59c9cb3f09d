"""One of the processes that serve on one port: `serve --workers` starts it, and it ends with the one that did.

It reads a `NodePlan` from its input, whose end is the end of its parent, and writes one `NodeReport`.
"""

import asyncio
import socket
import sys
from pathlib import Path

import msgspec
from msgspec import Struct

from diskwars_cli.console.command import EXIT_FAILED, CommandError
from diskwars_cli.console.signals import handle_stop_signals
from diskwars_cli.own_server.page_build import prepare_page
from diskwars_cli.own_server.serve_process import serve_here
from diskwars_server.connections.placement import Placement
from diskwars_server.logs import configure_logging
from diskwars_server.settings import ServerSettings, SettingsError


class NodePlan(Struct, frozen=True):
    """The part that a node serves: as number `number`, counted from 0, on sockets that it inherits as `listeners`.

    In the folder `homes` the nodes find each other.
    """

    settings: ServerSettings
    number: int
    listeners: tuple[int, ...]
    homes: Path


class NodeReport(Struct, frozen=True):
    """The one report of a node: it is ready, or there is a fault."""

    fault: str = ""


def encode_plan(plan: NodePlan) -> bytes:
    """Return one line. It holds the password of the database."""
    return msgspec.json.encode(plan, enc_hook=str) + b"\n"


def decode_plan(line: bytes) -> NodePlan:
    return msgspec.json.decode(line, type=NodePlan, dec_hook=lambda kind, value: Path(value))


def main() -> int:
    plan = decode_plan(sys.stdin.buffer.readline())
    configure_logging(plan.settings.log_level, plan.settings.log_format, worker=plan.number)
    listeners = [socket.socket(fileno=number) for number in plan.listeners]
    page = prepare_page(plan.settings.page, lambda line: None)
    try:
        with handle_stop_signals():
            serve_here(
                plan.settings,
                page,
                ready=lambda url: write_report(NodeReport()),
                listeners=listeners,
                placement=Placement(plan.homes, plan.number, plan.settings.workers),
                besides=watch_parent,
            )
    except (CommandError, SettingsError) as fault:
        write_report(NodeReport(str(fault)))
        return EXIT_FAILED
    return 0


def write_report(report: NodeReport) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    sys.stdout.buffer.flush()


def watch_parent(serving: asyncio.Task[None]) -> None:
    """Stop serving when the parent is gone, however it ended: its database and its port go with it."""
    loop = asyncio.get_running_loop()

    def on_end() -> None:
        loop.remove_reader(sys.stdin.fileno())
        serving.cancel()

    loop.add_reader(sys.stdin.fileno(), on_end)


if __name__ == "__main__":
    sys.exit(main())
