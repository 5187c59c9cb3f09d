"""`serve --workers`: one process holds the port, the database and NATS, and several others serve.

The others inherit the socket that listens: the kernel gives each connection to one that waits for it. With a socket of
its own for each (SO_REUSEPORT) it would be chosen by the client's port, also when that node is dead or busy.
"""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from diskwars_cli.console.command import CommandError
from diskwars_cli.console.signals import Interrupted, finish_stop, run_async
from diskwars_cli.own_server.serve_node import NodePlan, NodeReport, encode_plan
from diskwars_cli.own_server.serve_process import listen_fault
from diskwars_cli.plugs.file_programs import module_command
from diskwars_server.app import open_database
from diskwars_server.connections.listening import bind
from diskwars_server.connections.tls import call_on_hangup, load_certificate
from diskwars_server.connections.transport import client_url
from diskwars_server.processes.bot_processes import default_bot_process_count
from diskwars_server.processes.children import parent_death_hook
from diskwars_server.processes.embedded_nats import EmbeddedNats
from diskwars_server.processes.embedded_postgres import EmbeddedError
from diskwars_server.settings import ServerSettings, SettingsError, parse_listen_address
from diskwars_server.store.errors import StoreError
from diskwars_server.store.postgres.database import PostgresDatabase

log = logging.getLogger("diskwars_server")

BACKLOG = 512
"""Connections that wait to be accepted: all nodes may be busy for a moment, or be starting again."""
START_SECONDS = 120.0
STOP_SECONDS = 30.0
"""Time that nodes may take to end, beside `--drain-seconds`; after that they are killed."""
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.5, 30.0
"""Pause before a dead node is started again; doubled each time, up to the maximum."""
STEADY_SECONDS = 60.0
"""A node that has lived this long is started again after the first pause."""


def run_nodes(settings: ServerSettings, ready: Callable[[str], None]) -> None:
    """Serve in several processes until a stop signal. `ready` gets the address once all can.

    Raises CommandError and SettingsError.
    """
    # Faults are reported before anything is started.
    metrics_address(settings.metrics, settings.workers - 1)
    load_certificate(settings)
    try:
        with open_database(settings) as url, open_listeners(settings.host, settings.port) as listeners:
            run_async(_serve(replace(settings, database_url=url), listeners, ready))
    except Interrupted:
        finish_stop()
    except OSError as error:
        raise CommandError(listen_fault(settings, error)) from None
    except (EmbeddedError, StoreError) as error:
        raise CommandError(str(error)) from None


@contextlib.contextmanager
def open_listeners(host: str, port: int) -> Iterator[list[socket.socket]]:
    """Listen at every address of a host, on one port. Raises OSError."""
    with contextlib.ExitStack() as stack:
        listeners = [stack.enter_context(listener) for listener in bind(host, port)]
        for listener in listeners:
            listener.listen(BACKLOG)
            listener.setblocking(False)
        yield listeners


async def _serve(settings: ServerSettings, listeners: list[socket.socket], ready: Callable[[str], None]) -> None:
    # A fault of the database is reported once, and not by each node.
    async with PostgresDatabase(settings.database_url):
        pass
    async with contextlib.AsyncExitStack() as stack:
        if not settings.nats_url:
            nats = await stack.enter_async_context(EmbeddedNats())
            settings = replace(settings, nats_url=nats.url)
        homes = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="diskwars-workers-")))
        nodes = [NodeProcess(plan, listeners) for plan in make_plans(settings, listeners, homes)]
        try:
            await _start_all(nodes)
            port = listeners[0].getsockname()[1]
            url = client_url(settings.host, port, is_secure=settings.tls_cert is not None)
            log.info("serving", extra={"url": url, "workers": len(nodes)})
            with _pass_on_hangup(nodes) if settings.tls_cert else contextlib.nullcontext():
                ready(url)
                async with asyncio.TaskGroup() as group:
                    for node in nodes:
                        group.create_task(node.keep_alive())
        finally:
            for listener in listeners:  # each node closes its own
                listener.close()
            await _stop_all(nodes, settings.drain_seconds + STOP_SECONDS)


def _pass_on_hangup(nodes: "Sequence[NodeProcess]") -> contextlib.AbstractContextManager[None]:
    """Let the nodes read the certificate again on SIGHUP."""

    def reload() -> None:
        for node in nodes:
            node.reload()

    return call_on_hangup(reload)


async def _start_all(nodes: "Sequence[NodeProcess]") -> None:
    faults = await asyncio.gather(*(node.start() for node in nodes))
    if fault := next(filter(None, faults), ""):
        raise CommandError(fault)


