"""The server is composed as its settings say."""

import asyncio
import json
import logging
from urllib.request import urlopen

import pytest
import structlog

from diskwars_client.client import connect
from diskwars_server.app import load_rulesets, start_server
from diskwars_server.logs import configure_logging
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase


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


def read(url: str) -> bytes:
    with urlopen(url, timeout=20) as response:
        return bytes(response.read())
