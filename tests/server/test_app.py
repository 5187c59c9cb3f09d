"""The server is composed as its settings say."""

import asyncio
import contextlib
import json
import logging
from urllib.request import urlopen

import pytest
import structlog

from diskwars_client.client import connect
from diskwars_protocol.rulesets.pit.actions import PitLoadout
from diskwars_server import app as product
from diskwars_server.app import load_rulesets, serve, start_server
from diskwars_server.logs import configure_logging
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.cuttable_proxy import CuttableProxy


@pytest.mark.parametrize("seed", [None, 7])
async def test_a_match_from_a_seed_says_that_its_dice_prove_nothing(seed: int | None) -> None:
    async with (
        MemoryDatabase() as database,
        start_server(ServerSettings(port=0, seed=seed), database) as transport,
        connect(transport.url) as client,
    ):
        match = await (await client.open_match()).wait_caught_up()
        assert match.repeatable is (seed is not None)
        assert match.ruleset in load_rulesets()


async def test_node_is_named_in_every_line_that_it_logs(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    configure_logging("info", "json")

    async def log_something() -> None:
        logging.getLogger("diskwars_server.matches.game").info("of a task")

    try:
        async with MemoryDatabase() as database, start_server(ServerSettings(port=0), database) as transport:
            await asyncio.create_task(log_something())
            health = await asyncio.to_thread(read, transport.url.replace("ws:", "http:").replace("/ws", "/healthz"))
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers
        structlog.reset_defaults()
        structlog.contextvars.clear_contextvars()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert "of a task" in {line["event"] for line in lines}
    assert {line.get("node") for line in lines} == {json.loads(health)["node"]}


async def test_interface_is_at_the_port_of_the_sockets() -> None:
    async with MemoryDatabase() as database, start_server(ServerSettings(port=0, bot_workers=0), database) as transport:
        site = transport.url.replace("ws://", "http://").removesuffix("/ws")
        server = json.loads(await asyncio.to_thread(read, f"{site}/api/v1/server"))
        page = await asyncio.to_thread(read, f"{site}/api/v1")
    assert {ruleset["id"] for ruleset in server["rulesets"]} >= {"diskwars", "pit"}
    assert b"/api/v1/matches" in page


async def test_stop_ends_though_the_database_does_not_answer(
    database_url: str,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(product, "STOP_DATABASE_SECONDS", 0.2)
    wire = CuttableProxy(database_url, tmp_path_factory.mktemp("w"))
    await wire.connect()
    addresses: asyncio.Queue[str] = asyncio.Queue()
    async with asyncio.timeout(40):
        serving = asyncio.create_task(
            serve(ServerSettings(port=0, database_url=wire.url, bot_workers=0), ready=addresses.put_nowait)
        )
        async with connect(await addresses.get()) as client:
            match = await client.open_match(ruleset="pit")
            wire.hangs = True
            acting = asyncio.create_task(match.take_seat(PitLoadout()))
            await wire.asked_in_vain.wait()
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                async with asyncio.timeout(8):  # the default limits of the store are longer, and add up
                    await serving
            acting.cancel()
        await wire.cut()
    assert "stopping without the database" in caplog.messages


def read(url: str) -> bytes:
    with urlopen(url, timeout=20) as response:
        return bytes(response.read())
