"""A server starts, reports why it cannot, and stops on request."""

import json
import resource
import urllib.request
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import make_url
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from diskwars_cli.own_server.serve import address_text
from diskwars_protocol.connection.connection import encode
from diskwars_protocol.messages.handshake import Hello
from diskwars_protocol.rulesets.registry import RULESETS
from diskwars_server.connections.listening import OPEN_FILES
from diskwars_server.store.postgres.database import PostgresDatabase
from diskwars_server.store.postgres.migrations import SCHEMA_VERSION
from tests.e2e.servers import ServerProcess, server_error


async def test_server_starts_serves_and_stops_on_request(open_folder: Path) -> None:
    async with ServerProcess("--data", str(open_folder / "served"), "--port", "0") as server:
        address = server.url.replace("ws://", "http://").replace("/ws", "/healthz")
        with urllib.request.urlopen(address) as answer:
            health = json.load(answer)
        assert (health["status"], health["database"], health["schema"]) == ("ok", "ok", SCHEMA_VERSION)
        async with connect(server.url) as socket:
            await socket.send(encode(Hello((1,))), text=True)
            assert {ruleset["id"] for ruleset in json.loads(await socket.recv())["rulesets"]} == set(RULESETS)
            code, said = await server.terminate()
            assert json.loads(await socket.recv())["close_reason"] == "restarting"
            with pytest.raises(ConnectionClosed):
                await socket.recv()
            assert socket.close_code == 1012
        assert code == 0
        lines = said.splitlines()
        assert f"info diskwars_server: serving url={server.url}" in lines[0]
        assert "error" not in said


def test_address_for_programs_is_the_first_line() -> None:
    url = "ws://127.0.0.1:8765/ws"
    assert address_text(url, has_page=False) == f"listening on {url}"
    assert address_text(url, has_page=True).splitlines() == [
        f"listening on {url}",
        "the page is at http://127.0.0.1:8765/",
    ]


async def test_a_server_says_which_packs_it_plays_besides_the_core_set(database_url: str) -> None:
    options = ("--database-url", database_url, "--port", "0", "--pack", "expansion")
    async with ServerProcess(*options) as server:
        _, said = await server.terminate()
    assert f"serving url={server.url} packs=expansion" in said.splitlines()[0]


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux tells the limits of another process")
@pytest.mark.usefixtures("cold_starts")
async def test_limit_of_open_files_is_raised(database_url: str) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, hard))  # the server inherits it, as from a shell
    try:
        async with ServerProcess("--database-url", database_url, "--port", "0") as server:
            raised, _ = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
            await server.terminate()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert raised == (OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard))


async def test_a_folder_that_cannot_hold_data_is_named(open_folder: Path) -> None:
    taken = open_folder / "a-file"
    taken.write_text("")
    said = await server_error("--data", str(taken), "--port", "0")
    assert said.startswith("diskwars: ")
    assert str(taken) in said
    assert "Traceback" not in said


async def test_a_schema_newer_than_the_program_is_left_alone(database_url: str) -> None:
    async with PostgresDatabase(database_url):
        pass
    url = make_url(database_url)
    connection = await asyncpg.connect(host=str(url.query["host"]), user=url.username, database=url.database)
    await connection.execute("update diskwars_schema set version_num = '9999'")
    await connection.close()
    said = await server_error("--database-url", database_url, "--port", "0")
    assert "9999" in said
    assert SCHEMA_VERSION in said
    assert "Traceback" not in said


async def test_unreachable_database_is_reported_without_its_password() -> None:
    said = await server_error("--database-url", "postgresql://me:hush@127.0.0.1:1/nothing", "--port", "0")
    assert said.startswith("diskwars: ")
    assert "hush" not in said
    assert "Traceback" not in said
