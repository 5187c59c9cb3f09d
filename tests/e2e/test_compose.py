"""The topology of the compose file with local processes: PostgreSQL, NATS, two nodes, and Caddy in front."""

import asyncio
import contextlib
import os
import shutil
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from diskwars_client.client import Client, connect
from diskwars_client.verification.verify import verify
from tests.compose_file import CADDYFILE, ComposeFile, ComposeService, read_compose
from tests.e2e.test_nodes import QUICK, play, take_seat, wait_for
from tests.nats_servers import PROGRAM as NATS_PROGRAM
from tests.nats_servers import free_port

TEST_SECONDS = 55
CADDY = shutil.which("caddy")
NODES = ("node-a", "node-b")


@contextlib.asynccontextmanager
async def running(*command: str, variables: dict[str, str], output: int = DEVNULL) -> AsyncIterator[Process]:
    """Run a program with just these variables; on exit it gets SIGTERM, and is gone."""
    process = await asyncio.create_subprocess_exec(*command, env=variables, stdout=output, stderr=DEVNULL)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()


class Topology:
    """Addresses at which the services in the compose file listen."""

    def __init__(self, compose: ComposeFile, database_url: str, folder: Path) -> None:
        self.compose, self._database_url, self._folder = compose, database_url, folder
        self.ports = {name: free_port() for name in (*NODES, "nats", "caddy")}
        self.metrics_ports = {name: free_port() for name in NODES}
        self.nodes: dict[str, Process] = {}

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.ports['caddy']}/ws"

    @contextlib.asynccontextmanager
    async def run(self) -> AsyncIterator["Topology"]:
        nats, caddy = self.compose.services["nats"], self.compose.services["caddy"]
        async with contextlib.AsyncExitStack() as stack:
            command = [self._local(word) for word in nats.command]
            await stack.enter_async_context(running(str(NATS_PROGRAM), *command, variables={}))
            for name in NODES:
                self.nodes[name] = await stack.enter_async_context(self._run_node(name))
            assert CADDY is not None
            options = [str(CADDYFILE) if word == "/etc/caddy/Caddyfile" else word for word in caddy.command[1:]]
            await stack.enter_async_context(running(CADDY, *options, variables=self._caddy_variables(caddy)))
            async with asyncio.timeout(TEST_SECONDS):
                for name in NODES:
                    process = self.nodes[name]
                    assert process.stdout is not None
                    assert (await process.stdout.readline()).startswith(b"listening on ")
                while (await self.status("/schema.json"))[0] != 200:
                    await asyncio.sleep(0.05)
            yield self

    def _run_node(self, name: str) -> contextlib.AbstractAsyncContextManager[Process]:
        service = self.compose.services[name]
        assert service.command[0] == "diskwars"
        own = ["--port", str(self.ports[name]), "--metrics", str(self.metrics_ports[name]), "--bot-workers", "0"]
        variables = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            **{variable: self._local(value) for variable, value in service.environment.items()},
            "DATABASE_URL": self._database_url,
            "HOME": str(self._folder),
        }
        command = (sys.executable, "-m", "diskwars_cli", *service.command[1:], *own, "--page", "off")
        return running(*command, variables=variables, output=PIPE)

    def _caddy_variables(self, service: ComposeService) -> dict[str, str]:
        nodes = service.environment["NODES"]
        return {
            "SITE_ADDRESS": f"http://127.0.0.1:{self.ports['caddy']}",
            "NODES": " ".join(f"127.0.0.1:{self.ports[node.removesuffix(':8765')]}" for node in nodes.split()),
            "HOME": str(self._folder),
        }

    def _local(self, text: str) -> str:
        """Return an address of the file as it is on this machine."""
        for there, here in {
            "nats:4222": f"127.0.0.1:{self.ports['nats']}",
            "4222": str(self.ports["nats"]),
            "8222": str(free_port()),
            "172.30.66.2": "127.0.0.1",
            "0.0.0.0": "127.0.0.1",
        }.items():
            text = text.replace(there, here)
        return text

    async def status(self, path: str, port: int = 0) -> tuple[int, str]:
        """Return status and text of an answer; 0 without an answer."""
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port or self.ports["caddy"])
        except OSError:
            return 0, ""
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        head, _, text = (await reader.read()).decode("utf-8", "replace").partition("\r\n\r\n")
        writer.close()
        return int(head.split()[1]) if head else 0, text

    async def connections(self, name: str) -> int:
        _, text = await self.status("/metrics", self.metrics_ports[name])
        return int(
            next(float(line.split()[1]) for line in text.splitlines() if line.startswith("diskwars_connections "))
        )


@pytest.mark.skipif(CADDY is None, reason="Caddy is not installed")
async def test_players_on_both_nodes_play_through_the_proxy_while_one_node_is_killed(
    database_url: str, tmp_path: Path
) -> None:
    compose = read_compose({"POSTGRES_PASSWORD": "p@ss:word/"})
    async with Topology(compose, database_url, tmp_path).run() as topology, contextlib.AsyncExitStack() as stack:
        assert (await topology.status("/healthz"))[0] == (await topology.status("/readyz"))[0] == 404
        clients: list[Client] = []
        async with asyncio.timeout(TEST_SECONDS):
            while len(clients) < 3 or not all([await topology.connections(name) for name in NODES]):
                clients.append(await stack.enter_async_context(connect(topology.url, retry_policy=QUICK)))
            ann, bob, eve = clients[:3]
            opened = await eve.open_match(ruleset="pit")
            first, second = await take_seat(ann, opened.id, 0), await take_seat(bob, opened.id, 1)
            bots = asyncio.gather(play(first), play(second))
            await wait_for(opened, lambda: opened.head > 6)
            topology.nodes["node-a"].kill()
            await bots
            for handle in (first, second, opened):
                await wait_for(handle, lambda handle=handle: handle.match.status == "ended")  # type: ignore[misc]
            dan = await stack.enter_async_context(connect(topology.url, retry_policy=QUICK))
            revealed = await dan.watch(opened.id, reveal_secrets=True)
            await wait_for(revealed, lambda: revealed.head == opened.head)
        assert verify(revealed.file()).is_redecided
        assert len({handle.stream.known_head for handle in (first, second, opened)}) == 1
        assert await topology.connections("node-b") == len(clients) + 1
