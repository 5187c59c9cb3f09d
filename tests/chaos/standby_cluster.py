"""Two PostgreSQL servers, the second a synchronous standby of the first, and the monitor of pg_auto_failover.

The commands are those of docs/operating.md, "A standby", with everything on this machine.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
from msgspec import Struct

from diskwars_server.processes.embedded_postgres import PostgresAccount
from tests.nats_servers import free_port

PROGRAMS = Path("/usr/lib/postgresql/15/bin")
"""Where Debian has the PostgreSQL that its pg_auto_failover is for."""
DATABASE = "diskwars"
NODES = ("node1", "node2")
SETTLE_SECONDS = 120
LOOK_SECONDS = 0.1
PAGE_SETTINGS = {"node_considered_unhealthy_timeout": "10s", "primary_demote_timeout": "22s"}
"""Those of the page. A primary that reaches neither monitor nor standby stops itself after 20 seconds: no earlier may
the other one be promoted."""
QUICK_SETTINGS = {
    "health_check_period": "500ms",
    "health_check_timeout": "500ms",
    "health_check_retry_delay": "200ms",
    "node_considered_unhealthy_timeout": "2s",
    "primary_demote_timeout": "4s",
}
"""For a test; a network would mistake a slow answer for a dead node."""
REPLICATED = {"primary", "secondary"}


class NodeState(Struct):
    """A node as the monitor sees it."""

    nodename: str
    current_group_state: str
    assigned_group_state: str


_STATES = msgspec.json.Decoder(list[NodeState])


def is_installed() -> bool:
    return shutil.which("pg_autoctl") is not None and (PROGRAMS / "postgres").exists()


class StandbyCluster:
    """A primary with its standby in a folder. Use it as `async with StandbyCluster(folder) as cluster:`."""

    def __init__(self, folder: Path, settings: dict[str, str] | None = None) -> None:
        """`settings` are those of the monitor that are other than usual, without their prefix."""
        self._folder, self._settings = folder, settings or {}
        folder.mkdir(exist_ok=True)
        self._account = PostgresAccount.choose(folder)
        self._account.make_folder(folder)
        self._ports = {name: free_port() for name in ("monitor", *NODES)}
        self._keepers: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{self._ports[name]}" for name in NODES)
        return f"postgresql://diskwars@{hosts}/{DATABASE}?target_session_attrs=read-write"

    async def __aenter__(self) -> Self:
        try:
            await self._control(*self.create_monitor())
            self.start("monitor")
            await self._wait_answering("monitor")
            if self._settings:
                await self._set_up_monitor()
            for name in NODES:
                await self._control(*self.create_node(name))
                self.start(name)
            await self.wait_replicated()
        except BaseException:
            self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def create_monitor(self) -> tuple[str, ...]:
        """Return the words of `pg_autoctl` that make the monitor."""
        return self._create("monitor", "monitor")

    def create_node(self, name: str) -> tuple[str, ...]:
        """Return the words of `pg_autoctl` that make a node: the first the primary, the second its standby."""
        owner = ("--dbname", DATABASE, "--username", "diskwars", "--listen", "localhost")
        monitor = ("--monitor", f"postgres://autoctl_node@localhost:{self._ports['monitor']}/pg_auto_failover")
        return (*self._create("postgres", name), *owner, "--name", name, *monitor)

    def _create(self, what: str, name: str) -> tuple[str, ...]:
        place = ("--pgdata", str(self._folder / name), "--pgport", str(self._ports[name]))
        return ("create", what, *place, "--hostname", "localhost", "--auth", "trust", "--ssl-self-signed")

    def start(self, name: str) -> None:
        """Start the supervisor of a node, or of the monitor, which starts its PostgreSQL."""
        with open(self._folder / f"{name}.log", "ab") as log:
            command = self._command("pg_autoctl", "run", "--pgdata", str(self._folder / name))
            self._keepers[name] = self._account.run(command, output=log)

    def kill_database(self, name: str) -> None:
        """Kill the PostgreSQL of a node; its supervisor is left."""
        os.kill(self.postmaster_pid(name), signal.SIGKILL)

    def kill_supervisor(self, name: str) -> None:
        """Kill the supervisor of a node and its PostgreSQL."""
        keeper = self._keepers.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(keeper.pid, signal.SIGKILL)
        keeper.wait()

    @contextlib.contextmanager
    def frozen(self, name: str) -> Iterator[None]:
        """Let a node and all that belongs to it stand still meanwhile, as a machine that hangs."""
        # Processes of PostgreSQL have process groups of their own.
        processes = self._backends(name)
        os.killpg(self._keepers[name].pid, signal.SIGSTOP)
        self._send(processes, signal.SIGSTOP)
        try:
            yield
        finally:
            self._send(processes, signal.SIGCONT)
            os.killpg(self._keepers[name].pid, signal.SIGCONT)

    def _send(self, processes: Sequence[int], number: signal.Signals) -> None:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def _backends(self, name: str) -> list[int]:
        """Return the processes of PostgreSQL on a node."""
        postmaster = self.postmaster_pid(name)
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text("ascii")
        return [postmaster, *map(int, children.split())]

    def postmaster_pid(self, name: str) -> int:
        """Return the process of a node's PostgreSQL. Raises FileNotFoundError and ValueError where there is none."""
        return int((self._folder / name / "postmaster.pid").read_text("utf-8").split("\n")[0])

    async def states(self) -> dict[str, NodeState]:
        """Return the nodes by name, as the monitor sees them."""
        out = await self._control("show", "state", "--json", "--pgdata", str(self._folder / "monitor"))
        return {node.nodename: node for node in _STATES.decode(out)}

    async def wait_replicated(self) -> str:
        """Wait until there is a primary whose standby has everything; return its name. Raises TimeoutError."""
        async with asyncio.timeout(SETTLE_SECONDS):
            while True:
                states = await self.states()
                settled = {
                    node.current_group_state: name
                    for name, node in states.items()
                    if node.current_group_state == node.assigned_group_state
                }
                if settled.keys() >= REPLICATED:
                    return settled["primary"]
                await asyncio.sleep(LOOK_SECONDS)

    async def _set_up_monitor(self) -> None:
        for name, value in self._settings.items():
            statement = f"alter system set pgautofailover.{name} = '{value}'"
            await self._run(self._sql("monitor", statement))
        await self._run(self._sql("monitor", "select pg_reload_conf()"))

    async def _wait_answering(self, name: str) -> None:
        async with asyncio.timeout(SETTLE_SECONDS):
            while True:
                with contextlib.suppress(subprocess.CalledProcessError):
                    await self._run(self._sql(name, "select 1"))
                    return
                await asyncio.sleep(LOOK_SECONDS)

    def _sql(self, name: str, statement: str) -> list[str]:
        place = ["-h", "localhost", "-p", str(self._ports[name]), "-d", "pg_auto_failover"]
        return self._command(str(PROGRAMS / "psql"), *place, "-v", "ON_ERROR_STOP=1", "-c", statement)

    def _command(self, *words: str) -> list[str]:
        folders = [
            f"{name}={self._folder / 'home'}"
            for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR")
        ]
        return ["/usr/bin/env", "LC_ALL=C.UTF-8", f"PATH={PROGRAMS}:/usr/bin:/bin", *folders, *words]

    async def _control(self, *words: str) -> bytes:
        return await self._run(self._command("pg_autoctl", *words))

    async def _run(self, command: list[str]) -> bytes:
        """Run a program to its end and return what it printed. Raises CalledProcessError."""
        log = self._folder / "commands.log"

        def run() -> tuple[int, bytes]:
            with open(log, "ab+") as output:
                begin = output.tell()
                code = self._account.run(command, output=output).wait(SETTLE_SECONDS)
                output.seek(begin)
                return code, output.read()

        code, printed = await asyncio.to_thread(run)
        if code:
            raise subprocess.CalledProcessError(code, command, printed)
        return printed[printed.find(b"[") :] if "--json" in command else printed

    def _stop(self) -> None:
        """End all programs, the monitor last."""
        for name in (*NODES, "monitor"):
            if name in self._keepers:
                self.kill_supervisor(name)