async def _stop_all(nodes: "Sequence[NodeProcess]", seconds: float) -> None:
    """Let every node end. Another stop signal is passed on: it cuts short what they wait for."""
    deadline = asyncio.get_running_loop().time() + seconds
    is_cancelled = True
    while is_cancelled:
        for node in nodes:
            node.terminate()
        try:
            async with asyncio.timeout_at(deadline):
                await asyncio.gather(*(node.wait_ended() for node in nodes))
            return
        except TimeoutError:
            is_cancelled = False
        except asyncio.CancelledError:
            log.info("stopping at once")
    for node in nodes:
        node.kill()
    await asyncio.gather(*(node.wait_ended() for node in nodes))


def make_plans(settings: ServerSettings, listeners: Sequence[socket.socket], homes: Path) -> list[NodePlan]:
    """Return what each node receives: what one process does for all is divided among them.

    In the folder `homes`, which nobody else may enter, they hand connections over to each other.
    """
    numbers = tuple(listener.fileno() for listener in listeners)
    count = settings.workers
    bots = default_bot_process_count() if settings.bot_workers is None else settings.bot_workers
    plans = []
    for number in range(count):
        own = replace(
            settings,
            # Built already, if at all.
            page="off" if settings.page == "off" else "built",
            bot_workers=max(1, bots // count + (number < bots % count)) if bots else 0,
            # One looks for old matches in the database.
            unstarted_hours=0 if number else settings.unstarted_hours,
            guest_match_days=0 if number else settings.guest_match_days,
            guest_idle_days=0 if number else settings.guest_idle_days,
            metrics=metrics_address(settings.metrics, number),
        )
        plans.append(NodePlan(own, number, numbers, homes))
    return plans


def metrics_address(address: str, number: int) -> str:
    """Return where a node serves its metrics: each at a port of its own, one after another. Raises SettingsError."""
    if not address:
        return ""
    host, port = parse_listen_address("metrics", address)
    if port and port + number > 65535:
        raise SettingsError(f"metrics: worker {number} has no port after {port}; choose a lower one")
    return f"[{host}]:{port + number if port else 0}" if ":" in host else f"{host}:{port + number if port else 0}"


class NodeProcess:
    """One node, which is started again when it dies."""

    def __init__(self, plan: NodePlan, listeners: Sequence[socket.socket]) -> None:
        self._plan, self._listeners = plan, listeners
        self._process: Process | None = None

    async def start(self) -> str:
        """Start the process and wait until it serves. Return why it does not, or nothing. Leaves no process then."""
        process = self._process = await asyncio.create_subprocess_exec(
            *module_command("diskwars_cli.own_server.serve_node"),
            stdin=PIPE,
            stdout=PIPE,
            pass_fds=self._plan.listeners,
            # Out of reach of Ctrl-C, which a terminal sends to the whole group: nodes get a signal of their own.
            process_group=0,
            # On Linux also while nothing in it runs. Elsewhere it notices that its input ends.
            preexec_fn=parent_death_hook(int(signal.SIGKILL)),
        )
        assert process.stdin is not None
        assert process.stdout is not None
        line = b""
        with contextlib.suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(START_SECONDS):
                process.stdin.write(encode_plan(self._plan))
                await process.stdin.drain()
                line = await process.stdout.readline()
        if line and not (report := msgspec.json.decode(line, type=NodeReport)).fault:
            return ""
        self.kill()
        status = await process.wait()
        return report.fault if line else f"worker {self._plan.number} did not start: it ended with status {status}"

    async def keep_alive(self) -> None:
        """Start the node again whenever it ends, until cancelled."""
        loop = asyncio.get_running_loop()
        pause = FIRST_RETRY_SECONDS
        while self._process is not None:
            began_at = loop.time()
            why = f"it ended with status {await self._process.wait()}"
            if loop.time() - began_at > STEADY_SECONDS:
                pause = FIRST_RETRY_SECONDS
            while why:
                log.error("worker lost", extra={"worker": self._plan.number, "why": why})
                await asyncio.sleep(pause)
                pause = min(2 * pause, MAX_RETRY_SECONDS)
                why = await self.start()
            log.warning("worker back", extra={"worker": self._plan.number, "pid": self._process.pid})

    def terminate(self) -> None:
        self._signal(signal.SIGTERM)

    def reload(self) -> None:
        """Let the node read the certificate again; for nodes that have one."""
        self._signal(signal.SIGHUP)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, number)

    async def wait_ended(self) -> None:
        if self._process is not None:
            await self._process.wait()
