"""One of the processes that serve on one port: `serve --workers` starts it, and it ends with the one that did.

It reads a `NodePlan` from its input, whose end is the end of its parent, and writes one `NodeReport`.
"""

import os
import socket
import sys
import threading
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
    end_with_parent()
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
            )
    except (CommandError, SettingsError) as fault:
        write_report(NodeReport(str(fault)))
        return EXIT_FAILED
    return 0


def write_report(report: NodeReport) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(report) + b"\n")
    sys.stdout.buffer.flush()


def end_with_parent() -> None:
    """End this process when its input does, whose other end the parent holds.

    A thread, because a held-up event loop would keep the port: the database and NATS end with the parent, and nobody
    starts the node again. Everything that was acknowledged is stored, as after any other kill.
    """
    threading.Thread(target=_wait_for_parent, name="parent", daemon=True).start()


def _wait_for_parent() -> None:
    try:
        while os.read(sys.stdin.fileno(), 1024):
            pass
    finally:
        os._exit(EXIT_FAILED)


if __name__ == "__main__":
    sys.exit(main())
